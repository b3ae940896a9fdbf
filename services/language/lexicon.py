"""Words and what they stand for: the longest known word at a place of a plain text."""

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from services.language.plain_text import is_cjk

T = TypeVar("T")


class Lexicon(Generic[T]):
    """Words and what they stand for; finds the longest one that begins at a place."""

    def __init__(self, words: Mapping[str, T]) -> None:
        """`words` as they stand in a plain text, Latin letters small; kept, not copied."""
        self._words = words
        self._lengths: dict[str, list[int]] = {}
        for word in words:
            self._find_word(word)

    def _find_word(self, word: str) -> None:
        """From now on a word is found; the longest of its beginning first."""
        lengths = self._lengths.setdefault(word[:2], [])
        if len(word) not in lengths:
            lengths.append(len(word))
            lengths.sort(reverse=True)

    def cut_short(self, text: str, place: int) -> list[tuple[int, T]]:
        """Words of Chinese and a Latin end (万科A) there, although more Latin follows."""
        found = [
            (place + length, self._words[word])
            for length in self._lengths.get(text[place : place + 2], ())
            if (word := text[place : place + length]) in self._words
        ]
        return [one for one in found if is_cjk(text[place]) and is_latin(text[one[0] - 1])]

    def all_at(self, text: str, place: int, *, begins: bool = False) -> Sequence[tuple[int, T]]:
        """The end and meaning of every word there, the longest first; Latin words only whole.

        `begins`: something known ends right before it, so that a word does begin there.
        """
        head = text[place : place + 2]
        lengths = self._lengths.get(head, ())
        if len(head) > 1 and head[0] in self._lengths:
            lengths = (*lengths, 1)
        return [
            (place + length, self._words[word])
            for length in lengths
            if len(word := text[place : place + length]) == length
            and word in self._words
            and is_whole(text, place, place + length, begins=begins)
        ]

    def at(self, text: str, place: int) -> tuple[int, T] | None:
        """The end and meaning of the longest word there; Latin words only whole."""
        found = self.all_at(text, place)
        return found[0] if found else None


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
