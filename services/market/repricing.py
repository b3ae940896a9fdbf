"""Market value and multiples at a newer close than the source valued the company at.

A multiple is of one price. Beside a newer one it is computed anew: the earnings, book value, sales
and shares stay those of the valuation day, the price is the one shown.
"""

from collections.abc import Mapping

from services.core.claims import Claim, Figure
from services.core.errors import NoDataError, ProviderError
from services.core.formulas import ONE_SHARE, REPRICED, formula_for
from services.core.ledger import Ledger
from services.core.requests import ValuationRequest
from services.core.source_marks import ADJUSTED
from services.core.symbols import Symbol
from services.market.history import price_history
from services.market.valuation import valuation_figures

_FROM = {"market_cap": "total_shares", "dy_l": "dps"}
# How the note of bars begins that are adjusted.
_ADJUSTED = ("前复权", *(words.zh for mark, words in ADJUSTED.items() if mark != "none"))


def reprice(ledger: Ledger, symbol: Symbol, price: Figure) -> Mapping[str, Claim]:
    """Metric → figure at `price`, of what the source valued on an earlier day.

    Empty where price and valuation are of one day, where the price is no close or is the older of
    the two, and where the bars do not show that a share is still the same share.
    """
    if not isinstance(price, Claim) or price.metric != "close" or symbol.is_index:
        return {}
    try:
        answer = ledger.fetch(ValuationRequest(symbol=symbol.value))
    except (NoDataError, ProviderError):
        return {}
    names = ("price_implied", "total_shares", "dps", *REPRICED)
    valued = valuation_figures(ledger, answer, symbol.value, names)
    then = valued["price_implied"]
    if not isinstance(then, Claim) or then.as_of >= price.as_of or then.unit != price.unit:
        return {}
    if not _is_same_share(ledger, symbol, then, price):
        return {}
    made = {
        metric: _at(ledger, metric, price, then, valued.get(_FROM.get(metric, metric)))
        for metric in (*REPRICED, *_FROM)
    }
    return {metric: claim for metric, claim in made.items() if claim is not None}


def _at(
    ledger: Ledger, metric: str, price: Claim, then: Claim, base: Figure | None
) -> Claim | None:
    if not isinstance(base, Claim):
        return None
    if metric == "dy_l":
        same = base.unit == f"{price.unit}/share"
        formula, inputs = formula_for(metric, "dps / close * 100"), (base, price)
        return ledger.derive(formula, inputs) if formula is not None and same else None
    expression = "close * total_shares" if metric == "market_cap" else REPRICED[metric]
    inputs = (price, base) if metric == "market_cap" else (price, then, base)
    formula = formula_for(metric, expression)
    return ledger.derive(formula, inputs) if formula is not None else None


def _is_same_share(ledger: Ledger, symbol: Symbol, then: Claim, price: Claim) -> bool:
    """Whether the adjusted close of the valuation day is about the price it was taken at."""
    try:
        bars = price_history(ledger, symbol, then.as_of, price.as_of)
    except (NoDataError, ProviderError):
        return False
    adjusted = bars.note.startswith(_ADJUSTED)
    if not adjusted or not bars.has(then.as_of, "close"):
        return False
    close = bars.claim(ledger, then.as_of, "close")
    return abs(close.value / then.value - 1) < ONE_SHARE
