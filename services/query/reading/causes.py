"""Turns that ask why a figure told before is as it is: of one of a report no source says."""

from typing import cast

from services.core.catalogue import CATALOGUE
from services.query.algebra.nodes import Query, figures_in
from services.query.algebra.scopes import named_symbols
from services.query.reading.actions import doings
from services.query.reading.figures_said import base
from services.query.reading.tagging import Lattice

# What asks for a reason, and what says of price moves whose reason it is: of those a tool tells.
_WHY, _OF_PRICE = "why", frozenset({"event", "move", "big"})


def asks_why(lattice: Lattice) -> bool:
    """Whether it asks for a reason, whatever else is said."""
    return _WHY in _kinds(lattice)


def figure_to_explain(lattice: Lattice, last: Query) -> str | None:
    """The figure whose reason is asked: the one said, else the one told last; None where it is of
    prices, where another company is named, or where there is none.
    """
    kinds = _kinds(lattice)
    told = set(named_symbols(last.scope) or ())
    named = {symbol for one in lattice.has("ENT") for symbol in cast("tuple[str, ...]", one.sem)}
    if _WHY not in kinds or kinds & _OF_PRICE or (named and not named & told):
        return None
    said = [str(one.sem) for one in lattice.has("METRIC")]
    figure = next((base(one) for one in (*said, *figures_in(last))), None)
    if figure is None or figure not in CATALOGUE.figures:
        return None
    return None if CATALOGUE[figure].kind == "price" else figure


def _kinds(lattice: Lattice) -> set[str]:
    """The kinds of the words that ask for moves and reasons."""
    asked = (doing for doing in doings() if doing.action == "abnormal")
    return {one.cat for doing in asked for one in doing.words.tokens(lattice.text)}
