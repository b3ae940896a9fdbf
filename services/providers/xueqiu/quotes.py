"""Xueqiu's prices: the moment (without a token), the valuation, daily bars.

Volumes are shares, amounts and market values plain currency, percentages percent numbers, times
milliseconds; a bar's time is midnight of its session where the exchange is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from services.core.errors import (
    ChangedError,
    NoDataError,
    NotCoveredError,
)
from services.core.requests import BarsRequest, SpotRequest, ValuationRequest
from services.core.symbols import Market, Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.core.units import CURRENCIES
from services.providers.base import Fetched
from services.providers.http import Body
from services.providers.joining import joined
from services.providers.reading import (
    Column,
    Node,
    facts,
    instant,
    member,
    not_later,
    number,
    once,
    plain,
    require,
    rows_of,
)
from services.providers.sessions import ZONES, last_complete
from services.providers.xueqiu.client import (
    NAME,
    Answer,
    XueqiuClient,
    happened,
    listed,
    spelled,
)

# From this day on trades at the fixed price after the close exist on the mainland.
_FIXED_PRICE_FROM = date(2026, 7, 6)
_FIXED_PRICE = "来源未说明是否含盘后固定价格成交"
_DELAYED = "港股行情可能延时至少 15 分钟"
_TAGGED_DELAYED = "来源标明为延时行情"
_SPOT_TIME = "timestamp"
_SPOT_COLUMNS = ("symbol", _SPOT_TIME, "current")
_BAR_COLUMNS = ("timestamp", "open", "high", "low", "close", "volume", "amount", "percent")
# Bars in one request, and how many requests one question may take.
_CHUNK = 1000
_MOST_CHUNKS = 12
# Whose quote tells of which session a list without times is.
_TIMEKEEPERS: Mapping[Market, str] = {"CN": "000001.SH", "HK": "00700.HK", "US": "AAPL"}


@dataclass(frozen=True, slots=True)
class Session:
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
    local = happened(row[_SPOT_TIME], client.now, body, _SPOT_TIME).astimezone(zone)
    unit = "points" if symbol.is_index else symbol.currency
    note = _said(
        f"报价时间 {local:%Y-%m-%d %H:%M:%S}（当地）",
        _DELAYED if symbol.market == "HK" else None,
    )
    columns = (Column("current", "current_price", unit), *_day_columns(unit, symbol.currency))
    found = facts(row, columns, body, symbol=symbol.value, as_of=local.date(), note=note)
    found += _volume(symbol, row, body, on=local.date(), note=note)
    return (_part(once(found, body), body),)


def session_of(client: XueqiuClient, market: Market) -> Session:
    """The session the market's lists are of, as its index or best known share was quoted last.

    Raises: ChangedError when that quote has no time, UnavailableError when there is none.
    """
    symbol = Symbol(_TIMEKEEPERS[market])
    try:
        row, body = _light_quote(client, symbol)
    except NoDataError as error:
        words = f"has no quote of {symbol}, which tells the session"
        raise NotCoveredError(NAME, "quotec.json", words) from error
    at = happened(row[_SPOT_TIME], client.now, body, _SPOT_TIME)
    day = at.astimezone(ZONES[market]).date()
    return Session(day, day <= last_complete(market, client.now), body)


def valuation(client: XueqiuClient, request: ValuationRequest) -> tuple[Fetched, ...]:
    """The full quote: price, multiples, market value and shares of its own day.

    Raises: NoDataError (unknown symbol, nothing in the quote), ProviderError.
    """
    return (full_quote(client, Symbol.parse(request.symbol), "valuation"),)


def full_quote(client: XueqiuClient, symbol: Symbol, capability: str) -> Fetched:
    """See `valuation`; `capability` is named when there is nothing. Indexes have a price only."""
    asked = {"symbol": spelled(symbol), "extend": "detail"}
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
    at = happened(quote["timestamp"], client.now, body, "timestamp")
    on = at.astimezone(ZONES[symbol.market]).date()
    delayed = (data.get("market") or {}).get("delay_tag") == 1
    rows = _quote_facts(client, symbol, quote, body, on=on, delayed=delayed)
    if not rows:
        raise NoDataError(
            f"{capability} {symbol}", Text("雪球的报价是空的", "Xueqiu's quote is empty")
        )
    return _part(rows, body, {symbol.value: {"name": plain(quote.get("name"))}})


def daily_bars(client: XueqiuClient, request: BarsRequest) -> tuple[Fetched, ...]:
    """Sessions that are over, oldest first, 前复权. No row while suspended.

    Raises: NoDataError (unknown symbol, no trading within the dates), ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    last = min(request.end or date.max, last_complete(symbol.market, client.now))
    start = request.start or date.min
    none_within = NoDataError(
        f"daily_bars {symbol}", Text("这段日期内没有成交", "no trading within these dates")
    )
    if start > last:
        raise none_within
    by_day, bodies = _bars_back(client, symbol, start, last)
    whole = joined(bodies)
    adjusted = _adjustment(symbol, client.now)
    found: list[Fact] = []
    for on, row in sorted(by_day.items()):
        if start <= on <= last and _traded(symbol, row, whole):
            found += _bar_facts(symbol, row, whole, on, adjusted)
    if not found:
        raise none_within
    return (_part(once(found, whole), whole),)


