"""Cantonese as it is written, dialect and everyday forms, in standard words for one lexicon.

No maintained library translates them (PyPI has segmenters and romanisers of Cantonese alone), so
grammar and everyday words are data of ours (data/lexicon/cantonese.toml, colloquial.toml). English
says one thing in many orders of words (data/lexicon/english.toml); the grammar reads one of them.
"""

from collections.abc import Mapping
from functools import cache

import regex as re  # looks behind over words of any length

from services.core.data_files import DATA_FOLDER, read_data_file
from services.language.numerals import NUMERALS

_CANTONESE = DATA_FOLDER / "lexicon" / "cantonese.toml"
_COLLOQUIAL = DATA_FOLDER / "lexicon" / "colloquial.toml"
_ENGLISH = DATA_FOLDER / "lexicon" / "english.toml"
# What stands for what in the patterns of English, and is no frame itself.
_PARTS = "parts"
_LATIN = re.compile("[A-Za-z]")
# A number in figures or characters, within brackets of a pattern.
_NUMBER = "{n}"


def in_standard_words(text: str) -> str:
    """A simplified text as it is written in standard Chinese, and in full words of English."""
    # Every rule of English has a word of it: a text without one has nothing to do with them, and to
    # make them ready takes a tenth of a second.
    if _LATIN.search(text):
        for pattern, word in (*_rules("en"), *_frames()):
            text = pattern.sub(word, text)
    if text.isascii():
        return text
    if _signs().search(text):
        for pattern, word in _rules("cantonese"):
            text = pattern.sub(word, text)
    return in_written_forms(text)


def in_written_forms(text: str) -> str:
    """Everyday forms of a simplified text as they are written: 啥, 咋样, 哪儿. So are the words of
    the lexicon spelled, of which many are listed as they are spoken.
    """
    # Each word of the lexicon is asked, and nearly all have nothing of it: one search, not forty.
    if not _everyday().search(text):
        return text
    for pattern, word in _rules("zh"):
        text = pattern.sub(word, text)
    return text


@cache
def _everyday() -> "re.Pattern[str]":
    """What is found where at least one rule of everyday forms has something to do."""
    return re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in _rules("zh")))


@cache
def _signs() -> "re.Pattern[str]":
    return re.compile(read_data_file(_CANTONESE).tables["signs"]["any"])


@cache
def _rules(kind: str) -> tuple[tuple["re.Pattern[str]", str], ...]:
    """The patterns of `kind` (cantonese, zh, en) and what each becomes, in their order."""
    if kind == "cantonese":
        groups = read_data_file(_CANTONESE).tables["rules"].values()
    else:
        groups = read_data_file(_COLLOQUIAL).tables[kind].values()
    figures = r"\d" + "".join(sorted(NUMERALS))
    # English is in any case here: Apple, PE and pct are all still as they were typed.
    flags = re.IGNORECASE if kind == "en" else 0
    return tuple(
        (re.compile(pattern.replace(_NUMBER, figures), flags), word)
        for rules in groups
        for pattern, word in rules
    )


@cache
def _frames() -> tuple[tuple["re.Pattern[str]", str], ...]:
    """The frames of English sentences and what each becomes, in their order."""
    tables = read_data_file(_ENGLISH).tables
    parts = tables[_PARTS]
    return tuple(
        (re.compile(_filled(pattern, parts), re.IGNORECASE), word)
        for frame, groups in tables.items()
        if frame != _PARTS
        for rules in groups.values()
        for pattern, word in rules
    )


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    for name, part in parts.items():
        pattern = pattern.replace(f"{{{name}}}", part)
    return pattern
