"""Everything one company or index may be called. Data only; resolving is market/names.py."""

from collections import Counter
from collections.abc import Iterable
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
    """The short name of each symbol; never changed once it is made. `meant` are names that mean
    others (nicknames).
    """

    def __init__(self, names: Iterable[tuple[str, str]] = (), meant: Iterable[str] = ()) -> None:
        super().__init__(names)
        self._meant = frozenset(meant)

    @cached_property
    def shared(self) -> frozenset[str]:
        """The names of more than one listing, or that mean another as well."""
        twice = (name for name, count in Counter(self.values()).items() if count > 1)
        return self._meant.union(twice)
