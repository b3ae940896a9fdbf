"""Runtime `builtin`: a report written by rule from what was gathered. Every figure is a place.

It says what the figures say and what is missing, and nothing beyond: no outlook, no advice.
"""

from collections.abc import Sequence

from services.agents.composing_market import MarketReport
from services.agents.composing_stock import StockReport
from services.agents.report_words import Sections
from services.agents.results import AnalysisInput, RuntimeDraft
from services.agents.toolkit import Told
from services.core.ledger import Ledger
from services.core.text import Text


def compose(
    asked: AnalysisInput, gathered: Sequence[Told], ledger: Ledger, note: Text
) -> RuntimeDraft:
    """The draft. `note` says why the rules wrote it."""
    report = (
        StockReport(asked, gathered, ledger)
        if asked.symbol
        else MarketReport(asked, gathered, ledger)
    )
    sections: Sections = report.sections()
    return RuntimeDraft(
        runtime="builtin",
        summary=sections.summary,
        key_points=tuple(sections.key_points),
        recommendations=tuple(sections.recommendations),
        risk_factors=tuple(sections.risk_factors),
        note=note,
        made=tuple(sections.made),
    )
