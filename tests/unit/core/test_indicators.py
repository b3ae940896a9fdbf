"""Every indicator against sums done by hand, and against pandas where it has the same one."""

from collections.abc import Callable

import pandas as pd
import pytest

from services.core import indicators as of
from services.core.evaluation import evaluate
from services.core.formulas import formula_for
from services.core.indicator_formulas import INDICATORS, Indicator

CLOSES = [100 + (7 * n) % 11 - (5 * n) % 7 for n in range(60)]


def test_the_rsi_is_smoothed_as_wilder_did() -> None:
    # moves +2 −1 +2; gains: (2 + 0) / 2 = 1, then 1 + (2 − 1) / 2 = 1.5
    # losses: (0 + 1) / 2 = 0.5, then 0.5 + (0 − 0.5) / 2 = 0.25; 100 × 1.5 / 1.75
    assert of.rsi([10, 12, 11, 13], 2) == pytest.approx(85.7142857142857)
    assert of.rsi([1, 2, 3], 2) == 100.0
    assert of.rsi([3, 2, 1], 2) == 0.0


def test_an_rsi_of_closes_that_never_move_has_no_answer() -> None:
    with pytest.raises(ZeroDivisionError):
        of.rsi([5, 5, 5], 2)


def test_ema_starts_at_the_first_value() -> None:
    # factor 2 / 4: 1; 1 + 0.5 × 1; 1.5 + 0.5 × 1.5
    assert of.ema([1, 2, 3], 3) == [1, 1.5, 2.25]


def test_macd_is_the_distance_of_two_averages_and_its_signal_their_average() -> None:
    # fast (1) is the close itself, slow (3) as above: 0, 0.5, 0.75; their EMA(3): 0, 0.25, 0.5
    assert of.dif([1, 2, 3], 1, 3) == [0, 0.5, 0.75]
    assert of.dea([1, 2, 3, 3], 1, 3, 2)[:3] == pytest.approx([0, 1 / 3, 0.6111111111])


def test_macd_of_longer_closes_is_what_pandas_computes() -> None:
    closes = pd.Series(CLOSES, dtype=float)
    line = closes.ewm(span=12, adjust=False).mean() - closes.ewm(span=26, adjust=False).mean()
    signal = line.ewm(span=9, adjust=False).mean()
    assert of.dif(CLOSES, 12, 26) == pytest.approx(line.to_list())
    assert of.dea(CLOSES, 12, 26, 9) == pytest.approx(signal.to_list())


def test_kdj_starts_from_fifty() -> None:
    # bar 2: (4 − 1) / (4 − 1) = 100 → K 50 + 50 / 2 = 75, D 50 + 25 / 2 = 62.5
    # bar 3: (3 − 2) / (5 − 2) = 33.33 → K 75 − 41.67 / 2 = 54.17, D 62.5 − 8.33 / 2 = 58.33
    bars = ([3, 4, 5], [1, 2, 3], [2, 4, 3])
    assert of.kdj_k(*bars, 2, 2) == pytest.approx(54.1666666667)
    assert of.kdj_d(*bars, 2, 2, 2) == pytest.approx(58.3333333333)


def test_kdj_keeps_its_value_over_bars_without_a_range() -> None:
    # as above after bar 2, then two bars at 4: the second one's range over 2 bars is nil
    assert of.kdj_k([3, 4, 4, 4], [1, 2, 4, 4], [2, 4, 4, 4], 2, 2) == pytest.approx(87.5)


def test_kdj_of_bars_that_never_have_a_range_has_no_answer() -> None:
    with pytest.raises(ZeroDivisionError):
        of.kdj_k([4, 4, 4], [4, 4, 4], [4, 4, 4], 2, 2)


def test_the_nine_three_three_of_kdj_by_hand() -> None:
    # Nine bars from 1 to 9, the highs the closes, the lows one below: range of nine 9 − 0 = 9.
    # RSV 100 × (9 − 0) / 9 = 100: K 50 + 50 / 3 = 66.67, D 50 + 16.67 / 3 = 55.56.
    # Then a bar of high 9, low 6, close 6: range of nine 9 − 1 = 8, RSV 100 × 5 / 8 = 62.5:
    # K 66.67 − 4.17 / 3 = 65.28, D 55.56 + (65.28 − 55.56) / 3 = 58.80.
    high, low, close = [*range(1, 10), 9], [*range(9), 6], [*range(1, 10), 6]
    assert of.kdj_k(high, low, close, 9, 3) == pytest.approx(65.2777777778)
    assert of.kdj_d(high, low, close, 9, 3, 3) == pytest.approx(58.7962962963)


