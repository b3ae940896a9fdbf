"""A company looked up by code, name or pinyin in a menu, and chosen with a click."""

from collections.abc import Callable, Collection

import streamlit as st

from pages.ui import outside, resources
from pages.ui.i18n import say

_SHOWN = 6


def find_one(
    label: str, hint: str, key: str, without: Collection[str], choose: Callable[[str], None]
) -> None:
    """The menu; `choose` is called with the symbol. Those of `without` are not offered."""
    with st.popover(outside.escape_label(label), icon=":material/add:"):
        text = st.text_input(
            outside.escape_label(hint), key=key, placeholder=hint, label_visibility="collapsed"
        )
        for one in resources.desk().find(text.strip(), _SHOWN) if text and text.strip() else ():
            if one.symbol not in without:
                st.button(
                    outside.escape_label(f"{say(one.name)} {one.symbol}"),
                    key=f"{key}_{one.symbol}",
                    type="tertiary",
                    on_click=_take_chosen,
                    args=(key, choose, one.symbol),
                )


def _take_chosen(key: str, choose: Callable[[str], None], symbol: str) -> None:
    st.session_state[key] = ""
    choose(symbol)
