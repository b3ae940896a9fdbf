"""Figures with their units, and the closed list of what may be computed of them.

A price over an amount, or two currencies, give no figure: an error, never a number.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from statistics import fmean, median, stdev
from typing import NamedTuple

from services.core.units import CURRENCIES

FOLDS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "mean": fmean,
    "median": median,
    "sum": math.fsum,
    "max": max,
    "min": min,
    "count": len,
}


class ExpressionError(ValueError):
    """The text is not of the grammar, or its units cannot meet."""


class Quantity(NamedTuple):
    """A value and its unit; the unit of a number said is empty and becomes that of its partner."""

    value: float
    unit: str = ""


def combine_units(how: str, left: str, right: str) -> str:
    """The unit of a sum, difference, product or quotient. Raises: ExpressionError."""
    if how in {"+", "-"}:
        return _add_units(how, left, right)
    if how == "*":
        return _multiply_units(left, right)
    return _divide_units(left, right)


def fold_quantities(
    name: str, values: Sequence[Quantity], breaks: Sequence[int] = ()
) -> Quantity | None:
    """Mean, median, sum … of them, or the share under the last one; None over nothing. `breaks`:
    the places before which something is missing, over which no run goes and no change is taken.

    Raises: ExpressionError for values in two units.
    """
    if name == "count":
        return Quantity(float(len(values)), "number")
    if not values:
        return None
    unit = values[0].unit
    for one in values:
        require_same(unit, one.unit)
    numbers = [one.value for one in values]
    if name == "below":
        others = numbers[:-1]
        return Quantity(share_below(others, numbers[-1]), "percent") if others else None
    if name in COURSES:
        of, course_unit = COURSES[name]
        ends = [0, *breaks, len(numbers)]
        found = of([numbers[first:last] for first, last in pairwise(ends)])
        return Quantity(found, course_unit) if found is not None else None
    return Quantity(float(FOLDS[name](numbers)), unit)


# Values in their order, cut where one between two of them is missing.
_Stretches = Sequence[Sequence[float]]


def _deepest_fall(stretches: _Stretches) -> float:
    """The deepest fall from a value to a later one, in per cent; 0 where none falls."""
    values = list(chain.from_iterable(stretches))
    falls = (one / peak - 1 for one, peak in zip(values, accumulate(values, max), strict=True))
    return min(falls) * 100


def _runs(values: Sequence[float], sign: int) -> list[float]:
    """How many times in a row, at each, a value has been above (1) or below (-1) the one before."""
    runs = [0.0]
    for one, other in pairwise(values):
        runs.append(runs[-1] + 1 if (other - one) * sign > 0 else 0.0)
    return runs


def _new_highs(stretches: _Stretches) -> float:
    """How many are above every one before; the first is above none."""
    values = list(chain.from_iterable(stretches))
    peaks = accumulate(values, max)
    return float(sum(one > peak for one, peak in zip(values[1:], peaks, strict=False)))


def _deviation_of_moves(stretches: _Stretches) -> float | None:
    """The sample standard deviation of the changes from one to the next, in per cent."""
    moves = [other / one - 1 for values in stretches for one, other in pairwise(values)]
    return stdev(moves) * 100 if len(moves) > 1 else None


# How values went one after another, and the unit of that.
COURSES: Mapping[str, tuple[Callable[[_Stretches], float | None], str]] = {
    "drawdown": (_deepest_fall, "percent"),
    "longest_rise": (lambda stretches: max(max(_runs(one, 1)) for one in stretches), "sessions"),
    "longest_fall": (lambda stretches: max(max(_runs(one, -1)) for one in stretches), "sessions"),
    "rising": (lambda stretches: _runs(stretches[-1], 1)[-1], "sessions"),
    "falling": (lambda stretches: _runs(stretches[-1], -1)[-1], "sessions"),
    "new_highs": (_new_highs, "sessions"),
    "volatility": (_deviation_of_moves, "percent"),
}


def share_below(others: Sequence[float], value: float) -> float:
    """How many of the others are below it, in per cent."""
    return sum(one < value for one in others) / len(others) * 100


def require_same(left: str, right: str) -> None:
    """Raises: ExpressionError for two units; a bare number takes that of its partner."""
    if left and right and left != right:
        raise ExpressionError(f"{left} and {right} cannot meet")


def compute(sign: str, left: Quantity | None, right: Quantity | None) -> Quantity | None:
    """Their sum, difference, product or quotient; None where one is missing, or over nil.

    Raises: ExpressionError for units that give none.
    """
    if left is None or right is None:
        return None
    unit = combine_units(sign, left.unit, right.unit)
    if sign == "+":
        return Quantity(left.value + right.value, unit)
    if sign == "-":
        return Quantity(left.value - right.value, unit)
    if sign == "*":
        return Quantity(left.value * right.value, unit)
    return Quantity(left.value / right.value, unit) if right.value else None


def _add_units(how: str, left: str, right: str) -> str:
    require_same(left, right)
    unit = left or right
    return "pp" if unit == "percent" and how == "-" and left and right else unit


_PLAIN_UNITS = frozenset({"", "number", "multiple"})


def _multiply_units(left: str, right: str) -> str:
    if left in _PLAIN_UNITS or right in _PLAIN_UNITS:
        return right if left in _PLAIN_UNITS else left
    for money, count in ((left, right), (right, left)):
        if count == "shares" and money.removesuffix("/share") in CURRENCIES:
            return money.removesuffix("/share")
    raise ExpressionError(f"{left} times {right} is no figure")


def _divide_units(left: str, right: str) -> str:
    if right in _PLAIN_UNITS:
        return left or "number"
    if left.removesuffix("/share") == right.removesuffix("/share"):
        return "multiple"
    if right == "shares" and left in CURRENCIES:
        return f"{left}/share"
    raise ExpressionError(f"{left} over {right} is no figure")


def _percent(values: Sequence[Quantity]) -> Quantity | None:
    left, right = values
    if combine_units("/", left.unit, right.unit) not in {"multiple", "number"}:
        raise ExpressionError(f"{left.unit} as a share of {right.unit} is no figure")
    return Quantity(left.value / right.value * 100, "percent") if right.value else None


def _rate(values: Sequence[Quantity]) -> Quantity | None:
    since, until = values
    require_same(since.unit, until.unit)
    return Quantity((until.value / since.value - 1) * 100, "percent") if since.value > 0 else None


def _multiple(values: Sequence[Quantity]) -> Quantity | None:
    since, until = values
    require_same(since.unit, until.unit)
    return Quantity(until.value / since.value, "multiple") if since.value > 0 else None


def _difference(values: Sequence[Quantity]) -> Quantity | None:
    since, until = values
    return compute("-", until, since)


def _cagr(values: Sequence[Quantity]) -> Quantity | None:
    since, until, years = values
    require_same(since.unit, until.unit)
    if since.value <= 0 or until.value <= 0 or years.value <= 0:
        return None
    grown = (until.value / since.value) ** (1 / years.value)
    return Quantity((grown - 1) * 100, "percent")


def _plain_fold(name: str) -> Callable[[Sequence[Quantity]], Quantity | None]:
    return lambda values: fold_quantities(name, values)


FUNCTIONS: Mapping[str, Callable[[Sequence[Quantity]], Quantity | None]] = {
    "percent": _percent,
    "rate": _rate,
    "multiple": _multiple,
    "difference": _difference,
    "cagr": _cagr,
    **{name: _plain_fold(name) for name in (*FOLDS, *COURSES, "below")},
}
