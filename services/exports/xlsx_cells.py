"""Cells of a workbook: text that is never a formula, figures in full precision, links, styles.

openpyxl writes a float with sixteen digits and takes a text with `=` in front for a formula; here
a double keeps all its digits and a text stays one.
"""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple, cast

from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE, Cell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from services.core.claims import Claim
from services.core.rendering import SIGNED, show
from services.core.text import Language
from services.core.units import UNITS, WAN, YI
from services.market.splits import SPLIT_MARK, split_of

_DANGEROUS = frozenset("=+-@\t\r\n'＝＋－＠")
_INVISIBLE = " \u00a0\u3000\u200b\ufeff"
# Excel reads _x0041_ in a text as the letter A.
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_LONGEST = 32_000
_LONGEST_TIP = 250
# Excel follows 65,530 links on a sheet and repairs a file with more.
MOST_LINKS = 65_000
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ZERO = date(1899, 12, 30)
_WIDE = frozenset("WFA")
_LINE_HEIGHT = 15.5

_FACE = "Calibri"
PLAIN = Font(name=_FACE, size=11)
TITLE = Font(name=_FACE, size=16, bold=True)
HEADING = Font(name=_FACE, size=13, bold=True)
BOLD = Font(name=_FACE, size=11, bold=True)
QUIET = Font(name=_FACE, size=11, color="FF5F6368")
LINKED = Font(name=_FACE, size=11, color="FF1F4E79")
NONE_FILL = PatternFill("solid", fgColor="FFF5F5F5")
HEAD_FILL = PatternFill("solid", fgColor="FFEFF2F6")
RULE = Border(bottom=Side(style="thin", color="FF9AA5B1"))
HAIR = Border(bottom=Side(style="hair", color="FFC9CED6"))


class Scale(NamedTuple):
    """How many of the claims' own unit one of the cell is worth, and the word for it."""

    worth: Decimal
    word: str


_ITSELF = Scale(Decimal(1), "")
_SCALES: Mapping[Language, tuple[Scale, ...]] = {
    "zh": (Scale(YI, "亿"), Scale(WAN, "万")),
    "en": (Scale(Decimal(10) ** 9, "bn"), Scale(Decimal(10) ** 6, "m")),
}


def scale_of(claims: Iterable[Claim], language: Language) -> Scale:
    """The one scale that amounts of a unit are written in: that of the largest of them."""
    largest = max((show(claim, language).scale for claim in claims), default=Decimal(1))
    return next((one for one in _SCALES[language] if one.worth <= largest), _ITSELF)


def unit_name(code: str, scale: Scale, language: Language) -> str:
    """The unit of a column of figures: 亿元, bn CNY, 倍; empty where figures have none."""
    unit = UNITS[code]
    if language == "zh":
        return scale.word + unit.zh
    return f"{scale.word} {unit.en}".strip()


def cell_at(sheet: Worksheet, row: int, column: int = 1) -> Cell:
    """The cell; no sheet of ours has merged ones."""
    return cast(Cell, sheet.cell(row, column))


def write_text(cell: Cell, text: str, *, wrap: bool = False) -> None:
    """Text as text, whatever it begins with; what no workbook can hold becomes a space."""
    said = ILLEGAL_CHARACTERS_RE.sub(" ", text)
    said = _ESCAPED.sub("_x005F_", said)
    if len(said) > _LONGEST:
        said = said[:_LONGEST] + "…"
    cell.value = said
    cell.data_type = "s"
    if said.lstrip(_INVISIBLE)[:1] in _DANGEROUS and said:
        cell.quotePrefix = True  # pyright: ignore[reportAttributeAccessIssue] — a descriptor
    cell.alignment = Alignment(vertical="top", wrap_text=wrap)


def write_number(cell: Cell, value: float, form: str, scale: Scale = _ITSELF) -> None:
    """A number with every digit it has, in that scale: the division by a power of ten is exact."""
    cell.value = repr(float(value)) if scale is _ITSELF else str(_divide_scale(value, scale))
    cell.data_type = "n"
    cell.number_format = form
    cell.alignment = Alignment(vertical="top", horizontal="right", indent=1)


