"""The figures of one company in a comparison: its multiples at the last common close, its newest
annual report.
"""

from collections.abc import Mapping

from services.core.claims import Claim, Figure, Missing
from services.core.clock import Clock
from services.core.errors import NoDataError, ProviderError
from services.core.ledger import Ledger
from services.core.requests import ValuationRequest
from services.core.symbols import Symbol
from services.market.fundamentals import report_data
from services.market.outages import why_missing
from services.market.repricing import reprice
from services.market.valuation import valuation_figures

VALUED = ("pe_lyr", "pe_ttm", "pb", "dy_l", "market_cap")
REPORTED = (
    "roe", "revenue", "revenue_yoy", "net_profit", "net_profit_yoy", "net_margin",
    "debt_to_assets",
)  # fmt: skip
# What a valuation implies of the last annual report where there is none to read.
_IMPLIED = ("roe", "net_profit")


def valued_figures(ledger: Ledger, symbol: Symbol, price: Figure) -> Mapping[str, Figure]:
    """Multiples and market value at `price`; the source's own where it is not of a later day."""
    try:
        answer = ledger.fetch(ValuationRequest(symbol=symbol.value))
    except (NoDataError, ProviderError) as error:
        why = why_missing(ledger, error)
        return {
            metric: Missing(metric=metric, symbol=symbol.value, reason=why) for metric in VALUED
        }
    given = valuation_figures(ledger, answer, symbol.value, VALUED)
    return {**given, **{k: v for k, v in reprice(ledger, symbol, price).items() if k in VALUED}}


def reported_figures(ledger: Ledger, symbol: Symbol, clock: Clock) -> Mapping[str, Figure]:
    """Of the newest annual report; without one what the valuation implies, which says so."""
    try:
        found = report_data(ledger, symbol, REPORTED, kind="annual", count=1, clock=clock)
    except (NoDataError, ProviderError) as error:
        why = why_missing(ledger, error)
        none = {
            metric: Missing(metric=metric, symbol=symbol.value, reason=why) for metric in REPORTED
        }
        return {**none, **_derive_implied(ledger, symbol)}
    period = found.periods[0]
    return {metric: found.figures[metric][period] for metric in REPORTED}


def _derive_implied(ledger: Ledger, symbol: Symbol) -> Mapping[str, Claim]:
    try:
        answer = ledger.fetch(ValuationRequest(symbol=symbol.value))
    except (NoDataError, ProviderError):
        return {}
    made = valuation_figures(ledger, answer, symbol.value, _IMPLIED)
    return {metric: one for metric, one in made.items() if isinstance(one, Claim)}
