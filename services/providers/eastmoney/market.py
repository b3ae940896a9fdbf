"""Every company of a market at once, page after page of the list, and the money flows."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from services.core.errors import ChangedError, NoDataError, UnavailableError
from services.core.requests import FlowRequest, UniverseRequest
from services.core.source_marks import join_notes
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.eastmoney.client import (
    NAME,
    UNIVERSES,
    EastmoneyClient,
    all_there,
    cells,
    in_threads,
    read_quote_time,
    same_code,
    secids,
    symbol_of,
)
from services.providers.eastmoney.quotes import (
    DELAYED,
    unit_columns,
    volume_note,
)
from services.providers.http import Body
from services.providers.joining import join_bodies
from services.providers.reading import (
    Column,
    Node,
    day,
    facts,
    member,
    not_later,
    number,
    once,
    plain,
    rows_of,
)
from services.providers.sessions import ZONES, last_complete

_LIST_FIELDS = "f2,f3,f5,f6,f12,f13,f14,f20,f21,f23,f100,f115"
_SIGNS_OF_LIFE = ("f2", "f5", "f6", "f20")
_PAGE = 100
# The list says no time: whose quote tells of which session it is.
_TIMEKEEPERS: Mapping[str, str] = {"CN": "000001.SH", "HK": "HSI", "US": "AAPL"}
_CURRENCIES: Mapping[str, str] = {"CN": "CNY", "HK": "HKD", "US": "USD"}
_FLOW_FIELDS = "f51,f52,f53,f54,f55,f56,f57,f58,f59,f60,f61,f62,f63,f64,f65"
_FLOWS = (
    Column("f52", "main_net_inflow", "CNY", texts=True),
    Column("f53", "small_net_inflow", "CNY", texts=True),
    Column("f54", "medium_net_inflow", "CNY", texts=True),
    Column("f55", "large_net_inflow", "CNY", texts=True),
    Column("f56", "xlarge_net_inflow", "CNY", texts=True),
    Column("f57", "main_net_inflow_pct", "percent", texts=True),
)


def universe(client: EastmoneyClient, request: UniverseRequest) -> tuple[Fetched, ...]:
    """Price, size and multiples of each company, in symbol order; what has none is only named.

    Sorted by code at the source, so that prices that move do not move rows between pages.
    Raises: ChangedError, UnavailableError when rows got lost between the pages, ProviderError.
    """
    at, stamp = _session(client, request.market)
    first, total, body = _page(client, request.market, 1)
    pages = -(-total // _PAGE)
    rest = in_threads(range(2, pages + 1), lambda page: _page(client, request.market, page))
    bodies = [body, *(page[2] for page in rest)]
    rows = first + [row for page, _, _ in rest for row in page]
    whole = join_bodies([*bodies, stamp], body.table)
    by_code = {(row["f13"], row["f12"]): row for row in rows}
    all_there(len(by_code), total, body)
    on = at.astimezone(ZONES[request.market]).date()
    over = on <= last_complete(request.market, client.now)
    found: list[Fact] = []
    labels: dict[str, dict[str, str]] = {}
    for symbol, row in _list_companies(by_code, whole):
        found += _company(symbol, row, on, whole, client.now, over=over)
        labels[symbol.value] = _words(row)
    if not found:
        raise ChangedError(NAME, body.table, "no figure in the whole list")
    return (Fetched(NAME, body.table, once(found, whole), whole.fetched_at, whole.sha256, labels),)


def fund_flow(client: EastmoneyClient, request: FlowRequest) -> tuple[Fetched, ...]:
    """Net flows by size of order in yuan, of sessions that are over, oldest first.

    Without a symbol: Shanghai and Shenzhen together. Raises: NoDataError, ProviderError.
    """
    symbol = Symbol.parse(request.symbol) if request.symbol else None
    params = {
        "klt": 101,
        "lmt": 0,
        "fields1": "f1,f2,f3,f7",
        "fields2": _FLOW_FIELDS,
    }
    path, table = "/api/qt/stock/fflow/daykline/get", "push2his.fflow"
    if symbol is None:
        both = {"secid": "1.000001", "secid2": "0.399001"}
        data, body = client.read_pushed("PUSH2HIS", table, path, {**params, **both})
    else:
        data, body = client.about(symbol, "PUSH2HIS", table, path, params, capability="fund_flow")
        same_code(data, "code", symbol, body)
    rows = cells(data, "klines", _FLOW_FIELDS, body) if data is not None else []
    _adds_up(rows, body)
    by_day = {day(row["f51"], body, "f51"): row for row in reversed(rows)}
    last = last_complete("CN", client.now)
    for on in by_day:
        not_later(on, client.now, ZONES["CN"], body, "f51")
    scope, note = (symbol.value, None) if symbol else ("CN", "沪深两市合计")
    found: list[Fact] = []
    for on in sorted(on for on in by_day if on <= last)[-request.days :]:
        words = join_notes(note, "主力 = 超大单 + 大单")
        found += facts(by_day[on], _FLOWS, body, symbol=scope, as_of=on, note=words)
    if not found:
        raise NoDataError(
            f"fund_flow {scope}",
            Text("东方财富没有它的资金流", "no money flows of it at Eastmoney"),
        )
    labels = {} if symbol else {"CN": {"name": "沪深两市"}}
    return (Fetched(NAME, table, once(found, body), body.fetched_at, body.sha256, labels),)


def _session(client: EastmoneyClient, market: str) -> tuple[datetime, Body]:
    """When the market's index was quoted last. Raises: ChangedError when it does not say."""
    symbol = Symbol(_TIMEKEEPERS[market])
    params = {"secid": secids(symbol)[0], "fields": "f57,f86", "fltt": 2, "invt": 2}
    row, body = client.read_pushed("PUSH2", "push2.stock", "/api/qt/stock/get", params)
    if row is None:
        raise UnavailableError(NAME, body.table, "gave no quote of the index that tells the time")
    same_code(row, "f57", symbol, body)
    at = read_quote_time(row, client.now, body)
    if at is None:
        raise ChangedError(NAME, body.table, "the index quote says no time")
    return at, body


