"""A question as a lattice of typed words: figures, sets, companies, numbers, times, and the rest.

What a word is comes from data: the catalogue, `data/lexicon`, the names of the market.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, lru_cache
from typing import cast

from services.core.catalogue import CATALOGUE
from services.language.asides import asides, opening_asides
from services.language.dictionaries import cut
from services.language.lattice import (
    FUNCTION,
    Token,
    dearer_inside,
    uncovered,
)
from services.language.lexicon import is_latin
from services.language.plain_text import (
    is_cjk,
    lower,
    plain_question,
    with_code_digits,
    with_year_digits,
)
from services.language.requests import asker_clauses, request_frames
from services.language.standard_words import in_standard_words
from services.market.names.spellings import CJK
from services.query.algebra.scopes import CURRENCIES
from services.query.reading.composed_words import composed_words
from services.query.reading.entities import NameBook
from services.query.reading.names_begun import NamesBegun
from services.query.reading.names_beside import (
    meant_beside,
    meant_by_share,
    named_beside,
    with_appositions,
    with_shares_said,
)
from services.query.reading.numbers_said import amounts, places
from services.query.reading.question_words import UNLISTED, question_words, small_tickers
from services.query.reading.refusals import TURN, refusing_words
from services.query.reading.set_words import with_sets
from services.query.reading.sized_said import with_sizes
from services.query.reading.sounds import Sounds
from services.query.reading.time_expressions import WhenReader
from services.query.reading.times_said import times

# Words of a basis that are tickers too.
_BASES = frozenset(CATALOGUE["pe_ttm"].basis)
# USD is a currency before anything it is the ticker of.
_MONEYS = frozenset(CURRENCIES.values())
_MARKS = re.compile(r"[,;、，；]|\$(?=[a-z])|[ .:?!。：？！…()（）\"'“”「」]")
# 港股2016年营收: a year, never the code 02016.
_YEAR = re.compile(r"\d{4}年")
# A code of the mainland as nobody has it: 300750 before it was listed; an amount has more around.
_NO_CODE = re.compile(
    r"(?<![\d.于过超到达足满<>=≥≤])(?:60|68|00|30)\d{4}(?:\.s[hz])?(?![\d.%万亿元倍股手以])"
)
_COMMAS = frozenset(",;、，；")
# Where more follows, the end of a sentence parts it from the next as a comma does.
_ENDS = frozenset("?？。")
# A name of a figure that is none of the small words: 市盈率, not 市值.
_LONG = 3
_WORDY = frozenset({
    "METRIC", "SCOPE", "ENT", "CONCEPT", "NOFIG", "WHEN", "RUN", "ask", "count", "cmp", "loss",
    "order",
    "agg", "sup", "double", "refuse", "tool", "only", "except", "dir", "negative", "COUNT", "TOP",
    "BOTTOM", "ORD", "group", "postcmp", "add", "AMT", "DAYS", "move", "peer", "best", "more",
    "turned", "parted", "digits", "whichgroup", "lastplace", "several", "ratio", "toolask",
    "course", "edit", "winner", "positive",
    "indicator", "swing", "swap",
})  # fmt: skip
# A ticker in small letters is a word before it is a company.
_LEAST_TICKER = 5
# 600519 is a company before it is a number.
_CODE = 2.0
# What pinyin may spell, and what a slip of sound may mean; so many slips in a question.
_SOUNDED = frozenset(
    {
        *("METRIC", "SCOPE", "CONCEPT", "NOFIG", "several", "sup", "ask", "indicator", "cmp"),
        *("agg", "toolask", "idiom", "move", "loss", "group", "dir"),
    }
)
_SLIPPED = frozenset({"METRIC", "SCOPE", "several", "indicator"})
_MOST_SLIPS, _LONGEST_SOUNDED = 3, 80
# So many texts are kept as read: a turn is looked at again by all that may follow from it.
_KEPT = 256
_WHOM = frozenset({"ENT", "SCOPE"})
# A name that is a common word too costs more.
_SURE_NAME = 1.5
# What a particle costs, and a word that only asks, as one of the closed list does.
_FRAME = 0.3
# Kinds of words that name what is asked about; what names none of it only tells of the asker.
_NAMING = frozenset({"ENT", "SCOPE", "METRIC", "CONCEPT", "NOFIG", "indicator"})
_ASKED = _WORDY - {"ask", "only", "edit", "winner"} | {"follow", "SUPN", "swap", "BADTIME", "told"}
# A possessive without its mark; shorter words are too often no names.
_OWNED = re.compile(r"(?<![\w'])([a-z]{4,})s(?![\w'])")
# 它们都高于20吗: whether it holds of all of them, no further condition; 平均 and 全市场 are none.
_OF_ALL = re.compile(
    r"(?:都|(?<![平人])均|全(?=[是在为高低大小超跌涨跑赚亏不没]))[^吗么嘛,，。;；?？]*(?P<ask>吗|么|嘛)"
)
# The word behind which an English verb asks no yes or no.
_WHAT = re.compile(r"\b(?:what|who|which|when|where)\s$")


@dataclass(frozen=True, slots=True)
class Lattice:
    """A question in plain spelling, with every reading of its words; `unread`: what none covers."""

    text: str
    tokens: tuple[Token, ...]
    unread: tuple[tuple[int, int], ...]

    @property
    def unread_words(self) -> tuple[str, ...]:
        """What none covers, as the words it stands in."""
        words = (self.text[start:end].strip() for start, end in self.unread_spans)
        return tuple(dict.fromkeys(word for word in words if word))

    @property
    def unread_spans(self) -> tuple[tuple[int, int], ...]:
        """Where those words are."""
        return unread_spans(self.text, self.unread, self.tokens)

    def has(self, *cats: str) -> list[Token]:
        """The cheap tokens of those kinds: not those inside a longer word."""
        return [one for one in self.tokens if one.cat in cats and one.cost < 2]


class Tagger:
    """Reads the words of questions. Safe to share between threads."""

    def __init__(self, book: NameBook, today: date) -> None:
        """`today` is what times are counted from."""
        self._book, self._today = book, today
        self._whens = WhenReader(today)
        self._meant = lru_cache(maxsize=4096)(self._listings)
        self._lattice = lru_cache(maxsize=_KEPT)(self._read_words)
        self._begun = NamesBegun(book, lambda: self._sounds, self._meant)

    @property
    def book(self) -> NameBook:
        """The names it reads with."""
        return self._book

    def lattice(self, raw: str) -> Lattice:
        """Every typed word of the question; of what is written by its sound, the words meant."""
        return self._lattice(raw)

    def _read_words(self, raw: str) -> Lattice:
        cased = with_code_digits(with_year_digits(in_standard_words(plain_question(raw))))
        found = self._tag_words(cased)
        for _ in range(_MOST_SLIPS):
            better = next(self._read_otherwise(found), None)
            if better is None:
                break
            found = better
        named = tuple(self._begun.by_sound(found.text, found.unread))
        if not named:
            return found
        tokens = (*found.tokens, *named)
        return Lattice(found.text, tokens, tuple(uncovered(found.text, tokens)))

    def _read_otherwise(self, found: Lattice) -> Iterator[Lattice]:
        """The question with pinyin, a slip of sound or of the mark of a possessive (tencents pe) as
        the word meant, where more is read so.
        """
        text = found.text
        if not found.unread or len(text) > _LONGEST_SOUNDED:
            return
        owned = _OWNED.sub(lambda one: f"{one[1]}'s" if self._is_name(one[1]) else one[0], text)
        latin = any(text[start].isascii() and text[start].isalpha() for start, _ in found.unread)
        anew = [owned, self._sounds.in_characters(text)] if latin else []
        anew += [
            made
            for start, end in found.unread
            if CJK.match(text[start]) and (made := self._sounds.corrected(text, start, end))
        ]
        for one in anew:
            other = self._tag_words(plain_question(one))
            if one != text and _unread_size(other) < _unread_size(found):
                yield other

    def _is_name(self, word: str) -> bool:
        """Whether the whole word names companies, and means nothing else."""
        is_small = self._book.is_ticker(word) and word not in small_tickers()
        return not is_small and word not in question_words() and bool(self._meant(word, None))

    @cached_property
    def _sounds(self) -> Sounds:
        kinds = {
            word: {one.cat for one in meanings}
            for word, meanings in question_words().words().items()
        }
        spelled = (word for word, cats in kinds.items() if cats & _SOUNDED)
        sure = (word for word, cats in kinds.items() if cats & _SLIPPED)
        return Sounds(spelled, sure, self._book.called_in_chinese())

    def _tag_words(self, cased: str) -> Lattice:
        text = lower(cased)
        found = [*question_words().tokens(text), *self._companies(text, cased)]
        found += _codes_of_nobody(text, found)
        found += [*amounts(text), *places(text), *times(text, self._whens, self._today)]
        composed = list(composed_words(text))
        found = _without_spans([*_without_why([*found, *refusing_words(text)]), *composed])
        found = with_sets(cased, with_sizes(text, found), self._is_index)
        found += _marks_in(text)
        # 市值前三十里PE低的: of those thirty; here 里 is no word to pass over.
        firsts = {one.end for one in found if one.cat in ("TOP", "COUNT")}
        held = {one.start for one in found if one.cat == "rel" and one.sem == "in"} & firsts
        # 哪个行业亏损公司最多: nor 公司, where they are counted.
        held |= {one.start for one in composed if one.cat == "count"}
        found = [one for one in found if one.cat != FUNCTION or one.start not in held]
        for match in _OF_ALL.finditer(text):
            at = match.start("ask")
            found = [one for one in found if one.start != at]
            found.append(Token("edit", at, match.end(), "all", 0.3))
        found = _with_unlisted(found)
        codes = {(one.start, one.end) for one in found if one.cat == "ENT"}
        found = [
            replace(one, cost=one.cost + _CODE)
            if one.cat in ("AMT", "NUM") and (one.start, one.end) in codes
            else one
            for one in found
        ]
        asked = (one for one in opening_asides(text) if not _is_named(one, found))
        asked_about = [(one.start, one.end) for one in found if one.cat in _ASKED]
        told = asker_clauses(text, asked_about, _names_of(found))
        frames = (*request_frames(text), *asked, *told)
        found = [one for one in found if not _is_told(one, told)]
        found = [one for one in found if not _only_asks(one, frames)]
        found = [one for one in found if not _is_behind_what(one, text)]
        found += [Token(FUNCTION, start, end, None, _FRAME) for start, end in frames]
        if runs := uncovered(text, found):
            found += question_words().inflected(text, runs)
            runs = uncovered(text, found)
            found += [Token(FUNCTION, *span, None, _FRAME) for span in asides(text, runs)]
            found += particles(text, uncovered(text, found))
        found = [one for one in found if not _is_cut_from_a_name(one, found)]
        found = [one for one in found if not _is_between_words(one, text)]
        kept = tuple(dearer_inside(found, _WORDY))
        begun = tuple(self._begun.tokens(text, cased, uncovered(text, kept)))
        told = self._with_names_beside(text, (*kept, *begun))
        return Lattice(text, tuple(told), tuple(uncovered(text, told)))

    def _with_names_beside(self, text: str, found: Sequence[Token]) -> list[Token]:
        """The words, with what the names beside each other say of one another."""
        told = meant_beside([*with_shares_said(text, found, self._book)], self._book)
        told += named_beside(text, uncovered(text, told), told, self._book)
        told = meant_by_share(text, uncovered(text, told), told, self._book)
        return with_appositions(text, told, self._book)

    def _companies(self, text: str, cased: str) -> Iterator[Token]:
        words = question_words()
        for at in range(len(text)):
            if at and is_latin(text[at]) and is_latin(text[at - 1]):
                continue
            end = self._book.at(text, at)
            if end is None or end - at < 2:
                continue
            said = text[at:end]
            if _YEAR.match(text, at):
                continue
            is_ticker = said.isascii() and said.isalpha() and self._book.is_ticker(said)
            is_small = is_ticker and cased[at:end] != said.upper() and said not in small_tickers()
            if is_small and (said in words or len(said) < _LEAST_TICKER):
                continue
            is_word = said.isascii() and said in words and said not in small_tickers()
            if is_word or said.upper() in _MONEYS:
                continue
            if is_ticker and said in _BASES and (at, end) != (0, len(text)):
                yield Token("NOFIG", at, end, said)  # TTM净利润: a basis, beside anything
                continue
            start, end, market = self._book.sided(text, at, end)
            listings = self._meant(text[at : at + len(said)], market)
            if listings and not _is_industry(said, listings):
                weak = said in words
                yield Token("ENT", start, end, listings, 1.6 if weak else 1.0)
                if (start, end) != (at, at + len(said)):
                    yield Token("ENT", at, at + len(said), self._meant(said, None), 1.2)

    def _is_index(self, token: Token) -> bool:
        symbols = cast("tuple[str, ...]", token.sem)
        return all(self._book.row(symbol).kind == "index" for symbol in symbols)

    def _listings(self, said: str, market: str | None) -> tuple[str, ...]:
        """The listings a name may mean; one for a company, its A share where nothing says other."""
        mention = self._book.mention(said, 0, len(said), market)
        if not mention.is_known:
            return ()
        if mention.symbol is not None:
            return (mention.symbol,)
        if len(mention.choices) < 2:
            return ()  # 中证500ETF, part of one name abroad: asked about, not taken
        return self._one_of_each(mention.choices)

    def _one_of_each(self, choices: tuple[str, ...]) -> tuple[str, ...]:
        """Without the other listings of a company whose A share is among them; a receipt in the
        United States stands behind the share in Hong Kong.
        """
        mainland = [one for one in choices if self._book.row(one).market == "CN"]
        beside = {
            other
            for one in mainland
            for market in ("港股", "美股")
            for other in self._book.listing(one, market)
        }
        kept = tuple(one for one in choices if one in mainland or one not in beside)
        near = [one for one in kept if self._book.row(one).market == "HK"]
        receipts = {other for one in near for other in self._book.listing(one, "美股")}
        return tuple(one for one in kept if one not in receipts)


def _is_industry(said: str, listings: Sequence[str]) -> bool:
    """Whether it is the industry that several names end with, and none of them: A股传媒."""
    is_set = any(one.cat == "SCOPE" for one in question_words().meanings(said))
    return is_set and len(listings) > 1


def _is_behind_what(token: Token, text: str) -> bool:
    """What was its best day: the verb of a question that is no yes or no."""
    is_verb = (token.cat, token.sem) == ("ask", "yesno") and text[token.start].isascii()
    return is_verb and _WHAT.search(text, 0, token.start) is not None


def plain_words(text: str) -> list[Token]:
    """The typed words and numbers of a plain text that names no company and no time."""
    return dearer_inside((*question_words().tokens(text), *amounts(text), *_marks_in(text)), _WORDY)


def _without_spans(tokens: Sequence[Token]) -> list[Token]:
    """So many years by an order are no span: 净利润最高的三年."""
    picked = [one for one in tokens if one.cat in ("YEARN", "MONTHN")]
    return [
        one for one in tokens
        if one.cat != "WHEN" or not any(by.start <= one.start < by.end for by in picked)
    ]  # fmt: skip


def _marks_in(text: str) -> Iterator[Token]:
    for match in _MARKS.finditer(text):
        goes_on = match.group() in _ENDS and text[match.end() :].strip(" ?？。!！")
        cat = "COMMA" if match.group() in _COMMAS or goes_on else FUNCTION
        yield Token(cat, match.start(), match.end(), match.group(), 0.2)


def _without_why(found: Sequence[Token]) -> Iterator[Token]:
    """The words, but for those read as what will be inside a why (怎么会涨 asks why it rose), and
    beside a time for those that only may be (2015年那轮牛市).
    """
    why = [one for one in found if one.cat == "tool"]
    is_dated = any(one.cat == "WHEN" for one in found)
    for one in found:
        is_refused = one.cat == "refuse" and any(by.start < one.start < by.end for by in why)
        if not is_refused and not (is_dated and one.sem == TURN):
            yield one


def _codes_of_nobody(text: str, found: Sequence[Token]) -> Iterator[Token]:
    """A code that no list here has."""
    coded = {one.start for one in found if one.cat == "ENT"}
    for match in _NO_CODE.finditer(text):
        if match.start() not in coded:
            yield Token("CONCEPT", match.start(), match.end(), UNLISTED)


def _with_unlisted(found: Sequence[Token]) -> list[Token]:
    """A newer list may have a company that none had; but what is only a part of several other names
    (三星) is none of those companies.
    """
    names = [one for one in found if one.cat == "ENT"]
    sure = {(one.start, one.end) for one in names if len(cast("tuple[str, ...]", one.sem)) == 1}
    none = {(one.start, one.end) for one in found if one.sem == UNLISTED} - sure
    return [
        one for one in found
        if one.cat not in ("ENT", "CONCEPT") or (one.cat == "CONCEPT" and one.sem != UNLISTED)
        or ((one.start, one.end) in none) == (one.sem == UNLISTED)
    ]  # fmt: skip


def _is_between_words(token: Token, text: str) -> bool:
    """Whether a word that refuses, or a name of several companies, is the end of one word and the
    beginning of the next: 牛市 in 蒙牛市值, 天成 in 一天成交额.
    """
    is_of_several = token.cat == "ENT" and len(cast("tuple[str, ...]", token.sem)) > 1
    if not (token.cat == "refuse" or is_of_several) or token.end - token.start < 2:
        return False
    words = cut(text)
    return any(one.start < token.start < one.end < token.end for one in words) and any(
        token.start < one.start < token.end < one.end for one in words
    )


def _is_cut_from_a_name(token: Token, found: Sequence[Token]) -> bool:
    """Whether a word begins within a name and ends behind it (台股 in 茅台股息), or refuses and
    ends within the name of a figure that goes on (后市 in 剔除银行后市盈率; 市值 may begin 值得).
    """
    if token.cat == "refuse":
        return any(
            one.cat == "METRIC" and one.end - one.start >= _LONG
            and token.start < one.start < token.end < one.end
            for one in found
        )  # fmt: skip
    return token.cat in ("CONCEPT", "NOFIG", "BADTIME") and any(
        one.cat == "ENT" and one.start < token.start < one.end < token.end for one in found
    )


def _unread_size(lattice: Lattice) -> int:
    return sum(end - start for start, end in lattice.unread)


def _only_asks(token: Token, frames: Sequence[tuple[int, int]]) -> bool:
    """Whether a word that elsewhere refuses or names nobody only asks here: would you show me."""
    inside = any(start <= token.start and token.end <= end for start, end in frames)
    return inside and token.cat in ("refuse", "ENT")


def _names_of(found: Sequence[Token]) -> list[tuple[int, int]]:
    """The words that name companies, or sets; none where something else is named there."""
    sure = [one for one in found if one.cat in _WHOM and one.cost < _SURE_NAME]
    named = [(one.start, one.end) for one in sure]
    others = [one for one in found if one.cat in _ASKED - _WHOM]
    return [
        (start, end) for start, end in dict.fromkeys(named)
        if not any(one.start < end and start < one.end for one in others)
    ]  # fmt: skip


def _is_told(token: Token, clauses: Sequence[tuple[int, int]]) -> bool:
    """Whether a word is part of what the asker tells of himself."""
    return any(start <= token.start and token.end <= end for start, end in clauses)


def _is_named(span: tuple[int, int], found: Sequence[Token]) -> bool:
    """Whether the characters are a name, or the beginning of one: 老板 in 老板电器."""
    return any(one.cat in _NAMING and one.start <= span[0] and span[1] < one.end for one in found)


_READ = 2.0


def particles(text: str, runs: Sequence[tuple[int, int]]) -> Iterator[Token]:
    """Runs nobody listed of words that grammar alone has: particles and interjections."""
    for start, end in runs:
        if not is_cjk(text[start]):
            continue
        inside = [one for one in cut(text) if one.start < end and start < one.end]
        if all(start <= one.start and one.end <= end and one.is_particle for one in inside):
            yield Token(FUNCTION, start, end, text[start:end], _FRAME)


def unread_spans(
    text: str, runs: Sequence[tuple[int, int]], tokens: Sequence[Token]
) -> tuple[tuple[int, int], ...]:
    """The runs as the words they stand in: 不良, where only 良 is unread and 不 is read of it.

    A word is widened only over fragments, never over what was read as a longer word.
    """
    read = [one for one in tokens if one.cat != FUNCTION and one.cost < _READ]
    whole = [one for one in read if one.end - one.start > 1]
    found: list[tuple[int, int]] = []
    for start, end in runs:
        wide = [
            one for one in cut(text)
            if one.start < end and start < one.end and is_cjk(one.word[0])
            and not any(_cuts(token, one.start, one.end) for token in whole)
        ]  # fmt: skip
        first = min([start, *(one.start for one in wide)])
        last = max([end, *(one.end for one in wide)])
        found.append((first, last))
    return tuple(dict.fromkeys(found))


def _cuts(token: Token, start: int, end: int) -> bool:
    return token.start < end and start < token.end