def _divide_scale(value: float, scale: Scale) -> Decimal:
    return Decimal(repr(float(value))).scaleb(-scale.worth.adjusted())


def write_missing(cell: Cell) -> None:
    """A figure that is not there: an empty cell, so that a column of numbers has no text in it."""
    cell.fill = NONE_FILL
    cell.alignment = Alignment(vertical="top", horizontal="right")


def write_day(cell: Cell, text: str) -> None:
    """A day as a day of the calendar; anything else, as an instant with its zone, as text."""
    found = _as_day(text)
    if found is None:
        write_text(cell, text)
        return
    write_number(cell, (found - _ZERO) / timedelta(days=1), "yyyy-mm-dd")
    cell.alignment = Alignment(vertical="top", horizontal="left")


def _as_day(text: str) -> date | None:
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def number_form(claim: Claim) -> str:
    """How the figure is shown: with the digits pages print; the cell holds all of them."""
    digits = show(claim).digits
    plain = "#,##0" + ("." + "0" * digits if digits else "")
    if split_of(claim):
        plain += f'"{SPLIT_MARK}"'
    return f"+{plain};-{plain};{plain}" if claim.metric in SIGNED else plain


def link(cell: Cell, target: str, tip: str = "") -> None:
    """Make the cell lead to a place in the workbook (`'Sheet'!A1`), with a few words on hovering.

    The tip is text: it is shown and never run.
    """
    said = ILLEGAL_CHARACTERS_RE.sub(" ", " ".join(tip.split()))[:_LONGEST_TIP]
    empty = cell.value is None
    cell.hyperlink = Hyperlink(ref=cell.coordinate, location=target, tooltip=said or None)
    if empty:
        cell.value = None  # openpyxl writes the address into an empty cell
    cell.font = LINKED


def place_in(sheet: Worksheet, row: int, column: int = 1) -> str:
    """The address of a cell, for a link."""
    name = str(sheet.title).replace("'", "''")
    return f"'{name}'!{get_column_letter(column)}{row}"


def wide(text: Any) -> int:
    """How many columns of a fixed font the longest line of a text takes."""
    lines = str(text).split("\n")
    return max(
        sum(2 if unicodedata.east_asian_width(one) in _WIDE else 1 for one in line)
        for line in lines
    )


def fit(sheet: Worksheet, column: int, width: float) -> None:
    """Set the width of a column."""
    sheet.column_dimensions[get_column_letter(column)].width = width


def heighten(sheet: Worksheet, row: int, lines: float) -> None:
    """Set the height of a row to so many lines: not every program works it out by itself."""
    sheet.row_dimensions[row].height = _LINE_HEIGHT * lines


def lines_in(text: str, width: float) -> int:
    """How many lines a text takes in a column of that width."""
    room = max(4.0, width - 1)
    return sum(max(1, math.ceil(wide(line) / room)) for line in text.split("\n"))


def for_print(sheet: Worksheet, *, head: int | None, landscape: bool, across: int = 1) -> None:
    """A4, so many pages wide, the heads of a table on each page."""
    sheet.page_setup.paperSize = 9
    sheet.page_setup.orientation = "landscape" if landscape else "portrait"
    sheet.page_setup.fitToWidth = across
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True  # pyright: ignore[reportOptionalMemberAccess]
    sheet.oddFooter.center.text = "&P / &N"  # pyright: ignore[reportOptionalMemberAccess]
    if head is not None:
        sheet.print_title_rows = f"{head}:{head}"


def sheet_name(text: str, taken: set[str]) -> str:
    """A legal name of a sheet like this text, none of `taken` (lower case), which it joins."""
    plain = re.sub(r"[\[\]:*?/\\\x00-\x1f]", " ", text)
    plain = ILLEGAL_CHARACTERS_RE.sub(" ", " ".join(plain.split())).strip("' ")[:31] or "Sheet"
    name, at = plain, 1
    while name.lower() in taken or name.lower() == "history":
        at += 1
        ending = f" {at}"
        name = plain[: 31 - len(ending)] + ending
    taken.add(name.lower())
    return name
