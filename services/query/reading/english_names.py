"""What a company is called in English: as a source names it, else by an English nickname."""

from collections.abc import Mapping
from functools import cache

from services.core.names import NameRow
from services.market.names.nicknames import NICKNAMES


def english_name(row: NameRow | None) -> str | None:
    """`TENCENT`, `Kweichow Moutai`; None when nobody calls it anything in Latin letters."""
    if row is None:
        return None
    return row.english_name or _nicknames().get(row.symbol)


@cache
def _nicknames() -> Mapping[str, str]:
    """The longest Latin nickname of each symbol that has one of some length."""
    latin = [(word, symbol) for word, symbol in NICKNAMES.items() if word.isascii()]
    found: dict[str, str] = {}
    for word, symbol in sorted(latin, key=lambda pair: len(pair[0])):
        if len(word) > 4:
            found[symbol] = word.title()
    return found
