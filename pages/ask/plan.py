"""What was understood of a question, and its conditions as controls to be changed."""

from collections.abc import Callable, Mapping
from datetime import date
from html import escape

import streamlit as st
from pydantic import JsonValue

from pages.ask import questions as asks
from pages.ui import blocks, cite, resources, state
from pages.ui.i18n import t
from services.views.ask_view import Condition, PlanNode, TurnView

_WIDTH = 210
_WIDE = 440
_ADD = "add"


def line(turn: TurnView) -> None:
    """The plan in words, and the button that opens it; below, the open plan."""
    assert turn.plan is not None  # noqa: S101 — a turn without a plan draws no line
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"yj_plan_{turn.number}"
    ):
        words = cite.tag("user", blocks.words(turn.plan.words))
        st.html(
            f'<div class="yj"><p class="yj-plan">{escape(t("ask_read_as"))}{words}</p></div>',
            width="content",
        )
        opener(turn)
    editor(turn)


def opener(turn: TurnView) -> None:
    """The button that opens the plan as a form: another company, one more condition. Only of a
    plan whose slots say all of it.
    """
    if turn.plan is None or not _is_of_slots(turn):
        return
    with st.container(width="content"):
        is_open = state.session().asks.editing == turn.number
        st.button(
            t("plan_close" if is_open else "plan_open"),
            key=f"w_plan_{turn.number}",
            on_click=_turn_over,
            args=(turn.number,),
            type="tertiary",
            icon=":material/expand_less:" if is_open else ":material/tune:",
        )


def editor(turn: TurnView) -> None:
    """The open plan, where it is open."""
    if turn.plan is not None and state.session().asks.editing == turn.number:
        _editor(turn)


def _is_of_slots(turn: TurnView) -> bool:
    nodes = turn.plan.nodes if turn.plan is not None else ()
    return not any(one.key == "algebra" for node in nodes for one in node.conditions)


def _turn_over(number: int) -> None:
    mine = state.session().asks
    mine.editing = None if mine.editing == number else number


def _editor(turn: TurnView) -> None:
    assert turn.plan is not None  # noqa: S101 — see line()
    with st.form(f"w_edit_{turn.number}"):
        for node in turn.plan.nodes:
            _node(turn.number, node)
        st.form_submit_button(
            t("plan_ask"),
            on_click=_ask,
            args=(turn, asks.mark(f"edit:{turn.number}")),
            type="primary",
            key=f"w_edited_{turn.number}",
        )
    blocks.draw(_documents(turn))


def _node(number: int, node: PlanNode) -> None:
    name = f" {cite.tag('label', blocks.words(node.name))}" if node.name else ""
    st.html(f'<div class="yj-field"><b>{escape(blocks.words(node.doing))}</b>{name}</div>')
    slots = f"yj_slots_{number}_{node.node_id}"
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key=slots):
        for condition in node.conditions:
            if condition.control != "bound" or condition.said:
                _CONTROLS[condition.control](_key(number, node, condition.key), condition)
        _another(number, node)


def _another(number: int, node: PlanNode) -> None:
    """One more bound: a figure that has none yet, and the bound in words."""
    free = {one.key: blocks.words(one.label) for one in _free(node)}
    if not free:
        return
    st.selectbox(
        t("plan_add"),
        ["", *free],
        format_func=lambda key: free.get(key, t("plan_none")),
        key=_key(number, node, _ADD),
        width=_WIDTH,
    )
    st.text_input(
        t("plan_bound"),
        key=_key(number, node, f"{_ADD}_value"),
        placeholder=t("plan_bound_hint"),
        width=_WIDTH,
    )


def _free(node: PlanNode) -> list[Condition]:
    return [one for one in node.conditions if one.control == "bound" and not one.said]


def _key(number: int, node: PlanNode, key: str) -> str:
    return f"w_slot_{number}_{node.node_id}_{key}"


def _initial(condition: Condition) -> JsonValue | date:
    """What the control of a condition shows before it is touched."""
    if condition.control in {"company", "words", "bound"}:
        return blocks.words(condition.shown)
    if condition.control == "several":
        return condition.value if isinstance(condition.value, list) else []
    if condition.control == "day":
        return None if condition.value is None else date.fromisoformat(str(condition.value))
    if condition.control == "whole":
        return None if condition.value is None else int(str(condition.value))
    return "" if condition.value is None else str(condition.value)


