"""Questions about groups of companies: each industry, which one, groups by a test of a fold."""

from collections.abc import Sequence

from services.core.catalogue import CATALOGUE
from services.query.algebra.nodes import (
    AllOf,
    Const,
    Direction,
    Expr,
    Fold,
    Folded,
    Grouping,
    Having,
    In,
    Metric,
    Order,
    Pred,
    Query,
    Take,
    both,
)
from services.query.reading.phrases import Fig, dimensions
from services.query.reading.request import ChoiceError, Request, UnusedError
from services.query.reading.set_gathered import (
    ALL_OF_SETS,
    Gathered,
    check_time,
    figures_asked,
    gather,
)
from services.query.reading.shapes import Market, shape, whole
from services.query.reading.shapes_company import needed

_WHICH_FOLD = ("行业的这个数按什么算？", "What is that figure of an industry?")


def groups(request: Request, market: Market) -> Query:  # noqa: C901, PLR0912 — one case a line
    """每个行业…: counts, folds, the first of each; which industry has the highest fold."""
    found, exprs = gather(request, market), figures_asked(request)
    check_time(request, found, exprs)
    group = request.group
    assert group is not None  # noqa: S101 — a shape's need
    scope = whole(found.scope, market) if group != "market" else both(found.scope)
    if scope is None:
        scope = In(dim="market", values=("CN", "HK"))
    if group == "market" and "market" in dimensions(found.scope):
        raise UnusedError("group")
    if found.folded is not None:
        how, expr, direction = found.folded
        if request.count or exprs:
            raise UnusedError("group")
        take = Take(count=found.take or 1, skip=found.skip)
        is_list = "way" in request.marks or all(one.is_list for one in request.orders)
        if "ends" in request.marks or (is_list and not found.take):
            take = None  # 从低到高: every one, so that both ends are there
        return _make_groups(scope, found.where, group, Folded(how=how, of=expr), direction, take)
    if found.orders and request.agg is None and not request.count:
        if len(found.orders) > 1:
            raise UnusedError("orders")
        if "whichgroup" in request.marks:
            raise _fold_of_groups(found, scope, group)
        take = Take(count=found.take or 1, skip=found.skip, per=group)
        show = tuple(dict.fromkeys([*(one.by for one in found.orders if one.by), *exprs]))
        return Query(
            scope=scope, where=found.where, order=tuple(found.orders), take=take, show=show
        )
    if found.orders or found.skip:
        raise UnusedError("order of groups")
    take = Take(count=found.take) if found.take else None
    way: Direction = "asc" if request.is_bottom else "desc"
    if request.agg is not None:
        if not exprs or (take and (request.count or len(exprs) > 1)):
            raise UnusedError("group")  # the first by which of them
        folds = [Folded(how=request.agg, of=one) for one in exprs]
        query = _make_groups(scope, found.where, group, folds[0], way, take)
        counted = (Folded(how="count"),) if request.count else ()
        return query.model_copy(update={"fold": (*folds, *counted)})
    if exprs or not request.count:
        raise UnusedError("what of each group")
    if take is None and "whichgroup" in request.marks:
        take = Take(count=1)  # 哪个行业公司最多
    return _make_groups(scope, found.where, group, Folded(how="count"), way, take)


def _fold_of_groups(found: Gathered, scope: Pred, group: Grouping) -> Exception:
    """哪个行业市盈率最低: of an industry that is its median, or its total."""
    order = found.orders[0]
    if order.by is None or found.skip:
        return UnusedError("group")
    adds = isinstance(order.by, Metric) and CATALOGUE[order.by.id].additive
    folds: tuple[Fold, ...] = ("sum", "median") if adds else ("median", "mean")
    take = Take(count=found.take or 1)
    options = [
        _make_groups(scope, found.where, group, Folded(how=how, of=order.by), order.direction, take)
        for how in folds
    ]
    return ChoiceError(_WHICH_FOLD, options)


def _make_groups(
    scope: Pred,
    where: Pred | None,
    group: Grouping,
    fold: Folded,
    direction: Direction,
    take: Take | None,
) -> Query:
    order = (Order(fold=0, direction=direction),)
    return Query(scope=scope, where=where, group=group, fold=(fold,), order=order, take=take)


def highest_fold(request: Request, found: Gathered, exprs: Sequence[Expr], scope: Pred) -> Query:
    """Which of the industries named."""
    items = scope.items if isinstance(scope, AllOf) else (scope,)
    named = [
        one
        for one in items
        if isinstance(one, In) and one.dim == "industry" and len(one.values) > 1
    ]
    if not named or found.where is not None or found.take or exprs or found.orders:
        raise UnusedError("fold")
    how, expr, direction = found.folded or ("mean", Const(value=0), "desc")
    return _make_groups(scope, None, "industry", Folded(how=how, of=expr), direction, None)


def groups_with(request: Request, market: Market) -> Query:
    """平均市盈率低于20的行业: groups by a test of their fold."""
    if (
        len(request.fold_tests) != 1
        or request.agg
        or request.orders
        or request.take
        or request.mets
    ):
        raise UnusedError("fold of groups")
    if request.group is None and "noun" not in request.marks:
        raise UnusedError("groups")
    test = request.fold_tests[0]
    phrase = test.phrase
    assert phrase.agg is not None  # noqa: S101 — as the grammar makes them
    if phrase.when and request.when:
        raise UnusedError("when")
    found = gather(request, market)
    if dimensions(found.scope) & dimensions(phrase.scope):
        raise UnusedError("scope")
    fold = Folded(how=phrase.agg, of=needed(phrase.mets[0], Fig(when=phrase.when or request.when)))
    query = _make_groups(
        whole(both(found.scope, phrase.scope), market),
        found.where,
        request.group or "industry",
        fold,
        "desc",
        None,
    )
    direction: Direction = "asc" if test.sign in ("lt", "le") else "desc"
    order = (Order(fold=0, direction=direction),)
    having = (Having(fold=0, sign=test.sign, right=test.right),)
    return query.model_copy(update={"having": having, "order": order})


SHAPES = (
    shape(
        "fold_tests",
        "scope group conds excluded when peer mark.noun mark.these mark.whichgroup",
        groups_with,
    ),
    shape("group", f"{ALL_OF_SETS} agg count ask.growth mark.whichgroup mark.ends", groups),
)
