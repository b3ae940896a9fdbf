"""What a company is called in English: as a source names it, else by an English nickname, else its
Chinese name in pinyin with the code."""

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


def english_name(row: NameRow | None) -> str | None:
    """`TENCENT`, `Kweichow Moutai`; None when nobody calls it anything in Latin letters."""
    if row is None:
        return None
    return row.english_name or _nicknames().get(row.symbol)


def name_text(symbol: str, name: str, row: NameRow | None) -> Text:
    """The name as listed, and in English; one nobody has in English by sound: Ping An Yin Hang
    (000001). `name` is what the list at hand calls it.
    """
    english = english_name(row) or (name if CJK.search(name) is None else "")
    return Text(name, english or f"{_by_sound(name)} ({Symbol(symbol).code})")


@cache
def _by_sound(name: str) -> str:
    return " ".join(
        part[:1].upper() + part[1:]
        for piece in pypinyin.lazy_pinyin(name)
        for part in piece.split()
    )


@cache
def _nicknames() -> Mapping[str, str]:
    """The longest Latin nickname of each symbol that has one of some length."""
    named = [*NICKNAMES.items(), *((word, one) for word, of in SHARED.items() for one in of)]
    latin = [(word, symbol) for word, symbol in named if word.isascii()]
    found: dict[str, str] = {}
    for word, symbol in sorted(latin, key=lambda pair: len(pair[0])):
        if len(word) > 4:
            found[symbol] = word.title()
    return found
