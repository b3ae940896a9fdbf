"""The button 深入分析: have a report written, from any page, and how the click becomes one."""

from typing import Literal

import streamlit as st

from pages.ui import resources, state
from pages.ui.i18n import t
from pages.ui.pending_actions import WantedReport


def draw(
    company: str,
    question: str = "",
    *,
    key: str,
    kind: Literal["primary", "secondary", "tertiary"] = "secondary",
) -> None:
    """Have a report written about that company, from any page; the page 报告 shows it."""
    st.button(
        t("report_start"),
        key=key,
        icon=":material/lab_profile:",
        type=kind,
        help=t("report_start_help"),
        on_click=_elsewhere,
        args=(WantedReport(company, question),),
    )


def draw_beside(symbol: str) -> None:
    """The same beside a company's heading; an index has no reports to analyse."""
    row = resources.services().names.row(symbol)
    if row is None or row.kind != "index":
        draw(symbol, key="w_analyse", kind="primary")


def _elsewhere(wanted: WantedReport) -> None:
    state.session().report = wanted
    state.session().goto = ("reports", {})


def carry_out() -> None:
    """Begin what was asked for with a click, and look at it. Raises: InputError, ConfigError."""
    mine = state.session()
    wanted, mine.report = mine.report, None
    if wanted is None:
        return
    desk = resources.desk()
    if wanted.again:
        job = desk.analyse_again(wanted.again, mine.session_id, by_rule=wanted.by_rule)
    else:
        job = desk.analyse(
            wanted.company,
            mine.session_id,
            question=wanted.question,
            language=state.language(),
            by_rule=wanted.by_rule,
        )
    st.query_params["job"] = job
