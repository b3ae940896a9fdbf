"""The averages of the price chart: over the bars before those shown, of the sessions held."""

from datetime import date, timedelta

import pandas as pd
import pytest

from services.market.calendar import Calendar
from services.views.view import Average, StockView
from tests.unit.market.bundled import FOLDER
from tests.unit.reports.bundled import desk, session

QUARTER = timedelta(days=92)


def shown(symbol: str, end: date) -> StockView:
    return desk().stock(symbol, end - QUARTER, end, session())


def average(view: StockView, length: int) -> Average:
    return next(one for one in view.averages if one.length == length)


def rolling(symbol: str, market: str, length: int) -> pd.Series:
    """The mean of so many closes held, NaN where more than a fifth of the sessions they span has
    none; no suspensions.
    """
    bars = pd.read_parquet(FOLDER / "bars.parquet")
    closes = bars[bars["symbol"] == symbol].set_index("date")["close"]
    closes.index = pd.Index([date.fromisoformat(str(day)) for day in closes.index])
    days = Calendar().sessions(market, min(closes.index), max(closes.index))  # type: ignore[arg-type]
    places = pd.Series(range(len(days)), index=list(days))[closes.index]
    spanned = places - places.shift(length - 1) + 1
    return closes.rolling(length).mean().where(spanned - length <= 0.2 * spanned)


@pytest.mark.parametrize("length", [5, 20, 60])
@pytest.mark.parametrize(
    ("symbol", "market", "end"),
    [
        ("00700.HK", "HK", date(2017, 7, 26)),
        ("600085.SH", "CN", date(2017, 7, 25)),
        ("000001.SH", "CN", date(2017, 7, 25)),
        ("AAPL", "US", date(2016, 7, 25)),
    ],
)
def test_an_average_is_over_the_sessions_before_each_bar(
    symbol: str, market: str, end: date, length: int
) -> None:
    view = shown(symbol, end)
    assert view.bars is not None
    wanted = rolling(symbol, market, length)
    values = [None if pd.isna(wanted[bar.date]) else wanted[bar.date] for bar in view.bars.bars]
    found = average(view, length).values
    assert [one is None for one in found] == [one is None for one in values]
    assert [one for one in found if one] == pytest.approx([one for one in values if one])


def test_three_months_of_a_whole_series_have_all_three_lines() -> None:
    view = shown("00700.HK", date(2017, 7, 26))
    assert [one.length for one in view.averages] == [5, 20, 60]
    assert all(None not in one.values for one in view.averages)


def test_where_a_line_is_cut_is_told() -> None:
    view = shown("600085.SH", date(2017, 7, 25))
    assert view.bars is not None
    drawn = [
        bar.date
        for bar, value in zip(view.bars.bars, average(view, 60).values, strict=True)
        if value is not None
    ]
    # 5 of the 65 sessions that end with the last bar are lost: the line goes on.
    assert (drawn[0], drawn[-1]) == (date(2017, 4, 24), date(2017, 7, 25))
    # 2017-05-31 and 06-01 are: of 7 sessions 2 are more than a fifth.
    week = average(view, 5).values
    places = {bar.date: place for place, bar in enumerate(view.bars.bars)}
    assert week[places[date(2017, 6, 2)]] is None
    assert week[places[date(2017, 5, 26)]] is not None
    assert any("窗口内缺日线" in note.zh and "MA5" in note.zh for note in view.notes)
    assert not any("窗口内缺日线" in note.zh for note in shown("00700.HK", date(2017, 7, 26)).notes)
