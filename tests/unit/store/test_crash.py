"""kill -9 of a real process in the middle of its writes, again and again on the same file."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from services.core.errors import StoreError
from services.store.database import Database
from services.store.runs import Runs
from tests.unit.store.samples import run_of
from tests.unit.store.writer import ENOUGH, ROWS

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[3]
ROUNDS = ("run", "pair", "free", "free")


@contextmanager
def _writer(path: Path, first: int, hold: str) -> Iterator[tuple["subprocess.Popen[str]", IO[str]]]:
    command = [sys.executable, "-m", "tests.unit.store.writer", str(path), str(first), hold]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout
        finally:
            process.kill()


def _kill(path: Path, first: int, hold: str) -> set[str]:
    """Kill the writer while it holds, or in full run; every commit it had printed by then."""
    commits: set[str] = set()
    with _writer(path, first, hold) as (process, said):
        for line in said:
            if line == "holding\n":
                process.kill()
            elif line.endswith("\n"):
                commits.add(line.strip())
            if hold == "free" and len(commits) > 2 * ENOUGH:
                process.kill()
    return commits


def _numbers(commits: set[str], kind: str) -> set[int]:
    return {int(line.split()[1]) for line in commits if line.split()[0] == kind}


def _check_runs(database: Database, acknowledged: set[int]) -> None:
    runs = Runs(database)
    with database.cursor() as cursor:
        stored = {
            int(str(row[0]).removeprefix("run_"), 16)
            for row in cursor.execute("select run_id from runs").fetchall()
        }
        parts = cursor.execute(
            "select (select sum(claim_count) from runs) = (select count(*) from claim_index), "
            "(select count(*) from claim_index anti join runs using (run_id)), "
            "(select count(*) from run_calls anti join runs using (run_id)), "
            "(select count(*) from tool_calls anti join run_calls using (tool_call_id))"
        ).fetchone()
    assert acknowledged <= stored
    assert parts == (True, 0, 0, 0)
    for number in stored:
        made = run_of(number)
        assert runs.load(made.run.run_id) == made


def _check_pairs(database: Database, acknowledged: set[int]) -> None:
    with database.cursor() as cursor:
        left = cursor.execute("select number, count(*) from market.left_rows group by all")
        sides = [dict(left.fetchall())]
        right = cursor.execute("select number, count(*) from market.right_rows group by all")
        sides.append(dict(right.fetchall()))
    assert sides[0] == sides[1]
    assert acknowledged <= sides[0].keys()
    assert set(sides[0].values()) <= {ROWS}


def test_every_acknowledged_commit_survives_a_kill_and_no_part_of_another_is_there(
    tmp_path: Path,
) -> None:
    path = tmp_path / "killed.duckdb"
    acknowledged: set[str] = set()
    for round_, hold in enumerate(ROUNDS):
        commits = _kill(path, round_ * 100_000, hold)
        assert len(commits) > ENOUGH
        acknowledged |= commits
        database = Database(str(path))
        _check_runs(database, _numbers(acknowledged, "run"))
        _check_pairs(database, _numbers(acknowledged, "pair"))
        database.close()


def test_a_second_process_is_refused_and_told_who_holds_the_store(tmp_path: Path) -> None:
    path = tmp_path / "held.duckdb"
    with _writer(path, 0, "free") as (process, said):
        said.readline()
        with pytest.raises(StoreError, match=f"PID {process.pid}") as caught:
            Database(str(path))
    assert "YOUJU_STORE" in str(caught.value)
    Database(str(path)).close()
