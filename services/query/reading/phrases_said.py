"""Small phrases: sets from their words, edges of times, ranges of amounts."""

from collections.abc import Iterable
from datetime import date
from functools import cache

from services.query.algebra.nodes import Dimension, In, When
from services.query.reading.figures_said import growth_of
from services.query.reading.phrases import Amount, Fig, Time
from services.query.reading.times_said import reported_on

_FIRST_YEAR, _LAST_YEAR = 1990, 2100
# Two figures beyond these are of the century before, or no year.
_CENTURY_LEFT = 50


@cache
def set_of(said: tuple[Dimension, tuple[str, ...], str | None]) -> In:
    """The set a word names; a label where it is a list, or finer than its source."""
    dim, values, label = said
    return In(dim=dim, values=values, label=label)


def fig_in(parts: Iterable[object]) -> Fig:
    """The one noun phrase among the meanings of a rule."""
    return next(part for part in parts if isinstance(part, Fig))


def time_in(parts: Iterable[object]) -> Time:
    """The one time among the meanings of a rule."""
    return next(part for part in parts if isinstance(part, Time))


def return_of(metric: str) -> str | None:
    """股价涨幅 is the move of the price; 净利润涨幅 a growth."""
    return "close:ret" if metric in ("close", "pct_change") else growth_of(metric)


def at_edge(time: Time, edge: str) -> Time | None:
    """2015年末, 2015年初: that day; of reports the one that ends on it."""
    days = time.days
    if days is None or days.kind != "days" or days.first == days.last:
        return None
    day = days.last if edge == "end" else days.first
    if day is None:
        return None
    on = When(kind="days", first=day, last=day)
    return Time(reported_on(on), on, is_end=edge == "end")


def until(time: Time) -> Time | None:
    """2015年以前."""
    when = time.periods
    if when is None or when.kind != "years" or not isinstance(when.first, int):
        return None
    days = When(kind="days", first=None, last=date(when.first - 1, 12, 31))
    return Time(When(kind="years", first=None, last=when.first - 1), days)


def short_years(first: Amount, last: Amount) -> Time | None:
    """12到16: years of two figures, of this century."""
    years = [int(one.value) for one in (first, last) if one.unit == "number" and not one.scaled]
    if years != [first.value, last.value] or not 0 < years[0] < years[1] < _CENTURY_LEFT:
        return None
    return Time(When(kind="years", first=2000 + years[0], last=2000 + years[1]), None)


def counted_years(amount: Amount, later: Time) -> Time | None:
    """2012到2016年: the first year has no 年."""
    when = later.periods
    year = int(amount.value)
    if when is None or when.kind != "years" or amount.unit != "number" or amount.scaled:
        return None
    if not isinstance(when.last, int) or not _FIRST_YEAR <= year < when.last <= _LAST_YEAR:
        return None
    if later.days is None or year != amount.value:
        return None
    days = When(kind="days", first=date(year, 1, 1), last=later.days.last)
    return Time(when.but(first=year), days)


def _is_year(amount: Amount) -> bool:
    bare = amount.unit == "number" and not amount.scaled
    return bare and _FIRST_YEAR <= amount.value <= _LAST_YEAR and amount.value % 1 == 0


def amounts_between(low: Amount, high: Amount) -> tuple[Amount, Amount] | None:
    """100到200亿: the first takes over the unit and the scale of the second."""
    if low.vague or high.vague or (_is_year(low) and _is_year(high)):
        return None
    if low.unit == "number" and high.unit != "number":
        low = low._replace(unit=high.unit)
    if high.scaled and not low.scaled:
        scale = next(one for one in (1e12, 1e8, 1e4, 1.0) if high.value >= one)
        scaled = low.value * scale
        low = low._replace(value=scaled, scaled=True)
    if high.unit == "number" and low.unit != "number":
        high = high._replace(unit=low.unit)
    return (low, high) if low.value < high.value else None
