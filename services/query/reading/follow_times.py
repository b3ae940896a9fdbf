"""Turns about the times of the answer before: in which of its years a figure grew most, how fast on
the whole, on which of its days it first held.
"""

from collections.abc import Sequence

from services.query.algebra.nodes import Compare, Expr, In, Order, Query, Take, walk
from services.query.reading.figures_said import base, growth_of
from services.query.reading.follow_companies import time_of
from services.query.reading.phrases import Fig, constant, said_as
from services.query.reading.request import Request, UnusedError
from services.query.reading.shapes import Market, made
from services.query.reading.shapes_company import SHAPES as OF_COMPANIES
from services.query.reading.shapes_company import needed


def grown_most(request: Request, before: Sequence[Query], market: Market) -> Query:
    """哪年增长最快, behind a figure year by year: the year of its highest growth."""
    del market
    last = _by_years(before[-1])
    by = _growth(last)
    order = Order(by=by, direction="asc" if request.direction == "asc" else "desc")
    changed = {"order": (order,), "take": Take(count=1), "show": (by,), "where": None}
    return last.model_copy(update=changed)


def grown_so(request: Request, before: Sequence[Query], market: Market) -> Query:
    """增速低于10%的是哪几年, did it ever fall: the years at which its growth is so."""
    del market
    by, (sign, amount, upper) = _growth(before[-1]), request.bounds[0]
    right = constant(f"{_figure(before[-1])}:yoy", amount)
    if len(request.bounds) > 1 or sign is None or upper is not None or right is None:
        raise UnusedError("bound")
    where = Compare(sign=sign, left=by, right=right)
    changed = {"order": (), "take": None, "show": (by,), "where": where}
    return before[-1].model_copy(update=changed)


def compounded(request: Request, before: Sequence[Query], market: Market) -> Query:
    """复合增速呢, behind a figure year by year: of the first year to the last."""
    last = before[-1]
    scope = last.scope
    if request.ents or not isinstance(scope, In) or scope.dim != "symbol":
        raise UnusedError("growth of whom")
    ents = [(one,) for one in scope.values]
    again = Request(ents=ents, mets=[f"{_figure(last)}:cagr"], when=time_of(last))
    return made(again, OF_COMPANIES, market)


def first_held(request: Request, before: Sequence[Query], market: Market) -> Query:
    """第一次是什么时候, behind the days at which something held or their number: the first."""
    del request, market
    last = before[-1]
    tests = [one for one in walk(last.where) if isinstance(one, Compare)] if last.where else []
    if last.rows != "days" or not tests:
        raise UnusedError("first of what")
    changed = {"fold": (), "order": (), "take": Take(count=1), "show": (tests[0].left,)}
    return last.model_copy(update=changed)


def _by_years(last: Query) -> Query:
    """A figure folded over years as the years themselves: 一共多少, then 增速最快是哪年."""
    told = said_as(last.show[0]) if len(last.show) == 1 else None
    time = time_of(last)
    if last.rows != "companies" or told is None or told[1] is None or time is None:
        return last
    by = needed(told[0], Fig(), own=True)
    return last.model_copy(update={"rows": "years", "window": time.periods, "show": (by,)})


def _growth(last: Query) -> Expr:
    """The growth of the one figure told year by year. Raises: UnusedError."""
    return needed(f"{_figure(last)}:yoy", Fig(), own=True)


def _figure(last: Query) -> str:
    told = {base(one[0]) if one else None for one in map(said_as, last.show)}
    figure = next(iter(told), None)
    if last.rows != "years" or len(told) != 1 or not figure or growth_of(figure) is None:
        raise UnusedError("growth of what")
    return figure
