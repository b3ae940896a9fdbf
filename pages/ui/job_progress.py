"""Long work on its page: its steps while it runs, and what is left of it when it ended without a
result.
"""

from collections.abc import Callable, Sequence
from html import escape

import streamlit as st

from pages.ui import blocks, cite, errors
from pages.ui.i18n import say, t
from services.views.job_progress import JobCourse, StepLine

_SHORT_S = 0.05
_GLYPHS = {"running": "◌", "done": "✓", "failed": "!", "stopped": "–"}


def progress(now: JobCourse, doing: str, cancel: Callable[[], None], *, key: str) -> None:
    """How far it is, and a button that stops it. `doing` is what the work is called."""
    at = next((one for one in reversed(now.steps) if one.state == "running"), None)
    what = escape(t("report_stopping")) if now.stopping else _tell_doing(now, doing, at)
    facts = [t("report_elapsed", seconds=f"{now.seconds or 0:.0f}")]
    facts += [t("report_tokens", tokens=str(now.tokens))] if now.tokens else []
    blocks.draw(
        f'<section class="yj-running"><p role="status"><span class="yj-spin"></span>{what}</p>'
        f'<p class="yj-mute">{cite.tag("provenance", " · ".join(facts))}</p>{steps(now.steps)}'
        f'<p class="yj-mute">{escape(t("report_keeps"))}</p></section>'
    )
    stop(now, cancel, key=key)


def stop(now: JobCourse, cancel: Callable[[], None], *, key: str) -> None:
    """The button that stops it."""
    st.button(
        t("report_cancel"),
        key=key,
        icon=":material/stop_circle:",
        disabled=now.stopping,
        on_click=errors.clicked(cancel),
    )


def _tell_doing(now: JobCourse, doing: str, at: StepLine | None) -> str:
    if now.problem is not None:
        return cite.tag("provenance", say(now.problem))
    if not now.steps:
        return escape(t("report_queued"))
    if at is None:
        return escape(doing)
    return f"{escape(doing)} {cite.tag('provenance', say(at.words))}"


def without(found: JobCourse, title: str, because: str) -> None:
    """It ended, and there is nothing of it: why, how far it came, and the way on."""
    why = ""
    if found.problem is not None:
        why = cite.tag("provenance", say(found.problem))
    elif found.status != "failed":
        why = escape(because)
    blocks.draw(
        f'<section class="yj-errorcard" role="alert">'
        f"<h2>{escape(title)}</h2><p>{why}</p></section>",
        blocks.heading(t("report_steps"), took(found)),
        steps(found.steps),
    )


def took(found: JobCourse) -> str:
    """How long it took; nothing where nobody knows."""
    if found.seconds is None:
        return ""
    return cite.tag("provenance", t("report_took", seconds=f"{found.seconds:.1f}"))


def steps(lines: Sequence[StepLine]) -> str:
    """What it did, each thing once."""
    return f'<ol class="yj-steps">{"".join(map(_step, lines))}</ol>' if lines else ""


def _step(one: StepLine) -> str:
    facts = []
    if one.seconds is not None:
        span = "<0.1" if one.seconds < _SHORT_S else f"{one.seconds:.1f}"
        facts.append(t("report_seconds", seconds=span))
    if one.tokens:
        facts.append(t("report_tokens", tokens=str(one.tokens)))
    about = cite.tag("provenance", " · ".join(facts)) if facts else ""
    why = "".join(f"<li>{cite.tag('provenance', say(words))}</li>" for words in one.detail)
    below = f'<ul class="yj-plain">{why}</ul>' if why else ""
    state_word = escape(t(f"step_{one.state}"))
    return (
        f'<li class="yj-step-{one.state}"><span class="yj-glyph" aria-hidden="true">'
        f'{_GLYPHS[one.state]}</span><span class="yj-unseen">{state_word}</span>'
        f"<span>{cite.tag('provenance', say(one.words))}</span><small>{about}</small>{below}</li>"
    )
