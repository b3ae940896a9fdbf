"""Sessions without a bar, where the source does not name them; and bars within the day."""

from datetime import date

import pytest

from services.core.errors import NoDataError
from services.core.formulas import FORMULAS
from services.core.symbols import Symbol
from services.core.trace import Fact, SessionGap
from services.core.verifier import verify
from services.market.calendar import Calendar
from services.market.history import PriceHistory, price_history
from services.market.intraday import intraday_history
from tests.unit.market.live_answers import CLOSED, Sources, answered, fact, on_days

STOCK, INDEX = "600519.SH", "000001.SH"
CALENDAR = Calendar()
# Friday the 6th; suspended Monday to Wednesday; Thursday the 12th, Friday the 13th.
DAYS = (date(2026, 11, 6), date(2026, 11, 12), date(2026, 11, 13))


def history(
    symbol: str,
    days: tuple[date, ...] = DAYS,
    *,
    volume: float = 100.0,
    provider: str = "eastmoney",
    calendar: Calendar | None = CALENDAR,
) -> PriceHistory:
    facts = on_days(
        days,
        lambda day: [
            *(fact(symbol, name, 10.0, "CNY", as_of=day) for name in ("open", "high", "low")),
            fact(symbol, "close", 10.0, "CNY", as_of=day),
            fact(symbol, "volume", volume, "shares", as_of=day),
        ],
    )
    sources = Sources(daily_bars=answered(facts, provider=provider))
    return price_history(sources.ledger, Symbol(symbol), None, None, calendar=calendar)


def gap(symbol: str, kind: str) -> SessionGap:
    first, last = date(2026, 11, 9), date(2026, 11, 11)
    return SessionGap.model_validate(
        {"symbol": symbol, "start": first, "end": last, "sessions": 3, "kind": kind}
    )


def test_sessions_a_live_source_leaves_out_are_a_suspension() -> None:
    assert history(STOCK).gaps == (gap(STOCK, "suspension"),)


def test_weekends_and_holidays_are_no_gap() -> None:
    # The National Day holidays of 2026 are October 1 to 7.
    days = (date(2026, 9, 30), date(2026, 10, 8), date(2026, 10, 9), date(2026, 10, 12))
    assert history(STOCK, days).gaps == ()


def test_a_source_that_writes_days_without_volume_has_lost_what_is_not_there() -> None:
    assert history(STOCK, volume=0.0).gaps == (gap(STOCK, "hole"),)


def test_an_index_is_never_suspended() -> None:
    assert history(INDEX).gaps == (gap(INDEX, "hole"),)


def test_a_source_that_names_its_gaps_is_believed_when_it_names_none() -> None:
    assert history(STOCK, provider="snapshot").gaps == ()


def test_without_a_calendar_nothing_is_guessed() -> None:
    assert history(STOCK, calendar=None).gaps == ()


def test_days_before_the_calendar_begins_are_not_called_suspended() -> None:
    days = (date(2004, 11, 1), date(2004, 11, 30))
    assert history(STOCK, days).gaps == ()


def test_bars_within_the_day_are_in_order_whole_and_not_before_the_start() -> None:
    def bar(day: date, time: str, *, whole: bool = True) -> list[Fact]:
        names = ("open", "high", "low", "close") if whole else ("open",)
        return [fact(STOCK, name, 10.0, "CNY", as_of=day, period=f"{day} {time}") for name in names]

    told = [
        *bar(date(2026, 11, 20), "10:00"),
        *bar(date(2026, 11, 20), "09:35"),
        *bar(date(2026, 11, 20), "10:05", whole=False),
        *bar(date(2026, 11, 18), "15:00"),
    ]
    sources = Sources(intraday_bars=answered(told))
    found = intraday_history(sources.ledger, Symbol(STOCK), "5m", 5, date(2026, 11, 19))
    assert [item.time for item in found.bars] == ["2026-11-20 09:35", "2026-11-20 10:00"]
    assert found.bars[0].figures["close"].period == "2026-11-20 09:35"
    sources.check()
    with pytest.raises(NoDataError):
        intraday_history(sources.ledger, Symbol(STOCK), "5m", 5, date(2026, 11, 21))


def test_a_window_over_sessions_that_a_live_source_lost_is_counted_on_the_calendar() -> None:
    sessions = CALENDAR.sessions("CN", date(2026, 6, 1), date(2026, 11, 13))
    lost = sessions[-10]
    facts = on_days(
        tuple(day for day in sessions if day != lost),
        lambda day: [
            fact(INDEX, name, 3000.0 + day.toordinal() % 97, "points", as_of=day)
            for name in ("open", "high", "low", "close")
        ],
    )
    sources = Sources(daily_bars=answered(facts))
    found = price_history(sources.ledger, Symbol(INDEX), None, None, calendar=CALENDAR)
    last = len(found.bars) - 1
    window = found.sessions.window(last, 61, ends=True)
    assert window.first is not None
    assert found.bars[window.first].date == sessions[-61]
    assert found.sessions.window(last, 20).first == last - 19
    assert found.sessions.lacking(last - 19, last).lost == 1
    assert found.sessions.tell_torn(last - 19, last, "all")
    # Counted in rows the same figure is of another day: the verifier knows the calendar's gaps.
    formula = next(one for one in FORMULAS if one.metric == "return_60")
    for place, checks in ((window.first, []), (window.first - 1, ["series_complete"])):
        days = found.bars[place].date, found.bars[-1].date
        ref = sources.ledger.window("close", found.call, INDEX, "close", *days)
        made = sources.ledger.derive(formula, [], series=[ref])
        assert made is not None
        assert made.cite.note == "区间内缺 1 个交易日的日线，首尾两日不缺"
        failures = verify([made], sources.ledger.trace, CLOSED.now()).failures
        assert [one.check for one in failures] == checks
