"""The place of a company among others by a figure, whether it is one of the first so many, and its
figure beside that of its like.
"""

from collections.abc import Sequence
from dataclasses import replace

from services.query.algebra.nodes import (
    Across,
    Change,
    Compare,
    Const,
    Direction,
    In,
    Metric,
    Order,
    Over,
    Pred,
    Query,
    Rank,
    both,
)
from services.query.algebra.scopes import first_of
from services.query.reading.errors import UnusedError
from services.query.reading.phrases import Fig, dimensions
from services.query.reading.request import Request
from services.query.reading.shapes import Market, listed, shape, whole
from services.query.reading.shapes_company import MOVES, companies, needed
from services.query.reading.shapes_company import SHAPES as OF_COMPANIES


def ranked(request: Request, market: Market) -> Query:
    """茅台市值在行业里排第几, where does Moutai rank by P/E in its industry."""
    if not request.mets and not request.take and len(request.orders) == 1:
        request = _of_order(request)
    symbols = listed(request.ents)
    if len(symbols) > 1 and len(request.ents) > len(symbols):
        return _among_named(request, symbols)
    if len(symbols) != 1 or len(request.mets) != 1 or (request.take and not request.orders):
        raise UnusedError("rank")
    expr = needed(request.mets[0], Fig(when=request.when))
    if isinstance(expr, Over):
        raise UnusedError("rank")
    symbol = symbols[0]
    is_said_twice = request.peer == "industry" and "industry" in dimensions(request.scope)
    if request.scope is not None and request.peer is not None and not is_said_twice:
        raise UnusedError("scope")
    if request.orders:
        within = _among_first(request, market)
    elif request.scope is not None:
        within = whole(request.scope, market)
    elif request.peer == "industry":
        within = market.industry(symbol)
    else:
        within = In(dim="market", values=(market.book.row(symbol).market,))
    way = "asc" if request.direction == "asc" else "desc"
    place = Rank(of=expr, within=within, direction=way, percentile="pctile" in request.asks)
    plain = place.but(percentile=False)
    places = (place, plain) if {"rank", "pctile"} <= request.asks else (place,)
    # A place is one of so many: of those that have the figure.
    of = Across(how="count", of=expr, within=within)
    return Query(scope=companies(symbols), show=(*places, expr, of))


def _among_named(request: Request, symbols: Sequence[str]) -> Query:
    """ROE：万科、招行、同仁堂，万科排第几: of those named, one of them again, the place of each."""
    is_bare = request.scope is None and request.peer is None and not request.orders
    if len(request.mets) != 1 or request.take or not is_bare or "pctile" in request.asks:
        raise UnusedError("rank")
    expr = needed(request.mets[0], Fig(when=request.when))
    way: Direction = "asc" if request.direction == "asc" else "desc"
    place = Rank(of=expr, within=companies(symbols), direction=way)
    order = (Order(by=expr, direction=way),)
    return Query(scope=companies(symbols), order=order, show=(place, expr))


def placed_within(request: Request, market: Market) -> Query:
    """招行市值在A股前一百里吗: whether its place is one of those."""
    sorts = request.orders
    lists = request.asks & {"list", "ones", "which"} or any(one.is_list for one in sorts)
    if lists or "and" in request.marks or request.is_bottom:
        raise UnusedError("place")  # 跟茅台同行业的还有哪些，按市值排前四: the others
    takes = [one for one in (request.take, *(sort.take for sort in sorts)) if one is not None]
    if not takes and _is_first_asked(request):
        takes = [1]
    if len(takes) != 1:
        raise UnusedError("place")
    of = replace(_of_order(request), take=None, asks={"rank"})
    if of.when is None and MOVES.intersection(of.mets):
        raise UnusedError("place")  # 茅台前三大跌幅: its own
    found = ranked(of, market)
    most = Const(value=takes[0], unit="number")
    return found.but(check=Compare(sign="le", left=found.show[0], right=most))


def _of_order(request: Request) -> Request:
    """The same with the order it is asked by as its figure, its set and its direction.

    Raises: UnusedError.
    """
    phrase, sorts = Fig(mets=tuple(request.mets)), request.orders
    for one in sorts:
        phrase = phrase and phrase.merged(one.phrase)
    if phrase is None or len(sorts) > 1 or any(one.skip for one in sorts):
        raise UnusedError("place")
    ways = {way for way in (request.direction, *(one.direction for one in sorts)) if way}
    bare = Fig(scope=phrase.scope, peer=phrase.peer, mets=phrase.mets)
    if len(ways) > 1 or phrase != bare or (phrase.peer and request.peer):
        raise UnusedError("which end")
    return replace(
        request, mets=list(phrase.mets), scope=both(request.scope, phrase.scope),
        peer=phrase.peer or request.peer, direction=next(iter(ways), None), orders=[],
    )  # fmt: skip


def _is_first_asked(request: Request) -> bool:
    """茅台是不是A股市值最大的: whether it is the first of a set, or of its market."""
    asked = [(one.is_asked, one.direction) for one in request.orders if not one.is_list]
    return asked in ([(True, "desc")], [(True, "asc")])


def _among_first(request: Request, market: Market) -> Pred:
    """市值前50里茅台市盈率排第几: of those fifty. Raises: UnusedError."""
    (sort, *more), phrase = request.orders, request.orders[0].phrase
    is_bare = phrase == Fig(scope=phrase.scope, when=phrase.when, mets=phrase.mets)
    take = sort.take if request.take is None else request.take
    if more or take is None or sort.take not in (None, take) or sort.skip or not is_bare:
        raise UnusedError("orders")
    if request.peer is not None or "in" not in request.marks or len(phrase.mets) != 1:
        raise UnusedError("among whom")
    within = whole(both(request.scope, phrase.scope), market)
    by = needed(phrase.mets[0], Fig(when=phrase.when))
    return first_of(within, by, take, "asc" if sort.direction == "asc" else "desc")


def against_peers(request: Request, market: Market) -> Query:
    """茅台市盈率和行业平均: both beside each other."""
    symbols = listed(request.ents)
    is_of_set = "industry" in dimensions(request.scope) and request.peer is None
    if len(request.mets) != 1 or request.agg is None or not (request.peer or is_of_set):
        raise UnusedError("peer")
    expr = needed(request.mets[0], Fig(when=request.when))
    if not isinstance(expr, Metric | Change):
        raise UnusedError("peer")
    within = whole(request.scope, market) if is_of_set else None
    beside = Across(how=request.agg, of=expr, own=request.peer, within=within)
    return Query(scope=companies(symbols), show=(expr, beside))


RANKED = shape(
    "ents ask.rank | ents ask.pctile", "mets when scope peer direction mark.way orders take", ranked
)
AGAINST = shape("ents peer agg | ents scope agg", "mets when mark.bi", against_peers)
SHAPES = (
    RANKED,
    AGAINST,
    *OF_COMPANIES,
    shape(
        "ents orders | ents direction take | ents mets take ask.yesno",
        "mets when scope peer direction mark.in mark.way orders take",
        placed_within,
    ),
)
