"""Daily bars and bars within the day. A line there is date, open, CLOSE, high, low, …"""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from services.core.errors import ChangedError, NoDataError
from services.core.requests import BarsRequest, IntradayRequest
from services.core.source_marks import join_notes
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.eastmoney.client import (
    NAME,
    EastmoneyClient,
    cells,
    is_world_index,
    kind_of,
    same_code,
)
from services.providers.eastmoney.quotes import (
    DELAYED,
    money_unit,
    unit_columns,
    volume_note,
)
from services.providers.http import Body
from services.providers.reading import Column, Node, day, facts, not_later, number, once, plain
from services.providers.sessions import ZONES, last_complete

BAR_FIELDS = "f51,f52,f53,f54,f55,f56,f57,f58,f59,f60,f61"
_MINUTE_FIELDS = "f51,f52,f53,f54,f55,f56,f57,f58"
_KLINE = "/api/qt/stock/kline/get"
_EVER = "20500101"
# Bars in the longest session of a market, so that enough are asked for.
_IN_A_SESSION: Mapping[str, int] = {"1h": 8, "5m": 80}
_MINUTES: Mapping[str, int] = {"1h": 60, "5m": 5, "1m": 1}
_MOST_DAYS_OF_MINUTES = 5


def daily_bars(client: EastmoneyClient, request: BarsRequest) -> tuple[Fetched, ...]:
    """Sessions that are over, oldest first; 前复权 but for indexes. No row while suspended.

    Raises: NoDataError (unknown symbol, no trading within the dates), ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    last = min(request.end or date.max, last_complete(symbol.market, client.now))
    if request.start is not None and request.start > last:
        raise _none_within(symbol)
    params = {
        "klt": 101,
        "fqt": 0 if symbol.is_index else 1,
        "beg": f"{request.start:%Y%m%d}" if request.start else "0",
        "end": f"{last:%Y%m%d}" if request.end else _EVER,
        "fields1": "f1,f2,f3,f4,f5,f6",
        "fields2": BAR_FIELDS,
    }
    data, body = client.about(
        symbol, "PUSH2HIS", "push2his.kline", _KLINE, params, capability="daily_bars"
    )
    same_code(data, "code", symbol, body)
    by_day = bars_by_day(data, body, symbol, client.now)
    kept = {on: row for on, row in by_day.items() if (request.start or date.min) <= on <= last}
    adjusted = _adjustment(symbol, client.now)
    found: list[Fact] = []
    for on, row in sorted(kept.items()):
        found += _daily_facts(symbol, row, on, body, adjusted)
    if not found:
        raise _none_within(symbol)
    return (_part(symbol, data, once(found, body), body),)


def bars_by_day(data: Node, body: Body, symbol: Symbol, now: datetime) -> dict[date, Node]:
    """The daily lines by session, those without a trade left out.

    Raises: ChangedError for another order of columns, a bar without a close, one in the future,
    or two bars of one session that differ.
    """
    rows = cells(data, "klines", BAR_FIELDS, body)
    _in_order(rows, body)
    found: dict[date, Node] = {}
    for row in rows:
        on = day(row["f51"], body, "f51")
        not_later(on, now, ZONES[symbol.market], body, "f51")
        if found.setdefault(on, row) != row:
            raise ChangedError(NAME, body.table, f"gives the bar of {on} twice, unequal")
    idle = {} if symbol.is_index else {"0", "0.0", "0.00"}
    return {on: row for on, row in found.items() if row["f56"] not in idle}


def intraday_bars(client: EastmoneyClient, request: IntradayRequest) -> tuple[Fetched, ...]:
    """Bars of the last sessions, unadjusted, each by its end in local time; none still under way.

    Raises: NoDataError, ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    data, rows, body = _minute_rows(client, symbol, request)
    zone, now = ZONES[symbol.market], client.now
    step = timedelta(minutes=_MINUTES[request.interval])
    by_end: dict[datetime, Node] = {}
    for row in rows:
        end = _bar_end(row["f51"], body).replace(tzinfo=zone)
        if end > now + step:
            raise ChangedError(NAME, body.table, "a bar lies in the future")
        if end <= now:
            by_end.setdefault(end, row)
    days = sorted({end.date() for end in by_end})[-request.days :]
    found: list[Fact] = []
    for end, row in sorted(by_end.items()):
        if end.date() in days:
            found += _intraday_facts(symbol, row, end, body)
    if not found:
        raise NoDataError(
            f"intraday_bars {symbol}",
            Text("东方财富没有它的分时数据", "no intraday bars at Eastmoney"),
        )
    return (_part(symbol, data, once(found, body), body),)


