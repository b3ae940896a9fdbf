"""The lines of a file around what it says otherwise, as a reader looks at them."""

from typing import NamedTuple

from services.evidence_pack.compare_cells import read_csv, row_key
from services.evidence_pack.compare_exports import Beside
from services.evidence_pack.verify import PackFinding

# So many lines stand above and below the one that is wrong.
_AROUND = 2


class ShownLine(NamedTuple):
    """A line by its number: what stands before what differs, that, and what stands behind it."""

    number: int
    before: str
    wrong: str = ""
    after: str = ""


def lines_around(file: Beside, found: PackFinding) -> tuple[ShownLine, ...]:
    """The lines next to the one that differs and that line itself; of a table what names each row,
    and the cell of that column alone.
    """
    lines = _rows(file, found.column) if found.column else _lines(file)
    first = max(0, found.line - 1 - _AROUND)
    near = list(enumerate(lines[first : found.line + _AROUND], first + 1))
    return tuple(
        _marked(number, *told, found.got)
        if number == found.line
        else ShownLine(number, "".join(told))
        for number, told in near
    )


def _marked(number: int, named: str, text: str, wrong: str) -> ShownLine:
    before, found, after = text.partition(wrong) if wrong else (text, "", "")
    return ShownLine(number, named + before, found, after)


def _lines(file: Beside) -> list[tuple[str, str]]:
    text = file.content.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    return [("", line) for line in text.split("\n")]


def _rows(file: Beside, column: str) -> list[tuple[str, str]]:
    """What names each row and its cell in the column; the head first."""
    table = read_csv(file.content)
    if table is None or column not in table.header:
        return []
    at, called = table.header.index(column), f"{column}_name"
    label = (
        next((row[table.header.index(called)] for row in table.rows), "")
        if (called in table.header)
        else column
    )
    rows = [(f"{row_key(table.header, row)} · ", row[at]) for row in table.rows]
    return [("", label), *rows]
