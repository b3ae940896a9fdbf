"""Whether the table of an answer is worth a picture: days, report periods, or companies beside
each other. Figures of different units or periods never share one.
"""

import re
from collections.abc import Mapping, Sequence

from services.core.catalogue import metric_words
from services.core.claims import Claim
from services.core.errors import InputError
from services.core.expressions import METRIC
from services.core.periods import Period
from services.core.text import Text
from services.market.names.names import Names
from services.query.answering.answers import AnswerTable
from services.query.answering.extremes import is_extreme
from services.views.ask_view import AnswerChart
from services.views.view import ChartPoint, ChartSeries

LEAST, MOST = 3, 15
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOST_SERIES = 6
Figures = Sequence[tuple[str, str | None, tuple[Claim | None, ...]]]


def is_day(label: str) -> bool:
    """Whether a row is about one day."""
    return _DAY.fullmatch(label) is not None


def is_of_time(label: str) -> bool:
    """Whether a row is about a day or a report period, also where a company stands before it."""
    last = label.rpartition(" ")[2]
    return is_day(last) or any(_is_period(text) for text in (label, last))


def _is_period(text: str) -> bool:
    try:
        return bool(Period.parse(text))
    except InputError:
        return False


def chart_of(
    table: AnswerTable | None, claims: Mapping[str, Claim], names: Names
) -> AnswerChart | None:
    """The picture; None when the table is none."""
    if table is None:
        return None
    rows = [
        (
            row.label,
            row.symbol,
            tuple(claims[cell.claim_id] if cell.claim_id else None for cell in row.cells),
        )
        for row in table.rows
    ]
    symbols = [symbol for _, symbol, _ in rows]
    if all(is_day(label) for label, _, _ in rows):
        return _days(rows) if len(set(symbols)) == 1 else None
    if len(set(symbols)) == len(symbols) and None not in symbols:
        return _companies(rows, table.columns)
    return _periods(rows, names)


def _days(rows: Figures) -> AnswerChart | None:
    """Every column over the days, oldest first."""
    if len(rows) < LEAST:
        return None
    series = [
        _series(metric_words(column[0][1].metric), column)
        for column in (_column(rows, at) for at in range(len(rows[0][2])))
        if len(column) >= LEAST
    ]
    return AnswerChart("days", tuple(series)) if series else None


def _companies(rows: Figures, columns: Sequence[str]) -> AnswerChart | None:
    """Each column in which at least three companies have a figure of one kind."""
    found: list[ChartSeries] = []
    for at in range(len(rows[0][2]) if rows else 0):
        column = _ordinary(_column(rows[:MOST], at))
        kinds = {(claim.unit, claim.period, claim.metric) for _, claim in column}
        if len(column) >= LEAST and len(kinds) == 1:
            metric = column[0][1].metric
            # An expression is called what its column is; a figure of the catalogue by its name.
            column_words = Text(columns[at], columns[at])
            known = column_words if metric == METRIC else metric_words(metric)
            found.append(_series(known, column))
    return AnswerChart("companies", tuple(found)) if found else None


def _periods(rows: Figures, names: Names) -> AnswerChart | None:
    """One company: its columns of one unit. Several: the first column, a series a company."""
    owners = list(dict.fromkeys(symbol for _, symbol, _ in rows))
    found: list[ChartSeries] = []
    if len(owners) == 1:
        columns = [_order_column(_column(rows, at)) for at in range(len(rows[0][2]))]
        found = [_series(metric_words(c[0][1].metric), c) for c in columns if len(c) >= LEAST]
    else:
        for owner in owners[:_MOST_SERIES]:
            column = _order_column(_column([row for row in rows if row[1] == owner], 0))
            if owner is not None and len(column) >= LEAST:
                found.append(_series(names.text(owner), column))
    same = [one for one in found if _unit(one) == _unit(found[0])]
    return AnswerChart("periods", tuple(same)) if same else None


def _ordinary(column: list[tuple[str, Claim]]) -> list[tuple[str, Claim]]:
    """Without extreme figures, which are told apart: beside 5,821 % nothing else could be seen."""
    kept = [(label, claim) for label, claim in column if not is_extreme(claim)]
    return kept if len(kept) >= LEAST else column


def _column(rows: Figures, at: int) -> list[tuple[str, Claim]]:
    return [(label, claim) for label, _, figures in rows if (claim := figures[at]) is not None]


def _order_column(column: list[tuple[str, Claim]]) -> list[tuple[str, Claim]]:
    """Oldest first, labelled by report period where the figure has one."""
    return sorted(
        ((_period(claim) or label, claim) for label, claim in column), key=lambda one: one[1].as_of
    )


def _period(claim: Claim) -> str | None:
    try:
        return str(Period.parse(claim.period)) if claim.period else None
    except InputError:
        return None


def _series(name: Text, column: Sequence[tuple[str, Claim]]) -> ChartSeries:
    return ChartSeries(
        column[0][1].metric,
        name,
        tuple(ChartPoint(_label(label), claim) for label, claim in column),
    )


def _label(text: str) -> Text:
    try:
        found = None if is_day(text) else Period.parse(text)
    except InputError:
        found = None
    return Text(text, text) if found is None else Text(found.label("zh"), found.label("en"))


def _unit(series: ChartSeries) -> str:
    return series.points[0].claim.unit
