"""Reports and bars of a company that only its listing in another market has: 长城汽车 files one
report, and the source has the bars of one of its shares.

Bars only where the company alone was named: who says a code or a market means that share. A
multiple or a market value is never that of another share. The note on listings says which answered.
"""

from collections.abc import Mapping

from services.core.claims import Claim, DerivedCite
from services.core.ledger import Ledger
from services.query.algebra.nodes import Const, figures_in, walk
from services.query.algebra.scopes import symbols_in
from services.query.algebra.times import is_barred, is_reported
from services.query.algebra.wire import KEY, read_query
from services.query.answering.desk import ActionDesk
from services.query.answering.listings import listed_elsewhere
from services.query.answering.outcomes import Outcome
from services.query.planning.plir import PlirNode, PlirSlot
from services.query.reading.entities import MARKET_CODES
from services.statements.book import is_estimated

_OF_REPORTS, _OF_BARS = "api_get_financial", "api_get_price_history"
_MARKETS = tuple(word.casefold() for word in MARKET_CODES)


def asked_elsewhere(desk: ActionDesk, node: PlirNode, outcome: Outcome) -> PlirNode | None:
    """The same of the other listing of each company without any figure in the outcome, or with
    estimates alone; None where that is of no report, or no such company has another.
    """
    has = companies_known(desk.ledger, outcome)
    of_reports, names = _is_of_reports(node), desk.bench.names
    asked = {
        one for one in _companies_in(desk, node) - has if of_reports or not _is_said(desk, one)
    }
    found = {one: listed_elsewhere(names, one) for one in asked}
    # A name means the A share: that of Hong Kong was said, whatever the words.
    lacking = {
        one: other.symbol
        for one, other in found.items()
        if other is not None and (of_reports or other.market != "CN")
    }
    if not lacking or has & set(lacking.values()):
        return None
    return node.but(args=tuple(_moved(one, lacking) for one in node.args))


def sourced(outcome: Outcome) -> list[Claim]:
    """The figures that are no estimate: of a report what it says goes before what a multiple says
    of it.
    """
    return [one for one in outcome.claims if not is_estimated(one)]


def companies_known(ledger: Ledger, outcome: Outcome) -> frozenset[str]:
    """The companies its sourced figures are of, those that went into a sum or a mean included."""
    by_name = {one.claim_id: one for one in ledger.claims}
    open_claims, known = sourced(outcome), set[str]()
    while open_claims:
        claim = open_claims.pop()
        known.add(claim.symbol)
        if isinstance(claim.cite, DerivedCite):
            open_claims += [by_name[one] for one in claim.cite.inputs]
    return frozenset(known)


def _companies_in(desk: ActionDesk, node: PlirNode) -> frozenset[str]:
    """The companies of which it asks nothing but figures of reports, or nothing but of bars."""
    told, names_amount = node.arg(KEY), False
    if told is not None:
        query = read_query(str(told))
        # 收在30元以下: in the money of this share, which the other is not traded in.
        names_amount = any(isinstance(one, Const) and _is_money(one) for one in walk(query))
        figures, companies = list(figures_in(query)), symbols_in(query)
    elif node.action == _OF_REPORTS:
        figures, companies = list(desk.wanted(node).values()), frozenset({str(node.arg("ticker"))})
    elif node.action == _OF_BARS:
        return frozenset({str(node.arg("ticker"))})
    else:
        return frozenset()
    of_bars = all(map(is_barred, figures)) and not names_amount
    is_alike = all(map(is_reported, figures)) or of_bars
    return companies if figures and is_alike else frozenset()


def _is_money(amount: Const) -> bool:
    """Whether it is a price or a sum of money."""
    return amount.unit.partition(":")[0] in {"money", "price"}


def _is_said(desk: ActionDesk, symbol: str) -> bool:
    """Whether the share itself was asked about, by its code or its market."""
    code = symbol.partition(".")[0].lstrip("0").casefold()
    said = [one.casefold() for one in desk.questions]
    return any(word in one for one in said for word in (code, *_MARKETS))


def _is_of_reports(node: PlirNode) -> bool:
    told = node.arg(KEY)
    figures = figures_in(read_query(str(told))) if told else ()
    return node.action == _OF_REPORTS or any(map(is_reported, figures))


def _moved(slot: PlirSlot, lacking: Mapping[str, str]) -> PlirSlot:
    """The argument with those symbols as the others: it holds one alone, or a query as JSON."""
    value = slot.value
    for symbol, other in lacking.items():
        if isinstance(value, str) and (value == symbol or f'"{symbol}"' in value):
            value = other if value == symbol else value.replace(f'"{symbol}"', f'"{other}"')
    return slot.but(value=value)
