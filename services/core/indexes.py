"""The indexes this house knows by name, read once from `data/catalogue/indexes.toml`.

An index is known here whether or not a source has its prices: what it is called never means
anything else.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.record import Record

Market = Literal["CN", "HK", "US"]


class KnownIndex(Record):
    """One index: its symbol inside, its name in both languages, and other words for exactly it.

    `eastmoney`, `xueqiu`: how that source writes one without an exchange; empty where not known.
    """

    symbol: str
    zh: str
    en: str
    says_zh: tuple[str, ...]
    says_en: tuple[str, ...]
    market: Market
    eastmoney: str = ""
    xueqiu: str = ""

    @property
    def called(self) -> tuple[str, ...]:
        """Everything it is called, its names first."""
        return (self.zh, self.en, *self.says_zh, *self.says_en)


def read_indexes(
    path: Path = DATA_FOLDER / "catalogue" / "indexes.toml",
) -> Mapping[str, KnownIndex]:
    """The indexes of that file by symbol. Raises: ConfigError with file, line and reason."""
    file = read_data_file(path)
    return {
        symbol: file.record(KnownIndex, {"symbol": symbol, **table}, f'["{symbol}"]')
        for symbol, table in file.tables.items()
    }


INDEXES = read_indexes()


def find_leading_index(market: str) -> KnownIndex:
    """The index a market is told by: the first of its own in the file."""
    return next(one for one in INDEXES.values() if one.market == market)
