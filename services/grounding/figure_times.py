"""Of when a figure is: the times that stand before it, behind it, and in its row and column."""

import re
from collections.abc import Sequence
from dataclasses import replace

from services.grounding.direction_words import COMPARED, FIGURES, METRIC, NUMBER
from services.grounding.period_words import TextTime
from services.grounding.sentence import Context, Sentence, TimeBefore, is_figure
from services.grounding.tokens import CutText, TextToken


def find_times(
    cut: CutText,
    sentence: Sentence,
    at: int,
    clause: int,
    column: Sequence[TextToken],
    made: Context,
) -> Context:
    """The context with the times before, behind and above the figure."""
    token = sentence.tokens[at]
    before: list[TimeBefore] = []
    crossed = False
    for one in reversed(sentence.tokens[:at]):
        if is_figure(one):
            crossed = True
        elif (
            one.kind == "period"
            and one.said is not None
            and not _is_noted(cut, sentence, one, token)
        ):
            compared = bool(COMPARED.search(cut.shadow, max(one.start - 14, 0), one.start))
            before.append(
                TimeBefore(
                    one.said,
                    same_clause=one.start >= clause,
                    crossed=crossed,
                    compared=compared,
                )
            )
    if sentence.columns:
        cells = [one.said for one in (*column, *sentence.tokens) if one.said is not None]
        before = [TimeBefore(said, same_clause=True) for said in dict.fromkeys(cells)]
    return replace(
        made,
        before=tuple(before),
        inherited=sentence.periods,
        after=_times_behind(cut, sentence, at),
        after_binds=not cut.shadow.startswith("(", token.end)
        and not cut.shadow.startswith(" (", token.end),
    )


def _is_noted(cut: CutText, sentence: Sentence, period: TextToken, figure: TextToken) -> bool:
    """Whether it stands in parentheses behind or around another figure: it is that one's alone."""
    if _is_bases(cut, sentence, period) or _is_of_earnings(cut, period):
        return True
    opening = cut.shadow.rfind("(", sentence.start, period.start)
    closing = cut.shadow.find(")", period.end, figure.start)
    if opening <= sentence.start or closing < 0 or ")" in cut.shadow[opening : period.start]:
        return False
    inside = cut.shadow[opening:closing]
    return cut.shadow[opening - 1] in FIGURES or any(mark in inside for mark in FIGURES)


def _is_bases(cut: CutText, sentence: Sentence, period: TextToken) -> bool:
    """To $675 million in 2016 from $889 million in 2015: the last is of the base alone."""
    figure = next(
        (one for one in reversed(sentence.tokens) if is_figure(one) and one.end <= period.start),
        None,
    )
    gap = cut.shadow[figure.end : period.start] if figure is not None else ""
    if gap == " " and period.said is not None and period.said.kind == "base":
        return True  # from CNY 49.59 the previous day
    if figure is None or not _IN_TIME.fullmatch(cut.shadow[figure.end : period.start]):
        return False
    return COMPARED.search(cut.shadow, max(figure.start - 30, 0), figure.start) is not None


def _is_of_earnings(cut: CutText, period: TextToken) -> bool:
    """56.9 times 2016 earnings: the year is of the multiple alone."""
    return bool(_OF_EARNINGS.match(cut.plain.text, period.end)) and cut.plain.text[
        max(period.start - 6, 0) : period.start
    ].endswith((NUMBER, "x ", "times "))


_OF_EARNINGS = re.compile(r" (?:earnings|book|sales)\b")
_IN_TIME = re.compile(
    r"(?: (?:that )?(?:it|they|the company) (?:lost|made|earned|posted|reported))?"
    rf"(?: (?:of )?{METRIC}+(?: (?:mark|level|threshold|barrier|milestone|line))?)?"
    r" (?:in|for|on|as of|as at|at the end of|during|over) (?:the )?"
)


def _times_behind(cut: CutText, sentence: Sentence, at: int) -> tuple[TextTime, ...]:
    """The times in the parentheses right behind a figure: 31.51倍（2017-05-25）."""
    token = sentence.tokens[at]
    opening = cut.shadow[token.end : token.end + 3].find("(")
    found: list[TextTime] = []
    if opening >= 0 and not cut.shadow[token.end : token.end + opening].strip():
        closing = cut.shadow.find(")", token.end, token.end + 120)
        for one in sentence.tokens[at + 1 :]:
            if closing < 0 or one.start > closing or is_figure(one):
                break
            if one.said is not None and not _is_next_ones(cut, one):
                if found and _FROM_TO.fullmatch(cut.shadow[found[-1].end : one.start]):
                    found.pop()  # what is told of a span of days is told of its last one
                found.append(one.said)
    elif (behind := _time_behind(sentence, at)) and (said := behind.said):
        gap = cut.shadow[token.end : behind.start]
        bare = said.kind in {"today", "yesterday"} and gap == " "
        based = said.kind in {"base", "same", "window"} and gap == " "
        if bare or based or _IN_TIME.fullmatch(gap):
            found.append(said)
    return tuple(found)


_FROM_TO = re.compile(r" ?(?:至|到|to|-|~|—) ?")


def _time_behind(sentence: Sentence, at: int) -> TextToken | None:
    """The time right behind a figure, or behind its name: CNY 80 billion of revenue in 2015."""
    for one in sentence.tokens[at + 1 : at + 3]:
        if one.said is not None:
            return one
        if one.kind != "metric":
            return None
    return None


def _is_next_ones(cut: CutText, period: TextToken) -> bool:
    """9.86% (FY2015: 8.74%): the time in the parentheses is of the figure in them."""
    near = cut.shadow[period.end : period.end + 3].partition(")")[0]
    return any(mark in near for mark in FIGURES)
