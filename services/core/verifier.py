"""Does each claim say exactly what its citation says? Pure code: no model, no clock, no network.

A claim is asked the questions of its kind of citation in order; the first that fails is reported,
since later ones would only repeat the cause.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from statistics import StatisticsError

from services.core.aggregates import aggregate_failure
from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, CompetenceCite, DerivedCite, SeriesRef, ToolCite
from services.core.evaluation import evaluate
from services.core.expression_claims import expression_failure
from services.core.expressions import METRIC as EXPRESSION
from services.core.formulas import Formula, formula_for, subject
from services.core.limits import COMPETENCES, VALUE_UNITS, Competence
from services.core.recomputation import confirmation
from services.core.record import Record
from services.core.relations import find_unrelated, note_derivation
from services.core.source_marks import join_notes
from services.core.trace import Fact, ToolCall, Trace, TraceIndex

ABS_TOLERANCE = 1e-9
REL_TOLERANCE = 1e-12
RECOMPUTED_TOLERANCE = 1e-9
# Inputs a formula has no answer for.
UNCOMPUTABLE = (ArithmeticError, StatisticsError, IndexError, ValueError)
DEFAULT_STALENESS_DAYS = 3650
STALENESS_DAYS: Mapping[str, int] = {"current_price": 1}


class Failure(Record):
    """One claim that does not hold: which, which check, and both values in words."""

    claim_index: int
    check: str
    reason: str


class VerificationResult(Record):
    """`ok` is true only when no claim failed any check."""

    failures: tuple[Failure, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every claim holds."""
        return not self.failures


@dataclass(slots=True)
class Evidence:
    """What checks may look at: the trace, the other claims, the registered rules, the present."""

    trace: TraceIndex
    claims: Mapping[str, Claim]
    competences: Mapping[str, Competence]
    now: datetime
    staleness: Mapping[str, int]
    verdicts: dict[str, bool] = field(default_factory=dict[str, bool])


def same_number(left: float, right: float) -> bool:
    """Equal to 1e-9 absolutely, or to the last bits of a double for large amounts."""
    difference = abs(left - right)
    return difference <= ABS_TOLERANCE or difference <= REL_TOLERANCE * max(abs(left), abs(right))


def verify(
    claims: Sequence[Claim],
    trace: Trace | TraceIndex,
    now: datetime,
    *,
    competences: Mapping[str, Competence] = COMPETENCES,
    staleness: Mapping[str, int] = STALENESS_DAYS,
) -> VerificationResult:
    """Ask every check of every claim; a failure names the index, the check and both values."""
    index = trace if isinstance(trace, TraceIndex) else TraceIndex(trace.tool_calls)
    first_of: dict[str, Claim] = {}
    for claim in claims:
        first_of.setdefault(claim.claim_id, claim)
    evidence = Evidence(index, first_of, competences, now, staleness)
    failures: list[Failure] = []
    for position, claim in enumerate(claims):
        # Each claim is asked once, also where others rest on it; a namesake that says something
        # else is asked for itself.
        if evidence.verdicts.get(claim.claim_id) and first_of[claim.claim_id] is claim:
            continue
        found = _first_failure(claim, evidence)
        if found is None:
            evidence.verdicts[claim.claim_id] = True
        else:
            failures.append(Failure(claim_index=position, check=found[0], reason=found[1]))
    return VerificationResult(failures=tuple(failures))


def _first_failure(claim: Claim, evidence: Evidence) -> tuple[str, str] | None:
    cite = claim.cite
    namesake = evidence.claims[claim.claim_id]
    if namesake is not claim and namesake != claim:
        return "claim_id_unique", (
            f"{claim.claim_id} also names {namesake.metric} of {namesake.symbol} "
            f"{namesake.period or namesake.as_of.isoformat()}: {namesake.value!r}"
        )
    if isinstance(cite, ToolCite):
        return _tool_failure(claim, cite, evidence)
    if isinstance(cite, DerivedCite):
        return _check_derived(claim, cite, evidence)
    return _competence_failure(claim, cite, evidence)


