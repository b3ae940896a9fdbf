"""What a company is called in English: as a source names it, else by an English nickname, else its
Chinese name in pinyin with the code."""

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from services.core.lazy import import_later
from services.core.names import NameRow
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.names.nicknames import NICKNAMES, SHARED
from services.market.names.spellings import CJK

if TYPE_CHECKING:
    import pypinyin
else:
    pypinyin = import_later("pypinyin")

# Chinese signs that stand together, and whatever stands between them.
_RUN = re.compile(r"[\u4e00-\u9fff]+|[^\u4e00-\u9fff]+")
_LETTERS = ("boe", "byd", "ck", "csi", "gf", "hk", "r&f", "s&p", "saic", "sf", "sme", "sse", "szse")
# How the words of nicknames are written that are not simply capitalised.
_SPELLED: Mapping[str, str] = {
    **{word: word.upper() for word in (*_LETTERS, "citic")},
    "and": "and", "of": "of",
    "amazon.com": "Amazon.com", "chinext": "ChiNext", "coca-cola": "Coca-Cola",
    "dong-e": "Dong-E", "exxonmobil": "ExxonMobil", "hewlett-packard": "Hewlett-Packard",
    "iflytek": "iFlytek", "jpmorgan": "JPMorgan", "mcdonalds": "McDonald's",
    "petrochina": "PetroChina",
}  # fmt: skip


def english_name(row: NameRow | None) -> str | None:
    """`TENCENT`, `Kweichow Moutai`; None when nobody calls it anything in Latin letters."""
    if row is None:
        return None
    return row.english_name or _nicknames().get(row.symbol)


def name_text(symbol: str, name: str, row: NameRow | None) -> Text:
    """The name as listed, and in English; one nobody has in English by sound: Pingan Yinhang
    (000001). `name` is what the list at hand calls it.
    """
    english = latin_name(name, row)
    is_known = english_name(row) is not None or CJK.search(name) is None
    return Text(name, english if is_known else f"{english} ({Symbol(symbol).code})")


def latin_name(name: str, row: NameRow | None) -> str:
    """The English name, or the Chinese one by sound and without a code: for where the code stands
    beside it or a sentence has said whom it is about.
    """
    return english_name(row) or (_by_sound(name) if CJK.search(name) else name)


@cache
def _by_sound(name: str) -> str:
    """Pinyin in words, not syllable by syllable: Zhongguo Zhongche, Huaqiaocheng A, Xi'an Yinhang.

    Short names are made of words of two signs; what is left of an odd count joins the last.
    """
    words: list[str] = []
    for run in _RUN.findall(name):
        if CJK.search(run) is None:
            words += run.split()
            continue
        ends = [*range(2, len(run) - 1, 2), len(run)]
        starts = [0, *ends[:-1]]
        words += [_one_word(run[start:end]) for start, end in zip(starts, ends, strict=True)]
    return " ".join(word[:1].upper() + word[1:] for word in words)


def _one_word(signs: str) -> str:
    first, *others = pypinyin.lazy_pinyin(signs)
    # As the rules of pinyin have it: a syllable that begins with a vowel is set apart.
    return first + "".join(f"'{one}" if one[0] in "aoe" else one for one in others)


def _written(name: str) -> str:
    """A nickname as it is written: capitals, but the small words within and the letters of names
    that are letters.
    """
    return " ".join(_SPELLED.get(word, word.capitalize()) for word in name.split())


@cache
def _nicknames() -> Mapping[str, str]:
    """The longest Latin nickname of each symbol that has one of some length."""
    named = [*NICKNAMES.items(), *((word, one) for word, of in SHARED.items() for one in of)]
    latin = [(word, symbol) for word, symbol in named if word.isascii()]
    found: dict[str, str] = {}
    for word, symbol in sorted(latin, key=lambda pair: len(pair[0])):
        if len(word) > 4:
            found[symbol] = _written(word)
    return found
