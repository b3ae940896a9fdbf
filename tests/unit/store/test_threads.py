"""Sixteen threads at once on one store: no wrong row, no lost write, no error."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from services.store.database import Database
from services.store.runs import Runs
from services.store.screens import Screens
from services.store.sessions import Sessions
from tests.unit.store.samples import run_of

pytestmark = pytest.mark.thorough

THREADS = 16
ROUNDS = 12


def _work(database: Database, start: Barrier, thread: int) -> int:
    """Write one's own, read everyone's; the count of checks made."""
    runs, screens = Runs(database), Screens(database)
    session_id = f"s_{thread}"
    start.wait()
    for step in range(ROUNDS):
        mine = run_of(thread * 1000 + step, session_id=session_id)
        runs.save(mine.run, mine.calls, mine.claims)
        with database.transaction() as cursor:
            cursor.execute("insert into market.ticks values (?, ?)", [thread, step])
            cursor.execute("update market.total set ticks = ticks + 1")
        screens.save("共用", {"thread": thread, "twice": thread * 2})
        shared = screens.load("共用").arguments
        assert shared["twice"] == 2 * int(str(shared["thread"]))
        back = step * (thread + 1) % (step + 1)
        assert runs.load(f"run_{thread * 1000 + back:012x}") == run_of(
            thread * 1000 + back, session_id=session_id
        )
        assert runs.load(mine.run.run_id).claims == mine.claims
        with database.cursor() as cursor:
            sql = "select ?, (select count(*) from market.ticks where thread = ?)"
            assert cursor.execute(sql, [f"{thread}/{step}", thread]).fetchall() == [
                (f"{thread}/{step}", step + 1)
            ]
            row = cursor.execute(
                "select count(*), (select ticks from market.total) from market.ticks"
            )
            assert len(set(row.fetchall()[0])) == 1
        assert [run.run_id for run in runs.runs(session_id, limit=1)] == [mine.run.run_id]
        Sessions(database).start(session_id)
    return ROUNDS


def test_sixteen_threads_of_mixed_reads_and_writes_give_no_wrong_row(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "threads.duckdb"))
    with database.transaction() as cursor:
        cursor.execute("create schema market")
        cursor.execute("create table market.ticks (thread integer, step integer)")
        cursor.execute("create table market.total as select 0 as ticks")
    start = Barrier(THREADS)
    with ThreadPoolExecutor(THREADS) as pool:
        done = list(pool.map(lambda thread: _work(database, start, thread), range(THREADS)))
    assert sum(done) == THREADS * ROUNDS
    with database.cursor() as cursor:
        total = cursor.execute("select ticks from market.total").fetchone()
        pairs = cursor.execute("select count(distinct (thread, step)) from market.ticks").fetchone()
    assert total == pairs == (THREADS * ROUNDS,)
    assert len(Sessions(database).list()) == THREADS
    database.close()


def test_two_stores_of_one_file_in_one_process_share_the_write_lock(tmp_path: Path) -> None:
    path = str(tmp_path / "shared.duckdb")
    first, second = Database(path), Database(path)
    with first.transaction() as cursor:
        cursor.execute("create table counter as select 0 as n")

    def add(database: Database) -> None:
        for _ in range(40):
            with database.transaction() as cursor:
                cursor.execute("update counter set n = n + 1")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, (first, second, first, second)))
    with second.cursor() as cursor:
        assert cursor.execute("select n from counter").fetchone() == (160,)
    second.close()
    first.close()
