"""What is said in whole sentences and clauses: those of `data/catalogue/sayings.toml`, each by its
name, in Chinese and in English, with places for what it is said of.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Protocol

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.record import Record
from services.core.text import Text

# Why a query makes no sense; why there is no figure; what is told beside an answer; the answer;
# what would be understood.
_TABLES = ("senseless", "missing", "noted", "answered", "valid")


class _Words(Record):
    zh: str
    en: str


class Speaker(Protocol):
    """Who speaks one of the languages."""

    def pick(self, zh: str, en: str) -> str:
        """The one of the two."""
        ...


def read_texts(path: Path, tables: Sequence[str]) -> Mapping[str, Mapping[str, Text]]:
    """The texts of that file by these tables. Raises: ConfigError with file, line and reason."""
    file = read_data_file(path)
    for name in file.tables.keys() ^ set(tables):
        raise file.fault(f"[{name}]", "missing, or words of nothing that is told")
    told: dict[str, dict[str, Text]] = {name: {} for name in tables}
    for name, table in file.tables.items():
        for key, words in table.items():
            one = file.record(_Words, words, f"[{name}]")
            told[name][key] = Text(one.zh, one.en)
    return told


def read_sayings(path: Path = DATA_FOLDER / "catalogue" / "sayings.toml") -> Mapping[str, Text]:
    """The sayings by name, whichever table they stand in. Raises: as `read_texts`."""
    tables = read_texts(path, _TABLES).values()
    return {name: text for table in tables for name, text in table.items()}


_SAYINGS = read_sayings()


def saying(name: str, /, **parts: Text | str | float | date) -> Text:
    """That saying with its places filled."""
    return _SAYINGS[name].format(**parts)


def saying_in(speaker: Speaker, name: str, /, **parts: Text | str | float | date) -> str:
    """The same in the speaker's language."""
    text = saying(name, **parts)
    return speaker.pick(text.zh, text.en)
