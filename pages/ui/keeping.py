"""The view a session saw last: of the snapshot, where nothing changes, it is drawn again as it is.

A click that asks for nothing else (a column, a language, a selection) makes no run of its own.
"""

from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st

from pages.ui import resources, state
from services.core.identity import acting
from services.views.table import View

V = TypeVar("V", bound=View)


def let_go_at_end() -> None:
    """See to it that the views go when the browser does; called by every run.

    Streamlit keeps the session of a browser that went away, some twenty megabytes of views, for two
    minutes, and then leaves it to a full collection of garbage, which may come half an hour later.
    One that comes back has its page made anew.
    """
    _hold()


def connected() -> int:
    """How many sessions have a browser now, in this process."""
    return len(_connected)


_connected: set[str] = set()


def _let_go(mine: state.VisitorSession) -> None:
    _connected.discard(mine.session_id)
    mine.views.clear()
    mine.ground = mine.printed = None


# Not for what it keeps: it is released the moment a browser hangs up.
@st.cache_resource(scope="session", show_spinner=False, on_release=_let_go)
def _hold() -> state.VisitorSession:
    mine = state.session()
    _connected.add(mine.session_id)
    return mine


def last_seen(kind: type[V], asked: Hashable, make: Callable[[], V]) -> V:
    """The last view of that kind, where the same was asked of the same data by the same person;
    else a new one. What `make` raises leaves the last one as it was.
    """
    kept, services = state.session().views, resources.services()
    if services.settings.mode != "snapshot":
        return make()
    key = (acting(), services.clock.now(), asked)
    found = kept.get(kind)
    if found is not None and found[0] == key and isinstance(view := found[1], kind):
        return view
    made = make()
    kept[kind] = (key, made)
    return made
