"""What may be asked of a data source: one frozen record per capability.

The chain of sources for a capability comes from `Settings.chains`; a provider states which
capabilities it answers.
"""

from datetime import date
from typing import ClassVar, Literal

from services.core.record import Record

Order = Literal["asc", "desc"]


class Bound(Record):
    """An interval on one screening field: `above < v` or `at_least ≤ v`, and `v < below`."""

    field: str
    above: float | None = None
    at_least: float | None = None
    below: float | None = None


class ScreenRequest(Record):
    """Companies of one market that satisfy every bound, ordered, missing values last."""

    capability: ClassVar[str] = "screen"
    market: Literal["CN", "HK", "US"]
    bounds: tuple[Bound, ...] = ()
    order_by: str = "symbol"
    order: Order = "desc"
    size: int = 10
    offset: int = 0
    industry: str | None = None


class ValuationRequest(Record):
    """The newest valuation row of one symbol (price, multiples, market value, shares)."""

    capability: ClassVar[str] = "valuation"
    symbol: str


class SpotRequest(Record):
    """The traded price at this moment; only asked while the exchange is open."""

    capability: ClassVar[str] = "spot"
    symbol: str


class BarsRequest(Record):
    """Daily bars from `start` to `end`, both included, oldest first; None is unbounded."""

    capability: ClassVar[str] = "daily_bars"
    symbol: str
    start: date | None = None
    end: date | None = None


class FinancialsRequest(Record):
    """Reported figures of one company; `periods` empty means every period known at the clock."""

    capability: ClassVar[str] = "financials"
    symbol: str
    periods: tuple[str, ...] = ()


class ForecastRequest(Record):
    """Institutions' consensus for the coming years."""

    capability: ClassVar[str] = "forecast"
    symbol: str


class SummaryRequest(Record):
    """A market at a glance: counts, medians and totals, whole and by industry."""

    capability: ClassVar[str] = "summary"
    market: Literal["CN", "HK", "US"]


class PeersRequest(Record):
    """The valuation rows of the companies in the same industry, largest first."""

    capability: ClassVar[str] = "peers"
    symbol: str
    size: int = 10


FetchRequest = (
    ScreenRequest
    | ValuationRequest
    | SpotRequest
    | BarsRequest
    | FinancialsRequest
    | ForecastRequest
    | SummaryRequest
    | PeersRequest
)
