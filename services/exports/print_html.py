"""A paper as one HTML document for print and PDF: nothing is loaded, nothing runs, all is escaped.

Every figure has the number of its note behind it, and the notes are printed at the end, each with
a way back; a table's heads are repeated on every page it goes on to.
"""

from collections.abc import Mapping
from functools import cache
from html import escape
from itertools import count
from pathlib import Path

from services.core.claims import Claim, Missing
from services.core.rendering import PLACE, show
from services.core.text import Language, Text
from services.core.trace import Trace
from services.exports.footnotes import TERMS, Footnotes, Pen
from services.exports.paper import (
    Block,
    Bullets,
    CitedCell,
    Heading,
    Line,
    Paper,
    PaperCell,
    PaperColumn,
    PaperRow,
    PaperTable,
    Prose,
    Quote,
)
from services.views.provenance import Ground

_RUNS = Text("运行记录", "Runs")
_MADE = Text(
    "由 Youju 有据 生成；每个数字后的编号指向文末的出处。",
    "Made by Youju; the number behind each figure leads to its source at the end.",
)
_WIDE = 7
_SHORT = 10
_LONG = 24


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
    return _Writer(paper, Ground(claims, trace)).written()


@cache
def print_styles() -> str:
    """The styles of every printed paper."""
    return Path(__file__).with_name("print.css").read_text(encoding="utf-8")


