"""What a condition looks at: the figures shown beside its answer."""

from collections.abc import Sequence

from services.core.symbols import Symbol
from services.query.algebra.nodes import (
    OWN,
    AllOf,
    AnyOf,
    Arith,
    Change,
    Compare,
    Const,
    Expr,
    Metric,
    Not,
    Order,
    Pred,
    Query,
    walk,
)

Exprs = tuple[Expr, ...]


def shown_of_list(shown: Sequence[Expr], orders: Sequence[Order], where: Pred | None) -> Exprs:
    """What is shown of each company of a list: what was asked, what it is ordered and judged by."""
    by = (one.by for one in orders if one.by is not None)
    return tuple(
        dict.fromkeys(one for one in (*shown, *by, *compared(where)) if not isinstance(one, Const))
    )


def compared(pred: Pred | None) -> list[Expr]:
    """What a condition looks at: shown beside its answer."""
    found: list[Expr] = []

    def take(one: Expr) -> None:
        if isinstance(one, Arith):
            take(one.left)
            take(one.right)
        elif not isinstance(one, Const) and not _is_of_row(one) and one not in found:
            found.append(one)

    def look(one: Pred) -> None:
        if isinstance(one, Compare):
            take(one.left)
            take(one.right)
        elif isinstance(one, AllOf | AnyOf):
            for item in one.items:
                look(item)
        elif isinstance(one, Not):
            look(one.item)

    if pred is not None:
        look(pred)
    return found


def _is_of_row(expr: Expr) -> bool:
    return isinstance(expr, Metric) and expr.when == OWN


def is_newest(expr: Expr) -> bool:
    """Whether it is of the newest time there is."""
    at = expr.until if isinstance(expr, Change) else expr.when if isinstance(expr, Metric) else None
    return at is not None and at.kind == "latest"


def is_beside_hong_kong(query: Query) -> bool:
    """万科AH市盈率差多少: an A share beside Hong Kong, by what both have."""
    owners = {one.of for one in walk(query) if isinstance(one, Metric) and one.of is not None}
    return any(Symbol(one).market == "HK" for one in owners)


def asked_beside(last: Query) -> Expr | None:
    """The one figure that was asked for of the first so many by another; None of other lists."""
    if last.rows != "companies" or last.group or last.take is None or last.take.count == 1:
        return None
    made_of = [*last.ordered_by, *compared(last.where)]
    beside = [one for one in last.show if one not in made_of]
    return beside[0] if len(beside) == 1 else None
