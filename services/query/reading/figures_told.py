"""What the turns before told: figures and their time, companies as a list and as a set, what those
may be set against each other by.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from services.query.algebra.nodes import (
    Across,
    Arith,
    Change,
    Direction,
    Expr,
    Fold,
    In,
    Metric,
    Order,
    Pred,
    Query,
    Several,
    When,
    both,
    walk,
)
from services.query.algebra.scopes import as_set, named_symbols
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_said import unit
from services.query.reading.phrases import Fig, Time, said_as
from services.query.reading.predicates import Sort
from services.query.reading.remade import owner_of
from services.query.reading.times_joined import fiscal_years


def figures_told(query: Query) -> list[str]:
    """The figures shown, as phrases name them; none where one of them has no name."""
    try:
        return figures_named(query)
    except UnusedError:
        return []


def fold_told(query: Query) -> Fold | None:
    """How the one figure told was folded over its time: 最低收在多少."""
    said = said_as(query.show[0]) if len(query.show) == 1 else None
    return said[1] if said is not None else None


def figures_named(query: Query) -> list[str]:
    """The figures shown, as phrases name them: the sides of one that is put together with it.
    Raises: UnusedError where one has no name.
    """
    sides = [side for one in query.show if isinstance(one, Arith) for side in (one.left, one.right)]
    shown = [one for one in query.show if one not in sides]
    if shown != [one for one in shown if not _is_gap(one)]:  # of one figure, twice
        shown = [one for one in sides if not isinstance(one, Arith)]
    said = [said_as(one) for one in shown]
    if None in said:
        raise UnusedError("figure")
    return list(dict.fromkeys(one[0] for one in said if one is not None))


def time_of(query: Query) -> Time | None:
    """The time of the query before, as it was: reports or sessions."""
    nodes = [node for one in query.show for node in walk(one) if isinstance(node, When)]
    dated = [one for one in nodes if one.kind in ("years", "quarters", "days", "lastn")]
    window = next(iter(dated), None) if query.window is None else query.window
    told = query.show[0] if query.show else None
    if isinstance(told, Change) and told.how == "cagr" and told.since.kind == "years":
        window = told.since.but(last=told.until.last)  # all of those years
    elif isinstance(told, Change) and told.until.kind == "years":
        window = told.until  # how far it grew until then
    if window is None:
        return None
    if window.kind in ("days", "all") or window.unit == "sessions":
        return Time(periods=fiscal_years(window), days=window)
    return Time(window)


def _is_gap(expr: Expr) -> bool:
    """Whether it sets one figure against itself: of another company, or another time."""
    sides = [one.id for one in walk(expr) if isinstance(one, Metric)]
    return isinstance(expr, Arith) and len(sides) > 1 and len({*sides}) == 1


def set_told(query: Query) -> Query:
    """The companies a query was about, as a list: of a total, or its share, those it is of."""
    if query.rows == "one":
        of = next((one for expr in query.show for one in _totals(expr)), None)
        if of is None or of.within is None:
            raise UnusedError("of what set")
        return Query(scope=of.within, show=(of.of,))
    if query.rows != "companies" or query.group is not None:
        raise UnusedError("of what set")
    folded = tuple(one.of for one in query.fold if one.of is not None)
    return query.but(fold=(), show=query.show or folded)


def rows_as_set(query: Query) -> Pred:
    """The companies that came out, as a set. Raises: UnusedError where no test says who."""
    try:
        return as_set(query)
    except ValueError as error:
        raise UnusedError("of what set") from error


def holds(one: object, other: object) -> bool:
    """Whether one asks what another does, and more: figures beside those, or several queries."""
    if isinstance(one, Several):
        return other in one.queries
    if not isinstance(one, Query) or not isinstance(other, Query):
        return False
    is_more = set(other.show) < set(one.show)
    return is_more and one.but(show=other.show) == other


def _totals(expr: Expr) -> Iterator[Across]:
    """The totals it is made of, what is set against another first."""
    if isinstance(expr, Across):
        yield expr
    if isinstance(expr, Arith):
        yield from (*_totals(expr.left), *_totals(expr.right))


BY_WHAT = ("按哪一项比？", "By which of the figures?")
# How a price went, of whatever time; of a fall more is less.
_WENT = frozenset({"pct_change", "close:ret", "close:fall"})
_MOVED = (":ret", ":yoy", ":cagr", ":drawdown")


def as_told(sort: Sort, figures: Sequence[str]) -> Sort:
    """The order meant behind those figures: of a price the multiple that was told, of how something
    went how far that went. The deepest fall is the lowest.
    """
    multiples = [one for one in figures if unit(one) == "multiple"]
    if sort.is_price and len(multiples) == 1:
        return replace(sort, phrase=replace(sort.phrase, mets=tuple(multiples)))
    told = figures[0] if len(figures) == 1 else ""
    said = sort.phrase
    if said == Fig(mets=said.mets) and _WENT.issuperset(said.mets) and said.mets:
        if not told.endswith(_MOVED):
            return sort
        is_turned, sort = said.mets == ("close:fall",), replace(sort, phrase=Fig())
    else:
        is_turned = said == Fig() and told == "close:drawdown"
    if not is_turned or sort.direction not in ("asc", "desc"):
        return sort
    return replace(sort, direction="asc" if sort.direction == "desc" else "desc")


def figures_apart(last: Query) -> Sequence[Expr]:
    """What companies may be set against each other by: the first of those shown, or each where
    several figures of theirs were.
    """
    is_of_each = all(isinstance(one, Metric) and one.of is None for one in last.show)
    return list(dict.fromkeys(last.show)) if is_of_each and not last.order else last.show[:1]


def ordered_by(whose: Pred, by: Sequence[Expr], direction: Direction) -> Query:
    """Those companies by that figure. Raises: ChoiceError where it may be any of several."""
    orders = [(one, Order(by=one, direction=direction)) for one in by]
    each = [Query(scope=whose, order=(way,), show=(one,)) for one, way in orders]
    if len(each) > 1:
        raise ChoiceError(BY_WHAT, each)
    return each[0]


def of_two_sets(before: Sequence[Query]) -> Query | None:
    """The same fold of the two sets that were spoken of last, side by side; None behind others."""
    told = before[-1].show
    if before[-1].rows == "one":
        is_pair = len(told) == 2 and all(isinstance(one, Across) for one in told)
        return before[-1] if is_pair else None
    folds = [one.fold for one in before[-2:]]
    if len(folds) != 2 or folds[0] != folds[1] or len(folds[0]) != 1:
        return None
    how, of = folds[0][0].how, folds[0][0].of
    if of is None or any(one.take or one.group or one.first or one.less for one in before[-2:]):
        return None
    withins = [both(one.scope, one.where) for one in before[-2:]]
    return Query(rows="one", show=tuple(Across(how=how, of=of, within=one) for one in withins))


def two_years(before: Sequence[Query]) -> tuple[int, int] | None:
    """The two years the figures told are of: of the last answer, or of the last two alike."""
    last, window = before[-1], before[-1].window
    if last.rows == "years" and window is not None and window.kind == "years":
        years = window.only or (window.first, window.last)
    else:
        beside = (one for one in before[-2:] if one.scope == last.scope)
        times = [{when for expr in one.show for when in walk(expr)} for one in beside]
        whens = [
            one for some in times for one in some
            if isinstance(one, When) and one.kind == "years" and one.first == one.last
        ]  # fmt: skip
        same = [[said_as(expr) for expr in one.show] for one in before[-2:]]
        years = tuple(one.first for one in whens) if same[0] == same[-1] else ()
    found = [one for one in years if isinstance(one, int)]
    is_apart = len(found) == len(years) == 2 and found[0] != found[1]
    is_of_each = last.rows == "years" and not last.where and not last.take
    if not is_apart:
        return None
    is_of_each = is_of_each and (bool(window and window.only) or abs(found[0] - found[1]) == 1)
    return (found[0], found[1]) if is_of_each or last.rows == "companies" else None


def is_of_companies(query: Query) -> bool:
    """Whether it asks named companies, not a screen."""
    named = isinstance(query.scope, In) and query.scope.dim == "symbol"
    return query.rows not in ("companies", "one") or (
        named and query.where is None and not query.take and query.first is None
    )


def companies_of(query: Query) -> tuple[str, ...]:
    """The companies a query names and is about."""
    return (named_symbols(query.scope) or ()) if is_of_companies(query) else ()


def companies_told(query: Query) -> tuple[str, ...]:
    """The companies it is about, and those it sets them against; of a yes or no whose it is.

    Raises: UnusedError where it names none.
    """
    if not (symbols := companies_of(query)):
        raise UnusedError("companies")
    parts = [one for expr in query.show for one in walk(expr)] if query.check is None else []
    named = [owner for one in parts if (owner := owner_of(one)) is not None]
    return tuple(dict.fromkeys([*symbols, *named]))


def spoken_of(before: Sequence[Query]) -> tuple[str, ...]:
    """Whom the last turns asked the same of, one by one: 沪指, then 恒指呢, then 纳指也加进来."""
    last, found = before[-1], list[str]()
    for one in reversed(before):
        if one.but(scope=last.scope) != last or not is_of_companies(one):
            break
        found = [*companies_told(one), *found]
    return tuple(dict.fromkeys(found))
