"""What surrounds every page: theme, sidebar, citation drawer, heading with exports, end marker."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2 import component
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage

from pages.ui import (
    basis,
    blocks,
    cite,
    keeping,
    members,
    printing,
    resources,
    settings,
    signing_in,
    state,
    tour,
    unanswered,
    verifying,
)
from pages.ui.drawer_texts import DRAWER
from pages.ui.exporting import exports
from pages.ui.i18n import say, t
from services.core.day_words import tell_day
from services.core.hurry import hurried
from services.core.sight import seen
from services.market.source_names import SOURCE_NAMES
from services.views.view import View

_HERE = Path(__file__).parent
_RUNTIME = "yj_runtime"
_SCRIPTS = ("drawer.js", "members.js", "keyboard.js", "unanswered.js", "runtime.js")
_STYLES = ("theme.css", "drawer.css", "marks.css", "frame.css", "home.css", "verify.css")
_SAMPLES = (("v", "12.3", ""), ("d", "12.3", "ƒ"), ("s", "12.3", ""), ("x", "12.3", "≠"),
            ("m", "—", "?"))  # fmt: skip
# The day the legend shows beside a figure that is older than the page.
_OLD = date(2017, 5, 25)
_LONGEST_SYMBOL, _MOST_PICKED = 12, 200
# What the keyboard does, for the list that `?` opens: the keys, and the text that says it.
_KEYS = {
    "/": "key_search", "g h": "page_overview", "g s": "page_screen", "g c": "page_company",
    "g d": "key_compare", "g a": "page_ask", "g v": "page_verify", "[ ]": "key_sections",
    "d w m": "key_interval", "+ − 0 ⇧← ⇧→ f": "key_chart", "p n": "key_mismatch",
    "← ↑ → ↓": "key_arrows", "Enter": "key_enter", "Esc": "key_escape",
    "PgUp PgDn": "key_tour", "?": "key_help",
}  # fmt: skip


def begin() -> None:
    """Decide language and colours, and send the styles. Call it before anything is drawn."""
    mine = state.session()
    keeping.let_go_at_end()
    mine.drawn.clear()
    mine.headed = False
    mine.ground = mine.printed = mine.newest = None
    mine.runs = ()
    settings.decide()
    styles = settings.styles(names_sources=tour.is_shown())
    st.html(f"<style>{_style_sheet()}{styles}</style>")


def bar(page: str) -> None:
    """What stands in the bar at the right: search, what data this is, settings."""
    state.session().page = page
    with st.container(key="yj_find"):
        _search(page if page == "score" else "company")
    with st.container(key="yj_bar", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(_data_mode(), width="content")
        settings.popover(signing_in.account)


def _data_mode() -> str:
    """A dot for the data looked at, and the day or the minute it stands at."""
    services = resources.services()
    now = services.clock.now()
    mode = "frozen" if services.settings.frozen else services.settings.mode
    shown = f"{now:%H:%M}" if mode == "live" else tell_day(now.date(), state.language())
    href = escape(state.link("sources"))
    return (
        f'<a class="yj-mode yj-mode-{mode}" href="{href}" data-go="sources" target="_self" '
        f'title="{escape(t(f"mode_note_{mode}"))}"><i class="yj-dot"></i>'
        f"<strong>{escape(t(f'mode_{mode}'))}</strong> "
        f'<time datetime="{now.isoformat()}">{shown}</time></a>'
    )


@st.fragment
def _search(page: str) -> None:
    """Type-ahead over every name; a click opens the company, Enter the first one."""
    if state.session().goto:
        # Enter told the box's text and where to go at once, and Streamlit took it for this alone.
        st.rerun()
    text = st.text_input(
        t("search"),
        key="w_find",
        type="search",
        live="250ms",
        placeholder=t("search_hint"),
        icon=":material/search:",
        label_visibility="collapsed",
    )
    if text and text.strip():
        found = resources.desk().find(text.strip(), 8)
        items = (blocks.found_item(one.symbol, one.name, one.why, page) for one in found)
        frozen = resources.services().settings.frozen
        none = t("search_none_frozen") if frozen else t("search_none")
        inner = "".join(items) or f"<li>{none}</li>"
        blocks.draw(f'<ul class="yj-found" data-page="{page}">{inner}</ul>')


def runtime() -> None:
    """Mount the drawer; its requests to go somewhere are kept for the start of the next run."""
    drawer = component("youju_runtime", js="".join(map(_file, _SCRIPTS)), isolate_styles=False)
    texts = {key: text.in_language(state.language()) for key, text in DRAWER.items()}
    with st.container(key=_RUNTIME):
        drawer(
            key="yj_drawer",
            data={
                "texts": texts,
                "sources": _sources(),
                "checked": _checked(),
                "members": members.of_session(),
                "language": state.language(),
                "theme": settings.theme(),
                "picked": list(state.session().picked),
                "keys": {key: t(text) for key, text in _KEYS.items()},
                "asks": unanswered.of_session(),
            },
            on_go_change=_go,
            on_pick_change=_pick,
            on_recheck_change=verifying.check_figure,
            on_members_change=members.list_asked,
            on_lost_change=unanswered.take,
        )


def _sources() -> dict[str, str]:
    """What each source is called, for the drawer."""
    return {name: say(words) for name, words in SOURCE_NAMES.items()}


def _checked() -> dict[str, Any] | None:
    """What came of checking a figure again, for the drawer it was asked in."""
    found, state.session().checked = state.session().checked, None
    return {"id": found[0], "ok": found[1], "words": found[2]} if found else None


def _go() -> None:
    found = st.session_state["yj_drawer"].get("go")
    if found:
        wanted = {name: str(value) for name, value in found.items() if name != "page"}
        if typed := wanted.pop("find", ""):  # Enter: the first of the list, come or not
            first = resources.desk().find(typed, 1)
            wanted["symbol"] = first[0].symbol if first else typed
        state.session().goto = (str(found["page"]), wanted)
        st.session_state["w_find"] = ""


def _pick() -> None:
    """Keep what is selected; what is no text is none of ours."""
    found = st.session_state["yj_drawer"].get("pick") or ()
    symbols = [one for one in found if isinstance(one, str) and len(one) <= _LONGEST_SYMBOL]
    state.session().picked = tuple(dict.fromkeys(symbols))[:_MOST_PICKED]


def follow(pages: Mapping[str, st.Page]) -> None:
    """Go where the drawer or a link asked to, before the old page is run again."""
    goto, state.session().goto = state.session().goto, None
    if goto and goto[0] in pages:
        st.switch_page(pages[goto[0]], query_params=goto[1])


def run(page: StreamlitPage) -> None:
    """The page itself, seen by whoever watches; somebody waits for it."""
    with seen("page", page.url_path or "overview"), hurried():
        page.run()


def head(
    view: View,
    sub: str = "",
    inner: str = "",
    more: Callable[[], None] | None = None,
    told: Sequence[basis.BasisPart] | None = None,
) -> None:
    """The heading of a page with its exports at the right; `inner` replaces the plain title.

    `more` draws what else may be done with what the page shows; `told` is the page's basis where
    its figures do not tell it by themselves.
    """
    left, right = st.columns([1, 0.36 if more else 0.14], vertical_alignment="center", gap="small")
    right = right.container(horizontal=True, horizontal_alignment="right", gap="small")
    told = basis.of_view(view) if told is None else told
    with left:
        blocks.draw(inner or blocks.title(blocks.words(view.title), sub), basis.line(told))
    with right:
        if more is not None:
            more()
        exports(view, width="content")
    standing()


def standing() -> None:
    """That answers from before stand in for some nobody gives now, with their age."""
    ground = state.session().ground
    found = ground.stale() if ground else ()
    if found:
        lines = "".join(f"<li>{cite.tag('provenance', say(one))}</li>" for one in found)
        blocks.draw(
            f'<section class="yj-stand" role="status"><p>{t("stand_stale")}</p>'
            f'<ul class="yj-plain">{lines}</ul></section>'
        )


def heading(text: str) -> DeltaGenerator:
    """A heading drawn before its view is known; the slot at its right is for buttons."""
    left, right = st.columns([1, 1], vertical_alignment="center", gap="small")
    with left:
        blocks.draw(blocks.title(text))
    return right.container(horizontal=True, horizontal_alignment="right")


@contextmanager
def section(title: str, sub: str = "") -> Iterator[None]:
    """A section's heading under its rule; what is drawn inside stands at its right end."""
    name = title.encode().hex()[:8]
    with st.container(key=f"yj_sect_{name}", gap=None):
        small = f"<small>{escape(sub)}</small>" if sub else ""
        blocks.draw(f'<div class="yj-sect"><h2>{cite.marked(title)}</h2>{small}</div>')
        yield


