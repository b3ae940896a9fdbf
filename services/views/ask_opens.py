"""The page an answer is: the screen of a list, the company of a figure, its score, several side by
side.
"""

from collections.abc import Callable, Mapping, Sequence

from services.core.catalogue import CATALOGUE, SCREEN_FIELDS
from services.core.text import Text
from services.market.names.names import Names
from services.query.algebra.nodes import HistoryRank, In, Query, items_of, nodes_in
from services.query.algebra.scopes import markets_of, named_symbols
from services.query.planning.plir import PlirNode, Turn
from services.query.screening.screen_tests import screen_arguments, set_of_query
from services.views.ask_view import Opens
from services.views.compare.view import LEAST, MOST

# Of one company: what was asked, the section of its page, and what that is called.
_SECTIONS: Mapping[str, tuple[str, Text]] = {
    "api_get_price_history": ("", Text("走势", "prices")),
    "api_compute_indicators": ("", Text("走势", "prices")),
    "api_get_abnormal": ("", Text("走势", "prices")),
    "api_get_financial": ("fin", Text("财务", "financials")),
    "history": ("valuation", Text("估值", "valuation")),
}
_SCREENED = (*SCREEN_FIELDS, "category", "industry", "order_by", "order")


def opens_of(
    turn: Turn, query: Query | None, names: Names, industries: Callable[[str], Sequence[str]]
) -> Opens | None:
    """Where the answer stands as a page; None where no page is it. `industries`: those a screen of
    a market may be limited to.
    """
    nodes = turn.plir.nodes if turn.plir is not None else ()
    tickers = list(dict.fromkeys(str(node.arg("ticker")) for node in nodes if node.arg("ticker")))
    if not nodes:
        return None
    if len(tickers) == 1:
        return _company(nodes[0].action, tickers[0], names)
    named = named_symbols(query.scope) if query is not None else None
    if query is not None and named and len(named) == 1:
        return _company(_find_section(query), named[0], names)
    if several := named or tuple(tickers):
        return _compare(several, names)
    if nodes[0].action == "api_screen" and query is not None:
        return _screen(nodes[0], query, industries)
    return None


def _find_section(query: Query) -> str:
    """Days are prices; the place of a multiple in its own history stands under valuation."""
    if query.rows in {"days", "events"}:
        return "api_get_price_history"
    placed = [CATALOGUE[one.of].kind for one in nodes_in(query, HistoryRank)]
    return "history" if "valuation" in placed else ""


def _company(action: str, symbol: str, names: Names) -> Opens | None:
    if names.row(symbol) is None:
        return None
    name = names.text(symbol)
    if action == "api_score":
        return Opens("score", {"symbol": symbol}, Text(f"看{name.zh}的评分", f"Score {name.en}"))
    tab, part = _SECTIONS.get(action, ("", Text("公司页", "page")))
    params = {"symbol": symbol, **({"tab": tab} if tab else {})}
    return Opens("company", params, Text(f"打开{name.zh}的{part.zh}", f"Open {name.en}: {part.en}"))


def _compare(symbols: Sequence[str], names: Names) -> Opens | None:
    rows = [names.row(one) for one in symbols]
    if not LEAST <= len(rows) <= MOST or any(one is None or one.kind != "stock" for one in rows):
        return None
    return Opens("compare", {"s": ",".join(symbols)}, Text("在对比里打开", "Open in Compare"))


def _screen(
    node: PlirNode, query: Query, industries: Callable[[str], Sequence[str]]
) -> Opens | None:
    """The same screen; of a query that no screen says, the set it looks at."""
    given = {slot.key: str(slot.value) for slot in node.args if slot.key in _SCREENED}
    is_said = bool(given) and node.arg("size") is None  # the so many first are a set of their own
    if not is_said and (asked := set_of_query(query)) is not None:
        given = screen_arguments(asked, industries(asked.market))
    if given and query.first is None:
        return Opens(
            "screen", given, Text("在选股里打开这个名单", "Open this list in the screener")
        )
    markets = markets_of(query.scope)
    items = items_of(query.scope)
    labels = [one.values[0] for one in items if isinstance(one, In) and one.dim == "industry"]
    params = {"category": markets[0], **({"industry": labels[0]} if labels else {})}
    return Opens(
        "screen", params, Text("在选股里看所在的范围", "Open the set it looks at in the screener")
    )
