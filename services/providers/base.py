"""What every source of data promises, and the one form its answers have."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from services.core.members import Members
from services.core.requests import FetchRequest
from services.core.trace import Fact, Item, SessionGap


@dataclass(frozen=True, slots=True)
class Fetched:
    """The part of an answer that came from one source and table.

    `rows` are facts in the order of the answer, one unit each, unique by `Fact.key`. `labels` holds
    text columns (name, industry) by symbol. `fetched_at` is when the source was asked (for a
    snapshot: its own instant). `body_sha256` is the hash of the raw answer. `items` are its texts,
    `members` the companies its counts and sums are taken over.
    `stale`: it is from before because it could not be brought up to date.
    """

    source: str
    table: str
    rows: tuple[Fact, ...]
    fetched_at: datetime
    body_sha256: str
    labels: Mapping[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    gaps: tuple[SessionGap, ...] = ()
    items: tuple[Item, ...] = ()
    members: Members | None = None
    stale: bool = False


class Provider(Protocol):
    """One upstream: its name, what it can be asked, and the asking."""

    @property
    def name(self) -> str:
        """What `served_by` says."""
        ...

    @property
    def capabilities(self) -> frozenset[str]:
        """The `capability` of every request it answers."""
        ...

    def covers(self, request: FetchRequest) -> bool:
        """Whether it could ever answer this one: a mainland source is not asked about AAPL."""
        ...

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """The answer, one part per source and table, the main source first; never empty.

        Only what was public at the clock: nothing announced later is in it. NoDataError means the
        source is the one to know and there is nothing; a source that merely cannot say raises
        UnavailableError, so that the next one is asked.
        Raises: NoDataError (the source has nothing, and why), ProviderError (it could not answer).
        """
        ...
