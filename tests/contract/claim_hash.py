"""What a claim says and cites, as one hash that is the same wherever the claim was made.

Ids are new in every run and left out. Two stores that show the same figures from the same answers
give the same hashes.
"""

import json
from collections.abc import Iterable
from hashlib import sha256

from pydantic import JsonValue

from services.core.claims import Claim, DerivedCite, MembersRef, SeriesRef, ToolCite
from services.core.trace import ToolCall, Trace, TraceIndex

_IDS = {"tool_call_id"}


def claim_hashes(claims: Iterable[Claim], trace: Trace) -> dict[str, str]:
    """The hash of each claim by its claim_id, in the order given.

    It covers value, unit, metric, symbol, day, period and the citation: of a figure from a source
    its source, table, `served_by`, `fetched_at`, field, raw text and note; of a derived one the
    formula, the hashes of its inputs and every value of its series with the call they are from; of
    one over members the hash of all their values.

    Raises: KeyError when an input or a call that is cited is not given.
    """
    given = {claim.claim_id: claim for claim in claims}
    calls = TraceIndex(trace.tool_calls)
    known: dict[str, str] = {}
    waiting = list(given)
    while waiting:
        claim = given[waiting[-1]]
        cite = claim.cite
        inputs = cite.inputs if isinstance(cite, DerivedCite) else ()
        unknown = [name for name in inputs if name not in known]
        if unknown:  # on a stack of our own: a chain of formulas may be deeper than Python's
            waiting += unknown
            continue
        known[waiting.pop()] = _hash(claim, [known[name] for name in inputs], calls)
    return {name: known[name] for name in given}


def _hash(claim: Claim, inputs: list[str], calls: TraceIndex) -> str:
    said: dict[str, JsonValue] = claim.model_dump(mode="json", exclude={"claim_id", "cite"})
    cite: dict[str, JsonValue] = claim.cite.model_dump(
        mode="json", exclude={*_IDS, "inputs", "series", "members", "fetched_at"}
    )
    if isinstance(claim.cite, ToolCite):
        cite["fetched_at"] = claim.cite.fetched_at.timestamp()
    if isinstance(claim.cite, DerivedCite):
        cite["inputs"] = list[JsonValue](inputs)
        cite["series"] = [_series(ref, calls) for ref in claim.cite.series]
        if claim.cite.members:
            cite["members"] = [_members(ref, calls) for ref in claim.cite.members]
    document = json.dumps({"claim": said, "cite": cite}, sort_keys=True, ensure_ascii=False)
    return sha256(document.encode()).hexdigest()


def _members(ref: MembersRef, calls: TraceIndex) -> JsonValue:
    """The reference, which has the hash of every value, and the call they are from."""
    return [ref.model_dump(mode="json", exclude=_IDS), _call(calls.calls[ref.tool_call_id])]


def _call(call: ToolCall) -> JsonValue:
    return [call.source, call.table, call.served_by, call.fetched_at.timestamp()]


def _series(ref: SeriesRef, calls: TraceIndex) -> JsonValue:
    call = calls.calls[ref.tool_call_id]
    values = calls.between(ref.tool_call_id, ref.symbol, ref.metric, ref.start, ref.end)
    return [
        ref.model_dump(mode="json", exclude=_IDS),
        _call(call),
        list[JsonValue](values),
    ]