def foot(view: View) -> None:
    """The inputs of derived figures, for the drawer; and on paper what the letters mean."""
    letters = f'<p class="yj-letters">{t("legend_letters")}</p>'
    blocks.draw(letters, cite.workings(view.claims))


def _legend() -> str:
    """The five marks in a line at the foot of the window."""
    old = tell_day(_OLD, state.language(), year=False)
    shown = "".join(
        f'<span><b class="yj-fig yj-{kind}">{sample}'
        f'<i class="yj-k">{old if kind == "s" else sign}</i></b>'
        f"{t(f'legend_{kind}')}</span>"
        for kind, sample, sign in _SAMPLES
    )
    return (
        f'<div class="yj-legend" data-nocite="label"><span>{t("legend")}</span>{shown}'
        f'<span class="yj-right">{t("foot_note")}</span></div>'
    )


def close() -> None:
    """The paper of the page, where it is to be printed; and the marker that it is complete."""
    printing.draw(state.language())
    tour.draw()
    blocks.draw(_legend())
    st.html('<div id="yj-end" hidden></div>')


@cache
def _style_sheet() -> str:
    """All styles in one line: Streamlit looks at the indentation of every line of what it is given,
    in every run.
    """
    return " ".join(line.strip() for name in _STYLES for line in _file(name).splitlines())


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
