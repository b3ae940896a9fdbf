"""A table as CSV: every figure column is followed by the columns that say where it comes from.

Numbers are written bare and in full precision, text is always quoted, and text that a spreadsheet
would run as a formula gets a leading apostrophe. So `-10.29` stays a number and `=1+1` stays text.
"""

import io
from collections.abc import Iterable, Mapping, Sequence
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from services.core.claims import Claim, Figure, Missing
from services.core.rendering import PLACE, Language, render
from services.core.trace import Trace
from services.reports.paper import CitedCell, Paper, PaperCell, PaperColumn, PaperTable
from services.reports.papers import paper_of
from services.reports.provenance import Fetch, Ground
from services.reports.table import Table, View, metric_words, reason_words
from services.reports.table_paper import paper_table

FIGURE_SUFFIXES = (
    "name",
    "metric",
    "unit",
    "as_of",
    "period",
    "source",
    "table",
    "tool_call_id",
    "fetched_at",
    "served_by",
    "claim_id",
    "cite",
    "formula",
    "inputs",
    "field",
    "raw",
    "note",
    "missing_reason",
)
PROSE_SUFFIXES = ("source", "table", "tool_call_id", "fetched_at", "served_by", "claim_id")
_DANGEROUS = frozenset("=+-@\t\r\n＝＋－＠")
_INVISIBLE = " \u00a0\u3000\u200b\ufeff"

Value = float | str | None


def paper_csv(
    table: PaperTable, claims: Mapping[str, Claim], trace: Trace, language: Language
) -> bytes:
    """The table as UTF-8 with a byte order mark, CRLF line ends, one header row of column keys.

    A figure column `k` is `k` (the number, empty when missing) and `k_<suffix>` for
    FIGURE_SUFFIXES; a figure computed from several fetches joins theirs with `; `. A prose column
    is its text and PROSE_SUFFIXES. Raises: KeyError when a cited claim or call is not given.
    """
    ground = Ground(claims, trace)
    grouped = any(row.group is not None for row in table.rows)
    header = ["group"] if grouped else []
    for column in table.columns:
        header += [column.key, *(f"{column.key}_{suffix}" for suffix in _suffixes(column))]
    lines = [_line(header)]
    for row in table.rows:
        values: list[Value] = [row.group] if grouped else []
        for column in table.columns:
            values += _cell_values(row.cells.get(column.key), column, ground, language)
        lines.append(_line(values))
    return ("\ufeff" + "".join(lines)).encode()


def table_csv(
    table: Table, claims: Mapping[str, Claim], trace: Trace, language: Language = "zh"
) -> bytes:
    """The table of a page, as `paper_csv` writes it."""
    return paper_csv(paper_table(table, language), claims, trace, language)


def view_zip(view: View, language: Language = "zh") -> bytes:
    """Every table of the view as `<key>.csv` in one ZIP; the same view gives the same bytes."""
    buffer = io.BytesIO()
    paper = paper_of(view, language)
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, table in table_files(paper).items():
            entry = ZipInfo(f"{name}.csv")
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, paper_csv(table, view.claims, view.trace, paper.language))
    return buffer.getvalue()


def table_files(paper: Paper) -> dict[str, PaperTable]:
    """The tables by the name of their file, without its ending: their key, numbered where two of
    them share one.
    """
    found: dict[str, PaperTable] = {}
    for table in paper.tables:
        name, at = table.key, 1
        while name in found:
            at += 1
            name = f"{table.key}_{at}"
        found[name] = table
    return found


def safe_text(text: str) -> str:
    """The text, with a leading apostrophe when a spreadsheet would take it for a formula."""
    first = text.lstrip(_INVISIBLE)[:1]
    return f"'{text}" if first in _DANGEROUS and first else text


def _line(values: Iterable[Value]) -> str:
    return ",".join(_written(value) for value in values) + "\r\n"


def _written(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return '"' + safe_text(value).replace('"', '""') + '"'
    return repr(value)


def _suffixes(column: PaperColumn) -> Sequence[str]:
    return {"figure": FIGURE_SUFFIXES, "prose": PROSE_SUFFIXES}.get(column.kind, ())


def _joined(parts: Iterable[str]) -> str | None:
    return "; ".join(dict.fromkeys(parts)) or None


def _fetch_values(fetches: Sequence[Fetch]) -> list[Value]:
    return [
        _joined(fetch.source for fetch in fetches),
        _joined(fetch.table for fetch in fetches),
        _joined(fetch.tool_call_id for fetch in fetches),
        _joined(fetch.fetched_at for fetch in fetches),
        _joined(fetch.served_by for fetch in fetches),
    ]


def _cell_values(
    cell: PaperCell, column: PaperColumn, ground: Ground, language: Language
) -> list[Value]:
    if isinstance(cell, CitedCell):
        return _of_figure(ground.claims[cell.claim], ground, language)
    if isinstance(cell, Missing):
        return _of_figure(cell, ground, language)
    if cell is None:
        return [None] * (1 + len(_suffixes(column)))
    return _prose_values(cell, ground, language) if column.kind == "prose" else [cell]


def _of_figure(figure: Figure, ground: Ground, language: Language) -> list[Value]:
    name = metric_words(figure.metric).text(language)
    if isinstance(figure, Missing):
        empty = [None] * (len(FIGURE_SUFFIXES) - 3)
        return [None, name, figure.metric, *empty, reason_words(figure.reason).text(language)]
    origin = ground.of(figure)
    return [
        float(figure.value),
        name,
        figure.metric,
        figure.unit,
        figure.as_of.isoformat(),
        figure.period,
        *_fetch_values(origin.fetches),
        figure.claim_id,
        origin.kind,
        origin.formula,
        _joined(origin.inputs),
        origin.upstream_field,
        origin.raw,
        origin.note,
        None,
    ]


def _prose_values(template: str, ground: Ground, language: Language) -> list[Value]:
    cited = [ground.claims[name] for name in dict.fromkeys(PLACE.findall(template))]
    fetches = [fetch for claim in cited for fetch in ground.of(claim).fetches]
    return [
        render(template, ground.claims, language),
        *_fetch_values(fetches),
        _joined(claim.claim_id for claim in cited),
    ]
