"""Each member of an aggregate by name, for the drawer that asked for them."""

from typing import Any

import streamlit as st

from pages.ui import resources, state
from pages.ui.i18n import say
from services.core.text import Text
from services.views.membership import COUNTED, members_table


def list_asked() -> None:
    """Keep what the drawer asks for, while what the page stands on is known."""
    mine, asked = state.session(), st.session_state["yj_drawer"].get("members")
    claim = mine.ground.claims.get(asked) if mine.ground and isinstance(asked, str) else None
    table = members_table(claim, mine.ground.trace) if claim and mine.ground else None
    if claim is None or table is None:
        return
    called = resources.services().names
    rows: list[tuple[str, str, str, str]] = []
    for row in table.rows:
        symbol, name, why = row.cells["symbol"], row.cells["name"], row.cells["standing"]
        said = why.in_language(state.language()) if isinstance(why, Text) and why != COUNTED else ""
        told = say(called.text(str(symbol), str(name)))
        rows.append((str(symbol), told, str(row.cells["value"] or ""), said))
    mine.members = (claim.claim_id, tuple(rows))


def of_session() -> dict[str, Any] | None:
    """What was asked for, once."""
    found, state.session().members = state.session().members, None
    return {"id": found[0], "rows": found[1]} if found else None
