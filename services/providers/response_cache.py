"""Answers kept in the store: fresh within their time to live, or stale when every source failed."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import NamedTuple

from services.core.clock import Clock
from services.core.requests import BarsRequest, FetchRequest
from services.providers.base import Fetched
from services.store.fetches import FetchedPart, Fetches, FetchKey, StoredFetch
from services.store.row_sets import RowSet

_EVER = datetime(1990, 1, 1, tzinfo=UTC)
# When an answer fetched at that instant goes out of date.
Expiry = Callable[[FetchRequest, Sequence[Fetched], datetime], datetime]


class CachedAnswer(NamedTuple):
    """An answer from before and who gave it."""

    provider: str
    parts: tuple[Fetched, ...]


class Keeper:
    """Keeps and finds answers by (provider, capability, arguments). Safe to share."""

    def __init__(self, fetches: Fetches, expiry: Expiry, clock: Clock) -> None:
        """`expiry` is the policy (market/freshness.py)."""
        self._fetches = fetches
        self._expiry = expiry
        self._clock = clock

    def fresh(self, provider: str, request: FetchRequest) -> CachedAnswer | None:
        """The newest answer of that provider if it has not expired."""
        found = self._fetches.latest(_key(provider, request), not_before=_EVER)
        if found is None or not _holds(found, self._clock.now()):
            return None
        return CachedAnswer(provider, _list_parts(found))

    def stale(self, providers: Sequence[str], request: FetchRequest) -> CachedAnswer | None:
        """The newest answer any of these ever gave, however old; its `fetched_at` says how old.

        Bars are asked for up to today, so tomorrow's question is another one: the newest answer
        about that symbol stands in, as far as it lies within the days asked.
        """
        found = [self._fetches.latest(_key(name, request), not_before=_EVER) for name in providers]
        known = [one for one in found if one is not None]
        if known:
            newest = max(known, key=lambda one: one.parts[0].fetched_at)
            return CachedAnswer(newest.provider, _list_parts(newest))
        return self._of_other_days(providers, request) if isinstance(request, BarsRequest) else None

    def _of_other_days(self, providers: Sequence[str], request: BarsRequest) -> CachedAnswer | None:
        about = (request.capability, request.symbol)
        found = [self._fetches.latest_about(name, *about) for name in providers]
        known = [one for one in found if one is not None]
        for one in sorted(known, key=lambda one: one.parts[0].fetched_at, reverse=True):
            parts = tuple(within(part, request) for part in _list_parts(one))
            if parts[0].rows:
                return CachedAnswer(one.provider, parts)
        return None

    def keep(self, provider: str, request: FetchRequest, parts: Sequence[Fetched]) -> None:
        """Store an answer. Only whole answers come here: a failure leaves nothing behind."""
        expires_at = self._expiry(request, parts, self._clock.now())
        self._fetches.save(_key(provider, request), [_part(part, expires_at) for part in parts])


def _key(provider: str, request: FetchRequest) -> FetchKey:
    return FetchKey(provider, request.capability, request.model_dump(mode="json"))


def within(part: Fetched, request: BarsRequest) -> Fetched:
    """What of those bars lies within the days asked for."""
    start, end = request.start or date.min, request.end or date.max
    return replace(
        part,
        rows=tuple(fact for fact in part.rows if start <= fact.as_of <= end),
        gaps=tuple(gap for gap in part.gaps if start <= gap.end and gap.start <= end),
    )


def _holds(found: StoredFetch, now: datetime) -> bool:
    return all(part.expires_at is None or part.expires_at > now for part in found.parts)


def _part(part: Fetched, expires_at: datetime) -> FetchedPart:
    return FetchedPart(
        source=part.source,
        table=part.table,
        fetched_at=part.fetched_at,
        expires_at=expires_at,
        body_sha256=part.body_sha256,
        contents=RowSet(rows=part.rows, labels=dict(part.labels), gaps=part.gaps, items=part.items),
    )


def _list_parts(found: StoredFetch) -> tuple[Fetched, ...]:
    return tuple(
        Fetched(
            source=part.source,
            table=part.table,
            rows=part.contents.rows,
            fetched_at=part.fetched_at,
            body_sha256=part.body_sha256,
            labels=part.contents.labels,
            gaps=part.contents.gaps,
            items=part.contents.items,
        )
        for part in found.parts
    )
