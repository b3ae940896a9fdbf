"""问答: a question in plain words, what was understood, the cited answer, and the way on."""

from functools import cache
from pathlib import Path

import streamlit as st

from pages.ask import answers, conversations
from pages.ask import questions as asks
from pages.ui import cite, errors, frame, resources


@cache
def styles() -> str:
    """What this page alone looks like."""
    return (Path(__file__).parent / "ask.css").read_text(encoding="utf-8")


st.html(f"<style>{styles()}</style>")
conversation = asks.settle()
asks.closed()
with st.container(horizontal=True, gap="medium"):
    side, main = st.container(key="yj_ask_side"), st.container(key="yj_ask_main")
with main:
    thread, waiting, end = st.container(), st.container(), st.container()
with thread, errors.frame("ask"):
    with side:
        conversations.side(conversation)
    view = resources.desk().conversation(conversation)
    asks.opened(view)
    asks.resume(view)
    conversations.heading(view)
    answers.thread(view)
    if not view.turns and not asks.is_waiting():
        conversations.welcome()
    with end:
        conversations.whole(view)
        if view.claims:
            cite.stand_on(view)
            frame.foot(view)
with waiting:
    asks.carry_out()
asks.box()
