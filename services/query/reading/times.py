"""The times of a question as slots: periods for figures, days for events."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pydantic import JsonValue

from services.query.planning.metadata import Entry
from services.query.reading.clarification import asked
from services.query.reading.sentence import WHEN, Sentence, any_of
from services.query.reading.time_expressions import REPORTS, When, in_year

# Figures that a trading day has: of a span of days they are asked of the history of prices.
OF_A_DAY = frozenset({"price", "open", "high", "low", "pct", "vol", "amt", "chg"})
_W = any_of(WHEN)
_SPAN = re.compile(
    rf"(?P<one>{_W})(?:的|份)?(?:到|至|-|~| ?- ?| to | through | until | till )(?P<two>{_W})"
    rf"|(?<=between )(?P<first>{_W}) and (?P<last>{_W})"
    rf"|(?P<from>{_W})[和与](?P<until>{_W})(?=之间|期间)"
)
_YEAR_BEFORE = re.compile(rf"(?:[和跟与比较]|相比)(?P<year>{_W})(?:同期|相?比|对比|增|高|低|多|少)")
_LATELY = re.compile("最近|近期|近来|recent(?:ly)?|lately")
_NEWEST: Mapping[str, JsonValue] = {"period": "最新"}


@dataclass(frozen=True, slots=True)
class Times:
    """`periods`: one set of slots per period said, none when none was; `days`: of each span."""

    periods: tuple[Mapping[str, JsonValue], ...]
    all_days: tuple[Mapping[str, JsonValue], ...]
    whens: tuple[When, ...]
    lately: bool

    @property
    def days(self) -> Mapping[str, JsonValue]:
        """The first span of days; empty when none was said."""
        return self.all_days[0] if self.all_days else {}

    @property
    def is_empty(self) -> bool:
        """Whether no time was said."""
        return not self.periods and not self.days

    def newest_if_none(self) -> Sequence[Mapping[str, JsonValue]]:
        """The periods, or the newest one."""
        return self.periods or (_NEWEST,)

    def spans(self) -> Sequence[Mapping[str, JsonValue]]:
        """Every span of days, to be asked about one by one: 2015年5月28日、6月26日."""
        return self.all_days or (self.span(),)

    def span(self) -> Mapping[str, JsonValue]:
        """The days; a bare 最近 is a month."""
        return self.days or ({"time_range": "一个月内"} if self.lately else {})


def times_of(sentence: Sentence, language: str, today: date) -> Times:
    """Everything said of time. Raises: AskedBack for a day that is none, or a reversed span."""
    if any(when.impossible for when in sentence.whens):
        raise asked(language, "impossible_day")
    whens = list(sentence.whens)
    spans: list[When] = []
    periods: list[Mapping[str, JsonValue]] = []
    spanned: set[str] = set()
    for match in _SPAN.finditer(sentence.shadow):
        marks = [mark for mark in match.groups() if mark]
        one, two = _of_one_year(*(sentence.when_at(mark) for mark in marks))
        if one.start and two.end and one.start > two.end:
            raise asked(language, "reversed_days")
        spans.append(When(start=one.start, end=two.end))
        periods += _years(one, two)
        spanned.update(marks)
    for mark in re.findall(_W, sentence.shadow):
        if mark not in spanned:
            spans.append(sentence.when_at(mark))
    lately = not spanned and _LATELY.search(sentence.shadow) is not None
    given = tuple(periods) if spanned else _periods(_same_report(sentence, whens), today)
    return Times(given, _separate(spans, today), tuple(whens), lately)


def _same_report(sentence: Sentence, whens: list[When]) -> list[When]:
    """三季报和去年同期比: the year behind it means the same report a year before."""
    match = _YEAR_BEFORE.search(sentence.shadow)
    reports = [when for when in whens if when.report and when.year is not None]
    if match is None or not reports:
        return whens
    before = sentence.when_at(match.group("year"))
    if before.report or before.year is None:
        return whens
    bare = [replace(when, year_said=False) for when in reports]
    return [*reports, *(in_year(when, (when.year or 0) - 1) for when in bare)]


def _of_one_year(one: When, two: When) -> tuple[When, When]:
    """June and August 2015: the month said without a year is of the year said after it."""
    if one.start and not one.year_said and two.year_said and two.year is not None:
        moved = in_year(one, two.year)
        late = moved.start and two.end and moved.start > two.end
        return (in_year(one, two.year - 1) if late else moved), two
    return one, two


def _separate(spans: Sequence[When], today: date) -> tuple[Mapping[str, JsonValue], ...]:
    """The days of each span once; one that lies around another says no more than that one."""
    dated = [(span, days) for span in spans if (days := _days(span, today))]
    if any("time_range" in days for _, days in dated):
        return (dated[0][1],)
    kept: dict[str, Mapping[str, JsonValue]] = {}
    for span, days in dated:
        if not any(_around(span, other) for other, _ in dated):
            kept.setdefault(str(days), days)
    return tuple(kept.values())


def _around(span: When, other: When) -> bool:
    if not (span.start and span.end and other.start and other.end):
        return False
    inside = span.start <= other.start and other.end <= span.end
    return inside and (span.start, span.end) != (other.start, other.end)


def is_of_days(figures: Sequence[Entry], times: Times) -> bool:
    """Whether prices of past days are asked for, and not the newest."""
    if not figures or times.days.get("time_range", "") == "一天内" or not times.days:
        return False
    return all(entry.short in OF_A_DAY for entry in figures)


def _years(one: When, two: When) -> tuple[Mapping[str, JsonValue], ...]:
    if one.year and two.year and one.quarter == 4 and two.quarter == 4:
        return tuple({"period": f"{year}年报"} for year in range(one.year, two.year + 1))[:20]
    if (
        one.start
        and two.quarter
        and one.year == two.year
        and (one.start.month, one.start.day) == (1, 1)
    ):
        return ({"period": f"{two.year}{REPORTS[two.quarter]}"},)
    return _periods([one, two], one.start or date.max)


def _periods(whens: Sequence[When], today: date) -> tuple[Mapping[str, JsonValue], ...]:
    said = [when for when in whens if when.period]
    for word in ("预期", "实时"):
        if any(when.period == word for when in said):
            return ({"period": word},)
    if whole := next((when for when in said if when.unit == "四季"), None):
        return tuple({"period": f"{whole.year}{REPORTS[quarter]}"} for quarter in REPORTS)
    if counted := [when for when in said if when.count]:
        when = counted[0]
        return ({"period": when.period, "count": when.count},)
    found: dict[str, Mapping[str, JsonValue]] = {}
    if len(said) == 1 and said[0].since and said[0].year and said[0].quarter == 4:
        years = range(said[0].year, max(today.year, said[0].year + 1))
        return tuple({"period": f"{year}年报"} for year in years)
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
