"""A query in its market's own money and flavour of figures, its sets in one order."""

from collections.abc import Sequence

from services.core.catalogue import CATALOGUE
from services.core.symbols import Symbol
from services.query.algebra.nodes import (
    AllOf,
    AnyOf,
    Change,
    Compare,
    Const,
    In,
    Metric,
    Not,
    Pred,
    Query,
    Several,
    both,
    items_of,
    rewrite,
    walk,
)
from services.query.algebra.scopes import named_symbols
from services.query.algebra.types import foreign_money
from services.query.reading.chart import ParseChart
from services.query.reading.errors import UnusedError
from services.query.reading.figures_compared import is_beside_hong_kong
from services.query.reading.other_tools import Meant, Served
from services.query.reading.phrases import dimensions
from services.query.reading.remade import (
    at_a_loss,
    loss_of_profit,
    mapped,
    own_money,
    points_of_percent,
    signed_by_share,
)


def at_home(meant: Meant, chart: ParseChart | None = None) -> Meant:
    """In the market's own money and flavour of figures, but for the flavour that was said."""
    is_said = chart is not None and any(
        word in chart.text[one.start : one.end]
        for one in chart.tokens
        if one.cat == "METRIC" and one.sem == "pe_ttm"
        for word in CATALOGUE["pe_ttm"].basis
    )
    if isinstance(meant, Served):
        return meant if is_said else meant.at_home()
    if isinstance(meant, Several):
        return Several(
            queries=tuple(
                _query_at_home(one, is_said=is_said) if isinstance(one, Query) else one
                for one in meant.queries
            )
        )
    return _query_at_home(meant, is_said=is_said) if isinstance(meant, Query) else meant


def _query_at_home(meant: Query, *, is_said: bool) -> Query:
    if _lists_quotes(meant):
        raise UnusedError("quotes of a set")
    query = _in_order(_of_prices(meant))
    markets = _markets(query)
    where = _above_nought(query.where)
    is_of_mainland = markets == {"CN"} and "symbol" not in dimensions(query.scope)
    if is_of_mainland:
        where = at_a_loss(where) if where is not None else None
    query = query.but(where=where)
    query = signed_by_share(query) if is_of_mainland else query
    moved: Query = rewrite(query, points_of_percent)
    if markets != {"CN"}:  # no other source leaves the multiple of a loss out
        moved = rewrite(moved, loss_of_profit)
    if not any(foreign_money(query, one) for one in walk(query)):
        moved = rewrite(moved, own_money)
    return mapped(moved, _OF_HONG_KONG) if not is_said and _is_of_hong_kong(query) else moved


def _of_prices(query: Query) -> Query:
    """那今年呢, behind a course of prices: companies and days alone ask how far they went."""
    days = query.window
    if days is None or days.kind != "days" or query != Query(scope=query.scope, window=days):
        return query
    if not named_symbols(query.scope):
        return query
    moved = Change(how="rate", of="close", since=days, until=days)
    return query.but(window=None, show=(moved,))


def _is_of_hong_kong(query: Query) -> bool:
    """Whether it is asked of Hong Kong, or of one of its companies beside others: all of them by
    the multiple that each of them has.
    """
    markets = _markets(query)
    is_of_one = "HK" in markets and named_symbols(query.scope) is not None
    return markets == {"HK"} or is_of_one or is_beside_hong_kong(query)


# Hong Kong's source has the multiple of the last year alone.
_OF_HONG_KONG = {"pe_ttm": "pe_lyr"}
_ANYWHERE = {there: said for said, there in _OF_HONG_KONG.items()}


def from_home(query: Query) -> Query:
    """As it was asked, before it was of its market's own flavour: what goes on from it may be of
    another market.
    """
    return mapped(query, _ANYWHERE) if _is_of_hong_kong(query) else query


# Of a session alone, known of so few companies that no list is made by them.
_QUOTED = frozenset({"open", "high", "low", "volume"})


def _lists_quotes(query: Query) -> bool:
    """Whether a set would be listed by the newest quote of each company."""
    quoted = any(
        isinstance(one, Metric) and one.id in _QUOTED and one.when.kind == "latest"
        for one in walk(query)
    )
    return quoted and named_symbols(query.scope) is None


_PLACES = {"market": 0, "exchange": 1, "board": 2, "st": 3, "industry": 4, "symbol": 5}


def _above_nought(pred: Pred | None) -> Pred | None:
    """A multiple below ten is from nought on: a loss has none, whatever a source writes for it."""
    items = items_of(pred)
    bounded = dict.fromkeys(
        one.left for one in items if isinstance(one, Compare) and one.sign in ("gt", "ge", "eq")
    )
    made: list[Pred | None] = []
    for one in items:
        if isinstance(one, Compare) and one.left not in bounded and _is_below(one):
            made.append(Compare(sign="ge", left=one.left, right=Const(value=0, unit="multiple")))
        made.append(_each_above(one) if isinstance(one, AnyOf) else one)
    return both(*made)


def _each_above(pred: AnyOf) -> AnyOf:
    above = (_above_nought(item) for item in pred.items)
    return AnyOf(items=tuple(item for item in above if item is not None))


def _is_below(test: Compare) -> bool:
    is_multiple = isinstance(test.left, Metric) and CATALOGUE[test.left.id].kind == "valuation"
    if not is_multiple or test.sign not in ("lt", "le") or not isinstance(test.right, Const):
        return False
    return test.right.unit == "multiple" and test.right.value > 0


def _in_order(query: Query) -> Query:
    """Its sets in one order, however they were said: one meaning is one query."""
    first = _in_order(query.first) if query.first is not None else None
    scope = query.scope
    if isinstance(scope, AllOf):
        items = _left_of_markets(scope.items)
        items.sort(key=lambda one: _PLACES[one.dim] if isinstance(one, In) else 9)
        scope = both(*items)
    return query.but(scope=scope, first=first)


def _left_of_markets(items: Sequence[Pred]) -> list[Pred]:
    """A股和港股银行，港股除外: A shares; money of one market can be added and ordered."""
    sets = [one for one in items if isinstance(one, In) and one.dim == "market"]
    gone = [
        one
        for one in items
        if isinstance(one, Not) and isinstance(one.item, In) and one.item.dim == "market"
    ]
    out = {value for one in gone if isinstance(one.item, In) for value in one.item.values}
    if not gone or len(sets) != 1 or not out < {*sets[0].values}:
        return [*items]
    values = tuple(value for value in sets[0].values if value not in out)
    left = sets[0].but(values=values)
    return [left, *(one for one in items if one not in (*sets, *gone))]


def _markets(query: Query) -> set[str]:
    found: set[str] = set()
    for one in walk(query):
        if isinstance(one, In) and one.dim == "market":
            found |= set(one.values)
        elif isinstance(one, In) and one.dim == "symbol":
            found |= {Symbol(symbol).market for symbol in one.values}
    return found or {"CN"}
