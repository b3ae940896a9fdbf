"""A workbook beside an evidence pack: every cell of every sheet against the one written from it.

Values are compared, not how they look: comments, links, widths and colours may differ.
"""

import io
from collections.abc import Iterator
from typing import Any
from zipfile import BadZipFile, ZipFile

from openpyxl import load_workbook

from services.reports.pack_cells import Compared, same_cell, same_saved
from services.reports.pack_container import Fault

LARGEST_WORKBOOK = 64 * 1024 * 1024
MOST_PARTS = 500
MOST_CELLS = 500_000
_WIDEST_KEY = 60

Cells = dict[str, dict[tuple[int, int], str]]


def compare_workbooks(file: str, wanted: bytes, got: bytes) -> Compared:
    """What differs; a file that is no workbook is one difference."""
    done = Compared()
    after = read_workbook(got)
    if after is None:
        said = "不是可读的 XLSX，或过大 | not a workbook that can be read, or too large"
        done.faults.append(Fault(file, "unreadable", said))
        return done
    before = read_workbook(wanted) or {}
    for name in before.keys() ^ after.keys():
        check = "sheet_missing" if name in before else "sheet_extra"
        done.differs(f"{file} sheet {name}", check, *_either(name, before))
    for name in before.keys() & after.keys():
        _compare_sheet(f"{file} sheet {name}", before[name], after[name], done)
    return done


def _either(name: str, before: Cells) -> tuple[str, str]:
    return (name, "") if name in before else ("", name)


def _compare_sheet(
    place: str,
    before: dict[tuple[int, int], str],
    after: dict[tuple[int, int], str],
    done: Compared,
) -> None:
    for at in sorted(before.keys() | after.keys()):
        one, two = before.get(at, ""), after.get(at, "")
        done.count += 1
        if same_cell(one, two):
            continue
        if same_saved(one, two):
            done.rounded += 1
            continue
        row, column = at
        key = next((before[row, c] for c in range(1, column) if (row, c) in before), "")
        about = f" ({key[:_WIDEST_KEY]})" if key else ""
        done.differs(f"{place} {_coordinate(row, column)}{about}", "cell_equal", one, two)


def _coordinate(row: int, column: int) -> str:
    letters = ""
    while column:
        column, left = divmod(column - 1, 26)
        letters = chr(ord("A") + left) + letters
    return f"{letters}{row}"


def read_workbook(content: bytes) -> Cells | None:
    """The cells of each sheet that hold anything, as text; None for what is no workbook, says it
    is larger than the limits, or has a document type of its own.
    """
    try:
        if not _is_harmless(content):
            return None
        book = load_workbook(io.BytesIO(content), read_only=True)
        return {sheet.title: dict(_cells(sheet)) for sheet in book.worksheets}
    except (BadZipFile, KeyError, ValueError, TypeError, OSError, SyntaxError, _TooLargeError):
        return None  # openpyxl tells a damaged file in as many ways


class _TooLargeError(Exception):
    """More cells than are looked at."""


def _is_harmless(content: bytes) -> bool:
    with ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        if len(entries) > MOST_PARTS or sum(e.file_size for e in entries) > LARGEST_WORKBOOK:
            return False
        # A size that is not true ends in an error of its own: no more than it is ever unpacked.
        return not any(b"<!DOCTYPE" in archive.read(entry)[:1024] for entry in entries)


def _cells(sheet: Any) -> Iterator[tuple[tuple[int, int], str]]:
    count = 0
    for row in sheet.iter_rows():
        for cell in row:
            if cell.value is None or cell.value == "":
                continue
            count += 1
            if count > MOST_CELLS:
                raise _TooLargeError
            yield (cell.row, cell.column), _text(cell.value)


def _text(value: object) -> str:
    """A number as Python writes it, a day or an instant as ISO text."""
    if isinstance(value, float):
        return repr(value)
    isoformat = getattr(value, "isoformat", None)
    return str(isoformat()) if callable(isoformat) else str(value)
