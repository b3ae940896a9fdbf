"""What else a file says that cannot hold together with a figure that was changed in it."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from services.core.claims import Claim, DerivedCite
from services.core.formulas import formula_for
from services.core.record import Record
from services.core.rendering import show
from services.core.text import Language
from services.core.trace import TraceIndex
from services.core.verifier import UNCOMPUTABLE, compute_answer
from services.evidence_pack.checks import can_be_shown
from services.evidence_pack.compare_cells import number_of
from services.evidence_pack.parts import PackContent
from services.evidence_pack.size_limits import Fault
from services.views.table import claim_words

# The first of them tell a reader enough: the others follow in the same way.
MOST_FOLLOWING = 3
# A printed figure: its sign, its digits, and the scale and unit it is written in.
_PRINTED = re.compile(r"([+−-]?)([0-9][0-9,]*(?:\.[0-9]+)?)(.*)", re.DOTALL)


class Consequence(Record):
    """A figure that stands unchanged in the same file: in which line (a row of a table), what it
    is, what the file says, and what it would be if the changed figure were true.
    """

    line: int
    label: str
    said: str
    would_be: str


class _Evidence(NamedTuple):
    """A pack's claims and calls, each found by its id."""

    claims: Mapping[str, Claim]
    trace: TraceIndex
    language: Language


def with_consequences(
    faults: Sequence[Fault], stands: Mapping[str, int], content: PackContent
) -> tuple[Fault, ...]:
    """The faults of a file, each changed figure with what contradicts it there: the figure itself
    where it is said again, and those that are computed from it. `stands`: the line in which each
    claim stands unchanged.
    """
    if not any(one.claim for one in faults):
        return tuple(faults)
    trace = TraceIndex(content.trace.tool_calls)
    evidence = _Evidence(content.by_id, trace, content.paper.language)
    return tuple(one._replace(follows=_follow(one, stands, evidence)) for one in faults)


def _follow(
    fault: Fault, stands: Mapping[str, int], evidence: _Evidence
) -> tuple[Consequence, ...]:
    claim = evidence.claims.get(fault.claim)
    value = _changed_value(claim, fault) if claim is not None else None
    if claim is None or value is None:
        return ()
    changed = claim.model_copy(update={"value": value})
    pairs = [(claim, changed), *_computed(changed, evidence)]
    found = (
        _tell(one, two, stands[one.claim_id], evidence.language)
        for one, two in pairs
        if one.claim_id in stands and can_be_shown(one) and can_be_shown(two)
    )
    return tuple(one for one in found if one.said != one.would_be)[:MOST_FOLLOWING]


def _changed_value(claim: Claim, fault: Fault) -> float | None:
    """The number the file has, in the claim's unit; None where more than the number differs."""
    wanted, got = _printed(fault.wanted), _printed(fault.got)
    if wanted is None or got is None or wanted[1] != got[1]:
        return None
    if not wanted[0] or not claim.value or not math.isfinite(claim.value):
        return None
    # Both are written in one scale, a power of ten of the claim's own: 2,090.25 of 亿元.
    scale = round(math.log10(abs(claim.value / float(wanted[0]))))
    return float(got[0].scaleb(scale))


def _printed(text: str) -> tuple[Decimal, str] | None:
    """The number and what is written behind it; None where it begins with no number."""
    found = _PRINTED.match(text.strip())
    number = number_of(found[2]) if found else None
    if found is None or number is None:
        return None
    return (-number if found[1] in ("−", "-") else number), found[3].strip()


def _computed(changed: Claim, evidence: _Evidence) -> Iterator[tuple[Claim, Claim]]:
    """Each figure computed from it, and what it would be."""
    known = {**evidence.claims, changed.claim_id: changed}
    for claim in evidence.claims.values():
        cite = claim.cite
        if not isinstance(cite, DerivedCite) or changed.claim_id not in cite.inputs:
            continue
        formula = formula_for(claim.metric, cite.formula)
        if formula is None or not known.keys() >= set(cite.inputs):
            continue
        inputs = [known[name].value for name in cite.inputs]
        try:
            value = compute_answer(cite, formula, inputs, evidence.trace)
        except UNCOMPUTABLE:
            continue
        yield claim, claim.model_copy(update={"value": value})


def _tell(claim: Claim, changed: Claim, line: int, language: Language) -> Consequence:
    return Consequence(
        line=line,
        label=claim_words(claim).in_language(language),
        said=show(claim, language).text,
        would_be=show(changed, language).text,
    )
