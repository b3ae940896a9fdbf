"""Sessions: one conversation; its turns and the runs behind its answers belong to it."""

from datetime import UTC, datetime
from typing import Any, Final
from uuid import uuid4

from sqlalchemy import Row, func, select, update
from sqlalchemy.dialects.postgresql import insert

from services.core.errors import InputError
from services.core.identity import require_writer
from services.core.record import Record
from services.core.text import Text
from services.store.database import Database
from services.store.given_texts import check_length
from services.store.ownership import may_change, may_read, require_own, take
from services.store.tables import SESSION_TITLES, SESSIONS, TURNS

_KIND: Final = "conversation"
_OTHERS = Text("你自己的对话；别人的只能看", "a conversation of your own; others' can only be read")
_LONGEST_ID, _LONGEST_TITLE = 64, 60
_TITLED = select(SESSIONS, SESSION_TITLES.c.title).outerjoin(
    SESSION_TITLES, SESSION_TITLES.c.session_id == SESSIONS.c.session_id
)


class StoredSession(Record):
    """When it began and when it was last seen; real time, not the market's. `title` once named."""

    session_id: str
    started_at: datetime
    seen_at: datetime
    title: str | None = None


class Sessions:
    """Every session of this store that whoever is acting may read."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def start(self, session_id: str | None = None) -> str:
        """Begin a session, or go on with the one that has this id; the id.

        Raises: InputError for an id that is too long or not printable, or somebody else's;
        NotAllowedError for a reader.
        """
        require_writer()
        name = "s_" + uuid4().hex[:12] if session_id is None else session_id
        if not _is_id(name):
            raise InputError("session_id", name, f"1 to {_LONGEST_ID} printable characters")
        known = select(may_change(_KIND, SESSIONS.c.session_id)).where(
            SESSIONS.c.session_id == name
        )
        with self._database.open_writing() as connection:
            mine = connection.execute(known).scalar()
            if mine is None:
                take(connection, _KIND, name)
                # Another process of a shared store may begin it at this moment.
                begun = insert(SESSIONS).values(session_id=name).on_conflict_do_nothing()
                connection.execute(begun)
            elif not mine:
                raise InputError("conversation", name, _OTHERS)
            else:  # most turns: several times quicker than an insert that may conflict
                seen = update(SESSIONS).where(SESSIONS.c.session_id == name)
                connection.execute(seen.values(seen_at=func.now()))
        return name

    def load(self, session_id: str) -> StoredSession:
        """The session with that id, one's own or a shared one. Raises: InputError when there is
        none.
        """
        found = self.find(session_id)
        if found is None:
            raise InputError("session_id", session_id, "the id of a session that was started")
        return found

    def find(self, session_id: str) -> StoredSession | None:
        """The session with that id; None when there is none."""
        if not _is_id(session_id):
            return None
        readable = may_read(_KIND, SESSIONS.c.session_id)
        query = _TITLED.where(SESSIONS.c.session_id == session_id, readable)
        with self._database.open_reading() as connection:
            row = connection.execute(query).first()
        return None if row is None else _session(row)

    def rename(self, session_id: str, title: str) -> StoredSession:
        """Call it so, trimmed. Raises: InputError (no such session; empty or too long a title)."""
        trimmed = check_length("title", " ".join(title.split()), _LONGEST_TITLE)
        self.load(session_id)
        self.require_own(session_id)
        named = insert(SESSION_TITLES).values(session_id=session_id, title=trimmed)
        with self._database.open_writing() as connection:
            connection.execute(
                named.on_conflict_do_update(
                    index_elements=["session_id"], set_={"title": trimmed, "named_at": func.now()}
                )
            )
        return self.load(session_id)

    def require_own(self, session_id: str) -> None:
        """Raises: InputError for a session of somebody else's, NotAllowedError for a reader."""
        with self._database.open_reading() as connection:
            require_own(connection, _KIND, session_id)

    def list(self, *, limit: int = 50, asked: bool = False) -> tuple[StoredSession, ...]:
        """Those last seen that may be read, newest first; `asked`: only those with a turn."""
        query = _TITLED.where(may_read(_KIND, SESSIONS.c.session_id))
        query = query.order_by(SESSIONS.c.seen_at.desc(), SESSIONS.c.session_id).limit(limit)
        if asked:
            turns = select(TURNS.c.position).where(TURNS.c.session_id == SESSIONS.c.session_id)
            query = query.where(turns.exists())
        with self._database.open_reading() as connection:
            return tuple(_session(row) for row in connection.execute(query))


def _is_id(name: str) -> bool:
    return 1 <= len(name) <= _LONGEST_ID and name.isprintable() and name == name.strip()


def _session(row: Row[*tuple[Any, ...]]) -> StoredSession:
    return StoredSession(
        session_id=row.session_id,
        started_at=row.started_at.astimezone(UTC),
        seen_at=row.seen_at.astimezone(UTC),
        title=row.title,
    )
