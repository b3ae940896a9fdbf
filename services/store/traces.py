"""Tool calls and claims as they lie in the store: how they are written, checked and read back.

Used by runs.py inside its transactions; nothing here changes or removes a stored one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import from_json
from sqlalchemy import ARRAY, BigInteger, Connection, bindparam, func, insert, literal, select

from services.core.claims import Claim
from services.core.errors import StoreError
from services.core.model_calls import ModelCall
from services.core.trace import ToolCall
from services.store import row_sets
from services.store.documents import digest, number, pack, unpack
from services.store.row_sets import RowSet, WrittenRows
from services.store.tables import CLAIM_INDEX, MODEL_CALLS, RUN_CALLS, TOOL_CALLS

_CLAIMS = TypeAdapter(tuple[Claim, ...])
_ROW_SET_FIELDS = frozenset(RowSet.model_fields)


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A tool call as JSON: its header, its rows apart, and the hash of both."""

    tool_call_id: str
    name: str
    header: bytes
    rows: WrittenRows
    content: str


@dataclass(frozen=True, slots=True)
class WrittenClaims:
    """The claims of a run as one JSON document, and a hash of each claim's id and content."""

    document: bytes
    names: tuple[str, ...]
    keys: list[int]
    contents: list[int]


def refuse_other_content(name: str) -> StoreError:
    """The error for an id that comes again with other content."""
    return StoreError(f"{name} is already stored with other content: records are append-only")


def write_calls(calls: Sequence[ToolCall]) -> tuple[WrittenCall, ...]:
    """The calls as written, each id once. Raises: StoreError when an id has two contents."""
    once: dict[str, ToolCall] = {}
    for call in calls:
        found = once.setdefault(call.tool_call_id, call)
        if found is not call and found != call:
            raise refuse_other_content(call.tool_call_id)
    return tuple(_write_call(call) for call in once.values())


def write_claims(claims: Sequence[Claim]) -> WrittenClaims:
    """The claims as written, each id once. Raises: StoreError when an id has two contents."""
    texts: dict[str, bytes] = {}
    for claim in claims:
        text = claim.model_dump_json().encode()
        if texts.setdefault(claim.claim_id, text) != text:
            raise refuse_other_content(claim.claim_id)
    return WrittenClaims(
        document=b"[" + b",".join(texts.values()) + b"]",
        names=tuple(texts),
        keys=[number(name.encode()) for name in texts],
        contents=[number(text) for text in texts.values()],
    )


def read_claims(document: bytes) -> tuple[Claim, ...]:
    """The claims of a run's stored document, in the order they were made."""
    return _CLAIMS.validate_json(unpack(document))


def store_calls(connection: Connection, run_id: str, written: Sequence[WrittenCall]) -> None:
    """Insert the calls the store does not have, and link all of them to the run.

    Raises: StoreError when an id is stored with other content.
    """
    if not written:
        return
    rows = connection.execute(
        select(TOOL_CALLS.c.tool_call_id, TOOL_CALLS.c.content).where(
            TOOL_CALLS.c.tool_call_id.in_([call.tool_call_id for call in written])
        )
    )
    stored = {row.tool_call_id: row.content for row in rows}
    for call in written:
        if stored.get(call.tool_call_id, call.content) != call.content:
            raise refuse_other_content(call.tool_call_id)
    if new := [_call_row(call) for call in written if call.tool_call_id not in stored]:
        connection.execute(insert(TOOL_CALLS), new)
    links = [
        {"run_id": run_id, "position": position, "tool_call_id": call.tool_call_id}
        for position, call in enumerate(written)
    ]
    connection.execute(insert(RUN_CALLS), links)


def store_model_calls(connection: Connection, run_id: str, calls: Sequence[ModelCall]) -> None:
    """Keep what was asked of models, in order; nothing when there was nothing."""
    rows = [
        {"run_id": run_id, "position": position, "document": call.model_dump_json()}
        for position, call in enumerate(calls, 1)
    ]
    if rows:
        connection.execute(insert(MODEL_CALLS), rows)


def model_calls_of(connection: Connection, run_id: str) -> tuple[ModelCall, ...]:
    """What a run asked of models, in order."""
    query = (
        select(MODEL_CALLS.c.document)
        .where(MODEL_CALLS.c.run_id == run_id)
        .order_by(MODEL_CALLS.c.position)
    )
    return tuple(map(ModelCall.model_validate_json, connection.execute(query).scalars()))


def index_claims(connection: Connection, run_id: str, written: WrittenClaims) -> None:
    """Note which run holds the claims, in one statement: a row each would take 15 times as long.

    Raises: StoreError when an id is stored with other content.
    """
    if not written.keys:
        return
    index = CLAIM_INDEX.c
    stored = connection.execute(
        select(index.claim_key, index.content).where(
            index.claim_key.in_(select(_column(written.keys)))
        )
    ).all()
    if stored:
        contents = dict(zip(written.keys, written.contents, strict=True))
        names = dict(zip(written.keys, written.names, strict=True))
        for row in stored:
            if contents[row.claim_key] != row.content:
                raise refuse_other_content(names[row.claim_key])
    columns = select(_column(written.keys), _column(written.contents), literal(run_id))
    connection.execute(insert(CLAIM_INDEX).from_select(["claim_key", "content", "run_id"], columns))


def calls_of(connection: Connection, run_id: str) -> tuple[ToolCall, ...]:
    """The calls of a run, oldest first."""
    found = connection.execute(
        select(TOOL_CALLS.c.header, TOOL_CALLS.c.row_set)
        .join(RUN_CALLS, RUN_CALLS.c.tool_call_id == TOOL_CALLS.c.tool_call_id)
        .where(RUN_CALLS.c.run_id == run_id)
        .order_by(RUN_CALLS.c.position)
    ).all()
    return read_calls(connection, ((row.header, row.row_set) for row in found))


def read_calls(connection: Connection, stored: Iterable[tuple[bytes, str]]) -> tuple[ToolCall, ...]:
    """The calls with those stored headers and row set names."""
    pairs = list(stored)
    rows = row_sets.read(connection, (row_set for _, row_set in pairs))
    # Header and rows are JSON objects with distinct keys: joined they are the call.
    return tuple(
        ToolCall.model_validate_json(unpack(header)[:-1] + b"," + rows[row_set][1:])
        for header, row_set in pairs
    )


def served_by(header: bytes) -> str | None:
    """Who answered the call of that stored header; None where nobody did."""
    told = from_json(unpack(header))
    return (
        str(told["served_by"]) if told["attempts"] and not told["attempts"][-1]["error"] else None
    )


def _write_call(call: ToolCall) -> WrittenCall:
    header = call.model_dump_json(exclude=set(_ROW_SET_FIELDS)).encode()
    rows = row_sets.write(
        RowSet(
            rows=call.rows,
            labels=call.labels,
            gaps=call.gaps,
            items=call.items,
            members=call.members,
        )
    )
    content = digest((header, rows.sha256.encode()))
    return WrittenCall(call.tool_call_id, call.name, header, rows, content)


def _call_row(call: WrittenCall) -> dict[str, str | bytes]:
    return {
        "tool_call_id": call.tool_call_id,
        "name": call.name,
        "header": pack(call.header),
        "row_set": call.rows.sha256,
        "content": call.content,
    }


def _column(values: list[int]) -> Any:
    """The values as a column of rows; the same SQL on DuckDB and PostgreSQL."""
    return func.unnest(bindparam(None, values, type_=ARRAY(BigInteger)))
