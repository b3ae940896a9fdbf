"""What figures and which time a query told, for what goes on from it."""

from services.query.algebra.nodes import Arith, Change, Expr, Fold, Metric, Query, When, walk
from services.query.reading.errors import UnusedError
from services.query.reading.phrases import Time, said_as
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
    window = query.window
    for one in query.show:
        for node in walk(one):
            if (
                window is None
                and isinstance(node, When)
                and node.kind in ("years", "quarters", "days", "lastn")
            ):
                window = node
    told = query.show[0] if query.show else None
    if isinstance(told, Change) and told.how == "cagr" and told.since.kind == "years":
        window = told.since.model_copy(update={"last": told.until.last})  # all of those years
    if window is None:
        return None
    if window.kind in ("days", "all") or window.unit == "sessions":
        return Time(periods=fiscal_years(window), days=window)
    return Time(window)


def _is_gap(expr: Expr) -> bool:
    """Whether it sets one figure against itself: of another company, or another time."""
    sides = [one.id for one in walk(expr) if isinstance(one, Metric)]
    return isinstance(expr, Arith) and len(sides) > 1 and len({*sides}) == 1
