"""Why a question is put back, in words: those of `data/catalogue/put_back.toml`, by name."""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from services.core.data_files import DATA_FOLDER
from services.core.text import Text
from services.query.algebra.nodes import Ask, OtherTool, Query
from services.query.sayings import read_texts

_TABLES = ("put_back", "model")


def read_reasons(
    path: Path = DATA_FOLDER / "catalogue" / "put_back.toml",
) -> Mapping[str, Mapping[str, Text]]:
    """The reasons by name: of questions put back, of a model's readings. Raises: ConfigError."""
    return read_texts(path, _TABLES)


_REASONS, MODEL_NOTES = (read_reasons()[name] for name in _TABLES)


def reason(name: str, /, *said: Text | str | date) -> tuple[str, str]:
    """Why a question is put back, in Chinese and in English, with what it is said of."""
    why, told = (
        _REASONS[name],
        [one if isinstance(one, Text) else Text.of(str(one)) for one in said],
    )
    return why.zh.format(*(one.zh for one in told)), why.en.format(*(one.en for one in told))


def ask_why(
    name: str, /, *said: Text | str | date, options: Sequence[Query | OtherTool] = ()
) -> Ask:
    """The question put back for that reason."""
    return Ask(why=reason(name, *said), options=tuple(options))


def make_ask(name: str, words: Sequence[str]) -> Ask:
    """The question put back for these words, which its reason names."""
    named = tuple(dict.fromkeys(word.strip() for word in words if word.strip()))
    zh, en = "、".join(f"「{one}」" for one in named), ", ".join(f"“{one}”" for one in named)
    return ask_why(name, Text(zh, en)).but(unread=named)
