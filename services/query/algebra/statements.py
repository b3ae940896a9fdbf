"""What a compiled query is: one SELECT, the points it needs, and the figures behind its columns."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from services.query.algebra.nodes import (
    AllOf,
    AnyOf,
    Compare,
    Const,
    Every,
    Exists,
    Expr,
    Loss,
    Metric,
    Node,
    Not,
    Pred,
    Query,
    When,
)
from services.query.algebra.times import TimeError, Times, when_of

AnyNode = TypeVar("AnyNode", bound=Node)
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
    # Years a row may be that are told by bars alone.
    bar_years: dict[str, None] = field(default_factory=dict[str, None])
    sessions: bool = False
    is_wide: bool = False


@dataclass(frozen=True, slots=True)
class CompiledSelect:
    """One SELECT and its parameters. `shown`: the expressions behind the columns v0, v1 …"""

    sql: str
    values: dict[str, object]
    needs: Needs
    shown: tuple[Expr, ...]


def shown_of(query: Query, times: Times) -> tuple[Expr, ...]:
    """Every expression a row has a figure of: shown, ordered by, folded, tested; each once. Of a
    test that is asked for (`check`), what it rests on in each year or quarter.

    Of companies of which nothing is said, their market value.
    """
    given: list[Expr] = [*query.show]
    given += [one.by for one in query.order if one.by is not None]
    given += [one.of for one in query.fold if one.of is not None]
    given += _rested_on(query.check, times)
    given += [side for one in _comparisons(query.where) for side in (one.left, one.right)]
    found = [one for one in given if not isinstance(one, Const)]
    if not found and query.rows == "companies" and not query.fold:
        found.append(Metric(id="market_cap"))
    return tuple(dict.fromkeys(found))


def tests_at(test: Every | Exists, times: Times) -> Sequence[Pred]:
    """The test at each report of its window; none where it is of sessions, or of more reports than
    a reader is told.
    """
    try:
        reports = times.reports(test.window)
    except TimeError:
        return ()
    if len(reports) > MOST_TOLD:
        return ()
    return [at_time(test.test, when_of(one)) for one in reports]


def at_time(node: AnyNode, when: When) -> AnyNode:
    """The same of that time, where it was of a row's own."""

    def told(value: object) -> object:
        if isinstance(value, When):
            return when if value.kind == "own" else value
        if isinstance(value, tuple):
            return tuple(map(told, cast("tuple[object, ...]", value)))
        return at_time(value, when) if isinstance(value, Node) else value

    fields = type(node).model_fields
    return node.model_copy(update={name: told(getattr(node, name)) for name in fields})


def of_year(node: AnyNode, metrics: Collection[str], year: int) -> AnyNode:
    """The same with the newest of these figures as that year's reports have them."""

    def told(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(map(told, cast("tuple[object, ...]", value)))
        return of_year(value, metrics, year) if isinstance(value, Node) else value

    if isinstance(node, Metric) and node.id in metrics and node.when.kind == "latest":
        return node.model_copy(update={"when": When(kind="years", first=year, last=year)})
    fields = type(node).model_fields
    return node.model_copy(update={name: told(getattr(node, name)) for name in fields})


def losses_at(test: Loss) -> Sequence[Metric]:
    """The figures that decide whether there is a loss."""
    if test.when.kind == "latest":
        return (Metric(id=test.of), Metric(id="market_cap"))
    return (Metric(id="net_profit", when=test.when),)


def _rested_on(pred: Pred | None, times: Times) -> list[Expr]:
    """What a test is decided by, in the order it is said."""
    if isinstance(pred, Every | Exists):
        return [one for each in tests_at(pred, times) for one in _rested_on(each, times)]
    if isinstance(pred, Loss):
        return [*losses_at(pred)]
    if isinstance(pred, AllOf | AnyOf):
        return [one for item in pred.items for one in _rested_on(item, times)]
    if isinstance(pred, Not):
        return _rested_on(pred.item, times)
    return [side for one in _comparisons(pred) for side in (one.left, one.right)]


def _comparisons(pred: Pred | None) -> list[Compare]:
    """The comparisons a reader wants to see both sides of."""
    if isinstance(pred, Compare):
        return [pred]
    if isinstance(pred, AllOf | AnyOf):
        return [one for item in pred.items for one in _comparisons(item)]
    return _comparisons(pred.item) if isinstance(pred, Not) else []
