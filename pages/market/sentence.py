"""The screener's sentence: it fills the conditions, and what it read is told beside them."""

from collections.abc import Mapping

import streamlit as st

from pages.market import filters
from pages.ui import blocks, cite, errors, resources, state
from pages.ui.i18n import say, t


def box() -> None:
    """The field."""
    st.text_input(
        t("screen_sentence"),
        key="w_sentence",
        placeholder=t("screen_sentence"),
        icon=":material/auto_awesome:",
        label_visibility="collapsed",
        on_change=errors.clicked(_read),
    )


def told(given: Mapping[str, str]) -> None:
    """How it was read and what of it no condition holds, until the conditions are other ones."""
    mine, now = state.session(), repr(sorted(given.items()))
    if (read := mine.screen_read) is None:
        return
    mine.screen_read_as = mine.screen_read_as or now
    if mine.screen_read_as != now:
        mine.screen_read = None
        return
    if read.arguments:
        line = t("said_read", told=say(read.told))
        left = [say(one) for one in read.left]
        more = t("said_left", left=t("said_comma").join(left)) if left else ""
    else:
        line, more = t("said_not", why=say(read.why)), ""
    with st.container(horizontal=True, vertical_alignment="center", key="yj_said", gap="small"):
        warn = f' <span class="yj-warn">{cite.tag("user", more)}</span>' if more else ""
        blocks.draw(f'<p class="yj-mute" role="status">{cite.tag("user", line)}{warn}</p>')
        if more or not read.arguments:
            st.button(
                t("said_ask"), key="w_said_ask", type="tertiary", on_click=_ask, args=(read.text,)
            )


def _read() -> None:
    mine, text = state.session(), st.session_state["w_sentence"].strip()
    mine.screen_read, mine.screen_read_as = None, ""
    if not text:
        return
    read = resources.desk().read_screen(text, st.session_state["w_category"], state.language())
    if read.arguments:
        filters.put(read.arguments)
    mine.screen_read = read


def _ask(text: str) -> None:
    state.session().goto = ("ask", {"q": text})
