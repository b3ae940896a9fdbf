"""The sheet 出处: one row a figure of the workbook, with everything that says where it is from.

A derived figure's row names the rows of its inputs, and these stand in the sheet too, down to the
fetches.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

from openpyxl.cell.cell import Cell
from openpyxl.worksheet.worksheet import Worksheet

from services.core.claims import Claim, DerivedCite, Figure, Missing
from services.core.rendering import PLACE, show, style_of
from services.core.source_marks import note_text
from services.core.text import Language, Text
from services.core.units import UNITS
from services.exports import xlsx_cells as cells
from services.exports.footnotes import Numbering, note_words
from services.views.provenance import Ground, Provenance

TITLE = Text("出处", "Sources")
_HEAD_ROW = 2
_NOTE = Text(
    "每个数字一行：编号可跳回它第一次出现的地方；推算的数，其输入也各有一行。",
    "One row a figure: the number leads back to where it is used first; the inputs of a derived "
    "figure have rows of their own.",
)


_RUNS = Text("运行记录", "Runs")


class _Column(NamedTuple):
    key: str
    words: Text
    width: float


_COLUMNS = (
    _Column("number", Text("编号", "No."), 7),
    _Column("claim_id", Text("claim_id", "claim_id"), 21),
    _Column("symbol", Text("标的", "Symbol"), 12),
    _Column("name", Text("指标", "Metric"), 20),
    _Column("metric", Text("metric", "metric"), 18),
    _Column("value", Text("数值", "Value"), 22),
    _Column("unit", Text("单位", "Unit"), 16),
    _Column("as_of", Text("截至", "As of"), 12),
    _Column("period", Text("期间", "Period"), 12),
    _Column("source", Text("来源", "Source"), 14),
    _Column("table", Text("表", "Table"), 20),
    _Column("tool_call_id", Text("调用", "Tool call"), 18),
    _Column("captured", Text("来源采集", "Source captured"), 14),
    _Column("fetched_at", Text("取数或打包时间", "Fetched or bundled at"), 27),
    _Column("served_by", Text("提供者", "Served by"), 12),
    _Column("field", Text("原字段", "Field"), 14),
    _Column("raw", Text("原值", "Raw"), 18),
    _Column("formula", Text("算式或规则", "Formula or rule"), 34),
    _Column("inputs", Text("输入", "Inputs"), 50),
    _Column("note", Text("注", "Note"), 50),
)
# A median of three hundred names them all; a row that tall would hide the rest.
_TALL = 5
_WRAPPED = frozenset({"formula", "inputs", "note"})


class Sources:
    """Gives each figure its row while the other sheets are written; `write` fills them in."""

    def __init__(self, sheet: Worksheet, ground: Ground, language: Language) -> None:
        self._sheet = sheet
        self._ground = ground
        self._language: Language = language
        self._numbers = Numbering()
        self._used: dict[int, str] = {}
        self._links: dict[str, int] = {}

    def cite(self, cell: Cell, figure: Figure) -> int:
        """Lead from the cell to the figure's row; the number of that row's figure."""
        number = self._numbers.of(figure)
        sheet = cast(Worksheet, cell.parent)
        self._links[sheet.title] = self._links.get(sheet.title, 0) + 1
        if self._links[sheet.title] <= cells.MOST_LINKS:
            target = cells.place_in(self._sheet, number + _HEAD_ROW)
            cells.link(cell, target, self._tip(figure))
        self._used.setdefault(number, cells.place_in(sheet, cell.row, cell.column))
        return number

    def cite_figures(self, template: str, language: Language, cell: Cell) -> str:
        """The text of that cell with its figures filled in, each with the number of its row.

        No link: LibreOffice does not break the lines of a text that is one.
        """
        here = cells.place_in(cast(Worksheet, cell.parent), cell.row, cell.column)

        def show_figure(found: re.Match[str]) -> str:
            claim = self._ground.claims[found.group(1)]
            number = self._numbers.of(claim)
            self._used.setdefault(number, here)
            return f"{show(claim, language, style_of(found[0])).text}[{number}]"

        return PLACE.sub(show_figure, template)

    def write(self, run_ids: Sequence[str]) -> None:
        """Every row, and above them the runs that they came of.

        Raises: KeyError when an input or a call is not given.
        """
        sheet, language = self._sheet, self._language
        runs = [f"{_RUNS.in_language(language)}: {', '.join(run_ids)}"] if run_ids else []
        cells.write_text(
            cells.cell_at(sheet, 1, 1), "  ".join([_NOTE.in_language(language), *runs])
        )
        cells.cell_at(sheet, 1, 1).font = cells.QUIET
        for at, column in enumerate(_COLUMNS, 1):
            head = cells.cell_at(sheet, _HEAD_ROW, at)
            cells.write_text(head, column.words.in_language(language))
            head.font, head.fill, head.border = cells.BOLD, cells.HEAD_FILL, cells.RULE
            cells.fit(sheet, at, column.width)
        sheet.freeze_panes = cells.cell_at(sheet, _HEAD_ROW + 1, 3)
        cells.for_print(sheet, head=_HEAD_ROW, landscape=True, across=2)
        sheet.print_title_cols = "A:A"
        done = 0
        while done < len(self._numbers.figures):
            done += 1
            self._row(done, self._numbers.figures[done - 1])
        sheet.auto_filter.ref = f"A{_HEAD_ROW}:{cells.get_column_letter(len(_COLUMNS))}" + str(
            _HEAD_ROW + max(done, 1)
        )

    def _tip(self, figure: Figure) -> str:
        if isinstance(figure, Missing):
            return figure.reason.in_language(self._language)
        origin = self._ground.of(figure)
        said = [figure.as_of.isoformat(), *([figure.period] if figure.period else [])]
        said += [origin.formula] if origin.formula else []
        said += [f"{fetch.source}.{fetch.table} @ {fetch.fetched_at}" for fetch in origin.fetches]
        return " · ".join(said)

    def _row(self, number: int, figure: Figure) -> None:
        row = number + _HEAD_ROW
        missing = isinstance(figure, Missing)
        said = self._absent(figure) if missing else self._present(figure)
        for at, column in enumerate(_COLUMNS, 1):
            cell, text = cells.cell_at(self._sheet, row, at), said.get(column.key)
            cell.border = cells.HAIR
            if column.key == "number":
                cells.write_number(cell, number, "0")
                if number in self._used:
                    cells.link(cell, self._used[number])
            elif column.key == "value":
                if isinstance(figure, Claim):
                    cells.write_number(cell, figure.value, "General")
            elif column.key == "as_of" and text:
                cells.write_day(cell, text)
            elif text:
                cells.write_text(cell, text, wrap=column.key in _WRAPPED)
        wrapped = [(said.get(one.key) or "", one.width) for one in _COLUMNS if one.key in _WRAPPED]
        cells.heighten(self._sheet, row, min(_TALL, max(cells.lines_in(*one) for one in wrapped)))

    def _absent(self, figure: Missing) -> dict[str, str | None]:
        """Several figures may be missing for the one reason, so no metric is named."""
        return {"note": figure.reason.in_language(self._language)}

    def _present(self, claim: Claim) -> dict[str, str | None]:
        origin = self._ground.of(claim)
        unit = UNITS[claim.unit]
        name = unit.zh if self._language == "zh" else unit.en
        return {
            "claim_id": claim.claim_id,
            "symbol": claim.symbol,
            "name": note_words(claim).in_language(self._language),
            "metric": claim.metric,
            "unit": f"{name} ({claim.unit})" if name and name != claim.unit else claim.unit,
            "as_of": claim.as_of.isoformat(),
            "period": claim.period,
            "source": _join_parts(fetch.source for fetch in origin.fetches),
            "table": _join_parts(fetch.table for fetch in origin.fetches),
            "tool_call_id": _join_parts(fetch.tool_call_id for fetch in origin.fetches),
            "captured": _join_parts(one.captured for one in origin.fetches if one.captured),
            "fetched_at": _join_parts(fetch.fetched_at for fetch in origin.fetches),
            "served_by": _join_parts(fetch.served_by for fetch in origin.fetches),
            "field": origin.upstream_field,
            "raw": origin.raw,
            "formula": origin.formula,
            "inputs": self._inputs(claim, origin),
            "note": note_text(origin.note).in_language(self._language) if origin.note else None,
        }

    def _inputs(self, claim: Claim, origin: Provenance) -> str | None:
        """Each input with its number here; an input's row comes into being by being named."""
        if not isinstance(claim.cite, DerivedCite):
            return None
        used = [self._ground.claims[name] for name in claim.cite.inputs]
        said = [
            f"[{self._numbers.of(one)}] {text}"
            for one, text in zip(used, origin.inputs, strict=False)
        ]
        return _join_parts([*said, *origin.inputs[len(used) :]])


def _join_parts(parts: Iterable[str]) -> str | None:
    return "; ".join(dict.fromkeys(parts)) or None
