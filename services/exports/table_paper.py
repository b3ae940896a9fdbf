"""A table of a page as a table of a paper: one language, and figures as the ids of their claims."""

from collections.abc import Mapping

from services.core.claims import Claim, Missing
from services.core.text import Language, Text
from services.exports.paper import CitedCell, PaperCell, PaperColumn, PaperRow, PaperTable
from services.views.table import Cell, Table, TableColumn, TableRow, told_days


def paper_table(
    table: Table, language: Language, claims: Mapping[str, Claim], *, titled: bool = True
) -> PaperTable:
    """The table in that language; `claims` has those its texts cite. `titled` is false where a
    heading above names it already.

    Raises: TypeError for a figure in another column, and for anything else in a figure's.
    """
    shown = tuple(column for column in table.columns if column.kind != "opens")
    return PaperTable(
        key=table.key,
        title=table.title.in_language(language),
        note=table.note.in_language(language),
        days=told_days(table, language, claims),
        columns=tuple(
            PaperColumn(key=column.key, label=column.label.in_language(language), kind=column.kind)
            for column in shown
        ),
        rows=tuple(_row(row, shown, language) for row in table.rows),
        titled=titled,
        made=dict(table.made),
    )


def _row(row: TableRow, columns: tuple[TableColumn, ...], language: Language) -> PaperRow:
    cells = {
        column.key: _cell(row.cells[column.key], column, language)
        for column in columns
        if row.cells.get(column.key) is not None
    }
    group = row.group.in_language(language) if row.group else None
    return PaperRow(cells=cells, symbol=row.symbol, group=group)


def _cell(cell: Cell, column: TableColumn, language: Language) -> PaperCell:
    if isinstance(cell, Claim | Missing):
        if column.kind != "figure":
            raise TypeError(f"column {column.key} is {column.kind} and cannot hold a figure")
        return CitedCell(claim=cell.claim_id) if isinstance(cell, Claim) else cell
    if column.kind == "figure" and cell is not None:
        raise TypeError(f"column {column.key} is a figure column and cannot hold {cell!r}")
    return cell.in_language(language) if isinstance(cell, Text) else cell
