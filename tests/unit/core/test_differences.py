"""A difference beside its parts, added up by a reader who has only what is printed."""

import re
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from services.core.claims import Claim, CompetenceCite, DerivedCite
from services.core.differences import close_differences, closes_in_full
from services.core.rendering import place, render

FIRST, SECOND, GAP = (f"c_{number:016x}" for number in range(3))
_NUMBER = re.compile(r"[+-]?[\d,]+(?:\.\d+)?")


def _three(first: float, second: float) -> dict[str, Claim]:
    at = date(2016, 12, 31)
    cite = CompetenceCite(competence_id="test")
    made = DerivedCite(formula="one - other", inputs=(FIRST, SECOND))
    told = ((FIRST, first, "percent", cite), (SECOND, second, "percent", cite))
    claims = [
        Claim(claim_id=name, value=value, metric="roe", symbol="600519.SH", as_of=at, unit=unit,
              cite=of)
        for name, value, unit, of in (*told, (GAP, abs(first - second), "pp", made))
    ]  # fmt: skip
    return {one.claim_id: one for one in claims}


def _text(claims: dict[str, Claim]) -> str:
    first, second, gap = (place(one, short=True) for one in claims.values())
    return f"{first} is {gap} above {second}"


def _added_up(printed: str) -> bool:
    """By hand: the outer two less each other, to the digits all three have."""
    first, gap, second = (Decimal(one.replace(",", "")) for one in _NUMBER.findall(printed))
    digits = [-int(one.as_tuple().exponent) for one in (first, gap, second)]
    step = Decimal(1).scaleb(-min(digits))
    return digits[1] <= max(digits[0], digits[2]) and abs(abs(first - second) - gap) <= step / 2


def test_what_rounds_apart_is_told_with_more_digits() -> None:
    claims = _three(50.772, 16.434)
    assert render(_text(claims), claims, "en") == "50.8% is 34.3 pp above 16.4%"
    closed = close_differences(_text(claims), claims, "en")
    assert render(closed, claims, "en") == "50.77% is 34.34 pp above 16.43%"


def test_a_difference_has_no_more_decimals_than_its_parts() -> None:
    claims = _three(29.70, 39.02)
    assert render(_text(claims), claims, "en") == "29.7% is 9.32 pp above 39.0%"
    closed = close_differences(_text(claims), claims, "en")
    assert render(closed, claims, "en") == "29.7% is 9.3 pp above 39.0%"


@pytest.mark.parametrize(("first", "second"), [(50.72, 16.41), (8.16, 3.38), (7.0, 7.0)])
def test_what_adds_up_stays_as_it_is(first: float, second: float) -> None:
    claims = _three(first, second)
    assert close_differences(_text(claims), claims, "zh") == _text(claims)


@given(st.integers(-(10**7), 10**7), st.integers(-(10**7), 10**7))
def test_every_difference_comes_out_as_printed(first: int, second: int) -> None:
    assume(first != second)
    claims = _three(first / 10_000, second / 10_000)
    printed = render(close_differences(_text(claims), claims, "en"), claims, "en")
    assert _added_up(printed), printed


def test_a_difference_whose_parts_stand_elsewhere_is_left() -> None:
    claims = _three(50.772, 16.434)
    alone = place(claims[GAP], short=True)
    assert close_differences(alone, claims, "zh") == alone
    assert closes_in_full(claims[GAP], claims, "zh")
    claims = _three(1.004, 0.995)  # 1.00 less 1.00 (half up) is no 0.01
    assert not closes_in_full(claims[GAP], claims, "zh")
