"""A process that takes jobs from the queue and does them, until it is told to end.

Its heart beats in the database. Whatever a worker that has gone silent was at is put back for the
others, three times at most: work that kills whoever does it ends as failed.
"""

import asyncio
import logging
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from services.core.errors import StoreAwayError
from services.core.identity import acting_as
from services.core.text import Text
from services.jobs.queue import MOST_DEATHS, SILENT_S, TASK, JobQueue, Ticket, make_app
from services.jobs.runner import JobTurn
from services.store.database import Database
from services.system_clock import SystemClock

_LOG = logging.getLogger("youju.jobs")
_AT_ONCE = 4
# So long work may go on after the worker was told to end, before it is left to another.
_LEAVE_S = 5.0
# How long it waits before it looks whether a database that went away is back.
_AGAIN_S = 3.0
# How often it looks at the database's clock at least, and how long after an instant it has come.
_LOOK_S, _AFTER_S = 30.0, 0.1
# A clock that is so far from the database's is wrong; one that goes so far at once has leapt.
_APART_S = 300.0
# Procrastinate's own pruning of workers at a start.
_FORGOTTEN_S = 30 * 86_400.0
_CLOCK = SystemClock()
DIED = Text(
    f"执行它的工作进程连续 {MOST_DEATHS} 次异常结束",
    f"{MOST_DEATHS} workers that were at it ended by themselves",
)

# Does a ticket in its turn, in the name of whoever is acting; whether it has to be gone on with.
Do = Callable[[Ticket, JobTurn], bool]
# Ends a ticket's job as failed.
Fail = Callable[[Ticket, Text], None]


class Scheduled(NamedTuple):
    """What one of all workers does again and again: when, as cron says it."""

    name: str
    cron: str
    do: Callable[[], None]


