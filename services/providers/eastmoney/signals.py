"""What was flagged on one mainland share: 盘口异动, limit pools, 龙虎榜. All as texts with figures.

The abnormal moves are of the newest session only; of trades in bulk the last twenty thousand of
the market are looked at. Limit pools reach back twenty sessions, and only days on which the share
came near a limit are asked for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Literal

from services.core.clock import BEIJING
from services.core.errors import ChangedError, NoDataError, UnavailableError
from services.core.requests import SignalsRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact, Item
from services.providers.base import Fetched
from services.providers.eastmoney.bars import BAR_FIELDS, bars_by_day
from services.providers.eastmoney.client import NAME, EastmoneyClient, same_code, secids
from services.providers.found_texts import newest_first, short_id
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
    require,
    rows_of,
)

First = Literal["change", "volume", "price"]


@dataclass(frozen=True, slots=True)
class _Move:
    """One kind of abnormal move: its words, our tag, and what its first figure is."""

    zh: str
    tag: str
    first: First


# The kinds by the number the source gives them.
_MOVES: Mapping[int, _Move] = {
    8201: _Move("火箭发射", "rocket", "change"),
    8202: _Move("快速反弹", "rebound", "change"),
    8193: _Move("大笔买入", "bulk_buy", "volume"),
    4: _Move("封涨停板", "limit_up", "price"),
    32: _Move("打开跌停板", "limit_down_opened", "price"),
    64: _Move("有大买盘", "bulk_bid", "volume"),
    8207: _Move("竞价上涨", "auction_up", "change"),
    8209: _Move("高开5日线", "above_5_day_line", "change"),
    8211: _Move("向上缺口", "gap_up", "change"),
    8213: _Move("60日新高", "high_60_days", "price"),
    8215: _Move("60日大幅上涨", "surge_60_days", "change"),
    8204: _Move("加速下跌", "falling_faster", "change"),
    8203: _Move("高台跳水", "dive", "change"),
    8194: _Move("大笔卖出", "bulk_sell", "volume"),
    8: _Move("封跌停板", "limit_down", "price"),
    16: _Move("打开涨停板", "limit_up_opened", "price"),
    128: _Move("有大卖盘", "bulk_ask", "volume"),
    8208: _Move("竞价下跌", "auction_down", "change"),
    8210: _Move("低开5日线", "below_5_day_line", "change"),
    8212: _Move("向下缺口", "gap_down", "change"),
    8214: _Move("60日新低", "low_60_days", "price"),
    8216: _Move("60日大幅下跌", "slump_60_days", "change"),
}
_BULK = tuple(kind for kind, move in _MOVES.items() if move.first == "volume")
_RARE = tuple(kind for kind in _MOVES if kind not in _BULK)
_FIRSTS: Mapping[First, Column] = {
    "change": Column("i[0]", "signal_change", "ratio", "percent", texts=True),
    "volume": Column("i[0]", "signal_volume", "shares", texts=True),
    "price": Column("i[0]", "signal_price", "CNY", texts=True),
}
_BULK_REST = (
    Column("i[1]", "signal_price", "CNY", texts=True),
    Column("i[3]", "signal_amount", "CNY", texts=True),
)
_PAGE = 5000
_PAGES_OF_BULK, _PAGES_OF_RARE = 4, 8
_MOST_OF_A_KIND = 20
_UT = "7eea3edcaed734bea9cbfc24409ed989"


@dataclass(frozen=True, slots=True)
class _Pool:
    """A limit pool: its words, our tag, the sort it wants, which column holds its time."""

    path: str
    zh: str
    tag: str
    sort: str
    at: str
    columns: tuple[Column, ...]


# Prices there are in thousandths of a yuan.
_PRICE = Column("p", "signal_price", "CNY_li", "CNY")
_POOL_CHANGE = Column("zdp", "pct_change", "percent")
_SEAL = Column("fund", "seal_fund", "CNY")
_UP = _Pool(
    "getTopicZTPool",
    "涨停",
    "limit_up",
    "fbt:asc",
    "lbt",
    (_PRICE, _POOL_CHANGE, _SEAL, Column("lbc", "limit_streak", "sessions")),
)
_BROKEN = _Pool(
    "getTopicZBPool",
    "炸板：触及涨停而未封住",
    "limit_broken",
    "fbt:asc",
    "fbt",
    (_PRICE, _POOL_CHANGE),
)
_DOWN = _Pool(
    "getTopicDTPool", "跌停", "limit_down", "fund:asc", "lbt", (_PRICE, _POOL_CHANGE, _SEAL)
)
_POOLS_REACH = 20
_MOST_POOLS = 12
# The smallest limit there is, 5 %, as seen in rounded prices.
_NEAR = 4.7
_BILLBOARD = "RPT_DAILYBILLBOARD_DETAILSNEW"
_BILLBOARD_COLUMNS = (
    Column("BILLBOARD_NET_AMT", "billboard_net", "CNY"),
    Column("BILLBOARD_BUY_AMT", "billboard_buy", "CNY"),
    Column("BILLBOARD_SELL_AMT", "billboard_sell", "CNY"),
    Column("CHANGE_RATE", "pct_change", "percent"),
)
_CLOSE = time(15)
# Trades at the fixed price end then.
_LAST_TRADE = time(15, 30)


@dataclass(slots=True)
class _Flags:
    """What one table flagged, and what of it could not be had."""

    items: list[Item] = field(default_factory=list[Item])
    rows: list[Fact] = field(default_factory=list[Fact])
    bodies: list[Body] = field(default_factory=list[Body])
    missing: UnavailableError | None = None


def signals(client: EastmoneyClient, request: SignalsRequest) -> tuple[Fetched, ...]:
    """Everything flagged within the days asked, a part a table, the newest first in each.

    A limit pool that is missing leaves the others.
    Raises: NoDataError when nothing was, ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    sessions = _sessions(client, symbol)
    asked = [on for on in sessions if request.start <= on <= request.end]
    parts: list[Fetched] = []
    # Without a newest session of its own the share does not trade: no move of it is flagged.
    if sessions and max(sessions) in asked:
        parts += _part("push2ex.changes", _moves(client, symbol, max(sessions)))
    limits = _limits(client, symbol, sessions, asked)
    parts += _part("push2ex.pools", limits)
    parts += _part(_BILLBOARD, _billboard(client, symbol, request))
    if not parts and limits.missing:
        raise limits.missing
    if not parts:
        raise NoDataError(
            f"signals {symbol}",
            Text("这段时间没有异动、涨跌停或龙虎榜", "nothing was flagged within these dates"),
        )
    return tuple(parts)


