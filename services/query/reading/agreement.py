"""Whether two readers mean the same: a query of the algebra, and a plan of nodes and slots.

Strict: where it is not sure that they do, they do not.
"""

import re
from collections.abc import Mapping, Sequence

from services.core.catalogue import CATALOGUE, SCREEN_FIELDS
from services.core.errors import InputError
from services.market.names.names import Names
from services.query.algebra.nodes import (
    Change,
    Compare,
    Const,
    Expr,
    In,
    Metric,
    Over,
    Query,
    When,
    walk,
)
from services.query.planning.nlir import Nlir, Node
from services.query.reading.wording import MARKET_CODES

# The same multiple by another flavour, where a market's source has that alone.
_FLAVOUR = {"pe_lyr": "pe_ttm"}
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SCALES = (1, 1e2, 1e3, 1e4, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12)
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
    if actions == {"screen"} and len(nlir.nodes) == 1:
        return _same_screen(query, nlir.nodes[0])
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


def _same_screen(query: Query, node: Node) -> bool:
    markets = {
        v for one in walk(query) if isinstance(one, In) and one.dim == "market" for v in one.values
    }
    if query.rows != "companies" or {MARKET_CODES.get(str(node.arg("category")), "?")} != markets:
        return False
    if any(one.__class__.__name__ in ("Not", "AnyOf", "Every", "Exists") for one in walk(query)):
        return False
    trades = any(isinstance(one, In) and one.dim == "industry" for one in walk(query))
    if trades != (node.arg("industry") is not None):
        return False
    if any(isinstance(one, In) and one.dim not in ("market", "industry") for one in walk(query)):
        return False
    ordered = node.arg("order_by")
    wanted = [SCREEN_FIELDS[slot.key] for slot in node.args if slot.key in SCREEN_FIELDS]
    if ordered is not None:
        wanted.append(SCREEN_FIELDS.get(str(ordered), _NAMED.get(str(ordered), "?")))
    if _flavoured(wanted) != _figures(query) or not _same_numbers(query, node):
        return False
    if any(isinstance(one, When) and one.kind != "latest" for one in walk(query)):
        return False
    size, take = node.arg("size"), query.take.count if query.take else None
    if size is not None and size != take:
        return False
    return (query.take is None or query.take.skip == 0) and _same_order(query, node)


def _same_order(query: Query, node: Node) -> bool:
    if node.arg("rank") is not None:
        return False
    if node.arg("order_by") is None:
        return not query.order
    down = {"降序": "desc", "升序": "asc", "desc": "desc", "asc": "asc"}.get(str(node.arg("order")))
    return len(query.order) == 1 and query.order[0].direction == (down or "desc")


def _same_numbers(query: Query, node: Node) -> bool:
    """Every bound, whatever scale it was said in; numbers in words are not compared: no."""
    said = [
        float(number)
        for slot in node.args
        if slot.key in SCREEN_FIELDS
        for number in _NUMBER.findall(str(slot.value))
        if float(number)
    ]
    bounds = [
        abs(one.right.value)
        for one in walk(query)
        if isinstance(one, Compare) and isinstance(one.right, Const) and one.right.value
    ]
    if len(said) != len(bounds):
        return False
    return all(
        any(
            abs(one * scale - bound) <= 1e-9 * max(bound, 1)
            for scale in _SCALES
            for bound in bounds
        )
        for one in said
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
