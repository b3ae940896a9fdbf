"""Evidence marks [E*]: made from claims by code, so a mark always leads to a call in the trace.

A mark stands for one tool call; a statement carries the marks of every call its figures come from,
and of every call whose text it quotes word for word.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from services.agents.report_words import headline
from services.agents.results import CallEvidence
from services.core.claims import Claim, CompetenceCite, ToolCite
from services.core.clock import BEIJING
from services.core.rendering import PLACE
from services.core.text import Text
from services.core.trace import Item, ToolCall, Trace
from services.market.events.lead_words import quote_title

_QUOTED = re.compile(r"「([^「」]+)」|《([^《》]+)》|“([^“”]+)”|『([^『』]+)』|\"([^\"]+)\"")
_LEAST_QUOTED = 4


class Marks:
    """Numbers the calls in the order the text first stands on them."""

    def __init__(self, claims: Sequence[Claim], trace: Trace) -> None:
        """`claims` must hold the inputs of every derived claim among them."""
        self._claims = {claim.claim_id: claim for claim in claims}
        self._calls = {call.tool_call_id: call for call in trace.tool_calls}
        self._cited: dict[str, dict[str, Claim]] = {}
        self._quoted: dict[str, dict[str, Item]] = {}

    def of(self, template: str) -> tuple[str, ...]:
        """The marks of one statement, without brackets: `E1`, `E3`; none where it has no figure and
        quotes nothing.
        """
        found: dict[str, None] = {}
        for name in PLACE.findall(template):
            claim = self._claims[name]
            for call_id in self._grounds(claim):
                self._cited.setdefault(call_id, {})[claim.claim_id] = claim
                found[call_id] = None
        said = [match.group(match.lastindex or 0) for match in _QUOTED.finditer(template)]
        said = [one for one in said if len(one) >= _LEAST_QUOTED]
        for one in said:
            for call, items in self._brought(one):
                self._cited.setdefault(call.tool_call_id, {})
                kept = self._quoted.setdefault(call.tool_call_id, {})
                kept |= {item.item_id: item for item in items}
                found[call.tool_call_id] = None
        order = list(self._cited)
        return tuple(f"E{number}" for number in sorted(order.index(one) + 1 for one in found))

    def evidence(self) -> tuple[CallEvidence, ...]:
        """Every call cited so far, in the order of its number."""
        return tuple(
            _evidence(number, self._calls[call_id], claims, self._quoted.get(call_id, {}).values())
            for number, (call_id, claims) in enumerate(self._cited.items(), 1)
        )

    def _brought(self, said: str) -> list[tuple[ToolCall, list[Item]]]:
        """The calls that brought that text: one a source, since several searches often find one
        headline; one that is cited already before any other.
        """
        brought: dict[tuple[str, str], tuple[ToolCall, list[Item]]] = {}
        for call in sorted(
            self._calls.values(), key=lambda one: one.tool_call_id not in self._cited
        ):
            if items := [item for item in call.items if _has(item, said)]:
                brought.setdefault((call.source, call.table), (call, items))
        return list(brought.values())

    def _grounds(self, claim: Claim) -> dict[str, None]:
        cite = claim.cite
        if isinstance(cite, ToolCite):
            return {cite.tool_call_id: None}
        if isinstance(cite, CompetenceCite):
            return {}
        found: dict[str, None] = {}
        for name in cite.inputs:
            found |= self._grounds(self._claims[name])
        return found | {ref.tool_call_id: None for ref in (*cite.series, *cite.members)}


def _has(item: Item, said: str) -> bool:
    known = (item.title, item.text, quote_title(item.title)[1:-1], headline(item))
    return any(said in one for one in known)


def _evidence(
    number: int, call: ToolCall, claims: Mapping[str, Claim], texts: Iterable[Item]
) -> CallEvidence:
    days = [claim.as_of for claim in claims.values()]
    days += [at.astimezone(BEIJING).date() for item in texts if (at := item.published_at)]
    newest: date | None = max(days, default=None)
    return CallEvidence(
        marker=f"E{number}",
        title=Text.of(f"{call.source}.{call.table}"),
        tool=call.name,
        source=call.source,
        table=call.table,
        tool_call_id=call.tool_call_id,
        as_of=newest,
        fetched_at=call.fetched_at,
        claims=tuple(claims),
    )
