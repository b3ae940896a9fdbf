"""Reported and derived figures of one company by period, missing ones with their reason.

Statement figures are as reported (A shares year to date); ratios are derived from figures of the
same period and currency. Multiples belong to the valuation day, not to a report period.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from services.core.claims import Claim, Figure, Missing
from services.core.clock import Clock
from services.core.errors import InputError
from services.core.ledger import Ledger
from services.core.periods import FORECAST, Period
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.forecasts import forecast_columns
from services.market.report_sheet import METRIC_NAMES, MULTIPLES, Column, ReportKind, Sheet

LONGEST = 40
_YEAR_TO_DATE = Text(
    "季报与中报为财年年初至期末的累计数，净资产收益率未年化",
    "interim figures are from the start of the fiscal year; ROE is not annualised",
)
ESTIMATED = Text(
    "机构预期是他人的预测，不是公司业绩", "consensus figures are estimates of others, not results"
)
# How a provider writes it into the note of a figure.
_AT_PERIOD_END = Text(
    "报告期的估值倍数为该期最后一个交易日收盘时来源的数值",
    "a multiple of a report period is the source's at the close of its last session",
)
_ANNOUNCED = re.compile(r"公告日 (\d{4}-\d{2}-\d{2})")


@dataclass(frozen=True, slots=True)
class FinancialData:
    """A matrix of metric × period, newest period first.

    `currency` is the reports' own, which may differ from the price's. A pair that has no place (a
    statement figure in a TTM column) is absent. `reasons`: metric → why, where no period has it.
    `notes` is what holds for all of it (year to date, estimates).
    """

    symbol: str
    currency: str
    periods: tuple[str, ...]
    figures: Mapping[str, Mapping[str, Figure]]
    reasons: Mapping[str, Text]
    notes: tuple[Text, ...] = ()

    def newest(self, metric: str) -> Figure | None:
        """That of the newest period that has it, else why there is none; None where it has no
        place.
        """
        row = [*self.figures[metric].values()]
        return next((one for one in row if isinstance(one, Claim)), row[0] if row else None)

    def announced_on(self, period: str) -> date | None:
        """When the figures of that report became public, the last of them; None when not told."""
        notes = [
            figure.cite.note
            for row in self.figures.values()
            if isinstance(figure := row.get(period), Claim)
        ]
        days = [found[1] for note in notes if note and (found := _ANNOUNCED.search(note))]
        return max(map(date.fromisoformat, days), default=None)


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
    `forecast` (estimates by fiscal year; `forecast_2027` those of that one). Of an index `latest`
    is `realtime`. What a report gives
    wins over what is derived from it. A company without reports gets what its valuation implies:
    net profit of the last annual report and trailing revenue, each under its own period.
    Raises: InputError (metrics, period, count), ProviderError.
    """
    _check(metrics, count)
    sheet = Sheet(ledger, symbol, clock.now().date())
    word = period.strip().lower()
    if symbol.is_index and word == "latest":
        word = "realtime"  # an index reports nothing: what is newest of it are its multiples
    currency = symbol.currency
    if (forecast := FORECAST.fullmatch(word)) is not None:
        columns = forecast_columns(ledger, symbol, metrics, forecast["year"])
    elif word == "realtime":
        columns = sheet.realtime(metrics)
    elif word == "latest":
        columns = sheet.latest(metrics, count)
    else:
        columns = sheet.of_period(metrics, Period.parse(period), count)
    if forecast is None and word != "realtime":
        currency = sheet.currency
    return _matrix(symbol, currency, metrics, columns, _notes(columns, word))


def report_data(
    ledger: Ledger,
    symbol: Symbol,
    metrics: Sequence[str],
    *,
    kind: ReportKind,
    count: int,
    clock: Clock,
) -> FinancialData:
    """The newest reports alone, annual ones or all, each a column; nothing implied in between.

    Raises: InputError (metrics, count), NoDataError (no such report), ProviderError.
    """
    _check(metrics, count)
    sheet = Sheet(ledger, symbol, clock.now().date())
    columns = sheet.reports(metrics, count, kind)
    return _matrix(symbol, sheet.currency, metrics, columns, _notes(columns, kind))


def _check(metrics: Sequence[str], count: int) -> None:
    if not metrics:
        raise InputError("metrics", metrics, "one or more of " + " | ".join(METRIC_NAMES))
    for metric in metrics:
        if metric not in METRIC_NAMES:
            raise InputError("metrics", metric, "one of " + " | ".join(METRIC_NAMES))
    if not 1 <= count <= LONGEST:
        raise InputError("count", count, f"a whole number from 1 to {LONGEST}")


def _notes(columns: Mapping[str, Column], word: str) -> tuple[Text, ...]:
    if FORECAST.fullmatch(word):
        estimated = any(
            isinstance(f, Claim) for column in columns.values() for f in column.values()
        )
        return (ESTIMATED,) if estimated else ()
    interim = any(
        isinstance(figure, Claim)
        and figure.period == name
        and (period := Period.parse(name)).basis == "report"
        and period.quarter != 4
        for name, column in columns.items()
        if name != "realtime"
        for metric, figure in column.items()
        if metric not in MULTIPLES
    )
    dated = any(
        _is_at_end_of(name, figure)
        for name, column in columns.items()
        if name != "realtime"
        for metric, figure in column.items()
        if metric in MULTIPLES
    )
    said = ((_YEAR_TO_DATE, interim), (_AT_PERIOD_END, dated))
    return tuple(note for note, holds in said if holds)


def _is_at_end_of(period: str, multiple: Figure | None) -> bool:
    """Whether a multiple belongs to the last session of that report period."""
    if not isinstance(multiple, Claim) or multiple.period is not None:
        return False
    asked = Period.parse(period)
    return asked.basis == "report" and multiple.as_of <= asked.end


def _matrix(
    symbol: Symbol,
    currency: str,
    metrics: Sequence[str],
    columns: Mapping[str, Column],
    notes: tuple[Text, ...] = (),
) -> FinancialData:
    figures: dict[str, dict[str, Figure]] = {
        metric: {name: column[metric] for name, column in columns.items() if metric in column}
        for metric in dict.fromkeys(metrics)
    }
    reasons: dict[str, Text] = {}
    for metric, row in figures.items():
        lacking = [figure.reason for figure in row.values() if isinstance(figure, Missing)]
        if lacking and len(lacking) == len(row):
            reasons[metric] = lacking[0]
    return FinancialData(symbol.value, currency, tuple(columns), figures, reasons, notes)
