"""The view a session saw last: of the snapshot, where nothing changes, it is drawn again as it is.

A click that asks for nothing else (a column, a language, a selection) makes no run of its own.
"""

from collections.abc import Callable, Hashable
from typing import TypeVar

from pages.ui import resources, state
from services.core.identity import acting
from services.views.table import View

V = TypeVar("V", bound=View)


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
