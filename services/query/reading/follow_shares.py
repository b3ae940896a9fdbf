"""What was told as a share of more: of a set, of its industry, of another figure, of them all."""

from collections.abc import Sequence
from dataclasses import replace

from services.query.algebra.dimensions import is_additive
from services.query.algebra.nodes import (
    TIMED,
    Across,
    Arith,
    Expr,
    Folded,
    In,
    Metric,
    Pred,
    Query,
    both,
    items_of,
)
from services.query.algebra.scopes import markets_of
from services.query.reading.errors import UnusedError
from services.query.reading.figures_said import join_figures
from services.query.reading.figures_told import set_told, time_of
from services.query.reading.follow_companies import companies_of, is_of_companies
from services.query.reading.follow_edits import replaced, same_of_set, told_list
from services.query.reading.phrases import Fig, dimensions, said_as
from services.query.reading.predicates import Relation
from services.query.reading.request import Request
from services.query.reading.shapes import Market, listed, made, whole
from services.query.reading.shapes_company import companies, needed
from services.query.reading.shapes_place import SHAPES as OF_COMPANIES
from services.query.reading.shapes_share import share_of_number, share_of_part, whole_said
from services.query.reading.shapes_times import SHAPES as OF_TIMES


def share_of(request: Request, before: Sequence[Query], market: Market) -> Query:
    """占A股银行的几成: what was told last, of the whole of a set; 前五名加起来占整个行业多少: the
    total of the first so many of a list.
    """
    said = request.relations[0]
    left, right = said.left, said.right or Fig()
    if said.how != "percent" or left != Fig(mets=left.mets, agg=left.agg, apart=left.apart):
        raise UnusedError("share")
    if left == Fig() and right == Fig(mets=right.mets):
        return _share_of_figure(before[-1], right.mets, market)
    bare = Fig(scope=right.scope, peer=right.peer)
    if left.agg not in (None, "sum") or replace(right, mets=()) != bare or bare == Fig():
        raise UnusedError("share")
    last = before[-1]
    named = [*request.mets, *left.mets, *right.mets]
    if len(companies_of(last)) == 1 or (left.apart and not (left.agg or request.agg)):
        each = last if is_of_companies(last) else told_list(before)
        return _share_of_each(each, named, right, market)
    return _share_of_set(replace(request, mets=named), before, right, market)


def bare_share(request: Request, before: Sequence[Query], market: Market) -> Query:
    """占比, 创业板占比呢: those told, or those of another set, of whom their condition holds; the
    total of the first so many: of all of that set.
    """
    last = before[-1]
    if last.rows == "one" and request.agg is None:
        return same_of_set(replace(request, asks=request.asks - {"share"}), last, market)
    if request.agg not in (None, "sum"):
        raise UnusedError("share of what")
    if request.agg or "sum2" in request.asks or any(one.how == "sum" for one in last.fold):
        return _share_of_set(request, before, Fig(), market)
    is_number = [one.of for one in last.fold] in ([], [None]) and not is_of_companies(last)
    if not is_number or last.rows != "companies" or last.scope is None:
        raise UnusedError("share of what")
    if request.scope is not None:
        last = last.model_copy(update={"scope": replaced(last.scope, request.scope, market)})
    return share_of_number(last, last.scope or market.whole)


def share_of_peers(request: Request, before: Sequence[Query], market: Market) -> Query:
    """What share of the sector's market cap are they. Raises: UnusedError."""
    around = Fig(peer=request.peer, mets=tuple(request.mets))
    again = replace(request, relations=[Relation("percent", Fig(), around)], mets=[])
    return share_of(again, before, market)


def share_of_row(row: Query, right: Fig, market: Market) -> Query:
    """最大那只又占板块多少: one row of a list, of a whole set by the figure it is first by."""
    by = row.order[0].by if len(row.order) == 1 else None
    if by is None or right != Fig(scope=right.scope, peer=right.peer):
        raise UnusedError("share of what")
    total = _total(by, row, right, market)
    return row.model_copy(update={"show": (Arith(how="percent", left=by, right=total), by, total)})


