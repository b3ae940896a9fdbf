"""A turn that goes on from the one before: the last query with one or several things changed.

Told in full afterwards, so that what was carried over is seen. What cannot be an edit of the last
query is no reading of the turn (`UnusedError`).
"""

from collections.abc import Sequence
from dataclasses import replace

from services.query.algebra.nodes import (
    AllOf,
    AnyOf,
    Change,
    Compare,
    Const,
    Expr,
    Folded,
    In,
    Metric,
    Node,
    Not,
    Order,
    Over,
    Pred,
    Query,
    Sign,
    Take,
    both,
    either,
    walk,
)
from services.query.reading.chart import Edge
from services.query.reading.figures_compared import compared
from services.query.reading.follow_companies import is_of_companies, of_companies
from services.query.reading.phrases import Amount, Fig, constant, dimensions
from services.query.reading.request import Request, UnusedError, gathered
from services.query.reading.set_gathered import natural_order
from services.query.reading.shapes import Market, is_set, listed, whole
from services.query.reading.shapes_company import needed

_MARKED = frozenset({"ne", "these", "only", "add", "swap", "or"})
_NOT_EDITS = frozenset({"diff", "mult", "share", "rank", "pctile", "cagr", "ret", "days", "years"})


def stands_alone(parts: Sequence[Edge]) -> bool:
    """Whether the turn says by itself what it is about."""
    try:
        request = gathered(parts)
    except UnusedError:
        return True
    if request.marks & _MARKED or request.dropped:
        return False
    sorts = request.orders
    ents = [
        *request.ents,
        *(one for rel in request.relations for one in rel.left.ents),
        *(one for sort in sorts for one in sort.phrase.ents),
        *(one for test in request.day_tests for one in test.phrase.ents),
    ]
    if ents:
        about = request.mets or request.conds or sorts or request.relations or request.day_tests
        return bool(about or request.asks & {"ret", "rank"})
    if request.relations:
        return True
    dims = dimensions(request.scope)
    for one in [*request.conds, *(sort.phrase.scope for sort in sorts)]:
        dims |= dimensions(one)
    what = request.conds or sorts or request.mets
    if dims & {"market", "board", "exchange"} and (what or request.count):
        return True
    if dims and (request.conds or sorts or (request.mets and request.agg) or request.count):
        return True
    return bool(request.group and (request.mets or sorts))


def followed(parts: Sequence[Edge], before: Sequence[Query], market: Market) -> Query:
    """The turn as a change of the last query. Raises: UnusedError."""
    request, last = gathered(parts), before[-1]
    if request.relations or request.day_tests or request.asks & _NOT_EDITS or request.peer:
        raise UnusedError("follow")
    if is_of_companies(last):
        return of_companies(request, before, market)
    if any(part.cat == "bool" for part in parts[:1]) or "or" in request.marks:
        request.marks.add("add")
    changed = _of_list(request, last, market)
    if changed == last:
        raise UnusedError("nothing new")
    return changed


# ---------------------------------------------------------------- the turn before was a list
def _of_list(request: Request, last: Query, market: Market) -> Query:
    if last.rows != "companies":
        raise UnusedError("follow")
    if request.bounds:
        return _rebounded(request, last)
    if request.direction is not None:
        raise UnusedError("direction")
    if "swap" in request.marks and not request.conds:
        return _swapped_scope(request, last, market)
    if request.dropped:
        return _dropped(request, last)
    query = last
    if last.fold and not last.group and not last.take:
        query = last.model_copy(update={"fold": ()})
    if request.ents:
        return _more_companies(request, query)
    if request.series or (request.when is not None and not request.mets and not request.orders):
        raise UnusedError("when")
    scope = _scope_of(request, query, market)
    query = _narrowed(request, query.model_copy(update={"scope": scope}))
    query = _reordered(request, query)
    return _folded(request, query, last)


def _swapped_scope(request: Request, last: Query, market: Market) -> Query:
    """换成港股."""
    if request.scope is None or request.mets or request.conds or request.orders or request.ents:
        raise UnusedError("swap")
    changed: dict[str, object] = {"scope": _replaced(last.scope, request.scope, market)}
    if last.first is not None:
        inner = _replaced(last.first.scope, request.scope, market)
        changed["first"] = last.first.model_copy(update={"scope": inner})
    return last.model_copy(update=changed)


