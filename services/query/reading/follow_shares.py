"""What was told as a share of more: of a set, of its industry, of another figure, of them all."""

from collections.abc import Sequence
from dataclasses import replace

from services.query.algebra.dimensions import is_additive
from services.query.algebra.nodes import (
    Across,
    Arith,
    In,
    Metric,
    Query,
)
from services.query.reading.figures_said import join_figures
from services.query.reading.follow_companies import is_of_companies, time_of
from services.query.reading.follow_edits import replaced, same_of_set, told_list
from services.query.reading.follow_gaps import companies_of
from services.query.reading.phrases import Fig, said_as
from services.query.reading.predicates import Relation
from services.query.reading.request import Request, UnusedError
from services.query.reading.shapes import Market, listed, made, whole
from services.query.reading.shapes_company import companies
from services.query.reading.shapes_place import SHAPES as OF_COMPANIES
from services.query.reading.shapes_share import share_of_part, whole_said
from services.query.reading.shapes_times import SHAPES as OF_TIMES


def share_of(request: Request, before: Sequence[Query], market: Market) -> Query:
    """占A股银行的几成, 加起来占全行业多少: what was told last, of the whole of a set."""
    last, said = before[-1], request.relations[0]
    left = said.left
    if said.how != "percent" or said.right is None or left != Fig(mets=left.mets, agg=left.agg):
        raise UnusedError("share")
    right = whole_said(said.right)
    if last.fold or not is_of_companies(last):
        request.mets, request.agg = [*request.mets, *left.mets], request.agg or left.agg
        return _share_of_told(request, before, right, market)
    if left != Fig():
        raise UnusedError("share of another figure")
    if right == Fig(peer=right.peer):
        return _share_of_peers(last, right)
    if right == Fig(mets=right.mets):
        return _share_of_figure(last, right.mets, market)
    if right != Fig(scope=right.scope):
        raise UnusedError("share")
    if len(companies_of(last)) == 1 and len(last.show) == 1 and isinstance(last.show[0], Metric):
        of = last.show[0]
        around = Across(how="sum", of=of, within=whole(right.scope, market))
        return Query(scope=last.scope, show=(Arith(how="percent", left=of, right=around), of))
    raise UnusedError("share of what")


def bare_share(request: Request, before: Sequence[Query], market: Market) -> Query:
    """占比, 合计占几成, 创业板占比呢: those told, of the set they are of; those of another set, of
    whom their condition holds.
    """
    last = before[-1]
    if last.rows == "one" and request.agg is None:
        return same_of_set(replace(request, asks=request.asks - {"share"}), last, market)
    if is_of_companies(last):
        raise UnusedError("share of what")
    if request.scope is not None:
        if last.where is None or last.take:
            raise UnusedError("share of whom")
        scope = replaced(last.scope, request.scope, market)
        before = [*before[:-1], last.model_copy(update={"scope": scope})]
    is_group = request.peer == last.group  # 前三个行业占多少
    right = Fig(peer=None if is_group else request.peer)
    return _share_of_told(request, before, right, market)


def _share_of_told(request: Request, before: Sequence[Query], right: Fig, market: Market) -> Query:
    last = before[-1]
    told = told_list(before) if last.order and not last.fold else last
    return share_of_part(request, told, right, market)


def _share_of_peers(last: Query, right: Fig) -> Query:
    """占全行业多少, behind a figure of a company: of all of its industry."""
    of = last.show[0] if len(last.show) == 1 else None
    is_amount = isinstance(of, Metric) and is_additive(of) and of.of is None
    if len(companies_of(last)) != 1 or not isinstance(of, Metric) or not is_amount:
        raise UnusedError("share of what")
    whole_of = Across(how="sum", of=of, own=right.peer)
    part = Arith(how="percent", left=of, right=whole_of)
    return Query(scope=last.scope, show=(part, of, whole_of))


def _share_of_figure(last: Query, figures: Sequence[str], market: Market) -> Query:
    """占营收百分之几: the figure told last, of another of the same company and time."""
    symbols, told = companies_of(last), said_as(last.show[0]) if len(last.show) == 1 else None
    if not symbols or told is None or told[1] or len(figures) != 1:
        raise UnusedError("share of what")
    name = join_figures(told[0], "%", figures[0])
    if name is None:
        raise UnusedError("units")
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
