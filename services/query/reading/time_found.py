"""A time the turn before found (哪天涨得最多, in which year was it highest) or told, and the words
that point at it: 那年, 第二天, since then are read as that time, behind the figure of that time.

The words stand in data/lexicon/found_times.toml. Nothing is looked up here: who asks says which
time was found.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Literal, cast

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.symbols import Symbol
from services.core.text import Language
from services.language.numerals import small_number
from services.language.plain_text import simplified
from services.market.calendar import Calendar
from services.query.algebra.nodes import (
    OWN,
    Change,
    Metric,
    Node,
    Query,
    Take,
    When,
    rewrite,
    walk,
)
from services.query.algebra.scopes import named_symbols
from services.query.algebra.times import bounds_of, days_of, is_barred, when_of
from services.query.reading.follow_peaks import day_of
from services.query.reading.times_joined import (
    fiscal_years,
    is_in_one_month,
    months_after,
    whole_months_of,
)

Grain = Literal["day", "month", "year"]
_OF_ROWS: Mapping[str, Grain] = {"days": "day", "months": "month", "years": "year"}
GRAINS = tuple(_OF_ROWS.values())
# So many of a unit at most: further nobody asks.
_MOST_UNITS = 99
# So many sessions, weeks or months; without a number one: the following week.
_SPAN: Mapping[Language, str] = {
    "zh": r"(?:(?P<n>\d{1,2}|[一二两三四五六七八九十]{1,3})个?"
    r"(?P<unit>交易日|天|周|星期|礼拜|月|年)|(?P<half>半年))",
    "en": r"(?:(?P<n>\d{1,2}|one|two|three|four|five|six|eight|ten|twelve) )?"
    r"(?P<unit>trading days|days|sessions|weeks?|months?|years?)",
}
# A time of its own is said: what points beside it means something else.
_OWN_TIME = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|今年|去年|前年|近[一二两三五十\d]|最近|\b(?:this|last) year\b"
)
# What stands for that time itself, behind which the turn is read already.
_ITSELF: Mapping[Grain, frozenset[str]] = {
    "day": frozenset({"{day}", "on {day}"}),
    "month": frozenset({"{month}", "in {month}"}),
    "year": frozenset({"{year}年", "in {year}"}),
}
_HALF = "半年"
# A blank that was put before the mark at the end.
_BEFORE_MARK = re.compile(r" (?=[?？。.!！,，])")


@dataclass(frozen=True, slots=True)
class TimeFound:
    """What a turn is read with: `query`, the figure that was told, of that time; and `token`, that
    time (`d20150612`, `m201506`, `y2014`). `symbol` is whose it is; `is_told` where nothing had to
    be found.
    """

    query: Query
    token: str
    symbol: str
    is_told: bool = False

    @property
    def grain(self) -> Grain:
        """Whether it is a day, a month or a year."""
        return cast("Grain", {"d": "day", "m": "month", "y": "year"}[self.token[0]])


def finding(last: Query) -> Query | None:
    """The query whose first row is at the time that was found; None where none was."""
    asked = day_of(last)
    is_one = asked.take == Take(count=1) and asked.rows in _OF_ROWS and not asked.fold
    symbols = named_symbols(asked.scope) or ()
    return asked if is_one and asked.show and len(symbols) == 1 else None


def at_time(last: Query, token: str) -> TimeFound:
    """The figures of the query that found it, of that time alone."""
    asked = finding(last) or last

    def of_it(node: Node) -> Node:
        match node:
            case Metric(id=name, when=When(kind="own")):
                return node.but(when=_when(name, token))
            case Change(of=name, since=since, until=When(kind="own")):
                when = _when(name, token)
                return node.but(since=when if since == OWN else since, until=when)
            case _:
                return node

    shown = tuple(cast("Metric", rewrite(one, of_it)) for one in asked.show)
    (symbol,) = named_symbols(asked.scope) or ("",)
    return TimeFound(Query(scope=asked.scope, show=shown), token, symbol)


def time_told(last: Query) -> TimeFound | None:
    """The one day, month or year that a figure of one company was told of; None of other turns."""
    symbols = named_symbols(last.scope) or ()
    is_plain = last.rows == "companies" and not (last.where or last.take or last.fold or last.check)
    nodes = [one for expr in last.show for one in walk(expr)]
    times = [one for one in nodes if isinstance(one, When) and one.kind != "before"]
    is_of_one = bool(times) and times.count(times[0]) == len(times)
    if not is_plain or len(symbols) != 1 or not is_of_one:
        return None
    token = _token(times[0])
    return TimeFound(last, token, symbols[0], is_told=True) if token else None


def points_at_time(text: str, asked: Query, language: Language) -> bool:
    """Whether a text may point at the time such a query finds."""
    return points_at(text, _OF_ROWS[asked.rows], language)


def points_at(text: str, grain: Grain, language: Language) -> bool:
    """Whether a text may point at a time of that grain."""
    said = simplified(text) if language == "zh" else text
    return any(one.search(said) for one, _ in _patterns(language, grain))


def is_of_time(query: Query, found: TimeFound) -> bool:
    """Whether it asks of that time."""
    times = [one for one in walk(found.query) if isinstance(one, When)]
    return any(one in times for one in walk(query) if isinstance(one, When))


def said_of_time(
    text: str, found: TimeFound, language: Language, calendar: Calendar
) -> Iterator[str]:
    """The text with that time in the place of what points at it, then with nothing there, behind
    that time. None where nothing points at it, or a time is said beside it; nor for that time
    itself where it was told: behind it every turn is of it.
    """
    said = simplified(text) if language == "zh" else text
    if _OWN_TIME.search(said.lower()):
        return
    names = _Names(found, calendar)
    put, at = list[tuple[int, int, str, str]](), 0
    while at < len(said):
        one = next(_put_at(said, at, names, language), None)
        if one is not None:
            put.append((at, *one))
        at = one[0] if one is not None else at + 1
    if not put:
        return
    is_itself = all(template in _ITSELF[found.grain] for *_, template in put)
    if is_itself and found.is_told:
        return
    yield _edited(said, [(start, end, words) for start, end, words, _ in put])
    if is_itself:
        yield _edited(said, [(start, end, "") for start, end, *_ in put])


def _edited(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    for start, end, words in reversed(edits):
        text = f"{text[:start].rstrip()} {words} {text[end:].lstrip()}"
    return _BEFORE_MARK.sub("", " ".join(text.split()))


def _put_at(
    text: str, at: int, names: "_Names", language: Language
) -> Iterator[tuple[int, str, str]]:
    """Where the words there end, what stands in their place, and by which template."""
    for pattern, template in _patterns(language, names.found.grain):
        if (match := pattern.match(text, at)) is not None and match.end() > at:
            named = names.named(match.groupdict())
            if named is not None:
                yield match.end(), template.format(**named), template


@cache
def _patterns(language: Language, grain: Grain) -> Sequence[tuple[re.Pattern[str], str]]:
    """Of the data file: a word of its own in English, wherever it stands in Chinese."""
    listed = read_data_file(DATA_FOLDER / "lexicon" / "found_times.toml").tables[grain][language]
    edge = "" if language == "zh" else r"\b"
    return [
        (re.compile(f"{edge}(?:{one.format(span=_SPAN[language])}){edge}", re.IGNORECASE), put)
        for one, put in cast("list[tuple[str, str]]", listed)
    ]


@dataclass(frozen=True, slots=True)
class _Names:
    """What the times around that one are called in a question."""

    found: TimeFound
    calendar: Calendar

    def named(self, said: Mapping[str, str | None]) -> Mapping[str, str] | None:
        """By the names of the data file; None where so many of that unit are not understood."""
        first, last = bounds_of(self.found.token)
        year = first.year
        named = {"year": str(year), "nextyear": str(year + 1), "lastyear": str(year - 1)}
        after, before = last + timedelta(days=1), first - timedelta(days=1)
        named["month"] = f"{first:%Y-%m}"
        if self.found.grain != "year":
            named["nextmonth"] = f"{months_after(first, 1):%Y-%m}"
            named["lastmonth"] = f"{months_after(first, -1):%Y-%m}"
        if self.found.grain == "day":
            market = Symbol.parse(self.found.symbol).market
            after = self.calendar.next_session(market, last)
            before = self.calendar.previous_session(market, first)
            named |= {"day": f"{first}", "next": f"{after}", "previous": f"{before}"}
            if said.get("unit") or said.get("half"):
                span = self._span(said.get("unit") or _HALF, said.get("n"))
                if span is None:
                    return None
                named |= {"until": f"{span[1]}", "from": f"{span[0]}"}
        return named

    def _span(self, unit: str, number: str | None) -> tuple[date, date] | None:
        """The days so many sessions, weeks or months before it, and after it."""
        count = 6 if unit == _HALF else small_number(number.lower()) if number else 1
        if not 0 < count <= _MOST_UNITS:
            return None
        day, _ = bounds_of(self.found.token)
        if unit.startswith(("月", "month", _HALF, "年", "year")):
            months = count * (12 if unit.startswith(("年", "year")) else 1)
            return _months_from(day, -months), _months_from(day, months)
        if unit.startswith(("周", "星期", "礼拜", "week")):
            return day - timedelta(days=7 * count), day + timedelta(days=7 * count)
        market = Symbol.parse(self.found.symbol).market
        ends = list[date]()
        for step in (self.calendar.previous_session, self.calendar.next_session):
            at = day
            for _ in range(count):
                at = step(market, at)
            ends.append(at)
        return ends[0], ends[1]


def _months_from(day: date, count: int) -> date:
    """The day so many months after it, the last of a month that has no such day."""
    last = months_after(day, count + 1) - timedelta(days=1)
    return last.replace(day=min(day.day, last.day))


def _when(figure: str, token: str) -> When:
    """That time as such a figure is known by."""
    return days_of(token) if token.startswith("d") or is_barred(figure) else when_of(token)


def _token(when: When) -> str:
    """How a row at that time is marked; nothing for other times."""
    years = when if when.kind == "years" else fiscal_years(when)
    if years is not None:
        is_one = isinstance(years.first, int) and years.first == years.last and not years.only
        return f"y{years.first}" if is_one else ""
    first = when.first
    if when.kind != "days" or not isinstance(first, date):
        return ""
    if first == when.last:
        return f"d{first:%Y%m%d}"
    is_month = whole_months_of(when) is not None and is_in_one_month(when)
    return f"m{first:%Y%m}" if is_month else ""
