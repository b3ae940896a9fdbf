"""Texts found outside: a short id for an address, an instant only where its zone is told.

Nothing here guesses when a text was published, and none dated after the clock gets through.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

from services.core.errors import ChangedError
from services.core.trace import Item
from services.providers.base import Fetched
from services.providers.http import Body, host_of
from services.providers.reading import link, plain

_EARLIEST = datetime(1, 1, 1, tzinfo=UTC)


def short_id(address: str) -> str:
    """The id of a text whose source gives none but its address: the same wherever it is found."""
    return sha256(address.encode()).hexdigest()[:16]


def read_instant(text: object) -> datetime | None:
    """An ISO time that names its zone; None for anything else, a day or a local time included."""
    if not isinstance(text, str):
        return None
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def web_hit(
    address: object, title: object, text: object, published: object, site: str = ""
) -> Item | None:
    """A page found by a search; None when it has no address to cite. `site` empty: its host."""
    url = link(address)
    if url is None:
        return None
    return Item(
        item_id=f"web:{short_id(url)}",
        kind="web",
        title=plain(title, 300),
        text=plain(text),
        url=url,
        origin=site or host_of(url),
        published_at=read_instant(published),
    )


def public_at(now: datetime, items: Iterable[Item], body: Body) -> list[Item]:
    """Each item once, without those dated after `now`.

    Raises: ChangedError when every one is dated later: then a clock is wrong, theirs or ours.
    """
    unique: dict[str, Item] = {}
    for item in items:
        unique.setdefault(item.item_id, item)
    found = [
        item for item in unique.values() if item.published_at is None or item.published_at <= now
    ]
    if unique and not found:
        raise ChangedError(body.provider, body.table, "every time it gives lies in the future")
    return found


def part_of(
    source: str,
    body: Body,
    items: Iterable[Item],
    labels: Mapping[str, dict[str, str]] | None = None,
) -> Fetched:
    """These texts as the part of an answer that came in that body."""
    return Fetched(
        source=source,
        table=body.table,
        rows=(),
        fetched_at=body.fetched_at,
        body_sha256=body.sha256,
        labels=labels or {},
        items=tuple(items),
    )


def news_instead(part: Fetched, industries: Iterable[str]) -> Fetched:
    """That part as what a search of the web gets where there is no engine: headlines, told as such.

    No restriction to an industry is heeded; `labels["web"]` says both.
    """
    told = {"instead": "news"}
    if ignored := ",".join(name for name in industries if name != "general"):
        told["ignored"] = ignored
    return replace(part, labels={**part.labels, "web": told})


def newest_first(items: Iterable[Item]) -> list[Item]:
    """By time of publication, those without one last."""
    return sorted(items, key=lambda item: item.published_at or _EARLIEST, reverse=True)
