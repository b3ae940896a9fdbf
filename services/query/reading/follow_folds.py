"""What was told against a fold of a set: of one row of a list, of another fold."""

from collections.abc import Sequence
from dataclasses import replace

from services.query.algebra.nodes import Across, Expr, Query, walk
from services.query.algebra.scopes import named_symbols
from services.query.reading.errors import UnusedError
from services.query.reading.follow_companies import is_of_companies
from services.query.reading.follow_edits import told_list
from services.query.reading.follow_gaps import GAPS_SAID, value_told
from services.query.reading.follow_rows import pick_row
from services.query.reading.follow_shares import around_of, share_of_row
from services.query.reading.phrases import Fig, owned
from services.query.reading.predicates import Relation
from services.query.reading.request import Request
from services.query.reading.rows_told import rows_as_set, set_told
from services.query.reading.shapes import Market, listed, whole
from services.query.reading.shapes_relation import gap_of


def relate_row(request: Request, before: Sequence[Query], market: Market) -> Query:
    """最便宜那只比中位数低多少, 里面最大那只又占板块多少: one row of those told, with its figure
    against a fold, or as a share. Raises: UnusedError.
    """
    share = Relation("percent", Fig(), Fig(scope=request.scope, peer=request.peer))
    (said, *others) = request.relations or [share]
    last = before[-1]
    base = set_told(last) if last.rows == "one" or last.fold else last
    row = _row_asked(request, before, base, market)
    by = row.order[0].by if row.order else None
    if others or by is None or said.left != Fig() or is_of_companies(row):
        raise UnusedError("row against what")
    if said.how == "percent":
        return share_of_row(row, said.right or Fig(), market)
    if said.how not in GAPS_SAID or said.right is None:
        raise UnusedError("row against what")
    other = _of_another(said.right, by) or _fold_told(said.right, by, last)
    other = other or _fold(said.right, by, told_list((*before[:-1], base)), market)
    return row.model_copy(update={"show": (gap_of(GAPS_SAID[said.how], by, other), by, other)})


def _row_asked(request: Request, before: Sequence[Query], base: Query, market: Market) -> Query:
    """第二名, of those told in their order; 最便宜那只."""
    if request.place is None:
        return pick_row(Request(orders=request.orders, marks=request.marks), before, market)
    if request.rows_placed is None or not base.order or base.rows != "companies":
        raise UnusedError("place of what")
    return base.model_copy(update={"take": request.rows_placed})


def against_fold(said: Relation, last: Query, market: Market) -> Query | None:
    """比全市场中位数低多少, behind the median of a set: both folds, and what lies between; None
    where it is against anything else.
    """
    right, found = said.right, value_told(last) if last.fold else None
    if found is None or right is None or said.left != Fig() or said.how not in GAPS_SAID:
        return None
    if right.ents or not (right.agg or right.scope or right.peer):
        return None
    of, told = found
    how = right.agg or (told.how if isinstance(told, Across) else None)
    other = _fold(replace(right, agg=how), of, last, market)
    if other == told:
        raise UnusedError("against itself")
    return Query(rows="one", show=(gap_of(GAPS_SAID[said.how], told, other), told, other))


def _of_another(right: Fig, by: Expr) -> Expr | None:
    """比茅台便宜多少: the same figure of that company."""
    symbols = listed(right.ents) if right == Fig(ents=right.ents) else ()
    return owned(by, symbols[0]) if len(symbols) == 1 else None


def _fold_told(right: Fig, by: Expr, last: Query) -> Expr | None:
    """比中位数低多少, of those below the median of their industry: that one."""
    if right != Fig(agg=right.agg):
        return None
    told = [one for one in walk(last) if isinstance(one, Across) and one.of == by]
    meant = dict.fromkeys(one for one in told if one.how == right.agg)
    return next(iter(meant)) if len(meant) == 1 else None


def _fold(right: Fig, of: Expr, last: Query, market: Market) -> Across:
    """The fold of a figure over the set that is named, its whole industry, or those told."""
    names = ((), (getattr(of, "id", None),))
    is_fold = right == Fig(scope=right.scope, peer=right.peer, mets=right.mets, agg=right.agg)
    if right.agg is None or not is_fold or right.mets not in names:
        raise UnusedError("against what")
    if right.peer and is_of_companies(last):
        return Across(how=right.agg, of=of, own=right.peer)
    if right.scope is not None:
        within = whole(right.scope, market)
    else:
        within = around_of(right, last) if right.peer else rows_as_set(last)
    if named_symbols(within):
        raise UnusedError("against what")
    return Across(how=right.agg, of=of, within=within)
