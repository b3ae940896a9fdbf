"""Words of the general language, from dictionaries: what is no name, and which word a form is of.

Chinese: jieba's dictionary with parts of speech (`rjieba`, in Rust). English: simplemma's list of
forms. Both lie inside their packages and are read at the first question that needs them.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from services.language.plain_text import is_cjk

# Parts of speech of names: of people, places, firms and other proper nouns.
_PROPER = ("nr", "ns", "nt", "nz")
# Particles of structure and mood, and interjections: what no sentence means anything by.
_PARTICLES = frozenset({"u", "ud", "ug", "uj", "ul", "uv", "uz", "y", "e"})
_LATIN_WORD = re.compile(r"[a-z]+")
# An abbreviation may be a name (光大), and so may what is rarely written (长实, 26 times).
_NO_WORD, _COMMON = frozenset({"j", "x"}), 100
# Degrees are words of their own: the highest is no "high".
_DEGREE = re.compile(r"(?:er|est)$")
_IRREGULAR_DEGREES = frozenset(
    {"best", "better", "worst", "worse", "most", "more", "least", "less"}
)


class CutWord(NamedTuple):
    """A word of a Chinese text, its place and its part of speech (ICTCLAS letters)."""

    word: str
    start: int
    end: int
    tag: str

    @property
    def is_particle(self) -> bool:
        """Whether grammar alone is its meaning: 的 了 吗 呢 哎."""
        return self.tag in _PARTICLES


@lru_cache(maxsize=1024)
def cut(text: str) -> tuple[CutWord, ...]:
    """The words of a text, in order, as the dictionary cuts it; nothing is left out."""
    import rjieba  # 0.1 s: only for a question with a word nobody listed

    found: list[CutWord] = []
    at = 0
    for word, tag in rjieba.tag(text, hmm=False):
        found.append(CutWord(word, at, at + len(word), tag))
        at += len(word)
    return tuple(found)


@lru_cache(maxsize=4096)
def is_general(word: str) -> bool:
    """Whether it is a word of the general language and no proper noun; small letters."""
    if _LATIN_WORD.fullmatch(word):
        return _is_english(word)
    if len(word) < 2 or not all(map(is_cjk, word)):
        return False
    import rjieba

    cuts = cut(word)
    if len(cuts) != 1 or cuts[0].tag[:2] in _PROPER or cuts[0].tag in _NO_WORD:
        return False
    return rjieba.suggest_freq(word) >= _COMMON


@lru_cache(maxsize=4096)
def lemma(word: str) -> str | None:
    """The word an English form is of (doubled: double, fell: fall); None for any other, and for
    degrees: the highest is not high."""
    if not _LATIN_WORD.fullmatch(word) or word in _IRREGULAR_DEGREES or not _is_english(word):
        return None
    import simplemma

    found = simplemma.lemmatize(word, lang="en")
    if found == word or (_DEGREE.search(word) and not _DEGREE.search(found)):
        return None
    return found


def _is_english(word: str) -> bool:
    import simplemma  # 0.2 s with its dictionary: only where a word is not ours

    return simplemma.is_known(word, lang="en")
