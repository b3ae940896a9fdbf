"""Rows of the answer before, picked by their place in it: 市值大的那家, 最高的比最低的高多少."""

from collections.abc import Sequence
from dataclasses import replace

from services.query.algebra.nodes import (
    Across,
    Compare,
    Const,
    Direction,
    Expr,
    Fold,
    Metric,
    Order,
    Query,
    Take,
    items_of,
)
from services.query.algebra.scopes import named_symbols
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_compared import compared
from services.query.reading.figures_said import is_of_years, unit
from services.query.reading.figures_told import BY_WHAT, rows_as_set, set_told, time_of
from services.query.reading.follow_companies import is_of_companies
from services.query.reading.follow_edits import among_rows, list_gone_on_from
from services.query.reading.phrases import Fig
from services.query.reading.predicates import Relation, Sort
from services.query.reading.request import Request
from services.query.reading.set_gathered import natural_order
from services.query.reading.shapes import Market
from services.query.reading.shapes_company import needed
from services.query.reading.shapes_relation import gap_of


def pick_row(request: Request, before: Sequence[Query], market: Market) -> Query:
    """最高的那家总市值多少: of those told the one that is highest, and what is asked of it.

    Raises: UnusedError; ChoiceError where several figures of them were told.
    """
    del market
    last, sort = list_gone_on_from(request, before), request.orders[0]
    if last.rows == "days" and last.where is not None:
        return _pick_day(request, last)
    last = set_told(last) if last.rows == "one" or last.fold else last
    if last.rows != "companies" or last.group or last.check or request.orders[1:]:
        raise UnusedError("row of what")
    _check_whom(sort, last)
    _check_size(sort, before[-1])
    way: Direction = "asc" if sort.direction == "asc" else "desc"
    each = [_picked(request, last, Order(by=by, direction=way)) for by in _ordered_by(last, sort)]
    if len(each) != 1:
        raise ChoiceError(BY_WHAT, each)
    return each[0]


def has_winner(last: Query) -> bool:
    """Whether it told which of the companies it names is first."""
    is_of_several = is_of_companies(last) and len(named_symbols(last.scope) or ()) > 1
    return is_of_several and last.rows == "companies" and last.take is None and len(last.order) == 1


def of_winner(request: Request, before: Sequence[Query], market: Market) -> Query:
    """Payout ratio for that one, behind which of three yields the most: of the first of them."""
    del market
    last = before[-1]
    if not has_winner(last) or not request.mets:
        raise UnusedError("who is first")
    return _picked(request, last, last.order[0])


def _check_whom(sort: Sort, last: Query) -> None:
    """Raises: UnusedError where it is of others than those told: the cheapest of the five."""
    named = len(named_symbols(last.scope) or ())
    told = last.take.count if last.take is not None else named
    if sort.take not in (None, told) or (is_of_companies(last) and named == 1):
        raise UnusedError("of how many")


def _check_size(sort: Sort, last: Query) -> None:
    """Raises: UnusedError where the largest of those counted is so by what they were counted by:
    最大的那只, behind how many swung by more than 10%.
    """
    is_number = [one.of for one in last.fold] == [None]
    tested = [one for one in compared(last.where) if not isinstance(one, Const)]
    if sort.is_size and is_number and tested and not _of_unit(tested, "money"):
        raise UnusedError("largest by what")


def _pick_day(request: Request, last: Query) -> Query:
    """The biggest one, behind the days that fell by more than 5%: that of the deepest fall."""
    tests = [one for one in items_of(last.where) if isinstance(one, Compare)]
    (sort, *others) = request.orders
    if len(tests) != 1 or others or request.mets or sort.phrase != Fig() or sort.is_price:
        raise UnusedError("day of what")
    by, is_fall = tests[0].left, tests[0].sign in ("lt", "le")
    way: Direction = "asc" if (sort.direction == "asc") is not is_fall else "desc"
    order = (Order(by=by, direction=way),)
    return last.model_copy(
        update={"fold": (), "show": (by,), "order": order, "take": Take(count=1)}
    )


