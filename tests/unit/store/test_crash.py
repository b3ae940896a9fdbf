"""kill -9 of a real process in the middle of its writes, again and again on the same file."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from services.core.errors import StoreError
from services.store.database import Database
from services.store.runs import Runs
from tests.unit.store.samples import run_of

ROOT = Path(__file__).resolve().parents[3]
ROUNDS = 5
ACKNOWLEDGED = 30


@contextmanager
def _writer(path: Path, first: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.unit.store.writer", str(path), str(first)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _kill_after(path: Path, first: int, commits: int) -> set[str]:
    """Every commit the writer printed before it was killed, some of them while being killed."""
    with _writer(path, first) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(commits)]
        process.kill()
        said += process.stdout.readlines()
    return {line.strip() for line in said if line.endswith("\n")}


def _session_runs(database: Database) -> set[str]:
    with database.cursor() as cursor:
        return {str(row[0]) for row in cursor.execute("select run_id from runs").fetchall()}


def _check(path: Path, acknowledged: set[str]) -> None:
    database = Database(str(path))
    runs = Runs(database)
    stored = _session_runs(database)
    numbers = {int(line.split()[1]) for line in acknowledged if line.startswith("run ")}
    assert {run_of(number).run.run_id for number in numbers} <= stored
    for run_id in stored:
        assert runs.load(run_id) == run_of(int(run_id.removeprefix("run_"), 16))
    pairs = {int(line.split()[1]) for line in acknowledged if line.startswith("pair ")}
    with database.cursor() as cursor:
        sides = [
            dict(
                cursor.execute(
                    f"select number, count(*) from market.{side} group by all"
                ).fetchall()
            )
            for side in ("left_rows", "right_rows")
        ]
        claims = cursor.execute(
            "select sum(claim_count), (select count(*) from claim_index), "
            "(select count(*) from claim_index anti join runs using (run_id)), "
            "(select count(*) from run_calls anti join runs using (run_id)) from runs"
        ).fetchone()
    assert sides[0] == sides[1]
    assert pairs <= sides[0].keys()
    assert set(sides[0].values()) == {500}
    assert claims is not None
    assert claims[0] == claims[1]
    assert claims[2:] == (0, 0)
    database.close()


def test_every_acknowledged_commit_survives_a_kill_and_no_part_of_another_is_there(
    tmp_path: Path,
) -> None:
    path = tmp_path / "killed.duckdb"
    acknowledged: set[str] = set()
    for round_ in range(ROUNDS):
        said = _kill_after(path, round_ * 100_000, ACKNOWLEDGED + 7 * round_)
        assert len(said) >= ACKNOWLEDGED
        acknowledged |= said
        _check(path, acknowledged)


def test_a_second_process_is_refused_and_told_who_holds_the_store(tmp_path: Path) -> None:
    path = tmp_path / "held.duckdb"
    with _writer(path, 0) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(StoreError, match=f"PID {process.pid}") as caught:
            Database(str(path))
    assert "YOUJU_STORE" in str(caught.value)
    Database(str(path)).close()
