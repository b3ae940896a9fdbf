"""Reports that are written by schedule: which there are, one more, one less."""

from html import escape

import streamlit as st

from pages.ui import blocks, cite, errors, outside, resources, state
from pages.ui.i18n import say, t
from services.views.scheduled import EVERY, Every, ListedSchedule


def control(company: str) -> None:
    """The menu; `company` is who is looked at, offered first."""
    kept = resources.desk().schedules()
    label = f"{t('schedule_title')} · {len(kept)}" if kept else t("schedule_title")
    with st.popover(outside.escape_label(label), icon=":material/schedule:"):
        st.caption(outside.escape_label(t("schedule_help")))
        for one in kept:
            with st.container(horizontal=True, vertical_alignment="center"):
                blocks.draw(_line(one))
                st.button(
                    t("schedule_remove"),
                    key=f"w_schedule_{one.schedule_id}",
                    type="tertiary",
                    on_click=errors.clicked(resources.desk().unschedule),
                    args=(one.schedule_id,),
                )
        words = {one: t(f"schedule_{one}") for one in EVERY}
        with st.form("w_schedule", border=False):
            st.text_input(
                t("report_company"),
                value=company,
                placeholder=t("report_company_hint"),
                key=f"w_schedule_company_{company}",
            )
            st.selectbox(
                t("schedule_every"),
                EVERY,
                format_func=words.__getitem__,
                key="w_schedule_every",
            )
            st.form_submit_button(
                t("schedule_add"),
                key="w_schedule_add",
                on_click=errors.clicked(_add),
                args=(f"w_schedule_company_{company}",),
            )


def _add(key: str) -> None:
    every: Every = "weekly" if st.session_state.get("w_schedule_every") == "weekly" else "daily"
    said = str(st.session_state.get(key) or "")
    resources.desk().schedule(said, every, state.language())


def _line(one: ListedSchedule) -> str:
    told = (
        f"{cite.tag('label', say(one.name))} <small>{cite.tag('code', one.symbol)}</small> "
        f"{escape(t(f'schedule_{one.every}'))}"
    )
    if one.problem is not None:
        why = cite.tag("text", say(one.problem))
        return f'<p class="yj-small">{told}<br>{escape(t("schedule_failed"))} {why}</p>'
    if one.job_id is None or one.done_for is None:
        return f'<p class="yj-small">{told}<br>{escape(t("schedule_first"))}</p>'
    href = escape(state.link("reports", job=one.job_id))
    return (
        f'<p class="yj-small">{told}<br><a href="{href}" data-go="reports" target="_self">'
        f"{escape(t('schedule_last'))}</a> {cite.day(one.done_for)}</p>"
    )
