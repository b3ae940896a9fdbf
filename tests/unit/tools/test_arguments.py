"""Time ranges count back from today; dates given win."""

from datetime import date

import pytest

from services.core.errors import InputError
from services.tools.arguments import DayWindow, TimeRange, window

TODAY = date(2017, 7, 26)


@pytest.mark.parametrize(
    ("time_range", "start"),
    [
        ("OneDay", date(2017, 7, 25)),
        ("OneWeek", date(2017, 7, 19)),
        ("OneMonth", date(2017, 6, 26)),
        ("OneYear", date(2016, 7, 26)),
        ("NoLimit", None),
    ],
)
def test_a_range_counts_back_from_today(time_range: TimeRange, start: date | None) -> None:
    assert window(time_range, "", "", TODAY) == DayWindow(start, TODAY)


def test_a_month_back_from_the_31st_is_the_last_day_of_a_shorter_month() -> None:
    assert window("OneMonth", "", "", date(2017, 3, 31)).start == date(2017, 2, 28)


def test_dates_given_win_over_the_range() -> None:
    days = window("OneDay", "2016-07-01", "2016-07-31", TODAY)
    assert days == DayWindow(date(2016, 7, 1), date(2016, 7, 31))


def test_one_date_alone_leaves_the_other_side_open() -> None:
    assert window("OneDay", "2016-07-01", "", TODAY) == DayWindow(date(2016, 7, 1), TODAY)
    assert window("OneDay", "", "2016-07-01", TODAY) == DayWindow(None, date(2016, 7, 1))


def test_a_later_end_is_today() -> None:
    assert window("NoLimit", "2017-07-01", "2099-01-01", TODAY).end == TODAY


def test_reversed_and_future_dates_are_refused() -> None:
    with pytest.raises(InputError, match="on or before endDate 2016-07-01"):
        window("NoLimit", "2016-07-02", "2016-07-01", TODAY)
    with pytest.raises(InputError, match=r"startDate.*2017-07-26"):
        window("NoLimit", "2017-07-27", "", TODAY)
