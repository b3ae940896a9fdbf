"""How a claim is written: one function from figure to text, in Chinese or English.

A text with figures is a template with `{{c:CLAIM_ID}}` places; nothing else may write a digit.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim
from services.core.statement_formulas import STATEMENTS
from services.core.text import Language
from services.core.units import CURRENCIES, UNITS, WAN, YI

Style = Literal["prose", "cell"]

PLACE = re.compile(r"\{\{c:(c_[0-9a-f]{16})\}\}")
# Where a place touches Latin letters or digits: PE and 31.51 would be read as one word.
_TOUCHED = re.compile(r"(?<=[A-Za-z0-9])(?=\{\{)|(?<=\}\})(?=[A-Za-z0-9])")
SIGNED = CATALOGUE.ids_where(signed=True)
# Never told in 万 or 亿: what is a price, and what is of one share.
_PRICES = CATALOGUE.ids_where(unit="price") | CATALOGUE.ids_where(unit="per_share")
# What sentences say of figures, rates and gaps, is told to so many significant digits: two decimals
# of 16.53 % tire and say no more. The claim keeps them all.
_TOLD = frozenset(one.metric for one in STATEMENTS)
_TOLD_DIGITS = 3
# From which size on, how many units a printed digit is worth, and the word: sums of whole markets
# are told in 万亿, a bank's balance sheet stays in 亿.
_SCALES: Mapping[Language, tuple[tuple[Decimal, Decimal, str], ...]] = {
    "zh": ((WAN * YI * 10, WAN * YI, "万亿"), (YI, YI, "亿"), (WAN, WAN, "万")),
    "en": (
        (Decimal(10) ** 13, Decimal(10) ** 12, "tn"),
        (Decimal(10) ** 9, Decimal(10) ** 9, "bn"),
        (Decimal(10) ** 6, Decimal(10) ** 6, "m"),
    ),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A figure as printed: the digits, and how many of the claim's unit one of them is worth."""

    number: str
    suffix: str
    scale: Decimal
    digits: int

    @property
    def text(self) -> str:
        """Digits and unit as one string."""
        return self.number + self.suffix


def place(claim: Claim) -> str:
    """The placeholder that a template carries for this claim."""
    return "{{c:" + claim.claim_id + "}}"


def show(claim: Claim, language: Language = "zh", style: Style = "prose") -> Shown:
    """The figure as printed, rounded half up; the claim keeps full precision.

    `cell` leaves out a unit that the column or card already names (元, 倍).
    """
    value = Decimal(repr(claim.value))
    unit = UNITS[claim.unit]
    scale, word = _scale(claim, value, language)
    digits = _digits(claim, scale)
    rounded = (value / scale).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    if rounded == 0:
        rounded = abs(rounded)
    number = f"{rounded:{'+' if claim.metric in SIGNED and rounded else ''},}"
    name = unit.zh if language == "zh" else unit.en
    if unit.code == "percent" or style == "prose" or unit.code in {"pp", "sigma"}:
        gap = " " if language == "en" and (word or name) and unit.code != "percent" else ""
        suffix = f"{gap}{word}{' ' if word and language == 'en' else ''}{name}"
    else:
        suffix = f" {word}" if word and language == "en" else word
    return Shown(number, suffix, scale, digits)


def part_places(template: str) -> str:
    """The template with a space between its places and Latin letters or digits: `MA20 33.89`."""
    return _TOUCHED.sub(" ", template)


def render(template: str, claims: Mapping[str, Claim], language: Language = "zh") -> str:
    """The template with every place filled. Raises: KeyError for a claim that is not given."""
    return PLACE.sub(lambda found: show(claims[found.group(1)], language).text, template)


def _scale(claim: Claim, value: Decimal, language: Language) -> tuple[Decimal, str]:
    if claim.metric in _PRICES or claim.unit not in {*CURRENCIES, "shares"}:
        return Decimal(1), ""
    for least, scale, word in _SCALES[language]:
        if abs(value) >= least:
            return scale, word
    return Decimal(1), ""


def _digits(claim: Claim, scale: Decimal) -> int:
    if claim.metric in _TOLD:
        whole = len(str(int(abs(claim.value))))
        return max(0, min(2, _TOLD_DIGITS - whole))
    if claim.unit in {"count", "number", "sessions", "rank"}:
        return 0
    if claim.unit == "sigma":
        return 1
    if claim.unit == "shares" and scale == 1:
        return 0
    return 2
