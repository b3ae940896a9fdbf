"""What may be done with the companies selected in a table: a bar at the foot of the window."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.market import watch_controls
from pages.ui import cite, exporting, resources, state
from pages.ui.i18n import say, t
from pages.ui.pending_actions import WantedScore
from services.core.symbols import Symbol
from services.views.compare.view import LEAST, MOST
from services.views.score_view import BatchMembers
from services.views.view import ScreenView

_NAMED = 6


def bar(view: ScreenView) -> None:
    """Compare, watch, score, export those that are selected, or select none any more."""
    symbols = _keep_known(state.session().picked)
    if not symbols:
        return
    names = [resources.services().names.text(Symbol(one)) for one in symbols[:_NAMED]]
    chips = "".join(f'<span class="yj-chip">{cite.tag("label", say(one))}</span>' for one in names)
    more = " …" if len(symbols) > _NAMED else ""
    count = cite.tag("provenance", t("pick_count", count=str(len(symbols))))
    with st.container(key="yj_pick", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(
            f'<div class="yj yj-pickbar" role="status"><b>{count}</b>{chips}{more}</div>',
            width="content",
        )
        if len(symbols) >= LEAST:
            st.button(
                t("compare_put"), key="w_pick_compare", type="primary",
                icon=":material/compare_arrows:", on_click=_compare, args=(symbols,),
            )  # fmt: skip
        watch_controls.put_button(symbols, "w_pick_watch")
        st.button(
            t("pick_score"), key="w_pick_score", icon=":material/speed:",
            on_click=_score, args=(symbols,),
        )  # fmt: skip
        exporting.exports_of(view, t("pick_export"), partial(_of, view, symbols), "picked")
        st.button(t("pick_clear"), key="w_pick_clear", type="tertiary", on_click=_clear)


def _keep_known(symbols: Sequence[str]) -> tuple[str, ...]:
    """Those that are symbols: the list comes from a browser."""
    return tuple(one for one in symbols if resources.services().names.row(one) is not None)


def _of(view: ScreenView, symbols: Sequence[str]) -> ScreenView:
    """The screen with the rows of these alone, of whatever page they are."""
    whole = resources.desk().screen_all(view.arguments, state.session().session_id)
    rows = tuple(row for row in whole.table.rows if row.symbol in symbols)
    return replace(whole, table=replace(whole.table, rows=rows), size=max(1, len(rows)))


def _compare(symbols: Sequence[str]) -> None:
    state.session().goto = ("compare", {"s": ",".join(symbols[:MOST])})


def _score(symbols: Sequence[str]) -> None:
    """All of them as one batch, which its page begins and shows."""
    mine = state.session()
    mine.score = WantedScore(chosen=BatchMembers("list", " ".join(symbols)))
    mine.goto = ("score", {})


def _clear() -> None:
    state.session().picked = ()
