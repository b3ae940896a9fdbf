"""A text as it is read: plain width, nothing hidden, each character with where it stands.

Offsets of what is found are offsets here; `Plain.span` turns them back into the text as shown.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

T = TypeVar("T")
# They turn the order in which figures are seen: nothing of ours needs them.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_KEYCAP = "\u20e3"
_MARKS: Mapping[str, str] = {
    "−": "-", "‐": "-", "‑": "-", "‒": "-", "–": "-", "﹣": "-", "～": "~", "〜": "~",
    "∼": "~", "〇": "零", "≈": "约", "’": "'", "‘": "'", "\u3000": " ", "\xa0": " ", "\t": " ",
    "•": "-", "·": "·", "\r": " ", "\u2028": "\n", "\u2029": "\n", "\x0b": "\n", "\x0c": "\n",
}  # fmt: skip
_MARKDOWN = re.compile(r"\*\*|__|`")
_CJK = re.compile(r"[一-鿿]")


@dataclass(frozen=True, slots=True)
class Plain:
    """`text` in plain width and small Latin letters; `origin[i]` is where character i was shown.

    `odd`: places of characters that count or turn and that nobody writes figures with (②, ½, ٣).
    `cased` is `text` with its capitals.
    """

    text: str
    cased: str
    origin: tuple[int, ...]
    odd: tuple[int, ...]
    turning: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the shown text of the characters `start` to `end` here."""
        if end <= start:
            return self.origin[start], self.origin[start]
        return self.origin[start], self.origin[end - 1] + 1


def is_cjk(char: str) -> bool:
    """Whether it is a Chinese character."""
    return "一" <= char <= "鿿"


@lru_cache(maxsize=4096)
def _read(char: str) -> tuple[str, str]:
    """What a character is read as (empty: not seen), and `odd`, `turn` or nothing."""
    if char in _MARKS:
        return _MARKS[char], ""
    if char.isascii():
        return char, ""
    if char in _TURNING:
        return "", "turn"
    kind = unicodedata.category(char)
    if kind in {"Cf", "Cc", "Cs", "Co", "Cn"} or "\ufe00" <= char <= "\ufe0f" or char == _KEYCAP:
        return "", ""
    if kind in {"Mn", "Me"}:
        return "", "odd"
    plain = unicodedata.normalize("NFKC", char)
    if kind in {"Nd", "Nl", "No"}:
        return (plain, "") if "０" <= char <= "９" else (char, "odd")
    return (plain, "") if len(plain) == 1 else (char, "")


def plain(shown: str) -> Plain:
    """Read the text character by character; markdown's emphasis and spaces beside Chinese go."""
    hidden: set[int] = set()
    for found in _MARKDOWN.finditer(shown):
        hidden.update(range(found.start(), found.end()))
    read: list[str] = []
    origin: list[int] = []
    odd: list[int] = []
    turning: list[int] = []
    for place, char in enumerate(shown):
        if place in hidden:
            continue
        seen, mark = _read(char)
        if mark == "turn":
            turning.append(place)
        elif mark == "odd":
            odd.append(len(read) if seen else max(len(read) - 1, 0))
        if seen:
            read.append(seen)
            origin.append(place)
    return _without_spaces(read, origin, odd, tuple(turning))


def _without_spaces(
    read: Sequence[str], origin: Sequence[int], odd: Sequence[int], turning: tuple[int, ...]
) -> Plain:
    kept: list[int] = []
    for place, char in enumerate(read):
        if char == " " and _is_beside_cjk(read, kept, place):
            continue
        kept.append(place)
    moved = {old: new for new, old in enumerate(kept)}
    text = _YEAR.sub(
        lambda found: found.group().translate(_YEAR_DIGITS), "".join(read[place] for place in kept)
    )
    return Plain(
        "".join(char.lower() if char.isascii() else char for char in text),
        text,
        tuple(origin[place] for place in kept),
        tuple(dict.fromkeys(moved[place] for place in odd if place in moved)),
        turning,
    )


# 二零一六年 is a year and no figure.
_YEAR = re.compile("[一二][零一二三四五六七八九]{3}(?=年)")
_YEAR_DIGITS = str.maketrans("零一二三四五六七八九", "0123456789")


def _is_beside_cjk(read: Sequence[str], kept: Sequence[int], place: int) -> bool:
    """A space with Chinese before it, or right behind it (several spaces count as one)."""
    if kept and (is_cjk(read[kept[-1]]) or read[kept[-1]] == " "):
        return True
    return place + 1 < len(read) and is_cjk(read[place + 1])


class Lexicon(Generic[T]):
    """Words and what they stand for; finds the longest one that begins at a place."""

    def __init__(self, words: Mapping[str, T]) -> None:
        """`words` as they stand in a `Plain.text`."""
        self._words = dict(words)
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
        return [one for one in found if is_cjk(text[place]) and _is_latin(text[one[0] - 1])]

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
    if not begins and start and _is_latin(text[start]) and _is_latin(text[start - 1]):
        return text[start - 1].isdigit() and text[start].isalpha()
    if end >= len(text) or not _is_latin(text[end - 1]) or not _is_latin(text[end]):
        return True
    return text[end].isdigit() and text[end - 1].isalpha()


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def words(text: str) -> tuple[str, ...]:
    """The words of a list in one string."""
    return tuple(text.split())


def spelled(word: str) -> str:
    """A word as it stands in a `Plain.text`."""
    return plain(word).text.strip()


_STOPS = re.compile(r"[。!?;\n]|(?<![0-9])\.(?=\s|$)|(?<=[0-9])\.(?=\s|$)|\.(?=[^0-9a-z\s])")
_ABBREVIATED = re.compile(r"(?:\b(?:inc|co|corp|ltd|vs|approx|no|jan|feb|mar|apr|jun|jul|aug|sep"
                          r"|sept|oct|nov|dec|u\.s|e\.g|i\.e))$")  # fmt: skip


def sentences(text: str) -> list[tuple[int, int]]:
    """Where sentences begin and end; a line always ends one."""
    found: list[tuple[int, int]] = []
    start = 0
    for stop in _STOPS.finditer(text):
        at = stop.start()
        if text[at] == "." and _ABBREVIATED.search(text, max(at - 8, 0), at):
            continue
        found.append((start, stop.end()))
        start = stop.end()
    if start < len(text):
        found.append((start, len(text)))
    return found
