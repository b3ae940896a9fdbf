"""An address that is no page: told at that address, with ways on, where Streamlit would put its own
dialog over the first page.
"""

from collections.abc import Callable, Mapping
from html import escape
from urllib.parse import unquote, urlsplit

import streamlit as st
from streamlit.navigation.page import Page

from pages.ui import blocks, cite, resources, state
from pages.ui.i18n import say, t
from pages.ui.nothing import nothing, way

_WAYS = ("overview", "screen", "company", "ask")
_LONGEST, _MOST = 60, 3


def unknown_address(pages: Mapping[str, Page]) -> Mapping[str, Page]:
    """A hidden page under the last part of the address asked for, where none of these has it; and
    under the one before, which the browser may go back to.
    """
    mine = state.session()
    asked = unquote(urlsplit(st.context.url or "").path).rpartition("/")[2].strip()
    if asked and asked not in {one.url_path for one in pages.values()}:
        mine.unknown = asked
    if not mine.unknown:
        return {}
    page = st.Page(
        _told(mine.unknown), title=t("unknown"), url_path=mine.unknown, visibility="hidden"
    )
    return {mine.unknown: page}


def _told(asked: str) -> Callable[[], None]:
    def tell() -> None:
        said = asked[:_LONGEST]
        found = resources.desk().find(said, _MOST)
        companies = [
            f"{blocks.stock_link(one.symbol, cite.tag('label', say(one.name)), 'company')}"
            f" {cite.tag('code', one.symbol)}"
            for one in found
        ]
        ways = [way(page, t(f"page_{page}")) for page in _WAYS]
        told = cite.tag("user", f"/{said}")
        why = escape(t("unknown_why"))
        blocks.draw(blocks.title(t("unknown")), nothing(told, [*companies, *ways], why))

    return tell
