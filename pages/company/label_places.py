"""Where the names of points stand beside them, so that none lies on another or on a point."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

_HIGH, _POINT, _GAP = 14.0, 5.0, 9.0
# From the middle of one line's name to that of the next.
_APART = 15.0
# The last letter that is half as wide as it is high.
_LATIN = 0x2E80


class _Box(NamedTuple):
    left: float
    low: float
    right: float
    high: float


def place_labels(
    points: Sequence[tuple[float, float]], widths: Sequence[float], *, room: tuple[float, float]
) -> list[str]:
    """A side for each name, as Plotly spells it; points, widths and the room in pixels.

    Each takes the first of right, left, above, below that lies within the `room` across and on
    which nothing stands yet; where all are taken, the first within it; else the right.
    """
    least, most = room
    taken = [_Box(x - _POINT, y - _POINT, x + _POINT, y + _POINT) for x, y in points]
    found: list[str] = []
    for at, ((x, y), width) in enumerate(zip(points, widths, strict=True)):
        sides = _sides(x, y, width)
        others = taken[:at] + taken[at + 1 :]
        inside = [one for one, box in sides.items() if least <= box.left and box.right <= most]
        free = (one for one in inside if not any(_meet(sides[one], box) for box in others))
        side = next(free, next(iter(inside or sides)))
        taken.append(sides[side])
        found.append(side)
    return found


def _sides(x: float, y: float, width: float) -> dict[str, _Box]:
    half, tall = width / 2, _HIGH / 2
    return {
        "middle right": _Box(x + _GAP, y - tall, x + _GAP + width, y + tall),
        "middle left": _Box(x - _GAP - width, y - tall, x - _GAP, y + tall),
        "top center": _Box(x - half, y + _GAP, x + half, y + _GAP + _HIGH),
        "bottom center": _Box(x - half, y - _GAP - _HIGH, x + half, y - _GAP),
    }


def _meet(one: _Box, other: _Box) -> bool:
    return (
        one.left < other.right
        and other.left < one.right
        and one.low < other.high
        and other.low < one.high
    )


def width_of(name: str) -> float:
    """How wide a label of 11 px is: a Chinese letter is as wide as it is high, a Latin one half."""
    return sum(11.0 if ord(letter) > _LATIN else 6.0 for letter in name)


def spread(places: Sequence[float], height: float) -> list[float]:
    """The places moved so that each is 15 pixels or more from the next, inside the height."""
    order = sorted(range(len(places)), key=places.__getitem__)
    moved = list(places)
    for below, above in pairwise(order):
        moved[above] = max(moved[above], moved[below] + _APART)
    if order and moved[order[-1]] > height:
        moved[order[-1]] = height
        for above, below in pairwise(reversed(order)):
            moved[below] = min(moved[below], moved[above] - _APART)
    return moved
