"""How a claim is written: one function from figure to text, in Chinese or English.

A text with figures is a template with `{{c:CLAIM_ID}}` places; nothing else may write a digit.
`{{c:CLAIM_ID|short}}` is told as one speaks: to three significant digits, what rules grade to a
tenth, a part of a whole in whole percents; `{{c:CLAIM_ID|size}}` so and without its sign, where a
word beside it says which way it went; `{{c:CLAIM_ID|2}}` to so many decimals, where a difference
stands beside its parts (core/differences.py). What is told in full stays as it was ever told: texts
that are kept are made again from their templates and compared.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal, NamedTuple

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, CompetenceCite
from services.core.statement_formulas import STATEMENTS
from services.core.text import Language
from services.core.units import CURRENCIES, UNITS, WAN, YI

Style = Literal["prose", "cell", "short", "size", "0", "1", "2", "3", "4"]
# Decimals a figure may be told to where fewer would not add up.
EXACT_DIGITS: tuple[Style, ...] = ("1", "2", "3", "4")

# The id, and how the figure is told.
PLACE = re.compile(r"\{\{c:(c_[0-9a-f]{16})(?:\|(?:short|size|[1-4]))?\}\}")
_STYLES: Mapping[str, Style] = {
    "short": "short", "size": "size", "1": "1", "2": "2", "3": "3", "4": "4"
}  # fmt: skip
_SPOKEN = frozenset(_STYLES)
# Where a place touches Latin letters or digits: PE and 31.51 would be read as one word.
_TOUCHED = re.compile(r"(?<=[A-Za-z0-9])(?=\{\{)|(?<=\}\})(?=[A-Za-z0-9])")
SIGNED = CATALOGUE.ids_where(signed=True)
# Never told in 万 or 亿: what is a price, and what is of one share.
_PRICES = CATALOGUE.ids_where(unit="price") | CATALOGUE.ids_where(unit="per_share")
# What sentences say of figures, rates and gaps, is told to so many significant digits: two decimals
# of 16.53 % tire and say no more. The claim keeps them all.
_TOLD = frozenset(one.metric for one in STATEMENTS)
_TOLD_DIGITS = 3
# Below it two decimals of a price or a dividend say next to nothing: 0.03 for 0.028.
_SMALL_PRICE = 0.1
_PERCENT = Decimal("0.01")
# A column is told in one scale up to so many of it: five digits before the point.
_READABLE = 100_000
# And from here on, at two decimals, with two digits of its own.
_TWO_DIGITS = Decimal("0.1")
# What is told short to a fixed number of decimals: a grade by rules has no second, a part of a
# whole in percents has none.
_GRADED: Mapping[str, int] = {"score": 1, "ratio": 0}
# What English calls one of them.
_ONE: Mapping[str, str] = {"sessions": "session", "shares": "share", "lots": "lot", "pts": "pt"}
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
class ShownFigure:
    """A figure as printed: the digits, and how many of the claim's unit one of them is worth."""

    number: str
    suffix: str
    scale: Decimal
    digits: int

    @property
    def text(self) -> str:
        """Digits and unit as one string."""
        return self.number + self.suffix


def place(claim: Claim, *, short: bool = False, size: bool = False) -> str:
    """The placeholder that a template carries for this claim."""
    return place_of(claim.claim_id, "size" if size else "short" if short else "prose")


def place_of(claim_id: str, style: Style) -> str:
    """The placeholder of the claim of that id, told in that style."""
    return "{{c:" + claim_id + (f"|{style}" if style in _SPOKEN else "") + "}}"


class PlacedFigure(NamedTuple):
    """A place of a template: whose figure, and how it is told."""

    claim_id: str
    style: Style


def style_of(place_text: str) -> Style:
    """How the figure of that place is told."""
    style = place_text.removesuffix("}}").partition("|")[2]
    return _STYLES.get(style, "prose")


def pieces(template: str) -> Iterator[str | PlacedFigure]:
    """Words and places in turn; it begins and ends with words, which may be empty."""
    end = 0
    for found in PLACE.finditer(template):
        yield template[end : found.start()]
        yield PlacedFigure(found[1], style_of(found[0]))
        end = found.end()
    yield template[end:]


class AmountScale(NamedTuple):
    """How many units a printed digit is worth, and the word for it: 亿, bn; none for one."""

    size: Decimal
    word: str


_UNSCALED = AmountScale(Decimal(1), "")


