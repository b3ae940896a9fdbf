"""问答: a question in plain words, what was understood, the cited answer, and the way on."""

import streamlit as st

from pages.ask import answers, conversations
from pages.ask import questions as asks
from pages.ui import cite, errors, frame, resources

conversation = asks.settle()
asks.closed()
thread, waiting, end = st.container(), st.container(), st.container()
with thread, errors.frame("ask"):
    view = resources.desk().conversation(conversation)
    asks.opened(view)
    conversations.heading(view)
    answers.thread(view)
    if not view.turns and not asks.is_waiting():
        conversations.welcome()
    if view.claims:
        cite.stand_on(view)
        with end:
            frame.foot(view)
with waiting:
    asks.carry_out()
asks.box()
