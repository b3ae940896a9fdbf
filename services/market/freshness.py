"""How long a fetched answer may be served again, by what it is about and when the market trades."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from services.core.requests import (
    BarsRequest,
    DatedValuationsRequest,
    FetchRequest,
    FlowRequest,
    SignalsRequest,
    SpotRequest,
    ValuationRequest,
)
from services.core.symbols import Market, Symbol
from services.market.calendar import Calendar
from services.providers.base import Fetched

SPOT = timedelta(seconds=15)
# A daily source fills in the session some time after its close.
PUBLISHED = timedelta(hours=2)
NOT_YET_THERE = timedelta(minutes=10)
_FIXED = {
    "intraday_bars": timedelta(minutes=1),
    "financials": timedelta(days=1),
    "forecast": timedelta(days=1),
    "market_reports": timedelta(days=1),
    "macro": timedelta(days=1),
    "screen": timedelta(minutes=5),
    "universe": timedelta(minutes=5),
    "posts": timedelta(minutes=1),
    "site_search": timedelta(minutes=1),
    "user_posts": timedelta(minutes=1),
    "user_search": timedelta(minutes=10),
    "influencers": timedelta(minutes=10),
    "notices": timedelta(minutes=5),
    "news": timedelta(minutes=1),
    "web_search": timedelta(minutes=10),
    "page": timedelta(minutes=5),
}


def expiry(calendar: Calendar) -> Callable[[FetchRequest, Sequence[Fetched], datetime], datetime]:
    """The policy as providers/keeping.py asks it: request, answer, now → when it goes out of date.

    Spot: 15 s in session, else until the next session opens. Daily data: until the next close;
    ten minutes while the newest session is still missing from the answer.
    """

    def expires_at(request: FetchRequest, parts: Sequence[Fetched], now: datetime) -> datetime:
        if isinstance(request, SpotRequest):
            market = Symbol(request.symbol).market
            if calendar.is_open(market, now):
                return now + SPOT
            return calendar.next_open(market, now)
        if isinstance(request, BarsRequest | ValuationRequest | DatedValuationsRequest):
            return _daily(calendar, request, parts, now)
        if isinstance(request, SignalsRequest | FlowRequest):
            market = Symbol(request.symbol).market if request.symbol else "CN"
            minute = now + timedelta(minutes=1)
            return minute if calendar.is_open(market, now) else calendar.next_open(market, now)
        return now + _FIXED.get(request.capability, timedelta(minutes=1))

    return expires_at


def _daily(
    calendar: Calendar,
    request: BarsRequest | ValuationRequest | DatedValuationsRequest,
    parts: Sequence[Fetched],
    now: datetime,
) -> datetime:
    market: Market = Symbol(request.symbol).market
    newest = max((fact.as_of for part in parts for fact in part.rows), default=None)
    expected = calendar.last_complete_session(market, now)
    until = None if isinstance(request, ValuationRequest) else request.end
    ended = until is not None and until < expected
    if not ended and (newest is None or newest < expected):
        return now + NOT_YET_THERE
    return max(calendar.next_close(market, now), now + NOT_YET_THERE)
