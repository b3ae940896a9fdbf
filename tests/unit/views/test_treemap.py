"""Rectangles of a treemap: areas in proportion, no overlap, nothing left over."""

from itertools import combinations

import pytest

from services.views.treemap import Rect, squarify

WHOLE = Rect(0, 0, 600, 400)
# The example of the paper this is from (Bruls, Huizing and van Wijk, 2000), in a 6 by 4 rectangle.
SIZES = [6, 6, 4, 3, 2, 2, 1]


def _overlap(one: Rect, other: Rect) -> float:
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(wide, 0) * max(high, 0)


def test_areas_are_in_proportion_and_fill_the_whole_without_overlap() -> None:
    found = squarify(SIZES, WHOLE)
    assert [one.width * one.height for one in found] == pytest.approx([s * 1e4 for s in SIZES])
    assert max(_overlap(one, other) for one, other in combinations(found, 2)) < 1e-6
    assert max(one.x + one.width for one in found) == pytest.approx(600)
    assert max(one.y + one.height for one in found) == pytest.approx(400)


def test_the_first_rectangles_are_those_of_the_paper() -> None:
    # Two of 6 stand above each other in a strip 3 wide: 3 × 2 each.
    first, second = squarify(SIZES, WHOLE)[:2]
    assert first == pytest.approx(Rect(0, 0, 300, 200))
    assert second == pytest.approx(Rect(0, 200, 300, 200))


def test_nothing_makes_no_rectangle() -> None:
    assert squarify([], WHOLE) == []
