"""A text of somebody's own beside a pack: each of its figures against the figures of the pack."""

from services.core.claims import Claim
from services.core.errors import InputError
from services.core.record import Record
from services.core.rendering import show
from services.core.text import LANGUAGES, Text
from services.evidence_pack.checks import can_be_shown
from services.evidence_pack.parts import PackContent, PackManifest
from services.evidence_pack.size_limits import Fault
from services.grounding.ground import WeighedFigure, weigh_figures
from services.grounding.verdict import Standing
from services.views.weighed_words import tell_held, tell_why

# A copy of the report has at least so large a part of its lines from it.
_COPIED = 1 / 3


class TextFigure(Record):
    """One figure of a text: where it stands, whether it agrees with the pack, and why not or why
    that cannot be decided; `held` is what the pack says and `about` whose figure that is, both
    empty where it has none.
    """

    file: str
    start: int
    end: int
    line: int
    span: str
    standing: Standing
    why: Text
    held: Text = Text("", "")
    about: Text = Text("", "")


def is_copy(text: str, report: str) -> bool:
    """Whether a text is the pack's report, be it changed: it has the same head, or many of its
    lines.
    """
    ours = {line.strip() for line in report.split("\n") if line.strip()}
    theirs = [line.strip() for line in text.split("\n") if line.strip()]
    shared = sum(line in ours for line in theirs)
    return not theirs or theirs[0] in ours or shared / len(theirs) >= _COPIED


def weigh_text(
    name: str, text: str, content: PackContent, manifest: PackManifest
) -> tuple[tuple[Fault, ...], tuple[TextFigure, ...]]:
    """What the text says otherwise than the pack, and each of its figures. Figures that cannot be
    decided are no fault.
    """
    symbols = manifest.symbols
    try:
        found = weigh_figures(
            text,
            [claim for claim in content.claims if can_be_shown(claim)],
            names=content.names,
            default_symbol=symbols[0] if len(symbols) == 1 else None,
            today=manifest.day,
        )
    except InputError as error:
        return (Fault(name, "too_long", error.valid),), ()
    lines = [text.count("\n", 0, one.start) + 1 for one in found]
    called = {symbol: Text.of(names[0]) for symbol, names in content.names.items() if names}
    figures = tuple(_tell(name, one, line, called) for one, line in zip(found, lines, strict=True))
    faults = tuple(
        _fault(name, one, line, content.paper.language)
        for one, line in zip(found, lines, strict=True)
        if one.standing == "differs"
    )
    return faults, figures


def _tell(name: str, one: WeighedFigure, line: int, called: dict[str, Text]) -> TextFigure:
    held = one.claims[0] if one.claims and one.standing != "undecided" else None
    told = {"file": name, "start": one.start, "end": one.end, "line": line, "span": one.span}
    if held is not None:
        shown = Text(*(show(held, language).text for language in LANGUAGES))
        told |= {"held": shown, "about": tell_held(held, called)}
    return TextFigure(**told, standing=one.standing, why=tell_why(one))


def _fault(name: str, one: WeighedFigure, line: int, language: str) -> Fault:
    claim = one.claims[0]
    wanted = show(claim, "en" if language == "en" else "zh").text
    return Fault(
        f"{name} line {line}: {_about(claim)}", "figure_differs",
        Text(f"证据里是 {wanted}，这里写着 {one.span}",
             f"the pack has {wanted}, here it is {one.span}"),
        wanted, one.span, line, claim.claim_id,
    )  # fmt: skip


def _about(claim: Claim) -> str:
    return f"{claim.symbol} {claim.metric} {claim.period or claim.as_of.isoformat()}"
