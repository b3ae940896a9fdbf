"""A worker in a process of its own, whose works are as long as a test wants them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from services.settings import ROOT

# Longer than a worker that is told to end takes to leave.
SILENT_S = 6.0
# Kinds: `wait` until it is stopped, `pieces` letting others go first between two, `die` with
# whoever is at it, `ok` at once.
_PROGRAM = """
import os, sys, threading
from services.core.text import Text
from services.jobs.queue import JobQueue
from services.jobs.runner import CancelledError, Ended, JobRunner
from services.jobs.steps import Step
from services.jobs.worker import Scheduled, Worker
from services.store.database import Database
from services.store.jobs import Jobs

database = Database(":memory:", records_url=sys.argv[1])
jobs = Jobs(database)
runner = JobRunner(jobs)

def work(watch, kind):
    watch.step(Step(kind="begun", title=Text.of(str(os.getpid()))))
    if kind == "die":
        os.kill(os.getpid(), 9)
    while kind != "ok":
        if watch.cancelled():
            raise CancelledError("cancelled")
        if kind == "pieces":
            runner.give_way()
        threading.Event().wait(0.02)
    return Ended(status="ok", document='"there"')

def do(ticket, turn):
    kind = jobs.load(ticket.job_id).kind
    return runner.perform(ticket.job_id, lambda watch: work(watch, kind), turn)

def fail(ticket, why):
    runner.fail(ticket.job_id, why)

def tick():
    print("tick", flush=True)

ticking = [Scheduled("tick", "* * * * * */1", tick)]
worker = Worker(
    database, runner.queue, do, fail, silent_s=float(sys.argv[2]), scheduled=ticking
)
worker.run(lambda: print("ready", flush=True))
"""


@contextmanager
def working(url: str, **environ: str) -> Iterator["subprocess.Popen[str]"]:
    """One that has begun; killed at the end."""
    with subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, url, str(SILENT_S)],
        cwd=ROOT,
        env={**os.environ, **environ},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == "ready"
            yield process
        finally:
            process.kill()
