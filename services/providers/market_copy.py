"""The local copy of whole markets, a provider like any other: figures as upstream gave them.

Each keeps the source, table, instant and hash of the fetch that brought it; only who answered
(`served_by`) is the copy. Before a screen the copy is brought up to date.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from hashlib import sha256

from duckdb import DuckDBPyConnection

from services.core.errors import (
    NoDataError,
    NotCoveredError,
)
from services.core.members import Members, scope_symbol
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    PeersRequest,
    PointsRequest,
    ScreenRequest,
    SummaryRequest,
)
from services.core.symbols import Market, Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.market_facts import SUMMED, members_of, summary_members
from services.providers.provider_context import Kit
from services.store import copy_answers
from services.store.copy_answers import Copied, CopiedFact, Origin
from services.store.market_copy import MarketCopy
from services.store.points import periods_of
from services.store.screen_sql import MemberRows, list_judged_fields

NAME = "market_copy"
# What the screening figures are, or are derived from.
_SCREEN_METRICS = frozenset(
    {"market_cap", "total_shares", "pe_ttm", "pe_lyr", "pb", "ps_ttm", "pct_change", "dy_l", "dps"}
    | {"total_liabilities", "net_profit", "equity", "revenue", "total_revenue", "roe"}
    | {"close", "current_price"}
)
_MARKET_NAMES = {"CN": "沪深京", "HK": "港股", "US": "美股"}
# What the sum of a market is not, as its source counts market values.
_SUM_NOTES = {
    "CN": "仅合计来源给出总市值的公司；A+H 公司以全部股本计",
    "HK": "以全部股本计市值：A+H 公司含 A 股部分，不是港股市场总市值",
    "US": "仅合计来源给出总市值的公司",
}
_NOTES = {
    "loss_count": "市盈率(TTM)为负、为零或来源未给出",
    **dict.fromkeys(("pe_ttm_median", "pe_lyr_median", "pb_median"), "仅计为正的公司"),
}


class MarketCopyProvider:
    """Answers for a whole market at once, and with bars it holds complete."""

    name = NAME
    capabilities = frozenset({"screen", "points", "summary", "peers", "daily_bars"})

    def __init__(self, kit: Kit) -> None:
        """Without a copy in the kit it covers nothing."""
        self._copy = kit.copy
        self._clock = kit.clock
        self._refresh = kit.refresh

    def covers(self, request: FetchRequest) -> bool:
        """Any market; bars only when it holds them from the first day asked to the last close."""
        if self._copy is None:
            return False
        if isinstance(request, BarsRequest):
            return self._copy.holds_bars(request.symbol, request.start, self._clock.now())
        return request.capability in self.capabilities

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """See Provider.fetch. Raises: NoDataError, and ProviderError when nothing was ever copied
        and no source can be reached.
        """
        match request:
            case ScreenRequest():
                return self._aged(request.market, self._screen(request))
            case PointsRequest():
                return self._aged(request.market, self._points(request))
            case SummaryRequest():
                return self._aged(request.market, self._summary(request))
            case PeersRequest():
                return self._aged(Symbol(request.symbol).market, self._peers(request))
            case BarsRequest():
                return self._bars(request)
            case _:
                raise NotCoveredError(NAME, request.capability, "no such thing in the copy")

    def _aged(self, market: Market, parts: tuple[Fetched, ...]) -> tuple[Fetched, ...]:
        """The parts, marked as old when the list they rest on could not be renewed."""
        mark = self._copy.mark(f"{market}:universe") if self._copy else None
        if mark is None or self._clock.now() < mark.good_until:
            return parts
        return tuple(replace(part, stale=True) for part in parts)

    def _screen(self, request: ScreenRequest) -> tuple[Fetched, ...]:
        copy = self._current(request.market, "screen")
        with copy.open_reading() as cursor:
            found = copy_answers.screen(cursor, request)
            listed = copy_answers.members(cursor, request.market, list_judged_fields(request))
            main = copy_answers.main_fetch(cursor, request.market)
            origins = copy_answers.origins(cursor, [main, *_fetch_ids(found.known)])
        scope = scope_symbol(request.market, request.industry)
        if found.companies == 0:
            _require_industries(copy, request.market, "screen")
            raise NoDataError(
                f"screen {scope}", Text("这个市场没有这个行业", "no such industry in this market")
            )
        unjudged = [bound.field for bound in request.bounds if found.judged[bound.field] == 0]
        if unjudged:
            fields = "、".join(unjudged)
            why = Text(
                f"来源没有{_MARKET_NAMES[request.market]}的 {fields}",
                f"the source gives no {', '.join(unjudged)} of {request.market}",
            )
            raise NoDataError(f"screen {scope}", why)
        day = found.valued_on or origins[main].fetched_at.date()
        shown = [row for row in _facts(found.known) if row.fact.metric in _SCREEN_METRICS]
        shown.sort(key=lambda row: row.fetch_id != main)
        parts = _parts(shown, origins, _labels(found.known))
        if not shown or shown[0].fetch_id != main:
            parts = (_part(origins[main], (), _labels(found.known)), *parts)
        return (replace(parts[0], members=_members(request.market, listed, day)), *parts[1:])

    def _points(self, request: PointsRequest) -> tuple[Fetched, ...]:
        copy, today = self._current(request.market, "points"), self._clock.now().date()
        market, columns = request.market, request.columns
        with copy.open_reading() as cursor:
            main = copy_answers.main_fetch(cursor, market)
            if request.symbols:
                return self._list_facts(cursor, request, main, today)
            listed = copy_answers.points(cursor, market, columns, today)
            day = copy_answers.find_valuation_day(cursor, market)
            origin = copy_answers.origins(cursor, [main])[main]
        members = _members(market, listed, day or origin.fetched_at.date())
        return (replace(_part(origin, (), {}), members=members),)

    def _list_facts(
        self, cursor: DuckDBPyConnection, request: PointsRequest, main: str, today: date
    ) -> tuple[Fetched, ...]:
        """The facts of these companies: of the reports named, or else the newest."""
        periods = periods_of(request.columns)
        found = copy_answers.find_companies(cursor, request.market, request.symbols)
        rows = _facts(found)
        if periods:
            rows = copy_answers.of_periods(cursor, request.symbols, periods, today)
        if not rows:
            none = Text("来源没有这些公司的数据", "the source has no figures of these companies")
            raise NoDataError(f"points {request.market}", none)
        origins = copy_answers.origins(cursor, list(dict.fromkeys(row.fetch_id for row in rows)))
        rows.sort(key=lambda row: row.fetch_id != main)
        return _parts(rows, origins, _labels(found))

    def _summary(self, request: SummaryRequest) -> tuple[Fetched, ...]:
        with self._current(request.market, "summary").open_reading() as cursor:
            listed = copy_answers.members(cursor, request.market, SUMMED)
            day = copy_answers.find_valuation_day(cursor, request.market)
            main = copy_answers.main_fetch(cursor, request.market)
            origin = copy_answers.origins(cursor, [main])[main]
        valued = day or origin.fetched_at.date()
        members = _members(request.market, listed, valued, summary_members)
        return (replace(_part(origin, (), {}), members=members),)

    def _peers(self, request: PeersRequest) -> tuple[Fetched, ...]:
        symbol = Symbol(request.symbol)
        what = f"peers {symbol}"
        if symbol.is_index:
            raise NoDataError(what, Text("指数没有公司数据", "an index has no company figures"))
        copy = self._current(symbol.market, "peers")
        with copy.open_reading() as cursor:
            about = copy_answers.company(cursor, symbol.market, symbol.value)
            if about is None:
                raise NoDataError(
                    what, Text("市场列表里没有这个代码", "no such symbol in the list of its market")
                )
            if about.industry is None:
                _require_industries(copy, symbol.market, "peers")
                raise NoDataError(what, Text("来源没有它的行业", "its industry is not given"))
            found = copy_answers.peers(cursor, about, request.size)
            main = copy_answers.main_fetch(cursor, symbol.market)
            origins = copy_answers.origins(cursor, [main, *_fetch_ids(found)])
        rows = _facts(found)
        if not rows:
            raise NoDataError(what, Text("来源没有它和同行的估值", "no figures of it or its peers"))
        rows.sort(key=lambda row: row.fetch_id != main)
        return _parts(rows, origins, _labels(found))

    def _bars(self, request: BarsRequest) -> tuple[Fetched, ...]:
        if not self.covers(request) or self._copy is None:
            raise NotCoveredError(NAME, "daily_bars", "holds no complete bars of this symbol")
        with self._copy.open_reading() as cursor:
            rows = copy_answers.bars(cursor, request.symbol, request.start, request.end)
            origins = copy_answers.origins(cursor, list(dict.fromkeys(r.fetch_id for r in rows)))
        if not rows:
            raise NoDataError(
                f"daily_bars {request.symbol}",
                Text("这段日期内没有成交", "no trading within these dates"),
            )
        return _series(rows, origins)

    def _current(self, market: Market, table: str) -> MarketCopy:
        """The copy, brought up to date; its age shows in what it says when that failed."""
        if self._copy is None:
            raise NotCoveredError(NAME, table, "there is no copy of a market here")
        self._refresh(market)
        mark = self._copy.mark(f"{market}:universe")
        if mark is None or mark.done_at > self._clock.now():
            raise NotCoveredError(NAME, table, "there is no copy of this market yet")
        return self._copy


def _members(
    market: Market, listed: MemberRows, day: date, make: Callable[..., Members] = members_of
) -> Members:
    notes = {"market_cap_sum": _SUM_NOTES[market], **_NOTES}
    return make(market, listed, day, loss_column="pettm", notes=notes)


def _require_industries(copy: MarketCopy, market: Market, table: str) -> None:
    """A list that names no industry at all says nothing of any.

    Raises: NotCoveredError: the source that names them failed, and another gave the list.
    """
    if not copy.industries(market):
        words = "the list of this market came from a source that names no industries"
        raise NotCoveredError(NAME, table, words)


def _facts(found: Sequence[Copied]) -> list[CopiedFact]:
    return [row for one in found for row in one.facts]


def _fetch_ids(found: Sequence[Copied]) -> list[str]:
    return list(dict.fromkeys(row.fetch_id for row in _facts(found)))


def _labels(found: Sequence[Copied]) -> dict[str, dict[str, str]]:
    return {one.company.symbol: one.company.labels for one in found}


def _parts(
    rows: Iterable[CopiedFact],
    origins: Mapping[str, Origin],
    labels: Mapping[str, dict[str, str]],
) -> tuple[Fetched, ...]:
    """One part a fetch, the first one's first; it has every label, the others their own."""
    by_fetch: dict[str, list[Fact]] = {}
    for row in rows:
        by_fetch.setdefault(row.fetch_id, []).append(row.fact)
    parts: list[Fetched] = []
    for fetch_id, facts in by_fetch.items():
        own = {fact.symbol: labels[fact.symbol] for fact in facts if fact.symbol in labels}
        parts.append(_part(origins[fetch_id], facts, own if parts else labels))
    return tuple(parts)


