"""Runs with their traces and claims: append only, found again by run, by call and by claim."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import JsonValue
from pydantic_core import from_json, to_json
from sqlalchemy import ColumnElement, Connection, Row, insert, literal, select

from services.core.claims import Claim
from services.core.errors import InputError
from services.core.model_calls import ModelCall
from services.core.record import Record
from services.core.trace import ToolCall, Trace
from services.store import row_sets, traces
from services.store.database import Database
from services.store.documents import digest, pack
from services.store.ownership import may_read, take
from services.store.tables import RUN_CALLS, RUNS, TOOL_CALLS
from services.store.traces import WrittenClaims

_RUN_COLUMNS = (
    RUNS.c.run_id,
    RUNS.c.session_id,
    RUNS.c.kind,
    RUNS.c.arguments,
    RUNS.c.started_at,
    RUNS.c.duration_ms,
    RUNS.c.status,
    RUNS.c.message,
)


class Run(Record):
    """One thing asked for: a tool called or a page opened.

    `kind` is the tool's or page's name; `status` is "ok" or the error's class.
    """

    run_id: str
    session_id: str
    kind: str
    arguments: dict[str, JsonValue]
    started_at: datetime
    duration_ms: float
    status: str
    message: str | None = None


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run with everything it fetched and claimed, in the order they were made."""

    run: Run
    calls: tuple[ToolCall, ...]
    claims: tuple[Claim, ...]
    model_calls: tuple[ModelCall, ...] = ()

    @property
    def trace(self) -> Trace:
        """The calls as a trace."""
        return Trace(tool_calls=self.calls, model_calls=self.model_calls)


@dataclass(frozen=True, slots=True)
class StoredCall:
    """A tool call and the newest run it belongs to."""

    run: Run
    call: ToolCall


