"""Long work as it happens: what was asked, its steps in order, how it ended. Append only.

Whoever reads here sees the same after a refresh, in another tab or after a restart. A job without
a result whose process is gone was interrupted: that is told by whoever runs jobs, not here.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from uuid import uuid4

from pydantic import JsonValue
from pydantic_core import from_json, to_json
from sqlalchemy import Connection, Insert, Row, Select, delete, insert, select

from services.core.errors import InputError
from services.core.identity import require_writer
from services.core.record import Record
from services.store.audit import note
from services.store.database import Database
from services.store.documents import pack, unpack
from services.store.ownership import may_change, may_read, require_own, take
from services.store.tables import HIDDEN_JOBS, JOB_EVENTS, JOB_RESULTS, JOBS


class StoredJob(Record):
    """One piece of long work. `kind` says which (`analysis`); `subject` what it is about.

    `status` and `finished_at` are null until it ended; `run_id` is where its claims and trace are.
    """

    job_id: str
    kind: str
    session_id: str
    subject: str
    title: str
    arguments: dict[str, JsonValue]
    started_at: datetime
    status: str | None = None
    run_id: str | None = None
    finished_at: datetime | None = None


class StoredEvent(Record):
    """One step: its place in the job, when it happened (real time), and its document."""

    position: int
    happened_at: datetime
    document: str


class JobEnd(NamedTuple):
    """How a job ended: its result or what went wrong, and the run its claims are in."""

    status: str
    document: str
    run_id: str | None


_KIND: Final = "job"
_COLUMNS = (
    JOBS,
    JOB_RESULTS.c.status,
    JOB_RESULTS.c.run_id,
    JOB_RESULTS.c.finished_at,
)
_JOINED = select(*_COLUMNS).outerjoin(JOB_RESULTS, JOB_RESULTS.c.job_id == JOBS.c.job_id)


class Jobs:
    """Every job of this store that may be read. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def start(
        self,
        kind: str,
        session_id: str,
        *,
        subject: str,
        title: str,
        arguments: dict[str, JsonValue],
        place: Callable[[Connection, str], str] | None = None,
        ended: JobEnd | None = None,
    ) -> str:
        """Keep that it was asked for; the id of the new job. With a `place` to put it in, nothing
        is kept where that names another job that is the same, whose id it is then. `ended`: it was
        done already, and both are kept or neither.

        Raises: NotAllowedError for a reader.
        """
        job_id = "job_" + uuid4().hex[:12]
        with self._database.open_writing() as connection:
            if place is not None and (same := place(connection, job_id)) != job_id:
                return same
            take(connection, _KIND, job_id)
            asked = {"kind": kind, "session_id": session_id, "subject": subject, "title": title}
            told = to_json(arguments).decode()
            connection.execute(insert(JOBS).values(job_id=job_id, arguments=told, **asked))
            if ended is not None:
                connection.execute(_insert_result(job_id, ended))
        return job_id

    @property
    def database(self) -> Database:
        """Where they are kept."""
        return self._database

    def append(self, job_id: str, position: int, document: str) -> None:
        """Keep one step; positions begin at 1 and only one thread writes a job's steps."""
        with self._database.open_writing() as connection:
            require_own(connection, _KIND, job_id)
            connection.execute(
                insert(JOB_EVENTS).values(job_id=job_id, position=position, document=document)
            )

    def finish(self, job_id: str, status: str, document: str, run_id: str | None = None) -> None:
        """Keep how it ended. Raises: InputError when it has ended already."""
        if self.load(job_id).status is not None:
            raise InputError("job_id", job_id, "a job that has not ended yet")
        with self._database.open_writing() as connection:
            require_own(connection, _KIND, job_id)
            connection.execute(_insert_result(job_id, JobEnd(status, document, run_id)))

    def load(self, job_id: str) -> StoredJob:
        """The job with that id, if it may be read. Raises: InputError when there is none."""
        found = self._jobs(_JOINED.where(JOBS.c.job_id == job_id))
        if not found:
            raise InputError("job_id", job_id, "the id of a stored job")
        return found[0]

    def require_own(self, job_id: str) -> None:
        """Raises: InputError for a job that is not there or somebody else's, NotAllowedError."""
        self.load(job_id)
        with self._database.open_reading() as connection:
            require_own(connection, _KIND, job_id)

    def of_run(self, run_id: str) -> StoredJob | None:
        """The job that ended with that run; None when there is none."""
        found = self._jobs(_JOINED.where(JOB_RESULTS.c.run_id == run_id))
        return found[0] if found else None

    def result(self, job_id: str) -> str | None:
        """The document it ended with; None while it has not."""
        readable = may_read(_KIND, JOB_RESULTS.c.job_id)
        query = select(JOB_RESULTS.c.document).where(JOB_RESULTS.c.job_id == job_id, readable)
        with self._database.open_reading() as connection:
            found = connection.execute(query).scalar()
        return None if found is None else unpack(found).decode()

    def events(self, job_id: str, after: int = 0) -> tuple[StoredEvent, ...]:
        """Its steps behind that position, in order."""
        query = (
            select(JOB_EVENTS)
            .where(JOB_EVENTS.c.job_id == job_id, JOB_EVENTS.c.position > after)
            .where(may_read(_KIND, JOB_EVENTS.c.job_id))
            .order_by(JOB_EVENTS.c.position)
        )
        with self._database.open_reading() as connection:
            return tuple(
                StoredEvent(
                    position=row.position,
                    happened_at=row.happened_at.astimezone(UTC),
                    document=row.document,
                )
                for row in connection.execute(query)
            )

    def hide(self, job_ids: Sequence[str]) -> None:
        """Take them out of the lists; nothing of them is lost. Raises: InputError for an unknown
        id or somebody else's, and then none is hidden; NotAllowedError for a reader.
        """
        for job_id in job_ids:
            self.require_own(job_id)
        with self._database.open_writing() as connection:
            hidden = select(HIDDEN_JOBS.c.job_id).where(HIDDEN_JOBS.c.job_id.in_(job_ids))
            already = set(connection.execute(hidden).scalars())
            rows = [{"job_id": name} for name in dict.fromkeys(job_ids) if name not in already]
            if rows:
                connection.execute(insert(HIDDEN_JOBS), rows)
            for row in rows:
                note(connection, "deleted", _KIND, row["job_id"])

    def restore(self, job_ids: Sequence[str]) -> None:
        """Put one's own back into the lists; those that are there stay."""
        require_writer()
        with self._database.open_writing() as connection:
            there = HIDDEN_JOBS.c.job_id.in_(job_ids) & may_change(_KIND, HIDDEN_JOBS.c.job_id)
            back = connection.execute(select(HIDDEN_JOBS.c.job_id).where(there)).scalars().all()
            connection.execute(delete(HIDDEN_JOBS).where(there))
            for job_id in back:
                note(connection, "restored", _KIND, job_id)

    def list(
        self,
        *,
        kinds: Sequence[str] = (),
        session_id: str | None = None,
        subject: str | None = None,
        limit: int = 50,
        hidden: bool = False,
    ) -> tuple[StoredJob, ...]:
        """The newest jobs, newest first; only of these kinds, this session, this subject.

        `hidden` gives those that were taken out in place of the others.
        """
        taken = JOBS.c.job_id.in_(select(HIDDEN_JOBS.c.job_id))
        query = _JOINED.where(taken if hidden else ~taken)
        if kinds:
            query = query.where(JOBS.c.kind.in_(kinds))
        if session_id is not None:
            query = query.where(JOBS.c.session_id == session_id)
        if subject is not None:
            query = query.where(JOBS.c.subject == subject)
        return self._jobs(query.order_by(JOBS.c.seq.desc()).limit(limit))

    def _jobs(self, query: Select[Any]) -> tuple[StoredJob, ...]:
        with self._database.open_reading() as connection:
            found = connection.execute(query.where(may_read(_KIND, JOBS.c.job_id)))
            return tuple(map(_job, found))


def _insert_result(job_id: str, ended: JobEnd) -> Insert:
    document = pack(ended.document.encode())
    return insert(JOB_RESULTS).values(
        job_id=job_id, status=ended.status, run_id=ended.run_id, document=document
    )


def _job(row: Row[Any]) -> StoredJob:
    return StoredJob(
        job_id=row.job_id,
        kind=row.kind,
        session_id=row.session_id,
        subject=row.subject,
        title=row.title,
        arguments=from_json(row.arguments),
        started_at=row.started_at.astimezone(UTC),
        status=row.status,
        run_id=row.run_id,
        finished_at=row.finished_at.astimezone(UTC) if row.finished_at else None,
    )
