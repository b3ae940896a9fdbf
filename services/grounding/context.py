"""What the words around a figure say of it: which figure, whose, of when, which way.

Reading only, of one figure at a time; whether a claim fits is prose.told and prose.about.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from services.grounding.direction_words import (
    COMPARED,
    COMPARED_AFTER,
    ENTITY,
    HEADS,
    JOINED,
    LEVEL,
    METRIC,
    NEWEST_WORDS,
    NOW_WORDS,
    NUMBER,
    OF_COMPANY,
    PERIOD,
    PLACE,
    WAY,
    WAY_AFTER,
)
from services.grounding.figure_times import find_times
from services.grounding.named import clause_start, find_named_figure, opens
from services.grounding.sentence import Context, Paired, Sentence, TimeBefore, is_figure
from services.grounding.tokens import CutText, TextToken


def context_of(cut: CutText, sentence: Sentence, at: int) -> Context:
    """The context of the sentence's token `at`, a figure."""
    token = sentence.tokens[at]
    clause = clause_start(cut.shadow, sentence.start, token.start)
    column = tuple(sentence.columns.get(token.start, ()))
    made = find_named_figure(cut, sentence, at, clause, column)
    made = _whose(cut, sentence, at, clause, column, made)
    made = find_times(cut, sentence, at, clause, column, made)
    made = _which_way(cut, sentence, at, clause, made)
    mentioned = frozenset(one.symbol for one in sentence.tokens if one.kind == "entity")
    made = replace(
        made,
        mentioned=mentioned,
        words=cut.plain.text[sentence.start : sentence.end][:600],
        times_of=_times_of(cut, sentence, at),
        behind=cut.plain.text[token.end : min(token.end + 32, sentence.end)],
    )
    pair = sentence.pairs.get(token.start)
    if pair is not None and not pair.wrong and pair.first != at:
        head = context_of(cut, sentence, pair.first)
        made = replace(made, way=head.way, is_level=head.is_level, turns=head.turns)
    return _by_position(made, pair)


_AS_MUCH_AS = re.compile(rf" (?:as \w+ as|that of|of that of|the size of)(?: the)? ?(?={ENTITY})")


def _times_of(cut: CutText, sentence: Sentence, at: int) -> str:
    found = _AS_MUCH_AS.match(cut.shadow, sentence.tokens[at].end)
    behind = sentence.tokens[at + 1 :]
    return next((one.symbol for one in behind if found and one.kind == "entity"), "")


def _by_position(made: Context, pair: Paired | None) -> Context:
    if pair is None:
        return made
    if pair.wrong:
        return replace(made, mispaired=True)
    if pair.sense is not None:
        made = replace(made, sense=pair.sense, carried=False, qualified="")
    if pair.symbol:
        made = replace(made, symbols=(pair.symbol,), ambiguous=False, named_here=True)
    if pair.said is not None:
        made = replace(made, before=(TimeBefore(pair.said, same_clause=True),))
    return made


def _whose(
    cut: CutText,
    sentence: Sentence,
    at: int,
    clause: int,
    column: Sequence[TextToken],
    made: Context,
) -> Context:
    token = sentence.tokens[at]
    named = [
        one
        for index, one in enumerate(sentence.tokens[:at])
        if one.kind == "entity" and not _is_yardstick(cut, sentence, index)
    ]
    owner = opens(cut, sentence, at) or _owner_behind(cut, sentence, at)
    if owner is not None:
        return replace(made, symbols=(owner.symbol,), headed=True, named_here=True)
    in_cells = [one for one in (*column, *_row(sentence)) if one.kind == "entity"]
    if sentence.columns and in_cells and not named:
        symbols = tuple(dict.fromkeys(one.symbol for one in in_cells))
        return replace(made, symbols=symbols[:1], named_here=True)
    bracketed = _find_bracketed(cut, sentence, at)
    if bracketed is not None:
        return replace(made, symbols=(bracketed.symbol,), headed=True, named_here=True)
    if not named and COMPARED_AFTER.match(cut.shadow, token.end):
        ahead = [one for one in sentence.tokens[at:] if one.kind == "entity"]
        if ahead:
            return replace(made, symbols=(ahead[0].symbol,), named_here=True)
    end = token.start
    while named:
        start = clause_start(cut.shadow, sentence.start, end)
        here = [one for one in named if one.start >= start]
        if here:
            chosen = _choose_company(cut, here, token, same_clause=start <= clause <= end)
            if chosen is not None:
                return replace(made, symbols=chosen[0], ambiguous=len(chosen[0]) > 1,
                               headed=chosen[1], named_here=True)  # fmt: skip
            named = [one for one in named if one.start < start]
        if start <= sentence.start:
            break
        end = start - 1
    symbols = sentence.subjects
    return replace(made, symbols=symbols, ambiguous=len(symbols) > 1)


def _is_yardstick(cut: CutText, sentence: Sentence, at: int) -> bool:
    """累计偏离恒生指数, the deviation from the Hang Seng Index: the index is what it is held to."""
    before, index = sentence.tokens[at - 1] if at else None, sentence.tokens[at]
    if before is None or before.sense is None or not before.sense.metrics & _DEVIATIONS:
        return False
    return cut.shadow[before.end : index.start] in {"", " from ", " from the ", "于"}


