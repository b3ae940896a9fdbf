"""Turns behind the highest or lowest price of a time: how far it went since, the other extreme, the
day of it.
"""

from collections.abc import Mapping, Sequence
from datetime import date

from services.query.algebra.nodes import (
    Arith,
    Direction,
    Expr,
    Fold,
    Metric,
    Order,
    Over,
    Query,
    Take,
    When,
    walk,
)
from services.query.algebra.scopes import named_symbols
from services.query.reading.errors import UnusedError
from services.query.reading.figures_told import companies_of
from services.query.reading.lists_told import POINTING
from services.query.reading.phrases import Fig, Time, is_one_day
from services.query.reading.predicates import Relation
from services.query.reading.request import Request
from services.query.reading.shapes import Market
from services.query.reading.shapes_company import companies, needed
from services.query.reading.shapes_relation import set_apart

_PRICES = frozenset({"close", "high", "low"})
_EDGES = frozenset({"max", "min"})
# From the price that was told, the highest or the lowest of those, until now.
SINCE: Mapping[str, Fold | None] = {"sincethen": None, "sincehigh": "max", "sincelow": "min"}
# The price of a session that is its own highest or lowest: the lowest of a time is of the lows.
_OF_EDGE: Mapping[Fold, str] = {"max": "high", "min": "low"}


def since_peak(request: Request, before: Sequence[Query], market: Market) -> Query:
    """那之后到现在呢, how far below that are we: from that price to the newest close; 要涨多少才能
    回去: from the newest close to it. Raises: UnusedError where none was told.
    """
    said: Fold | None = next((side for one, side in SINCE.items() if one in request.marks), None)
    symbol, then = _peak_told(before, said)
    now = _close_on(request.when, then) if request.when is not None else Metric(id="close")
    left, right = (then, now) if "backto" in request.marks else (now, then)
    return Query(scope=companies([symbol]), show=set_apart("excess", left, right))


def _close_on(time: Time, then: Expr) -> Expr:
    """到2016年底: the close of that day. Raises: UnusedError where it is no day behind it."""
    window = then.window if isinstance(then, Over) else None
    day, begun = time.days.first if time.days is not None else None, window and window.first
    is_before = isinstance(day, date) and isinstance(begun, date) and day < begun
    if not is_one_day(time) or is_before:
        raise UnusedError("until when")
    return needed("close", Fig(when=time))


def _peak_told(before: Sequence[Query], side: Fold | None) -> tuple[str, Expr]:
    """Of whom, and the highest or lowest (`side`) that was told last, of its own day.
    Raises: UnusedError where none was told, or both."""
    last = before[-1]
    symbols = named_symbols(last.scope) or ()
    if len(symbols) != 1:
        raise UnusedError("peak of whom")
    found = [
        node for expr in last.show for node in walk(expr)
        if isinstance(node, Over) and node.how in _EDGES and node.of in _PRICES
        and side in (None, node.how)
    ]  # fmt: skip
    is_gap = isinstance((*last.show, None)[0], Arith)  # from the one to the other: the other
    if last.rows == "companies" and found and (is_gap or len({one.how for one in found}) == 1):
        return symbols[0], found[0].but(company=symbols[0])
    order = (*last.order, None)[0]
    by = order.by if order is not None else None
    is_of_day = last.rows == "days" and last.take == Take(count=1) and not last.where
    how: Fold = "max" if order is not None and order.direction == "desc" else "min"
    is_asked = is_of_day and side in (None, how)
    if not is_asked or not isinstance(by, Metric) or by.id not in _PRICES or last.window is None:
        raise UnusedError("since when")
    return symbols[0], Over(how=how, of=by.id, window=last.window, company=symbols[0])


def other_extreme(request: Request, last: Query) -> Query | None:
    """And the lowest in 2016, behind the highest close of a time; None for other turns."""
    told = last.show[0] if len(last.show) == 1 and last.rows == "companies" else None
    way = _way_asked(request) if isinstance(told, Over) else None
    if not isinstance(told, Over) or told.how not in _EDGES or way is None:
        return None
    window: When | None = told.window
    if request.when is not None:
        window = request.when.days
    if window is None:
        raise UnusedError("when")
    how: Fold = "max" if way == "desc" else "min"
    of = turned_price(told.of, how)
    made = told.but(how=how, of=of, window=window)
    return last.but(show=(made,))


def turned_price(of: str, how: Fold) -> str:
    """The price whose extreme is asked for: behind the highest high the lowest is of the lows."""
    return _OF_EDGE.get(how, of) if of in _OF_EDGE.values() else of


def turned_row(last: Query, way: Direction) -> Expr:
    """The figure by which its days are looked at the other way round: 最低呢, behind the day of the
    highest high.
    """
    by, is_one = last.show[0], last.take == Take(count=1) and not last.where
    if not is_one or last.rows != "days" or not isinstance(by, Metric) or by.id not in _PRICES:
        return by
    return by.but(id=turned_price(by.id, "max" if way == "desc" else "min"))


def _way_asked(request: Request) -> str | None:
    """Which of the two extremes is asked for, where nothing else is."""
    is_bare = request.said - POINTING - {"when", "mark.and"} == frozenset({"direction"})
    return request.direction if is_bare else None


def day_of(last: Query) -> Query:
    """The day of the highest or lowest that was told; the query itself behind others."""
    told = last.show[0] if len(last.show) == 1 and last.rows == "companies" else None
    if not isinstance(told, Over) or told.how not in _EDGES or told.of not in _PRICES:
        return last
    by = needed(told.of, Fig(), own=True)
    order = (Order(by=by, direction="desc" if told.how == "max" else "asc"),)
    changed = {"window": told.window, "order": order, "take": Take(count=1), "show": (by,)}
    return last.but(rows="days", **changed)


def two_extremes(before: Sequence[Query]) -> tuple[Expr, Expr] | None:
    """The two extremes of one price that the last two turns told, the later one first."""
    pair = before[-2:]
    told = [one.show[0] for one in pair if len(one.show) == 1 and one.rows == "companies"]
    overs = [one for one in told if isinstance(one, Over) and one.how in _EDGES]
    if len(overs) != len(pair) or len(overs) < 2 or overs[0] == overs[1]:
        return None
    is_alike = overs[0].of == overs[1].of or {one.of for one in overs} == set(_OF_EDGE.values())
    if pair[0].scope != pair[1].scope or not is_alike:
        return None
    first, second = overs
    is_turned = str(first.window.first or "9") > str(second.window.first or "9")
    return (first, second) if is_turned else (second, first)


def between_extremes(said: Relation, before: Sequence[Query]) -> Query | None:
    """最高比最低高多少, behind both prices of a time: of those; None where none were told.

    Raises: UnusedError where one price was told, which has no other end.
    """
    pair = two_extremes(before)
    if pair is None:
        if len(companies_of(before[-1])) == 1 and before[-1].rows == "companies":
            raise UnusedError("ends of one")
        return None
    ends = {one.how: one for one in pair if isinstance(one, Over)}
    left, right = said.left.agg, (said.right or Fig()).agg
    if left not in ends or right not in ends or left == right or said.how == "rate":
        raise UnusedError("ends of what")
    return Query(scope=before[-1].scope, show=set_apart(said.how, ends[left], ends[right]))
