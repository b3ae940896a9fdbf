"""A query with something changed wherever it stands: other figures, other units."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from services.query.algebra.nodes import Query


def mapped(query: Query, figures: Mapping[str, str]) -> Query:
    """With other figures. Hong Kong's source has the multiple of the last year, not of four
    quarters.
    """

    def change(data: dict[str, Any]) -> dict[str, Any]:
        if data.get("node") == "metric" and data.get("id") in figures:
            return {**data, "id": figures[str(data["id"])]}
        if data.get("node") == "change" and data.get("of") in figures:
            return {**data, "of": figures[str(data["of"])]}
        return data

    return each_node(query, change)


def each_node(query: Query, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Query:
    """With every node as `change` makes it of its fields."""

    def each(value: Any) -> Any:
        if isinstance(value, dict):
            return change({key: each(one) for key, one in cast("dict[str, Any]", value).items()})
        if isinstance(value, list | tuple):
            return [each(one) for one in cast("list[Any]", value)]
        return value

    return Query.model_validate(each(query.model_dump()))