_DEVIATIONS = frozenset({"deviation", "cumulative_deviation", "relative_strength"})


def _owner_behind(cut: CutText, sentence: Sentence, at: int) -> TextToken | None:
    """The 8.67 times of China Merchants Bank."""
    token = sentence.tokens[at]
    if at + 1 < len(sentence.tokens) and OF_COMPANY.match(cut.shadow, token.end):
        behind = sentence.tokens[at + 1]
        return behind if behind.kind == "entity" else None
    return None


def _find_bracketed(cut: CutText, sentence: Sentence, at: int) -> TextToken | None:
    """Wuliangye (P/E 24.35x, P/B 3.59x): the company right before the brackets around a figure."""
    token = sentence.tokens[at]
    opening = cut.shadow.rfind("(", sentence.start, token.start)
    if opening < 0 or ")" in cut.shadow[opening : token.start]:
        return None
    if any(one.kind == "entity" and one.start > opening for one in sentence.tokens[:at]):
        return None
    before = [one for one in sentence.tokens[:at] if one.end <= opening]
    if not before or before[-1].kind != "entity":
        return None
    if _HELD_AGAINST.match(cut.shadow, token.end):
        # A trades higher than B (31.51x versus 24.35x): the first is of A.
        return next((one for one in before if one.kind == "entity"), None)
    return before[-1] if not cut.shadow[before[-1].end : opening].strip() else None


_HELD_AGAINST = re.compile(rf" (?:versus|vs\.?|against|compared (?:with|to)) [{NUMBER}{PLACE}]")


def _row(sentence: Sentence) -> Sequence[TextToken]:
    return sentence.tokens if sentence.columns else ()


def _choose_company(
    cut: CutText, here: Sequence[TextToken], figure: TextToken, *, same_clause: bool
) -> tuple[tuple[str, ...], bool] | None:
    """Of the companies of a clause the one meant; several where it is not clear; None for none."""
    nearest = here[-1]
    gap = cut.shadow[nearest.end : figure.start]
    group = _group(cut, here)
    if len(group) > 1:
        return group, False
    compared = _is_compared(cut, nearest)
    if (
        same_clause
        and not COMPARED_AFTER.match(gap)
        and (not gap or HEADS.match(gap))
        and (
            not compared
            or gap.startswith(("的", "'s", ", whose"))
            or not gap.strip()
            or gap[0] in (METRIC, NUMBER, PLACE, PERIOD)
        )
    ):
        return (nearest.symbol,), True
    subjects = tuple(dict.fromkeys(one.symbol for one in here if not _is_compared(cut, one)))
    if not subjects:
        return None
    return subjects, False


def _is_compared(cut: CutText, entity: TextToken) -> bool:
    before = COMPARED.search(cut.shadow, max(entity.start - 24, 0), entity.start)
    return before is not None or bool(COMPARED_AFTER.match(cut.shadow, entity.end))


def _group(cut: CutText, here: Sequence[TextToken]) -> tuple[str, ...]:
    """The companies joined by 和 or 、 to the nearest one."""
    symbols = [here[-1].symbol]
    for one, behind in zip(reversed(here[:-1]), reversed(here[1:]), strict=True):
        gap = cut.shadow[one.end : behind.start]
        if one.symbol == behind.symbol:
            continue
        if not JOINED.match(gap) or COMPARED_AFTER.match(cut.shadow, behind.end):
            break
        symbols.append(one.symbol)
    return tuple(dict.fromkeys(reversed(symbols)))


def _which_way(cut: CutText, sentence: Sentence, at: int, clause: int, made: Context) -> Context:
    token = sentence.tokens[at]
    start = clause
    for one in sentence.tokens[:at]:
        if is_figure(one) and one.end <= token.start:
            start = max(start, one.end)
    lead = cut.shadow[start : token.start]
    way, level = 0, False
    ways = list(WAY.finditer(lead))
    if ways:
        last = ways[-1]
        way = 1 if last.group("up") else -1
        level = not last.group().endswith("幅") and bool(LEVEL.search(lead, last.end()))
    elif after := WAY_AFTER.match(cut.shadow, token.end):
        way = 1 if after.group("up") else -1
    elif at and _GOES_ON.fullmatch(lead):
        way = _which_way_before(cut, sentence, at)
    words = cut.plain.text[clause : token.start]
    now = NOW_WORDS.search(words)
    return replace(
        made,
        way=way,
        is_level=level,
        now=now.group() if now else "",
        newest=bool(NEWEST_WORDS.search(words)),
    )


# Grew its revenue by 29.3% and its net profit by 78.9%; fell faster (14.4%) than revenue (7.7%);
# 增长约三分之一（32.8%）.
_GOES_ON = re.compile(
    rf"\)?\s?(?:and|than|versus|vs\.?|but) (?:its |the )?{METRIC}+ (?:by )?\(?|\("
)


def _which_way_before(cut: CutText, sentence: Sentence, at: int) -> int:
    """The way of the figure before, which the words between carry on."""
    before = next((n for n in range(at - 1, -1, -1) if is_figure(sentence.tokens[n])), None)
    if before is None:
        return 0
    token = sentence.tokens[before]
    clause = clause_start(cut.shadow, sentence.start, token.start)
    head = _which_way(cut, sentence, before, clause, Context())
    return 0 if head.is_level else head.way
