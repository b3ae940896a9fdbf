"""Names of companies half said: words nobody else reads that are how a name begins.

蒙牛 (蒙牛乳业), Exxon (Exxon Mobil Corp), Bristol Myers, msft-like tickers in small letters, Daqin
Railway. An ordinary word of the dictionaries names nobody, but in English with a capital inside a
sentence, and as part of a longer name.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from services.core.data_files import DATA_FOLDER, read_data_file
from services.language.dictionaries import is_general
from services.language.lattice import Token
from services.language.plain_text import lower, plain_question
from services.market.names.spellings import CJK, english_names
from services.query.reading.entities import NameBook
from services.query.reading.sounds import Sounds, english_of_names

_COMPANIES = DATA_FOLDER / "lexicon" / "company_words.toml"
# So much of a name is enough where nothing else is known of it.
_LEAST_PART, _LEAST_LATIN, _LEAST_TICKER = 2, 3, 2
_LONGEST_PART = 4
# A word that may be how a name begins, and the word behind it; so many names are looked at.
_PINYIN = re.compile(r"(?P<word>[a-z]{5,12})(?: (?P<beside>[a-z]+))?(?![a-z])")
_MOST_BEGUN = 8
# What a name half said costs: more than a whole one.
_COST = 1.6
# Words of an English name; marks between them are written in several ways: Bristol-Myers, J & J.
_WORD = re.compile(r"[a-z0-9]+")
_BETWEEN = re.compile(r"[\s&'’./-]*(?:and[\s&]+)?")
_JOINING = frozenset({"and", "the"})
_LONGEST = 5

Meant = Callable[[str, str | None], tuple[str, ...]]


class _Said(NamedTuple):
    """A Latin word of a question and where it stands."""

    word: str
    start: int
    end: int


class NamesBegun:
    """How the names of the listed companies begin. Safe to share between threads."""

    def __init__(self, book: NameBook, sounds: Callable[[], Sounds], meant: Meant) -> None:
        """`meant` gives the listings a name may mean, one of each company."""
        self._book, self._sounds, self._meant = book, sounds, meant
        self._nicknamed = {
            name: (symbol,)
            for symbol, names in read_data_file(_COMPANIES).tables["nicknames"].items()
            for name in names
        }

    def tokens(self, text: str, cased: str, runs: Sequence[tuple[int, int]]) -> Iterator[Token]:
        """Unread runs of `text` as the companies they may name; `cased` has the capitals."""
        for start, end in runs:
            if CJK.match(text[start]):
                yield from self._in_chinese(text, start, end)
            else:
                yield from self._in_english(text, cased, start, runs)

    def by_sound(self, text: str, runs: Sequence[tuple[int, int]]) -> Iterator[Token]:
        """Pinyin of how names begin, with the English word behind it: Daqin Railway, Guotai."""
        for start, end in runs:
            found = _PINYIN.match(text, start, len(text))
            if found is None or is_general(found["word"]) or found.end("word") > end:
                continue
            names = self._sounds().begun(found["word"], found["beside"] or "")
            symbols = tuple(
                dict.fromkeys(
                    one for name in names[:_MOST_BEGUN] for one in self._meant(lower(name), None)
                )
            )
            beside = (found["beside"] or "") in english_of_names()
            stop = found.end("beside") if beside else found.end("word")
            if symbols:
                yield Token("ENT", start, stop, symbols, _COST)

    def begun_with(self, head: str) -> tuple[str, ...]:
        """The companies whose English names begin with those words."""
        whole = self._whole.get(head, frozenset())
        return self._one_of_each(whole or self._heads.get(head, frozenset()))

    def _in_chinese(self, text: str, start: int, end: int) -> Iterator[Token]:
        """How the name of one company alone begins: 蒙牛; of several right behind each other."""
        if one := self._begun_in_chinese(text, start, end):
            yield one
        elif end - start >= 2 * _LEAST_PART:
            yield from self._beside_each_other(text, start, end)

    def _begun_in_chinese(self, text: str, start: int, end: int) -> Token | None:
        said = text[start:end]
        if len(said) < _LEAST_PART or not all(map(CJK.match, said)) or is_general(said):
            return None
        symbol = self._book.mention(text, start, end).symbol
        if symbol is None or not self._book.row(symbol).name.startswith(said):
            return None
        return Token("ENT", start, end, (symbol,), _COST)

    def _beside_each_other(self, text: str, start: int, end: int) -> list[Token]:
        """顺丰圆通: the run as such beginnings and nothing else; empty where it is not."""
        if start == end:
            return []
        for at in range(start + _LEAST_PART, min(start + _LONGEST_PART, end) + 1):
            one = self._begun_in_chinese(text, start, at)
            behind = self._beside_each_other(text, at, end) if one else []
            if one and (behind or at == end):
                return [one, *behind]
        return []

    def _in_english(
        self, text: str, cased: str, start: int, runs: Sequence[tuple[int, int]]
    ) -> Iterator[Token]:
        """The longest words there that are how English names begin; else a ticker."""
        words = [_Said(one.group(), *one.span()) for one in _WORD.finditer(text)]
        at = next((place for place, one in enumerate(words) if one.start <= start < one.end), None)
        if at is None:
            return
        for first in (at, at - 1):  # [wells] fargo: the word before may be read as another
            if first < 0 or (first < at and not _are_beside(text, words[first], words[at])):
                continue
            for last in range(min(first + _LONGEST, len(words)), at, -1):
                said = words[first:last]
                if {said[0].word, said[-1].word} & _JOINING or not _is_run(text, said):
                    continue
                is_unread = len(said) > 1 and all(_is_in(one, runs) for one in said)
                is_nickname = self._is_nickname(said, cased)
                if not (is_unread or is_nickname or self._is_distinctive(said, text, cased)):
                    continue
                key = " ".join(one.word for one in said if one.word not in _JOINING)
                symbols = self._nicknamed.get(key) or self.begun_with(key)
                if 0 < len(symbols) <= _MOST_BEGUN:
                    yield Token("ENT", said[0].start, said[-1].end, symbols, _COST)
                    return
        one = words[at]
        may_be = len(one.word) >= _LEAST_TICKER and not is_general(one.word)
        if may_be and self._book.is_ticker(one.word) and (meant := self._meant(one.word, None)):
            yield Token("ENT", one.start, one.end, meant, _COST)

    @staticmethod
    def _is_distinctive(said: Sequence[_Said], text: str, cased: str) -> bool:
        """Whether words may be a name: one of no dictionary, or one with a capital of its own."""
        if sum(len(one.word) for one in said) < _LEAST_LATIN:
            return False
        if any(not is_general(one.word) and not one.word.isdigit() for one in said):
            return True
        is_title = not any(cased[one.start()].islower() for one in _WORD.finditer(text))
        return (
            not is_title and said[0].start > 0 and all(cased[one.start].isupper() for one in said)
        )

    def _is_nickname(self, said: Sequence[_Said], cased: str) -> bool:
        """Whether an ordinary word is what a company is called, with a capital: Delta, Coke."""
        is_capital = all(cased[one.start].isupper() for one in said)
        return is_capital and " ".join(one.word for one in said) in self._nicknamed

    @cached_property
    def _heads(self) -> Mapping[str, frozenset[str]]:
        """The first words of English names, and whose they are."""
        found: dict[str, set[str]] = {}
        for row in self._book.rows():
            if row.kind != "stock":
                continue
            names = {*english_names(row), *(one for one in row.old_names if one.isascii())}
            for name in names:
                words = [one for one in _WORD.findall(_plain(name)) if one not in _JOINING]
                for count in range(1, min(len(words), _LONGEST) + 1):
                    found.setdefault(" ".join(words[:count]), set()).add(row.symbol)
        return {head: frozenset(symbols) for head, symbols in found.items()}

    @cached_property
    def _whole(self) -> Mapping[str, frozenset[str]]:
        """English names without Inc and the like, and whose they are."""
        found: dict[str, set[str]] = {}
        for row in self._book.rows():
            for name in english_names(row) if row.kind == "stock" else ():
                words = [one for one in _WORD.findall(_plain(name)) if one not in _JOINING]
                found.setdefault(" ".join(words), set()).add(row.symbol)
        return {name: frozenset(symbols) for name, symbols in found.items()}

    def _one_of_each(self, symbols: frozenset[str]) -> tuple[str, ...]:
        """One listing of each company, as its Chinese name means it."""
        ordered = sorted(symbols, key=lambda one: (self._book.row(one).market != "US", one))
        found: dict[str, None] = {}
        for one in ordered[: _MOST_BEGUN + 1]:
            meant = self._meant(_plain(self._book.row(one).name), None)
            found[meant[0] if len(meant) == 1 else one] = None
        # TMUSP beside TMUS: another class of the same shares.
        return tuple(
            one for one in found if not any(one != two and one.startswith(two) for two in found)
        )


def _plain(name: str) -> str:
    return lower(plain_question(name))


def _is_in(said: _Said, runs: Sequence[tuple[int, int]]) -> bool:
    return said.word in _JOINING or any(a <= said.start and said.end <= b for a, b in runs)


def _are_beside(text: str, one: _Said, other: _Said) -> bool:
    return _BETWEEN.fullmatch(text, one.end, other.start) is not None


def _is_run(text: str, said: Sequence[_Said]) -> bool:
    """Whether nothing but marks stands between the words of a name."""
    return all(_are_beside(text, one, two) for one, two in pairwise(said))
