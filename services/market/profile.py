"""One company at a glance: who it is, what it is worth, what each share stands for."""

from collections.abc import Mapping
from dataclasses import dataclass

from services.core.claims import Claim, Figure, Missing
from services.core.clock import Clock
from services.core.ledger import Answer, Ledger
from services.core.requests import ValuationRequest
from services.core.symbols import Symbol
from services.market.fundamentals import FinancialData, financial_data, report_data
from services.market.names.names import Names
from services.market.outages import Absence, attempt, require_one
from services.market.valuation import valuation_figures

GROUPS: Mapping[str, tuple[str, ...]] = {
    "price": ("current_price", "close", "price_implied"),
    "valuation": ("market_cap", "pe_ttm", "pe_lyr", "pb", "ps_ttm", "dy_l"),
    "per_share": ("eps_ttm", "eps", "bps", "dps"),
    "shares": ("total_shares", "float_shares"),
    "range": ("high_52w", "low_52w"),
}
# Only a few sources know these, so that their absence is not worth a word.
_IF_GIVEN = frozenset({"current_price", "price_implied", "eps_ttm", "high_52w", "low_52w"})
_VALUED = tuple(metric for group in GROUPS.values() for metric in group)
_ANNUAL = ("eps", "dps")
_NEWEST = ("bps", "dy_l")


@dataclass(frozen=True, slots=True)
class Profile:
    """Figures by group, as GROUPS; a group nothing is known of is absent.

    `eps` and `dps` are of the last annual report, `eps_ttm` of the last twelve months; multiples
    and shares of the valuation day. Every claim has its own `as_of`.
    """

    symbol: str
    name: str
    industry: str | None
    currency: str
    figures: Mapping[str, Mapping[str, Figure]]


def company_profile(ledger: Ledger, symbol: Symbol, names: Names, clock: Clock) -> Profile:
    """What is known of one company; what one source fails to tell is Missing with why.

    Raises: NoDataError, ProviderError, when neither a valuation nor a report came.
    """
    answer = attempt(ledger, lambda: ledger.fetch(ValuationRequest(symbol=symbol.value)))
    annual = attempt(
        ledger,
        lambda: report_data(ledger, symbol, _ANNUAL, kind="annual", count=1, clock=clock),
    )
    require_one((answer, annual))
    valued = _read_valuation(ledger, symbol, answer)
    told = _read_reports(ledger, symbol, annual, clock, valued)
    figures = {
        group: {
            metric: figure
            for metric in metrics
            if isinstance(figure := told.get(metric, valued[metric]), Claim)
            or metric not in _IF_GIVEN
        }
        for group, metrics in GROUPS.items()
    }
    if "current_price" in figures["price"]:
        figures["price"].pop("close", None)
    _drop_implied(figures["price"])
    row = names.row(symbol)
    label = answer.label(symbol.value, "industry") if isinstance(answer, Answer) else None
    return Profile(
        symbol=symbol.value,
        name=names.name(symbol),
        industry=label or (row.industry if row else None),
        currency=symbol.currency,
        figures={group: found for group, found in figures.items() if found},
    )


def _drop_implied(prices: dict[str, Figure]) -> None:
    """An implied price tells nothing where the same day has an official one."""
    given = [prices.get(name) for name in ("current_price", "close")]
    days = {one.as_of for one in given if isinstance(one, Claim)}
    implied = prices.get("price_implied")
    if isinstance(implied, Claim) and implied.as_of in days:
        prices.pop("price_implied")


def _read_valuation(
    ledger: Ledger, symbol: Symbol, answer: Answer | Absence
) -> Mapping[str, Figure]:
    if isinstance(answer, Answer):
        return valuation_figures(ledger, answer, symbol.value, _VALUED)
    why = answer.why
    return {name: Missing(metric=name, symbol=symbol.value, reason=why) for name in _VALUED}


def _read_reports(
    ledger: Ledger,
    symbol: Symbol,
    annual: FinancialData | Absence,
    clock: Clock,
    valued: Mapping[str, Figure],
) -> Mapping[str, Figure]:
    """Per-share figures of the reports; the valuation's own where there is no report."""
    if isinstance(annual, Absence):
        found = {
            name: Missing(metric=name, symbol=symbol.value, reason=annual.why) for name in _ANNUAL
        }
        return {
            name: missing for name, missing in found.items() if isinstance(valued[name], Missing)
        }
    newest = financial_data(ledger, symbol, _NEWEST, clock=clock)
    told = {
        name: row[first]
        for found in (newest, annual)
        for name, row in found.figures.items()
        if (first := found.periods[0]) in row
    }
    return {
        name: figure
        for name, figure in told.items()
        if isinstance(figure, Claim) or isinstance(valued[name], Missing)
    }
