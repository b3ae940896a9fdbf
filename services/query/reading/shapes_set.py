"""Questions about sets of companies: lists, counts, folds, groups, the first of each, the k-th."""

from collections.abc import Sequence
from dataclasses import replace

from services.core.catalogue import CATALOGUE
from services.query.algebra.nodes import (
    SHOWN,
    Across,
    Arith,
    Direction,
    Expr,
    Fold,
    Folded,
    In,
    Loss,
    Metric,
    Not,
    Order,
    Over,
    Pred,
    Query,
    Several,
    Take,
    both,
)
from services.query.algebra.scopes import markets_of
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_compared import compared, shown_of_list
from services.query.reading.phrases import Fig, dimensions
from services.query.reading.predicates import FALLEN, GAPS, Sort
from services.query.reading.reasons import reason
from services.query.reading.request import Request
from services.query.reading.set_gathered import (
    ALL_OF_SETS,
    Gathered,
    check_time,
    figures_asked,
    gather,
    natural_order,
)
from services.query.reading.shapes import Market, Shape, listed, shape, whole
from services.query.reading.shapes_company import needed
from services.query.reading.shapes_group import (
    beside_each_other,
    by_natural_fold,
    find_grouping,
    groups,
    highest_fold,
)


def folded(request: Request, market: Market) -> Query:
    """银行的平均市盈率, 市值最大的十家的合计市值, 银行和保险哪个平均市盈率高."""
    found, exprs = gather(request, market), figures_asked(request)
    check_time(request, found, exprs)
    scope = whole(found.scope, market)
    if found.folded is not None:
        return highest_fold(request, found, exprs, scope)
    agg = request.agg
    if agg is None or any(one.endswith(":lost") for one in request.mets):
        raise UnusedError("agg")  # 净损失合计: of those that lost alone
    if not exprs:
        exprs = [one.by for one in found.orders if one.by is not None]
    if not exprs:
        raise UnusedError("agg of what")
    if bool(found.orders) != bool(found.take):
        raise UnusedError("agg of one")
    if not found.orders and found.where is None and request.asks & {"which", "ones"}:
        raise UnusedError("who is a mean")  # 市值中位数的公司是哪家
    _check_scoped(request, found)
    take = Take(count=found.take, skip=found.skip) if found.take else None
    hows = (agg, request.also) if request.also else (agg,)
    folds = tuple(Folded(how=how, of=of) for of in exprs for how in hows)
    if request.apart and agg != "sum" and not found.orders:
        if (kind := find_grouping(scope)) is None:
            return beside_each_other(scope, found.where, folds)
        return Query(scope=scope, where=found.where, group=kind, fold=folds)
    return Query(scope=scope, where=found.where, order=tuple(found.orders), take=take, fold=folds)


def counted(request: Request, market: Market) -> Query:
    """市盈率低于10的银行有几家."""
    found, exprs = gather(request, market), figures_asked(request)
    if found.orders or found.take or exprs or found.folded:
        raise UnusedError("count")
    check_time(request, found, exprs)
    scope = whole(found.scope, market)
    if found.scope is None and found.where is None:
        raise UnusedError("count of what")
    folds = [Folded(how="count")]
    if request.agg is not None:  # 市值过千亿的几家，合计多少: of the one figure tested
        tested = [one for one in compared(found.where) if isinstance(one, Metric)]
        if request.agg != "sum" or len(tested) != 1 or not CATALOGUE[tested[0].id].additive:
            raise UnusedError("agg of what")
        folds.append(Folded(how="sum", of=tested[0]))
    return Query(scope=scope, where=found.where, fold=tuple(folds))


def _lists_plain(
    request: Request, found: Gathered, exprs: Sequence[Expr], scope: Pred
) -> Query | None:
    """A set without a condition, an order or a number, as it stands; None where one is needed.

    Raises: UnusedError, or the choice of what a whole market is to be listed by.
    """
    named = _is_named(scope)
    if not exprs and _is_trade(found.scope):
        by = Metric(id="market_cap")
        return Query(scope=scope, order=(Order(by=by, direction="desc"),), show=(by,))
    if len(exprs) > 1 and _is_trade(found.scope) and not named:
        by = Order(by=exprs[0], direction="desc")
        return Query(scope=scope, order=(by,), show=tuple(exprs))
    if exprs and not named:
        raise _choice(scope, exprs, is_said=found.scope is not None)
    if named and exprs:
        return Query(scope=scope, show=tuple(exprs))
    return None


