"""Whom a name means in a turn about a list: the one of those so called that is in it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from services.core.symbols import Symbol
from services.language.lattice import Token, uncovered
from services.query.algebra.nodes import In, Metric, Query, items_of, walk
from services.query.algebra.scopes import kind_of, markets_of
from services.query.reading.entities import NameBook
from services.query.reading.figures_told import companies_of
from services.query.reading.names_beside import names_begun
from services.query.reading.question_words import question_words
from services.query.reading.shapes import MARKETS_SAID, Market
from services.query.reading.tagging import Lattice


def meant_in_list(
    lattice: Lattice, before: Sequence[Query], market: Market, book: NameBook
) -> Lattice:
    """港股博彩, then 不要金沙: of names that may mean several, and of parts of such (平安),
    each as the one of the market and industry that were listed, else of that market; as
    it is where several are.
    """
    last = before[-1] if before else None
    if last is None or last.rows != "companies" or last.group is not None:
        return lattice
    items = items_of(last.scope)
    trades = [one for one in items if isinstance(one, In) and kind_of(one) == "industry"]
    markets = markets_of(last.scope)
    if len(markets) != 1 or not trades:
        return lattice

    def is_listed(symbol: str) -> bool:
        names = {symbol, market.book.row(symbol).industry or ""}
        return all(names & set(one.values) for one in trades)

    made = list(lattice.tokens)
    for at, one in enumerate((*made, *names_begun(lattice.text, lattice.unread, book))):
        symbols = cast("tuple[str, ...]", one.sem) if one.cat == "ENT" else ()
        there = [name for symbol in symbols for name in _listed_in(symbol, markets[0], market)]
        # Its market alone will do: of some companies the source gives no industry.
        inside = {name for name in there if is_listed(name)} or {*there}
        if len(symbols) > 1 and len(inside) == 1:
            made[at : at + 1] = [replace(one, sem=tuple(inside))]
    return Lattice(lattice.text, tuple(made), tuple(uncovered(lattice.text, made)))


def meant_beside_share(lattice: Lattice, before: Sequence[Query], market: Market) -> Lattice:
    """工行呢, behind 建设银行港股的市净率: its share there too, where no share of it was said."""
    told = companies_of(before[-1]) if before else ()
    if not told or lattice.has("SCOPE") or not all(_is_other_share(one, market) for one in told):
        return lattice
    return _as_shares(lattice, "HK", market)


def _is_other_share(symbol: str, market: Market) -> bool:
    """Whether it is the share in Hong Kong of a company with an A share: it was asked for."""
    is_there = market.book.row(symbol).market == "HK"
    return is_there and bool(market.book.listing(symbol, MARKETS_SAID["CN"]))


def meant_beside_set(lattice: Lattice, market: Market) -> Lattice:
    """长城汽车 beside 港股汽车的中位数: its share there, where no share of it was said and that is
    the only market that was.
    """
    names = [one for one in lattice.tokens if one.cat == "ENT"]
    sets = [
        one
        for one in lattice.has("SCOPE")
        if not any(by.start <= one.start < by.end for by in names)
    ]
    markets = {where for one in sets for where in markets_said(one)}
    # 比亚迪在港股的市值 says its share; a set is more than a market.
    if len(markets) != 1 or not (lattice.has("agg") or any(not markets_said(one) for one in sets)):
        return lattice
    return _as_shares(lattice, markets.pop(), market)


def _as_shares(lattice: Lattice, where: str, market: Market) -> Lattice:
    """Each company by its one share in that market, where no share of it was said."""
    made = list(lattice.tokens)
    for at, one in enumerate(made):
        symbols = cast("tuple[str, ...]", one.sem) if one.cat == "ENT" else ()
        if len(symbols) == 1 and not _says_its_share(lattice.text[one.start : one.end]):
            there = _listed_in(symbols[0], where, market)
            made[at] = replace(one, sem=tuple(there)) if len(there) == 1 else one
    return Lattice(lattice.text, tuple(made), lattice.unread)


def _says_its_share(name: str) -> bool:
    """600036, 招行A股."""
    said = [one for one in question_words().tokens(name) if one.cat == "SCOPE"]
    return any(map(str.isdigit, name)) or any(map(markets_said, said))


def markets_said(scope: Token) -> tuple[str, ...]:
    """The markets a set is of; none where it is of another kind."""
    dim, values, _ = cast("tuple[str, tuple[str, ...], object]", scope.sem)
    return values if dim == "market" else ()


def _listed_in(symbol: str, where: str, market: Market) -> Sequence[str]:
    """Its listings in that market: itself, or the other share of the company."""
    here = market.book.row(symbol).market == where
    return (symbol,) if here else market.book.listing(symbol, MARKETS_SAID[where])


def is_listed_there(query: Query, values: Sequence[str]) -> bool:
    """CMB, A share or H share: one of several listings of it is of that market; 国寿和平安A股市值差
    多少: each of those set against each other is.
    """
    scope = query.scope
    if not isinstance(scope, In) or scope.dim != "symbol":
        return False
    if len(scope.values) > 1 and set(values) < set(markets_of(scope)):
        return True
    owners = {one.of for one in walk(query) if isinstance(one, Metric) and one.of is not None}
    return bool(owners) and {Symbol(one).market for one in (*scope.values, *owners)} == {*values}
