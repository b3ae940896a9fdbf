"""财务: the reports by period, small multiples of six figures, DuPont, what disagrees and what is
expected.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure
from services.core.errors import NoDataError, ProviderError
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.requests import ValuationRequest
from services.core.symbols import Symbol
from services.core.text import Text, join_texts
from services.core.units import CURRENCY_NAMES
from services.market.outages import why_missing
from services.market.splits import split_of
from services.market.valuation import valuation_figures
from services.views.company.forecasts import Forecasts, gather_forecasts
from services.views.company.statement_rows import (
    GROUPS,
    METRICS,
    NO_INPUT,
    NO_YEAR_BEFORE,
    STEP,
    Figures,
    Kind,
    StatementRows,
    derive_move,
    make_missing,
    read_rows,
    year_before,
)
from services.views.financials import period_words
from services.views.parts import Parts
from services.views.table import Cell, Table, TableColumn, TableRow

# Each small multiple and the figure that says how its newest period moved.
_MULTIPLES: Mapping[str, str] = {
    "revenue": "revenue_yoy",
    "net_profit": "net_profit_yoy",
    "roe": "roe_step",
    "net_margin": "net_margin_step",
    "eps": "eps_yoy",
    "dps": "dps_yoy",
}
_TERMS = ("net_margin", "asset_turnover", "equity_multiplier")
_SHARE = "log_share(roe, before, part, part_before)"
_NO_COMPANY = Text("不是公司，没有报表", "not a company: it has no reports")
_NO_FIGURES = Text("来源没有它的报表", "the source has no report of it")
# Of two values of one figure this much, in percentage points, is no rounding.
_APART = 0.05


@dataclass(frozen=True, slots=True)
class StatementsAsked:
    """So many reports of one kind; `beside`: another company's in the same periods; `rows`: the
    metrics shown, all of them where none is named.
    """

    kind: Kind = "annual"
    count: int = 5
    beside: str = ""
    rows: tuple[str, ...] = ()


class StatementsBeside(NamedTuple):
    """The company beside; column of the matrix → period of its report, or `why` there is none."""

    symbol: str
    name: Text
    currency: Text
    columns: Mapping[str, str]
    why: Text | None


class Small(NamedTuple):
    """One small multiple: its points, oldest first, and how the newest moved. `periods`: from its
    first point to its last, those in between that have none too.
    """

    metric: str
    points: tuple[Claim, ...]
    change: Figure
    periods: tuple[str, ...]


class Term(NamedTuple):
    """One factor of DuPont: now, a year before, and how much of the change it makes (pp)."""

    metric: str
    now: Figure
    before: Figure
    share: Figure


class Dupont(NamedTuple):
    """The return on equity of the newest year as a product, and its change by logarithms."""

    period: Text
    roe: Claim
    before: Figure
    step: Figure
    terms: tuple[Term, ...]


class Apart(NamedTuple):
    """Two values of one figure of one period, each by its own formula; the first is the page's."""

    metric: str
    period: Text
    one: Claim
    other: Claim


@dataclass(frozen=True, slots=True)
class StatementsPart:
    """`periods` newest first. `implied`: there is no report, and what stands here the valuation
    implies. `quarters`: whether the source has interim reports to choose. `held`: the metrics with
    a figure, those shown and the others.
    """

    symbol: str
    name: Text
    currency: Text
    asked: StatementsAsked
    beside: StatementsBeside | None
    held: tuple[str, ...]
    periods: tuple[str, ...]
    matrix: Table
    small: tuple[Small, ...]
    dupont: Dupont | None
    apart: tuple[Apart, ...]
    implied: bool
    quarters: bool
    forecasts: Forecasts
    notes: tuple[Text, ...]

    def tables(self) -> tuple[Table, ...]:
        """The matrix, DuPont where there is one, and what is expected."""
        dupont = (_dupont_table(self.dupont),) if self.dupont else ()
        return (self.matrix, *dupont, *self.forecasts.tables())


def gather_statements(
    parts: Parts, ledger: Ledger, symbol: Symbol, asked: StatementsAsked
) -> StatementsPart:
    """The newest reports asked for. Raises: InputError (beside), ProviderError."""
    rows = read_rows(ledger, symbol, asked.kind, asked.count, parts.clock)
    figures, periods, implied = rows.figures, rows.periods, rows.implied
    other, beside = _beside(parts, ledger, symbol, asked, periods)
    held = tuple(
        metric
        for metric in METRICS
        if any(isinstance(rows.find(metric, period), Claim) for period in periods)
    )
    forecasts = gather_forecasts(ledger, symbol)
    return StatementsPart(
        symbol=symbol.value,
        name=parts.names.text(symbol),
        currency=CURRENCY_NAMES[rows.currency],
        asked=asked,
        beside=beside,
        held=held,
        periods=periods,
        matrix=_matrix(rows, held, asked.rows, other, beside),
        small=() if implied else _small(ledger, symbol, figures, periods),
        dupont=_dupont(ledger, symbol, figures, periods)
        if asked.kind == "annual" and not implied
        else None,
        apart=_apart(ledger, symbol, figures, periods),
        implied=implied,
        quarters=parts.settings.mode == "live",
        forecasts=forecasts,
        notes=(*rows.notes, *forecasts.notes),
    )


