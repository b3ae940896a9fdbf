"""A question whose server died before it was answered: the tab kept it, and tells this session."""

import streamlit as st

from pages.ui import state
from pages.ui.pending_actions import Lost

_LONGEST = 500


def of_session() -> dict[str, object]:
    """By what the tab knows this session, and whether a question it sent was carried out."""
    mine = state.session()
    return {
        "session": mine.session_id,
        "heard": mine.asks.count,
        "waiting": mine.asks.wanted is not None,
    }


def take() -> None:
    """Keep what the tab tells of; the page of questions decides what becomes of it."""
    found = st.session_state["yj_drawer"].get("lost")
    if not isinstance(found, dict):
        return
    text, turns = str(found.get("text") or "").strip(), found.get("turns")
    if text and isinstance(turns, int | float):
        state.session().asks.lost = Lost(
            text[:_LONGEST], str(found.get("c") or ""), int(turns), bool(found.get("died"))
        )
