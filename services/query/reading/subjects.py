"""A turn behind one that only said whom, and maybe when: asked of those, as if they were named."""

from collections.abc import Sequence

from services.query.algebra.nodes import Query, When
from services.query.algebra.scopes import named_symbols
from services.query.reading.chart import Edge
from services.query.reading.figures_said import base, is_of_days, is_of_years
from services.query.reading.follow_companies import is_of_companies, time_of
from services.query.reading.other_tools import Meant, of_periods
from services.query.reading.request import UnusedError
from services.query.reading.shapes import Market, Shape, made, request_of


def ask_of_subject(
    parts: Sequence[Edge], last: Query, market: Market, shapes: Sequence[Shape[Meant]]
) -> Meant | None:
    """最高收盘是几号, where so far only a company and its days were spoken of: of those. None where
    the turn names others, or asks nothing by itself.
    """
    if not _is_bare(last):
        return None
    try:
        request = request_of(parts, market)
        if request.ents or request.scope or request.marks & {"add", "only", "member", "other"}:
            return None
        if request.relations or request.day_tests or len(request.orders) > 1:
            return None
        request.ents = [(one,) for one in named_symbols(last.scope) or ()]
        request.marks -= {"ne", "these"}
        said = [*request.mets, *(one for sort in request.orders for one in sort.phrase.mets)]
        is_dated = request.when is not None or any(sort.phrase.when for sort in request.orders)
        if not is_dated and said and all(_is_of_window(one, last.window) for one in said):
            request.when = time_of(last)
        return of_periods(request, market) or made(request, shapes, market)
    except UnusedError:
        return None


def _is_bare(query: Query) -> bool:
    """Whether it only says whom, and maybe when: nothing is asked of them yet."""
    asks = query.show or query.fold or query.order or query.check or query.where
    return is_of_companies(query) and query.rows == "companies" and not asks


def _is_of_window(figure: str, window: When | None) -> bool:
    """Whether that figure has such times: a price has days, a report has years."""
    if window is None:
        return False
    is_days = window.kind in ("days", "all") or window.unit == "sessions"
    return is_of_days(figure) if is_days else is_of_years(base(figure))