def _sessions(client: EastmoneyClient, symbol: Symbol) -> dict[date, Node]:
    """Its last sessions with their bars, the one under way included, as the source has them."""
    params = {
        "klt": 101,
        "fqt": 0,
        "end": "20500101",
        "lmt": 60,
        "fields1": "f1,f2,f3,f4,f5,f6",
        "fields2": BAR_FIELDS,
    }
    path = "/api/qt/stock/kline/get"
    data, body = client.about(
        symbol, "PUSH2HIS", "push2his.kline", path, params, capability="signals"
    )
    same_code(data, "code", symbol, body)
    return bars_by_day(data, body, symbol, client.now)


def _moves(client: EastmoneyClient, symbol: Symbol, on: date) -> _Flags:
    flags = _Flags()
    venue = int(secids(symbol)[0].partition(".")[0])
    seen: dict[tuple[int, int], int] = {}
    kept: dict[int, int] = {}
    for kinds, most in ((_RARE, _PAGES_OF_RARE), (_BULK, _PAGES_OF_BULK)):
        rows, bodies = _move_rows(client, kinds, most)
        flags.bodies += bodies
        own = [row for row in rows if row["c"] == symbol.code and row["m"] == venue]
        for at, kind, row in _newest_moves(own, on, bodies[0]):
            kept[kind] = kept.get(kind, 0) + 1
            if at > client.now or kept[kind] > _MOST_OF_A_KIND:
                continue
            place = seen[kind, row["tm"]] = seen.get((kind, row["tm"]), 0) + 1
            key = f"{on}:{symbol}:{kind}-{row['tm']:06d}" + (f"-{place}" if place > 1 else "")
            move = _MOVES[kind]
            item = _item(symbol, key, f"盘口异动：{move.zh}", at, move.tag)
            flags.items.append(item)
            flags.rows += _move_facts(item, move, row, on, bodies[0])
    return flags


