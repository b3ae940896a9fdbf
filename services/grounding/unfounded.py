"""What a text says as a whole: a reading of an indicator it has none of, a day of all above it.

A figure beside a word is compared elsewhere; here a word stands alone, and what could carry it is
looked for in all that is known.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from services.core.claims import Claim
from services.grounding.times import is_of
from services.grounding.tokens import CutText
from services.grounding.verdict import Verdict, refuse_time

# A reading, and the figures that one of must be known for it to be said at all. 放量 is none: goods
# are sold by volume, too.
_READINGS = (
    (
        re.compile(r"超买|超卖|\bover(?:bought|sold)\b", re.IGNORECASE),
        ("rsi", "kdj", "boll", "stochastic"),
    ),
    (
        re.compile(r"金叉|死叉|\b(?:golden|death|bullish|bearish) cross\b", re.IGNORECASE),
        ("macd", "ma_", "kdj"),
    ),
)
# What is supposed or denied is said of nothing: 若进入超买区, 没有放量.
_SUPPOSED = re.compile(
    r"若|如果|一旦|假如|未|没|无|不|\b(?:if|should|once|unless|no|not|without)\b"
)
_LEAD = 12
# 以上数据昨日: the time is of everything before it.
_ALL = re.compile(
    r"(?:以上|上述|前述|文中|全部|所有)[^，。；,;.]{0,8}$|\b(?:above|all)\b[^,;.]{0,24}$",
    re.IGNORECASE,
)
_TOTAL_LEAD = 36


def find_unfounded(cut: CutText, claims: Sequence[Claim]) -> Iterator[Verdict]:
    """Readings of indicators of which no figure is known."""
    text = cut.plain.text
    exempt = [one for one in cut.tokens if one.kind == "skip"]
    for word, needed in _READINGS:
        if any(claim.metric.startswith(needed) for claim in claims):
            continue
        for found in word.finditer(text):
            lead = text[max(0, found.start() - _LEAD) : found.start()]
            quoted = any(one.start <= found.start() < one.end for one in exempt)
            if not quoted and not _SUPPOSED.search(lead):
                yield Verdict(
                    found.start(), found.end(), "wording",
                    "没有这项指标的数字，不能这样判断",
                    "there is no figure of that indicator to judge by",
                )  # fmt: skip


def wrong_totals(
    cut: CutText, carried: Sequence[tuple[int, Claim]], today: date | None
) -> Iterator[Verdict]:
    """Times said of all that stands before, where one figure of it is of another."""
    for token in cut.tokens:
        said = token.said
        if said is None or not _is_of_all(cut, token.start):
            continue
        before = [claim for start, claim in carried if start < token.start]
        if any(not is_of(said, claim, today) for claim in before):
            yield refuse_time(token)


def _is_of_all(cut: CutText, start: int) -> bool:
    return bool(_ALL.search(cut.plain.text[max(0, start - _TOTAL_LEAD) : start]))
