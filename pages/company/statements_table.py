"""The table of 财务: figures by period, and those of another company in columns behind them."""

from html import escape

from pages.ui import blocks, cite
from pages.ui.i18n import say, t
from services.core.claims import Claim, Missing
from services.core.text import Text
from services.views.company.statement_rows import GROWTH
from services.views.company.statements import StatementsPart
from services.views.financials import period_words
from services.views.table import TableColumn, TableRow


def draw_matrix(part: StatementsPart) -> str:
    """The table, with what is told of the company beside."""
    shown = part.matrix
    periods = [column for column in shown.columns if column.kind == "figure"]
    body = blocks.grouped(shown.rows, len(periods) + 1, lambda row: _row(part, row, periods))
    heads = _heads(part, periods)
    table = blocks.framed(say(shown.title), heads, body, key="matrix", style="yjc-flat")
    return table + _tell_beside(part)


def _heads(part: StatementsPart, columns: list[TableColumn]) -> str:
    """The periods; above them whose they are and in which currency, once there are two."""
    beside = part.beside.columns if part.beside else {}
    cells = "".join(
        f'<th scope="col" class="yj-num{_tint(part, column)}" data-nocite="period">'
        f"{escape(say(_period(part, column)))}</th>"
        for column in columns
    )
    line = f'<tr><th scope="col">{escape(t("fin_period"))}</th>{cells}</tr>'
    if part.beside is None or not beside:
        return line
    whose = "".join(
        f'<th scope="colgroup" colspan="{count}" class="yjc-whose{style}" data-nocite="label">'
        f"{escape(say(name))}<small>{escape(say(currency))}</small></th>"
        for name, currency, count, style in (
            (part.name, part.currency, len(columns) - len(beside), ""),
            (part.beside.name, part.beside.currency, len(beside), " yjc-beside"),
        )
    )
    return f"<tr><td></td>{whose}</tr>{line}"


def _period(part: StatementsPart, column: TableColumn) -> Text:
    """The period alone: whose it is stands above it."""
    beside = part.beside.columns if part.beside else {}
    return period_words(beside[column.key]) if column.key in beside else column.label


def _tint(part: StatementsPart, column: TableColumn) -> str:
    is_beside = part.beside is not None and column.key in part.beside.columns
    return " yjc-beside" if is_beside else ""


def _tell_beside(part: StatementsPart) -> str:
    """Why the other company has no columns; that two currencies are not compared."""
    if part.beside is None:
        return ""
    if part.beside.why is not None:
        told = f"{blocks.words(part.beside.name)} · {say(part.beside.why)}"
        return f'<p class="yjc-note yjc-warn">{cite.tag("provenance", told)}</p>'
    if part.beside.currency == part.currency:
        return ""
    told = t("fin_currencies", one=say(part.currency), other=say(part.beside.currency))
    return f'<p class="yjc-note yjc-warn">{escape(told)}</p>'


def _row(part: StatementsPart, row: TableRow, columns: list[TableColumn]) -> str:
    name = row.cells["metric"]
    label = blocks.words(name) if isinstance(name, Text) else ""
    found = [row.cells.get(column.key) for column in columns]
    metric = next((one.metric for one in found if isinstance(one, Claim | Missing)), "")
    style = ' class="yjc-in"' if metric in GROWTH else ""
    head = blocks.shared_head(found)
    apart = {one.one.claim_id: one.other.claim_id for one in part.apart}
    cells: list[str] = []
    for column, one in zip(columns, found, strict=True):
        sign = ""
        if isinstance(one, Claim) and one.claim_id in apart:
            sign = (
                f'<i class="yjc-ne" data-other="{apart[one.claim_id]}" '
                f'data-why="{escape(t("fin_apart_note"))}" title="{escape(t("fin_apart"))}">≠</i>'
            )
        cells.append(
            f'<td class="yj-num{_tint(part, column)}{head.quiet}">{head.draw(one)}{sign}</td>'
        )
    return (
        f'<tr><th scope="row"{style} data-nocite="label">'
        f"{escape(label)}{head.derived}{head.unit}</th>"
        f"{''.join(cells)}</tr>"
    )
