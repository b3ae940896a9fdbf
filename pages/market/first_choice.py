"""The question a fresh store begins with: today's market or the bundled one. Asked once.

Nothing is asked of the network before the click. Today's begins a pull of the lists; until they are
here, and where they do not come, the first page shows the bundled market.
"""

from html import escape

import streamlit as st

from pages.evidence import market_sync
from pages.ui import blocks, errors, resources, state
from pages.ui.i18n import t
from services.core.identity import acting
from services.settings import Mode
from services.views.view import SyncState

_EVERY = 1.0


def band() -> None:
    """The question, or how far the pull is that its answer began; nothing where it was settled."""
    if resources.snapshot_desk().chosen_mode() is None:
        if acting().role == "admin":  # it is chosen for everybody
            _question()
        return
    mine = state.session()
    if not mine.pulling:
        return
    running = any(one.running for one in resources.live_desk().list_syncs())
    with st.container(border=True, key="yj_first"):
        # Polled only while it runs; the run after the last poll shows the market that came.
        st.fragment(_progress, run_every=_EVERY if running else None)(polled=running)


def _question() -> None:
    """One line: the page below is there already, and is what the visitor came for."""
    with st.container(key="yj_first", horizontal=True, vertical_alignment="center", gap="small"):
        asked = f"<b>{escape(t('first_title'))}</b> <span>{escape(t('first_sub'))}</span>"
        blocks.draw(f'<p class="yj-first">{asked}</p>')
        st.button(
            t("first_live"), key="w_first_live", icon=":material/language:", type="primary",
            on_click=errors.clicked(_today),
        )  # fmt: skip
        st.button(
            t("first_snapshot"), key="w_first_snapshot", icon=":material/inventory_2:",
            on_click=errors.clicked(_choose_bundled),
        )  # fmt: skip


def _today() -> None:
    """Begin the pull; the bundled market stays until the lists are here."""
    resources.snapshot_desk().choose_mode("live")
    resources.live_desk().sync_lists()
    state.session().pulling = True
    _look_at("snapshot")


def _choose_bundled() -> None:
    resources.snapshot_desk().choose_mode("snapshot")
    _look_at("snapshot")


def _progress(*, polled: bool) -> None:
    found = resources.live_desk().list_syncs()
    running = any(one.running for one in found)
    if polled != running:  # it began or ended since
        st.rerun()
    if running:
        blocks.draw(f'<p role="status">{escape(t("first_pulling"))}</p>')
        st.progress(sum(min(max(one.share, 0.0), 1.0) for one in found) / len(found))
    elif any(one.ok for one in found):
        state.session().pulling = False
        _look_at("live")
        st.rerun()
    else:
        # The next visit does not wait for what did not come.
        resources.snapshot_desk().choose_mode("snapshot")
        blocks.draw(f'<p role="alert">{escape(t("first_failed"))}</p>')
        st.button(
            t("first_again"),
            key="w_first_again",
            icon=":material/sync:",
            on_click=errors.clicked(_today),
        )
    blocks.draw(*(market_sync.told(one) for one in found if _is_worth(one)))


def _is_worth(one: SyncState) -> bool:
    return one.running or bool(one.failures) or not one.ok


def _look_at(mode: Mode) -> None:
    """This session's data, in the control, the address and the memory alike."""
    st.session_state.pop("w_mode", None)
    mine = state.session()
    mine.remembered["mode"] = mode
