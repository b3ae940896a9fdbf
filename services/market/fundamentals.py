"""Reported and derived figures of one company by period, missing ones with their reason.

Statement figures are as reported (A shares year to date); ratios are derived from figures of the
same period and currency. Multiples belong to the valuation day, not to a report period.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from services.core.claims import Claim, Figure, Missing
from services.core.clock import Clock
from services.core.errors import InputError, NoDataError
from services.core.formulas import FORMULAS, Formula
from services.core.ledger import Answer, Ledger
from services.core.periods import Period
from services.core.requests import FinancialsRequest, ForecastRequest, ValuationRequest
from services.core.symbols import Symbol
from services.market.valuation import FEW_REPORTS, NOT_GIVEN, valuation_figures

STATEMENT = (
    "revenue",
    "net_profit",
    "total_assets",
    "total_liabilities",
    "equity",
    "eps",
    "dps",
)
RATIOS = ("roe", "net_margin", "debt_to_assets", "revenue_yoy", "net_profit_yoy")
MULTIPLES = ("pe_ttm", "pe_lyr", "pb", "dy_l", "bps")
METRIC_NAMES = (*STATEMENT, *RATIOS, *MULTIPLES)
LONGEST = 40
_GROWTH = {"revenue_yoy": "revenue", "net_profit_yoy": "net_profit"}
# Why a figure is not there: Chinese | English, as reports and pages split it.
_NOT_ENDED = "该报告期尚未结束或尚未公布 | the period has not ended or is not published"
_ANNUAL_ONLY = "来源只有年报 | the source has annual reports only"
_NO_PERIOD = "来源没有该报告期的数据 | the source has nothing for this period"
_ONE_DAY = (
    "估值倍数随股价变动，来源只有一个估值日，见 latest 或 realtime | "
    "multiples move with the price and the source has one valuation day: see latest or realtime"
)
_NEWEST_ONLY = (
    "来源只有一个估值日的数值，列在最新一期 | "
    "the source has one valuation day, shown in the newest period"
)
_NOT_REALTIME = (
    "实时数据只有估值指标，报表指标请用 latest 或报告期 | "
    "realtime has multiples only; ask for latest or a report period"
)
_NO_BASE = "缺少上年同期数据 | no figure for the same period a year earlier"
_LOSS_BASE = (
    "上年同期为零或为负，同比没有意义 | zero or negative a year earlier, so growth has no meaning"
)
_NO_INPUT = "缺少推算所需的报表数据 | a reported figure it needs is missing"
_NO_EQUITY = (
    "归母净资产为零或为负，净资产收益率没有意义 | equity is zero or negative, so ROE has no meaning"
)
_TWO_CURRENCIES = (
    "股利与股价币种不同，不跨币种相除 | "
    "dividend and price are in two currencies, which are never divided"
)


@dataclass(frozen=True, slots=True)
class FinancialData:
    """A matrix of metric × period, newest period first.

    `currency` is the reports' own, which may differ from the price's. A pair that has no place (a
    statement figure in a TTM column) is absent. `reasons`: metric → why, where no period has it.
    """

    symbol: str
    currency: str
    periods: tuple[str, ...]
    figures: Mapping[str, Mapping[str, Figure]]
    reasons: Mapping[str, str]


def financial_data(
    ledger: Ledger,
    symbol: Symbol,
    metrics: Sequence[str],
    *,
    period: str = "latest",
    count: int = 1,
    clock: Clock,
) -> FinancialData:
    """Figures of one company.

    `period`: `latest` (the newest report known at the clock and `count` - 1 before it; multiples of
    the valuation day stand in the newest), `realtime` (multiples only), a report period
    (`2016_Q4`, then the same quarter of earlier years, since A-share figures are year to date), or
    `forecast`. A company without reports gets what its valuation implies: net profit of the last
    annual report and trailing revenue, each under its own period.
    Raises: InputError (metrics, period, count), ProviderError.
    """
    _check(metrics, count)
    sheet = _Sheet(ledger, symbol, clock.now().date())
    word = period.strip().lower()
    if word == "forecast":
        columns = sheet.forecast(metrics)
    elif word == "realtime":
        columns = sheet.realtime(metrics)
    elif word == "latest":
        columns = sheet.latest(metrics, count)
    else:
        columns = sheet.of_period(metrics, Period.parse(period), count)
    return _matrix(symbol, sheet.currency, metrics, columns)


def _check(metrics: Sequence[str], count: int) -> None:
    if not metrics:
        raise InputError("metrics", metrics, "one or more of " + " | ".join(METRIC_NAMES))
    for metric in metrics:
        if metric not in METRIC_NAMES:
            raise InputError("metrics", metric, "one of " + " | ".join(METRIC_NAMES))
    if not 1 <= count <= LONGEST:
        raise InputError("count", count, f"a whole number from 1 to {LONGEST}")


_Column = Mapping[str, Figure]


def _matrix(
    symbol: Symbol, currency: str, metrics: Sequence[str], columns: Mapping[str, _Column]
) -> FinancialData:
    figures: dict[str, dict[str, Figure]] = {
        metric: {name: column[metric] for name, column in columns.items() if metric in column}
        for metric in dict.fromkeys(metrics)
    }
    reasons: dict[str, str] = {}
    for metric, row in figures.items():
        lacking = [figure.reason for figure in row.values() if isinstance(figure, Missing)]
        if lacking and len(lacking) == len(row):
            reasons[metric] = lacking[0]
    return FinancialData(symbol.value, currency, tuple(columns), figures, reasons)


class _Sheet:
    """The reports and the valuation of one company, asked for at most once each."""

    def __init__(self, ledger: Ledger, symbol: Symbol, today: date) -> None:
        self._ledger = ledger
        self._symbol = symbol
        self._today = today
        self._why_none = FEW_REPORTS
        self._reported = self._reports()
        self._valued_row: Mapping[str, Figure] | None = None

    @property
    def currency(self) -> str:
        """The currency of the newest report; of the price where there is none."""
        for period in sorted(self._reported, reverse=True):
            for claim in self._reported[period].values():
                return claim.unit.split("/")[0]
        return self._symbol.currency

    def latest(self, metrics: Sequence[str], count: int) -> dict[str, _Column]:
        """The newest reports, and what the valuation implies where they say nothing."""
        periods = sorted(self._reported, reverse=True)[:count]
        if not periods:
            return self._implied(metrics)
        columns: dict[str, _Column] = {}
        for place, period in enumerate(periods):
            columns[str(period)] = {
                metric: self._newest_multiple(metric, newest=place == 0)
                if metric in MULTIPLES
                else self._figure(metric, period)
                for metric in metrics
            }
        if isinstance(columns[str(periods[0])].get("revenue"), Missing):
            columns |= self._trailing(metrics)
        return columns

    def realtime(self, metrics: Sequence[str]) -> dict[str, _Column]:
        """The multiples of the valuation day."""
        valued = self._valued()
        return {
            "realtime": {
                metric: self._multiple(valued, metric)
                if metric in MULTIPLES
                else self._missing(metric, _NOT_REALTIME)
                for metric in metrics
            }
        }

    def forecast(self, metrics: Sequence[str]) -> dict[str, _Column]:
        """Institutions' consensus by the year it is about."""
        try:
            answer = self._ledger.fetch(ForecastRequest(symbol=self._symbol.value))
        except NoDataError as error:
            return {"forecast": {metric: self._missing(metric, error.why) for metric in metrics}}
        columns: dict[str, dict[str, Figure]] = {}
        for call, fact in answer.facts(self._symbol.value):
            if fact.period and fact.metric in metrics:
                columns.setdefault(fact.period, {})[fact.metric] = self._ledger.claim(call, fact)
        return {
            period: {m: columns[period].get(m, self._missing(m, NOT_GIVEN)) for m in metrics}
            for period in sorted(columns)
        }

    def of_period(self, metrics: Sequence[str], period: Period, count: int) -> dict[str, _Column]:
        """That period and the same quarter of the years before it."""
        wanted = [Period(period.year - back, period.quarter, period.basis) for back in range(count)]
        return {str(each): {m: self._figure(m, each) for m in metrics} for each in wanted}

    def _implied(self, metrics: Sequence[str]) -> dict[str, _Column]:
        """One column for the last annual report, and one for trailing revenue when it is asked."""
        base = Period(self._today.year - (1 if self._today.month > 4 else 2), 4)
        first: dict[str, Figure] = {}
        for metric in metrics:
            first[metric] = (
                self._multiple(self._valued(), metric)
                if metric in MULTIPLES
                else self._figure(metric, base)
            )
        return {str(base): first} | self._trailing(metrics)

    def _trailing(self, metrics: Sequence[str]) -> dict[str, _Column]:
        """Trailing revenue under its own period, when revenue is asked and the valuation has it."""
        found = self._valued().get("revenue")
        if "revenue" not in metrics or not isinstance(found, Claim) or found.period is None:
            return {}
        return {found.period: {"revenue": found}}

    def _figure(self, metric: str, period: Period) -> Figure:
        """One figure of one period: reported, derived from that, or implied by the valuation."""
        reported = self._reported.get(period, {}).get(metric)
        if reported is not None:
            return reported
        known = metric in RATIOS and period in self._reported
        derived = self._derived(metric, period) if known else None
        if isinstance(derived, Claim):
            return derived
        implied = self._implied_claim(metric, period)
        if implied is not None:
            return implied
        return derived or self._missing(metric, self._why_missing(metric, period))

    def _implied_claim(self, metric: str, period: Period) -> Claim | None:
        """The valuation's own figure of that very period: never another period's."""
        found = self._valued().get(metric)
        if isinstance(found, Claim) and found.period == str(period):
            return found
        return None

    def _derived(self, metric: str, period: Period) -> Figure:
        if metric in _GROWTH:
            return self._growth(metric, _GROWTH[metric], period)
        formula = next(f for f in FORMULAS if f.metric == metric and self._fits(f))
        inputs = [self._reported.get(period, {}).get(slot.metric) for slot in formula.slots]
        known = [claim for claim in inputs if claim is not None]
        if len(known) != len(inputs) or len({claim.unit for claim in known}) != 1:
            return self._missing(metric, _NO_INPUT)
        if known[-1].value <= 0:
            return self._missing(metric, _NO_EQUITY if metric == "roe" else _NO_INPUT)
        return self._made(formula, known, metric, _NO_INPUT)

    def _growth(self, metric: str, base: str, period: Period) -> Figure:
        before = Period(period.year - 1, period.quarter, period.basis)
        now = self._reported.get(period, {}).get(base)
        then = self._reported.get(before, {}).get(base)
        if now is None:
            return self._missing(metric, _NO_INPUT)
        if then is None or then.unit != now.unit:
            return self._missing(metric, _NO_BASE)
        if then.value <= 0:
            return self._missing(metric, _LOSS_BASE)
        formula = next(f for f in FORMULAS if f.metric == metric)
        return self._made(formula, (now, then), metric, _NO_BASE)

    def _made(self, formula: Formula, inputs: Sequence[Claim], metric: str, why: str) -> Figure:
        claim = self._ledger.derive(formula, inputs)
        return claim if claim is not None else self._missing(metric, why)

    def _fits(self, formula: Formula) -> bool:
        """Whether a formula is from statement figures (ROE is also estimated from multiples)."""
        return all(slot.metric in STATEMENT for slot in formula.slots)

    def _newest_multiple(self, metric: str, *, newest: bool) -> Figure:
        if newest:
            return self._multiple(self._valued(), metric)
        return self._missing(metric, _NEWEST_ONLY)

    def _multiple(self, valued: Mapping[str, Figure], metric: str) -> Figure:
        found = valued[metric]
        if metric == "dy_l" and isinstance(found, Missing):
            dps = [row["dps"] for row in self._reported.values() if "dps" in row]
            if dps and dps[-1].unit.split("/")[0] != self._symbol.currency:
                return self._missing(metric, _TWO_CURRENCIES)
        return found

    def _valued(self) -> Mapping[str, Figure]:
        if self._valued_row is None:
            try:
                answer = self._ledger.fetch(ValuationRequest(symbol=self._symbol.value))
            except NoDataError as error:
                names = (*METRIC_NAMES, "close")
                self._valued_row = {name: self._missing(name, error.why) for name in names}
            else:
                self._valued_row = valuation_figures(self._ledger, answer, self._symbol.value)
        return self._valued_row

    def _reports(self) -> dict[Period, dict[str, Claim]]:
        try:
            answer: Answer = self._ledger.fetch(FinancialsRequest(symbol=self._symbol.value))
        except NoDataError as error:
            self._why_none = error.why
            return {}
        found: dict[Period, dict[str, Claim]] = {}
        for call, fact in answer.facts(self._symbol.value):
            if fact.period is not None:
                period = Period.parse(fact.period)
                found.setdefault(period, {}).setdefault(fact.metric, self._ledger.claim(call, fact))
        return found

    def _why_missing(self, metric: str, period: Period) -> str:
        if metric in MULTIPLES:
            return _ONE_DAY
        if period.end > self._today:
            return _NOT_ENDED
        if not self._reported:
            return self._why_none
        if period.quarter != 4:
            return _ANNUAL_ONLY
        return NOT_GIVEN if period in self._reported else _NO_PERIOD

    def _missing(self, metric: str, reason: str) -> Missing:
        return Missing(metric=metric, symbol=self._symbol.value, reason=reason)