def _page(client: EastmoneyClient, market: str, page: int) -> tuple[list[Node], int, Body]:
    params = {
        "pn": page,
        "pz": _PAGE,
        "po": 0,
        "np": 1,
        "fltt": 2,
        "invt": 2,
        "fid": "f12",
        "fs": UNIVERSES[market],
        "fields": _LIST_FIELDS,
    }
    data, body = client.read_pushed("PUSH2", "push2.clist", "/api/qt/clist/get", params)
    if data is None:
        raise UnavailableError(NAME, body.table, "gave an empty list where companies are")
    rows = rows_of(data, "diff", body, _LIST_FIELDS.split(","))
    if not rows:
        raise UnavailableError(NAME, body.table, "gave an empty list where companies are")
    return rows, member(data, "total", body, int), body


def _list_companies(
    by_code: Mapping[tuple[Any, Any], Node], body: Body
) -> list[tuple[Symbol, Node]]:
    """The companies we have a spelling for, in symbol order; not those that left the exchange.

    A ticker on two New York lists is two securities (PC was, on 2025-10-16): the one that trades
    has it, and where both do, or neither, it is nobody's.
    """
    found: dict[Symbol, list[Node]] = {}
    for key, row in by_code.items():
        symbol = symbol_of(*key, body) if _is_listed(row, body) else None
        if symbol is not None:
            found.setdefault(symbol, []).append(row)
    volume = Column("f5", "volume", "shares")
    known: list[tuple[Symbol, Node]] = []
    for symbol, rows in found.items():
        traded = [row for row in rows if number(row, volume, body)] if len(rows) > 1 else rows
        known += [(symbol, traded[0])] if len(traded) == 1 else []
    return sorted(known, key=lambda pair: pair[0].value)


def _is_listed(row: Node, body: Body) -> bool:
    """Whether it still trades: what was delisted, or never listed, has no figure at all.

    A suspended share keeps its market value.
    """
    return any(number(row, Column(name, name, "CNY"), body) for name in _SIGNS_OF_LIFE)


def _company(
    symbol: Symbol, row: Node, on: date, body: Body, now: datetime, *, over: bool
) -> list[Fact]:
    money = _CURRENCIES[symbol.market]
    local = now.astimezone(ZONES[symbol.market])
    taken = f"抓取时点 {local:%Y-%m-%d %H:%M}（当地）；列表不含时间，日期取自指数报价"
    note = join_notes(taken, DELAYED.get(symbol.market))
    columns = [
        Column("f2", "close" if over else "current_price", money),
        Column("f3", "pct_change", "percent"),
        Column("f20", "market_cap", money, zero_is_missing=True),
        Column("f21", "float_market_cap", money, zero_is_missing=True),
        # `f9` is 动态, the newest quarter made a year: never pe_ttm.
        Column("f115", "pe_ttm", "multiple", zero_is_missing=True),
        Column("f23", "pb", "multiple", zero_is_missing=True),
    ]
    amount, volume = unit_columns(symbol, "f5", "f6")
    if not number(row, volume, body):
        # Suspended: a last price that is repeated is no price of this session.
        columns = columns[2:]
        return facts(row, columns, body, symbol=symbol.value, as_of=on, note=note)
    found = facts(row, (*columns, amount), body, symbol=symbol.value, as_of=on, note=note)
    about_volume = join_notes(note, volume_note(symbol, on))
    return found + facts(row, (volume,), body, symbol=symbol.value, as_of=on, note=about_volume)


def _words(row: Node) -> dict[str, str]:
    words = {"name": plain(row["f14"]), "industry": plain(row["f100"])}
    return {key: text for key, text in words.items() if text not in {"", "-"}}


def _adds_up(rows: list[Node], body: Body) -> None:
    """主力 must be 大单 and 超大单 together, or the columns are others. Raises: ChangedError."""
    wrong = 0
    for row in rows:
        main, large, larger = (
            number(row, Column(name, name, "CNY", texts=True), body)
            for name in ("f52", "f55", "f56")
        )
        if main is not None and large is not None and larger is not None:
            wrong += abs(main - large - larger) > max(abs(main) / 100, 10_000)
    if wrong * 20 > len(rows):
        raise ChangedError(NAME, body.table, "主力 is not 大单 and 超大单: the columns moved")
