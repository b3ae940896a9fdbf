"""When each market trades: sessions, and whether it is open at an instant.

Days come from exchange_calendars, built at first use. Outside a calendar's horizon (the mainland's
holidays are published a year at a time) weekdays stand in.
"""

import threading
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from services.core.symbols import Market

_SATURDAY = 5
_FIRST = "2005-01-01"


@dataclass(frozen=True, slots=True)
class _Hours:
    """A market's usual day in its own time: each pair is open from, closed at."""

    exchange: str
    zone: ZoneInfo
    parts: tuple[tuple[time, time], ...]

    @property
    def close(self) -> time:
        """When a usual session ends."""
        return self.parts[-1][1]

    def covers(self, clock: time) -> bool:
        """Whether that time of day lies in the usual hours; an end belongs to the closed side."""
        return any(start <= clock < end for start, end in self.parts)


_HOURS: Mapping[Market, _Hours] = {
    "CN": _Hours(
        "XSHG",
        ZoneInfo("Asia/Shanghai"),
        ((time(9, 30), time(11, 30)), (time(13), time(15))),
    ),
    "HK": _Hours(
        "XHKG",
        ZoneInfo("Asia/Hong_Kong"),
        ((time(9, 30), time(12)), (time(13), time(16))),
    ),
    "US": _Hours("XNYS", ZoneInfo("America/New_York"), ((time(9, 30), time(16)),)),
}


@dataclass(frozen=True, slots=True)
class _Days:
    """The sessions a calendar knows, and when those end that end early (in UTC)."""

    sessions: tuple[date, ...]
    closes: Mapping[date, datetime]

    def covers(self, day: date) -> bool:
        """Whether the calendar's horizon reaches that day."""
        return self.sessions[0] <= day <= self.sessions[-1]

    def has(self, day: date) -> bool:
        """Whether that day is a session; beyond the horizon, whether it is a weekday."""
        if not self.covers(day):
            return day.weekday() < _SATURDAY
        found = bisect_left(self.sessions, day)
        return self.sessions[found] == day


class Calendar:
    """Sessions of the three markets. Safe to share between threads."""

    def __init__(self) -> None:
        """Nothing is loaded until the first question that needs it."""
        self._lock = threading.Lock()
        self._built: dict[Market, _Days] = {}

    def is_open(self, market: Market, instant: datetime) -> bool:
        """Whether that market trades at `instant` (aware), the lunch break being closed.

        The time of day is looked at first; the calendar only within trading hours. 11:30 and 15:00
        count as closed on the mainland. Early closes of Hong Kong and New York are known.
        """
        hours = _HOURS[market]
        local = instant.astimezone(hours.zone)
        if local.weekday() >= _SATURDAY or not hours.covers(local.time()):
            return False
        days = self._days(market)
        early = days.closes.get(local.date())
        return days.has(local.date()) and (early is None or instant < early)

    def local_day(self, market: Market, instant: datetime) -> date:
        """The date at that market's place."""
        return instant.astimezone(_HOURS[market].zone).date()

    def sessions(self, market: Market, start: date, end: date) -> tuple[date, ...]:
        """The sessions from `start` to `end`, both included, as far as the calendar knows them."""
        known = self._days(market).sessions
        return known[bisect_left(known, start) : bisect_right(known, end)]

    def previous_session(self, market: Market, day: date) -> date:
        """The last session before `day`."""
        days = self._days(market)
        earlier = day - timedelta(days=1)
        while not days.has(earlier):
            earlier -= timedelta(days=1)
        return earlier

    def next_session(self, market: Market, day: date) -> date:
        """The first session after `day`."""
        days = self._days(market)
        later = day + timedelta(days=1)
        while not days.has(later):
            later += timedelta(days=1)
        return later

    def last_complete_session(self, market: Market, instant: datetime) -> date:
        """The newest session that has ended by `instant`: what a daily close should be of."""
        hours = _HOURS[market]
        local = instant.astimezone(hours.zone)
        days = self._days(market)
        early = days.closes.get(local.date())
        ended = local.time() >= hours.close if early is None else instant >= early
        if days.has(local.date()) and ended:
            return local.date()
        return self.previous_session(market, local.date())

    def next_open(self, market: Market, instant: datetime) -> datetime:
        """When that market trades again: a new session, or the one under way after its break."""
        hours = _HOURS[market]
        days = self._days(market)
        local = instant.astimezone(hours.zone)
        day, past = local.date(), local.time()
        while True:
            starts = [start for start, _ in hours.parts if day > local.date() or start > past]
            if starts and days.has(day):
                return datetime.combine(day, starts[0], hours.zone)
            day += timedelta(days=1)

    def next_close(self, market: Market, instant: datetime) -> datetime:
        """When the session under way, or else the next one, usually ends."""
        hours = _HOURS[market]
        days = self._days(market)
        local = instant.astimezone(hours.zone)
        day = local.date()
        if not days.has(day) or local.time() >= hours.close:
            day = self.next_open(market, instant).astimezone(hours.zone).date()
        return datetime.combine(day, hours.close, hours.zone)

    def _days(self, market: Market) -> _Days:
        with self._lock:
            if market not in self._built:
                self._built[market] = _build(_HOURS[market])
            return self._built[market]


def _build(hours: _Hours) -> _Days:
    """Read one calendar; the package is large, so it is imported when first needed."""
    from exchange_calendars import get_calendar

    with warnings.catch_warnings():
        # 4.13.2 uses what pandas 3.1 deprecates; the days are right
        warnings.simplefilter("ignore")
        calendar = get_calendar(hours.exchange, start=_FIRST)
        days = tuple(stamp.date() for stamp in calendar.sessions)
        early = {
            stamp.date(): calendar.session_close(stamp).to_pydatetime().astimezone(UTC)
            for stamp in calendar.early_closes
        }
    return _Days(days, early)
