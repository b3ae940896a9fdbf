"""What a word says of those beside it: 这三家, that so many were told; 同样是酒, that all are."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import cast

from services.language.lattice import Token
from services.query.algebra.nodes import Metric, Not, Query, both, figures_in, items_of, walk
from services.query.algebra.scopes import named_symbols
from services.query.reading.chart import Edge, ParseChart
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_told import companies_told, is_of_companies
from services.query.reading.lists_told import list_named_from, list_picked_from, told_list
from services.query.reading.phrases import unit
from services.query.reading.request import Request
from services.query.reading.sets_said import sizes_of
from services.query.reading.shapes import Market, is_of

NOT_SO_MANY = (
    "前面说到的不是这么多家：指的是哪几家？",
    "Not as many as that were spoken of before: which ones are meant?",
)
_NOT_ALIKE = (
    "说到的公司不都属于这一类，请确认要比的是哪几家。",
    "Not all of the companies named are of that set: which ones are meant?",
)
PAIR = re.compile(r"两|兩|俩|both|\btwo\b|\bpair\b")
_OF_SO_MANY = re.compile(r"\bof (?:the|these|those)\b")
_NUMBERS = frozenset({"COUNT", "NUM", "THOSE"})
# As which a word for what is cheap or dear may be read.
_WAYS = frozenset({"sup", "ordsup", "higher", "cmp"})


def as_many_told(
    parts: Sequence[Edge], before: Sequence[Query], chart: ParseChart
) -> Sequence[Query]:
    """The turns before as a word sees them that points at so many: the last of them the list of
    which one row was told.

    Raises: ChoiceError where they told others than so many.
    """
    numbers = {*_numbers_pointed(parts, chart), *_numbers_asked_of(parts, chart)}
    if not numbers:
        return before
    lists = (list_picked_from(before), told_list(before), list_named_from(before))
    for seen in (before, *((*before, one) for one in lists if one is not None)):
        told = numbers_told(seen)
        if told is None or numbers <= told:
            return seen
    raise ChoiceError(NOT_SO_MANY, [])


def need_as_many_named(parts: Sequence[Edge], request: Request, chart: ParseChart) -> None:
    """Raises: UnusedError for such a word in a question by itself that names others, or nobody."""
    scopes = (request.scope, *(one.phrase.scope for one in request.orders))
    sizes = {len(request.ents), *(size for one in scopes for size in sizes_of(one))}
    for one in request.relations:
        sides = [len(side.ents) for side in (one.left, one.right) if side is not None]
        sizes |= {sum(sides), *sides}
    if not {*_numbers_pointed(parts, chart), *_numbers_of_names(parts)} <= sizes:
        raise UnusedError("so many were not named")


def need_alike(request: Request, market: Market) -> None:
    """同样是酒，汾酒的PE比茅台高吗: they are such, and no more is asked. 同样是银行，哪家便宜,
    which names none, is of the set.

    Raises: UnusedError; ChoiceError where one of them is none.
    """
    alike, request.alike = request.alike, []
    if not alike:
        return
    if not request.said:
        raise UnusedError("alike in what")
    sides = [side for one in request.relations for side in (one.left, one.right) if side]
    nodes = [one for pred in request.conds for one in walk(pred)]
    others = dict.fromkeys(one.of for one in nodes if isinstance(one, Metric) and one.of)
    ents = [*request.ents, *(one for side in sides for one in side.ents)]
    ents += [one for sort in request.orders for one in sort.phrase.ents]
    ents += [(one,) for one in others]
    if not ents:
        request.scope = both(request.scope, *alike)
    elif not all(is_of(one, pred, market) for one in ents for pred in alike):
        raise ChoiceError(_NOT_ALIKE, [])


def need_price(query: object, leaves: Sequence[Token], tokens: Sequence[Token]) -> None:
    """最便宜, 比同行贵吗: of what a share costs.

    Raises: UnusedError where the query is of no such figure.
    """
    if not isinstance(query, Query):
        return
    dear = {(one.start, one.end) for one in tokens if one.cat == "dear"}
    said = [one for one in leaves if (one.start, one.end) in dear and one.cat in _WAYS]
    named = figures_in(query.but(first=None))
    if said and not any(one == "close" or unit(one) == "multiple" for one in named):
        raise UnusedError("dear of what")


def numbers_told(before: Sequence[Query]) -> frozenset[int] | None:
    """How many companies, or industries, one may point at together behind those turns; None where
    nobody knows: of a list that is as long as its conditions make it.
    """
    if not before:
        return frozenset()
    last = before[-1]
    if last.rows == "one":
        return None
    if is_of_companies(last):
        return _companies_named(before)
    named = named_symbols(last.scope)
    sizes = {len(named)} if named else {*sizes_of(last.scope)} if last.group else set[int]()
    if last.take is None or last.take.per:
        return frozenset(sizes) or None
    if last.take.count == 1:
        return frozenset({1})
    if last.where is not None or last.having:
        return None
    return frozenset({*sizes, last.take.count - _left_out(last)})


def _left_out(last: Query) -> int:
    """How many of the first so many are to go: 去掉招行, of the first five."""
    gone = [one.item for one in items_of(last.scope) if isinstance(one, Not)]
    named = {symbol for one in gone for symbol in named_symbols(one) or ()}
    return len(named) if last.first is not None else 0


def _companies_named(before: Sequence[Query]) -> frozenset[int]:
    """Those of the last turn, and with them those of the turn before it, and so on."""
    sizes, found = set[int](), dict[str, None]()
    for one in reversed(before):
        if not is_of_companies(one) or one.rows == "one":
            break
        found |= dict.fromkeys(companies_told(one))
        sizes.add(len(found))
    return frozenset(sizes)


def _numbers_of_names(parts: Sequence[Edge]) -> Iterator[int]:
    """茅台、五粮液、洋河这两家: behind names it is of all of them."""
    for part in parts:
        for one, other in pairwise(part.leaves):
            if one.cat == "ENT" and other.cat in ("THOSE", "COUNT"):
                yield cast("int", other.sem)


def _numbers_asked_of(parts: Sequence[Edge], chart: ParseChart) -> Iterator[int]:
    """两家的市盈率, at the head of a turn: of so many that were told."""
    leaves = [leaf for part in parts for leaf in part.leaves]
    those = {one.end for one in chart.tokens if (one.cat, one.sem) == ("follow", "these")}
    for one in leaves[:1]:
        if one.cat == "COUNT" and one.start == 0 and one.end in those and len(leaves) > 1:
            yield cast("int", one.sem)


def _numbers_pointed(parts: Sequence[Edge], chart: ParseChart) -> Iterator[int]:
    for leaf in (leaf for part in parts for leaf in part.leaves):
        said = chart.text[leaf.start : leaf.end]
        asks = (leaf.cat, leaf.sem) == ("ask", "which") and _OF_SO_MANY.search(said)
        if not asks and (leaf.cat, leaf.sem) != ("follow", "these"):
            continue
        if found := [one for one in chart.tokens if _is_number_in(one, leaf)]:
            yield max(cast("int", one.sem) for one in found)
        elif PAIR.search(said):
            yield 2


def _is_number_in(token: Token, leaf: Token) -> bool:
    return token.cat in _NUMBERS and leaf.start <= token.start and token.end <= leaf.end