class Runs:
    """Every run ever made that may be read. Nothing here changes or removes one."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def save(
        self,
        run: Run,
        calls: Sequence[ToolCall],
        claims: Sequence[Claim],
        model_calls: Sequence[ModelCall] = (),
    ) -> None:
        """Store a run whole, in one transaction; the same run again changes nothing.

        Raises: StoreError when an id is already stored with other content.
        """
        made = traces.write_calls(calls)
        claimed = traces.write_claims(claims)
        packed = pack(claimed.document)
        run = run.model_copy(update={"started_at": run.started_at.astimezone(UTC)})
        header = run.model_dump_json().encode()
        content = digest((header, claimed.document, *(call.content.encode() for call in made)))
        with self._database.open_reading() as connection:
            new_rows = row_sets.pack_sets(connection, (call.rows for call in made))
        with self._database.open_writing() as connection:
            if _is_stored(connection, run.run_id, content):
                return
            row_sets.keep(connection, new_rows)
            traces.store_calls(connection, run.run_id, made)
            traces.store_model_calls(connection, run.run_id, model_calls)
            traces.index_claims(connection, run.run_id, claimed)
            _insert_run(connection, run, claimed, packed, content)
            take(connection, "run", run.run_id)

    def save_again(self, run: Run, first: str) -> bool:
        """Store a new run with the calls and claims of a stored one; False, and nothing done, where
        `first` is not stored any more or may not be read.

        The claims stay indexed under the run that made them.
        """
        run = run.model_copy(update={"started_at": run.started_at.astimezone(UTC)})
        made = select(RUNS.c.claim_count, RUNS.c.claims, RUNS.c.content).where(
            RUNS.c.run_id == first, _readable()
        )
        links = select(literal(run.run_id), RUN_CALLS.c.position, RUN_CALLS.c.tool_call_id).where(
            RUN_CALLS.c.run_id == first
        )
        with self._database.open_writing() as connection:
            found = connection.execute(made).first()
            if found is None:
                return False
            values = run.model_dump(exclude={"arguments"}) | {
                "arguments": to_json(run.arguments).decode(),
                "claim_count": found.claim_count,
                "claims": found.claims,
                "content": digest((run.model_dump_json().encode(), found.content.encode())),
            }
            connection.execute(insert(RUNS).values(**values))
            columns = ["run_id", "position", "tool_call_id"]
            connection.execute(insert(RUN_CALLS).from_select(columns, links))
            take(connection, "run", run.run_id)
        return True

    def runs(self, session_id: str, *, limit: int = 100) -> list[Run]:
        """The newest runs of a session, newest first."""
        query = (
            select(*_RUN_COLUMNS)
            .where(RUNS.c.session_id == session_id, _readable())
            .order_by(RUNS.c.seq.desc())
            .limit(limit)
        )
        with self._database.open_reading() as connection:
            return [_run(row) for row in connection.execute(query)]

    def answered_by(self, run_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Run → who answered its calls, each once, in the order they were first asked."""
        query = (
            select(RUN_CALLS.c.run_id, TOOL_CALLS.c.header)
            .join(TOOL_CALLS, TOOL_CALLS.c.tool_call_id == RUN_CALLS.c.tool_call_id)
            .where(RUN_CALLS.c.run_id.in_(run_ids), may_read("run", RUN_CALLS.c.run_id))
            .order_by(RUN_CALLS.c.run_id, RUN_CALLS.c.position)
        )
        found: dict[str, dict[str, None]] = {}
        with self._database.open_reading() as connection:
            for run_id, header in connection.execute(query):
                served = traces.served_by(header)
                if served is not None:
                    found.setdefault(run_id, {})[served] = None
        return {run_id: tuple(names) for run_id, names in found.items()}

    def load(self, run_id: str) -> StoredRun:
        """A run with its calls and claims. Raises: InputError when there is no such run."""
        with self._database.open_reading() as connection:
            row = connection.execute(
                select(*_RUN_COLUMNS, RUNS.c.claims).where(RUNS.c.run_id == run_id, _readable())
            ).first()
            if row is None:
                raise InputError("run_id", run_id, "the id of a stored run")
            calls = traces.calls_of(connection, run_id)
            asked = traces.model_calls_of(connection, run_id)
        return StoredRun(_run(row), calls, traces.read_claims(row.claims), asked)

    def find_call(self, tool_call_id: str) -> StoredCall | None:
        """The call with that id; None when there is none."""
        query = (
            select(*_RUN_COLUMNS, TOOL_CALLS.c.header, TOOL_CALLS.c.row_set)
            .join(RUN_CALLS, RUN_CALLS.c.tool_call_id == TOOL_CALLS.c.tool_call_id)
            .join(RUNS, RUNS.c.run_id == RUN_CALLS.c.run_id)
            .where(TOOL_CALLS.c.tool_call_id == tool_call_id, _readable())
            .order_by(RUNS.c.seq.desc())
            .limit(1)
        )
        with self._database.open_reading() as connection:
            row = connection.execute(query).first()
            if row is None:
                return None
            (call,) = traces.read_calls(connection, [(row.header, row.row_set)])
        return StoredCall(_run(row), call)


def _readable() -> ColumnElement[bool]:
    return may_read("run", RUNS.c.run_id)


def _is_stored(connection: Connection, run_id: str, content: str) -> bool:
    found = connection.execute(select(RUNS.c.content).where(RUNS.c.run_id == run_id)).scalar()
    if found is not None and found != content:
        raise traces.refuse_other_content(run_id)
    return found is not None


def _insert_run(
    connection: Connection, run: Run, claimed: WrittenClaims, packed: bytes, content: str
) -> None:
    values = run.model_dump(exclude={"arguments"}) | {
        "arguments": to_json(run.arguments).decode(),
        "claim_count": len(claimed.names),
        "claims": packed,
        "content": content,
    }
    connection.execute(insert(RUNS).values(**values))


def _run(row: Row[*tuple[Any, ...]]) -> Run:
    return Run(
        run_id=row.run_id,
        session_id=row.session_id,
        kind=row.kind,
        arguments=from_json(row.arguments),
        started_at=row.started_at.astimezone(UTC),
        duration_ms=row.duration_ms,
        status=row.status,
        message=row.message,
    )
