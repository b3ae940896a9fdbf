"""Names said beside others: 平安 beside 国寿; and 三家银行 behind three, which they are."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from services.core.names import NameRow
from services.language.lattice import FUNCTION, Token
from services.query.reading.entities import MARKET_CODES, NameBook
from services.query.reading.names_meant import STATE, meant_by

# 白酒几家，…: some of a set, where the names of them follow.
_SOME_OF = re.compile("几[家只个支间][,，:：、]")
# Words that are of sets, and say no share of a company.
_OF_SETS = frozenset({"agg", "peer", "group", "count"})


def meant_beside(found: Sequence[Token], book: NameBook) -> list[Token]:
    """The words, with a name of several companies as the one of them that is of the market and the
    industry of the companies named for sure; as it was where none or several are.
    """
    names = [one for one in found if one.cat == "ENT" and one.is_sure]
    sure = [_listings(one)[0] for one in names if len(_listings(one)) == 1]
    if not sure or len(sure) == len(names):
        return list(found)
    beside = [book.row(symbol) for symbol in sure]
    return [_narrow(one, beside, book) if one in names else one for one in found]


def with_shares_said(text: str, found: Sequence[Token], book: NameBook) -> Iterator[Token]:
    """BYD A股, SPDB H股: a name that is a word of the lexicon, with its share, as that listing."""
    yield from found
    for one in (one for one in found if one.cat == "ENT" and len(_listings(one)) == 1):
        start, end, side = book.sided(text, one.start, one.end)
        listed = book.listing(_listings(one)[0], side) if side is not None else ()
        is_read = any(by.cat == "ENT" and by.start <= start and end <= by.end for by in found)
        if len(listed) == 1 and not is_read:
            yield Token("ENT", start, end, listed, 1.0)


def names_begun(text: str, runs: Sequence[tuple[int, int]], book: NameBook) -> Iterator[Token]:
    """Parts of several names in `runs` that nothing reads, as any of those."""
    for run in runs:
        meant = meant_by(text, book, *run)
        if meant is not None and meant[0] == "ambiguous":
            yield Token("ENT", *meant[1], tuple(meant[2]), 1.6)


def named_beside(
    text: str, runs: Sequence[tuple[int, int]], found: Sequence[Token], book: NameBook
) -> Iterator[Token]:
    """Parts of several names in `runs` that nothing reads, as the one the names beside say."""
    sure = [_listings(one) for one in found if one.cat == "ENT" and one.is_sure]
    beside = [book.row(symbols[0]) for symbols in sure if len(symbols) == 1]
    begun = (_narrow(one, beside, book) for one in names_begun(text, runs if beside else (), book))
    return (one for one in begun if len(_listings(one)) == 1)


def meant_by_share(
    text: str, runs: Sequence[tuple[int, int]], found: Sequence[Token], book: NameBook
) -> list[Token]:
    """The words, with a name of several companies, or a part of several names in `runs`, as the
    only one of them that has each share said: H share of 平安. Beside a set that says nothing.
    """
    said = [cast("tuple[str, tuple[str, ...], object]", one.sem) for one in found
            if one.cat == "SCOPE" and one.is_sure]  # fmt: skip
    sides = [
        side for side, code in MARKET_CODES.items() if ("market", (code,)) in {s[:2] for s in said}
    ]
    if not sides or len({one[0] for one in said}) > 1 or any(one.cat in _OF_SETS for one in found):
        return list(found)
    begun = list(names_begun(text, runs, book))
    made = [_with_shares(one, sides, book) if one.cat == "ENT" else one for one in (*found, *begun)]
    return [one for one in made if one not in begun]


def _with_shares(name: Token, sides: Sequence[str], book: NameBook) -> Token:
    shares = {tuple(book.listing(one, side)[:1] for side in sides) for one in _listings(name)}
    whole = [one for one in shares if all(one)]
    if len(_listings(name)) < 2 or not name.is_sure or len(whole) != 1:
        return name
    meant = whole[0][0][0]  # of whom the share is said
    return replace(name, sem=book.listing(meant, "A股")[:1] or (meant,))


def names_chosen(
    lattice_text: str, found: Sequence[Token], book: NameBook
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each name of several companies that was taken for one of them: as it was said, which it was
    taken for, and the others, one listing of each.
    """
    for one in found:
        if one.cat != "ENT" or not one.is_sure or len(_listings(one)) != 1:
            continue
        meant = meant_by(lattice_text, book, one.start, one.end)
        if meant is None or meant[0] != "ambiguous" or meant[1] != (one.start, one.end):
            continue
        (chosen,) = _listings(one)
        called = book.row(chosen).name
        others = {book.row(each).name: each for each in reversed(meant[2])}
        rest = tuple(each for name, each in others.items() if name != called)
        if rest and chosen in meant[2]:
            yield lattice_text[one.start : one.end], chosen, rest[::-1]


