"""What a reader may have kept as an address: of the first page, and of those before there was one
page for a company.
"""

from collections.abc import Callable, Mapping

import streamlit as st
from streamlit.navigation.page import Page

from pages.ui.i18n import t

# The page each leads to now, and its section.
_NOW = {"overview": ("overview", ""), "stock": ("company", ""), "financials": ("company", "fin")}


def old_addresses(pages: Mapping[str, Page]) -> dict[str, Page]:
    """A hidden page for each, that goes to the page it is now with the same choices."""
    return {
        path: st.Page(
            _lead_to(pages[now], tab), title=t(f"page_{now}"), url_path=path, visibility="hidden"
        )
        for path, (now, tab) in _NOW.items()
    }


def _lead_to(page: Page, tab: str) -> Callable[[], None]:
    def go() -> None:
        kept = st.query_params.to_dict()
        st.switch_page(page, query_params={**kept, **({"tab": tab} if tab else {})})

    return go
