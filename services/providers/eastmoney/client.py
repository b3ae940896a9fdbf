"""Eastmoney's hosts: how a symbol is spelled there, and the three envelopes answers come in."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeVar

from services.core.errors import ChangedError, InputError, NoDataError, UnavailableError
from services.core.indexes import INDEXES
from services.core.symbols import Symbol
from services.core.text import Text
from services.providers.http import Body, Target
from services.providers.provider_context import Kit
from services.providers.reading import Node, json_of, member, require, rows_of

NAME = "eastmoney"
# Each share of the mainland boards, Hong Kong and New York, in Eastmoney's own grammar.
UNIVERSES: Mapping[str, str] = {
    "CN": "m:0 t:6,m:0 t:80,m:1 t:2,m:1 t:23,m:0 t:81 s:2048,"
    # Its exchange traded funds, in four blocks: known by name, counted among no companies.
    "b:MK0021,b:MK0022,b:MK0023,b:MK0024",
    "HK": "m:128 t:3,m:128 t:4,m:128 t:1,m:128 t:2",
    "US": "m:105,m:106,m:107",
}
CURRENCIES: Mapping[str, str] = {
    "CNY": "CNY",
    "HKD": "HKD",
    "USD": "USD",
    "人民币": "CNY",
    "港元": "HKD",
    "港币": "HKD",
    "美元": "USD",
}
_HEADERS = {"Referer": "https://quote.eastmoney.com/", "Accept": "*/*"}
# NASDAQ, NYSE, AMEX: a ticker does not say which.
_US_VENUES = ("105", "106", "107")
_BEIJING_HEADS = ("920", "43", "82", "83", "87", "88")
_THREADS = 4
_ROWS = 500
# Of the rows a list says it has, how many may be missing when its pages have been turned.
_MISSING = 0.01
_NOTHING_FOUND = 9201
_BUSY = 9701
# An answer that only says what went wrong is no longer than that many bytes.
_LONGEST_ERROR = 1000
Asked = TypeVar("Asked")
Found = TypeVar("Found")
Kind = Literal["stock", "fund", "index", "b_share", "world"]


@dataclass(frozen=True, slots=True)
class DatacenterRows:
    """Rows of a datacenter table, and the bodies they came in (one a page)."""

    rows: list[Node]
    bodies: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class _Page:
    rows: list[Node]
    body: Body
    pages: int
    count: int


def kind_of(symbol: Symbol) -> Kind:
    """What it is to Eastmoney; `world`: an index whose spelling there is not known to us."""
    if symbol.is_index:
        known = symbol.exchange in {"SH", "SZ"} or _world_secid(symbol)
        return "index" if known else "world"
    if symbol.board == "b_share":
        return "b_share"
    return "fund" if symbol.is_fund else "stock"


def secids(symbol: Symbol) -> tuple[str, ...]:
    """Its spellings, the likeliest first. The exchange decides, never the first digit."""
    if secid := _world_secid(symbol):
        return (secid,)
    if symbol.market == "US":
        return tuple(f"{venue}.{symbol.code.replace('.', '_')}" for venue in _US_VENUES)
    venue = {"SH": "1", "SZ": "0", "BJ": "0", "HK": "116"}[symbol.exchange]
    return (f"{venue}.{symbol.code}",)


def is_world_index(symbol: Symbol) -> bool:
    """Whether it has no exchange behind it: the unit of its volume is not documented."""
    return bool(_world_secid(symbol))


def _world_secid(symbol: Symbol) -> str:
    index = INDEXES.get(symbol.value)
    return index.eastmoney if index else ""


def symbol_of(venue: object, code: object, body: Body) -> Symbol | None:
    """The symbol of a row's market number and code; None for what we have no spelling for.

    Raises: ChangedError when the code is no text: a number would have lost its leading zeros.
    """
    if not isinstance(code, str) or isinstance(venue, bool) or not isinstance(venue, int):
        raise ChangedError(body.provider, body.table, "a code is no text, or its market no number")
    tails = {1: ".SH", 0: ".SZ", 116: ".HK"}
    tail = ".BJ" if venue == 0 and code.startswith(_BEIJING_HEADS) else tails.get(venue, "")
    try:
        return Symbol.parse(code.replace("_", ".") + tail)
    except InputError:
        return None


class EastmoneyClient:
    """The hosts, their envelopes, and which New York exchange a ticker was found on."""

    def __init__(self, kit: Kit) -> None:
        """Nothing is asked yet."""
        self._kit = kit
        self._found: dict[str, str] = {}

    @property
    def now(self) -> datetime:
        """The clock's instant."""
        return self._kit.clock.now()

    def get(self, host: str, table: str, path: str, params: Mapping[str, str | int]) -> Body:
        """One GET at the host of that setting (`PUSH2`, `DATACENTER`, …), again if busy."""
        base = self._kit.settings.urls[f"EASTMONEY_{host}_URL"]
        target = Target(NAME, table, base, _HEADERS, judge=_refuse_busy)
        return self._kit.http.get(target, path, params=params)

    def read_pushed(
        self, host: str, table: str, path: str, params: Mapping[str, str | int]
    ) -> tuple[Node | None, Body]:
        """`data` of the push hosts' envelope; None where they have nothing."""
        body = self.get(host, table, path, params)
        document = json_of(body)
        member(document, "rc", body, int)
        require(document, ("data",), body)
        if document["data"] is None:
            return None, body
        return member(document, "data", body), body

    def about(
        self,
        symbol: Symbol,
        host: str,
        table: str,
        path: str,
        params: Mapping[str, str | int],
        *,
        capability: str,
    ) -> tuple[Node, Body]:
        """`data` about one symbol, tried on each exchange it may be listed on.

        Raises: NoDataError when Eastmoney knows no such symbol.
        """
        known = self._found.get(symbol.value)
        for secid in (known,) if known else secids(symbol):
            data, body = self.read_pushed(host, table, path, {**params, "secid": secid})
            if data is not None:
                self._found[symbol.value] = secid
                return data, body
        raise NoDataError(
            f"{capability} {symbol}", Text("东方财富没有这个代码", "Eastmoney knows no such symbol")
        )

    def table(self, report: str, conditions: str, *, order: str) -> DatacenterRows:
        """Every page of a datacenter table; no rows at all is an empty table.

        `order` is a column, with `-` before it for the newest or largest first.
        Raises: ChangedError when Eastmoney refuses the question, ProviderError.
        """
        first = self._page(report, conditions, order, _ROWS, 1)
        rest = in_threads(
            range(2, first.pages + 1),
            lambda page: self._page(report, conditions, order, _ROWS, page),
        )
        pages = (first, *rest)
        rows = [row for page in pages for row in page.rows]
        all_there(len(rows), first.count, first.body)
        return DatacenterRows(rows, tuple(page.body for page in pages))

    def newest(self, report: str, conditions: str, *, order: str, size: int) -> DatacenterRows:
        """The first page only, of `size` rows."""
        page = self._page(report, conditions, order, size, 1)
        return DatacenterRows(page.rows, (page.body,))

    def _page(self, report: str, conditions: str, order: str, size: int, page: int) -> _Page:
        params: dict[str, str | int] = {
            "reportName": report,
            "columns": "ALL",
            "filter": conditions,
            "sortColumns": order.removeprefix("-"),
            "sortTypes": "-1" if order.startswith("-") else "1",
            "pageNumber": page,
            "pageSize": size,
            "source": "WEB",
            "client": "WEB",
        }
        body = self.get("DATACENTER", report, "/api/data/v1/get", params)
        document = json_of(body)
        if member(document, "success", body, bool):
            pages = member(document, "result.pages", body, int)
            count = member(document, "result.count", body, int)
            return _Page(rows_of(document, "result.data", body), body, pages, count)
        code = member(document, "code", body, int)
        if code == _NOTHING_FOUND:
            return _Page([], body, 0, 0)
        raise ChangedError(NAME, report, f"refuses the question (code {code})")


