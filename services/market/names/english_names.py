"""What a company is called in English: as a source names it, else by an English nickname, else its
Chinese name in pinyin with the code."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from services.core.data_files import DATA_FOLDER, read_data_file
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
# What a source writes behind a name that is none of it; "& Co." belongs to the name before it.
_CORPORATE = re.compile(
    r"(?i)(?<!&)[\s,]+(?:inc|incorporated|corp|corporation|co|company|ltd|limited|plc|"
    r"(?:common|capital) stock)\.?(?: new$|$|(?= class ))"
)
# Letters, with what an apostrophe joins to them; a code or a number among them stays as it is.
_WORD = re.compile(r"[A-Z]+(?:'[A-Z]+)?")
# Names that are spelled out letter by letter though a vowel is among them.
_LETTERS = frozenset({
    "AAC", "ABC", "ADB", "AEON", "AIA", "ASM", "AT", "AVIC", "BAIC", "BOC", "BOE", "BYD", "CALC",
    "CDB", "CEB", "CEC", "CIMC", "CITIC", "CMOC", "CNCEC", "CNOOC", "COSCO", "CPIC", "CSI",
    "CYTS", "ETF", "FAW", "FIH", "GAC", "HKEX", "HLA", "ICBC", "IDT", "IGG", "IMAX", "IRC", "ITC",
    "MSCI", "NCI", "OCT", "OOIL", "PICC", "PME", "PYI", "REIT", "SAIC", "SDIC", "SME", "SMI",
    "SMIC", "SSE", "STO", "SZSE", "USA", "USD", "VMEP", "YTO", "ZTE",
})  # fmt: skip
# Words without one, and those of two letters that begin with one.
_WORDS = frozenset({
    "AH", "AN", "AS", "CO", "GP", "HLDG", "HLDGS", "IN", "INTL", "LTD", "MT", "ON", "PPT",
    "ST", "STD", "UP",
})  # fmt: skip
_SPELLED: Mapping[str, str] = {
    "AND": "and", "CHINARES": "ChinaRes", "CHINEXT": "ChiNext", "EXXONMOBIL": "ExxonMobil",
    "FOR": "for", "IFLYTEK": "iFlytek", "JPMORGAN": "JPMorgan", "LONGI": "LONGi",
    "MCDONALD'S": "McDonald's", "MCDONALDS": "McDonald's", "OF": "of",
    "PETROCHINA": "PetroChina", "POWERCHINA": "PowerChina", "THE": "the",
}  # fmt: skip


def english_name(row: NameRow | None) -> str | None:
    """`Tencent`, `Kweichow Moutai`; None when nobody calls it anything in Latin letters."""
    if row is None:
        return None
    given = row.english_name
    return _written(given) if given else _nicknames().get(row.symbol)


def name_text(symbol: str, name: str, row: NameRow | None) -> Text:
    """The name as listed, and in English; one nobody has in English by sound: Pingan Yinhang
    (000001). `name` is what the list at hand calls it; one of digits alone is its code.
    """
    if name.isascii() and not any(map(str.isalpha, name)):  # 5173 is no figure: it is told by code
        return Text(symbol, symbol)
    own = english_name(row) or _nicknames().get(symbol)  # a frozen day may have no row of it
    english = own or latin_name(name, row)
    is_known = own is not None or CJK.search(name) is None
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


@cache
def _written(name: str) -> str:
    """As a page writes it: TENCENT → Tencent, APPLE Inc → Apple, HSBC HOLDINGS → HSBC Holdings.

    A name that a source wrote in small letters too is left as it is, without its Inc.
    """
    short = name
    while (shorter := _CORPORATE.sub("", short)) not in {short, ""}:
        short = shorter
    if not short.isupper():
        return short
    told = _WORD.sub(_write_word, short).replace(".Com", ".com")
    return told[:1].upper() + told[1:] if told[:1] in "aoft" else told


def _write_word(found: re.Match[str]) -> str:
    """One word: with a vowel it is said as a word, else letter by letter."""
    word = found.group()
    first, _, second = word.partition("'")
    if len(second) > 2:  # L'Occitane, but Wong's and Int'l
        return f"{first.capitalize()}'{second.capitalize()}"
    said = len(first) > 1 and re.search("[AEIOU]|(?<!^)Y", first[len(first) == 2 :])
    is_word = word in _WORDS or (said and word not in _LETTERS)
    return _SPELLED.get(word, word.capitalize() if is_word else word)


@cache
def _nicknames() -> Mapping[str, str]:
    """The longest Latin nickname of each symbol that has one of some length; else the first name it
    is called by (data/lexicon/company_words.toml), else the longest it shares with others.
    """
    called = read_data_file(DATA_FOLDER / "lexicon" / "company_words.toml").tables["called"]
    shared = ((word, one) for word, of in SHARED.items() for one in of)
    found = _longest(shared)
    found |= {symbol: _written(names[0].upper()) for symbol, names in called.items()}
    return found | _longest(NICKNAMES.items())


def _longest(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    latin = sorted((pair for pair in named if pair[0].isascii()), key=lambda pair: len(pair[0]))
    return {symbol: _written(word.upper()) for word, symbol in latin if len(word) > 4}
