"""Answers of sources as they were given, as one part of a frozen snapshot.

Nothing is looked up by likeness here: an answer belongs to the very request it was given to.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import AwareDatetime, TypeAdapter

from services.core.errors import StoreError
from services.core.lazy import import_later
from services.core.members import Members
from services.core.record import Record
from services.core.requests import FetchRequest
from services.core.trace import Attempt, Fact, Item, SessionGap
from services.store.database import Database
from services.store.row_sets import RowSet
from services.store.snapshot import ANSWERS, PartContent, SnapshotSource

# Whether the chain's own sources were asked, or another one beside them for a check.
Asked = Literal["first", "second"]
ErrorKind = Literal[
    "NoDataError",
    "ConfigError",
    "ProviderError",
    "UnavailableError",
    "PausedError",
    "NotCoveredError",
    "RateLimitError",
    "DeniedError",
    "ChangedError",
]
COLUMNS = (
    *("position", "asked", "capability", "request", "provider", "attempts", "error", "part"),
    *("source", "table", "fetched_at", "body_sha256", "stale", "rows", "labels", "gaps", "items"),
    "members",
)
_NOTE = (
    "各来源的答复按取得时的原样收录，权利归各来源；仅供自己核对，勿转发他人。",
    "Answers as the sources gave them, whose they remain: to check one's own work, not to pass on.",
)
# Someone waits for it: a tenth more bytes than at the bundle's level, in a tenth of the time.
_LEVEL = 9
_ARROW = import_later("pyarrow")
_TYPES = {"position": "int64", "part": "int64", "stale": "bool"}
_ATTEMPTS = TypeAdapter(tuple[Attempt, ...])
_ROWS = TypeAdapter(tuple[Fact, ...])
_LABELS = TypeAdapter(dict[str, dict[str, str]])
_GAPS = TypeAdapter(tuple[SessionGap, ...])
_ITEMS = TypeAdapter(tuple[Item, ...])


class AnswerError(Record):
    """How an answer failed: the error's class and what it was made with; null where it has none.

    `subject` is NoDataError's `what`, ConfigError's `variable`, or the provider.
    """

    kind: ErrorKind
    subject: str
    words: str
    table: str = ""
    tried: tuple[str, ...] = ()
    until: AwareDatetime | None = None
    retry_after_s: float | None = None


class AnswerPart(Record):
    """One source's share of an answer."""

    source: str
    table: str
    fetched_at: AwareDatetime
    body_sha256: str
    stale: bool
    contents: RowSet


class FrozenAnswer(Record):
    """One request and how it ended. `request` is its canonical JSON, see `request_text`."""

    asked: Asked
    capability: str
    request: str
    provider: str
    attempts: tuple[Attempt, ...]
    error: AnswerError | None = None
    parts: tuple[AnswerPart, ...] = ()

    @property
    def known_at(self) -> datetime | None:
        """When the newest part was fetched; None for an answer without any."""
        return max((part.fetched_at for part in self.parts), default=None)


