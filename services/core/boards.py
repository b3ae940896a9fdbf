"""Parts of a market and their codes, read once from `data/catalogue/boards.toml`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.record import Record
from services.core.text import Text

Exchange = Literal["SH", "SZ", "BJ"]


class MarketPart(Record):
    """One part of a market. `codes`: by exchange, how its codes begin; `names`: how short names of
    its listings begin; `told_by`: who knows where neither code nor name says it.
    """

    key: str
    zh: str
    en: str
    says_zh: tuple[str, ...]
    says_en: tuple[str, ...]
    market: Literal["CN", "HK", "US"]
    codes: Mapping[Exchange, tuple[str, ...]] = {}
    names: tuple[str, ...] = ()
    told_by: str = ""
    reference: str

    @property
    def label(self) -> Text:
        """Its name in both languages."""
        return Text(self.zh, self.en)


def read_boards(path: Path = DATA_FOLDER / "catalogue" / "boards.toml") -> Mapping[str, MarketPart]:
    """The parts of that file by key. Raises: ConfigError with file, line and reason."""
    file = read_data_file(path)
    found = {
        key: file.record(MarketPart, {"key": key, **table}, f"[{key}]")
        for key, table in file.tables.items()
    }
    owner: dict[tuple[str, str], str] = {}
    for key, part in found.items():
        for exchange, heads in part.codes.items():
            for head in heads:
                other = owner.setdefault((exchange, head), key)
                if other != key:
                    raise file.fault(f"[{key}]", f"codes: {head} is of {other} too", "codes")
    return found


BOARDS = read_boards()
_HEADS: Mapping[str, tuple[tuple[str, str], ...]] = {
    exchange: tuple(
        (head, key) for key, part in BOARDS.items() for head in part.codes.get(exchange, ())
    )
    for exchange in get_args(Exchange)
}


def part_of_code(code: str, exchange: str) -> str | None:
    """The part whose codes begin like that six-digit code; None for a code of no part."""
    known = _HEADS.get(exchange, ())
    return next((key for head, key in known if code.startswith(head)), None)
