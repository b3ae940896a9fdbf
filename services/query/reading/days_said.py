"""The times of a question as the days a tool is asked about: 2015年11月到12月, 近一周, 昨天.

Each said once; a span that lies around another one says no more than that one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pydantic import JsonValue

from services.market.calendar import Calendar
from services.query.reading.sessions_said import in_sessions
from services.query.reading.time_expressions import SaidTime, WhenReader, in_year

# Between two times that are one span, and behind two that are.
_TO = re.compile(r"(?:的|份)?(?:到|至|-|~| ?- ?| to | through | until | till )")
_AND = re.compile(r"[和与]| and ")
_WITHIN = re.compile(r"之间|期间")
_BETWEEN = "between "
_SESSIONS = re.compile(r"交易日|sessions?|trading days?")
# Said alone it is a month.
_LATELY = re.compile(r"最近|近期|近来|\b(?:recent(?:ly)?|lately)\b")


@dataclass(frozen=True, slots=True)
class SaidDay:
    """A time and where it stands."""

    start: int
    end: int
    when: SaidTime


def times_in(
    text: str,
    today: date,
    calendar: Calendar,
    held: Sequence[tuple[int, int]],
    *,
    of_prices: bool = True,
) -> list[SaidDay]:
    """Every time of a plain text; nothing begins inside of `held` (names, codes).

    `of_prices`: days counted are sessions, as they are of prices (近60日); of texts they are days
    unless sessions were said.
    """
    found = _join_ends(text, list(_each(text, today, held)))
    found = [
        replace(one, when=in_sessions(one.when, calendar, "CN", today))
        if of_prices or _SESSIONS.search(text, one.start, one.end)
        else one
        for one in found
    ]
    month = SaidTime(time_range="一个月内")
    return [*found, *(SaidDay(*match.span(), month) for match in _LATELY.finditer(text))]


def _each(text: str, today: date, held: Sequence[tuple[int, int]]) -> Iterator[SaidDay]:
    reader, at = WhenReader(today), 0
    last, year = None, None
    while at < len(text):
        inside = next((end for start, end in held if start <= at < end), None)
        if inside is not None:
            at = inside
            continue
        # A Latin word or a number is a time only from its beginning.
        begins = not (at and text[at].isascii() and text[at].isalnum() and text[at - 1].isascii())
        begins = begins or not text[at - 1].isalnum()
        read = reader.at(text, at, year, last=last) if begins else None
        if read is None:
            at += 1
            continue
        end, last = read
        year = last.year if last.year_said else year
        yield SaidDay(at, end, last)
        at = end


def _join_ends(text: str, found: list[SaidDay]) -> list[SaidDay]:
    """The times with those joined that are the two ends of one."""
    made: list[SaidDay] = []
    for one in found:
        before = made[-1] if made else None
        if before is not None and (start := _find_joint(text, before, one)) is not None:
            first, last = _of_one_year(before.when, one.when)
            made[-1] = SaidDay(start, one.end, SaidTime(start=first.start, end=last.end))
        else:
            made.append(one)
    return made


def _find_joint(text: str, one: SaidDay, other: SaidDay) -> int | None:
    """Where the span of the two begins; None where they are two times."""
    link = text[one.end : other.start]
    if _TO.fullmatch(link):
        return one.start
    if not _AND.fullmatch(link):
        return None
    if text.endswith(_BETWEEN, 0, one.start):
        return one.start - len(_BETWEEN)
    return one.start if _WITHIN.match(text, other.end) else None


def _of_one_year(one: SaidTime, two: SaidTime) -> tuple[SaidTime, SaidTime]:
    """June and August 2015: the month said without a year is of the year said after it."""
    if one.start and not one.year_said and two.year_said and two.year is not None:
        moved = in_year(one, two.year)
        late = moved.start and two.end and moved.start > two.end
        return (in_year(one, two.year - 1) if late else moved), two
    return one, two


def spans(whens: Sequence[SaidTime], today: date) -> tuple[Mapping[str, JsonValue], ...]:
    """The slots of each span of days, once."""
    dated = [(when, days) for when in whens if (days := days_of(when, today))]
    if ranged := [days for _, days in dated if "time_range" in days]:
        return (ranged[0],)
    kept: dict[str, Mapping[str, JsonValue]] = {}
    for when, days in dated:
        if not any(_around(when, other) for other, _ in dated):
            kept.setdefault(str(days), days)
    return tuple(kept.values())


def days_of(when: SaidTime, today: date) -> Mapping[str, JsonValue]:
    """The slots of one time; none where it is no days."""
    if when.time_range:
        return {"time_range": when.time_range}
    if when.start is None or when.end is None:
        return {}
    end = min(when.end, today) if when.start <= today else when.end
    return {"start_date": when.start.isoformat(), "end_date": end.isoformat()}


def _around(span: SaidTime, other: SaidTime) -> bool:
    if not (span.start and span.end and other.start and other.end):
        return False
    inside = span.start <= other.start and other.end <= span.end
    return inside and (span.start, span.end) != (other.start, other.end)
