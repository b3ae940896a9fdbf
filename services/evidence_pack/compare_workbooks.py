"""A workbook beside an evidence pack: every cell of every sheet against the one written from it.

Values are compared, not how they look: comments, links, widths and colours may differ.
"""

import io
import re
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from services.core.lazy import import_later
from services.core.text import Text
from services.evidence_pack.compare_cells import CellComparison, same_cell, same_saved
from services.evidence_pack.size_limits import (
    LARGEST_WORKBOOK,
    MOST_CELLS,
    MOST_TAGS,
    MOST_WORKBOOK_PARTS,
    Fault,
    limit_unpacked,
    too_many_parts,
    unpacks_to_too_much,
)

if TYPE_CHECKING:
    import openpyxl
else:
    openpyxl = import_later("openpyxl")

_ENTRY = b"PK\x01\x02"
# What an XML part says its characters are; nothing says UTF-8.
_ENCODING = re.compile(rb"^\s*<\?xml[^>]*encoding\s*=\s*[\"']([^\"']*)")
_WIDEST_KEY = 60

Cells = dict[str, dict[tuple[int, int], str]]


class RefusedError(Exception):
    """A workbook that is not read: `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


def compare_workbooks(file: str, wanted: bytes, got: bytes) -> CellComparison:
    """What differs; a file that is no workbook, or is not read, is one difference."""
    done = CellComparison()
    try:
        after = read_workbook(got, file)
        before = read_workbook(wanted, file)
    except RefusedError as error:
        done.faults.append(error.fault)
        return done
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
    done: CellComparison,
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


def read_workbook(content: bytes, file: str) -> Cells:
    """The cells of each sheet that hold anything, as text.

    Raises: RefusedError for what is no workbook, has a document type of its own, or holds more
    than the limits.
    """
    try:
        book = openpyxl.load_workbook(
            io.BytesIO(_unpack_workbook(content, file)), read_only=True, keep_links=False
        )
        count = _Count(file)
        return {sheet.title: dict(_cells(sheet, count)) for sheet in book.worksheets}
    except (
        BadZipFile, KeyError, ValueError, TypeError, OSError, SyntaxError, EOFError,
        AttributeError, IndexError, ArithmeticError, RecursionError, NotImplementedError,
        RuntimeError, zlib.error,
    ):  # fmt: skip
        # openpyxl and zipfile tell a damaged file in as many ways
        said = Text("不是可读的 XLSX", "not a workbook that can be read")
        raise RefusedError(Fault(file, "unreadable", said)) from None


def _unpack_workbook(content: bytes, file: str) -> bytes:
    """The same workbook without compression: what is read of it is what was counted here.

    No entry is unpacked beyond the size it tells, and together they stay within the limits.
    """
    if content.count(_ENTRY) > MOST_WORKBOOK_PARTS:  # before zipfile lists them
        raise RefusedError(too_many_parts(file, MOST_WORKBOOK_PARTS))
    allowed = min(LARGEST_WORKBOOK, limit_unpacked(len(content)))
    left, tags, plain = allowed, 0, io.BytesIO()
    with ZipFile(io.BytesIO(content)) as archive, ZipFile(plain, "w", ZIP_STORED) as copy:
        for entry in archive.infolist():
            if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
                raise NotImplementedError  # zipfile unpacks the others without a bound
            if entry.file_size > left:
                raise RefusedError(unpacks_to_too_much(file, allowed))
            with archive.open(entry) as part:
                body = part.read(entry.file_size + 1)
            left -= len(body)
            tags += body.count(b"<")
            if tags > MOST_TAGS:
                said = Text(
                    f"超过 {MOST_TAGS} 个标签，未读取", f"more than {MOST_TAGS} tags: not read"
                )
                raise RefusedError(Fault(file, "too_many_values", said))
            if not _is_plain_xml(entry.filename, body):
                said = Text(
                    "含有文档类型声明或不是 UTF-8，未读取",
                    "it has a document type, or is not UTF-8: not read",
                )
                raise RefusedError(Fault(file, "unreadable", said))
            copy.writestr(entry.filename, body)
    return plain.getvalue()


def _is_plain_xml(name: str, body: bytes) -> bool:
    """Whether a part defines no entities: other encodings could hide that from a look at bytes."""
    if not name.lower().endswith((".xml", ".rels", ".vml")):
        return True
    said = _ENCODING.match(body[:200])
    utf8 = said is None or said[1].lower() in {b"utf-8", b"us-ascii"}
    wide = body[:2] in {b"\xff\xfe", b"\xfe\xff"} or b"\0" in body
    return utf8 and not wide and b"<!DOCTYPE" not in body


class _Count:
    """How many cells of a workbook were looked at, empty ones as well."""

    def __init__(self, file: str) -> None:
        self._file, self._count = file, 0

    def add(self, count: int) -> None:
        """Raises: RefusedError beyond the limit."""
        self._count += count
        if self._count > MOST_CELLS:
            said = Text(
                f"超过 {MOST_CELLS} 个单元格，未读取", f"more than {MOST_CELLS} cells: not read"
            )
            raise RefusedError(Fault(self._file, "too_many_values", said))


def _cells(sheet: Any, count: _Count) -> Iterator[tuple[tuple[int, int], str]]:
    for row in sheet.iter_rows():
        count.add(1 + len(row))
        for cell in row:
            if cell.value is None or cell.value == "":
                continue
            yield (cell.row, cell.column), _text(cell.value)


def _text(value: object) -> str:
    """A number as Python writes it, a day or an instant as ISO text."""
    if isinstance(value, float):
        return repr(value)
    isoformat = getattr(value, "isoformat", None)
    return str(isoformat()) if callable(isoformat) else str(value)
