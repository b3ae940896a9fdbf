"""Everything one company or index may be called. Data only; resolving is market/names.py."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NameRow:
    """The names of one symbol as the sources give them.

    `symbol` is the inside spelling (`600519.SH`), `market` CN | HK | US, `kind` stock | index.
    `pinyin` and `initials` are lower-case spellings of `name` (several for a polyphone).
    `industry`, `full_name` and `english_name` are null when no source gives them.
    """

    symbol: str
    name: str
    market: str
    kind: str
    industry: str | None
    old_names: tuple[str, ...]
    pinyin: tuple[str, ...]
    initials: tuple[str, ...]
    full_name: str | None
    english_name: str | None
