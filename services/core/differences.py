"""A difference told beside its two parts: with so many digits that a reader's own sum comes out.

50.8 less 16.4 is 34.4 to whoever reads it, though 34.34 is rounded to 34.3.
"""

import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from math import isclose

from services.core.claims import Claim, DerivedCite
from services.core.rendering import EXACT_DIGITS, PLACE, Style, place_of, show, style_of
from services.core.text import Language


def close_differences(template: str, claims: Mapping[str, Claim], language: Language) -> str:
    """The template with each difference told to the decimals of its parts, and all three to more
    where they do not add up, as far as the parts stand in it. Where four do not do, it stays.
    """
    for name in dict.fromkeys(PLACE.findall(template)):
        gap = claims.get(name)
        parts = parts_of(gap, claims) if gap is not None else None
        styles: dict[str, Style] = {
            found[1]: style_of(found[0]) for found in PLACE.finditer(template)
        }
        if gap is None or parts is None or any(one.claim_id not in styles for one in parts):
            continue
        three = (gap, *parts)
        told: list[Style] = [styles[one.claim_id] for one in three]
        digits = [show(one, language, style).digits for one, style in zip(three, told, strict=True)]
        most = max(digits[1:])
        if digits[0] <= most and _closes(three, told, language):
            continue
        for style in EXACT_DIGITS[max(most, 1) - 1 :]:
            if _closes(three, (style, style, style), language):
                template = _restyled(template, {one.claim_id for one in three}, style)
                break
    return template


def closes_in_full(gap: Claim, claims: Mapping[str, Claim], language: Language) -> bool:
    """Whether a difference told apart from its parts is theirs as each is printed in full."""
    parts = parts_of(gap, claims)
    return parts is None or _closes((gap, *parts), ("prose", "prose", "prose"), language)


def parts_of(gap: Claim, claims: Mapping[str, Claim]) -> tuple[Claim, Claim] | None:
    """The two figures it is the difference of; None where it is none."""
    if not isinstance(gap.cite, DerivedCite) or len(gap.cite.inputs) != 2:
        return None
    known = [claims[one] for one in gap.cite.inputs if one in claims]
    if len(known) < 2 or known[0].unit != known[1].unit:
        return None
    first, second = known
    apart = isclose(abs(first.value - second.value), abs(gap.value), rel_tol=1e-9)
    return (first, second) if apart and gap.value else None


def _closes(three: tuple[Claim, Claim, Claim], styles: Sequence[Style], language: Language) -> bool:
    """Whether the first is the second less the third, to the coarsest digit printed."""
    shown = [show(one, language, style) for one, style in zip(three, styles, strict=True)]
    step = max(one.scale.scaleb(-one.digits) for one in shown)
    gap, first, second = (Decimal(one.number.replace(",", "")) * one.scale for one in shown)
    return _round_to(abs(first - second), step) == _round_to(abs(gap), step)


def _round_to(value: Decimal, step: Decimal) -> Decimal:
    return (value / step).quantize(Decimal(1), rounding=ROUND_HALF_UP) * step


def _restyled(template: str, ids: set[str], style: Style) -> str:
    def told(found: re.Match[str]) -> str:
        return place_of(found[1], style) if found[1] in ids else found[0]

    return PLACE.sub(told, template)