def _beside(
    parts: Parts, ledger: Ledger, symbol: Symbol, asked: StatementsAsked, own: Sequence[str]
) -> tuple[StatementRows | None, StatementsBeside | None]:
    """The rows of the company beside, and what is told of it; no rows where it has none."""
    other = parts.names.resolve(asked.beside) if asked.beside else symbol
    if other == symbol:
        return None, None
    rows, why = None, _NO_COMPANY
    if other.is_company:
        try:
            rows = read_rows(ledger, other, asked.kind, asked.count, parts.clock)
            why = None if rows.holds_any else _NO_FIGURES
        except (NoDataError, ProviderError) as error:
            why = why_missing(ledger, error)
    currency = CURRENCY_NAMES[rows.currency if rows else other.currency]
    found = rows.periods if rows and why is None else ()
    # The same periods as far as both report; one that reports other ones stands in its own.
    shown = tuple(period for period in own if period in found) or found
    columns = {f"{other.value} {period}": period for period in shown}
    return rows, StatementsBeside(other.value, parts.names.text(other), currency, columns, why)


def _small(
    ledger: Ledger, symbol: Symbol, figures: Figures, periods: Sequence[str]
) -> tuple[Small, ...]:
    made: list[Small] = []
    for metric, change in _MULTIPLES.items():
        row = figures[metric]
        points = [row.get(period) for period in reversed(periods)]
        # Figures a share of before a split are told in the table; beside later ones they mislead.
        known = tuple(one for one in points if isinstance(one, Claim) and not split_of(one))
        if not known:
            continue
        newest = known[-1].period or periods[0]
        moved = (
            figures[change].get(newest)
            if change in figures
            else derive_move(ledger, symbol, change, STEP, row, newest)
        )
        first, last = (periods.index(one.period or newest) for one in (known[0], known[-1]))
        made.append(
            Small(
                metric,
                known,
                moved or make_missing(change, symbol, NO_YEAR_BEFORE),
                tuple(reversed(periods[last : first + 1])),
            )
        )
    return tuple(made)


def _dupont(
    ledger: Ledger, symbol: Symbol, figures: Figures, periods: Sequence[str]
) -> Dupont | None:
    period = periods[0]
    roe = figures["roe"].get(period)
    if not isinstance(roe, Claim):
        return None
    then = year_before(period)
    before = figures["roe"].get(then) or make_missing("roe", symbol, NO_YEAR_BEFORE)
    step = derive_move(ledger, symbol, "roe_step", STEP, figures["roe"], period)
    terms: list[Term] = []
    for metric in _TERMS:
        now, was = figures[metric].get(period), figures[metric].get(then)
        terms.append(
            Term(
                metric,
                now or make_missing(metric, symbol, NO_INPUT),
                was or make_missing(metric, symbol, NO_YEAR_BEFORE),
                _share(ledger, symbol, metric, (roe, before, now, was)),
            )
        )
    return Dupont(period_words(period), roe, before, step, tuple(terms))


def _share(ledger: Ledger, symbol: Symbol, metric: str, inputs: Sequence[Figure | None]) -> Figure:
    name = f"roe_by_{metric}"
    claims = [one for one in inputs if isinstance(one, Claim) and one.value > 0]
    formula = formula_for(name, _SHARE)
    if formula is None or len(claims) < len(inputs):
        return make_missing(name, symbol, NO_YEAR_BEFORE)
    return ledger.derive(formula, claims) or make_missing(name, symbol, NO_YEAR_BEFORE)


def _apart(
    ledger: Ledger, symbol: Symbol, figures: Figures, periods: Sequence[str]
) -> tuple[Apart, ...]:
    """The return on equity by the report and by the valuation's multiples, where they differ."""
    try:
        answer = ledger.fetch(ValuationRequest(symbol=symbol.value))
    except (NoDataError, ProviderError):
        return ()
    other = valuation_figures(ledger, answer, symbol.value, ("roe",))["roe"]
    for period in periods:
        one = figures["roe"].get(period)
        if not isinstance(one, Claim) or not isinstance(other, Claim):
            continue
        if one.claim_id == other.claim_id or other.period != period:
            continue
        if abs(one.value - other.value) > _APART:
            return (Apart("roe", period_words(period), one, other),)
    return ()


def _matrix(
    rows: StatementRows,
    held: Sequence[str],
    chosen: Sequence[str],
    other: StatementRows | None,
    beside: StatementsBeside | None,
) -> Table:
    """The chosen metrics that have a figure; those of the company beside in columns behind."""
    columns = [TableColumn("metric", Text("指标", "Metric"), "text")]
    columns += [TableColumn(period, period_words(period), "figure") for period in rows.periods]
    added = beside.columns if beside is not None else {}
    if beside is not None:
        columns += [
            TableColumn(key, join_texts((beside.name, period_words(period)), " "), "figure")
            for key, period in added.items()
        ]
    wanted = [one for one in held if one in chosen] or held
    made: list[TableRow] = []
    for group, metrics in GROUPS.items():
        for metric in (one for one in metrics if one in wanted):
            cells: dict[str, Cell] = {"metric": rows.name(metric)}
            cells |= {period: rows.find(metric, period) for period in rows.periods}
            if other is not None:
                cells |= {key: other.find(metric, period) for key, period in added.items()}
            made.append(TableRow(cells, rows.symbol.value, group))
    return Table("matrix", Text("财务指标", "Financials"), tuple(columns), tuple(made))


def _dupont_table(found: Dupont) -> Table:
    columns = (
        TableColumn("item", Text("项目", "Item"), "text"),
        TableColumn("now", found.period, "figure"),
        TableColumn("before", Text("上年", "Year before"), "figure"),
        TableColumn("share", Text("净资产收益率变化", "Part of the change in ROE"), "figure"),
    )
    rows = [
        TableRow({"item": metric_words("roe"), "now": found.roe, "before": found.before}),
        TableRow({"item": metric_words("roe_step"), "share": found.step}),
        *(
            TableRow({"item": metric_words(one.metric), "now": one.now, "before": one.before,
                 "share": one.share})
            for one in found.terms
        ),
    ]  # fmt: skip
    return Table("dupont", Text("杜邦分解", "DuPont"), columns, tuple(rows))
