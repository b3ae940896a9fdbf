"""What a screen found: the count line, coverage, actions and pages."""

from collections.abc import Mapping
from functools import partial
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.market import columns, filters
from pages.ui import blocks, cite, frame, keeping, resources, state
from pages.ui.i18n import say, t
from services.views.table import claim_words
from services.views.view import ScreenChip, ScreenView


def view_of(given: Mapping[str, str], page: int) -> ScreenView:
    """That page of what matches. Raises: as Desk.screen."""
    mine, asked = state.session().session_id, (tuple(sorted(given.items())), page)
    return keeping.last_seen(ScreenView, asked, lambda: resources.desk().screen(given, mine, page))


def counts(view: ScreenView) -> str:
    """How many match out of how many, the conditions in words, and how many could be judged."""
    phrases = [_chip(chip) for chip in view.chips]
    phrases += [
        f'<span class="yj-chip">{cite.tag("user", blocks.words(phrase))}</span>'
        for phrase in view.conditions[len(view.chips) :]
    ]
    whole = t("of_industry" if view.request.industry else "of_market")
    standing = "".join(
        f'<p class="yj-mute">{cite.prose(blocks.words(one), view.claims)}</p>'
        for one in view.standing
    )
    day = cite.day(view.company_count.as_of)
    matched = cite.figure(view.match_count)
    return (
        f'<div class="yj-tally"><p class="yj-count"><strong>{matched}</strong>'
        f" {t('matched')}{whole} {cite.figure(view.company_count)} <small>{day}</small></p>"
        f'<p class="yj-chips">{"".join(phrases)}</p>{_relax(view)}</div>{standing}'
    )


def coverage(view: ScreenView, places: Mapping[str, DeltaGenerator]) -> None:
    """Under each filter how many companies have a value, before it is used; a field that hardly
    any has says so.
    """
    for field, claim in view.covered.items():
        share = columns.share_of(view, field)
        hardly = not columns.is_worth(view, field)
        words = t("screen_hardly" if hardly else "screen_covered", count="\0")
        before, _, after = escape(words).partition("\0")
        name = escape(say(claim_words(claim)))
        told = f'{before}{cite.figure(claim, "cell")}<abbr title="{name}">{after}</abbr>'
        with places[field]:
            blocks.draw(
                f'<p class="yj-cover{" yj-hardly" if hardly else ""}">'
                f'<i><b style="width:{share:.1%}"></b></i>{told} {cite.day(claim.as_of)}</p>'
            )


def _chip(chip: ScreenChip) -> str:
    """A condition, the way to turn it round and the way to drop it."""
    words = blocks.words(chip.words)
    ways = (
        ("⇄", "screen_turn", chip.turned),
        ("✕", "compare_remove", chip.dropped),
    )
    links = "".join(
        f' <a href="{escape(filters.address_of(arguments))}" data-go="screen" target="_self" '
        f'data-nocite="user" aria-label="{escape(t(name, name=words))}" '
        f'title="{escape(t(name, name=words))}">{sign}</a>'
        for sign, name, arguments in ways
        if arguments
    )
    return f'<span class="yj-chip yj-condition">{cite.tag("user", words)}{links}</span>'


def _relax(view: ScreenView) -> str:
    """How many there are with each condition dropped, each a link to that screen."""
    if not view.relaxed:
        return ""
    before = view.match_count.value
    more = {key: claim for key, claim in view.relaxed.items() if claim.value > before}
    shown = more or view.relaxed
    ways = "".join(
        f'<span><a href="{escape(filters.address_of(chip.dropped))}" data-go="screen" '
        f'target="_self">{cite.tag("user", t("screen_without", name=say(chip.name)))}</a>'
        f" {cite.figure(shown[chip.key])}</span>&ensp;"
        for chip in view.chips
        if chip.key in shown
    )
    none = before == 0
    said = t("screen_nothing" if none else "screen_relax")
    style = "yj-relax yj-none-left" if none else "yj-relax"
    return f'<p class="{style}"><span class="yj-mute">{said}</span>&ensp;{ways}</p>'


def actions(view: ScreenView) -> None:
    """Clear, saved screens, exports."""
    if view.chips:
        st.button(t("clear"), on_click=filters.clear, icon=":material/filter_list_off:")
    filters.saved()
    every = partial(resources.desk().screen_all, view.arguments, state.session().session_id)
    frame.exports(view, width="content", every=every)


def draw_rows(view: ScreenView) -> None:
    """The companies; without any, what to do where the line of counts does not say it."""
    if view.table.rows:
        table = blocks.table(
            columns.shown(view),
            view.claims,
            sorted_by=(view.request.order_by, view.request.order),
            sorter=filters.sort_address,
            pick=True,
            tall=True,
        )
        blocks.draw(table)
    elif not view.relaxed:
        blocks.draw(f'<p class="yj-mute">{escape(t("screen_empty"))}</p>')


def pages(view: ScreenView) -> None:
    """The page chooser; a page number is a control, not a figure."""
    if view.pages < 2:
        return
    key = f"w_page_{view.page}_{view.pages}"
    st.pagination(view.pages, default=view.page, key=key, on_change=_turn, args=(key,))


def _turn(key: str) -> None:
    state.keep("page", str(st.session_state[key]), "1")
