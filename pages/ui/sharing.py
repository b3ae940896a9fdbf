"""Whose the record on the page is: its owner shares it or takes it back, others are told.

Nothing of it is there where nobody signs in.
"""

from collections.abc import Callable

import streamlit as st

from pages.ui import blocks, cite, errors, identity, resources, state
from pages.ui.i18n import t
from services.core.identity import Kind
from services.core.rates import RATES
from services.views.table import View


def is_own(kind: Kind, name: str) -> bool:
    """Whether the reader may change it: always where nobody signs in."""
    if not identity.is_on():
        return True
    found = resources.services().sharing.of(kind, name)
    return found is not None and found.mine


def control(kind: Kind, name: str) -> None:
    """The button that shares it, or who does. That it was looked at is noted, once a session."""
    if not identity.is_on():
        return
    services, seen = resources.services(), state.session().looked_at
    if (kind, name) not in seen:
        services.audit.note("viewed", kind, name)
        seen.add((kind, name))
    found = services.sharing.of(kind, name)
    if found is None:
        return
    if not found.mine:
        told = cite.tag("user", t("shared_by", name=found.owner_name))
        blocks.draw(f'<p class="yj-small" role="note">{told}</p>')
        return
    st.button(
        t("unshare" if found.shared else "share"),
        icon=":material/group_off:" if found.shared else ":material/group_add:",
        on_click=errors.clicked(services.sharing.share),
        args=(kind, name),
        kwargs={"shared": not found.shared},
        key=f"w_share_{kind}_{name}",
    )


def noted(view: View, ending: str, write: Callable[[], bytes]) -> Callable[[], bytes]:
    """What makes the file, for whoever looks now; that they took it is noted."""
    audit, run = resources.services().audit, next(iter(view.run_ids), "")

    def made() -> bytes:
        RATES.count("exports")
        found = write()
        audit.note("exported", "run", f"{run} {ending}")
        return found

    return identity.on_behalf(made)
