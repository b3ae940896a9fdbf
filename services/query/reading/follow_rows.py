"""Rows of the answer before, picked by their place in it: 市值大的那家, 最高的比最低的高多少."""

from collections.abc import Sequence
from dataclasses import replace

from services.query.algebra.nodes import Across, Const, Expr, Metric, Order, Query, Take, both
from services.query.reading.figures_compared import compared
from services.query.reading.figures_said import is_of_years, unit
from services.query.reading.follow_companies import is_of_companies, time_of
from services.query.reading.follow_edits import POINTING, among_rows, list_gone_on_from
from services.query.reading.phrases import Fig
from services.query.reading.predicates import Relation
from services.query.reading.request import Request, UnusedError
from services.query.reading.shapes_company import needed
from services.query.reading.shapes_relation import gap_of


def pick_row(request: Request, before: Sequence[Query]) -> Query:
    """最高的那家总市值多少: of those told the one that is highest, and what is asked of it."""
    last, sort = list_gone_on_from(request, before), request.orders[0]
    if request.said - POINTING - {"orders", "mets", "when", "mark.add"} or len(request.orders) > 1:
        raise UnusedError("row")
    if last.rows != "companies" or last.group or last.fold or last.check is not None:
        raise UnusedError("row of what")
    by = _ordered_by(last, sort.phrase, is_price=sort.is_price)
    time = time_of(last)
    asked = [
        needed(one, Fig(when=request.when or (time if is_of_years(one) else None)))
        for one in request.mets
    ]
    order = Order(by=by, direction="asc" if sort.direction == "asc" else "desc")
    show = tuple(dict.fromkeys([by, *asked] if is_of_companies(last) else [*last.show, *asked, by]))
    is_same = last.take is None or last.order == (order,)
    among = last if is_same else among_rows(last)
    skip = last.take.skip if last.take is not None and is_same else 0
    kept = {"order": (order,), "take": Take(count=1, skip=skip), "show": show}
    return among.model_copy(update=kept)


def between_ends(said: Relation, last: Query) -> Query:
    """最高的比最低的贵多少: of the one figure of all that were told."""
    of = _ordered_by(last, Fig())
    if last.rows != "companies" or last.group or last.take or last.first or last.less or last.fold:
        raise UnusedError("ends of what")
    assert said.right is not None  # noqa: S101 — as ends are said
    folds = (said.left.agg, said.right.agg)
    one, other = (
        Across(how=how, of=of, within=both(last.scope, last.where)) for how in folds if how
    )
    return Query(rows="one", show=(gap_of(said.how, one, other), one, other))


def _ordered_by(last: Query, said: Fig, *, is_price: bool = False) -> Expr:
    """What the rows are held against each other by: what is said, else the one figure told. The
    cheapest is so by a multiple. Raises: UnusedError.
    """
    if said != Fig(mets=said.mets, when=said.when) or len(said.mets) > 1:
        raise UnusedError("row by what")
    if said.mets:
        return needed(said.mets[0], replace(said, mets=()))
    told = [one.by for one in last.order[:1] if one.by is not None]
    told = told or [one for one in last.show if isinstance(one, Metric)]
    told = told or [one for one in compared(last.where) if not isinstance(one, Const)]
    if is_price and not (isinstance(told[0], Metric) and unit(told[0].id) == "multiple"):
        return needed("pe_ttm", Fig())
    if len(dict.fromkeys(told)) != 1:
        raise UnusedError("row by what")
    return told[0]
