"""报告: what was written and scored of the company; a new one, to open, to compare."""

from html import escape

import streamlit as st

from pages.evidence import deep_analysis_button
from pages.ui import blocks, cite, resources, state
from pages.ui.i18n import say, t
from services.views.analysis_view import ListedReport


def draw(symbol: str) -> None:
    """The list, newest first, and the button that has one written."""
    listed = resources.desk().reports(symbol)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="yjc_tool"):
        deep_analysis_button.draw_beside(symbol)
    if not listed:
        blocks.draw(f'<p class="yj-mute">{escape(t("report_none_of"))}</p>')
        return
    rows = "".join(map(_row, listed))
    heads = (t("reports_day"), t("reports_what"), t("reports_who"), t("reports_state"))
    head = "".join(f'<th scope="col">{escape(one)}</th>' for one in heads)
    href = escape(state.link("reports", symbol=symbol))
    blocks.draw(
        blocks.framed(t("tab_reports"), f"<tr>{head}</tr>", rows, key="reports", style="yjc-flat"),
        f'<p class="yjc-note"><a href="{href}" data-go="reports" target="_self">'
        f"{escape(t('reports_compare'))} →</a></p>",
    )


def _row(one: ListedReport) -> str:
    page = "score" if one.kind == "score" else "reports"
    href = escape(state.link(page, job=one.job_id))
    kind = t("reports_score") if one.kind == "score" else t("reports_analysis")
    writer = cite.tag("label", say(one.writer)) if one.writer else ""
    return (
        f'<tr><th scope="row">{cite.day(one.started_at.isoformat())}</th>'
        f'<td><a href="{href}" data-go="{page}" target="_self">{cite.tag("label", say(one.title))}'
        f"</a> {blocks.chip(kind)}</td><td>{writer}</td>"
        f"<td>{blocks.chip(t(f'status_{one.status}'))}</td></tr>"
    )
