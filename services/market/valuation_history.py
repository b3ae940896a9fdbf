"""Where today's multiples stand among those of the last three years, by what a source said then."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from services.core.claims import Claim, Figure, Missing
from services.core.errors import NoDataError, ProviderError
from services.core.formulas import PAST, formula_for
from services.core.ledger import Ledger
from services.core.requests import DatedValuationsRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import ToolCall
from services.market.outages import why_missing
from services.market.valuation import NOT_GIVEN

# Three years of sessions, as terminals draw their bands.
PAST_DAYS = timedelta(days=3 * 365)
# With fewer sessions a place among them says nothing; a year that is asked for has 240 or so.
_FEWEST, _FEWEST_OF_A_YEAR = 250, 220
_TOO_FEW = Text(
    "不足一年的历史估值，不算分位", "less than a year of past multiples: no place among them"
)
_LOSSES = Text(
    "期间有亏损，市盈率为负或没有，分位没有意义",
    "there were losses in between: a place among negative or absent multiples has no meaning",
)


def past_multiples(
    ledger: Ledger, symbol: Symbol, metrics: Sequence[str], until: date, back: timedelta = PAST_DAYS
) -> Mapping[str, Mapping[str, Figure]]:
    """Metric → the newest value (`now`) and its low, median, high and percentile of that time.

    The percentile is how many of these sessions closed at a multiple not above the newest.
    """
    request = DatedValuationsRequest(symbol=symbol.value, start=until - back, end=until)
    try:
        call = ledger.fetch(request).calls[0]
    except (NoDataError, ProviderError) as error:
        why = why_missing(ledger, error)
        return {metric: _all_missing(metric, symbol, why) for metric in metrics}
    fewest = _FEWEST if back >= PAST_DAYS else _FEWEST_OF_A_YEAR
    return {metric: _of(ledger, call, symbol, metric, fewest) for metric in metrics}


def _of(
    ledger: Ledger, call: ToolCall, symbol: Symbol, metric: str, fewest: int
) -> Mapping[str, Figure]:
    rows = [fact for fact in call.rows if fact.symbol == symbol.value and fact.metric == metric]
    sessions = {fact.as_of for fact in call.rows}
    if not rows:
        return _all_missing(metric, symbol, NOT_GIVEN)
    newest = max(rows, key=lambda fact: fact.as_of)
    found: dict[str, Figure] = dict(_all_missing(metric, symbol, _TOO_FEW))
    found["now"] = ledger.claim(call, newest)
    if len(rows) < len(sessions) or any(fact.value <= 0 for fact in rows):
        return {**_all_missing(metric, symbol, _LOSSES), "now": found["now"]}
    if len(rows) < fewest:
        return found
    first = min(fact.as_of for fact in rows)
    window = ledger.window("values", call, symbol.value, metric, first, newest.as_of)
    for word, expression in PAST.items():
        formula = formula_for(f"{metric}_past_{word}", expression)
        made = ledger.derive(formula, (), series=(window,)) if formula else None
        if isinstance(made, Claim):
            found[word] = made
    return found


def _all_missing(metric: str, symbol: Symbol, why: Text) -> Mapping[str, Figure]:
    names = {"now": metric, **{word: f"{metric}_past_{word}" for word in PAST}}
    return {
        word: Missing(metric=name, symbol=symbol.value, reason=why) for word, name in names.items()
    }
