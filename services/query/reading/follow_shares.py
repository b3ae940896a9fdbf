"""What was told as a share of more: of a set, of its industry, of another figure, of them all."""

from collections.abc import Sequence

from services.core.catalogue import CATALOGUE
from services.query.algebra.nodes import Across, Arith, Expr, In, Metric, Pred, Query, both
from services.query.reading.figures_compared import compared
from services.query.reading.figures_said import join_figures
from services.query.reading.follow_companies import is_of_companies, time_of
from services.query.reading.follow_gaps import companies_of
from services.query.reading.phrases import Fig, dimensions, said_as
from services.query.reading.predicates import Relation
from services.query.reading.request import Request, UnusedError
from services.query.reading.shapes import Market, listed, made, whole
from services.query.reading.shapes_company import companies
from services.query.reading.shapes_place import SHAPES as OF_COMPANIES
from services.query.reading.shapes_times import SHAPES as OF_TIMES


def share_of(request: Request, before: Sequence[Query], market: Market) -> Query:
    """占A股银行的几成: what was told last, of the whole of a set."""
    last, said = before[-1], request.relations[0]
    right = said.right
    if said.how != "percent" or right is None or said.left != Fig():
        raise UnusedError("share")
    if right == Fig(peer=right.peer):
        return _share_of_peers(last, right)
    if right == Fig(mets=right.mets):
        return _share_of_figure(last, right.mets, market)
    if right.scope is None:
        raise UnusedError("share")
    if right != Fig(scope=right.scope) or last.group or last.first or last.less or last.take:
        raise UnusedError("share")
    around = whole(right.scope, market)
    is_list = last.where is not None and not last.fold and not is_of_companies(last)
    if is_list or [one.of for one in last.fold] == [None]:
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
    figures = [one for one in compared(last.where) if isinstance(one, Metric)]
    if len(figures) != 1:
        raise UnusedError("share of what")
    part = Across(how="count", of=figures[0], within=both(last.scope, last.where))
    all_of = Across(how="count", of=figures[0], within=around)
    return Query(rows="one", show=(Arith(how="percent", left=part, right=all_of), part, all_of))


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
