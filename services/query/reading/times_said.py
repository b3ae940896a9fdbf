"""Times of a question as typed words, read by the one reader of times (time_expressions.py)."""

import calendar
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from services.language.lattice import FUNCTION, Token
from services.query.algebra.nodes import ALL, When
from services.query.reading.phrases import Time
from services.query.reading.time_expressions import SaidTime as Said
from services.query.reading.time_expressions import WhenReader
from services.query.reading.time_forms import ENDS
from services.query.reading.times_joined import EachSpan, each_span

# Between a day and another of its month: 1月4日和7日.
_JOINING = "和、,与跟及至到-~"
_SINCE = re.compile(r"以来|至今|起(?![来码])|since\b|到现在|到今天|自从|自(?=\d)")
_LATER = re.compile(r"(?<=[年月日号季度末底初前])之?以?后|之后|以后|\bafter\b")
_UNTIL = re.compile(r"以前|之前|before\b|until\b")
_EDGE = re.compile(
    r"年底|年末|年初|末|底|初|year[- ]end|(?:the )?end of|月底|月末|(?:the )?(?:start|beginning) of"
)
_ENDS = {
    **dict.fromkeys(("年初", "初", "start of", "the start of"), "start"),
    **dict.fromkeys(("beginning of", "the beginning of"), "start"),
}
# Alone it asks for the change so far.
_YTD = re.compile(r"\b(?:ytd|year[- ]to[- ]date)\b")
# All that is known: 历史上最高, on record.
_EVER = re.compile(
    r"(?:历史上?|有史以来|史上|历来)|\b(?:on record|of all time|all[- ]time|ever)\b"
    r"|\b(?:whole|entire|full|complete|available) (?:history|record)\b"
    r"(?: (?:that )?you (?:hold|have))?"
)
# After a word of comparison bare digits are an amount; a year there says 年.
_COMPARING = "<>=≥≤于过"
_YEAR_SAID = re.compile(r"\d{2,4}年")
# 2014 and 14 before 年 are a year's name; 300 of 沪深300 is none.
_YEAR_BEFORE = re.compile(r"(?<!\d)(?:\d{4}|\d{2})$")
_DAYS = {"月": 30, "周": 7, "天": 1}
# Of a price: the days of each quarter.
_EACH = re.compile(r"(?:每一?个?|各个?|逐个?|分)季(?:度|份)?(?![报末底])")
_DECEMBER = 12
_NOT_TIMES = frozenset({"预期"})
_RANGES = {"一周内": 7, "一个月内": 30, "一年内": 365}
_WITHIN = re.compile(r"\b(?:over|in|during|for|within) the $")
_LATELY = re.compile(r"最近(?!收盘|成交|一[期季次个])|近期|近来|\b(?:recent(?:ly)?|lately)\b")


def times(  # noqa: C901 — one case a line
    text: str, reader: WhenReader, today: date
) -> Iterator[Token]:
    """Every time that begins anywhere, and the words around times."""
    end, said = 0, None
    for at, char in enumerate(text):
        if at and char.isdigit() and text[at - 1].isdigit():
            continue
        if at and text[at - 1 : at] in tuple(_COMPARING) and not _YEAR_SAID.match(text, at):
            continue
        if (
            at
            and char.isascii()
            and char.isalpha()
            and text[at - 1].isascii()
            and text[at - 1].isalnum()
        ):
            continue
        named = text[at] == "年" and _YEAR_BEFORE.search(text[:at])
        before = text[at - 1] if named or (at and text[at - 1].isdigit() and char != "年") else " "
        found = reader.at(before + text[at:], 1, None)
        if found is None:
            day = said if said is not None and end == at - 1 and text[end] in _JOINING else None
            bare = reader.at(text, at, None, last=day) if day is not None else None
            if bare is None:
                continue
            found = (bare[0] - at + 1, bare[1])
        end, said = at + found[0] - 1, found[1]
        if text[at:end] == "last day" and not _WITHIN.search(text[:at]):
            continue  # which was the last day it fell: a day of all
        if said.time_range == "一天内" or said.period == "实时":
            yield Token(FUNCTION, at, end, None, 0.3)
        elif named:
            continue  # the end of a year's own name: 2014年初到现在
        elif said.impossible:
            yield Token("BADTIME", at, end, text[at:end], 1.0)
        elif (time := _time(said, today)) is not None:
            is_end = text[end - 1] in ENDS and not said.since
            yield Token("WHEN", at, end, _at_end(time) if is_end else time, 1.0)
    yield from _beside_dates(text, today)


def _at_end(time: Time) -> Time:
    """6月底, 2016年末: its last day."""
    days = time.days
    if days is None or days.kind != "days" or not isinstance(days.last, date):
        return time
    return replace(time, days=days.but(first=days.last), is_end=True)


