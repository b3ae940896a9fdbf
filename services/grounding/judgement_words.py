"""What a text makes of a figure in a word, against the figure: 放量 of 0.8 times, 超买 at 66.

A word with a registered limit holds beyond that limit and nowhere else; 放量 and 零轴 say no more
than above or below. A word denied, supposed or named as a limit says nothing.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple

from services.core.claims import Claim
from services.core.limits import COMPETENCES
from services.grounding.match import Mismatch
from services.grounding.sentence import Sentence
from services.grounding.tokens import MARKS, CutText

_SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


class JudgementWord(NamedTuple):
    """A word, and which side of a limit its metric is on where it is true. `ahead`: it may stand
    before the figure too.
    """

    word: re.Pattern[str]
    sign: Literal[">", ">=", "<", "<="]
    limit: float
    ahead: bool = False

    def holds(self, value: float) -> bool:
        """Whether the word is true of that value."""
        return _SIGNS[self.sign](value, self.limit)


_RSI = COMPETENCES["indicator.rsi"].values
_STANCE = COMPETENCES["indicator.stance"].values
# The stance follows its score, or is called one: 消息偏多 and a bullish cross are no stance.
_STANCE_ZH = r"(?:[，、,分(]|立场|[属为是])\s?(?:立场|[属为是])?偏"
_STANCE_EN = r"(?:\bstance (?:is )?|\b(?:is|rule) |[,(]\s?)b{}ish\b(?=\s?(?:[.,;)]|stance|$))"
_READINGS: Mapping[str, tuple[JudgementWord, ...]] = {
    "volume_multiple": (
        JudgementWord(re.compile(r"放量|heavy volume|heavier volume"), ">", 1),
        JudgementWord(re.compile(r"缩量|light volume|lighter volume"), "<=", 1),
    ),
    "rsi": (
        JudgementWord(re.compile(r"超买|\boverbought\b"), ">", _RSI["rsi_overbought"], ahead=True),
        JudgementWord(re.compile(r"超卖|\boversold\b"), "<", _RSI["rsi_oversold"], ahead=True),
    ),
    "technical_score": (
        JudgementWord(
            re.compile(_STANCE_ZH + "多|" + _STANCE_EN.format("ull")),
            ">=",
            _STANCE["bullish_from"],
        ),
        JudgementWord(
            re.compile(_STANCE_ZH + "空|" + _STANCE_EN.format("ear")),
            "<=",
            _STANCE["bearish_to"],
        ),
    ),
}
# Of these the word may stand before the figure too, and none is denied: they are whole phrases.
_NOT_YET = r"(?:尚未|并未|还未|未|没有|还没)(?:进入|达到|触及|到)?"
_AXIS = (
    JudgementWord(
        re.compile(r"零轴(?:上方|之上)|(?:上穿|升破|站上|升至)零轴|\babove (?:the )?zero\b"),
        ">",
        0,
    ),
    JudgementWord(
        re.compile(r"零轴(?:下方|之下)|(?:下穿|跌破|跌至)零轴|\bbelow (?:the )?zero\b"),
        "<=",
        0,
    ),
)
_PHRASES: Mapping[str, tuple[JudgementWord, ...]] = {
    "macd_histogram": _AXIS,
    "macd_dif": _AXIS,
    "macd_dea": _AXIS,
    "rsi": (
        JudgementWord(
            re.compile(_NOT_YET + r"超买|\bnot (?:yet )?overbought\b"),
            "<=",
            _RSI["rsi_overbought"],
        ),
        JudgementWord(
            re.compile(_NOT_YET + r"超卖|\bnot (?:yet )?oversold\b"),
            ">=",
            _RSI["rsi_oversold"],
        ),
    ),
}
_DENIED = re.compile(
    r"未|没|无|非|不|若|如果|一旦|假如|距|离|自|从|脱|曾|接近|逼近|靠近|临近|趋近|即将|将要|低于|高于|与|或|避免|"
    r"\bnot\b|\bno\b|neither|nor|\bif\b|below|above|from|near|close to|\bor\b|without|short of|"
    r"should|away|approach|almost|just under|until"
)
_LIMIT = re.compile(r"\s?(?:线|阈值|值|标准|条件|threshold|line|level|limit|or|nor|和|与|或|、|/)")
# So much before a word may deny it, in characters.
_LEAD = 24


def wrong_readings(
    cut: CutText, sentence: Sentence, carried: Mapping[int, Claim]
) -> Iterator[tuple[int, int, Mismatch]]:
    """Words beside a figure that its claim contradicts."""
    text = cut.plain.text
    figures = [one for one in sentence.tokens if one.start in carried]
    for at, token in enumerate(figures):
        claim = carried[token.start]
        since = figures[at - 1].end if at else sentence.start
        until = figures[at + 1].start if at + 1 < len(figures) else sentence.end
        for reading in _READINGS.get(claim.metric, ()):
            if reading.holds(claim.value):
                continue
            found = _find_word(cut, reading.word, token.end, until)
            if found is None and reading.ahead:
                found = _find_word(cut, reading.word, since, token.start)
            if found is not None:
                yield _refuse_contradiction(found, claim)
        for phrase in _PHRASES.get(claim.metric, ()):
            others = [one for one in figures[at + 1 :] if carried[one.start].metric == claim.metric]
            found = phrase.word.search(text, since, others[0].start if others else sentence.end)
            if found is not None and not phrase.holds(claim.value):
                yield _refuse_contradiction(found, claim)


def _find_word(cut: CutText, word: re.Pattern[str], since: int, until: int) -> re.Match[str] | None:
    """The word between a figure and its neighbour, where it is not denied, is no limit's name and
    does not belong to a figure that nobody carries.
    """
    text = cut.plain.text
    found = word.search(text, since, until)
    if found is None or _LIMIT.match(text, found.end()):
        return None
    lead = text[max(since, found.start() - _LEAD) : found.start()].replace("不过", "")
    if _DENIED.search(lead) or MARKS["number"] in cut.shadow[since : found.start()]:
        return None
    return found


def _refuse_contradiction(found: re.Match[str], claim: Claim) -> tuple[int, int, Mismatch]:
    return found.start(), found.end(), Mismatch(
        "wording",
        f"「{found.group()}」与数值不符：证据 {claim.metric}={claim.value!r}",
        f"“{found.group()}” is not what {claim.metric}={claim.value!r} says",
    )  # fmt: skip
