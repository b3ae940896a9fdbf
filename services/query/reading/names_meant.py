"""Whom an unread run of a question may name: a part of several names, or a slip of the hand.

Nothing is read by it: what is found is asked back. A word of the general language is no slip.
"""

import difflib
from collections.abc import Sequence
from functools import cache

from services.core.data_files import DATA_FOLDER, read_data_file
from services.language.dictionaries import cut, is_general
from services.language.lattice import spelled_for_questions
from services.language.plain_text import is_cjk
from services.query.reading.entities import NameBook
from services.query.reading.sounds import sound

# So alike a name must be to be what was meant: each character at its place, or Latin as a whole.
_ALIKE_ZH, _ALIKE_EN = 0.7, 0.75
_MOST_HEARD = 4
_LEAST_ZH, _LEAST_SLIP, _LEAST_EN, _LONGEST_NAME = 2, 3, 4, 6
# An ordinary word names a company only as its name proper: 平安 of 中国平安 and 平安银行; a part of
# any other name is no name (市场 of 东方市场, 高铁 of 神州高铁).
STATE = "中国"

# Why a name is put back, the span it was taken from, and whom it may mean.
Span = tuple[int, int]
Found = tuple[str, Span, Sequence[str]]


def meant_by(
    text: str, book: NameBook, start: int, end: int, figures: Sequence[Span] = ()
) -> Found | None:
    """Listed companies that the unread run, or it and what stands beside it, may name; never with
    a character of the names of `figures` (招商股 in 招商股息率).
    """
    spans = [
        one
        for one in _spans(text, start, end)
        if not any(begin < one[1] and one[0] < stop for begin, stop in figures)
    ]
    return (
        _find_known(text, book, spans)
        or _find_slipped(text, book, spans, end - start)
        or _find_heard(text, book, [one for one in spans if start <= one[0] and one[1] <= end])
    )


def _find_known(text: str, book: NameBook, spans: Sequence[Span]) -> Found | None:
    """Names of shares that begin or end with it."""
    for span in spans:
        said = text[slice(*span)].strip()
        if said.isascii() and is_general(said):
            continue
        mention = book.mention(text, *span)
        symbols = (mention.symbol,) if mention.symbol else mention.choices
        kept = [one for one in symbols if _is_part(book, one, said)]
        kept.sort(key=lambda one: _place(book, one, said))
        if mention.is_known and kept:
            return "ambiguous", span, kept
    return None


def _is_part(book: NameBook, symbol: str, said: str) -> bool:
    row = book.row(symbol)
    if row.kind != "stock" or not book.begins_or_ends(symbol, said):
        return False
    if not is_general(said):
        return True
    rest = row.name.removeprefix(STATE).removeprefix(said)
    return row.name.removeprefix(STATE).startswith(said) and rest in corporate_words()


@cache
def corporate_words() -> frozenset[str]:
    """What stands behind the name proper of a company: 银行, 乳业, 控股."""
    named = read_data_file(DATA_FOLDER / "lexicon" / "company_words.toml").tables
    return frozenset(named["corporate"]["words"])


def _place(book: NameBook, symbol: str, said: str) -> tuple[bool, int, int]:
    """Names of today before former ones, mainland shares first, the shortest first."""
    row = book.row(symbol)
    is_former = not (row.name.startswith(said) or row.name.endswith(said))
    return is_former, {"CN": 0, "HK": 1}.get(row.market, 2), len(row.name)


def _find_slipped(text: str, book: NameBook, spans: Sequence[Span], length: int) -> Found | None:
    """Names so alike that a slip of the hand may be meant; of no ordinary word."""
    for span in spans:
        said = text[slice(*span)].strip()
        least = _LEAST_EN if said.isascii() else _LEAST_SLIP
        if all(is_general(one.word) for one in cut(said)):
            continue  # 上市银行 is no 上海银行
        if is_general(said) or len(said) < least or length * 2 < len(said):
            continue
        mention = book.mention(text, *span)
        near = [one for one in mention.choices if _is_near(book, said, one)]
        if not mention.is_known and near:
            return "unknown_company", span, near
    return None


def _find_heard(text: str, book: NameBook, spans: Sequence[Span]) -> Found | None:
    """Names that begin with two characters of that sound, one of them the same: 腾迅."""
    for span in spans:
        said = text[slice(*span)]
        if len(said) != _LEAST_ZH or is_general(said):
            continue
        near = [
            row.symbol
            for row in book.rows()
            if row.kind == "stock" and _sounds_so(row.name[:_LEAST_ZH], said)
        ]
        if 0 < len(near) <= _MOST_HEARD:
            return "unknown_company", span, near
    return None


def _sounds_so(begun: str, said: str) -> bool:
    alike = len(begun) == len(said) and sum(a == b for a, b in zip(begun, said, strict=True))
    return alike == 1 and sound(begun) == sound(said)


def _spans(text: str, start: int, end: int) -> list[Span]:
    """The run, and of Chinese the run with up to two characters beside it, longest first."""
    end = start + len(text[start:end].rstrip())
    if not text[start:end] or not all(map(is_cjk, text[start:end])):
        return [(start, end)] if end - start >= _LEAST_EN else []
    found = [
        (start - before, end + behind)
        for before in range(3)
        for behind in range(3)
        if start >= before and end + behind <= len(text)
    ]
    return sorted(
        (
            one
            for one in found
            if _LEAST_ZH <= one[1] - one[0] <= _LONGEST_NAME and all(map(is_cjk, text[slice(*one)]))
        ),
        key=lambda one: one[0] - one[1],
    )


def _is_near(book: NameBook, said: str, symbol: str) -> bool:
    row = book.row(symbol)
    names = [row.name, *row.old_names, row.english_name or ""]
    if is_cjk(said[0]):  # each at its place: 贵州茅合 is 贵州茅台, 蛮好市 no 好市多
        pairs = [zip(said, one, strict=True) for one in names if len(one) == len(said)]
        return any(sum(a == b for a, b in two) >= len(said) * _ALIKE_ZH for two in pairs)
    return any(
        abs(len(one) - len(said)) <= 1
        and difflib.SequenceMatcher(None, said, spelled_for_questions(one)).ratio() >= _ALIKE_EN
        for one in names
    )
