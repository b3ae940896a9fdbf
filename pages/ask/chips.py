"""What was understood of a question: its parts as chips that can be changed or removed, and its
words as they were read.
"""

from collections.abc import Mapping
from html import escape

import streamlit as st
from pydantic import JsonValue

from pages.ask import plan
from pages.ask import questions as asks
from pages.ask.ask_texts import said
from pages.ui import blocks, outside
from pages.ui.i18n import LIST_COMMA, say
from services.views.ask_view import Chip, TurnView


def row(turn: TurnView) -> None:
    """The chips; each opens what it may be changed to, and asks the changed question."""
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"yj_read_{turn.number}"
    ):
        st.html(
            f'<div class="yj"><span class="yj-small">{escape(said("understood"))}</span></div>',
            width="content",
        )
        for chip in turn.chips:
            _chip(turn, chip)
        plan.opener(turn)
    plan.editor(turn)


def _chip(turn: TurnView, chip: Chip) -> None:
    label = outside.escape_label(blocks.words(chip.label))
    value = outside.escape_label(blocks.words(chip.value))
    fixed = not (chip.choices or chip.removed is not None or chip.bound is not None)
    if fixed:
        told = f"{escape(blocks.words(chip.label))} <b>{escape(blocks.words(chip.value))}</b>"
        inner = f'<span class="yj-askchip" data-nocite="label">{told}</span>'
        st.html(f'<div class="yj">{inner}</div>', width="content")
        return
    with st.popover(f"{label} **{value}**", key=f"w_chip_{turn.number}_{chip.key}"):
        if chip.bound is not None:
            _rebind(turn, chip, chip.bound)
        if chip.choices:
            st.caption(outside.escape_label(said("change")))
        for at, choice in enumerate(chip.choices):
            _button(turn, f"{chip.key}_{at}", blocks.words(choice.label), {"query": choice.query})
        if chip.removed is not None:
            _button(turn, f"{chip.key}_x", said("remove"), {"query": chip.removed})


def _rebind(turn: TurnView, chip: Chip, bound: float) -> None:
    """Another number in its place."""
    key = f"w_bound_{turn.number}_{chip.key}"
    st.number_input(outside.escape_label(blocks.words(chip.label)), value=bound, key=key)
    st.button(
        outside.escape_label(said("apply")),
        key=f"{key}_set",
        on_click=_draw_bound,
        args=(turn.number, turn.query, chip.key, key, asks.mark(f"bound:{chip.key}")),
        type="primary",
    )


def _draw_bound(number: int, query: str, chip: str, key: str, mark: str) -> None:
    value = float(st.session_state[key])
    edit: Mapping[str, JsonValue] = {"query": query, "key": chip, "value": value}
    asks.want(f"{mark}:{value}", said("apply"), number, {"query": edit})


def _button(turn: TurnView, name: str, label: str, edit: Mapping[str, JsonValue]) -> None:
    st.button(
        outside.escape_label(label),
        key=f"w_chip_{turn.number}_{name}_do",
        on_click=asks.want,
        args=(asks.mark(f"chip:{turn.number}:{name}"), label, turn.number, {"query": edit}),
        type="tertiary",
    )


def words(turn: TurnView) -> str:
    """The question with the words read underlined, and those that were not read named."""
    if not turn.words:
        return ""
    runs = "".join(
        escape(one.text)
        if one.kind == "plain"
        else f'<span class="yj-{one.kind}">{escape(one.text)}</span>'
        for one in turn.words
    )
    unread = [one.text.strip() for one in turn.words if one.kind == "unread" and one.text.strip()]
    # A question put back may name them itself.
    unsaid = [word for word in unread if word not in turn.reason]
    told = said("unread", words=say(LIST_COMMA).join(unsaid)) if unsaid else ""
    warned = f'<em class="yj-warned">{escape(told)}</em>' if told else ""
    return (
        f'<p class="yj-words" data-nocite="user"><span class="yj-small">'
        f"{escape(said('words'))}</span><span>{runs}</span>{warned}</p>"
    )
