"""Turns that ask why a figure told before is as it is: of one of a report no source says."""

from collections.abc import Iterator
from typing import cast

from services.core.catalogue import CATALOGUE
from services.language.lattice import FUNCTION, Token
from services.query.algebra.nodes import Query, Unheld, figures_in
from services.query.algebra.scopes import named_symbols
from services.query.algebra.times import is_reported
from services.query.reading.actions import doings
from services.query.reading.figures_said import base
from services.query.reading.left_aside import clauses_of
from services.query.reading.tagging import CJK, Lattice

# What asks for a reason, and what says of price moves whose reason it is: of those a tool tells.
_WHY, _OF_PRICE = "why", frozenset({"event", "move", "big"})
# What stands beside a word that asks for a reason and asks nothing of its own.
_BESIDE_WHY = frozenset({FUNCTION, "tool", "ask", "rel", "follow", "COMMA", "join", "bool", "row"})


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


def without_why(lattice: Lattice) -> Lattice | None:
    """哪年增得最慢，原因是啥: the question without its last part, where that asks for a reason and
    nothing else; None of others.
    """
    words = [one for one in _asked_words(lattice) if one.cat == _WHY]
    parts = clauses_of(lattice.text, [(one.start, one.end) for one in words])
    if len(parts) != 1 or not parts[0][0]:
        return None
    start, end = parts[0]
    inside = [one for one in lattice.tokens if start <= one.start and one.end <= end]
    if any(one.is_sure and one.cat not in _BESIDE_WHY for one in inside):
        return None
    kept = [one for one in lattice.tokens if one not in inside and one.end <= start]
    gone = Token(FUNCTION, start, len(lattice.text), None, 0.0)
    unread = [one for one in lattice.unread if one[1] <= start]
    is_last = not lattice.text[end:].strip(" ?？.。!！")
    return Lattice(lattice.text, (*kept, gone), tuple(unread)) if is_last else None


def uncaused(query: Query | None, asked: Lattice) -> Query | None:
    """The figures of reports told with that no source says why; None of prices, and of none."""
    if query is None or not all(map(is_reported, figures_in(query))):
        return None
    is_chinese = any(CJK.match(one) for one in asked.text)
    return query.but(unheld=Unheld(figures=("原因" if is_chinese else "the reason",)))


def _asked_words(lattice: Lattice) -> Iterator[Token]:
    asked = (doing for doing in doings() if doing.action == "abnormal")
    return (one for doing in asked for one in doing.words.tokens(lattice.text))


def _kinds(lattice: Lattice) -> set[str]:
    """The kinds of the words that ask for moves and reasons."""
    return {one.cat for one in _asked_words(lattice)}
