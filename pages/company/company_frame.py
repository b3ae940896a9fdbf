"""What the company page adds to the frame: its styles, and the runtime of its charts."""

from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2 import component

from pages.ui import state
from pages.ui.i18n import t

_HERE = Path(__file__).parent
_HOVER = ("open", "high", "low", "close", "volume", "source")
_TEXTS = tuple(f"hover_{one}" for one in _HOVER)


def begin() -> None:
    """Send the styles and mount the runtime; call it before the page draws anything."""
    send_styles()
    runtime = component("youju_charts", js=_file("chart.js"), isolate_styles=False)
    with st.container(key="yj_chart_runtime"):
        runtime(
            key="yj_charts",
            data={"texts": {key: t(key) for key in _TEXTS}, "language": state.language()},
        )


def send_styles() -> None:
    """Those of the company page, which the comparison shares."""
    st.html(f"<style>{_file('company.css')}</style>")


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
