"""Every candlestick pattern on bars drawn by hand, and on ones that just miss it."""

from collections.abc import Sequence

import pytest

from services.core.candles import PATTERNS, CandlePattern
from services.core.evaluation import evaluate
from services.core.formulas import formula_for
from services.core.indicator_formulas import CANDLES

Bar = tuple[float, float, float, float]
# Ten bars of body 2 (100 to 102) and range 4 (99 to 103) to measure by: longer than 2 is long,
# up to 2 short; a shadow below 0.4 is next to none, a body up to 0.4 a doji; near is 0.8, far 2.4.
CALM: Bar = (100, 103, 99, 102)


def sign_of(name: str, *bars: Bar) -> int:
    """What the pattern says of the last of these bars, which follow calm ones."""
    pattern = PATTERNS[name]
    rows = [*[CALM] * 14, *bars][-pattern.window :]
    return pattern(*map(list, zip(*rows, strict=True)))


# The name, its bars, and what it says; then bars that miss it by one condition.
HITS: Sequence[tuple[str, tuple[Bar, ...], int]] = (
    ("doji", ((100, 102, 98, 100.39),), 1),
    ("doji", ((100, 102, 98, 100.41),), 0),
    ("dragonfly_doji", ((100, 100.3, 97, 100.1),), 1),
    ("dragonfly_doji", ((100, 100.6, 97, 100.1),), 0),  # a shadow above, 0.5
    ("gravestone_doji", ((100, 103, 99.8, 100.1),), 1),
    ("gravestone_doji", ((100, 103, 99.5, 100.1),), 0),
    # Body 1 at 98.9, within 0.8 of the low 99 before; shadow 1.5 below, 0.1 above.
    ("hammer", ((98.9, 100, 97.4, 99.9),), 1),
    ("hammer", ((99.9, 101, 98.4, 100.9),), 0),  # its foot at 99.9, above 99.8
    ("hammer", ((98.9, 100, 98, 99.9),), 0),  # a shadow of 0.9, shorter than the body
    ("hanging_man", ((102.3, 103.4, 100.5, 103.3),), -1),  # its foot above 103 − 0.8
    ("hanging_man", ((102.1, 103.2, 100.5, 103.1),), 0),
    # A gap: the body from 99 to 99.9 lies below the body before it, which begins at 100.
    ("inverted_hammer", ((99, 102, 98.9, 99.9),), 1),
    ("inverted_hammer", ((99, 102, 98.9, 100),), 0),
    ("shooting_star", ((102.1, 105, 102, 103),), -1),
    ("shooting_star", ((102, 105, 102, 103),), 0),
    ("engulfing", ((102, 103, 99, 100), (99.5, 103, 99, 102.5)), 1),
    ("engulfing", (CALM, (102.5, 103, 99, 99.5)), -1),
    ("engulfing", (CALM, (102, 103, 99, 99.5)), -1),  # one end the same is still one
    ("engulfing", (CALM, (102, 103, 99, 100)), 0),  # both are the same: no more covered
    ("engulfing", (CALM, (99.5, 103, 99, 102.5)), 0),  # of one color
    ("harami", ((105, 106, 99, 100), (101, 103, 100, 102)), 1),
    ("harami", ((100, 106, 99, 105), (103, 104, 101, 102)), -1),
    ("harami", ((105, 106, 99, 100), (101, 106, 100, 104)), 0),  # its body 3 is not short
    # Body 6 from 106 down to 100, middle 103; opens below 99, closes at 104.
    ("piercing", ((106, 107, 99, 100), (98, 105, 97, 104)), 1),
    ("piercing", ((106, 107, 99, 100), (98, 105, 97, 103)), 0),
    ("dark_cloud_cover", ((100, 107, 99, 106), (108, 109, 101, 102)), -1),
    ("dark_cloud_cover", ((100, 107, 99, 106), (108, 109, 101, 103)), 0),
    # A long fall 110 → 104, a small body below it, a rise that wins back 0.3 × 6 above 104.
    ("morning_star", ((110, 111, 103, 104), (102, 103, 101, 103), (103, 108, 102, 107)), 1),
    ("morning_star", ((110, 111, 103, 104), (102, 103, 101, 103), (103, 108, 102, 105.8)), 0),
    ("morning_star", ((110, 111, 103, 104), (102, 105, 101, 104.5), (103, 108, 102, 107)), 0),
    ("evening_star", ((100, 107, 99, 106), (107, 109, 106, 108), (107, 108, 100, 101)), -1),
    ("evening_star", ((100, 107, 99, 106), (106, 109, 106, 108), (107, 108, 100, 101)), 0),
    (
        "three_white_soldiers",
        ((100, 103.1, 99, 103), (102, 106.1, 101, 106), (105, 109.1, 104, 109)),
        1,
    ),
    # The last one opens 1 above the close before, further than near.
    (
        "three_white_soldiers",
        ((100, 103.1, 99, 103), (102, 106.1, 101, 106), (107, 110.1, 106, 110)),
        0,
    ),
    (
        "three_black_crows",
        (CALM, (102, 102.5, 98.9, 99), (100, 100.5, 96.9, 97), (98, 98.5, 94.9, 95)),
        -1,
    ),
    # It opens below the body before it.
    (
        "three_black_crows",
        (CALM, (102, 102.5, 98.9, 99), (100, 100.5, 96.9, 97), (96, 96.5, 92.9, 93)),
        0,
    ),
    ("marubozu", ((100, 105.1, 99.9, 105),), 1),
    ("marubozu", ((105, 105.1, 99.9, 100),), -1),
    ("marubozu", ((100, 105.5, 99.9, 105),), 0),
)


@pytest.mark.parametrize(("name", "bars", "sign"), HITS)
def test_a_pattern_is_found_where_it_is_and_not_beside_it(
    name: str, bars: tuple[Bar, ...], sign: int
) -> None:
    assert sign_of(name, *bars) == sign


def test_every_pattern_is_drawn_above_both_ways() -> None:
    assert {name for name, _, sign in HITS if sign} == set(PATTERNS)
    assert {name for name, _, sign in HITS if not sign} == set(PATTERNS)


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_too_few_bars_are_refused(pattern: CandlePattern) -> None:
    short = [[1.0] * (pattern.window - 1)] * 4
    with pytest.raises(ValueError, match=f"needs {pattern.window} values"):
        pattern(*short)


def test_each_is_a_formula_over_just_the_bars_that_decide_it() -> None:
    for one in CANDLES:
        formula = formula_for(one.metric, one.expression)
        assert formula is not None
        assert formula.window == PATTERNS[one.metric.removeprefix("candle_")].window
    engulfing = {"open": [100, 102.5], "high": [103, 103], "low": [99, 99], "close": [102, 99.5]}
    assert evaluate("engulfing(open, high, low, close)", engulfing) == -1
    assert PATTERNS["engulfing"].word(-1) == "bearish_engulfing"
    assert PATTERNS["doji"].word(1) == "doji"
