"""The clock of a machine leaps by hours under work: nothing is done twice, lost, or held on to."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from services.jobs.runner import JobRunner
from services.settings import ROOT
from services.store.database import Database
from services.store.jobs import Jobs
from tests import leaping
from tests.leaping import Leap
from tests.postgres import cluster, programs
from tests.unit.jobs.test_replicas import start, until, workers_of
from tests.unit.jobs.workers import working

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not leaping.installed(), reason="libfaketime is not installed"),
]
with_postgres = pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed")
# Ahead, far behind, and back where it was.
LEAPS = ("+6h", "-6h", "+0")
# A workbench on a file: four jobs, a schedule and one person's hour of questions, and each line it
# is sent leaves them as they are told to be. Says what came of them.
ON_A_FILE = """
import sys, threading, time
from services.core.errors import NotAllowedError
from services.core.identity import Identity, HourlyRates, acting_as
from services.core.rates import Rates
from services.core.text import Text
from services.jobs.runner import Ended, JobRunner
from services.jobs.steps import Step
from services.jobs.ticking import begin_ticking
from services.store.database import Database
from services.store.jobs import Jobs

runner, rates, ticked = JobRunner(Jobs(Database(sys.argv[1]))), Rates(), threading.Event()
anna = Identity(name="anna", role="analyst", team="", owner="anna", rates=HourlyRates(asks=1))
done, go = [], threading.Event()

def work(watch, name):
    watch.step(Step(kind="begun", title=Text.of(name)))
    go.wait()
    done.append(name)
    return Ended(status="ok", document='"there"')

def ask():
    with acting_as(anna):
        try:
            rates.count("asks")
        except NotAllowedError:
            return "refused"
        return "asked"

jobs = [
    runner.start("k", "s", lambda watch, n=n: work(watch, n), subject=n, title="t", arguments={})
    for n in "0123"
]
end = begin_ticking(ticked.set, 0.01)
apart = time.time() - time.monotonic()
print(ask(), flush=True)
for line in sys.stdin:
    ticked.clear()
    leapt = round((time.time() - time.monotonic() - apart) / 3600)
    print(ask(), ticked.wait(60), leapt, flush=True)
    if line == "go\\n":
        break
go.set()
while any(runner.state(job).running for job in jobs):
    threading.Event().wait(0.02)
print(sorted(done), {runner.state(job).status for job in jobs}, flush=True)
end()
"""


@contextmanager
def readable() -> Iterator[Path]:
    """A folder that the server's user sees into."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o755)
        yield folder


@with_postgres
def test_a_worker_whose_clock_leaps_keeps_its_work_and_leaves_schedules_out_until_it_is_right() -> (
    None
):
    with readable() as folder, cluster() as server:
        leap, url = Leap(folder), server.new_database()
        replica = JobRunner(Jobs(database := Database(":memory:", records_url=url)))
        with working(url, **leap.environ) as worker:
            assert worker.stdout is not None
            held = start(replica, "wait", "held")
            until(lambda: bool(workers_of(replica, held)))
            for by in LEAPS:
                leap.by(by)
                job = start(replica, "ok", f"at {by}")
                until(lambda job=job: replica.state(job).status == "ok")
                assert len(workers_of(replica, job)) == 1
            # What was printed before the clock leapt, and a tick of now: it goes on at once.
            assert [worker.stdout.readline().strip() for _ in range(30)] == ["tick"] * 30
            assert len(workers_of(replica, held)) == 1
            replica.cancel(held)
            until(lambda: replica.state(held).status == "cancelled")
        database.close()


def test_on_a_file_jobs_schedule_and_rates_go_by_no_clock_that_leaps(tmp_path: Path) -> None:
    leap = Leap(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", ON_A_FILE, str(tmp_path / "youju.duckdb")],
        cwd=ROOT,
        env={**os.environ, **leap.environ},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "asked\n"
        for by, word, hours in zip(LEAPS, ("on", "on", "go"), (6, -6, 0), strict=True):
            leap.by(by)
            process.stdin.write(word + "\n")
            process.stdin.flush()
            assert process.stdout.readline() == f"refused True {hours}\n"
        assert process.stdout.readline() == "['0', '1', '2', '3'] {'ok'}\n"
        process.stdin.close()
        assert process.wait() == 0
