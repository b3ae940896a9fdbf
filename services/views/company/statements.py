"""财务: the reports by period, small multiples of six figures, DuPont, what disagrees and what is
expected.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from services.core.claim_names import is_estimate
from services.core.claims import Claim, Figure, Missing
from services.core.errors import NoDataError, ProviderError
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.periods import Period
from services.core.requests import ValuationRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.fundamentals import financial_data, report_data
from services.market.splits import split_of
from services.market.valuation import valuation_figures
from services.views.company.forecasts import Forecasts, gather_forecasts
from services.views.financials import period_words
from services.views.parts import Parts
from services.views.table import Table, TableColumn, TableRow, metric_words

GROUPS: Mapping[Text, tuple[str, ...]] = {
    Text("盈利", "Earnings"): ("revenue", "revenue_yoy", "net_profit", "net_profit_yoy"),
    Text("资产负债", "Balance sheet"): ("total_assets", "total_liabilities", "equity"),
    Text("每股", "Per share"): ("eps", "eps_yoy", "dps", "dps_yoy", "bps"),
    Text("比率", "Ratios"): (
        "roe", "net_margin", "gross_margin", "asset_turnover", "equity_multiplier",
        "debt_to_assets",
    ),
}  # fmt: skip
GROWTH = frozenset({"revenue_yoy", "net_profit_yoy", "eps_yoy", "dps_yoy"})
_ASKED = (
    "revenue", "revenue_yoy", "net_profit", "net_profit_yoy", "total_assets",
    "total_liabilities", "equity", "eps", "dps", "roe", "net_margin", "gross_margin",
    "debt_to_assets",
)  # fmt: skip
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
_MADE: Mapping[str, str] = {
    "asset_turnover": "revenue / total_assets * 100",
    "equity_multiplier": "total_assets / equity",
}
_YOY, _STEP = "(later / earlier - 1) * 100", "later - earlier"
_SHARE = "log_share(roe, before, part, part_before)"
_NO_YEAR_BEFORE = Text("没有上一年的数", "no figure of the year before")
_NO_INPUT = Text("缺少所需的报表数", "a figure it needs is not given")
_SPLIT = Text("两期之间股本大幅变化，不可比", "shares changed greatly in between: not comparable")
# Of two values of one figure this much, in percentage points, is no rounding.
_APART = 0.05
Kind = Literal["annual", "quarterly"]


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
    implies. `quarters`: whether the source has interim reports to choose.
    """

    kind: Kind
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
    parts: Parts, ledger: Ledger, symbol: Symbol, kind: Kind, count: int
) -> StatementsPart:
    """The newest `count` reports of that kind. Raises: ProviderError."""
    implied = False
    try:
        found = report_data(ledger, symbol, _ASKED, kind=kind, count=count + 1, clock=parts.clock)
    except NoDataError:
        found, implied = financial_data(ledger, symbol, _ASKED, clock=parts.clock), True
    periods = found.periods[: count if not implied else len(found.periods)]
    figures = {metric: dict(row) for metric, row in found.figures.items()}
    _derive(ledger, symbol, figures, found.periods)
    forecasts = gather_forecasts(ledger, symbol)
    return StatementsPart(
        kind=kind,
        periods=periods,
        matrix=_matrix(symbol, figures, periods),
        small=() if implied else _small(ledger, symbol, figures, periods),
        dupont=None if implied or kind != "annual" else _dupont(ledger, symbol, figures, periods),
        apart=_apart(ledger, symbol, figures, periods),
        implied=implied,
        quarters=parts.settings.mode == "live",
        forecasts=forecasts,
        notes=(*found.notes, *forecasts.notes),
    )


_Figures = dict[str, dict[str, Figure]]


def _derive(ledger: Ledger, symbol: Symbol, figures: _Figures, periods: Sequence[str]) -> None:
    """Growth per share and the factors of DuPont, of every period that has what they need."""
    for metric, expression in _MADE.items():
        formula = formula_for(metric, expression)
        figures[metric] = {}
        for period in periods:
            inputs = [figures[s.metric].get(period) for s in formula.slots] if formula else []
            claims = [one for one in inputs if isinstance(one, Claim) and one.period == period]
            made = None
            if formula is not None and len(claims) == len(inputs) and claims[-1].value > 0:
                made = ledger.derive(formula, claims)
            figures[metric][period] = made or _make_missing(metric, symbol, _NO_INPUT)
    for metric in ("eps", "dps"):
        row = figures[metric]
        figures[f"{metric}_yoy"] = {
            period: _derive_move(ledger, symbol, f"{metric}_yoy", _YOY, row, period)
            for period in periods
        }


