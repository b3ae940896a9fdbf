"""The companies of a comparison: chips with ✕, one more by search, and what to do without any."""

from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st

from pages.company import company_frame
from pages.compare import links
from pages.compare.lines import colours
from pages.ui import blocks, cite, resources, state
from pages.ui.finding import find_one
from pages.ui.i18n import say, t
from pages.ui.nothing import nothing, way
from services.views.compare.view import LEAST, MOST, CompareView

_EXAMPLE = ("600036.SH", "601766.SH", "000002.SZ", "002594.SZ", "00700.HK")


def begin() -> None:
    """Send the styles, with those of the company page, whose toolbar and cards these are."""
    company_frame.send_styles()
    st.html(f"<style>{_styles()}</style>")


@cache
def _styles() -> str:
    return (Path(__file__).parent / "compare.css").read_text(encoding="utf-8")


def chosen() -> tuple[str, ...]:
    """Those of the address or remembered."""
    state.bind("s", widget=False)
    return links.held()


def head(symbols: Sequence[str], view: CompareView | None) -> None:
    """The title with a chip for each, and the search for one more."""
    named = {one.symbol: say(one.name) for one in view.entries} if view else {}
    found = [(one, named.get(one) or _name(one)) for one in symbols]
    with st.container(horizontal=True, vertical_alignment="center", key="yjp_head"):
        blocks.draw(
            f'<div class="yjp-head"><h1>{escape(t("page_compare"))}</h1>'
            f'<ul class="yjp-chips" aria-label="{escape(t("compare_chosen"))}">'
            f"{''.join(_chip(place, found) for place in range(len(found)))}</ul></div>"
        )
        if len(symbols) < MOST:
            _add_symbols(symbols)


def draw_nothing(symbols: Sequence[str]) -> None:
    """Fewer than two: how to come to more."""
    said = t("compare_one_more") if len(symbols) == LEAST - 1 else t("compare_empty")
    example = way("compare", t("compare_example"), s=",".join(_EXAMPLE))
    ways = (way("screen", t("compare_to_screen")), example)
    blocks.draw(nothing(escape(said), ways))


def _name(symbol: str) -> str:
    names = resources.services().names
    return say(names.text(symbol)) if names.row(symbol) else symbol


def _chip(place: int, found: Sequence[tuple[str, str]]) -> str:
    symbol, name = found[place]
    rest = [one for one, _ in found if one != symbol]
    label = escape(t("compare_remove", name=name))
    colour = colours()[place]
    return (
        f'<li class="yjp-chip"><i style="background:{colour}"></i>{cite.tag("label", name)}'
        f'<a href="{escape(links.address(rest))}" data-go="compare" target="_self" '
        f'aria-label="{label}" title="{label}">✕</a></li>'
    )


def _add_symbols(symbols: Sequence[str]) -> None:
    label = t("compare_add", count=str(MOST - len(symbols)))
    find_one(label, t("compare_find"), "w_compare_find", symbols, _add)


def _add(symbol: str) -> None:
    state.keep("s", ",".join((*links.held(), symbol)))
