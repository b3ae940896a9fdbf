"""A paper as Markdown: every figure carries a footnote that says where it comes from.

A derived figure's footnote refers to the footnotes of its inputs, down to the fetches.
Text from outside is escaped, so it can form neither HTML, nor a table cell, nor a footnote.
"""

import re
from collections.abc import Mapping

from services.core.claims import Claim, Missing
from services.core.rendering import pieces, show
from services.core.text import Language
from services.core.trace import Trace
from services.exports.footnotes import TERMS, Footnotes, Pen
from services.exports.paper import (
    Block,
    Bullets,
    CitedCell,
    Heading,
    Paper,
    PaperColumn,
    PaperLine,
    PaperQuote,
    PaperRow,
    PaperTable,
    Prose,
)
from services.views.provenance import Ground
from services.views.report_charts import ReportChart

_SPECIAL = re.compile(r"([\\`*_\[\]|~#$])")
_SPACES = re.compile(r"\s+")
_PEN = Pen(
    text=lambda text: escape(text),
    code=lambda text: f"`{text}`",
    reference=lambda number: f"[^{number}]",
)


def paper_markdown(paper: Paper, claims: Mapping[str, Claim], trace: Trace) -> str:
    """The whole paper, then one footnote per figure used.

    Raises: KeyError when a cited claim or call is not given.
    """
    notes = Footnotes(Ground(claims, trace), paper.language, _PEN)
    blocks = [f"# {escape(paper.title)}"]
    blocks += [_block(block, notes) for block in paper.blocks]
    footnotes = [f"[^{at}]: {text}" for at, text in enumerate(notes.write_notes(), 1)]
    if footnotes:
        blocks += [f"## {TERMS['sources'].in_language(paper.language)}", "\n".join(footnotes)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def escape(text: str) -> str:
    """Text that Markdown and HTML leave alone, on one line."""
    flat = _SPACES.sub(" ", text).strip()
    plain = flat.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", plain)


def _block(block: Block, notes: Footnotes) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {escape(block.text)}"
        case Prose():
            said = _line_markdown(block.line, notes)
            return f"*{said}*" if block.line.kind == "label" and said else said
        case Bullets():
            said = "\n".join(f"- {_line_markdown(line, notes)}" for line in block.lines)
            return f"**{escape(block.title)}**\n\n{said}" if block.title else said
        case ReportChart():
            return ""  # Markdown of one file holds no picture: chart_files stand beside it
        case PaperQuote():
            return _quote_block(block)
        case PaperTable():
            return _table(block, notes)


def _line_markdown(line: PaperLine, notes: Footnotes) -> str:
    marks = "".join(f" [{escape(mark)}]" for mark in line.marks)
    if line.kind != "told":  # what looks like a place in it is only text
        return escape(line.template) + marks
    return prose_markdown(line.template, notes, line.language or notes.language) + marks


def _quote_block(block: PaperQuote) -> str:
    about = " · ".join(escape(one) for one in block.about)
    lines = [f"**{escape(block.title)}**" if block.title else "", about, escape(block.text)]
    if block.url:
        lines.append(escape(block.url))
    return "\n>\n".join(f"> {line}" for line in lines if line)


def _table(table: PaperTable, notes: Footnotes) -> str:
    """A heading and the table under it, each figure with the reference to its footnote."""
    parts = [f"## {escape(table.title)}"] if table.titled else []
    if table.note:
        parts.append(prose_markdown(table.note, notes, notes.language))
    if not table.rows:
        return "\n\n".join([*parts, TERMS["empty"].in_language(notes.language)])
    grouped = any(row.group is not None for row in table.rows)
    heads = [TERMS["group"].in_language(notes.language)] if grouped else []
    heads += [escape(column.label) for column in table.columns]
    rules = ["---"] if grouped else []
    rules += ["---:" if column.kind == "figure" else "---" for column in table.columns]
    lines = [_row_markdown(heads), _row_markdown(rules)]
    for row in table.rows:
        cells = [escape(row.group or "")] if grouped else []
        cells += [_cell(row, column, notes) for column in table.columns]
        lines.append(_row_markdown(cells))
    days = [escape(table.days)] if table.days else []
    return "\n\n".join([*parts, "\n".join(lines), *days])


def _row_markdown(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(row: PaperRow, column: PaperColumn, notes: Footnotes) -> str:
    cell = row.cells.get(column.key)
    if cell is None:
        return ""
    if isinstance(cell, Missing):
        return f"—{notes.mark(cell)}"
    if isinstance(cell, CitedCell):
        claim = notes.ground.claims[cell.claim]
        return f"{show(claim, notes.language).text}{notes.mark(claim)}"
    return prose_markdown(cell, notes, notes.language) if column.kind == "prose" else escape(cell)


def prose_markdown(template: str, notes: Footnotes, language: Language) -> str:
    """The template with its figures filled in, each with its footnote; the words around are
    escaped.
    """
    written: list[str] = []
    for piece in pieces(template):
        if isinstance(piece, str):
            written.append(_around(piece))
            continue
        claim = notes.ground.claims[piece.claim_id]
        written.append(f"{show(claim, language, piece.style).text}{notes.mark(claim)}")
    return "".join(written)


def _around(text: str) -> str:
    """Escaped, keeping the space at either end that separates it from a figure."""
    left, right = text[:1].isspace(), text[-1:].isspace()
    inner = escape(text)
    return f"{' ' if left and inner else ''}{inner}{' ' if right else ''}"
