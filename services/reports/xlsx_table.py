"""One table as one sheet: title, what a reader must know, heads that stay, figures as numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from openpyxl.cell.cell import Cell
from openpyxl.worksheet.worksheet import Worksheet

from services.core.claims import Claim, Missing
from services.core.rendering import Language
from services.core.units import UNITS
from services.reports import xlsx_cells as cells
from services.reports.footnotes import TERMS
from services.reports.paper import CitedCell, PaperCell, PaperColumn, PaperRow, PaperTable
from services.reports.provenance import Ground
from services.reports.table import Words
from services.reports.xlsx_sources import Sources

_UNIT = Words("单位", "Unit")
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

    def write(self) -> None:
        sheet, table = self._sheet, self._table
        self._said(1, table.title, cells.HEADING)
        top = 2
        if table.note:
            self._said(top, self._rendered(table.note, cells.cell_at(sheet, top)), cells.QUIET)
            top += 1
        heads = self._heads()
        for at, head in enumerate(heads, 1):
            self._head(cells.cell_at(sheet, top, at), head)
        for row, given in enumerate(table.rows, top + 1):
            for at, head in enumerate(heads, 1):
                self._write(cells.cell_at(sheet, row, at), head, given)
        if not table.rows:
            self._said(top + 1, TERMS["empty"].text(self._language), cells.QUIET)
        for at, width in self._widths.items():
            self._widths[at] = min(_BROAD, max(_NARROW, width))
            cells.fit(sheet, at, self._widths[at])
        self._heighten()
        sheet.freeze_panes = cells.cell_at(sheet, top + 1, 1 + self._kept(heads))
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
            units = {claim.unit for row in self._table.rows if (claim := self._claim(row, column))}
            if len(units) == 1:
                labels[column.key] = self._with_unit(column.label, units.pop())
            elif units:
                mixed[column.key] = []
        shared = tuple(mixed) if self._by_row(tuple(mixed)) else ()
        grouped = any(row.group is not None for row in self._table.rows)
        heads = [_Head(_GROUP, TERMS["group"].text(self._language))] if grouped else []
        for column in self._table.columns:
            if shared and column.key == shared[0]:
                heads.append(_Head(_UNITS, _UNIT.text(self._language), shared))
            heads.append(_Head(column.key, labels[column.key]))
            if column.key in mixed and not shared:
                said = f"{column.label} · {_UNIT.text(self._language)}"
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

    def _with_unit(self, label: str, code: str) -> str:
        unit = self._unit_name(code)
        return f"{label} ({unit})" if unit and not label.endswith(unit) else label

    def _unit_name(self, code: str) -> str:
        unit = UNITS[code]
        return unit.zh if self._language == "zh" else unit.en

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
            names = [self._unit_name(unit) for unit in sorted(self._units(row, head.of))]
            self._plain(cell, "".join(names))
        elif head.key == _GROUP:
            self._plain(cell, row.group or "")
        else:
            self._given(cell, row.cells.get(head.key), self._columns[head.key])

    def _given(self, cell: Cell, given: PaperCell, column: PaperColumn) -> None:
        if isinstance(given, CitedCell):
            claim = self._ground.claims[given.claim]
            form = cells.number_form(claim)
            cells.write_number(cell, claim.value, form)
            self._sources.cite(cell, claim)
            self._widen(cell, len(f"{claim.value:,.2f}"))
        elif isinstance(given, Missing):
            cells.write_text(cell, "—")
            cell.alignment = cells.Alignment(vertical="top", horizontal="right")
            self._sources.cite(cell, given)
        elif given is not None and column.kind == "date":
            cells.write_day(cell, given)
            self._widen(cell, len(given))
        elif given is not None:
            self._plain(cell, self._rendered(given, cell) if column.kind == "prose" else given)

    def _plain(self, cell: Cell, text: str) -> None:
        long = cells.wide(text) > _BROAD - 2 or "\n" in text
        cells.write_text(cell, text, wrap=long)
        if long:
            self._long.append((cell.row, cell.column, text))
        self._widen(cell, cells.wide(text))

    def _rendered(self, template: str, cell: Cell) -> str:
        return self._sources.cited(template, self._language, cell)

    def _said(self, row: int, text: str, font: cells.Font) -> None:
        cells.write_text(cells.cell_at(self._sheet, row, 1), text)
        cells.cell_at(self._sheet, row, 1).font = font

    def _widen(self, cell: Cell, width: float) -> None:
        at = cell.column
        self._widths[at] = max(self._widths.get(at, 0.0), width + 2)

    def _kept(self, heads: Sequence[_Head]) -> int:
        """How many columns stay in sight at the left: those that name the row, up to two."""
        kept = 0
        for head in heads[:_MOST_KEPT]:
            column = self._columns.get(head.key)
            if head.key == _UNITS or (column and column.kind not in {"text", "symbol", "date"}):
                break
            kept += 1
        return kept if kept < len(heads) else 0
