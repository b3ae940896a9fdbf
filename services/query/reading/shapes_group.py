"""Questions about groups of companies: each industry, which one, groups by a test of a fold."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from services.core.catalogue import CATALOGUE
from services.query.algebra.nodes import (
    Across,
    AnyOf,
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
    items_of,
)
from services.query.algebra.scopes import segments_in
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.phrases import Fig, Time, constant, dimensions
from services.query.reading.predicates import FoldTest
from services.query.reading.reasons import reason
from services.query.reading.request import Request
from services.query.reading.set_gathered import (
    ALL_OF_SETS,
    Gathered,
    check_time,
    figures_asked,
    gather,
)
from services.query.reading.shapes import Market, shape, whole
from services.query.reading.shapes_company import needed


def groups_within(request: Request, market: Market) -> Query:
    """各行业按平均市值排个队，哪几个超过200亿: a bound alone is of the fold they are ordered by."""
    (sign, amount, upper), *more = request.bounds
    query = groups(replace(request, bounds=[]), market)
    fold = query.fold[0] if len(query.fold) == 1 else None
    name = fold.of.id if fold is not None and isinstance(fold.of, Metric) else None
    right = constant(name, amount) if name is not None else None
    if right is None or sign is None or upper or more or query.take is not None:
        raise UnusedError("bounds")
    return query.but(having=(Having(fold=0, sign=sign, right=right),))


def groups(request: Request, market: Market) -> Query:  # noqa: C901 — one case a line
    """每个行业…: counts, folds, the first of each; which industry has the highest fold."""
    is_end = request.direction is not None or request.is_bottom
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
        return _by_their_folds(request, found, exprs, scope, group)
    if found.orders and request.agg is None and not request.count:
        if len(found.orders) > 1:
            raise UnusedError("orders")
        is_list = not found.take and all(one.direction is None for one in request.orders)
        if "whichgroup" in request.marks or is_list:
            query = _fold_of_groups(found, scope, group)  # 各行业总市值排名: every one of them
            return query.but(take=None) if is_list or request.apart else query
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
        return query.but(fold=(*folds, *counted))
    is_asked = "whichgroup" in request.marks and not is_end
    if exprs or not request.count or (is_asked and found.where):  # how many industries have …
        raise UnusedError("what of each group")
    if take is None and is_end and "whichgroup" in request.marks:
        take = Take(count=1)  # 哪个行业公司最多
    return _make_groups(scope, found.where, group, Folded(how="count"), way, take)


def _by_their_folds(
    request: Request, found: Gathered, exprs: Sequence[Expr], scope: Pred, group: Grouping
) -> Query:
    """Which groups have the highest fold, or all of them in its order."""
    assert found.folded is not None  # noqa: S101 — as the caller has seen
    how, expr, direction = found.folded
    folded = Folded(how=how, of=expr)
    folds = tuple(Folded(how=request.agg or how, of=one) for one in exprs) or (folded,)
    if request.count or folded not in folds:
        raise UnusedError("group")
    take = Take(count=found.take or 1, skip=found.skip)
    is_list = "way" in request.marks or all(
        one.is_list or one.direction is None  # 排个序: every one too
        for one in request.orders
    )
    if "ends" in request.marks or ((is_list or exprs or request.apart) and not found.take):
        take = None  # 从低到高, 医药和电子哪个行业高: every one, so that both ends are there
    query = _make_groups(scope, found.where, group, folded, direction, take)
    order = Order(fold=folds.index(folded), direction=direction)
    return query.but(fold=folds, order=(order,))


def _fold_of_groups(found: Gathered, scope: Pred, group: Grouping) -> Query:
    """哪个行业总市值最高: of what adds up an industry's is its total.

    Raises: ChoiceError for others: the median or the mean.
    """
    order = found.orders[0]
    if order.by is None or found.skip:
        raise UnusedError("group")
    by, take = order.by, Take(count=found.take or 1)

    def of(how: Fold) -> Query:
        folded = Folded(how=how, of=by)
        return _make_groups(scope, found.where, group, folded, order.direction, take)

    return by_natural_fold(by, of, "fold_of_industry")


def by_natural_fold(by: Expr, of: Callable[[Fold], Query], why: str) -> Query:
    """Of what adds up the query of its total. Raises: ChoiceError for others: median or mean."""
    if isinstance(by, Metric) and CATALOGUE[by.id].additive:
        return of("sum")
    raise ChoiceError(reason(why), [of("median"), of("mean")])


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
    """Which of the sets named has the highest fold: each with its own."""
    if found.take or exprs or found.orders or found.folded is None:
        raise UnusedError("fold")
    how, expr, direction = found.folded
    kind, fold = find_grouping(scope), Folded(how=how, of=expr)
    if kind == "market":
        raise UnusedError("markets")  # each has another basis of its multiples, another currency
    if kind is None:
        return beside_each_other(scope, found.where, (fold,))
    return _make_groups(scope, found.where, kind, fold, direction, None)


def find_grouping(scope: Pred | None) -> Grouping | None:
    """创业板和主板的中位数: of which kind the sets are that were joined; None where of several."""
    parts = items_of(scope)
    sets = [one for one in parts if isinstance(one, In) and len(one.values) > 1]
    dims = [one.dim for one in sets if not segments_in(one)]  # 中小板 is a part of a board
    return dims[0] if len(dims) == 1 and dims[0] in ("market", "board", "industry") else None


def sets_in(scope: Pred) -> Sequence[Pred]:
    """The sets that were joined to one."""
    if isinstance(scope, In) and scope.dim != "symbol" and not scope.label:
        return [scope.but(values=(one,)) for one in scope.values]
    return scope.items if isinstance(scope, AnyOf) else (scope,)


def beside_each_other(scope: Pred, where: Pred | None, folds: Sequence[Folded]) -> Query:
    """沪市主板和深市主板: the fold of each set by itself."""
    items = items_of(scope)
    joined = [one for one in items if len(sets_in(one)) > 1]
    if len(joined) != 1 or len(folds) != 1 or folds[0].of is None:
        raise UnusedError("apart")
    rest = [one for one in items if one is not joined[0]]
    how, of = folds[0].how, folds[0].of
    withins = [both(*rest, one, where) for one in sets_in(joined[0])]
    return Query(rows="one", show=tuple(Across(how=how, of=of, within=one) for one in withins))


def groups_with(request: Request, market: Market) -> Query:
    """平均市盈率低于20的行业, industries with at least 20 companies: by tests of their folds."""
    is_named = request.peer == "industry" or request.marks & {"noun", "whichgroup"}
    if request.group is None and not is_named:
        raise UnusedError("groups")
    request.group = request.group or "industry"
    request.peer = None if request.peer == request.group else request.peer
    way, request.direction = request.direction, None  # highest first, of what they are tested by
    found, exprs = gather(request, market), figures_asked(request)
    if found.take or found.skip or (exprs and request.agg is None) or (way and found.orders):
        raise UnusedError("fold of groups")
    asked = [Folded(how=request.agg, of=one) for one in exprs] if request.agg else []
    counted = [Folded(how="count")] if request.count else []
    tested = [_tested(one, request.when) for one in request.fold_tests]
    folds = tuple(dict.fromkeys([*asked, *counted, *tested]))
    scopes = [one.phrase.scope for one in request.fold_tests if one.phrase.scope is not None]
    if len(scopes) > 1 or any(dimensions(found.scope) & dimensions(one) for one in scopes):
        raise UnusedError("scope")
    check_time(
        replace(request, when=None) if any(one.of for one in folds) else request, found, exprs
    )
    having = tuple(
        Having(fold=folds.index(fold), sign=test.sign, right=test.right)
        for fold, test in zip(tested, request.fold_tests, strict=True)
    )
    scope = whole(both(found.scope, *scopes), market)
    query = _make_groups(scope, found.where, request.group, folds[0], "desc", None)
    order = _order_of_groups(found, folds, having)
    if way is not None:
        order = order.but(direction="asc" if way == "asc" else "desc")
    return query.but(fold=folds, having=having, order=(order,))


def number_of_groups(request: Request, market: Market) -> Query:
    """有多少个行业, how many industries have a median P/E under 15: those there are, which are told
    with their number. Raises: UnusedError.
    """
    if request.conds or "industry" in dimensions(request.scope):
        raise UnusedError("number of which groups")  # a bound of a company's own figure
    marks = request.marks - {"groupcount"}
    if request.fold_tests:
        return groups_with(replace(request, marks=marks, group="industry"), market)
    return groups(replace(request, marks=marks, group="industry", count=True), market)


def _tested(test: FoldTest, when: Time | None) -> Folded:
    """The fold a test is of; how many companies where it names no figure."""
    phrase = test.phrase
    if phrase.when and when:
        raise UnusedError("when")
    if phrase.agg == "count":
        return Folded(how="count")
    assert phrase.agg is not None  # noqa: S101 — as the grammar makes them
    return Folded(how=phrase.agg, of=needed(phrase.mets[0], Fig(when=phrase.when or when)))


def _order_of_groups(found: Gathered, folds: Sequence[Folded], having: Sequence[Having]) -> Order:
    """As it was said, by one of the folds; else by the first, the better end of its test first."""
    if found.folded is not None and not found.orders:
        how, of, direction = found.folded
        said = [at for at, one in enumerate(folds) if (one.how, one.of) == (how, of)]
    elif found.orders:
        by, direction = found.orders[0].by, found.orders[0].direction
        said = [at for at, one in enumerate(folds) if one.of == by and by is not None]
    else:
        is_low = any(one.fold == 0 and one.sign in ("lt", "le") for one in having)
        return Order(fold=0, direction="asc" if is_low else "desc")
    if len(said) != 1 or len(found.orders) > 1:
        raise UnusedError("order of groups")
    return Order(fold=said[0], direction=direction)


SHAPES = (
    shape("mark.groupcount", "scope excluded when fold_tests ask.list", number_of_groups),
    shape(
        "fold_tests",
        "scope group conds excluded when peer agg mets count orders direction mark.noun mark.these"
        " mark.whichgroup mark.only mark.way",
        groups_with,
    ),
    shape("group bounds", f"{ALL_OF_SETS} agg mark.way mark.ends mark.only", groups_within),
    shape(
        "group", f"{ALL_OF_SETS} agg count ask.growth mark.whichgroup mark.ends mark.way", groups
    ),
)
