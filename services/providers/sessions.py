"""When a session of each market is over: until then its daily bar is not a close."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from services.core.clock import BEIJING
from services.core.symbols import Market

ZONES: Mapping[Market, ZoneInfo] = {
    "CN": BEIJING,
    "HK": ZoneInfo("Asia/Hong_Kong"),
    "US": ZoneInfo("America/New_York"),
}
_CLOSES: Mapping[Market, time] = {"CN": time(15), "HK": time(16, 10), "US": time(16)}


def last_complete(market: Market, now: datetime) -> date:
    """The last day, in the exchange's own time, whose session is over by `now`."""
    local = now.astimezone(ZONES[market])
    over = local.time() >= _CLOSES[market]
    return local.date() if over else local.date() - timedelta(days=1)