def test_atr_counts_the_jump_from_the_close_before() -> None:
    # 12 − 9 = 3, 13 − 11 = 2, 15 − 12 = 3 (from 12): (3 + 2) / 2 = 2.5, then 2.5 + 0.5 / 2
    assert of.atr([10, 12, 13, 15], [8, 9, 11, 12], [9, 11, 12, 14], 2) == pytest.approx(2.75)
    # a bar from 20 to 21 after a close of 10 has a true range of 11
    assert of.atr([10, 21], [9, 20], [10, 20.5], 1) == 11


def test_adx_is_the_smoothed_share_of_one_direction() -> None:
    # Over 2 moves; up 2 0 2, down 0 3 0. Sums start with the first alone, then lose half each time
    # they gain: up 2 → 2 − 1 + 0 = 1 → 0.5 + 2 = 2.5; down 0 → 3 → 1.5. The true ranges cancel.
    # DX 100 × |1 − 3| / 4 = 50 and 100 × |2.5 − 1.5| / 4 = 25; their mean is the first ADX.
    found = of.adx([10, 12, 11, 13], [8, 9, 6, 8], [9, 11, 7, 12], 2)
    assert found == pytest.approx((50 + 25) / 2)
    assert of.adx([1, 2, 3, 4], [0, 1, 2, 3], [1, 2, 3, 4], 2) == 100


def test_adx_stays_as_it_was_while_nothing_moves() -> None:
    # After one rise the sums only halve: up stays all there is, DX 100. With no move ever it is 0.
    assert of.adx([5, 6, 6, 6, 6], [4, 5, 5, 5, 5], [5, 6, 6, 6, 6], 2) == 100
    assert of.adx([5, 5, 5, 5, 5], [5, 5, 5, 5, 5], [5, 5, 5, 5, 5], 2) == 0


def test_bollinger_bands_use_the_population_deviation() -> None:
    # mean 2.5, variance (2.25 + 0.25 + 0.25 + 2.25) / 4 = 1.25
    assert of.boll([9, 1, 2, 3, 4], 4, 2) == pytest.approx(2.5 + 2 * 1.25**0.5)
    assert of.boll([9, 1, 2, 3, 4], 4, -2) == pytest.approx(2.5 - 2 * 1.25**0.5)


def test_obv_adds_and_takes_away_whole_sessions() -> None:
    # +10 (up), 0 (flat), −5 (down); of 10 + 20 + 5
    assert of.obv([1, 2, 2, 1], [9, 10, 20, 5]) == 5
    assert of.after_first([9, 10, 20, 5]) == 35


def test_sign_and_band_have_no_opinion_at_the_edge() -> None:
    assert [of.sign(value) for value in (-0.5, 0, 2)] == [-1, 0, 1]
    assert [of.band(value, 30, 70) for value in (29.9, 30, 50, 70, 70.1)] == [1, 0, 0, 0, -1]


@pytest.mark.parametrize(
    "work",
    [
        lambda: of.rsi([1, 2], 2),
        lambda: of.sma([1], 2),
        lambda: of.dif([1, 2], 1, 3),
        lambda: of.dea([1, 2, 3], 1, 3, 2),
        lambda: of.kdj_k([1], [1], [1], 2, 3),
        lambda: of.atr([1, 2], [1, 2], [1, 2], 2),
        lambda: of.adx([1, 2, 3], [1, 2, 3], [1, 2, 3], 2),
        lambda: of.boll([1], 2, 2),
        lambda: of.last([]),
    ],
)
def test_too_few_values_are_refused(work: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="needs"):
        work()


def test_series_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        of.obv([1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="zip"):
        of.atr([1, 2, 3], [1, 2], [1, 2, 3], 1)


@pytest.mark.parametrize("one", INDICATORS, ids=lambda one: f"{one.metric}: {one.expression}")
def test_each_is_registered_and_answers_from_its_least_number_of_bars(one: Indicator) -> None:
    assert formula_for(one.metric, one.expression) is not None
    if not one.series:
        return
    series = {
        "high": [close + 2 for close in CLOSES],
        "low": [close - 3 for close in CLOSES],
        "close": CLOSES,
        "volume": [1000.0 + close for close in CLOSES],
    }
    taken = {name: series[name][: one.least] for name in one.series}
    assert isinstance(evaluate(one.expression, taken), float)
    short = {name: values[:-1] for name, values in taken.items()}
    if one.window is None:
        with pytest.raises(ValueError, match="needs"):
            evaluate(one.expression, short)
