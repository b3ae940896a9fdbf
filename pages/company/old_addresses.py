"""What a reader may have kept as an address before there was one page for a company."""

from collections.abc import Callable, Mapping

import streamlit as st
from streamlit.navigation.page import Page

from pages.ui.i18n import t

# The page it was, and the section it leads to.
_TABS = {"stock": "", "financials": "fin"}


def old_addresses(company: Page) -> Mapping[str, Page]:
    """A hidden page for each, that goes to the page of the company with the same choices."""
    return {
        path: st.Page(
            _lead_to(company, tab), title=t("page_company"), url_path=path, visibility="hidden"
        )
        for path, tab in _TABS.items()
    }


def _lead_to(company: Page, tab: str) -> Callable[[], None]:
    def go() -> None:
        kept = st.query_params.to_dict()
        st.switch_page(company, query_params={**kept, **({"tab": tab} if tab else {})})

    return go
