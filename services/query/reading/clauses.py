"""A question of several companies, each with its own figures or times, as a question for each.

腾讯的股息率，茅台的市净率 asks two things, not four; 茅台2015年和五粮液2016年的净利润 two as well.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from services.query.reading.question import Question
from services.query.reading.sentence import COMPANY, FIGURE, WHEN, any_of

_C, _F, _W = any_of(COMPANY), any_of(FIGURE), any_of(WHEN)
_ENDS = re.compile(r"(?:[和与跟及、,;，；。]|\band\b|\bvs\.?|\bversus\b| )+$")


@dataclass(slots=True)
class _Clause:
    """The words from one company to the next, and the marks in them."""

    text: str
    figures: list[str]
    whens: list[str]


def clauses(question: Question) -> Sequence[str]:
    """The question for each company; nothing where all of it is asked of all of them."""
    if question.wanted.action or not question.screening.is_empty or not question.figures:
        return ()
    shadow, sentence = question.sentence.shadow, question.sentence
    places = [match.start() for match in re.finditer(_C, shadow)]
    named = [sentence.company_at(shadow[place]) for place in places]
    if len(named) != len(question.companies) or len({one.symbol for one in named}) < 2:
        return ()
    if re.search(f"{_F}|{_W}", shadow[: places[0]]):
        return ()
    found: list[_Clause] = []
    for at, place in enumerate(places):
        end = places[at + 1] if at + 1 < len(places) else len(shadow)
        until = named[at + 1].start if at + 1 < len(named) else len(sentence.text)
        part = shadow[place:end]
        text = _ENDS.sub("", sentence.text[named[at].start : until])
        found.append(_Clause(text, re.findall(_F, part), re.findall(_W, part)))
    return _apart(question, found)


def _apart(question: Question, found: list[_Clause]) -> Sequence[str]:
    each_when = all(one.whens for one in found)
    has_figures = [bool(one.figures) for one in found]
    if not has_figures[-1] or not (each_when or sum(has_figures) > 1):
        return ()
    if not each_when and any(one.whens for one in found):
        return ()  # whose time it is, is not clear: of all of them
    link = "的" if question.language == "zh" else " "
    told: list[str] = []
    for at, one in enumerate(found):
        near = next(other for other in found[at:] if other.figures)
        words = [question.sentence.figure_at(mark).said for mark in near.figures]
        said = ("、" if link == "的" else " and ").join(words)
        told.append(one.text if one.figures else f"{one.text}{link}{said}")
    return told
