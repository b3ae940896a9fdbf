"""Everything a page shows as files: which rows, which form of CSV, and a button a file."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

import streamlit as st

from pages.ui import blocks, outside, printing, resources, state
from pages.ui.i18n import t
from services.core.text import Language
from services.exports.csv import CsvForm, paper_csv, table_files
from services.exports.formats import FORMATS, file_name
from services.exports.papers import paper_of
from services.exports.view_files import view_zip
from services.views.table import View
from services.views.view import ScreenView

Made = Callable[[], View]
_ZIP = "zip"
_FORMS: tuple[CsvForm, CsvForm] = ("full", "plain")


def exports(
    view: View,
    *,
    width: Literal["stretch", "content"] = "stretch",
    every: Callable[[], ScreenView] | None = None,
) -> None:
    """The menu of files, each made only when asked for; every figure has its source in each.

    `every` makes a screen with all its rows, which is what is saved unless the reader wants the
    page alone.
    """
    language = state.language()
    with st.popover(t("export"), icon=":material/download:", width=width):
        made, part = _rows(view, every)
        form = _form()
        for one in FORMATS:
            write = partial(view_zip, form=form) if one.key == _ZIP else one.write
            _download(view, one.label.in_language(language), one.ending, part, one.mime, one.key,
                      partial(_written, made, write))  # fmt: skip
        # A button says which rows its file has: all of them, unless the page alone is wanted.
        named = view if part or not isinstance(view, ScreenView) else replace(view, pages=1)
        for name, table in table_files(paper_of(named, language)).items():
            _download(view, f"CSV · {table.title}", "csv", _joined(name, part), "text/csv", name,
                      partial(_table, made, name, form))  # fmt: skip
        _download(view, t("export_pack"), "youju.zip", part, "application/zip", "pack",
                  partial(_written, made, resources.desk().pack))  # fmt: skip
        printing.button(made() if state.stated(printing.PARAMETER) == "1" else view, "1")


def _rows(view: View, every: Callable[[], ScreenView] | None) -> tuple[Made, str]:
    """What makes the view that is saved, and how a file of a part of it is called."""
    if every is None or not isinstance(view, ScreenView) or view.pages == 1:
        return lambda: view, ""
    labels = {
        "all": t("export_all", count=str(int(view.match_count.value))),
        "page": t("export_page", rows=blocks.words(view.extent)),
    }
    chosen = st.segmented_control(
        t("export_rows"),
        list(labels),
        format_func=lambda one: outside.escape_label(labels[one]),
        default="all",
        required=True,
        key="w_export_rows",
    )
    if chosen == "page":
        return lambda: view, f"page_{view.page}"
    return every, ""


def _form() -> CsvForm:
    chosen = st.segmented_control(
        t("export_csv"),
        _FORMS,
        format_func=lambda one: t(f"csv_{one}"),
        default="full",
        required=True,
        key="w_export_csv",
    )
    return "plain" if chosen == "plain" else "full"


def _written(made: Made, write: Callable[[View, Language], bytes]) -> bytes:
    return write(made(), state.language())


def _table(made: Made, name: str, form: CsvForm) -> bytes:
    view = made()
    paper = paper_of(view, state.language())
    return paper_csv(table_files(paper)[name], view.claims, view.trace, paper.language, form)


def _joined(*parts: str) -> str:
    return "-".join(part for part in parts if part)


def _download(
    view: View, label: str, ending: str, part: str, mime: str, key: str, write: Callable[[], bytes]
) -> None:
    day = resources.services().clock.now().date()
    st.download_button(
        outside.escape_label(label),
        write,
        file_name(view, paper_of(view, state.language()), day, ending, part),
        mime,
        on_click="ignore",
        key=f"w_export_{key}",
        width="stretch",
    )
