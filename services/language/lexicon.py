"""Words and what they stand for: the longest known word at a place of a plain text."""

from collections.abc import Mapping
from typing import Generic, TypeVar

from services.language.plain_text import is_cjk

T = TypeVar("T")


class Lexicon(Generic[T]):
    """Words and what they stand for; finds the longest one that begins at a place."""

    def __init__(self, words: Mapping[str, T]) -> None:
        """`words` as they stand in a plain text, Latin letters small; kept, not copied."""
        self._words = words
        lengths: dict[str, set[int]] = {}
        for word in self._words:
            lengths.setdefault(word[:2], set()).add(len(word))
        self._lengths = {head: sorted(found, reverse=True) for head, found in lengths.items()}

    def cut_short(self, text: str, place: int) -> list[tuple[int, T]]:
        """Words of Chinese and a Latin end (万科A) there, although more Latin follows."""
        found = [
            (place + length, self._words[word])
            for length in self._lengths.get(text[place : place + 2], ())
            if (word := text[place : place + length]) in self._words
        ]
        return [one for one in found if is_cjk(text[place]) and is_latin(text[one[0] - 1])]

    def at(self, text: str, place: int, *, begins: bool = False) -> tuple[int, T] | None:
        """The end and meaning of the longest word there; Latin words only whole.

        `begins`: something known ends right before it, so that a word does begin there.
        """
        for head in (text[place : place + 2], text[place : place + 1]):
            for length in self._lengths.get(head, ()):
                end = place + length
                word = text[place:end]
                if (
                    len(word) == length
                    and word in self._words
                    and is_whole(text, place, end, begins=begins)
                ):
                    return end, self._words[word]
        return None


def is_whole(text: str, start: int, end: int, *, begins: bool = False) -> bool:
    """Whether no Latin word or number is cut at either end (a figure may follow letters: PE20)."""
    if not begins and start and is_latin(text[start]) and is_latin(text[start - 1]):
        return text[start - 1].isdigit() and text[start].isalpha()
    if end >= len(text) or not is_latin(text[end - 1]) or not is_latin(text[end]):
        return True
    if text[end - 1].isdigit() and text[end].isalpha():
        return not is_latin(text[start])  # 沪深300PE: no unit stands behind a name in characters
    return text[end].isdigit() and text[end - 1].isalpha()


def is_latin(char: str) -> bool:
    """Whether it is a letter or a figure of ASCII."""
    return char.isascii() and char.isalnum()
