"""Questions about sets of companies: lists, counts, folds, groups, the first of each, the k-th."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from services.core.catalogue import CATALOGUE
from services.query.algebra.nodes import (
    Across,
    AllOf,
    Arith,
    Compare,
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
from services.query.reading.chart import Edge
from services.query.reading.figures_said import base
from services.query.reading.phrases import Fig, dimensions
from services.query.reading.request import ChoiceError, Request, UnusedError, gathered
from services.query.reading.shapes import MAINLAND, Market, is_set, shape, whole
from services.query.reading.shapes_company import compared, needed

# 市值最大的银行 without a number: the first ten.
_SHOWN = 10
_SUM_OR_LIST = (
    "是要合计、中位数，还是名单？", "The total, the median, or a list?",
)  # fmt: skip


@dataclass(slots=True)
class _Set:
    """The companies and what orders them."""

    scope: Pred | None
    where: Pred | None
    orders: list[Order]
    take: int | None
    skip: int
    # An extreme (市值最高的银行) is one company where no number was said.
    is_extreme: bool = False
    folded: tuple[Fold, Expr, Direction] | None = None


def _gather(request: Request, market: Market) -> _Set:
    sets, tests = list[Pred](), list[Pred]()
    for one in request.conds:
        for item in one.items if isinstance(one, AllOf) else (one,):
            (sets if is_set(item) else tests).append(item)
    found = _Set(both(request.scope, *request.excluded, *sets), both(*tests), [], request.take, 0)
    _take_market(found, request.peer)
    _take_direction(request)
    for sort in request.orders:
        phrase = sort.phrase
        _take_market(found, phrase.peer)
        if phrase.ents or not phrase.mets or phrase.series:
            raise UnusedError("order")
        if phrase.scope is not None:
            if dimensions(found.scope) & dimensions(phrase.scope):
                raise UnusedError("scope")
            found.scope = both(found.scope, phrase.scope)
        if phrase.when is not None and request.when is not None:
            raise UnusedError("when")
        if sort.take is not None:
            if found.take is not None:
                raise UnusedError("take")
            found.take = sort.take
        found.skip = found.skip or sort.skip
        _order(found, request, sort.direction, phrase)
        found.is_extreme = found.is_extreme or (
            sort.direction is not None
            and not sort.is_list
            and sort.take is None
            and "which" in request.asks
        )
    if request.place is not None:
        if not found.orders or found.skip or found.take is not None:
            raise UnusedError("place")
        found.skip, found.take = request.place - 1, 1
    return found


def _take_market(found: _Set, peer: str | None) -> None:
    """全市场 is where to look, not what to compare with."""
    if peer is None:
        return
    if peer != "market" or "market" in dimensions(found.scope):
        raise UnusedError("peer")
    found.scope = both(MAINLAND, found.scope)


def _take_direction(request: Request) -> None:
    """The cheapest ten by PB: the direction stands apart from the figure."""
    if request.direction is None:
        return
    if len(request.orders) != 1 or request.orders[0].direction is not None:
        raise UnusedError("direction")
    way = "asc" if request.direction == "asc" else "desc"
    request.orders = [replace(request.orders[0], direction=way)]
    request.direction = None


def natural_order(where: Pred | None) -> tuple[Order, ...]:
    """By the first condition's figure, the best first: for so many without an order said."""
    items = where.items if isinstance(where, AllOf) else (where,)
    for one in items:
        if isinstance(one, Compare) and isinstance(one.left, Metric):
            direction: Direction = "desc" if one.sign in ("gt", "ge") else "asc"
            return (Order(by=one.left, direction=direction),)
    return ()


def _order(found: _Set, request: Request, said: str | None, phrase: Fig) -> None:
    time, direction = phrase.when or request.when, said or "desc"
    if said == "both":
        raise UnusedError("both")
    if request.is_bottom:
        direction = "asc" if direction == "desc" else "desc"
    way: Direction = "asc" if direction == "asc" else "desc"
    agg = phrase.agg or (request.agg if request.group else None)
    if agg is not None:
        if found.folded is not None:
            raise UnusedError("order")
        found.folded = (agg, needed(phrase.mets[0], Fig(when=time)), way)
        return
    found.orders.append(Order(by=needed(phrase.mets[0], Fig(when=time)), direction=way))


def _exprs(request: Request) -> list[Expr]:
    mets = list(request.mets)
    if "growth" in request.asks:
        if len(mets) != 1 or ":" in mets[0]:
            raise UnusedError("growth")
        mets = [f"{base(mets[0])}:yoy"]
    return [needed(one, Fig(when=request.when)) for one in mets]


def _check_time(request: Request, found: _Set, exprs: Sequence[Expr]) -> None:
    """A time that no figure took is of nothing."""
    has_order = any(not sort.phrase.when for sort in request.orders)
    if request.when is not None and not exprs and not has_order:
        raise UnusedError("when")