def _picked(request: Request, last: Query, order: Order) -> Query:
    time = time_of(last)
    is_price = any(one.is_price for one in request.orders)
    is_which = is_price and is_of_companies(last) and not request.mets
    if is_which and order.by is not None:  # which is cheaper, of two: both of them
        return Query(scope=last.scope, order=(order,), show=(order.by,))
    asked: list[Expr] = [
        needed(one, Fig(when=request.when or (time if is_of_years(one) else None)))
        for one in request.mets
    ]
    told = () if is_of_companies(last) else last.show
    show = [*asked, order.by] if order.by is not None else asked
    is_same = last.take is None or last.order == (order,)
    take = Take(count=1, skip=last.take.skip if last.take is not None and is_same else 0)
    among = last if is_same else among_rows(last)
    kept: dict[str, object] = {"order": (order,), "take": take}
    return among.model_copy(update=kept | {"show": tuple(dict.fromkeys([*told, *show]))})


def without_row(request: Request, before: Sequence[Query], market: Market) -> Query:
    """去掉第一家, 把最贵的拿掉再算: those told without that one, folded again where they were."""
    del market
    last, gone = before[-1], request.gone[0]
    is_of_each = last.take is not None and last.take.per is not None
    if len(request.gone) > 1 or last.rows != "companies" or last.group or is_of_each:
        raise UnusedError("row of what")
    rows = last.model_copy(update={"fold": ()})
    if isinstance(gone, Sort):
        row = _extreme(last, rows, gone)
    else:
        rows = rows.model_copy(update={"order": last.order or natural_order(last.where)})
        row = rows.model_copy(update={"take": _place(rows, gone)})
    row = row.model_copy(update={"show": ()})
    if last.take is None:
        return rows.model_copy(update={"less": (*last.less, row), "fold": last.fold})
    return among_rows(rows, less=(row,), fold=last.fold)


def _extreme(last: Query, rows: Query, gone: Sort) -> Query:
    by = _ordered_by(last, gone)
    if len(by) != 1:
        raise UnusedError("row by what")
    order = Order(by=by[0], direction="asc" if gone.direction == "asc" else "desc")
    among = rows if last.take is None else among_rows(rows)
    return among.model_copy(update={"order": (order,), "take": Take(count=1)})


def _place(rows: Query, place: int) -> Take:
    """The row of that place; 0 is the last one. Raises: UnusedError where there is none."""
    skip, count = (rows.take.skip, rows.take.count) if rows.take is not None else (0, None)
    is_there = place <= count if count is not None else place > 0
    if not rows.order or not is_there:
        raise UnusedError("row")
    return Take(count=1, skip=skip + (place or count or 1) - 1)


def between_ends(said: Relation, last: Query) -> Query:
    """最高的比最低的贵多少, 是最小的几倍: of the one figure of all that were told."""
    of = _ordered_by(last, Sort(Fig(), None))
    if len(of) != 1 or last.fold:
        raise UnusedError("ends of what")
    if said.right is None or said.how == "rate":
        raise UnusedError("ends of what")
    beside: Fold = "min" if said.right.agg == "max" else "max"
    folds = (said.left.agg or beside, said.right.agg)
    one, other = (Across(how=how, of=of[0], within=rows_as_set(last)) for how in folds if how)
    return Query(rows="one", show=(gap_of(said.how, one, other), one, other))


def _ordered_by(last: Query, sort: Sort) -> Sequence[Expr]:
    """What the rows are held against each other by: what is said, else the figures told. The
    cheapest is so by a multiple, the biggest by an amount. Raises: UnusedError.
    """
    said = sort.phrase
    if said != Fig(mets=said.mets, when=said.when) or len(said.mets) > 1:
        raise UnusedError("row by what")
    if said.mets:
        return [needed(said.mets[0], replace(said, mets=()))]
    told = [one.of for one in last.fold if one.of is not None]
    by = [one.by for one in last.order[:1] if one.by is not None]
    told = told or list(dict.fromkeys([*by, *last.show]))
    told = told or [one for one in compared(last.where) if not isinstance(one, Const)]
    if sort.is_price:
        return _of_unit(told, "multiple") or [needed("pe_ttm", Fig())]
    if sort.is_size:
        return _of_unit(told, "money") or [needed("market_cap", Fig())]
    return list(dict.fromkeys(told))


def _of_unit(told: Sequence[Expr], kind: str) -> Sequence[Expr]:
    return [one for one in told if isinstance(one, Metric) and unit(one.id) == kind]
