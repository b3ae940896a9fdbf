"""The quote header: which price is shown when, and what is said about it."""

from datetime import UTC, date, datetime
from functools import cache

import pytest

from services.core.claims import Claim, Missing
from services.core.clock import BEIJING, FixedClock
from services.core.errors import UnavailableError
from services.core.ledger import Ledger
from services.core.requests import BarsRequest, FetchRequest, SpotRequest
from services.core.symbols import Symbol
from services.core.trace import Fact, SessionGap, ToolCall
from services.core.verifier import verify
from services.market.calendar import Calendar
from services.market.quotes import Quote, quote
from tests.unit.market import made
from tests.unit.market.bundled import bundle, names

STOCK = "600000.SH"


@cache
def calendar() -> Calendar:
    return Calendar()


def bundled(symbol: str, now: datetime | None = None) -> Quote:
    market = bundle(now)
    ledger = market.ledger()
    found = quote(ledger, Symbol(symbol), names(), calendar(), market.clock)
    assert market.verified(ledger).ok
    return found


def value(figure: object) -> float:
    assert isinstance(figure, Claim)
    return figure.value


def test_after_hours_the_price_is_the_last_close_and_is_called_close() -> None:
    # Source rows: 2017-07-26 close 300.2, open 303.0, high 303.6, low 298.0; 07-25 close 301.6.
    found = bundled("00700.HK")
    assert not found.is_open
    assert isinstance(found.price, Claim)
    assert (found.price.metric, found.price.value) == ("close", 300.2)
    assert found.price.as_of == date(2017, 7, 26)
    assert (value(found.open), value(found.high), value(found.low)) == (303.0, 303.6, 298.0)
    assert value(found.previous_close) == 301.6
    assert value(found.change) == pytest.approx(300.2 - 301.6)
    assert value(found.pct_change) == pytest.approx((300.2 / 301.6 - 1) * 100)
    assert found.currency == "HKD"


def test_a_stock_without_bars_shows_the_price_its_valuation_implies() -> None:
    # 贵州茅台 in the source: mv 5656.91亿, equity 12.56亿 → 450.39 yuan.
    found = bundled("600519.SH")
    assert value(found.price) == pytest.approx(5656.91e8 / 12.56e8)
    assert isinstance(found.price, Claim)
    assert found.price.metric == "price_implied"
    assert found.price.as_of == date(2017, 5, 25)
    assert isinstance(found.pct_change, Missing)
    assert value(found.pe_lyr) == 33.84
    assert any("推算" in str(note) for note in found.notes)
    assert all(note.zh and note.en.isascii() for note in found.notes)


def test_a_suspended_stock_says_since_when() -> None:
    found = bundled("300104.SZ")
    assert isinstance(found.price, Claim)
    assert found.price.as_of == date(2017, 4, 14)
    assert any("自 2017-04-17 起停牌" in str(note) for note in found.notes)


def test_a_source_that_ends_early_is_not_called_a_suspension() -> None:
    found = bundled("AAPL")
    assert [note.zh for note in found.notes] == ["来源的日线止于 2016-07-25"]
    assert isinstance(found.market_cap, Missing)


def test_an_index_has_points_and_no_valuation() -> None:
    found = bundled("HSI")
    assert found.currency == "points"
    assert value(found.price) == 26934.859
    assert isinstance(found.pe_ttm, Missing)
    assert isinstance(found.volume, Missing)  # the source gives zero for this index


def test_while_open_without_a_live_source_the_last_close_is_shown_and_said() -> None:
    found = bundled("600036.SH", datetime(2017, 7, 21, 10, 0, tzinfo=BEIJING))
    assert found.is_open
    assert isinstance(found.price, Claim)
    assert found.price.metric == "close"
    assert found.price.as_of == date(2017, 7, 20)
    assert any("改用最近收盘" in str(note) for note in found.notes)


DAYS = [date(2017, 7, 24), date(2017, 7, 25)]
BARS = made.call(
    STOCK, made.bar_facts(STOCK, DAYS, [made.flat(10.0), (10.1, 10.6, 10.0, 10.5, 200.0)])
)
SPOT = Fact(
    symbol=STOCK,
    metric="current_price",
    value=10.71,
    unit="CNY",
    as_of=date(2017, 7, 26),
    field="price",
    raw="10.71",
)
OPEN = FixedClock(datetime(2017, 7, 26, 10, 0, tzinfo=BEIJING))


def live(spot: ToolCall | Exception, bars: ToolCall = BARS) -> tuple[Quote, Ledger]:
    def ask(_request: FetchRequest) -> ToolCall:
        if isinstance(spot, Exception):
            raise spot
        return spot

    ledger = made.ledger_of(
        {SpotRequest.capability: ask, BarsRequest.capability: lambda _request: bars}
    )
    return quote(ledger, Symbol(STOCK), names(), calendar(), OPEN), ledger


def test_while_open_the_live_price_is_shown_against_the_last_close() -> None:
    found, ledger = live(made.call(STOCK, [SPOT], table="spot"))
    assert isinstance(found.price, Claim)
    assert (found.price.metric, found.price.value) == ("current_price", 10.71)
    assert value(found.previous_close) == 10.5
    assert value(found.change) == pytest.approx(0.21)
    assert value(found.pct_change) == pytest.approx(2.0)
    assert isinstance(found.volume, Missing)
    assert verify(ledger.claims, ledger.trace, datetime(2017, 7, 26, 9, tzinfo=UTC)).ok


def test_when_the_live_source_fails_the_last_close_is_never_called_current() -> None:
    found, _ = live(UnavailableError("made", "spot", "timed out"))
    assert isinstance(found.price, Claim)
    assert (found.price.metric, found.price.value) == ("close", 10.5)
    assert "暂不可用" in str(found.notes[0])
    assert "timed out" not in str(found.notes[0])  # what the source said is for the trace


def test_no_change_is_computed_across_sessions_the_source_lost() -> None:
    days = [date(2017, 7, 21), date(2017, 7, 25)]
    gap = SessionGap(
        symbol=STOCK, start=date(2017, 7, 24), end=date(2017, 7, 24), sessions=1, kind="hole"
    )
    rows = [made.flat(10.0), made.flat(10.5)]
    bars = made.call(STOCK, made.bar_facts(STOCK, days, rows), gaps=[gap])
    found, _ = live(UnavailableError("made", "spot", "timed out"), bars)
    assert isinstance(found.previous_close, Missing)
    assert isinstance(found.pct_change, Missing)
