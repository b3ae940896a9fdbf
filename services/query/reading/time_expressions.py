"""Times as they are said: report periods for figures, spans of days for events. The clock decides.

`去年三季报` `2016Q3` `FY2015` `近三年` `2015年12月` `一周内` `昨天` `last year` `Dec 2015`.
"""

import calendar
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from services.language.lexicon import is_whole
from services.language.numerals import small_number
from services.query.reading import time_forms as forms
from services.query.reading.time_forms import (
    FROM_JANUARY,
    MONTH_NAMES,
    NAMES,
    QUARTER_OF,
    SECOND_HALVES,
    WEEKDAYS,
    YEAR_ENDS,
    YEARS_AGO,
)

REPORTS: Mapping[int, str] = {1: "一季报", 2: "中报", 3: "三季报", 4: "年报"}
# The month from which a report of that quarter must be out (the annual one: of the next year).
_OUT_FROM: Mapping[int, int] = {4: 5, 1: 5, 2: 9, 3: 11}
_RANGES: Mapping[str, str] = {"天": "一天内", "周": "一周内", "月": "一个月内", "年": "一年内"}
# 这几天, 近几周, 最近几个月: how far back that is, as a number of another unit.
_A_FEW: Mapping[str, tuple[int, str]] = {"天": (1, "周"), "周": (1, "月"), "月": (3, "月")}
# How many years 每年 and 历年 are, quarters 每季度, and 近几年.
_YEARS, _QUARTERS, _FEW_YEARS = 10, 8, 5
_FEW_SAID = frozenset({"few", "a few", "several"})
_MOST = 40
# Reports of listed companies begin with the exchanges; estimates reach a few years ahead.
_FIRST_YEAR, _YEARS_AHEAD = 1990, 10


@dataclass(frozen=True, slots=True)
class SaidTime:
    """One time said. `period` is how a report is called; the days are how events are dated.

    `report`: it was named as a report (年报, Q3). `year_said` is false for a bare 三季报 or 12月.
    `impossible`: there is no such day. `since`: from then until now. `unit`: what
    is counted, 年 季度 月 周 天 期. `sessions`: so many of an exchange, where a price is
    asked; of anything else only if `is_of_sessions`, said as 交易日.
    """

    period: str | None = None
    count: int | None = None
    start: date | None = None
    end: date | None = None
    time_range: str | None = None
    year: int | None = None
    quarter: int | None = None
    year_said: bool = False
    report: bool = False
    impossible: bool = False
    since: bool = False
    unit: str | None = None
    sessions: int | None = None
    is_of_sessions: bool = False