class _Writer:
    """Writes one paper; the same figure keeps its number, each place of it an anchor."""

    def __init__(self, paper: Paper, ground: Ground) -> None:
        self._paper = paper
        self._places: dict[int, str] = {}
        self._anchors = count(1)
        pen = Pen(escape, lambda text: f"<code>{escape(text)}</code>", self._reference)
        self._notes = Footnotes(ground, paper.language, pen)

    def written(self) -> str:
        paper = self._paper
        parts = [f"<h1>{escape(paper.title)}</h1>", f'<p class="yjp-made">{self._made()}</p>']
        parts += [self._block(block) for block in paper.blocks]
        notes = "\n".join(
            f'<li id="yjp-n{at}">{self._back(at)} {text}</li>'
            for at, text in enumerate(self._notes.written(), 1)
        )
        if notes:
            head = f"<h2>{TERMS['sources'].in_language(paper.language)}</h2>"
            parts.append(f'<section class="yjp-notes">{head}\n<ol>\n{notes}\n</ol></section>')
        return (
            f'<article class="yjp" data-paper="{paper.kind}">\n' + "\n".join(parts) + "</article>"
        )

    def _made(self) -> str:
        runs = ", ".join(self._paper.run_ids)
        said = _MADE.in_language(self._paper.language)
        label = _RUNS.in_language(self._paper.language)
        return f"{said} {label} <code>{escape(runs)}</code>" if runs else said

    def _reference(self, number: int) -> str:
        anchor = f"yjp-r{next(self._anchors)}"
        self._places.setdefault(number, anchor)
        return f'<sup><a id="{anchor}" href="#yjp-n{number}">{number}</a></sup>'

    def _back(self, number: int) -> str:
        return f'<a class="yjp-no" href="#{self._places[number]}">{number}</a>'

    def _block(self, block: Block) -> str:
        match block:
            case Heading():
                level = min(6, max(2, block.level))
                return f"<h{level}>{escape(block.text)}</h{level}>"
            case Prose():
                return f"<p{_kind(block.line)}>{self._line(block.line)}</p>"
            case Bullets():
                items = "".join(f"<li{_kind(one)}>{self._line(one)}</li>" for one in block.lines)
                title = f'<p class="yjp-about">{escape(block.title)}</p>' if block.title else ""
                return f"{title}<ul>{items}</ul>"
            case Quote():
                return _quoted(block)
            case PaperTable():
                return self._table(block)

    def _line(self, line: Line) -> str:
        marks = "".join(f' <span class="yjp-mark">[{escape(mark)}]</span>' for mark in line.marks)
        if line.kind != "told":  # what looks like a place in it is only text
            return escape(line.template) + marks
        return self._told(line.template, line) + marks

    def _told(self, template: str, line: Line | None = None) -> str:
        language = (line.language if line else None) or self._paper.language
        pieces = PLACE.split(template)
        written = [escape(pieces[0])]
        for name, text in zip(pieces[1::2], pieces[2::2], strict=True):
            claim = self._notes.ground.claims[name]
            written.append(self._figure(claim, language) + escape(text))
        return "".join(written)

    def _figure(self, claim: Claim, language: Language) -> str:
        """A figure with its exact value and its claim beside it for a machine that reads along."""
        shown = escape(show(claim, language).text)
        return (
            f'<span class="yjp-fig"><data value="{claim.value!r}" '
            f'data-print-claim="{claim.claim_id}">{shown}</data>{self._notes.mark(claim)}</span>'
        )

    def _table(self, table: PaperTable) -> str:
        title = f"<h2>{escape(table.title)}</h2>" if table.titled else ""
        note = f'<p class="yjp-label">{self._told(table.note)}</p>' if table.note else ""
        if not table.rows:
            return f"{title}{note}<p>{TERMS['empty'].in_language(self._paper.language)}</p>"
        grouped = any(row.group is not None for row in table.rows)
        group = f"<th>{TERMS['group'].in_language(self._paper.language)}</th>" if grouped else ""
        heads = "".join(
            f'<th scope="col"{_right(column)}>{escape(column.label)}</th>'
            for column in table.columns
        )
        rows = "\n".join(self._row(row, table, grouped=grouped) for row in table.rows)
        wide = " yjp-wide" if len(table.columns) > _WIDE else ""
        return (
            f'{title}{note}<table class="yjp-table{wide}"><thead><tr>{group}{heads}</tr></thead>'
            f"<tbody>\n{rows}\n</tbody></table>"
            + (f'<p class="yjp-label">{escape(table.days)}</p>' if table.days else "")
        )

    def _row(self, row: PaperRow, table: PaperTable, *, grouped: bool) -> str:
        cells = f"<td>{escape(row.group or '')}</td>" if grouped else ""
        cells += "".join(
            f"<td{_class(cell, column)}>{self._cell(cell, column)}</td>"
            for column in table.columns
            for cell in (row.cells.get(column.key),)
        )
        return f"<tr>{cells}</tr>"

    def _cell(self, cell: PaperCell, column: PaperColumn) -> str:
        if cell is None:
            return ""
        if isinstance(cell, Missing):
            return f"—{self._notes.mark(cell)}"
        if isinstance(cell, CitedCell):
            claim = self._notes.ground.claims[cell.claim]
            return self._figure(claim, self._paper.language)
        return self._told(cell) if column.kind == "prose" else escape(cell)


def _kind(line: Line) -> str:
    return "" if line.kind == "told" else f' class="yjp-{line.kind}"'


def _right(column: PaperColumn) -> str:
    return ' class="yjp-num"' if column.kind == "figure" else ""


def _class(cell: PaperCell, column: PaperColumn) -> str:
    """Figures to the right; what is short stays on one line, and a long text has some width of its
    own: it would be set one sign a line beside many columns.
    """
    if isinstance(cell, str) and len(cell) <= (_SHORT if cell.isascii() else _SHORT // 2):
        return ' class="yjp-short"'
    return ' class="yjp-long"' if isinstance(cell, str) and len(cell) > _LONG else _right(column)


def _quoted(block: Quote) -> str:
    """What somebody else wrote; its address is printed, not followed."""
    about = " · ".join(escape(one) for one in block.about)
    parts = [
        f"<p><strong>{escape(block.title)}</strong></p>" if block.title else "",
        f'<p class="yjp-label">{about}</p>' if about else "",
        f"<p>{escape(block.text)}</p>" if block.text else "",
        f"<p><code>{escape(block.url)}</code></p>" if block.url else "",
    ]
    return f"<blockquote>{''.join(parts)}</blockquote>"
