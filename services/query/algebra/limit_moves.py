"""Limit moves of A shares: a session that closed at its daily limit, as a test of its own figures.

The limit price is ten per cent from the close before, rounded to a cent, so that a rise to it may
be a little less than ten; bars are adjusted, so that the price itself cannot be told. A session
counts where it moved 9.9 % at least and closed at its high (its low). ST shares move five per cent:
of them this says nothing.
"""

from services.core.text import Text
from services.query.algebra.nodes import OWN, AllOf, Compare, Const, Metric, Pred, Query, When, walk
from services.query.sayings import saying

_LEAST = 9.9
_RULE = {
    "high": saying("limit_up"),
    "low": saying("limit_down"),
}


def limit_test(way: str, when: When = OWN) -> AllOf:
    """Whether a session closed at its limit, `up` or `down`."""
    edge, sign, least = ("high", "ge", _LEAST) if way == "up" else ("low", "le", -_LEAST)
    moved = Metric(id="pct_change", when=when)
    close, extreme = Metric(id="close", when=when), Metric(id=edge, when=when)
    return AllOf(
        items=(
            Compare.model_validate(
                {"sign": sign, "left": moved, "right": Const(value=least, unit="percent")}
            ),
            Compare(sign="eq", left=close, right=extreme),
        )
    )


def limit_edge(pred: Pred | None) -> str | None:
    """`high` or `low` where a test of limit moves is in it."""
    for one in walk(pred) if pred is not None else ():
        match one:
            case Compare(
                sign="eq", left=Metric(id="close"), right=Metric(id="high" | "low" as edge)
            ):
                return edge
            case _:
                pass
    return None


def tell_rule(query: Query) -> Text | None:
    """How limit moves are told, where the query asks for them."""
    edge = limit_edge(query.where) or limit_edge(query.check)
    return _RULE[edge] if edge else None
