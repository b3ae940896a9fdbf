"""Amounts asked for in a currency: in that of the shares asked about the word asks, and no more."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import cast

from services.language.lattice import Token
from services.query.algebra.nodes import Query
from services.query.algebra.scopes import CURRENCIES, markets_of
from services.query.reading.figures_said import is_of_years
from services.query.reading.names_listed import markets_said
from services.query.reading.shapes import Market
from services.query.reading.tagging import Lattice


def as_own_money(lattice: Lattice, before: Sequence[Query], market: Market) -> Lattice:
    """腾讯市值多少港元 asks how much; in another currency, or of a report whose currency nobody
    knows, it asks for a rate, which there is none of.
    """
    asked = {(one.start, one.end) for one in lattice.has("money")}
    if not asked:
        return lattice
    # HKD may be the initials of a company.
    kept = [one for one in lattice.tokens if not (one.cat == "ENT" and _is_within(one, asked))]
    lattice = Lattice(lattice.text, tuple(kept), lattice.unread)
    own = _currency(lattice, before, market)
    made = (
        one if one.cat != "money"
        else replace(one, cat="ask", sem="what") if one.sem == own
        else replace(one, cat="refuse", sem="fx")
        for one in lattice.tokens
    )  # fmt: skip
    return Lattice(lattice.text, tuple(made), lattice.unread)


def _is_within(name: Token, spans: Collection[tuple[int, int]]) -> bool:
    return any(start <= name.start and name.end <= end for start, end in spans)


def _currency(lattice: Lattice, before: Sequence[Query], market: Market) -> str | None:
    """What all that is asked about is told in; None where that is not sure."""
    named = [symbol for one in lattice.has("ENT") for symbol in _values(one)]
    markets = {market.book.row(symbol).market for symbol in named}
    markets |= {one for scope in lattice.has("SCOPE") for one in markets_said(scope)}
    if not markets and before:
        markets = set(markets_of(before[-1].scope))
    found = {CURRENCIES[one] for one in markets or {"CN"}}
    is_reported = any(is_of_years(str(one.sem)) for one in lattice.has("METRIC"))
    if len(found) != 1 or (is_reported and found != {CURRENCIES["CN"]}):
        return None
    return found.pop()


def _values(name: Token) -> tuple[str, ...]:
    return cast("tuple[str, ...]", name.sem)