def lists(  # noqa: C901 — one case a line
    request: Request, market: Market
) -> Query:
    """Companies by conditions, in an order, the first so many."""
    if (other := _of_another_shape(request, market)) is not None:
        return other
    if gap_of(request) is not None:
        raise UnusedError("between whom")
    found, exprs = gather(request, market), figures_asked(request)
    if "rank" in request.asks and any(one not in [by.by for by in found.orders] for one in exprs):
        raise UnusedError("place of what")  # 市值第三的是谁，市盈率排第几: no order of them
    check_time(request, found, exprs)
    scope = whole(found.scope, market)
    if found.folded is not None:
        return highest_fold(request, found, exprs, scope)
    is_apart = request.apart or any(one.phrase.apart for one in request.orders)
    if is_apart and any(one.is_between for one in request.orders):
        return _between_sets(request, found, exprs, scope)
    if found.where is None and not found.orders:
        if found.take is None and (plain := _lists_plain(request, found, exprs, scope)):
            return plain
        if not (found.take and len(exprs) == 1):
            raise UnusedError("order by what")
        falls = request.mets[0] in FALLEN
        direction: Direction = "asc" if request.is_bottom is not falls else "desc"
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
    count = found.take or (1 if found.is_extreme else SHOWN if has_extreme else None)
    take = Take(count=count, skip=found.skip) if count else None
    return Query(
        scope=scope, where=found.where, order=tuple(found.orders), take=take,
        show=shown_of_list(exprs, found.orders, found.where),
    )  # fmt: skip


def _between_sets(request: Request, found: Gathered, exprs: Sequence[Expr], scope: Pred) -> Query:
    """沪市和深市哪个总市值大: which of the sets has the higher total; of what does not add up its
    median or its mean. Raises: ChoiceError.
    """
    order, by = found.orders[0], found.orders[0].by
    if by is None or len(found.orders) > 1:
        raise UnusedError("orders")

    def of(how: Fold) -> Query:
        folded = replace(found, folded=(how, by, order.direction), orders=[])
        return highest_fold(request, folded, exprs, scope)

    return by_natural_fold(by, of, "fold_of_each")


def _of_another_shape(request: Request, market: Market) -> Query | None:
    """Both ends of an order; the industries that a fold orders. Raises: ChoiceError."""
    if any(sort.direction == "both" for sort in request.orders):
        if (how := gap_of(request)) is None:
            raise UnusedError("both")
        return spread_of(request, market, how)
    if request.peer == "industry" and any(one.phrase.agg for one in request.orders):
        return groups(replace(request, peer=None, group="industry"), market)
    _check_open(request, market)
    return None


def _check_open(request: Request, market: Market) -> None:
    """Raises: ChoiceError where what the order is by was left open."""
    bare = [one for one in request.orders if one.phrase == Fig() and one.direction == "asc"]
    is_open = bool(bare) or (request.direction == "asc" and "way" not in request.marks)
    if not request.mets and bare == request.orders and is_open:
        raise _cheapest(request, market)
    if "growth" in request.asks and not request.mets and request.direction == "desc":
        raise _by_each(
            request, market, ("net_profit:yoy", "revenue:yoy"), "desc", reason("grown_by")
        )


def _cheapest(request: Request, market: Market) -> Exception:
    """最便宜的银行: by which multiple is what nobody said."""
    return _by_each(request, market, ("pe_ttm", "pb"), "asc", reason("cheap_by"))


def _by_each(
    request: Request, market: Market, figures: Sequence[str], way: Direction, why: tuple[str, str]
) -> Exception:
    """The list by each of these figures, to choose from."""
    options: list[Query] = []
    asks = request.asks - {"growth"}
    for one in figures:
        sort = Sort(Fig(mets=(one,)), way)
        again = replace(request, direction=None, orders=[sort], asks=asks)
        options.append(lists(again, market))
    return ChoiceError(why, options)


def _check_scoped(request: Request, found: Gathered) -> None:
    """An order alone (按净利润排) is of the list before, and where there is none, of nothing."""
    has_extreme = any(sort.direction and not sort.is_list for sort in request.orders)
    is_said = found.scope or found.where or found.take or "held" in request.marks
    if not is_said and not has_extreme:
        raise UnusedError("of what set")


def _is_trade(scope: Pred | None) -> bool:
    """白酒股有哪些, ST股有哪些: an industry, a list, a class may be shown as it is."""
    return bool(dimensions(scope) & {"industry", "symbol", "st"})


def _is_named(scope: Pred) -> bool:
    return "symbol" in dimensions(scope)