def _text(key: str, condition: Condition) -> None:
    hint = {"company": t("search_hint"), "bound": t("plan_bound_hint")}.get(condition.control, "")
    st.text_input(
        blocks.words(condition.label),
        str(_initial(condition)),
        key=key,
        placeholder=hint,
        width=_WIDTH,
    )


def _choice(key: str, condition: Condition) -> None:
    names = {option.value: blocks.words(option.label) for option in condition.options}
    options = list(names) if condition.said else ["", *names]
    st.selectbox(
        blocks.words(condition.label),
        options,
        options.index(str(_initial(condition))),
        format_func=lambda value: names.get(value, value) or t("plan_none"),
        accept_new_options=condition.control == "open",
        key=key,
        width=_WIDTH,
    )


def _several(key: str, condition: Condition) -> None:
    names = {option.value: blocks.words(option.label) for option in condition.options}
    chosen = condition.value if isinstance(condition.value, list) else []
    st.multiselect(
        blocks.words(condition.label),
        list(names),
        [str(one) for one in chosen],
        format_func=lambda value: names.get(str(value), str(value)),
        key=key,
        placeholder=t("plan_none"),
        width=_WIDE,
    )


def _whole(key: str, condition: Condition) -> None:
    value = _initial(condition)
    st.number_input(
        blocks.words(condition.label),
        1,
        condition.most,
        value if isinstance(value, int) else None,
        key=key,
        placeholder=t("plan_none"),
        width=_WIDTH,
    )


def _day(key: str, condition: Condition) -> None:
    value = _initial(condition)
    st.date_input(
        blocks.words(condition.label),
        value if isinstance(value, date) else None,
        date(1990, 1, 1),
        resources.services().clock.now().date(),
        key=key,
        format="YYYY-MM-DD",
        width=_WIDTH,
    )


_CONTROLS: Mapping[str, Callable[[str, Condition], None]] = {
    "company": _text,
    "words": _text,
    "bound": _text,
    "choice": _choice,
    "open": _choice,
    "several": _several,
    "whole": _whole,
    "day": _day,
}


def _ask(turn: TurnView, mark: str) -> None:
    """Want the plan with what was changed in its controls (the button's callback)."""
    nodes = turn.plan.nodes if turn.plan else ()
    edits = {node.node_id: _changes(turn.number, node) for node in nodes}
    asks.want(f"{mark}:{edits!r}", t("plan_changed", number=str(turn.number)), turn.number, edits)


def _changes(number: int, node: PlanNode) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    for condition in node.conditions:
        key = _key(number, node, condition.key)
        if key not in st.session_state:
            continue
        value = st.session_state[key]
        if value != _initial(condition):
            found[condition.key] = _wire(value)
    added = st.session_state.get(_key(number, node, _ADD))
    if added:
        found[str(added)] = _wire(st.session_state.get(_key(number, node, f"{_ADD}_value")))
    return found


def _wire(value: object) -> JsonValue:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list):
        return [str(one) for one in value]
    return value if isinstance(value, int) else str(value) if value else None


def documents(turn: TurnView) -> None:
    """The plan as the protocol has it, for whoever wants to see it whole."""
    blocks.draw(_documents(turn))


def _documents(turn: TurnView) -> str:
    """The plan as the two documents of the protocol, folded, for the curious; who read it."""
    assert turn.plan is not None  # noqa: S101 — see line()
    parts = (("NLIR", turn.plan.nlir), ("PLIR", turn.plan.plir))
    inner = "".join(
        f'<div><h3>{name}</h3><pre class="yj-json" tabindex="0" aria-label="{name}">'
        f"{escape(text)}</pre></div>"
        for name, text in parts
    )
    by = cite.tag("provenance", blocks.words(turn.plan.read_by))
    return (
        f'<details class="yj-documents" data-nocite="provenance"><summary>'
        f"{escape(t('plan_documents'))} · {by}</summary>"
        f'<div class="yj-two-docs">{inner}</div></details>'
    )
