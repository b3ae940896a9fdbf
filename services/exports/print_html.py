"""A paper as one HTML document for print and PDF: nothing is loaded, nothing runs, all is escaped.

Every figure has the number of its note behind it, and the notes are printed at the end, each with
a way back; a table's heads are repeated on every page it goes on to. The document is
`print.html.jinja`; here is what it asks.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from itertools import count
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from services.core.claims import Claim, Figure, Missing
from services.core.rendering import Style, pieces, show
from services.core.text import Language, Text
from services.core.trace import Trace
from services.exports.footnotes import TERMS, Footnotes, Pen
from services.exports.paper import (
    Bullets,
    CitedCell,
    Heading,
    Paper,
    PaperCell,
    PaperColumn,
    PaperQuote,
    Prose,
)
from services.views.provenance import Ground
from services.views.report_charts import ReportChart, chart_svg

_TERMS: Mapping[str, Text] = {
    **TERMS,
    "runs": Text("运行记录", "Runs"),
    "made": Text(
        "由 Youju 有据 生成；每个数字后的编号指向文末的出处。",
        "Made by Youju; the number behind each figure leads to its source at the end.",
    ),
}
_SHORT = 10
_LONG = 24


class _Piece(NamedTuple):
    """A stretch of a text: words, or the claim whose place stands there."""

    text: str = ""
    claim: Claim | None = None
    style: Style = "prose"


class _Note(NamedTuple):
    """A note at the end, and the anchor of the first figure that has it."""

    text: Markup
    place: str


def paper_html(paper: Paper, claims: Mapping[str, Claim], trace: Trace) -> str:
    """The whole document. Raises: KeyError when a cited claim or call is not given."""
    tongue = "zh-CN" if paper.language == "zh" else "en"
    return (
        f'<!DOCTYPE html>\n<html lang="{tongue}">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(paper.title)}</title>\n<style>{print_styles()}</style>\n</head>\n"
        f"<body>\n{paper_body(paper, claims, trace)}\n</body>\n</html>\n"
    )


def paper_body(paper: Paper, claims: Mapping[str, Claim], trace: Trace) -> str:
    """The document without its frame, for a page that has the styles. Raises: as `paper_html`."""
    figures = _Figures(Ground(claims, trace), paper.language)
    return (
        _environment()
        .get_template("print.html.jinja")
        .render(
            paper=paper,
            claims=claims,
            terms={name: one.in_language(paper.language) for name, one in _TERMS.items()},
            pieces=figures.pieces,
            figure=figures.figure,
            mark=figures.mark,
            notes=figures.notes,
            cell_class=_cell_class,
            picture=lambda one: Markup(chart_svg(one, claims, paper.language)),  # noqa: S704
        )
    )


@cache
def print_styles() -> str:
    """The styles of every printed paper."""
    return Path(__file__).with_name("print.css").read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=False,
    )
    kinds = {
        "heading": Heading,
        "prose_block": Prose,
        "bullets": Bullets,
        "quotation": PaperQuote,
        "cited": CitedCell,
        "missing_figure": Missing,
        "chart": ReportChart,
    }
    for name, kind in kinds.items():
        made.tests[name] = lambda value, kind=kind: isinstance(value, kind)
    return made


class _Figures:
    """The figures of one paper; the same one keeps its number, each place of it an anchor."""

    def __init__(self, ground: Ground, language: Language) -> None:
        self._places: dict[int, str] = {}
        self._anchors = count(1)
        pen = Pen(escape, lambda text: f"<code>{escape(text)}</code>", self._reference)
        self._notes = Footnotes(ground, language, pen)

    def pieces(self, template: str) -> Iterator[_Piece]:
        """The text in words and claims, in order."""
        for piece in pieces(template):
            if isinstance(piece, str):
                yield _Piece(piece)
            else:
                yield _Piece(claim=self._notes.ground.claims[piece.claim_id], style=piece.style)

    def figure(self, claim: Claim, language: Language, style: Style = "prose") -> Markup:
        """A figure with its exact value and its claim beside it for a machine that reads along."""
        shown = show(claim, language, style).text
        opened = Markup('<span class="yjp-fig"><data value="{}" data-print-claim="{}">{}</data>')
        return opened.format(repr(claim.value), claim.claim_id, shown) + self.mark(claim) + _CLOSED

    def mark(self, figure: Figure) -> Markup:
        """The number of its note; the pen has escaped what is in it."""
        return Markup(self._notes.mark(figure))  # noqa: S704

    def notes(self) -> list[_Note]:
        """Every note in order, escaped by the pen; asked when all figures are written."""
        written = self._notes.write_notes()
        return [_Note(Markup(text), self._places[at]) for at, text in enumerate(written, 1)]  # noqa: S704

    def _reference(self, number: int) -> str:
        anchor = f"yjp-r{next(self._anchors)}"
        self._places.setdefault(number, anchor)
        return f'<sup><a id="{anchor}" href="#yjp-n{number}">{number}</a></sup>'


_CLOSED = Markup("</span>")


def _cell_class(cell: PaperCell, column: PaperColumn) -> str:
    """Figures to the right; what is short stays on one line, and a long text has some width of its
    own: it would be set one sign a line beside many columns.
    """
    if isinstance(cell, str) and len(cell) <= (_SHORT if cell.isascii() else _SHORT // 2):
        return "yjp-short"
    if isinstance(cell, str) and len(cell) > _LONG:
        return "yjp-long"
    return "yjp-num" if column.kind == "figure" else ""
