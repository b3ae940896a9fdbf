"""Plain text and the longest known word at a place in it. No meaning yet."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")
_CJK = "一-鿿"
_BESIDE_CJK = re.compile(rf"\s+(?=[{_CJK}])|(?<=[{_CJK}])\s+")
_POSSESSIVE = re.compile(r"(?<=[A-Za-z])(?<![Ww]hat)(?<![Ww]ho)(?<!\b[Ii]t)['’]s\b")
_MARKS = str.maketrans({"−": "-", "–": "-", "—": "-", "～": "~", "“": '"', "”": '"', "∼": "~"})
_CAPITALS = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def plain(text: str) -> str:
    """Full-width forms made plain; spaces kept only between Latin words and figures."""
    normal = unicodedata.normalize("NFKC", text).translate(_MARKS)
    normal = _POSSESSIVE.sub("", normal)
    return _BESIDE_CJK.sub("", re.sub(r"\s+", " ", normal)).strip()


def lower(text: str) -> str:
    """The same length, with Latin letters small."""
    return text.translate(_CAPITALS)


def is_latin(char: str) -> bool:
    """Whether it is a letter or a figure of ASCII."""
    return char.isascii() and char.isalnum()


class Lexicon(Generic[T]):
    """Words and what they stand for; finds the longest one that begins at a place."""

    def __init__(self, words: Mapping[str, T]) -> None:
        """`words` in the spelling of `lower(plain(…))`."""
        self._words = dict(words)
        lengths: dict[str, set[int]] = {}
        for word in self._words:
            lengths.setdefault(word[:2], set()).add(len(word))
        self._lengths = {head: sorted(found, reverse=True) for head, found in lengths.items()}

    def at(self, text: str, place: int) -> tuple[int, T] | None:
        """The end and meaning of the longest word there; Latin words only whole."""
        for head in (text[place : place + 2], text[place : place + 1]):
            for length in self._lengths.get(head, ()):
                end = place + length
                word = text[place:end]
                if len(word) == length and word in self._words and whole(text, place, end):
                    return end, self._words[word]
        return None


def whole(text: str, start: int, end: int) -> bool:
    """Whether no Latin word is cut at either end (a figure may follow letters: PE20)."""
    if start and is_latin(text[start]) and is_latin(text[start - 1]):
        return False
    if end >= len(text) or not is_latin(text[end - 1]) or not is_latin(text[end]):
        return True
    return text[end].isdigit() and text[end - 1].isalpha()


def words_of(texts: Iterable[str]) -> Mapping[str, str]:
    """Each text as it is looked up, standing for itself."""
    return {lower(plain(text)): text for text in texts}
