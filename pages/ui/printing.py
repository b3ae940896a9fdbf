"""The print view: the page as a paper, drawn over it when the address says `print`.

The page itself is drawn as ever and hidden, so that whatever can be exported can be printed.
"""

from html import escape
from typing import Literal

import streamlit as st

from pages.ui import blocks, state
from pages.ui.i18n import t
from services.core.text import Language
from services.exports.papers import paper_of
from services.exports.print_html import paper_body, print_styles
from services.views.table import View

PARAMETER = "print"
# What of the page is put out of sight while its paper is shown.
_ALONE = """
[data-testid=stSidebar], [data-testid=stHeader], [data-testid=stToolbar], [data-testid=stBottom],
[data-testid=stPopoverBody], [data-testid=stMainBlockContainer] > [data-testid=stVerticalBlock]
> *:not(:has(.yjp)):not(:has(.yjp-bar)) { display: none !important; }
"""


def button(view: View, mark: str, kind: Literal["secondary", "tertiary"] = "secondary") -> None:
    """Show the paper of this view; `mark` tells it from others on the page."""
    st.button(
        t("export_print"),
        key=f"w_print_{mark}",
        icon=":material/print:",
        on_click=_show,
        args=(mark,),
        type=kind,
        width="content" if kind == "tertiary" else "stretch",
    )
    if state.stated(PARAMETER) == mark:
        state.session().printed = view


def _show(mark: str) -> None:
    st.query_params[PARAMETER] = mark


def _hide() -> None:
    st.query_params.pop(PARAMETER, None)


def draw(language: Language) -> None:
    """The paper that was asked for, with a way back and a button that prints; else nothing."""
    view = state.session().printed
    if view is None:
        return
    paper = paper_of(view, language)
    bar()
    blocks.draw(f"<style>{_ALONE}{print_styles()}</style>")
    st.html(paper_body(paper, view.claims, view.trace))


def bar(pack: bytes = b"", name: str = "") -> None:
    """The way back to the screen, the button that prints, and the evidence pack of what is printed
    where there is one; none of them is on paper.
    """
    with st.container(horizontal=True, gap="small", key="yj_print"):
        st.button(f"← {t('print_back')}", key="w_print_back", on_click=_hide)
        st.html(
            '<div class="yj yjp-bar"><button type="button" class="yj-print">'
            f"{escape(t('print_now'))}</button></div>",
            width="content",
        )
        if pack:
            st.download_button(
                t("export_pack"),
                pack,
                file_name=name,
                mime="application/zip",
                icon=":material/folder_zip:",
                key="w_print_pack",
            )
