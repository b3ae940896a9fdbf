"""Where two sources give the same figure for the same day: do they agree? Nothing is averaged."""

from collections.abc import Iterable, Mapping
from datetime import date

from services.core.record import SYMBOL_FIELD, Record
from services.core.trace import Fact, FactKey, ToolCall, Trace

# How far two sources may lie apart, relative to the larger, before the reader is told.
DEFAULT_TOLERANCE = 0.005
TOLERANCES: Mapping[str, float] = {
    "open": 0.001,
    "high": 0.001,
    "low": 0.001,
    "close": 0.001,
    "current_price": 0.01,
    "volume": 0.02,
    "amount": 0.02,
    "market_cap": 0.01,
    "total_shares": 0.001,
    "pe_ttm": 0.02,
    "pe_lyr": 0.02,
    "pb": 0.02,
    "ps_ttm": 0.02,
    "dy_l": 0.05,
    "roe": 0.02,
    "eps": 0.01,
    "bps": 0.01,
}
# Adjusted series of two sources differ in their past by construction: only the newest day counts.
_BAR_METRICS = frozenset({"open", "high", "low", "close", "volume", "amount"})
# Words of a note that say which of several same-named figures it is: unlike ones are no two
# opinions. 营业总收入 is not 营业收入, which no source needs to say of a plain revenue.
_FLAVOURS = (
    *("营业总收入", "扣非", "稀释"),
    *("加权", "平均", "摊薄", "未注明口径"),
)


class SourceReading(Record):
    """What one source says."""

    value: float
    unit: str
    source: str
    table: str
    served_by: str
    fetched_at: str
    tool_call_id: str
    field: str
    raw: str | None


class Disagreement(Record):
    """One figure that two or more sources give differently; the readings in order of asking."""

    symbol: str = SYMBOL_FIELD
    metric: str
    as_of: date
    period: str | None
    tolerance: float
    readings: tuple[SourceReading, ...]


def disagreements(trace: Trace) -> Mapping[FactKey, Disagreement]:
    """Every figure of the trace on which sources disagree beyond its tolerance, by its key.

    Compared are facts of different sources with the same symbol, metric, day, period and unit,
    whose notes name the same flavour (加权 or 摊薄, 营业总收入 or plain revenue).
    """
    said: dict[tuple[FactKey, str, frozenset[str]], dict[str, tuple[ToolCall, Fact]]] = {}
    newest = _newest_common(trace.tool_calls)
    for call in trace.tool_calls:
        for fact in call.rows:
            if fact.metric in _BAR_METRICS and newest.get(fact.symbol) != fact.as_of:
                continue
            like = (fact.key, fact.unit, _flavour(fact))
            said.setdefault(like, {}).setdefault(call.source, (call, fact))
    found: dict[FactKey, Disagreement] = {}
    for (key, _unit, _words), by_source in said.items():
        values = [fact.value for _, fact in by_source.values()]
        tolerance = TOLERANCES.get(key[1], DEFAULT_TOLERANCE)
        if key not in found and len(values) > 1 and _apart(values) > tolerance:
            found[key] = Disagreement(
                symbol=key[0],
                metric=key[1],
                as_of=key[2],
                period=key[3],
                tolerance=tolerance,
                readings=tuple(_make_reading(call, fact) for call, fact in by_source.values()),
            )
    return found


def _flavour(fact: Fact) -> frozenset[str]:
    return frozenset(word for word in _FLAVOURS if fact.note and word in fact.note)


def _newest_common(calls: Iterable[ToolCall]) -> dict[str, date]:
    """Per symbol, the newest day on which at least two sources have a close."""
    days: dict[str, dict[date, set[str]]] = {}
    for call in calls:
        for fact in call.rows:
            if fact.metric == "close":
                days.setdefault(fact.symbol, {}).setdefault(fact.as_of, set()).add(call.source)
    common = {
        symbol: [day for day, sources in by_day.items() if len(sources) > 1]
        for symbol, by_day in days.items()
    }
    return {symbol: max(shared) for symbol, shared in common.items() if shared}


def _apart(values: Iterable[float]) -> float:
    """The distance of the extremes, relative to the larger of them in size."""
    known = list(values)
    size = max(abs(value) for value in known)
    return 0.0 if size == 0 else (max(known) - min(known)) / size


def _make_reading(call: ToolCall, fact: Fact) -> SourceReading:
    return SourceReading(
        value=fact.value,
        unit=fact.unit,
        source=call.source,
        table=call.table,
        served_by=call.served_by,
        fetched_at=call.fetched_at.isoformat(),
        tool_call_id=call.tool_call_id,
        field=fact.field,
        raw=fact.raw,
    )
