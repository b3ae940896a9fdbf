"""A paper as a workbook: the text in reading order, a sheet a table, and a sheet of sources. It
opens on the table with the most figures.

Every figure is a number in full precision in the unit its heading says (amounts in 亿 or 万, in
English in bn or m; a percentage in percent) and leads to its row of 出处; one that is not there is
an empty cell that leads to the reason. The same paper at the same time gives the same bytes.
"""

import io
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from services.core.claims import Claim
from services.core.trace import Trace
from services.exports.paper import CitedCell, Paper, PaperTable
from services.exports.xlsx_cells import place_in, sheet_name
from services.exports.xlsx_sources import TITLE, Sources
from services.exports.xlsx_table import write_table
from services.exports.xlsx_text import FIRST, write_text_sheet
from services.views.provenance import Ground

_MAKER = "Youju 有据"
# ZIP knows no instant before it.
_BEGINNING = datetime(1980, 1, 1, tzinfo=UTC)
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*(</dcterms:modified>)")


def paper_xlsx(paper: Paper, claims: Mapping[str, Claim], trace: Trace, made_at: datetime) -> bytes:
    """The workbook; `made_at` is the real time it is written at, which its properties say.

    Raises: KeyError when a cited claim or call is not given.
    """
    ground = Ground(claims, trace)
    book = Workbook()
    first = book.active
    assert first is not None  # noqa: S101 — a new workbook has a sheet
    taken: set[str] = set()
    first.title = sheet_name(FIRST.in_language(paper.language), taken)
    sources_name = sheet_name(TITLE.in_language(paper.language), taken)
    tables = [book.create_sheet(sheet_name(table.title, taken)) for table in paper.tables]
    last = book.create_sheet(sources_name)
    sources = Sources(last, ground, paper.language)
    write_text_sheet(first, paper, sources, ground, [place_in(sheet, 1) for sheet in tables])
    for sheet, table in zip(tables, paper.tables, strict=True):
        write_table(sheet, table, sources, ground, paper.language)
    sources.write(paper.run_ids)
    _open_on(
        book, max(zip(paper.tables, tables, strict=True), key=_figures, default=(None, first))[1]
    )
    return _save_book(book, paper.title, made_at)


def _figures(one: tuple[PaperTable, Worksheet]) -> int:
    return sum(isinstance(cell, CitedCell) for row in one[0].rows for cell in row.cells.values())


def _open_on(book: Workbook, sheet: Worksheet) -> None:
    """Show that sheet first; two that are chosen would be typed into together."""
    book.active = sheet
    for one in book.worksheets:
        one.sheet_view.tabSelected = one is sheet


def _save_book(book: Workbook, title: str, made_at: datetime) -> bytes:
    """The file with that instant for every date in it: what its figures are of, its cells say."""
    made = max(made_at.astimezone(UTC), _BEGINNING).replace(microsecond=0, tzinfo=None)
    book.properties.creator = _MAKER
    book.properties.title = " ".join(title.split())
    book.properties.created = made
    buffer = io.BytesIO()
    book.save(buffer)
    stamp = made.timetuple()[:6]
    packed = io.BytesIO()
    with ZipFile(buffer) as written, ZipFile(packed, "w", ZIP_DEFLATED) as fixed:
        for name in sorted(written.namelist(), key=_in_order):
            content = written.read(name)
            if name == "docProps/core.xml":
                said = rf"\g<1>{made.isoformat()}Z\g<2>".encode()
                content = _MODIFIED.sub(said, content)
            entry = ZipInfo(name, stamp)
            entry.compress_type = ZIP_DEFLATED
            fixed.writestr(entry, content)
    return packed.getvalue()


def _in_order(name: str) -> tuple[bool, str]:
    """What the parts are comes first, as readers that look at the beginning of a file expect."""
    return (name != "[Content_Types].xml", name)
