"""Words for a size that nobody here has, explained by the bound beside them: large caps (above
HK$200bn), 太小的去掉，一千亿以上的. Without such a bound they are what they were.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from services.language.lattice import FUNCTION, Token

# What may stand between the word and its bound: marks, 即, with.
_BESIDE = re.compile(
    r"[\s(（,，:：]*(?:股票|股|公司|的|里面?|中|即|是指|指|也就是|i\.e\.,?|meaning|with|with a)?"
    r"[\s(（]*"
)
_SIGNS = {"desc": ("gt", "ge"), "asc": ("lt", "le"), "mid": ("gt", "ge", "lt", "le")}
_SIZE = "market_cap"


def with_sizes(text: str, found: Sequence[Token]) -> list[Token]:
    """The words, with those that a bound explains as the figure it is of."""
    kept, words = [one for one in found if one.cat != "sized"], list[Token]()
    for one in sorted(
        found, key=lambda one: (one.start, -one.end)
    ):  # 太小的去掉, not 小的去掉 in it
        if one.cat == "sized" and not any(two.end >= one.end for two in words):
            words.append(one)
    for word in words:
        starts = {one.start for one in kept if _BESIDE.fullmatch(text, word.end, one.start)}
        named = [
            one for one in kept if one.start in starts and (one.cat, one.sem) == ("METRIC", _SIZE)
        ]
        begins = starts | {end for one in named for end in (one.end, one.end + 1)}
        if not any(_is_bound(one, kept, begins, str(word.sem)) for one in kept):
            continue
        kept = [one for one in kept if one.end <= word.start or one.start >= word.end]
        kept.append(
            replace(word, cat=FUNCTION if named else "METRIC", sem=None if named else _SIZE)
        )
    return kept


def _is_bound(sign: Token, found: Sequence[Token], begins: set[int], way: str) -> bool:
    """Whether it is the sign of a bound that begins there and says what the word says."""
    if sign.cat not in ("cmp", "postcmp") or sign.sem not in _SIGNS[way]:
        return False
    amounts = [one for one in found if one.cat == "AMT"]
    if sign.cat == "postcmp":
        return any(one.start in begins and one.end == sign.start for one in amounts)
    return sign.start in begins and any(one.start - sign.end in (0, 1) for one in amounts)
