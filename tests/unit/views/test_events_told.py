"""What is said of abnormal events beside their figures: the cause, and the days of a stretch."""

from datetime import date

import pytest

from pages.market import moves
from services.core.symbols import Symbol
from services.core.text import NO_TEXT, Text
from services.market.events.events import Event, abnormal_events
from services.market.events.unjudged import ALL_JUDGED, Unjudged
from services.views.events import tell_cause, tell_each_unjudged
from tests.unit.market.bundled import bundle


def at(symbol: str, day: date, *, stretch: bool = False) -> Event:
    found = abnormal_events(bundle().ledger(), Symbol(symbol), day, day).events
    return next(one for one in found if (one.start != one.end) == stretch)


@pytest.mark.parametrize(
    ("symbol", "day", "cause"),
    [
        ("AAPL", date(2015, 8, 24), Text("随大盘", "With the market")),
        ("300104.SZ", date(2017, 1, 20), Text("停牌后复牌", "Back from a halt")),
        ("600036.SH", date(2017, 6, 22), NO_TEXT),
    ],
)
def test_the_cause_says_which_it_is(symbol: str, day: date, cause: Text) -> None:
    """A23 of the walk: the data tells whether it was the market or a halt."""
    assert tell_cause(at(symbol, day)) == cause


def test_a_stretch_is_told_with_its_first_day() -> None:
    """A6 of the walk: +20.37 % of 恒大 is of three sessions, 20.80 over 17.28."""
    evergrande = at("03333.HK", date(2017, 7, 26), stretch=True)
    assert evergrande.start == date(2017, 7, 24)
    move = moves.move_of(evergrande)
    assert move is not None
    assert move.value == pytest.approx((20.80 / 17.28 - 1) * 100, abs=0.01)


def test_of_several_those_with_sessions_not_judged_are_named() -> None:
    bank, halted = Text("招商银行", "CMB"), Text("万科A", "Vanke")
    told = tell_each_unjudged(
        [(bank, Unjudged(lost=2, after=(date(2017, 6, 2),))), (halted, ALL_JUDGED)]
    )
    assert told == Text(
        "因缺日线未能判断：招商银行 3 日", "Sessions not judged for want of bars: CMB 3"
    )
