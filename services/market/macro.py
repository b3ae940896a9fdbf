"""Macro series of the mainland and the money flow of its market, newest periods, oldest first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, get_args

from services.core.claims import Claim
from services.core.errors import NoDataError
from services.core.indexes import find_leading_index
from services.core.ledger import Answer, Ledger
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    FlowRequest,
    MacroRequest,
    SummaryRequest,
)
from services.core.text import Text
from services.market.aggregates import market_group

SeriesName = Literal[
    "pmi",
    "money_supply",
    "cpi",
    "ppi",
    "gdp",
    "lpr",
    "social_financing",
    "fund_flow",
    "market_summary",
    "market_index",
]
SERIES: tuple[SeriesName, ...] = get_args(SeriesName)
# Days without sessions there may be in a row, beyond weekends.
_HOLIDAYS = 15


@dataclass(frozen=True, slots=True)
class MacroRow:
    """One period of a series; `period` is a month, a quarter (year to date) or a day."""

    period: str
    figures: Mapping[str, Claim]


@dataclass(frozen=True, slots=True)
class MacroSeries:
    """One series as one source gives it, oldest first, never empty."""

    name: SeriesName
    source: str
    rows: tuple[MacroRow, ...]


def macro_series(ledger: Ledger, name: SeriesName, count: int, today: date) -> MacroSeries:
    """The newest `count` periods of one series as known `today`; of `fund_flow`, sessions of the
    whole market, of `market_index` closes of its leading index, of `market_summary` its companies,
    value and medians as last known.

    Raises: NoDataError, ProviderError, ConfigError.
    """
    if name == "market_summary":
        return _summary(ledger)
    request: FetchRequest
    if name == "market_index":
        start = today - timedelta(days=count * 2 + _HOLIDAYS)
        request = BarsRequest(symbol=find_leading_index("CN").symbol, start=start)
    elif name == "fund_flow":
        request = FlowRequest(symbol=None, days=count)
    else:
        request = MacroRequest(series=name, count=count)
    answer = ledger.fetch(request)
    rows = _rows(ledger, answer, "close" if name == "market_index" else None)[-count:]
    if not rows:
        raise NoDataError(f"macro:{name}", Text("来源没有给出数值", "the source gives no figure"))
    return MacroSeries(name, answer.calls[0].source, tuple(rows))


def _summary(ledger: Ledger) -> MacroSeries:
    """The market's companies, value and medians as last known: one row, of one day."""
    answer = ledger.fetch(SummaryRequest(market="CN"))
    figures = market_group(ledger, answer).figures
    known = {metric: one for metric, one in figures.items() if isinstance(one, Claim)}
    day = known["company_count"].as_of
    of_day = {metric: one for metric, one in known.items() if one.as_of == day}
    row = MacroRow(day.isoformat(), of_day)
    return MacroSeries("market_summary", answer.calls[0].source, (row,))


def _rows(ledger: Ledger, answer: Answer, only: str | None) -> Sequence[MacroRow]:
    """The figures by period; `only` the one of that name."""
    found: dict[tuple[str, str], dict[str, Claim]] = {}
    for call in answer.calls:
        for fact in call.rows:
            if only not in {None, fact.metric}:
                continue
            day = fact.as_of.isoformat()
            row = found.setdefault((day, fact.period or day), {})
            row.setdefault(fact.metric, ledger.claim(call, fact))
    return [MacroRow(period, figures) for (_, period), figures in sorted(found.items())]
