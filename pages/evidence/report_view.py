"""One deep analysis: its course while it runs, its report when it has ended, or why there is none.

Every figure of a report is drawn from its template; what others wrote is escaped.
"""

from base64 import b64encode
from collections.abc import Sequence
from functools import partial
from html import escape

import streamlit as st

from pages.evidence import saved_reports as shelf
from pages.ui import blocks, cite, frame, outside, resources, state
from pages.ui import job_progress as course
from pages.ui.i18n import say, t
from pages.ui.pending_actions import WantedReport
from services.core.claims import ToolCite
from services.views.analysis_view import Analysis, AnalysisText, AnalysisView
from services.views.analysis_words import OPINIONS
from services.views.report_charts import ReportChart, chart_svg
from services.views.table import Table

_EVERY = 0.7
_EXPLAINED = frozenset({"cancelled", "interrupted"})


def show(job: str) -> None:
    """The analysis of that id, as it stands. Raises: InputError."""
    found = resources.desk().analysis(job)
    if found.view is not None:
        cite.stand_on(found.view)
    _heading(found)
    if found.view is not None:
        shelf.rechecked(found.job_id, found.view)
    if found.running:
        # Polled only while it runs; the run after the last poll draws the report.
        st.fragment(_progress, run_every=_EVERY)(job)
    elif found.view is None:
        title, why = t(f"ended_{found.status}"), f"because_{found.status}"
        course.without(found, title, t(why) if found.status in _EXPLAINED else "")
    elif found.view.summary is None:
        _draw_refused(found, found.view)
    else:
        _report(found, found.view)


def _heading(found: Analysis) -> None:
    back = escape(state.link("reports"))
    blocks.draw(
        f'<p class="yj-back-to"><a href="{back}" data-go="reports" target="_self">'
        f"← {escape(t('report_all'))}</a></p>"
    )
    left, right = st.columns([1, 0.42], vertical_alignment="center", gap="small")
    with left:
        code = f"<small>{cite.tag('code', found.symbol)}</small>" if found.symbol else ""
        blocks.draw(
            f'<div class="yj-quote"><h1>{cite.tag("label", say(found.title))}{code}</h1></div>'
            f'<p class="yj-about">{_about(found)}</p>'
        )
    if found.running:
        return
    with right.container(horizontal=True, horizontal_alignment="right", gap="small"):
        _again(found, primary=found.view is None)
        if found.view is not None:
            frame.exports(found.view, width="content")
        shelf.actions(found.job_id, found.view)


def _about(found: Analysis) -> str:
    asked = cite.tag("user", found.question) if found.question else escape(t("report_no_question"))
    parts = [asked, f"{escape(t('made_on'))} {cite.day(found.started_at.isoformat())}"]
    if found.symbol:
        parts.append(blocks.stock_link(found.symbol, escape(t("to_stock")) + " →"))
    if found.view is not None:
        href = escape(state.link("trace", run=found.view.run_ids[0]))
        trace = escape(t("report_trace")) + " →"
        parts.append(f'<a href="{href}" data-go="trace" target="_self">{trace}</a>')
    return " · ".join(parts)


def _again(found: Analysis, *, primary: bool = False) -> None:
    st.button(
        t("report_again"),
        key="w_report_again",
        icon=":material/refresh:",
        type="primary" if primary else "secondary",
        on_click=_want,
        args=(WantedReport(again=found.job_id),),
    )


def _want(wanted: WantedReport) -> None:
    state.session().report = wanted


def _progress(job: str) -> None:
    now = resources.desk().analysis(job)
    if not now.running:
        st.rerun()
    cancel = partial(resources.desk().cancel_analysis, job)
    course.progress(now, t("report_under_way"), cancel, key="w_report_cancel")


def _draw_refused(found: Analysis, view: AnalysisView) -> None:
    """The text is not shown; what failed is, what stands is, and one way on."""
    by_model = view.models is not None
    items = "".join(
        f"<li>{_rounds(one.rounds) if by_model else ''}"
        f"{cite.prose(say(one.reason), view.claims)}</li>"
        for one in view.refusals
    )
    why = escape(t("report_refused_why" if by_model else "report_refused_why_rule"))
    after = escape(say(view.next_step)) if view.next_step else ""
    blocks.draw(
        f'<section class="yj-errorcard" role="alert"><h2>{escape(t("report_refused"))}</h2>'
        f'<p>{why}</p><ul class="yj-refusals">{items}</ul>'
        f"<dl><dt>{escape(t('report_next'))}</dt><dd>{after}</dd></dl></section>"
    )
    st.button(
        t("report_by_rule"),
        key="w_report_by_rule",
        type="primary",
        icon=":material/rule:",
        on_click=_want,
        args=(WantedReport(again=found.job_id, by_rule=True),),
    )
    blocks.draw(
        blocks.heading(t("report_figures_stand")),
        blocks.table(view.figures, view.claims, tall=True),
    )
    _work(found, view)


def _rounds(numbers: Sequence[int]) -> str:
    said = (cite.tag("label", t("report_round", round=str(number))) for number in numbers)
    return "".join(f'<span class="yj-chip">{one}</span> ' for one in said)


