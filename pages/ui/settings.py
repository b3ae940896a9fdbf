"""How the screen looks and what data it shows: one menu, kept across pages and in the address."""

from collections.abc import Callable

import streamlit as st

from pages.ui import resources, state
from pages.ui.i18n import t
from pages.ui.outside import escape_label

# name → its options, the first the default where the settings file says none
_CHOICES = {
    "lang": ("zh", "en"),
    "colour": ("red_up", "green_up"),
    "theme": ("system", "light", "dark"),
    "density": ("normal", "compact"),
    "marks": ("quiet", "named"),
    "mode": ("snapshot", "live"),
}
_TITLES = {"lang": "language"}
_NAMES = {"zh": "中文", "en": "English"}


def decide() -> None:
    """Settle every setting before anything is drawn: address, control, memory, default."""
    for name, options in _CHOICES.items():
        value = state.bind(name, _default(name), valid=options.__contains__)
        # A menu that is closed has no controls in the browser: opened after a second run it would
        # show, and with the next click send, each control's first option (Streamlit 1.67).
        st.session_state[f"w_{name}"] = value


def _default(name: str) -> str:
    if name == "lang":
        return resources.default_language()
    return resources.default_mode() if name == "mode" else _CHOICES[name][0]


def theme() -> str:
    """light, dark, or system: the runtime sets Streamlit's own theme by it."""
    return _find_chosen("theme")


def _find_chosen(name: str) -> str:
    return state.session().remembered.get(name, _default(name))


def styles(*, names_sources: bool = False) -> str:
    """What the settings change of the styles; the names of sources also where they are wanted."""
    found = ""
    if state.colours() == "green_up":
        found += ".stApp { --yj-up: var(--yj-green); --yj-down: var(--yj-red); }"
    if theme() != "system":
        found += f".stApp, .yj-drawer {{ color-scheme: {theme()} !important; }}"
    if _find_chosen("density") == "compact":
        found += ".stApp { --yj-row: 26px; }"
    if names_sources or _find_chosen("marks") == "named":
        found += NAMED
    return found


# The names of the sources stand where else is a dot.
NAMED = """
.yj-v > .yj-k::before { content: attr(data-by); width: auto; height: auto; background: none;
  font: 500 10px/1 "Source Sans", "PingFang SC", "Noto Sans CJK SC", sans-serif;
  color: var(--yj-mute); vertical-align: 0.3em; }
.yj-table .yj-num { padding-right: 34px; }
"""


def popover(below: Callable[[], None]) -> None:
    """The menu, its controls bound to what `decide` settled, and what stands below them."""
    with st.popover(t("settings"), icon=":material/tune:", key="w_settings"):
        for name in _CHOICES:
            _control(name)
        below()


def language_choice() -> None:
    """The language alone, for whoever is not shown the menu yet."""
    _control("lang")


def _control(name: str) -> None:
    st.segmented_control(
        t(_TITLES.get(name, name)),
        _CHOICES[name],
        format_func=lambda option: escape_label(_words(name, option)),
        required=True,
        key=f"w_{name}",
    )


def _words(name: str, option: str) -> str:
    """An option as the menu says it; a language in its own words."""
    return _NAMES.get(option) or t(f"mode_{option}" if name == "mode" else option)
