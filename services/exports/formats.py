"""What a page or an answer can be saved as: one line a format, and what the file is called."""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from services.core.lazy import import_later
from services.core.text import Language, Text
from services.exports.paper import Paper
from services.exports.papers import paper_of
from services.exports.view_files import view_markdown, view_zip
from services.views.analysis_view import AnalysisView
from services.views.ask_view import ConversationView, TurnView
from services.views.table import View

if TYPE_CHECKING:
    from services.exports import xlsx
else:
    xlsx = import_later("services.exports.xlsx")

_PLAIN = re.compile(r"[^A-Za-z0-9._]+")
_LONGEST = 40
# Pages there is one of: their title says no more than their kind.
_NAMED_BY_KIND = frozenset({"overview", "screen", "trace", "sources"})
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class Format(NamedTuple):
    """A kind of file: `key` names it in code, `short` where there is little room; `write` makes the
    file of a view in a language at a real time.
    """

    key: str
    short: str
    label: Text
    mime: str
    ending: str
    write: Callable[[View, Language, datetime], bytes]


def _markdown(view: View, language: Language, _: datetime) -> bytes:
    return view_markdown(view, language).encode()


def _workbook(view: View, language: Language, made_at: datetime) -> bytes:
    return xlsx.paper_xlsx(paper_of(view, language), view.claims, view.trace, made_at)


def _tables(view: View, language: Language, _: datetime) -> bytes:
    return view_zip(view, language)


FORMATS: Sequence[Format] = (
    Format(
        "md",
        "Markdown",
        Text("Markdown（含出处脚注）", "Markdown with footnotes"),
        "text/markdown",
        "md",
        _markdown,
    ),
    Format(
        "xlsx",
        "Excel",
        Text("Excel（每个数字链到出处）", "Excel, each figure linked to its source"),
        _SHEET,
        "xlsx",
        _workbook,
    ),
    Format(
        "zip", "ZIP", Text("全部 CSV（ZIP）", "All CSV (ZIP)"), "application/zip", "zip", _tables
    ),
)


def file_name(view: View, paper: Paper, day: date, ending: str, part: str = "") -> str:
    """`youju-stock-600519.SH-2017-07-26.md`: what it is, whom it is about, the day it was made.

    ASCII only. `part` names the one table in it.
    """
    parts = ["youju", paper.kind, _about(view, paper), part, day.isoformat()]
    return "-".join(one for one in parts if one) + "." + ending


def _about(view: View, paper: Paper) -> str:
    """The symbol where the view is of one company, else what of its title or id is plain."""
    symbol = getattr(view, "symbol", None)
    if isinstance(view, AnalysisView):
        asked = view.result.analysis_input
        symbol = asked.symbol or asked.market
    if isinstance(view, TurnView):
        symbol = view.companies[0].symbol if len(view.companies) == 1 else None
    if isinstance(view, ConversationView):
        symbol = view.conversation
    if not symbol and paper.kind in _NAMED_BY_KIND:
        return ""
    said = str(symbol or _PLAIN.sub("-", paper.title).strip("-.") or "".join(paper.run_ids[:1]))
    return _PLAIN.sub("-", said)[:_LONGEST].strip("-.")