def _beside_dates(text: str, today: date) -> Iterator[Token]:
    """Times that are no dates (lately, this year so far, ever), and the words at a time's edge."""
    month = Time(days=When(kind="days", first=today - timedelta(days=30), last=today), lately=True)
    for match in _EACH.finditer(text):
        yield Token("EACH_SPAN", match.start(), match.end(), EachSpan(3, today), 1.0)
    for match in _LATELY.finditer(text):
        yield Token("WHEN", match.start(), match.end(), month, 1.0)
    ytd = Time(days=When(kind="days", first=date(today.year, 1, 1), last=today))
    for match in _YTD.finditer(text):
        yield Token("YTD", match.start(), match.end(), ytd, 0.2)
    for match in _EVER.finditer(text):
        yield Token("WHEN", match.start(), match.end(), Time(days=ALL), 1.0)
    for pattern, cat in ((_SINCE, "since"), (_LATER, "later"), (_UNTIL, "until")):
        for match in pattern.finditer(text):
            yield Token(cat, match.start(), match.end(), cat, 1.0)
    for match in _EDGE.finditer(text):
        # 2014年初: the 年 is the year's own.
        start = match.start() + (match.group()[0] == "年" and text[: match.start()][-1:].isdigit())
        yield Token("edge", start, match.end(), _ENDS.get(match.group(), "end"), 1.0)


def _time(said: Said, today: date) -> Time | None:  # noqa: C901, PLR0912 — one case a line
    if said.period in _NOT_TIMES:
        return None
    if said.time_range == "不限":
        return Time(ALL, ALL)
    if said.sessions and said.unit is None:
        return Time(days=When(kind="lastn", count=said.sessions, unit="sessions"))
    if said.time_range in _RANGES and said.unit is None:
        start = today - timedelta(days=_RANGES[said.time_range])
        if said.time_range == "一年内":
            start = _years_before(today, 1)
        return Time(days=When(kind="days", first=start, last=today))
    if said.unit == "期" and said.count:
        return Time(When(kind="lastn", count=said.count, unit="quarters"), None)
    if (
        said.unit is not None
        and said.count
        and said.count > 1
        and said.start is None
        and not said.is_of_sessions
    ):
        return None  # 每年, 每季度: no window, see `ask.series`
    if said.unit == "四季" and said.year is not None:
        ends = (date(said.year, 3, 31), date(said.year, 12, 31))
        year = When(kind="days", first=date(said.year, 1, 1), last=ends[1])
        each = each_span(Time(days=year), EachSpan(3, today))  # of a price: 2016年各季度涨跌幅
        periods = When(kind="quarters", first=ends[0], last=ends[1])
        return Time(periods, None, parts=each.parts if each else ())
    if said.unit is not None:
        return _read_count(said, today)
    days = None
    if said.start is not None and said.end is not None:
        days = When(kind="days", first=said.start, last=said.end)
    periods = _periods(said, today)
    if said.report and said.start is not None and said.start.month == 12:
        days = When(kind="days", first=said.end, last=said.end)  # 2016年末: its last session
    if periods is None and days is None:
        return None
    if said.since and periods is not None:
        periods = periods.but(last=None)
    if periods is None and days is not None:
        periods = reported_on(days)
    year_said = said.year_said or said.year is None
    return Time(periods, days, year_said, is_report=said.report)


def reported_on(days: When) -> When | None:
    """9月30日, 1-9月: what a report of that day says; a year's own is its annual report's."""
    first, last = days.first, days.last
    if not isinstance(first, date) or not isinstance(last, date):
        return None
    is_end = last.month % 3 == 0 and last.day == calendar.monthrange(last.year, last.month)[1]
    if not is_end or first not in (last, date(last.year, 1, 1)):
        return None
    if last.month == _DECEMBER:
        return When(kind="years", first=last.year, last=last.year)
    return When(kind="quarters", first=last, last=last)


def _periods(said: Said, today: date) -> When | None:
    """The report, or the fiscal year: not that of a month, nor of a year that is not over."""
    if said.year is None or said.quarter is None:
        return None
    if said.report and said.quarter != 4:
        month = said.quarter * 3
        end = date(said.year, month, calendar.monthrange(said.year, month)[1])
        return When(kind="quarters", first=end, last=end)
    is_year = said.start == date(said.year, 1, 1) and (
        said.since or said.end == date(said.year, 12, 31)
    )
    is_over = said.since or said.report or said.year < today.year
    if not (is_year or said.report) or not is_over:
        return None
    return When(kind="years", first=said.year, last=said.year)


def _read_count(said: Said, today: date) -> Time | None:
    """近三年, 近30天, 最近20个交易日."""
    count, unit = said.count or 1, said.unit
    if unit == "年":
        start = said.start or _years_before(today, count)
        days = When(kind="days", first=start, last=today)
        if count > 40:
            return None
        return Time(When(kind="lastn", count=count, unit="years"), days)
    if unit == "季度":
        return Time(When(kind="lastn", count=count, unit="quarters"), None) if said.count else None
    if said.is_of_sessions or said.sessions:
        count = said.sessions or count
        return Time(days=When(kind="lastn", count=count, unit="sessions"))
    if unit not in _DAYS:
        return None
    start = said.start or today - timedelta(days=_DAYS[unit] * count)
    return Time(days=When(kind="days", first=start, last=today))


def _years_before(day: date, count: int) -> date:
    year = day.year - count
    return date(year, day.month, min(day.day, calendar.monthrange(year, day.month)[1]))
