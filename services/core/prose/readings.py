"""What a text makes of a figure in a word, against the figure: 放量 of 0.8 times, 超买 at 50.

Only words whose limit everybody knows; a word denied, supposed or named as a limit says nothing.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from services.core.claims import Claim
from services.core.prose.match import Mismatch
from services.core.prose.sentence import Sentence
from services.core.prose.tokens import MARKS, Cut


class Reading(NamedTuple):
    """A word that holds of a metric above (`above`) or below a limit."""

    word: re.Pattern[str]
    above: bool
    limit: float


_READINGS: Mapping[str, tuple[Reading, ...]] = {
    "volume_multiple": (
        Reading(re.compile(r"放量|heavy volume|heavier volume"), above=True, limit=1),
        Reading(re.compile(r"缩量|light volume|lighter volume"), above=False, limit=1),
    ),
    "rsi": (
        Reading(re.compile(r"超买|\boverbought\b"), above=True, limit=65),
        Reading(re.compile(r"超卖|\boversold\b"), above=False, limit=35),
    ),
}
# Of these the word may stand before the figure too, and none is denied: they are whole phrases.
_NOT_YET = r"(?:尚未|并未|还未|未|没有|还没)(?:进入|达到|触及|到)?"
_AXIS = (
    Reading(
        re.compile(r"零轴(?:上方|之上)|(?:上穿|升破|站上|升至)零轴|\babove (?:the )?zero\b"),
        above=True,
        limit=0,
    ),
    Reading(
        re.compile(r"零轴(?:下方|之下)|(?:下穿|跌破|跌至)零轴|\bbelow (?:the )?zero\b"),
        above=False,
        limit=0,
    ),
)
_PHRASES: Mapping[str, tuple[Reading, ...]] = {
    "macd_histogram": _AXIS,
    "macd_dif": _AXIS,
    "macd_dea": _AXIS,
    "rsi": (
        Reading(re.compile(_NOT_YET + r"超买|\bnot (?:yet )?overbought\b"), above=False, limit=70),
        Reading(re.compile(_NOT_YET + r"超卖|\bnot (?:yet )?oversold\b"), above=True, limit=30),
    ),
}
_DENIED = re.compile(
    r"未|没|无|非|不|若|如果|一旦|假如|距|离|接近|逼近|低于|高于|与|或|避免|\bnot\b|\bno\b|neither|nor|"
    r"\bif\b|below|above|from|near|close to|\bor\b|without|short of|should|away"
)
_LIMIT = re.compile(r"\s?(?:线|阈值|值|标准|条件|threshold|line|level|limit|or|nor|和|与|或|、|/)")


def wrong_readings(
    cut: Cut, sentence: Sentence, carried: Mapping[int, Claim]
) -> Iterator[tuple[int, int, Mismatch]]:
    """Words behind a figure that its claim contradicts."""
    text = cut.plain.text
    figures = [one for one in sentence.tokens if one.start in carried]
    for at, token in enumerate(figures):
        claim = carried[token.start]
        until = figures[at + 1].start if at + 1 < len(figures) else sentence.end
        for reading in _READINGS.get(claim.metric, ()):
            found = reading.word.search(text, token.end, until)
            if found is None or (claim.value > reading.limit) == reading.above:
                continue
            before = text[max(token.end, found.start() - 24) : found.start()]
            if _DENIED.search(before.replace("不过", "")) or _LIMIT.match(text, found.end()):
                continue
            if MARKS["number"] in cut.shadow[token.end : found.start()]:
                continue
            yield _contradicted(found, claim)
        for phrase in _PHRASES.get(claim.metric, ()):
            since = figures[at - 1].end if at else sentence.start
            others = [one for one in figures[at + 1 :] if carried[one.start].metric == claim.metric]
            found = phrase.word.search(text, since, others[0].start if others else sentence.end)
            if found is not None and (claim.value > phrase.limit) != phrase.above:
                yield _contradicted(found, claim)


def _contradicted(found: re.Match[str], claim: Claim) -> tuple[int, int, Mismatch]:
    return found.start(), found.end(), Mismatch(
        "wording",
        f"「{found.group()}」与数值不符：证据 {claim.metric}={claim.value!r}",
        f"“{found.group()}” is not what {claim.metric}={claim.value!r} says",
    )  # fmt: skip
