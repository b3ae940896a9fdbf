"""A file beside an evidence pack: an export of it that a reader may have changed."""

from collections.abc import Mapping
from typing import NamedTuple

from services.reports.pack_cells import (
    Compared,
    CsvTable,
    compare_lines,
    compare_tables,
    read_csv,
)
from services.reports.pack_container import Fault
from services.reports.pack_parts import REPORT, TABLES, PackContent
from services.reports.pack_workbook import compare_workbooks
from services.reports.xlsx import paper_xlsx

LARGEST_FILE = 64 * 1024 * 1024


class Beside(NamedTuple):
    """A file by its name and content."""

    name: str
    content: bytes


class Held(NamedTuple):
    """What differs from the pack, and what is only worth knowing (`中文 | English`)."""

    faults: tuple[Fault, ...]
    notes: tuple[str, ...] = ()


def compare_beside(file: Beside, parts: Mapping[str, bytes], content: PackContent) -> Held:
    """The file against the table or the report of the pack that it is an export of."""
    if len(file.content) > LARGEST_FILE:
        return _refused(file, "too_large", "文件过大，没有核对", "too large: not checked")
    suffix = file.name.lower().rpartition(".")[2]
    if suffix in ("md", "markdown"):
        return _report(file, parts)
    if suffix == "csv":
        return _table(file, parts)
    if suffix == "xlsx":
        return _workbook(file, content)
    return _refused(
        file,
        "kind",
        "只能核对 CSV、XLSX 与 Markdown",
        "only CSV, XLSX and Markdown can be checked",
    )


def _report(file: Beside, parts: Mapping[str, bytes]) -> Held:
    try:
        text = file.content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _refused(file, "unreadable", "不是 UTF-8 文本", "not UTF-8 text")
    found = compare_lines(file.name, parts[REPORT].decode(errors="replace"), text)
    return _held(file, REPORT, found)


def _workbook(file: Beside, content: PackContent) -> Held:
    try:
        wanted = paper_xlsx(content.paper, content.by_id, content.trace)
    except (LookupError, ArithmeticError, ValueError, TypeError, RecursionError):
        return _refused(
            file, "rendering", "证据包写不成工作簿", "no workbook can be written of the pack"
        )
    return _held(file, "XLSX", compare_workbooks(file.name, wanted, file.content))


def _table(file: Beside, parts: Mapping[str, bytes]) -> Held:
    got = read_csv(file.content)
    if got is None:
        return _refused(file, "unreadable", "不是 UTF-8 的 CSV 表", "not a CSV table in UTF-8")
    tables = {name: read_csv(body) for name, body in parts.items() if name.startswith(TABLES)}
    known = {name: table for name, table in tables.items() if table is not None}
    part = _nearest(file.name, got, known)
    if part is None:
        return _refused(
            file, "no_such_table", "不属于包内任何一张表", "it belongs to no table of the pack"
        )
    return _held(file, part, compare_tables(file.name, known[part], got))


def _nearest(name: str, got: CsvTable, tables: Mapping[str, CsvTable]) -> str | None:
    """The table with the most columns in common, at least half; the one of its name among equals,
    then the one with the most rows in common.
    """

    def nearness(part: str) -> tuple[float, bool, int]:
        table = tables[part]
        shared = len(set(got.header) & set(table.header))
        common = shared / max(len(got.header), len(table.header))
        called = part.removeprefix(TABLES).removesuffix(".csv") in name
        return common, called, len(set(got.rows) & set(table.rows))

    best = max(tables, key=nearness, default=None)
    return best if best is not None and nearness(best)[0] >= 0.5 else None


def _held(file: Beside, part: str, found: Compared) -> Held:
    notes: list[str] = []
    if not found.faults:
        notes.append(f"{file.name} 与 {part} 一致 | {file.name} is as {part}")
    if found.reordered:
        notes.append(f"{file.name}：行的次序不同 | {file.name}: the rows are in another order")
    if found.rounded:
        count = found.rounded
        notes.append(
            f"{file.name}：{count} 个数被表格软件存为 15 位有效数字 | "
            f"{file.name}: a spreadsheet kept 15 digits of {count} numbers"
        )
    return Held(tuple(found.faults), tuple(notes))


def _refused(file: Beside, check: str, zh: str, en: str) -> Held:
    return Held((Fault(file.name, check, f"{zh} | {en}"),))
