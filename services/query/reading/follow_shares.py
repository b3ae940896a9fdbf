"""What was told as a share of more: of a set, of its industry, of another figure, of them all."""

from collections.abc import Sequence
from dataclasses import replace

from services.core.catalogue import CATALOGUE
from services.query.algebra.nodes import Across, Arith, Expr, In, Metric, Pred, Query, both
from services.query.reading.figures_said import join_figures
from services.query.reading.follow_companies import is_of_companies, time_of
from services.query.reading.follow_edits import replaced, same_of_set, told_list
from services.query.reading.follow_gaps import companies_of
from services.query.reading.phrases import Fig, Time, dimensions, said_as
from services.query.reading.predicates import Relation, Sort, TopShare
from services.query.reading.request import Request, UnusedError
from services.query.reading.shapes import Market, listed, made, whole
from services.query.reading.shapes_company import companies
from services.query.reading.shapes_place import SHAPES as OF_COMPANIES
from services.query.reading.shapes_set import number_share, share_of_first
from services.query.reading.shapes_times import SHAPES as OF_TIMES


def share_of(request: Request, before: Sequence[Query], market: Market) -> Query:
    """占A股银行的几成: what was told last, of the whole of a set."""
    last, said = before[-1], request.relations[0]
    right = said.right
    if said.how != "percent" or right is None or said.left != Fig():
        raise UnusedError("share")
    is_list = last.order and not (last.where or is_of_companies(last))
    if (right.peer or right.scope) and is_list:
        return share_of_first_told(request, before, market)
    if right == Fig(peer=right.peer):
        return _share_of_peers(last, right)
    if right == Fig(mets=right.mets):
        return _share_of_figure(last, right.mets, market)
    if right.scope is None:
        raise UnusedError("share")
    if right != Fig(scope=right.scope) or last.group or last.first or last.less or last.take:
        raise UnusedError("share")
    around = whole(right.scope, market)
    is_screen = last.where is not None and not last.fold and not is_of_companies(last)
    if is_screen or [one.of for one in last.fold] == [None]:
        return _share_of_number(last, around)
    if len(last.fold) == 1 and last.fold[0].how == "sum" and last.fold[0].of is not None:
        of = last.fold[0].of
        part: Expr = Across(how="sum", of=of, within=both(last.scope, last.where))
        return Query(
            rows="one",
            show=(Arith(how="percent", left=part, right=Across(how="sum", of=of, within=around)),),
        )
    if len(companies_of(last)) == 1 and len(last.show) == 1 and isinstance(last.show[0], Metric):
        of = last.show[0]
        made = Arith(how="percent", left=of, right=Across(how="sum", of=of, within=around))
        return Query(scope=last.scope, show=(made, of))
    raise UnusedError("share of what")


def _share_of_number(last: Query, around: Pred) -> Query:
    """占全部A股的百分之几, behind how many there are: of those that have the figure."""
    if last.where is None or last.group or last.first or last.less or last.take:
        raise UnusedError("share of what")
    return Query(rows="one", show=number_share(last.where, both(last.scope, last.where), around))


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
        return share_of_first_told(request, before, market)
    is_number = [one.of for one in last.fold] in ([], [None]) and not is_of_companies(last)
    if not is_number or last.rows != "companies" or last.scope is None:
        raise UnusedError("share of what")
    if request.scope is not None:
        last = last.model_copy(update={"scope": replaced(last.scope, request.scope, market)})
    return _share_of_number(last, last.scope or market.whole)


def share_of_first_told(request: Request, before: Sequence[Query], market: Market) -> Query:
    """前五名加起来占整个行业多少, behind a list by a figure: of its total over all of the list's
    set; 它占全行业多少, behind the first: of that one.
    """
    last = told_list(before)
    by = last.order[0].by if len(last.order) == 1 else None
    count = request.take or (last.take.count if last.take is not None else 0)
    is_plain = last.rows == "companies" and not (last.where or last.group or last.less)
    if not count or not isinstance(by, Metric) or not is_plain or last.first or request.is_bottom:
        raise UnusedError("share of what")
    if last.order[0].direction != "desc" or (last.take is not None and last.take.skip):
        raise UnusedError("share of what")
    if not _is_all_of(request, last, by.id, market):
        raise UnusedError("share of what")
    sort = Sort(Fig(scope=last.scope, mets=(by.id,)), "desc", take=count)
    when = Time(by.when) if by.when.kind == "years" else None
    again = Request(top_shares=[TopShare(sort, Fig(scope=last.scope))], when=when)
    return share_of_first(again, market)


def _is_all_of(request: Request, last: Query, figure: str, market: Market) -> bool:
    """Whether what it is a share of is all the list is of: its industry, its whole market, its set
    by name.
    """
    dims = dimensions(last.scope)
    peer = Fig(peer="industry" if "industry" in dims else "market")
    wholes = [said.right or Fig() for said in request.relations]
    figures = {one for right in (*wholes, Fig(mets=tuple(request.mets))) for one in right.mets}
    for one in wholes:
        bare = replace(one, mets=())
        is_named = one.scope is not None and whole(one.scope, market) == last.scope
        if bare != (Fig(scope=one.scope) if is_named else peer):
            return False
    return figures <= {figure} and dims <= {"market", "industry"}


def _share_of_peers(last: Query, right: Fig) -> Query:
    """占全行业多少: of all of its industry; behind a number of companies, of all of that set."""
    is_number = [one.of for one in last.fold] == [None] and last.where is not None
    if is_number and last.scope is not None and "industry" in dimensions(last.scope):
        if right.peer != "industry" or last.group or last.first or last.less or last.take:
            raise UnusedError("share")
        return _share_of_number(last, last.scope)
    of = last.show[0] if len(last.show) == 1 else None
    is_amount = isinstance(of, Metric) and CATALOGUE[of.id].additive and of.of is None
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
    if not isinstance(of, Metric) or not CATALOGUE[of.id].additive or len(last.show) > 1:
        raise UnusedError("share of what")
    if member not in among or len(among) < 2 or last.where is not None or of.of is not None:
        raise UnusedError("share of whom")
    total = Across(how="sum", of=of, within=companies(among))
    return Query(
        scope=companies([member]), show=(Arith(how="percent", left=of, right=total), of, total)
    )