def currency_of(cell: object, body: Body) -> str:
    """A currency we have a unit for. Raises: ChangedError."""
    if cell not in CURRENCIES:
        raise ChangedError(NAME, body.table, "is in a currency we do not know")
    return str(cell)


def _light_quote(client: XueqiuClient, symbol: Symbol) -> tuple[Node, Body]:
    path, asked = "/v5/stock/realtime/quotec.json", {"symbol": spelled(symbol)}
    answer = client.ask("stock", "quotec.json", path, asked, with_token=False)
    rows = rows_of(listed(answer, "data"), "", answer.body, _SPOT_COLUMNS)
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
    found = facts(quote, columns, body, **here, note=_said(note, carried))
    found += _volume(symbol, quote, body, on=on, note=note)
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
        found += _earnings_multiple(quote, Column(field, metric, "multiple"), body, here, note)
    yielded = Column("dividend_yield", "dy_l", "percent")
    found += facts(quote, (yielded,), body, **here, note=_said(note, "近十二个月派息(TTM)"))
    if symbol.market == "CN" and symbol.board != "b_share":
        # Elsewhere its currency is the reports', which the quote does not say.
        found += facts(quote, (Column("navps", "bps", "CNY/share"),), body, **here, note=note)
    return once(found, body)


def _earnings_multiple(
    row: Node, column: Column, body: Body, here: Mapping[str, Any], note: str | None
) -> list[Fact]:
    """A P/E; below zero it is what the source writes for a loss."""
    value = number(row, column, body)
    loss = "负值：亏损" if value is not None and value < 0 else None
    return facts(row, (column,), body, **here, note=_said(note, loss))


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


def _volume(symbol: Symbol, row: Node, body: Body, *, on: date, note: str | None) -> list[Fact]:
    """The volume, in shares on every market."""
    fixed = symbol.market == "CN" and on >= _FIXED_PRICE_FROM and not symbol.is_index
    said = _said(note, _FIXED_PRICE if fixed else None)
    column = Column("volume", "volume", "shares")
    return facts(row, (column,), body, symbol=symbol.value, as_of=on, note=said)


