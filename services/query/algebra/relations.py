"""What a question's SELECT reads: the relations `company`, `point`, `line` and `span`, filled from
the points that were brought. Whole markets go in column by column.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import duckdb

from services.core.claims import Claim
from services.core.expression_claims import attribute_of, st_mark
from services.core.lazy import import_later
from services.market.history import PriceHistory
from services.query.algebra.times import bounds_of, is_of_bars

if TYPE_CHECKING:
    from services.query.algebra.points import Points

_ARROW: Any = import_later("pyarrow")
_TYPES = {"value": "float64", "is_listed": "bool", "part": "int64"}
_POINT = ("symbol", "metric", "own", "value")
_COMPANY = (
    "symbol",
    "name",
    "market",
    "exchange",
    "board",
    "segment",
    "industry",
    "st",
    "is_listed",
)
# `part`: the place of the first bar from which on to this one no session was lost.
_SPAN = ("symbol", "metric", "first", "last", "own", "value", "part")
_Cells = tuple[object, ...]
_GRAINS = {"y": "years", "q": "quarters", "m": "months"}


def fill_relations(connection: duckdb.DuckDBPyConnection, points: "Points") -> None:
    """Make the four relations of what was brought so far, in place of those made before."""
    few = [*_points_of_named(points), *_points_of_bars(points)]
    parts = [*_columns_of_markets(points), _table(few, _POINT)]
    made = {
        "company": _table(list(_companies(points)), _COMPANY),
        "point": _ARROW.concat_tables(parts),
        "line": _table(list(_lines(points, few)), ("symbol", "grain", "own")),
        "span": _table(list(_spans(points)), _SPAN),
    }
    for name, table in made.items():
        connection.register(name, table)


def _table(rows: Sequence[_Cells], names: Sequence[str]) -> Any:
    turned = list(zip(*rows, strict=True)) or [()] * len(names)
    cells: Mapping[str, Any] = {
        name: _ARROW.array(column, _TYPES.get(name, "string"))
        for name, column in zip(names, turned, strict=True)
    }
    return _ARROW.table(cells)


def _companies(points: "Points") -> Iterator[_Cells]:
    seen: set[str] = set()
    for index in points.indexes:
        members = index.members
        for at in index.within():
            symbol = members.symbols[at]
            seen.add(symbol)
            yield _company(symbol, members.names[at], members.industries[at], listed=True)
    names = points.desk.bench.names
    for symbol in points.symbols:
        if symbol not in seen:
            known = names.row(symbol)
            industry = known.industry if known is not None else None
            yield _company(symbol, names.name(symbol), industry, listed=not points.indexes)


def _company(symbol: str, name: str, industry: str | None, *, listed: bool) -> _Cells:
    market = attribute_of(symbol, "market")
    places = (market, *(attribute_of(symbol, one) for one in ("exchange", "board", "segment")))
    return (symbol, name, *places, industry, st_mark(name, market), listed)


def _columns_of_markets(points: "Points") -> Iterator[Any]:
    """The points of whole markets: a table for each figure, without the companies that lack it."""
    for index in points.indexes:
        places = index.within()
        symbols = _ARROW.array([index.members.symbols[at] for at in places], "string")
        for key in points.columns:
            metric, _, token = key.partition(" @ ")
            column = index.members.columns[key]
            values = _ARROW.array([column[at] for at in places], "float64")
            cells = (
                symbols,
                _ARROW.repeat(_ARROW.scalar(metric, "string"), len(places)),
                _ARROW.repeat(_ARROW.scalar(token, "string"), len(places)),
                values,
            )
            table = _ARROW.table(dict(zip(_POINT, cells, strict=True)))
            yield table.filter(values.is_valid())


def _points_of_named(points: "Points") -> Iterator[_Cells]:
    listed = {symbol for index in points.indexes for symbol in index.members.symbols}
    for symbol in points.symbols:
        if symbol not in listed:
            yield from _points_of(points, symbol, of_bars=False)


def _points_of_bars(points: "Points") -> Iterator[_Cells]:
    for symbol, history in points.histories.items():
        yield from _points_of(points, symbol, of_bars=True)
        if not points.needs.sessions:
            continue
        for metric in points.needs.of_rows:
            if metric == "pct_change":
                yield from _moves(symbol, history)
                continue
            for day, fact in history.facts.get(metric, {}).items():
                yield symbol, metric, f"d{day:%Y%m%d}", fact.value


def _points_of(points: "Points", symbol: str, *, of_bars: bool) -> Iterator[_Cells]:
    for metric, token in points.needs.points:
        if is_of_bars(metric, token) == of_bars:
            found = points.figure(symbol, metric, token)
            if isinstance(found, Claim):
                yield symbol, metric, token, found.value


def _moves(symbol: str, history: PriceHistory) -> Iterator[_Cells]:
    sessions = history.sessions
    closes = [bar.close for bar in history.bars]
    for place in range(1, len(closes)):
        if closes[place - 1] and not sessions.lacking(place - 1, place).lost:
            move = (closes[place] / closes[place - 1] - 1) * 100
            yield symbol, "pct_change", f"d{sessions.days[place]:%Y%m%d}", move


def _lines(points: "Points", few: Iterable[_Cells]) -> Iterator[_Cells]:
    """The times a row may be of: each report a figure of the rows is of, and each session."""
    seen = dict.fromkeys(
        (symbol, _GRAINS[str(at)[0]], at)
        for symbol, metric, at, _ in few
        if str(at)[:1] in {"y", "q"} and str(metric) in points.needs.of_rows
    )
    for symbol, history in points.histories.items():
        dates = [bar.date for bar in history.bars]
        for one in points.needs.bar_periods:
            first, last = bounds_of(one)
            if bisect_left(dates, first) < bisect_right(dates, last):
                seen[symbol, _GRAINS[one[0]], one] = None
    yield from seen
    if points.needs.sessions:
        for symbol, history in points.histories.items():
            for bar in history.bars:
                yield symbol, "days", f"d{bar.date:%Y%m%d}"


def _spans(points: "Points") -> Iterator[_Cells]:
    for metric, first, last in points.needs.windows:
        for symbol, history in points.histories.items():
            ref = points.series(symbol, metric, first, last)
            if ref is None:
                continue
            facts, sessions = history.facts[metric], history.sessions
            days = [day for day in sorted(facts) if ref.start <= day <= ref.end]
            for day in days:
                part = sessions.whole_from(bisect_left(sessions.days, day))
                yield symbol, metric, first, last, f"d{day:%Y%m%d}", facts[day].value, part
