"""Deep analyses in a list, and the form to have one written."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from pages.evidence import preview, scheduled
from pages.evidence import report_view as analysis
from pages.evidence import saved_reports as shelf
from pages.ui import blocks, cite, errors, resources, state
from pages.ui.i18n import say, t
from pages.ui.pending_actions import WantedReport
from services.views.analysis_view import ListedReport

_LONGEST = 500
_EVERY = 2.0
_TONES = {"ok": "good", "running": "", "refused": "warn", "failed": "bad"}


def opened() -> bool:
    """Draw the report the address names; False when it names none, or one that is not there."""
    job = state.stated("job")
    shown = False
    if job:
        with errors.frame("reports"):
            analysis.show(job)
            shown = True
    return shown


def home() -> None:
    """What this is, the form, and every report."""
    href = escape(state.link("score"))
    blocks.draw(
        blocks.title(t("page_reports")),
        f'<p class="yj-lead">{escape(t("report_lead"))}</p>'
        f'<p><a href="{href}" data-go="score" target="_self">{escape(t("score_many"))} →</a></p>',
    )
    _form()
    scheduled.control(state.stated("symbol") or state.session().remembered.get("symbol", ""))
    listed = resources.desk().reports()
    chosen = state.stated("symbol")
    _filter(listed, chosen)
    running = any(one.status == "running" for one in listed)
    st.fragment(_list, run_every=_EVERY if running else None)(chosen, polled=running)
    picked = shelf.manage([one for one in listed if chosen in {"", one.subject}])
    if len(picked) == 1:
        preview.draw(picked[0])


def _form() -> None:
    company = state.stated("symbol") or state.session().remembered.get("symbol", "")
    with (
        st.form("w_report", border=True),
        st.container(
            horizontal=True, vertical_alignment="bottom", gap="small", key="yj_report_box"
        ),
    ):
        st.text_input(
            t("report_company"),
            value=company,
            placeholder=t("report_company_hint"),
            key=f"w_report_company_{company}",
            width=220,
        )
        st.text_input(
            t("report_question"),
            placeholder=t("report_question_hint"),
            key="w_report_question",
            max_chars=_LONGEST,
        )
        st.form_submit_button(
            t("report_start"),
            key="w_report_start",
            type="primary",
            icon=":material/lab_profile:",
            on_click=_take_typed,
            args=(f"w_report_company_{company}",),
        )
        st.form_submit_button(t("report_start_market"), key="w_report_market", on_click=_take_typed)


def _take_typed(company: str | None = None) -> None:
    question = str(st.session_state.get("w_report_question") or "")
    said = None if company is None else str(st.session_state.get(company) or "")
    state.session().report = WantedReport(said, question)


def _filter(listed: Sequence[ListedReport], chosen: str) -> None:
    """Links to the reports of one company; nothing where there is nothing to choose from."""
    subjects = {one.subject: one.name for one in listed}
    if len(subjects) < 2 and not chosen:
        return
    ways = [_only("", escape(t("report_all")), here=not chosen)]
    ways += [
        _only(subject, cite.tag("label", say(name)), here=subject == chosen)
        for subject, name in subjects.items()
    ]
    blocks.draw(
        f'<p class="yj-only"><span class="yj-mute">{escape(t("report_only"))}</span> '
        f"{' '.join(ways)}</p>"
    )


def _only(subject: str, inner: str, *, here: bool) -> str:
    params = {"symbol": subject} if subject else {}
    href = escape(state.link("reports", **params))
    current = ' aria-current="true"' if here else ""
    return f'<a class="yj-chip" href="{href}" data-go="reports" target="_self"{current}>{inner}</a>'


def _list(chosen: str, *, polled: bool) -> None:
    """The list, framed: an error in a fragment does not reach the frame of the page."""
    with errors.frame("reports"):
        _draw_list(chosen, polled=polled)


def _draw_list(chosen: str, *, polled: bool) -> None:
    listed = resources.desk().reports(chosen)
    if polled and not any(one.status == "running" for one in listed) and not chosen:
        st.rerun()
    items = "".join(map(_item, listed))
    empty = escape(t("report_none_of" if chosen else "report_none"))
    blocks.draw(
        f'<ol class="yj-reports">{items}</ol>' if items else f'<p class="yj-mute">{empty}</p>'
    )


def _item(one: ListedReport) -> str:
    page = "score" if one.kind == "score" else "reports"
    href = escape(state.link(page, job=one.job_id))
    code = f" <small>{cite.tag('code', one.symbol)}</small>" if one.symbol else ""
    # A score's title says what it is.
    asked = "" if one.kind == "score" else escape(t("report_no_question"))
    asked = cite.tag("user", one.question) if one.question else asked
    told = f"<p>{asked}</p>" if asked else ""
    score = ""
    if one.confidence is not None:
        score = f"{escape(t('report_confidence'))} {cite.tag('rule', one.confidence)}"
    writer = cite.tag("label", say(one.writer)) if one.writer else ""
    status = blocks.chip(t(f"status_{one.status}"), _TONES.get(one.status, ""))
    return (
        f'<li><div><a href="{href}" data-go="{page}" target="_self">'
        f"{cite.tag('label', say(one.title))}</a>{code}{told}</div>"
        f'<span class="yj-meta">{status} <span>{score}</span> <span>{writer}</span> '
        f"{cite.day(one.started_at.isoformat())}</span></li>"
    )
