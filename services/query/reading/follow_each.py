"""What is asked of each row of a list that was told: its place, how far it lies from its peers."""

from collections.abc import Sequence

from services.query.algebra.nodes import (
    Across,
    Change,
    Direction,
    Expr,
    In,
    Metric,
    Order,
    Own,
    Pred,
    Query,
    Rank,
    both,
    items_of,
)
from services.query.reading.errors import UnusedError
from services.query.reading.figures_compared import compared
from services.query.reading.follow_companies import is_of_companies
from services.query.reading.follow_edits import POINTING, told_list
from services.query.reading.phrases import Fig, dimensions
from services.query.reading.predicates import Relation
from services.query.reading.request import Request
from services.query.reading.set_gathered import natural_order
from services.query.reading.shapes import Market, listed, whole
from services.query.reading.shapes_company import companies, needed
from services.query.reading.shapes_relation import against_peers, gap_of


def list_told(before: Sequence[Query]) -> Query | None:
    """The list of companies, or the row of one, that was told last; None behind anything else."""
    last = before[-1]
    is_list = last.rows == "companies" and not (last.group or last.fold or is_of_companies(last))
    is_some = last.take is not None or last.where is not None or last.first is not None
    return (last if last.take else told_list(before)) if is_list and is_some else None


def each_placed(request: Request, told: Query, market: Market) -> Query:
    """食品饮料市值第三的是谁，它市盈率在行业里排第几: the place of each by that figure."""
    if request.said - _OF_PLACE or request.asks & {"pctile"}:
        raise UnusedError("place of what")
    of = _figure_of(Fig(mets=tuple(request.mets), when=request.when), told)
    own, within = _peers(request.peer, request.scope, told, market)
    way: Direction = "asc" if request.direction == "asc" else "desc"
    rank = Rank(of=of, within=within, own=own, direction=way)
    among = Across(how="count", of=of, within=within, own=own)
    return _shown(told, rank, of, among)


_OF_PLACE = frozenset(
    {"ask.rank", "ask.what", "mets", "when", "peer", "scope", "direction"}
    | {f"mark.{one}" for one in ("these", "ne", "way", "and", "in", "row")}
)


def place_in_list(request: Request, last: Query) -> Query:
    """招商银行排第几, behind a list by a figure: its place among all of those, in that order."""
    shown = tuple(Order(by=one) for one in last.show) if is_of_companies(last) else ()
    orders = last.order or shown or natural_order(last.where)  # of those named, by their figure
    by = orders[0].by if len(orders) == 1 else None
    is_plain = last.rows == "companies" and not (last.group or last.first or last.less)
    if request.said - POINTING - {"ask.rank", "ents"} or not is_plain or by is None:
        raise UnusedError("place in what")
    within = both(last.scope, last.where)
    rank = Rank(of=by, within=within, direction=orders[0].direction)
    among = Across(how="count", of=by, within=within)
    return Query(scope=companies(listed(request.ents)), show=(rank, by, among))


def each_against(said: Relation, told: Query, market: Market) -> Query:
    """…，它市盈率是行业中位数的几倍, how far below the median is it: each against its peers."""
    left, beside = against_peers(said, said.left)
    right = beside or Fig()
    is_of_peers = right == Fig(
        peer=right.peer, scope=right.scope, agg=right.agg, mets=right.mets, when=right.when
    )
    if said.how == "rate" or not is_of_peers or not (right.agg or right.peer):
        raise UnusedError("against what")
    if left != Fig(mets=left.mets, when=left.when) or (right.mets and right.mets != left.mets):
        raise UnusedError("against what")
    of, theirs = beside_peers(left, right, told, market)
    return _shown(told, *(gap_of(how, of, theirs) for how in (said.how, *said.also)), of, theirs)


def each_beside(request: Request, told: Query, market: Market) -> Query:
    """它们的市盈率和行业中位数比: each with that of its peers."""
    left = Fig(mets=tuple(request.mets), when=request.when)
    right = Fig(peer=request.peer, scope=request.scope, agg=request.agg)
    return _shown(told, *beside_peers(left, right, told, market))


def beside_peers(left: Fig, right: Fig, told: Query, market: Market) -> tuple[Expr, Across]:
    """A figure of each row, and what it comes to among its peers. Raises: UnusedError."""
    of = _figure_of(left, told)
    own, within = _peers(right.peer, right.scope, told, market)
    return of, Across(how=right.agg or "mean", of=of, own=own, within=within)


def _shown(told: Query, *shown: Expr) -> Query:
    return told.model_copy(update={"show": tuple(dict.fromkeys(shown))})


def _figure_of(phrase: Fig, told: Query) -> Metric | Change:
    """The figure said, or the one the list is in the order of, or its condition is of."""
    told_of = [one.by for one in told.order if one.by is not None] or compared(told.where)
    found = [needed(one, Fig(when=phrase.when)) for one in phrase.mets] or told_of
    of = found[0] if len(set(found)) == 1 else None
    if not isinstance(of, Metric | Change):
        raise UnusedError("which figure")
    return of


def _peers(
    peer: Own | None, scope: Pred | None, told: Query, market: Market
) -> tuple[Own | None, Pred | None]:
    """Among whom: the set that was said, the industry or the market of each; else the list's own
    set, which its industry is where the list is of one.
    """
    if scope is not None and peer is not None:
        raise UnusedError("scope")
    sets = both(*(one for one in items_of(told.scope) if isinstance(one, In)))
    if scope is not None:
        return None, whole(scope, market)
    if peer is not None and not (peer == "industry" and "industry" in dimensions(sets)):
        return peer, None
    return None, sets
