"""The price of the moment and the valuation of one symbol."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from services.core.errors import (
    ChangedError,
    NoDataError,
    NotCoveredError,
)
from services.core.requests import DatedValuationsRequest, SpotRequest, ValuationRequest
from services.core.source_marks import join_notes
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.eastmoney.client import (
    NAME,
    DatacenterRows,
    EastmoneyClient,
    is_world_index,
    kind_of,
    read_quote_time,
    same_code,
)
from services.providers.http import Body
from services.providers.joining import stamp_row
from services.providers.reading import Column, day, facts, not_later, number, once, plain
from services.providers.sessions import ZONES, last_complete

# From this day on trades at the fixed price after the close exist on the mainland; Eastmoney does
# not say whether its volume counts them.
FIXED_PRICE_FROM = date(2026, 7, 6)
FIXED_PRICE = "来源未说明是否含盘后固定价格成交"
DELAYED: Mapping[str, str] = {"HK": "港股行情延迟至少 15 分钟", "US": "美股行情有延迟"}
_QUOTE_FIELDS = "f43,f44,f45,f46,f47,f48,f51,f52,f57,f58,f60,f84,f86,f116,f164,f167,f169,f170"
_VALUATION_TABLE = "RPT_VALUEANALYSIS_DET"
_VALUATION = (
    Column("CLOSE_PRICE", "close", "CNY"),
    Column("TOTAL_MARKET_CAP", "market_cap", "CNY"),
    Column("TOTAL_SHARES", "total_shares", "shares"),
    Column("FREE_SHARES_A", "float_shares", "shares"),
    Column("PE_TTM", "pe_ttm", "multiple"),
    Column("PE_LAR", "pe_lyr", "multiple"),
    Column("PB_MRQ", "pb", "multiple"),
    Column("PS_TTM", "ps_ttm", "multiple"),
)


def spot(client: EastmoneyClient, request: SpotRequest) -> tuple[Fetched, ...]:
    """The last trade with the day's range. A share that has not traded today has no spot price.

    Raises: NoDataError (unknown symbol, no trade), ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    row, body, at = _quote(client, symbol, "spot")
    _, volume = unit_columns(symbol, "f47", "f48")
    price = number(row, Column("f43", "current_price", "CNY"), body)
    idle = kind_of(symbol) != "index" and not number(row, volume, body)
    if at is None or price is None or idle:
        raise NoDataError(
            f"spot {symbol}",
            Text("今日没有成交（停牌或尚未开盘）", "no trade today (suspended or not open)"),
        )
    rows = _spot_facts(symbol, row, body, at)
    return (_part(symbol, row, rows, body),)


def valuation(client: EastmoneyClient, request: ValuationRequest) -> tuple[Fetched, ...]:
    """The newest valuation: the daily table for A shares, the quote for Hong Kong and New York.

    Raises: NoDataError, ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    return _of_table(client, symbol) if symbol.is_a_share else _of_quote(client, symbol)


def read_dated_valuations(
    client: EastmoneyClient, request: DatedValuationsRequest
) -> tuple[Fetched, ...]:
    """The rows of the daily valuation table within the dates, oldest first.

    Raises: NotCoveredError (it has no such row: another source may), ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    end = min(request.end, last_complete("CN", client.now))
    days = f"(TRADE_DATE>='{request.start}')(TRADE_DATE<='{end}')"
    conditions = f'(SECURITY_CODE="{symbol.code}"){days}'
    found = client.table(_VALUATION_TABLE, conditions, order="TRADE_DATE")
    by_day = _by_day(client, symbol, found)
    outside = [on for on in by_day if not request.start <= on <= end]
    if outside:
        raise ChangedError(NAME, _VALUATION_TABLE, f"gives {outside[0]}, outside of the days asked")
    made = [fact for on in sorted(by_day) for fact in by_day[on]]
    if not made:
        raise NotCoveredError(NAME, _VALUATION_TABLE, f"has no row of {symbol} within these dates")
    return (stamp_row(NAME, _VALUATION_TABLE, made, found.bodies),)


def money_unit(symbol: Symbol) -> str:
    """The unit of its price: its trading currency, or points."""
    return "points" if symbol.is_index else symbol.currency


def unit_columns(symbol: Symbol, volume: str, amount: str) -> tuple[Column, Column]:
    """Amount and volume as Eastmoney counts them: 手 on the mainland, shares elsewhere."""
    counted = "lots" if symbol.market == "CN" else "shares"
    return (
        Column(amount, "amount", symbol.currency),
        Column(volume, "volume", counted, "shares"),
    )


def volume_note(symbol: Symbol, on: date) -> str | None:
    """What a reader must know of a volume of that day."""
    fixed = symbol.market == "CN" and on >= FIXED_PRICE_FROM and not symbol.is_index
    return FIXED_PRICE if fixed else None


