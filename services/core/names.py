"""Everything one company or index may be called. Data only; resolving is market/names.py."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property


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


class ShortNames(dict[str, str]):
    """The short name of each symbol; never changed once it is made."""

    @cached_property
    def shared(self) -> frozenset[str]:
        """The names of more than one listing."""
        return frozenset(name for name, count in Counter(self.values()).items() if count > 1)
