"""A figure computed a second time by another library, kept in the trace beside its bars.

The figure that is shown is always our formula's, which the verifier computes again. The library's
is an independent second opinion: a note may say that it agrees only where the trace has it.
"""

import math
from collections.abc import Sequence
from hashlib import sha256

from services.core.claims import Claim, SeriesRef
from services.core.trace import BARS, Fact, ToolCall, TraceIndex

# The table of a call that holds figures computed from the bars of another call, not fetched.
TABLE = "recomputation"
# How far two computations of one figure may lie apart, relative to it or, near nil, in its unit.
TOLERANCE = 1e-9


def agrees(ours: float, theirs: float) -> bool:
    """Whether two computations of a figure are the same to rounding errors."""
    return math.isclose(ours, theirs, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def recompute_call(bars: ToolCall, by: str, rows: Sequence[Fact]) -> ToolCall:
    """What `by` (a library and its version) computes from the bars of that call, as a call.

    It is no source of its own: the figures are still those of the bars' source.
    """
    keys = " ".join(f"{fact.metric} {fact.as_of}" for fact in rows)
    name = sha256(f"{bars.tool_call_id} {by} {keys}".encode()).hexdigest()
    return ToolCall(
        tool_call_id=f"tc_{name[:12]}",
        name=bars.name,
        arguments={BARS: bars.tool_call_id},
        attempts=(),
        source=bars.source,
        table=TABLE,
        served_by=by,
        fetched_at=bars.known_at,
        duration_ms=0.0,
        rows=tuple(rows),
    )


def confirmation(claim: Claim, series: Sequence[SeriesRef], trace: TraceIndex) -> str | None:
    """`TA-Lib 0.8.2 复算一致` where the trace has that figure, from the same bars."""
    bars = {ref.tool_call_id for ref in series}
    if not bars:
        return None
    for call in trace.calls.values():
        if call.table != TABLE or call.arguments.get(BARS) not in bars:
            continue
        key = (claim.symbol, claim.metric, claim.as_of, claim.period)
        fact = trace.facts(call.tool_call_id).get(key)
        if fact is not None and agrees(claim.value, fact.value):
            return f"{call.served_by} 复算一致"
    return None