def groups(request: Request, market: Market) -> Query:
    """每个行业…: counts, folds, the first of each; which industry has the highest fold."""
    found, exprs = _gather(request, market), _exprs(request)
    _check_time(request, found, exprs)
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
        return _grouped(scope, found.where, group, Folded(how=how, of=expr), direction, take)
    if found.orders and request.agg is None and not request.count:
        if len(found.orders) > 1:
            raise UnusedError("orders")
        take = Take(count=found.take or 1, skip=found.skip, per=group)
        show = tuple(dict.fromkeys([*(one.by for one in found.orders if one.by), *exprs]))
        return Query(
            scope=scope, where=found.where, order=tuple(found.orders), take=take, show=show
        )
    if found.orders or found.skip:
        raise UnusedError("order of groups")
    take = Take(count=found.take) if found.take else None
    if request.agg is not None:
        if len(exprs) != 1 or request.count:
            raise UnusedError("group")
        direction = "asc" if request.is_bottom else "desc"
        return _grouped(
            scope, found.where, group, Folded(how=request.agg, of=exprs[0]), direction, take
        )
    if exprs:
        raise UnusedError("what of each group")
    if not request.count:
        raise UnusedError("what of each group")
    return _grouped(scope, found.where, group, Folded(how="count"), "desc", take)


def _grouped(
    scope: Pred,
    where: Pred | None,
    group: Grouping,
    fold: Folded,
    direction: Direction,
    take: Take | None,
) -> Query:
    order = (Order(fold=0, direction=direction),)
    return Query(scope=scope, where=where, group=group, fold=(fold,), order=order, take=take)


def folded(request: Request, market: Market) -> Query:
    """银行的平均市盈率, 市值最大的十家的合计市值, 银行和保险哪个平均市盈率高."""
    found, exprs = _gather(request, market), _exprs(request)
    _check_time(request, found, exprs)
    scope = whole(found.scope, market)
    if found.folded is not None:
        return _highest_fold(request, found, exprs, scope)
    agg = request.agg
    if agg is None or len(exprs) > 1:
        raise UnusedError("agg")
    if not exprs:
        exprs = [one.by for one in found.orders if one.by is not None]
    if len(exprs) != 1:
        raise UnusedError("agg of what")
    if bool(found.orders) != bool(found.take):
        raise UnusedError("agg of one")
    _check_scoped(request, found)
    take = Take(count=found.take, skip=found.skip) if found.take else None
    return Query(
        scope=scope, where=found.where, order=tuple(found.orders), take=take,
        fold=(Folded(how=agg, of=exprs[0]),),
    )  # fmt: skip


def _highest_fold(request: Request, found: _Set, exprs: Sequence[Expr], scope: Pred) -> Query:
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
    return _grouped(scope, None, "industry", Folded(how=how, of=expr), direction, None)


def counted(request: Request, market: Market) -> Query:
    """市盈率低于10的银行有几家."""
    found, exprs = _gather(request, market), _exprs(request)
    if found.orders or found.take or exprs or found.folded:
        raise UnusedError("count")
    _check_time(request, found, exprs)
    scope = whole(found.scope, market)
    if found.scope is None and found.where is None:
        raise UnusedError("count of what")
    return Query(scope=scope, where=found.where, fold=(Folded(how="count"),))


def lists(request: Request, market: Market) -> Query:
    """Companies by conditions, in an order, the first so many."""
    if any(sort.direction == "both" for sort in request.orders):
        return extremes(request, market)
    found, exprs = _gather(request, market), _exprs(request)
    _check_time(request, found, exprs)
    scope = whole(found.scope, market)
    if found.folded is not None:
        return _highest_fold(request, found, exprs, scope)
    named = _is_named(scope)
    if found.where is None and not found.orders:
        if exprs and found.take is None and "list" in request.asks:
            found.orders = [Order(by=exprs[0], direction="desc")]
            return Query(scope=scope, order=tuple(found.orders), show=tuple(exprs))
        if not exprs and found.take is None and _is_trade(found.scope):
            by = Metric(id="market_cap")
            return Query(scope=scope, order=(Order(by=by, direction="desc"),), show=(by,))
        if exprs and found.take is None and not named:
            raise _choice(scope, exprs)
        if named and exprs and found.take is None:
            return Query(scope=scope, show=tuple(exprs))
        if not (found.take and len(exprs) == 1):
            raise UnusedError("order by what")
        direction: Direction = "asc" if request.is_bottom else "desc"
        found.orders = [Order(by=exprs[0], direction=direction)]
    if found.take and not found.orders and len(exprs) != 1:
        found.orders = [] if request.is_bottom else list(natural_order(found.where))
        if not found.orders:
            raise UnusedError("order by what")
    if found.take and not found.orders:
        found.orders = [Order(by=exprs[0], direction="asc" if request.is_bottom else "desc")]
    if request.is_bottom and not found.orders:
        raise UnusedError("bottom")
    _check_scoped(request, found)
    has_extreme = any(sort.direction and not sort.is_list for sort in request.orders)
    count = found.take or (1 if found.is_extreme else _SHOWN if has_extreme else None)
    take = Take(count=count, skip=found.skip) if count else None
    shown = [*exprs, *(one.by for one in found.orders if one.by), *compared(found.where)]
    return Query(
        scope=scope, where=found.where, order=tuple(found.orders), take=take,
        show=tuple(dict.fromkeys(one for one in shown if not isinstance(one, Const))),
    )  # fmt: skip


