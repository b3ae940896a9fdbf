"""Longbridge: prices, multiples, bars, estimates and headlines of three markets; an optional extra.

Needs the package (`pip install longbridge==5.3.0`) and three keys. Figures of a report (earnings
and book value per share) are in the report's currency, which is told for nobody: they are given
for mainland companies only, whose report is in yuan. `dividend_yield` of static-info is an amount
per share; the yield is `dividend_ratio_ttm`.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from urllib.parse import quote

from services.core.errors import (
    ChangedError,
    NoDataError,
    NotCoveredError,
)
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    ForecastRequest,
    NewsRequest,
    SpotRequest,
    ValuationRequest,
)
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact, Item
from services.core.units import CURRENCIES
from services.providers.base import Fetched
from services.providers.found_texts import newest_first, public_at
from services.providers.http import Body
from services.providers.joining import join_bodies
from services.providers.longbridge.estimates import consensus, per_share
from services.providers.longbridge.wire import NAME, Call, ask, seconds, spell_symbol
from services.providers.provider_context import Kit
from services.providers.reading import (
    Column,
    Node,
    facts,
    json_of,
    link,
    member,
    not_later,
    once,
    plain,
    rows_of,
)
from services.providers.sessions import ZONES, last_complete

_PE_TTM, _PB, _DIVIDEND_RATIO_TTM, _MARKET_VALUE = 12, 13, 14, 8
_DAY, _FORWARD = 1000, 1
_BY_DATE = 2
# One answer holds at most a thousand bars: three years are some 760 sessions.
_MOST_BARS = 1000
_SPAN = timedelta(days=3 * 365)
_STATUS_NAMES: Mapping[int, str] = {1: "停牌", 2: "已退市", 3: "熔断", 10: "停牌"}


_ADJUSTED = "前复权，每次除权后整段重算"
_SHARES = (
    Column("total_shares", "total_shares", "shares", zero_is_missing=True),
    Column("circulating_shares", "float_shares", "shares", zero_is_missing=True),
)
_REPORTED = (
    Column("eps_ttm", "eps_ttm", "CNY/share", texts=True),
    Column("bps", "bps", "CNY/share", zero_is_missing=True, texts=True),
)
_NO_PERIOD = "来源未给出报告期"


class LongbridgeProvider:
    """Answers about stocks of Shanghai, Shenzhen, Hong Kong and the United States."""

    name = NAME
    capabilities = frozenset({"spot", "valuation", "daily_bars", "forecast", "news"})

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def covers(self, request: FetchRequest) -> bool:
        """Stocks it lists: no index, nothing of Beijing, no news without a symbol."""
        symbol = getattr(request, "symbol", None)
        if request.capability not in self.capabilities or not symbol:
            return False
        parsed = Symbol(symbol)
        return not parsed.is_index and parsed.exchange != "BJ"

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """See Provider.fetch. Raises: NoDataError, ProviderError."""
        match request:
            case SpotRequest():
                return self._spot(Symbol(request.symbol))
            case ValuationRequest():
                return self._valuation(Symbol(request.symbol))
            case BarsRequest():
                return self._bars(request)
            case ForecastRequest():
                return self._forecast(Symbol(request.symbol))
            case NewsRequest() if request.symbol:
                return self._news(request, Symbol(request.symbol))
            case _:
                raise NotCoveredError(self.name, request.capability, "does not answer this")

    def _spot(self, symbol: Symbol) -> tuple[Fetched, ...]:
        told, listed = ask(self._kit, [_quotes(symbol), _static(symbol)])
        currency, labels = _identity(listed, symbol, "spot")
        made: list[Fact] = []
        for row in _own(told, "secu_quote", symbol, "spot"):
            status = member(row, "trade_status", told, int)
            made += facts(
                row,
                _quote_columns(currency),
                told,
                symbol=symbol.value,
                as_of=self._day(row, told, symbol),
                note=_STATUS_NAMES.get(status, f"交易状态 {status}") if status else None,
            )
        if not any(fact.metric == "current_price" for fact in made):
            raise NotCoveredError(NAME, told.table, "gives no price")
        return (_part(told, made, labels),)

    def _valuation(self, symbol: Symbol) -> tuple[Fetched, ...]:
        indexes = [_PE_TTM, _PB, _DIVIDEND_RATIO_TTM, _MARKET_VALUE]
        wanted = {"calc_index": indexes, "symbols": [spell_symbol(symbol)]}
        calls = [
            Call("calc-indexes", "/quote/calc-indexes", wanted),
            _static(symbol),
            _quotes(symbol),
        ]
        told, listed, priced = ask(self._kit, calls)
        currency, labels = _identity(listed, symbol, "valuation")
        day = max(
            self._day(row, priced, symbol)
            for row in _own(priced, "secu_quote", symbol, "valuation")
        )
        made: list[Fact] = []
        for row in _own(told, "security_calc_index", symbol, "valuation"):
            made += facts(row, _index_columns(currency), told, symbol=symbol.value, as_of=day)
        shares: list[Fact] = []
        for row in _own(listed, "secu_static_info", symbol, "valuation"):
            shares += facts(row, _SHARES, listed, symbol=symbol.value, as_of=day)
            if (symbol.market, currency) == ("CN", "CNY"):
                shares += facts(
                    row, _REPORTED, listed, symbol=symbol.value, as_of=day, note=_NO_PERIOD
                )
        if not made:
            raise NotCoveredError(NAME, told.table, "gives no multiple and no market value")
        return (_part(told, made, labels), _part(listed, shares, labels))

    def _bars(self, request: BarsRequest) -> tuple[Fetched, ...]:
        symbol = Symbol(request.symbol)
        latest = last_complete(symbol.market, self._kit.clock.now())
        end = min(request.end or latest, latest)
        calls = [*_bar_calls(symbol, request.start, end), _static(symbol)]
        *bodies, listed = ask(self._kit, calls)
        currency, labels = _identity(listed, symbol, "daily_bars")
        body = join_bodies(bodies)
        by_day: dict[date, list[Fact]] = {}
        for each in bodies:
            for row in self._bar_rows(each, symbol):
                day = self._day(row, each, symbol)
                if (request.start or date.min) <= day <= end and row["volume"] != 0:
                    by_day.setdefault(day, []).extend(_bar(row, each, symbol, currency, day))
        if not by_day:
            why = Text("这段日期内没有成交", "no trading within these dates")
            raise NoDataError(f"daily_bars {symbol}", why)
        made = [fact for day in sorted(by_day) for fact in by_day[day]]
        if not any(fact.metric == "close" for fact in made):
            raise ChangedError(NAME, body.table, "no bar has a close")
        return (_part(body, made, labels),)

    def _bar_rows(self, body: Body, symbol: Symbol) -> list[Node]:
        document = json_of(body)
        if member(document, "symbol", body, str) != spell_symbol(symbol):
            raise ChangedError(NAME, body.table, "answers about another symbol")
        return rows_of(document, "candlesticks", body, ("timestamp", "volume"))

    def _forecast(self, symbol: Symbol) -> tuple[Fetched, ...]:
        """What institutions expect: of years by name, and earnings per share of a window."""
        asked = f"?symbol={quote(spell_symbol(symbol))}"
        told, windows = ask(
            self._kit,
            [
                Call("financial-consensus-detail", f"/v1/quote/financial-consensus-detail{asked}"),
                Call("forecast-eps", f"/v1/quote/forecast-eps{asked}"),
            ],
        )
        today = self._kit.clock.now().astimezone(ZONES[symbol.market]).date()
        yearly = consensus(told, symbol, today)
        rolling = per_share(windows, symbol, today) if symbol.currency == "CNY" else []
        parts = [
            _part(body, made, {}) for body, made in ((told, yearly), (windows, rolling)) if made
        ]
        if not parts:
            why = Text("没有机构对未来年度的预测", "no estimates of the coming years")
            raise NoDataError(f"forecast {symbol}", why)
        return tuple(parts)

    def _news(self, request: NewsRequest, symbol: Symbol) -> tuple[Fetched, ...]:
        path = f"/v1/content/{quote(spell_symbol(symbol))}/news"
        (body,) = ask(self._kit, [Call("content/news", path)])
        rows = rows_of(json_of(body), "items", body, ("id", "title", "url", "published_at"))
        items = [_headline(row, body, symbol) for row in rows]
        known = public_at(self._kit.clock.now(), items, body)
        found = newest_first(known)[: request.size]
        if not found:
            raise NoDataError(f"news {symbol}", Text("没有它的新闻", "no news of it"))
        return (Fetched(NAME, body.table, (), body.fetched_at, body.sha256, items=tuple(found)),)

    def _day(self, row: Node, body: Body, symbol: Symbol) -> date:
        """The session a row is of, by the exchange's own day; never a later one than today."""
        at = seconds(row.get("timestamp"), body, "timestamp")
        if at is None:
            raise ChangedError(NAME, body.table, "timestamp is empty")
        zone = ZONES[symbol.market]
        return not_later(at.astimezone(zone).date(), self._kit.clock.now(), zone, body, "timestamp")


