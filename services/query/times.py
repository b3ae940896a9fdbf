"""The times of a question as slots: periods for figures, days for events."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from services.query.asking import asked
from services.query.metadata import Entry
from services.query.periods_said import When
from services.query.sentence import WHEN, Sentence, any_of

# Figures that a trading day has: of a span of days they are asked of the history of prices.
OF_A_DAY = frozenset({"price", "open", "high", "low", "pct", "vol", "amt", "chg"})
_W = any_of(WHEN)
_SPAN = re.compile(rf"(?P<one>{_W})(?:的|份)?(?:到|至|-|~| to | - )(?P<two>{_W})")
_LATELY = re.compile("最近|近期|近来|recent(?:ly)?|lately")
_NEWEST: Mapping[str, JsonValue] = {"period": "最新"}


@dataclass(frozen=True, slots=True)
class Times:
    """`periods`: one set of slots per period said, none when none was; `days`: slots of a span."""

    periods: tuple[Mapping[str, JsonValue], ...]
    days: Mapping[str, JsonValue]
    whens: tuple[When, ...]
    lately: bool

    @property
    def is_empty(self) -> bool:
        """Whether no time was said."""
        return not self.periods and not self.days

    def newest_if_none(self) -> Sequence[Mapping[str, JsonValue]]:
        """The periods, or the newest one."""
        return self.periods or (_NEWEST,)

    def span(self) -> Mapping[str, JsonValue]:
        """The days; a bare 最近 is a month."""
        return self.days or ({"time_range": "一个月内"} if self.lately else {})


def times_of(sentence: Sentence, language: str, today: date) -> Times:
    """Everything said of time. Raises: AskedBack for a day that is none, or a reversed span."""
    if any(when.impossible for when in sentence.whens):
        raise asked(language, "impossible_day")
    whens = list(sentence.whens)
    if match := _SPAN.search(sentence.shadow):
        one, two = (sentence.when_at(match.group(name)) for name in ("one", "two"))
        if one.start and two.end and one.start > two.end:
            raise asked(language, "reversed_days")
        days = _days(When(start=one.start, end=two.end), today)
        return Times(_years(one, two), days, tuple(whens), lately=False)
    nothing: Mapping[str, JsonValue] = {}
    days = next((span for when in whens if (span := _days(when, today))), nothing)
    lately = _LATELY.search(sentence.shadow) is not None
    return Times(_periods(whens), days, tuple(whens), lately)


def is_of_days(figures: Sequence[Entry], times: Times) -> bool:
    """Whether prices of past days are asked for, and not the newest."""
    if not figures or times.days.get("time_range", "") == "一天内" or not times.days:
        return False
    return all(entry.short in OF_A_DAY for entry in figures)


def _years(one: When, two: When) -> tuple[Mapping[str, JsonValue], ...]:
    if one.year and two.year and one.quarter == 4 and two.quarter == 4:
        return tuple({"period": f"{year}年报"} for year in range(one.year, two.year + 1))[:20]
    return _periods([one, two])


def _periods(whens: Sequence[When]) -> tuple[Mapping[str, JsonValue], ...]:
    said = [when for when in whens if when.period]
    for word in ("预期", "实时"):
        if any(when.period == word for when in said):
            return ({"period": word},)
    if counted := [when for when in said if when.count]:
        when = counted[0]
        return ({"period": when.period, "count": when.count},)
    found: dict[str, Mapping[str, JsonValue]] = {}
    for when in said:
        found.setdefault(str(when.period), {"period": when.period})
    return tuple(found.values())


def _days(when: When, today: date) -> Mapping[str, JsonValue]:
    if when.time_range:
        return {"time_range": when.time_range}
    if when.start is None or when.end is None:
        return {}
    end = min(when.end, today) if when.start <= today else when.end
    return {"start_date": when.start.isoformat(), "end_date": end.isoformat()}
