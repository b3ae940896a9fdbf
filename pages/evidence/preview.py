"""The beginning of a report that is picked in the list: enough to know whether to open it."""

from html import escape

from pages.ui import blocks, cite, frame, resources, state
from pages.ui.i18n import say, t
from services.views.analysis_view import AnalysisView, ListedReport
from services.views.score_view import ScoreView
from services.views.table import View


def draw(one: ListedReport) -> None:
    """Its summary and first section, or the reason of a score; nothing for one without a text."""
    view = resources.desk().preview(one.job_id)
    told = _list_told(view)
    if view is None or not told:
        return
    cite.stand_on(view)
    page = "score" if one.kind == "score" else "reports"
    href = escape(state.link(page, job=one.job_id))
    title = cite.tag("label", say(one.title))
    link = f'<a href="{href}" data-go="{page}" target="_self">{escape(t("shelf_open"))} →</a>'
    blocks.draw(
        blocks.panel(title, link, f'<div class="yj-report">{_paragraphs(view, told)}</div>')
    )
    frame.foot(view)


def _list_told(view: View | None) -> list[str]:
    """The templates that are shown."""
    if isinstance(view, ScoreView):
        return [line for line in view.reason.splitlines() if line.strip()]
    if isinstance(view, AnalysisView) and view.summary is not None:
        first = view.sections[0].statements if view.sections else ()
        return [view.summary.template, *(statement.template for statement in first)]
    return []


def _paragraphs(view: View, told: list[str]) -> str:
    assert isinstance(view, ScoreView | AnalysisView)  # noqa: S101 — others have nothing told
    return "".join(
        "<p>"
        + cite.prose(
            line, view.claims, language=view.language, labels=view.labels, quotes=view.quotes
        )
        + "</p>"
        for line in told
    )
