"""Which of the lists told before a turn goes on from: that of which one row, a fold or one of its
companies was told last.
"""

from collections.abc import Iterator, Sequence

from services.query.algebra.nodes import In, Not, Query, Take
from services.query.reading.chart import Edge
from services.query.reading.errors import UnusedError
from services.query.reading.figures_told import companies_of, is_of_companies
from services.query.reading.predicates import IT, TakenOut
from services.query.reading.request import Request
from services.query.reading.shapes import EASY

# Words that point at what was spoken of, or ask without saying what for.
POINTING = frozenset({"mark.these", "mark.ne", "mark.only", "mark.swap"}) | EASY


def list_gone_on_from(request: Request, before: Sequence[Query]) -> Query:
    """The list a count or a fold was of, or one row of it was told alone, with its order and its
    figures; else the last query itself.
    """
    last = before[-1]
    is_next = request.take == 1 and not request.said - POINTING - {"take"}  # 头一名呢: of it
    # 加上比亚迪一起比, behind the cheapest of them
    is_joined = {"mark.add", "ents"} <= request.said
    if is_joined and (every := list_picked_from(before)) is not None:
        return every.but(show=tuple(dict.fromkeys((*every.show, *last.ordered_by))))
    goes_beyond = bool(request.said & _BEYOND_A_ROW) and not is_next
    if goes_beyond and (every := list_picked_from(before)) is not None:
        return every
    is_by_another = any(one.phrase.mets for one in request.orders)
    if is_by_another and last.take == Take(count=1) and not (last.group or last.first):
        return last.but(order=(), take=None, show=())  # 哪家净利率最高, behind the largest of a set
    is_list = last.rows != "companies" or last.group or not last.fold
    return last if is_list else told_list(before)


# What is asked of the whole list, whichever row of it was told last.
_BEYOND_A_ROW = frozenset({
    "orders", "take", "agg", "count", "scope", "excluded", "conds", "bounds", "gone",
    "mark.member",
})  # fmt: skip


def list_picked_from(before: Sequence[Query]) -> Query | None:
    """The list of which the last query told one row alone: its first, or its second in the same
    order; None where none was told.
    """
    last = before[-1]
    take = last.take if last.rows == "companies" and not last.group else None
    if take is None or take.count != 1 or take.per:
        return None
    alike = ("order",) if take.skip else ()
    for one in _lists_behind(before):
        is_several = one.take is None or one.take.count > 1
        if is_several and (one.but(show=()) == last.first or _are_of_one(one, last, *alike)):
            return one
    return None


def _is_row_of(last: Query) -> bool:
    """Whether it told one row of a list: its second one."""
    is_second = last.take is not None and last.take.count == 1 and bool(last.take.skip)
    is_list = last.rows == "companies" and not last.group
    return is_list and is_second


def told_list(before: Sequence[Query]) -> Query:
    """The list that the last query told a row, a fold or the number of."""
    last = before[-1]
    if _is_row_of(last):
        return list_picked_from(before) or last
    lists = (one for one in _lists_behind(before) if _are_of_one(one, last, "take"))
    return next(lists, last if not last.take else last.but(fold=()))


def list_named_from(before: Sequence[Query]) -> Query | None:
    """The list before what was asked of companies by their names; None behind other turns."""
    is_of_names = bool(before) and is_of_companies(before[-1])
    return next(_lists_behind(before), None) if is_of_names else None


def list_asked_of(request: Request, before: Sequence[Query]) -> Query | None:
    """这几家谁最低, 其中哪些破净, behind what was asked of one by its name: the list before it."""
    return list_named_from(before) if request.said & _BEYOND_A_ROW else None


def it_gone(
    parts: Sequence[Edge], before: Sequence[Query]
) -> tuple[Sequence[Edge], Sequence[Query]]:
    """把它去掉, behind one of a list: who is to go, and the turns up to that list.

    Raises: UnusedError where no one company of a list was told.
    """
    if not any((one.cat, one.sem) == ("GONE", IT) for one in parts):
        return parts, before
    last, take = before[-1], before[-1].take
    named, listed = list_named_from(before), list_picked_from(before)
    if named is not None and len(gone := companies_of(last)) == 1:
        out = TakenOut(Not(item=In(dim="symbol", values=tuple(gone))))
        changed, found = {"cat": "EXCL", "sem": out}, named
    elif listed is not None and take is not None:
        changed, found = {"sem": take.skip + 1}, listed
    else:
        raise UnusedError("who is to go")
    kept = [one._replace(**changed) if one.sem == IT else one for one in parts]
    return kept, (*before, found)


def _lists_behind(before: Sequence[Query]) -> Iterator[Query]:
    """The lists told before the last query, the newest first."""
    for one in reversed(before[:-1]):
        is_several = one.rows == "companies" and len(companies_of(one)) != 1
        if is_several and not (one.group or one.fold or _is_row_of(one)):
            yield one


def _are_of_one(one: Query, other: Query, *alike: str) -> bool:
    """Whether they list the same companies, alike in those fields too."""
    kept = ("scope", "where", "first", "less", *alike)
    return all(getattr(one, name) == getattr(other, name) for name in kept)
