"""A part of a set as a share of the whole of it, or of a larger one: by number, or by a figure."""

from collections.abc import Sequence
from dataclasses import replace

from services.query.algebra.dimensions import is_additive
from services.query.algebra.nodes import (
    LATEST,
    Across,
    Arith,
    Expr,
    Folded,
    In,
    Metric,
    Pred,
    Query,
    Take,
    both,
    items_of,
    walk,
)
from services.query.algebra.scopes import markets_of
from services.query.reading.errors import UnusedError
from services.query.reading.figures_compared import compared
from services.query.reading.figures_told import rows_as_set
from services.query.reading.phrases import Fig, Time, dimensions
from services.query.reading.request import Request
from services.query.reading.shapes import Market, contradiction, whole
from services.query.reading.shapes_company import needed
from services.query.reading.shapes_set import number_share


def share_of_part(request: Request, part: Query, right: Fig, market: Market) -> Query:
    """The part of a set, of all that `right` says, or of the whole of its set: by their number; by
    what a figure of theirs comes to where one was said or summed, or they are the first by it.

    Raises: UnusedError.
    """
    around, figure = _around(part, right, market), _figure_shared(request, part, right)
    if figure is None:
        return share_of_number(part, around)
    if request.take is not None:
        part = _resized(part, request)
    if part.group is not None:
        return _share_of_groups(part, figure, around)
    mine = Across(how="sum", of=figure, within=rows_as_set(part))
    total = Across(how="sum", of=figure, within=around)
    return Query(rows="one", show=(Arith(how="percent", left=mine, right=total), mine, total))


def _share_of_groups(part: Query, figure: Expr, around: Pred) -> Query:
    """前三个行业加起来占多少: what the companies of those groups come to."""
    if part.take is None:
        raise UnusedError("share of all groups")
    share = Arith(how="percent", left=figure, right=Across(how="sum", of=figure, within=around))
    folds = tuple(Folded(how="sum", of=one) for one in (share, figure))
    return Query(scope=part.scope, first=part.but(show=()), fold=folds)


def whole_said(right: Fig) -> Fig:
    """What it is a share of, by number or by its total. Raises: UnusedError for any other fold."""
    if right.agg not in (None, "sum", "count"):
        raise UnusedError("share of what")
    return replace(right, agg=None) if right.agg == "sum" else right


def _resized(part: Query, request: Request) -> Query:
    """前五名加起来占多少, behind a list in that order: the first five of it."""
    skipped = part.take is not None and part.take.skip
    if request.is_bottom or request.take is None or not part.order or skipped:
        raise UnusedError("first of what")
    return part.but(take=Take(count=request.take))


def _around(part: Query, right: Fig, market: Market) -> Pred:
    """All that it is a share of. Raises: UnusedError where those told are not of it."""
    bare = Fig(scope=right.scope, peer=right.peer, mets=right.mets, agg=right.agg)
    if right != bare or (right.agg and right.mets):
        raise UnusedError("share of what")
    sets = both(*(one for one in items_of(part.scope) if isinstance(one, In)))
    if right.scope is not None:
        around = whole(right.scope, market)
    elif right.peer == "market":
        around = In(dim="market", values=markets_of(part.scope))
    elif right.peer == "industry" and "industry" not in dimensions(sets):
        raise UnusedError("share of which industry")
    else:
        around = part.scope or market.whole
    if not _is_within(part, around):
        raise UnusedError("share of others")
    return around


def _is_within(part: Query, around: Pred) -> bool:
    """Whether those of a part are of that set, as far as their sets say: banks, of all A shares."""
    mine = [one for one in items_of(both(part.scope, part.where)) if isinstance(one, In)]
    if contradiction(Query(scope=both(part.scope, around))) is not None:
        return False
    wider = [one for one in items_of(around) if isinstance(one, In) and one.dim != "market"]
    return any(one.dim == "symbol" for one in mine) or all(
        any(one.dim == other.dim and {*one.values} <= {*other.values} for one in mine)
        for other in wider
    )


def _figure_shared(request: Request, part: Query, right: Fig) -> Expr | None:
    """What is summed: the figure said, or the one that was told of them; None for their number.

    Raises: UnusedError where no one knows which.
    """
    if right.agg == "count":
        return None
    said = {*request.mets, *right.mets}
    sums = [one.of for one in part.fold if one.how == "sum" and one.of is not None]
    by = [one.by for one in part.order if one.by is not None]
    if said:
        whens = [one.when for one in walk(part) if isinstance(one, Metric) and {one.id} == said]
        at = Fig(when=Time(periods=whens[0]) if whens and whens[0] != LATEST else None)
        found: Sequence[Expr] = [needed(one, at) for one in said]
    elif sums or (part.take is not None and part.group is None):
        found = sums or by
    elif request.agg == "sum" or "sum2" in request.asks:
        found = [one for one in compared(part.where) if is_additive(one)] or by
    else:
        return None
    if len(found) != 1 or not is_additive(found[0]):
        raise UnusedError("share of what")
    return found[0]


def share_of_number(part: Query, around: Pred) -> Query:
    """占全部A股的百分之几, behind how many there are: of those that have the figure."""
    if part.where is None or part.group or part.first or part.less or part.take:
        raise UnusedError("share of what")
    return Query(rows="one", show=number_share(part.where, both(part.scope, part.where), around))