def _dropped(request: Request, last: Query) -> Query:
    """去掉市盈率的条件."""
    items = last.where.items if isinstance(last.where, AllOf) else (last.where,)
    kept = [one for one in items if one is not None and not _speaks_of(one, request.dropped)]
    if (
        len(kept) == len([one for one in items if one])
        or request.conds
        or request.orders
        or request.mets
    ):
        raise UnusedError("nothing to drop")
    shown = tuple(one for one in last.show if not _speaks_of(one, request.dropped))
    return last.model_copy(update={"where": both(*kept), "show": shown})


def _speaks_of(pred: Node, figures: Sequence[str]) -> bool:
    return any(
        (isinstance(one, Metric) and one.id in figures)
        or (isinstance(one, Change | Over) and one.of in figures)
        for one in walk(pred)
    )


def _more_companies(request: Request, query: Query) -> Query:
    """再加上茅台: of a screen nobody knows whether its conditions hold for it too."""
    alone = "add" in request.marks and not (request.conds or request.orders or request.mets)
    if alone and query.where is None and query.take is None and query.scope is not None:
        more = In(dim="symbol", values=listed(request.ents))
        return query.model_copy(update={"scope": AnyOf(items=(query.scope, more))})
    raise UnusedError("company")


def _scope_of(request: Request, query: Query, market: Market) -> Pred | None:
    scope = query.scope
    for one in request.excluded:
        items = scope.items if isinstance(scope, AllOf) else (scope,)
        if isinstance(one, Not) and one.item in items:  # 不要银行股了, of banks: without that limit
            scope = both(*(item for item in items if item != one.item))
        else:
            scope = both(scope, one)
    sets = [one for one in request.conds if is_set(one)]
    said = both(request.scope, *sets)
    if said is None:
        return scope
    if "add" in request.marks:
        return _widened(scope, said)
    clash = dimensions(scope) & dimensions(said)
    if "ne" in request.marks or (clash and not request.marks):
        return _replaced(scope, said, market)
    if clash - {"market"}:
        raise UnusedError("set")
    return both(scope, said)


def _narrowed(request: Request, query: Query) -> Query:
    tests = [one for one in request.conds if not is_set(one)]
    if not tests:
        return query
    if query.group or query.fold:
        raise UnusedError("condition of groups")
    shown = tuple(dict.fromkeys([*query.show, *compared(both(*tests))]))
    if query.take is not None and query.order:
        inner = query.model_copy(update={"show": ()})
        return query.model_copy(
            update={"first": inner, "where": both(*tests), "take": None, "show": shown}
        )
    if "add" in request.marks and "or" in request.marks:
        raise UnusedError("or")
    kept = _without_bounds(query.where, tests)
    return query.model_copy(update={"where": both(kept, *tests), "show": shown})


def _without_bounds(where: Pred | None, tests: Sequence[Pred]) -> Pred | None:
    """Without the bounds that are said anew: 大于5%呢, after 大于3%."""
    ways = {"gt": "more", "ge": "more", "lt": "less", "le": "less"}
    anew = {(one.left, ways.get(one.sign)) for one in tests if isinstance(one, Compare)}
    items = where.items if isinstance(where, AllOf) else (where,)
    return both(*(
        one for one in items
        if not isinstance(one, Compare) or (one.left, ways.get(one.sign)) not in anew
    ))  # fmt: skip


def _rebounded(request: Request, last: Query) -> Query:
    """改成10倍以下, 5%呢: the one bound it can be of, set anew."""
    if len(request.bounds) != 1 or len(request.mets) > 1 or request.conds or request.orders:
        raise UnusedError("bound")
    if request.ents or request.scope is not None or request.when is not None or request.take:
        raise UnusedError("bound")
    sign, amount, upper = request.bounds[0]
    items = list(last.where.items) if isinstance(last.where, AllOf) else [last.where]
    tests = [
        one for one in items
        if isinstance(one, Compare)
        and isinstance(one.left, Metric)
        and isinstance(one.right, Const)
        and one.right.value
        and constant(one.left.id, amount) is not None and request.mets in ([], [one.left.id])
    ]  # fmt: skip
    lefts = dict.fromkeys(one.left for one in tests)
    if len(lefts) != 1 or (sign is None and upper is None and len(tests) != 1):
        raise UnusedError("which bound")
    left = tests[0].left
    assert isinstance(left, Metric)  # noqa: S101 — as they were chosen
    said: list[tuple[Sign, Amount]] = [(sign or tests[0].sign, amount)]
    if upper is not None:
        said = [("ge", amount), ("le", upper)]
    new: list[Pred] = []
    for way, one in said:
        right = constant(left.id, one)
        if right is None:
            raise UnusedError("unit")
        new.append(Compare(sign=way, left=left, right=right))
    at = items.index(tests[0])
    kept = [one for one in items if one not in tests]
    kept[at:at] = new
    return last.model_copy(update={"where": both(*kept)})