def _quotes(symbol: Symbol) -> Call:
    return Call("quotes", "/quote/quotes", {"symbol": [spell_symbol(symbol)]})


def _static(symbol: Symbol) -> Call:
    return Call("static-info", "/quote/static-info", {"symbol": [spell_symbol(symbol)]})


def _bar_calls(symbol: Symbol, start: date | None, end: date) -> list[Call]:
    """By windows of three years; without a start, the newest thousand."""
    common: dict[str, object] = {
        "symbol": spell_symbol(symbol),
        "period": _DAY,
        "adjust_type": _FORWARD,
        "trade_session": 0,
    }
    if start is None:
        return [Call("candlesticks", "/quote/candlesticks", {**common, "count": _MOST_BARS})]
    calls: list[Call] = []
    while start <= end:
        last = min(start + _SPAN, end)
        days = {"start_date": f"{start:%Y%m%d}", "end_date": f"{last:%Y%m%d}"}
        asked = {**common, "query_type": _BY_DATE, "date_request": days}
        calls.append(Call("history-candlesticks", "/quote/history-candlesticks", asked))
        start = last + timedelta(days=1)
    if not calls:
        raise NoDataError(
            f"daily_bars {symbol}", Text("这段日期还没有交易", "these days are to come")
        )
    return calls


