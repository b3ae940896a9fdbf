"""What a claim stands on, followed down to the fetches: the words exports write beside a figure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from services.core.claims import Claim, CompetenceCite, DerivedCite, ToolCite
from services.core.competence import COMPETENCES
from services.core.trace import Trace


@dataclass(frozen=True, slots=True)
class Fetch:
    """One fetch behind a figure: who it is from, where it stood, when we asked, who answered."""

    source: str
    table: str
    tool_call_id: str
    fetched_at: str
    served_by: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """`fetches` are distinct, in the order of the formula's inputs; a rule's figure has none.

    `raw` and `upstream_field` are the upstream's own, null for anything computed.
    `formula` is the expression of a derived figure, or the id of the registered rule.
    `inputs` names each input with its full value and claim id: `pe_lyr = 33.84 multiple (c_…)`.
    """

    kind: str
    fetches: tuple[Fetch, ...]
    formula: str | None
    inputs: tuple[str, ...]
    raw: str | None
    upstream_field: str | None
    note: str | None


class Ground:
    """The claims and calls of one view, for looking up what each figure stands on."""

    def __init__(self, claims: Mapping[str, Claim], trace: Trace) -> None:
        """`claims` must hold the inputs of every derived claim among them."""
        self.claims = claims
        self._calls = {call.tool_call_id: call for call in trace.tool_calls}
        self._known: dict[str, Provenance] = {}

    def of(self, claim: Claim) -> Provenance:
        """Where the figure comes from. Raises: KeyError when an input or a call is not in the
        view.
        """
        found = self._known.get(claim.claim_id)
        if found is None:
            found = self._known[claim.claim_id] = self._follow(claim)
        return found

    def _follow(self, claim: Claim) -> Provenance:
        cite = claim.cite
        if isinstance(cite, ToolCite):
            fetch = Fetch(
                cite.source,
                cite.table,
                cite.tool_call_id,
                cite.fetched_at.isoformat(),
                cite.served_by,
            )
            return Provenance("tool", (fetch,), None, (), cite.raw, cite.field, cite.note)
        if isinstance(cite, CompetenceCite):
            entry = COMPETENCES[cite.competence_id]
            said = (
                f"{entry.statement_zh} | {entry.statement_en} ({entry.reference}, v{entry.version})"
            )
            return Provenance("competence", (), cite.competence_id, (), None, None, said)
        return self._computed(cite)

    def _computed(self, cite: DerivedCite) -> Provenance:
        used = [self.claims[name] for name in cite.inputs]
        fetches = [fetch for item in used for fetch in self.of(item).fetches]
        fetches += [self._fetch(ref.tool_call_id) for ref in cite.series]
        inputs = [f"{c.metric} = {c.value!r} {c.unit} ({c.claim_id})" for c in used]
        inputs += [
            f"{ref.name} = {ref.metric} {ref.start}…{ref.end} × {ref.count} ({ref.tool_call_id})"
            for ref in cite.series
        ]
        return Provenance(
            "derived", _distinct(fetches), cite.formula, tuple(inputs), None, None, cite.note
        )

    def _fetch(self, tool_call_id: str) -> Fetch:
        call = self._calls[tool_call_id]
        return Fetch(
            call.source,
            call.table,
            call.tool_call_id,
            call.fetched_at.isoformat(),
            call.served_by,
        )


def _distinct(fetches: Iterable[Fetch]) -> tuple[Fetch, ...]:
    return tuple(dict.fromkeys(fetches))
