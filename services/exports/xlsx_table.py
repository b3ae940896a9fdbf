"""One table as one sheet: title, what a reader must know, heads that stay, figures as numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from openpyxl.cell.cell import Cell
from openpyxl.worksheet.worksheet import Worksheet

from services.core.claims import Claim, Missing
from services.core.text import Language, Text
from services.exports import xlsx_cells as cells
from services.exports.footnotes import TERMS
from services.exports.paper import CitedCell, PaperColumn, PaperRow, PaperTable
from services.exports.xlsx_sources import Sources
from services.views.provenance import Ground

_UNIT = Text("单位", "Unit")
_GROUP = "\x00group"
_UNITS = "\x00units"
_NARROW, _BROAD = 9.0, 48.0
_HEAD_WIDTH = 24
_FEW = 6
_MOST_KEPT = 2
_TALL = 14


@dataclass(frozen=True, slots=True)
class _Head:
    """A column of the sheet: of the table, or one of ours; `of` is whose units it tells."""

    key: str
    label: str
    of: tuple[str, ...] = ()


def write_table(
    sheet: Worksheet, table: PaperTable, sources: Sources, ground: Ground, language: Language
) -> None:
    """The table. Raises: KeyError when a cited claim is not given."""
    _Writer(sheet, table, sources, ground, language).write()


class _Writer:
    def __init__(
        self,
        sheet: Worksheet,
        table: PaperTable,
        sources: Sources,
        ground: Ground,
        language: Language,
    ) -> None:
        self._sheet, self._table = sheet, table
        self._sources, self._ground = sources, ground
        self._language: Language = language
        self._columns = {column.key: column for column in table.columns}
        self._widths: dict[int, float] = {}
        self._long: list[tuple[int, int, str]] = []
        self._scales: dict[str, cells.Scale] = {}
        self._shared: tuple[str, ...] = ()

    def write(self) -> None:
        sheet, table = self._sheet, self._table
        said = [table.title, table.days] if table.days else [table.title]
        self._write_text(1, " · ".join(said), cells.HEADING)
        top = 2
        if table.note:
            self._write_text(
                top, self._render_places(table.note, cells.cell_at(sheet, top)), cells.QUIET
            )
            top += 1
        heads = self._heads()
        for at, head in enumerate(heads, 1):
            self._head(cells.cell_at(sheet, top, at), head)
        for row, given in enumerate(table.rows, top + 1):
            for at, head in enumerate(heads, 1):
                self._write(cells.cell_at(sheet, row, at), head, given)
        if not table.rows:
            self._write_text(top + 1, TERMS["empty"].in_language(self._language), cells.QUIET)
        for at, width in self._widths.items():
            self._widths[at] = min(_BROAD, max(_NARROW, width))
            cells.fit(sheet, at, self._widths[at])
        self._heighten()
        if table.rows:
            last = cells.get_column_letter(len(heads))
            sheet.auto_filter.ref = f"A{top}:{last}{top + len(table.rows)}"
        sheet.freeze_panes = cells.cell_at(sheet, top + 1, 1 + self._count_kept(heads))
        cells.for_print(sheet, head=top, landscape=len(heads) > _FEW)

    def _heighten(self) -> None:
        """Rows whose texts take several lines."""
        tall: dict[int, int] = {}
        for row, column, text in self._long:
            tall[row] = max(tall.get(row, 1), cells.lines_in(text, self._widths[column]))
        for row, lines in tall.items():
            cells.heighten(self._sheet, row, min(lines, _TALL))

    def _heads(self) -> list[_Head]:
        """The columns; units that differ get one where they belong to rows, else one a column."""
        mixed: dict[str, list[set[str]]] = {}
        labels: dict[str, str] = {}
        for column in self._table.columns:
            labels[column.key] = column.label
            if column.kind != "figure":
                continue
            given = [claim for row in self._table.rows if (claim := self._claim(row, column))]
            units = {claim.unit for claim in given}
            if len(units) == 1:
                self._scales[column.key] = cells.scale_of(given, self._language)
                labels[column.key] = self._with_unit(column, units.pop())
            elif units:
                mixed[column.key] = []
        shared = self._shared = tuple(mixed) if self._by_row(tuple(mixed)) else ()
        grouped = any(row.group is not None for row in self._table.rows)
        heads = [_Head(_GROUP, TERMS["group"].in_language(self._language))] if grouped else []
        for column in self._table.columns:
            if shared and column.key == shared[0]:
                heads.append(_Head(_UNITS, _UNIT.in_language(self._language), shared))
            heads.append(_Head(column.key, labels[column.key]))
            if column.key in mixed and not shared:
                said = f"{column.label} · {_UNIT.in_language(self._language)}"
                heads.append(_Head(_UNITS, said, (column.key,)))
        return heads

    def _by_row(self, keys: Sequence[str]) -> bool:
        rows = (self._units(row, keys) for row in self._table.rows)
        return bool(keys) and all(len(units) < 2 for units in rows)

    def _units(self, row: PaperRow, keys: Sequence[str]) -> set[str]:
        found = (self._claim(row, self._columns[key]) for key in keys)
        return {claim.unit for claim in found if claim}

    def _claim(self, row: PaperRow, column: PaperColumn) -> Claim | None:
        cell = row.cells.get(column.key)
        return self._ground.claims[cell.claim] if isinstance(cell, CitedCell) else None

    def _with_unit(self, column: PaperColumn, code: str) -> str:
        unit = cells.unit_name(code, self._scales[column.key], self._language)
        return (
            f"{column.label} ({unit})" if unit and not column.label.endswith(unit) else column.label
        )

    def _scale(self, row: PaperRow, keys: Sequence[str]) -> cells.Scale:
        """That of the column where it has one unit, else of the row's figures that share one."""
        if len(keys) == 1 and keys[0] in self._scales:
            return self._scales[keys[0]]
        found = (self._claim(row, self._columns[key]) for key in keys)
        return cells.scale_of([claim for claim in found if claim], self._language)

    def _unit_names(self, row: PaperRow, keys: Sequence[str]) -> str:
        scale = self._scale(row, keys)
        units = sorted(self._units(row, keys))
        return "".join(cells.unit_name(unit, scale, self._language) for unit in units)

    def _head(self, cell: Cell, head: _Head) -> None:
        cells.write_text(cell, head.label, wrap=True)
        column = self._columns.get(head.key)
        right = column is not None and column.kind == "figure"
        cell.font, cell.fill, cell.border = cells.BOLD, cells.HEAD_FILL, cells.RULE
        cell.alignment = cells.Alignment(
            vertical="center", wrap_text=True, horizontal="right" if right else "left"
        )
        self._widen(cell, min(cells.wide(head.label), _HEAD_WIDTH))
        if cells.wide(head.label) > _HEAD_WIDTH:
            self._long.append((cell.row, cell.column, head.label))

    def _write(self, cell: Cell, head: _Head, row: PaperRow) -> None:
        cell.border = cells.HAIR
        if head.key == _UNITS:
            self._plain(cell, self._unit_names(row, head.of))
        elif head.key == _GROUP:
            self._plain(cell, row.group or "")
        else:
            self._write_cell(cell, row, self._columns[head.key])

    def _write_cell(self, cell: Cell, row: PaperRow, column: PaperColumn) -> None:
        given = row.cells.get(column.key)
        if isinstance(given, CitedCell):
            self._figure(cell, self._ground.claims[given.claim], row, column)
        elif isinstance(given, Missing):
            cells.write_missing(cell)
            self._sources.cite(cell, given)
        elif given is not None and column.kind == "date":
            cells.write_day(cell, given)
            self._widen(cell, len(given))
        elif given is not None:
            self._plain(cell, self._render_places(given, cell) if column.kind == "prose" else given)

    def _figure(self, cell: Cell, claim: Claim, row: PaperRow, column: PaperColumn) -> None:
        scale = self._scale(row, self._find_sharing(column))
        cells.write_number(cell, claim.value, cells.number_form(claim), scale)
        self._sources.cite(cell, claim)
        self._widen(cell, len(f"{claim.value / float(scale.worth):,.2f}"))

    def _find_sharing(self, column: PaperColumn) -> Sequence[str]:
        """The columns whose figures of a row have one unit with that of this one."""
        return self._shared if column.key in self._shared else (column.key,)

    def _plain(self, cell: Cell, text: str) -> None:
        long = cells.wide(text) > _BROAD - 2 or "\n" in text
        cells.write_text(cell, text, wrap=long)
        if long:
            self._long.append((cell.row, cell.column, text))
        self._widen(cell, cells.wide(text))

    def _render_places(self, template: str, cell: Cell) -> str:
        return self._sources.cite_figures(template, self._language, cell)

    def _write_text(self, row: int, text: str, font: cells.Font) -> None:
        cells.write_text(cells.cell_at(self._sheet, row, 1), text)
        cells.cell_at(self._sheet, row, 1).font = font

    def _widen(self, cell: Cell, width: float) -> None:
        at = cell.column
        self._widths[at] = max(self._widths.get(at, 0.0), width + 2)

    def _count_kept(self, heads: Sequence[_Head]) -> int:
        """How many columns stay in sight at the left: those that name the row, up to two."""
        kept = 0
        for head in heads[:_MOST_KEPT]:
            column = self._columns.get(head.key)
            if head.key == _UNITS or (column and column.kind not in {"text", "symbol", "date"}):
                break
            kept += 1
        return kept if kept < len(heads) else 0