def common_scale(
    claims: Iterable[Claim], language: Language, beside: AmountScale | None = None
) -> AmountScale | None:
    """What all of these amounts can be told in, so that a head says it once: what each is told in,
    else that of the smallest where the largest stays readable in it, or that of the largest where
    the smallest keeps two digits. None where there is none, or they are no amounts. `beside` is the
    scale of the column next to it: it has that one too where its smallest keeps two digits.
    """
    every = list(claims)
    if not all(_is_amount(one) for one in every):
        return None
    sizes = [abs(Decimal(repr(one.value))) for one in every if one.value]
    told = {_scale(every[0], size, language) for size in sizes}
    if not told or told == {_UNSCALED}:
        return None
    low, high = min(told), max(told)
    if beside is not None and low < beside and min(sizes) / beside.size >= _TWO_DIGITS:
        return beside
    if low == high or max(sizes) / low.size < _READABLE:
        return low
    return high if min(sizes) / high.size >= _TWO_DIGITS else None


def show(
    claim: Claim,
    language: Language = "zh",
    style: Style = "prose",
    within: AmountScale | None = None,
) -> ShownFigure:
    """The figure as printed, rounded half up; the claim keeps full precision. `within` is the scale
    of its column, else its own.

    `cell` leaves out a unit that the column or card already names (元, 倍); `short` tells three
    significant digits where two decimals say no more: 2,090亿元 for 2,090.25, prices whole; `size`
    does so without the sign.
    """
    value = Decimal(repr(abs(claim.value) if style == "size" else claim.value))
    unit = UNITS[claim.unit]
    part = claim.unit == "ratio" and style in _SPOKEN
    scale, word = (_PERCENT, "%") if part else within or _scale(claim, value, language)
    digits = _digits(claim, scale, style)
    rounded = round_half_up(value / scale, digits)
    if rounded == 0:
        rounded = abs(rounded)
    signed = claim.metric in SIGNED and rounded and style != "size"
    number = f"{rounded:{'+' if signed else ''},}"
    name = unit.zh if language == "zh" else unit.en
    if language == "en" and abs(rounded) == 1 and not word:
        name = _ONE.get(name, name)
    if part:
        suffix = word
    elif unit.code == "percent" or style != "cell" or unit.code in {"pp", "sigma"}:
        gap = " " if language == "en" and (word or name) and unit.code != "percent" else ""
        # Its name says that it is of one share: nobody says 每股股利 0.74元/股.
        spoken = name.removesuffix("/股").removesuffix("/share") if style in _SPOKEN else name
        suffix = f"{gap}{word}{' ' if word and language == 'en' else ''}{spoken}"
    else:
        suffix = f" {word}" if word and language == "en" else word
    return ShownFigure(number, suffix, scale, digits)


def round_half_up(value: Decimal, digits: int) -> Decimal:
    """To so many decimals, as every printed figure is rounded: 41.095 is 41.10."""
    return value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)


def part_places(template: str) -> str:
    """The template with a space between its places and Latin letters or digits: `MA20 33.89`."""
    return _TOUCHED.sub(" ", template)


def render(template: str, claims: Mapping[str, Claim], language: Language = "zh") -> str:
    """The template with every place filled. Raises: KeyError for a claim that is not given."""
    return PLACE.sub(
        lambda found: show(claims[found[1]], language, style_of(found[0])).text, template
    )


def _is_amount(claim: Claim) -> bool:
    return claim.metric not in _PRICES and claim.unit in {*CURRENCIES, "shares"}


def _scale(claim: Claim, value: Decimal, language: Language) -> AmountScale:
    if _is_amount(claim):
        for least, scale, word in _SCALES[language]:
            if abs(value) >= least:
                return AmountScale(scale, word)
    return _UNSCALED


def _digits(claim: Claim, scale: Decimal, style: Style) -> int:
    if style == "0" or style in EXACT_DIGITS:
        return int(style)
    counted = claim.unit in {"count", "number", "sessions", "rank", "sigma", "shares"}
    # A price is told as it was paid; what rounds to nothing keeps its digits.
    short = style in _SPOKEN and claim.metric not in _PRICES and not counted
    if style in _SPOKEN and claim.metric in _PRICES and 0 < abs(claim.value) < _SMALL_PRICE:
        return _TOLD_DIGITS
    if short and claim.unit in _GRADED:
        return _GRADED[claim.unit]
    if claim.metric in _TOLD or short:
        if isinstance(claim.cite, CompetenceCite) and claim.value == int(claim.value):
            return 0
        whole = len(str(int(abs(Decimal(repr(claim.value)) / scale))))
        return max(0, min(2, _TOLD_DIGITS - whole))
    if claim.unit in {"count", "number", "sessions", "rank"}:
        return 0
    if claim.unit == "sigma":
        return 1
    if claim.unit == "shares" and scale == 1:
        return 0
    return 2
