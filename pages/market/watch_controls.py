"""What may be done with a watchlist: begin one, add a company, write a note, take one out."""

from collections.abc import Sequence

import streamlit as st

from pages.ui import errors, outside, resources, state
from pages.ui.finding import find_one
from pages.ui.i18n import say, t
from services.views.watch import WatchView

_WANTED = "watch_wanted"


def carry_out(name: str) -> None:
    """Add what was chosen by a click, to the list looked at. Raises: InputError when it is full."""
    wanted = state.session().remembered.pop(_WANTED, "")
    if wanted:
        resources.desk().watch(name or t("watch_default"), wanted)


def put_button(symbols: Sequence[str], key: str) -> None:
    """All of these into the list looked at last. Raises: InputError when it is full."""
    if st.button(t("pick_watch"), key=key, icon=":material/star_border:"):
        names = resources.services().watchlists.names()
        kept = state.session().remembered.get("list", "")
        name = kept if kept in names else next(iter(names), t("watch_default"))
        for symbol in symbols:
            resources.desk().watch(name, symbol)
        st.toast(outside.escape_label(t("pick_watched", name=name)))


def add(view: WatchView | None) -> None:
    """A company found by name or code, for the list."""
    held = [one.watched.symbol for one in view.entries] if view else []
    find_one(t("watch_add"), t("watch_find"), "w_watch_find", held, _want)


def begin() -> None:
    """A new list. Raises: InputError for a name that cannot be kept."""
    with (
        st.popover(t("watch_new"), icon=":material/playlist_add:"),
        st.form("w_watch_new", border=False, clear_on_submit=True),
    ):
        name = st.text_input(t("watch_new_name"), key="w_watch_name")
        if st.form_submit_button(t("save")) and name.strip():
            kept = resources.services().watchlists.begin(name)
            state.session().remembered["list"] = kept
            st.session_state.pop("w_list", None)
            st.rerun()


def edit(view: WatchView) -> None:
    """The note of a company, taking it out, and the end of the list."""
    kept = resources.services().watchlists
    names = {one.watched.symbol: one for one in view.entries}
    with st.popover(t("watch_edit"), icon=":material/edit:"):
        if names:
            symbol = st.selectbox(
                t("watch_edit_company"),
                list(names),
                format_func=lambda one: f"{say(names[one].name)} {one}",
                key="w_watch_which",
            )
            note = st.text_input(
                t("watch_note"),
                names[symbol].watched.note,
                key=f"w_watch_note_{view.list}_{symbol}",
            )
            with st.container(horizontal=True):
                if st.button(t("watch_save_note"), key="w_watch_save", type="primary"):
                    kept.write_note(view.list, symbol, note)
                    st.rerun()
                st.button(
                    t("watch_remove"),
                    key="w_watch_remove",
                    on_click=errors.clicked(kept.remove),
                    args=(view.list, symbol),
                )
        st.button(
            t("watch_end"),
            key="w_watch_end",
            type="tertiary",
            on_click=errors.clicked(_end),
            args=(view.list,),
        )


def _want(symbol: str) -> None:
    state.session().remembered[_WANTED] = symbol


def _end(name: str) -> None:
    resources.services().watchlists.end(name)
    state.session().remembered.pop("list", None)
    st.session_state.pop("w_list", None)
