"""A table as CSV, in one of two forms: `full` has behind every figure column the columns that say
where it comes from, `plain` has the figures under their names and one column of sources at the end.

Numbers are written bare and in full precision, text is always quoted, and text that a spreadsheet
would run as a formula gets a leading apostrophe. So `-10.29` stays a number and `=1+1` stays text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure, Missing
from services.core.rendering import PLACE, render
from services.core.source_marks import note_text
from services.core.text import Language, Text
from services.core.trace import Trace
from services.core.units import UNITS
from services.exports.footnotes import TERMS
from services.exports.paper import CitedCell, Paper, PaperCell, PaperColumn, PaperRow, PaperTable
from services.exports.table_paper import paper_table
from services.views.provenance import Fetch, Ground
from services.views.source_words import source_words
from services.views.table import (
    Table,
    claim_words,
)

FIGURE_SUFFIXES = (
    "name",
    "metric",
    "unit",
    "as_of",
    "period",
    "source",
    "table",
    "tool_call_id",
    "captured",
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
PROSE_SUFFIXES = (
    *("source", "table", "tool_call_id", "captured", "fetched_at", "served_by", "claim_id"),
)
_DANGEROUS = frozenset("=+-@\t\r\n＝＋－＠")
_INVISIBLE = " \u00a0\u3000\u200b\ufeff"

Value = float | str | None
CsvForm = Literal["full", "plain"]
_SOURCE = Text("数据日与来源", "Day and source")
_UNIT = Text("单位", "Unit")


def paper_csv(
    table: PaperTable,
    claims: Mapping[str, Claim],
    trace: Trace,
    language: Language,
    form: CsvForm = "full",
) -> bytes:
    """The table as UTF-8 with a byte order mark and CRLF line ends, in one of the forms.

    `full`: one header row of column keys. A figure column `k` is `k` (the number, empty when
    missing) and `k_<suffix>` for FIGURE_SUFFIXES; a figure computed from several fetches joins
    theirs with `; `. A prose column is its text and PROSE_SUFFIXES.

    `plain`: one header row of column names, each with the unit of its figures, where they have one
    in common (else a column 单位 behind it); the last column has the days and sources of the row.
    Numbers are the same in both, in full precision and never scaled.

    Raises: KeyError when a cited claim or call is not given.
    """
    ground = Ground(claims, trace)
    lines = (_plain_lines if form == "plain" else _full_lines)(table, ground, language)
    return ("\ufeff" + "".join(map(_line, lines))).encode()


def _full_lines(table: PaperTable, ground: Ground, language: Language) -> Iterator[Sequence[Value]]:
    grouped = any(row.group is not None for row in table.rows)
    header = ["group"] if grouped else []
    for column in table.columns:
        header += [column.key, *(f"{column.key}_{suffix}" for suffix in _suffixes(column))]
    yield header
    for row in table.rows:
        values: list[Value] = [row.group] if grouped else []
        for column in table.columns:
            values += _cell_values(row.cells.get(column.key), column, ground, language)
        yield values


def _plain_lines(
    table: PaperTable, ground: Ground, language: Language
) -> Iterator[Sequence[Value]]:
    grouped = any(row.group is not None for row in table.rows)
    units = {
        column.key: {claim.unit for row in table.rows if (claim := _claim(row, column, ground))}
        for column in table.columns
    }
    header = [TERMS["group"].in_language(language)] if grouped else []
    for column in table.columns:
        header += _plain_heads(column, units[column.key], language)
    yield [*header, _SOURCE.in_language(language)]
    for row in table.rows:
        values: list[Value] = [row.group] if grouped else []
        cited: list[Claim] = []
        for column in table.columns:
            claim, cell = _claim(row, column, ground), row.cells.get(column.key)
            if column.kind != "figure":
                values.append(_cell_values(cell, column, ground, language)[0])
                cited += _in_prose(cell, ground) if column.kind == "prose" else []
                continue
            values.append(float(claim.value) if claim else None)
            if len(units[column.key]) > 1:
                values.append(_unit_name(claim.unit, language) if claim else None)
            cited += [claim] if claim else []
        yield [*values, _join_parts(_tell_source(claim, ground, language) for claim in cited)]


def _claim(row: PaperRow, column: PaperColumn, ground: Ground) -> Claim | None:
    cell = row.cells.get(column.key)
    return ground.claims[cell.claim] if isinstance(cell, CitedCell) else None


def _in_prose(cell: PaperCell, ground: Ground) -> list[Claim]:
    """The figures that a text cites, in its order."""
    names = PLACE.findall(cell) if isinstance(cell, str) else []
    return [ground.claims[name] for name in dict.fromkeys(names)]


def _plain_heads(column: PaperColumn, units: set[str], language: Language) -> list[str]:
    names = [name for unit in units if (name := _unit_name(unit, language))]
    if len(units) > 1:
        return [column.label, f"{column.label} · {_UNIT.in_language(language)}"]
    return [f"{column.label} ({names[0]})" if names else column.label]


def _unit_name(code: str, language: Language) -> str:
    unit = UNITS[code]
    return unit.zh if language == "zh" else unit.en


def _tell_source(claim: Claim, ground: Ground, language: Language) -> str:
    """The day a figure is of and what its source is called: `2016-12-31 公司年报`."""
    sources = dict.fromkeys(
        source_words(one.source).in_language(language) for one in ground.of(claim).fetches
    )
    return " ".join([claim.as_of.isoformat(), " + ".join(sources)]).strip()


def table_csv(
    table: Table,
    claims: Mapping[str, Claim],
    trace: Trace,
    language: Language = "zh",
    form: CsvForm = "full",
) -> bytes:
    """The table of a page, as `paper_csv` writes it."""
    return paper_csv(paper_table(table, language, claims), claims, trace, language, form)


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
    return ",".join(_write_value(value) for value in values) + "\r\n"


def _write_value(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return '"' + safe_text(value).replace('"', '""') + '"'
    return repr(value)


def _suffixes(column: PaperColumn) -> Sequence[str]:
    return {"figure": FIGURE_SUFFIXES, "prose": PROSE_SUFFIXES}.get(column.kind, ())


def _join_parts(parts: Iterable[str]) -> str | None:
    return "; ".join(dict.fromkeys(parts)) or None


def _fetch_values(fetches: Sequence[Fetch]) -> list[Value]:
    return [
        _join_parts(fetch.source for fetch in fetches),
        _join_parts(fetch.table for fetch in fetches),
        _join_parts(fetch.tool_call_id for fetch in fetches),
        _join_parts(fetch.captured for fetch in fetches if fetch.captured),
        _join_parts(fetch.fetched_at for fetch in fetches),
        _join_parts(fetch.served_by for fetch in fetches),
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
    if isinstance(figure, Missing):
        name = metric_words(figure.metric).in_language(language)
        empty = [None] * (len(FIGURE_SUFFIXES) - 3)
        return [
            None,
            name,
            figure.metric,
            *empty,
            figure.reason.in_language(language),
        ]
    origin = ground.of(figure)
    return [
        float(figure.value),
        claim_words(figure).in_language(language),
        figure.metric,
        figure.unit,
        figure.as_of.isoformat(),
        figure.period,
        *_fetch_values(origin.fetches),
        figure.claim_id,
        origin.kind,
        origin.formula,
        _join_parts(origin.inputs),
        origin.upstream_field,
        origin.raw,
        note_text(origin.note).in_language(language) if origin.note else None,
        None,
    ]


def _prose_values(template: str, ground: Ground, language: Language) -> list[Value]:
    cited = _in_prose(template, ground)
    fetches = [fetch for claim in cited for fetch in ground.of(claim).fetches]
    return [
        render(template, ground.claims, language),
        *_fetch_values(fetches),
        _join_parts(claim.claim_id for claim in cited),
    ]