def _report(found: Analysis, view: AnalysisView) -> None:
    text, beside = st.columns([2.3, 1], gap="large")
    with text:
        frame.standing()
        blocks.draw(*_sections(view))
    with beside:
        blocks.draw(_confidence(view), _facts(view))
    note = escape(t("report_evidence_note"))
    evidence = (
        blocks.table(view.evidence, view.claims, kind="provenance", anchor="marker")
        if view.evidence.rows
        else f'<p class="yj-mute">{escape(t("report_evidence_none"))}</p>'
    )
    blocks.draw(
        f'<div class="yj-evidence">{blocks.heading(t("report_evidence"), note)}{evidence}</div>'
    )
    if view.outside:
        blocks.draw(outside.quotes(view.outside))
    if view.figures.rows:
        blocks.draw(
            _fold_table(t("report_figures"), view, view.figures, kind="label"),
        )
    _work(found, view)


def _sections(view: AnalysisView) -> list[str]:
    assert view.summary is not None  # noqa: S101 — drawn as refused otherwise
    parts = [
        f'<div class="yj-report">{blocks.unseen(t("report_summary"))}'
        f'<p class="yj-summary">{_statement(view, view.summary)}</p>'
    ]
    for section in view.sections:
        items = "".join(f"<li>{_statement(view, one)}</li>" for one in section.statements)
        parts.append(f"{blocks.heading(say(section.name))}<ul>{items}</ul>")
        if section is view.sections[0]:
            parts += [_chart(view, one) for one in view.charts]
    if view.opinions:
        items = "".join(
            f"<li>{escape(say(one.section))}: {escape(one.text)}</li>" for one in view.opinions
        )
        parts.append(f'{blocks.heading(say(OPINIONS))}<ul class="yj-mute">{items}</ul>')
    return [*parts, "</div>"]


def _chart(view: AnalysisView, chart: ReportChart) -> str:
    """A picture of claims; who asks for one of its figures finds it in the table below."""
    drawn = b64encode(chart_svg(chart, view.claims, view.language).encode()).decode()
    first = view.claims[chart.claims[0]].cite
    wanted = first.tool_call_id if isinstance(first, ToolCite) else ""
    calls = (one for one in view.trace.tool_calls if one.tool_call_id == wanted)
    call = next(calls, None)
    source = (
        f'data-src="{escape(call.source)}" data-table="{escape(call.table)}" '
        f'data-tc="{call.tool_call_id}" '
        if call
        else ""
    )
    return (
        f'<figure class="yj-chart" id="chart-{chart.key}"><figcaption>'
        f"{cite.tag('label', chart.title)}</figcaption>"
        f'<img alt="{escape(chart.title)}" {source}src="data:image/svg+xml;base64,{drawn}">'
        "</figure>"
    )


def _statement(view: AnalysisView, one: AnalysisText) -> str:
    told = cite.prose(
        one.template, view.claims, language=view.language, labels=view.labels, quotes=view.quotes
    )
    marks = "".join(
        f'<a class="yj-e" href="#e-{escape(mark)}" data-nocite="label" '
        f'aria-label="{escape(t("report_jump", mark=mark))}">{escape(mark)}</a>'
        for mark in one.marks
    )
    return f"{told} {marks}" if marks else told


def _confidence(view: AnalysisView) -> str:
    score = view.confidence or ""
    less = "".join(
        f"<li><b>{cite.tag('rule', '−' + one.points)}</b> <span>{escape(say(one.rule))}"
        f"<small>{cite.tag('rule', say(one.reason))}</small></span></li>"
        for one in view.deductions
    )
    told = (
        f"<ul>{less}</ul>" if less else f'<p class="yj-mute">{escape(t("report_nothing_less"))}</p>'
    )
    return (
        f'<section class="yj-panel yj-confidence"><h3><span>{escape(t("report_confidence"))}</span>'
        f'</h3><div class="yj-dial" style="--yj-share: {score}%" data-nocite="rule">'
        f"<span>{score}</span></div>{told}</section>"
    )


def _facts(view: AnalysisView) -> str:
    rows = []
    if view.writer is not None:
        by = cite.tag("label", say(view.writer))
        why = f"<small>{cite.tag('provenance', say(view.why))}</small>" if view.why else ""
        rows.append((t("report_writer"), by + why))
    rows.append((t("report_day"), cite.day(view.as_of)))
    items = "".join(f"<dt>{escape(name)}</dt><dd>{inner}</dd>" for name, inner in rows)
    return f'<section class="yj-panel yj-facts"><dl>{items}</dl></section>'


def _work(found: Analysis, view: AnalysisView) -> None:
    """How it was made, folded; what a reader must know; the legend."""
    parts = [
        blocks.heading(t("report_work"), course.took(found)),
        _fold_table(t("report_tools"), view, view.tools, kind="provenance"),
    ]
    if view.models is not None:
        parts.append(_fold_table(t("report_models"), view, view.models, kind="provenance"))
    if view.notes:
        parts += [blocks.heading(t("report_notes")), blocks.notes(view.notes, view.claims)]
    blocks.draw(*parts)
    frame.foot(view)


def _fold_table(name: str, view: AnalysisView, table: Table, *, kind: str) -> str:
    count = cite.tag("provenance", f"({len(table.rows)})")
    return (
        f'<details class="yj-folded"><summary>{escape(name)} {count}</summary>'
        f"{blocks.table(table, view.claims, kind=kind)}</details>"
    )
