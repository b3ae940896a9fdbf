"""Each rule on bars small enough to judge by eye, and against a slow plain computation."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from statistics import fmean, stdev

import numpy as np
import pytest

from services.core.symbols import Symbol
from services.core.trace import Fact, SessionGap
from services.market.events import rules
from services.market.events.rules import SessionSpan, track_of
from services.market.history import PriceHistory, price_history
from tests.unit.market import made
from tests.unit.market.bundled import bundle

STOCK = "600000.SH"


def days(count: int) -> list[date]:
    return [date(2016, 1, 4) + timedelta(days=place) for place in range(count)]


def closes(*values: float) -> PriceHistory:
    return made.history(STOCK, days(len(values)), [made.flat(value) for value in values])


def gap(kind: str, day: date) -> SessionGap:
    return SessionGap.model_validate(
        {"symbol": STOCK, "start": day, "end": day, "sessions": 1, "kind": kind}
    )


@pytest.mark.parametrize(
    ("symbol", "day", "rule"),
    [
        ("600519.SH", date(2017, 7, 26), "limit.main.10"),
        ("300104.SZ", date(2020, 8, 21), "limit.main.10"),
        ("300104.SZ", date(2020, 8, 24), "limit.chinext.20"),
        ("688981.SH", date(2020, 8, 21), "limit.chinext.20"),
        ("920163.BJ", date(2025, 1, 2), "limit.bse.30"),
        ("00700.HK", date(2017, 7, 26), None),
        ("AAPL", date(2017, 7, 26), None),
        ("000001.SH", date(2017, 7, 26), None),
    ],
)
def test_the_price_limit_is_the_boards_on_that_day(
    symbol: str, day: date, rule: str | None
) -> None:
    assert rules.limit_rule(Symbol(symbol), day) == rule


def test_the_exchange_deviation_rule_is_not_said_to_hold_outside_the_mainland() -> None:
    day = date(2017, 7, 26)
    assert rules.deviation_rule(Symbol("600519.SH"), day) == "abnormal.deviation.3d"
    assert rules.deviation_rule(Symbol("00700.HK"), day) == "abnormal.deviation.house"
    assert rules.deviation_rule(Symbol("000001.SH"), day) is None
    assert rules.deviation_rule(Symbol("688981.SH"), date(2021, 1, 4)) is None


def test_a_limit_hit_needs_the_close_at_the_days_extreme() -> None:
    at_high = (10.5, 11.0, 10.4, 11.0, 100.0)
    below_high = (11.6, 12.2, 11.5, 12.1, 100.0)
    track = track_of(made.history(STOCK, days(3), [made.flat(10.0), at_high, below_high]))
    assert track.returns[1:] == pytest.approx([10.0, 10.0])
    assert rules.limit_hits(Symbol(STOCK), track) == [1]


def test_a_limit_hit_in_hong_kong_does_not_exist() -> None:
    at_low = (9.5, 9.5, 9.0, 9.0, 100.0)
    track = track_of(made.history("00700.HK", days(2), [made.flat(10.0), at_low]))
    assert rules.limit_hits(Symbol("00700.HK"), track) == []


def test_a_return_across_a_lost_session_is_not_judged() -> None:
    rows = [made.flat(10.0), made.flat(12.0), made.flat(12.1)]
    all_days = [days(4)[0], days(4)[2], days(4)[3]]
    for kind in ("hole", "dropped"):
        track = track_of(made.history(STOCK, all_days, rows, [gap(kind, days(4)[1])]))
        assert np.isnan(track.returns[1])
        assert rules.gap_hits(track) == []
        assert rules.resumptions(track) == []


def test_a_return_across_a_suspension_is_judged_and_is_a_resumption() -> None:
    rows = [made.flat(10.0), made.flat(12.0), made.flat(12.1)]
    all_days = [days(4)[0], days(4)[2], days(4)[3]]
    track = track_of(made.history(STOCK, all_days, rows, [gap("suspension", days(4)[1])]))
    assert track.returns[1] == pytest.approx(20.0)
    assert rules.resumptions(track) == [1]
    assert rules.gap_hits(track) == [1]


def test_a_suspension_that_meets_a_dropped_session_is_no_resumption() -> None:
    rows = [made.flat(10.0), made.flat(12.0)]
    all_days = [days(4)[0], days(4)[3]]
    gaps = [gap("suspension", days(4)[1]), gap("dropped", days(4)[2])]
    assert rules.resumptions(track_of(made.history(STOCK, all_days, rows, gaps))) == []


def test_heavy_volume_is_three_times_the_mean_of_the_twenty_sessions_before() -> None:
    rows = [made.flat(10.0, 100.0) for _ in range(20)]
    exactly = track_of(made.history(STOCK, days(21), [*rows, made.flat(10.1, 300.0)]))
    below = track_of(made.history(STOCK, days(21), [*rows, made.flat(10.1, 299.0)]))
    assert rules.volume_hits(exactly) == [20]
    assert rules.volume_hits(below) == []


@pytest.mark.parametrize(
    ("kind", "missing", "hits"),
    [("hole", 1, [20]), ("dropped", 5, [20]), ("dropped", 6, []), ("suspension", 9, [20])],
)
def test_a_volume_window_counts_the_sessions_held_unless_too_many_are_lost(
    kind: str, missing: int, hits: list[int]
) -> None:
    """21 bars with 5 lost between are 26 sessions, of which a fifth are 5.2."""
    span = days(21 + missing)
    gone = span[10 : 10 + missing]
    span = span[:10] + span[10 + missing :]
    rows = [made.flat(10.0, 100.0) for _ in range(20)] + [made.flat(10.1, 900.0)]
    gaps = [gap(kind, day) for day in gone]
    assert rules.volume_hits(track_of(made.history(STOCK, span, rows, gaps))) == hits


def test_a_day_after_a_lost_one_is_judged_by_the_move_the_source_gives() -> None:
    at_high = (10.5, 12.0, 10.5, 12.0, 100.0)
    rows = [made.flat(10.0), at_high, made.flat(12.1)]
    span = [days(4)[0], days(4)[2], days(4)[3]]
    history = made.history(STOCK, span, rows, [gap("hole", days(4)[1])])
    own = Fact(
        symbol=STOCK, metric="pct_change", value=9.9, unit="percent", as_of=span[1], field="pct"
    )
    told = replace(history, facts={**history.facts, "pct_change": {span[1]: own}})
    assert np.isnan(track_of(history).returns[1])
    track = track_of(told)
    assert track.returns[1] == pytest.approx(9.9)
    assert rules.limit_hits(Symbol(STOCK), track) == [1]
    # What needs the close before is not known all the same.
    assert rules.gap_hits(track) == []
    assert rules.runs(track) == []


def test_a_source_without_volume_has_no_heavy_volume() -> None:
    rows = [made.flat(10.0, 0.0) for _ in range(25)]
    assert rules.volume_hits(track_of(made.history(STOCK, days(25), rows))) == []


def test_a_run_is_three_sessions_one_way_that_add_up_to_twenty_percent() -> None:
    # 10 → 12.1 is +21 % in three sessions; 12.1 → 9.6 is −20.7 % in two, which is no run.
    track = track_of(closes(10.0, 10.7, 11.4, 12.1, 11.0, 9.6, 9.7))
    assert rules.runs(track) == [SessionSpan(1, 3, 1)]


def test_a_run_below_twenty_percent_is_none() -> None:
    assert rules.runs(track_of(closes(10.0, 10.6, 11.2, 11.9, 11.8))) == []


def test_a_run_may_begin_after_a_suspension_but_not_span_it() -> None:
    span = days(7)
    missing = span.pop(2)
    values = (10.0, 9.0, 8.0, 7.2, 6.5, 7.0)
    history = made.history(
        STOCK, span, [made.flat(v) for v in values], [gap("suspension", missing)]
    )
    # The suspension lies before the third bar (8.0): 9.0 → 6.5 is −27.8 % in three sessions.
    assert rules.runs(track_of(history)) == [SessionSpan(2, 4, -1)]


def test_deviation_is_the_sum_over_three_sessions_and_a_lost_one_is_not_bridged() -> None:
    track = track_of(closes(10.0, 10.8, 11.664, 12.5971))
    index = np.array([np.nan, 1.0, 1.0, 1.0])
    # 3 × (8 − 1) = 21 points
    assert rules.deviations(track, index) == [SessionSpan(1, 3, 1)]
    assert rules.deviations(track, index + 0.5) == []
    assert rules.deviations(track, np.array([np.nan, 1.0, np.nan, 1.0])) == []


def test_spans_that_share_a_session_are_joined_only_within_a_direction() -> None:
    spans = [
        SessionSpan(1, 3, 1),
        SessionSpan(3, 5, 1),
        SessionSpan(6, 8, 1),
        SessionSpan(2, 4, -1),
    ]
    assert rules.merge_spans(spans) == [
        SessionSpan(1, 5, 1),
        SessionSpan(2, 4, -1),
        SessionSpan(6, 8, 1),
    ]


def lost_between(history: PriceHistory, first: date, last: date) -> int:
    """The lost sessions between two bars, gap by gap."""
    return sum(
        item.sessions
        for item in history.gaps
        if item.kind != "suspension" and first < item.start and item.end < last
    )


def plain_z(history: PriceHistory, broken: set[date]) -> set[date]:
    """The z rule again, by the textbook and one day at a time: over the sessions held, unless more
    than a fifth is lost or the session follows a lost one.
    """
    bars = history.bars
    returns = [b.close / a.close - 1 for a, b in pairwise(bars)]
    found: set[date] = set()
    for place in range(60, len(returns)):
        before = returns[place - 60 : place]
        lost = lost_between(history, bars[place - 60].date, bars[place + 1].date)
        if bars[place + 1].date in broken or lost > 0.2 * (62 + lost):
            continue
        if abs(returns[place] - fmean(before)) >= 3 * stdev(before):
            found.add(bars[place + 1].date)
    return found


def after_lost_sessions(history: PriceHistory) -> set[date]:
    lost = [item for item in history.gaps if item.kind != "suspension"]
    found: set[date] = set()
    for before, bar in pairwise(history.bars):
        if any(before.date < item.end and item.start < bar.date for item in lost):
            found.add(bar.date)
    return found


@pytest.mark.parametrize("name", ["000002.SZ", "600036.SH", "00700.HK", "000001.SH", "TSLA"])
def test_point_rules_agree_with_a_plain_computation_over_the_bundled_bars(name: str) -> None:
    history = price_history(bundle().ledger(), Symbol(name), None, None)
    track, bars = track_of(history), history.bars
    broken = after_lost_sessions(history)

    def at(places: list[int]) -> set[date]:
        return {bars[place].date for place in places}

    assert at(rules.z_hits(track)) == plain_z(history, broken)
    gaps = {
        bar.date
        for before, bar in pairwise(bars)
        if abs(bar.open / before.close - 1) * 100 >= 5 and bar.date not in broken
    }
    assert at(rules.gap_hits(track)) == gaps
    if Symbol(name).market == "CN" and not Symbol(name).is_index:
        hits = {
            bar.date
            for before, bar in pairwise(bars)
            if abs(bar.close / before.close - 1) * 100 >= 9.7
            and bar.close == (bar.high if bar.close > before.close else bar.low)
            and bar.date not in broken
        }
        assert at(rules.limit_hits(Symbol(name), track)) == hits
