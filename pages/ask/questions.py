"""How a question gets asked: from the box, a chip, a link or a changed plan, and once for a click.

A click only writes down what is wanted; the page carries it out at its place in the thread, where
it can show that it is under way, and then draws itself anew from what was stored.
"""

from contextlib import nullcontext

import streamlit as st

from pages.ui import blocks, cite, errors, resources, state
from pages.ui.i18n import t
from pages.ui.pending_actions import Asks, PendingAction
from services.views.ask_view import ConversationView, Edits

_LONGEST = 500
_BOX = "w_question"


def settle() -> str:
    """Decide which conversation is looked at, and take a question that the address brings.

    The question leaves the address at once; the same link followed again opens what it became.
    """
    conversation = state.bind("c", widget=False)
    asked = state.stated("q").strip()
    if "q" in st.query_params:
        del st.query_params["q"]
    mine = _mine()
    if not asked:
        return conversation
    if asked in mine.linked:
        return state.keep("c", mine.linked[asked])
    want(f"link:{conversation}:{asked}", asked)
    return conversation


def opened(view: ConversationView) -> None:
    """Remember what is on the screen: clicks are told apart by it."""
    mine = _mine()
    mine.opened, mine.turns = view.conversation, len(view.turns)


def resume(view: ConversationView) -> None:
    """Ask again what a session that is no more left unanswered in the conversation on the screen.

    A turn it had begun says itself that it has no answer: it is carried out again only where
    nobody can still be at it.
    """
    mine = _mine()
    lost, mine.lost = mine.lost, None
    if lost is None or (lost.conversation and lost.conversation != view.conversation):
        return
    if len(view.turns) <= lost.turns:
        want(mark(f"lost:{lost.text}"), lost.text)
    elif lost.died and view.turns[-1].state == "unanswered":
        want(mark("lost"), lost.text, view.turns[-1].number)
    else:
        return
    st.toast(t("ask_lost"))


def closed() -> None:
    """Nothing is on the screen yet."""
    mine = _mine()
    mine.opened, mine.turns = "", 0


def is_waiting() -> bool:
    """Whether a question is on its way."""
    return _mine().wanted is not None


def mark(what: str) -> str:
    """What tells a click on the screen as it is from one on a later screen."""
    mine = _mine()
    return f"{mine.opened}:{mine.turns}:{what}"


def want(mark: str, text: str, number: int | None = None, edits: Edits | None = None) -> None:
    """Write down what is wanted; the second click of a double click is the same mark."""
    mine = _mine()
    if mark not in mine.taken:
        mine.taken.add(mark)
        mine.count += 1
        mine.wanted = PendingAction(mark, text, number, edits)


def anew() -> None:
    """Begin a new conversation with the next question."""
    state.keep("c", "")
    _mine().editing = None


def carry_out() -> None:
    """Ask what is wanted, if anything is, and draw the page anew; an error leaves the question."""
    mine = _mine()
    wanted = mine.wanted
    if wanted is None:
        return
    blocks.draw(f'<div class="yj-turn"><h2>{cite.tag("user", wanted.text)}</h2></div>')
    with errors.frame("ask"):
        with nullcontext() if state.mode() == "live" else st.spinner(t("ask_running")):
            _ask(mine, wanted)  # live, the frame itself says what is going on
        if mine.unsent:
            mine.unsent, mine.box = "", mine.box + 1
        st.rerun()
    mine.taken.discard(wanted.mark)
    if wanted.number is None:
        mine.unsent, mine.box = wanted.text, mine.box + 1


def _ask(mine: Asks, wanted: PendingAction) -> None:
    desk, language = resources.desk(), state.language()
    conversation = mine.opened
    if wanted.number is None:
        conversation = state.keep("c", conversation or desk.begin())
    # Not before: a run that is broken off while it draws, or writes the address, leaves to the next
    # what is wanted.
    mine.wanted = None
    if wanted.number is None:
        if wanted.mark.startswith("link:"):
            mine.linked[wanted.text] = conversation
        desk.ask(wanted.text, conversation, language)
    elif wanted.edits is None:
        desk.ask_again(mine.opened, wanted.number)
    else:
        found = desk.ask_edited(mine.opened, wanted.number, wanted.edits)
        if found is None:
            st.toast(t("plan_unchanged"))
            mine.taken.discard(wanted.mark)
        elif found == "answered":
            mine.editing = None


def box() -> None:
    """The input at the foot of the page; Enter asks."""
    mine = _mine()
    with (
        st.container(key="yj_ask_box"),
        st.form("w_ask", clear_on_submit=True, border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        st.text_input(
            t("ask_label"),
            mine.unsent,
            key=_box(),
            placeholder=t("ask_more" if mine.turns else "ask_hint"),
            max_chars=_LONGEST,
            label_visibility="collapsed",
        )
        sent = st.form_submit_button(
            t("ask_send"),
            on_click=_take_typed,
            args=(mark("typed"),),
            icon=":material/send:",
            type="primary",
            key="w_send",
        )
    # A reader whose server died sends this to another, which has drawn no button to call back.
    if sent and not mine.heard:
        _take_typed(mark("typed"))
        st.rerun()
    mine.heard = False


def _box() -> str:
    """The key of the box: one with other words in it is another to the browser, which sends the
    words of a box that were not typed there only when it was born with them.
    """
    number = _mine().box
    return f"{_BOX}_{number}" if number else _BOX


def _take_typed(mark: str) -> None:
    text = str(st.session_state.get(_box()) or "").strip()
    _mine().heard = True
    if text:
        want(f"{mark}:{text}", text)


def _mine() -> Asks:
    return state.session().asks
