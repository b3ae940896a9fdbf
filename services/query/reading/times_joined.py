"""Times put together: from one to another, side by side, since, and of which year."""

from datetime import date, timedelta
from typing import NamedTuple

from services.query.algebra.nodes import ALL, LATEST, When
from services.query.reading.errors import UnusedError
from services.query.reading.figures_said import base, is_of_days, is_of_years
from services.query.reading.phrases import Time, is_one_day

# 到现在: of the newest there is.
LATELY = Time(lately=True)
NOW = Time(days=LATEST, lately=True)
# So many of them are told beside each other.
_MOST_SPANS = 24


def spanned(one: Time, other: Time, how: str) -> Time | None:
    """从一年到另一年; two years side by side are a window, or a window with a gap."""
    days = periods = None
    parts: tuple[When, ...] = ()
    if not other.year_said and (year := year_of(one)) is not None:
        other = in_year(other, year)
    before = one.parts or ((one.days,) if one.days else ())
    if before and other.days and before[-1].kind == other.days.kind == "days":
        days = _days_between(_from(one) if how == "to" else before[0], other.days)
        parts = (
            (*before, other.days) if how != "to" and _days_between(before[-1], other.days) else ()
        )
    if one.parts and how == "to":
        return None  # 4日和7日到9日
    if not all(map(_abut, parts, parts[1:])):
        days = None
    if one.periods and other.periods:
        a, b = one.periods, other.periods
        if a.kind != b.kind or a.kind == "lastn" or b.only or (a.only and how == "to"):
            return None
        if a.last is None or b.first is None or str(a.last) > str(b.first):
            return None
        periods = a.but(last=b.last)
        if how != "to" and not _is_next(a, b):
            only = _each(a), _each(b)
            gapped = {"only": (*only[0], *only[1]), "last": b.last}
            periods, days = (a.model_copy(update=gapped) if all(only) else None), None
    return Time(periods, days, parts=parts) if periods or days or parts else None


def has_time(figure: str, time: Time) -> bool:
    """Whether there is such a figure of that kind of time: reports, or sessions."""
    of = base(figure)
    return (time.days is not None and is_of_days(of)) or (
        time.periods is not None and is_of_years(of)
    )


def that_year(time: Time | None) -> Time | None:
    """The one year a time is of, as reports count it and as sessions do; None of several."""
    year = year_of(time) if time is not None else None
    if time is None or year is None:
        return None
    days = When(kind="days", first=date(year, 1, 1), last=date(year, 12, 31))
    first = time.days.first if time.days is not None else None
    is_within = isinstance(first, date) and first.year == year
    of_one = Time(periods=When(kind="years", first=year, last=year), days=days)
    return of_one if time.is_one_year or is_within else None


class EachSpan(NamedTuple):
    """每个季度: so many months, up to today."""

    months: int
    today: date


def each_span(time: Time, span: EachSpan) -> Time | None:
    """今年每个季度: the days of each that has begun; of a time of whole months."""
    when = time.days
    if when is None or time.parts or not isinstance(when.first, date):
        return None
    last = min(when.last, span.today) if isinstance(when.last, date) else span.today
    parts: list[When] = []
    begin = when.first
    while begin <= last and len(parts) < _MOST_SPANS:
        following = months_after(begin, span.months)
        parts.append(When(kind="days", first=begin, last=following - timedelta(days=1)))
        begin = following
    is_whole = when.first.day == 1 and (when.first.month - 1) % span.months == 0
    is_all = begin > last and len(parts) > 1
    return Time(days=when, parts=tuple(parts)) if is_whole and is_all else None