def _reordered(request: Request, query: Query) -> Query:  # noqa: C901 — one case a line
    changed: dict[str, object] = {}
    shown: list[Expr] = [needed(one, Fig(when=request.when)) for one in request.mets]
    if len(request.orders) > 1:
        raise UnusedError("orders")
    take = query.take
    for sort in request.orders:
        phrase = sort.phrase
        if phrase.ents or phrase.scope or phrase.agg or not phrase.mets or sort.direction == "both":
            raise UnusedError("order")
        by = needed(phrase.mets[0], replace(phrase, mets=()))
        if query.take and query.order and query.order[0].by != by and query.first is None:
            changed |= {"first": query.model_copy(update={"show": ()}), "where": None}
        direction = "asc" if (sort.direction == "asc") is not request.is_bottom else "desc"
        changed["order"] = (Order(by=by, direction=direction),)
        shown.append(by)
        is_extreme = sort.direction is not None and not sort.is_list
        count = sort.take or (1 if is_extreme else query.take.count if query.take else None)
        take = Take(count=count, skip=sort.skip) if count else None
    if request.take is not None:
        if request.is_bottom and not request.orders:
            raise UnusedError("bottom")
        if not (request.orders or query.order):
            changed["order"] = natural_order(query.where)
            if not changed["order"]:
                raise UnusedError("take")
        take = Take(count=request.take, per=take.per if take else None)
    if request.place is not None:
        if not (request.orders or query.order):
            raise UnusedError("place")
        take = Take(count=1, skip=request.place - 1)
    if shown and (query.fold or query.group):
        raise UnusedError("figure of groups")
    shows = tuple(dict.fromkeys([*query.show, *shown]))
    return query.model_copy(update={**changed, "take": take, "show": shows})


def _folded(request: Request, query: Query, last: Query) -> Query:
    if request.group is not None:
        if query.take is not None:
            query = Query(scope=query.scope, first=query.model_copy(update={"show": ()}))
        fold = Folded(how="count")
        if request.agg is not None:
            fold = Folded(how=request.agg, of=_figure_asked(request, query, last))
        order = (Order(fold=0, direction="desc"),)
        changed = {"group": request.group, "fold": (fold,), "order": order, "show": ()}
        return query.model_copy(update={**changed, "take": None})
    if request.count:
        if request.agg or query.group:
            raise UnusedError("count")
        return query.model_copy(
            update={
                "fold": (Folded(how="count"),),
                "show": (),
                "order": query.order if query.take else (),
            }
        )
    if request.agg is not None:
        of = _figure_asked(request, query, last)
        fold = Folded(how=request.agg, of=of)
        return query.model_copy(update={"fold": (fold,), "show": ()})
    return query


def _figure_asked(request: Request, query: Query, last: Query) -> Expr:
    if len(request.mets) == 1:
        return needed(request.mets[0], Fig(when=request.when))
    by = query.order[0].by if query.order else None
    found = by or next(iter(last.show), None) or (last.fold[0].of if last.fold else None)
    if found is None or len(request.mets) > 1:
        raise UnusedError("fold of what")
    return found


def _widened(scope: Pred | None, more: Pred) -> Pred | None:
    items = scope.items if isinstance(scope, AllOf) else (scope,)
    new = [
        either(one, more)
        if isinstance(one, In) and isinstance(more, In) and one.dim == more.dim
        else one
        for one in items
    ]
    if new == list(items):
        raise UnusedError("add")
    return both(*new)


def _replaced(scope: Pred | None, new: Pred, market: Market) -> Pred | None:
    dims = dimensions(new)
    if "market" in dims:
        dims = dims | {"exchange", "board"}
    items = scope.items if isinstance(scope, AllOf) else (scope,)
    kept = [one for one in items if not (isinstance(one, In) and one.dim in dims)]
    return whole(both(*kept, new), market)
