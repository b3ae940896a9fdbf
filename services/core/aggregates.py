"""Counts, sums and medians over the members of a market: the registered formulas, and their check.

Such a figure is ours, not the source's: it points at the members its call held (core/members.py)
and is computed again from them, as every derived figure is from its inputs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import StatisticsError

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, DerivedCite, MembersRef, claim_id
from services.core.evaluation import evaluate
from services.core.members import Members, MembersIndex, scope_symbol
from services.core.requests import Bound
from services.core.trace import TraceIndex

# Two sums of thousands of values may differ in the last bits of a double.
_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True)
class MemberSlot:
    """One group of values: its name in the expression, the column, and what the values satisfy.

    `is_free`: the bounds are those of the screen that is counted.
    """

    name: str
    column: str | None = None
    bounds: tuple[Bound, ...] = ()
    is_free: bool = False


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One figure over members. `unit` is a unit code, or `currency`: that of the market.

    `needs_values`: over nothing it has no answer, as a median; a count is zero.
    """

    metric: str
    expression: str
    slots: tuple[MemberSlot, ...]
    unit: str = "count"
    needs_values: bool = False

    def unit_of(self, members: Members) -> str:
        """The unit of the figure over these members."""
        return members.currency if self.unit == "currency" else self.unit


def _median_multiple(metric: str, column: str) -> Aggregate:
    """Of those above zero: a loss has a negative multiple, or none."""
    slot = MemberSlot("values", column, (Bound(field=column, above=0.0),))
    return Aggregate(metric, "median(values)", (slot,), "multiple", needs_values=True)


def _losses(column: str) -> Aggregate:
    """The valued companies without that multiple, or with one that is not above zero."""
    earning = (Bound(field="market_cap"), Bound(field=column, above=0.0))
    slots = (MemberSlot("valued", "market_cap"), MemberSlot(column, column, earning))
    expression = f"count(valued) - count({column})"
    return Aggregate("loss_count", expression, slots, needs_values=True)


# The screening fields a company may have a value in.
JUDGED = tuple(CATALOGUE.screen_fields)
_SUM = (MemberSlot("values", "market_cap"),)
COMPANY_COUNT = Aggregate("company_count", "count(members)", (MemberSlot("members"),))
MATCH_COUNT = Aggregate("match_count", "count(members)", (MemberSlot("members", is_free=True),))
LEFT_OUT_COUNT = Aggregate("left_out_count", "count(members)", (MemberSlot("members"),), "number")
LOSSES: Mapping[str, Aggregate] = {name: _losses(name) for name in ("pelyr", "pettm")}
JUDGED_COUNTS: Mapping[str, Aggregate] = {
    name: Aggregate(f"judged_{name}", "count(values)", (MemberSlot("values", name),))
    for name in JUDGED
}
# Of the matches of a screen that is ordered by a field, those without it are not ranked.
UNRANKED_COUNTS: Mapping[str, Aggregate] = {
    name: Aggregate(
        f"unranked_{name}",
        "count(members) - count(values)",
        (MemberSlot("members", is_free=True), MemberSlot("values", name, is_free=True)),
    )
    for name in JUDGED
}
# What the middle one of them moved; a company without a change of that day is not in it.
MOVE_MEDIAN = Aggregate(
    "pct_change_median",
    "median(values)",
    (MemberSlot("values", "pct"),),
    "percent",
    needs_values=True,
)
_RISEN, _FALLEN = (Bound(field="pct", above=0.0),), (Bound(field="pct", below=0.0),)
# How many of those with a change of that day rose, fell and did neither.
BREADTH: tuple[Aggregate, ...] = (
    Aggregate("up_count", "count(values)", (MemberSlot("values", "pct", _RISEN),)),
    Aggregate("down_count", "count(values)", (MemberSlot("values", "pct", _FALLEN),)),
    Aggregate(
        "flat_count",
        "count(values) - count(up) - count(down)",
        (
            MemberSlot("values", "pct"),
            MemberSlot("up", "pct", _RISEN),
            MemberSlot("down", "pct", _FALLEN),
        ),
    ),
)
# What is told of a market and of each of its industries, beside the losses.
SUMMARIES: tuple[Aggregate, ...] = (
    COMPANY_COUNT,
    JUDGED_COUNTS["market_cap"],
    Aggregate("market_cap_sum", "sum(values)", _SUM, "currency", needs_values=True),
    _median_multiple("pe_ttm_median", "pettm"),
    _median_multiple("pe_lyr_median", "pelyr"),
    _median_multiple("pb_median", "pb"),
    JUDGED_COUNTS["pct"],
    MOVE_MEDIAN,
)
_ALL = (
    *(*SUMMARIES, *BREADTH, MATCH_COUNT, LEFT_OUT_COUNT, *LOSSES.values()),
    *(*JUDGED_COUNTS.values(), *UNRANKED_COUNTS.values()),
)
_BY_NAME = {(one.metric, one.expression): one for one in _ALL}


