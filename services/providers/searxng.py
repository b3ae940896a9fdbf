"""A SearXNG instance of one's own: pages of the open web, when there is no key for another search.

It has no page size and, of the seed's industries, only news. What it cannot heed is reported in
`labels["web"]["ignored"]`. A time without a zone stays what upstream wrote, in the item's label.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from services.core.clock import BEIJING
from services.core.errors import (
    ChangedError,
    DeniedError,
    NoDataError,
    NotCoveredError,
    UnavailableError,
)
from services.core.requests import FetchRequest, WebSearchRequest
from services.core.text import Text
from services.core.trace import Item
from services.providers.base import Fetched
from services.providers.found_texts import part_of, public_at, read_instant, web_hit
from services.providers.http import Body, Target
from services.providers.provider_context import Kit
from services.providers.reading import Node, json_of, link, require, rows_of

_RANGES: Mapping[str, str] = {
    "OneDay": "day",
    "OneWeek": "week",
    "OneMonth": "month",
    "OneYear": "year",
}
_DAYS: Mapping[str, int] = {"OneDay": 1, "OneWeek": 7, "OneMonth": 31, "OneYear": 366}
_JSON_OFF = "JSON is switched off there: add json to search.formats in its settings.yml"


class SearxngProvider:
    """Answers searches of the web."""

    name = "searxng"
    capabilities = frozenset({"web_search"})

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._clock = kit.clock

    def covers(self, request: FetchRequest) -> bool:
        """Any search of the web."""
        return isinstance(request, WebSearchRequest)

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """The hits, best first. Raises: NoDataError, ProviderError."""
        if not isinstance(request, WebSearchRequest):
            raise NotCoveredError(self.name, request.capability, "does not answer this")
        news = [name for name in request.industries if name.startswith("news")]
        body, weekless = self._ask(request, "news" if news else "general")
        document = json_of(body)
        rows = rows_of(document, "results", body, ("url", "title"))
        if rows and not any(link(row["url"]) for row in rows):
            raise ChangedError(body.provider, body.table, "no hit has an address in url")
        if not rows:
            require(document, ("unresponsive_engines",), body)
            if document["unresponsive_engines"]:
                raise UnavailableError(body.provider, body.table, "its engines do not answer")
        kept = [row for row in rows if self._within(row, request, strict=weekless)]
        made = [item for row in kept if (item := _page(row)) is not None]
        items = public_at(self._clock.now(), made, body)[: request.size]
        if not items:
            what = f"web_search {request.query}"
            raise NoDataError(what, Text("SearXNG 没有搜到", "nothing found by SearXNG"))
        ignored = [name for name in request.industries if name not in {*news, "general"}]
        labels = _labels(kept, items)
        if ignored:
            labels["web"] = {"ignored": ",".join(ignored)}
        return (part_of(self.name, body, items, labels),)

    def _ask(self, request: WebSearchRequest, category: str) -> tuple[Body, bool]:
        """The answer, and whether the range had to be widened: older releases know no week."""
        asked = {"q": request.query, "format": "json", "categories": category}
        span = _RANGES.get(request.time_range)
        if span is None:
            return self._get(asked, frozenset({200})), False
        known = frozenset({200, 400} if span == "week" else {200})
        body = self._get({**asked, "time_range": span}, known)
        if body.status == 200:
            return body, False
        return self._get({**asked, "time_range": "month"}, frozenset({200})), True

    def _get(self, asked: Mapping[str, str], accepts: frozenset[int]) -> Body:
        base = self._kit.settings.urls["SEARXNG_URL"]
        target = Target(self.name, "search", base, accepts=accepts | {403}, judge=_judge)
        return self._kit.http.get(target, "/search", params=asked)

    def _within(self, row: Node, request: WebSearchRequest, *, strict: bool) -> bool:
        """Whether it is of the range asked for; undated, unless the range had to be widened.

        A day without a zone may be off by one.
        """
        days = _DAYS.get(request.time_range)
        if days is None:
            return True
        now = self._clock.now()
        if instant := read_instant(row.get("publishedDate")):
            return instant >= now - timedelta(days=days)
        published = _day(row.get("publishedDate"))
        if published is None:
            return not strict
        return published >= now.astimezone(BEIJING).date() - timedelta(days=days + 1)


def _judge(body: Body) -> None:
    if body.status == 403:
        raise DeniedError(body.provider, body.table, _JSON_OFF)


def _day(text: object) -> date | None:
    if not isinstance(text, str):
        return None
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None


def _page(row: Node) -> Item | None:
    return web_hit(row["url"], row["title"], row.get("content"), row.get("publishedDate"))


def _labels(rows: Sequence[Node], items: Sequence[Item]) -> dict[str, dict[str, str]]:
    """What upstream wrote for a day where it told no zone: never an instant of ours."""
    undated = {item.url: item.item_id for item in items if item.published_at is None}
    return {
        undated[row["url"]]: {"published": row["publishedDate"][:40]}
        for row in rows
        if row["url"] in undated and _day(row.get("publishedDate")) is not None
    }
