"""The first sheet of a workbook: everything in reading order, each figure's source beside it."""

from collections.abc import Sequence

from openpyxl.styles import Font
from openpyxl.worksheet.worksheet import Worksheet

from services.core.claims import Claim
from services.core.rendering import PLACE
from services.core.text import Text
from services.exports import xlsx_cells as cells
from services.exports.paper import (
    Block,
    Bullets,
    Heading,
    Paper,
    PaperLine,
    PaperQuote,
    PaperTable,
    Prose,
)
from services.exports.xlsx_sources import Sources
from services.views.provenance import Ground
from services.views.report_charts import ReportChart

FIRST = Text("正文", "Report")
_WIDTH = 90
_BODY = 11
_ITEMS = Text("{} 行 → 工作表", "{} rows → sheet")
_NUMBERED = 6


def write_text_sheet(
    sheet: Worksheet, paper: Paper, sources: Sources, ground: Ground, links: Sequence[str]
) -> None:
    """Title, prose, lists and quotes; for each table a line that leads to its sheet (`links`)."""
    _Writer(sheet, paper, sources, ground).write(links)


class _Writer:
    def __init__(self, sheet: Worksheet, paper: Paper, sources: Sources, ground: Ground) -> None:
        self._sheet, self._paper = sheet, paper
        self._sources, self._ground = sources, ground
        self._row = 0

    def write(self, links: Sequence[str]) -> None:
        sheet, paper = self._sheet, self._paper
        self._text(paper.title, cells.TITLE)
        targets = iter(links)
        for block in paper.blocks:
            self._block(block, next(targets) if isinstance(block, PaperTable) else "")
        cells.fit(sheet, 1, _WIDTH)
        for at in range(_NUMBERED):
            cells.fit(sheet, 2 + at, 6)
        sheet.sheet_view.showGridLines = False
        cells.for_print(sheet, head=None, landscape=True)

    def _block(self, block: Block, link: str) -> None:
        match block:
            case Heading():
                self._row += 1
                self._text(block.text, cells.HEADING)
            case Prose():
                self._line(block.line)
            case Bullets():
                if block.title:
                    self._row += 1
                    self._text(block.title, cells.BOLD)
                for line in block.lines:
                    self._line(line, "• ")
            case ReportChart():
                pass  # its figures stand in the tables; a workbook draws no picture
            case PaperQuote():
                self._quote(block)
            case PaperTable():
                self._row += int(block.titled)
                count = _ITEMS.in_language(self._paper.language).format(len(block.rows))
                self._text(f"{block.title} · {count}", cells.LINKED)
                cells.link(cells.cell_at(self._sheet, self._row, 1), link)

    def _line(self, line: PaperLine, lead: str = "") -> None:
        """The rendered text; each figure of a told one has its number, which leads to its row."""
        told = line.kind == "told"
        language = line.language or self._paper.language
        said = line.template
        if told:
            here = cells.cell_at(self._sheet, self._row + 1)
            said = self._sources.cite_figures(line.template, language, here)
        marks = "".join(f" [{mark}]" for mark in line.marks)
        self._text(lead + said + marks, cells.PLAIN if told else cells.QUIET)
        names = dict.fromkeys(PLACE.findall(line.template)) if told else {}
        self._numbers([self._ground.claims[name] for name in names])

    def _numbers(self, cited: Sequence[Claim]) -> None:
        """Beside the text a link for each figure in it, going on below where they are many."""
        for at, claim in enumerate(cited):
            self._row += int(at > 0 and at % _NUMBERED == 0)
            cell = cells.cell_at(self._sheet, self._row, 2 + at % _NUMBERED)
            cells.write_text(cell, f"[{self._sources.cite(cell, claim)}]")

    def _quote(self, block: PaperQuote) -> None:
        self._row += 1
        if block.title:
            self._text(block.title, cells.BOLD, indent=2)
        if block.about:
            self._text(" · ".join(block.about), cells.QUIET, indent=2)
        for text in (block.text, block.url or ""):
            if text:
                self._text(text, cells.PLAIN, indent=2)

    def _text(self, text: str, font: Font, *, indent: int = 0) -> None:
        self._row += 1
        cell = cells.cell_at(self._sheet, self._row, 1)
        cells.write_text(cell, text, wrap=True)
        cell.font = font
        if indent:
            cell.alignment = cells.Alignment(vertical="top", wrap_text=True, indent=indent)
        lines = cells.lines_in(text, _WIDTH * _BODY / font.size)
        cells.heighten(self._sheet, self._row, lines * font.size / _BODY)
