"""A time around the day a report came out: no source says that day, only by when it had to be out.

年报之后那一周, in the month after its FY2015 report: put back saying so, with the same time around
the last lawful day to choose.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal, cast

from services.core.periods import Period
from services.core.symbols import Symbol
from services.core.text import Text
from services.language.lattice import FUNCTION, Token
from services.language.numerals import small_number
from services.query.algebra.nodes import Ask, Query, When, figures_in
from services.query.algebra.scopes import named_symbols
from services.query.reading.figures_said import is_of_days
from services.query.reading.phrases import Time
from services.query.reading.reasons import ask_why
from services.query.reading.shapes import Market
from services.query.reading.tagging import Lattice
from services.query.reading.time_forms import AROUND_ENGLISH_REPORT, AROUND_REPORT, PUBLISHING

_DAYS = {"周": 7, "星期": 7, "礼拜": 7, "week": 7, "月": 30, "month": 30, "季度": 91, "quarter": 91}
_BEFORE = frozenset({"以前", "之前", "前", "before"})
_WAYS = {1: Text("之后", "after"), -1: Text("之前", "before")}
_ANNUAL = 4
# How the price went.
_COURSES = frozenset({"trend", "pricetrend"})


@dataclass(frozen=True, slots=True)
class _Around:
    """A time around the publication of a report, and where it is said; `days` of the calendar, or
    so many `sessions`.
    """

    start: int
    end: int
    report: Period
    step: Literal[-1, 1]
    days: int = 0
    sessions: int = 0


def around_publication(
    lattice: Lattice,
    before: Sequence[Query],
    market: Market,
    today: date,
    read: Callable[[Lattice], Query | None],
) -> Ask | None:
    """What is put back for such a time; None where none is said, or where no price is asked of it.

    `read`: how the question is read with days in its place.
    """
    said = next(_said(lattice, today), None)
    symbols = _companies(lattice, before)
    if said is None or not symbols:
        return None
    others = [one for one in _whens(lattice) if one.end <= said.start or said.end <= one.start]
    reports = _reports_of(said, others)
    windows = [_window(replace(said, report=one), symbols[0], market) for one in reports]
    time = Time(days=windows[0]) if len(windows) == 1 else Time(parts=tuple(windows))
    query = read(_with_days(lattice, said, time, others if len(windows) > 1 else ()))
    if query is None or not all(map(is_of_days, figures_in(query))):
        return None
    markets = {Symbol.parse(one).market for one in symbols}
    is_due = markets == {"CN"} or (markets <= {"CN", "HK"} and said.report.quarter == _ANNUAL)
    is_sure = is_due and (len(windows) > 1 or not others)
    report = Text(said.report.label("zh"), said.report.label("en"))
    if not is_sure:
        return ask_why("unpublished_there", report)
    return ask_why("unpublished", report, said.report.due, _WAYS[said.step], options=(query,))


def _said(lattice: Lattice, today: date) -> Iterator[_Around]:
    """年报公布之后那一周, the week after its 2015 annual report."""
    for one in lattice.has("WHEN"):
        report = _report_of(cast("Time", one.sem))
        match = AROUND_REPORT.match(lattice.text, one.end)
        if report is None or match is None:
            continue
        verb = PUBLISHING.search(lattice.text[: one.start])
        start = verb.start() if verb else one.start
        number = 1 if match["one"] else small_number(match["n"] or "一")
        unit = "天" if match["one"] else match["unit"]
        yield _around(match, start, report, number, unit)
    for match in AROUND_ENGLISH_REPORT.finditer(lattice.text):
        year = today.year - 1 if match["year"] is None else int(match["year"])
        number = 1 if match["n"] in (None, "a", "an") else small_number(match["n"])
        yield _around(match, match.start(), Period(year, _ANNUAL), number, match["unit"])


def _around(match: re.Match[str], start: int, report: Period, number: int, unit: str) -> _Around:
    step = -1 if match["way"] in _BEFORE else 1
    days = _DAYS.get(unit, 0) * number
    return _Around(start, match.end(), report, step, days, 0 if days else number)


def _whens(lattice: Lattice) -> list[Token]:
    """The times said, each once."""
    found = lattice.has("WHEN")
    return [one for one in found if not any(_is_in(one, two) for two in found)]


def _is_in(one: Token, other: Token) -> bool:
    return one != other and other.start <= one.start and one.end <= other.end


def _reports_of(said: _Around, others: Sequence[Token]) -> Sequence[Period]:
    """The report, or that of each of the last years said beside it: 最近五年都看看."""
    times = [cast("Time", one.sem).periods for one in others]
    match times:
        case [When(kind="lastn", count=int() as count, unit="years")]:
            first = said.report.year - count + 1
            years = range(first, said.report.year + 1)
            return [Period(year, said.report.quarter) for year in years]
        case _:
            return [said.report]


def _report_of(time: Time) -> Period | None:
    when = time.periods if time.is_report else None
    match when:
        case When(kind="years", first=int() as first, last=last) if first == last:
            return Period(first, _ANNUAL)
        case When(kind="quarters", first=date() as first, last=last) if first == last:
            return Period(first.year, first.month // 3)
        case _:
            return None


def _companies(lattice: Lattice, before: Sequence[Query]) -> Sequence[str]:
    """Those named, each one listing; else those spoken of before."""
    named = [cast("tuple[str, ...]", one.sem) for one in lattice.has("ENT")]
    if named:
        return [one[0] for one in named] if all(len(one) == 1 for one in named) else ()
    return (named_symbols(before[-1].scope) or ()) if before else ()


def _window(said: _Around, symbol: str, market: Market) -> When:
    """As long a time around the last lawful day."""
    due, step = said.report.due, said.step
    day = due
    for _ in range(said.sessions):
        day = market.session_beside(symbol, day, step)
    edge = due + timedelta(days=step * said.days) if said.days else day
    near = due + timedelta(days=step)
    if said.sessions == 1:
        near = edge
    return When(kind="days", first=min(near, edge), last=max(near, edge))


def _with_days(lattice: Lattice, said: _Around, time: Time, gone: Sequence[Token]) -> Lattice:
    """The question with those days in that place, without the times that are in them; of its course
    how far the price went.
    """
    kept = [
        replace(one, sem="ret") if one.cat == "ask" and one.sem in _COURSES else one
        for one in lattice.tokens
        if one.end <= said.start or said.end <= one.start
    ]
    unread = tuple(one for one in lattice.unread if one[1] <= said.start or said.end <= one[0])
    kept = [one for one in kept if not any(_is_in(one, two) or one == two for two in gone)]
    fallen = (Token(FUNCTION, one.start, one.end, None, 0.3) for one in gone)
    when = Token("WHEN", said.start, said.end, time, 1.0)
    return Lattice(lattice.text, (*kept, *fallen, when), unread)
