"""Turns that go on from what was asked for last, or from another list than the last: by the figure
that was asked for, without those within a bound of it, back to the list that was told before.
"""

from collections.abc import Sequence

from services.query.algebra.nodes import Expr, Query
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_compared import compared
from services.query.reading.figures_told import companies_of
from services.query.reading.follow_edits import POINTING, bound_of, list_gone_on_from
from services.query.reading.predicates import NOT_SIGN, negated
from services.query.reading.remade import in_place_of
from services.query.reading.request import Request


def by_what_was_asked(error: ChoiceError, before: Sequence[Query]) -> Query:
    """去掉顺丰再看平均, behind 市值前五 and then PE呢: of the figure that was asked for last.

    Raises: the choice, where none or several were.
    """
    asked = _asked_last(before)
    meant = [one for one in error.options if isinstance(one, Query) and one.folded == asked]
    if len(meant) != 1 or not asked:
        raise error
    return meant[0]


def _asked_last(before: Sequence[Query]) -> tuple[Expr, ...]:
    """The figures of a list that the newest turn asked for which asked for any."""
    for last, earlier in zip(before[:0:-1], before[-2::-1], strict=True):
        if last.rows != "companies" or earlier.rows != "companies":
            break
        had = [*earlier.show, *earlier.ordered_by]
        if asked := tuple(
            one for one in dict.fromkeys((*last.show, *last.ordered_by)) if one not in had
        ):
            return asked
    return ()


def cut_by_told(request: Request, before: Sequence[Query]) -> None:
    """低于三成的去掉: whoever is so by the figure that was asked for last, or by the one told that
    such a bound can be of; of none or of several it is a bound that names no figure.
    """
    if not request.cuts:
        return
    told = list_gone_on_from(request, before)
    for some in (_asked_last(before), (*told.show, *told.ordered_by, *compared(told.where))):
        tests = [bound_of(one, *cut) for one in dict.fromkeys(some) for cut in request.cuts]
        left = [negated(one) for one in tests if one is not None]
        if len(left) == len(request.cuts) == 1 and left[0] is not None:
            request.excluded.append(left[0])
            request.marks, request.cuts = request.marks | {"held"}, []
            return
    # lose anything smaller than 200 billion: a bound of none of those
    for sign, amount in request.cuts:
        if sign in NOT_SIGN:
            request.bounds.append((NOT_SIGN[sign], amount, None))
    request.cuts = []


def gone_back(before: Sequence[Query]) -> Sequence[Query]:
    """回到刚才那30家, behind the banks among them: the turns with the one list last that was told
    besides the newest. Raises: UnusedError where none or several were.
    """
    lists: list[tuple[Query, Query]] = []
    for one in before:
        if one.rows == "companies" and not one.having and not (one.group and one.take):
            told = one.but(fold=(), group=None, order=() if one.group else one.order)
            bare = told.but(show=(), order=told.order if told.take else ())
            lists = [*(kept for kept in lists if kept[0] != bare), (bare, told)]
    if len(lists) != 2 or before[-1].rows != "companies":
        raise UnusedError("back to which list")
    return (*before, lists[0][1])


def gap_moved(
    request: Request, last: Query, told: Sequence[str], there: Sequence[str]
) -> Query | None:
    """港股呢, behind what lies between two A shares: between theirs there."""
    is_same = told != there and not request.said - POINTING - {"scope"}
    is_of_both = is_same and len(companies_of(last)) < len(told) == len(there)
    return in_place_of(last, dict(zip(told, there, strict=True))) if is_of_both else None


def one_placed(symbols: Sequence[str], request: Request) -> tuple[str, ...]:
    """第二家, 后者: that one of the companies spoken of, in their order."""
    place = request.place if request.place else len(symbols)
    if request.ents or len(symbols) < 2 or place > len(symbols):
        raise UnusedError("place")
    return tuple(symbols[place - 1 : place - 1 + request.places])
