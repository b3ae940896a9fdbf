"""Bars, money flows and 龙虎榜 through AkShare; all of them are Eastmoney's figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import pandas

from services.core.clock import BEIJING
from services.core.errors import ChangedError, NoDataError
from services.core.requests import BarsRequest, FlowRequest, SignalsRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact, Item
from services.providers.akshare.gateway import NAME, AkshareTable, ask
from services.providers.akshare.wire import DocumentKind
from services.providers.base import Fetched
from services.providers.provider_context import Kit
from services.providers.reading import Column, Node, facts, member, once, plain
from services.providers.sessions import last_complete

_SOURCE = "eastmoney"
_LINE = ("date", "open", "close", "high", "low", "volume", "amount")
_TAIL = ("amplitude", "pct_change", "change", "turnover")
_BARS = DocumentKind("data.klines", (*_LINE, *_TAIL), (*_LINE[1:], "pct_change"), joined=True)
_INDEX_BARS = DocumentKind("data.klines", (*_LINE, "amplitude"), _LINE[1:], joined=True)
_FLOW_LINE = ("date", "main", "small", "medium", "large", "xlarge", "main_pct", "small_pct")
_FLOW_TAIL = ("medium_pct", "large_pct", "xlarge_pct", "close", "pct_change", "other", "other_pct")
_FLOW = DocumentKind("data.klines", (*_FLOW_LINE, *_FLOW_TAIL), _FLOW_LINE[1:7], joined=True)
_FLOW_COLUMNS = (
    Column("主力净流入-净额", "main_net_inflow", "CNY"),
    Column("主力净流入-净占比", "main_net_inflow_pct", "percent"),
    Column("超大单净流入-净额", "xlarge_net_inflow", "CNY"),
    Column("大单净流入-净额", "large_net_inflow", "CNY"),
    Column("中单净流入-净额", "medium_net_inflow", "CNY"),
    Column("小单净流入-净额", "small_net_inflow", "CNY"),
)
_BOARD = DocumentKind(
    "result.data",
    ("SECURITY_CODE", "TRADE_DATE", "EXPLANATION"),
    ("BILLBOARD_NET_AMT", "BILLBOARD_BUY_AMT", "BILLBOARD_SELL_AMT", "BILLBOARD_DEAL_AMT"),
)
_BOARD_COLUMNS = (
    Column("龙虎榜净买额", "billboard_net", "CNY"),
    Column("龙虎榜买入额", "billboard_buy", "CNY"),
    Column("龙虎榜卖出额", "billboard_sell", "CNY"),
)
# A longer window would be many pages of the whole market: it is cut, not refused.
_BOARD_WITHIN = timedelta(days=92)


@dataclass(frozen=True, slots=True)
class _Call:
    """How one kind of symbol is asked for: the function, its words, and what comes back."""

    function: str
    arguments: Mapping[str, str]
    wire: DocumentKind
    dated: str
    columns: tuple[Column, ...]
    note: str | None


def daily_bars(kit: Kit, request: BarsRequest) -> tuple[Fetched, ...]:
    """See Provider.fetch. 前复权 as the source has it now: its past changes with every ex-date."""
    symbol = Symbol.parse(request.symbol)
    last = last_complete(symbol.market, kit.clock.now())
    start, end = request.start or date(1990, 1, 1), min(request.end or last, last)
    if start > end:
        why = Text("这段日期内还没有收盘", "no session has closed within these dates")
        raise NoDataError(f"daily_bars {symbol}", why)
    call = _bars_call(symbol, start, end)
    table = ask(kit, call.function, (call.wire,), **call.arguments)
    data = member(table.documents[-1], "data", table.body)
    if str(data.get("code")) != symbol.code:
        raise ChangedError(NAME, call.function, "answers about another code")
    rows = _date_rows(table, call.dated, start, end)
    _in_order([row for _, row in rows], call.columns, table)
    made: list[Fact] = []
    for on, row in rows:
        if not symbol.is_index and row.get("成交量") == 0:
            continue  # Suspended: the last price repeated is no bar.
        made += facts(row, call.columns, table.body, symbol=symbol.value, as_of=on, note=call.note)
    if not any(fact.metric == "close" for fact in made):
        raise ChangedError(NAME, call.function, "no bar has a close")
    labels = {symbol.value: {"name": name}} if (name := plain(data.get("name"), 40)) else {}
    return (_part(table, made, labels),)


def fund_flow(kit: Kit, request: FlowRequest) -> tuple[Fetched, ...]:
    """See Provider.fetch: net inflow in yuan by size of order, the last `days` whole sessions."""
    last = last_complete("CN", kit.clock.now())
    if request.symbol is None:
        scope, note = "CN", "沪深两市合计；主力 = 超大单 + 大单"
        table = ask(kit, "stock_market_fund_flow", (_FLOW,))
    else:
        symbol = Symbol.parse(request.symbol)
        scope, note = symbol.value, "主力 = 超大单 + 大单"
        where = symbol.exchange.lower()
        function = "stock_individual_fund_flow"
        table = ask(kit, function, (_FLOW,), stock=symbol.code, market=where)
        if str(member(table.documents[-1], "data", table.body).get("code")) != symbol.code:
            raise ChangedError(NAME, function, "answers about another code")
    every = _date_rows(table, "日期", date.min, date.max)
    if every[0][0] > last:
        raise ChangedError(NAME, table.body.table, "every session lies in the future")
    rows = [pair for pair in every if pair[0] <= last]
    _adds_up([row for _, row in rows], table)
    made: list[Fact] = []
    kept = set(sorted({on for on, _ in rows})[-request.days :])
    for on, row in rows:
        if on in kept:
            made += facts(row, _FLOW_COLUMNS, table.body, symbol=scope, as_of=on, note=note)
    if not any(fact.metric == "main_net_inflow" for fact in made):
        raise ChangedError(NAME, table.body.table, "no session has a flow")
    labels = {"CN": {"name": "沪深两市"}} if request.symbol is None else {}
    return (_part(table, made, labels),)


def signals(kit: Kit, request: SignalsRequest) -> tuple[Fetched, ...]:
    """See Provider.fetch: one item a reason for which the exchanges listed it, amounts as facts."""
    symbol = Symbol.parse(request.symbol)
    end = min(request.end, kit.clock.now().astimezone(BEIJING).date())
    start = max(request.start, end - _BOARD_WITHIN)
    nothing = NoDataError(
        f"signals {symbol}",
        Text("这段日期没有登上龙虎榜", "not on the exchanges' lists in these days"),
    )
    if start > end:
        raise nothing
    window = {"start_date": f"{start:%Y%m%d}", "end_date": f"{end:%Y%m%d}"}
    table = ask(kit, "stock_lhb_detail_em", (_BOARD,), **window)
    mine = [
        pair for pair in _date_rows(table, "上榜日", start, end) if pair[1]["代码"] == symbol.code
    ]
    items, made = _list_rows(symbol, mine, table)
    if not items:
        raise nothing
    name = {symbol.value: {"name": plain(mine[0][1]["名称"], 40)}}
    return (_part(table, made, name, items),)


def _bars_call(symbol: Symbol, start: date, end: date) -> _Call:
    window = {"start_date": f"{start:%Y%m%d}", "end_date": f"{end:%Y%m%d}"}
    if symbol.is_index:
        spelled = {"symbol": symbol.exchange.lower() + symbol.code, **window}
        return _Call(
            "stock_zh_index_daily_em", spelled, _INDEX_BARS, "date", _index_columns(), None
        )
    spelled = {"symbol": symbol.code, "adjust": "qfq", **window}
    function = "stock_zh_a_hist" if symbol.market == "CN" else "stock_hk_hist"
    note = "前复权，为取得当时的口径：除权后历史价格会变"
    return _Call(function, spelled, _BARS, "日期", _stock_columns(symbol), note)


def _stock_columns(symbol: Symbol) -> tuple[Column, ...]:
    """Mainland volume is in 手, Hong Kong's in shares."""
    money = symbol.currency
    traded = "lots" if symbol.market == "CN" else "shares"
    return (
        Column("开盘", "open", money),
        Column("最高", "high", money),
        Column("最低", "low", money),
        Column("收盘", "close", money),
        Column("涨跌幅", "pct_change", "percent"),
        Column("成交量", "volume", traded, "shares"),
        Column("成交额", "amount", money),
    )


