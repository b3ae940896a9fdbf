"""What providers answered, each with its own `fetched_at`: append only, the cache of live sources.

Not written in snapshot mode: the trace records each fetch, and a bundled file needs no cache.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import uuid4

from pydantic import JsonValue, TypeAdapter
from sqlalchemy import ColumnElement, Row, insert, select

from services.core.record import Record
from services.store import row_sets
from services.store.database import Database
from services.store.documents import digest
from services.store.row_sets import RowSet
from services.store.tables import FETCHES

_ARGUMENTS = TypeAdapter(dict[str, JsonValue])


class FetchKey(NamedTuple):
    """What was asked of whom: the provider, the capability, and the request's arguments."""

    provider: str
    capability: str
    arguments: dict[str, JsonValue]

    @property
    def sha256(self) -> str:
        """The same for the same question, whatever the order of the arguments."""
        ordered = _ARGUMENTS.dump_json(dict(sorted(self.arguments.items())))
        return digest((self.provider.encode(), self.capability.encode(), ordered))


class FetchedPart(Record):
    """One source's share of an answer, as it came.

    `expires_at` is null for what does not age; `body_sha256` is the hash of the raw body.
    """

    source: str
    table: str
    fetched_at: datetime
    expires_at: datetime | None = None
    body_sha256: str
    contents: RowSet


class StoredFetch(Record):
    """An answer whole: what was asked, and every source's share, the main source first."""

    fetch_id: str
    provider: str
    capability: str
    arguments: dict[str, JsonValue]
    parts: tuple[FetchedPart, ...]


class Fetches:
    """Every answer ever fetched. Nothing here changes or removes one."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def save(self, key: FetchKey, parts: Sequence[FetchedPart]) -> str:
        """Store an answer in one transaction; its new id."""
        fetch_id = "f_" + uuid4().hex[:12]
        written = [row_sets.write(part.contents) for part in parts]
        rows = [
            part.model_dump(exclude={"contents", "table"})
            | {
                "fetch_id": fetch_id,
                "position": position,
                "key_sha256": key.sha256,
                "provider": key.provider,
                "capability": key.capability,
                "arguments": _ARGUMENTS.dump_json(key.arguments).decode(),
                "source_table": part.table,
                "row_set": rows.sha256,
            }
            for position, (part, rows) in enumerate(zip(parts, written, strict=True))
        ]
        with self._database.open_reading() as connection:
            new_rows = row_sets.pack_sets(connection, written)
        with self._database.open_writing() as connection:
            row_sets.keep(connection, new_rows)
            connection.execute(insert(FETCHES), rows)
        return fetch_id

    def latest(self, key: FetchKey, *, not_before: datetime) -> StoredFetch | None:
        """The newest stored answer with its own `fetched_at`; None if none since `not_before`."""
        newest = (
            select(FETCHES.c.fetch_id)
            .where(FETCHES.c.key_sha256 == key.sha256, FETCHES.c.fetched_at >= not_before)
            .order_by(FETCHES.c.fetched_at.desc(), FETCHES.c.seq.desc())
            .limit(1)
        )
        return self._read(FETCHES.c.fetch_id.in_(newest))

    def latest_about(self, provider: str, capability: str, symbol: str) -> StoredFetch | None:
        """The newest stored answer about that symbol, whatever else was asked (other days)."""
        about = f'%"symbol":"{symbol}"%'
        newest = (
            select(FETCHES.c.fetch_id)
            .where(
                FETCHES.c.provider == provider,
                FETCHES.c.capability == capability,
                FETCHES.c.arguments.like(about),
            )
            .order_by(FETCHES.c.fetched_at.desc(), FETCHES.c.seq.desc())
            .limit(1)
        )
        return self._read(FETCHES.c.fetch_id.in_(newest))

    def load(self, fetch_id: str) -> StoredFetch | None:
        """The answer with that id; None when there is none."""
        return self._read(FETCHES.c.fetch_id == fetch_id)

    def _read(self, condition: ColumnElement[bool]) -> StoredFetch | None:
        query = select(FETCHES).where(condition).order_by(FETCHES.c.position)
        with self._database.open_reading() as connection:
            found = connection.execute(query).all()
            if not found:
                return None
            documents = row_sets.read(connection, (row.row_set for row in found))
        return StoredFetch(
            fetch_id=found[0].fetch_id,
            provider=found[0].provider,
            capability=found[0].capability,
            arguments=_ARGUMENTS.validate_json(found[0].arguments),
            parts=tuple(_part(row, documents[row.row_set]) for row in found),
        )


def _part(row: Row[*tuple[Any, ...]], document: bytes) -> FetchedPart:
    return FetchedPart(
        source=row.source,
        table=row.source_table,
        fetched_at=row.fetched_at.astimezone(UTC),
        expires_at=None if row.expires_at is None else row.expires_at.astimezone(UTC),
        body_sha256=row.body_sha256,
        contents=RowSet.model_validate_json(document),
    )
