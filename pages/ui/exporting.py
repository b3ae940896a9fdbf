"""Everything a page shows as files: which rows, which form of CSV, and a button a file."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

import streamlit as st

from pages.ui import blocks, outside, printing, resources, sharing, state
from pages.ui.i18n import t
from services.core.text import Language
from services.exports.csv import CsvForm, paper_csv, table_files
from services.exports.formats import FORMATS, Format, file_name
from services.exports.paper import Paper
from services.exports.papers import paper_of
from services.exports.view_files import view_zip
from services.views.table import View
from services.views.view import ScreenView

Made = Callable[[], View]
_ZIP = "zip"
_MOST_PRINTED = 300
_FORMS: tuple[CsvForm, CsvForm] = ("full", "plain")


def exports(
    view: View,
    *,
    width: Literal["stretch", "content"] = "stretch",
    every: Callable[[], ScreenView] | None = None,
    of: Literal["export", "export_conversation"] = "export",
) -> None:
    """The menu of files, each made only when asked for; every figure has its source in each.

    `every` makes a screen with all its rows, which is what is saved unless the reader wants the
    page alone. `of` is the text that says what is saved, where another menu stands near.
    """
    with st.popover(t(of), icon=":material/download:", width=width, key="w_exports"):
        made, part = _rows(view, every)
        wanted = state.stated(printing.PARAMETER) == "1" and not _is_long(view)
        printing.button(made() if wanted else view, "1")
        _files(view, made, part, "")


def exports_of(view: View, label: str, made: Made, part: str) -> None:
    """The files of a part of the page under a menu of its own; `part` is in their names."""
    with st.popover(outside.escape_label(label), icon=":material/download:"):
        _files(view, made, part, f"{part}_")


def _files(view: View, made: Made, part: str, prefix: str) -> None:
    """A button a file; `prefix` tells the keys of two menus apart."""
    language = state.language()
    # A button says which rows its file has: all of them, unless the page alone is wanted.
    named = replace(view, pages=1) if not part and isinstance(view, ScreenView) else view
    form, paper = _form(prefix), paper_of(named, language)
    for one in FORMATS:
        write = partial(view_zip, form=form) if one.key == _ZIP else partial(stamped, one)
        _download(view, paper, one.label.in_language(language), one.ending, part, one.mime,
                  prefix + one.key, partial(_write_once, made, write))  # fmt: skip
    for name, table in table_files(paper).items():
        title = t("pick_export") if prefix else table.title
        _download(view, paper, f"CSV · {title}", "csv", _join_names(name, part), "text/csv",
                  prefix + name, partial(_table, made, name, form))  # fmt: skip
    _download(view, paper, t("export_pack"), "youju.zip", part, "application/zip", f"{prefix}pack",
              partial(_write_once, made, resources.desk().pack))  # fmt: skip


def _is_long(view: View) -> bool:
    """Whether all its rows would be a book: on paper stands the page that is looked at."""
    return isinstance(view, ScreenView) and view.match_count.value > _MOST_PRINTED


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


def _form(prefix: str) -> CsvForm:
    chosen = st.segmented_control(
        t("export_csv"),
        _FORMS,
        format_func=lambda one: t(f"csv_{one}"),
        default="full",
        required=True,
        key=f"w_export_{prefix}csv",
    )
    return "plain" if chosen == "plain" else "full"


def stamped(one: Format, view: View, language: Language) -> bytes:
    """The file of that format, made now."""
    return one.write(view, language, resources.services().real.now())


def _write_once(made: Made, write: Callable[[View, Language], bytes]) -> bytes:
    return write(made(), state.language())


def _table(made: Made, name: str, form: CsvForm) -> bytes:
    view = made()
    paper = paper_of(view, state.language())
    return paper_csv(table_files(paper)[name], view.claims, view.trace, paper.language, form)


def _join_names(*parts: str) -> str:
    return "-".join(part for part in parts if part)


def _download(
    view: View,
    paper: Paper,
    label: str,
    ending: str,
    part: str,
    mime: str,
    key: str,
    write: Callable[[], bytes],
) -> None:
    day = resources.services().clock.now().date()
    st.download_button(
        outside.escape_label(label),
        sharing.noted(view, ending, write),
        file_name(view, paper, day, ending, part),
        mime,
        on_click="ignore",
        key=f"w_export_{key}",
        width="stretch",
    )
