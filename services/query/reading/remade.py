"""A query with something changed wherever it stands: other figures, other units."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from services.core.catalogue import CATALOGUE
from services.query.algebra.dimensions import SenseError, dimension_of
from services.query.algebra.nodes import (
    Change,
    Compare,
    Const,
    Course,
    HistoryRank,
    Metric,
    Node,
    Over,
    Query,
    When,
    walk,
)
from services.query.reading.figures_said import is_of_years

# What names the figure it is of, instead of holding it.
_OF_NAME = (Change, Over, HistoryRank, Course)
_NAMING = frozenset({"change", "over", "history_rank", "course"})


def mapped(query: Query, figures: Mapping[str, str]) -> Query:
    """With other figures. Hong Kong's source has the multiple of the last year, not of four
    quarters.
    """

    def change(data: dict[str, Any]) -> dict[str, Any]:
        if data.get("node") == "metric" and data.get("id") in figures:
            return {**data, "id": figures[str(data["id"])]}
        if data.get("node") in _NAMING and data.get("of") in figures:
            return {**data, "of": figures[str(data["of"])]}
        return data

    return each_node(query, change)


def refigured(query: Query, figures: Sequence[str]) -> Query | None:
    """The same asked of one other figure, wherever the one it was asked of stands: its growth, how
    many times another's it is, who has most. None where several were asked of, where a number is a
    bound of it, or where the other has no such times.
    """
    parts = list(walk(query))
    old = {one.id for one in parts if isinstance(one, Metric)}
    old |= {one.of for one in parts if isinstance(one, _OF_NAME)}
    is_bound = any(isinstance(one, Const) and one.value for one in parts)
    if len(old) != 1 or len(figures) != 1 or figures[0] not in CATALOGUE.figures or is_bound:
        return None
    (name,), (new,) = old, figures
    is_dated = any(isinstance(one, _OF_NAME) or _is_dated(one) for one in parts)
    if is_dated and not (is_of_years(name) and is_of_years(new)):
        return None
    return mapped(query, {name: new})


def _is_dated(node: Node) -> bool:
    return isinstance(node, When) and node.kind != "latest"


def each_node(query: Query, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Query:
    """With every node as `change` makes it of its fields."""

    def each(value: Any) -> Any:
        if isinstance(value, dict):
            return change({key: each(one) for key, one in cast("dict[str, Any]", value).items()})
        if isinstance(value, list | tuple):
            return [each(one) for one in cast("list[Any]", value)]
        return value

    return Query.model_validate(each(query.model_dump()))


def loss_of_profit(data: dict[str, Any]) -> dict[str, Any]:
    """A loss is a net profit below nought."""
    if data.get("node") != "loss":
        return data
    profit = Metric(id="net_profit", when=When.model_validate(data["when"]))
    return Compare(sign="lt", left=profit, right=Const(value=0, unit="money")).model_dump()


def points_of_percent(data: dict[str, Any]) -> dict[str, Any]:
    """What a percentage became is told in points: ROE提高了吗, 毛利率同比. Against 10% it stays the
    rate that was said, which is refused: ten points are another bound.
    """
    if data.get("node") == "change" and data["how"] == "rate" and _is_percent(data["of"]):
        return {**data, "how": "difference"}
    if data.get("node") != "compare":
        return data
    left, right = data["left"], data["right"]
    is_change = left["node"] == "change" and _is_percent(left["of"])
    if not is_change or right.get("unit") != "percent":
        return data
    if right["value"]:
        return {**data, "left": {**left, "how": "rate"}}
    return {**data, "right": {**right, "unit": "pp"}}


def _is_percent(figure: str) -> bool:
    return figure in CATALOGUE and CATALOGUE[figure].unit == "percent" and figure != "pct_change"


_UNITS = frozenset({"money", "price", "percent", "multiple", "shares"})


def as_the_figure(node: Node) -> Node:
    """A bare number in the unit of what it bounds: 市值超过五千亿 is of money."""
    if not isinstance(node, Compare) or not isinstance(node.right, Const):
        return node
    try:
        unit = dimension_of(node.left)
    except SenseError:  # told as what makes no sense, by whoever checks the whole
        return node
    if node.right.unit != "number" or unit not in _UNITS:
        return node
    return node.model_copy(update={"right": node.right.model_copy(update={"unit": unit})})


def own_money(data: dict[str, Any]) -> dict[str, Any]:
    """An amount of a named currency, in that of the shares asked about."""
    unit = data.get("unit")
    if data.get("node") == "const" and isinstance(unit, str):
        return {**data, "unit": unit.partition(":")[0]}
    return data
