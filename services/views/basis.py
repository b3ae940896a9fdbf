"""Which day each family of a view's figures stands on, read off the claims themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, ToolCite
from services.core.periods import Period, is_report
from services.core.source_marks import ADJUSTED


@dataclass(frozen=True, slots=True)
class MarketBasis:
    """The newest day of prices and of multiples, the newest report, and how prices are adjusted
    (the bundle's mark); null for a family the view has nothing of.
    """

    price: date | None = None
    multiple: date | None = None
    report: Period | None = None
    adjusted: str | None = None

    @property
    def newest(self) -> date | None:
        """The day the page stands on: that of its prices, else of its multiples."""
        return self.price or self.multiple


def basis_of(claims: Mapping[str, Claim]) -> MarketBasis:
    """The basis of what these claims say."""
    price = multiple = report = None
    adjusted = None
    for claim in claims.values():
        entry = CATALOGUE.figures.get(claim.metric)
        if entry is None:
            continue
        if entry.kind == "price" and isinstance(claim.cite, ToolCite):
            price = max(price or claim.as_of, claim.as_of)
            adjusted = adjusted or _find_adjustment(claim.cite.note or "")
        elif entry.kind == "valuation":
            multiple = max(multiple or claim.as_of, claim.as_of)
        elif entry.kind in {"statement", "ratio"} and is_report(claim.period):
            found = Period.parse(str(claim.period))
            report = max(report or found, found)
    return MarketBasis(price, multiple, report, adjusted)


def _find_adjustment(note: str) -> str | None:
    return next((mark for mark, words in ADJUSTED.items() if words.zh in note), None)
