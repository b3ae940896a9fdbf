"""What a claim stands on, followed down to the fetches: the words exports write beside a figure."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from weakref import ref

from services.core.claims import Claim, CompetenceCite, DerivedCite, MembersRef, ToolCite
from services.core.crosscheck import Disagreement, disagreements
from services.core.limits import COMPETENCES
from services.core.text import Text
from services.core.trace import FactKey, ToolCall, Trace
from services.views.source_words import age_words, served_words, source_words


@dataclass(frozen=True, slots=True)
class Fetch:
    """One fetch behind a figure: who it is from, where it stood, when we asked, who answered; of a
    bundle `fetched_at` is when it was built and `captured` the day its source was.
    """

    source: str
    table: str
    tool_call_id: str
    fetched_at: str
    served_by: str
    captured: str = ""


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


@dataclass(frozen=True, slots=True)
class AnswerStanding:
    """How the answer behind a figure came about, where that is worth a second look.

    `fallback`: who answered instead of whom. `stale`: it is from before, and how old, because no
    source answered. `differs`: what the sources say that disagree on it.
    """

    fallback: Text | None = None
    stale: Text | None = None
    differs: Disagreement | None = None


_PLAIN = AnswerStanding()


@dataclass(frozen=True, slots=True)
class _TraceTold:
    """What the calls of a trace tell; `known` is filled as claims are followed, whose ids say what
    they are made of, `written` as they are drawn.
    """

    calls: Mapping[str, ToolCall]
    courses: Mapping[str, AnswerStanding]
    apart: Mapping[FactKey, Disagreement]
    known: dict[str, Provenance]
    written: dict[Hashable, tuple[Claim, str]]


# By identity, as long as the trace is there: a page of tens of thousands of facts is drawn again
# and again, and many look at the same.
_told: dict[int, tuple[ref[Trace], _TraceTold]] = {}


def _told_of(trace: Trace) -> _TraceTold:
    name = id(trace)
    known = _told.get(name)
    if known is not None and known[0]() is trace:
        return known[1]
    made = _TraceTold(
        {call.tool_call_id: call for call in trace.tool_calls},
        {call.tool_call_id: _course(call) for call in trace.tool_calls},
        disagreements(trace),
        {},
        {},
    )
    _told[name] = (ref(trace, lambda gone: _forget(name, gone)), made)
    return made


def _forget(name: int, gone: ref[Trace]) -> None:
    """Unless another trace stands there by now."""
    if (found := _told.get(name)) is not None and found[0] is gone:
        del _told[name]


class Ground:
    """The claims and calls of one view, for looking up what each figure stands on."""

    def __init__(self, claims: Mapping[str, Claim], trace: Trace) -> None:
        """`claims` must hold the inputs of every derived claim among them."""
        self.claims = claims
        self.trace = trace
        told = _told_of(trace)
        self._calls, self._courses, self._apart = told.calls, told.courses, told.apart
        self._known, self._written = told.known, told.written

    def write(self, claim: Claim, how: Hashable, make: Callable[[], str]) -> str:
        """What `make` writes of the claim, written once as long as the trace is there; `how` says
        everything it hangs on beside the claim and the trace.
        """
        key = (claim.claim_id, how)
        found = self._written.get(key)
        if found is not None and found[0] is claim:
            return found[1]
        made = make()
        self._written[key] = (claim, made)
        return made

    def standing(self, claim: Claim) -> AnswerStanding:
        """What is to be said of the answer behind this figure, or behind what it is made of."""
        cite = claim.cite
        if isinstance(cite, ToolCite):
            course = self._courses.get(cite.tool_call_id, _PLAIN)
            key = (claim.symbol, claim.metric, claim.as_of, claim.period)
            differs = self._apart.get(key)
            return AnswerStanding(course.fallback, course.stale, differs) if differs else course
        if isinstance(cite, CompetenceCite):
            return _PLAIN
        found = [self.standing(self.claims[name]) for name in cite.inputs]
        cited = (*cite.series, *cite.members)
        found += [self._courses.get(ref.tool_call_id, _PLAIN) for ref in cited]
        return AnswerStanding(
            next((one.fallback for one in found if one.fallback), None),
            next((one.stale for one in found if one.stale), None),
            next((one.differs for one in found if one.differs), None),
        )

    def course(self, tool_call_id: str) -> AnswerStanding:
        """What is to be said of the answer to that call."""
        return self._courses.get(tool_call_id, _PLAIN)

    def stale(self) -> tuple[Text, ...]:
        """Every answer from before that stands in for one nobody gave now, with its age."""
        found = (
            (call, self._courses[call.tool_call_id].stale)
            for call in self._calls.values()
            if call.rows
        )
        said = (
            Text(
                f"{source_words(call.served_by).zh}：{age.zh}取得",
                f"{source_words(call.served_by).en}: {age.en}",
            )
            for call, age in found
            if age is not None
        )
        return tuple(dict.fromkeys(said))

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
                self._find_captured(cite.tool_call_id),
            )
            return Provenance("tool", (fetch,), None, (), cite.raw, cite.field, cite.note)
        if isinstance(cite, CompetenceCite):
            entry = COMPETENCES[cite.competence_id]
            said = f"{entry.statement} ({entry.reference}, v{entry.version})"
            return Provenance("competence", (), cite.competence_id, (), None, None, said)
        return self._explain_derived(cite)

    def _explain_derived(self, cite: DerivedCite) -> Provenance:
        used = [self.claims[name] for name in cite.inputs]
        fetches = [fetch for item in used for fetch in self.of(item).fetches]
        fetches += [self._fetch(ref.tool_call_id) for ref in (*cite.series, *cite.members)]
        inputs = [f"{c.metric} = {c.value!r} {c.unit} ({c.claim_id})" for c in used]
        inputs += [
            f"{ref.name} = {ref.metric} {ref.start}…{ref.end} × {ref.count} ({ref.tool_call_id})"
            for ref in cite.series
        ]
        inputs += [_members_words(ref) for ref in cite.members]
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
            self._find_captured(tool_call_id),
        )

    def _find_captured(self, tool_call_id: str) -> str:
        call = self._calls.get(tool_call_id)
        return call.captured.isoformat() if call is not None and call.captured else ""


def _course(call: ToolCall) -> AnswerStanding:
    """What the attempts of a call tell: a fallback, an old answer, or nothing worth telling."""
    stale = next((one for one in call.attempts if one.cached == "stale"), None)
    others = {one.provider for one in call.attempts if one.error} - {call.served_by}
    return AnswerStanding(
        served_words(call.served_by, call.attempts) if others else None,
        age_words(call.fetched_at, stale.started_at) if stale else None,
    )


def _members_words(ref: MembersRef) -> str:
    """`values = pettm > 0 × 2900 of tc_… sha256 …`."""
    limits = " and ".join(limit for bound in ref.bounds for limit in bound.limits)
    group = ref.industry or ref.listing
    said = " ".join(part for part in (ref.column, limits and f"where {limits}", group) if part)
    return f"{ref.name} = {said or 'all'} × {ref.count} ({ref.tool_call_id}, {ref.sha256[:12]})"


def _distinct(fetches: Iterable[Fetch]) -> tuple[Fetch, ...]:
    return tuple(dict.fromkeys(fetches))
