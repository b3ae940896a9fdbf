"""The word lists of data/lexicon: which words there are, and of which kind each is.

A word is of one kind: a list that gives one twice, or the name of a figure, is refused at start.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import get_args

from pydantic import Field

from services.core.catalogue import CATALOGUE, Turn
from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.record import Record
from services.language.plain_text import spelled

LEXICON_FOLDER = DATA_FOLDER / "lexicon"


class WordList(Record):
    """One table of a list: words of one kind, as they are written."""

    words: tuple[str, ...] = Field(min_length=1)


def read_word_list(
    path: Path, kinds: Sequence[str] = (), *, no_figures: bool = True
) -> Mapping[str, str]:
    """Each word, as it stands in a plain text, and the table it is in; `kinds`: the tables allowed.

    `no_figures`: the name of a figure may not stand in it.

    Raises: ConfigError with file, line and reason.
    """
    file = read_data_file(path)
    found: dict[str, str] = {}
    for kind, table in file.tables.items():
        header = f"[{kind}]"
        if kinds and kind not in kinds:
            raise file.fault(header, f"no such kind; one of {', '.join(kinds)}")
        for word in file.record(WordList, table, header).words:
            plain = spelled(word)
            if not plain:
                raise file.fault(header, "words: an empty word", item=word)
            if plain in found:
                raise file.fault(header, f"words: {word} is in [{found[plain]}] already", item=word)
            if no_figures and (figure := _figure_names().get(plain)) is not None:
                raise file.fault(header, f"words: {word} is a name of {figure}", item=word)
            found[plain] = kind
    return found


@cache
def _figure_names() -> Mapping[str, str]:
    """What the catalogue's figures are called in a text, as it stands in a plain one."""
    return {
        spelled(name): row.id
        for row in CATALOGUE.figures.values()
        for name in (*row.names, *row.rises, *row.falls)
    }


# What holds a numeral or the name of a figure and asserts none: 登陆, 沪深300, 盈利能力.
NO_FIGURES = read_word_list(LEXICON_FOLDER / "no_figures.toml")
# Names of figures nobody has: 扣非ROE, target price.
UNKNOWN_FIGURES = read_word_list(LEXICON_FOLDER / "unknown_figures.toml")
# What turns a figure into another one, and into which: 同比, median.
TURNS = read_word_list(LEXICON_FOLDER / "turns.toml", (*get_args(Turn), "other"))
