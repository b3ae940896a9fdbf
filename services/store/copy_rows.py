"""Rows of the local copy going in, whole columns at a time, and coming back as facts."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256
from typing import Any, Literal, NamedTuple

import duckdb

from services.core.catalogue import CATALOGUE
from services.core.clock import BEIJING
from services.core.lazy import import_later
from services.core.names import NameRow
from services.core.trace import Fact

# How a provider writes down when a report was published.
_ANNOUNCED = re.compile(r"公告日 (\d{4}-\d{2}-\d{2})")
_FACT_COLUMNS = ("symbol", "metric", "value", "unit", "as_of", "field", "raw", "note")
_ARROW = import_later("pyarrow")
_TYPES = {"value": "float64", "as_of": "date32", "announced_on": "date32"}


class TaskMark(NamedTuple):
    """A task that was done. `good_until` is when it goes out of date; `nothing`: none to be had.

    Of bars, `first` is the day they were asked from and `through` the session they reach to.
    """

    task: str
    market: str
    kind: str
    subject: str
    state: Literal["done", "nothing"]
    done_at: datetime
    good_until: datetime
    first: date | None = None
    through: date | None = None


@dataclass(frozen=True, slots=True)
class Pulled:
    """One part of what an upstream gave, by which provider of ours, as the upstream gave it."""

    provider: str
    source: str
    table: str
    fetched_at: datetime
    body_sha256: str
    rows: Sequence[Fact]
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, dict[str, str]])


class Spelling(NamedTuple):
    """A name in pinyin, and its initials."""

    pinyin: str
    initials: str


class Numbered(NamedTuple):
    """A part, its place in the answer, and the name of its fetch."""

    fetch_id: str
    position: int
    part: Pulled


def fact_of(row: Sequence[Any]) -> Fact:
    """A row as it is read back, without the fetch it is from."""
    _, symbol, metric, value, unit, as_of, period, name, raw, note = row
    return Fact(
        symbol=symbol,
        metric=metric,
        metric_code=CATALOGUE.codes.get(metric),
        value=value,
        unit=unit,
        as_of=as_of,
        period=period,
        field=name,
        raw=raw,
        note=note,
    )


def mark_of(row: tuple[Any, ...]) -> TaskMark:
    """A row of copy.tasks."""
    mark = TaskMark(*row)
    return mark._replace(
        done_at=mark.done_at.astimezone(BEIJING), good_until=mark.good_until.astimezone(BEIJING)
    )


def set_mark(cursor: duckdb.DuckDBPyConnection, mark: TaskMark) -> None:
    """The mark in place of the task's last one."""
    cursor.execute("DELETE FROM copy.tasks WHERE task = ?", [mark.task])
    cursor.execute("INSERT INTO copy.tasks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", list(mark))


def name_row(row: tuple[Any, ...]) -> NameRow:
    """From symbol, name, market, industry, pinyin, initials, full_name."""
    symbol, name, market, industry, pinyin, initials, full_name = row
    return NameRow(
        symbol=symbol,
        name=name,
        market=market,
        kind="stock",
        industry=industry,
        old_names=(),
        pinyin=(pinyin,) if pinyin else (),
        initials=(initials,) if initials else (),
        full_name=full_name,
        english_name=name if name.isascii() else None,
    )


def number_parts(task: str, parts: Sequence[Pulled]) -> list[Numbered]:
    """Each part with the name of its fetch: the same bytes for the same task have the same name."""
    found: list[Numbered] = []
    for position, part in enumerate(parts):
        named = (task, str(position), part.source, part.table, part.fetched_at.isoformat())
        mark = "|".join((*named, part.body_sha256)).encode()
        found.append(Numbered("cf_" + sha256(mark).hexdigest()[:20], position, part))
    return found


def insert_parts(cursor: duckdb.DuckDBPyConnection, task: str, parts: Iterable[Numbered]) -> None:
    """Who gave these parts, and when; one that is there already stays once."""
    for fetch_id, position, part in parts:
        cursor.execute("DELETE FROM copy.parts WHERE fetch_id = ?", [fetch_id])
        cursor.execute(
            "INSERT INTO copy.parts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                *(fetch_id, task, position, part.provider, part.source, part.table),
                *(part.fetched_at, part.body_sha256, len(part.rows)),
            ],
        )


def insert_facts(cursor: duckdb.DuckDBPyConnection, mark: TaskMark, found: Numbered) -> None:
    """The facts of one part, with when each became public."""
    rows, count = found.part.rows, len(found.part.rows)
    known_on = found.part.fetched_at.astimezone(BEIJING).date()
    _insert(
        cursor,
        "copy.facts",
        {
            "task": [mark.task] * count,
            "market": [mark.market] * count,
            "kind": [mark.kind] * count,
            "fetch_id": [found.fetch_id] * count,
            **_fact_columns(rows),
            "period": [row.period for row in rows],
            "announced_on": [_find_announcement(row, known_on) for row in rows],
        },
    )


def insert_bars(cursor: duckdb.DuckDBPyConnection, found: Numbered, first: date) -> None:
    """The bars of one part from `first` on."""
    rows = [row for row in found.part.rows if row.as_of >= first]
    columns = {"fetch_id": [found.fetch_id] * len(rows), **_fact_columns(rows)}
    _insert(cursor, "copy.bars", columns)


def _find_announcement(row: Fact, known_on: date) -> date:
    """When the figure became public: as it says itself; a price with its session, a report that
    says nothing on the day it was fetched.
    """
    if row.period is None:
        return row.as_of
    said = _ANNOUNCED.search(row.note or "")
    return date.fromisoformat(said.group(1)) if said else known_on


def insert_companies(
    cursor: duckdb.DuckDBPyConnection,
    mark: TaskMark,
    parts: Sequence[Pulled],
    spellings: Mapping[str, Spelling],
) -> None:
    """What the parts call their companies; the first that says something wins."""
    words: dict[str, dict[str, str]] = {}
    for part in parts:
        for symbol, given in part.labels.items():
            words[symbol] = {**given, **words.get(symbol, {})}
        for row in part.rows:
            words.setdefault(row.symbol, {})
    symbols = sorted(words)
    spelled = [spellings.get(symbol, Spelling("", "")) for symbol in symbols]
    _insert(
        cursor,
        "copy.companies",
        {
            "task": [mark.task] * len(symbols),
            "market": [mark.market] * len(symbols),
            "kind": [mark.kind] * len(symbols),
            "symbol": symbols,
            **{
                name: [words[symbol].get(name) for symbol in symbols]
                for name in ("name", "industry", "full_name")
            },
            "pinyin": [one.pinyin for one in spelled],
            "initials": [one.initials for one in spelled],
        },
    )


def _fact_columns(rows: Sequence[Fact]) -> dict[str, list[Any]]:
    return {name: [getattr(row, name) for row in rows] for name in _FACT_COLUMNS}


def _insert(
    cursor: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, list[Any]]
) -> None:
    """Rows by column, all at once."""
    arrays = {
        name: _ARROW.array(cells, _TYPES.get(name, "string")) for name, cells in columns.items()
    }
    cursor.register("incoming", _ARROW.table(arrays))
    try:
        cursor.execute(f"INSERT INTO {table} BY NAME SELECT * FROM incoming")  # noqa: S608 — closed names
    finally:
        cursor.unregister("incoming")
