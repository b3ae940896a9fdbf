"""Whose bars a place or a fold over companies is made of: no members table has bars, each company's
are brought and named for themselves.
"""

from collections.abc import Iterator

from services.core.symbols import Symbol
from services.query.algebra import nodes as a
from services.query.algebra.compile import compile_members
from services.query.algebra.points import Points
from services.query.algebra.scopes import named_symbols
from services.query.algebra.times import Times, reads_bars


def folds_over_bars(node: a.Node) -> Iterator[a.Across | a.Rank]:
    """The places and folds over companies in it that are made of bars."""
    found = a.nodes_in(node, a.Across), a.nodes_in(node, a.Rank)
    return (one for kind in found for one in kind if reads_bars(one.of))


def symbols_among(
    node: a.Across | a.Rank, scope: a.Pred | None, symbol: str, points: Points, times: Times
) -> tuple[str, ...]:
    """The companies with daily bars that a place or fold is among, of the row of `symbol`; `scope`:
    of the query, where the node names no set.
    """
    if node.own is None:
        return companies_among(node.within or scope, points, times)
    own = a.In(dim="market", values=(Symbol(symbol).market,))
    rows = points.run(compile_members(a.Query(scope=own), times))
    kinds = {row["symbol"]: row["industry"] for row in rows}
    closes = points.symbols_with("close")
    return tuple(
        one
        for one, kind in kinds.items()
        if one in closes and (node.own == "market" or kind == kinds.get(symbol) is not None)
    )


def companies_among(
    within: a.Pred | None, points: Points, times: Times, first: a.Query | None = None
) -> tuple[str, ...]:
    """The companies of a set that have daily bars; of companies by name all of them."""
    if (named := named_symbols(within)) is not None:
        return named
    closes = points.symbols_with("close")
    rows = points.run(compile_members(a.Query(scope=within, first=first), times))
    return tuple(row["symbol"] for row in rows if row["symbol"] in closes)
