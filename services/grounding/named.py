"""Which figure the words around a number name: 净利润, its 同比, 扣非净利润, or none at all."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from services.core.rendering import SIGNED
from services.grounding.direction_words import (
    COMPARED,
    COMPARED_AFTER,
    ENTITY,
    FIGURES,
    METRIC,
    PERIOD,
    TURN,
    WAY,
)
from services.grounding.figure_senses import SENSES, Sense
from services.grounding.sentence import Context, Sentence, is_figure
from services.grounding.tokens import CutText, TextToken
from services.grounding.words import ANCHORS, BESIDE, CARRY_NOUNS, OTHER_HEADS, OTHER_HEADS_EN
from services.language.lexicon import Lexicon
from services.language.plain_text import is_cjk

_AFTER_GAP = re.compile(
    r"的?(?:同比|年度)?|(?:-|\s)?(?:times )?(?:(?:in|of|for|rise in|increase in|drop in|fall in|"
    r"decline in|growth in|gain in|jump in|loss in|its|the|trailing|forward) ){0,3}"
)
_TIMES_WHAT = re.compile(
    r"(?<=[xs]) (?:its |trailing |ttm |twelve-month |(?P<year>(?:fy)?20\d\d ))*"
    r"(?P<what>earnings|book|sales)\b(?! (?:growth|per))"
)
_TIMES_OF = re.compile(
    r"\s?(?:that of|of that of|of the other|as (?:much|high|large|big|many)|the size of)\b"
)
_APART = re.compile(
    r" (?:turns? |points? )?(?:higher|lower|more|less|dearer|cheaper|richer) than"
    r"(?! (?:the year|a year|the previous|in the year))"
)
_TIMES_MEAN = re.compile(r" (?:the |its )?(?:recent |\d{1,3}-(?:day|session) )?average\b")
# What follows them is why, not whose.
_CAUSE = re.compile("受益于|得益于|由于|因为|随着|伴随|在.{1,12}[下中]")
_NEUTRAL = Lexicon(dict.fromkeys(BESIDE, True))
_ANCHOR = re.compile("|".join(sorted(map(re.escape, ANCHORS), key=len, reverse=True)))


def clause_start(shadow: str, start: int, end: int) -> int:
    """Behind the last comma before `end`, those inside closed parentheses left out."""
    depth = 0
    for at in range(end - 1, start - 1, -1):
        char = shadow[at]
        if char == ")":
            depth += 1
        elif char == "(":
            depth = max(depth - 1, 0)
        elif depth == 0 and char in ",;。!?\n|":
            return at + 1
    return start


class _Walk(NamedTuple):
    """Going back from a figure: the name found, whether from further up, and what was passed."""

    found: TextToken | None
    carried: bool
    turns: frozenset[str]
    senses: tuple[Sense, ...]


def find_named_figure(
    cut: CutText, sentence: Sentence, at: int, clause: int, column: Sequence[TextToken]
) -> Context:
    """The figure named, with its turns; `qualified` where words make it another one.

    `column`: the tokens in the head of its column of a table.
    """
    token = sentence.tokens[at]
    walk = _walk_back(cut, sentence, at, clause)
    turns = walk.turns | _turn_after(cut, sentence, at)
    base = Context(turns=turns, lead=cut.shadow[clause : token.start], senses_before=walk.senses)
    after = _find_name_after(cut, sentence, at)
    if after is not None and (walk.found is None or walk.carried or after[1]):
        return replace(base, sense=after[0])
    if walk.found is None:
        return _find_name_elsewhere(cut, sentence, at, column, base)
    if walk.carried and walk.found.start < clause:
        base = replace(base, turns=turns | _keep_turns(sentence, walk.found, token))
    return replace(
        base,
        sense=walk.found.sense,
        carried=walk.carried,
        qualified=_find_qualifier(
            cut, sentence, walk.found, token, carried=walk.carried, clause=clause
        ),
    )


def _walk_back(cut: CutText, sentence: Sentence, at: int, clause: int) -> _Walk:
    token = sentence.tokens[at]
    turns: set[str] = set()
    senses: list[Sense] = []
    found: TextToken | None = None
    crossed = carried = False
    for before in reversed(sentence.tokens[:at]):
        if is_figure(before):
            crossed = crossed or before.start >= clause or found is None
        elif before.kind == "turn":
            if not crossed and _is_turned(before, found, clause):
                turns.add(before.turn)
        elif before.sense is not None:
            if (
                found is not None
                and before.sense.name.endswith("口径")
                and _OF_BASIS.fullmatch(cut.shadow, before.end, found.start)
            ):
                found = replace(found, sense=before.sense)  # 按LYR口径的市盈率
            elif found is None and not _is_compared_metric(cut, before, token):
                found, carried = before, crossed or before.start < clause
            senses.append(before.sense)
    return _Walk(found, carried, frozenset(turns), tuple(senses))


_OF_BASIS = re.compile(rf",?[{ENTITY}]*的?")


def _is_turned(turn: TextToken, found: TextToken | None, clause: int) -> bool:
    """Behind the name; right before it (加权ROE, 平均市盈率); or a forecast in the same clause."""
    if found is None or 0 <= found.start - turn.end <= 2:
        return True
    return turn.turn == "forecast" and turn.start >= clause


def _find_name_elsewhere(
    cut: CutText, sentence: Sentence, at: int, column: Sequence[TextToken], base: Context
) -> Context:
    """In the head of its column, behind it (与2014年的68.19亿元相比，营收…), or further up."""
    token = sentence.tokens[at]
    head = next((cell for cell in column if cell.kind == "metric"), None)
    if head is not None:
        turns = {cell.turn for cell in column if cell.kind == "turn"}
        return replace(base, sense=head.sense, turns=base.turns | turns)
    ahead = next((one.sense for one in sentence.tokens[at:] if one.sense is not None), None)
    if ahead is not None and COMPARED_AFTER.match(cut.shadow, token.end):
        return replace(base, sense=ahead)
    qualified = _strange_run(base.lead, nouns=False) if sentence.sense else ""
    return replace(base, sense=sentence.sense, carried=True, above=True, qualified=qualified)


def _keep_turns(sentence: Sentence, found: TextToken, token: TextToken) -> set[str]:
    """A forecast stays one over a comma."""
    return {
        one.turn
        for one in sentence.tokens
        if one.kind == "turn" and found.end <= one.start < token.start and one.turn == "forecast"
    }


def _is_compared_metric(cut: CutText, metric: TextToken, figure: TextToken) -> bool:
    """较前收盘下跌 0.7元: the figure behind is not the previous close."""
    if not COMPARED.search(cut.shadow, max(metric.start - 8, 0), metric.start):
        return False
    gap = cut.shadow[metric.end : figure.start]
    number = figure.number
    if WAY.search(gap) or (number is not None and number.sign != 0):
        return True
    return figure.place is not None and figure.place.claim.metric in SIGNED


def _find_name_after(cut: CutText, sentence: Sentence, at: int) -> tuple[Sense, bool] | None:
    """The name right behind a figure, and whether 的 or `of` binds it there."""
    by_words = _find_name_by_words(cut, sentence, at)
    if by_words is not None:
        return by_words, True
    token = sentence.tokens[at]
    if at + 1 >= len(sentence.tokens) or _means(cut, token) or _is_of_all(cut, token):
        return None
    behind = sentence.tokens[at + 1]
    following = at + 1
    while behind.kind in {"turn", "period"} and following + 1 < len(sentence.tokens):
        following += 1
        behind = sentence.tokens[following]
    if opens(cut, sentence, at) is not None and at + 2 < len(sentence.tokens):
        return next((one.sense, True) for one in sentence.tokens[at + 2 :] if one.sense is not None)
    if behind.kind != "metric" or behind.sense is None:
        return None
    return _find_bound_name(cut, sentence, at, behind)


def _find_name_by_words(cut: CutText, sentence: Sentence, at: int) -> Sense | None:
    """56.9 times earnings, trading between …, 3.1 times as much by value, lost $670 million."""
    token = sentence.tokens[at]
    if times := _TIMES_WHAT.match(cut.plain.text, token.end):
        name = {"earnings": "p/e", "book": "p/b", "sales": "p/s"}[times["what"]]
        return SENSES["static p/e" if times["year"] and name == "p/e" else name]
    if ranged := _read_range(cut, sentence, at):
        return ranged
    if _TIMES_OF.match(cut.plain.text, token.end) and (by := _by_what(cut, sentence, at)):
        return by
    return _read_lost(cut, sentence, at)


def _find_bound_name(
    cut: CutText, sentence: Sentence, at: int, behind: TextToken
) -> tuple[Sense, bool] | None:
    """The name of the token `behind`, where nothing but small words stands between."""
    token = sentence.tokens[at]
    if behind.sense is None:
        return None
    gap = cut.shadow[token.end : behind.start].replace(TURN, "").replace(PERIOD, "")
    if _AFTER_GAP.fullmatch(" ".join(gap.split(" ")) if gap.strip() else gap[:1]) is None:
        return None
    if not gap and _is_listed_before(cut, sentence, token, behind):
        return behind.sense, True
    if any(is_figure(one) for one in sentence.tokens[at + 2 : at + 3]) and not gap:
        return None  # 31.51倍市净率7.16倍: the name is the next figure's
    multiple = token.number is not None and token.number.kind == "multiple" and " " in gap
    return behind.sense, multiple or gap.startswith("的") or bool(gap.strip())


def _is_listed_before(cut: CutText, sentence: Sentence, token: TextToken, name: TextToken) -> bool:
    """8.67倍PE、1.29倍PB: each figure between two marks with its name behind it."""
    before = cut.shadow[sentence.start : token.start][-1:]
    after = cut.shadow[name.end : name.end + 1]
    return before in {"", ":", "、", ","} and after in {"", "、", ",", ";", "。", ")"}


def _means(cut: CutText, token: TextToken) -> bool:
    """1.86 times its 20-day average: of volume, and no average of a price."""
    is_multiple = token.number is not None and token.number.kind == "multiple"
    return is_multiple and _TIMES_MEAN.match(cut.plain.text, token.end) is not None


def _read_lost(cut: CutText, sentence: Sentence, at: int) -> Sense | None:
    """Tesla lost $670 million; the $889 million it lost; made 79% more than the year before."""
    token = sentence.tokens[at]
    if token.number is None or token.number.kind not in {"money", "percent"}:
        return None
    if token.number.kind == "percent":
        made = re.search(r"\b(?:made|earned) $", cut.shadow[sentence.start : token.start])
        more = _THAN_BEFORE.match(cut.plain.text, token.end)
        return SENSES["net profit"] if made and more else None
    lost = re.search(r"\blost $", cut.shadow[sentence.start : token.start])
    if lost or re.match(r" (?:that )?(?:it|they|the company) lost\b", cut.shadow[token.end :]):
        return SENSES["net loss"]
    return None


_THAN_BEFORE = re.compile(
    r" more than (?:(?:the|a|in the) (?:previous )?year(?: before| earlier| ago)?)"
    r"(?! (?:before|earlier|ago|in|of|on|from)\b)"
)


def _is_of_all(cut: CutText, token: TextToken) -> bool:
    """268 of 3,241 companies meet the criteria: the words behind are of neither as a name."""
    left = cut.shadow[max(token.start - 12, 0) : token.start]
    return bool(_OF_ALL.match(cut.shadow, token.end) or _ALL_OF.search(left))


_OF_ALL = re.compile(f" of (?:the |all )?[{''.join(FIGURES)}]")
_ALL_OF = re.compile(f"[{''.join(FIGURES)}] of (?:the |all )?$")
_RANGE = re.compile(
    r"(?:trad(?:ed|ing)|rang(?:ed|ing)|mov(?:ed|ing)|sw(?:ung|inging)) "
    r"(?:in a range of |between |from )(?P<last>[^,;]{1,20}(?:and|to) )?$"
)


def _read_range(cut: CutText, sentence: Sentence, at: int) -> Sense | None:
    """Trading between CNY 49.57 and CNY 50.29: the low and the high of the day."""
    start = sentence.tokens[at].start
    match = _RANGE.search(cut.shadow, max(start - 60, sentence.start), start)
    if match is None or sum(mark in (match["last"] or "") for mark in FIGURES) > 1:
        return None
    return SENSES["high" if match["last"] else "low"]


def _by_what(cut: CutText, sentence: Sentence, at: int) -> Sense | None:
    """About 3.1 times as much as Wuliangye by market cap."""
    end = clause_end(cut.shadow, sentence.tokens[at].end, sentence.end)
    for one in sentence.tokens[at + 1 :]:
        if one.start >= end or is_figure(one):
            return None
        if one.sense is not None and _BY.search(cut.shadow, max(one.start - 14, 0), one.start):
            return one.sense
    return None


_BY = re.compile(r"\b(?:by|in|in terms of|on) (?:its )?$")


def clause_end(shadow: str, start: int, end: int) -> int:
    """The first comma from `start`."""
    found = re.compile("[,;]").search(shadow, start, end)
    return found.start() if found else end


def opens(cut: CutText, sentence: Sentence, at: int) -> TextToken | None:
    """At 560.1x, China Unicom's P/E is …: the company a figure at the head of a sentence is of."""
    token = sentence.tokens[at]
    head = cut.shadow[sentence.start : token.start].strip(" -*>#")
    if head not in {"at", "with", "以", "凭借"} or at + 1 >= len(sentence.tokens):
        return None
    owner = sentence.tokens[at + 1]
    if owner.kind != "entity" or cut.shadow[token.end : owner.start].strip() not in {",", "的"}:
        return None
    owns = re.compile(rf"(?:'s|的)[\s{PERIOD}]*[{METRIC}]")
    return owner if owns.match(cut.shadow, owner.end) else None


