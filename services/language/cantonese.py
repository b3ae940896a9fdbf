"""Cantonese as it is written, in standard words, so that one lexicon reads both.

No maintained library translates it (PyPI has segmenters and romanisers of Cantonese alone), so the
grammar and the everyday words are data of ours (data/lexicon/cantonese.toml).
"""

from functools import cache

import regex as re  # looks behind over words of any length

from services.core.data_files import DATA_FOLDER, read_data_file

_FILE = DATA_FOLDER / "lexicon" / "cantonese.toml"


def in_standard_words(text: str) -> str:
    """A simplified text as standard Chinese writes it; any other text as it is."""
    if text.isascii() or not _signs().search(text):
        return text
    for pattern, word in _rules():
        text = pattern.sub(word, text)
    return text


@cache
def _signs() -> "re.Pattern[str]":
    return re.compile(read_data_file(_FILE).tables["signs"]["any"])


@cache
def _rules() -> tuple[tuple["re.Pattern[str]", str], ...]:
    groups = read_data_file(_FILE).tables["rules"].values()
    return tuple((re.compile(pattern), word) for rules in groups for pattern, word in rules)
