"""The range grammar of the screening fields: `a_max`, `a_b`, `min_b`, `0_max`. Pure text to bounds.

`2_max` v > 2 · `2_4` 2 ≤ v < 4 · `0_2` 0 ≤ v < 2, so no negatives · `min_2` v < 2, negatives too ·
`0_max` no bound, a ranking. Amounts may be written 1.5亿, 两千万, 5bn, １０ or 5%.
"""

import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal

from services.core.catalogue import CATALOGUE
from services.core.errors import InputError
from services.core.requests import Bound
from services.core.units import WAN, YI

LONGEST = 40
LARGEST = Decimal(10) ** 18
# The unit word that may follow a figure of the field; any other is a misunderstanding.
UNIT_WORDS: Mapping[str, str] = {
    field: {"percent": "%", "multiple": "倍", "money": "元"}[row.unit]
    for field, row in CATALOGUE.screen_fields.items()
}
_FORMS = (
    "2_max (more than 2) | min_2 (less than 2) | 2_4 (from 2 up to but not 4) | 0_max (no limit)"
)
_DIGITS = {**{c: n for n, c in enumerate("零一二三四五六七八九")}, "〇": 0, "两": 2, "俩": 2}
_SMALL = {"千": 1000, "百": 100, "十": 10}
_PLAIN = re.compile(r"(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?")
# An English amount: 5bn, 1.5tn, 500m.
_ENGLISH = re.compile(rf"({_PLAIN.pattern})(tn|bn|m)")
_ENGLISH_SCALES = {"tn": Decimal(10) ** 12, "bn": Decimal(10) ** 9, "m": Decimal(10) ** 6}
_ONE = re.compile(r"[0-9零〇一二两俩三四五六七八九]")
_STEP = re.compile(r"(零?)([0-9]+(?:\.[0-9]+)?|[一二两俩三四五六七八九]?)([千百十])")
_DOTTED = re.compile(r"([零〇一二两三四五六七八九])点([零〇一二三四五六七八九]+)")


def parse_range(field: str, text: object) -> Bound | None:
    """The bound `text` puts on `field`; None for `0_max`, which only ranks.

    Percent fields take percent numbers (`5_max` is more than 5 %), money fields plain yuan.
    Raises: InputError named `field`, saying what was given and what to write.
    """
    if field not in UNIT_WORDS:
        raise InputError("field", field, "one of " + ", ".join(UNIT_WORDS))
    if not isinstance(text, str):
        raise InputError(field, text, f"a text such as {_FORMS}")
    if len(text) > LONGEST:
        raise InputError(field, text, f"at most {LONGEST} characters: {_FORMS}")
    low, high = _sides(field, text)
    if low == "min" and high == "max":
        raise InputError(field, text, "0_max for no limit, or a figure on one side: " + _FORMS)
    if high == "min" or low == "max":
        raise InputError(field, text, "min stands on the left and max on the right: " + _FORMS)
    above = None if low == "min" else _figure(field, text, low)
    below = None if high == "max" else _figure(field, text, high)
    if above is None:
        return Bound(field=field, below=below)
    if below is None:
        return Bound(field=field, above=above) if above != 0 else None
    if above >= below:
        hint = "the smaller figure first" if above > below else "two different figures"
        raise InputError(field, text, f"{hint}, a_b with a < b: {_FORMS}")
    return Bound(field=field, at_least=above, below=below)


def _sides(field: str, text: str) -> tuple[str, str]:
    """The two sides of the one underscore, in plain width and lower case."""
    plain = _plain_width(text)
    if not plain:
        raise InputError(field, text, "leave it out, or " + _FORMS)
    sides = [side.strip() for side in plain.split("_")]
    if len(sides) == 1:
        if _is_figure(field, plain):
            raise InputError(
                field, text, f"{plain}_max for more than it, min_{plain} for less than it, or a_b"
            )
        raise InputError(field, text, _FORMS)
    if len(sides) > 2 or not all(sides):
        raise InputError(field, text, "exactly two sides joined by one underscore: " + _FORMS)
    return sides[0], sides[1]