def _tool_failure(claim: Claim, cite: ToolCite, evidence: Evidence) -> tuple[str, str] | None:
    call = evidence.trace.calls.get(cite.tool_call_id)
    if call is None:
        return "call_in_trace", f"tool_call_id '{cite.tool_call_id}' missing from trace"
    if cite.source != call.source or cite.table != call.table or cite.served_by != call.served_by:
        said = f"{cite.source}.{cite.table} served by {cite.served_by}"
        return "source_equal", (
            f"source mismatch for {cite.tool_call_id}: claim={said}, "
            f"trace={call.source}.{call.table} served by {call.served_by}"
        )
    if cite.fetched_at != call.fetched_at:
        return "source_equal", (
            f"fetched_at mismatch for {cite.tool_call_id}: "
            f"claim={cite.fetched_at.isoformat()}, trace={call.fetched_at.isoformat()}"
        )
    facts = evidence.trace.facts(cite.tool_call_id)
    fact = facts.get((claim.symbol, claim.metric, claim.as_of, claim.period))
    if fact is None:
        return _why_not_found(claim, call)
    if fact.unit != claim.unit:
        return "unit_equal", (
            f"unit mismatch for {cite.tool_call_id}: claim={claim.unit}, trace={fact.unit}"
        )
    if not same_number(fact.value, claim.value):
        return "value_equal", (
            f"value mismatch for {cite.tool_call_id}: claim={claim.value!r}, "
            f"trace={fact.value!r}{_hint(claim, fact, call)}"
        )
    if fact.field != cite.field or fact.raw != cite.raw:
        return "field_equal", (
            f"field mismatch for {cite.tool_call_id}: claim={cite.field}={cite.raw}, "
            f"trace={fact.field}={fact.raw}"
        )
    if fact.metric_code != claim.metric_code:
        return _wrong_code(claim, fact.metric_code)
    if fact.note != cite.note:
        return "note_equal", (
            f"note mismatch for {cite.tool_call_id}: claim={cite.note}, trace={fact.note}"
        )
    return _staleness_failure(claim, call, evidence)


def _wrong_code(claim: Claim, expected: str | None) -> tuple[str, str]:
    return "metric_equal", (
        f"metric_code mismatch for {claim.metric}: claim={claim.metric_code}, expected={expected}"
    )


def _staleness_failure(claim: Claim, call: ToolCall, evidence: Evidence) -> tuple[str, str] | None:
    budget = evidence.staleness.get(claim.metric, DEFAULT_STALENESS_DAYS)
    known = call.known_at
    age = (known.date() - claim.as_of).days
    if age > budget:
        return "not_stale", (
            f"{claim.metric} of {claim.as_of} was {age} days old when fetched; budget {budget} days"
        )
    if age < -1:
        return (
            "not_stale",
            f"as_of {claim.as_of} lies after fetched_at {known.isoformat()}",
        )
    if known > evidence.now:
        return "not_stale", f"fetched_at {known.isoformat()} lies in the future"
    return None


def _why_not_found(claim: Claim, call: ToolCall) -> tuple[str, str]:
    """Which part of the key is wrong: entity, then metric, then period, then day."""
    rows = [fact for fact in call.rows if fact.symbol == claim.symbol]
    where = f"for {call.tool_call_id}"
    if not rows:
        have = _some(fact.symbol for fact in call.rows)
        return "entity_equal", f"entity mismatch {where}: claim={claim.symbol}, trace has {have}"
    same_metric = [fact for fact in rows if fact.metric == claim.metric]
    if not same_metric:
        have = _some(fact.metric for fact in rows)
        return "metric_equal", f"metric mismatch {where}: claim={claim.metric}, trace has {have}"
    same_period = [fact for fact in same_metric if fact.period == claim.period]
    if not same_period:
        have = _some(str(fact.period) for fact in same_metric)
        return "period_equal", f"period mismatch {where}: claim={claim.period}, trace has {have}"
    have = _some(fact.as_of.isoformat() for fact in same_period)
    return (
        "as_of_equal",
        f"as_of mismatch {where}: claim={claim.as_of.isoformat()}, trace has {have}",
    )


def _some(values: Iterable[str]) -> str:
    distinct = list(dict.fromkeys(values))
    return ", ".join(distinct[:5]) + (f" … ({len(distinct)})" if len(distinct) > 5 else "")


def _hint(claim: Claim, fact: Fact, call: ToolCall) -> str:
    """What the wrong value really is, when the trace can tell."""
    if same_number(fact.value, -claim.value):
        return " (sign differs)"
    for scale in (1e4, 1e8, 1e-4, 1e-8):
        if same_number(fact.value * scale, claim.value):
            return f" (off by a factor of {scale:g}: 万/亿?)"
    for other in call.rows:
        if same_number(other.value, claim.value) and other.symbol == claim.symbol:
            return f" (that is {other.metric} of {other.period or other.as_of.isoformat()})"
    return ""


