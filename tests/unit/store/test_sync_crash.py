"""kill -9 of a real sync, inside one transaction after another, and the run that finishes it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.store.database import Database
from tests.fakes.eastmoney_growing import Growing
from tests.fakes.server import World
from tests.unit.market.copied import THURSDAY, dump

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[3]
COMPANIES = 4
# The tables are made; then the list, six report periods (one of them empty), and bars.
TRANSACTIONS = 1 + 1 + 6 + COMPANIES


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    with World(Growing(THURSDAY, a_shares=COMPANIES)) as world:
        yield {
            **os.environ,
            **world.environment(),
            "YOUJU_MODE": "live",
            "YOUJU_CLOCK": THURSDAY.isoformat(),
            "API_PACE": "0",
        }


def sync(path: Path, hold: int, environment: dict[str, str]) -> int:
    """Run it, kill it where it holds; how many transactions it had said were committed."""
    command = [sys.executable, "-m", "tests.unit.store.syncer", str(path), str(hold)]
    commits = 0
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line == "holding\n":
                process.kill()
            else:
                commits += 1
    assert process.returncode == (-9 if hold else 0)
    return commits


def dumped(path: Path) -> dict[str, list[tuple[object, ...]]]:
    database = Database(str(path))
    try:
        return dump(database)
    finally:
        database.close()


def test_a_sync_killed_anywhere_and_run_again_ends_as_an_undisturbed_one(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    whole, killed = tmp_path / "whole.duckdb", tmp_path / "killed.duckdb"
    assert sync(whole, 0, environment) == TRANSACTIONS
    kept = 0
    # Each time one more is under way when it is killed, so that every kind is hit: the list, the
    # reports, the first bars and later ones. Making the tables is a transaction of every start.
    for hold in (1, 2, 2, 4, 3, 4):
        commits = sync(killed, hold, environment)
        assert commits == hold - 1
        kept += max(0, commits - 1)
    assert sync(killed, 0, environment) == TRANSACTIONS - kept
    assert dumped(killed) == dumped(whole)
