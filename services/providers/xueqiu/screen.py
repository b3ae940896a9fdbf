"""Xueqiu's screener.

Upstream ranges are inclusive and have two ends: the bounds asked for are widened to what its own
`values` page gives and held strictly here. Statement fields carry a report period: the newest every
company must have filed. Whatever cannot be exact is left to the next source.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from services.core.catalogue import CATALOGUE, SCREEN_FIELDS
from services.core.clock import BEIJING
from services.core.errors import (
    ChangedError,
    NotCoveredError,
    UnavailableError,
)
from services.core.requests import Bound, ScreenRequest
from services.core.symbols import Symbol
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.http import Body
from services.providers.joining import join_bodies
from services.providers.reading import Column, Node, facts, member, number, once, plain, rows_of
from services.providers.xueqiu.client import NAME, XueqiuClient
from services.providers.xueqiu.quotes import QuoteSession, session_of
from services.providers.xueqiu.reports import newest_filed
from services.providers.xueqiu.universe import parse_listed, read_list_time

# So many companies are read to hold the bounds strictly; more is for a copy of the market.
MOST_ROWS = 2000
_PAGE = 200
_TABLE = "screener/screen"
# Where `values` cannot be read: wider than anything there is.
_WIDEST = Decimal(10) ** 17
_YEAR_TO_DATE = "年初至报告期末累计"
_NOTES = {
    "dy_l": None,
    "roediluted": "摊薄；年初至报告期末，未年化",
    "netprofit": f"雪球选股口径，未注明是否归母；{_YEAR_TO_DATE}",
    "total_revenue": f"营业总收入；{_YEAR_TO_DATE}",
}


class _Page(NamedTuple):
    """Rows by upstream's symbol, how many there are on all pages, and which page this is."""

    rows: dict[str, "_Row | None"]
    total: int
    number: int


# Upstream's name of each field it can screen by.
_FIELDS: Mapping[str, str] = {
    **{name: name for name in ("pct", "dy_l", "pettm", "pelyr", "pb")},
    "market_cap": "mc",
    **{name: name for name in ("roediluted", "netprofit", "total_revenue", "tl")},
}
# Those of a report: the catalogue says what is of a period.
_REPORTED = frozenset(name for name in _FIELDS if CATALOGUE.screen_fields[name].grain == "period")


@dataclass(frozen=True, slots=True)
class _Row:
    """A company of the list and its cells by our field names."""

    symbol: Symbol
    name: str
    cells: Node


def can_screen(request: ScreenRequest) -> bool:
    """No industries (it speaks in codes of its own); no listing of everything by symbol.

    Reports of Hong Kong and New York are in currencies it does not name: not screened.
    """
    if request.industry is not None:
        return False
    named = [bound.field for bound in request.bounds]
    if request.order_by != "symbol":
        named.append(request.order_by)
    known = all(name in _FIELDS for name in named)
    reported = any(name in _REPORTED for name in named)
    return bool(named) and known and (request.market == "CN" or not reported)


def screen(client: XueqiuClient, request: ScreenRequest) -> tuple[Fetched, ...]:
    """The page of companies asked for, and how many there are, match, and have each field.

    Raises: UnavailableError when it cannot be exact (more matches than are read, a list that moved
    between pages, a ranking beyond those that have a value), ProviderError.
    """
    return _Screening(client, request).answer()


