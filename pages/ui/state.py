"""The one object kept in session_state, and the query string that makes a screen repeatable.

A control is bound by name: the address wins when it changed, then the control, then what this
session remembers, then the default. Values equal to the default are left out of the address: after
Back and Forward one that is left out is the default.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal
from uuid import uuid4
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SafeSessionState

from pages.ui.pending_actions import Asks, WantedReport, WantedScore
from services.core.errors import YoujuError
from services.core.text import Language
from services.evidence_pack.verify import PackVerdict
from services.settings import Mode
from services.views.provenance import Ground
from services.views.screen_said import ScreenRead
from services.views.text_check import TextCheckView
from services.views.view import Trial, View
from services.workbench.compare import ComparisonView
from services.workbench.replay import ReplayView

Colours = Literal["red_up", "green_up"]
_KEY = "youju"
# What a link to another page carries along when it is not the default, and Back does not undo.
SETTINGS = ("lang", "colour", "theme", "density", "marks", "mode")
# No result has a million pages.
_PAGE_DIGITS = 6


@dataclass(slots=True)
class VisitorSession:
    """What one visitor's session remembers between reruns and pages."""

    session_id: str = field(default_factory=lambda: "s_" + uuid4().hex[:12])
    remembered: dict[str, str] = field(default_factory=dict[str, str])
    seen: dict[str, str] = field(default_factory=dict[str, str])
    drawn: set[str] = field(default_factory=set[str])
    refused: dict[str, str] = field(default_factory=dict[str, str])
    goto: tuple[str, dict[str, str]] | None = None
    ground: Ground | None = None
    # The runs whose figures are drawn, and what came of checking one of these again: its claim,
    # whether it held, and how that is said.
    runs: tuple[str, ...] = ()
    checked: tuple[str, bool, str] | None = None
    # The members of the figure whose drawer asked for them: symbol, name, value, why it has none.
    members: tuple[str, tuple[tuple[str, str, str, str], ...]] | None = None
    # The day each table of a bundle was captured.
    captured: Mapping[tuple[str, str], date] = field(default_factory=dict[tuple[str, str], date])
    # The newest day the page stands on, once its basis is told.
    newest: date | None = None
    printed: View | None = None
    # The evidence pack of the sheet that is shown, and of what it is.
    sheet: tuple[tuple[str, ...], bytes] | None = None
    page: str = "overview"
    # The last address asked for that is no page.
    unknown: str = ""
    # Whether this run has drawn the heading of its page: a card in its place brings one.
    headed: bool = False
    # The last view of each kind, and what was asked for it (keeping.py).
    views: dict[type[View], tuple[Hashable, View]] = field(
        default_factory=dict[type[View], tuple[Hashable, View]]
    )
    # The companies selected in a table, in the order they were.
    picked: tuple[str, ...] = ()
    # The text that was checked last, figure by figure.
    text: TextCheckView | None = None
    packs: dict[str, PackVerdict] = field(default_factory=dict[str, PackVerdict])
    trials: dict[str, Trial] = field(default_factory=dict[str, Trial])
    asks: Asks = field(default_factory=Asks)
    report: WantedReport | None = None
    score: WantedScore | None = None
    # What was opened of what is kept, by kind and name: that is noted once.
    noted_mode: Mode | None = None
    looked_at: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    # Why what was clicked last was not done.
    not_done: YoujuError | None = None
    # Whether the lists of today's market are being waited for.
    pulling: bool = False
    # The language in whose units the boxes of the conditions were filled.
    boxes: Language | None = None
    # The sentence the screener read last, and the conditions it became.
    screen_read: ScreenRead | None = None
    screen_read_as: str = ""
    # What is to be done with which run (replay | changes), and what came of it last.
    replay: tuple[str, str] | None = None
    replayed: tuple[str, ReplayView | ComparisonView] | None = None
    # The report that is to be checked again, and those that were put away last.
    recheck: str = ""
    put_away: tuple[str, ...] = ()


