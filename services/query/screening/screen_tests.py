"""A screen beside its ranges: tests of the algebra that either-or, what is left out and what is
turned round are said by; and which of them the ranges and the one industry can say themselves.

On the wire they are one argument, `filter`: the JSON of the algebra's own predicate.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from services.core.catalogue import CATALOGUE, SCREEN_FIELDS
from services.core.errors import InputError
from services.core.groups import GROUPS
from services.core.requests import ScreenRequest
from services.core.symbols import Market, Symbol
from services.core.text import Text
from services.query.algebra import nodes as a
from services.query.algebra.scopes import (
    bound_tests,
    field_now,
    first_of,
    list_symbols,
    markets_of,
)
from services.query.algebra.times import is_barred, is_of_sessions
from services.query.algebra.types import check_query
from services.query.algebra.wire import query_json
from services.query.algebra.words import MARKS
from services.query.sayings import saying

FILTER = "filter"
LONGEST = 12_000
# A test somebody wrote by hand may nest; no sentence nests so deep.
_DEEPEST = 24
_PRED: TypeAdapter[a.Pred] = TypeAdapter(a.Pred)
# What a query may ask beside its set of companies.
_BESIDE = ("take", "fold", "unheld")
_MARKETS: Mapping[str, Market] = {"CN": "CN", "HK": "HK", "US": "US"}
_OTHER_WAY: Mapping[a.Sign, a.Sign] = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


def write_tests(tests: Sequence[a.Pred]) -> str:
    """These tests as an argument; empty where there is none."""
    whole = a.both(*tests)
    return query_json(whole) if whole is not None else ""


def read_tests(text: str, market: str) -> tuple[a.Pred, ...]:
    """The tests of that argument, each one that a screen of the market can be made by.

    Raises: InputError.
    """
    if not text:
        return ()
    if len(text) > LONGEST:
        raise InputError(FILTER, f"{len(text)} characters", f"at most {LONGEST} characters")
    try:
        read = _PRED.validate_json(text)
    except (ValidationError, RecursionError):
        raise InputError(FILTER, text[:80], saying("filter")) from None
    if _depth(read) > _DEEPEST:
        raise InputError(FILTER, text[:80], saying("filter"))
    tests = tuple(_forget_label(one) for one in a.items_of(read))
    for one in tests:
        if (why := why_not(one, market)) is not None:
            raise InputError(FILTER, text[:80], why)
    return tests


def why_not(test: a.Pred, market: str) -> Text | None:
    """Why a market cannot be screened by that test; None where it can."""
    if any(is_barred(name) and not is_now for name, is_now in _list_figures(test)):
        return saying("asked_on_ask")
    if any(one.least > 1 for one in a.nodes_in(test, a.Exists)):
        return saying("asked_on_ask")
    if any(isinstance(one, a.Rank | a.Across) and _is_of_set(one) for one in a.walk(test)):
        return saying("filter")
    if not all(map(_is_known, a.nodes_in(test, a.In))):
        return saying("filter")
    try:
        for symbol in list_symbols(test):
            Symbol.parse(symbol)
        problems = check_query(a.Query(scope=a.In(dim="market", values=(market,)), where=test))
    except InputError:
        return saying("filter")
    return next(iter(problems), None)


def query_of_request(request: ScreenRequest, tests: Sequence[a.Pred]) -> a.Query:
    """The companies of a screen as a query: the tests one by one, those of the ranges first."""
    asked = (*(one for bound in request.bounds for one in bound_tests(bound)), *tests)
    return a.Query(
        scope=scope_of(request),
        where=a.AllOf(items=asked) if asked else None,
        show=(a.Metric(id=SCREEN_FIELDS.get(request.order_by, "market_cap")),),
    )


def scope_of(request: ScreenRequest, *, industry: bool = True) -> a.Pred:
    """The market, and the one industry of it."""
    market: a.Pred = a.In(dim="market", values=(request.market,))
    named = request.industry if industry else None
    return a.AllOf(items=(market, a.In(dim="industry", values=(named,)))) if named else market


class AskedSet(NamedTuple):
    """The companies a query asks for, as a screen: its market, and every test of them; the order,
    where a screen has it. `is_whole`: nothing was asked beside them, such as a median.
    """

    market: Market
    tests: tuple[a.Pred, ...]
    order: tuple[str, str] | None
    is_whole: bool


def set_of_query(query: a.Query) -> AskedSet | None:
    """The set of companies a query lists or counts; None where no screen of one market is it."""
    plain = a.Query(scope=query.scope, where=query.where, show=query.show, order=query.order)
    plain = plain.model_copy(update={name: getattr(query, name) for name in _BESIDE})
    markets = markets_of(query.scope)
    if query != plain or query.scope is None or len(markets) != 1:
        return None
    market = _MARKETS[markets[0]]
    marks = a.In(dim="market", values=(market,))
    tests = [one for one in (*a.items_of(query.scope), *a.items_of(query.where)) if one != marks]
    order = _order_of(query.order)
    if query.take is not None:
        if (first := _first_of(query, order)) is None:
            return None
        tests.append(first)
    if any(why_not(one, market) is not None for one in tests):
        return None
    told = all(one.of is None for one in query.fold) and query.unheld is None
    return AskedSet(market, tuple(tests), order, told and (order is not None or not query.order))


def _first_of(query: a.Query, order: tuple[str, str] | None) -> a.Pred | None:
    """That a company is among the first so many, where a screen has the figure they are by."""
    take, within = query.take, a.both(query.scope, query.where)
    by = query.order[0].by if order is not None else None
    if take is None or take.skip or take.per is not None or within is None or by is None:
        return None
    return first_of(within, by, take.count, query.order[0].direction).items[-1]


def screen_arguments(asked: AskedSet, industries: Sequence[str]) -> dict[str, str]:
    """That set as the arguments of a screen."""
    by, way = asked.order or ("", "")
    given = {"category": asked.market, "order_by": by, "order": way}
    return fill_arguments(given, asked.tests, industries)


def _order_of(orders: Sequence[a.Order]) -> tuple[str, str] | None:
    """The field and the direction of an order by one figure a screen has."""
    field = field_now(orders[0].by) if len(orders) == 1 else ""
    return (field, orders[0].direction) if field else None


def turn_round(test: a.Pred) -> a.Pred | None:
    """The other companies of those that can be judged: a figure that is missing satisfies neither
    a bound nor its contrary. None of a test whose contrary nobody could tell from not knowing.
    """
    match test:
        case a.Compare(sign=sign) if sign in _OTHER_WAY:
            return test.but(sign=_OTHER_WAY[sign])
        case a.In():
            return a.Not(item=test)
        case a.Not(item=item):
            return item
        case a.AllOf(items=items) | a.AnyOf(items=items):
            turned = [one for one in map(turn_round, items) if one is not None]
            if len(turned) < len(items):
                return None
            whole = a.AnyOf if isinstance(test, a.AllOf) else a.AllOf
            return whole(items=tuple(turned))
        case _:
            return None


def fill_arguments(
    given: Mapping[str, str], tests: Sequence[a.Pred], industries: Sequence[str]
) -> dict[str, str]:
    """The arguments with these tests too: in the ranges and the one industry where they can say it
    and are free, else in the filter.
    """
    made = {name: text for name, text in given.items() if name != FILTER and text}
    kept: list[a.Pred] = []
    for group in _by_figure(tests):
        field = field_of(group[0])
        said = _range_of(group)
        if field and said and field not in made:
            made[field] = said
        elif (name := _industry_of(group[0])) in industries and "industry" not in made:
            made["industry"] = str(name)
        else:
            kept += group
    return made | ({FILTER: write_tests(kept)} if kept else {})


def field_of(test: a.Pred) -> str:
    """The screening field a test bounds by a number in its unit; empty for any other test."""
    if not isinstance(test, a.Compare) or not isinstance(test.right, a.Const):
        return ""
    field = field_now(test.left)
    return field if field and test.right.unit == CATALOGUE[SCREEN_FIELDS[field]].unit else ""


def _list_figures(test: a.Pred) -> Iterator[tuple[str, bool]]:
    """Each figure it looks at, and whether that is the newest one a list of the market has."""
    for one in a.walk(test):
        if isinstance(one, a.Metric):
            now = one.when == a.LATEST and one.id in {"close", "pct_change"}
            yield one.id, now
        elif isinstance(of := getattr(one, "of", None), str):
            yield of, False
        if isinstance(one, a.Every | a.Exists) and is_of_sessions(one):
            yield "close", False


def _is_known(one: a.In) -> bool:
    """Whether its marks are some there are; industries and companies are names of the source."""
    return one.dim in {"industry", "symbol"} or all(value in MARKS for value in one.values)


def _is_of_set(one: a.Rank | a.Across) -> bool:
    """Whether it is among the companies of the query it stood in, which a screen's need not be."""
    return one.within is None and one.own is None