class Worker:
    """Takes jobs, four at a time. One a process."""

    def __init__(
        self,
        database: Database,
        queue: JobQueue,
        do: Do,
        fail: Fail,
        *,
        silent_s: float = SILENT_S,
        scheduled: Sequence[Scheduled] = (),
    ) -> None:
        """`do` does the work. A worker that said nothing for `silent_s` seconds is gone."""
        self._database = database
        self._queue = queue
        self._do = do
        self._fail = fail
        self._silent_s = silent_s
        self._scheduled = scheduled
        self._told = threading.Event()

    def run(self, begun: Callable[[], None] = lambda: None) -> None:
        """Work until the process is asked to end (SIGTERM, Ctrl+C); `begun` is told at the start.
        A database that goes away later is waited for.

        Raises: StoreAwayError when the database cannot be reached at the start.
        """
        from procrastinate.exceptions import ConnectorException

        try:
            asyncio.run(self._run(begun))
        except ConnectorException as error:
            raise StoreAwayError(
                Text("任务队列连不上", "the queue of jobs is out of reach")
            ) from error

    async def _run(self, begun: Callable[[], None]) -> None:
        from procrastinate.exceptions import ConnectorException

        # Not procrastinate's own: it ends in the same way when its listener loses the database.
        told = asyncio.Event()
        for asked in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(asked, self._end, told)
        has_begun = False

        def first() -> None:
            nonlocal has_begun
            if not has_begun:
                has_begun = True
                begun()

        while not told.is_set():
            try:
                await self._take_jobs(first, told)
            except ConnectorException:
                if not has_begun:
                    raise
            if not told.is_set():
                # What it was at is put back once it was silent long enough: by itself, if need be.
                _LOG.warning("the queue of jobs is out of reach: tried again in %s s", _AGAIN_S)
                with suppress(TimeoutError):
                    await asyncio.wait_for(told.wait(), _AGAIN_S)

    def _end(self, told: asyncio.Event) -> None:
        self._told.set()
        told.set()

    async def _take_jobs(self, begun: Callable[[], None], told: asyncio.Event) -> None:
        """Until it is told to end, or the database goes away."""
        from procrastinate import PsycopgConnector
        from procrastinate.periodic import PeriodicRegistry

        registry: Any = PeriodicRegistry()
        where = self._database.engine.url.set(drivername="postgresql")
        connector = PsycopgConnector(conninfo=where.render_as_string(hide_password=False))
        app = make_app(connector)
        app.task(name=TASK, pass_context=True)(self._take)
        for one in self._scheduled:
            # One worker at it, one waiting at most.
            task = app.task(name=one.name, lock=one.name, queueing_lock=one.name)(self._timed(one))
            registry.register_task(task, one.cron, periodic_id="", configure_kwargs={})
        async with app.open_async():
            beside = [asyncio.create_task(self._rescue_forever())]
            if self._scheduled:
                beside.append(asyncio.create_task(self._schedule_forever(registry)))
            ending = asyncio.create_task(told.wait())
            working = asyncio.create_task(
                app.run_worker_async(
                    concurrency=_AT_ONCE,
                    delete_jobs="always",
                    update_heartbeat_interval=self._silent_s / 3,
                    # Whoever is silent is found by `put_back`: this is by the database's clock.
                    stalled_worker_timeout=_FORGOTTEN_S,
                    shutdown_graceful_timeout=_LEAVE_S,
                    install_signal_handlers=False,
                )
            )
            begun()
            try:
                await asyncio.wait({working, ending, *beside}, return_when=asyncio.FIRST_COMPLETED)
                working.cancel()
                with suppress(asyncio.CancelledError):
                    await working
            finally:
                for one in (*beside, ending):
                    one.cancel()

    def _take(self, context: Any, **told: Any) -> None:
        """One ticket, in a thread of its own."""
        from procrastinate.job_context import AbortReason

        ticket = Ticket.model_validate(told)

        def is_mine() -> bool:
            return self._queue.has_taken(context.job.id)

        turn = JobTurn(
            stop=lambda: context.abort_reason() is AbortReason.USER_REQUEST,
            leave=lambda: context.abort_reason() is AbortReason.SHUTDOWN,
            give_way=lambda: not is_mine() or self._queue.others_wait(ticket.owner),
        )
        with acting_as(ticket.who):
            try:
                if self._do(ticket, turn) and is_mine():
                    self._queue.put_last(ticket)
            except StoreAwayError:
                # It did not end: its ticket would be torn up, and nobody go on with it.
                _LOG.warning("%s waits for its records", ticket.job_id)
                if self._await_records():
                    self._queue.put_again(ticket, context.job.id)

    def _await_records(self) -> bool:
        """Wait until the database answers again; False when the worker is told to end before, so
        that another one takes over once this is missed.
        """
        while not self._told.wait(_AGAIN_S):
            with suppress(StoreAwayError):
                self._queue.now()
                return True
        return False

    async def _rescue_forever(self) -> None:
        while True:
            await asyncio.sleep(self._silent_s / 3)
            try:
                for ticket in await asyncio.to_thread(self._queue.put_back, self._silent_s):
                    with acting_as(ticket.who):
                        self._fail(ticket, DIED)
            except StoreAwayError:
                return  # all begins anew: what ended meanwhile could not be noted as ended
            except Exception:  # noqa: BLE001 — one of its look-ups failed: the next may not
                _LOG.exception("looking for what other workers left")

    async def _schedule_forever(self, registry: Any) -> None:
        """Put into the queue what is due, when the database's clock says so: not this machine's,
        which may leap, and would have the others believe that its hours are done.
        """
        from procrastinate.exceptions import ConnectorException
        from procrastinate.periodic import PeriodicDeferrer

        deferrer: Any = PeriodicDeferrer(registry)
        before = 0.0
        while True:
            wait_s = _AGAIN_S
            try:
                at = (await asyncio.to_thread(self._queue.now)).timestamp()
                if abs(at - before) > _APART_S:
                    # It neither makes up for hours that never were nor waits for them again.
                    deferrer = PeriodicDeferrer(registry)
                await deferrer.defer_jobs(deferrer.get_previous_tasks(at))
                wait_s, before = deferrer.get_next_tick(at) + _AFTER_S, at
            except (StoreAwayError, ConnectorException):
                return
            except Exception:  # noqa: BLE001 — one of its look-ups failed: the next may not
                _LOG.exception("looking what is due by schedule")
            await asyncio.sleep(min(wait_s, _LOOK_S))

    def _timed(self, one: Scheduled) -> Callable[[int], None]:
        """It as the schedule calls it, with the time it was for. Nothing is done by a machine whose
        clock is not the database's: it would find alerts and write reports of another day.
        """

        def done(timestamp: int) -> None:
            apart_s = (_CLOCK.now() - self._queue.now()).total_seconds()
            if abs(apart_s) > _APART_S:
                _LOG.error("%s is left out: this clock is %.0f s off", one.name, apart_s)
                return
            one.do()

        return done