def _bars_back(
    client: XueqiuClient, symbol: Symbol, start: date, last: date
) -> tuple[dict[date, Node], list[Body]]:
    """Bars by session from the end backwards, until `start` or the source's first."""
    zone = ZONES[symbol.market]
    begin = datetime.combine(last + timedelta(days=1), time(), zone)
    wanted = _sessions_at_most(start, last)
    by_day: dict[date, Node] = {}
    bodies: list[Body] = []
    for _ in range(_MOST_CHUNKS):
        answer = _bars_before(client, symbol, begin, min(_CHUNK, wanted))
        bodies.append(answer.body)
        rows = _bar_rows(answer, symbol)
        before = len(by_day)
        for row in rows:
            on = instant(row["timestamp"], answer.body, "timestamp").astimezone(zone).date()
            not_later(on, client.now, zone, answer.body, "timestamp")
            if by_day.setdefault(on, row) != row:
                raise ChangedError(NAME, answer.body.table, f"gives {on} twice, unequal")
        # Fewer than asked for may be a limit of theirs: only nothing new is the end.
        if len(by_day) == before or min(by_day) <= start:
            break
        begin = datetime.combine(min(by_day), time(), zone) - timedelta(milliseconds=1)
    return by_day, bodies


def _sessions_at_most(start: date, last: date) -> int:
    """No more sessions than weekdays, and a few to be sure of the first."""
    return (last - start).days * 5 // 7 + 8


def _bars_before(client: XueqiuClient, symbol: Symbol, begin: datetime, count: int) -> Answer:
    params = {
        "symbol": spelled(symbol),
        "begin": int(begin.timestamp() * 1000),
        "period": "day",
        "type": "before",
        "count": -count,
        "indicator": "kline",
    }
    return client.ask("stock", "kline.json", "/v5/stock/chart/kline.json", params)


def _bar_rows(answer: Answer, symbol: Symbol) -> list[Node]:
    """The bars by column name, whatever the order of the columns. Raises: ChangedError."""
    body = answer.body
    data = member(answer.document, "data", body)
    if not data:
        return []
    columns, items = member(data, "column", body, list), member(data, "item", body, list)
    require(dict.fromkeys(columns), _BAR_COLUMNS, body)
    if data.get("symbol") not in {None, spelled(symbol)}:
        raise ChangedError(NAME, body.table, "answers about another symbol")
    rows: list[Node] = []
    for item in items:
        if not isinstance(item, list) or len(item) != len(columns):
            raise ChangedError(NAME, body.table, "a bar has not as many cells as columns")
        rows.append(dict(zip(columns, item, strict=True)))
    return rows


def _traded(symbol: Symbol, row: Node, body: Body) -> bool:
    """Whether there was a trade: a suspended session repeats the last price with no volume.

    Raises: ChangedError for a bar without a close.
    """
    if number(row, Column("close", "close", "CNY"), body) is None:
        raise ChangedError(NAME, body.table, "a bar without a close")
    return symbol.is_index or bool(number(row, Column("volume", "volume", "shares"), body))


def _bar_facts(symbol: Symbol, row: Node, body: Body, on: date, adjusted: str) -> list[Fact]:
    unit = "points" if symbol.is_index else symbol.currency
    prices = tuple(Column(name, name, unit) for name in ("open", "high", "low", "close"))
    moved = Column("percent", "pct_change", "percent")
    here = {"symbol": symbol.value, "as_of": on}
    found = facts(row, (*prices, moved), body, **here, note=adjusted)
    found += facts(row, (Column("amount", "amount", symbol.currency),), body, **here)
    after = row.get("volume_post")
    apart = f"盘后固定价格成交 {after} 股由来源另列" if after else None
    return found + _volume(symbol, row, body, on=on, note=apart)


def _adjustment(symbol: Symbol, now: datetime) -> str:
    if symbol.is_index:
        return "不复权"
    return f"前复权，以 {now.astimezone(ZONES['CN']).date()} 为基准，除权后整列会变"


def _same(row: Mapping[str, object], symbol: Symbol, body: Body) -> None:
    if row["symbol"] != spelled(symbol):
        raise ChangedError(NAME, body.table, "answers about another symbol")


def _said(*notes: str | None) -> str | None:
    return "；".join(note for note in notes if note) or None


def _part(
    rows: tuple[Fact, ...], body: Body, labels: Mapping[str, dict[str, str]] | None = None
) -> Fetched:
    return Fetched(NAME, body.table, rows, body.fetched_at, body.sha256, labels or {})
