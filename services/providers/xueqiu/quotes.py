"""Xueqiu's prices: the moment (without a token) and the valuation.

Volumes are shares, amounts and market values plain currency, percentages percent numbers, times
milliseconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from services.core.errors import (
    ChangedError,
    NoDataError,
    NotCoveredError,
)
from services.core.requests import SpotRequest, ValuationRequest
from services.core.source_marks import join_notes
from services.core.symbols import Market, Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.core.units import CURRENCIES
from services.providers.base import Fetched
from services.providers.http import Body
from services.providers.reading import (
    Column,
    Node,
    facts,
    member,
    number,
    once,
    plain,
    require,
    rows_of,
)
from services.providers.sessions import ZONES, last_complete
from services.providers.xueqiu.client import (
    NAME,
    XueqiuClient,
    read_list,
    read_past_instant,
    spell_symbol,
)

# From this day on trades at the fixed price after the close exist on the mainland.
_FIXED_PRICE_FROM = date(2026, 7, 6)
_FIXED_PRICE = "来源未说明是否含盘后固定价格成交"
DELAYED = "港股行情可能延时至少 15 分钟"
_TAGGED_DELAYED = "来源标明为延时行情"
_SPOT_TIME = "timestamp"
_SPOT_COLUMNS = ("symbol", _SPOT_TIME, "current")
# Whose quote tells of which session a list without times is.
_TIMEKEEPERS: Mapping[Market, str] = {"CN": "000001.SH", "HK": "00700.HK", "US": "AAPL"}


@dataclass(frozen=True, slots=True)
class QuoteSession:
    """The session a market's prices are of: its day, whether it is over, and the proof."""

    day: date
    is_over: bool
    body: Body

    @property
    def price(self) -> str:
        """What its last price is: a close only after the close."""
        return "close" if self.is_over else "current_price"


