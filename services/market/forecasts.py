"""What institutions expect of the figures of a company, by the year it is about."""

from collections.abc import Mapping, Sequence

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, Figure, Missing
from services.core.errors import NoDataError
from services.core.ledger import Ledger
from services.core.requests import ForecastRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.report_sheet import NOT_GIVEN, Column

NO_YEAR = Text("来源没有给出任何一年的预测", "the source gives no year's estimate")
_NOT_THAT_YEAR = Text("来源没有给出这一年的预测", "the source gives no estimate of that year")
# Each estimate → the figure it is of, in whose row it stands.
ESTIMATES: Mapping[str, str] = {
    row.id: base
    for row in CATALOGUE.figures.values()
    for base, turn in row.made_of
    if turn == "forecast"
}


def forecast_columns(
    ledger: Ledger, symbol: Symbol, metrics: Sequence[str], year: str | None
) -> dict[str, Column]:
    """The consensus by the period it is about, oldest first; of that `year` alone if one is said.

    What the first source leaves out is the next one's, and cites it: samples are not mixed within
    a figure. Raises: ProviderError.
    """

    def none(why: Text) -> dict[str, Column]:
        name = "forecast" if year is None else f"{year}_Q4"
        return {name: {metric: _missing(metric, symbol, why) for metric in metrics}}

    try:
        answer = ledger.fetch(ForecastRequest(symbol=symbol.value))
    except NoDataError as error:
        return none(error.why)
    columns: dict[str, dict[str, Claim]] = {}
    for call, fact in (*answer.facts(symbol.value), *answer.elsewhere(symbol.value)):
        metric, period = ESTIMATES.get(fact.metric), fact.period
        if metric is None or period is None or year not in {None, period.removesuffix("_Q4")}:
            continue
        row = columns.setdefault(period, {})
        if metric in metrics and metric not in row:
            row[metric] = ledger.claim(call, fact)
    if not columns:
        return none(NO_YEAR if year is None else _NOT_THAT_YEAR)
    return {period: _column(columns[period], symbol, metrics) for period in sorted(columns)}


def _column(given: Mapping[str, Claim], symbol: Symbol, metrics: Sequence[str]) -> Column:
    return {one: given.get(one) or _missing(one, symbol, NOT_GIVEN) for one in metrics}


def _missing(metric: str, symbol: Symbol, why: Text) -> Figure:
    return Missing(metric=metric, symbol=symbol.value, reason=why)
