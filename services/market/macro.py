"""Macro series of the mainland and the money flow of its market, newest periods, oldest first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import Literal, get_args

from services.core.aggregates import BREADTH
from services.core.claims import Claim, Figure
from services.core.errors import NoDataError
from services.core.indexes import find_leading_index
from services.core.ledger import Answer, Ledger
from services.core.members import UNCLASSIFIED
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    FlowRequest,
    MacroRequest,
    SummaryRequest,
)
from services.core.text import Text
from services.market.aggregates import industry_groups, market_group, members_of

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
# So many of the largest industries are told of, with these of their figures.
_INDUSTRIES = 5
_OF_INDUSTRY = ("market_cap_sum", "judged_market_cap", "pe_ttm_median", "pb_median")
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
    """The market's companies, value and medians as last known; behind them how many rose and fell,
    where that is of another day a row of its own, and its largest industries, a row each.
    """
    answer = ledger.fetch(SummaryRequest(market="CN"))
    call, _ = members_of(ledger, answer)
    breadth = {one.metric: ledger.aggregate(call, one) for one in BREADTH}
    rows = _by_day({**market_group(ledger, answer).figures, **breadth})
    named = (one for one in industry_groups(ledger, answer) if one.industry != UNCLASSIFIED)
    for group in islice(named, _INDUSTRIES):
        rows += _by_day({metric: group.figures[metric] for metric in _OF_INDUSTRY})
    return MacroSeries("market_summary", answer.calls[0].source, tuple(rows))


def _by_day(figures: Mapping[str, Figure | None]) -> list[MacroRow]:
    """What is known of these, a row a day, the day of most of what is worth first."""
    days: dict[date, dict[str, Claim]] = {}
    for metric, one in figures.items():
        if isinstance(one, Claim):
            days.setdefault(one.as_of, {})[metric] = one
    return [MacroRow(day.isoformat(), found) for day, found in days.items()]


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
