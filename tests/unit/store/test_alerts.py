"""Alerts and schedules as they are kept: once each, whoever finds them; of their owner alone."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date

import pytest

from services.core.errors import InputError, NotAllowedError
from services.core.identity import LOCAL, acting_as
from services.core.text import Text
from services.store.alerts import Alerts, FoundEvent
from services.store.database import Database
from services.store.ownership import list_owners
from services.store.schedules import MOST, Schedules, list_schedules
from services.store.watchlists import Watchlists
from tests.postgres import cluster, programs
from tests.unit.store.test_ownership import ANNA, BEN, RITA

JUNE, JULY = date(2017, 6, 1), date(2017, 7, 3)
EVENT = FoundEvent(
    symbol="600519.SH",
    start=date(2017, 6, 8),
    end=date(2017, 6, 8),
    kind="异动点",
    result="涨",
    rules=("abnormal.z",),
    reason="涨 {{c:c_1}}",
    reason_en="up {{c:c_1}}",
    run_id="run_1",
)


@pytest.fixture(
    params=[
        "file",
        pytest.param(
            "postgresql",
            marks=[
                pytest.mark.thorough,
                pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed"),
            ],
        ),
    ]
)
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    with ExitStack() as stack:
        url = None
        if request.param == "postgresql":
            url = stack.enter_context(cluster()).new_database()
        made = Database(":memory:", records_url=url)
        stack.callback(made.close)
        Watchlists(made).add("自选", "600519.SH", JUNE)
        yield made


def test_what_two_find_is_kept_once_and_is_new_until_its_company_was_looked_at(
    database: Database,
) -> None:
    alerts, lists = Alerts(database), Watchlists(database)
    assert alerts.looked("自选") == {}
    assert alerts.keep("自选", [EVENT], {"600519.SH": JULY}) == 1
    again = EVENT.model_copy(update={"run_id": "run_2"})
    assert alerts.keep("自选", [again], {"600519.SH": JULY}) == 0
    assert alerts.looked("自选") == {"600519.SH": JULY}
    (found,) = alerts.new()
    assert (found.list, found.event) == ("自选", EVENT)
    lists.see("600519.SH", date(2017, 6, 7))
    assert len(alerts.new()) == 1
    lists.see("600519.SH", EVENT.end)
    assert alerts.new() == ()


def test_a_company_taken_out_and_put_in_again_begins_anew(database: Database) -> None:
    alerts, lists = Alerts(database), Watchlists(database)
    lists.add("自选", "600036.SH", JUNE)
    other = EVENT.model_copy(update={"symbol": "600036.SH"})
    alerts.keep("自选", [EVENT, other], {"600519.SH": JULY, "600036.SH": JULY})
    lists.remove("自选", "600519.SH")
    lists.add("自选", "600519.SH", JUNE)
    assert [one.event for one in alerts.new()] == [other]
    assert alerts.looked("自选") == {"600036.SH": JULY}
    lists.end("自选")
    lists.add("自选", "600036.SH", JUNE)
    assert (alerts.new(), alerts.looked("自选")) == ((), {})


def test_alerts_are_of_whose_the_list_is_and_no_others(database: Database) -> None:
    alerts, lists = Alerts(database), Watchlists(database)
    with acting_as(ANNA):
        lists.add("自选", "600519.SH", JUNE)
        alerts.keep("自选", [EVENT], {"600519.SH": JULY})
        assert len(alerts.new()) == 1
    for who in (BEN, RITA, LOCAL):
        with acting_as(who):
            assert alerts.new() == ()
    with acting_as(BEN), pytest.raises(InputError):
        alerts.keep("自选", [EVENT], {})
    owners = list_owners(database, "watchlist")
    assert [one.owner for one in owners] == [LOCAL.owner, ANNA.owner]
    assert (owners[1].team, owners[1].role) == (ANNA.team, "reader")


def test_a_report_of_a_session_is_begun_by_whoever_claims_it_first(database: Database) -> None:
    kept = Schedules(database)
    made = kept.add("600519.SH", "weekly", "en")
    assert kept.add("600519.SH", "weekly", "zh") == made
    assert [kept.claim(made, JUNE) for _ in range(3)] == [True, False, False]
    kept.settle(made, job_id="job_1")
    (found,) = kept.list()
    assert (found.done_for, found.job_id, found.problem) == (JUNE, "job_1", None)
    assert kept.claim(made, JULY)
    kept.settle(made, problem=Text("没有模型", "no model"))
    (found,) = kept.list()
    assert (found.job_id, found.problem) == ("job_1", Text("没有模型", "no model"))
    assert kept.claim(made, JULY)  # what could not be begun is tried again
    kept.remove(made)
    assert kept.list() == ()
    with pytest.raises(InputError):
        kept.remove(made)


def test_a_schedule_is_kept_in_the_name_of_whoever_asked(database: Database) -> None:
    kept = Schedules(database)
    with acting_as(ANNA):
        made = kept.add("600519.SH", "daily", "zh")
    with acting_as(BEN):
        assert kept.list() == ()
        assert not kept.claim(made, JULY)
        with pytest.raises(InputError):
            kept.remove(made)
    with acting_as(RITA), pytest.raises(NotAllowedError):
        kept.add("600519.SH", "daily", "zh")
    (found,) = list_schedules(database)
    assert (found.wanted.who, found.done_for) == (ANNA, None)


def test_nobody_has_more_than_there_may_be(database: Database) -> None:
    kept = Schedules(database)
    for number in range(MOST):
        kept.add(f"{number:06d}.SZ", "daily", "zh")
    with pytest.raises(InputError, match="20"):
        kept.add("600519.SH", "daily", "zh")
    assert kept.add("000003.SZ", "daily", "zh")
