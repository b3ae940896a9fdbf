"""What a text makes of a figure in a word, against the figure: 放量 of 0.8 times, 超买 at 50.

Only words whose limit everybody knows; a word denied, supposed or named as a limit says nothing.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from services.core.claims import Claim
from services.core.prose_match import Mismatch
from services.core.prose_sentence import Sentence
from services.core.prose_tokens import MARKS, Cut


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
            yield found.start(), found.end(), Mismatch(
                "wording",
                f"「{found.group()}」与数值不符：证据 {claim.metric}={claim.value!r}",
                f"“{found.group()}” is not what {claim.metric}={claim.value!r} says",
            )  # fmt: skip
