"""Xueqiu's texts: posts, announcements and headlines about a symbol, search, members, pages.

None of its lists knows days: they are turned until old enough and sifted here. A list's own count
is capped and never believed.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from services.core.clock import BEIJING
from services.core.errors import (
    ChangedError,
    InputError,
    NoDataError,
    NotCoveredError,
    UnavailableError,
)
from services.core.requests import (
    InfluencersRequest,
    NewsRequest,
    NoticesRequest,
    PageRequest,
    PostsRequest,
    SiteSearchRequest,
    UserPostsRequest,
    UserRequest,
)
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact, Item
from services.providers.base import Fetched
from services.providers.found_texts import newest_first, public_at
from services.providers.http import Body
from services.providers.joining import join_bodies
from services.providers.reading import Node, member, once, rows_of
from services.providers.xueqiu.client import (
    LARGEST_TEXTS,
    NAME,
    DocumentAnswer,
    Host,
    Params,
    XueqiuClient,
    own_address,
    read_list,
    spell_symbol,
)
from services.providers.xueqiu.quotes import full_quote
from services.providers.xueqiu.texts import (
    HOME,
    Kind,
    post_counts,
    post_item,
    user_counts,
    user_item,
)

# A page of the lists has at most so many, whatever is asked; no list is turned further than that.
_PAGE = 20
_MOST_PAGES = 10
PAGES_VALID = (
    "an https address on xueqiu.com: /{uid}/{postid} (a post), /S/SH600519 (a stock), "
    "/u/{uid} (a member)"
)
_POST = re.compile(r"/(?:\d{1,20}|S/[A-Za-z0-9.]{1,12})/(\d{1,20})/?")
_STOCK = re.compile(r"(?:/snowman)?/S/([A-Za-z0-9.]{1,12})(?:/detail)?/?")
_MEMBER = re.compile(r"/(?:u/)?(\d{1,20})/?")
_ORDERS = {"new": "time", "hot": "alpha"}
_NO_POSTS = Text("雪球没有返回这样的讨论", "Xueqiu returned no such posts")


@dataclass(frozen=True, slots=True)
class _List:
    """A list of posts: where it is, what is in it, and of which days."""

    host: Host
    table: str
    path: str
    params: Params
    name: str = "list"
    kind: Kind = "post"
    symbol: str | None = None
    start: date | None = None
    end: date | None = None
    is_by_time: bool = True


def posts(client: XueqiuClient, request: PostsRequest) -> tuple[Fetched, ...]:
    """What is written about a symbol: newest first, or in the source's order of heat.

    Raises: NoDataError, ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    wanted = _List(
        "api",
        "search/status.json",
        "/query/v1/symbol/search/status.json",
        {
            "symbol": spell_symbol(symbol),
            "comment": 0,
            "hl": 0,
            "source": "all",
            "sort": _ORDERS[request.order],
            "q": "",
        },
        symbol=symbol.value,
        start=request.start,
        is_by_time=request.order == "new",
    )
    return _posts(client, wanted, request.size, NoDataError(f"posts {symbol}", _NO_POSTS))


def notices(client: XueqiuClient, request: NoticesRequest) -> tuple[Fetched, ...]:
    """A company's announcements, newest first, with the document where one is linked.

    Raises: NoDataError, ProviderError.
    """
    wanted = _timeline(request.symbol, "notice", request.start, request.end)
    why = Text("雪球没有返回这段日期的公告", "Xueqiu returned no announcement of these days")
    return _posts(client, wanted, request.size, NoDataError(f"notices {wanted.symbol}", why))


def news(client: XueqiuClient, request: NewsRequest) -> tuple[Fetched, ...]:
    """Headlines about a symbol, newest first. Raises: NoDataError, ProviderError."""
    wanted = _timeline(request.symbol or "", "news", None, None)
    why = Text("雪球没有返回它的新闻", "Xueqiu returned no news of it")
    return _posts(client, wanted, request.size, NoDataError(f"news {wanted.symbol}", why))


def site_search(client: XueqiuClient, request: SiteSearchRequest) -> tuple[Fetched, ...]:
    """Posts with a keyword, the best first.

    Raises: NoDataError, UnavailableError (nothing for a guest proves nothing), ProviderError.
    """
    wanted = _List(
        "api",
        "search/status.json",
        "/query/v1/search/status.json",
        {"q": request.query, "sortId": 1},
        start=request.start,
        is_by_time=False,
    )
    nothing: NoDataError | UnavailableError = NoDataError(f"site_search {request.query}", _NO_POSTS)
    if client.is_anonymous:
        words = "is empty, as it may be for guests: set XUEQIU_TOKEN"
        nothing = NotCoveredError(NAME, wanted.table, words)
    return _posts(client, wanted, request.size, nothing)


