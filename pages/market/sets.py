"""What the screener's ranges do not say: sets of companies asked for or left out, conditions joined
by 或; in the menu of conditions.
"""

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.market import filters
from pages.ui import errors, outside, resources
from pages.ui.i18n import say, t
from services.core.boards import BOARDS
from services.views.screen import join_either
from services.views.screen_chips import ChosenSets
from services.views.view import ScreenView

# Parts of a market that a reader may pick: those with companies of a screen.
_BOARDS = ("main", "sme", "chinext", "star", "bse", "st")


def pick(given: Mapping[str, str]) -> None:
    """Industries, boards, companies and lists: any of them, or none of them."""
    market = given.get("category", "CN")
    with st.form("w_sets", border=False, clear_on_submit=True):
        st.segmented_control(
            t("sets_way"),
            ("out", "any"),
            default="out",
            required=True,
            format_func=lambda one: t(f"sets_{one}"),
            key="w_sets_way",
            label_visibility="collapsed",
        )
        st.multiselect(
            t("industry"),
            resources.industries(market),
            format_func=outside.say_industry,
            placeholder=t("sets_choose"),
            key="w_sets_industries",
        )
        if boards := [key for key in _BOARDS if BOARDS[key].market == market]:
            st.multiselect(
                t("sets_boards"),
                boards,
                format_func=lambda key: say(BOARDS[key].label),
                placeholder=t("sets_choose"),
                key="w_sets_boards",
            )
        st.text_input(t("sets_companies"), placeholder=t("sets_names"), key="w_sets_companies")
        if lists := resources.services().watchlists.names():
            st.selectbox(
                t("sets_list"),
                ("", *lists),
                format_func=lambda name: name or t("sets_no_list"),
                key="w_sets_list",
            )
        st.form_submit_button(
            t("sets_add"), type="primary", on_click=errors.clicked(_add), args=(dict(given),)
        )


def join(view: ScreenView, place: DeltaGenerator) -> None:
    """Two conditions or more as one of which at least one must hold."""
    names = {chip.key: say(chip.words) for chip in view.chips}
    with place:
        if len(names) < 2:
            st.html(f'<p class="yj-mute">{t("either_two")}</p>')
            return
        with st.form("w_either", border=False, clear_on_submit=True):
            st.pills(
                t("either_which"),
                list(names),
                selection_mode="multi",
                format_func=lambda key: outside.escape_label(names[key]),
                key="w_either_keys",
            )
            st.form_submit_button(
                t("either_join"),
                type="primary",
                on_click=errors.clicked(_join),
                args=(dict(view.arguments),),
            )


def _add(given: Mapping[str, str]) -> None:
    held = st.session_state
    chosen = ChosenSets(
        left_out=held["w_sets_way"] != "any",
        industries=tuple(held["w_sets_industries"]),
        boards=tuple(held.get("w_sets_boards") or ()),
        companies=held["w_sets_companies"].strip(),
        watchlist=held.get("w_sets_list") or "",
    )
    filters.put(resources.desk().add_to_screen(given, chosen))


def _join(given: Mapping[str, str]) -> None:
    keys = tuple(st.session_state["w_either_keys"])
    filters.put(join_either(given, keys))
