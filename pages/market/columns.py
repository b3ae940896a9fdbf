"""Which columns of a screen are shown: chosen in a menu, each with how many companies have it."""

from dataclasses import replace

import streamlit as st

from pages.ui import blocks, outside, state
from pages.ui.i18n import t
from services.core.claims import Claim
from services.views.table import Cell, Table, TableColumn
from services.views.view import ScreenView

NAME = "cols"
# A column that fewer have is not shown unless it is asked for.
_HARDLY = 0.05
# A smaller part is told to a decimal: 0 % would say nobody.
_SLIGHT = 0.01
# Joins keys in the address.
_JOIN = "."


def share_of(view: ScreenView, field: str) -> float:
    """The part of the companies that have a value in the field; of those of the page where nobody
    counted them.
    """
    claim = view.covered.get(field) or view.judged.get(field)
    if claim is not None:
        return claim.value / max(view.company_count.value, 1.0)
    rows = view.table.rows
    return sum(_has(row.cells.get(field)) for row in rows) / max(len(rows), 1)


def is_worth(view: ScreenView, field: str) -> bool:
    """Whether more than a handful of companies has a value in it."""
    return share_of(view, field) >= _HARDLY


def shown(view: ScreenView) -> Table:
    """The table with the columns that were chosen; without a choice those that are worth it."""
    keys = _list_chosen(view)
    kept = tuple(one for one in view.table.columns if one.kind != "figure" or one.key in keys)
    return replace(view.table, columns=kept)


def figures_of(view: ScreenView) -> dict[str, Claim]:
    """The figures of those columns: what the page stands on, and no column that is not shown."""
    found = shown(view)
    cells = [row.cells.get(one.key) for row in found.rows for one in found.columns]
    return {cell.claim_id: cell for cell in cells if isinstance(cell, Claim)}


def menu(view: ScreenView) -> None:
    """The boxes, and two ways to set them all."""
    figures, keys = _figures(view), _list_chosen(view)
    key = f"w_columns_{view.request.market}"
    # Told anew each time: a closed menu has no control in the browser, which would show none.
    st.session_state[key] = list(keys)
    label = t("screen_columns", count=str(len(keys)))
    names = {one.key: _label(view, one) for one in figures}
    with st.popover(outside.escape_label(label), icon=":material/view_column:"):
        st.pills(
            outside.escape_label(t("screen_of_market")),
            list(names),
            selection_mode="multi",
            format_func=lambda one: outside.escape_label(names[one]),
            key=key,
            on_change=_keep,
            args=(key, tuple(names)),
        )
        with st.container(horizontal=True):
            filled = [one.key for one in figures if _is_filled(view, one.key)]
            st.button(t("screen_columns_filled"), on_click=_set, args=(tuple(filled),),
                      key="w_columns_filled")  # fmt: skip
            st.button(t("screen_columns_usual"), on_click=_set, args=((),), key="w_columns_usual",
                      type="tertiary")  # fmt: skip


def _figures(view: ScreenView) -> list[TableColumn]:
    return [one for one in view.table.columns if one.kind == "figure"]


def _list_chosen(view: ScreenView) -> tuple[str, ...]:
    known = [one.key for one in _figures(view)]
    kept = [one for one in state.session().remembered.get(NAME, "").split(_JOIN) if one in known]
    if kept:
        return tuple(one for one in known if one in kept)
    asked = {bound.field for bound in view.request.bounds}
    return tuple(one for one in known if one in asked or is_worth(view, one))


def _label(view: ScreenView, column: TableColumn) -> str:
    name = blocks.words(column.label)
    if column.key not in view.covered:
        return name
    share = share_of(view, column.key)
    return f"{name} {share:.1%}" if 0 < share < _SLIGHT else f"{name} {share:.0%}"


def _is_filled(view: ScreenView, key: str) -> bool:
    """Whether every row of the page has it."""
    return all(_has(row.cells.get(key)) for row in view.table.rows)


def _has(cell: Cell) -> bool:
    return isinstance(cell, Claim)


def _keep(key: str, order: tuple[str, ...]) -> None:
    found = set(st.session_state[key])
    _set(tuple(one for one in order if one in found))


def _set(keys: tuple[str, ...]) -> None:
    state.keep(NAME, _JOIN.join(keys))
