"""机构预期: what institutions expect of the years to come, a row a figure and source.

What two sources say of one figure stands in two rows: their samples differ, and nothing is
averaged.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from services.core.catalogue import metric_words
from services.core.claims import Claim
from services.core.ledger import Answer, Ledger
from services.core.requests import ForecastRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.forecasts import NO_YEAR
from services.market.fundamentals import ESTIMATED
from services.market.outages import Absence, attempt
from services.views.financials import period_words
from services.views.source_words import source_words
from services.views.table import (
    Table,
    TableColumn,
    TableRow,
)

_SHOWN = (
    "forecast_revenue", "forecast_net_profit", "forecast_eps", "forecast_roe", "forecast_pe",
)  # fmt: skip


class Expected(NamedTuple):
    """What one source expects of one figure: by period, and the newest day it goes back to."""

    metric: str
    source: str
    by_period: Mapping[str, Claim]

    @property
    def as_of(self) -> date:
        """The day of the newest estimate in it."""
        return max(one.as_of for one in self.by_period.values())


@dataclass(frozen=True, slots=True)
class Forecasts:
    """`rows` by figure, the source asked first before the others; `periods` oldest first; `why`
    is null where there are any.
    """

    rows: tuple[Expected, ...]
    periods: tuple[str, ...]
    why: Text | None

    @property
    def notes(self) -> tuple[Text, ...]:
        """Whose figures these are."""
        return (ESTIMATED,) if self.rows else ()

    def tables(self) -> tuple[Table, ...]:
        """All of it; none where nobody expects anything."""
        if not self.rows:
            return ()
        columns = (
            TableColumn("metric", Text("指标", "Metric"), "text"),
            TableColumn("source", Text("来源", "Source"), "text"),
            TableColumn("as_of", Text("截至", "As of"), "date"),
            *(TableColumn(one, period_words(one), "figure") for one in self.periods),
        )
        rows = [
            TableRow(
                {
                    "metric": metric_words(one.metric),
                    "source": source_words(one.source),
                    "as_of": one.as_of.isoformat(),
                    **one.by_period,
                }
            )
            for one in self.rows
        ]
        return (Table("forecasts", Text("机构预期", "Forecasts"), columns, tuple(rows), ESTIMATED),)


def gather_forecasts(ledger: Ledger, symbol: Symbol) -> Forecasts:
    """What every source asked expects of it; a source that fails or has nothing is the reason."""
    request = ForecastRequest(symbol=symbol.value)
    answer = attempt(ledger, lambda: ledger.fetch(request))
    if isinstance(answer, Absence):
        return Forecasts((), (), answer.why)
    rows = _rows(ledger, answer, symbol.value)
    periods = sorted({period for one in rows for period in one.by_period})
    return Forecasts(rows, tuple(periods), None if rows else NO_YEAR)


def _rows(ledger: Ledger, answer: Answer, symbol: str) -> tuple[Expected, ...]:
    """A figure of a window of months that is no year (Longbridge's) has no column to stand in."""
    given: dict[tuple[str, str], dict[str, Claim]] = {}
    for call, fact in (*answer.facts(symbol), *answer.elsewhere(symbol)):
        if fact.period is not None and fact.metric in _SHOWN:
            row = given.setdefault((fact.metric, call.source), {})
            row.setdefault(fact.period, ledger.claim(call, fact))
    found = (Expected(metric, source, row) for (metric, source), row in given.items())
    return tuple(sorted(found, key=lambda one: _SHOWN.index(one.metric)))
