"""A treemap's rectangles: areas in proportion to sizes, each as near to a square as can be."""

from collections.abc import Sequence
from typing import NamedTuple


class Rect(NamedTuple):
    """A rectangle, in the units of the whole it is part of."""

    x: float
    y: float
    width: float
    height: float


def squarify(sizes: Sequence[float], whole: Rect) -> list[Rect]:
    """A rectangle for each size, in the order given, that fill `whole` without overlap.

    Sizes are positive; given from the largest down the rectangles come out squarest (Bruls,
    Huizing and van Wijk, 2000).
    """
    scale = whole.width * whole.height / sum(sizes) if sizes else 0.0
    left = [size * scale for size in sizes]
    found: list[Rect] = []
    room = whole
    while left:
        side = min(room.width, room.height)
        count = 1
        while count < len(left) and _worst(left[: count + 1], side) <= _worst(left[:count], side):
            count += 1
        laid, room = _lay(left[:count], room)
        found += laid
        left = left[count:]
    return found


def _worst(areas: Sequence[float], side: float) -> float:
    """The longest of the ratios of sides in a strip along `side`."""
    thick = sum(areas) / side
    return max(max(thick * thick / area, area / (thick * thick)) for area in areas)


def _lay(areas: Sequence[float], room: Rect) -> tuple[list[Rect], Rect]:
    """A strip along the shorter side of the room, and the room that is left."""
    found: list[Rect] = []
    if room.width >= room.height:
        thick, at = sum(areas) / room.height, room.y
        for area in areas:
            found.append(Rect(room.x, at, thick, area / thick))
            at += area / thick
        return found, Rect(room.x + thick, room.y, room.width - thick, room.height)
    thick, at = sum(areas) / room.width, room.x
    for area in areas:
        found.append(Rect(at, room.y, area / thick, thick))
        at += area / thick
    return found, Rect(room.x, room.y + thick, room.width, room.height - thick)