def _newest_moves(own: Sequence[Node], on: date, body: Body) -> list[tuple[datetime, int, Node]]:
    """When and what each move was, the newest first; one that is told twice is told once."""
    unique = {(row["tm"], row["t"], str(row["i"])): row for row in own}
    moves = [(_at(on, row["tm"], body), _kind(row, body), row) for row in unique.values()]
    if any(at.time() > _LAST_TRADE for at, _, _ in moves):
        raise ChangedError(NAME, body.table, "a move after the last trade of a day")
    return sorted(moves, key=lambda move: (move[0], move[1], str(move[2]["i"])), reverse=True)


def _move_rows(
    client: EastmoneyClient, kinds: Sequence[int], most: int
) -> tuple[list[Node], list[Body]]:
    """The rows of these kinds in the newest session, newest first, of at most that many pages.

    Raises: UnavailableError when the rarer kinds did not fit: some would be missing unseen.
    """
    rows: list[Node] = []
    bodies: list[Body] = []
    total = 0
    for page in range(most):
        params: dict[str, str | int] = {
            "type": ",".join(map(str, kinds)),
            "pageindex": page,
            "pagesize": _PAGE,
            "ut": _UT,
            "dpt": "wzchanges",
        }
        path = "/getAllStockChanges"
        data, body = client.read_pushed("PUSH2EX", "push2ex.changes", path, params)
        bodies.append(body)
        if data is None:
            break
        page_rows = rows_of(data, "allstock", body, ("tm", "c", "m", "t", "i"))
        rows += page_rows
        total = member(data, "tc", body, int)
        if len(rows) >= total or not page_rows:
            break
    if kinds == _RARE and len(rows) < total:
        raise UnavailableError(NAME, "push2ex.changes", f"gave {len(rows)} of {total} moves")
    return rows, bodies


def _move_facts(item: Item, move: _Move, row: Node, on: date, body: Body) -> list[Fact]:
    """The figures in `i`: what the first is depends on the kind; the rest only of bulk trades."""
    if not isinstance(row["i"], str):
        raise ChangedError(NAME, body.table, "i is no text")
    figures = {f"i[{place}]": text for place, text in enumerate(row["i"].split(","))}
    columns = [_FIRSTS[move.first]]
    if move.first == "volume":
        columns += [column for column in _BULK_REST if column.field in figures]
    return facts(figures, columns, body, symbol=item.item_id, as_of=on)


def _limits(
    client: EastmoneyClient, symbol: Symbol, sessions: Mapping[date, Node], asked: Sequence[date]
) -> _Flags:
    flags = _Flags()
    recent = sorted(sessions)[-_POOLS_REACH:]
    days = [on for on in recent if on in asked]
    wanted = [(on, pool) for on in days for pool in _worth_asking(sessions[on])]
    for on, pool in wanted[-_MOST_POOLS:]:
        _add_pool(flags, client, symbol, on, pool)
    return flags


def _worth_asking(bar: Node) -> list[_Pool]:
    """The pools a bar of that day can be in: how high and how low it went from the day before."""
    close, high, low, change = (float(bar[name]) for name in ("f53", "f54", "f55", "f60"))
    before = close - change
    if before <= 0:
        return []
    pools = [_UP, _BROKEN] if (high / before - 1) * 100 >= _NEAR else []
    return pools + ([_DOWN] if (low / before - 1) * 100 <= -_NEAR else [])


