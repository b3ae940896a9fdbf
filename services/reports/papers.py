"""Every page and answer as a paper: which kind of view becomes which, in one table."""

from collections.abc import Callable, Mapping
from typing import Any

from services.core.rendering import Language
from services.reports.analysis_paper import analysis_paper
from services.reports.analysis_view import AnalysisView
from services.reports.ask_paper import conversation_paper, turn_paper
from services.reports.ask_view import ConversationView, TurnView
from services.reports.paper import Block, Bullets, Paper, PaperKind
from services.reports.paper_lines import noted
from services.reports.score_paper import score_paper
from services.reports.score_view import BatchView, ScorePage, ScoreView, VetoView
from services.reports.table import View, Words
from services.reports.table_paper import paper_table
from services.reports.view import (
    FinancialsView,
    OverviewView,
    ScreenView,
    SourcesView,
    StockView,
    TraceView,
)

_NOTES = Words("数据说明", "About these data")
# Views with a paper of their own; the others are a title, notes and tables.
_PAPERS: Mapping[type[View], Callable[[Any, Language], Paper]] = {
    TurnView: turn_paper,
    ConversationView: conversation_paper,
    AnalysisView: analysis_paper,
    ScorePage: score_paper,
    ScoreView: score_paper,
    VetoView: score_paper,
}
_KINDS: Mapping[type[View], PaperKind] = {
    OverviewView: "overview",
    ScreenView: "screen",
    StockView: "stock",
    FinancialsView: "financials",
    BatchView: "batch",
    TraceView: "trace",
    SourcesView: "sources",
}


def paper_of(view: View, language: Language) -> Paper:
    """What the page shows, as it is given away. A stored report keeps the language of its text."""
    found = _PAPERS.get(type(view))
    return found(view, language) if found else _page(view, language)


def _page(view: View, language: Language) -> Paper:
    blocks: list[Block] = []
    if view.notes:
        lines = tuple(noted(note.text(language)) for note in view.notes)
        blocks.append(Bullets(title=_NOTES.text(language), lines=lines))
    blocks += [paper_table(table, language) for table in view.tables()]
    return Paper(
        kind=_KINDS.get(type(view), "page"),
        language=language,
        title=view.title.text(language),
        run_ids=view.run_ids,
        blocks=tuple(blocks),
    )
