"""What a screen found: the count line, coverage, actions and pages."""

from functools import partial

import streamlit as st

from pages.market import filters
from pages.ui import blocks, cite, frame, resources, state
from pages.ui.i18n import t
from services.core.catalogue import SCREEN_FIELDS
from services.views.view import ScreenView


def counts(view: ScreenView) -> str:
    """How many match out of how many, the conditions in words, and how many could be judged."""
    phrases = [
        f'<span class="yj-chip">{cite.tag("user", blocks.words(phrase))}</span>'
        for phrase in view.conditions
    ] or [f'<span class="yj-mute">{t("no_conditions")}</span>']
    judged = "".join(
        f'<span data-nocite="label">{cite.metric_label(SCREEN_FIELDS.get(field, field))}</span> '
        f"{cite.figure(claim)}&ensp;"
        for field, claim in view.judged.items()
    )
    coverage = f'<p class="yj-mute">{t("coverage")}{judged}</p>' if judged else ""
    whole = t("of_industry" if view.request.industry else "of_market")
    standing = "".join(
        f'<p class="yj-mute">{cite.prose(blocks.words(one), view.claims)}</p>'
        for one in view.standing
    )
    day = cite.tag("provenance", view.company_count.as_of.isoformat())
    return (
        f'<p class="yj-count"><strong>{cite.figure(view.match_count)}</strong> {t("matched")}'
        f"{whole} {cite.figure(view.company_count)} <small>{day}</small></p>"
        f'<p class="yj-chips">{"".join(phrases)}</p>{coverage}{standing}'
    )


def actions(view: ScreenView) -> None:
    """Clear, saved screens, exports."""
    st.button(t("clear"), on_click=filters.clear, icon=":material/filter_list_off:")
    filters.saved()
    every = partial(resources.desk().screen_all, view.arguments, state.session().session_id)
    frame.exports(view, width="content", every=every)


def pages(view: ScreenView) -> None:
    """The page chooser; a page number is a control, not a figure."""
    if view.pages < 2:
        return
    key = f"w_page_{view.page}_{view.pages}"
    st.pagination(view.pages, default=view.page, key=key, on_change=_turn, args=(key,))


def _turn(key: str) -> None:
    state.keep("page", str(st.session_state[key]), "1")