def _index_columns() -> tuple[Column, ...]:
    prices = tuple(Column(name, name, "points") for name in ("open", "high", "low", "close"))
    traded = Column("volume", "volume", "lots", "shares"), Column("amount", "amount", "CNY")
    return (*prices, *traded)


def _date_rows(table: AkshareTable, column: str, start: date, end: date) -> list[tuple[date, Node]]:
    """The rows by their day, oldest first. Raises: ChangedError for a day that was not asked."""
    dated: list[tuple[date, Node]] = []
    for row in table.rows:
        on = _day(row[column])
        if on is None or on > end or on < start:
            raise ChangedError(NAME, table.body.table, "gives a day that was not asked for")
        dated.append((on, row))
    return sorted(dated, key=lambda pair: pair[0])


def _day(cell: Any) -> date | None:
    """AkShare makes dates of most columns and leaves one as text; NaT is no day."""
    if isinstance(cell, str):
        try:
            return date.fromisoformat(cell[:10])
        except ValueError:
            return None
    if isinstance(cell, datetime):
        return None if pandas.isna(cell) else cell.date()
    return cell if isinstance(cell, date) else None


def _adds_up(rows: Sequence[Node], table: AkshareTable) -> None:
    """主力 is 超大单 and 大单 together, or the cells moved. Raises: ChangedError."""
    wrong = 0
    for row in rows:
        main, *parts = (row[c.field] for c in _FLOW_COLUMNS if c.metric in _MAIN_PARTS)
        wrong += abs(main - sum(parts)) > max(abs(main) / 100, 10_000)
    if wrong * 20 > len(rows):
        raise ChangedError(NAME, table.body.table, "主力 is not 超大单 and 大单 together")


