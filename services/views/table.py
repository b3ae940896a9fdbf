"""The table that pages draw and exports write: a figure cell is a Claim or a Missing, never a
number.

Text in two languages is `Words`. Prose with figures in it is a template with `{{c:ID}}` places.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, NamedTuple

from services.core.catalogue import CATALOGUE, metric_words
from services.core.claim_names import is_estimate, is_of_day, name_claim
from services.core.claims import Claim, DerivedCite, Figure
from services.core.expressions import METRIC as EXPRESSION
from services.core.periods import period_words
from services.core.rendering import PLACE
from services.core.text import NO_TEXT, Language, Text, join_texts
from services.core.trace import Trace
from services.query.assertions.made import MadeAnswer
from services.statements.proved_texts import Made

# Of the rows whose day differs so many are named.
_FEW = 10
# The columns that can hold figures.
_CITING = frozenset({"figure", "prose"})
ColumnKind = Literal["figure", "text", "date", "symbol", "prose", "opens"]
Cell = Figure | Text | str | None


@dataclass(frozen=True, slots=True)
class TableColumn:
    """One column. `figure` cells are Claim | Missing; `date` cells ISO text; `symbol` cells an
    inside symbol; `prose` cells templates whose places name claims of the view; `opens` cells our
    own id of what the row leads to: a page links to it, paper has no such column; `text` anything
    else.

    A `text` column holds bookkeeping and names only: no market or financial figure.
    """

    key: str
    label: Text
    kind: ColumnKind


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: `cells` by column key, an absent key is an empty cell. `symbol` is what the row is
    about, `group` the section it stands in (估值, 盈利), null when the table has none."""

    cells: Mapping[str, Cell]
    symbol: str | None = None
    group: Text | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns. `key` names it in a file name or an anchor; the note says what a reader
    must know. `made`: what texts of its prose columns are made of, by text.
    """

    key: str
    title: Text
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    note: Text = NO_TEXT
    made: Mapping[str, Made | MadeAnswer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What every view has. `notes` are sentences about the data shown (adjustment, age, what is
    missing).
    """

    title: Text
    claims: Mapping[str, Claim]
    trace: Trace
    run_ids: tuple[str, ...]
    notes: tuple[Text, ...] = ()

    def tables(self) -> tuple[Table, ...]:
        """Every table of the page in reading order: what the exports write."""
        return ()


def told_days(table: Table, language: Language, claims: Mapping[str, Claim]) -> str:
    """Of which day or report the figures are, column by column, and the rows that differ.

    Empty where no figure stands in the table, where each row says the day of its figures itself,
    and for a column whose heading is its day. `claims` has those that texts of the table cite.
    """
    alike: dict[str, list[str]] = {}
    rows = [_Told.of(row, table, language) for row in table.rows]
    for column in table.columns:
        if column.kind in _CITING and (said := _column_days(rows, column, language, claims)):
            alike.setdefault(said, []).append(column.label.in_language(language))
    comma, colon, stop = ("、", "：", "；") if language == "zh" else (", ", ": ", "; ")
    parts = [f"{comma.join(names)}{colon}{said}" for said, names in alike.items()]
    return f"{stop.join(parts)}{'。' if language == 'zh' else '.'}" if parts else ""


class _Told(NamedTuple):
    """A row as words: its name, and everything it says beside its figures."""

    row: TableRow
    name: str
    words: str

    @classmethod
    def of(cls, row: TableRow, table: Table, language: Language) -> "_Told":
        """Once a row: its columns say the same of it."""
        texts = _texts(row, table, language)
        days = [row.cells.get(one.key) for one in table.columns if one.kind == "date"]
        words = " ".join([*texts, *(_text_of(one, language) for one in days)])
        # As a text without places.
        name = next(iter(texts), "").replace("{{", "｛｛").replace("}}", "｝｝")
        return cls(row, name, words)


