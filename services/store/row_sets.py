"""The rows of a fetch, stored once per content however many runs show them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import Field
from sqlalchemy import Connection, select
from sqlalchemy.dialects.postgresql import insert

from services.core.errors import StoreError
from services.core.members import Members
from services.core.record import Record
from services.core.trace import MEMBERS_FIELD, Fact, Item, SessionGap
from services.store.documents import digest, pack, unpack
from services.store.tables import ROW_SETS


class RowSet(Record):
    """What a fetch brought: facts, text columns by symbol, gaps, texts, and members."""

    rows: tuple[Fact, ...] = ()
    labels: dict[str, dict[str, str]] = Field(default_factory=dict)
    gaps: tuple[SessionGap, ...] = ()
    items: tuple[Item, ...] = ()
    members: Members | None = MEMBERS_FIELD


@dataclass(frozen=True, slots=True)
class WrittenRows:
    """A row set as JSON, with the name it is stored under."""

    sha256: str
    document: bytes


def write(row_set: RowSet) -> WrittenRows:
    """The JSON of a row set and its name."""
    document = row_set.model_dump_json().encode()
    return WrittenRows(digest((document,)), document)


def pack_sets(connection: Connection, sets: Iterable[WrittenRows]) -> dict[str, bytes]:
    """Those of `sets` the store does not have yet, compressed; do this before taking the lock."""
    by_name = {written.sha256: written.document for written in sets}
    known = connection.execute(select(ROW_SETS.c.sha256).where(ROW_SETS.c.sha256.in_(by_name)))
    new = by_name.keys() - set(known.scalars())
    return {name: pack(by_name[name]) for name in new}


def keep(connection: Connection, new: Mapping[str, bytes]) -> None:
    """Store compressed row sets by name; one that arrived meanwhile is the same one."""
    for name, document in new.items():
        connection.execute(
            insert(ROW_SETS).values(sha256=name, document=document).on_conflict_do_nothing()
        )


def read(connection: Connection, names: Iterable[str]) -> dict[str, bytes]:
    """The JSON of each named row set. Raises: StoreError when one is missing."""
    wanted = set(names)
    found = connection.execute(
        select(ROW_SETS.c.sha256, ROW_SETS.c.document).where(ROW_SETS.c.sha256.in_(wanted))
    )
    documents = {row.sha256: unpack(row.document) for row in found}
    if missing := wanted - documents.keys():
        raise StoreError(f"rows {', '.join(sorted(missing))} are not in the store")
    return documents
