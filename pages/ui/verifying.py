"""The button 核验 of a page: every figure of its runs worked out again, and what came of it."""

from collections.abc import Iterable

import streamlit as st

from pages.ui import blocks, cite, resources, state
from pages.ui.i18n import t
from services.core.verifier import Failure
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
    failures = _failures(asked.split())
    key, count = ("company_unverified", len(failures)) if failures else (
        "company_verified", len(view.claims),
    )  # fmt: skip
    said = cite.tag("provenance", t(key, count=f"{count:,}"))
    style = "yjc-bad" if failures else "yjc-ok"
    blocks.draw(f'<p class="yjc-verdict {style}" role="status">{said}</p>')


def check_figure() -> None:
    """Check the figure of the drawer again, with all of the runs it is of: it stands on others."""
    mine, claim = state.session(), st.session_state["yj_drawer"].get("recheck")
    if not isinstance(claim, str):
        return
    failed = _failures(mine.runs)
    now = f"{resources.services().real.now():%Y-%m-%d %H:%M}"
    said = t("rechecked_not", count=f"{len(failed):,}") if failed else t("rechecked", at=now)
    mine.checked = (claim, not failed, said)


def _failures(run_ids: Iterable[str]) -> list[Failure]:
    desk = resources.desk()
    return [one for run in run_ids for one in desk.reverify(run).failures]


def _ask_again(run_ids: tuple[str, ...]) -> None:
    state.session().remembered["verified"] = " ".join(run_ids)
