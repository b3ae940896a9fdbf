"""The two boxes of a screening field: what stands in them, in the unit that stands beside them, and
the range of the wire, which is in base units (yuan, per cent, times).
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from services.core.catalogue import CATALOGUE, metric_words
from services.core.errors import InputError
from services.core.text import Language, Text
from services.core.units import UNITS
from services.market.ranges import is_bare, parse_range, read_figure

# What a bare number of an amount counts, and its word: those of the columns beside it.
_SCALES: Mapping[Language, Decimal] = {"zh": Decimal(10) ** 8, "en": Decimal(10) ** 9}
_ONE = Decimal(1)


class Boxes(NamedTuple):
    """What stands in the two boxes; empty where there is no limit."""

    low: str = ""
    high: str = ""


def unit_words(field: str, currency: str) -> Text:
    """The unit of its boxes; an amount's is of that currency."""
    match CATALOGUE.screen_fields[field].unit:
        case "money":
            money = UNITS[currency]
            return Text(f"亿{money.zh}", f"bn {money.en}")
        case "percent":
            return Text("%", "%")
        case _:
            return Text("倍", "x")


def write_limit(field: str, value: float, language: Language) -> str:
    """A limit in base units as a bare number of that unit: 20000000000 is 200 亿元."""
    told = (Decimal(repr(value)) / _scale(field, language)).normalize()
    return f"{told:f}"


def fill_boxes(field: str, text: str, language: Language) -> Boxes:
    """A range of the wire in its boxes; what is none stands there as it was given."""
    try:
        bound = parse_range(field, text) if text else None
    except InputError:
        low, _, high = text.partition("_")
        return Boxes("" if low == "min" else low, "" if high == "max" else high)
    if bound is None:
        return Boxes("0") if text else Boxes()
    low = bound.at_least if bound.above is None else bound.above
    sides = ("" if one is None else write_limit(field, one, language) for one in (low, bound.below))
    return Boxes(*sides)


def read_boxes(field: str, given: Boxes, currency: str, language: Language) -> str:
    """The range of the wire: `2_4`, `2_max`, `min_4`, or nothing where both boxes are empty.

    Raises: InputError for what is no number, what no company can be, and limits the wrong way
    round; its `valid` says what may stand there.
    """
    sides = [side.strip() for side in given]
    least, most = (_read_limit(field, one, currency, language) if one else None for one in sides)
    if least is not None and most is not None and least >= most:
        valid = Text("下限要比上限小", "The min must be below the max")
        raise InputError(field, " ".join(sides), valid)
    if least is None and most is None:
        return ""
    return f"{'min' if least is None else f'{least:f}'}_{'max' if most is None else f'{most:f}'}"


def _read_limit(field: str, text: str, currency: str, language: Language) -> Decimal:
    scale = _scale(field, language) if is_bare(text) else _ONE
    entry = CATALOGUE.screen_fields[field]
    try:
        value = (Decimal(repr(read_figure(field, text))) * scale).normalize()
    except InputError:
        raise InputError(field, text, _say_valid(field, currency)) from None
    least = entry.screen.least if entry.screen is not None else None
    if least is not None and value < Decimal(repr(least)):
        name, floor = metric_words(entry.id), f"{least:g}"
        valid = Text(f"{name.zh}不会小于 {floor}", f"{name.en} is never below {floor}")
        raise InputError(field, text, valid)
    return value


def _say_valid(field: str, currency: str) -> Text:
    """What may be written: a number of the unit, of an amount also one with its own."""
    entry, unit = CATALOGUE.screen_fields[field], unit_words(field, currency)
    sample = read_figure(field, entry.screen.sample_zh if entry.screen is not None else "1")
    zh, en = write_limit(field, sample, "zh"), write_limit(field, sample, "en")
    if entry.unit != "money":
        return Text(f"请写数字，如 {zh}", f"Write a number, such as {en}")
    return Text(
        f"请写数字，如 {zh}（{unit.zh}），或 3000万",
        f"Write a number, such as {en} ({unit.en}), or 500m",
    )


def _scale(field: str, language: Language) -> Decimal:
    is_amount = CATALOGUE.screen_fields[field].unit == "money"
    return _SCALES[language] if is_amount else _ONE
