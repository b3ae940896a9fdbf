"""Which of the five marks a figure carries, and what a screen reader says of it.

v as its source gives it · d derived · s older than the page's basis · x two values disagree ·
m missing. One mark a figure: missing before disagreeing before stale before derived; everything
else that is to be known of it (one source only, a registered rule) the drawer says.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Literal, NamedTuple

from pages.ui import i18n, state
from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, DerivedCite, ToolCite
from services.core.day_words import tell_day
from services.core.rendering import SIGNED
from services.market.source_names import short_name
from services.market.splits import split_of
from services.views.member_words import scope_words
from services.views.source_words import source_words
from services.views.table import Cell

Kind = Literal["v", "d", "s", "x", "m"]
# On paper a mark is a raised letter, of the table the figure stands in at its source.
_LETTERS: Mapping[str, str] = {
    "price": "D", "event": "D", "valuation": "V", "size": "V", "statement": "A", "ratio": "A",
}  # fmt: skip
_OTHER = "S"


class FigureMark(NamedTuple):
    """The mark's kind, and what stands in it (the dot of a plain figure is drawn by its style)."""

    kind: Kind
    text: str


def mark_of(claim: Claim, told: Mapping[str, str], *, old: bool) -> FigureMark:
    """The mark of a figure; `told` is what its envelope says of the answer behind it, `old` that
    it is of a day before the one the page stands on.
    """
    if "differs" in told or split_of(claim):
        return FigureMark("x", "≠")
    if old or "stale" in told:
        newest = state.session().newest
        same = newest is None or newest.year == claim.as_of.year
        return FigureMark("s", tell_day(claim.as_of, state.language(), year=not same))
    return FigureMark("d", "ƒ") if isinstance(claim.cite, DerivedCite) else FigureMark("v", "")


def drawn(mark: FigureMark, claim: Claim) -> str:
    """The mark as HTML; hidden from screen readers, to whom the button's label says it."""
    letter = "ƒ" if mark.kind == "d" else _letter(claim)
    by = i18n.say(short_name(claim.cite.served_by)) if isinstance(claim.cite, ToolCite) else "§"
    return (
        f'<i class="yj-k" aria-hidden="true" data-by="{by}" data-letter="{letter}">{mark.text}</i>'
    )


def _letter(claim: Claim) -> str:
    entry = CATALOGUE.figures.get(claim.metric)
    return _LETTERS.get(entry.kind, _OTHER) if entry else _OTHER


def is_derived_throughout(cells: Iterable[Cell]) -> bool:
    """Whether every figure of a column is derived, so that its head may say so once."""
    cites = [cell.cite for cell in cells if isinstance(cell, Claim)]
    return len(cites) > 1 and all(isinstance(one, DerivedCite) for one in cites)


def short(claim: Claim, told: Mapping[str, str]) -> str:
    """In a line where the figure comes from: for a pointer that rests on it."""
    day = tell_day(claim.as_of, state.language())
    extra = [told["served"]] if "served" in told else []
    extra += [i18n.t("fetched_ago", age=told["stale"])] if "stale" in told else []
    extra += [i18n.t("differs")] if "differs" in told else []
    if (split := split_of(claim)) is not None:
        before, after = (one.label(state.language()) for one in split)
        extra.append(i18n.t("split", before=before, after=after))
    if isinstance(claim.cite, ToolCite):
        by = i18n.say(source_words(claim.cite.served_by))
        return " · ".join([by, day, *extra])
    name = "derived" if isinstance(claim.cite, DerivedCite) else "rule"
    return " · ".join([i18n.t(name), day, *extra])


def spoken(name: str, claim: Claim, text: str, mark: FigureMark, about: str) -> str:
    """What a screen reader says: name, figure, whose, what kind, and where from."""
    kind = i18n.t(f"mark_{mark.kind}")
    comma = i18n.say(i18n.COMMA)
    return comma.join([f"{name} {text}", i18n.say(scope_words(claim.symbol)), kind, about])


def direction(claim: Claim) -> str:
    """The class that colours a move; a figure that is none has no colour."""
    if claim.metric not in SIGNED or Decimal(repr(claim.value)) == 0:
        return ""
    return " yj-up" if claim.value > 0 else " yj-down"
