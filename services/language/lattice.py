"""Typed words of a text, all that match: tokens that overlap, each with its span and its price.

Nothing is chosen here. The question reader covers the text with them, where a word inside a longer
word stays and costs more; the text gate takes the longest at each place.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from services.core.data_files import DATA_FOLDER, DataFile, read_data_file
from services.language.dictionaries import lemma
from services.language.lexicon import Lexicon
from services.language.plain_text import lower, plain_question
from services.language.standard_words import in_written_forms

WORDS = DATA_FOLDER / "lexicon" / "question_words.toml"
# The one class of words that may fall; everything else means something.
FUNCTION = "SKIP"
# Names of figures stand beside the words and are read with the catalogue.
_NAMES = "figures"
_INSIDE = 1.5
_GROUPING = "group"
# A word of English, and how many of them a phrase of ours has at the most.
_LATIN = re.compile(r"(?<![a-z0-9'])[a-z][a-z'-]*(?![a-z0-9])")
_LONGEST_PHRASE = 4
_PHRASE = re.compile(r"[a-z]+(?: [a-z]+)+")
_INFLECTED = 0.1

# What a word by itself costs less than, and one inside a longer word more.
_SURE = 2.0


@dataclass(frozen=True, slots=True)
class Token:
    """One reading of `text[start:end]`: what kind of word, what it means, what it costs."""

    cat: str
    start: int
    end: int
    sem: Hashable
    cost: float = 1.0

    @property
    def is_sure(self) -> bool:
        """Whether it is a word by itself: one inside a longer word costs more."""
        return self.cost < _SURE


class Meaning(NamedTuple):
    """What a word may mean."""

    cat: str
    sem: Hashable
    cost: float = 1.0


class TypedWords(Lexicon[list[Meaning]]):
    """Words with all their meanings: the one cut under the text gate and the question reader."""

    def __init__(self, spell: Callable[[str], str] | None = None) -> None:
        """`spell`: a word as it stands in the texts that are cut; questions where none is given."""
        self._spell = spell or spelled_for_questions
        self._meanings: dict[str, list[Meaning]] = {}
        super().__init__(self._meanings)

    def add(self, word: str, cat: str, sem: Hashable, cost: float = 1.0) -> None:
        """One more meaning of a word; an English phrase is written with hyphens too (main-board),
        and with the sign for its and (food & beverage).
        """
        if not (said := self._spell(word)):
            return
        spelled = {said, said.replace(" and ", " & ")}
        for one in spelled | {said.replace(" ", "-")} if _PHRASE.fullmatch(said) else spelled:
            self._find_word(one)
            meanings = self._meanings.setdefault(one, [])
            meaning = Meaning(cat, sem, cost)
            if meaning not in meanings:
                meanings.append(meaning)

    def __contains__(self, word: object) -> bool:
        return word in self._meanings

    def meanings(self, word: str) -> tuple[Meaning, ...]:
        """Everything the word may mean; nothing where it is unknown."""
        return tuple(self._meanings.get(word, ()))

    def words(self) -> Mapping[str, list[Meaning]]:
        """Every word."""
        return self._meanings

    def tokens_at(self, text: str, place: int, *, begins: bool = False) -> Sequence[Token]:
        """Every reading of every word that begins there, the longest word first."""
        return [
            Token(one.cat, place, end, one.sem, one.cost)
            for end, meanings in self.all_at(text, place, begins=begins)
            for one in meanings
        ]

    def longest_at(self, text: str, place: int, cat: str, *, begins: bool = False) -> Token | None:
        """The longest word of that kind that begins there."""
        found = self.tokens_at(text, place, begins=begins)
        return next((one for one in found if one.cat == cat), None)

    def tokens(self, text: str) -> Iterator[Token]:
        """Every reading of every word that stands in the text."""
        for place in range(len(text)):
            yield from self.tokens_at(text, place)

    def inflected(self, text: str, runs: Sequence[tuple[int, int]]) -> Iterator[Token]:
        """English words in other forms than listed, where one of them is in `runs`: dividends paid.

        `runs`: what the words as they stand leave unread. A little dearer than the form listed.
        """
        found = [(one.start(), one.end(), one.group()) for one in _LATIN.finditer(text)]
        begun = {start for start, _ in runs}
        for at, (start, _, _) in enumerate(found):
            key: tuple[str, ...] = ()
            last = start
            for begin, end, word in found[at : at + _LONGEST_PHRASE]:
                if text[last:begin].strip():
                    break  # which 3 years is no which years
                key, last = (*key, lemma(word) or word), end
                if any(start <= place < end for place in begun):
                    for listed in self._by_lemma.get(key, ()):
                        for one in self._words[listed]:
                            yield Token(one.cat, start, end, one.sem, one.cost + _INFLECTED)

    @cached_property
    def _by_lemma(self) -> Mapping[tuple[str, ...], tuple[str, ...]]:
        """English words and phrases by the words they are forms of."""
        found: dict[tuple[str, ...], tuple[str, ...]] = {}
        for listed in self._words:
            words = _LATIN.findall(listed)
            if words and len(words) <= _LONGEST_PHRASE and " ".join(words) == listed:
                found.setdefault(tuple(lemma(one) or one for one in words), (listed,))
        return found


def spelled_for_questions(word: str) -> str:
    """A word as it stands in a question that is read: plain width, simplified, small letters."""
    return lower(in_written_forms(plain_question(word)))


def read_typed_words(path: Path = WORDS) -> TypedWords:
    """The words of questions. Raises: ConfigError for a faulty file, or a word given twice."""
    file = read_data_file(path)
    words = TypedWords()
    for cat, table in file.tables.items():
        for sem, listed in table.items():
            for word in _words_of(file, cat, sem, listed):
                if cat == _NAMES:
                    continue
                if cat == "function_words":
                    words.add(word, FUNCTION, None, 0.3)
                else:
                    words.add(word, cat, sem, 0.3 if cat == "noun" else 1.0)
    return words


def _words_of(file: DataFile, cat: str, sem: str, listed: object) -> list[str]:
    """The words of one meaning, each once. Raises: ConfigError."""
    words = [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []  # pyright: ignore[reportUnknownVariableType] — TOML is of any kind
    if not words or len(set(words)) != len(listed):  # pyright: ignore[reportArgumentType] — and is a list here
        raise file.fault(f"[{cat}]", f"{sem}: a list of words, each once", sem)
    return words


def dearer_inside(tokens: Iterable[Token], wordy: frozenset[str]) -> list[Token]:
    """The tokens, those inside a longer word of a `wordy` kind at a higher price, each once."""
    found = list(dict.fromkeys(tokens))
    long = {(one.start, one.end) for one in found if one.cat in wordy and one.end - one.start > 1}
    made: list[Token] = []
    for one in found:
        is_inside = any(
            start <= one.start and one.end <= end and end - start > one.end - one.start
            for start, end in long
        )
        is_cut = one.cat == _GROUPING and any(
            one.start < start < one.end < end for start, end in long
        )  # by market value is no grouping by market
        made.append(replace(one, cost=one.cost + _INSIDE) if is_inside or is_cut else one)
    return list(dict.fromkeys(made))


def uncovered(text: str, tokens: Iterable[Token]) -> list[tuple[int, int]]:
    """The runs of the text that no token covers, blanks aside."""
    seen = bytearray(len(text))
    for one in tokens:
        seen[one.start : one.end] = b"\x01" * (one.end - one.start)
    runs: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        if seen[at]:
            at += 1
            continue
        end = at
        while end < len(text) and not seen[end]:
            end += 1
        if text[at:end].strip():
            runs.append((at, end))
        at = end
    return runs