def spot(client: XueqiuClient, request: SpotRequest) -> tuple[Fetched, ...]:
    """The last trade with the day's range; needs no token.

    Raises: NoDataError (unknown symbol, or not traded today), ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    row, body = _light_quote(client, symbol)
    price = number(row, Column("current", "current_price", "CNY"), body)
    volume = number(row, Column("volume", "volume", "shares"), body)
    if price is None or row[_SPOT_TIME] is None or (not symbol.is_index and not volume):
        raise NoDataError(
            f"spot {symbol}",
            Text("今日没有成交（停牌或尚未开盘）", "no trade today (suspended or not open)"),
        )
    zone = ZONES[symbol.market]
    local = read_past_instant(row[_SPOT_TIME], client.now, body, _SPOT_TIME).astimezone(zone)
    unit = "points" if symbol.is_index else symbol.currency
    note = join_notes(
        f"报价时间 {local:%Y-%m-%d %H:%M:%S}（当地）",
        DELAYED if symbol.market == "HK" else None,
    )
    columns = (Column("current", "current_price", unit), *_day_columns(unit, symbol.currency))
    found = facts(row, columns, body, symbol=symbol.value, as_of=local.date(), note=note)
    found += volume_facts(symbol, row, body, on=local.date(), note=note)
    return (part(once(found, body), body),)


def session_of(client: XueqiuClient, market: Market) -> QuoteSession:
    """The session the market's lists are of, as its index or best known share was quoted last.

    Raises: ChangedError when that quote has no time, UnavailableError when there is none.
    """
    symbol = Symbol(_TIMEKEEPERS[market])
    try:
        row, body = _light_quote(client, symbol)
    except NoDataError as error:
        words = f"has no quote of {symbol}, which tells the session"
        raise NotCoveredError(NAME, "quotec.json", words) from error
    at = read_past_instant(row[_SPOT_TIME], client.now, body, _SPOT_TIME)
    day = at.astimezone(ZONES[market]).date()
    return QuoteSession(day, day <= last_complete(market, client.now), body)


def valuation(client: XueqiuClient, request: ValuationRequest) -> tuple[Fetched, ...]:
    """The full quote: price, multiples, market value and shares of its own day.

    Raises: NoDataError (unknown symbol, nothing in the quote), ProviderError.
    """
    return (full_quote(client, Symbol.parse(request.symbol), "valuation"),)


def full_quote(client: XueqiuClient, symbol: Symbol, capability: str) -> Fetched:
    """See `valuation`; `capability` is named when there is nothing. Indexes have a price only."""
    asked = {"symbol": spell_symbol(symbol), "extend": "detail"}
    answer = client.ask("stock", "quote.json", "/v5/stock/quote.json", asked)
    data, body = member(answer.document, "data", answer.body), answer.body
    quote = data.get("quote")
    if quote is None:
        raise NoDataError(
            f"{capability} {symbol}", Text("雪球没有这个代码", "Xueqiu has no such symbol")
        )
    quote = member(data, "quote", body)
    columns = ("symbol", "currency", "timestamp", "current", "volume")
    require(quote, columns, body)
    _same(quote, symbol, body)
    if quote["timestamp"] is None:
        raise NoDataError(
            f"{capability} {symbol}", Text("雪球没有它的报价", "Xueqiu has no quote of it")
        )
    at = read_past_instant(quote["timestamp"], client.now, body, "timestamp")
    on = at.astimezone(ZONES[symbol.market]).date()
    delayed = (data.get("market") or {}).get("delay_tag") == 1
    rows = _quote_facts(client, symbol, quote, body, on=on, delayed=delayed)
    if not rows:
        raise NoDataError(
            f"{capability} {symbol}", Text("雪球的报价是空的", "Xueqiu's quote is empty")
        )
    return part(rows, body, {symbol.value: {"name": plain(quote.get("name"))}})


def currency_of(cell: object, body: Body) -> str:
    """A currency we have a unit for. Raises: ChangedError."""
    if cell not in CURRENCIES:
        raise ChangedError(NAME, body.table, "is in a currency we do not know")
    return str(cell)


def _light_quote(client: XueqiuClient, symbol: Symbol) -> tuple[Node, Body]:
    path, asked = "/v5/stock/realtime/quotec.json", {"symbol": spell_symbol(symbol)}
    answer = client.ask("stock", "quotec.json", path, asked, with_token=False)
    rows = rows_of(read_list(answer, "data"), "", answer.body, _SPOT_COLUMNS)
    if not rows:
        raise NoDataError(f"spot {symbol}", Text("雪球没有这个代码", "Xueqiu has no such symbol"))
    _same(rows[0], symbol, answer.body)
    if any(row != rows[0] for row in rows):
        raise ChangedError(NAME, answer.body.table, "gives the same symbol twice, unequal")
    return rows[0], answer.body


def _quote_facts(
    client: XueqiuClient, symbol: Symbol, quote: Node, body: Body, *, on: date, delayed: bool
) -> tuple[Fact, ...]:
    unit = "points" if symbol.is_index else currency_of(quote["currency"], body)
    price = "close" if on <= last_complete(symbol.market, client.now) else "current_price"
    idle = not symbol.is_index and not number(quote, Column("volume", "volume", "shares"), body)
    note = _TAGGED_DELAYED if delayed else None
    carried = "当日没有成交，价格沿用此前" if idle else None
    here = {"symbol": symbol.value, "as_of": on}
    limits = [Column(name, name, unit) for name in ("limit_up", "limit_down") if name in quote]
    columns = (Column("current", price, unit), *_day_columns(unit, symbol.currency), *limits)
    found = facts(quote, columns, body, **here, note=join_notes(note, carried))
    found += volume_facts(symbol, quote, body, on=on, note=note)
    if symbol.is_index:
        return once(found, body)
    sizes = (
        Column("market_capital", "market_cap", unit, zero_is_missing=True),
        Column("total_shares", "total_shares", "shares", zero_is_missing=True),
        Column("float_shares", "float_shares", "shares", zero_is_missing=True),
        Column("pb", "pb", "multiple"),
    )
    found += facts(quote, sizes, body, **here, note=note)
    # `pe_forecast` is 动态, the newest quarter made a year: never pe_ttm. `eps` is trailing.
    for field, metric in (("pe_ttm", "pe_ttm"), ("pe_lyr", "pe_lyr")):
        found += earnings_multiple(quote, Column(field, metric, "multiple"), body, here, note)
    yielded = Column("dividend_yield", "dy_l", "percent")
    found += facts(quote, (yielded,), body, **here, note=join_notes(note, "近十二个月派息(TTM)"))
    if symbol.market == "CN" and symbol.board != "b_share":
        # Elsewhere its currency is the reports', which the quote does not say.
        found += facts(quote, (Column("navps", "bps", "CNY/share"),), body, **here, note=note)
    return once(found, body)


def earnings_multiple(
    row: Node, column: Column, body: Body, here: Mapping[str, Any], note: str | None
) -> list[Fact]:
    """A P/E; below zero it is what the source writes for a loss."""
    value = number(row, column, body)
    loss = "负值：亏损" if value is not None and value < 0 else None
    return facts(row, (column,), body, **here, note=join_notes(note, loss))


def _day_columns(unit: str, currency: str) -> tuple[Column, ...]:
    return (
        Column("open", "open", unit),
        Column("high", "high", unit),
        Column("low", "low", unit),
        Column("last_close", "previous_close", unit),
        Column("chg", "change", unit),
        Column("percent", "pct_change", "percent"),
        Column("amount", "amount", currency),
    )


def volume_facts(
    symbol: Symbol, row: Node, body: Body, *, on: date, note: str | None
) -> list[Fact]:
    """The volume, in shares on every market."""
    fixed = symbol.market == "CN" and on >= _FIXED_PRICE_FROM and not symbol.is_index
    told = join_notes(note, _FIXED_PRICE if fixed else None)
    column = Column("volume", "volume", "shares")
    return facts(row, (column,), body, symbol=symbol.value, as_of=on, note=told)


def _same(row: Mapping[str, object], symbol: Symbol, body: Body) -> None:
    if row["symbol"] != spell_symbol(symbol):
        raise ChangedError(NAME, body.table, "answers about another symbol")


def part(
    rows: tuple[Fact, ...], body: Body, labels: Mapping[str, dict[str, str]] | None = None
) -> Fetched:
    """These facts as one part of an answer."""
    return Fetched(NAME, body.table, rows, body.fetched_at, body.sha256, labels or {})
