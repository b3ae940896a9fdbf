"""Long work beside the pages: started once, told step by step, stopped on wish, found again.

Every step is in the store as it happens, so a refresh, another tab and a restart show the same. A
job without an end that does not run in this process, and waits in no queue, was interrupted, and is
told so.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from time import perf_counter
from typing import Any, Literal
from weakref import WeakValueDictionary

from pydantic import JsonValue
from pydantic_core import to_json
from sqlalchemy import Connection

from services.core.errors import YoujuError
from services.core.identity import Identity, acting, acting_as, require_writer
from services.core.rates import RATES
from services.core.record import Record
from services.core.sight import seen
from services.core.text import Text
from services.jobs.queue import JobQueue, UnderWay
from services.jobs.slots import FairSlots
from services.jobs.steps import Step, StepWatcher
from services.store.jobs import Jobs, StoredJob

_LOG = logging.getLogger("youju.jobs")
_AT_ONCE = 4
JobStatus = Literal["running", "ok", "failed", "refused", "cancelled", "interrupted"]
_FAULT = Text("程序故障，已记入日志", "A fault; it is in the log")
_NOBODY_WORKS = Text(
    "没有工作进程在运行：请管理员启动 python -m services worker",
    "No worker is running: an admin has to start `python -m services worker`",
)


class CancelledError(YoujuError):
    """The reader stopped the work; nothing of it is a result."""


class GaveWayError(YoujuError):
    """Work of others goes first; what is left of it is done later, by whichever worker is free."""


class Ended(Record):
    """How work ended: `document` is its result as JSON, `run_id` where its claims are kept."""

    status: Literal["ok", "refused"]
    document: str
    run_id: str | None = None


class JobState(Record):
    """A job with its steps so far. `problem` says in words why it failed.

    `seconds` is how long it has been running, or ran; null when it was interrupted. `stopping`:
    it was asked to stop and has not yet. One that runs has a problem where nobody can take it.
    """

    job: StoredJob
    status: JobStatus
    steps: tuple[Step, ...]
    problem: Text | None = None
    seconds: float | None = None
    stopping: bool = False

    @property
    def running(self) -> bool:
        """Whether more steps may come."""
        return self.status == "running"


Work = Callable[[StepWatcher], Ended]


@dataclass(frozen=True, slots=True)
class JobTurn:
    """A worker's turn at a job of the queue: `stop` says that somebody asked it to stop, `leave`
    that the worker ends, `give_way` that others are to go first (or have it already).
    """

    stop: Callable[[], bool]
    leave: Callable[[], bool]
    give_way: Callable[[], bool]


@dataclass(slots=True, weakref_slot=True)
class _Live:
    """What this process knows of a job that runs in it; also the Watch its work talks to."""

    job_id: str
    who: Identity
    # Whose turn its work takes: the person's, without a sign-in the session's.
    owner: str
    kind: str
    jobs: Jobs
    turn: JobTurn | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    count: int = 0
    began: float = field(default_factory=perf_counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def step(self, step: Step) -> None:
        """Keep it in the store, in order."""
        with self.lock:
            self.count += 1
            self.jobs.append(self.job_id, self.count, step.model_dump_json(exclude_none=True))

    def cancelled(self) -> bool:
        """Whether the reader asked to stop, or its worker ends."""
        return self.stop.is_set() or self.left() or (self.turn is not None and self.turn.stop())

    def left(self) -> bool:
        """Whether its worker ends, so that another has to go on."""
        return self.turn is not None and self.turn.leave()


# Snapshot and live mode have a runner each on one store: what runs in either runs for both.
_everywhere: WeakValueDictionary[str, _Live] = WeakValueDictionary()


class JobRunner:
    """Runs jobs in threads of this process, or has a worker run them. Safe to share between
    sessions.

    The threads end with the process: a server that is stopped does not wait for a model.
    """

    def __init__(self, jobs: Jobs, mode: str = "snapshot") -> None:
        """`jobs` keeps what happens. Where other processes keep theirs too, a queue is between
        them, and what is put into it is done by services of that `mode`.
        """
        self._jobs = jobs
        self._queue = JobQueue(jobs.database, mode) if jobs.database.shared else None
        self._live: dict[str, _Live] = {}
        self._lock = threading.Lock()
        self._slots = FairSlots(_AT_ONCE)
        self._mine = threading.local()
        self._threads: list[threading.Thread] = []

    @property
    def queue(self) -> JobQueue | None:
        """What workers take from; None where this process does the work itself."""
        return self._queue

    def start(
        self,
        kind: str,
        session_id: str,
        work: Work,
        *,
        subject: str,
        title: str,
        arguments: dict[str, JsonValue],
    ) -> str:
        """Begin; the id to ask `state` with. The same work of the same person that is running
        already is joined instead of begun again, whichever session began it: a double click is
        harmless, and so is a click in a tab that was loaded anew.

        Raises: NotAllowedError for a reader.
        """
        me = require_writer()
        told: dict[str, Any] = {"subject": subject, "title": title, "arguments": arguments}
        if self._queue is not None:
            RATES.count("analyses")
            return self._put(self._queue, kind, session_id, told)
        with self._lock:
            for job_id in [live.job_id for live in self._live.values() if live.who == me]:
                job = self._jobs.load(job_id)
                same = (job.kind, job.subject, job.arguments)
                if same == (kind, subject, arguments):
                    return job_id
            RATES.count("analyses")
            job_id = self._jobs.start(kind, session_id, **told)
            owner = session_id if me.local else me.owner
            live = _Live(job_id, me, owner, kind, self._jobs)
            self._live[job_id] = _everywhere[job_id] = live
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            thread = threading.Thread(
                target=self._run, args=(live, work), name=f"job-{job_id}", daemon=True
            )
            self._threads.append(thread)
        thread.start()
        return job_id

    def state(self, job_id: str) -> JobState:
        """How far it is. Raises: InputError for an unknown id."""
        live = _everywhere.get(job_id)
        job = self._jobs.load(job_id)
        steps = tuple(
            Step.model_validate_json(event.document) for event in self._jobs.events(job_id)
        )
        if job.status is None:
            if live is None:
                return self._find_elsewhere(job, steps)
            return JobState(
                job=job,
                status="running",
                steps=steps,
                seconds=perf_counter() - live.began,
                stopping=live.cancelled(),
            )
        ended_well = job.status in {"ok", "refused"}
        told = None if ended_well else self._jobs.result(job_id)
        problem = None if told is None else Text.read(told)
        took = (job.finished_at - job.started_at).total_seconds() if job.finished_at else None
        status = _status(job.status)
        return JobState(job=job, status=status, steps=steps, problem=problem, seconds=took)

    def perform(self, job_id: str, work: Work, turn: JobTurn) -> bool:
        """Do a job of the queue here and now, in the name of whoever is acting; whether it has to
        be gone on with. One that has ended is left as it is.

        Raises: InputError for a job that is not theirs.
        """
        job = self._jobs.load(job_id)
        if job.status is not None:
            return False
        told = len(self._jobs.events(job_id))
        live = _Live(job_id, acting(), "", job.kind, self._jobs, turn=turn, count=told)
        self._live[job_id] = _everywhere[job_id] = live
        self._mine.live = live
        try:
            return not self._keep_end(live, lambda: work(live))
        finally:
            self._mine.live = None

    def fail(self, job_id: str, why: Text) -> None:
        """A job of the queue that nobody can do has ended, and why."""
        if self._jobs.load(job_id).status is None:
            self._jobs.finish(job_id, "failed", str(why))

    def _put(self, queue: JobQueue, kind: str, session_id: str, told: dict[str, Any]) -> str:
        """The id of the job that does it: a new one, or the same of the same person, in the queue
        or with a worker.
        """
        asked = [acting().owner, kind, told["subject"], told["arguments"]]
        request = sha256(to_json(asked)).hexdigest()

        def place(connection: Connection, job_id: str) -> str:
            return queue.put(connection, request, job_id, session_id)

        return self._jobs.start(kind, session_id, **told, place=place)

    def _find_elsewhere(self, job: StoredJob, steps: tuple[Step, ...]) -> JobState:
        """A job that does not run here and has no end: a worker is at it or will be, or none."""
        queued = None if self._queue is None else self._queue.find(job.job_id)
        if self._queue is None or queued is None:
            # Between the two looks it may have ended.
            if self._jobs.load(job.job_id).status is not None:
                return self.state(job.job_id)
            return JobState(job=job, status="interrupted", steps=steps)
        waits = not queued.taken and not self._queue.workers()
        return JobState(
            job=job,
            status="running",
            steps=steps,
            problem=_NOBODY_WORKS if waits else None,
            seconds=max(0.0, (queued.at - job.started_at).total_seconds()),
            stopping=queued.stop,
        )

    def result(self, job_id: str) -> str | None:
        """The document of a job that ended well or was refused; None for any other."""
        job = self._jobs.load(job_id)
        return self._jobs.result(job_id) if job.status in {"ok", "refused"} else None

    def list(
        self,
        *,
        kinds: tuple[str, ...] = (),
        subject: str | None = None,
        limit: int = 50,
        hidden: bool = False,
    ) -> tuple[StoredJob, ...]:
        """The newest jobs, newest first; those of other sessions too, and shared ones. `hidden`:
        those that were taken out of the lists in place of the others.
        """
        return self._jobs.list(kinds=kinds, subject=subject, limit=limit, hidden=hidden)

    def hide(self, job_ids: Sequence[str]) -> None:
        """Take them out of the lists; they can still be read by id. Raises: InputError."""
        self._jobs.hide(job_ids)

    def restore(self, job_ids: Sequence[str]) -> None:
        """Put them back into the lists."""
        self._jobs.restore(job_ids)

    def of_run(self, run_id: str) -> StoredJob | None:
        """The job that ended with that run; None when there is none."""
        return self._jobs.of_run(run_id)

    def cancel(self, job_id: str) -> None:
        """Ask one's own to stop; one that has ended stays as it ended. Raises: InputError,
        NotAllowedError for a reader.
        """
        self._jobs.require_own(job_id)
        live = _everywhere.get(job_id)
        if live is not None:
            live.stop.set()
        elif self._queue is not None and self._queue.stop(job_id):
            self._jobs.finish(job_id, "cancelled", "")

    def give_way(self) -> None:
        """Let work of others have the turn, and wait for the next: called by long work, in its own
        thread, between two pieces of it. Raises: CancelledError, GaveWayError.
        """
        live: _Live | None = getattr(self._mine, "live", None)
        if live is None:
            return
        if live.turn is not None:
            if live.turn.give_way():
                raise GaveWayError("others go first")
            return
        self._let_go()
        self._wait(live)
        self._mine.live = live

    def under_way(self) -> UnderWay:
        """How many jobs run and wait now, of everybody: in the queue, or in this process."""
        if self._queue is not None:
            return self._queue.under_way()
        running = self._slots.held()
        return UnderWay(running, max(0, len(_everywhere) - running), None)

    def close(self) -> None:
        """Ask everything to stop and wait for it."""
        with self._lock:
            for live in self._live.values():
                live.stop.set()
            threads = self._threads
        for thread in threads:
            thread.join()

    def _do_work(self, live: _Live, work: Work) -> Ended:
        """The work done, once its turn has come. Raises: CancelledError, and as the work does."""
        self._wait(live)
        self._mine.live = live
        try:
            return work(live)
        finally:
            self._let_go()

    def _let_go(self) -> None:
        """Give back the slot this thread's work holds, if it holds one."""
        live: _Live | None = getattr(self._mine, "live", None)
        self._mine.live = None
        if live is not None:
            self._slots.give(live.owner)

    def _wait(self, live: _Live) -> None:
        if not self._slots.take(live.owner, live.cancelled):
            raise CancelledError("cancelled")

    def _run(self, live: _Live, work: Work) -> None:
        with acting_as(live.who):
            self._keep_end(live, lambda: self._do_work(live, work))

    def _keep_end(self, live: _Live, do: Callable[[], Ended]) -> bool:
        """Do it and keep how it ended; False when it did not end, and has to be gone on with."""
        try:
            with seen("job", live.kind):
                ended = do()
            self._jobs.finish(live.job_id, ended.status, ended.document, ended.run_id)
        except GaveWayError:
            return False
        except CancelledError:
            if live.left():
                return False
            self._jobs.finish(live.job_id, "cancelled", "")
        except YoujuError as error:
            self._jobs.finish(live.job_id, "failed", str(error))
        except Exception:  # noqa: BLE001 — the end of a thread: reported, and the job must not seem to run on
            _LOG.exception("job %s", live.job_id)
            self._jobs.finish(live.job_id, "failed", str(_FAULT))
        finally:
            with self._lock:
                self._live.pop(live.job_id, None)
                _everywhere.pop(live.job_id, None)
        return True


def _status(stored: str) -> JobStatus:
    known: dict[str, JobStatus] = {"ok": "ok", "refused": "refused", "cancelled": "cancelled"}
    return known.get(stored, "failed")
