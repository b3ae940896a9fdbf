"""Aliyun IQS UnifiedSearch: pages of the open web, and of xueqiu.com where its own search is shut.

Scene cards (weather, quotes) are left aside: their figures name no source.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any, cast
from urllib.parse import urlsplit

from services.core.clock import BEIJING
from services.core.errors import (
    ChangedError,
    DeniedError,
    NoDataError,
    NotCoveredError,
    ProviderError,
    RateLimitError,
    UnavailableError,
)
from services.core.requests import FetchRequest, SiteSearchRequest, WebSearchRequest
from services.core.text import Text
from services.core.trace import Item
from services.providers.base import Fetched
from services.providers.found_texts import part_of, public_at, web_hit
from services.providers.http import Body, Target, host_of
from services.providers.provider_context import Kit
from services.providers.reading import Node, json_of, link, plain, rows_of
from services.providers.retry import retry_after

# What `category` may hold. `general` is the seed's word for no category and is never sent.
CATEGORIES = (
    "finance",
    "law",
    "medical",
    "internet",
    "tax",
    "news_province",
    "news_center",
)
_LONGEST_QUERY = 500
# The standard engine gives ten hits; the light one as many as asked, up to fifty.
_STANDARD, _MOST = 10, 50
_JUDGED = frozenset({200, 400, 403, 404, 429})
_DENIALS: Mapping[str, str] = {
    "InvalidAPIKey": "the key is not valid; a new one takes some minutes: check IQS_API_KEY",
    "NotActivate": "the search service is not activated for this account",
    "NotAuthorised": "this account is not authorised to search",
    "Arrears": "the account is in arrears",
    "TestUserPeriodExpired": "the trial period is over",
    "InvalidAccessKeyId.NotFound": "the key does not exist: check IQS_API_KEY",
}
_DAILY_QUOTA = "TestUserQueryPerDayExceeded"
_POST = re.compile(r"/\d+/(\d+)/?")
_NOTHING = Text("IQS 没有搜到", "nothing found by IQS")


class IqsProvider:
    """Answers searches of the web and of the community's site."""

    name = "iqs"
    capabilities = frozenset({"web_search", "site_search"})

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._clock = kit.clock

    def covers(self, request: FetchRequest) -> bool:
        """Any search."""
        return request.capability in self.capabilities

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """The hits in the source's own order. Raises: NoDataError, ProviderError."""
        if isinstance(request, WebSearchRequest):
            return self._web(request)
        if isinstance(request, SiteSearchRequest):
            return self._site(request)
        raise NotCoveredError(self.name, request.capability, "does not answer this")

    def _web(self, request: WebSearchRequest) -> tuple[Fetched, ...]:
        wanted = [name for name in request.industries if name in CATEGORIES]
        ignored = [name for name in request.industries if name not in {*CATEGORIES, "general"}]
        asked: dict[str, object] = {"timeRange": request.time_range}
        if wanted:
            asked["category"] = ",".join(wanted)
        body, rows = self._search(request.query, request.size, asked, {})
        items = [made for row in rows if (made := _page(row)) is not None]
        labels = {"web": {"ignored": ",".join(ignored)}} if ignored else {}
        return self._part(f"web_search {request.query}", body, items, request.size, labels)

    def _site(self, request: SiteSearchRequest) -> tuple[Fetched, ...]:
        advanced = {"includeSites": "xueqiu.com"}
        if request.start is not None:
            today = self._clock.now().astimezone(BEIJING).date()
            advanced["startPublishedDate"] = request.start.isoformat()
            advanced["endPublishedDate"] = today.isoformat()
        body, rows = self._search(request.query, request.size, {}, advanced)
        items = [made for row in rows if (made := _post(row)) is not None]
        if request.start is not None:
            since = datetime.combine(request.start, time(), BEIJING)
            items = [item for item in items if (item.published_at or since) >= since]
        return self._part(f"site_search {request.query}", body, items, request.size, {})

    def _search(
        self, query: str, size: int, asked: Mapping[str, object], advanced: Mapping[str, str]
    ) -> tuple[Body, list[Node]]:
        more = size > _STANDARD
        settled = {**advanced, "numResults": str(min(size, _MOST))} if more else dict(advanced)
        document: dict[str, object] = {
            "query": query[:_LONGEST_QUERY],
            "engineType": "LiteAdvanced" if more else "Generic",
            "contents": {
                "mainText": False,
                "markdownText": False,
                "richMainBody": False,
                "summary": False,
                "rerankScore": False,
            },
            **asked,
        }
        if settled:
            document["advancedParams"] = settled
        target = Target(
            self.name,
            "search/unified",
            self._kit.settings.urls["IQS_URL"],
            headers={"Authorization": f"Bearer {self._kit.settings.secret('IQS_API_KEY')}"},
            accepts=_JUDGED,
            judge=self._judge,
        )
        body = self._kit.http.post(target, "/search/unified", json=document)
        rows = rows_of(json_of(body), "pageItems", body, ("title", "link", "snippet"))
        if rows and not any(link(row["link"]) for row in rows):
            raise ChangedError(body.provider, body.table, "no hit has an address in link")
        return body, rows

    def _part(
        self,
        what: str,
        body: Body,
        items: Sequence[Item],
        size: int,
        labels: dict[str, dict[str, str]],
    ) -> tuple[Fetched, ...]:
        found = public_at(self._clock.now(), items, body)[:size]
        if not found:
            raise NoDataError(what, _NOTHING)
        return (part_of(self.name, body, found, labels),)

    def _judge(self, body: Body) -> None:
        """Raise what a refusal means. The code stands under one of two names."""
        if body.status != 200:
            raise self._refusal(body, _code(body))

    def _refusal(self, body: Body, code: str) -> ProviderError:
        who = (body.provider, body.table)
        if body.status == 429:
            now = self._clock.now()
            if code == _DAILY_QUOTA:
                words = "the trial's queries of this day are used up"
                return RateLimitError(*who, words, retry_after_s=_until_midnight(now))
            pause = retry_after(body.headers.get("retry-after"), now)
            return RateLimitError(*who, "asked too often (HTTP 429)", retry_after_s=pause)
        if body.status == 403 or code in _DENIALS:
            return DeniedError(*who, _DENIALS.get(code, f"refused (HTTP {body.status})"))
        return ChangedError(*who, f"does not accept the question (HTTP {body.status})")


def _code(body: Body) -> str:
    try:
        document = json_of(body)
    except (ChangedError, UnavailableError):
        return ""
    if not isinstance(document, dict):
        return ""
    given = cast("dict[str, Any]", document)
    return str(given.get("code") or given.get("errorCode") or "").removeprefix("Retrieval.")


def _until_midnight(now: datetime) -> float:
    here = now.astimezone(BEIJING)
    midnight = datetime.combine(here.date() + timedelta(days=1), time(), BEIJING)
    return (midnight - here).total_seconds()


def _page(row: Node) -> Item | None:
    """One hit as an item; None when it has no address to cite."""
    site = plain(row.get("hostname"), 100)
    return web_hit(row["link"], row["title"], row["snippet"], row.get("publishedTime"), site)


def _post(row: Node) -> Item | None:
    """A hit on the community's site; its posts carry the id they have there."""
    page = _page(row)
    if page is None or page.url is None:
        return None
    host = host_of(page.url)
    if host != "xueqiu.com" and not host.endswith(".xueqiu.com"):
        return None
    post = _POST.fullmatch(urlsplit(page.url).path)
    if post is None:
        return page
    return page.model_copy(update={"item_id": f"post:{post.group(1)}", "kind": "post"})
