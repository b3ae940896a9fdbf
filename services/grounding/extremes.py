"""Words that say a figure is the first or the last of some: 创60日新高, 最贵, 垫底.

Said beside a price or a count of peers they assert a figure as much as digits do, so a claim must
carry them: nobody's claim, nobody's record.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from services.core.claims import Claim
from services.grounding.match import Mismatch
from services.grounding.sentence import Sentence
from services.grounding.tokens import CutText

_PRICES = frozenset({"close", "current_price", "high", "low", "pct_change"})
_RECORD = re.compile(
    r"(?:创|刷新|录得)[^,;。]{0,10}?(?<!不)新(?P<zh>高|低)"
    r"|\b(?:hit|hits|hitting|set|sets|setting|reached|marking|at) (?:a |an |its |the )?"
    r"(?:new |fresh |all-time |record |\d+-(?:day|session|week) )+(?P<en>high|low)\b"
)
_DAYS = re.compile(r"(\d+)(?:日|个交易日|-day|-session)")
_FIRST = re.compile(
    r"(?:最高|最贵|最大)的|居首|排名?第一|位居第一|(?<!th )(?<!nd )(?<!rd )\b(?:the )?"
    r"(?:most expensive|highest|dearest|priciest)\b"
)
_LAST = re.compile(
    r"垫底|(?:最低|最便宜|最小)的|倒数第一|居末|末位|(?<!th )(?<!nd )(?<!rd )\b(?:the )?"
    r"(?:least expensive|lowest|cheapest)\b"
)
Told = tuple[int, int, Mismatch]


def wrong_extremes(
    cut: CutText, sentence: Sentence, carried: Mapping[int, Claim], claims: Sequence[Claim]
) -> Iterator[Told]:
    """Records and first places that no claim carries."""
    text = cut.plain.text
    here = [carried[one.start] for one in sentence.tokens if one.start in carried]
    priced = next((one for one in here if one.metric in _PRICES), None)
    if priced is not None:
        for found in _RECORD.finditer(text, sentence.start, sentence.end):
            if not _is_record(found, priced, claims):
                yield _refuse_extreme(found)
    counted = next((one for one in here if one.metric.endswith("_peer_count")), None)
    if counted is not None:
        for pattern, first in ((_FIRST, True), (_LAST, False)):
            for found in pattern.finditer(text, sentence.start, sentence.end):
                if not _is_place(counted, claims, first=first):
                    yield _refuse_extreme(found)


def _is_record(found: re.Match[str], price: Claim, claims: Sequence[Claim]) -> bool:
    """Whether the price, or the day's own extreme, is that of a window the claims have."""
    side = "high" if (found["zh"] or found["en"]) in {"高", "high"} else "low"
    days = _DAYS.search(found.group())
    of_it = [one for one in claims if one.symbol == price.symbol and one.as_of == price.as_of]
    reached = {one.value for one in of_it if one.metric in {"close", "current_price", side}}
    windows = [
        one.value
        for one in of_it
        if (one.metric == f"{side}_{days[1]}" if days else one.metric.startswith(f"{side}_"))
    ]
    return any(value in reached for value in windows)


def _is_place(count: Claim, claims: Sequence[Claim], *, first: bool) -> bool:
    name = count.metric.removesuffix("count") + "rank"
    place = next(
        (one.value for one in claims if one.metric == name and one.symbol == count.symbol), None
    )
    return place == (1 if first else count.value)


def _refuse_extreme(found: re.Match[str]) -> Told:
    return found.start(), found.end(), Mismatch(
        "wording",
        f"「{found.group()}」没有证据支持：没有一条证据说它是最高或最低",
        f"“{found.group()}” has no claim: none says that it is the highest or the lowest",
    )  # fmt: skip
