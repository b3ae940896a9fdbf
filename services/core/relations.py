"""Whether the inputs of a derived figure belong together: their days, periods and currency.

A right sum of the wrong things is a wrong figure: the change from a close of last month is not the
day's change, and last year's profit over this year's revenue is no margin.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import pairwise

from services.core.claims import Claim, SeriesRef, ToolCite
from services.core.formulas import ADDITIVE, DISTORTED, Formula, Relation
from services.core.indicator_formulas import SETTLED
from services.core.periods import Period, is_report
from services.core.score_formulas import hides_falls
from services.core.sessions import GAPPED, TradedSessions
from services.core.source_marks import join_notes
from services.core.trace import Series, TraceIndex
from services.core.units import CURRENCIES

Fault = tuple[str, str]
_PROPORTIONS = frozenset({"percent", "pp", "sigma"})


def find_unrelated(
    formula: Formula, inputs: Sequence[Claim], series: Sequence[SeriesRef], trace: TraceIndex
) -> Fault | None:
    """The check that failed and both values in words; None when the inputs belong together."""
    return (
        _currencies(inputs)
        or _RELATIONS[formula.relation](inputs, trace)
        or _years_apart(formula, inputs)
        or _windows(formula, inputs, series, trace)
    )


def note_derivation(
    formula: Formula, inputs: Sequence[Claim], series: Sequence[SeriesRef], trace: TraceIndex
) -> str | None:
    """The note a figure of this formula carries: its accuracy, or that its prices distort it, and
    which sessions between its days have no bar.
    """
    parts = (
        formula.accuracy or _distortion(formula, inputs, series, trace),
        _tell_lacking(formula, inputs, series, trace),
    )
    return join_notes(*parts)


def _distortion(
    formula: Formula, inputs: Sequence[Claim], series: Sequence[SeriesRef], trace: TraceIndex
) -> str | None:
    if formula.unit not in _PROPORTIONS:
        return None
    first = inputs[0].cite.note if inputs else _series_note(series[0], trace)
    return DISTORTED if first is not None and first.startswith((DISTORTED, ADDITIVE)) else None


def _tell_lacking(
    formula: Formula, inputs: Sequence[Claim], series: Sequence[SeriesRef], trace: TraceIndex
) -> str | None:
    """What the window lacks, or the days between two closes; for a difference, its parts."""
    if series:
        ref = series[0]
        # Candles beside each other are one window. What is joined of prices and reports has told of
        # its first stretch only, and packs hold that note.
        if formula.stretches and not inputs:
            ref = ref.model_copy(update={"end": series[-1].end})
        sessions = trace.sessions(ref.tool_call_id, ref.symbol, ref.metric)
        return sessions.lacking(*_find_reach(ref, inputs, sessions)).told if ref.count else None
    metrics = {item.metric for item in inputs}
    if metrics == {"close"}:
        days = sorted({item.as_of for item in inputs})
        calls = {item.cite.tool_call_id for item in inputs if isinstance(item.cite, ToolCite)}
        if len(days) == 2 and len(calls) == 1:
            sessions = trace.sessions(calls.pop(), inputs[0].symbol, "close")
            return sessions.lacking(*(bisect_left(sessions.days, day) for day in days)).told
    if "run_change" not in metrics:
        return None
    notes = (item.cite.note or "" for item in inputs if item.metric == "run_change")
    parts = (part for note in notes for part in note.split("；"))
    return next((part for part in parts if part.startswith(GAPPED)), None)


def _find_reach(
    ref: SeriesRef, inputs: Sequence[Claim], sessions: TradedSessions
) -> tuple[int, int]:
    """The first bar of a window and the last that counts, the day of a claim beside it too."""
    end = max((ref.end, *(item.as_of for item in inputs)))
    first, last = bisect_left(sessions.days, ref.start), bisect_right(sessions.days, end) - 1
    return first, max(first, last)


def _series_note(ref: SeriesRef, trace: TraceIndex) -> str | None:
    return next(
        (
            fact.note
            for fact in trace.facts(ref.tool_call_id).values()
            if fact.symbol == ref.symbol and fact.metric == ref.metric
        ),
        None,
    )


def _currencies(inputs: Sequence[Claim]) -> Fault | None:
    money = [item for item in inputs if item.unit.startswith(CURRENCIES)]
    units = {item.unit.removesuffix("/share"): item.metric for item in money}
    if len(units) < 2:
        return None
    said = ", ".join(f"{metric} in {unit}" for unit, metric in units.items())
    return "unit_equal", f"inputs in two units of money: {said}"


def _nothing(_inputs: Sequence[Claim], _trace: TraceIndex) -> Fault | None:
    return None


def _same_day(inputs: Sequence[Claim], _trace: TraceIndex) -> Fault | None:
    if len({item.as_of for item in inputs}) == 1:
        return None
    return "as_of_equal", f"inputs of different days: {_days(inputs)}"


def _same_period(inputs: Sequence[Claim], _trace: TraceIndex) -> Fault | None:
    if inputs[0].period is not None and len({item.period for item in inputs}) == 1:
        return None
    return "period_equal", f"inputs of different periods: {_periods(inputs)}"


def _one_kind(inputs: Sequence[Claim], _trace: TraceIndex) -> Fault | None:
    """Of one unit, and where there are report periods, of one: a nine months' ROE is no year's."""
    units = {item.unit for item in inputs}
    if len(units) > 1:
        return "unit_equal", f"inputs in several units: {', '.join(sorted(units))}"
    if len({item.period for item in inputs if is_report(item.period)}) > 1:
        return "period_equal", f"inputs of different periods: {_periods(inputs)}"
    return None


def _year_before(inputs: Sequence[Claim], _trace: TraceIndex) -> Fault | None:
    now, then = inputs[0].period, inputs[1].period
    if now is not None:
        period = Period.parse(now)
        wanted = str(Period(period.year - 1, period.quarter, period.basis))
        if then == wanted:
            return None
    return "period_equal", f"not a year apart: {_periods(inputs)}"


def _years_apart(formula: Formula, inputs: Sequence[Claim]) -> Fault | None:
    """Two report periods of one quarter, so many years apart, where the formula says how many."""
    if formula.years is None:
        return None
    last, first = inputs[0].period, inputs[1].period
    if last is not None and is_report(last) and first is not None:
        period = Period.parse(last)
        if first == str(Period(period.year - formula.years, period.quarter)):
            return None
    return "period_equal", f"not {formula.years} years apart: {_periods(inputs)}"


def _earlier(inputs: Sequence[Claim], _trace: TraceIndex) -> Fault | None:
    if inputs[1].as_of < inputs[0].as_of:
        return None
    return "as_of_equal", f"the base must be of an earlier day: {_days(inputs)}"


def _at_a_newer_price(inputs: Sequence[Claim], _trace: TraceIndex) -> Fault | None:
    """What is priced anew is of one day, and the price of a later one."""
    price, *then = inputs
    if len({item.as_of for item in then}) == 1 and then[0].as_of < price.as_of:
        return None
    return "as_of_equal", f"not one day's figures at a later price: {_days(inputs)}"


def _session_before(inputs: Sequence[Claim], trace: TraceIndex) -> Fault | None:
    later, base = inputs[0], inputs[1]
    wrong = _earlier(inputs, trace)
    if wrong or not isinstance(base.cite, ToolCite):
        return wrong
    between = _between(trace, base.cite.tool_call_id, base, later.as_of)
    if between is None:
        return None
    return "as_of_equal", (
        f"not the session before: {_days(inputs)}, trace has a {base.metric} of {between}"
    )


def _in_a_row(inputs: Sequence[Claim], trace: TraceIndex) -> Fault | None:
    days = [item.as_of for item in inputs]
    if sorted(set(days)) != days:
        return "as_of_equal", f"inputs must be of successive days: {_days(inputs)}"
    symbol = inputs[0].symbol
    for call in trace.calls:
        known = trace.series(call, symbol, "close").dates
        inside = known[bisect_left(known, days[0]) : bisect_right(known, days[-1])]
        if set(inside) - set(days):
            return "as_of_equal", f"not sessions in a row: {_days(inputs)}"
    return None


def _windows(
    formula: Formula, inputs: Sequence[Claim], series: Sequence[SeriesRef], trace: TraceIndex
) -> Fault | None:
    covered = {
        _days_of(trace.series(ref.tool_call_id, ref.symbol, ref.metric), ref) for ref in series
    }
    if formula.stretches:
        return _stretches(inputs, series)
    if len(covered) > 1:
        said = ", ".join(f"{ref.metric} {ref.start}…{ref.end}" for ref in series)
        return "series_complete", f"the series of one figure must be of the same days: {said}"
    for ref in series:
        if wrong := _not_whole(formula, inputs, ref, trace):
            return wrong
        for item in inputs:
            days = trace.series(ref.tool_call_id, ref.symbol, ref.metric).dates
            if item.as_of <= ref.end or bisect_right(days, ref.end) != bisect_left(
                days, item.as_of
            ):
                return "as_of_equal", (
                    f"the window must end with the session before {item.as_of}, got {ref.end}"
                )
    return None


def _stretches(inputs: Sequence[Claim], series: Sequence[SeriesRef]) -> Fault | None:
    """Series that follow one another without overlap, none of them empty, of one call; inputs of
    no later day than their last.
    """
    for earlier, later in pairwise(series):
        if earlier.end >= later.start or earlier.tool_call_id != later.tool_call_id:
            return "series_complete", f"stretches overlap: {earlier.end} and {later.start}"
    if any(not ref.count for ref in series):
        return "series_complete", "a stretch without a session"
    late = [item for item in inputs if item.as_of > series[-1].end]
    if late:
        return "as_of_equal", f"known only after {series[-1].end}: {_days(late)}"
    return None


def _not_whole(
    formula: Formula, inputs: Sequence[Claim], ref: SeriesRef, trace: TraceIndex
) -> Fault | None:
    """A window that does not span its sessions, or that lacks some that it rests on."""
    sessions = trace.sessions(ref.tool_call_id, ref.symbol, ref.metric)
    if not ref.count:
        return None  # there is nothing to evaluate: found elsewhere
    first, last = _find_reach(ref, inputs, sessions)
    counted = sessions.count_sessions(first, last) if formula.ends else ref.count
    if formula.window is not None and counted != formula.window:
        return "series_complete", (
            f"{formula.metric} is over {formula.window} sessions of {ref.metric}, got {counted}"
        )
    if formula.ends or formula.holed:
        return None
    # Of a recursive figure the bars count from which on its beginning no longer shows.
    begun = first if formula.window else max(first, last + 1 - SETTLED)
    hidden = formula.of_one_session and hides_falls(
        trace.between(ref.tool_call_id, ref.symbol, ref.metric, ref.start, ref.end),
        sessions.list_follows(first, last),
    )
    if hidden or sessions.tell_torn(begun, last, formula.adjacent):
        lost = sessions.lacking(first, last).lost
        return "series_complete", f"{ref.metric} {ref.start}…{ref.end} lacks {lost} sessions"
    return None


def _days_of(series: Series, ref: SeriesRef) -> tuple[date, ...]:
    """The days of a series that a reference covers."""
    return series.dates[bisect_left(series.dates, ref.start) : bisect_right(series.dates, ref.end)]


def _between(trace: TraceIndex, call: str, base: Claim, end: date) -> date | None:
    """A day with that metric after `base` and before `end`, if the call has one."""
    days = trace.series(call, base.symbol, base.metric).dates
    place = bisect_right(days, base.as_of)
    return days[place] if place < len(days) and days[place] < end else None


def _days(inputs: Sequence[Claim]) -> str:
    return ", ".join(f"{item.metric} of {item.as_of.isoformat()}" for item in inputs)


def _periods(inputs: Sequence[Claim]) -> str:
    return ", ".join(f"{item.metric} of {item.period}" for item in inputs)


_RELATIONS: Mapping[Relation, Callable[[Sequence[Claim], TraceIndex], Fault | None]] = {
    "none": _nothing,
    "same_day": _same_day,
    "same_period": _same_period,
    "one_kind": _one_kind,
    "year_before": _year_before,
    "session_before": _session_before,
    "earlier": _earlier,
    "at_a_newer_price": _at_a_newer_price,
    "in_a_row": _in_a_row,
}
