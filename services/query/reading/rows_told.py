"""The companies that an answer told, as a list and as a set: what goes on from it is of those."""

from collections.abc import Iterator

from services.query.algebra.nodes import Across, Arith, Expr, Pred, Query, Several
from services.query.algebra.scopes import as_set
from services.query.reading.errors import UnusedError


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
    return query.model_copy(update={"fold": (), "show": query.show or folded})


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
    return is_more and one.model_copy(update={"show": other.show}) == other


def _totals(expr: Expr) -> Iterator[Across]:
    """The totals it is made of, what is set against another first."""
    if isinstance(expr, Across):
        yield expr
    if isinstance(expr, Arith):
        yield from (*_totals(expr.left), *_totals(expr.right))
