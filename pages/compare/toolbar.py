"""What a reader chooses to see of a comparison: the span, a logarithmic axis, indexes, a table."""

from html import escape

import streamlit as st

from pages.ui import blocks, cite, state
from pages.ui.choosing import choose_one
from pages.ui.i18n import t
from services.views.compare.view import RANGES, CompareRequest, CompareView


def asked(symbols: tuple[str, ...]) -> CompareRequest:
    """What the address asks for."""
    span = state.bind("span", "1y", valid=RANGES.__contains__)
    return CompareRequest(symbols, span, _on("indexes"))


def draw(view: CompareView) -> tuple[bool, bool]:
    """The line over the chart; whether the axis is logarithmic and the table is wanted."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="yjc_tool"):
        day = cite.day(view.first) if view.first else ""
        blocks.draw(
            f'<div class="yjc-h yjp-h"><h2>{cite.tag("label", t("compare_chart"))}</h2>'
            f"<small>{day} · {escape(t('compare_legend'))}</small></div>"
        )
        choose_one(t("range"), tuple(RANGES), lambda one: t(f"range_{one}"), "w_span")
        log = _toggle("log", "chart_log")
        _toggle("indexes", "compare_indexes")
        return log, _toggle("bars", "chart_table")


def _on(name: str) -> bool:
    """Whether it is switched on, by the address or the switch itself, before that is drawn."""
    return state.bind(name, "0", valid={"0", "1"}.__contains__, widget=False) == "1"


def _toggle(name: str, key: str) -> bool:
    return st.toggle(
        t(key), value=_on(name), key=f"w_compare_{name}", on_change=_keep, args=(name,)
    )


def _keep(name: str) -> None:
    state.keep(name, "1" if st.session_state[f"w_compare_{name}"] else "0", "0")
