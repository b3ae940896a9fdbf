"""What a compiled query is: one SELECT, the points it needs, and the figures behind its columns."""

from dataclasses import dataclass, field

from services.query.algebra.nodes import (
    AllOf,
    AnyOf,
    Compare,
    Const,
    Expr,
    Metric,
    Not,
    Pred,
    Query,
    Streak,
)


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


def shown_of(query: Query) -> tuple[Expr, ...]:
    """Every expression a row has a figure of: shown, ordered by, folded, tested; each once.

    Of companies of which nothing is said, their market value.
    """
    given: list[Expr] = [*query.show]
    given += [one.by for one in query.order if one.by is not None]
    given += [one.of for one in query.fold if one.of is not None]
    tests = [one for pred in (query.check, query.where) for one in _comparisons(pred)]
    given += [side for one in tests for side in (one.left, one.right)]
    found = [one for one in given if not isinstance(one, Const) and not _is_run_of_days(one)]
    if not found and query.rows == "companies" and not query.fold:
        found.append(Metric(id="market_cap"))
    return tuple(dict.fromkeys(found))


def _is_run_of_days(expr: Expr) -> bool:
    return isinstance(expr, Streak) and expr.grain == "days"


def _comparisons(pred: Pred | None) -> list[Compare]:
    """The comparisons a reader wants to see both sides of."""
    if isinstance(pred, Compare):
        return [pred]
    if isinstance(pred, AllOf | AnyOf):
        return [one for item in pred.items for one in _comparisons(item)]
    return _comparisons(pred.item) if isinstance(pred, Not) else []
