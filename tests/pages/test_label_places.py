"""The names beside the points of 同行: none lies on another name or on another point."""

from itertools import combinations

import pytest

from pages.company.label_places import place_labels

WIDE, HIGH, GAP, POINT = 40.0, 14.0, 9.0, 5.0


def box(side: str, x: float, y: float) -> tuple[float, float, float, float]:
    """Left, low, right, high of a name at that side of its point."""
    if side.startswith("middle"):
        left = x + GAP if side.endswith("right") else x - GAP - WIDE
        return left, y - HIGH / 2, left + WIDE, y + HIGH / 2
    low = y + GAP if side.startswith("top") else y - GAP - HIGH
    return x - WIDE / 2, low, x + WIDE / 2, low + HIGH


def apart(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize(
    "points",
    [
        [(0.0, 0.0), (200.0, 0.0)],
        [(0.0, 0.0), (30.0, 0.0)],  # the right of the first is taken by the second
        [(0.0, 0.0), (30.0, 2.0), (60.0, 0.0)],
        [(0.0, 0.0), (0.0, 12.0), (30.0, 6.0)],
    ],
)
def test_no_name_lies_on_a_name_or_a_point(points: list[tuple[float, float]]) -> None:
    sides = place_labels(points, [WIDE] * len(points), room=(-900, 900))
    boxes = [box(side, *point) for side, point in zip(sides, points, strict=True)]
    assert all(apart(one, other) for one, other in combinations(boxes, 2))
    for at, one in enumerate(boxes):
        for place, (x, y) in enumerate(points):
            assert place == at or apart(one, (x - POINT, y - POINT, x + POINT, y + POINT))


def test_a_name_stands_at_the_right_where_there_is_room() -> None:
    found = place_labels([(0.0, 0.0), (0.0, 90.0)], [WIDE, WIDE], room=(-900, 900))
    assert found == ["middle right"] * 2


def test_a_name_that_the_edge_would_cut_stands_at_the_other_side() -> None:
    found = place_labels([(100.0, 0.0), (5.0, 90.0)], [WIDE, WIDE], room=(0, 120))
    assert found == ["middle left", "middle right"]