def _check_scoped(request: Request, found: _Set) -> None:
    """An order alone (按净利润排) is of the list before, and where there is none, of nothing."""
    has_extreme = any(sort.direction and not sort.is_list for sort in request.orders)
    if found.scope is None and found.where is None and not found.take and not has_extreme:
        raise UnusedError("of what set")


def _is_trade(scope: Pred | None) -> bool:
    """白酒股有哪些: an industry or a list may be shown as it is."""
    return bool(dimensions(scope) & {"industry", "symbol"})


def _is_named(scope: Pred) -> bool:
    return "symbol" in dimensions(scope)


def _choice(scope: Pred, exprs: Sequence[Expr]) -> Exception:
    """A set's figure without a fold: total, median or list."""
    expr = exprs[0]
    if len(exprs) != 1 or not isinstance(expr, Metric) or scope == MAINLAND:
        return UnusedError("figure of a set")
    folds: tuple[Fold, ...] = (
        ("sum", "median") if CATALOGUE[expr.id].additive else ("median", "mean")
    )
    options = [Query(scope=scope, fold=(Folded(how=one, of=expr),)) for one in folds]
    order = (Order(by=expr, direction="desc"),)
    options.append(Query(scope=scope, order=order, take=Take(count=10), show=(expr,)))
    return ChoiceError(_SUM_OR_LIST, options)


def extremes(request: Request, market: Market) -> Query:
    """A股市盈率最高和最低: both ends."""
    sort = request.orders[0]
    phrase = sort.phrase
    if (
        len(request.orders) != 1
        or phrase.ents
        or phrase.agg
        or phrase.peer
        or len(phrase.mets) != 1
    ):
        raise UnusedError("both")
    if phrase.when and request.when:
        raise UnusedError("when")
    expr = needed(phrase.mets[0], Fig(when=phrase.when or request.when))
    scope = whole(both(request.scope, phrase.scope, *request.excluded), market)
    folds = (Folded(how="max", of=expr), Folded(how="min", of=expr))
    return Query(scope=scope, where=both(*request.conds), fold=folds)


def nested(parts: Sequence[Edge], market: Market) -> Query | None:
    """市值最大的50只里市净率最低的5只: the second order looks at the rows of the first alone."""
    for at in range(1, len(parts)):
        left, right = parts[:at], parts[at:]
        if right[0].cat not in ("SORT", "COND"):
            continue
        numbered = any(
            one.cat in ("COUNT", "TOP") or getattr(one.sem, "take", None) for one in left
        )
        if not numbered or not any(one.cat == "SORT" for one in left):
            continue
        joined = any(one.cat == "only" or (one.cat == "rel" and one.sem == "in") for one in left)
        if right[0].cat == "COND" and not joined:
            continue
        kept = [one for one in left if one.cat not in ("only", "rel")]
        inner, outer = lists(gathered(kept), market), lists(gathered(right), market)
        if outer.first or outer.scope != MAINLAND:
            raise UnusedError("nested")
        return outer.model_copy(
            update={"scope": inner.scope, "first": inner.model_copy(update={"show": ()})}
        )
    return None


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
    found = _gather(request, market)
    if dimensions(found.scope) & dimensions(phrase.scope):
        raise UnusedError("scope")
    fold = Folded(how=phrase.agg, of=needed(phrase.mets[0], Fig(when=phrase.when or request.when)))
    query = _grouped(
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


def share_by_number(request: Request, market: Market) -> Query:
    """破净的公司占A股的比例: by number of companies that have the figure."""
    if len(request.shares) != 1:
        raise UnusedError("shares")
    said = request.shares[0]
    figures = compared(said.pred)
    if len(figures) != 1 or not isinstance(figures[0], Metric):
        raise UnusedError("share of what")
    within = whole(said.within, market)
    part = Across(how="count", of=figures[0], within=both(within, said.pred))
    return Query(
        rows="one",
        show=(
            Arith(
                how="percent", left=part, right=Across(how="count", of=figures[0], within=within)
            ),
        ),
    )


_ALL = "scope conds excluded orders mets when take is_bottom place direction peer"
SHAPES = (
    shape("shares", "", share_by_number),
    shape("fold_tests", "scope group conds excluded when peer mark.noun mark.these", groups_with),
    shape("group", f"{_ALL} agg count ask.growth", groups),
    shape("agg orders | agg mets | agg take", f"{_ALL} agg ask.growth", folded),
    shape("count", _ALL, counted),
    shape("scope | conds | orders | excluded | mets take", f"{_ALL} ask.growth mark.only", lists),
)
