"""Which process runs which job, where several share the records: leases, by the database's clock.

A file has one process, which knows what it runs: there nothing is written.
"""

from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from services.core.record import Record
from services.store.database import Database
from services.store.ownership import may_change, may_read
from services.store.tables import JOB_LEASES

_KIND: Final = "job"
_C = JOB_LEASES.c


class Lease(Record):
    """A job that runs in some process; `stop`: it was asked to stop."""

    job_id: str
    stop: bool


class Leases:
    """The leases of one process, `holder`. Safe to share between threads."""

    def __init__(self, database: Database, holder: str, seconds: int) -> None:
        """`seconds` is how long one stands that is not renewed."""
        self._database = database
        self._holder = holder
        self._fresh: ColumnElement[bool] = _C.renewed_at > func.now() - text(
            f"interval '{seconds:d} seconds'"
        )

    @property
    def needed(self) -> bool:
        """Whether there may be other processes at all."""
        return self._database.shared

    def take(self, connection: Connection, request: str, job_id: str) -> str:
        """Begin to run that request as that job, in the transaction that keeps the job; the id of
        the job that runs it, another where a process is at it already.
        """
        new = insert(JOB_LEASES).values(
            request=request, job_id=job_id, holder=self._holder, stop=False
        )
        given = {"job_id": job_id, "holder": self._holder, "stop": False, "renewed_at": func.now()}
        taken = new.on_conflict_do_update(
            index_elements=["request"], set_=given, where=~self._fresh
        ).returning(_C.job_id)
        if connection.execute(taken).scalar() is not None:
            return job_id
        there = select(_C.job_id).where(_C.request == request)
        return str(connection.execute(there).scalar_one())

    def renew(self) -> tuple[Lease, ...]:
        """Say that this process lives; what it runs, and what of it is to stop."""
        mine = update(JOB_LEASES).where(_C.holder == self._holder).values(renewed_at=func.now())
        with self._database.writing() as connection:
            rows = connection.execute(mine.returning(_C.job_id, _C.stop)).all()
        return tuple(Lease(job_id=row.job_id, stop=row.stop) for row in rows)

    def give(self, job_id: str) -> None:
        """It has ended."""
        mine = and_(_C.job_id == job_id, _C.holder == self._holder)
        with self._database.writing() as connection:
            connection.execute(delete(JOB_LEASES).where(mine))

    def find(self, job_id: str) -> Lease | None:
        """The lease of a job that may be read; None when no process is at it."""
        query = select(_C.job_id, _C.stop).where(
            _C.job_id == job_id, self._fresh, may_read(_KIND, _C.job_id)
        )
        with self._database.reading() as connection:
            row = connection.execute(query).first()
        return None if row is None else Lease(job_id=row.job_id, stop=row.stop)

    def stop(self, job_id: str) -> None:
        """Ask whichever process runs one's own job to stop it."""
        mine = and_(_C.job_id == job_id, may_change(_KIND, _C.job_id))
        with self._database.writing() as connection:
            connection.execute(update(JOB_LEASES).where(mine).values(stop=True))