def _quote(
    client: EastmoneyClient, symbol: Symbol, capability: str
) -> tuple[Mapping[str, Any], Body, datetime | None]:
    params = {"fields": _QUOTE_FIELDS, "fltt": 2, "invt": 2}
    path = "/api/qt/stock/get"
    row, body = client.about(symbol, "PUSH2", "push2.stock", path, params, capability=capability)
    same_code(row, "f57", symbol, body)
    return row, body, read_quote_time(row, client.now, body)


def _spot_facts(
    symbol: Symbol, row: Mapping[str, Any], body: Body, at: datetime
) -> tuple[Fact, ...]:
    unit = money_unit(symbol)
    local = at.astimezone(ZONES[symbol.market])
    moment = f"报价时间 {local:%Y-%m-%d %H:%M:%S}（当地）"
    note = join_notes(moment, DELAYED.get(symbol.market))
    amount, volume = unit_columns(symbol, "f47", "f48")
    prices = (
        Column("f43", "current_price", unit),
        Column("f46", "open", unit),
        Column("f44", "high", unit),
        Column("f45", "low", unit),
        Column("f60", "previous_close", unit),
        Column("f51", "limit_up", unit),
        Column("f52", "limit_down", unit),
        Column("f169", "change", unit),
        Column("f170", "pct_change", "percent"),
    )
    here = {"symbol": symbol.value, "as_of": local.date()}
    found = facts(row, prices, body, **here, note=note)
    if not is_world_index(symbol):
        about_volume = join_notes(note, volume_note(symbol, local.date()))
        found += facts(row, (volume, amount), body, **here, note=about_volume)
    return once(found, body)


def _of_table(client: EastmoneyClient, symbol: Symbol) -> tuple[Fetched, ...]:
    until = last_complete("CN", client.now)
    conditions = f"(SECURITY_CODE=\"{symbol.code}\")(TRADE_DATE<='{until}')"
    found = client.newest(_VALUATION_TABLE, conditions, order="-TRADE_DATE", size=5)
    body = found.bodies[0]
    if not found.rows:
        # A table of its own that need not hold every share: the next source may know.
        raise NotCoveredError(NAME, body.table, f"has no row of {symbol}")
    by_day = _by_day(client, symbol, found)
    rows = once(by_day[max(by_day)], body)
    if not rows:
        raise NoDataError(
            f"valuation {symbol}",
            Text("东方财富的估值是空的", "Eastmoney's valuation of it is empty"),
        )
    labels = {symbol.value: {"name": plain(found.rows[0].get("SECURITY_NAME_ABBR"))}}
    return (Fetched(NAME, body.table, rows, body.fetched_at, body.sha256, labels),)


def _by_day(
    client: EastmoneyClient, symbol: Symbol, found: DatacenterRows
) -> dict[date, list[Fact]]:
    """The facts of each session of the daily valuation table."""
    body = found.bodies[0]
    by_day: dict[date, list[Fact]] = {}
    for row in found.rows:
        same_code(row, "SECURITY_CODE", symbol, body)
        on = day(row.get("TRADE_DATE"), body, "TRADE_DATE")
        not_later(on, client.now, ZONES["CN"], body, "TRADE_DATE")
        here = by_day.setdefault(on, [])
        here += facts(row, _VALUATION, body, symbol=symbol.value, as_of=on)
    return by_day


def _of_quote(client: EastmoneyClient, symbol: Symbol) -> tuple[Fetched, ...]:
    row, body, at = _quote(client, symbol, "valuation")
    if at is None:
        raise NoDataError(
            f"valuation {symbol}", Text("东方财富没有它的报价", "Eastmoney has no quote of it")
        )
    on = at.astimezone(ZONES[symbol.market]).date()
    money = symbol.currency
    # `f162` there is 动态, the newest quarter made a year: never pe_ttm.
    columns = [
        Column("f116", "market_cap", money, zero_is_missing=True),
        Column("f84", "total_shares", "shares", zero_is_missing=True),
        Column("f164", "pe_ttm", "multiple", zero_is_missing=True),
        Column("f167", "pb", "multiple", zero_is_missing=True),
    ]
    if on <= last_complete(symbol.market, client.now):
        columns.insert(0, Column("f43", "close", money))
    note = join_notes(DELAYED.get(symbol.market), "总市值按来源口径")
    rows = once(facts(row, columns, body, symbol=symbol.value, as_of=on, note=note), body)
    if not rows:
        raise NoDataError(
            f"valuation {symbol}", Text("东方财富没有它的估值", "Eastmoney has no valuation of it")
        )
    return (_part(symbol, row, rows, body),)


def _part(symbol: Symbol, row: Mapping[str, Any], rows: tuple[Fact, ...], body: Body) -> Fetched:
    labels = {symbol.value: {"name": plain(row.get("f58"))}}
    return Fetched(NAME, body.table, rows, body.fetched_at, body.sha256, labels)
