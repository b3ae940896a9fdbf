"""What may be asked of a data source: one frozen record per capability.

The chain of sources for a capability comes from `Settings.chains`; a provider states which
capabilities it answers.
"""

from datetime import date
from typing import ClassVar, Literal, get_args

from services.core.record import Record

Order = Literal["asc", "desc"]


class Bound(Record):
    """An interval on one screening field: `above < v` or `at_least ≤ v`, and `v < below`."""

    field: str
    above: float | None = None
    at_least: float | None = None
    below: float | None = None

    @property
    def limits(self) -> tuple[str, ...]:
        """The limits as a reader may read them: `pettm > 0`."""
        signs = ((">", self.above), (">=", self.at_least), ("<", self.below))
        return tuple(f"{self.field} {sign} {v:.15g}" for sign, v in signs if v is not None)


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


class PointsRequest(Record):
    """Figures of every company of a market, a column each, spelled as in core/expressions.py: `pb`,
    `revenue @ y2016`; or, of these `symbols`, what the sources said of them: the newest, and of
    the reports that columns name.
    """

    capability: ClassVar[str] = "points"
    market: Literal["CN", "HK", "US"]
    columns: tuple[str, ...]
    symbols: tuple[str, ...] = ()


class ValuationRequest(Record):
    """The newest valuation row of one symbol (price, multiples, market value, shares)."""

    capability: ClassVar[str] = "valuation"
    symbol: str


class DatedValuationsRequest(Record):
    """The valuation of one symbol at the close of each session from `start` to `end`, oldest first.

    What a multiple was then, with the earnings known then: never today's set against an old price.
    """

    capability: ClassVar[str] = "dated_valuations"
    symbol: str
    start: date
    end: date


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
    """The valuation rows of the companies in the same industry, largest first: of all of them, or
    of the `size` largest and the company.
    """

    capability: ClassVar[str] = "peers"
    symbol: str
    size: int | None = None


class IntradayRequest(Record):
    """Bars within the day, oldest first, of the last `days` sessions the source has.

    A bar's fact has the session as `as_of` and the bar's end in local time as `period`:
    `2026-11-20 10:05`.
    """

    capability: ClassVar[str] = "intraday_bars"
    symbol: str
    interval: Literal["1h", "5m", "1m"]
    days: int = 5


class PostsRequest(Record):
    """What people wrote about one symbol, newest or hottest first, not before `start`."""

    capability: ClassVar[str] = "posts"
    symbol: str
    order: Literal["new", "hot"]
    start: date | None = None
    size: int = 20


class NoticesRequest(Record):
    """Company announcements published from `start` to `end`, newest first.

    `timed`: only of a source that tells the time of day, and so this evening's.
    """

    capability: ClassVar[str] = "notices"
    symbol: str
    start: date | None = None
    end: date | None = None
    size: int = 20
    timed: Literal[True] | None = None


class NewsRequest(Record):
    """Headlines about one symbol, or with any of the `keywords`, newest first."""

    capability: ClassVar[str] = "news"
    symbol: str | None = None
    keywords: tuple[str, ...] = ()
    size: int = 20


class InfluencersRequest(Record):
    """Users who write much about one symbol."""

    capability: ClassVar[str] = "influencers"
    symbol: str
    size: int = 5


class SiteSearchRequest(Record):
    """Posts of the community that match a keyword, not before `start`."""

    capability: ClassVar[str] = "site_search"
    query: str
    start: date | None = None
    size: int = 10


class WebSearchRequest(Record):
    """Pages of the open web that match a query. `industries` as in seed 000, never `general`."""

    capability: ClassVar[str] = "web_search"
    query: str
    industries: tuple[str, ...] = ()
    time_range: Literal["OneDay", "OneWeek", "OneMonth", "OneYear", "NoLimit"] = "NoLimit"
    size: int = 10


class UserRequest(Record):
    """The members of the community whose screen name matches, the best first."""

    capability: ClassVar[str] = "user_search"
    name: str
    size: int = 5


class UserPostsRequest(Record):
    """What one member wrote, newest first, not before `start`."""

    capability: ClassVar[str] = "user_posts"
    user_id: str
    start: date | None = None
    size: int = 20


class PageRequest(Record):
    """One page of the community by its address; only xueqiu.com hosts are ever opened."""

    capability: ClassVar[str] = "page"
    url: str


class SignalsRequest(Record):
    """What the exchanges and their watchers flagged on one symbol from `start` to `end`.

    盘口异动, limit pools and 龙虎榜. Items carry the words, facts the amounts.
    """

    capability: ClassVar[str] = "signals"
    symbol: str
    start: date
    end: date


class FlowRequest(Record):
    """Daily money flow of one symbol, or of the whole mainland market when it is None."""

    capability: ClassVar[str] = "fund_flow"
    symbol: str | None = None
    days: int = 20


class MacroRequest(Record):
    """The newest `count` periods of one macro series, oldest first."""

    capability: ClassVar[str] = "macro"
    series: Literal["pmi", "money_supply", "cpi", "ppi", "gdp", "lpr", "social_financing"]
    count: int = 6


class UniverseRequest(Record):
    """Every listed company of a market with its newest price and valuation, in symbol order."""

    capability: ClassVar[str] = "universe"
    market: Literal["CN", "HK", "US"]


class ReportsRequest(Record):
    """One report period of every company of a market, in symbol order; abroad fiscal years only."""

    capability: ClassVar[str] = "market_reports"
    period: str
    market: Literal["CN", "US"] = "CN"


FetchRequest = (
    ScreenRequest
    | PointsRequest
    | ValuationRequest
    | DatedValuationsRequest
    | SpotRequest
    | BarsRequest
    | FinancialsRequest
    | ForecastRequest
    | SummaryRequest
    | PeersRequest
    | IntradayRequest
    | PostsRequest
    | NoticesRequest
    | NewsRequest
    | InfluencersRequest
    | SiteSearchRequest
    | WebSearchRequest
    | UserRequest
    | UserPostsRequest
    | PageRequest
    | SignalsRequest
    | FlowRequest
    | MacroRequest
    | UniverseRequest
    | ReportsRequest
)
CAPABILITIES: tuple[str, ...] = tuple(kind.capability for kind in get_args(FetchRequest))
