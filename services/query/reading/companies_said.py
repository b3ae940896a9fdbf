"""What a question asks about a company, as nodes: figures of reports, prices of days, texts.

One question may ask for several of these (股价走势和市盈率): each becomes a node of its own. What
is not given for the time said is asked back, never answered for another time.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from services.query.planning.metadata import Entry, Metadata
from services.query.planning.slots import Draft
from services.query.reading.clarification import asked
from services.query.reading.colloquial import TOPICS
from services.query.reading.question import Question
from services.query.reading.sentence import FIGURE, any_of
from services.query.reading.times import OF_A_DAY, is_of_days

_F = any_of(FIGURE)
# A figure whose own course over the years is asked for: 净利润走势, history of revenue.
_COURSE = re.compile(
    rf"(?P<zh>{_F})的?(?:历史|历年)?(?:走势|曲线|历史|变化|趋势)"
    rf"|(?P<en>{_F}) (?:history|chart|trend)|(?:history|chart) of (?:its |the )?(?P<of>{_F})"
)
_TOPIC = re.compile(
    rf"(?P<one>{_F})(?:的|方案|相关的?|方面的?| )*"
    "(?:公告|讨论|帖子|热帖|话题|announcements?|filings?|notices?|discussions?|posts?)"
)
_CAUSE = re.compile(
    rf"(?P<zh>{_F})[^、,，;和与跟{FIGURE}-\ue1ff]{{0,8}}(?:为什么|为何|为啥|怎么|原因|大跌|大涨|暴跌|暴涨)"
    rf"|(?:why|reason)[^,;]*?(?P<en>{_F})"
)
_RESULTS = ("company.finance.revenue", "company.finance.net_profit")
_QUOTE = ("company.quote.price", "company.quote.pct_change")
# What announcements are about, beside figures: 停牌公告, 减持的公告.
_WORDED = re.compile(
    f"(?P<topic>{'|'.join(sorted(TOPICS, key=len, reverse=True))})(?:的|相关的?|方面的?| )*"
    "(?:公告|announcements?|filings?|notices?)"
)
_WHEN_ASKED = re.compile(r"什么时候|何时|哪一?年|哪个季度|\bwhen (?:did|will|was)\b|\bwhich year\b")
_HALTED = re.compile("停牌|复牌")
_MOVES = frozenset({"pct", "chg"})
_MONTH: Mapping[str, JsonValue] = {"time_range": "一个月内"}


class CompanyReader:
    """Makes the nodes of one company. Safe to share between threads."""

    def __init__(self, metadata: Metadata) -> None:
        self._metadata = metadata

    def drafts(self, question: Question, symbol: str, name: str) -> list[Draft]:
        """The nodes, in the order they are usually read; `name` is what choices call it.

        Raises: AskedBack.
        """
        action = question.wanted.action or "query"
        figures = question.figures
        if action == "feed":
            return self._feed(question, symbol)
        if action == "abnormal":
            return self._events(question, symbol, name)
        if action == "compare":
            return [Draft("compare", figures, {}, symbol=symbol)]
        if action == "price_history":
            return self._history(question, symbol, name)
        return self._figures(question, symbol, name)

    def check_when(self, question: Question, name: str) -> None:
        """Raises: AskedBack for when a figure passed a bound: 净利润什么时候超过100亿."""
        if question.wanted.action or not _WHEN_ASKED.search(question.text.lower()):
            return
        figures = [one for one in question.figures if one.short not in OF_A_DAY]
        if figures and not question.times.periods:
            raise _which_periods(question.language, name, figures[0])

    def quoted(self, question: Question) -> Question:
        """The same asking for price and change: all there is of an index."""
        return replace(question, figures=tuple(self._metadata.by_code(code) for code in _QUOTE))

    def _feed(self, question: Question, symbol: str) -> list[Draft]:
        """Texts about it; a figure right before the word is their topic: 分红公告."""
        topics = [match.group("one") for match in _TOPIC.finditer(question.sentence.shadow)]
        about = [question.sentence.figure_at(mark) for mark in topics]
        taken = [entry for figure in about for entry in figure.entries]
        quoted = any(entry.short == "price" for entry in question.figures)
        wants = (*question.wanted.wants, *(("行情",) if quoted else ()))
        args: dict[str, JsonValue] = {"wants": "、".join(wants)}
        said = [figure.said for figure in about]
        if worded := _WORDED.search(question.sentence.shadow):
            said.append(worded.group("topic"))
        elif halted := _HALTED.search(question.sentence.shadow):
            said.append(halted.group())
        if said:
            args["query"] = " ".join(dict.fromkeys(said))
        found = [
            Draft("feed", (), {**args, **days}, symbol=symbol) for days in question.times.spans()
        ]
        left = [one for one in question.figures if one.short != "price" and one not in taken]
        return [*found, *self._also(question, symbol, left)]

    def _events(self, question: Question, symbol: str, name: str) -> list[Draft]:
        """Abnormal moves; why a figure of a report moved is nothing a source says."""
        others = [one for one in question.figures if one.short not in OF_A_DAY]
        if match := _CAUSE.search(question.sentence.shadow):
            figure = question.sentence.figure_at(match.group("zh") or match.group("en"))
            if any(entry in others for entry in figure.entries):
                raise _no_cause(question.language, name, figure.entries[0], figure.said)
        days = question.times.spans()
        found = [Draft("abnormal", (), span, symbol=symbol) for span in days]
        return [*found, *self._also(question, symbol, others)]

    def _history(self, question: Question, symbol: str, name: str) -> list[Draft]:
        others = [one for one in question.figures if one.short not in OF_A_DAY]
        prices = tuple(one for one in question.figures if one.short in OF_A_DAY)
        course = _COURSE.search(question.sentence.shadow)
        mark = course and next(group for group in course.groups() if group)
        entries = question.sentence.figure_at(mark).entries if mark else ()
        if any(entry in others for entry in entries):
            if not question.times.periods:
                raise _which_periods(question.language, name, others[0])
            return self._figures(question, symbol, name)
        spans = question.times.spans()
        found = [Draft("price_history", prices, days, symbol=symbol) for days in spans]
        return [*found, *self._also(question, symbol, others)]

    def _also(self, question: Question, symbol: str, figures: Sequence[Entry]) -> list[Draft]:
        """Figures asked for beside something else, of the periods said or the newest."""
        return [
            Draft("query", tuple(figures), period, symbol=symbol)
            for period in question.times.newest_if_none()
            if figures
        ]

    def _figures(self, question: Question, symbol: str, name: str) -> list[Draft]:
        """Figures of the newest day or of the periods said; prices of past days by their days."""
        times, figures = question.times, question.figures or self._results()
        lately = times.lately and all(one.short in _MOVES for one in figures)
        if is_of_days(figures, times) or (lately and not times.days):
            spans = times.spans() if times.days else (_MONTH,)
            return [Draft("price_history", figures, days, symbol=symbol) for days in spans]
        past = times.days and times.days.get("time_range") != "一天内"
        if past and not times.periods:
            raise _no_such_day(question.language, name, figures)
        return [Draft("query", figures, period, symbol=symbol) for period in times.newest_if_none()]

    def _results(self) -> tuple[Entry, ...]:
        return tuple(self._metadata.by_code(code) for code in _RESULTS)


def _no_cause(language: str, name: str, entry: Entry, said: str) -> Exception:
    if language == "zh":
        choices = (f"{name}近五年{entry.name}", f"{name}{entry.name}", f"{name}异动")
    else:
        choices = (f"{name} {said} last five years", f"{name} {said}", f"why did {name} move")
    return asked(language, "no_cause", said, choices=choices)


def _which_periods(language: str, name: str, entry: Entry) -> Exception:
    called = _called(language, entry)
    if language == "zh":
        choices = (f"{name}近三年{called}", f"{name}近五年{called}", f"{name}近8个季度{called}")
    else:
        choices = (f"{name} {called} last three years", f"{name} {called} last five years")
    return asked(language, "which_periods", called, choices=choices)


def _called(language: str, entry: Entry) -> str:
    """Its name in that language."""
    if language == "zh":
        return entry.name
    return next((alias for alias in entry.aliases if alias.isascii()), entry.name)


def _no_such_day(language: str, name: str, figures: Sequence[Entry]) -> Exception:
    """A figure of a report or a multiple was asked of days on which no report ends."""
    first = next(one for one in figures if one.short not in OF_A_DAY)
    reported = first.code.startswith("company.finance.")
    if language == "zh":
        choices = (
            f"{name}最新{first.name}",
            f"{name}去年{first.name}",
            f"{name}近三年{first.name}",
        )
        return asked(
            language, "no_report" if reported else "no_past_value", first.name, choices=choices
        )
    called = _called(language, first)
    choices = (
        f"{name} {called}",
        f"{name} {called} last year",
        f"{name} {called} last three years",
    )
    return asked(language, "no_report" if reported else "no_past_value", called, choices=choices)