class WhenReader:
    """Reads one time at a place of a text, relative to a day."""

    def __init__(self, today: date) -> None:
        """`today` is what 去年, 最近 and a bare 三季报 are counted from."""
        self._today = today
        self._forms: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], SaidTime]], ...] = (
            (forms.DAY, self._day),
            (forms.COMPACT, self._compact),
            (forms.YEAR_MONTH, self._day),
            (forms.MONTH_SPAN, self._months),
            (forms.WEEKDAY, self._weekday),
            (forms.DAY_OF_MONTH, self._day_of_month),
            (forms.NAMED, self._read_named),
            (forms.HISTORICAL, lambda _: _LISTS["ever"]),
            (forms.BROKERS, self._brokers),
            (forms.FISCAL, self._fiscal),
            (forms.ENGLISH_QUARTER, self._read_date),
            (forms.ENGLISH_MONTH, self._english_month),
            (forms.ENGLISH_PAST, self._english_past),
            (forms.AGO, self._ago),
            (forms.RELATIVE, self._relative),
            (forms.WITHIN, self._relative),
            (forms.OF_A_YEAR, self._quarters),
            (forms.DATED, self._read_date),
            (forms.BARE_REPORT, self._bare_report),
            (forms.BARE_MONTH, self._day),
            (forms.BARE_SPAN, self._relative),
            (forms.NO_SUCH, lambda _: SaidTime(impossible=True)),
        )

    def at(
        self, text: str, place: int, year: int | None, *, last: SaidTime | None = None
    ) -> tuple[int, SaidTime] | None:
        """The end and the reading of the time that begins there.

        `year` is the one said before in the same question: 2015年11月到12月. `last` is the time
        said before: 12月17日、18日.
        """
        if text[place - 1 : place] in tuple("<>=≥≤于过"):
            return None
        if last and last.start and (day := forms.BARE_DAY.match(text, place)):
            found = self._month(
                last.start.year, last.start.month, day.group("day"), said=last.year_said
            )
            return day.end(), found
        for pattern, read in self._forms:
            match = pattern.match(text, place)
            if match and is_whole(text, place, match.end()):
                when = read(match)
                if year is not None and not when.year_said and when.year is not None:
                    when = in_year(when, year)
                return self._until_now(text, place, match.end(), self._within_reach(when))
        return None

    def _within_reach(self, when: SaidTime) -> SaidTime:
        """A year no report can be of is no year: 1890, 2099."""
        far = self._today.year + _YEARS_AHEAD
        known = when.year is None or _FIRST_YEAR <= when.year <= far
        return when if known else replace(when, impossible=True)

    def _until_now(self, text: str, place: int, end: int, when: SaidTime) -> tuple[int, SaidTime]:
        """2015年以来, since 2015: its days go on until today."""
        after = forms.SINCE.match(text, end)
        if when.start is None or when.start > self._today or when.time_range:
            return end, when
        if after is None and not text.endswith("since ", 0, place):
            return end, when
        start = when.start
        if text[end - 1] in forms.ENDS and when.end is not None and when.end < self._today:
            start = when.end + timedelta(days=1)  # 去年底以来 begins with what followed its close
        said = replace(when, start=start, end=self._today, since=True)
        return after.end() if after else end, said

    def _day(self, match: re.Match[str]) -> SaidTime:
        """A day or a month, of the year said or the newest such month begun."""
        parts = match.groupdict()
        month = small_number(parts["month"])
        said = parts.get("year")
        year = int(said) if said else self._today.year - (month > self._today.month)
        return self._month(year, month, parts.get("day"), said=bool(said))

    def _day_of_month(self, match: re.Match[str]) -> SaidTime:
        """本月3号: of the month that is, or of the one before."""
        first = self._today.replace(day=1)
        of = _months_before(first, 1) if match.group("of").startswith("上") else first
        return self._month(of.year, of.month, match.group("day"), said=True)

    def _compact(self, match: re.Match[str]) -> SaidTime:
        when = self._day(match)
        return replace(when, report=(when.end or self._today).day >= 30 and bool(when.quarter))

    def _months(self, match: re.Match[str]) -> SaidTime:
        """2016年1-9月: the months, and the report that covers just them."""
        said = match.group("year")
        one, two = int(match.group("one")), int(match.group("two"))
        year = self._year(said) if said else self._today.year - (two > self._today.month)
        first = self._month(year, one, None, said=bool(said))
        last = self._month(year, two, None, said=bool(said))
        if first.impossible or last.impossible or one > two:
            return SaidTime(impossible=True)
        period = last.period if one == 1 else None
        return replace(last, start=first.start, period=period, quarter=last.quarter)

    def _weekday(self, match: re.Match[str]) -> SaidTime:
        """上周五, 周一, last Friday: that day of a week, or the newest such day."""
        parts = match.groupdict()
        day = WEEKDAYS[parts["day"] or parts["name"]]
        monday = self._today - timedelta(days=self._today.weekday())
        week = parts["week"] or parts["last"] or ""
        if week in {"上", "上个", "last"}:
            monday -= timedelta(days=7)
        found = monday + timedelta(days=day)
        if not week and found > self._today:
            found -= timedelta(days=7)
        return SaidTime(start=found, end=found)

    def _brokers(self, match: re.Match[str]) -> SaidTime:
        """3Q16, 1H17."""
        year = self._year(match.group("year"))
        return self._report(year, match.group("kind") + match.group("n"), said=True)

    def _month(self, year: int, month: int, day: str | None, *, said: bool) -> SaidTime:
        if not 1 <= month <= 12:
            return SaidTime(year=year, year_said=said, impossible=True)
        last = calendar.monthrange(year, month)[1]
        at = small_number(day) if day else 1
        if not 1 <= at <= last:
            return SaidTime(year=year, year_said=said, impossible=True)
        start = date(year, month, at)
        end = start if day else date(year, month, last)
        quarter = month // 3 if month % 3 == 0 and end.day == last else None
        period = f"{year}{REPORTS[quarter]}" if quarter else None
        return SaidTime(
            period=period, start=start, end=end, year=year, quarter=quarter, year_said=said
        )

    def _read_date(self, match: re.Match[str]) -> SaidTime:
        """A year, with a report, a month or a day of it."""
        parts = match.groupdict()
        year = self._year(parts["year"])
        if parts.get("month"):
            return self._month(year, small_number(parts["month"]), parts.get("day"), said=True)
        if report := parts.get("report"):
            return self._report(year, report, said=True)
        if "财年" in match.group():
            return self._report(year, "年报", said=True)
        whole_year = SaidTime(
            start=date(year, 1, 1), end=date(year, 12, 31), year=year, quarter=4, year_said=True
        )
        newest = year == self._today.year
        return replace(whole_year, period="最新" if newest else f"{year}年报")

    def _fiscal(self, match: re.Match[str]) -> SaidTime:
        """FY2017 is a report even in that year: fiscal years end in any month."""
        when = self._read_date(match)
        return replace(when, period=f"{when.year}年报") if when.period == "最新" else when

    def _quarters(self, match: re.Match[str]) -> SaidTime:
        """2016年四个季度: the four reports of that year."""
        year = self._year(match.group("year"))
        return replace(self._report(year, "全年", said=True), count=4, unit="四季")

    def _year(self, said: str) -> int:
        if said in {"last year", "this year"}:
            return self._today.year - (said == "last year")
        if said in YEARS_AGO:
            return self._today.year - YEARS_AGO[said]
        if len(said) == 2:
            return int(said) + (1900 if int(said) > 60 else 2000)
        return int(said)

    def _report(self, year: int, word: str, *, said: bool) -> SaidTime:
        if word in SECOND_HALVES:
            return SaidTime(
                None, None, date(year, 7, 1), date(year, 12, 31), None, year, None, said
            )
        quarter = QUARTER_OF[word]
        start = date(year, 3 * quarter - 2, 1)
        if word in FROM_JANUARY:
            start = date(year, 1, 1)
        if word in YEAR_ENDS:
            start = date(year, 12, 1)
        end = date(year, 3 * quarter, calendar.monthrange(year, 3 * quarter)[1])
        period = f"{year}{REPORTS[quarter]}"
        return SaidTime(period, None, start, end, None, year, quarter, said, report=True)

    def _bare_report(self, match: re.Match[str]) -> SaidTime:
        """The newest such report that must be out; of a quarter or half, the newest ended."""
        word = match.group("report")
        quarter = QUARTER_OF.get(word, 4)
        ended = (self._today.month - 1) // 3 >= quarter
        if word.endswith(("报", "报告")):
            ended = self._today.month >= _OUT_FROM[quarter]
        late = quarter == 4 or not ended
        years = late + (quarter == 4 and self._today.month < _OUT_FROM[4])
        return self._report(self._today.year - years, word, said=False)

    def _relative(self, match: re.Match[str]) -> SaidTime:
        unit = match.group("unit")
        if match.group("n") == "几":
            return self._few(unit)
        if match.group("n") == "半":
            return self._past(6, "月") if unit.startswith("年") else self._past(15, "天")
        return self._past(small_number(match.group("n")), unit)

    def _ago(self, match: re.Match[str]) -> SaidTime:
        """一年前, three months ago: the day so long before."""
        said = match.group("n") or match.group("count")
        unit = (match.group("unit") or match.group("of")).removeprefix("个")
        months = {"年": 12, "year": 12, "月": 1, "month": 1}.get(unit)
        if said == "半":
            if unit != "年":
                return SaidTime(impossible=True)
            found = _months_before(self._today, 6)
        else:
            n = 1 if said in {"a", "an"} else small_number(said)
            days = n * (1 if unit in {"天", "day"} else 7)
            found = (
                _months_before(self._today, n * months)
                if months
                else self._today - timedelta(days=days)
            )
        return SaidTime(start=found, end=found)

    def _few(self, unit: str) -> SaidTime:
        """近几年, 这几天."""
        if unit in {"年", "年度", "财年"}:
            return self._past(_FEW_YEARS, "年")
        if unit in {"季度", "财季", "季", "期"}:
            return self._past(4, unit)
        kind = {"星期": "周", "礼拜": "周", "日": "天", "交易日": "天"}.get(unit, unit)
        return self._past(*_A_FEW[kind])

    def _past(self, n: int, unit: str) -> SaidTime:
        """The last `n` years, quarters, periods, months, weeks or days."""
        if unit in {"季度", "财季", "季", "期"}:
            months = 3 * n if unit != "期" else 0
            start = _months_before(self._today, months) if months else None
            kind = "期" if unit == "期" else "季度"
            count = n if n > 1 else None
            return SaidTime("最新", count, start, self._today if start else None, unit=kind)
        word = {"财年": "年", "年度": "年", "星期": "周", "礼拜": "周", "日": "天", "交易日": "天"}
        kind = word.get(unit, unit).removeprefix("个")
        sessions = n if unit in {"日", "交易日"} and n > 1 else None
        if kind == "天" and n == 7:
            return SaidTime(time_range="一周内", sessions=sessions, is_of_sessions=unit == "交易日")
        if kind in {"年", "月"}:
            start = _months_before(self._today, n * (12 if kind == "年" else 1))
        else:
            start = self._today - timedelta(days=n * (7 if kind == "周" else 1))
        if unit == "交易日":
            start = self._sessions_back(n)
        when = (
            SaidTime(
                None, n, start, self._today, sessions=sessions, is_of_sessions=unit == "交易日"
            )
            if n != 1
            else SaidTime(count=n, time_range=_RANGES[kind])
        )
        return replace(when, period="年报" if kind == "年" else None, unit=kind)

    def _sessions_back(self, n: int) -> date:
        """The first of the last `n` weekdays, for want of a market: sessions_said.py knows it."""
        day, left = self._today, n
        while True:
            left -= day.weekday() < 5
            if left <= 0:
                return day
            day -= timedelta(days=1)

    def _english_past(self, match: re.Match[str]) -> SaidTime:
        units = {
            "year": "年",
            "month": "月",
            "week": "周",
            "day": "天",
            "quarter": "季度",
            "yr": "年",
            **dict.fromkeys(("trading day", "trading session", "session"), "交易日"),
        }
        unit = units.get(match.group("unit"), "期")
        said = match.group("n")
        is_recent = "recent" in match.group() and match.group().endswith("s")
        if said in _FEW_SAID or (said is None and is_recent):
            return self._few(unit)
        if said is None:
            if re.search("last|previous", match.group()) and unit in {"年", "月", "季度"}:
                return self._calendar(
                    {"年": "last_year", "月": "last_month"}.get(unit, "last_quarter")
                )
            return self._past(1, unit)
        return self._past(small_number(said), unit)

    def _english_month(self, match: re.Match[str]) -> SaidTime:
        month = MONTH_NAMES.index(match.group("name")[:3]) + 1
        said = match.group("year")
        year = int(said) if said else self._today.year - (month > self._today.month)
        day = match.group("day") or match.group("early")
        return self._month(year, month, day, said=bool(said))

    def _read_named(self, match: re.Match[str]) -> SaidTime:
        word = NAMES[match.group("word")]
        return SaidTime(period=word) if word in {"实时", "预期"} else self._calendar(word)

    def _calendar(self, word: str) -> SaidTime:
        """Days and weeks of the calendar around today."""
        today = self._today
        if word == "today":
            return SaidTime(time_range="一天内")
        if word in _LISTS:
            return _LISTS[word]
        monday = today - timedelta(days=today.weekday())
        month = today.replace(day=1)
        if word == "last_quarter":
            quarter = (today.month - 1) // 3 or 4
            return self._report(today.year - (quarter == 4), f"q{quarter}", said=True)
        if word in {"last_year", "this_year"}:
            return self._read_date(_sure(forms.DATED, "去年" if word == "last_year" else "今年"))
        starts = {
            "yesterday": (today - timedelta(days=1), today - timedelta(days=1)),
            "before": (today - timedelta(days=2), today - timedelta(days=2)),
            "week": (monday, today),
            "last_week": (monday - timedelta(days=7), monday - timedelta(days=1)),
            "month": (month, today),
            "quarter": (date(today.year, (today.month - 1) // 3 * 3 + 1, 1), today),
            "last_month": (_months_before(month, 1), month - timedelta(days=1)),
            "year": (date(today.year, 1, 1), today),
        }
        start, end = starts[word]
        # What a report says of the year so far is what the newest one says.
        return SaidTime(period="最新" if word == "year" else None, start=start, end=end)


_LISTS: Mapping[str, SaidTime] = {
    "every_year": SaidTime(period="年报", count=_YEARS, unit="年"),
    "every_quarter": SaidTime(period="最新", count=_QUARTERS, unit="季度"),
    "ever": SaidTime(period="年报", count=_MOST, time_range="不限"),
    "year_back": SaidTime(time_range="一年内"),
}


def in_year(when: SaidTime, year: int) -> SaidTime:
    """A bare 三季报 or 12月 of that year; anything else as it is."""
    if when.year_said or when.year is None or (when.quarter is None and when.start is None):
        return when
    shift = year - when.year
    return replace(
        when,
        year=year,
        period=f"{year}{REPORTS[when.quarter]}" if when.quarter else when.period,
        start=when.start and _move_years(when.start, shift),
        end=when.end and _move_years(when.end, shift),
    )


def _sure(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.match(text)
    assert match is not None  # noqa: S101 - a word of the table above
    return match


def _months_before(day: date, months: int) -> date:
    at = day.year * 12 + day.month - 1 - months
    year, month = divmod(at, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _move_years(day: date, years: int) -> date:
    return _months_before(day, -12 * years)
