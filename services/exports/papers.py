"""Every page and answer as a paper: which kind of view becomes which, in one table."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from services.core.text import Language, Text
from services.exports.analysis_paper import analysis_paper
from services.exports.ask_paper import conversation_paper, turn_paper
from services.exports.paper import Block, Bullets, Paper, PaperKind
from services.exports.paper_lines import make_note
from services.exports.score_paper import score_paper
from services.exports.table_paper import paper_table
from services.views.analysis_view import AnalysisView
from services.views.ask_view import ConversationView, TurnView
from services.views.company.joined import JoinedView
from services.views.company.view import CompanyView
from services.views.score_view import BatchView, ScorePage, ScoreView, VetoView
from services.views.table import Table, View
from services.views.view import (
    FinancialsView,
    OverviewView,
    ScreenView,
    SourcesView,
    StockView,
    TraceView,
)

_NOTES = Text("数据说明", "About these data")
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
    CompanyView: "stock",
    JoinedView: "stock",
    FinancialsView: "financials",
    BatchView: "batch",
    TraceView: "trace",
    SourcesView: "sources",
}


def paper_of(view: View, language: Language) -> Paper:
    """What the page shows, as it is given away. A stored report keeps the language of its text."""
    found = _PAPERS.get(type(view))
    return found(view, language) if found else _page(view, language)


def _complete_tables(view: View) -> tuple[Table, ...]:
    """The tables; that of a screen says which of the matching rows it has."""
    if not isinstance(view, ScreenView):
        return view.tables()
    title, extent = view.table.title, view.extent
    told = Text(f"{title.zh}（{extent.zh}）", f"{title.en} ({extent.en})")
    named = replace(view.table, title=told)
    return tuple(named if table is view.table else table for table in view.tables())


def _page(view: View, language: Language) -> Paper:
    blocks: list[Block] = []
    if view.notes:
        lines = tuple(make_note(note.in_language(language)) for note in view.notes)
        blocks.append(Bullets(title=_NOTES.in_language(language), lines=lines))
    blocks += [paper_table(table, language, view.claims) for table in _complete_tables(view)]
    return Paper(
        kind=_KINDS.get(type(view), "page"),
        language=language,
        title=view.title.in_language(language),
        run_ids=view.run_ids,
        blocks=tuple(blocks),
    )
