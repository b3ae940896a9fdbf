"""Whether two readers mean the same of companies by name: a query, and a plan of nodes and slots.

Of lists nobody is asked but the algebra. Strict: where it is not sure that they do, they do not.
"""

import re
from collections.abc import Mapping, Sequence

from services.core.catalogue import CATALOGUE
from services.core.errors import InputError
from services.market.names.names import Names
from services.query.algebra.nodes import (
    Change,
    Expr,
    In,
    Metric,
    Over,
    Query,
    When,
    walk,
)
from services.query.planning.nlir import Nlir, Node

# The same multiple by another flavour, where a market's source has that alone.
_FLAVOUR = {"pe_lyr": "pe_ttm"}
_YEAR = re.compile(r"(?:19|20)\d\d")
_NAMED: Mapping[str, str] = {
    (row.asked.name or row.zh): row.id
    for row in CATALOGUE.figures.values()
    if row.asked is not None
}


def agrees(query: Query, nlir: Nlir, names: Names) -> bool:
    """Whether the nodes ask just what the query asks."""
    actions = {node.action for node in nlir.nodes}
    if query.first is not None or query.fold or query.group or query.check or query.having:
        return False
    if actions == {"query"}:
        return _same_figures(query, nlir.nodes, names)
    if actions == {"price_history"} and len(nlir.nodes) == 1:
        return _same_days(query, nlir.nodes[0], names)
    return False


def _flavoured(figures: Sequence[str]) -> set[str]:
    return {_FLAVOUR.get(one, one) for one in figures}


def _figures(query: Query) -> set[str]:
    found: list[str] = []
    for one in walk(query):
        if isinstance(one, Metric):
            found.append(one.id)
        elif isinstance(one, Change):
            found.append(
                f"{one.of}_yoy"
                if one.how == "rate" and one.of != "close"
                else f"{one.of}:{one.how}"
            )
        elif one.__class__.__name__ in (
            "Over",
            "Across",
            "Rank",
            "Streak",
            "HistoryRank",
            "Arith",
            "Loss",
        ):
            found.append("?")
    return _flavoured(found)


def _companies(nodes: Sequence[Node], names: Names) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        try:
            found.add(names.resolve(str(node.arg("entity"))).value)
        except InputError:
            found.add("?")
    return found


def _same_companies(query: Query, nodes: Sequence[Node], names: Names) -> bool:
    scope = query.scope
    return (
        isinstance(scope, In)
        and scope.dim == "symbol"
        and set(scope.values) == _companies(nodes, names)
    )


def _same_figures(query: Query, nodes: Sequence[Node], names: Names) -> bool:
    said = [_NAMED.get(slot.name, "?") for node in nodes for slot in node.outputs]
    if (
        query.rows not in ("companies", "years", "quarters")
        or query.where
        or query.take
        or query.order
    ):
        return False
    if _flavoured(said) != _figures(query) or not _same_companies(query, nodes, names):
        return False
    periods = {str(node.arg("period")) for node in nodes}
    counts = [node.arg("count") for node in nodes]
    windows = [
        one
        for one in walk(query)
        if isinstance(one, When) and one.kind not in ("latest", "own", "before")
    ]
    if not windows:
        return periods <= {"最新"} and not any(counts)
    if any(one.kind == "days" or one.kind == "all" for one in windows):
        return False
    lastn = {one.count for one in windows if one.kind == "lastn"}
    if lastn:
        return len(windows) == 1 and all(count in lastn for count in counts)
    ends = {str(end)[:4] for one in windows for end in (one.first, one.last)}
    years = {year for period in periods for year in _YEAR.findall(period)}
    quarters = any(one.kind == "quarters" for one in windows)
    return (
        ends <= years
        and max(ends) == max(years)
        and quarters != any("年报" in one for one in periods)
    )


_OF_SESSIONS = frozenset({"close", "open", "high", "low", "volume", "pct_change"})


def _same_days(query: Query, node: Node, names: Names) -> bool:
    """Prices of a company over time: figures of sessions, their change, the highest, the lowest."""
    if not _same_companies(query, [node], names) or query.where or query.take or query.order:
        return False
    if len(query.show) != 1 or not _is_of_prices(query.show[0]):
        return False
    spans = dict.fromkeys(
        one for one in walk(query) if isinstance(one, When) and one.kind not in ("own", "latest")
    )
    if len(spans) != 1:
        return False
    span = next(iter(spans))
    if span.kind == "all":
        return node.arg("time_range") == "不限"
    if span.kind == "lastn":
        return span.unit == "sessions" and node.arg("end_date") is not None
    if node.arg("time_range") is not None:
        return True
    return (str(span.first), str(span.last)) == (
        str(node.arg("start_date")),
        str(node.arg("end_date")),
    )


def _is_of_prices(expr: Expr) -> bool:
    match expr:
        case Metric(id=name, of=None):
            return name in _OF_SESSIONS
        case Change(of="close", how="rate"):
            return True
        case Over(of="high", how="max") | Over(of="low", how="min"):
            return True
        case _:
            return False
