"""Times as they are said: report periods for figures, spans of days for events. The clock decides.

`去年三季报` `2016Q3` `FY2015` `近三年` `2015年12月` `一周内` `昨天` `last year` `Dec 2015`.
"""

import calendar
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from services.query.lexicon import whole

REPORTS: Mapping[int, str] = {1: "一季报", 2: "中报", 3: "三季报", 4: "年报"}
_QUARTER_OF: Mapping[str, int] = {
    **dict.fromkeys(("一季报", "第一季度", "一季度", "1季度", "首季", "q1"), 1),
    **dict.fromkeys(("半年报", "中报", "上半年", "半年度", "第二季度", "二季度", "二季报"), 2),
    **dict.fromkeys(("2季度", "年中", "q2", "h1"), 2),
    **dict.fromkeys(("前三季度", "三季报", "第三季度", "三季度", "3季度", "q3"), 3),
    **dict.fromkeys(("年度报告", "年报", "第四季度", "四季度", "四季报", "4季度", "q4"), 4),
    **dict.fromkeys(("年末", "年底", "末", "底", "全年"), 4),
}
_SECOND_HALF = "下半年"
# The month from which a report of that quarter must be out (the annual one: of the next year).
_OUT_FROM: Mapping[int, int] = {4: 5, 1: 5, 2: 9, 3: 11}
_YEARS_AGO: Mapping[str, int] = {
    **dict.fromkeys(("大前年",), 3),
    **dict.fromkeys(("前年",), 2),
    **dict.fromkeys(("去年", "上一年度", "上年度", "上一年", "上年"), 1),
    **dict.fromkeys(("今年", "本年", "本年度", "当年"), 0),
}
# How many years 每年 and 历年 are.
_SEVERAL = 5
_ENGLISH_NUMBERS: Sequence[str] = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
)
_MONTH_NAMES: Sequence[str] = (
    *("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
)
_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_RANGES: Mapping[str, str] = {"天": "一天内", "周": "一周内", "月": "一个月内", "年": "一年内"}


@dataclass(frozen=True, slots=True)
class When:
    """One time said. `period` is how a report is called; the days are how events are dated.

    `report`: it was named as a report (年报, Q3). `year_said` is false for a bare 三季报 or 12月.
    `impossible`: there is no such day.
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


def _alternatives(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_REPORT = f"(?P<report>{_alternatives((*_QUARTER_OF, _SECOND_HALF))})(?!率)"
_MONTH = r"(?P<month>\d{1,2}|十[一二]?|[一二三四五六七八九])月份?(?:(?P<day>\d{1,2})[日号]?)?"
_YEAR = (
    rf"(?P<year>(?<!\d)(?:19|20)\d{{2}}(?!\d|[亿万元%倍只家个]|\.\d)|(?<!\d)\d{{2}}(?=年|q[1-4])"
    rf"|{_alternatives(tuple(_YEARS_AGO))})"
)
_NUMBER = r"(?P<n>\d+|[一二两三四五六七八九十]+|半|几)"
_UNIT = r"个?(?P<unit>交易日|季度|财季|季|年度|财年|年|星期|礼拜|周|月|天|日|期)"
_DAY = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d{2})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})")
_COMPACT = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d{2})(?P<month>\d{2})(?P<day>\d{2})(?!\d)")
_YEAR_MONTH = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d{2})[-/](?P<month>\d{1,2})(?!\d)")
_RELATIVE = re.compile(
    rf"(?:最近这?|近|过去|前(?!三季度)|这|过往){_NUMBER}{_UNIT}(?:度|报)?(?:以来|之?内|来|里)?"
    r"(?:的?(?:年报|中报|季报))?"
)
_WITHIN = re.compile(rf"{_NUMBER}{_UNIT}(?:以内|之内|内|以来)")
_DATED = re.compile(
    rf"{_YEAR}(?:(?:年度|财年|年)?的?[ _-]?{_REPORT}|年?的?{_MONTH}|(?:年度|财年|年))?"
)
_BARE_REPORT = re.compile(_REPORT)
_BARE_MONTH = re.compile(rf"(?<!\d){_MONTH}")
_FISCAL = re.compile(r"fy ?'?(?P<year>\d{4}|\d{2})(?!\d)")
_ENGLISH_QUARTER = re.compile(r"(?P<report>q[1-4]|h1)[ -]?(?:of )?(?P<year>(?:19|20)\d{2})")
_ENGLISH_MONTH = re.compile(
    rf"(?P<name>{'|'.join(_MONTH_NAMES)})[a-z]*\.?(?: (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?)?"
    r"(?: (?P<year>(?:19|20)\d{2}))?(?![a-z\d])"
)
_ENGLISH_PAST = re.compile(
    rf"(?:the )?(?:last|past|previous)(?: (?P<n>\d+|{'|'.join(_ENGLISH_NUMBERS)}))? "
    r"(?P<unit>year|month|week|day|quarter|period)s?"
)
_NAMED_DAYS: Mapping[str, str] = {
    **dict.fromkeys(("今天", "今日", "当天", "today"), "today"),
    **dict.fromkeys(("昨天", "昨日", "yesterday"), "yesterday"),
    "前天": "before",
    **dict.fromkeys(("本周", "这周", "这一周", "本星期", "this week"), "week"),
    **dict.fromkeys(("上周", "上个星期", "上星期"), "last_week"),
    **dict.fromkeys(("本月", "这个月", "当月", "this month"), "month"),
    **dict.fromkeys(("上个月", "上月"), "last_month"),
    **dict.fromkeys(("上个季度", "上一季度", "上季度", "上一季"), "last_quarter"),
    **dict.fromkeys(("今年以来", "年初至今", "年初以来", "year to date", "ytd"), "year"),
    "this year": "this_year",
    **dict.fromkeys(("每年", "历年", "逐年", "各年"), "every_year"),
    **dict.fromkeys(("实时", "盘中", "real-time", "real time", "realtime", "live"), "实时"),
    **dict.fromkeys(("一致预期", "机构预期", "机构预测", "盈利预期", "预期", "预测"), "预期"),
    **dict.fromkeys(("预计", "预估", "forecast", "forecasts", "consensus", "expected"), "预期"),
    **dict.fromkeys(("estimate", "estimates", "estimated", "consensus estimate"), "预期"),
    **dict.fromkeys(("consensus forecast",), "预期"),
}
_NAMED = re.compile(f"(?P<word>{_alternatives(tuple(_NAMED_DAYS))})")


class WhenReader:
    """Reads one time at a place of a text, relative to a day."""

    def __init__(self, today: date) -> None:
        """`today` is what 去年, 最近 and a bare 三季报 are counted from."""
        self._today = today
        self._forms: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], When]], ...] = (
            (_DAY, self._day),
            (_COMPACT, self._compact),
            (_YEAR_MONTH, self._day),
            (_NAMED, self._named),
            (_FISCAL, self._dated),
            (_ENGLISH_QUARTER, self._dated),
            (_ENGLISH_MONTH, self._english_month),
            (_ENGLISH_PAST, self._english_past),
            (_RELATIVE, self._relative),
            (_WITHIN, self._relative),
            (_DATED, self._dated),
            (_BARE_REPORT, self._bare_report),
            (_BARE_MONTH, self._day),
        )

    def at(self, text: str, place: int, year: int | None) -> tuple[int, When] | None:
        """The end and the reading of the time that begins there.

        `year` is the one said before in the same question: 2015年11月到12月.
        """
        if text[place - 1 : place] in tuple("<>=≥≤于过"):
            return None
        for pattern, read in self._forms:
            match = pattern.match(text, place)
            if match and whole(text, place, match.end()):
                when = read(match)
                if year is not None and not when.year_said and when.year is not None:
                    when = self.in_year(when, year)
                return match.end(), when
        return None

    def in_year(self, when: When, year: int) -> When:
        """A bare 三季报 or 12月 of that year; anything else as it is."""
        if when.year_said or when.year is None or (when.quarter is None and when.start is None):
            return when
        shift = year - when.year
        return replace(
            when,
            year=year,
            period=f"{year}{REPORTS[when.quarter]}" if when.quarter else when.period,
            start=when.start and _moved(when.start, shift),
            end=when.end and _moved(when.end, shift),
        )

    def _day(self, match: re.Match[str]) -> When:
        """A day or a month, of the year said or the newest such month begun."""
        parts = match.groupdict()
        month = number_of(parts["month"])
        said = parts.get("year")
        year = int(said) if said else self._today.year - (month > self._today.month)
        return self._month(year, month, parts.get("day"), said=bool(said))

    def _compact(self, match: re.Match[str]) -> When:
        when = self._day(match)
        return replace(when, report=(when.end or self._today).day >= 30 and bool(when.quarter))

    def _month(self, year: int, month: int, day: str | None, *, said: bool) -> When:
        if not 1 <= month <= 12:
            return When(year=year, year_said=said, impossible=True)
        last = calendar.monthrange(year, month)[1]
        if day is not None and not 1 <= int(day) <= last:
            return When(year=year, year_said=said, impossible=True)
        start = date(year, month, int(day) if day else 1)
        end = start if day else date(year, month, last)
        quarter = month // 3 if month % 3 == 0 and end.day == last else None
        period = f"{year}{REPORTS[quarter]}" if quarter else None
        return When(period=period, start=start, end=end, year=year, quarter=quarter, year_said=said)

    def _dated(self, match: re.Match[str]) -> When:
        """A year, with a report, a month or a day of it."""
        parts = match.groupdict()
        year = self._year(parts["year"])
        if parts.get("month"):
            return self._month(year, number_of(parts["month"]), parts.get("day"), said=True)
        if report := parts.get("report"):
            return self._report(year, report, said=True)
        whole_year = When(
            start=date(year, 1, 1), end=date(year, 12, 31), year=year, quarter=4, year_said=True
        )
        newest = year == self._today.year
        return replace(whole_year, period="最新" if newest else f"{year}年报")

    def _year(self, said: str) -> int:
        if said in _YEARS_AGO:
            return self._today.year - _YEARS_AGO[said]
        if len(said) == 2:
            return int(said) + (1900 if int(said) > 60 else 2000)
        return int(said)

    def _report(self, year: int, word: str, *, said: bool) -> When:
        if word == _SECOND_HALF:
            return When(None, None, date(year, 7, 1), date(year, 12, 31), None, year, None, said)
        quarter = _QUARTER_OF[word]
        start = date(year, 3 * quarter - 2, 1)
        if word in {"上半年", "半年度", "h1", "前三季度", "全年", "年报"}:
            start = date(year, 1, 1)
        end = date(year, 3 * quarter, calendar.monthrange(year, 3 * quarter)[1])
        period = f"{year}{REPORTS[quarter]}"
        return When(period, None, start, end, None, year, quarter, said, report=True)

    def _bare_report(self, match: re.Match[str]) -> When:
        """The newest such report that must be out; of a quarter or half, the newest ended."""
        word = match.group("report")
        quarter = _QUARTER_OF.get(word, 4)
        ended = (self._today.month - 1) // 3 >= quarter
        if word.endswith(("报", "报告")):
            ended = self._today.month >= _OUT_FROM[quarter]
        late = quarter == 4 or not ended
        years = late + (quarter == 4 and self._today.month < _OUT_FROM[4])
        return self._report(self._today.year - years, word, said=False)

    def _relative(self, match: re.Match[str]) -> When:
        unit = match.group("unit")
        if match.group("n") == "几":
            return When()
        if match.group("n") == "半":
            return self._past(6, "月") if unit.startswith("年") else self._past(15, "天")
        return self._past(number_of(match.group("n")), unit)

    def _past(self, n: int, unit: str) -> When:
        """The last `n` years, quarters, periods, months, weeks or days."""
        if unit in {"季度", "财季", "季", "期"}:
            months = 3 * n if unit != "期" else 0
            start = _months_before(self._today, months) if months else None
            return When("最新", n, start, self._today if start else None)
        word = {"财年": "年", "年度": "年", "星期": "周", "礼拜": "周", "日": "天", "交易日": "天"}
        kind = word.get(unit, unit)
        if kind == "天" and n == 7:
            return When(time_range="一周内")
        if kind in {"年", "月"}:
            start = _months_before(self._today, n * (12 if kind == "年" else 1))
        else:
            start = self._today - timedelta(days=n * (7 if kind == "周" else 1))
        when = (
            When(None, n, start, self._today) if n != 1 else When(count=n, time_range=_RANGES[kind])
        )
        return replace(when, period="年报") if kind == "年" else when

    def _english_past(self, match: re.Match[str]) -> When:
        units = {"year": "年", "month": "月", "week": "周", "day": "天", "quarter": "季度"}
        unit = units.get(match.group("unit"), "期")
        said = match.group("n")
        if said is None:
            if "last" in match.group() and unit in {"年", "月", "季度"}:
                return self._calendar(
                    {"年": "last_year", "月": "last_month"}.get(unit, "last_quarter")
                )
            return self._past(1, unit)
        return self._past(int(said) if said.isdigit() else _ENGLISH_NUMBERS.index(said) + 1, unit)

    def _english_month(self, match: re.Match[str]) -> When:
        month = _MONTH_NAMES.index(match.group("name")) + 1
        said = match.group("year")
        year = int(said) if said else self._today.year - (month > self._today.month)
        return self._month(year, month, match.group("day"), said=bool(said))

    def _named(self, match: re.Match[str]) -> When:
        word = _NAMED_DAYS[match.group("word")]
        return When(period=word) if word in {"实时", "预期"} else self._calendar(word)

    def _calendar(self, word: str) -> When:
        """Days and weeks of the calendar around today."""
        today = self._today
        if word == "today":
            return When(time_range="一天内")
        if word == "every_year":
            return When(period="年报", count=_SEVERAL)
        monday = today - timedelta(days=today.weekday())
        month = today.replace(day=1)
        if word == "last_quarter":
            quarter = (today.month - 1) // 3 or 4
            return self._report(today.year - (quarter == 4), f"q{quarter}", said=True)
        if word in {"last_year", "this_year"}:
            return self._dated(_sure(_DATED, "去年" if word == "last_year" else "今年"))
        starts = {
            "yesterday": (today - timedelta(days=1), today - timedelta(days=1)),
            "before": (today - timedelta(days=2), today - timedelta(days=2)),
            "week": (monday, today),
            "last_week": (monday - timedelta(days=7), monday - timedelta(days=1)),
            "month": (month, today),
            "last_month": (_months_before(month, 1), month - timedelta(days=1)),
            "year": (date(today.year, 1, 1), today),
        }
        start, end = starts[word]
        return When(start=start, end=end)


def number_of(text: str) -> int:
    """A small whole number in figures or in Chinese: 12, 十二, 两, 二十."""
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return _DIGITS.get(text, 0)
    return (_DIGITS.get(tens, 1) if tens else 1) * 10 + (_DIGITS.get(ones, 0) if ones else 0)


def _sure(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.match(text)
    assert match is not None  # noqa: S101 - a word of the table above
    return match


def _months_before(day: date, months: int) -> date:
    at = day.year * 12 + day.month - 1 - months
    year, month = divmod(at, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _moved(day: date, years: int) -> date:
    return _months_before(day, -12 * years)