def _check_derived(claim: Claim, cite: DerivedCite, evidence: Evidence) -> tuple[str, str] | None:
    if claim.metric == EXPRESSION:
        return _expression_failure(claim, cite, evidence)
    if cite.members:
        return aggregate_failure(claim, cite, evidence.trace)
    formula = formula_for(claim.metric, cite.formula)
    if formula is None:
        return "formula_registered", f"no registered formula '{cite.formula}' for {claim.metric}"
    inputs = [evidence.claims.get(name) for name in cite.inputs]
    known = [item for item in inputs if item is not None]
    if len(known) != len(inputs):
        missing = next(name for name, item in zip(cite.inputs, inputs, strict=True) if item is None)
        return "inputs_present", f"input claim '{missing}' of {claim.metric} is not given"
    return (
        _wrong_inputs(claim, cite, formula, known)
        or _not_together(claim, formula, known, evidence)
        or _unsound_inputs(claim, known, evidence)
        or _wrong_series(claim, cite, formula, evidence)
        or find_unrelated(formula, known, cite.series, evidence.trace)
        or _wrong_answer(claim, cite, formula, known, evidence)
        or _wrong_words(claim, cite, formula, known, evidence)
    )


def _expression_failure(
    claim: Claim, cite: DerivedCite, evidence: Evidence
) -> tuple[str, str] | None:
    inputs = [evidence.claims[name] for name in cite.inputs if name in evidence.claims]
    if len(inputs) != len(cite.inputs):
        missing = next(name for name in cite.inputs if name not in evidence.claims)
        return "inputs_present", f"input claim '{missing}' of {claim.metric} is not given"
    return _unsound_inputs(claim, inputs, evidence) or expression_failure(
        claim, cite, inputs, evidence.trace
    )


def _wrong_inputs(
    claim: Claim, cite: DerivedCite, formula: Formula, inputs: Sequence[Claim]
) -> tuple[str, str] | None:
    wanted = formula.metrics(len(inputs))
    got = [item.metric for item in inputs]
    if wanted != got:
        return "metric_equal", f"inputs of '{cite.formula}' must be {wanted}, got {got}"
    if formula.each is not None:
        return None  # of several companies: _not_together
    if formula.same_entity:
        for item in inputs:
            if item.symbol != claim.symbol:
                return "entity_equal", (
                    f"entity mismatch: {claim.metric} of {claim.symbol} "
                    f"uses {item.metric} of {item.symbol}"
                )
    elif inputs and inputs[0].symbol != claim.symbol:
        return (
            "entity_equal",
            f"entity mismatch: claim={claim.symbol}, first input={inputs[0].symbol}",
        )
    return None


def _not_together(
    claim: Claim, formula: Formula, inputs: Sequence[Claim], evidence: Evidence
) -> tuple[str, str] | None:
    """What is over several companies: each once, and all with the claim's own in one answer."""
    if formula.each is None:
        return None
    symbols = [item.symbol for item in inputs]
    if not symbols or len(set(symbols)) != len(symbols):
        return "entity_equal", f"{claim.metric} must be over different companies, got {symbols}"
    if formula.own_first and symbols[0] != claim.symbol:
        return "entity_equal", f"the first input must be of {claim.symbol}, is of {symbols[0]}"
    if evidence.trace.has_together(set(symbols), claim.symbol):
        return None
    return (
        "entity_equal",
        f"no answer in the trace has {claim.symbol} together with all of {_some(symbols)}",
    )


def _unsound_inputs(
    claim: Claim, inputs: Sequence[Claim], evidence: Evidence
) -> tuple[str, str] | None:
    for item in inputs:
        sound = evidence.verdicts.get(item.claim_id)
        if sound is None:
            evidence.verdicts[item.claim_id] = False  # a circle of claims proves nothing
            sound = _first_failure(item, evidence) is None
            evidence.verdicts[item.claim_id] = sound
        if not sound:
            return (
                "inputs_sound",
                f"{claim.metric} rests on {item.metric} ({item.claim_id}), which does not hold",
            )
    return None


def _wrong_series(
    claim: Claim, cite: DerivedCite, formula: Formula, evidence: Evidence
) -> tuple[str, str] | None:
    wanted = [(slot.name, slot.metric) for slot in formula.series]
    got = [(ref.name, ref.metric) for ref in cite.series]
    if wanted != got:
        return "metric_equal", f"series of '{cite.formula}' must be {wanted}, got {got}"
    for ref in cite.series:
        if ref.tool_call_id not in evidence.trace.calls:
            return "call_in_trace", f"tool_call_id '{ref.tool_call_id}' missing from trace"
        if ref.symbol != claim.symbol:
            return "entity_equal", f"entity mismatch: claim={claim.symbol}, series={ref.symbol}"
        found = len(series_values(ref, evidence.trace))
        if found != ref.count:
            return (
                "series_complete",
                f"{ref.metric} {ref.start}…{ref.end}: claim={ref.count}, trace={found} values",
            )
    return None