def _minute_rows(
    client: EastmoneyClient, symbol: Symbol, request: IntradayRequest
) -> tuple[Node, list[Node], Body]:
    if request.interval == "1m":
        fields, name, table = _MINUTE_FIELDS, "trends", "push2his.trends2"
        path = "/api/qt/stock/trends2/get"
        params: dict[str, str | int] = {
            "ndays": min(request.days, _MOST_DAYS_OF_MINUTES),
            "iscr": 0,
            "fields1": "f1,f2,f3,f4,f5,f6,f7,f8,f9,f10,f11,f12,f13",
            "fields2": fields,
        }
    else:
        fields, name, table, path = BAR_FIELDS, "klines", "push2his.kline", _KLINE
        params = {
            "klt": _MINUTES[request.interval],
            "fqt": 0,
            "end": _EVER,
            "lmt": request.days * _IN_A_SESSION[request.interval],
            "fields1": "f1,f2,f3,f4,f5,f6",
            "fields2": fields,
        }
    data, body = client.about(symbol, "PUSH2HIS", table, path, params, capability="intraday_bars")
    same_code(data, "code", symbol, body)
    rows = cells(data, name, fields, body)
    _in_order(rows, body)
    return data, rows, body


def _in_order(rows: list[Node], body: Body) -> None:
    """Open, close, high, low must lie as they say; rounding may break a few adjusted bars.

    Raises: ChangedError when they do not, or when a bar has no close.
    """
    wrong = 0
    for row in rows:
        opened, close, high, low = (
            number(row, Column(name, name, "points", texts=True), body)
            for name in ("f52", "f53", "f54", "f55")
        )
        if close is None:
            raise ChangedError(NAME, body.table, "a bar without a close")
        if opened is not None and high is not None and low is not None:
            wrong += not low <= min(opened, close) <= max(opened, close) <= high
    if wrong * 20 > len(rows):
        raise ChangedError(NAME, body.table, "the columns are not open, close, high, low")


def _adjustment(symbol: Symbol, now: datetime) -> str:
    if symbol.is_index:
        return "不复权"
    return f"前复权，以 {now.astimezone(ZONES['CN']).date()} 为基准，除权后整列会变"


def _daily_facts(symbol: Symbol, row: Node, on: date, body: Body, adjusted: str) -> list[Fact]:
    change = Column("f59", "pct_change", "percent", texts=True)
    found = facts(
        row, (*_prices(symbol), change), body, symbol=symbol.value, as_of=on, note=adjusted
    )
    return found + _sizes(symbol, row, body, on=on, period=None, note=None)


def _intraday_facts(symbol: Symbol, row: Node, end: datetime, body: Body) -> list[Fact]:
    on, period = end.date(), f"{end:%Y-%m-%d %H:%M}"
    note = join_notes("不复权", DELAYED.get(symbol.market))
    found = facts(
        row, _prices(symbol), body, symbol=symbol.value, as_of=on, period=period, note=note
    )
    return found + _sizes(symbol, row, body, on=on, period=period, note=DELAYED.get(symbol.market))


def _prices(symbol: Symbol) -> tuple[Column, ...]:
    unit = money_unit(symbol)
    return (
        Column("f52", "open", unit, texts=True),
        Column("f53", "close", unit, texts=True),
        Column("f54", "high", unit, texts=True),
        Column("f55", "low", unit, texts=True),
    )


def _sizes(
    symbol: Symbol, row: Node, body: Body, *, on: date, period: str | None, note: str | None
) -> list[Fact]:
    """Volume and amount; of world indexes no unit is documented, of B shares not the amount's."""
    if is_world_index(symbol):
        return []
    amount, volume = unit_columns(symbol, "f56", "f57")
    columns = [Column(volume.field, "volume", volume.unit, "shares", texts=True)]
    if kind_of(symbol) != "b_share":
        columns.append(Column(amount.field, "amount", amount.unit, texts=True))
    about = {"symbol": symbol.value, "as_of": on, "period": period}
    return facts(row, columns, body, **about, note=join_notes(note, volume_note(symbol, on)))


def _bar_end(text: Any, body: Body) -> datetime:
    try:
        return datetime.strptime(str(text), "%Y-%m-%d %H:%M")  # noqa: DTZ007 — the market's zone
    except ValueError as error:
        raise ChangedError(NAME, body.table, "f51 is no time") from error


def _none_within(symbol: Symbol) -> NoDataError:
    return NoDataError(
        f"daily_bars {symbol}", Text("这段日期内没有成交", "no trading within these dates")
    )


def _part(symbol: Symbol, data: Node, rows: tuple[Fact, ...], body: Body) -> Fetched:
    labels = {symbol.value: {"name": plain(data.get("name"))}}
    named = {key: words for key, words in labels.items() if words["name"]}
    return Fetched(NAME, body.table, rows, body.fetched_at, body.sha256, named)
