"""What a comparison that names no figure is by, behind figures that were told: whose fall was
bigger, which is cheaper, 谁涨得更多.
"""

from collections.abc import Sequence
from dataclasses import replace

from services.query.algebra.nodes import Direction, Expr, Metric, Order, Pred, Query
from services.query.reading.errors import ChoiceError
from services.query.reading.figures_said import unit
from services.query.reading.phrases import Fig
from services.query.reading.predicates import Sort

BY_WHAT = ("按哪一项比？", "By which of the figures?")
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


def figures_apart(last: Query) -> Sequence[Expr]:
    """What companies may be set against each other by: the first of those shown, or each where
    several figures of theirs were.
    """
    is_of_each = all(isinstance(one, Metric) and one.of is None for one in last.show)
    return list(dict.fromkeys(last.show)) if is_of_each and not last.order else last.show[:1]


def ordered_by(whose: Pred, by: Sequence[Expr], direction: Direction) -> Query:
    """Those companies by that figure. Raises: ChoiceError where it may be any of several."""
    orders = [(one, Order(by=one, direction=direction)) for one in by]
    each = [Query(scope=whose, order=(way,), show=(one,)) for one, way in orders]
    if len(each) > 1:
        raise ChoiceError(BY_WHAT, each)
    return each[0]
