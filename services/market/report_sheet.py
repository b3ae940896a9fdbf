"""The reports and the valuation of one company, each asked for at most once.

A figure of a period is what a report gives, else what follows from figures of that very report,
else what the valuation implies of that period; what is none of these is missing, with why.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Literal

from services.core.claims import Claim, Figure, Missing, ToolCite
from services.core.errors import NoDataError, ProviderError
from services.core.formulas import FORMULAS, Formula, formula_for
from services.core.ledger import Answer, Ledger
from services.core.periods import Period
from services.core.requests import (
    DatedValuationsRequest,
    FinancialsRequest,
    ValuationRequest,
)
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact, ToolCall
from services.core.units import CURRENCIES
from services.market.outages import why_missing
from services.market.valuation import (
    LOSS,
    NO_DIVIDEND,
    NOT_GIVEN,
    TWO_CURRENCIES,
    valuation_figures,
)

ReportKind = Literal["annual", "quarterly"]
Column = Mapping[str, Figure]
STATEMENT = (
    "revenue",
    "net_profit",
    "total_assets",
    "total_liabilities",
    "equity",
    "eps",
    "dps",
)
RATIOS = (
    "roe",
    "gross_margin",
    "net_margin",
    "debt_to_assets",
    "revenue_yoy",
    "net_profit_yoy",
)
MULTIPLES = ("pe_ttm", "pe_lyr", "pb", "dy_l", "bps")
METRIC_NAMES = (*STATEMENT, *RATIOS, *MULTIPLES)
# What a valuation may imply of a report period.
_IMPLIED = ("revenue", "net_profit", "roe")
_GROWTH = {"revenue_yoy": "revenue", "net_profit_yoy": "net_profit"}
# Why a figure is not there: Chinese | English, as reports and pages split it.
_NOT_ENDED = Text("该报告期尚未结束或尚未公布", "the period has not ended or is not published")
_ANNUAL_ONLY = Text("来源只有年报", "the source has annual reports only")
_NO_PERIOD = Text("来源没有该报告期的数据", "the source has nothing for this period")
# How long before the end of a period its last session may lie: the longest holidays are ten days.
_LAST_SESSION = timedelta(days=14)
# Multiples of the price; book value per share stands in reports.
_PRICED = ("pe_ttm", "pe_lyr", "pb", "dy_l")
_NOT_REALTIME = Text(
    "实时数据只有估值指标，报表指标请用 latest 或报告期",
    "realtime has multiples only; ask for latest or a report period",
)
_OF_COMPANY = Text("指数没有公司的财务数据", "an index has no company figures")
_NO_BASE = Text("缺少上年同期数据", "no figure for the same period a year earlier")
_LOSS_BASE = Text(
    "上年同期为零或为负，同比没有意义", "zero or negative a year earlier, so growth has no meaning"
)
_NO_INPUT = Text("缺少推算所需的报表数据", "a reported figure it needs is missing")
_NO_EQUITY = Text(
    "归母净资产为零或为负，净资产收益率没有意义",
    "equity is zero or negative, so ROE has no meaning",
)


class Sheet:
    """The reports and the valuation of one company, asked for at most once each."""

    def __init__(self, ledger: Ledger, symbol: Symbol, today: date) -> None:
        self._ledger = ledger
        self._symbol = symbol
        self._today = today
        self._why_none = NOT_GIVEN
        self._valued_row: Mapping[str, Figure] | None = None
        self._dated_rows: dict[Period, Mapping[str, Figure] | Text] = {}
        self._report_rows: Mapping[Period, Mapping[str, tuple[ToolCall, Fact]]] | None = None

    @property
    def _reported(self) -> Mapping[Period, Mapping[str, tuple[ToolCall, Fact]]]:
        """The reports, asked for when first needed: multiples alone need none."""
        # No cached_property: until Python 3.12 it holds one lock for all companies while it asks.
        if self._report_rows is None:
            self._report_rows = self._reports()
        return self._report_rows

    @property
    def currency(self) -> str:
        """The currency of the newest report; of the price where there is none."""
        for period in sorted(self._reported, reverse=True):
            for _, fact in self._reported[period].values():
                if (unit := fact.unit.removesuffix("/share")) in CURRENCIES:
                    return unit
        return self._symbol.currency

    def latest(self, metrics: Sequence[str], count: int) -> dict[str, Column]:
        """The newest reports, and what the valuation implies where they say nothing."""
        periods = sorted(self._reported, reverse=True)[:count]
        if not periods:
            return self._add_implied(metrics)
        columns: dict[str, Column] = {}
        for place, period in enumerate(periods):
            columns[str(period)] = {
                metric: self._newest_multiple(metric, period, newest=place == 0)
                if metric in MULTIPLES and metric not in self._reported[period]
                else self._figure(metric, period)
                for metric in metrics
            }
        if isinstance(columns[str(periods[0])].get("revenue"), Missing):
            columns |= self._add_trailing(metrics)
        return columns

    def reports(self, metrics: Sequence[str], count: int, kind: ReportKind) -> dict[str, Column]:
        """The newest reports of that kind. Raises: NoDataError."""
        wanted = [one for one in self._reported if kind == "quarterly" or one.quarter == 4]
        if not wanted:
            raise NoDataError(f"financials {self._symbol}", self._why_none)
        periods = sorted(wanted, reverse=True)[:count]
        return {str(each): {m: self._figure(m, each) for m in metrics} for each in periods}

    def realtime(self, metrics: Sequence[str]) -> dict[str, Column]:
        """The multiples of the valuation day. Raises: ProviderError."""
        valued = self._read_valuation(needed=True)
        return {
            "realtime": {
                metric: self._multiple(valued, metric)
                if metric in MULTIPLES
                else self._make_missing(
                    metric, _OF_COMPANY if self._symbol.is_index else _NOT_REALTIME
                )
                for metric in metrics
            }
        }

    def of_period(self, metrics: Sequence[str], period: Period, count: int) -> dict[str, Column]:
        """That period and the same quarter of the years before it."""
        wanted = [Period(period.year - back, period.quarter, period.basis) for back in range(count)]
        return {str(each): {m: self._figure(m, each) for m in metrics} for each in wanted}

    def _add_implied(self, metrics: Sequence[str]) -> dict[str, Column]:
        """One column for the last annual report, and one for trailing revenue when it is asked."""
        base = Period(self._today.year - (1 if self._today.month > 4 else 2), 4)
        first: dict[str, Figure] = {}
        for metric in metrics:
            first[metric] = (
                self._multiple(self._read_valuation(), metric)
                if metric in MULTIPLES
                else self._figure(metric, base)
            )
        return {str(base): first} | self._add_trailing(metrics)

    def _add_trailing(self, metrics: Sequence[str]) -> dict[str, Column]:
        """Trailing revenue under its own period, when revenue is asked and the valuation has it."""
        found = self._read_valuation().get("revenue")
        if "revenue" not in metrics or not isinstance(found, Claim) or found.period is None:
            return {}
        return {found.period: {"revenue": found}}

    def _figure(self, metric: str, period: Period) -> Figure:
        """One figure of one period: reported, derived from that, or implied by the valuation."""
        reported = self._report(metric, period)
        if reported is not None:
            return reported
        if metric in _PRICED:
            return self._read_dated(metric, period)
        known = metric in RATIOS and period in self._reported
        derived = self._derive_metric(metric, period) if known else None
        if isinstance(derived, Claim):
            return derived
        implied = self._find_implied(metric, period)
        if implied is not None:
            return implied
        return derived or self._make_missing(metric, self._why_missing(metric, period))

    def _read_dated(self, metric: str, period: Period) -> Figure:
        """The multiple at the close of the last session of that period."""
        if period.end > self._today:
            return self._make_missing(metric, _NOT_ENDED)
        row = self._dated_rows.get(period)
        if row is None:
            row = self._dated_rows[period] = self._last_session(period)
        if isinstance(row, Text):
            return self._make_missing(metric, row)
        return row.get(metric) or self._make_missing(metric, LOSS if "pe" in metric else NOT_GIVEN)

    def _last_session(self, period: Period) -> Mapping[str, Figure] | Text:
        """What a source says of the last session until the end of that period; why it does not."""
        request = DatedValuationsRequest(
            symbol=self._symbol.value, start=period.end - _LAST_SESSION, end=period.end
        )
        try:
            answer = self._ledger.fetch(request)
        except (NoDataError, ProviderError) as error:
            return why_missing(self._ledger, error)
        found = answer.facts(self._symbol.value)
        last = max(fact.as_of for _, fact in found)
        return {
            fact.metric: self._ledger.claim(call, fact)
            for call, fact in found
            if fact.as_of == last
        }

    def _find_implied(self, metric: str, period: Period) -> Claim | None:
        """The valuation's own figure of that very period: never another period's."""
        found = self._read_valuation().get(metric) if metric in _IMPLIED else None
        if isinstance(found, Claim) and found.period == str(period):
            return found
        return None

    def _derive_metric(self, metric: str, period: Period) -> Figure:
        if metric in _GROWTH:
            return self._growth(metric, _GROWTH[metric], period)
        formula = next((f for f in FORMULAS if f.metric == metric and self._fits(f)), None)
        if formula is None:
            return self._make_missing(metric, NOT_GIVEN)
        inputs = [self._report(slot.metric, period) for slot in formula.slots]
        known = [claim for claim in inputs if claim is not None]
        if len(known) != len(inputs) or not _alike(known):
            return self._make_missing(metric, _NO_INPUT)
        if known[-1].value <= 0:
            return self._make_missing(metric, _NO_EQUITY if metric == "roe" else _NO_INPUT)
        return self._make_figure(formula, known, metric, _NO_INPUT)

    def _growth(self, metric: str, base: str, period: Period) -> Figure:
        before = Period(period.year - 1, period.quarter, period.basis)
        now, then = self._report(base, period), self._report(base, before)
        if now is None:
            return self._make_missing(metric, _NO_INPUT)
        if then is None or not _alike((now, then)):
            return self._make_missing(metric, _NO_BASE)
        if then.value <= 0:
            return self._make_missing(metric, _LOSS_BASE)
        formula = next(f for f in FORMULAS if f.metric == metric)
        return self._make_figure(formula, (now, then), metric, _NO_BASE)

    def _make_figure(
        self, formula: Formula, inputs: Sequence[Claim], metric: str, why: Text
    ) -> Figure:
        claim = self._ledger.derive(formula, inputs)
        return claim if claim is not None else self._make_missing(metric, why)

    def _fits(self, formula: Formula) -> bool:
        """Whether a formula is from statement figures (ROE is also estimated from multiples)."""
        return all(slot.metric in STATEMENT for slot in formula.slots)

    def _newest_multiple(self, metric: str, period: Period, *, newest: bool) -> Figure:
        if newest:
            return self._multiple(self._read_valuation(), metric)
        return self._figure(metric, period)

    def _multiple(self, valued: Mapping[str, Figure], metric: str) -> Figure:
        found = valued[metric]
        if metric == "dy_l" and isinstance(found, Missing) and found.reason != TWO_CURRENCIES:
            return self._own_yield(valued["price"], found)
        return found

    def _own_yield(self, price: Figure, found: Missing) -> Figure:
        """Why there is no yield, or the newest full year's dividend over the valuation's price.

        A source that says why none of its companies has one is not overruled.
        """
        dividends = self._dividends()
        if not dividends:
            return found
        if dividends[-1].unit.split("/")[0] != self._symbol.currency:
            return self._make_missing("dy_l", TWO_CURRENCIES)
        formula = formula_for("dy_l", f"dps / {price.metric} * 100")
        if found.reason != NO_DIVIDEND or formula is None or not isinstance(price, Claim):
            return found
        return self._make_figure(formula, (dividends[-1], price), "dy_l", found.reason)

    def _dividends(self) -> list[Claim]:
        """Each full year's dividend per share in the reports, oldest first; none if they failed."""
        try:
            years = sorted(period for period in self._reported if period.quarter == 4)
        except ProviderError:
            return []
        return [claim for each in years if (claim := self._report("dps", each)) is not None]

    def _read_valuation(self, *, needed: bool = False) -> Mapping[str, Figure]:
        """The valuation row. Where a source failed it is Missing throughout, or raises if `needed`.

        Raises: ProviderError.
        """
        if self._valued_row is None:
            try:
                answer = self._ledger.fetch(ValuationRequest(symbol=self._symbol.value))
            except (NoDataError, ProviderError) as error:
                if needed and isinstance(error, ProviderError):
                    raise
                why = why_missing(self._ledger, error)
                names = (*METRIC_NAMES, "price")
                self._valued_row = {name: self._make_missing(name, why) for name in names}
            else:
                self._valued_row = valuation_figures(self._ledger, answer, self._symbol.value)
        return self._valued_row

    def _report(self, metric: str, period: Period) -> Claim | None:
        """What the reports say of that period."""
        found = self._reported.get(period, {}).get(metric)
        return None if found is None else self._ledger.claim(*found)

    def _reports(self) -> dict[Period, dict[str, tuple[ToolCall, Fact]]]:
        try:
            answer: Answer = self._ledger.fetch(FinancialsRequest(symbol=self._symbol.value))
        except NoDataError as error:
            self._why_none = error.why
            return {}
        found: dict[Period, dict[str, tuple[ToolCall, Fact]]] = {}
        # Another source's figures come after: they stand only where the first gives none.
        given = answer.facts(self._symbol.value) + answer.elsewhere(self._symbol.value)
        for call, fact in given:
            if fact.period is not None:
                period = Period.parse(fact.period)
                found.setdefault(period, {}).setdefault(fact.metric, (call, fact))
        return found

    def _why_missing(self, metric: str, period: Period) -> Text:
        if period in self._reported:
            return NOT_GIVEN
        if period.end > self._today:
            return _NOT_ENDED
        if not self._reported:
            return self._why_none
        if period.quarter != 4 and all(known.quarter == 4 for known in self._reported):
            return _ANNUAL_ONLY
        return _NO_PERIOD

    def _make_missing(self, metric: str, reason: Text) -> Missing:
        return Missing(metric=metric, symbol=self._symbol.value, reason=reason)


def _alike(inputs: Sequence[Claim]) -> bool:
    """Whether they may be set in relation: one currency and one source, since what a second source
    calls revenue need not be what the first does.
    """
    sources = {claim.cite.source for claim in inputs if isinstance(claim.cite, ToolCite)}
    return len({claim.unit for claim in inputs}) == 1 and len(sources) == 1