def months_after(day: date, months: int) -> date:
    """The first of the month so many after that of a day; before it where `months` is below 0."""
    month = day.month - 1 + months
    return date(day.year + month // 12, month % 12 + 1, 1)


def year_of(time: Time) -> int | None:
    """The last year it reaches."""
    for when in (time.days, time.periods, *time.parts[-1:]):
        last = when.last if when is not None and when.kind != "lastn" else None
        if last is not None:
            return last if isinstance(last, int) else last.year
    return None


def fiscal_years(window: When) -> When | None:
    """Whole years of days as the years of reports; None of any other days."""
    first, last = window.first, window.last
    if window.kind != "days" or not isinstance(first, date) or not isinstance(last, date):
        return None
    is_whole = (first.month, first.day, last.month, last.day) == (1, 1, 12, 31)
    return When(kind="years", first=first.year, last=last.year) if is_whole else None


def whole_months_of(days: When) -> int | None:
    """The year of a window of days that is one or more of its months; None of any other."""
    first, last = days.first, days.last
    if not isinstance(first, date) or not isinstance(last, date) or first.year != last.year:
        return None
    return first.year if first.day == (last + timedelta(days=1)).day == 1 else None


def in_year(time: Time, year: int) -> Time:
    """A bare 三季报 or 12月 as that of a year."""
    return Time(_move_year(time.periods, year), _move_year(time.days, year))


def _move_year(when: When | None, year: int) -> When | None:
    if when is None or when.kind == "lastn" or isinstance(when.first, int):
        return when
    if when.first is None or when.last is None or isinstance(when.last, int):
        return None
    shift, next_day = year - when.last.year, when.last + timedelta(days=1)
    try:
        first = when.first.replace(year=when.first.year + shift)
        if when.first.day == next_day.day == 1:  # all of February, whichever day it ends on
            last = next_day.replace(year=next_day.year + shift) - timedelta(days=1)
        else:
            last = when.last.replace(year=year)
    except ValueError:  # 29 February
        return None
    return when.but(first=first, last=last)


def turned(one: Time, other: Time) -> Time | None:
    """2016年和2015年: the window of both, the later said first; None where they stand in order."""
    return spanned(other, one, "join") if _is_before(other, one) else None


def _is_before(one: Time, other: Time) -> bool:
    """Whether both are fiscal years, the one before the other."""
    first, second = one.periods, other.periods
    if first is None or second is None or first.kind != "years" or second.kind != "years":
        return False
    last, begun = first.last, second.first
    return isinstance(last, int) and isinstance(begun, int) and last < begun


def _is_next(one: When, other: When) -> bool:
    last, first = one.last, other.first
    if one.only:
        return False
    return isinstance(last, int) and isinstance(first, int) and first - last == 1


def _each(when: When) -> tuple[int | date, ...]:
    """Its years or reports, one by one; nothing where it is open."""
    if when.only or when.first is None or when.first == when.last:
        return when.only or ((when.first,) if when.first is not None else ())
    if isinstance(when.first, int) and isinstance(when.last, int):
        return tuple(range(when.first, when.last + 1))
    return ()


def _days_between(one: When, other: When) -> When | None:
    if one.first is None or other.last is None or str(one.first) > str(other.last):
        return None
    return When(kind="days", first=one.first, last=other.last)


def _abut(one: When, other: When) -> bool:
    """Whether the day after the one begins the other."""
    if not isinstance(one.last, date) or not isinstance(other.first, date):
        return False
    return other.first - one.last == timedelta(days=1)


def behind(time: Time) -> Time | None:
    """2014年之后, 5月13日收盘到现在: what follows it, without it."""
    days, periods = time.days, time.periods
    if time.is_report or days is None or not isinstance(days.last, date):
        return None
    last = periods.last if periods is not None else None
    years = When(kind="years", first=last + 1) if isinstance(last, int) else None
    return Time(years, When(kind="days", first=days.last + timedelta(days=1)))


def since(time: Time) -> Time | None:
    """2013年以来."""
    days, periods = time.days, time.periods
    if periods is not None and periods.kind == "lastn":
        return None
    return Time(
        periods.but(last=None) if periods else None,
        _from(time).but(last=None) if days and days.kind == "days" else None,
    )


def _from(time: Time) -> When:
    """Its days as where others begin: from the end of a year what followed its close."""
    days = time.parts[0] if time.parts else time.days or When()
    if not time.is_end or not isinstance(days.last, date):
        return days
    return days.but(first=days.last + timedelta(days=1))


def whole_years(window: When) -> When | None:
    """Days that are whole calendar years, or from the first of one on, as years."""
    first, last = window.first, window.last
    if not isinstance(first, date) or (first.month, first.day) != (1, 1):
        return None
    if last is None:
        return When(kind="years", first=first.year)
    if not isinstance(last, date) or (last.month, last.day) != (12, 31):
        return None
    return When(kind="years", first=first.year, last=last.year)


def is_in_one_month(window: When | None) -> bool:
    """Whether both ends are days of the same month."""
    match window:
        case When(first=date() as first, last=date() as last):
            return (first.year, first.month) == (last.year, last.month)
        case _:
            return False


def months_of(time: Time | None) -> When:
    """The days whose months are told. Raises: UnusedError of one month, or of what has no days."""
    window = time.days if time is not None else ALL
    if window is None or (time is not None and is_one_day(time)):
        raise UnusedError("when")
    if is_in_one_month(window):
        raise UnusedError("when")
    return window


def quarters_of(time: Time | None) -> When:
    """The quarters that the days are. Raises: UnusedError of days that are no whole quarters."""
    window = months_of(time)
    first, last = window.first, window.last
    if not isinstance(first, date) or not isinstance(last, date):
        raise UnusedError("quarters of when")
    begins = first.day == 1 and first.month % 3 == 1
    if not begins or (last + timedelta(days=1)).day != 1 or last.month % 3:
        raise UnusedError("quarters of when")
    month = first.month + 3
    end = date(first.year + month // 13, (month - 1) % 12 + 1, 1) - timedelta(days=1)
    return When(kind="quarters", first=end, last=last)
