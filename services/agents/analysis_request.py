"""From a request to what is to be analysed: whom, by which skill, and how far back.

Times said in the question win over the settings: 近三年 widens the prices and the reports, 一周内
narrows the news.
"""

from datetime import date
from typing import NamedTuple

from services.agents.options import AgentOptions
from services.agents.results import AgentRunRequest, AnalysisInput
from services.agents.skills import Skill
from services.core.clock import Clock
from services.core.errors import InputError
from services.core.symbols import Symbol
from services.market.names.names import Names
from services.query.reading.time_expressions import When, WhenReader

LONGEST_QUESTION = 500
_REPORTS, _MOST_REPORTS = 4, 20
_NEWS_DAYS, _MOST_DAYS = 30, 10_000
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
    said = _said(question, today)
    price_days = said.days or max(one.lookback for one in options.tools.price_history.periods)
    return AnalysisInput(
        question=question,
        skill_id=skill.skill_id,
        mode=skill.mode,
        symbol=symbol.value if symbol else None,
        name=names.name(symbol.value) if symbol else None,
        market=symbol.market if symbol else "CN",
        language=request.language,
        as_of=today,
        price_days=price_days,
        filing_periods=said.reports or _REPORTS,
        news_days=said.days or _NEWS_DAYS,
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


class _Said(NamedTuple):
    """How far back a question reaches, in calendar days and annual reports; None: not said."""

    days: int | None
    reports: int | None


def _said(question: str, today: date) -> _Said:
    """The farthest of all times in it; a year nobody has a report of does not count."""
    times = [when for when in _times(question, WhenReader(today)) if not when.impossible]
    days = [found for when in times if (found := _days(when, today)) is not None]
    reports = [found for when in times if (found := _annuals(when, today)) is not None]
    return _Said(
        min(max(*days, 1), _MOST_DAYS) if days else None,
        min(max(*reports, 1), _MOST_REPORTS) if reports else None,
    )


def _annuals(when: When, today: date) -> int | None:
    """How many annual reports reach that far."""
    if when.count and when.unit == "年":
        return when.count
    return max(today.year - when.year, _REPORTS) if when.year is not None else None


def _times(text: str, reader: WhenReader) -> list[When]:
    found: list[When] = []
    place = 0
    while place < len(text):
        read = reader.at(text.lower(), place, None)
        if read is None:
            place += 1
            continue
        found.append(read[1])
        place = max(read[0], place + 1)
    return found


def _days(when: When, today: date) -> int | None:
    if when.time_range in _RANGES:
        return _RANGES[when.time_range]
    return None if when.start is None else (today - when.start).days + 1
