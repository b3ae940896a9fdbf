"""The guided tour: a few steps on the real pages with bundled data, in a strip at the foot."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from pages.ui import blocks, state
from pages.ui.i18n import t

# What each step shows: the page, its address, and what of it is spoken of.
_STEPS: Mapping[int, tuple[str, Mapping[str, str], str]] = {
    1: (
        "screen",
        {"pettm": "0_15", "roediluted": "15_max"},
        ".yj-count",
    ),
    2: ("company", {"symbol": "600036.SH", "event": "2017-06-22"}, "tr[data-event]"),
    3: (
        "company",
        {"symbol": "600036.SH", "tab": "fin"},
        '[data-group="dupont"] .yjc-roe dd .yj-fig',
    ),
    4: ("ask", {}, '[class*="st-key-yj_read_"]'),
    5: ("verify", {"try": "changed"}, ".yj-diff"),
    6: ("company", {"symbol": "600036.SH", "tab": "score"}, ".yj-factors"),
}
_LAST, _SCORED = max(_STEPS), 6


def _address(step: int) -> tuple[str, str]:
    page, given, _ = _STEPS[step]
    said = {"ask": {"q": t("tour_question")}, "screen": {"market_cap": t("tour_size")}}
    told = {**given, **said.get(page, {})}
    return page, escape(state.link(page, **told, demo=str(step)))


def _step() -> int:
    """The step the address names; 0 outside the tour."""
    text = state.stated("demo")
    return next((step for step in _STEPS if str(step) == text), 0)


def is_shown() -> bool:
    """Whether the address names a step."""
    return bool(_step())


def shows_score() -> bool:
    """Whether the step the address names speaks of a score: one is made where there is none."""
    return _step() == _SCORED


def band() -> None:
    """On the first page: what the tour shows, and where it begins."""
    steps = "".join(
        f'<li><i data-nocite="label">{step}</i><span><b>{escape(t(f"tour_{step}"))}</b>'
        f"<small>{escape(t(f'tour_{step}_sub'))}</small></span></li>"
        for step in _STEPS
    )
    page, href = _address(1)
    blocks.draw(
        f'<section class="yj-demo" aria-label="{escape(t("tour"))}"><p><b>{escape(t("tour"))}</b>'
        f"<small>{escape(t('tour_sub'))}</small></p><ol>{steps}</ol>"
        f'<a class="yj-go-on" href="{href}" data-go="{page}" target="_self">▷ '
        f"{escape(t('tour_begin'))}</a></section>"
    )


def draw() -> None:
    """The strip of the step the address names, and an outline around what it speaks of."""
    step = _step()
    if not step:
        return
    page, _, spoken = _STEPS[step]
    here = st.query_params.to_dict()
    end = escape(state.link(page, **{key: text for key, text in here.items() if key != "demo"}))
    on = ""
    if step < _LAST:
        to, href = _address(step + 1)
        on = (
            f'<a class="yj-go-on" href="{href}" data-go="{to}" target="_self">'
            f"{escape(t('tour_next'))} →</a>"
        )
    st.html(
        f"<style>{spoken} {{ outline: 2px solid var(--yj-accent); outline-offset: 3px; }}</style>"
    )
    blocks.draw(
        f'<section class="yj-tour" role="status" data-nocite="label" data-step="{step}" '
        f'data-spoken="{escape(spoken)}"><i>{step} / {_LAST}</i>'
        f"<b>{escape(t(f'tour_{step}'))}</b><span>{escape(t(f'tour_{step}_says'))}</span>"
        f'<small class="yj-hand">{t("tour_keys")}</small>{on}'
        f'<a href="{end}" data-go="{page}" target="_self">{escape(t("tour_end"))}</a></section>'
    )