def user_posts(client: XueqiuClient, request: UserPostsRequest) -> tuple[Fetched, ...]:
    """What a member wrote, newest first. Raises: NoDataError (no such user), ProviderError."""
    if not (request.user_id.isascii() and request.user_id.isdigit()):
        raise InputError("user_id", request.user_id, "digits, such as 1234567890")
    wanted = _List(
        "api",
        "user_timeline.json",
        "/v4/statuses/user_timeline.json",
        {"user_id": request.user_id, "type": 0},
        name="statuses",
        start=request.start,
    )
    nothing = NoDataError(f"user_posts {request.user_id}", _NO_POSTS)
    return _posts(client, wanted, request.size, nothing)


def influencers(client: XueqiuClient, request: InfluencersRequest) -> tuple[Fetched, ...]:
    """Members who write much about a symbol, in the source's order.

    Raises: NoDataError, ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    params = {"symbol": spell_symbol(symbol), "start": 0, "count": request.size}
    path = "/recommend/user/stock_hot_user.json"
    answer = _ask(client, "web", "stock_hot_user.json", path, params)
    rows = answer.document if isinstance(answer.document, list) else read_list(answer, "list")
    why = Text("雪球没有列出它的影响力用户", "Xueqiu lists no influential member")
    nothing = NoDataError(f"influencers {symbol}", why)
    return _users(rows, answer.body, request.size, symbol.value, nothing)


def users(client: XueqiuClient, request: UserRequest) -> tuple[Fetched, ...]:
    """Members whose name matches, the best first. Raises: NoDataError, ProviderError."""
    params = {"q": request.name, "count": max(request.size, 10), "page": 1}
    answer = _ask(client, "web", "search/user.json", "/query/v1/search/user.json", params)
    nothing = NoDataError(
        f"user_search {request.name}", Text("雪球没有匹配的用户", "no member of Xueqiu matches")
    )
    return _users(read_list(answer, "list"), answer.body, request.size, None, nothing)


def page(client: XueqiuClient, request: PageRequest) -> tuple[Fetched, ...]:
    """What an address of Xueqiu holds, through its interface and never by opening the address.

    Raises: InputError (not such an address), NoDataError, ProviderError.
    """
    open_one, subject = read_address(request.url)
    return open_one(client, subject)


_Opening = Callable[[XueqiuClient, str], tuple[Fetched, ...]]


def read_address(url: str) -> tuple[_Opening, str]:
    """How the page at an address is read, and its id. Raises: InputError."""
    parts = own_address(url)
    for pattern, opening in ((_POST, _post), (_STOCK, _stock), (_MEMBER, _profile)):
        if parts is not None and (match := pattern.fullmatch(parts.path)):
            return opening, match.group(1)
    raise InputError("url", url, PAGES_VALID)


def _post(client: XueqiuClient, post_id: str) -> tuple[Fetched, ...]:
    answer = client.ask(
        "api",
        "statuses/show.json",
        "/statuses/show.json",
        {"id": post_id},
        largest=LARGEST_TEXTS,
        may_be_gone=True,
    )
    body = answer.body
    row = _of_id(answer.document, post_id, body)
    item = public_at(client.now, [post_item(row, "post", body)], body)[0]
    rows = once(post_counts(row, item, body), body)
    return (_part(rows, [item], body),)


def _stock(client: XueqiuClient, text: str) -> tuple[Fetched, ...]:
    try:
        symbol = Symbol.parse(text)
    except InputError as error:
        raise InputError("url", text, PAGES_VALID) from error
    part = full_quote(client, symbol, "page")
    name = part.labels.get(symbol.value, {}).get("name") or symbol.value
    item = Item(
        item_id=f"page:{spell_symbol(symbol)}",
        kind="page",
        symbol=symbol.value,
        title=f"{name}({spell_symbol(symbol)})",
        text=f"雪球个股页：{name}。行情与估值见所附数值。",
        url=f"{HOME}/S/{spell_symbol(symbol)}",
        origin="雪球",
    )
    return (
        Fetched(
            part.source,
            part.table,
            part.rows,
            part.fetched_at,
            part.body_sha256,
            part.labels,
            items=(item,),
        ),
    )


def _profile(client: XueqiuClient, user_id: str) -> tuple[Fetched, ...]:
    path = "/statuses/original/show.json"
    answer = _ask(client, "web", "original/show.json", path, {"user_id": user_id})
    body = answer.body
    row = _of_id(member(answer.document, "user", body), user_id, body)
    item = user_item(row, body)
    return (_part(once(user_counts(row, item, body), body), [item], body),)


def _of_id(document: Any, wanted: str, body: Body) -> Node:
    """The object, which must be the one asked for. Raises: ChangedError."""
    if not isinstance(document, dict) or str(document.get("id")) != wanted:
        raise ChangedError(NAME, body.table, "answers about something else")
    return document


def _timeline(symbol: str, kind: Kind, start: date | None, end: date | None) -> _List:
    listed_symbol = Symbol.parse(symbol)
    return _List(
        "api",
        "stock_timeline.json",
        "/statuses/stock_timeline.json",
        {
            "symbol_id": spell_symbol(listed_symbol),
            "source": "公告" if kind == "notice" else "自选股新闻",
        },
        kind=kind,
        symbol=listed_symbol.value,
        start=start,
        end=end,
    )


def _posts(
    client: XueqiuClient, wanted: _List, size: int, nothing: NoDataError | UnavailableError
) -> tuple[Fetched, ...]:
    """The texts within the days, each once; as the list orders them, or newest first."""
    found: dict[str, tuple[Item, Node]] = {}
    bodies: list[Body] = []
    for answer, rows in _turn_pages(client, wanted):
        bodies.append(answer.body)
        before = len(found)
        made = [(post_item(row, wanted.kind, answer.body, wanted.symbol), row) for row in rows]
        for item, row in made:
            found.setdefault(item.item_id, (item, row))
        kept = [item for item, _ in found.values() if _is_within(item, wanted)]
        if len(found) == before or len(kept) >= size or _all_before(made, wanted):
            break
    body = join_bodies(bodies)
    public = public_at(client.now, [item for item, _ in found.values()], body)
    kept = [item for item in public if _is_within(item, wanted)]
    kept = newest_first(kept)[:size] if wanted.is_by_time else kept[:size]
    if not kept and found:
        raise NoDataError(f"xueqiu {wanted.table}", _NO_POSTS)
    if not kept:
        raise nothing
    facts = [fact for item in kept for fact in post_counts(found[item.item_id][1], item, body)]
    return (_part(once(facts, body), kept, body),)


def _turn_pages(client: XueqiuClient, wanted: _List) -> Iterator[tuple[DocumentAnswer, list[Node]]]:
    """Page after page, until one is empty or the last. Its own count is capped: not believed."""
    for number in range(1, _MOST_PAGES + 1):
        params = {**wanted.params, "count": _PAGE, "page": number}
        answer = _ask(client, wanted.host, wanted.table, wanted.path, params)
        bare = isinstance(answer.document, list)
        rows = rows_of(answer.document if bare else read_list(answer, wanted.name), "", answer.body)
        yield answer, rows
        last = None if bare else answer.document.get("maxPage")
        if not rows or bare or (isinstance(last, int) and number >= last):
            return


def _is_within(item: Item, wanted: _List) -> bool:
    """Whether its day is wanted; a text without one is, where no day is asked for."""
    if item.published_at is None:
        return wanted.start is None and wanted.end is None
    day = item.published_at.astimezone(BEIJING).date()
    return (wanted.start or date.min) <= day <= (wanted.end or date.max)


def _all_before(made: Sequence[tuple[Item, Node]], wanted: _List) -> bool:
    """Whether a list by time has come to what is too old: a pinned post may be, alone."""
    if wanted.start is None or not wanted.is_by_time:
        return False
    times = [item.published_at for item, _ in made if item.published_at is not None]
    return bool(times) and max(times).astimezone(BEIJING).date() < wanted.start


def _users(
    rows: list[Any], body: Body, size: int, symbol: str | None, nothing: NoDataError
) -> tuple[Fetched, ...]:
    made: dict[str, tuple[Item, Node]] = {}
    for row in rows_of(rows, "", body):
        item = user_item(row, body, symbol)
        made.setdefault(item.item_id, (item, row))
    kept = list(made.values())[:size]
    if not kept:
        raise nothing
    facts: list[Fact] = []
    for item, row in kept:
        facts += user_counts(row, item, body)
    return (_part(once(facts, body), [item for item, _ in kept], body),)


def _ask(client: XueqiuClient, host: Host, table: str, path: str, params: Params) -> DocumentAnswer:
    return client.ask(host, table, path, params, largest=LARGEST_TEXTS)


def _part(rows: Sequence[Fact], items: Sequence[Item], body: Body) -> Fetched:
    stamp = (body.fetched_at, body.sha256)
    return Fetched(NAME, body.table, tuple(rows), *stamp, items=tuple(items))