def aggregate_claim(
    tool_call_id: str,
    index: MembersIndex,
    aggregate: Aggregate,
    *,
    industry: str | None = None,
    listing: str | None = None,
    bounds: tuple[Bound, ...] = (),
) -> Claim | None:
    """The figure over the members of that call; None where it has no answer, or they were kept
    without its column.

    `bounds` are those of the screen, for a formula that counts its matches.
    """
    members = index.members
    if any(slot.column and slot.column not in members.columns for slot in aggregate.slots):
        return None
    refs: list[MembersRef] = []
    values: dict[str, tuple[float, ...]] = {}
    for slot in aggregate.slots:
        ref = MembersRef(
            name=slot.name,
            tool_call_id=tool_call_id,
            column=slot.column,
            bounds=bounds if slot.is_free else slot.bounds,
            industry=industry,
            listing=listing,
            sha256=index.digest,
            count=0,
        )
        values[slot.name] = index.values(ref)
        refs.append(ref.model_copy(update={"count": len(values[slot.name])}))
    if aggregate.needs_values and refs[0].count == 0:
        return None
    symbol = scope_symbol(members.market, industry, listing)
    note = members.notes.get(aggregate.metric)
    return Claim(
        claim_id=claim_id(aggregate.metric, aggregate.expression, *refs, symbol),
        value=evaluate(aggregate.expression, values),
        metric=aggregate.metric,
        symbol=symbol,
        as_of=members.day_of(ref.column for ref in refs),
        unit=aggregate.unit_of(members),
        cite=DerivedCite(formula=aggregate.expression, members=tuple(refs), note=note),
    )


def aggregate_failure(claim: Claim, cite: DerivedCite, trace: TraceIndex) -> tuple[str, str] | None:
    """The check that failed and both values in words; None when the figure follows from members."""
    aggregate = _BY_NAME.get((claim.metric, cite.formula))
    if aggregate is None:
        return (
            "formula_registered",
            f"no registered formula '{cite.formula}' for {claim.metric}",
        )
    if cite.inputs or cite.series:
        return "metric_equal", f"'{cite.formula}' is over members and nothing else"
    return (
        _wrong_refs(claim, cite, aggregate)
        or _find_changed_members(cite, trace)
        or _wrong_value(claim, cite, aggregate, trace)
        or _wrong_subject(claim, cite, aggregate, trace)
    )


def _wrong_refs(claim: Claim, cite: DerivedCite, aggregate: Aggregate) -> tuple[str, str] | None:
    wanted = [(slot.name, slot.column) for slot in aggregate.slots]
    got = [(ref.name, ref.column) for ref in cite.members]
    if wanted != got:
        return "metric_equal", f"members of '{cite.formula}' must be {wanted}, got {got}"
    for slot, ref in zip(aggregate.slots, cite.members, strict=True):
        if not slot.is_free and ref.bounds != slot.bounds:
            return "metric_equal", f"{ref.name} of {claim.metric} is not over those values"
        first = cite.members[0]
        if slot.is_free and ref.bounds != first.bounds:
            return "metric_equal", f"{claim.metric} is over two screens"
        if (ref.tool_call_id, ref.industry, ref.listing) != (
            *(first.tool_call_id, first.industry, first.listing),
        ):
            return "entity_equal", f"{claim.metric} is over members of two groups"
    if (cite.members[0].listing is not None) != (aggregate is LEFT_OUT_COUNT):
        return "entity_equal", f"{claim.metric} is not over listings of that kind"
    return None


def _find_changed_members(cite: DerivedCite, trace: TraceIndex) -> tuple[str, str] | None:
    for ref in cite.members:
        index = trace.members(ref.tool_call_id)
        if index is None:
            return "call_in_trace", f"tool_call_id '{ref.tool_call_id}' holds no members"
        if index.digest != ref.sha256:
            return (
                "members_equal",
                f"members of {ref.tool_call_id}: claim={ref.sha256[:12]}, "
                f"trace={index.digest[:12]}",
            )
        try:
            count = len(index.used(ref))
        except (KeyError, IndexError) as error:
            return "metric_equal", f"members of {ref.tool_call_id} have no column {error}"
        if count != ref.count:
            return (
                "series_complete",
                f"{ref.name} of {ref.tool_call_id}: claim={ref.count}, trace={count} members",
            )
    return None


def _wrong_value(
    claim: Claim, cite: DerivedCite, aggregate: Aggregate, trace: TraceIndex
) -> tuple[str, str] | None:
    values = {
        ref.name: index.values(ref)
        for ref in cite.members
        if (index := trace.members(ref.tool_call_id)) is not None
    }
    try:
        answer = evaluate(aggregate.expression, values)
    except (ArithmeticError, StatisticsError) as error:
        return "value_recomputed", f"'{cite.formula}' has no answer for these members: {error}"
    if abs(answer - claim.value) > _TOLERANCE * max(abs(answer), abs(claim.value)):
        return "value_recomputed", (
            f"value mismatch for '{cite.formula}': claim={claim.value!r}, recomputed={answer!r}"
        )
    return None


def _wrong_subject(
    claim: Claim, cite: DerivedCite, aggregate: Aggregate, trace: TraceIndex
) -> tuple[str, str] | None:
    """What the figure is of, on which day, in which unit, and what is said beside it."""
    first = cite.members[0]
    index = trace.members(first.tool_call_id)
    if index is None:
        return "call_in_trace", f"tool_call_id '{first.tool_call_id}' holds no members"
    members = index.members
    wanted = {
        "entity_equal": (claim.symbol, scope_symbol(members.market, first.industry, first.listing)),
        "as_of_equal": (claim.as_of, members.day_of(ref.column for ref in cite.members)),
        "unit_equal": (claim.unit, aggregate.unit_of(members)),
        "period_equal": (claim.period, None),
        "metric_equal": (claim.metric_code, None),
        "note_equal": (cite.note, members.notes.get(claim.metric)),
    }
    for check, (said, right) in wanted.items():
        if said != right:
            return check, f"{check} mismatch: claim={said}, members give {right}"
    return None