def read_figure(field: str, text: str) -> float:
    """The plain number of one side, as it may be written: 1.5亿, 5bn, 15%. Raises: InputError."""
    plain = _plain_width(text)
    if not plain or len(plain) > LONGEST:
        raise InputError(field, text, f"a figure of at most {LONGEST} characters")
    return _figure(field, text, plain)


def is_bare(text: str) -> bool:
    """Whether it is a number without scale or unit: 200, 1,500.5, -3."""
    return _PLAIN.fullmatch(_plain_width(text).removeprefix("+").removeprefix("-")) is not None


def _plain_width(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("−", "-").strip().lower()


def _is_figure(field: str, side: str) -> bool:
    try:
        _figure(field, side, side)
    except InputError:
        return False
    return True


def _figure(field: str, text: str, side: str) -> float:
    """The plain number of one side."""
    sign, digits = 1, side
    if digits[0] in "+-负" and len(digits) > 1:
        sign, digits = (-1 if digits[0] in "-负" else 1), digits[1:]
    unit = UNIT_WORDS[field]
    digits = digits.removesuffix(unit)
    if digits.endswith(("%", "倍", "元")):
        raise InputError(field, text, f"a figure without {digits[-1]} ({field} is in {unit})")
    number = _amount(digits)
    if number is None:
        raise InputError(field, text, f"plain digits or 亿/万/千/百, bn/m for {side!r}: {_FORMS}")
    if number >= LARGEST:
        raise InputError(field, text, "a figure below 10^18: " + _FORMS)
    return sign * float(number)


def _amount(digits: str) -> Decimal | None:
    """The number in `1.5亿`, `1亿2000万`, `5bn`, `1,000` or `12`; None when it is not one."""
    if _PLAIN.fullmatch(digits):
        return Decimal(digits.replace(",", ""))
    if match := _ENGLISH.fullmatch(digits):
        return Decimal(match.group(1).replace(",", "")) * _ENGLISH_SCALES[match.group(2)]
    for word, scale in (("亿", YI), ("万", WAN)):
        head, found, rest = digits.rpartition(word)
        if found:
            count = _amount(head) if head else None
            more = _remainder(rest, scale)
            return None if count is None or more is None else count * scale + more
    return _below_wan(digits)


def _remainder(rest: str, scale: Decimal) -> Decimal | None:
    """What follows 亿 or 万: nothing, or a smaller amount. 一亿五 is refused: is it 1.5亿?"""
    if not rest:
        return Decimal(0)
    if _ONE.fullmatch(rest):
        return None
    more = _amount(rest.removeprefix("零"))
    return more if more is not None and more < scale else None


def _below_wan(digits: str) -> Decimal | None:
    """一千二百, 3百, 十五, 一百零五, 五, 一点五; None for all else, the unclear 两千五 too."""
    if match := _DOTTED.fullmatch(digits):
        decimals = "".join(str(_DIGITS[c]) for c in match.group(2))
        return Decimal(f"{_DIGITS[match.group(1)]}.{decimals}")
    total, position, last = Decimal(0), 0, 10_000
    while match := _STEP.match(digits, position):
        scale = _SMALL[match.group(3)]
        if scale >= last or (not match.group(2) and (scale != 10 or position)):
            return None
        total += _count(match.group(2)) * scale
        position, last = match.end(), scale
    rest = digits[position:]
    if not rest:
        return total if position else None
    if position and last != 10 and not rest.startswith("零"):
        return None
    rest = rest.removeprefix("零") if position else rest
    return total + _DIGITS[rest] if rest in _DIGITS else None


def _count(word: str) -> Decimal:
    """The multiplier in front of 千百十; a leading 十 alone is one ten."""
    if not word:
        return Decimal(1)
    return Decimal(_DIGITS[word]) if word in _DIGITS else Decimal(word)
