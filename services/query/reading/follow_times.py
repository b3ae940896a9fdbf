"""Turns about the times of the answer before: in which of its years a figure grew most, how fast on
the whole, on which of its days it first held.
"""

from collections.abc import Sequence
from dataclasses import replace

from services.query.algebra.nodes import (
    ALL,
    LATEST,
    NEWEST_FIRST,
    Change,
    Compare,
    Expr,
    In,
    Metric,
    Order,
    Query,
    Take,
    When,
    walk,
)
from services.query.reading.errors import UnusedError
from services.query.reading.figures_said import base, gain_of, growth_of, joined
from services.query.reading.figures_told import figures_told, time_of, two_years
from services.query.reading.follow_apart import between
from services.query.reading.follow_companies import of_companies
from services.query.reading.follow_edits import POINTING
from services.query.reading.phrases import Fig, Time, constant, is_one_day, said_as
from services.query.reading.request import Request
from services.query.reading.shapes import Market, made
from services.query.reading.shapes_company import needed
from services.query.reading.shapes_place import SHAPES as OF_COMPANIES
from services.query.reading.shapes_relation import gap_of
from services.query.reading.shapes_times import on_occasion


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


def grown(request: Request, before: Sequence[Query], market: Market) -> Query:
    """增长了多少, 增加了多少亿, behind a figure of two years: from the one to the other; behind one
    of one year, or where a year is said: over the year before it.
    """
    last, is_amount = before[-1], "gain" in request.asks
    if request.when is None and not request.said - POINTING - _GREW and _tells_a_day(last):
        return between(replace(request, asks={"sub" if is_amount else "excess"}), before, market)
    if request.when is None and (years := two_years(before)) is not None:
        ends = [When(kind="years", first=one, last=one) for one in sorted(years)]
        told = figures_told(last)
        show = tuple(_grown_between(one, ends, is_amount=is_amount) for one in told)
        if show:
            return Query(scope=last.scope, show=show)
    asks = request.asks - {"grew", "gain"} | {"growth"}
    if is_amount:
        gains = [gain_of(one) for one in figures_told(last)]
        request, asks = replace(request, mets=[one for one in gains if one]), asks - {"growth"}
    return of_companies(replace(request, asks=asks), before, market)


_GREW = frozenset({"ask.grew", "ask.gain"})


def _grown_between(figure: str, ends: Sequence[When], *, is_amount: bool) -> Expr:
    """What became of it from the one year to the other; of a quotient of figures the difference."""
    then, now = ends
    if growth_of(figure):
        return Change(how="difference" if is_amount else "rate", of=figure, since=then, until=now)
    if not joined(figure):
        raise UnusedError("growth of what")
    one, other = (needed(figure, Fig(when=Time(periods=end))) for end in (now, then))
    return gap_of("sub", one, other)


def _tells_a_day(last: Query) -> bool:
    told = [one.when.kind for one in last.show if isinstance(one, Metric)]
    return last.rows == "companies" and bool(told) and {*told} <= {"days", "latest"}


def years_told(before: Sequence[Query]) -> tuple[int, ...]:
    """The fiscal years the last answer told, or the last two did one by one; else none."""
    ends = [one for expr in before[-1].show for one in walk(expr)] if before else []
    years = {one.first for one in ends if isinstance(one, When) and one.kind == "years"}
    if len(years) == 2:  # the ends of a change
        return tuple(sorted(one for one in years if isinstance(one, int)))
    time = time_of(before[-1]) if before else None
    when = time.periods if time is not None else None
    if when is None or when.kind != "years":
        return ()
    if when.only:
        return tuple(one for one in when.only if isinstance(one, int))
    if isinstance(when.first, int) and isinstance(when.last, int) and when.first < when.last:
        return tuple(range(when.first, when.last + 1))
    return tuple(sorted(two_years(before) or ()))


def compounded(request: Request, before: Sequence[Query], market: Market) -> Query:
    """复合增速呢, behind a figure year by year: of the first year to the last, or of those said."""
    last = before[-1]
    scope = last.scope
    if request.ents or not isinstance(scope, In) or scope.dim != "symbol":
        raise UnusedError("growth of whom")
    ents = [(one,) for one in scope.values]
    figures = [_figure(last)] if request.when is None else [base(one) for one in figures_told(last)]
    if len(figures) != 1 or growth_of(figures[0]) is None:
        raise UnusedError("growth of what")
    when = request.when or time_of(last)
    again = Request(ents=ents, mets=[f"{figures[0]}:cagr"], when=when)
    return made(again, OF_COMPANIES, market)


def held_then(request: Request, before: Sequence[Query], market: Market) -> Query:
    """第一次是什么时候, behind the times at which something held or their number: the first. 上一次
    behind the newest: the one before.
    """
    del market
    last = before[-1]
    tests = [one for one in walk(last.where) if isinstance(one, Compare)] if last.where else []
    if last.rows not in ("days", "years", "quarters") or not tests or request.occasion is None:
        raise UnusedError("times of what")
    count, skip, is_newest = request.occasion
    if is_newest and last.take is not None and NEWEST_FIRST in last.order:
        skip += last.take.skip + last.take.count
    times = last.model_copy(update={"fold": (), "show": (tests[0].left,), "order": ()})
    return on_occasion(times, (count, skip, is_newest))


def _by_years(last: Query) -> Query:
    """A figure folded over years as the years themselves: 一共多少, then 增速最快是哪年; behind one
    of one year all there are.
    """
    told = said_as(last.show[0]) if len(last.show) == 1 else None
    time = time_of(last)
    if last.rows != "companies" or last.check or told is None or growth_of(base(told[0])) is None:
        return last
    is_of_one = told[1] is None and (time is None or time.is_one_year)
    window = ALL if is_of_one else time.periods if time is not None else None
    by = needed(base(told[0]), Fig(), own=True)
    return last.model_copy(update={"rows": "years", "window": window, "show": (by,)})


def _growth(last: Query) -> Expr:
    """The growth of the one figure told year by year. Raises: UnusedError."""
    return needed(f"{_figure(last)}:yoy", Fig(), own=True)


def _figure(last: Query) -> str:
    told = {base(one[0]) if one else None for one in map(said_as, last.show)}
    figure = next(iter(told), None)
    if last.rows != "years" or len(told) != 1 or not figure or growth_of(figure) is None:
        raise UnusedError("growth of what")
    return figure


def need_now(query: Query, last: Query, *, is_left: bool) -> None:
    """`is_left`: 今天 was said, and nothing of the query is it.

    Raises: UnusedError where it asks again of the day that was told before.
    """
    days = [
        one.days for one in (time_of(query), time_of(last)) if one is not None and is_one_day(one)
    ]
    if is_left and len(days) > 1 and days[0] == days[1] != LATEST:
        raise UnusedError("now of what")