def _column_days(
    told_rows: Sequence[_Told], column: TableColumn, language: Language, claims: Mapping[str, Claim]
) -> str:
    rows: dict[str, list[str]] = {}
    for row, name, words in told_rows:
        cell = row.cells.get(column.key)
        told = f"{words} {_text_of(cell, language)}"
        found = {
            _moment(one, language): None
            for one in _figures(cell, language, claims)
            if one.as_of.isoformat() not in told
        }
        for moment in found:
            if moment not in told:  # else the row itself says it
                rows.setdefault(moment, []).append(name)
    if len(rows) > 1 and len({name for names in rows.values() for name in names}) == 1:
        # Months of one company: its name does not tell its rows apart, their order does.
        return ("、" if language == "zh" else ", ").join(rows)
    most, *others = sorted(rows, key=lambda moment: -len(rows[moment])) or [""]
    comma, told = ("、", "其中 {} 为 {}") if language == "zh" else (", ", "of these {}: {}")
    parts = [told.format(_few(rows[one], comma, language), one) for one in others]
    stated = most in column.label.in_language(language)  # the heading is its day
    return ("，" if language == "zh" else ", ").join(parts if stated else [most, *parts])


def _few(names: Sequence[str], comma: str, language: Language) -> str:
    more = (" 等" if language == "zh" else " and others") if len(names) > _FEW else ""
    return comma.join(names[:_FEW]) + more


def _moment(figure: Claim, language: Language) -> str:
    """The report a statement figure is of, the window of a fold, the day of anything else."""
    cite = figure.cite
    if (
        figure.metric == EXPRESSION
        and isinstance(cite, DerivedCite)
        and cite.series
        and not cite.inputs
    ):
        first, last = _ends_of(cite)
        return f"{first} 至 {last}" if language == "zh" else f"{first} to {last}"
    known = CATALOGUE.figures.get(figure.metric)
    if is_of_day(figure):
        return figure.as_of.isoformat()
    if figure.period is not None and known is not None and known.kind in {"statement", "ratio"}:
        return period_words(figure.period, language)
    return figure.as_of.isoformat()


def _ends_of(cite: DerivedCite) -> tuple[date, date]:
    days = [day for one in cite.series for day in (one.start, one.end)]
    return min(days), max(days)


def _figures(cell: Cell, language: Language, claims: Mapping[str, Claim]) -> list[Claim]:
    """The figure of a cell, or those that its text cites."""
    if isinstance(cell, Claim):
        return [cell]
    return [claims[name] for name in PLACE.findall(_text_of(cell, language))]


def _text_of(cell: Cell, language: Language) -> str:
    """The words of a cell; empty where it holds a figure or nothing."""
    if isinstance(cell, Text):
        return cell.in_language(language)
    return cell if isinstance(cell, str) else ""


def _texts(row: TableRow, table: Table, language: Language) -> list[str]:
    """The cells of a row that are words, its name first, then its symbol."""
    named = [row.cells.get(one.key) for one in table.columns if one.kind in {"text", "symbol"}]
    told = (row.cells.get("name"), *named, row.symbol)
    return [words for one in told if (words := _text_of(one, language))]


def claim_words(claim: Claim) -> Text:
    """The name of this very figure: the metric's, and on what basis it is not the reported one
    (净资产收益率(推算), 营业收入(TTM)), so that two figures of one company never share a name.
    """
    return Text(*name_claim(claim))


def named_columns(keys: Sequence[str], rows: Sequence[TableRow]) -> tuple[TableColumn, ...]:
    """Figure columns named after what they hold; where that differs by row, after the metric, with
    whether some are estimates, and the figure's own name says the rest.
    """
    columns: list[TableColumn] = []
    for key in keys:
        cells = [row.cells.get(key) for row in rows]
        names = {claim_words(cell) for cell in cells if isinstance(cell, Claim)}
        words = names.pop() if len(names) == 1 else metric_words(key)
        if len(names) > 1 and any(is_estimate(one) for one in cells if isinstance(one, Claim)):
            words = Text(f"{words.zh}(部分推算)", f"{words.en} (some estimated)")
        columns.append(TableColumn(key, words, "figure"))
    return tuple(columns)


def price_words(figures: Iterable[Figure | None]) -> Text:
    """What a column of prices is called: each kind of price that is in it, 最近收盘 / 推算股价."""
    found = dict.fromkeys(one.metric for one in figures if isinstance(one, Claim))
    return join_texts((metric_words(one) for one in found or ("close",)), " / ", " / ")


def figure_column(key: str, metric: str | None = None) -> TableColumn:
    """A figure column named after a metric (the key itself by default)."""
    words = metric_words(metric or key)
    return TableColumn(key, words, "figure")


def figure_columns(keys: Sequence[str]) -> tuple[TableColumn, ...]:
    """Figure columns for these metrics, in this order."""
    return tuple(figure_column(key) for key in keys)
