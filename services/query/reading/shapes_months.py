"""The months at which a price rose or fell: which, how many, the best three."""

from dataclasses import replace

from services.query.algebra.nodes import (
    ALL,
    OWN,
    Change,
    Compare,
    Folded,
    Metric,
    Order,
    Query,
    Take,
    When,
)
from services.query.reading.phrases import Fig, Time
from services.query.reading.request import Request, UnusedError
from services.query.reading.shapes import Market, listed, shape
from services.query.reading.shapes_company import companies, months_of, needed


def months_with(request: Request, market: Market) -> Query:
    """茅台2016年哪几个月跌了: the months at which it holds of what their sessions made."""
    test, symbols = request.conds[0], listed(request.ents)
    if len(request.conds) != 1 or not isinstance(test, Compare) or len(symbols) != 1:
        raise UnusedError("conds")
    said = request.when
    match test.left:
        case Change(how="rate", of="close", since=When(kind="days") as since, until=until) if (
            since == until and said is None
        ):
            said = Time(days=since)
        case Metric(id="pct_change", when=When(kind="latest")):
            pass
        case _:
            raise UnusedError("months")
    own = Change(how="rate", of="close", since=OWN, until=OWN)
    return Query(
        rows="months", scope=companies(symbols), window=months_of(said or Time(days=ALL)),
        where=test.model_copy(update={"left": own}), show=(own,),
    )  # fmt: skip


def number_of_months(request: Request, market: Market) -> Query:
    """茅台2016年有几个月是涨的."""
    found = months_with(replace(request, asks=request.asks - {"months"}), market)
    return found.model_copy(update={"show": (), "fold": (Folded(how="count"),)})


def best_months(request: Request, market: Market) -> Query:
    """The best three months of 2016: by how far the price went in each."""
    symbols = listed(request.ents)
    if len(symbols) != 1 or request.direction not in ("asc", "desc"):
        raise UnusedError("months of whom")
    own = needed("close:ret", Fig(), own=True)
    return Query(
        rows="months", scope=companies(symbols), window=months_of(request.when), show=(own,),
        order=(Order(by=own, direction="asc" if request.direction == "asc" else "desc"),),
        take=Take(count=request.take or 1),
    )  # fmt: skip


SHAPES = (
    shape("ents conds ask.whichmonth", "when", months_with),
    shape("ents conds ask.months", "when", number_of_months),
    shape("ents direction ask.whichmonth", "when take", best_months),
)
