"""From a request to what is to be analysed: whom, by which skill, and how far back.

Times said in the question win over the settings, each for what it is said of: 最近三个月的新闻 is
of the news alone, 近八个季度财报 of the reports. One said of nothing in particular is of all.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal, NamedTuple

from services.agents.options import AgentOptions
from services.agents.results import AgentRunRequest, AnalysisInput, FilingKind
from services.agents.skills import Skill
from services.core.clock import Clock
from services.core.errors import InputError
from services.core.symbols import Symbol
from services.core.text import Language
from services.market.names.english_names import english_name
from services.market.names.names import Names
from services.query.reading.time_expressions import SaidTime, WhenReader

LONGEST_QUESTION = 500
_REPORTS, MOST_REPORTS = 4, 20
_NEWS_DAYS, _MOST_DAYS = 30, 10_000
_QUARTER = "季度"
Of = Literal["prices", "news", "reports"]
# What windows are said of.
_WORDS: Mapping[Of, re.Pattern[str]] = {
    "news": re.compile(r"新闻|消息|舆情|公告|资讯|帖子|\b(?:news|headlines?|notices?|posts?)\b"),
    "prices": re.compile(
        r"股价|行情|走势|价格|日线|k线|涨跌|均线|\b(?:prices?|bars?|chart|returns?|trend)\b"
    ),
    "reports": re.compile(
        r"财报|年报|季报|中报|报告|报表|业绩|财务|季度|\b(?:reports?|results|filings?|statements|"
        r"earnings|quarters?)\b"
    ),
}
# Where one part of a sentence ends and the next begins.
_PART = re.compile(r"[，。；、,;.!?！？\n]|以及|和|与|及|\band\b")
_RANGES = {"一天内": 1, "一周内": 7, "一个月内": 31, "一年内": 366}


def understood(
    request: AgentRunRequest, skill: Skill, options: AgentOptions, names: Names, clock: Clock
) -> AnalysisInput:
    """The request with its company found and its windows set.

    Raises: InputError (a company is needed or not known, with choices; too long a question).
    """
    question = request.question.strip()
    if len(question) > LONGEST_QUESTION:
        raise InputError("question", question, f"up to {LONGEST_QUESTION} characters")
    symbol = _company(request, skill, names)
    today = clock.now().date()
    said = _read_reach(question, today)
    name = names.name(symbol.value) if symbol else None
    price_days = said.prices or max(one.lookback for one in options.tools.price_history.periods)
    return AnalysisInput(
        question=question,
        skill_id=skill.skill_id,
        mode=skill.mode,
        symbol=symbol.value if symbol else None,
        name=name,
        called=_name_for_reader(symbol, name, request.language, names),
        market=symbol.market if symbol else "CN",
        language=request.language,
        as_of=today,
        price_days=price_days,
        filing_periods=said.reports or _REPORTS,
        filing_kind=said.kind,
        news_days=said.news or _NEWS_DAYS,
    )


def _company(request: AgentRunRequest, skill: Skill, names: Names) -> Symbol | None:
    if skill.mode == "market":
        return None
    if not request.symbol:
        raise InputError("symbol", request.symbol or "", "a company, by code or name")
    symbol = names.resolve(request.symbol)
    row = names.row(symbol.value)
    if row is not None and row.kind == "index":
        raise InputError("symbol", request.symbol, "a company: an index has no reports")
    return symbol


def _name_for_reader(
    symbol: Symbol | None, name: str | None, language: Language, names: Names
) -> str | None:
    """The name a reader of that language knows; one nobody has in English as it is listed."""
    if symbol is None or language == "zh":
        return name
    return english_name(names.row(symbol.value)) or name


class _Said(NamedTuple):
    """How far back a question reaches, by kind: calendar days of prices and of news, and so many
    reports, annual ones or of quarters. None: not said.
    """

    prices: int | None
    news: int | None
    reports: int | None
    kind: FilingKind


def _read_reach(question: str, today: date) -> _Said:
    """Of each kind the farthest of its times; a year nobody has a report of does not count."""
    times: list[tuple[Of | None, SaidTime]] = [
        (what, when)
        for what, when in _times(question.lower(), WhenReader(today))
        if not when.impossible
    ]
    reports = [when for what, when in times if what in {None, "reports"}]
    quarters = [one.count for one in reports if one.unit == _QUARTER and one.count]
    annual = [found for one in reports if (found := _annuals(one, today)) is not None]
    counted = quarters or annual
    return _Said(
        _farthest(times, "prices", today),
        _farthest(times, "news", today),
        min(max(*counted, 1), MOST_REPORTS) if counted else None,
        "quarterly" if quarters else "annual",
    )


def _farthest(times: Sequence[tuple[Of | None, SaidTime]], of: Of, today: date) -> int | None:
    """The days of that kind's times, or of those said of nothing."""
    days = [
        found
        for what, when in times
        if what in {None, of} and (found := _days(when, today)) is not None
    ]
    return min(max(*days, 1), _MOST_DAYS) if days else None


def _annuals(when: SaidTime, today: date) -> int | None:
    """How many annual reports reach that far."""
    if when.count and when.unit == "年":
        return when.count
    return max(today.year - when.year, _REPORTS) if when.year is not None else None


def _times(text: str, reader: WhenReader) -> list[tuple[Of | None, SaidTime]]:
    """Every time in the text, with what it is said of."""
    found: list[tuple[int, int, SaidTime]] = []
    place = 0
    while place < len(text):
        read = reader.at(text, place, None)
        if read is None:
            place += 1
            continue
        found.append((place, read[0], read[1]))
        place = max(read[0], place + 1)
    starts = [start for start, _, _ in found]
    return [
        (_of(text, start, end, min([s for s in starts if s >= end] or [len(text)])), when)
        for start, end, when in found
    ]


def _of(text: str, start: int, end: int, until: int) -> Of | None:
    """What a time is said of: what follows it in its part of the sentence, else what precedes."""
    after = _PART.split(text[end:until])[0]
    before = _PART.split(text[:start])[-1]
    for part in (after, before):
        named: list[Of] = [of for of, words in _WORDS.items() if words.search(part)]
        if len(named) == 1:
            return named[0]
    return None


def _days(when: SaidTime, today: date) -> int | None:
    if when.time_range in _RANGES:
        return _RANGES[when.time_range]
    return None if when.start is None else (today - when.start).days + 1
