"""Does a draft hold? Every figure in every text of it, against the claims of its own run.

Pure code. What does not hold is told in words and never shown as part of an answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.agents.results import AnalysisInput, Refusal, RuntimeDraft
from services.core.claims import Claim
from services.core.grounding import Grounded, ground
from services.core.rendering import render

_MISSPELT = (
    "占位符必须照抄 {{c:ID}}，前后不要紧贴英文字母或数字 | "
    "write every place exactly as {{c:ID}}, not glued to letters or digits"
)


@dataclass(frozen=True, slots=True)
class Proof:
    """What texts are held against. `names`: symbol → what it may be called. `quotes`: texts from
    outside that may be quoted word for word.
    """

    claims: Sequence[Claim]
    names: Mapping[str, Sequence[str]]
    quotes: Sequence[str]


def grounded(text: str, asked: AnalysisInput, proof: Proof) -> Grounded:
    """One text held against the proof."""
    return ground(
        text,
        proof.claims,
        names=proof.names,
        language=asked.language,
        default_symbol=asked.symbol,
        now=asked.as_of,
        quotes=proof.quotes,
    )


def prove(
    draft: RuntimeDraft, asked: AnalysisInput, proof: Proof, round_: int
) -> tuple[Refusal, ...]:
    """Why the draft may not be shown; nothing when it may."""
    return tuple(one for text in draft.texts for one in prove_text(text, asked, proof, round_))


def standing(
    draft: RuntimeDraft, asked: AnalysisInput, proof: Proof
) -> tuple[RuntimeDraft | None, tuple[Refusal, ...]]:
    """A draft written by rule without the statements that do not hold, and why those do not.

    A headline nobody foresaw may spoil its own line, not the report. None: nothing of it stands.
    """
    held = {text: prove_text(text, asked, proof, 1) for text in draft.texts}
    refused = tuple(one for found in held.values() for one in found)
    if not refused:
        return draft, ()
    points = tuple(text for text in draft.key_points if not held[text])
    summary = draft.summary if not held[draft.summary] else next(iter(points), None)
    if summary is None:
        return None, refused
    gone = sum(bool(found) for found in held.values())
    zh, _, en = (draft.note or "").partition(" | ")
    note = f"{zh}；有 {gone} 句没有通过核对，已略去 | {en}; statements left out as unproved: {gone}"
    kept = draft.model_copy(
        update={
            "summary": summary,
            "key_points": points,
            "recommendations": tuple(text for text in draft.recommendations if not held[text]),
            "risk_factors": tuple(text for text in draft.risk_factors if not held[text]),
            "note": note,
        }
    )
    return kept, refused


def prove_text(text: str, asked: AnalysisInput, proof: Proof, round_: int) -> tuple[Refusal, ...]:
    """As `prove`, of one text. What was checked must be, to the letter, what a reader will see."""
    found = grounded(text, asked, proof)
    refused = tuple(
        Refusal(round=round_, check=failure.check, reason=failure.reason)
        for failure in found.failures
    )
    claims = {claim.claim_id: claim for claim in proof.claims}
    if not refused and render(text, claims, asked.language) != found.text:
        return (Refusal(round=round_, check="place", reason=_MISSPELT),)
    return refused
