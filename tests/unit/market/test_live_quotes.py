"""The quote header in live mode: whose previous close counts, what a suspended stock shows."""

from datetime import date
from functools import cache

import pytest

from services.core.claims import Claim, Figure, Missing
from services.core.clock import FixedClock
from services.core.errors import UnavailableError
from services.core.requests import BarsRequest
from services.core.symbols import Symbol
from services.core.trace import Fact, ToolCall
from services.market.calendar import Calendar
from services.market.quotes import Quote, quote
from tests.unit.market.bundled import names
from tests.unit.market.live_answers import CLOSED, OPEN, Sources, answered, fact, on_days

STOCK = "600036.SH"
THURSDAY = date(2026, 11, 19)
DOWN = UnavailableError("eastmoney", "quote", "answered 502")


@cache
def calendar() -> Calendar:
    return Calendar()


def shown(sources: Sources, clock: FixedClock = OPEN, symbol: str = STOCK) -> Quote:
    found = quote(sources.ledger, Symbol(symbol), names(), calendar(), clock)
    sources.check()
    return found


def value(figure: Figure) -> float:
    assert isinstance(figure, Claim), figure
    return figure.value


def spot(price: float, **more: float) -> ToolCall:
    units = {"volume": "shares", "pct_change": "percent"}
    facts = [fact(STOCK, "current_price", price, "CNY", note="报价时间 10:00（当地）")]
    facts += [fact(STOCK, name, amount, units.get(name, "CNY")) for name, amount in more.items()]
    return answered(facts, table="spot")


def bars(*days: tuple[date, float], **given: float) -> ToolCall:
    def facts(day: date) -> list[Fact]:
        close = dict(days)[day]
        found = [fact(STOCK, name, close, "CNY", as_of=day) for name in ("open", "high", "low")]
        found.append(fact(STOCK, "close", close, "CNY", as_of=day))
        return found

    last = [
        fact(STOCK, name, amount, "percent", as_of=days[-1][0]) for name, amount in given.items()
    ]
    return answered(on_days([day for day, _ in days], facts) + last, table="kline")


WEDNESDAY_AND_THURSDAY = bars((date(2026, 11, 18), 40.0), (THURSDAY, 42.0))


def test_without_bars_the_sources_own_previous_close_makes_the_change() -> None:
    found = shown(Sources(spot=spot(42.84, previous_close=42.0, volume=100.0)))
    assert value(found.previous_close) == 42.0
    assert value(found.change) == pytest.approx(0.84)  # 42.84 − 42
    assert value(found.pct_change) == pytest.approx(2.0)  # 42.84 / 42 − 1


def test_on_an_ex_date_the_sources_ex_right_previous_close_wins_and_is_said() -> None:
    # Closed at 42, ex a dividend of 2: from 40, the move to 42.8 is +7 %, not +1.9 %.
    found = shown(Sources(spot=spot(42.8, previous_close=40.0), daily_bars=WEDNESDAY_AND_THURSDAY))
    assert value(found.pct_change) == pytest.approx(7.0)
    assert any("除权" in str(note) for note in found.notes)


def test_a_previous_close_that_equals_the_bars_says_nothing() -> None:
    found = shown(Sources(spot=spot(42.84, previous_close=42.0), daily_bars=WEDNESDAY_AND_THURSDAY))
    assert not any("除权" in str(note) for note in found.notes)


def test_the_change_the_source_gives_is_not_worked_out_again() -> None:
    found = shown(Sources(spot=spot(42.84, previous_close=42.0, pct_change=2.01)))
    assert value(found.pct_change) == 2.01
    after = shown(
        Sources(daily_bars=bars((THURSDAY, 42.0), (date(2026, 11, 20), 42.84), pct_change=2.02)),
        CLOSED,
    )
    assert value(after.pct_change) == 2.02


def test_a_change_that_is_not_from_the_last_bar_leaves_no_previous_close_beside_it() -> None:
    # Unadjusted bars over an ex-date: 42 → 41 is −2.38 %, the source says +2.5 % (from 40).
    told = bars((THURSDAY, 42.0), (date(2026, 11, 20), 41.0), pct_change=2.5)
    found = shown(Sources(daily_bars=told), CLOSED)
    assert value(found.pct_change) == 2.5
    assert isinstance(found.previous_close, Missing)
    assert isinstance(found.change, Missing)
    assert "除权" in str(found.change.reason)