def _in_order(rows: Sequence[Node], columns: Sequence[Column], table: AkshareTable) -> None:
    """No price lies above the highest or below the lowest, or the cells moved. ChangedError."""
    names = {column.metric: column.field for column in columns}
    wrong = 0
    for row in rows:
        first, high, low, last = (row[names[m]] for m in ("open", "high", "low", "close"))
        wrong += not all(low <= price <= high for price in (first, last) if price == price)
    if wrong * 20 > len(rows):
        raise ChangedError(NAME, table.body.table, "the columns of the prices moved")


_MAIN_PARTS = ("main_net_inflow", "xlarge_net_inflow", "large_net_inflow")


def _list_rows(
    symbol: Symbol, rows: Sequence[tuple[date, Node]], table: AkshareTable
) -> tuple[tuple[Item, ...], list[Fact]]:
    items: dict[str, Item] = {}
    made: list[Fact] = []
    seen: dict[tuple[date, str], str] = {}
    for on, row in sorted(rows, key=lambda pair: (pair[0], str(pair[1]["上榜原因"]))):
        reason = plain(row["上榜原因"], 200)
        number = sum(day == on for day, _ in seen) + 1
        item_id = seen.setdefault((on, reason), f"signal:lhb:{on}:{symbol}:{number}")
        items[item_id] = Item(
            item_id=item_id,
            kind="signal",
            symbol=symbol.value,
            title=f"龙虎榜：{reason}",
            text=plain(row["解读"], 400),
            origin="交易所公开信息",
            tags=("billboard",),
        )
        made += facts(row, _BOARD_COLUMNS, table.body, symbol=item_id, as_of=on)
    return tuple(items.values()), made


def _part(
    table: AkshareTable,
    made: list[Fact],
    labels: Mapping[str, dict[str, str]],
    items: tuple[Item, ...] = (),
) -> Fetched:
    return Fetched(
        source=_SOURCE,
        table=table.body.table,
        rows=once(made, table.body),
        fetched_at=table.body.fetched_at,
        body_sha256=table.body.sha256,
        labels=labels,
        items=items,
    )
