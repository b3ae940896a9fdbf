"""How one name is written in several ways: plain, without its marks, in English. Pure text."""

import re
import unicodedata
from functools import cache

from services.core.names import NameRow
from services.language.numbers import number_at
from services.language.numerals import NUMERALS
from services.language.plain_text import spelled

CJK = re.compile(r"[一-鿿]")
_STATUS = re.compile(r"^(?:S?\*?ST|XD|XR|DR|G|S|N)(?=[一-鿿])")
_MARKED_BY = ("S", "*ST", "XD", "XR", "DR", "G", "N")
_CLASSES = ("A", "Ａ")
SHARE_CLASS = re.compile(r"(?<=[一-鿿])[AＡ]$")
_CORPORATE = re.compile(
    r"[\s,.]+(?:inc|incorporated|corp|corporation|co|company|ltd|limited|plc|holdings?|group|"
    r"class [a-z].*|\(the\)|adr|sa|nv|ag)\.?$"
)


def clean(text: str) -> str:
    """Full-width forms made plain; spaces kept only between Latin words."""
    if text.isascii():
        return " ".join(text.split())
    plain = unicodedata.normalize("NFKC", text)
    return ("" if CJK.search(plain) else " ").join(plain.split())


def key_of(text: str) -> str:
    """The name as it is looked up: plain, in lower case."""
    return clean(text).casefold()


@cache
def _counts(char: str) -> bool:
    """Whether the character, read plainly, is a numeral or a digit."""
    return any(one in NUMERALS or one.isdigit() for one in spelled(char))


def holds_numeral(name: str) -> bool:
    """Whether a numeral stands in the name; false where the whole of it reads as a figure."""
    # Nearly every name has no such character, and to spell one out takes a while.
    if not any(map(_counts, name)):
        return False
    told = spelled(name)
    if len(told) < 2 or not any(map(_counts, told)):
        return False
    figure = number_at(told, 0)
    return any(char.isalpha() and char not in NUMERALS for char in told) and (
        figure is None or figure.end < len(told)
    )


def variants(name: str) -> set[str]:
    """The name, and the name without its ST or ex-right mark and without the A of an A share."""
    plain = clean(name)
    # Nearly every name begins and ends otherwise.
    if not plain.startswith(_MARKED_BY) and not plain.endswith(_CLASSES):
        return {plain}
    marked = _STATUS.sub("", plain)
    return {v for v in (plain, marked, SHARE_CLASS.sub("", marked)) if len(v) > 1 or v == plain}


def english_names(row: NameRow) -> set[str]:
    """The English name, and the same without Inc, Corp and the like."""
    found: set[str] = set()
    for name in (row.english_name, row.full_name if row.market == "US" else None):
        if name and not CJK.search(name):
            key = key_of(name)
            found.add(key)
            while (shorter := _CORPORATE.sub("", key)) not in {key, ""}:
                found.add(shorter)
                key = shorter
    return found
