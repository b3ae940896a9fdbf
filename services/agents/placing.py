"""Figures that a model typed, made places of the claims that carry them.

A typed figure that was proved is right, but has no badge and no evidence: a reader could not follow
it. So it is replaced by its claim's own figure, or followed by it in brackets where the words say
something of their own (超过200亿元, 一成六). What is changed is proved again.
"""

import re
from collections.abc import Mapping

from services.agents.proving import Proof, grounded, prove_text
from services.agents.results import AnalysisInput, RuntimeDraft
from services.core.claims import Claim
from services.core.grounding import Grounded, Support
from services.core.rendering import PLACE, Language, place, show

# A figure as it is, or nearly: its claim's exact figure says the same.
_PLAIN = re.compile(
    r"(?:约为?|大约|大概|近似|左右|about|around|roughly|approximately)?\s*"
    r"[¥$]?[+\-−±]?[0-9][0-9,.]*\s*[^0-9\s]{0,12}(?:左右)?",
    re.IGNORECASE,
)


def placed(draft: RuntimeDraft, asked: AnalysisInput, proof: Proof) -> RuntimeDraft:
    """The draft with every figure as a place. A text that would not hold then is left as it was."""

    def text(written: str) -> str:
        changed = _placed(written, asked, proof)
        held = changed == written or not prove_text(changed, asked, proof, 1)
        return changed if held else written

    return draft.model_copy(
        update={
            "summary": text(draft.summary),
            "key_points": tuple(map(text, draft.key_points)),
            "recommendations": tuple(map(text, draft.recommendations)),
            "risk_factors": tuple(map(text, draft.risk_factors)),
        }
    )


def _placed(written: str, asked: AnalysisInput, proof: Proof) -> str:
    claims = {claim.claim_id: claim for claim in proof.claims}
    return with_places(written, grounded(written, asked, proof), claims, asked.language)


def with_places(
    written: str, found: Grounded, claims: Mapping[str, Claim], language: Language
) -> str:
    """The template with its typed figures as places; `found` is what was proved of it."""
    shown = _shown(written, claims, language)
    parts: list[str] = []
    done = 0
    for one in found.supported:
        if one.start < done or any(one.start < end and start < one.end for start, end in shown):
            continue
        parts += [_back(found.text, done, one.start, shown), _cited(one, claims, language)]
        done = one.end
    return "".join([*parts, _back(found.text, done, len(found.text), shown)])


def _cited(one: Support, claims: Mapping[str, Claim], language: Language) -> str:
    here = place(claims[one.claim_ids[0]])
    if _PLAIN.fullmatch(one.span):
        return here
    return f"{one.span}（{here}）" if language == "zh" else f"{one.span} ({here})"


def _shown(
    written: str, claims: Mapping[str, Claim], language: Language
) -> dict[tuple[int, int], str]:
    """Where each place of the template stands in its rendered text, and how it is written."""
    spans: dict[tuple[int, int], str] = {}
    shift = 0
    for found in PLACE.finditer(written):
        text = show(claims[found.group(1)], language).text
        start = found.start() + shift
        spans[start, start + len(text)] = found.group()
        shift += len(text) - len(found.group())
    return spans


def _back(text: str, start: int, end: int, shown: dict[tuple[int, int], str]) -> str:
    """That part of the rendered text with its places as they were in the template."""
    parts: list[str] = []
    for (first, last), template in shown.items():
        if start <= first and last <= end:
            parts += [text[start:first], template]
            start = last
    return "".join([*parts, text[start:end]])