def _add_pool(
    flags: _Flags, client: EastmoneyClient, symbol: Symbol, on: date, pool: _Pool
) -> None:
    params: dict[str, str | int] = {
        "ut": _UT,
        "dpt": "wz.ztzt",
        "Pageindex": 0,
        "pagesize": 10000,
        "sort": pool.sort,
        "date": f"{on:%Y%m%d}",
    }
    table = f"push2ex.{pool.path}"
    data, body = client.read_pushed("PUSH2EX", table, f"/{pool.path}", params)
    flags.bodies.append(body)
    if data is None:
        return
    pool_day = day(member(data, "qdate", body, int), body, "qdate")
    if not_later(pool_day, client.now, BEIJING, body, "qdate") != on:
        # For a day it does not take the source gives its newest pool: this one is missing.
        flags.missing = UnavailableError(NAME, table, f"gave the pool of {pool_day}, not of {on}")
        return
    columns = tuple(column.field for column in pool.columns)
    for row in rows_of(data, "pool", body, ("c", *columns)):
        if row["c"] != symbol.code:
            continue
        require(row, (pool.at,), body)
        at = _at(on, row[pool.at], body)
        if at > client.now:
            continue
        if number(row, pool.columns[0], body) is None:
            raise ChangedError(NAME, table, "a pool row without a price")
        item = _item(symbol, f"{on}:{symbol}:{pool.tag}", pool.zh, at, pool.tag)
        if all(known.item_id != item.item_id for known in flags.items):
            flags.items.append(item)
        flags.rows += facts(row, pool.columns, body, symbol=item.item_id, as_of=on)


def _billboard(client: EastmoneyClient, symbol: Symbol, request: SignalsRequest) -> _Flags:
    """One item a list the share was on: several of one day are several reasons."""
    today = client.now.astimezone(BEIJING).date()
    conditions = (
        f'(SECURITY_CODE="{symbol.code}")'
        f"(TRADE_DATE>='{request.start}')(TRADE_DATE<='{min(request.end, today)}')"
    )
    table = client.table(_BILLBOARD, conditions, order="-TRADE_DATE")
    body = join_bodies(table.bodies)
    flags = _Flags(bodies=list(table.bodies))
    for row in table.rows:
        require(row, ("TRADE_DATE", "EXPLANATION"), body)
        same_code(row, "SECURITY_CODE", symbol, body)
        on = not_later(
            day(row["TRADE_DATE"], body, "TRADE_DATE"), client.now, BEIJING, body, "TRADE_DATE"
        )
        # It comes out after the close, at an hour the table does not say: the item has no time,
        # its figures have the day.
        if datetime.combine(on, _CLOSE, BEIJING) > client.now:
            continue
        why = plain(row["EXPLANATION"], 200)
        key = f"{on}:{symbol}:billboard-{short_id(why)[:8]}"
        item = _item(symbol, key, f"龙虎榜：{why}", None, "billboard")
        if all(known.item_id != item.item_id for known in flags.items):
            flags.items.append(item)
        flags.rows += facts(row, _BILLBOARD_COLUMNS, body, symbol=item.item_id, as_of=on)
    return flags


def _item(symbol: Symbol, key: str, title: str, at: datetime | None, tag: str) -> Item:
    return Item(
        item_id=f"signal:{NAME}:{key}",
        kind="signal",
        symbol=symbol.value,
        title=title,
        origin="东方财富",
        published_at=at,
        tags=(tag,),
    )


def _kind(row: Node, body: Body) -> int:
    kind = row["t"]
    if isinstance(kind, bool) or not isinstance(kind, int) or kind not in _MOVES:
        raise ChangedError(NAME, body.table, "t is no kind of move we know")
    return kind


def _at(on: date, clock: object, body: Body) -> datetime:
    """`93515` of that day in Beijing. Raises: ChangedError."""
    if isinstance(clock, int) and not isinstance(clock, bool):
        hours, rest = divmod(clock, 10_000)
        minutes, seconds = divmod(rest, 100)
        try:
            return datetime.combine(on, time(hours, minutes, seconds), BEIJING)
        except ValueError:
            pass
    raise ChangedError(NAME, body.table, "a time of day is no HHMMSS")


def _part(table: str, flags: _Flags) -> list[Fetched]:
    if not flags.items:
        return []
    body = join_bodies(flags.bodies, table)
    items = newest_first(sorted(flags.items, key=lambda item: item.item_id, reverse=True))
    order = {item.item_id: place for place, item in enumerate(items)}
    rows = once(sorted(flags.rows, key=lambda fact: order[fact.symbol]), body)
    return [Fetched(NAME, table, rows, body.fetched_at, body.sha256, items=tuple(items))]
