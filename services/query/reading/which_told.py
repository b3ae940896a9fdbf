"""What a comparison that names no figure is by, behind figures that were told: whose fall was
bigger, which is cheaper, 谁涨得更多.
"""

from collections.abc import Sequence
from dataclasses import replace

from services.query.reading.figures_said import unit
from services.query.reading.phrases import Fig
from services.query.reading.predicates import Sort

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
        is_fall = said.mets == ("close:fall",)
        turned = {"desc": "asc", "asc": "desc"} if is_fall else {}
        way = turned.get(sort.direction or "", sort.direction)
        return replace(sort, phrase=Fig(), direction=way)  # type: ignore[arg-type]
    if said == Fig() and told == "close:drawdown" and sort.direction in ("asc", "desc"):
        return replace(sort, direction="asc" if sort.direction == "desc" else "desc")
    return sort