def around_of(right: Fig, last: Query) -> Pred:
    """The whole that is meant by 全行业, 整个市场, of a list; of none its own set."""
    sets = [one for one in items_of(last.scope) if isinstance(one, In) and one.dim != "symbol"]
    if right.peer == "market":
        return In(dim="market", values=markets_of(last.scope))
    kept = ("market", "industry") if right.peer else ("market", "industry", "exchange", "board")
    found = both(*(one for one in sets if one.dim in kept))
    if found is None or (right.peer and "industry" not in dimensions(found)):
        raise UnusedError("share of what")
    return found


def _total(of: Expr, last: Query, right: Fig, market: Market) -> Across:
    if not isinstance(of, Metric) or of.of is not None or not is_additive(of):
        raise UnusedError("sum of what")
    if right.scope is not None:
        return Across(how="sum", of=of, within=whole(right.scope, market))
    if is_of_companies(last):
        return Across(how="sum", of=of, own=right.peer)
    return Across(how="sum", of=of, within=around_of(right, last))


def _share_of_each(last: Query, named: Sequence[str], right: Fig, market: Market) -> Query:
    """占全行业多少, behind a figure of one company; 各占多少, of several: of all of that set."""
    by = [one.by for one in last.order[:1] if one.by is not None and not is_of_companies(last)]
    told = by or list(last.show)
    of = needed(named[0], Fig(when=time_of(last))) if len({*named}) == 1 else (*told, None)[0]
    if of is None or (len(told) > 1 and not named) or len({*named}) > 1:
        raise UnusedError("share of what")
    total = _total(of, last, right, market)
    return last.model_copy(update={"show": (Arith(how="percent", left=of, right=total), of, total)})


def _share_of_set(request: Request, before: Sequence[Query], right: Fig, market: Market) -> Query:
    """The number of companies, or their total, of those of a whole they are a part of."""
    last = before[-1]
    if last.rows == "one":
        rows = set_told(last)
        part = Query(scope=rows.scope, fold=(Folded(how="sum", of=rows.show[0]),))
    else:
        part = last if last.fold or last.group else told_list(before)
        if part.first is not None and part.order and not part.fold:  # some of the first five by it
            request = replace(request, agg=request.agg or "sum")
    return share_of_part(request, part, whole_said(right), market)


def _share_of_figure(last: Query, figures: Sequence[str], market: Market) -> Query:
    """占营收百分之几: the figure told last, of another of its company and time; 占当年营收多少:
    of the year that was found.
    """
    symbols, told = companies_of(last), said_as(last.show[0]) if len(last.show) == 1 else None
    if not symbols or told is None or told[1] or len(figures) != 1:
        raise UnusedError("share of what")
    name = join_figures(told[0], "%", figures[0])
    if name is None:
        raise UnusedError("units")
    if last.rows in TIMED:
        shown = [needed(one, Fig(), own=True) for one in (name, figures[0])]
        return last.model_copy(update={"show": tuple(dict.fromkeys([*last.show, *shown]))})
    again = Request(ents=[(one,) for one in symbols], mets=[name], when=time_of(last))
    return made(again, (*OF_TIMES, *OF_COMPANIES), market)


def share_of_all(said: Relation, last: Query) -> Query:
    """茅台占几成, behind a figure of several companies or its total: of all of them."""
    (member,) = listed(said.left.ents)
    among = last.scope.values if isinstance(last.scope, In) and last.scope.dim == "symbol" else ()
    sums = [one.of for one in last.fold if one.how == "sum" and one.of is not None]
    of = (sums or [*last.show, None])[0]
    if not isinstance(of, Metric) or not is_additive(of) or len(last.show) > 1:
        raise UnusedError("share of what")
    if member not in among or len(among) < 2 or last.where is not None or of.of is not None:
        raise UnusedError("share of whom")
    total = Across(how="sum", of=of, within=companies(among))
    return Query(
        scope=companies([member]), show=(Arith(how="percent", left=of, right=total), of, total)
    )
