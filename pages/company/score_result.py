"""A score that ended: dial, reason, factors, what was found, rounds; or a veto with its rounds.

Every figure is drawn from a claim. Of a refused draft only why it was refused is there to draw.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from html import escape
from pathlib import Path

import streamlit as st

from pages.ui import blocks, cite, state
from pages.ui import job_progress as course
from pages.ui.i18n import LIST_COMMA, say, t
from services.core.claims import Claim, Figure
from services.core.text import Text
from services.scoring.factors import OWN_HISTORY
from services.views.job_progress import JobCourse
from services.views.score_view import FactorLine, PartLine, RoundLine, ScoreView, VetoView

# From this share of the data on a score has a verdict.
_ENOUGH = 0.6
_PARTS = {"ok": "good", "partial": "warn", "missing": "warn"}
# What a paragraph of a reason begins with, before its first figure.
_HEAD = re.compile(r"^([^<>&。：:]{2,24}[：:])")
_WAYS = {"positive": "good", "negative": "bad", "neutral": ""}


def draw(view: ScoreView, done: JobCourse, below: Callable[[], None] = lambda: None) -> None:
    """A release: the score beside its factors, then why, what was found and how it was reviewed.

    `below` draws what stands under the score.
    """
    st.html(f"<style>{_styles()}</style>")
    left, right = st.columns([250, 1112], gap="medium")
    with left:
        blocks.draw(f'<div class="yj-scored">{_dial(view)}{_facts(view)}</div>')
        below()
    with right:
        blocks.draw(_factors(view), _grounds(view))
    blocks.draw(
        *_list_found(view),
        blocks.heading(t("score_rounds"), course.took(done)),
        _rounds(view.rounds),
    )


def vetoed(view: VetoView) -> None:
    """Every draft was refused: why, round by round; and what was found, which is proved."""
    blocks.draw(
        f'<section class="yj-errorcard" role="alert"><h2>{escape(t("score_veto"))}</h2>'
        f"<p>{escape(t('score_veto_why'))}</p></section>",
        blocks.heading(t("score_rounds")),
        _rounds(view.rounds),
        *_list_found(view),
    )


def _list_found(view: ScoreView | VetoView) -> tuple[str, ...]:
    """What the three analyses found, where they are kept."""
    if not view.parts:
        return ()
    panels = "".join(_part(one, view) for one in view.parts)
    return blocks.heading(t("score_found")), f'<div class="yj-panels">{panels}</div>'


@cache
def _styles() -> str:
    return (Path(__file__).parent / "score.css").read_text(encoding="utf-8")


def _dial(view: ScoreView) -> str:
    """The score, large; what it means; and how much of the data is behind it."""
    inner = (
        cite.figure(view.score, "short") if view.judged is None else cite.tag("rule", view.judged)
    )
    judged = f"<p>{escape(t('score_judged'))}</p>" if view.judged is not None else ""
    thin = "" if view.coverage.value >= _ENOUGH else " yj-thin"
    least = cite.tag("rule", t("score_least", least=f"{_ENOUGH:.0%}"))
    return (
        f'<section class="yj-score-of{thin}"><h2>{escape(t("page_score"))} · '
        f"{cite.tag('label', t('score_of_ten'))}</h2>"
        f'<div class="yj-points">{inner}</div>'
        f"<p><b>{_verdict(view)}</b></p>{judged}"
        f'<span class="yj-bar" aria-hidden="true" style="--yj-share: 100%">'
        f'<span style="--yj-share: {view.coverage.value:.0%}"></span></span>'
        f"<p>{cite.short(t('score_coverage'), view.coverage.metric)} "
        f'{cite.figure(view.coverage, "short")}</p><p class="yj-mute">{least}</p></section>'
    )


def _short(figure: Figure) -> str:
    """A grade as one speaks of it; one that is missing as in a table."""
    return cite.figure(figure, "short" if isinstance(figure, Claim) else "cell")


def _verdict(view: ScoreView) -> str:
    """What the score means for a holder; with too little data behind it, nothing."""
    if view.coverage.value < _ENOUGH:
        return f'<span class="yj-mute">{escape(t("score_thin"))}</span>'
    return escape(say(view.stance))


def _facts(view: ScoreView) -> str:
    rows = [
        (t("score_writer"), blocks.chip(say(view.writer))),
        (t("score_reviewer"), cite.tag("label", say(view.reviewer))),
        (t("score_at"), cite.day(view.coverage.as_of.isoformat())),
    ]
    if view.of_day is not None:
        rows.insert(0, (t("score_of_day"), cite.day(view.of_day.isoformat())))
    if view.judged is not None and view.score is not None:
        rows.insert(1, (t("score_by_factors"), cite.figure(view.score)))
    if view.missing:
        rows.append((t("score_missing"), _names(view.missing)))
    items = "".join(f"<dt>{escape(name)}</dt><dd>{inner}</dd>" for name, inner in rows)
    return f'<section class="yj-facts"><dl>{items}</dl></section>'


def _noted(words: Text) -> str:
    """What was noted of the data, with its days as the page says them."""
    return f'<span data-nocite="provenance">{cite.marked(say(words))}</span>'


def _names(words: Sequence[Text]) -> str:
    return cite.tag("label", say(LIST_COMMA).join(say(one) for one in words))


def _factors(view: ScoreView) -> str:
    """Each factor: the bar as long as its weight and filled by its score, and what it rests on."""
    factors = view.factors
    derived = {
        "score_points": blocks.derived_head(one.score for one in factors),
        "score_covered": blocks.derived_head(one.coverage for one in factors),
    }
    heads = "".join(
        f"<span>{escape(t(key))}{derived.get(key, '')}</span>"
        for key in ("score_factor", "score_bars", "score_points", "score_weight", "score_covered",
                    "score_grounds")
    )  # fmt: skip
    items = "".join(_factor(one, view) for one in factors)
    return (
        f'<div class="yj-sect"><h2>{escape(t("score_factors"))}</h2>'
        f"<small>{cite.marked(t('score_factors_note'))}</small></div>"
        f'<div class="yj-factor-heads" aria-hidden="true">{heads}</div>'
        f'<ol class="yj-factors">{items}</ol>'
    )


def _grounds(view: ScoreView) -> str:
    """Why: the verdict in a line, then each side of it."""
    return (
        f'<div class="yj-sect"><h2>{escape(t("score_reason"))}</h2></div>'
        f'<div class="yj-report yj-grounds">{_reason(view)}</div>{_checks(view)}'
    )


def _reason(view: ScoreView) -> str:
    """The approved text, a paragraph a line; of the same facts in the reader's language, where the
    rules wrote it in the other.
    """
    is_other = view.language != state.language()
    is_retold = is_other and bool(view.retold)
    language = state.language() if is_retold else view.language
    text = view.retold if is_retold else view.reason
    lines = [line for line in text.splitlines() if line.strip()]
    told = (
        cite.prose(
            line,
            view.claims,
            language=language,
            labels=view.labels,
            quotes=view.quotes,
            old=view.old,
        )
        for line in lines
    )
    note = ""
    if is_other and not is_retold:
        note = f'<p class="yj-mute">{escape(t("score_other_language"))}</p>'
    return "".join(f"<p>{_set_off_head(one)}</p>" for one in told) + note


def _set_off_head(told: str) -> str:
    """A paragraph with what it begins with, such as 支持 or For, set off."""
    return _HEAD.sub(r"<b>\1</b>", told, count=1)


def _checks(view: ScoreView) -> str:
    if not view.checks:
        return ""
    items = "".join(f"<li>{_noted(one)}</li>" for one in view.checks)
    head = escape(t("score_checks"))
    return f'<div class="yj-notes"><b>{head}</b><ul class="yj-plain">{items}</ul></div>'


def _factor(one: FactorLine, view: ScoreView) -> str:
    filled = one.filled or "0"
    bar = (
        f'<span class="yj-bar" aria-hidden="true" style="--yj-share: {one.share}%">'
        f'<span style="--yj-share: {filled}%"></span></span>'
    )
    lacks = ""
    if one.missing:
        lacks = f'<small class="yj-lacks">{escape(t("score_lacks"))}{_names(one.missing)}'
        lacks += (
            f"{escape(t('score_own_past'))}</small>" if OWN_HISTORY in one.missing else "</small>"
        )
    reason = say(one.reason)
    why = cite.prose(reason, view.claims, labels=view.labels, old=view.old) if reason else ""
    aged = f" {blocks.chip(say(one.dated), 'warn')}" if one.dated else ""
    weight, covered = (
        f'<span class="yj-weigh"><small>{cite.short(t(word), found.metric)}</small> '
        f"{cite.figure(found, 'short')}</span>"
        for word, found in (("score_weight", one.weight), ("score_covered", one.coverage))
    )
    return (
        f"<li><b>{cite.tag('label', say(one.name))}</b>{bar}"
        f'<span class="yj-won">{_short(one.score)}</span>'
        f"{weight}{covered}<p>{why}{aged}{lacks}</p></li>"
    )


def _part(one: PartLine, view: ScoreView | VetoView) -> str:
    tell = partial(
        cite.prose, claims=view.claims, labels=view.labels, quotes=view.quotes, old=view.old
    )
    summary = tell(say(one.summary))
    why = f'<p class="yj-mute">{_noted(one.why)}</p>' if one.why else ""
    items = ""
    for found in one.findings:
        day = cite.day(found.as_of.isoformat()) if found.as_of else ""
        text = tell(say(found.text))
        chip = blocks.chip(t(f"way_{found.direction}"), _WAYS[found.direction])
        items += f"<li>{chip} {text} <small>{day}</small></li>"
    listed = f'<ul class="yj-plain yj-findings">{items}</ul>' if items else ""
    status = blocks.chip(t(f"part_{one.status}"), _PARTS[one.status])
    name = cite.tag("label", say(one.name))
    return blocks.panel(name, status, f"<p>{summary}</p>{listed}{why}")


def _rounds(rounds: Sequence[RoundLine]) -> str:
    return f'<ol class="yj-rounds">{"".join(map(_round, rounds))}</ol>'


def _round(one: RoundLine) -> str:
    key, tone = ("score_passed", "good") if one.passed else ("score_vetoed", "warn")
    took = t("report_seconds", seconds=f"{one.seconds:.1f}")
    by = f"{say(one.writer)} · {say(one.reviewer)} · {took}"
    said = ""
    if one.said:
        quote = f'<q class="yj-said" data-nocite="text">{escape(one.said)}</q>'
        said = f"<p>{escape(t('score_said'))}: {quote}</p>"
    found = "".join(f"<li>{_noted(words)}</li>" for words in one.failures)
    code = (
        f'<p>{escape(t("score_code_found"))}:</p><ul class="yj-plain">{found}</ul>' if found else ""
    )
    calm = f"<p>{escape(t('score_no_objection'))}</p>" if one.passed and not one.said else ""
    name = cite.tag("label", t("score_round", number=str(one.number)))
    return (
        f"<li><b>{name}</b> {blocks.chip(t(key), tone)} "
        f"<small>{cite.tag('provenance', by)}</small>{said}{code}{calm}</li>"
    )
