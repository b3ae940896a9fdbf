"""Xueqiu's daily bars, and the multiples that stand beside them.

A bar's time is midnight of its session where the exchange is; volumes are shares.
"""

from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from services.core.errors import ChangedError, NoDataError
from services.core.requests import BarsRequest, DatedValuationsRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.http import Body
from services.providers.joining import join_bodies
from services.providers.reading import (
    Column,
    Node,
    facts,
    instant,
    member,
    not_later,
    number,
    once,
    require,
)
from services.providers.sessions import ZONES, last_complete
from services.providers.xueqiu.client import NAME, DocumentAnswer, XueqiuClient, spell_symbol
from services.providers.xueqiu.quotes import earnings_multiple, part, volume_facts

# Bars in one request, and how many requests one question may take.
_CHUNK = 1000
_MOST_CHUNKS = 12


class _Kind(NamedTuple):
    """What a bar is asked for: how it is adjusted, what stands beside it, what must be there."""

    adjust: str
    indicators: str
    columns: tuple[str, ...]


_ADJUSTED = _Kind(
    "before",
    "kline",
    ("timestamp", "open", "high", "low", "close", "volume", "amount", "percent"),
)
_VALUED = _Kind("normal", "kline,pe,pb,ps", ("timestamp", "close", "volume", "pe", "pb", "ps"))
# `pe` there is on the trailing twelve months, below zero where these are a loss.
_PE = Column("pe", "pe_ttm", "multiple")
_MULTIPLES = (
    Column("pb", "pb", "multiple"),
    Column("ps", "ps_ttm", "multiple"),
)


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
    by_day, bodies = _bars_back(client, symbol, start, last, _ADJUSTED)
    whole = join_bodies(bodies)
    adjusted = _adjustment(symbol, client.now)
    found: list[Fact] = []
    for on, row in sorted(by_day.items()):
        if start <= on <= last and _has_trade(symbol, row, whole):
            found += _bar_facts(symbol, row, whole, on, adjusted)
    if not found:
        raise none_within
    return (part(once(found, whole), whole),)


def read_dated_valuations(
    client: XueqiuClient, request: DatedValuationsRequest
) -> tuple[Fetched, ...]:
    """The multiples that stand beside each unadjusted close, oldest first; suspended days absent.

    Raises: NoDataError (unknown symbol, no trading within the dates), ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    last = min(request.end, last_complete(symbol.market, client.now))
    found: list[Fact] = []
    if request.start <= last:
        by_day, bodies = _bars_back(client, symbol, request.start, last, _VALUED)
        whole = join_bodies(bodies)
        close = Column("close", "close", symbol.currency)
        for on, row in sorted(by_day.items()):
            if request.start <= on <= last and _has_trade(symbol, row, whole):
                here = {"symbol": symbol.value, "as_of": on}
                found += facts(row, (close, *_MULTIPLES), whole, **here)
                found += earnings_multiple(row, _PE, whole, here, None)
        if found:
            return (part(once(found, whole), whole),)
    raise NoDataError(
        f"dated_valuations {symbol}", Text("这段日期内没有成交", "no trading within these dates")
    )


def _bars_back(
    client: XueqiuClient, symbol: Symbol, start: date, last: date, kind: _Kind
) -> tuple[dict[date, Node], list[Body]]:
    """Bars by session from the end backwards, until `start` or the source's first."""
    zone = ZONES[symbol.market]
    begin = datetime.combine(last + timedelta(days=1), time(), zone)
    wanted = _sessions_at_most(start, last)
    by_day: dict[date, Node] = {}
    bodies: list[Body] = []
    for _ in range(_MOST_CHUNKS):
        answer = _bars_before(client, symbol, begin, min(_CHUNK, wanted), kind)
        bodies.append(answer.body)
        rows = _bar_rows(answer, symbol, kind)
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


def _bars_before(
    client: XueqiuClient, symbol: Symbol, begin: datetime, count: int, kind: _Kind
) -> DocumentAnswer:
    params = {
        "symbol": spell_symbol(symbol),
        "begin": int(begin.timestamp() * 1000),
        "period": "day",
        "type": kind.adjust,
        "count": -count,
        "indicator": kind.indicators,
    }
    return client.ask("stock", "kline.json", "/v5/stock/chart/kline.json", params)


def _bar_rows(answer: DocumentAnswer, symbol: Symbol, kind: _Kind) -> list[Node]:
    """The bars by column name, whatever the order of the columns. Raises: ChangedError."""
    body = answer.body
    data = member(answer.document, "data", body)
    if not data:
        return []
    columns, items = member(data, "column", body, list), member(data, "item", body, list)
    require(dict.fromkeys(columns), kind.columns, body)
    if data.get("symbol") not in {None, spell_symbol(symbol)}:
        raise ChangedError(NAME, body.table, "answers about another symbol")
    rows: list[Node] = []
    for item in items:
        if not isinstance(item, list) or len(item) != len(columns):
            raise ChangedError(NAME, body.table, "a bar has not as many cells as columns")
        rows.append(dict(zip(columns, item, strict=True)))
    return rows


def _has_trade(symbol: Symbol, row: Node, body: Body) -> bool:
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
    return found + volume_facts(symbol, row, body, on=on, note=apart)


def _adjustment(symbol: Symbol, now: datetime) -> str:
    if symbol.is_index:
        return "不复权"
    return f"前复权，以 {now.astimezone(ZONES['CN']).date()} 为基准，除权后整列会变"