def series_values(ref: SeriesRef, trace: TraceIndex) -> tuple[float, ...]:
    """The values a series reference stands for, oldest first."""
    return trace.between(ref.tool_call_id, ref.symbol, ref.metric, ref.start, ref.end)


def compute_answer(
    cite: DerivedCite, formula: Formula, inputs: Sequence[float], trace: TraceIndex
) -> float:
    """What its formula gives for these inputs and the series it cites. Raises: as `evaluate`."""
    values = formula.scope(inputs)
    values |= {ref.name: series_values(ref, trace) for ref in cite.series}
    return evaluate(cite.formula, values)


def _wrong_answer(
    claim: Claim, cite: DerivedCite, formula: Formula, inputs: Sequence[Claim], evidence: Evidence
) -> tuple[str, str] | None:
    try:
        answer = compute_answer(cite, formula, [item.value for item in inputs], evidence.trace)
    except UNCOMPUTABLE as error:
        return "value_recomputed", f"'{cite.formula}' has no answer for these inputs: {error}"
    if not math.isclose(answer, claim.value, rel_tol=RECOMPUTED_TOLERANCE, abs_tol=ABS_TOLERANCE):
        sign = " (sign differs)" if same_number(answer, -claim.value) else ""
        return "value_recomputed", (
            f"value mismatch for '{cite.formula}': claim={claim.value!r}, "
            f"recomputed={answer!r}{sign}"
        )
    first = cite.series[0] if cite.series else None
    series_unit = evidence.trace.unit(first.tool_call_id, first.metric) if first else ""
    last = cite.series[-1].end if cite.series else date.min
    expected = subject(formula, inputs, series_unit, last)
    if expected.unit != claim.unit:
        return "unit_equal", f"unit mismatch: claim={claim.unit}, formula gives {expected.unit}"
    if expected.period != claim.period:
        return (
            "period_equal",
            f"period mismatch: claim={claim.period}, formula gives {expected.period}",
        )
    if expected.as_of != claim.as_of:
        return "as_of_equal", f"as_of mismatch: claim={claim.as_of}, formula gives {expected.as_of}"
    return None


def _wrong_words(
    claim: Claim,
    cite: DerivedCite,
    formula: Formula,
    inputs: Sequence[Claim],
    evidence: Evidence,
) -> tuple[str, str] | None:
    expected = CATALOGUE.codes.get(claim.metric)
    if claim.metric_code != expected:
        return _wrong_code(claim, expected)
    note = note_derivation(formula, inputs, cite.series, evidence.trace)
    second = confirmation(claim, cite.series, evidence.trace)
    if cite.note not in {note, join_notes(note, second)}:
        return "note_equal", f"note mismatch for '{cite.formula}': {cite.note}, must be {note}"
    return None


def _competence_failure(
    claim: Claim, cite: CompetenceCite, evidence: Evidence
) -> tuple[str, str] | None:
    entry = evidence.competences.get(cite.competence_id)
    if entry is None:
        return "competence_registered", f"competence '{cite.competence_id}' is not registered"
    registered = entry.values.get(claim.metric)
    if registered is None:
        return "metric_equal", f"{cite.competence_id} has no figure called {claim.metric}"
    if not same_number(registered, claim.value):
        return "value_equal", (
            f"value mismatch for {cite.competence_id}: claim={claim.value!r}, "
            f"registered={registered!r}"
        )
    if claim.unit != VALUE_UNITS.get(claim.metric):
        unit = VALUE_UNITS.get(claim.metric)
        return "unit_equal", f"unit mismatch: claim={claim.unit}, registered={unit}"
    if claim.period is not None:
        return "period_equal", f"a rule has no period: claim={claim.period}"
    if claim.metric_code is not None:
        return _wrong_code(claim, None)
    if cite.note is not None:
        return "note_equal", f"note mismatch for {cite.competence_id}: {cite.note}, must be None"
    return _check_rule(claim, evidence)


def _check_rule(claim: Claim, evidence: Evidence) -> tuple[str, str] | None:
    """A rule is applied to a company on a day of which the trace has a figure."""
    if evidence.trace.has_day(claim.symbol, claim.as_of):
        return None
    known = any(
        fact.symbol == claim.symbol for c in evidence.trace.calls.values() for fact in c.rows
    )
    if not known:
        return "entity_equal", f"the trace has no figure of {claim.symbol}"
    return "as_of_equal", f"the trace has no figure of {claim.symbol} on {claim.as_of}"