def _own(body: Body, path: str, symbol: Symbol, capability: str) -> list[Node]:
    """The rows of that symbol. Raises: NoDataError when it is not known there, ChangedError."""
    rows = rows_of(json_of(body), path, body, ("symbol",))
    if not rows:
        raise NoDataError(
            f"{capability} {symbol}",
            Text("Longbridge 没有这个代码", "no such symbol at Longbridge"),
        )
    if any(row["symbol"] != spell_symbol(symbol) for row in rows):
        raise ChangedError(NAME, body.table, "answers about another symbol")
    return rows


def _identity(body: Body, symbol: Symbol, capability: str) -> tuple[str, dict[str, dict[str, str]]]:
    """The currency it trades in, and its name."""
    row = _own(body, "secu_static_info", symbol, capability)[0]
    currency = member(row, "currency", body, str)
    if currency not in CURRENCIES:
        raise ChangedError(NAME, body.table, "the currency is none we know")
    name = plain(row.get("name_cn"), 100) or plain(row.get("name_en"), 100)
    return currency, {symbol.value: {"name": name}} if name else {}


def _price_columns(currency: str, last: str, metric: str) -> tuple[Column, ...]:
    return (
        Column(last, metric, currency, zero_is_missing=True, texts=True),
        Column("open", "open", currency, zero_is_missing=True, texts=True),
        Column("high", "high", currency, zero_is_missing=True, texts=True),
        Column("low", "low", currency, zero_is_missing=True, texts=True),
    )


def _list_traded_columns(currency: str) -> tuple[Column, ...]:
    return (
        Column("volume", "volume", "shares"),
        Column("turnover", "amount", currency, texts=True),
    )


def _quote_columns(currency: str) -> tuple[Column, ...]:
    previous = Column("prev_close", "previous_close", currency, zero_is_missing=True, texts=True)
    prices = _price_columns(currency, "last_done", "current_price")
    return (*prices, previous, *_list_traded_columns(currency))


def _bar(row: Node, body: Body, symbol: Symbol, currency: str, day: date) -> list[Fact]:
    """Prices adjusted, and marked so; what was traded as it was."""
    prices = _price_columns(currency, "close", "close")
    found = facts(row, prices, body, symbol=symbol.value, as_of=day, note=_ADJUSTED)
    return found + facts(row, _list_traded_columns(currency), body, symbol=symbol.value, as_of=day)


def _index_columns(currency: str) -> tuple[Column, ...]:
    return (
        Column("pe_ttm_ratio", "pe_ttm", "multiple", zero_is_missing=True, texts=True),
        Column("pb_ratio", "pb", "multiple", zero_is_missing=True, texts=True),
        Column("dividend_ratio_ttm", "dy_l", "percent", texts=True),
        Column("total_market_value", "market_cap", currency, zero_is_missing=True, texts=True),
    )


def _headline(row: Node, body: Body, symbol: Symbol) -> Item:
    return Item(
        item_id=f"news:longbridge-{row['id']}",
        kind="news",
        symbol=symbol.value,
        title=plain(row["title"], 300),
        text=plain(row.get("description")),
        url=link(row["url"]),
        origin="Longbridge",
        published_at=seconds(row["published_at"], body, "published_at"),
    )


def _part(body: Body, made: Sequence[Fact], labels: dict[str, dict[str, str]]) -> Fetched:
    return Fetched(
        source=NAME,
        table=body.table,
        rows=once(made, body),
        fetched_at=body.fetched_at,
        body_sha256=body.sha256,
        labels=labels,
    )
