"""What a question says of a set of companies: who, which of them, in which order, how many."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from services.query.algebra.limit_moves import limit_edge
from services.query.algebra.nodes import (
    LATEST,
    YEAR_BEFORE,
    AllOf,
    AnyOf,
    Change,
    Compare,
    Const,
    Direction,
    Expr,
    Fold,
    Metric,
    Order,
    Pred,
    both,
    items_of,
)
from services.query.reading.errors import UnusedError
from services.query.reading.figures_compared import compared
from services.query.reading.figures_said import base, is_of_years
from services.query.reading.phrases import Fig, Time, dimensions, figure
from services.query.reading.predicates import Sort
from services.query.reading.request import Request
from services.query.reading.sets_said import is_set
from services.query.reading.shapes import Market, in_its_market
from services.query.reading.shapes_company import needed


@dataclass(slots=True)
class Gathered:
    """The companies and what orders them."""

    scope: Pred | None
    where: Pred | None
    orders: list[Order]
    take: int | None
    skip: int
    # An extreme (市值最高的银行) is one company where no number was said.
    is_extreme: bool = False
    folded: tuple[Fold, Expr, Direction] | None = None


def gather(  # noqa: C901, PLR0912 — one field after another
    request: Request, market: Market
) -> Gathered:
    """What the request says of a set. Raises: UnusedError where it says a thing twice."""
    sets, tests = list[Pred](), list[Pred]()
    for one in (*request.conds, *(out for out in request.excluded if not is_set(out))):
        for item in items_of(one):
            (sets if is_set(item) else tests).append(item)
    if any(map(limit_edge, tests)):
        raise UnusedError("limit moves")  # of a market hardly any company has bars
    scopes = both(request.scope, *sets, *(one.phrase.scope for one in request.orders))
    gone = in_its_market([one for one in request.excluded if is_set(one)], scopes, market)
    found = Gathered(both(request.scope, *gone, *sets), both(*tests), [], request.take, 0)
    _take_market(found, request.peer, market)
    _take_place(request)
    _take_direction(found, request)
    _take_ends(request)
    for sort in request.orders:
        phrase = sort.phrase
        _take_market(found, phrase.peer, market)
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
        numbered = found.skip or any(one.take for one in request.orders)
        if not found.orders or numbered or request.place < 1:
            raise UnusedError("place")
        found.skip, found.take = request.place - 1, request.places
    if len(request.orders) > 1 and not all(one.is_list for one in request.orders):
        raise UnusedError("orders")  # of two extremes one is of the rows of the other
    return found


def _take_place(request: Request) -> None:
    """市值第11到第15名, 公司数量最多的行业: places and ends of the one figure said are an order."""
    if request.place is not None and not request.orders and len(request.mets) == 1:
        request.orders, request.mets = [Sort(Fig(mets=(request.mets[0],)), None, is_list=True)], []
    is_fold = request.group is not None and request.agg is not None and len(request.mets) == 1
    if is_fold and request.direction and not request.orders:  # median PB by industry, lowest first
        way: Direction = "asc" if request.direction == "asc" else "desc"
        request.orders = [Sort(Fig(mets=(request.mets[0],)), way, is_list=True)]
        request.direction = None
    if request.group is not None and request.count and not (request.orders or request.mets):
        request.is_bottom = request.is_bottom or request.direction == "asc"
        request.direction = None


def _take_ends(request: Request) -> None:
    """Of groups both ends of an order are one order of them all."""
    if request.group is not None and _is_both_ends(request.orders):
        request.orders = request.orders[:1]
        request.marks.add("ends")


def _is_both_ends(orders: Sequence[Sort]) -> bool:
    """哪个行业…最高，哪个最低: two ends of one order, the second without its figure."""
    if len(orders) != 2 or orders[1].phrase != Fig() or orders[0].take or orders[1].take:
        return False
    return {one.direction for one in orders} == {"asc", "desc"}


def _take_market(found: Gathered, peer: str | None, market: Market) -> None:
    """全市场 is where to look, not what to compare with: the market that was spoken of."""
    if peer is None:
        return
    if peer != "market" or "market" in dimensions(found.scope):
        raise UnusedError("peer")
    found.scope = both(market.whole, found.scope)


def _take_direction(found: Gathered, request: Request) -> None:
    """The cheapest ten by PB: the direction stands apart from the figure."""
    figures = compared(both(*request.conds))
    bare = [one for one in request.orders if one.phrase == Fig() and one.is_list]
    if not request.mets and len(figures) == 1 and bare == request.orders:
        said = bare[0].direction if bare else request.direction
        if len(bare) == 1 or (said is not None and "mark.way" in request.said):
            # ROE大于15%的，从高到低: by the one figure that was spoken of.
            found.orders.append(Order(by=figures[0], direction="asc" if said == "asc" else "desc"))
            request.orders, request.direction = [], None
            return
    if request.direction is None:
        return
    if len(request.orders) != 1 or request.orders[0].direction is not None:
        raise UnusedError("direction")
    way = "asc" if request.direction == "asc" else "desc"
    request.orders = [replace(request.orders[0], direction=way)]
    request.direction = None


def natural_order(where: Pred | None) -> tuple[Order, ...]:
    """By the first condition's figure, the best first: for so many without an order said. That a
    multiple is from nought on is no bound that was said.
    """
    items = items_of(where)
    bounds = [one for one in items if isinstance(one, Compare)]
    capped = [one.left for one in bounds if one.sign in ("lt", "le")]
    for one in bounds:
        is_floor = one.sign == "ge" and one.left in capped
        if is_floor and isinstance(one.right, Const) and not one.right.value:
            continue
        if isinstance(one.left, Metric):
            direction: Direction = "desc" if one.sign in ("gt", "ge") else "asc"
            return (Order(by=one.left, direction=direction),)
    return ()


def _order(found: Gathered, request: Request, said: str | None, phrase: Fig) -> None:
    time, direction = phrase.when or request.when, said or "desc"
    if said == "both":
        raise UnusedError("both")
    if request.is_bottom:  # 从低到高的倒数三家 are the highest; 最便宜的倒数三家 the cheapest
        direction = "desc" if direction == "asc" and "mark.way" in request.said else "asc"
    way: Direction = "asc" if direction == "asc" else "desc"
    agg = phrase.agg or (request.agg if request.group else None)
    if agg is not None:
        if found.folded is not None:
            raise UnusedError("order")
        found.folded = (agg, needed(phrase.mets[0], Fig(when=time)), way)
    else:
        by = figure(phrase.mets[0], Fig(when=time))
        if by is None and phrase.when is None and request.mets:
            time = None  # 市值最大的那家，2016年净利润多少: the time is of the other figure
        found.orders.append(Order(by=needed(phrase.mets[0], Fig(when=time)), direction=way))


def figures_asked(request: Request) -> list[Expr]:
    """The figures named, of the time that was said."""
    mets = list(request.mets)
    if "growth" in request.asks:
        if len(mets) != 1 or ":" in mets[0]:
            raise UnusedError("growth")
        mets = [f"{base(mets[0])}:yoy"]
    return [needed(one, Fig(when=request.when)) for one in mets]


def check_time(request: Request, found: Gathered, exprs: Sequence[Expr]) -> None:
    """A time that no figure took is of nothing."""
    has_order = any(not sort.phrase.when for sort in request.orders)
    if request.when is None or exprs or has_order:
        return
    dated = _date_conditions(found.where, request.when)
    if dated == found.where:
        raise UnusedError("when")
    found.where = dated


def _date_conditions(where: Pred | None, time: Time) -> Pred | None:
    """按2016年报: the conditions on reports are of that year, where they said none."""
    when = time.periods if time.is_one_year else None
    if when is None or where is None:
        return where

    def each(one: Pred) -> Pred:
        if isinstance(one, AllOf | AnyOf):
            return one.but(items=tuple(each(item) for item in one.items))
        if not isinstance(one, Compare):
            return one
        left = one.left
        if isinstance(left, Metric) and left.when == LATEST and is_of_years(left.id):
            left = left.but(when=when)
        if isinstance(left, Change) and left.until == LATEST and left.since == YEAR_BEFORE:
            left = left.but(until=when)
        return one.but(left=left)

    return each(where)


ALL_OF_SETS = "scope conds excluded orders mets when take is_bottom place direction peer apart"
