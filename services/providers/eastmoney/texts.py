"""Company notices and headlines. When a notice was known is `display_time`, not its date."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from services.core.clock import BEIJING
from services.core.errors import ChangedError, NoDataError
from services.core.requests import NewsRequest, NoticesRequest, WebSearchRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Item
from services.providers.base import Fetched
from services.providers.eastmoney.client import NAME, EastmoneyClient
from services.providers.found_texts import newest_first, news_instead, public_at
from services.providers.http import Body
from services.providers.joining import join_bodies
from services.providers.reading import Node, json_of, link, plain, rows_of

# `notice_date`, by which the source selects, lies after the evening a notice came out.
_LAG = timedelta(days=4)
_PAGE = 50
_MOST_PAGES = 4
_MOST_WORDS = 3
_CALLBACK = "youju"
_ID = re.compile(r"[A-Za-z0-9]{1,40}")
_EM = re.compile(r"</?em>")


def notices(client: EastmoneyClient, request: NoticesRequest) -> tuple[Fetched, ...]:
    """What the company announced within the days asked and by now, newest first.

    Raises: NoDataError, ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    now = client.now
    until = min(request.end or date.max, now.astimezone(BEIJING).date())
    since = request.start or date.min
    unique: dict[str, Item] = {}
    bodies: list[Body] = []
    for page in range(1, _MOST_PAGES + 1):
        rows, body = _notice_page(client, symbol, request, until, page)
        bodies.append(body)
        for row in rows:
            at = _instant(row["display_time"], "display_time", body)
            if at > now + 2 * _LAG:
                raise ChangedError(NAME, body.table, "display_time lies in the future")
            if at <= now and since <= at.date() <= until:
                item = _notice(row, symbol, at, body)
                unique.setdefault(item.item_id, item)
        if len(rows) < _PAGE or len(unique) >= request.size:
            break
    whole = join_bodies(bodies)
    if not unique:
        raise NoDataError(
            f"notices {symbol}", Text("这段时间没有公告", "no announcement within these dates")
        )
    return (_part(newest_first(unique.values())[: request.size], whole),)


def news(client: EastmoneyClient, request: NewsRequest) -> tuple[Fetched, ...]:
    """Headlines for the symbol's code and for each keyword, newest first.

    Raises: NoDataError, ProviderError.
    """
    symbol = Symbol.parse(request.symbol) if request.symbol else None
    words = [*([symbol.code] if symbol else []), *request.keywords]
    found: list[Item] = []
    bodies: list[Body] = []
    for word in words[:_MOST_WORDS]:
        rows, body = _headlines(client, word)
        bodies.append(body)
        found += [_headline(row, symbol, body) for row in rows]
    whole = join_bodies(bodies)
    items = newest_first(public_at(client.now, found, whole))
    if not items:
        raise NoDataError(
            f"news {request.symbol or ' '.join(request.keywords)}",
            Text("东方财富没有找到相关新闻", "Eastmoney found no news"),
        )
    return (_part(items[: request.size], whole),)


def web_search(client: EastmoneyClient, request: WebSearchRequest) -> tuple[Fetched, ...]:
    """Its news search, for want of an engine of the web. Raises: NoDataError, ProviderError."""
    (part,) = news(client, NewsRequest(keywords=(request.query,), size=request.size))
    return (news_instead(part, request.industries),)


def _notice_page(
    client: EastmoneyClient, symbol: Symbol, request: NoticesRequest, until: date, page: int
) -> tuple[list[Node], Body]:
    params: dict[str, str | int] = {
        "sr": -1,
        "page_size": _PAGE,
        "page_index": page,
        "ann_type": "A",
        "client_source": "web",
        "f_node": 0,
        "s_node": 0,
        "stock_list": symbol.code,
        "end_time": str(until + _LAG),
    }
    if request.start is not None:
        params["begin_time"] = str(request.start)
    body = client.get("NOTICE", "security.ann", "/api/security/ann", params)
    return rows_of(json_of(body), "data.list", body, ("art_code", "display_time", "title")), body


def _notice(row: Node, symbol: Symbol, at: datetime, body: Body) -> Item:
    code = row["art_code"]
    if not isinstance(code, str) or not _ID.fullmatch(code):
        raise ChangedError(NAME, body.table, "art_code is no id")
    kinds = [plain(each.get("column_name")) for each in _dicts(row.get("columns"))]
    names = [
        plain(each.get("short_name"), 100)
        for each in _dicts(row.get("codes"))
        if each.get("stock_code") == symbol.code
    ]
    name = names[0] if names else ""
    return Item(
        item_id=f"notice:{code}",
        kind="notice",
        symbol=symbol.value,
        title=plain(row["title"], 300),
        author=name or None,
        text="、".join(kind for kind in kinds if kind),
        url=f"https://data.eastmoney.com/notices/detail/{symbol.code}/{code}.html",
        origin="东方财富公告",
        published_at=at,
    )


def _headlines(client: EastmoneyClient, word: str) -> tuple[list[Node], Body]:
    asked = {
        "uid": "",
        "keyword": word,
        "type": ["cmsArticleWebOld"],
        "client": "web",
        "clientType": "web",
        "clientVersion": "curr",
        "param": {
            "cmsArticleWebOld": {
                "searchScope": "default",
                "sort": "default",
                "pageIndex": 1,
                "pageSize": 10,
                "preTag": "<em>",
                "postTag": "</em>",
            }
        },
    }
    params = {"cb": _CALLBACK, "param": json.dumps(asked, ensure_ascii=False)}
    body = client.get("SEARCH", "search.jsonp", "/search/jsonp", params)
    document = json_of(replace(body, content=_inside(body)))
    columns = ("code", "title", "content", "date")
    return rows_of(document, "result.cmsArticleWebOld", body, columns), body


def _inside(body: Body) -> bytes:
    """The document between the brackets of the callback; a web page as it is."""
    content = body.content.strip()
    head = f"{_CALLBACK}(".encode()
    if content.startswith(b"<"):
        return content
    if not content.startswith(head) or not content.rstrip(b";").endswith(b")"):
        raise ChangedError(NAME, body.table, "the answer is not wrapped as asked for")
    return content.rstrip(b";")[len(head) : -1]


def _headline(row: Node, symbol: Symbol | None, body: Body) -> Item:
    code = str(row["code"])
    if not _ID.fullmatch(code):
        raise ChangedError(NAME, body.table, "code is no id")
    return Item(
        item_id=f"news:eastmoney-{code}",
        kind="news",
        symbol=symbol.value if symbol else None,
        title=plain(_EM.sub("", str(row["title"])), 300),
        text=plain(_EM.sub("", str(row["content"]))),
        url=link(row.get("url")) or f"https://finance.eastmoney.com/a/{code}.html",
        origin=plain(row.get("mediaName"), 60) or "东方财富",
        published_at=_instant(row["date"], "date", body),
    )


def _instant(text: object, field: str, body: Body) -> datetime:
    """`2026-11-20 18:03:12`, what follows left out, in Beijing time. Raises: ChangedError."""
    try:
        return datetime.fromisoformat(str(text)[:19]).replace(tzinfo=BEIJING)
    except ValueError as error:
        raise ChangedError(NAME, body.table, f"{field} is no time") from error


def _dicts(found: object) -> list[dict[str, Any]]:
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _part(items: Sequence[Item], body: Body) -> Fetched:
    return Fetched(NAME, body.table, (), body.fetched_at, body.sha256, items=tuple(items))
