"""RSS and Atom feeds of one's own choosing: headlines that hold a keyword.

Feeds are asked at once, each is a part of the answer, and one that fails does not take the others
with it: `labels["feed:HOST/PATH"]["error"]` of the first part says so, and its tries are in the
trace. A time without a zone, or no time, leaves an entry undated.
"""

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import feedparser

from services.core.errors import (
    ChangedError,
    NoDataError,
    NotCoveredError,
    ProviderError,
)
from services.core.requests import FetchRequest, NewsRequest, WebSearchRequest
from services.core.text import Text
from services.core.trace import Item
from services.providers.base import Fetched
from services.providers.found_texts import newest_first, news_instead, part_of, public_at, short_id
from services.providers.http import Body, Target
from services.providers.provider_context import Kit
from services.providers.reading import link, plain

_AT_ONCE = 8
_LARGEST = 4_000_000
# CST is not among the zones: it is written for China and for Chicago.
_ZONED = re.compile(r"\d{2}:\d{2}.*?(?:Z|[+-]\d{2}:?\d{2}|\b(?:UTC|GMT|[EMP][SD]T))$")
_ENDS = (b"</rss>", b"</feed>", b"</rdf:RDF>")


@dataclass(frozen=True, slots=True)
class _Feed:
    """What one feed gave: its bytes and its entries, or the error."""

    name: str
    body: Body | None = None
    items: tuple[Item, ...] = ()
    error: ProviderError | None = None


class RssProvider:
    """Answers news by keyword; names of companies are not known here."""

    name = "rss"
    capabilities = frozenset({"news", "web_search"})

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def covers(self, request: FetchRequest) -> bool:
        """News with keywords: a symbol alone is in no headline. Searches, for want of an engine."""
        if isinstance(request, WebSearchRequest):
            return bool(request.query.split())
        return isinstance(request, NewsRequest) and bool(request.keywords)

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """The entries with any of the keywords, newest first, one part per feed that has some.

        Raises: NoDataError (all feeds were read), ProviderError (one could not be, and no other
        has anything).
        """
        if isinstance(request, WebSearchRequest):
            return self._search(request)
        if not isinstance(request, NewsRequest) or not request.keywords:
            raise NotCoveredError(self.name, request.capability, "is searched by keywords only")
        feeds = self._all(request)
        found = newest_first({i.item_id: i for feed in feeds for i in feed.items}.values())
        chosen = {item.item_id for item in found[: request.size]}
        parts = [part for feed in feeds if (part := _part(feed, chosen)) is not None]
        failed = [feed for feed in feeds if feed.error is not None]
        if parts:
            errors = {f"feed:{feed.name}": {"error": str(feed.error)} for feed in failed}
            parts[0].labels.update(errors)
            return tuple(part.make_part() for part in parts)
        for feed in failed:
            if feed.error is not None:
                raise feed.error
        what = f"news {' '.join(request.keywords)}"
        raise NoDataError(what, Text("所设的 RSS 源没有提到", "no entry of the feeds mentions it"))

    def _search(self, request: WebSearchRequest) -> tuple[Fetched, ...]:
        """The entries with a word of the search; a few feeds without one prove nothing.

        Raises: NotCoveredError, ProviderError.
        """
        words = tuple(request.query.split())
        try:
            found = self.fetch(NewsRequest(keywords=words, size=request.size))
        except NoDataError as nothing:
            raise NotCoveredError(self.name, "web_search", "no feed mentions it") from nothing
        return (news_instead(found[0], request.industries), *found[1:])

    def _all(self, request: NewsRequest) -> list[_Feed]:
        addresses = self._kit.settings.rss_feeds
        with ThreadPoolExecutor(max_workers=_AT_ONCE, thread_name_prefix="rss") as pool:
            asked = [
                pool.submit(copy_context().run, self._one, address, request)
                for address in addresses
            ]
            return [each.result() for each in asked]

    def _one(self, address: str, request: NewsRequest) -> _Feed:
        parts = urlsplit(address)
        name = f"{parts.hostname}{parts.path}"
        target = Target(self.name, name, address, largest=_LARGEST)
        try:
            body = self._kit.http.get(target, "")
            items = [_item(entry, parts.hostname or "", request) for entry in _entries(body)]
            known = public_at(self._kit.clock.now(), [i for i in items if i is not None], body)
        except ProviderError as error:
            return _Feed(name, error=error)
        return _Feed(name, body, tuple(i for i in known if _mentions(i, request.keywords)))


@dataclass(frozen=True, slots=True)
class _Part:
    """The chosen entries of one feed, and what is said about feeds that failed."""

    body: Body
    items: tuple[Item, ...]
    labels: dict[str, dict[str, str]]

    def make_part(self) -> Fetched:
        """As a part of the answer."""
        return part_of("rss", self.body, self.items, self.labels)


def _part(feed: _Feed, chosen: set[str]) -> _Part | None:
    """Its entries among the chosen, each in the first feed only that has it."""
    items = tuple(newest_first(item for item in feed.items if item.item_id in chosen))
    chosen.difference_update(item.item_id for item in items)
    return _Part(feed.body, items, {}) if items and feed.body is not None else None


def _entries(body: Body) -> Sequence[Mapping[str, Any]]:
    """The entries of a feed, which may be careless XML but must be a feed, and whole.

    Raises: ChangedError.
    """
    parsed = feedparser.parse(body.content)
    if not parsed.version:
        raise ChangedError(body.provider, body.table, "what lies there is no feed")
    if parsed.bozo and not body.content.rstrip().endswith(_ENDS):
        raise ChangedError(body.provider, body.table, "the feed is not whole")
    return parsed.entries


def _item(entry: Mapping[str, Any], host: str, request: NewsRequest) -> Item | None:
    """One entry; None without a headline."""
    title = plain(entry.get("title"), 300)
    if not title:
        return None
    address = link(entry.get("link"))
    return Item(
        item_id=f"news:{short_id(str(entry.get('id') or address or title))}",
        kind="news",
        symbol=request.symbol,
        title=title,
        text=plain(entry.get("summary")),
        url=address,
        author=plain(entry.get("author"), 100) or None,
        origin=host,
        published_at=_read_published(entry),
    )


def _read_published(entry: Mapping[str, Any]) -> datetime | None:
    """When it says it was published; None unless the text names hour and zone."""
    # Asked whether it is there first: feedparser would give `published` for a missing `updated`.
    for name in (name for name in ("published", "updated") if name in entry):
        text, parsed = entry[name], entry.get(f"{name}_parsed")
        if text and parsed and _ZONED.search(text.strip()):
            return datetime(*parsed[:6], tzinfo=UTC)
    return None


def _mentions(item: Item, keywords: Sequence[str]) -> bool:
    text = f"{item.title} {item.text}".casefold()
    return any(word.casefold() in text for word in keywords)
