"""Sessions and hours of the three markets, against published calendars."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

import pytest

from services.core.clock import BEIJING
from services.core.symbols import Market
from services.market.calendar import Calendar

NEW_YORK = ZoneInfo("America/New_York")


@cache
def calendar() -> Calendar:
    return Calendar()


@pytest.mark.parametrize(
    ("hour", "minute", "is_open"),
    [
        (9, 29, False),
        (9, 30, True),
        (11, 29, True),
        (11, 30, False),
        (12, 30, False),
        (13, 0, True),
        (14, 59, True),
        (15, 0, False),
        (16, 30, False),
    ],
)
def test_the_mainland_closes_at_half_past_eleven_and_at_three(
    hour: int, minute: int, is_open: bool
) -> None:
    instant = datetime(2017, 7, 26, hour, minute, tzinfo=BEIJING)
    assert calendar().is_open("CN", instant) is is_open


def test_hong_kong_trades_until_noon_and_until_four() -> None:
    def at(hour: int, minute: int) -> bool:
        return calendar().is_open("HK", datetime(2017, 7, 26, hour, minute, tzinfo=BEIJING))

    assert (at(11, 59), at(12, 0), at(15, 59), at(16, 0)) == (True, False, True, False)


def test_new_york_is_asked_in_its_own_time() -> None:
    # 2017-07-26 22:00 in Beijing is 10:00 in New York; at 10:00 in Beijing New York sleeps.
    assert calendar().is_open("US", datetime(2017, 7, 26, 22, 0, tzinfo=BEIJING))
    assert not calendar().is_open("US", datetime(2017, 7, 26, 10, 0, tzinfo=BEIJING))
    assert calendar().is_open("US", datetime(2017, 7, 26, 14, 0, tzinfo=UTC))


@pytest.mark.parametrize(
    ("market", "day"),
    [
        ("CN", date(2017, 10, 2)),  # National Day
        ("CN", date(2017, 5, 30)),  # Dragon Boat festival: the source has a phantom row here
        ("HK", date(2017, 4, 14)),  # Good Friday
        ("US", date(2017, 7, 4)),
        ("CN", date(2017, 7, 29)),  # a Saturday
    ],
)
def test_a_holiday_is_closed_at_ten_in_the_morning(market: Market, day: date) -> None:
    zone = NEW_YORK if market == "US" else BEIJING
    assert not calendar().is_open(market, datetime(day.year, day.month, day.day, 10, tzinfo=zone))
    assert calendar().previous_session(market, day + timedelta(days=1)) < day


def test_an_early_close_is_known() -> None:
    # 2016-11-25, the day after Thanksgiving, closed at 13:00.
    assert calendar().is_open("US", datetime(2016, 11, 25, 12, 59, tzinfo=NEW_YORK))
    assert not calendar().is_open("US", datetime(2016, 11, 25, 13, 0, tzinfo=NEW_YORK))
    late = datetime(2016, 11, 25, 13, 1, tzinfo=NEW_YORK)
    assert calendar().last_complete_session("US", late) == date(2016, 11, 25)


def test_vanke_missed_130_sessions() -> None:
    # Suspended 2015-12-21, traded again 2016-07-04.
    day, missed = date(2016, 7, 4), 0
    while (day := calendar().previous_session("CN", day)) >= date(2015, 12, 21):
        missed += 1
    assert missed == 130


def test_the_previous_session_skips_a_holiday_week() -> None:
    # Spring Festival 2017: 01-27 to 02-02.
    assert calendar().previous_session("CN", date(2017, 2, 3)) == date(2017, 1, 26)


def test_a_session_is_complete_when_it_has_closed() -> None:
    assert calendar().last_complete_session(
        "CN", datetime(2017, 7, 26, 14, 59, tzinfo=BEIJING)
    ) == date(2017, 7, 25)
    assert calendar().last_complete_session(
        "CN", datetime(2017, 7, 26, 15, 0, tzinfo=BEIJING)
    ) == date(2017, 7, 26)
    # 16:30 in Beijing is 04:30 in New York of the same day.
    assert calendar().last_complete_session(
        "US", datetime(2017, 7, 26, 16, 30, tzinfo=BEIJING)
    ) == date(2017, 7, 25)


def test_beyond_the_horizon_weekdays_stand_in() -> None:
    assert calendar().is_open("CN", datetime(2027, 3, 3, 10, 0, tzinfo=BEIJING))
    assert calendar().previous_session("CN", date(2027, 3, 8)) == date(2027, 3, 5)


def test_the_night_needs_no_calendar_at_all() -> None:
    fresh = Calendar()
    assert not fresh.is_open("CN", datetime(2017, 7, 26, 21, 0, tzinfo=BEIJING))
    assert fresh._built == {}


def test_many_threads_build_a_calendar_once() -> None:
    fresh = Calendar()
    instant = datetime(2017, 7, 26, 10, 0, tzinfo=BEIJING)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: fresh.is_open("CN", instant), range(16)))
    assert answers == [True] * 16
