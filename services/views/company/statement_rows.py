"""The rows of 财务: what the reports of one company give by period, and what follows from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from services.core.catalogue import metric_words
from services.core.claim_names import is_estimate
from services.core.claims import Claim, Figure, Missing
from services.core.clock import Clock
from services.core.errors import NoDataError
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.periods import Period
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.fundamentals import financial_data, report_data
from services.market.splits import split_of

GROUPS: Mapping[Text, tuple[str, ...]] = {
    Text("盈利", "Earnings"): ("revenue", "revenue_yoy", "net_profit", "net_profit_yoy"),
    Text("资产负债", "Balance sheet"): ("total_assets", "total_liabilities", "equity"),
    Text("每股", "Per share"): ("eps", "eps_yoy", "dps", "dps_yoy"),
    Text("比率", "Ratios"): (
        "roe", "net_margin", "gross_margin", "asset_turnover", "equity_multiplier",
        "debt_to_assets",
    ),
}  # fmt: skip
METRICS = tuple(metric for metrics in GROUPS.values() for metric in metrics)
GROWTH = frozenset({"revenue_yoy", "net_profit_yoy", "eps_yoy", "dps_yoy"})
_MADE: Mapping[str, str] = {
    "asset_turnover": "revenue / total_assets * 100",
    "equity_multiplier": "total_assets / equity",
}
YOY, STEP = "(later / earlier - 1) * 100", "later - earlier"
_GROWN = ("eps", "dps")
_ASKED = tuple(
    one for one in METRICS if one not in _MADE and one not in {f"{of}_yoy" for of in _GROWN}
)
NO_YEAR_BEFORE = Text("没有上一年的数", "no figure of the year before")
NO_INPUT = Text("缺少所需的报表数", "a figure it needs is not given")
_SPLIT = Text("两期之间股本大幅变化，不可比", "shares changed greatly in between: not comparable")
_NO_REPORT = Text("来源没有它这一期的报告", "the source has no report of this period")
Kind = Literal["annual", "quarterly"]
Figures = dict[str, dict[str, Figure]]


@dataclass(frozen=True, slots=True)
class StatementRows:
    """Metric → period → figure, `periods` newest first. `implied`: there is no report, and what
    stands here the valuation implies.
    """

    symbol: Symbol
    periods: tuple[str, ...]
    figures: Figures
    currency: str
    implied: bool
    notes: tuple[Text, ...]

    @property
    def holds_any(self) -> bool:
        """Whether there is a figure at all."""
        return any(isinstance(one, Claim) for row in self.figures.values() for one in row.values())

    def find(self, metric: str, period: str) -> Figure | None:
        """That figure; missing with why where there is no report of the period at all."""
        if period not in self.periods:
            return make_missing(metric, self.symbol, _NO_REPORT)
        return self.figures.get(metric, {}).get(period)

    def name(self, metric: str) -> Text:
        """The metric in words, and whether its figures are estimates of ours."""
        words, row = metric_words(metric), self.figures.get(metric, {})
        if any(isinstance(one, Claim) and is_estimate(one) for one in row.values()):
            return Text(f"{words.zh}(推算)", f"{words.en} (estimate)")
        return words


def read_rows(
    ledger: Ledger, symbol: Symbol, kind: Kind, count: int, clock: Clock
) -> StatementRows:
    """The newest `count` reports of that kind, with growth and factors. Raises: ProviderError."""
    implied = False
    try:
        found = report_data(ledger, symbol, _ASKED, kind=kind, count=count + 1, clock=clock)
    except NoDataError:
        found, implied = financial_data(ledger, symbol, _ASKED, clock=clock), True
    figures = {metric: dict(row) for metric, row in found.figures.items()}
    _derive(ledger, symbol, figures, found.periods)
    periods = found.periods if implied else found.periods[:count]
    return StatementRows(symbol, periods, figures, found.currency, implied, found.notes)


def _derive(ledger: Ledger, symbol: Symbol, figures: Figures, periods: Sequence[str]) -> None:
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
            figures[metric][period] = made or make_missing(metric, symbol, NO_INPUT)
    for metric in _GROWN:
        row = figures[metric]
        figures[f"{metric}_yoy"] = {
            period: derive_move(ledger, symbol, f"{metric}_yoy", YOY, row, period)
            for period in periods
        }


def derive_move(
    ledger: Ledger,
    symbol: Symbol,
    metric: str,
    expression: str,
    row: Mapping[str, Figure],
    period: str,
) -> Figure:
    """How a figure moved against the same period of the year before."""
    now, then = row.get(period), row.get(year_before(period))
    formula = formula_for(metric, expression)
    if formula is None or not isinstance(now, Claim) or not isinstance(then, Claim):
        return make_missing(metric, symbol, NO_YEAR_BEFORE)
    if split_of(then) is not None or now.unit != then.unit:
        return make_missing(metric, symbol, _SPLIT)
    if expression == YOY and then.value <= 0:
        return make_missing(metric, symbol, NO_YEAR_BEFORE)
    return ledger.derive(formula, (now, then)) or make_missing(metric, symbol, NO_YEAR_BEFORE)


def year_before(period: str) -> str:
    """The same period of the year before."""
    parsed = Period.parse(period)
    return str(Period(parsed.year - 1, parsed.quarter, parsed.basis))


def make_missing(metric: str, symbol: Symbol, reason: Text) -> Missing:
    """A figure that is not there, and why."""
    return Missing(metric=metric, symbol=symbol.value, reason=reason)
