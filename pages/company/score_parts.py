"""持有评分: which company, its score at whatever stage, its history, and what a click begins."""

from collections.abc import Callable
from functools import partial
from html import escape

import streamlit as st

from pages.company import company_parts as company
from pages.company import score_batch, score_result
from pages.evidence import saved_reports as shelf
from pages.ui import blocks, cite, errors, frame, resources, state
from pages.ui import job_progress as course
from pages.ui.i18n import say, t
from pages.ui.pending_actions import WantedScore
from services.views.score_view import Score, ScorePage, ScoreView, VetoView

_EVERY = 0.7
_EXPLAINED = frozenset({"cancelled", "interrupted"})


def carry_out() -> None:
    """Begin what was asked for with a click, and look at it. Raises: InputError, ProviderError."""
    mine = state.session()
    wanted, mine.score = mine.score, None
    if wanted is None:
        return
    if wanted.chosen is not None or wanted.resume:
        st.query_params["batch"] = score_batch.begin(wanted)
        return
    job = resources.desk().score(
        wanted.company, mine.session_id, language=state.language(), by_rule=wanted.by_rule
    )
    st.query_params["job"] = job


def opened() -> bool:
    """Draw the batch the address names; False when it names none, or one that is not there."""
    batch = state.stated("batch")
    shown = False
    if batch:
        with errors.frame("score"):
            score_batch.show(batch)
            shown = True
    return shown


def home() -> None:
    """One company's score, then the way to score many. Raises: InputError."""
    job = state.stated("job")
    asked = "" if job else company.chosen(t("score_example"))
    page = resources.desk().score_page(asked, job, state.session().session_id)
    if job or state.session().remembered.get("symbol"):
        state.keep("symbol", page.symbol)
    cite.stand_on(page)
    _heading(page)
    if page.score is not None and page.score.view is not None:
        shelf.rechecked(page.score.course.job_id, page)
    body(page)
    if page.history.rows:
        blocks.draw(blocks.heading(t("score_history")), blocks.table(page.history, page.claims))
    if page.claims:
        frame.foot(page)
    _recent()
    score_batch.form()


def _heading(page: ScorePage) -> None:
    left, right = st.columns([1, 0.42], vertical_alignment="center", gap="small")
    with left:
        blocks.draw(
            f'<div class="yj-quote"><h1>{cite.tag("label", say(page.name))} '
            f"{escape(t('page_score'))}<small>{cite.tag('code', page.symbol)}</small></h1></div>"
            f'<p class="yj-about">{_about(page)}</p>'
        )
    found = page.score
    if found is not None and found.course.running:
        return
    with right.container(horizontal=True, horizontal_alignment="right", gap="small"):
        button(page.symbol, again=found is not None)
        if found is not None:
            shown = page if found.view is not None else None
            if shown is not None:
                frame.exports(shown, width="content")
            shelf.actions(found.course.job_id, shown)


def _about(page: ScorePage) -> str:
    parts = [blocks.stock_link(page.symbol, escape(t("to_stock")) + " →")]
    found = page.score
    if found is not None:
        made = cite.day(found.course.started_at.isoformat())
        parts.insert(0, f"{escape(t('made_on'))} {made}")
        if found.view is not None:
            href = escape(state.link("trace", run=found.view.run_ids[0]))
            trace = escape(t("report_trace")) + " →"
            parts.append(f'<a href="{href}" data-go="trace" target="_self">{trace}</a>')
    return " · ".join(parts)


def button(symbol: str, *, again: bool = False, by_rule: bool = False) -> None:
    """Have that company scored."""
    texts = {(False, False): "score_start", (True, False): "score_again"}
    st.button(
        t(texts.get((again, by_rule), "score_by_rule")),
        key="w_score_rule" if by_rule else "w_score",
        type="primary",
        icon=":material/rule:" if by_rule else ":material/speed:",
        on_click=_want,
        args=(WantedScore(symbol, by_rule=by_rule),),
    )


def _want(wanted: WantedScore) -> None:
    state.session().score = wanted


def body(page: ScorePage, below: Callable[[], None] = lambda: None) -> None:
    """The score at whatever stage: none yet, under way, released, refused, or without a result;
    `below` draws what stands under a released one.
    """
    found = page.score
    if found is None:
        lead, none = cite.tag("label", t("score_lead")), escape(t("score_none"))
        blocks.draw(f'<p class="yj-lead">{lead}</p><p class="yj-mute">{none} {_roles()}</p>')
    elif found.course.running:
        # Polled only while it runs; the run after the last poll draws what came of it.
        st.fragment(_progress, run_every=_EVERY)(found.course.job_id)
    elif isinstance(found.view, ScoreView):
        frame.standing()
        score_result.draw(found.view, found.course, below)
    elif isinstance(found.view, VetoView):
        score_result.vetoed(found.view)
        _rules_instead(found)
    else:
        _without(found)


def _roles() -> str:
    """Who will score and who will review: a model by its name, or the rules where none is set up.
    What to set up is told by `doctor`, not to a reader.
    """
    said: list[str] = []
    for one in resources.desk().score_roles():
        by = cite.tag("label", one.model) if one.model else escape(t("score_by_rules"))
        unset = "" if one.model else f" ({escape(t('score_unset'))})"
        said.append(f"{escape(t(f'role_{one.role}'))} {by}{unset}")
    return " · ".join(said)


def _without(found: Score) -> None:
    status = found.course.status
    why = t(f"score_because_{status}") if status in _EXPLAINED else ""
    course.without(found.course, t(f"score_{status}"), why)
    _rules_instead(found)


def _rules_instead(found: Score) -> None:
    """Where a model was asked, the rules are a way on."""
    if not found.by_rule and any(one.model for one in resources.desk().score_roles()):
        button(found.symbol, by_rule=True)


def _progress(job: str) -> None:
    desk = resources.desk()
    now = desk.score_state(job)
    if not now.course.running:
        st.rerun()
    cancel = partial(desk.cancel_score, job)
    course.progress(now.course, t("score_under_way"), cancel, key="w_score_cancel")


def _recent() -> None:
    """The companies scored lately, to go to."""
    found = resources.desk().scores()
    if not found:
        return
    items = "".join(
        f'<a class="yj-chip" href="{escape(state.link("score", symbol=one.symbol))}" '
        f'data-go="score" target="_self">{cite.tag("label", say(one.name))}</a> '
        for one in found
    )
    name = escape(t("score_recent"))
    blocks.draw(f'<p class="yj-only"><span class="yj-mute">{name}</span> {items}</p>')
