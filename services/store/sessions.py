"""Sessions: one person's sitting at the workbench; runs belong to one.

Not written yet: until turns of a conversation are kept, a session is the id its runs carry.
"""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Row, func, select
from sqlalchemy.dialects.postgresql import insert

from services.core.errors import InputError
from services.core.record import Record
from services.store.database import Database
from services.store.tables import SESSIONS


class Session(Record):
    """When it began and when it was last seen; real time, not the market's."""

    session_id: str
    started_at: datetime
    seen_at: datetime


class Sessions:
    """Every session of this store."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def start(self, session_id: str | None = None) -> Session:
        """Begin a session, or go on with the one that has this id."""
        name = session_id or "s_" + uuid4().hex[:12]
        with self._database.writing() as connection:
            connection.execute(
                insert(SESSIONS)
                .values(session_id=name)
                .on_conflict_do_update(index_elements=["session_id"], set_={"seen_at": func.now()})
            )
        return self.load(name)

    def load(self, session_id: str) -> Session:
        """The session with that id. Raises: InputError when there is none."""
        query = select(SESSIONS).where(SESSIONS.c.session_id == session_id)
        with self._database.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            raise InputError("session_id", session_id, "the id of a session that was started")
        return _session(row)

    def list(self, *, limit: int = 50) -> tuple[Session, ...]:
        """The sessions last seen, newest first."""
        query = select(SESSIONS).order_by(SESSIONS.c.seen_at.desc()).limit(limit)
        with self._database.reading() as connection:
            return tuple(_session(row) for row in connection.execute(query))


def _session(row: Row[*tuple[Any, ...]]) -> Session:
    return Session(
        session_id=row.session_id,
        started_at=row.started_at.astimezone(UTC),
        seen_at=row.seen_at.astimezone(UTC),
    )
