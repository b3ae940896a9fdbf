"""Reports that are written again and again, in the name of whoever asked for them."""

from datetime import date
from typing import Any, Final, Literal
from uuid import uuid4

from sqlalchemy import Row, delete, insert, or_, select, true, update

from services.core.errors import InputError
from services.core.identity import Identity, require_admin, require_writer
from services.core.record import Record
from services.core.text import Language, Text
from services.store.audit import note
from services.store.database import Database
from services.store.ownership import leave, may_change, require_own, take
from services.store.tables import OWNERSHIP, SCHEDULES

Every = Literal["daily", "weekly"]
EVERY: tuple[Every, ...] = ("daily", "weekly")
_KIND: Final = "schedule"
# Of one person: each is an analysis of its own.
MOST = 20
_FULL = Text(f"最多 {MOST} 个定时报告", f"at most {MOST} scheduled reports")


class WantedRegularly(Record):
    """What is to be written: of which company, how often, in which language, in whose name (as
    they were signed in when they asked).
    """

    symbol: str
    every: Every
    language: Language
    who: Identity


class Schedule(Record):
    """One of them. `done_for` is the session the last report is of and `job_id` its job, null
    before the first; `problem` says why the last one could not be begun.
    """

    schedule_id: str
    wanted: WantedRegularly
    done_for: date | None
    job_id: str | None
    problem: Text | None


class Schedules:
    """The schedules of whoever is acting. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def add(self, symbol: str, every: Every, language: Language) -> str:
        """Have a report of that company written; its id. The same once more is the same one.

        Raises: InputError when there are too many, NotAllowedError for a reader.
        """
        wanted = WantedRegularly(
            symbol=symbol, every=every, language=language, who=require_writer()
        )
        mine = self.list()
        for one in mine:
            if (one.wanted.symbol, one.wanted.every) == (symbol, every):
                return one.schedule_id
        if len(mine) >= MOST:
            raise InputError("schedule", symbol, _FULL)
        made = "every_" + uuid4().hex[:12]
        row = {"schedule_id": made, "document": wanted.model_dump_json()}
        with self._database.open_writing() as connection:
            take(connection, _KIND, made)
            connection.execute(insert(SCHEDULES).values(**row))
        return made

    def remove(self, schedule_id: str) -> None:
        """End one's own; reports that were written stay. Raises: InputError, NotAllowedError."""
        with self._database.open_writing() as connection:
            require_own(connection, _KIND, schedule_id)
            gone = delete(SCHEDULES).where(SCHEDULES.c.schedule_id == schedule_id)
            if not connection.execute(gone.returning(SCHEDULES.c.schedule_id)).all():
                raise InputError(
                    "schedule", schedule_id, Text("已有定时报告的编号", "the id of a schedule")
                )
            leave(connection, _KIND, schedule_id)
            note(connection, "deleted", _KIND, schedule_id)

    def list(self) -> tuple[Schedule, ...]:
        """One's own, oldest first."""
        query = select(SCHEDULES).where(may_change(_KIND, SCHEDULES.c.schedule_id))
        with self._database.open_reading() as connection:
            return tuple(map(_make, connection.execute(query.order_by(SCHEDULES.c.seq))))

    def claim(self, schedule_id: str, day: date) -> bool:
        """Whether the report of that session is this process's to begin: of several that ask, the
        first one's alone.
        """
        earlier = or_(SCHEDULES.c.done_for.is_(None), SCHEDULES.c.done_for < day)
        return self._change(schedule_id, earlier, done_for=day)

    def settle(
        self, schedule_id: str, *, job_id: str | None = None, problem: Text | None = None
    ) -> None:
        """Note the job that writes what was claimed; or why none does, and it is tried again."""
        if problem is None:
            self._change(schedule_id, true(), job_id=job_id, problem=None)
        else:
            self._change(schedule_id, true(), done_for=None, problem=str(problem))

    def _change(self, schedule_id: str, when: Any, **values: Any) -> bool:
        mine = (
            SCHEDULES.c.schedule_id == schedule_id,
            may_change(_KIND, SCHEDULES.c.schedule_id),
        )
        changed = update(SCHEDULES).where(*mine, when).values(**values)
        with self._database.open_writing() as connection:
            return bool(connection.execute(changed.returning(SCHEDULES.c.schedule_id)).all())


def list_schedules(database: Database) -> tuple[Schedule, ...]:
    """Everybody's, oldest first: for whoever does what is due."""
    with database.open_reading() as connection:
        return tuple(map(_make, connection.execute(select(SCHEDULES).order_by(SCHEDULES.c.seq))))


def end_schedule(database: Database, schedule_id: str) -> None:
    """End anybody's: whoever may write no more still has the role they had when they asked.

    Raises: NotAllowedError for everybody but an admin.
    """
    require_admin()
    with database.open_writing() as connection:
        connection.execute(delete(SCHEDULES).where(SCHEDULES.c.schedule_id == schedule_id))
        whose = (OWNERSHIP.c.kind == _KIND) & (OWNERSHIP.c.id == schedule_id)
        connection.execute(delete(OWNERSHIP).where(whose))
        note(connection, "deleted", _KIND, schedule_id)


def _make(row: Row[*tuple[Any, ...]]) -> Schedule:
    return Schedule(
        schedule_id=row.schedule_id,
        wanted=WantedRegularly.model_validate_json(row.document),
        done_for=row.done_for,
        job_id=row.job_id,
        problem=None if row.problem is None else Text.read(row.problem),
    )
