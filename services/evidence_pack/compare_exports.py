"""A file beside an evidence pack: an export of it that a reader may have changed."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from services.core.lazy import import_later
from services.core.text import Text
from services.evidence_pack.compare_cells import (
    CellComparison,
    CsvTable,
    compare_lines,
    compare_tables,
    read_csv,
)
from services.evidence_pack.compare_workbooks import compare_workbooks
from services.evidence_pack.consequences import with_consequences
from services.evidence_pack.parts import REPORT, TABLES, PackContent, PackManifest
from services.evidence_pack.size_limits import LARGEST_FILE, Fault, content_fault, too_large
from services.evidence_pack.weigh_text import TextFigure, is_copy, weigh_text
from services.exports.csv import paper_csv, table_files

if TYPE_CHECKING:
    from services.exports import xlsx
else:
    xlsx = import_later("services.exports.xlsx")

# When a workbook was written is no cell of it: only cells are compared.
_ANY_TIME = datetime(1980, 1, 1, tzinfo=UTC)


class Beside(NamedTuple):
    """A file by its name and content."""

    name: str
    content: bytes


class ExportDifferences(NamedTuple):
    """What differs from the pack, and what is only worth knowing."""

    faults: tuple[Fault, ...]
    notes: tuple[Text, ...] = ()
    figures: tuple[TextFigure, ...] = ()


def compare_beside(
    file: Beside, parts: Mapping[str, bytes], content: PackContent, manifest: PackManifest
) -> ExportDifferences:
    """The file against the table or the report of the pack that it is an export of; a text of
    somebody's own against its figures.
    """
    if len(file.content) > LARGEST_FILE:
        return ExportDifferences((too_large(file.name, len(file.content), LARGEST_FILE),))
    suffix = file.name.lower().rpartition(".")[2]
    fault = None if suffix == "xlsx" else content_fault(file.name, file.content)
    if fault is not None:
        return ExportDifferences((fault,))
    if suffix in ("md", "markdown", "txt"):
        return _report(file, parts, content, manifest)
    if suffix == "csv":
        return _table(file, parts, content)
    if suffix == "xlsx":
        return _workbook(file, content)
    return _refuse_file(
        file,
        "kind",
        "只能核对 CSV、XLSX、Markdown 与文字",
        "only CSV, XLSX, Markdown and plain text can be checked",
    )


def _report(
    file: Beside, parts: Mapping[str, bytes], content: PackContent, manifest: PackManifest
) -> ExportDifferences:
    try:
        text = file.content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _refuse_file(file, "unreadable", "不是 UTF-8 文本", "not UTF-8 text")
    if REPORT not in parts:
        return _refuse_file(file, "part_missing", f"包内没有 {REPORT}", f"the pack has no {REPORT}")
    report = parts[REPORT].decode(errors="replace")
    if not is_copy(text, report):
        faults, figures = weigh_text(file.name, text, content, manifest)
        return ExportDifferences(faults, figures=figures)
    found = compare_lines(file.name, report, text)
    return _hold(file, REPORT, found, content)


def _workbook(file: Beside, content: PackContent) -> ExportDifferences:
    try:
        wanted = xlsx.paper_xlsx(content.paper, content.by_id, content.trace, _ANY_TIME)
    except (LookupError, ArithmeticError, ValueError, TypeError, RecursionError):
        return _refuse_file(
            file, "rendering", "证据包写不成工作簿", "no workbook can be written of the pack"
        )
    return _hold(file, "XLSX", compare_workbooks(file.name, wanted, file.content), content)


def _table(file: Beside, parts: Mapping[str, bytes], content: PackContent) -> ExportDifferences:
    got = read_csv(file.content)
    if got is None:
        return _refuse_file(file, "unreadable", "不是 UTF-8 的 CSV 表", "not a CSV table in UTF-8")
    bodies = {name: body for name, body in parts.items() if name.startswith(TABLES)}
    tables = {name: read_csv(body) for name, body in (bodies | _plain_tables(content)).items()}
    known = {name: table for name, table in tables.items() if table is not None}
    part = _nearest(file.name, got, known)
    if part is None:
        return _refuse_file(
            file, "no_such_table", "不属于包内任何一张表", "it belongs to no table of the pack"
        )
    return _hold(file, part, compare_tables(file.name, known[part], got), content)


def _plain_tables(content: PackContent) -> dict[str, bytes]:
    """The tables in the plain form of the exports, which no pack holds."""
    paper = content.paper
    return {
        f"{TABLES}{name} (plain)": paper_csv(
            table, content.by_id, content.trace, paper.language, "plain"
        )
        for name, table in table_files(paper).items()
    }


def _nearest(name: str, got: CsvTable, tables: Mapping[str, CsvTable]) -> str | None:
    """The table with the most columns in common, at least half; the one of its name among equals,
    then the one with the most rows in common.
    """

    def nearness(part: str) -> tuple[float, bool, int]:
        table = tables[part]
        shared = len(set(got.header) & set(table.header))
        common = shared / max(len(got.header), len(table.header))
        called = part.removeprefix(TABLES).removesuffix(" (plain)").removesuffix(".csv") in name
        return common, called, len(set(got.rows) & set(table.rows))

    best = max(tables, key=nearness, default=None)
    return best if best is not None and nearness(best)[0] >= 0.5 else None


def _hold(
    file: Beside, part: str, found: CellComparison, content: PackContent
) -> ExportDifferences:
    notes: list[Text] = []
    if not found.faults:
        notes.append(Text(f"{file.name} 与 {part} 一致", f"{file.name} is as {part}"))
    if found.reordered:
        notes.append(
            Text(f"{file.name}：行的次序不同", f"{file.name}: the rows are in another order")
        )
    if found.rounded:
        count = found.rounded
        notes.append(
            Text(
                f"{file.name}：{count} 个数被表格软件存为 15 位有效数字",
                f"{file.name}: a spreadsheet kept 15 digits of {count} numbers",
            )
        )
    faults = with_consequences(found.faults, found.stands, content)
    return ExportDifferences(faults, tuple(notes))


def _refuse_file(file: Beside, check: str, zh: str, en: str) -> ExportDifferences:
    return ExportDifferences((Fault(file.name, check, Text(zh, en)),))
