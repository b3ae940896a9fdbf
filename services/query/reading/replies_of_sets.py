"""A set that answers a question put back for a name of several companies: 地产那个, A股的."""

from collections.abc import Mapping, Sequence
from typing import cast

from services.language.lattice import FUNCTION
from services.query.algebra.nodes import Dimension, In, Pred, Query, walk
from services.query.algebra.scopes import named_symbols
from services.query.reading.errors import UnusedError
from services.query.reading.phrases_said import set_of
from services.query.reading.shapes import Market, labelled
from services.query.reading.tagging import Lattice

_BESIDE_A_SET = frozenset({"SCOPE", "noun", "follow", FUNCTION, "COMMA", "count"})
_CHEAP = 2.0


def choices_in_set(reply: Lattice, choices: Mapping[str, Query], market: Market) -> Sequence[str]:
    """The choices about companies of the sets that a reply names and says nothing else, or, of
    none, those whose industry no source gives; none where they differ in more than companies.
    """
    words = [one for one in reply.tokens if one.cost < _CHEAP]
    sets = [cast("tuple[Dimension, tuple[str, ...], str | None]", one.sem) for one in words
            if one.cat == "SCOPE"]  # fmt: skip
    named = {one: named_symbols(query.scope) for one, query in choices.items()}
    if not sets or reply.unread or any(one.cat not in _BESIDE_A_SET for one in words):
        return ()
    if len(set(named.values())) < len(choices) or None in named.values():
        return ()
    scopes = [set_of(one) for one in sets]  # 证券 A股: in both
    of = {choice: symbols for choice, symbols in named.items() if symbols}
    inside = [
        choice
        for choice, all_of in of.items()
        if all(_are_in(all_of, scope, market) for scope in scopes)
    ]
    unknown = (
        choice for choice, all_of in of.items()
        if any(not market.book.row(one).industry for one in all_of)
    )  # fmt: skip
    return inside or list(unknown)


def _are_in(symbols: Sequence[str], scope: Pred, market: Market) -> bool:
    return all(_is_in(one, scope, market) for one in symbols)


def _is_in(symbol: str, scope: Pred, market: Market) -> bool:
    row = market.book.row(symbol)
    try:
        there = labelled(scope, (row.market,), market)
    except UnusedError:
        return False  # its market has no such class
    has = {"market": row.market, "industry": row.industry, "symbol": symbol}
    sets = [one for one in walk(there) if isinstance(one, In)]
    return any(has.get(one.dim) in one.values for one in sets)
