"""What surrounds every page: theme, sidebar, citation drawer, heading with exports, end marker."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2 import component
from streamlit.delta_generator import DeltaGenerator

from pages.ui import blocks, cite, printing, resources, state
from pages.ui.exporting import exports
from pages.ui.i18n import say, t
from pages.ui.texts import DRAWER
from services.market.source_names import SOURCE_NAMES
from services.market.splits import SPLIT_MARK, split_of
from services.views.view import View

_HERE = Path(__file__).parent
_RUNTIME = "yj_runtime"


def begin() -> None:
    """Decide language and colours, and send the styles. Call it before anything is drawn."""
    state.session().drawn.clear()
    state.session().ground = None
    state.session().printed = None
    state.bind("lang", resources.default_language(), valid=lambda text: text in {"zh", "en"})
    state.bind("mode", resources.default_mode(), valid=lambda text: text in {"snapshot", "live"})
    state.bind("colour", "red_up", valid=lambda text: text in {"red_up", "green_up"})
    styles = _file("theme.css")
    if state.colours() == "green_up":
        styles += ".stApp { --yj-up: var(--yj-green); --yj-down: var(--yj-red); }"
    st.html(f"<style>{styles}</style>")


def sidebar(page: str) -> None:
    """Symbol search, language, colours, and what data this is."""
    state.session().page = page
    with st.sidebar:
        _search(page if page in {"financials", "score"} else "stock")
        st.segmented_control(
            t("language"),
            ["zh", "en"],
            format_func={"zh": "中文", "en": "English"}.__getitem__,
            required=True,
            key="w_lang",
        )
        st.segmented_control(
            t("colour"),
            ["red_up", "green_up"],
            format_func=lambda option: t(option),
            required=True,
            key="w_colour",
        )
        services = resources.services()
        now = services.clock.now()
        line = f"{now:%Y-%m-%d %H:%M}"
        mode = "frozen" if services.settings.frozen else services.settings.mode
        blocks.draw(
            f'<div class="yj-mode yj-mode-{mode}"><span class="yj-dot"></span>'
            f"<strong>{t(f'mode_{mode}')}</strong> "
            f'<time datetime="{now.isoformat()}">{line}</time><br>{t(f"mode_note_{mode}")}</div>'
        )


@st.fragment
def _search(page: str) -> None:
    """Type-ahead over every name; a click or Enter opens the company."""
    text = st.text_input(
        t("search"),
        key="w_find",
        type="search",
        live="250ms",
        placeholder=t("search_hint"),
        icon=":material/search:",
    )
    if text and text.strip():
        found = resources.desk().find(text.strip(), 8)
        items = (
            f"<li>{blocks.stock_link(one.symbol, cite.tag('label', one.name), page)}"
            f"<small>{cite.tag('code', one.symbol)}</small></li>"
            for one in found
        )
        frozen = resources.services().settings.frozen
        none = t("search_none_frozen") if frozen else t("search_none")
        inner = "".join(items) or f"<li>{none}</li>"
        blocks.draw(f'<ul class="yj-found" data-page="{page}">{inner}</ul>')


def runtime() -> None:
    """Mount the drawer; its requests to go somewhere are kept for the start of the next run."""
    drawer = component("youju_runtime", js=_file("runtime.js"), isolate_styles=False)
    texts = {key: pair[state.language() == "en"] for key, pair in DRAWER.items()}
    with st.container(key=_RUNTIME):
        drawer(
            key="yj_drawer",
            data={"texts": texts, "sources": _sources(), "language": state.language()},
            on_go_change=_going,
        )


def _sources() -> dict[str, str]:
    """What each source is called, for the drawer."""
    return {name: words[state.language() == "en"] for name, words in SOURCE_NAMES.items()}


def _going() -> None:
    found = st.session_state["yj_drawer"].get("go")
    if found:
        wanted = {name: str(value) for name, value in found.items() if name != "page"}
        state.session().goto = (str(found["page"]), wanted)
        st.session_state["w_find"] = ""


def follow(pages: Mapping[str, st.Page]) -> None:
    """Go where the drawer or a link asked to, before the old page is run again."""
    goto, state.session().goto = state.session().goto, None
    if goto and goto[0] in pages:
        st.switch_page(pages[goto[0]], query_params=goto[1])


def head(
    view: View, sub: str = "", inner: str = "", more: Callable[[], None] | None = None
) -> None:
    """The heading of a page with its exports at the right; `inner` replaces the plain title.

    `more` draws what else may be done with what the page shows.
    """
    left, right = st.columns([1, 0.36 if more else 0.14], vertical_alignment="center", gap="small")
    with left:
        blocks.draw(inner or blocks.title(blocks.words(view.title), sub))
    if more is None:
        with right:
            exports(view)
    else:
        with right.container(horizontal=True, horizontal_alignment="right", gap="small"):
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


def bar(text: str) -> DeltaGenerator:
    """A heading drawn before its view is known; the slot at its right is for buttons."""
    left, right = st.columns([1, 1], vertical_alignment="center", gap="small")
    with left:
        blocks.draw(blocks.title(text))
    return right.container(horizontal=True, horizontal_alignment="right")


def foot(view: View) -> None:
    """The legend of the marks, and the inputs of derived figures for the drawer."""
    marks = (("✓", "legend_tool"), ("ƒ", "legend_derived"), ("§", "legend_rule"))
    if resources.services().settings.mode == "live":
        marks += (("≠", "legend_differs"),)
    if any(split_of(claim) for claim in view.claims.values()):
        marks += ((SPLIT_MARK, "legend_split"),)
    legend = "".join(f"<span><b>{mark}</b>{t(key)}</span>" for mark, key in marks)
    blocks.draw(f'<div class="yj-legend">{legend}</div>', cite.workings(view.claims))


def close() -> None:
    """The paper of the page, where it is to be printed; and the marker that it is complete."""
    printing.draw(state.language())
    st.html('<div id="yj-end" hidden></div>')


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
