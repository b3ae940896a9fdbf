"""The local copy of whole markets: how old it is, a button to pull it, and how far the pull is."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from pages.ui import blocks, cite, errors, resources
from pages.ui.i18n import say, t
from services.core.symbols import Market
from services.core.text import Text
from services.views.view import CopyState, SyncState

_MARKET: Market = "CN"
_EVERY = 1.0


def ages(found: Sequence[CopyState]) -> str:
    """What the copy holds and when it was pulled; that there is none yet."""
    if not found:
        return f'<p class="yj-mute">{escape(t("copies_none"))}</p>'
    items = "".join(
        f"<dt>{escape(say(one.name))}{_count(one)}</dt>"
        f"<dd>{cite.day(one.fetched_at.isoformat())} {_due(one)}</dd>"
        for one in found
    )
    return f'<dl class="yj-ages">{items}</dl>'


def _count(one: CopyState) -> str:
    if one.count is None:
        return ""
    return f" {cite.tag('provenance', t('copies_count', count=str(one.count)))}"


def _due(one: CopyState) -> str:
    return blocks.chip(t("copies_due"), "warn") if one.due else blocks.chip(t("copies_good"))


def _behind(why: Text | None) -> str:
    if why is None:
        return ""
    told = cite.tag("provenance", say(why))
    return f'<p class="yj-count" role="status">{blocks.chip(t("copies_due"), "warn")} {told}</p>'


def sync(found: Sequence[CopyState], behind: Text | None) -> None:
    """The copy's age, why it may not be the newest, and the button that pulls the market beside
    the page.
    """
    blocks.draw(blocks.heading(t("copies"), escape(t("copies_note"))))
    with st.container(border=True, key="yj_sync"):
        blocks.draw(_behind(behind), ages(found))
        now = resources.desk().syncing(_MARKET)
        running = now is not None and now.running
        # Polled only while it runs; the run after the last poll draws the ages anew.
        st.fragment(_job, run_every=_EVERY if running else None)(polled=running)


def _job(*, polled: bool) -> None:
    now = resources.desk().syncing(_MARKET)
    running = now is not None and now.running
    if polled != running:  # it began or ended since: polling begins or ends with a whole run
        st.rerun()
    st.button(
        t("sync_running" if running else "sync_start"),
        key="w_sync",
        icon=":material/sync:",
        disabled=running,
        on_click=errors.clicked(_start),
        help=t("sync_help"),
    )
    if now is None:
        return
    if running:
        st.progress(min(max(now.share, 0.0), 1.0))
    blocks.draw(told(now))


def _start() -> None:
    resources.desk().sync(_MARKET)


def told(now: SyncState) -> str:
    """How far a pull is or how it ended, each failure with its source."""
    chip = (
        "" if now.running else blocks.chip(t("sync_done" if now.ok else "sync_partly"), _tone(now))
    )
    items = "".join(
        f"<li>{cite.tag('provenance', say(one.words))}{blocks.detail(one.detail)}</li>"
        for one in now.failures
    )
    failures = f'<ul class="yj-plain">{items}</ul>' if items else ""
    told = cite.tag("provenance", say(now.told))
    return f'<p class="yj-count" role="status">{chip} {told}</p>{failures}'


def _tone(now: SyncState) -> str:
    return "good" if now.ok else "warn"
