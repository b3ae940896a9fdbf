"""Jobs of several processes: a queue in the PostgreSQL of the records (procrastinate), which any
worker takes from. A file has one process, which knows what it runs: there is no queue there.

What is put here is a ticket alone; what was asked and what came of it is in the records.
"""

from datetime import datetime
from typing import Any, Final, NamedTuple

from pydantic import JsonValue
from sqlalchemy import (
    Connection,
    String,
    column,
    delete,
    func,
    literal_column,
    select,
    table,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from services.core.identity import Identity, acting
from services.core.lazy import Later
from services.core.record import Record
from services.jobs.silence import Silence
from services.store.database import Database

TASK: Final = "job"
# So many jobs of one person run at once, in all workers together.
_LANES = 2
# Work that let others go first is behind everybody who waits.
_LAST = -1_000
# A worker that says nothing for so long is gone, and what it was at is somebody else's.
SILENT_S = 30.0
# Work that so many workers died of is done by no other.
MOST_DEATHS = 3
_JOBS = table(
    "procrastinate_jobs",
    *map(column, ("id", "task_name", "lock", "status", "abort_requested", "worker_id")),
    column("args", JSONB),
)
_WORKERS = table("procrastinate_workers", column("id"), column("last_heartbeat"))
_C = _JOBS.c
# Words of an enumeration: a bound text would not be compared with it.
_TODO, _DOING = literal_column("'todo'", String), literal_column("'doing'", String)
# A beat of the future is one from before the clock was put back.
_LATELY = _WORKERS.c.last_heartbeat.between(
    func.now() - text(f"interval '{SILENT_S:f} seconds'"),
    func.now() + text(f"interval '{SILENT_S:f} seconds'"),
)
_OPEN = (_C.task_name == TASK) & _C.status.in_([_TODO, _DOING])


class Ticket(Record):
    """What a worker takes: a job of the records, in whose name and of which `mode` it is done.

    `request` is what was asked by whom: of two tickets with the same one only the first is kept.
    `deaths` counts the workers that ended while they were at it.
    """

    job_id: str
    request: str
    mode: str
    who: Identity
    owner: str
    deaths: int = 0


class Queued(Record):
    """A ticket that was not torn up yet: whether a worker is at it, and whether it is to stop, by
    the database's clock now.
    """

    number: int
    taken: bool
    stop: bool
    at: datetime


class UnderWay(NamedTuple):
    """How many jobs run, how many wait, and how many workers live; null where there are none, as
    the process does its jobs itself.
    """

    running: int
    waiting: int
    workers: int | None


class JobQueue:
    """The queue, seen by a process that asks. Safe to share between threads."""

    def __init__(self, database: Database, mode: str) -> None:
        """`mode` is that of the services which do what is put here."""
        self._database = database
        self._mode = mode
        self._app = Later(make_app)
        self._silence = Silence()

    def put(self, connection: Connection, request: str, job_id: str, session_id: str) -> str:
        """Have that job done for whoever is acting, in the transaction that keeps it; the id of
        the job that does it: another one where the same was asked and has not ended.
        """
        me = acting()
        owner = session_id if me.local else me.owner
        _be_alone(connection, request)
        same = select(_C.args["job_id"].astext).where(_OPEN, _C.args["request"].astext == request)
        if (running := connection.execute(same.limit(1)).scalar()) is not None:
            return str(running)
        ticket = Ticket(job_id=job_id, request=request, mode=self._mode, who=me, owner=owner)
        lane, before = _find_lane(connection, owner)
        # Whoever has fewest waiting is next, so that nobody stands behind ten of one person's.
        self._defer(connection, ticket, lane, -before)
        return job_id

    def put_last(self, ticket: Ticket) -> None:
        """Have it gone on with once nobody else waits."""
        with self._database.open_writing() as connection:
            lane, _ = _find_lane(connection, ticket.owner)
            self._defer(connection, ticket, lane, _LAST)

    def put_again(self, ticket: Ticket, number: int) -> None:
        """Have it gone on with, whatever became of the ticket of that number while the database was
        away; nothing where another has been made of it.
        """
        other = select(1).where(_OPEN, _C.args["job_id"].astext == ticket.job_id, _C.id != number)
        with self._database.open_writing() as connection:
            _be_alone(connection, ticket.request)
            if connection.execute(other).first() is None:
                lane, _ = _find_lane(connection, ticket.owner)
                self._defer(connection, ticket, lane, _LAST)

    def find(self, job_id: str) -> Queued | None:
        """The ticket of that job; None when it has none, so that nobody will do it."""
        mine = _C.args["job_id"].astext == job_id
        taken = _C.status == _DOING
        query = select(_C.id, taken, _C.abort_requested, func.now()).where(_OPEN, mine)
        with self._database.open_reading() as connection:
            # One that gives way has two for a moment: the newer is the one that will be done.
            row = connection.execute(query.order_by(_C.id.desc()).limit(1)).first()
        if row is None:
            return None
        return Queued(number=row[0], taken=row[1], stop=row[2], at=row[3])

    def stop(self, job_id: str) -> bool:
        """Ask whichever worker is at it to stop; True where none was, so that it never begins."""
        found = self.find(job_id)
        if found is None:
            return False
        with self._database.open_writing() as connection:
            self._app().job_manager.cancel_job_by_id(
                found.number, abort=True, connection=_driver(connection)
            )
        return self.find(job_id) is None

    def has_taken(self, number: int) -> bool:
        """Whether the worker that took that ticket still has it: one that was silent too long has
        lost it.
        """
        mine = select(1).where(_C.id == number, _C.status == _DOING)
        with self._database.open_reading() as connection:
            return connection.execute(mine).first() is not None

    def put_back(self, silent_s: float) -> tuple[Ticket, ...]:
        """Take from workers that said nothing for so long, as far as this process heard, what they
        were at, and put it back for the others; those that too many died of, which are not put
        back.

        The old ticket is torn up and a new one made at once: several workers may do this, and one
        that was only slow ends a ticket nobody has any more.
        """
        given_up: list[Ticket] = []
        lives = select(1).where(_WORKERS.c.id == _C.worker_id)
        left = delete(_JOBS).where(_C.status == _DOING, ~lives.exists())
        with self._database.open_writing() as connection:
            beats = connection.execute(select(_WORKERS.c.id, _WORKERS.c.last_heartbeat)).all()
            gone = self._silence.listen({row[0]: row[1] for row in beats}, silent_s)
            for worker, beat in gone.items():
                same = (_WORKERS.c.id == worker) & (_WORKERS.c.last_heartbeat == beat)
                connection.execute(delete(_WORKERS).where(same))
            for name, told in connection.execute(left.returning(_C.task_name, _C.args)).all():
                if name != TASK:  # its schedule has it done again
                    continue
                ticket = Ticket.model_validate(told)
                ticket = ticket.model_copy(update={"deaths": ticket.deaths + 1})
                if ticket.deaths >= MOST_DEATHS:
                    given_up.append(ticket)
                    continue
                _be_alone(connection, ticket.request)
                again = select(1).where(_OPEN, _C.args["job_id"].astext == ticket.job_id)
                if connection.execute(again).first() is None:
                    lane, _ = _find_lane(connection, ticket.owner)
                    self._defer(connection, ticket, lane, 0)
        return tuple(given_up)

    def others_wait(self, owner: str) -> bool:
        """Whether somebody else's job could begin if a worker were free."""
        other = _JOBS.alias("other")
        busy = select(1).where(other.c.lock == _C.lock, other.c.status == _DOING)
        waiting = select(1).where(
            _C.task_name == TASK,
            _C.status == _TODO,
            _C.args["owner"].astext != owner,
            ~busy.exists(),
        )
        with self._database.open_reading() as connection:
            return connection.execute(waiting.limit(1)).first() is not None

    def under_way(self) -> UnderWay:
        """How many are taken and how many wait, of everybody, and who is there to do them."""
        counted = select(_C.status == _DOING, func.count()).where(_OPEN).group_by(text("1"))
        with self._database.open_reading() as connection:
            found = {bool(row[0]): int(row[1]) for row in connection.execute(counted)}
        return UnderWay(found.get(True, 0), found.get(False, 0), self.workers())

    def workers(self) -> int:
        """How many workers said lately that they live, by the database's clock."""
        alive = select(func.count()).select_from(_WORKERS).where(_LATELY)
        with self._database.open_reading() as connection:
            found = connection.execute(alive)
            return int(found.scalar_one())

    def now(self) -> datetime:
        """What time it is by the clock of the database, which all workers have in common."""
        with self._database.open_reading() as connection:
            return connection.execute(select(func.clock_timestamp())).scalar_one()

    def _defer(self, connection: Connection, ticket: Ticket, lane: str, priority: int) -> None:
        told: dict[str, JsonValue] = ticket.model_dump(mode="json")
        self._app().configure_task(
            TASK, lock=lane, priority=priority, connection=_driver(connection)
        ).defer(**told)


def _be_alone(connection: Connection, request: str) -> None:
    """Until the transaction ends nobody else makes a ticket of that request."""
    connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(request, 0))))


def make_app(connector: Any = None) -> Any:
    """Procrastinate on that connector; without one it works on connections it is handed."""
    # Imported where there is a queue: a workbench on a file needs none of it.
    from procrastinate import App, SyncPsycopgConnector

    return App(connector=connector or SyncPsycopgConnector())


def _find_lane(connection: Connection, owner: str) -> tuple[str, int]:
    """The lane of that person with the fewest jobs, and how many there are in all of them.

    Of the jobs in a lane one runs at a time, in whichever worker: so nobody holds them all.
    """
    lanes = [f"{owner}/{number}" for number in range(_LANES)]
    held = dict.fromkeys(lanes, 0)
    counted = select(_C.lock, func.count()).where(_OPEN, _C.lock.in_(lanes)).group_by(_C.lock)
    held.update({row[0]: row[1] for row in connection.execute(counted)})
    return min(lanes, key=held.__getitem__), sum(held.values())


def _driver(connection: Connection) -> Any:
    """The connection of psycopg's under it: what is put is part of the same transaction."""
    return connection.connection.driver_connection
