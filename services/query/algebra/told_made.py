"""What is read back from an explanation, as it is made elsewhere: figures of each year by their own
time, sets side by side as one, amounts in the money of what they bound.
"""

from typing import Any

from services.query.algebra import nodes as a
from services.query.algebra.dimensions import Dimensions, SenseError
from services.query.algebra.scopes import currency_of
from services.query.algebra.told_forms import of_groups

_MONEY = frozenset({"money", "price", "per_share"})


def is_whole(query: a.Query) -> bool:
    """Whether something is asked of somebody, with the unit of each number: a name or a figure
    alone goes on from a turn, and a bare number is for the reader of questions to understand.
    """
    if query.rows == "one" and all(isinstance(one, a.Metric | a.Const) for one in query.show):
        return False
    tests = (one for one in a.walk(query) if isinstance(one, a.Compare))
    if any(_lacks_unit(one.left, one.right) for one in tests):
        return False
    return bool(query.model_fields_set - {"node", "rows", "scope", "said"})


def _lacks_unit(left: a.Expr, right: a.Expr) -> bool:
    is_bare = isinstance(right, a.Const) and right.unit == "number"
    return is_bare and _dimension(left) in {*_MONEY, "percent", "pp", "multiple", "shares"}


def _dimension(expr: a.Expr) -> str:
    """What it measures; nothing where it makes no sense."""
    try:
        return Dimensions().of(expr)
    except SenseError:
        return ""


def mended(node: Any) -> Any:
    """A node as it is made elsewhere: sets side by side as one, a second bound with its figure."""
    if isinstance(node, a.AllOf | a.AnyOf):
        items: list[Any] = []
        for one in node.items:
            if isinstance(one, a.Compare) and one.left.said and isinstance(items[-1], a.Compare):
                one = one.model_copy(update={"left": items[-1].left})
            items.append(one)
        return (
            a.both(*items)
            if isinstance(node, a.AllOf)
            else node.model_copy(update={"items": tuple(items)})
        )
    if isinstance(node, a.Arith) and node.how == "mul" and isinstance(node.left, a.Const):
        return node.model_copy(update={"left": node.right, "right": node.left})
    if isinstance(node, a.Streak | a.Every | a.Exists):
        return node.model_copy(update={"test": a.rewrite(node.test, _of_each)})
    if isinstance(node, a.Change) and (node.since, node.until) == (a.ALL, a.LATEST):
        return node.model_copy(update={"until": a.ALL})
    if isinstance(node, a.Change) and node.since.kind == node.until.kind == "days":
        span = a.When(kind="days", first=node.since.first, last=node.until.last)
        return node.model_copy(update={"since": span, "until": span})
    return node


def _of_each(node: a.Node) -> a.Node:
    """A figure of each year or session, where the newest is told alike."""
    if isinstance(node, a.Metric) and node.when == a.LATEST and node.of is None:
        return node.model_copy(update={"when": a.OWN})
    if isinstance(node, a.Change) and (node.since, node.until) == (a.YEAR_BEFORE, a.LATEST):
        return node.model_copy(update={"until": a.OWN})
    return node


def completed(query: a.Query) -> a.Query:
    """With the set that the rows are taken from, and amounts in the money of what they bound."""
    if query.first is not None:
        first = completed(query.first)
        query = query.model_copy(update={"first": first, "scope": query.scope or first.scope})
    query = of_groups(query)
    if query.rows not in {"companies", "one"}:
        parts = ("where", "show", "order", "fold")
        query = query.model_copy(
            update={one: a.rewrite(getattr(query, one), _of_each) for one in parts}
        )
    own = currency_of(query)

    def change(node: a.Node) -> a.Node:
        if isinstance(node, a.Const) and node.unit == f"money:{own}":
            return node.model_copy(update={"unit": "money"})
        if isinstance(node, a.Compare) and isinstance(node.right, a.Const):
            return node.model_copy(update={"right": _priced(node.left, node.right)})
        return node

    return query.model_copy(
        update={
            name: a.rewrite(getattr(query, name), change)
            for name in query.model_fields_set
            if name not in {"first", "less"}
        }
    )


def _priced(left: a.Expr, right: a.Const) -> a.Const:
    is_price = right.unit == "money" and _dimension(left) in _MONEY - {"money"}
    return right.model_copy(update={"unit": "price"}) if is_price else right
