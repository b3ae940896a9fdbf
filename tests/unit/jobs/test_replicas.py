"""Jobs of two processes on one PostgreSQL: each is run by one, seen and stopped from both."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from services.jobs.runner import Ended, JobRunner
from services.jobs.steps import Watch
from services.settings import ROOT
from services.store.database import Database
from services.store.jobs import Jobs
from tests.postgres import cluster, programs

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed"),
]
LEASE_S = 4
# A process that begins a job, tells its id, and works until it is stopped.
OTHER = """
import sys
from services.jobs.runner import CancelledError, JobRunner
from services.store.database import Database
from services.store.jobs import Jobs

runner = JobRunner(Jobs(Database(":memory:", records_url=sys.argv[1])), lease_s=int(sys.argv[2]))

def work(watch):
    while not watch.cancelled():
        runner._closed.wait(0.05)
    raise CancelledError("cancelled")

print(runner.start("test", "s", work, subject="x", title="t", arguments={"a": 1}), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def url() -> Iterator[str]:
    with cluster() as server:
        yield server.new_database()


@pytest.fixture
def runner(url: str) -> Iterator[JobRunner]:
    database = Database(":memory:", records_url=url)
    made = JobRunner(Jobs(database), lease_s=LEASE_S)
    yield made
    made.close()
    database.close()


@pytest.fixture
def other(runner: JobRunner, url: str) -> Iterator["subprocess.Popen[str]"]:
    """The other process, started once the tables are there."""
    words = [sys.executable, "-c", OTHER, url, str(LEASE_S)]
    with subprocess.Popen(
        words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def _told(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _until(runner: JobRunner, job: str, status: str) -> None:
    """Wait for it, by the runner's own beat; four leases are enough for anything."""
    for _ in range(LEASE_S * 40):
        if runner.state(job).status == status:
            return
        runner._closed.wait(0.1)
    raise AssertionError(runner.state(job))


def _work(_: Watch) -> Ended:
    return Ended(status="ok", document='"here"')


def _start(runner: JobRunner) -> str:
    return runner.start("test", "s_2", _work, subject="x", title="t", arguments={"a": 1})


def test_what_runs_in_one_process_is_joined_and_stopped_from_the_other(
    runner: JobRunner, other: "subprocess.Popen[str]"
) -> None:
    job = _told(other)
    assert runner.state(job).status == "running"
    assert _start(runner) == job
    # Longer than a lease: it is renewed.
    for _ in range(LEASE_S * 12):
        runner._closed.wait(0.1)
        assert runner.state(job).status == "running"
    runner.cancel(job)
    assert runner.state(job).stopping
    _until(runner, job, "cancelled")


def test_what_a_killed_process_ran_is_interrupted_and_begun_again_once(
    runner: JobRunner, other: "subprocess.Popen[str]"
) -> None:
    job = _told(other)
    assert runner.state(job).status == "running"
    other.kill()
    other.wait(20)
    assert _start(runner) == job
    _until(runner, job, "interrupted")
    again = _start(runner)
    assert again != job
    _until(runner, again, "ok")
    assert runner.result(again) == '"here"'
    assert runner.state(job).status == "interrupted"
