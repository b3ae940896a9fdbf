"""What a compiled query is: one SELECT, the points it needs, and the figures behind its columns."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from services.query.algebra import nodes as a
from services.query.algebra.times import (
    TimeError,
    Times,
    is_barred,
    is_of_sessions,
    when_of,
    year_before,
)

AnyNode = TypeVar("AnyNode", bound=a.Node)
# The figures of so many years or quarters a test rests on are told.
MOST_TOLD = 6


@dataclass(slots=True)
class Needs:
    """The points a query looks at: figures by metric and time; of rows by their own time; windows
    of bars; and whether sessions are looked at one by one.
    """

    points: dict[tuple[str, str], None] = field(default_factory=dict[tuple[str, str], None])
    of_rows: dict[str, None] = field(default_factory=dict[str, None])
    windows: dict[tuple[str, str, str], None] = field(
        default_factory=dict[tuple[str, str, str], None]
    )
    others: dict[str, None] = field(default_factory=dict[str, None])
    # Years, quarters and months a row may be that are told by bars alone.
    bar_periods: dict[str, None] = field(default_factory=dict[str, None])
    sessions: bool = False
    is_wide: bool = False


@dataclass(frozen=True, slots=True)
class CompiledSelect:
    """One SELECT and its parameters. `shown`: the expressions behind the columns v0, v1 …"""

    sql: str
    values: dict[str, object]
    needs: Needs
    shown: tuple[a.Expr, ...]


def shown_of(query: a.Query, times: Times) -> tuple[a.Expr, ...]:
    """Every expression a row has a figure of: shown, ordered by, folded, tested; each once. Of a
    test that is asked for (`check`), what it rests on in each year or quarter.

    Of companies of which nothing is said, their market value.
    """
    given: list[a.Expr] = [*query.show, *query.ordered_by, *query.folded]
    given += _rested_on(query.check, times)
    given += [side for one in _comparisons(query.where) for side in (one.left, one.right)]
    found = [one for one in given if not isinstance(one, a.Const)]
    if not found and query.rows == "companies" and not query.fold:
        found.append(a.Metric(id="market_cap"))
    return tuple(dict.fromkeys(found))


def tests_at(test: a.Every | a.Exists, times: Times) -> Sequence[a.Pred]:
    """The test at each report of its window; none where it is of sessions, or of more reports than
    a reader is told.
    """
    if is_of_sessions(test):
        return ()
    try:
        reports = times.reports(test.window)
    except TimeError:
        return ()
    if len(reports) > MOST_TOLD:
        return ()
    return [at_time(test.test, when_of(one)) for one in reports]


def figures_at(test: a.Compare, token: str) -> Iterator[tuple[str, str]]:
    """The figures a test on the reports of each year takes of one, with their reports."""
    for one in a.walk(test):
        if isinstance(one, a.Metric):
            yield one.id, token
        elif isinstance(one, a.Change):
            yield one.of, token
            yield one.of, year_before(token)


def at_time(node: AnyNode, when: a.When) -> AnyNode:
    """The same of that time, where it was of a row's own."""
    return a.rewrite(node, lambda one: when if one == a.OWN else one)


def of_year(node: AnyNode, metrics: Collection[str], year: int) -> AnyNode:
    """The same with the newest of these figures as that year's reports have them."""
    return _of_newest(node, metrics, when=a.When(kind="years", first=year, last=year))


def as_implied(query: a.Query) -> a.Query:
    """The same with the price that a market value stands on in the place of the newest close."""
    return _of_newest(query, ("close",), id="price_implied")


def _of_newest(node: AnyNode, metrics: Collection[str], **fields: object) -> AnyNode:
    def change(one: a.Node) -> a.Node:
        is_newest = isinstance(one, a.Metric) and one.id in metrics and one.when.kind == "latest"
        return one.model_copy(update=fields) if is_newest else one

    return a.rewrite(node, change)


def counted_by(where: a.Pred | None) -> a.Metric:
    """What rows that are times are counted by: the figure that was tested, or whose growth was;
    else the close.
    """
    for one in a.walk(where) if where is not None else ():
        if isinstance(one, a.Metric):
            return one
        if isinstance(one, a.Change) and not is_barred(one.of):
            return a.Metric(id=one.of, when=a.OWN)
    return a.Metric(id="close", when=a.OWN)


def folds_of_bars(node: a.Node) -> Iterator[a.Over | a.HistoryRank | a.Course]:
    """The figures in it over the bars of a window."""
    for one in a.walk(node):
        if isinstance(one, a.Over | a.HistoryRank | a.Course) and is_barred(one.of):
            yield one


def losses_at(test: a.Loss) -> Sequence[a.Metric]:
    """The figures that decide whether there is a loss."""
    if test.when.kind == "latest":
        return (a.Metric(id=test.of), a.Metric(id="market_cap"))
    return (a.Metric(id="net_profit", when=test.when),)


def _rested_on(pred: a.Pred | None, times: Times) -> list[a.Expr]:
    """What a test is decided by, in the order it is said."""
    if isinstance(pred, a.Every | a.Exists):
        return [one for each in tests_at(pred, times) for one in _rested_on(each, times)]
    if isinstance(pred, a.Loss):
        return [*losses_at(pred)]
    if isinstance(pred, a.AllOf | a.AnyOf):
        return [one for item in pred.items for one in _rested_on(item, times)]
    if isinstance(pred, a.Not):
        return _rested_on(pred.item, times)
    return [side for one in _comparisons(pred) for side in (one.left, one.right)]


def _comparisons(pred: a.Pred | None) -> list[a.Compare]:
    """The comparisons a reader wants to see both sides of."""
    if isinstance(pred, a.Compare):
        return [pred]
    if isinstance(pred, a.AllOf | a.AnyOf):
        return [one for item in pred.items for one in _comparisons(item)]
    return _comparisons(pred.item) if isinstance(pred, a.Not) else []
