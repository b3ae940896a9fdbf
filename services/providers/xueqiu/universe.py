"""Xueqiu's list of a whole market, page after page."""

from collections.abc import Mapping
from typing import Any

from services.core.errors import ChangedError, InputError, UnavailableError
from services.core.requests import UniverseRequest
from services.core.source_marks import join_notes
from services.core.symbols import Market, Symbol
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.http import Body
from services.providers.joining import join_bodies
from services.providers.reading import Column, Node, facts, member, number, once, plain, rows_of
from services.providers.sessions import ZONES
from services.providers.xueqiu.client import NAME, XueqiuClient
from services.providers.xueqiu.quotes import DELAYED, QuoteSession, session_of

_PAGE = 90
_TYPES: Mapping[Market, str] = {"CN": "sh_sz", "HK": "hk", "US": "us"}
_CURRENCIES: Mapping[Market, str] = {"CN": "CNY", "HK": "HKD", "US": "USD"}
# Of the companies it says there are, how many may be missing when the pages have been turned.
_MISSING = 0.01
_COLUMNS = (
    "symbol",
    "name",
    "current",
    "percent",
    "volume",
    "amount",
    "market_capital",
    "pe_ttm",
    "pb",
)
# There for most lists; what is not there is missing.
_EXTRAS = (
    Column("float_market_capital", "float_market_cap", ""),
    Column("total_shares", "total_shares", "shares"),
    Column("float_shares", "float_shares", "shares"),
    Column("dividend_yield", "dy_l", "percent"),
)


def universe(client: XueqiuClient, request: UniverseRequest) -> tuple[Fetched, ...]:
    """Price, size and multiples of each company, in symbol order; what has none is only named.

    The mainland is Shanghai and Shenzhen. Raises: UnavailableError when rows got lost between the
    pages, ProviderError.
    """
    session = session_of(client, request.market)
    rows, total, bodies = _whole_list(client, request.market)
    whole = join_bodies([*bodies, session.body], "screener/quote/list.json")
    if len(rows) < total * (1 - _MISSING):
        raise UnavailableError(
            NAME, whole.table, f"gave {len(rows)} of {total} companies: the list moved"
        )
    note = read_list_time(client, request.market)
    spelled = [(parse_listed(row["symbol"], request.market), row) for row in rows]
    known = [(symbol, row) for symbol, row in spelled if symbol is not None]
    found: list[Fact] = []
    labels: dict[str, dict[str, str]] = {}
    for symbol, row in sorted(known, key=lambda pair: pair[0].value):
        found += _make_facts(symbol, row, session, whole, note)
        labels[symbol.value] = {"name": plain(row["name"])}
    if not found:
        raise ChangedError(NAME, whole.table, "no figure in the whole list")
    stamp = (whole.fetched_at, whole.sha256)
    return (Fetched(NAME, whole.table, once(found, whole), *stamp, labels),)


def parse_listed(text: object, market: Market) -> Symbol | None:
    """The listed company; None for a spelling we do not know, a fund or another market's."""
    try:
        symbol = Symbol.parse(str(text))
    except InputError:
        return None
    return symbol if symbol.market == market and not symbol.is_index else None


def read_list_time(client: XueqiuClient, market: Market) -> str | None:
    """When the list was read: it says no time itself."""
    local = client.now.astimezone(ZONES[market])
    taken = f"抓取时点 {local:%Y-%m-%d %H:%M}（当地）；列表不含时间，日期取自指数或龙头报价"
    return join_notes(taken, DELAYED if market == "HK" else None)


def _whole_list(client: XueqiuClient, market: Market) -> tuple[list[Node], int, list[Body]]:
    """Every row once, how many there are said to be, and the pages.

    Sorted by symbol at the source, so that prices that move do not move rows between pages.
    """
    rows: dict[str, Node] = {}
    bodies: list[Body] = []
    page, total = 1, 1
    while (page - 1) * _PAGE < total:
        params: dict[str, str | int] = {
            "page": page,
            "size": _PAGE,
            "order": "asc",
            "order_by": "symbol",
            "market": market,
            "type": _TYPES[market],
        }
        path, table = "/v5/stock/screener/quote/list.json", "screener/quote/list.json"
        answer = client.ask("stock", table, path, params)
        data = member(answer.document, "data", answer.body)
        found = rows_of(data, "list", answer.body, _COLUMNS)
        total = member(data, "count", answer.body, int)
        if not found:
            raise UnavailableError(NAME, table, "gave an empty list where companies are")
        for row in found:
            rows.setdefault(str(row["symbol"]), row)
        bodies.append(answer.body)
        page += 1
    return list(rows.values()), total, bodies


def _make_facts(
    symbol: Symbol, row: Node, session: QuoteSession, body: Body, note: str | None
) -> list[Fact]:
    money = _CURRENCIES[symbol.market]
    sized = [
        Column("market_capital", "market_cap", money, zero_is_missing=True),
        Column("pe_ttm", "pe_ttm", "multiple", zero_is_missing=True),
        Column("pb", "pb", "multiple", zero_is_missing=True),
    ]
    sized += [
        Column(one.field, one.metric, one.unit or money, zero_is_missing=one.metric != "dy_l")
        for one in _EXTRAS
        if one.field in row
    ]
    traded = [
        Column("current", session.price, symbol.currency),
        Column("percent", "pct_change", "percent"),
        Column("volume", "volume", "shares"),
        Column("amount", "amount", symbol.currency),
    ]
    if not number(row, traded[2], body):
        # Suspended: a last price that is repeated is no price of this session.
        traded = []
    if symbol.board == "b_share":
        # In which currency sizes are is not said.
        sized = [column for column in sized if column.unit != money]
    about: dict[str, Any] = {"symbol": symbol.value, "as_of": session.day, "note": note}
    return facts(row, (*traded, *sized), body, **about)
