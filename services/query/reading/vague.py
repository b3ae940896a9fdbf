"""Words that several figures are called, and which: 规模, margin. Data alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from services.core.data_files import DATA_FOLDER, read_data_file


@dataclass(frozen=True, slots=True)
class Vague:
    """Words for several figures, and the figures as they are asked for, zh and en.

    `ends`: which end of the figure a word means beside another company.
    """

    said: tuple[str, ...]
    means: tuple[tuple[str, ...], tuple[str, ...]]
    ends: Mapping[str, str]


@cache
def vague_words() -> tuple[Vague, ...]:
    """From data/lexicon/vague.toml, in its order."""
    tables = read_data_file(DATA_FOLDER / "lexicon" / "vague.toml").tables
    return tuple(
        Vague(
            tuple(sorted((*one["zh"], *one["en"]), key=len, reverse=True)),
            (tuple(one["means_zh"]), tuple(one["means_en"])),
            one.get("ends", {}),
        )
        for one in tables.values()
    )


def place_of(text: str, word: str) -> int:
    """Where the word stands, Latin ones whole; -1 where it does not."""
    at = text.find(word)
    while at >= 0 and word[0].isascii():
        before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
        if not (before.isalnum() or after.isalnum()):
            return at
        at = text.find(word, at + 1)
    return at