def _turn_after(cut: CutText, sentence: Sentence, at: int) -> set[str]:
    """12.3% year-on-year, 78.9%的同比增速."""
    token = sentence.tokens[at]
    if _TIMES_OF.match(cut.plain.text, token.end):
        return {"ratio"}
    if _means(cut, token):
        return {"mean"}
    if token.number is not None and _APART.match(cut.plain.text, token.end):
        return {"difference"}
    if at + 1 >= len(sentence.tokens):
        return set()
    token, behind = sentence.tokens[at], sentence.tokens[at + 1]
    gap = cut.shadow[token.end : behind.start]
    if behind.kind == "turn" and len(gap) <= 1 and gap in {"", " ", "的", "("}:
        return {behind.turn} if behind.turn in {"yoy", "mom", "ratio", "other"} else set()
    return set()


def _find_qualifier(
    cut: CutText,
    sentence: Sentence,
    metric: TextToken,
    figure: TextToken,
    *,
    carried: bool,
    clause: int,
) -> str:
    """Words that make the named figure another one, beside its name or before the number."""
    start = clause_start(cut.shadow, sentence.start, metric.start)
    left = cut.shadow[start : metric.start]
    beside = strange_beside(left.removesuffix("(") if left.endswith("(") else left)
    if beside:
        return beside
    gap = cut.shadow[max(metric.end, clause if carried else 0) : figure.start]
    if carried:
        last = max((gap.rfind(mark) for mark in FIGURES), default=-1)
        return _strange_run(gap[last + 1 :], nouns=False)
    other = OTHER_HEADS.search(gap) or OTHER_HEADS_EN.search(gap)
    return other.group() if other else ""


def strange_beside(left: str) -> str:
    """What stands before a figure's name and is no word that may (海外, 酒业务, a company)."""
    run = re.split(r"[^一-鿿a-z]", left.replace(PERIOD, ""))[-1]
    if _CAUSE.search(run):
        return ""
    if not run or not is_cjk(run[-1]):
        return ""
    anchors = [found.end() for found in _ANCHOR.finditer(run)]
    return _strange_run(run[anchors[-1] :] if anchors else run)


def _strange_run(text: str, *, nouns: bool = True) -> str:
    """The first run of Chinese in which a word is on no list."""
    for run in re.findall(r"[一-鿿]+", text):
        at, unknown = 0, ""
        way = {found.start(): found.end() for found in WAY.finditer(run)}
        while at < len(run):
            known = _NEUTRAL.at(run, at)
            if known is not None and not nouns and run[at : known[0]] in CARRY_NOUNS:
                return run[at : known[0]]
            if known is not None or at in way:
                at = max(known[0] if known else 0, way.get(at, 0))
                if unknown:
                    return unknown
                continue
            unknown += run[at]
            at += 1
        if unknown:
            return unknown
    return ""