def request_text(request: FetchRequest) -> str:
    """The arguments of a request as canonical JSON: equal for equal requests."""
    given = request.model_dump(mode="json")
    return json.dumps(given, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def answers_part(answers: Sequence[FrozenAnswer]) -> PartContent:
    """The answers in the order given, as a part to be written: a row for each source's share."""
    rows = [row for position, one in enumerate(answers) for row in _rows(position, one)]
    columns = {
        name: _ARROW.array([row[name] for row in rows], _TYPES.get(name, "string"))
        for name in COLUMNS
    }
    table = _ARROW.table(columns)
    return PartContent(file=ANSWERS, table=table, sources=_sources(answers), level=_LEVEL)


class FrozenAnswers:
    """The answers of the snapshot that is loaded. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        """`database` has them in `market.answers` (see market_load.py)."""
        self._database = database

    def find(self, asked: Asked, capability: str, request: str) -> FrozenAnswer | None:
        """What was answered to that very request; None when it was not asked."""
        found = self._read(
            "asked = ? AND capability = ? AND request = ?", [asked, capability, request]
        )
        return found[0] if found else None

    def about(self, capability: str, symbol: str) -> list[FrozenAnswer]:
        """Every first answer about that symbol with figures, whatever else was asked."""
        mark = f'%"symbol":"{symbol}"%'
        return self._read(
            "asked = 'first' AND capability = ? AND request LIKE ? AND error IS NULL",
            [capability, mark],
        )

    def providers(self) -> dict[str, tuple[str, ...]]:
        """What some source had an answer to, and who they were, by capability."""
        with self._database.cursor() as cursor:
            rows = cursor.execute(
                "SELECT DISTINCT capability, provider FROM market.answers "
                "WHERE asked = 'first' AND error IS NULL ORDER BY capability, provider"
            ).fetchall()
        found: dict[str, tuple[str, ...]] = {}
        for capability, provider in rows:
            found[capability] = (*found.get(capability, ()), provider)
        return found

    def _read(self, condition: str, values: list[str]) -> list[FrozenAnswer]:
        names = ", ".join(f'"{name}"' for name in COLUMNS)
        with self._database.cursor() as cursor:
            rows = cursor.execute(
                f"SELECT {names} FROM market.answers WHERE {condition} "  # noqa: S608 — closed names
                "ORDER BY position, part",
                values,
            ).fetchall()
        by_position: dict[int, list[dict[str, Any]]] = {}
        for row in rows:
            cells = dict(zip(COLUMNS, row, strict=True))
            by_position.setdefault(cells["position"], []).append(cells)
        try:
            return [_answer(cells) for cells in by_position.values()]
        except ValueError as error:
            raise StoreError(
                f"snapshot part {ANSWERS}: an answer is not in the format; get the frozen "
                "snapshot again"
            ) from error


def _rows(position: int, answer: FrozenAnswer) -> Iterable[dict[str, Any]]:
    shared: dict[str, Any] = dict.fromkeys(COLUMNS) | {
        "position": position,
        "asked": answer.asked,
        "capability": answer.capability,
        "request": answer.request,
        "provider": answer.provider,
        "attempts": _ATTEMPTS.dump_json(answer.attempts).decode(),
        "error": answer.error.model_dump_json() if answer.error else None,
    }
    if not answer.parts:
        yield shared
    for place, part in enumerate(answer.parts):
        contents = part.contents
        yield shared | {
            "part": place,
            "source": part.source,
            "table": part.table,
            "fetched_at": part.fetched_at.isoformat(timespec="microseconds"),
            "body_sha256": part.body_sha256,
            "stale": part.stale,
            "rows": _ROWS.dump_json(contents.rows).decode(),
            "labels": _LABELS.dump_json(contents.labels).decode(),
            "gaps": _GAPS.dump_json(contents.gaps).decode(),
            "items": _ITEMS.dump_json(contents.items).decode(),
            "members": contents.members.model_dump_json() if contents.members else None,
        }


def _answer(rows: Sequence[dict[str, Any]]) -> FrozenAnswer:
    first = rows[0]
    error = first["error"]
    return FrozenAnswer(
        asked=first["asked"],
        capability=first["capability"],
        request=first["request"],
        provider=first["provider"],
        attempts=_ATTEMPTS.validate_json(first["attempts"]),
        error=AnswerError.model_validate_json(error) if error is not None else None,
        parts=tuple(_part(row) for row in rows if row["part"] is not None),
    )


def _part(row: dict[str, Any]) -> AnswerPart:
    return AnswerPart(
        source=row["source"],
        table=row["table"],
        fetched_at=datetime.fromisoformat(row["fetched_at"]),
        body_sha256=row["body_sha256"],
        stale=row["stale"],
        contents=RowSet(
            rows=_ROWS.validate_json(row["rows"]),
            labels=_LABELS.validate_json(row["labels"]),
            gaps=_GAPS.validate_json(row["gaps"]),
            items=_ITEMS.validate_json(row["items"]),
            members=Members.model_validate_json(told) if (told := row["members"]) else None,
        ),
    )


def _sources(answers: Iterable[FrozenAnswer]) -> tuple[SnapshotSource, ...]:
    """Every source table with the newest day its figures are about, and who of ours asked it."""
    found: dict[tuple[str, str], SnapshotSource] = {}
    for answer in answers:
        for part in answer.parts:
            key = (part.source, part.table)
            days = [fact.as_of for fact in part.contents.rows]
            newest = max(days, default=part.fetched_at.date())
            if key not in found or found[key].as_of < newest:
                found[key] = SnapshotSource(
                    source=part.source,
                    table=part.table,
                    as_of=newest,
                    origin=answer.provider,
                    licence_note=_NOTE[0],
                    licence_note_en=_NOTE[1],
                )
    return tuple(found[key] for key in sorted(found))