def _derive_move(
    ledger: Ledger,
    symbol: Symbol,
    metric: str,
    expression: str,
    row: Mapping[str, Figure],
    period: str,
) -> Figure:
    """How a figure moved against the same period of the year before."""
    now, then = row.get(period), row.get(_before(period))
    formula = formula_for(metric, expression)
    if formula is None or not isinstance(now, Claim) or not isinstance(then, Claim):
        return _make_missing(metric, symbol, _NO_YEAR_BEFORE)
    if split_of(then) is not None or now.unit != then.unit:
        return _make_missing(metric, symbol, _SPLIT)
    if expression == _YOY and then.value <= 0:
        return _make_missing(metric, symbol, _NO_YEAR_BEFORE)
    return ledger.derive(formula, (now, then)) or _make_missing(metric, symbol, _NO_YEAR_BEFORE)


def _before(period: str) -> str:
    parsed = Period.parse(period)
    return str(Period(parsed.year - 1, parsed.quarter, parsed.basis))


def _small(
    ledger: Ledger, symbol: Symbol, figures: _Figures, periods: Sequence[str]
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
            else _derive_move(ledger, symbol, change, _STEP, row, newest)
        )
        first, last = (periods.index(one.period or newest) for one in (known[0], known[-1]))
        made.append(
            Small(
                metric,
                known,
                moved or _make_missing(change, symbol, _NO_YEAR_BEFORE),
                tuple(reversed(periods[last : first + 1])),
            )
        )
    return tuple(made)


def _dupont(
    ledger: Ledger, symbol: Symbol, figures: _Figures, periods: Sequence[str]
) -> Dupont | None:
    period = periods[0]
    roe = figures["roe"].get(period)
    if not isinstance(roe, Claim):
        return None
    then = _before(period)
    before = figures["roe"].get(then) or _make_missing("roe", symbol, _NO_YEAR_BEFORE)
    step = _derive_move(ledger, symbol, "roe_step", _STEP, figures["roe"], period)
    terms: list[Term] = []
    for metric in _TERMS:
        now, was = figures[metric].get(period), figures[metric].get(then)
        terms.append(
            Term(
                metric,
                now or _make_missing(metric, symbol, _NO_INPUT),
                was or _make_missing(metric, symbol, _NO_YEAR_BEFORE),
                _share(ledger, symbol, metric, (roe, before, now, was)),
            )
        )
    return Dupont(period_words(period), roe, before, step, tuple(terms))


def _share(ledger: Ledger, symbol: Symbol, metric: str, inputs: Sequence[Figure | None]) -> Figure:
    name = f"roe_by_{metric}"
    claims = [one for one in inputs if isinstance(one, Claim) and one.value > 0]
    formula = formula_for(name, _SHARE)
    if formula is None or len(claims) < len(inputs):
        return _make_missing(name, symbol, _NO_YEAR_BEFORE)
    return ledger.derive(formula, claims) or _make_missing(name, symbol, _NO_YEAR_BEFORE)


def _apart(
    ledger: Ledger, symbol: Symbol, figures: _Figures, periods: Sequence[str]
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


def _matrix(symbol: Symbol, figures: _Figures, periods: Sequence[str]) -> Table:
    columns = [TableColumn("metric", Text("指标", "Metric"), "text")]
    columns += [TableColumn(period, period_words(period), "figure") for period in periods]
    rows: list[TableRow] = []
    for group, metrics in GROUPS.items():
        for metric in metrics:
            row = figures.get(metric, {})
            shown = {period: row.get(period) for period in periods}
            if any(isinstance(one, Claim) for one in shown.values()):
                rows.append(TableRow({"metric": _name(metric, row), **shown}, symbol.value, group))
    return Table("matrix", Text("财务指标", "Financials"), tuple(columns), tuple(rows))


def _name(metric: str, row: Mapping[str, Figure]) -> Text:
    words = metric_words(metric)
    if any(isinstance(one, Claim) and is_estimate(one) for one in row.values()):
        return Text(f"{words.zh}(推算)", f"{words.en} (estimate)")
    return words


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


def _make_missing(metric: str, symbol: Symbol, reason: Text) -> Missing:
    return Missing(metric=metric, symbol=symbol.value, reason=reason)
