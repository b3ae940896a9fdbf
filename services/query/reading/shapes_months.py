"""The months, or quarters, at which a price rose or fell: which, how many, the best three."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta

from services.query.algebra.nodes import (
    ALL,
    OWN,
    Change,
    Compare,
    Folded,
    Metric,
    Order,
    Query,
    Rows,
    Take,
    When,
)
from services.query.reading.errors import UnusedError
from services.query.reading.phrases import Fig, Time
from services.query.reading.request import Request
from services.query.reading.shapes import Market, listed, shape
from services.query.reading.shapes_company import MOVES, companies, months_of

_GONE = Change(how="rate", of="close", since=OWN, until=OWN)
_ROWS: Mapping[str, Rows] = {
    "whichmonth": "months", "months": "months", "whichquarter": "quarters", "quarters": "quarters",
}  # fmt: skip


def _table(request: Request, time: Time | None) -> Query:
    """How far the price went in each of them. Raises: UnusedError."""
    symbols = listed(request.ents)
    if len(symbols) != 1:
        raise UnusedError("months of whom")
    rows: Rows = next(_ROWS[one] for one in sorted(request.asks) if one in _ROWS)
    window = months_of(time or Time(days=ALL))
    return Query(
        rows=rows, scope=companies(symbols), show=(_GONE,),
        window=window if rows == "months" else _quarters_of(window),
    )  # fmt: skip


def _quarters_of(window: When) -> When:
    """Days that are whole quarters, as those. Raises: UnusedError of others."""
    first, last = window.first, window.last
    if not isinstance(first, date) or not isinstance(last, date):
        raise UnusedError("quarters of when")
    begins = first.day == 1 and first.month % 3 == 1
    if not begins or (last + timedelta(days=1)).day != 1 or last.month % 3:
        raise UnusedError("quarters of when")
    month = first.month + 3
    end = date(first.year + month // 13, (month - 1) % 12 + 1, 1) - timedelta(days=1)
    return When(kind="quarters", first=end, last=last)


def months_with(request: Request, market: Market) -> Query:
    """茅台2016年哪几个月跌了: those at which it holds of what their sessions made."""
    (test, *others), said = request.conds, request.when
    if others or not isinstance(test, Compare):
        raise UnusedError("conds")
    match test.left:
        case Change(how="rate", of="close", since=When(kind="days") as since, until=until) if (
            since == until and said is None
        ):
            said = Time(days=since)
        case Metric(id="pct_change", when=When(kind="latest")):
            pass
        case _:
            raise UnusedError("months")
    return _table(request, said).model_copy(
        update={"where": test.model_copy(update={"left": _GONE})}
    )


def number_of_months(request: Request, market: Market) -> Query:
    """茅台2016年有几个月是涨的."""
    found = months_with(request, market)
    return found.model_copy(update={"show": (), "fold": (Folded(how="count"),)})


def best_months(request: Request, market: Market) -> Query:
    """The best three months of 2016, 哪个季度涨得最多: by how far the price went in each."""
    (way,) = {request.direction, *(one.direction for one in request.orders)} - {None} or {None}
    for one in request.orders:
        moved = Fig(mets=one.phrase.mets, when=one.phrase.when, ents=one.phrase.ents)
        if one.phrase != moved or not set(one.phrase.mets) <= MOVES or one.skip:
            raise UnusedError("order of quarters")
    takes = [one for one in (request.take, *(sort.take for sort in request.orders)) if one]
    whens = [one for one in (request.when, *(s.phrase.when for s in request.orders)) if one]
    ents = [*request.ents, *(one for sort in request.orders for one in sort.phrase.ents)]
    if way not in ("asc", "desc") or len(takes) > 1 or len(whens) > 1:
        raise UnusedError("which end")
    table = _table(replace(request, ents=ents), next(iter(whens), None))
    order = (Order(by=_GONE, direction="asc" if way == "asc" else "desc"),)
    return table.model_copy(update={"order": order, "take": Take(count=next(iter(takes), 1))})


SHAPES = (
    shape("ents conds ask.whichmonth | ents conds ask.whichquarter", "when", months_with),
    shape("ents conds ask.months | ents conds ask.quarters", "when", number_of_months),
    shape(
        "ents direction ask.whichmonth | ents direction ask.whichquarter | "
        "ents orders ask.whichquarter",
        "when take orders",
        best_months,
    ),
)
