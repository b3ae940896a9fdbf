"""Who did what, noted where it is done."""

import pytest

from services.core.errors import InputError, NotAllowedError
from services.core.identity import Identity, acting_as
from services.exports.audit_csv import audit_csv
from services.store.audit import Audit
from services.store.database import Database
from services.store.jobs import Jobs
from services.store.ownership import Sharing
from services.store.screens import Screens
from services.store.watchlists import Watchlists
from tests.unit.store.test_ownership import ANNA, BEN, CARL, RITA, keep


def test_what_is_shared_deleted_and_looked_at_is_noted_with_who_did_it() -> None:
    database = Database(":memory:")
    with acting_as(ANNA):
        kept = keep(database)
        Sharing(database).share("conversation", kept.session, shared=True)
        Screens(database).delete("低估值")
        Watchlists(database).end("自选")
        Jobs(database).hide([kept.job])
        Jobs(database).restore([kept.job])
    with acting_as(BEN):
        Audit(database).note("viewed", "conversation", kept.session)
    with acting_as(CARL):
        found = Audit(database).lines()
    assert [(one.owner_name, one.action, one.kind, one.id) for one in reversed(found)] == [
        ("Anna", "shared", "conversation", kept.session),
        ("Anna", "deleted", "screen", "低估值"),
        ("Anna", "deleted", "watchlist", "自选"),
        ("Anna", "deleted", "job", kept.job),
        ("Anna", "restored", "job", kept.job),
        ("Ben", "viewed", "conversation", kept.session),
    ]


def test_a_deed_that_fails_is_not_noted() -> None:
    database = Database(":memory:")
    with acting_as(ANNA):
        kept = keep(database)
    with acting_as(BEN), pytest.raises(InputError, match="你自己的"):
        Sharing(database).share("job", kept.job, shared=True)
    with acting_as(CARL):
        assert Audit(database).lines() == ()


@pytest.mark.parametrize("who", [ANNA, RITA], ids=lambda one: one.name)
def test_nobody_but_an_admin_reads_it(who: Identity) -> None:
    database = Database(":memory:")
    with acting_as(who), pytest.raises(NotAllowedError, match="管理员"):
        Audit(database).lines()


def test_without_a_sign_in_nothing_is_noted() -> None:
    database = Database(":memory:")
    kept = keep(database)
    Screens(database).delete("低估值")
    Jobs(database).hide([kept.job])
    Audit(database).note("viewed", "job", kept.job)
    assert Audit(database).lines() == ()


def test_a_name_from_outside_is_no_formula_in_the_file() -> None:
    database = Database(":memory:")
    with acting_as(ANNA.model_copy(update={"name": '=cmd|"x"'})):
        Audit(database).note("viewed", "job", "job_1")
    with acting_as(CARL):
        told = audit_csv(Audit(database).lines()).decode("utf-8-sig")
    head, line = told.splitlines()
    assert head.startswith('"seq","happened_at"')
    assert '"\'=cmd|""x"""' in line
