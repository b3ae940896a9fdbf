"""The button 核验 of a page: every figure of its runs worked out again, and what came of it."""

import streamlit as st

from pages.ui import blocks, cite, resources, state
from pages.ui.i18n import t
from services.views.table import View


def button(view: View) -> None:
    """Asks for it; the verdict is drawn by the run that follows."""
    st.button(
        t("company_verify"),
        key="w_company_verify",
        icon=":material/fact_check:",
        on_click=_ask_again,
        args=(view.run_ids,),
    )


def verdict(view: View) -> None:
    """What came of it, asked for with a click; nothing otherwise."""
    asked = state.session().remembered.pop("verified", "")
    if not asked:
        return
    desk = resources.desk()
    failures = [one for run in asked.split() for one in desk.reverify(run).failures]
    key, count = ("company_unverified", len(failures)) if failures else (
        "company_verified", len(view.claims),
    )  # fmt: skip
    said = cite.tag("provenance", t(key, count=f"{count:,}"))
    style = "yjc-bad" if failures else "yjc-ok"
    blocks.draw(f'<p class="yjc-verdict {style}" role="status">{said}</p>')


def _ask_again(run_ids: tuple[str, ...]) -> None:
    state.session().remembered["verified"] = " ".join(run_ids)
