"""Syncs beside the pages: one a market at a time, and none that seems to run for ever."""

import threading
from collections.abc import Callable
from typing import Any

from services.market.sync_jobs import SyncJob, SyncJobs
from services.market.sync_plan import Synced, SyncProgress

_WAIT = 5.0


class _Slow:
    """A sync that waits in the middle until it is let go, or breaks."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.half, self.go = threading.Event(), threading.Event()
        self.runs, self._fault = 0, fault

    def run(self, market: Any, kinds: Any, on_progress: Callable[[SyncProgress], None]) -> Synced:
        self.runs += 1
        on_progress(SyncProgress("universe", 1, 2, market))
        self.half.set()
        assert self.go.wait(_WAIT)
        if self._fault:
            raise self._fault
        return Synced(market, pulled={"universe": 1})


def _ended(jobs: SyncJobs) -> SyncJob:
    for thread in threading.enumerate():
        if thread.name == "sync-CN":
            thread.join(_WAIT)
    found = jobs.of("CN")
    assert found is not None
    return found


def test_a_second_start_joins_the_job_that_runs() -> None:
    sync: Any = _Slow()
    jobs = SyncJobs(sync)
    assert jobs.of("CN") is None
    jobs.start("CN", ("universe",))
    assert sync.half.wait(_WAIT)
    joined = jobs.start("CN", ("universe",))
    assert (joined.running, joined.progress) == (True, SyncProgress("universe", 1, 2, "CN"))
    sync.go.set()
    done = _ended(jobs)
    assert (done.running, sync.runs) == (False, 1)
    assert done.done is not None
    assert done.done.pulled == {"universe": 1}
    assert jobs.start("CN", ("universe",)).running
    _ended(jobs)
    assert sync.runs == 2


def test_a_job_that_breaks_ends_and_says_so() -> None:
    sync: Any = _Slow(RuntimeError("planted"))
    jobs = SyncJobs(sync)
    sync.go.set()
    jobs.start("CN", ("universe",))
    found = _ended(jobs)
    assert (found.running, found.broken, found.done) == (False, True, None)