# A page asks for its session thousands of times, and Streamlit takes its time to look it up.
_known: WeakKeyDictionary[SafeSessionState, VisitorSession] = WeakKeyDictionary()


def session() -> VisitorSession:
    """This visitor's session object, made on first use."""
    run = get_script_run_ctx()
    mine = _known.get(run.session_state) if run is not None else None
    if mine is None:
        # Not `setdefault`: each id of a session takes a call of the system.
        if _KEY not in st.session_state:
            st.session_state[_KEY] = VisitorSession()
        mine = st.session_state[_KEY]
        if run is not None:
            _known[run.session_state] = mine
    return mine


def language() -> Language:
    """The language chosen; frame.begin settles it before anything is drawn."""
    return "en" if session().remembered.get("lang") == "en" else "zh"


def mode() -> Mode | None:
    """The data this session looks at; None until frame.begin has settled it."""
    chosen = session().remembered.get("mode")
    return "live" if chosen == "live" else "snapshot" if chosen == "snapshot" else None


def colours() -> Colours:
    """Which colour means a rise: red (the Chinese convention) or green."""
    return "green_up" if session().remembered.get("colour") == "green_up" else "red_up"


def bind(
    name: str, default: str = "", *, valid: Callable[[str], bool] | None = None, widget: bool = True
) -> str:
    """Decide the value of `name` before its control is drawn, and return it.

    With `widget` the control's key is `w_<name>`. A value in the address that `valid` refuses is
    kept in `refused` for the page to say so; values with a meaning of their own (a symbol) are
    checked by the service.
    """
    mine, key = session(), f"w_{name}"
    told = newly_stated(name, default)
    mine.refused.pop(name, None)
    if told is not None:
        value = told
        if told != default and valid is not None and not valid(told):
            mine.refused[name], value = told, default
    elif widget and key in st.session_state:
        found = st.session_state[key]
        value = default if found is None else str(found)
        if valid is not None and not valid(value):  # a label of the language just left
            kept = mine.remembered.get(name, default)
            value = kept if valid(kept) else default
    else:
        value = mine.remembered.get(name, default)
    if widget and st.session_state.get(key) != value:
        st.session_state[key] = value
    return keep(name, value, default)


def newly_stated(name: str, default: str = "") -> str | None:
    """What the address says of a bound value that this session did not write there; None when it
    says nothing new. What it leaves out after Back or Forward is the default, save for a setting.
    """
    stated, run = st.query_params.get(name), get_script_run_ctx()
    if stated is not None:
        return stated if stated != session().seen.get(name) else None
    is_back = run is not None and run.is_history_navigation
    return default if is_back and name not in SETTINGS else None


def is_page(text: str) -> bool:
    """Whether it is the number of a page: 1 or more, in plain digits, no more than there can be."""
    return text.isascii() and text.isdigit() and len(text) <= _PAGE_DIGITS and int(text) > 0


def stated(name: str) -> str:
    """What the address says now, without remembering it; empty when it says nothing."""
    return st.query_params.get(name, "")


def keep(name: str, value: str, default: str = "") -> str:
    """Remember a value and write it into the address (unless it is the default)."""
    mine = session()
    mine.remembered[name] = value
    if value == default:
        if name in st.query_params:
            del st.query_params[name]
        mine.seen.pop(name, None)
    else:
        if st.query_params.get(name) != value:
            st.query_params[name] = value
        mine.seen[name] = value
    return value


def load(values: Mapping[str, str], names: Mapping[str, str]) -> None:
    """Set several bound values at once (a saved screen); `names` maps each name to its default."""
    for name, default in names.items():
        session().remembered[name] = values.get(name, default)
        st.session_state[f"w_{name}"] = values.get(name, default)


def link(path: str, **params: str) -> str:
    """The address of a page with these parameters; language, colours and mode travel along."""
    from urllib.parse import urlencode

    seen = session().seen
    carried = {name: seen[name] for name in SETTINGS if name in seen}
    query = urlencode({**carried, **params})
    return path + (f"?{query}" if query else "")
