"""Syncs that run beside the pages: one a market at a time, and how far each has come.

What a job pulled is in the copy after every task, so one that dies with the process loses nothing:
started again it goes on.
"""

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from services.core.symbols import Market
from services.market.sync import Sync
from services.market.sync_plan import Kind, Synced, SyncProgress

_LOG = logging.getLogger("youju.sync")


@dataclass(frozen=True, slots=True)
class SyncJob:
    """One run of a sync. `done` when it ended; `broken` when it ended by a fault of ours."""

    market: Market
    running: bool = True
    progress: SyncProgress | None = None
    done: Synced | None = None
    broken: bool = False


class SyncJobs:
    """Starts syncs and remembers the last of each market. Safe to share between sessions."""

    def __init__(self, sync: Sync) -> None:
        """`sync` does the work."""
        self._sync = sync
        self._lock = threading.Lock()
        self._jobs: dict[Market, SyncJob] = {}

    def start(self, market: Market, kinds: Sequence[Kind]) -> SyncJob:
        """The job of that market: the one that runs already, or a new one."""
        with self._lock:
            known = self._jobs.get(market)
            if known is not None and known.running:
                return known
            job = self._jobs[market] = SyncJob(market)
        threading.Thread(
            target=self._work, args=(market, kinds), name=f"sync-{market}", daemon=True
        ).start()
        return job

    def of(self, market: Market) -> SyncJob | None:
        """The job of that market that runs, or ran last; None when there was none."""
        with self._lock:
            return self._jobs.get(market)

    def _work(self, market: Market, kinds: Sequence[Kind]) -> None:
        try:
            done = self._sync.run(market, kinds, lambda now: self._change(market, progress=now))
            self._change(market, running=False, done=done)
        except Exception:  # noqa: BLE001 — the end of a thread: reported, and the job must not seem to run on
            _LOG.exception("sync of %s", market)
            self._change(market, running=False, broken=True)

    def _change(self, market: Market, **changes: object) -> None:
        with self._lock:
            self._jobs[market] = replace(self._jobs[market], **changes)