def _forget_label(test: a.Pred) -> a.Pred:
    """Without what an address calls a list: it is told by what it holds, but for lists of ours."""
    if isinstance(test, a.In) and test.label is not None and test.label not in GROUPS:
        return test.but(label=None)
    if isinstance(test, a.Not):
        return test.but(item=_forget_label(test.item))
    if isinstance(test, a.AllOf | a.AnyOf):
        return test.but(items=tuple(map(_forget_label, test.items)))
    return test


def _depth(node: a.Node) -> int:
    return 1 + max(map(_depth, a.parts_of(node)), default=0)


def _by_figure(tests: Sequence[a.Pred]) -> list[list[a.Pred]]:
    """The bounds of one figure together, where its first stands; any other test by itself."""
    found: list[list[a.Pred]] = []
    for test in tests:
        field = field_of(test)
        beside = next((one for one in found if field and field_of(one[0]) == field), None)
        if beside is not None:
            beside.append(test)
        else:
            found.append([test])
    return found


def _range_of(group: Sequence[a.Pred]) -> str:
    """The bounds of one figure as a range of the wire; empty where none says it."""
    sides = {
        one.sign: one.right.value
        for one in group
        if isinstance(one, a.Compare) and isinstance(one.right, a.Const)
    }
    if len(sides) != len(group):
        return ""
    match sides:
        case {"gt": low, **rest} if not rest and low != 0:  # over nil is what a range leaves open
            return f"{_write_number(low)}_max"
        case {"lt": high, **rest} if not rest:
            return f"min_{_write_number(high)}"
        case {"ge": low, "lt": high, **rest} if not rest and low < high:
            return f"{_write_number(low)}_{_write_number(high)}"
        case _:
            return ""


def _write_number(value: float) -> str:
    plain = format(Decimal(repr(value)), "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _industry_of(test: a.Pred) -> str | None:
    match test:
        case a.In(dim="industry", values=(name,), label=None):
            return name
        case _:
            return None
