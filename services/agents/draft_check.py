"""Does a sentence of the rules hold? Every figure in it, against the claims of its own run.

Pure code. What does not hold is told in words and never shown as part of an answer. A figure that
was typed is made a place of its claim here: one that cannot be is refused, it would have no badge.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from services.agents.figure_places import with_places
from services.agents.results import AnalysisInput, Refusal
from services.core.claims import Claim
from services.core.rendering import render
from services.core.text import Text
from services.grounding.ground import Grounded, ground

_MISSPELT = Text(
    "占位符必须照抄 {{c:ID}}，前后不要紧贴英文字母或数字",
    "write every place exactly as {{c:ID}}, not glued to letters or digits",
)
_UNPLACED = Text(
    "这句话里直接写了数字，换成占位符后不再成立：请改用占位符 {{c:ID}} 书写",
    "this sentence types a figure and does not hold with its place: write the place {{c:ID}}",
)


@dataclass(frozen=True, slots=True)
class Proof:
    """What texts are held against. `names`: symbol → what it may be called. `quotes`: texts from
    outside that may be quoted word for word. `others`: name → symbol of companies that may be
    mentioned besides.
    """

    claims: Sequence[Claim]
    names: Mapping[str, Sequence[str]]
    quotes: Sequence[str]
    others: Mapping[str, str] = field(default_factory=dict[str, str])


class ProvedText(NamedTuple):
    """A text whose typed figures are places, and what of it does not hold."""

    text: str
    refusals: tuple[Refusal, ...]


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
        others=proof.others,
    )


def prove_text(text: str, asked: AnalysisInput, proof: Proof, round_: int) -> ProvedText:
    """The text with its typed figures as places, and why it does not hold. What was checked must
    be, to the letter, what a reader will see.
    """
    found = grounded(text, asked, proof)
    if refused := _refused(text, found, asked, proof, round_):
        return ProvedText(text, refused)
    claims = {claim.claim_id: claim for claim in proof.claims}
    placed = with_places(text, found, claims, asked.language)
    if placed == text:
        return ProvedText(text, ())
    again = grounded(placed, asked, proof)
    if not _refused(placed, again, asked, proof, round_):
        return ProvedText(placed, ())
    typed = ", ".join(f"«{one.span}» = {{{{c:{one.claim_ids[0]}}}}}" for one in found.supported)
    quoted = f"unplaced at {typed}: {_UNPLACED}"
    return ProvedText(
        text, (Refusal(round=round_, check="unplaced", reason=_UNPLACED, quoted=quoted),)
    )


def _refused(
    text: str, found: Grounded, asked: AnalysisInput, proof: Proof, round_: int
) -> tuple[Refusal, ...]:
    refused = tuple(
        Refusal(round=round_, check=failure.check, reason=failure.reason, quoted=failure.quoted)
        for failure in found.failures
    )
    claims = {claim.claim_id: claim for claim in proof.claims}
    if not refused and render(text, claims, asked.language) != found.text:
        return (Refusal(round=round_, check="place", reason=_MISSPELT),)
    return refused