def test_what_the_source_says_of_its_live_price_is_shown() -> None:
    found = shown(Sources(spot=spot(42.0, previous_close=42.0)))
    (said,) = [note for note in found.notes if "报价时间" in note]
    assert said.zh == "实时价：报价时间 10:00（当地）"
    assert said.en == "live price: quoted at 10:00 local time"


def test_a_suspended_stock_has_a_last_close_and_no_current_price() -> None:
    # Eastmoney and Xueqiu repeat the last price with no volume.
    found = shown(Sources(spot=spot(42.0, volume=0.0), daily_bars=WEDNESDAY_AND_THURSDAY))
    assert isinstance(found.price, Claim)
    assert (found.price.metric, found.price.as_of) == ("close", THURSDAY)
    assert any("没有成交" in str(note) for note in found.notes)


def test_a_price_of_an_earlier_day_is_not_called_current() -> None:
    stale = answered([fact(STOCK, "current_price", 42.0, "CNY", as_of=THURSDAY)], table="spot")
    found = shown(Sources(spot=stale, daily_bars=WEDNESDAY_AND_THURSDAY))
    assert isinstance(found.price, Claim)
    assert found.price.metric == "close"


def test_an_index_is_not_asked_for_a_valuation() -> None:
    sources = Sources(daily_bars=DOWN)
    with pytest.raises(UnavailableError):
        shown(sources, CLOSED, "000001.SH")
    assert "valuation" not in sources.capabilities()


def test_a_failing_valuation_leaves_the_price_and_says_who_failed() -> None:
    found = shown(Sources(daily_bars=WEDNESDAY_AND_THURSDAY, valuation=DOWN), CLOSED)
    assert value(found.price) == 42.0
    assert isinstance(found.pe_ttm, Missing)
    assert "东方财富暂不可用" in str(found.pe_ttm.reason)
    assert "502" not in str(found.pe_ttm.reason)


def test_failing_bars_leave_the_live_price() -> None:
    found = shown(Sources(spot=spot(42.84, previous_close=42.0), daily_bars=DOWN))
    assert value(found.price) == 42.84
    assert value(found.pct_change) == pytest.approx(2.0)


def test_when_nothing_came_the_failure_is_raised() -> None:
    with pytest.raises(UnavailableError):
        shown(Sources(spot=DOWN, daily_bars=DOWN, valuation=DOWN))


def test_two_bars_of_the_last_sixty_days_are_enough() -> None:
    sources = Sources(daily_bars=WEDNESDAY_AND_THURSDAY)
    shown(sources, CLOSED)
    asked = [request for request in sources.asked if isinstance(request, BarsRequest)]
    assert [request.start for request in asked] == [date(2026, 9, 21)]


def test_a_new_listing_that_tells_its_change_is_not_looked_for_further_back() -> None:
    sources = Sources(daily_bars=bars((date(2026, 11, 20), 42.0), pct_change=44.0))
    found = shown(sources, CLOSED)
    assert sources.capabilities().count("daily_bars") == 1
    assert value(found.pct_change) == 44.0


def test_a_close_from_the_bars_is_not_said_to_be_derived() -> None:
    worth = answered([fact(STOCK, "market_cap", 1e12, "CNY", as_of=THURSDAY)], table="valuation")
    found = shown(Sources(daily_bars=WEDNESDAY_AND_THURSDAY, valuation=worth), CLOSED)
    assert not any("推算" in str(note) for note in found.notes)
    assert [note.zh for note in found.notes] == ["来源的日线止于 2026-11-19"]


def test_multiples_of_an_earlier_day_are_said_to_be_so_beside_a_live_price() -> None:
    worth = answered([fact(STOCK, "market_cap", 1e12, "CNY", as_of=THURSDAY)], table="valuation")
    found = shown(Sources(spot=spot(42.0, previous_close=41.0), valuation=worth))
    assert "市值与估值倍数为 2026-11-19 的数值，与当前价不同日" in [note.zh for note in found.notes]
