"""Windows of sessions on a calendar of five days, with a session lost and one suspended."""

from datetime import date

import pytest

from services.core.sessions import GapKind, SessionGap, TradedSessions
from services.core.text import NO_TEXT

SYMBOL = "600000.SH"


def gap(kind: GapKind, start: int, end: int) -> SessionGap:
    first, last = date(2017, 1, start), date(2017, 1, end)
    return SessionGap(symbol=SYMBOL, start=first, end=last, sessions=end - start + 1, kind=kind)


# Sessions are the 2nd to the 13th; the 4th and 5th are lost, the 9th and 10th suspended.
DAYS = [date(2017, 1, day) for day in (2, 3, 6, 7, 8, 11, 12, 13)]
FOUND = TradedSessions(DAYS, (gap("hole", 4, 5), gap("suspension", 9, 10)))


def test_a_span_counts_every_session_of_the_exchange() -> None:
    assert FOUND.count_sessions(0, 7) == 12
    assert FOUND.lacking(0, 7).told == "区间内缺 2 个交易日的日线，首尾两日不缺，停牌 2 个交易日"
    assert FOUND.lacking(3, 7).told == "区间内停牌 2 个交易日"
    assert FOUND.lacking(5, 7).told is None


@pytest.mark.parametrize(
    ("count", "day", "why"),
    [
        (3, 11, ""),
        (4, None, "3 个交易日前没有收盘价（2017-01-09 至 2017-01-10 停牌），不给出"),
        (6, 8, ""),
        (10, None, "9 个交易日前没有收盘价（2017-01-04 至 2017-01-05 缺日线），不给出"),
        (12, 2, ""),
        (13, None, "至少需要 13 根日线，所取区间内只有 12 根"),
    ],
)
def test_a_window_of_which_the_ends_decide_begins_exactly_so_many_sessions_before(
    count: int, day: int | None, why: str
) -> None:
    found = FOUND.window(7, count, ends=True)
    assert (None if found.first is None else DAYS[found.first].day) == day
    assert found.why.zh == why


def test_a_window_is_so_many_bars_held_unless_more_than_a_fifth_of_it_is_lost() -> None:
    assert FOUND.window(7, 6).first == 2  # a suspension is passed over
    # 2 of 7 + 2, 2 of 8 + 2: the one is more than a fifth, the other is not.
    found = FOUND.window(7, 7)
    assert found.first is None
    assert str(found.why) == (
        "区间 9 个交易日缺 2 个的日线，超过 20%，不给出"
        " | 2 of the 9 sessions have no bar, more than 20%: none is given"
    )
    assert FOUND.window(7, 8).first == 0
    assert FOUND.window(7, 9).why.zh == "至少需要 9 根日线，所取区间内只有 8 根"
    assert FOUND.window(1, 2).first == 0


def test_bars_that_must_follow_one_another_do_not_over_a_lost_session() -> None:
    assert FOUND.tell_torn(0, 7) == NO_TEXT
    assert FOUND.tell_torn(0, 7, "last") == NO_TEXT
    assert "逐日相接" in FOUND.tell_torn(0, 7, "all").zh
    assert FOUND.tell_torn(2, 7, "all") == NO_TEXT  # over the suspension they do
    assert "前一交易日缺日线" in FOUND.tell_torn(0, 2, "last").zh
    assert FOUND.list_follows(0, 4) == (True, False, True, True)


def test_gaps_before_the_first_bar_and_after_the_last_are_in_no_window() -> None:
    around = (gap("hole", 1, 1), gap("suspension", 16, 20))
    found = TradedSessions(DAYS[5:], around)
    assert found.count_sessions(0, 2) == 3
    assert found.window(2, 3).first == 0
