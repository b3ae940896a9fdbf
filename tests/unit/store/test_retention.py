"""Old runs go when a setting says so: those that nothing points at, and what only they had."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from services.core.errors import InputError
from services.store.database import Database
from services.store.jobs import JobEnd, Jobs
from services.store.retention import Swept, sweep
from services.store.runs import Runs
from services.store.sessions import Sessions
from services.store.tables import (
    CLAIM_INDEX,
    OWNERSHIP,
    ROW_SETS,
    RUN_CALLS,
    RUN_MARKS,
    RUNS,
    TOOL_CALLS,
)
from services.store.turns import StoredAnswer, Turns
from tests.postgres import cluster, programs
from tests.unit.store.samples import run_of

DAYS = 30


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
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with ExitStack() as stack:
        if request.param == "file":
            made = Database(str(tmp_path / "youju.duckdb"))
        else:
            url = stack.enter_context(cluster()).new_database()
            made = Database(":memory:", records_url=url)
        stack.callback(made.close)
        yield made


def save(database: Database, *numbers: int) -> None:
    for number in numbers:
        made = run_of(number)
        Runs(database).save(made.run, made.calls, made.claims)


def name(number: int) -> str:
    return run_of(number).run.run_id


def age(database: Database, days: int) -> None:
    """As if every mark had been set so many days earlier."""
    with database.open_writing() as connection:
        for seq, noted in connection.execute(select(RUN_MARKS)).all():
            connection.execute(
                update(RUN_MARKS)
                .where(RUN_MARKS.c.seq == seq)
                .values(noted_at=noted - timedelta(days=days))
            )


def left(database: Database) -> set[str]:
    with database.open_reading() as connection:
        return set(connection.execute(select(RUNS.c.run_id)).scalars())


def test_what_nothing_points_at_goes_and_the_rest_stays_whole(database: Database) -> None:
    save(database, 1, 2, 3, 4)
    session = Sessions(database).start("s_1")
    Turns(database).append(session, 1, "{}")
    Turns(database).answer(session, 1, StoredAnswer(name(1), "{}"))
    end = JobEnd("ok", "{}", name(2))
    Jobs(database).start("score", "s_1", subject="x", title="t", arguments={}, ended=end)
    with database.open_writing() as connection:
        row = {"kind": "run", "id": name(3), "owner": "a", "owner_name": "A", "team": "t"}
        connection.execute(OWNERSHIP.insert().values(**row, shared=True))
    assert sweep(database, DAYS) == Swept(0, 0, 0)  # the first mark
    age(database, DAYS)
    save(database, 5)
    gone = sweep(database, DAYS)
    assert (gone.runs, gone.calls) == (1, 3)
    assert left(database) == {name(1), name(2), name(3), name(5)}
    for number in (1, 2, 5):
        assert Runs(database).load(name(number)) == run_of(number)
    with pytest.raises(InputError):
        Runs(database).load(name(4))
    with database.open_reading() as connection:
        for table in (RUN_CALLS, CLAIM_INDEX):
            kept = connection.execute(select(table.c.run_id).distinct()).scalars()
            assert name(4) not in set(kept)
        assert connection.execute(select(func.count()).select_from(TOOL_CALLS)).scalar() == 12


def test_rows_two_runs_show_stay_with_the_one_that_is_left(database: Database) -> None:
    save(database, 1, 2)
    assert sweep(database, DAYS) == Swept(0, 0, 0)
    age(database, DAYS)
    same = run_of(1)
    again = same.run.model_copy(update={"run_id": "run_again"})
    Runs(database).save(again, same.calls, same.claims)
    gone = sweep(database, DAYS)
    assert (gone.runs, gone.calls) == (2, 3)
    assert gone.row_sets == (0 if database.shared else 3)
    assert Runs(database).load("run_again").calls == same.calls
    with database.open_reading() as connection:
        rows = connection.execute(select(func.count()).select_from(ROW_SETS)).scalar()
    assert rows == (6 if database.shared else 3)


def test_nothing_goes_before_its_days_are_over_and_none_without_the_setting(
    database: Database,
) -> None:
    save(database, 1)
    sweep(database, DAYS)
    age(database, DAYS - 1)
    assert sweep(database, DAYS).runs == 0
    age(database, 400)
    assert sweep(database, 0) == Swept(0, 0, 0)
    assert left(database) == {name(1)}
    assert sweep(database, DAYS).runs == 1