def _series(rows: Sequence[CopiedFact], origins: Mapping[str, Origin]) -> tuple[Fetched, ...]:
    """One part a source table: a series is one, however many fetches it grew from.

    Its instant is the newest one's, at which the bars before were found unchanged; its hash is of
    the hashes of all.
    """
    grouped: dict[tuple[str, str], dict[str, list[Fact]]] = {}
    for row in rows:
        origin = origins[row.fetch_id]
        by_fetch = grouped.setdefault((origin.source, origin.table), {})
        by_fetch.setdefault(row.fetch_id, []).append(row.fact)
    parts: list[Fetched] = []
    for by_fetch in grouped.values():
        used = [origins[fetch_id] for fetch_id in by_fetch]
        newest = max(used, key=lambda origin: origin.fetched_at)
        if len(used) > 1:
            joined = "".join(origin.body_sha256 for origin in used)
            newest = newest._replace(body_sha256=sha256(joined.encode()).hexdigest())
        facts = sorted((fact for found in by_fetch.values() for fact in found), key=_day)
        parts.append(_part(newest, facts, {}))
    return tuple(parts)


def _day(fact: Fact) -> date:
    return fact.as_of


def _part(origin: Origin, facts: Sequence[Fact], labels: Mapping[str, dict[str, str]]) -> Fetched:
    return Fetched(
        source=origin.source,
        table=origin.table,
        rows=tuple(facts),
        fetched_at=origin.fetched_at,
        body_sha256=origin.body_sha256,
        labels=labels,
    )