def _refuse_busy(body: Body) -> None:
    """Raises: UnavailableError for the datacenter's 服务器繁忙, which comes with HTTP 200."""
    if len(body.content) <= _LONGEST_ERROR and str(_BUSY).encode() in body.content:
        document = json_of(body)
        if isinstance(document, dict) and document.get("code") == _BUSY:
            raise UnavailableError(NAME, body.table, "is busy")


def all_there(found: int, told: int, body: Body) -> None:
    """Raises: UnavailableError when rows got lost while the pages were turned."""
    if found < told * (1 - _MISSING):
        raise UnavailableError(NAME, body.table, f"gave {found} of {told} rows: the list moved")


def in_threads(asked: Iterable[Asked], ask: Callable[[Asked], Found]) -> list[Found]:
    """What `ask` says to each, in order, a few at a time, all within the present deadline."""
    each = list(asked)
    if len(each) < 2:
        return [ask(one) for one in each]
    with ThreadPoolExecutor(max_workers=_THREADS) as pool:
        # The deadline lies in the context, of which every thread needs a copy of its own.
        waiting = [pool.submit(copy_context().run, ask, one) for one in each]
        try:
            return [one.result() for one in waiting]
        finally:
            for one in waiting:
                one.cancel()


def read_quote_time(row: Mapping[str, Any], now: datetime, body: Body) -> datetime | None:
    """When a quote is of (`f86`, seconds); None where there has been no trade.

    Raises: ChangedError for a time in the future.
    """
    require(row, ("f86",), body)
    seconds = row["f86"]
    if seconds in {"-", 0} or seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, int):
        raise ChangedError(body.provider, body.table, "f86 is no time in seconds")
    try:
        found = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError) as error:
        raise ChangedError(body.provider, body.table, "f86 is no time") from error
    if found > now + timedelta(minutes=10):
        raise ChangedError(body.provider, body.table, "the quote lies in the future")
    return found


def same_code(data: Mapping[str, Any], field: str, symbol: Symbol, body: Body) -> None:
    """Raises: ChangedError when the answer is about another security than the one asked for."""
    require(data, (field,), body)
    code = _world_secid(symbol).rpartition(".")[2] or symbol.code.replace(".", "_")
    if data[field] != code:
        raise ChangedError(body.provider, body.table, "the answer is about another symbol")


def cells(data: Mapping[str, Any], name: str, fields: str, body: Body) -> list[Node]:
    """Lines of comma-separated text as rows by field code, one cell a field.

    Raises: ChangedError when a line has another number of cells: they go by position;
    UnavailableError when there is no such list, as happens for listed shares in passing.
    """
    if name not in data:
        raise UnavailableError(body.provider, body.table, f"left out the {name} this time")
    names = fields.split(",")
    rows: list[Node] = []
    for line in member(data, name, body, list):
        parts = line.split(",") if isinstance(line, str) else []
        if len(parts) != len(names):
            raise ChangedError(
                body.provider, body.table, f"a line has not the {len(names)} cells asked for"
            )
        rows.append(dict(zip(names, parts, strict=True)))
    return rows
