"""A run once more, on 溯源: from its own record, or beside the same on the data of now."""

from html import escape

import streamlit as st

from pages.evidence import comparison
from pages.ui import blocks, cite, errors, resources, state
from pages.ui.i18n import t
from services.core.trace import Trace
from services.views.view import TraceView, View
from services.workbench.compare import ComparisonView
from services.workbench.replay import ReplayView, replayable


def standing(view: TraceView) -> View:
    """The view with what a replay of its run brought, for figures of both to stand on."""
    found = _find_view(view)
    if found is None:
        return view
    calls = {one.tool_call_id: one for one in (*found.trace.tool_calls, *view.trace.tool_calls)}
    return View(
        title=view.title,
        claims={**view.claims, **found.claims},
        trace=Trace(tool_calls=tuple(calls.values())),
        run_ids=view.run_ids,
    )


def draw(view: TraceView) -> None:
    """The two buttons, and what the last of them brought; nothing where a run is not replayed."""
    if view.run_id is None or not _is_well(view):
        return
    blocks.draw(blocks.heading(t("replay"), escape(t("replay_note"))))
    with st.container(horizontal=True, key="yj_replay"):
        st.button(
            t("replay_start"),
            icon=":material/replay:",
            key="w_replay",
            on_click=_ask_replay,
            args=("replay", view.run_id),
        )
        st.button(
            t("replay_changes"),
            icon=":material/compare_arrows:",
            key="w_replay_now",
            on_click=_ask_replay,
            args=("changes", view.run_id),
        )
    found = _find_view(view)
    if isinstance(found, ReplayView):
        blocks.draw(_verdict(found))
        if found.comparison is not None:
            comparison.draw(found.comparison)
    elif found is not None:
        comparison.draw(found)


def carry_out() -> None:
    """Do what a button asked for, before the page is drawn."""
    mine = state.session()
    wanted, mine.replay = mine.replay, None
    if wanted is None:
        return
    what, run_id = wanted
    with errors.frame("trace"):
        desk, language = resources.desk(), state.language()
        if what == "replay":
            mine.replayed = (run_id, desk.replay(run_id, language))
        else:
            mine.replayed = (run_id, desk.changes(run_id, mine.session_id, language))


def _ask_replay(what: str, run_id: str) -> None:
    state.session().replay = (what, run_id)
    st.query_params["run"] = run_id  # a run of now must not take the place of the one compared


def _find_view(view: TraceView) -> ReplayView | ComparisonView | None:
    kept = state.session().replayed
    return kept[1] if kept is not None and kept[0] == view.run_id else None


def _is_well(view: TraceView) -> bool:
    return view.status == "ok" and view.run_kind is not None and replayable(view.run_kind)


def _verdict(found: ReplayView) -> str:
    counts = {
        "claims": str(found.claim_count),
        "calls": str(found.call_count),
        "changed": str(len(found.changed)),
    }
    said = t("replay_changed" if found.changed else "replay_counts", **counts)
    told = {True: "replay_text_same", False: "replay_text_other", None: ""}[found.text_kept]
    if found.by_model:
        told = "replay_text_model"
    chip = blocks.chip(t("replay_holds"), "good")
    if not found.holds:
        chip = blocks.chip(t("replay_differs"), "bad")
    text = " ".join(part for part in (said, t(told) if told else "") if part)
    return f'<p class="yj-count" role="status">{chip} {cite.tag("provenance", text)}</p>'
