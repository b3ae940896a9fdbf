"""A process that takes jobs from the queue and does them, until it is told to end.

Its heart beats in the database. Whatever a worker that has gone silent was at is put back for the
others, three times at most: work that kills whoever does it ends as failed.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from services.core.errors import StoreError
from services.core.identity import acting_as
from services.core.text import Text
from services.jobs.queue import MOST_DEATHS, SILENT_S, TASK, JobQueue, Ticket, make_app
from services.jobs.runner import Turn
from services.store.database import Database

_LOG = logging.getLogger("youju.jobs")
_AT_ONCE = 4
# So long work may go on after the worker was told to end, before it is left to another.
_LEAVE_S = 5.0
DIED = Text(
    f"执行它的工作进程连续 {MOST_DEATHS} 次异常结束",
    f"{MOST_DEATHS} workers that were at it ended by themselves",
)

# Does a ticket in its turn, in the name of whoever is acting; whether it has to be gone on with.
Do = Callable[[Ticket, Turn], bool]
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

    def run(self, begun: Callable[[], None] = lambda: None) -> None:
        """Work until the process is asked to end (SIGTERM, Ctrl+C); `begun` is told at the start.

        Raises: StoreError when the database cannot be reached.
        """
        from procrastinate.exceptions import ConnectorException

        try:
            asyncio.run(self._run(begun))
        except ConnectorException as error:
            raise StoreError(Text("任务队列连不上", "the queue of jobs is out of reach")) from error

    async def _run(self, begun: Callable[[], None]) -> None:
        from procrastinate import PsycopgConnector

        where = self._database.engine.url.set(drivername="postgresql")
        connector = PsycopgConnector(conninfo=where.render_as_string(hide_password=False))
        app = make_app(connector)
        app.task(name=TASK, pass_context=True)(self._take)
        for one in self._scheduled:
            # One worker at it, one waiting at most.
            task = app.task(name=one.name, lock=one.name, queueing_lock=one.name)(_timed(one.do))
            app.periodic(cron=one.cron)(task)
        async with app.open_async():
            rescuing = asyncio.create_task(self._rescue_forever())
            begun()
            try:
                await app.run_worker_async(
                    concurrency=_AT_ONCE,
                    delete_jobs="always",
                    update_heartbeat_interval=self._silent_s / 3,
                    stalled_worker_timeout=self._silent_s,
                    shutdown_graceful_timeout=_LEAVE_S,
                )
            finally:
                rescuing.cancel()

    def _take(self, context: Any, **told: Any) -> None:
        """One ticket, in a thread of its own."""
        from procrastinate.job_context import AbortReason

        ticket = Ticket.model_validate(told)

        def is_mine() -> bool:
            return self._queue.has_taken(context.job.id)

        turn = Turn(
            stop=lambda: context.abort_reason() is AbortReason.USER_REQUEST,
            leave=lambda: context.abort_reason() is AbortReason.SHUTDOWN,
            give_way=lambda: not is_mine() or self._queue.others_wait(ticket.owner),
        )
        with acting_as(ticket.who):
            goes_on = self._do(ticket, turn)
        if goes_on and is_mine():
            self._queue.put_last(ticket)

    async def _rescue_forever(self) -> None:
        while True:
            await asyncio.sleep(self._silent_s / 3)
            try:
                for ticket in await asyncio.to_thread(self._queue.put_back, self._silent_s):
                    with acting_as(ticket.who):
                        self._fail(ticket, DIED)
            except Exception:  # noqa: BLE001 — the records are away for a while: the next look may reach them
                _LOG.exception("looking for what other workers left")


def _timed(do: Callable[[], None]) -> Callable[[int], None]:
    """It as the schedule calls it: with the time it was for."""

    def done(timestamp: int) -> None:
        do()

    return done
