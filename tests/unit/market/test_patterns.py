"""Patterns of made bars: the day, the bars and the figures that show them, and what is left out."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import pytest

from services.core.claims import Claim
from services.core.symbols import Symbol
from services.core.trace import SessionGap
from services.core.verifier import verify
from services.market.history import price_history
from services.market.indicators.patterns import Patterns, ToldPattern, hits_of, patterns
from services.market.indicators.reading import BarReader, Second
from tests.unit.market import made

BANK = "600000.SH"
START = date(2016, 11, 1)
Row = tuple[float, float, float, float, float]


def swinging(count: int) -> list[Row]:
    """Closes that swing from 98 to 102 and back in eight bars: no trend, bodies of 1."""
    closes = [(100, 101, 102, 101, 100, 99, 98, 99)[n % 8] for n in range(count)]
    return [(c - 0.5, c + 1.0, c - 1.0, c + 0.5, 1000.0) for c in closes]


def read(
    rows: Sequence[Row],
    *,
    gaps: Sequence[SessionGap] = (),
    candles: Mapping[str, Sequence[float]] | None = None,
) -> Patterns:
    """The patterns of these bars, every claim verified; `candles` are what a library says."""
    days = [START + timedelta(days=n) for n in range(len(rows))]
    call = made.call(BANK, made.bar_facts(BANK, days, rows), gaps=gaps)
    ledger = made.ledger_of({"daily_bars": lambda _request: call})
    history = price_history(ledger, Symbol(BANK), None, None)
    second = None if candles is None else Second("Another 1.0", {}, candles)
    reading = BarReader(ledger, history, second)
    found = patterns(reading, hits_of(reading))
    now = made.FETCHED_AT.replace(year=2018)
    assert verify(ledger.claims, ledger.trace, now).failures == ()
    return found


def named(found: Patterns, name: str) -> list[ToldPattern]:
    return [one for one in found.late if one.name == name]


def figures(one: ToldPattern) -> dict[tuple[str, date], float]:
    claims = [figure for figure in one.shown if isinstance(figure, Claim)]
    assert len(claims) == len(one.shown)
    return {(claim.metric, claim.as_of): claim.value for claim in claims}


def day(place: int) -> date:
    return START + timedelta(days=place)


def test_a_breakout_is_shown_by_the_close_and_the_high_before_it() -> None:
    # Highs reach 103; the last bar closes at 103.5 on 1.5 times the mean volume of 20.
    found = read([*swinging(130), (102.0, 104.0, 101.0, 103.5, 1500.0)])
    assert {"breakout", "volume_breakout"} <= set(found.now)
    (one,) = named(found, "breakout")
    assert (one.day, one.direction) == (day(130), "bullish")
    assert one.start == day(110)
    assert figures(one) == {("close", day(130)): 103.5, ("high_20", day(129)): 103.0}
    (one,) = named(found, "volume_breakout")
    assert one.start == day(70)
    assert figures(one) == {
        ("close", day(130)): 103.5,
        ("high_60", day(129)): 103.0,
        ("volume_multiple", day(130)): 1.5,
    }


def test_a_breakout_on_less_volume_or_only_to_the_high_is_none() -> None:
    found = read([*swinging(130), (102.0, 104.0, 101.0, 103.5, 1499.0)])
    assert "breakout" in found.now
    assert "volume_breakout" not in found.now
    assert "breakout" not in read([*swinging(130), (102.0, 104.0, 101.0, 103.0, 1500.0)]).now


def test_a_breakdown_closes_below_the_low_of_twenty_sessions() -> None:
    found = read([*swinging(130), (98.0, 99.0, 95.0, 96.5, 1000.0)])
    (one,) = named(found, "breakdown")
    assert one.direction == "bearish"
    assert figures(one) == {("close", day(130)): 96.5, ("low_20", day(129)): 97.0}


def test_prices_that_swing_within_a_tenth_are_a_box_and_a_steady_rise_is_none() -> None:
    # (103 / 97 − 1) × 100 = 6.19 %
    (one, *_) = named(read(swinging(140)), "box")
    height = figures(one)[("box_height", day(139))]
    assert height == pytest.approx((103 / 97 - 1) * 100)
    rising = [(99.5 + n, 100.5 + n, 99.5 + n, 100.0 + n, 1000.0) for n in range(260)]
    # The last 20 of these span 20 yuan of 350, less than a tenth, with an ADX of 100.
    assert named(read(rising), "box") == []


def test_a_pattern_that_lasts_is_told_where_it_began_and_at_the_last_bar() -> None:
    rows = swinging(130)
    for n in range(4):
        rows.append((103.0 + n, 105.0 + n, 102.5 + n, 104.5 + n, 1000.0))
    found = read(rows)
    assert [one.day for one in named(found, "breakout")] == [day(130), day(133)]


def test_a_gap_needs_prices_apart_on_sessions_that_follow_each_other() -> None:
    rows = [*swinging(130), (105.0, 106.0, 104.0, 105.5, 1000.0)]
    before = rows[129][1]
    (one,) = named(read(rows), "gap_up")
    assert figures(one) == {("low", day(130)): 104.0, ("high", day(129)): before}
    assert (one.start, one.day) == (day(129), day(130))
    lost = SessionGap(symbol=BANK, start=day(128), end=day(130), sessions=1, kind="hole")
    # The bars of days 129 and 130 have a lost session between them when the gap covers both ends.
    assert named(read(rows, gaps=[lost]), "gap_up") == []
    closed = lost.model_copy(update={"kind": "suspension"})
    assert named(read(rows, gaps=[closed]), "gap_up") != []


def test_no_candlestick_is_made_of_bars_before_and_after_a_suspension() -> None:
    rows = [*swinging(130), (99.5, 100.0, 97.0, 98.0, 1000.0), (97.5, 101.0, 97.0, 100.5, 1000.0)]
    assert "bullish_engulfing" in read(rows).now
    closed = SessionGap(symbol=BANK, start=day(130), end=day(131), sessions=1, kind="suspension")
    assert "bullish_engulfing" not in read(rows, gaps=[closed]).now


def test_a_candlestick_is_a_claim_that_is_computed_again() -> None:
    rows = [*swinging(130), (99.5, 100.0, 97.0, 98.0, 1000.0), (97.5, 101.0, 97.0, 100.5, 1000.0)]
    (one,) = named(read(rows), "bullish_engulfing")
    assert figures(one) == {("candle_engulfing", day(131)): 1.0}
    assert (one.start, one.day, one.direction) == (day(130), day(131), "bullish")
    assert one.found_by == ("有据",)


def test_a_candlestick_the_library_judges_otherwise_is_left_out_and_named() -> None:
    rows = [*swinging(130), (99.5, 100.0, 97.0, 98.0, 1000.0), (97.5, 101.0, 97.0, 100.5, 1000.0)]
    none = [0.0] * len(rows)
    agreed = read(rows, candles={"CDLENGULFING": [*none[:-1], 80.0]})
    (one,) = named(agreed, "bullish_engulfing")
    assert one.found_by == ("有据", "Another 1.0")
    assert agreed.disputed == ()
    for said in (0.0, -100.0):
        found = read(rows, candles={"CDLENGULFING": [*none[:-1], said]})
        assert "bullish_engulfing" not in {pattern.name for pattern in found.late}
        assert found.disputed == ("bullish_engulfing",)


def test_what_only_the_library_knows_is_told_apart_and_without_a_figure() -> None:
    rows = swinging(130)
    none = [0.0] * len(rows)
    candles = {"CDLBELTHOLD": [*none[:-1], -100.0], "CDLKICKING": [100.0, *none[1:]]}
    found = read(rows, candles=candles)
    assert found.others is not None
    assert [(one.name, one.direction) for one in found.others] == [("CDLBELTHOLD", "bearish")]
    assert not {"CDLBELTHOLD", "CDLKICKING"} & set(found.now)
    assert read(rows).others is None


def test_a_cross_is_shown_by_both_lines_on_both_days() -> None:
    rows = [made.flat(100.0 - n / 10) for n in range(130)] + [made.flat(95.0)] * 5
    # 87.1 is the last close before; MA5 passes MA20 where 95 outweighs: found by the rule's lines.
    (one,) = named(read(rows), "ma_golden_cross")
    shown = figures(one)
    first, last = sorted({when for _, when in shown})
    assert shown["ma_5", first] < shown["ma_20", first]
    assert shown["ma_5", last] > shown["ma_20", last]
    assert last - first == timedelta(days=1)


def test_what_is_older_than_ten_sessions_is_not_told() -> None:
    rows = [*swinging(130), (102.0, 104.0, 101.0, 103.5, 1500.0), *swinging(16)]
    assert named(read(rows), "volume_breakout") == []
    assert named(read(rows[:-7]), "volume_breakout") != []
