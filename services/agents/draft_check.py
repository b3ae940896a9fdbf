"""Does a sentence of the rules hold? Every figure in it, against the claims of its own run.

Pure code. What does not hold is told in words and never shown as part of an answer. A figure that
was typed is refused though it is right: it would have no badge.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from services.agents.results import AnalysisInput, Refusal
from services.core.claims import Claim
from services.core.rendering import part_places, pieces, render, show
from services.core.text import Text
from services.grounding.ground import Grounded, ground

_MISSPELT = Text(
    "占位符必须照抄 {{c:ID}}，前后不要紧贴英文字母或数字",
    "write every place exactly as {{c:ID}}, not glued to letters or digits",
)
_UNPLACED = Text(
    "这句话里直接写了数字，没有标记可点",
    "this sentence types a figure, which would have no mark",
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


def refusals_of(text: str, asked: AnalysisInput, proof: Proof, round_: int) -> tuple[Refusal, ...]:
    """Why the text does not hold; nothing where it does. What was checked must be, to the letter,
    what a reader will see.
    """
    found, claims = grounded(text, asked, proof), {one.claim_id: one for one in proof.claims}
    if found.failures:
        return tuple(
            Refusal(round=round_, check=one.check, reason=one.reason, quoted=one.quoted)
            for one in found.failures
        )
    if render(text, claims, asked.language) != found.text:
        return (Refusal(round=round_, check="place", reason=_MISSPELT),)
    spans = _spans(text, claims, asked)
    typed = [
        one.span
        for one in found.supported
        if not any(start <= one.start < end for start, end in spans)
    ]
    if typed:
        quoted = f"unplaced at «{typed[0]}»: {_UNPLACED}"
        return (Refusal(round=round_, check="unplaced", reason=_UNPLACED, quoted=quoted),)
    return ()


def _spans(
    template: str, claims: Mapping[str, Claim], asked: AnalysisInput
) -> list[tuple[int, int]]:
    """Where the places of the template stand in its rendered text."""
    found: list[tuple[int, int]] = []
    length = 0
    for piece in pieces(part_places(template)):
        said = piece if isinstance(piece, str) else ""
        if not isinstance(piece, str):
            said = show(claims[piece.claim_id], asked.language, piece.style).text
            found.append((length, length + len(said)))
        length += len(said)
    return found
