"""Data files of ours: read once; a faulty one is refused with its name, its line and the reason."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from services.core.errors import ConfigError
from services.core.record import Record
from services.core.word_files import FOLDER, check_words

DATA_FOLDER = Path(__file__).resolve().parents[2] / "data"
_R = TypeVar("_R", bound=Record)


@dataclass(frozen=True, slots=True)
class DataFile:
    """A TOML file with its text, so that a fault can name its line."""

    path: Path
    text: str
    tables: Mapping[str, Mapping[str, Any]]

    def record(self, kind: type[_R], table: Mapping[str, object], header: str) -> _R:
        """The table under that header as a record. Raises: ConfigError."""
        try:
            return kind.model_validate(table)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise self.fault(header, f"{where}: {first['msg']}", where) from None

    def fault(self, header: str, reason: str, key: str = "", item: str = "") -> ConfigError:
        """The refusal, with the line of the list's item, else of the key, else of the table."""
        lines = self.text.splitlines()
        bare = header.replace('"', "")  # a name may stand with or without its quotes
        at = next((n for n, line in enumerate(lines) if line.replace('"', "") == bare), 0)
        below = next((n for n, line in enumerate(lines[at + 1 :], at + 1) if line[:1] == "["), None)
        for number, line in enumerate(lines[at:below], at):
            # A key stands at the head of its line, before an equals sign.
            is_key = key and re.match(rf"{re.escape(key.partition('.')[0])}\s*=", line)
            if is_key or (item and f'"{item}"' in line):
                at = number
        return ConfigError(self.path.name, f"line {at + 1}, {header}: {reason}")

    def fault_at(self, place: Sequence[str], reason: str) -> ConfigError:
        """The refusal of what stands there, by names from the outermost table inwards: with the
        line of the innermost table of them that has one of its own, and of the key in it.
        """
        for depth in range(len(place), 0, -1):
            header = f"[{'.'.join(place[:depth])}]"
            if header in self.text.replace('"', "").splitlines():
                key = place[depth] if depth < len(place) else ""
                return self.fault(header, f"{key}: {reason}" if key else reason, key)
        return self.fault("", reason)


def read_data_file(path: Path) -> DataFile:
    """The file of that path. Raises: ConfigError where it is no TOML of tables, and where a file of
    words is not what its readers take for given.
    """
    try:
        text = path.read_text(encoding="utf-8")
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(path.name, str(error)) from None
    except (OSError, UnicodeDecodeError):
        raise ConfigError(path.name, "cannot be read as UTF-8 text") from None
    file = DataFile(path, text, tables)
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise file.fault("", f"{name}: not a table, [{name}]", name)
    if path.parent.name == FOLDER:
        check_words(file)
    return file
