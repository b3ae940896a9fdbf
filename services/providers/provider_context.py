"""What providers are made with."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from services.core.clock import Clock
from services.providers.http import Http
from services.settings import Settings
from services.store.market_copy import MarketCopy
from services.store.market_tables import MarketTables


def _no_refresh(_market: Literal["CN", "HK", "US"]) -> None:
    """Nothing to bring up to date."""


@dataclass(frozen=True, slots=True)
class Kit:
    """The same for every provider; each takes what it needs.

    `refresh` brings the local copy of a market up to date (the container fills it in: it asks the
    chain, which lies above). It raises ProviderError when no source could answer.
    """

    settings: Settings
    clock: Clock
    http: Http
    market: MarketTables
    refresh: Callable[[Literal["CN", "HK", "US"]], None] = field(default=_no_refresh)
    # Live mode only: the snapshot is its own copy.
    copy: MarketCopy | None = None
