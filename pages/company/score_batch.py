"""Many scores: the form that begins a batch, and one that runs or has ended."""

from dataclasses import replace
from functools import partial
from html import escape

import streamlit as st

from pages.market import filters
from pages.ui import blocks, cite, frame, outside, resources, state
from pages.ui import job_progress as course
from pages.ui.i18n import say, t
from pages.ui.pending_actions import WantedScore
from services.views.score_view import BatchMembers, BatchView

_EVERY = 1.5
_ROWS = 50
_KINDS = ("list", "industry", "screen")
_STOPPED = frozenset({"cancelled", "interrupted", "failed"})


def begin(wanted: WantedScore) -> str:
    """Start or go on; the id of the job. Raises: InputError, NoDataError, ProviderError."""
    desk, session_id = resources.desk(), state.session().session_id
    if wanted.resume:
        return desk.resume_batch(wanted.resume, session_id)
    chosen = wanted.chosen or BatchMembers("list", "")
    return desk.score_batch(chosen, session_id, language=state.language())


def show(job: str) -> None:
    """The batch of that id, as it stands. Raises: InputError."""
    view = resources.desk().batch(job)
    back = escape(state.link("score"))
    blocks.draw(
        f'<p class="yj-back-to"><a href="{back}" data-go="score" target="_self">'
        f"← {escape(t('score_all'))}</a></p>"
    )
    left, right = st.columns([1, 0.42], vertical_alignment="center", gap="small")
    with left:
        blocks.draw(
            f'<div class="yj-title"><h1>{cite.tag("label", blocks.words(view.title))}</h1></div>'
        )
    if view.course.running:
        st.fragment(_live, run_every=_EVERY)(job)
        return
    with right.container(horizontal=True, horizontal_alignment="right", gap="small"):
        _go_on(view, job)
        frame.exports(view, width="content")
    cite.stand_on(view)
    _table(view, _page(view))
    frame.foot(_shallow(view))


def _go_on(view: BatchView, job: str) -> None:
    """The rest of one that was stopped; of one that is through, those without a score once more."""
    stopped = view.course.status in _STOPPED
    if not stopped and view.progress.released == view.progress.of:
        return
    st.button(
        t("batch_resume" if stopped else "batch_retry"),
        key="w_batch_resume",
        icon=":material/play_circle:" if stopped else ":material/refresh:",
        type="primary" if stopped else "secondary",
        on_click=_want,
        args=(WantedScore(resume=job),),
    )


def _page(view: BatchView) -> int:
    """The page of a long batch that is looked at, chosen above the table; counts from 1."""
    pages = -(-len(view.table.rows) // _ROWS)
    if pages < 2:
        return 1
    return int(st.pagination(pages, key=f"w_batch_page_{pages}"))


def _live(job: str) -> None:
    desk = resources.desk()
    view = desk.batch(job)
    if not view.course.running:
        st.rerun()
    cite.stand_on(view)
    course.stop(view.course, partial(desk.cancel_batch, job), key="w_batch_cancel")
    _table(view, 1)
    blocks.draw(cite.workings(_shallow(view).claims))


def _shallow(view: BatchView) -> BatchView:
    """Of the claims, those the figures are made of at once: each score's own page has the rest."""
    return replace(view, claims={name: view.claims[name] for name in view.direct})


def _table(view: BatchView, page: int) -> None:
    at = view.progress
    rows = view.table.rows[(page - 1) * _ROWS : page * _ROWS]
    said = t("batch_progress", of=str(at.of), ended=str(at.ended), released=str(at.released))
    spin = '<span class="yj-spin"></span>' if view.course.running else ""
    share = f"{100 * at.ended / max(1, at.of):.1f}"
    stopped = ""
    if view.course.status in _STOPPED:
        stopped = f'<p class="yj-mute">{escape(t("batch_stopped"))}</p>'
    blocks.draw(
        f'<p class="yj-far" role="status">{spin}{cite.tag("provenance", said)}</p>'
        f'<span class="yj-bar yj-whole" aria-hidden="true" style="--yj-share: 100%">'
        f'<span style="--yj-share: {share}%"></span></span>{stopped}',
        blocks.table(replace(view.table, rows=rows), view.claims, tall=True),
    )


def form() -> None:
    """Whom to score: names as typed, an industry, a saved screen; and the batches so far."""
    blocks.draw(blocks.heading(t("batch_title")))
    kind = st.segmented_control(
        t("batch_kind"),
        _KINDS,
        format_func=lambda one: t(f"batch_{one}"),
        default="list",
        required=True,
        key="w_batch_kind",
    )
    if kind == "screen" and not resources.services().screens.list():
        blocks.draw(f'<p class="yj-mute">{escape(t("batch_no_screen"))}</p>')
    else:
        _box(str(kind))
    _before()


def _box(kind: str) -> None:
    if kind == "industry":
        st.segmented_control(
            t("market"),
            filters.MARKETS,
            format_func=lambda one: t(f"market_{one}"),
            default=filters.MARKETS[0],
            required=True,
            key="w_batch_market",
        )
    with (
        st.form("w_batch", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        _field(kind)
        st.form_submit_button(
            t("batch_start"),
            key="w_batch_start",
            icon=":material/playlist_play:",
            on_click=_take_typed,
        )


def _field(kind: str) -> None:
    if kind == "list":
        st.text_area(
            t("batch_typed"), placeholder=t("batch_hint"), key="w_batch_list", height=80, width=460
        )
    elif kind == "industry":
        market = str(st.session_state.get("w_batch_market") or filters.MARKETS[0])
        names = resources.industries(market)
        st.selectbox(
            t("industry"),
            names,
            format_func=outside.say_industry,
            key=f"w_batch_industry_{market}",
            width=260,
        )
    else:
        names = tuple(one.name for one in resources.services().screens.list())
        st.selectbox(t("batch_screen"), names, key="w_batch_screen", width=260)


def _take_typed() -> None:
    given = st.session_state
    kind = str(given.get("w_batch_kind") or "list")
    market = str(given.get("w_batch_market") or filters.MARKETS[0])
    if kind == "industry":
        chosen = BatchMembers(
            "industry", str(given.get(f"w_batch_industry_{market}") or ""), market
        )
    elif kind == "screen":
        chosen = BatchMembers("screen", str(given.get("w_batch_screen") or ""))
    else:
        chosen = BatchMembers("list", str(given.get("w_batch_list") or ""))
    _want(WantedScore(chosen=chosen))


def _want(wanted: WantedScore) -> None:
    state.session().score = wanted


def _before() -> None:
    found = resources.desk().batches()
    items = "".join(
        f'<li><a href="{escape(state.link("score", batch=one.job_id))}" data-go="score" '
        f'target="_self">{cite.tag("label", say(one.whom))}</a>'
        f"<small>{blocks.chip(t(f'status_{one.status}'))} "
        f"{cite.day(one.started_at.isoformat())}</small></li>"
        for one in found
    )
    if items:
        blocks.draw(
            f'<p class="yj-kind">{escape(t("batch_before"))}</p><ul class="yj-found">{items}</ul>'
        )
