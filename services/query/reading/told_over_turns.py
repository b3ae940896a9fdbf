"""Companies told over several turns, as if the last of those turns had told them all: 两家, 这三家,
他们, the four of them; and what needs several to be asked of (平均多少, 排个序, which is cheaper).
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from services.language.lattice import FUNCTION, Token
from services.query.algebra.nodes import In, Query
from services.query.reading.errors import ChoiceError
from services.query.reading.figures_told import (
    companies_told,
    figures_told,
    is_of_companies,
    of_two_sets,
    time_of,
)
from services.query.reading.said_of_told import NOT_SO_MANY, PAIR
from services.query.reading.tagging import Lattice

# What points at several without saying how many.
_THEY = re.compile(
    r"们(?!家|公司)|佢哋(?!公司)|\b(?:they|them|their|these|those)\b|[这那]几[家只个间]"
)
# Where a number is of those that were told: 这三家, the four, at the head of a turn or a clause.
_HEAD = re.compile(r"(?:^|[,，。、;；年月日这那]|\b(?:the|all|these|those))\s*$")
_SEVERAL = 2
# Words that say nothing of which companies a list would be of.
_OF_NO_LIST = frozenset({FUNCTION, "COUNT", "METRIC", "agg", "ask", "COMMA", "follow", "eachof"})
# What is asked of several, where nothing points at them.
_OF_SEVERAL = frozenset({
    ("agg", "mean"), ("agg", "median"), ("agg", "sum"), ("ask", "sum2"), ("ask", "diff"),
    ("ask", "which"), ("order", "sort"), ("edit", "all"),
})  # fmt: skip
# What makes such a word one of something else: of years, of a set, of others.
_OF_ELSE = ("WHEN", "SCOPE", "peer", "ENT", "ORD")


def told_together(tokens: Sequence[Token], text: str, before: Sequence[Query]) -> Sequence[Query]:
    """The turns before as a word sees them that points at several: the last about all of those, or
    about both sets; none where a pair is meant and only one was spoken of, so that nobody is left
    out without a word.
    """
    sure, numbers = [one for one in tokens if one.is_sure], _numbers(tokens, text)
    is_pair = any(PAIR.search(text[one.start : one.end]) for one in sure if _points(one))
    if not before or before[-1].group is not None:
        return before  # 这两个行业: of the groups that were told
    if is_pair and not is_of_companies(before[-1]) and before[-1].fold:
        sets = of_two_sets(before)
        return (*before[:-1], sets) if sets is not None else ()
    if is_pair or numbers:
        turns = _so_many(before, _SEVERAL if is_pair else max(numbers))
        if is_pair and not turns and len(_told_by(before[-1])) == 1:
            return ()
    elif _says_they(sure, text):
        is_named = any(one.cat == "METRIC" for one in sure)
        turns = _one_by_one(before, alike=not is_named)
    else:
        return before
    return _as_one_turn(before, turns)


def need_as_many_told(tokens: Sequence[Token], text: str, before: Sequence[Query]) -> None:
    """三家市净率各多少, 四家平均, and nothing that says which: of so many that were told.

    Raises: ChoiceError where others than so many were.
    """
    sure, numbers = [one for one in tokens if one.is_sure], _numbers(tokens, text)
    is_bare = any(one.cat == "COUNT" and not one.start for one in sure)
    is_bare = is_bare and all(one.cat in _OF_NO_LIST for one in sure)
    if is_bare and before and _told_by(before[-1]) and not _so_many(before, max(numbers)):
        raise ChoiceError(NOT_SO_MANY, [])


def pointing_at_several(
    lattice: Lattice, before: Sequence[Query]
) -> tuple[Sequence[Token], Sequence[Query]]:
    """The words that point at several, and the turns behind which these were told together; none
    where they were not. 再加上北京银行 is those that were told, and that one.
    """
    sure = [one for one in lattice.tokens if one.is_sure]
    pointing = [one for one in sure if _points(one) or _counts(one, lattice.text)]
    longest = {one.start: one for one in sorted(pointing, key=lambda one: one.end)}
    said = [*longest.values()]
    if (added := _added(sure, before)) is not None:
        more, seen = added
        numbers = {one.sem for one in pointing if not _points(one)}
        return ([*more, *said], seen) if numbers <= {len(_told_by(seen[-1]))} else ((), ())
    seen = told_together(lattice.tokens, lattice.text, before)
    is_told = bool(seen) and len(_told_by(seen[-1])) >= _SEVERAL
    return (said, seen) if is_told and (said or any(map(_is_of_all, sure))) else ((), ())


def _added(
    sure: Sequence[Token], before: Sequence[Query]
) -> tuple[Sequence[Token], Sequence[Query]] | None:
    """再加上北京银行: the words for one more, and the turns behind which it is told with those
    told before; None where nobody is added, or several are named.
    """
    named, turns = [one for one in sure if one.cat == "ENT"], _one_by_one(before, alike=True)
    more = cast("tuple[str, ...]", named[0].sem) if len(named) == 1 else ()
    added = [
        replace(one, end=named[0].end)
        for one in sure
        if one.cat == "add" and len(more) == 1 and named[0].start - one.end in (0, 1)
    ]
    if len(added) != 1 or not turns:
        return None
    whose = tuple(dict.fromkeys((*_whose(turns), *more)))
    told = before[-1].but(scope=In(dim="symbol", values=whose))
    return added, (*before[: -len(turns)], told)


def needed_together(lattice: Lattice, before: Sequence[Query]) -> Sequence[Query]:
    """The same for what needs several and points at nobody; none where that is said of something
    else, or no several were told.
    """
    said = {(one.cat, one.sem) for one in lattice.tokens if one.is_sure}
    if not said & _OF_SEVERAL or lattice.has(*_OF_ELSE) or not before:
        return ()
    turns = _one_by_one(before, alike=True)
    return _as_one_turn(before, turns) if len(_whose(turns)) > 1 else ()


def other_of_two(lattice: Lattice, before: Sequence[Query]) -> tuple[Token, str, str] | None:
    """那万科是它的几倍, behind one and 万科: the name of the one told last, its code and the
    other's; None where others, or more, were told.
    """
    named = [one for one in lattice.has("ENT") if one.is_sure]
    whose = _whose(_one_by_one(before, alike=True)) if len(named) == 1 else ()
    if len(whose) != _SEVERAL or companies_told(before[-1]) != whose[1:]:
        return None
    is_last = whose[1] in cast("tuple[str, ...]", named[0].sem)
    return (named[0], whose[1], whose[0]) if is_last else None


def said_of_those(lattice: Lattice) -> str:
    """三个里面最便宜的, with the word that says that they were told: 这三个里面."""
    heads = {one.start for one in lattice.has("COUNT") if _counts(one, lattice.text)}
    made = lattice.text
    for at in sorted(heads, reverse=True):
        is_told = made[at - 1 : at] in ("这", "那") and at
        made = made if is_told or made[at].isascii() else f"{made[:at]}这{made[at:]}"
    return made


def _as_one_turn(before: Sequence[Query], turns: Sequence[Query]) -> Sequence[Query]:
    """Those turns, the last ones, as one that told all that they told."""
    whose = _whose(turns)
    if len(whose) <= len(_told_by(before[-1])):
        return before
    return (*before[: -len(turns)], before[-1].but(scope=In(dim="symbol", values=whose)))


def _whose(turns: Sequence[Query]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for one in turns for each in _told_by(one)))


def _so_many(before: Sequence[Query], count: int) -> Sequence[Query]:
    """The last turns that told so many, each wholly; none where they told others than so many."""
    turns: list[Query] = []
    for one in reversed(before):
        if not _told_by(one) or len(_whose(turns)) >= count:
            break
        turns.insert(0, one)
    return turns if len(_whose(turns)) == count else ()


def _one_by_one(before: Sequence[Query], *, alike: bool) -> Sequence[Query]:
    """The turns since the last list; where alike those that told the same figures."""
    turns: list[Query] = []
    for one in reversed(before):
        is_other = one.rows != "companies" or (alike and _what(one) != _what(before[-1]))
        if not _told_by(one) or is_other:
            break
        turns.insert(0, one)
    return turns


def _what(query: Query) -> object:
    return figures_told(query), time_of(query)


def _told_by(query: Query) -> Sequence[str]:
    """The companies a turn told of, each by itself; none of other turns."""
    if query.rows == "one" or not is_of_companies(query):
        return ()
    return companies_told(query)


def _says_they(sure: Sequence[Token], text: str) -> bool:
    """Whether it points at several, or asks something of all of them: 都超过20倍吗, 哪个更便宜."""
    spans = [(one.start, one.end) for one in sure if _points(one)]
    said = [one.start() for one in _THEY.finditer(text)]
    if any(start <= at < end for start, end in spans for at in said):
        return True
    cats, asked = {one.cat for one in sure}, {(one.cat, one.sem) for one in sure}
    is_dearest = {("ask", "which")} <= asked and "dear" in cats and "noun" not in cats
    return (("edit", "all") in asked or is_dearest) and not cats & {*_OF_ELSE} - {"peer"}


def _is_of_all(one: Token) -> bool:
    return (one.cat, one.sem) == ("edit", "all")


def _points(one: Token) -> bool:
    return (one.cat, one.sem) == ("follow", "these")


def _numbers(tokens: Sequence[Token], text: str) -> set[int]:
    """How many it points at: 三家, at the head; 他们三家."""
    spans = [(one.start, one.end) for one in tokens if one.is_sure and _points(one)]
    return {
        cast("int", one.sem)
        for one in tokens
        if (one.is_sure and _counts(one, text))
        or (one.cat == "COUNT" and any(at <= one.start and one.end <= end for at, end in spans))
    }


def _counts(one: Token, text: str) -> bool:
    is_head = one.cat == "COUNT" and _HEAD.search(text[: one.start])
    return one.cat == "THOSE" or bool(is_head)