class _Screening:
    """One screen: its requests, and the bodies they came in."""

    def __init__(self, client: XueqiuClient, request: ScreenRequest) -> None:
        self._client = client
        self._request = request
        self._period = newest_filed(client.now.astimezone(BEIJING).date())
        self._bodies: list[Body] = []
        self._widest: dict[str, tuple[Decimal, Decimal]] = {}

    def answer(self) -> tuple[Fetched, ...]:
        request = self._request
        session = session_of(self._client, request.market)
        self._bodies.append(session.body)
        companies = self._count({})
        if companies == 0:
            raise ChangedError(NAME, _TABLE, "there is no company in the market")
        if request.bounds:
            matches, rows = self._find_matching()
        else:
            matches, rows = companies, self._read_ranking(companies)
        judged = {
            name: self._count({name: self._range(name, None)})
            for name in dict.fromkeys((*(b.field for b in request.bounds), request.order_by))
            if name != "symbol"
        }
        limits = [limit for bound in request.bounds for limit in bound.limits]
        counts = {
            "company_count": (companies, "data.count"),
            "match_count": (matches, _note_count(*limits)),
        }
        counts |= {
            f"judged_{name}": (n, _note_count(f"{name} given")) for name, n in judged.items()
        }
        whole = join_bodies(self._bodies, _TABLE)
        found = [
            Fact(
                symbol=request.market,
                metric=metric,
                value=count,
                unit="count",
                as_of=session.day,
                field=field,
            )
            for metric, (count, field) in counts.items()
        ]
        for row in rows:
            found += self._facts(row, session, whole)
        labels = {row.symbol.value: {"name": row.name} for row in rows}
        stamp = (whole.fetched_at, whole.sha256)
        return (Fetched(NAME, whole.table, once(found, whole), *stamp, labels),)

    def _find_matching(self) -> tuple[int, list[_Row]]:
        """How many satisfy every bound, and those of the page, ordered here."""
        request = self._request
        ranges = {bound.field: self._range(bound.field, bound) for bound in request.bounds}
        # In the order of a figure that stands still, so that pages do not overlap while trading.
        steady = "tl" if request.market == "CN" else "market_cap"
        rows, total, page = self._page(ranges, steady, 1)
        if total > MOST_ROWS:
            words = f"has {total} companies in these ranges, more than are read"
            raise NotCoveredError(NAME, _TABLE, words)
        while len(rows) < total and page * _PAGE < total:
            page += 1
            rows = self._page(ranges, steady, page)[0] | rows
        if len(rows) < total:
            raise _refuse_moved(len(rows), total)
        found = [row for row in rows.values() if row is not None]
        kept = [row for row in found if all(self._holds(row, b) for b in request.bounds)]
        ordered = self._order_rows(kept)
        return len(kept), ordered[request.offset : request.offset + request.size]

    def _read_ranking(self, companies: int) -> list[_Row]:
        """The page of a ranking of the whole market, as upstream orders it."""
        request, field = self._request, self._request.order_by
        end = request.offset + request.size
        ranges = {field: self._range(field, None)}
        first = request.offset // _PAGE
        rows, total, _ = self._page(ranges, field, first + 1)
        if total < min(end, companies):
            raise NotCoveredError(NAME, _TABLE, "ranks only those that have a value")
        for page in range(first + 2, -(-min(end, total) // _PAGE) + 1):
            rows |= self._page(ranges, field, page)[0]
        if first * _PAGE + len(rows) < min(end, total):
            raise _refuse_moved(first * _PAGE + len(rows), total)
        here = slice(request.offset - first * _PAGE, end - first * _PAGE)
        found = [row for row in list(rows.values())[here] if row is not None]
        values = [self._value(row, field) for row in found]
        known = [value for value in values if value is not None]
        if known != sorted(known, reverse=request.order == "desc") or len(known) != len(values):
            raise ChangedError(NAME, _TABLE, "is not in the order asked for")
        return self._order_rows(found)

    def _page(self, ranges: Mapping[str, str], order_by: str, page: int) -> _Page:
        """A page by upstream's symbols (None for those we cannot spell), and the total."""
        columns = {self._upstream(name): "" for name in self._columns()}
        filters = {self._upstream(name): text for name, text in ranges.items()}
        paging = {"page": page, "size": _PAGE, "only_count": 0}
        data, body = self._ask({"current": "", **columns, **filters, **paging}, order_by)
        rows: dict[str, _Row | None] = {}
        for row in rows_of(data, "list", body, ("symbol", "name", "current")):
            made = self._row(row, body)
            if rows.setdefault(str(row["symbol"]), made) != made:
                raise ChangedError(NAME, _TABLE, "gives a company twice, unequal")
        return _Page(rows, member(data, "count", body, int), page)

    def _count(self, ranges: Mapping[str, str]) -> int:
        filters = {self._upstream(name): text for name, text in ranges.items()}
        data, body = self._ask({**filters, "page": 1, "size": 1, "only_count": 1}, "pct")
        return member(data, "count", body, int)

    def _ask(self, params: Mapping[str, str | int], order_by: str) -> tuple[Node, Body]:
        common = {"category": self._request.market, "exchange": "", "areacode": "", "indcode": ""}
        order = {"order_by": self._upstream(order_by), "order": self._request.order}
        path = "/service/screener/screen"
        answer = self._client.ask("web", _TABLE, path, {**common, **order, **params})
        self._bodies.append(answer.body)
        return member(answer.document, "data", answer.body), answer.body

    def _range(self, name: str, bound: Bound | None) -> str:
        """`LOW_HIGH` for upstream: no narrower than the bound, else its own lowest and highest."""
        low = high = None
        if bound is not None:
            low = bound.above if bound.above is not None else bound.at_least
            high = bound.below
        lowest, highest = self._ends(name) if low is None or high is None else (_WIDEST, _WIDEST)
        first = _exact(low) if low is not None else min(lowest, _exact(high or 0) - 1)
        last = _exact(high) if high is not None else max(highest, first + 1)
        return f"{first:f}_{last:f}"

    def _ends(self, name: str) -> tuple[Decimal, Decimal]:
        if name not in self._widest:
            asked = {"category": self._request.market, "field": self._upstream(name)}
            path = "/service/screener/values"
            answer = self._client.ask("web", "screener/values", path, asked)
            self._widest[name] = _wider(answer.document)
        return self._widest[name]

    def _columns(self) -> list[str]:
        mainland = self._request.market == "CN"
        return [name for name in _FIELDS if mainland or name not in _REPORTED]

    def _upstream(self, name: str) -> str:
        return f"{_FIELDS[name]}.{self._suffix}" if name in _REPORTED else _FIELDS[name]

    @property
    def _suffix(self) -> str:
        return f"{self._period.end:%Y%m%d}"

    def _row(self, row: Node, body: Body) -> _Row | None:
        """The row by our names; None for a symbol we have no spelling for."""
        symbol = parse_listed(row["symbol"], self._request.market)
        if symbol is None:
            return None
        cells: Node = {"current": row["current"]}
        for name in self._columns():
            cells[self._upstream(name)] = _cell(row, _FIELDS[name], self._upstream(name), body)
        return _Row(symbol, plain(row["name"]), cells)

    def _value(self, row: _Row, name: str) -> Decimal | None:
        upstream = self._upstream(name)
        column = Column(upstream, SCREEN_FIELDS[name], "multiple")
        return number(row.cells, column, self._bodies[-1])

    def _holds(self, row: _Row, bound: Bound) -> bool:
        value = self._value(row, bound.field)
        if value is None:
            return False
        return (
            (bound.above is None or value > _exact(bound.above))
            and (bound.at_least is None or value >= _exact(bound.at_least))
            and (bound.below is None or value < _exact(bound.below))
        )

    def _order_rows(self, rows: Sequence[_Row]) -> list[_Row]:
        """By the value, missing ones last, ties by symbol."""
        request = self._request
        descending = request.order == "desc"
        by_symbol = sorted(rows, key=lambda row: row.symbol.value)
        if request.order_by == "symbol":
            return by_symbol[::-1] if descending else by_symbol
        pairs = [(self._value(row, request.order_by), row) for row in by_symbol]
        known = [(value, row) for value, row in pairs if value is not None]
        known.sort(key=lambda pair: pair[0], reverse=descending)
        return [row for _, row in known] + [row for value, row in pairs if value is None]

    def _facts(self, row: _Row, session: QuoteSession, body: Body) -> list[Fact]:
        money = row.symbol.currency
        made = facts(
            row.cells,
            (Column("current", session.price, money),),
            body,
            symbol=row.symbol.value,
            as_of=session.day,
            note=read_list_time(self._client, self._request.market),
        )
        for name in self._columns():
            reported, measure = name in _REPORTED, CATALOGUE.screen_fields[name].unit
            if name == "market_cap" and row.symbol.board == "b_share":
                continue  # in which currency is not said
            unit = measure if measure != "money" else "CNY" if reported else money
            made += facts(
                row.cells,
                (Column(self._upstream(name), SCREEN_FIELDS[name], unit),),
                body,
                symbol=row.symbol.value,
                as_of=self._period.end if reported else session.day,
                period=str(self._period) if reported else None,
                note=_note(name, row, self._upstream(name), reported=reported),
            )
        return made


def _cell(row: Node, plain_name: str, name: str, body: Body) -> Any:
    """The cell under its full name, under the plain one, or by period within that one."""
    if name in row:
        return row[name]
    if plain_name not in row:
        raise ChangedError(NAME, body.table, f"no column {name}")
    cell = row[plain_name]
    return cell.get(name.partition(".")[2]) if isinstance(cell, dict) else cell


def _note(name: str, row: _Row, upstream: str, *, reported: bool) -> str | None:
    if reported:
        return _NOTES.get(name)
    cell = row.cells[upstream]
    is_loss = name in {"pettm", "pelyr"} and isinstance(cell, int | Decimal) and cell < 0
    return "负值：亏损" if is_loss else None


def _refuse_moved(found: int, total: int) -> UnavailableError:
    words = f"gave {found} of {total} companies: the list moved between pages"
    return NotCoveredError(NAME, _TABLE, words)


def _wider(document: object) -> tuple[Decimal, Decimal]:
    """A little more than the lowest and highest the page gives; all there is where it does not."""
    data = document.get("data") if isinstance(document, dict) else None
    ends = [data.get(name) if isinstance(data, dict) else None for name in ("min", "max")]
    known = [Decimal(end) for end in ends if isinstance(end, int | Decimal)]
    if len(known) != 2 or known[0] > known[1]:
        return -_WIDEST, _WIDEST
    margin = (known[1] - known[0]) / 100 + 1
    return known[0] - margin, known[1] + margin


def _exact(bound: float) -> Decimal:
    """The bound as it was written: 0.1 is 0.1."""
    return Decimal(str(bound))


def _note_count(*limits: str) -> str:
    """Where a count comes from: the source's own, of a request with these limits."""
    return f"data.count ({', '.join(limits)})" if limits else "data.count"