def _choice(scope: Pred, exprs: Sequence[Expr], *, is_said: bool) -> Exception:
    """A set's figure without a fold: total, median or list."""
    expr = exprs[0]
    if len(exprs) != 1 or not isinstance(expr, Metric) or not is_said:
        return UnusedError("figure of a set")
    folds: tuple[Fold, ...] = (
        ("sum", "median") if CATALOGUE[expr.id].additive else ("median", "mean")
    )
    options = [Query(scope=scope, fold=(Folded(how=one, of=expr),)) for one in folds]
    order = (Order(by=expr, direction="desc"),)
    options.append(Query(scope=scope, order=order, take=Take(), show=(expr,)))
    return ChoiceError(reason("sum_or_list"), options)


def spread_of(request: Request, market: Market, how: str) -> Query:
    """银行市盈率最高和最低相差多少: one end against the other."""
    sort = request.orders[0]
    phrase = sort.phrase
    is_plain = not (phrase.ents or phrase.agg or phrase.peer)
    if len(request.orders) != 1 or not is_plain or len(phrase.mets) != 1:
        raise UnusedError("both")
    if phrase.when and request.when:
        raise UnusedError("when")
    expr = needed(phrase.mets[0], Fig(when=phrase.when or request.when))
    scope = whole(both(request.scope, phrase.scope, *request.excluded), market)
    return spread(expr, both(scope, *request.conds), how)


def both_ends(request: Request, market: Market) -> Several:
    """市盈率最高和最低的银行: who stands at each end."""
    if len(request.orders) != 1 or request.orders[0].direction != "both":
        raise UnusedError("both")
    ways: tuple[Direction, Direction] = ("desc", "asc")
    sorts = [replace(request.orders[0], direction=way) for way in ways]
    ends = [replace(request, orders=[one], take=request.take or 1) for one in sorts]
    return Several(queries=tuple(lists(one, market) for one in ends))


def gap_of(request: Request) -> str | None:
    """How much lies between, how many times, how far above: what was asked of two ends."""
    asked = [how for said, how in GAPS.items() if said in request.asks]
    if len(asked) > 1 and "mult" in request.asks:
        return "div"  # 相差几倍
    return asked[0] if asked else None


def spread(expr: Expr, within: Pred | None, how: str) -> Query:
    """银行里市净率最高和最低相差几倍: the highest of a set against its lowest."""
    if isinstance(expr, Over) or within is None:
        raise UnusedError("spread of what")
    high, low = (Across(how=one, of=expr, within=within) for one in ("max", "min"))
    gap = Arith(how="div" if how == "div" else "sub", left=high, right=low)
    if how == "excess":
        gap = Arith(how="percent", left=gap, right=low)
    return Query(rows="one", show=(gap, high, low))


def with_peers(request: Request, market: Market) -> Query:
    """跟海康威视同行业的公司，按市值排前五: of its industry, itself left out."""
    symbols = listed(request.ents)
    if len(symbols) != 1:
        raise UnusedError("peers of whom")
    gone = Not(item=In(dim="symbol", values=symbols))
    scope = market.industry(symbols[0])
    return lists(replace(request, ents=[], scope=scope, excluded=[gone], peer=None), market)


def number_share(pred: Pred, part: Pred | None, within: Pred) -> tuple[Arith, Across, Across]:
    """Those of whom a condition holds in per cent of all that have its figure; both numbers."""
    # A loss has no multiple: whoever has a market value may have made one; elsewhere it is a
    # net profit below nought, of those that have one.
    is_loss = isinstance(pred, Loss)
    worth = "market_cap" if markets_of(within) == ("CN",) else "net_profit"
    # What a company's figure is held against is the same for each of them.
    own = [one for one in compared(pred) if not isinstance(one, Metric) or one.of is None]
    figures = [Metric(id=worth)] if is_loss else own
    if len(figures) != 1 or not isinstance(figures[0], Metric):
        raise UnusedError("share of what")
    of = figures[0]
    held = Across(how="count", of=of, within=part)
    all_of = Across(how="count", of=of, within=within)
    return Arith(how="percent", left=held, right=all_of), held, all_of


SHAPES: tuple[Shape[Query | Several], ...] = (
    shape("agg orders | agg mets | agg take", f"{ALL_OF_SETS} agg also ask.growth", folded),
    shape("count", f"{ALL_OF_SETS} agg", counted),
    shape("ents peer orders mark.and", "mets when take direction", with_peers),
    shape(
        "scope | conds | orders | excluded | mets take | direction",
        f"{ALL_OF_SETS} ask.growth mark.only mark.way ask.rank ask.diff ask.mult ask.excess",
        lists,
    ),
    shape("orders", ALL_OF_SETS, both_ends),
)
