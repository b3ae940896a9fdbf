"""What a reader does with a company: watch it, put it beside others."""

from collections.abc import Sequence

import streamlit as st

from pages.compare import links
from pages.ui import outside, resources, state
from pages.ui.i18n import t
from services.views.compare.view import MOST


def see(symbol: str) -> None:
    """Its moves up to today are new in no list any more."""
    services = resources.services()
    services.watchlists.see(symbol, services.clock.now().date())


def watch(symbol: str) -> None:
    """Into the list or out of it; of several lists each is a box. Raises: InputError when full."""
    kept = resources.services().watchlists
    names, holding = kept.names(), kept.holding(symbol)
    label, icon = (
        (t("watch_on"), ":material/star:")
        if holding
        else (t("watch_off"), ":material/star_border:")
    )
    if len(names) < 2:
        if st.button(outside.escape_label(label), key="w_watch", icon=icon):
            _turn(next(iter(names), t("watch_default")), symbol, on=not holding)
        return
    with st.popover(outside.escape_label(label), icon=icon):
        for name in names:
            on = name in holding
            if st.checkbox(outside.escape_label(name), on, key=f"w_watch_{name}_{symbol}") != on:
                _turn(name, symbol, on=not on)


def _turn(name: str, symbol: str, *, on: bool) -> None:
    if on:
        resources.desk().watch(name, symbol)
    else:
        resources.services().watchlists.remove(name, symbol)
    st.rerun()


def compare(symbol: str) -> None:
    """Beside those chosen before; where it is already, the way to the comparison."""
    held = links.held()
    there = symbol in held or len(held) >= MOST
    label = t("compare_go", count=str(len(held))) if there else t("compare_put")
    st.button(
        outside.escape_label(label),
        key="w_compare",
        icon=":material/compare_arrows:" if there else ":material/add:",
        on_click=_go if there else _put,
        args=(held, symbol),
    )


def _put(held: Sequence[str], symbol: str) -> None:
    state.session().remembered["s"] = ",".join((*held, symbol))


def _go(held: Sequence[str], _symbol: str) -> None:
    state.session().goto = ("compare", {"s": ",".join(held)})