def with_appositions(text: str, found: Sequence[Token], book: NameBook) -> list[Token]:
    """招商银行、民生银行、浦发银行三家银行: as many as were named, with what they are; no set.
    工行、建行两家港股 are their shares there.
    """
    told = [*_appositions(text, found, book), *_heads(text, found, book)]
    names = list(found)
    for place, where in told:
        side = next((said for said, code in MARKET_CODES.items() if code == where), None)
        if side is not None:
            names = [
                _listed_there(one, side, book) if one.end <= place.start else one for one in names
            ]
    return [*names, *(one for one, _ in told)]


def _listed_there(name: Token, side: str, book: NameBook) -> Token:
    """The name as that of the share listed there, where there is one."""
    if name.cat != "ENT":
        return name
    there = tuple(one for symbol in _listings(name) for one in book.listing(symbol, side))
    return replace(name, sem=tuple(dict.fromkeys(there))) if there else name


def _appositions(text: str, found: Sequence[Token], book: NameBook) -> Iterator[tuple[Token, str]]:
    """A word of nothing in place of each, and what it says they are, where it is true of all."""
    names = [one for one in found if one.cat == "ENT" and one.is_sure]
    for count in (one for one in found if one.cat == "COUNT"):
        for one in found:
            if one.cat != "SCOPE" or (one.start != count.end and one.end != count.start):
                continue
            start, end = min(one.start, count.start), max(one.end, count.end)
            before = text[:start].rstrip(",，这那 ")
            named = {name.start: name.end for name in names if name.end <= len(before)}
            if len(before) in named.values() and len(set(named.values())) == count.sem:
                dim, values, _ = cast("tuple[str, tuple[str, ...], object]", one.sem)
                meant = [name for name in names if named.get(name.start) == name.end]
                if dim != "industry" or all(_may_be(name, values, book) for name in meant):
                    yield Token(FUNCTION, start, end, None, 0.3), values[0]


def _heads(text: str, found: Sequence[Token], book: NameBook) -> Iterator[tuple[Token, str]]:
    """白酒几家，茅台五粮液洋河: those that are named are meant, and no number is asked."""
    names = [one for one in found if one.cat == "ENT" and one.is_sure]
    for count in (one for one in found if one.cat == "count"):
        behind = [one for one in names if one.start > count.end]
        starts = {one.start for one in behind}
        is_some = _SOME_OF.fullmatch(text, count.start, count.end + 1)
        if not is_some or len(starts) < 2 or min(starts) != count.end + 1:
            continue
        for one in found:
            if one.cat != "SCOPE" or one.end != count.start or text[: one.start].strip():
                continue
            dim, values, _ = cast("tuple[str, tuple[str, ...], object]", one.sem)
            if dim == "symbol" or all(_may_be(name, values, book) for name in behind):
                yield Token(FUNCTION, one.start, count.end, None, 0.3), ""


def _may_be(name: Token, industries: Sequence[str], book: NameBook) -> bool:
    """Whether one so called is of these industries of the mainland, or none knows its industry."""
    rows = [book.row(symbol) for symbol in _listings(name)]
    return any(row.market != "CN" or not row.industry or row.industry in industries for row in rows)


def _narrow(name: Token, beside: Sequence[NameRow], book: NameBook) -> Token:
    rows = [row for row in map(book.row, _listings(name)) if row.kind == "stock"]
    kinds = {(row.market, row.industry) for row in beside if row.industry}
    same = [row for row in rows if (row.market, row.industry) in kinds]
    if not any(row.industry for row in rows):  # the source says no industry of any of them
        same = [row for row in rows if row.market in {one.market for one in beside}]
    is_meant = len(_listings(name)) > 1 and len(same) == 1 and not _is_shadowed(same[0], rows)
    return replace(name, sem=(same[0].symbol,)) if is_meant else name


def _is_shadowed(row: NameRow, others: Sequence[NameRow]) -> bool:
    """Whether another is called so by itself: beside 招行, 平安 may still be 中国平安."""
    proper = [one.name.removeprefix(STATE) for one in others if one.name.startswith(STATE)]
    return not row.name.startswith(STATE) and any(row.name.startswith(one) for one in proper)


def _listings(name: Token) -> tuple[str, ...]:
    return cast("tuple[str, ...]", name.sem)
