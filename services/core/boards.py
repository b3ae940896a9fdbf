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
    its listings begin; `part_of`: the part it is within, to which its codes belong; `told_by`: who
    knows where neither code nor name says it.
    """

    key: str
    zh: str
    en: str
    says_zh: tuple[str, ...]
    says_en: tuple[str, ...]
    market: Literal["CN", "HK", "US"]
    codes: Mapping[Exchange, tuple[str, ...]] = {}
    names: tuple[str, ...] = ()
    part_of: str = ""
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
            for head in () if part.part_of else heads:
                other = owner.setdefault((exchange, head), key)
                if other != key:
                    raise file.fault(f"[{key}]", f"codes: {head} is of {other} too", "codes")
    return found


BOARDS = read_boards()
_Heads = Mapping[str, tuple[tuple[str, str], ...]]


def _list_heads(*, within: bool) -> _Heads:
    return {
        exchange: tuple(
            (head, key)
            for key, part in BOARDS.items()
            for head in part.codes.get(exchange, ())
            if bool(part.part_of) == within
        )
        for exchange in get_args(Exchange)
    }


_HEADS, _HEADS_WITHIN = _list_heads(within=False), _list_heads(within=True)


def part_of_code(code: str, exchange: str) -> str | None:
    """The part whose codes begin like that six-digit code; None for a code of no part."""
    return _owner(_HEADS, code, exchange)


def segment_of_code(code: str, exchange: str) -> str | None:
    """The part within a part, as the SME board is of the main board; None for most codes."""
    return _owner(_HEADS_WITHIN, code, exchange)


def _owner(heads: _Heads, code: str, exchange: str) -> str | None:
    return next((key for head, key in heads.get(exchange, ()) if code.startswith(head)), None)
