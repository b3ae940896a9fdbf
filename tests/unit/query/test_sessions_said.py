"""近60个交易日 and 近60日涨跌幅, against pandas on the exchanges' own calendars.

招商银行 closed at 18.24 on 2017-04-27, 60 sessions before its last bar of 2017-07-25.
"""

import warnings
from datetime import date
from functools import cache

import exchange_calendars
import pandas as pd
import pytest

from services.core.claims import Claim
from services.query.answering.answers import Answered
from tests.unit.market.bundled import FOLDER
from tests.unit.query.bundled_query import youju

BARS = pd.read_parquet(FOLDER / "bars.parquet")
GAPS = pd.read_parquet(FOLDER / "gaps.parquet")
EXCHANGES = {"SH": "XSHG", "SZ": "XSHG", "HK": "XHKG"}
LATE = BARS.groupby("symbol")["date"].max().astype(str) >= "2017-07-18"
SYMBOLS = tuple(one for one in LATE[LATE].index if one.rpartition(".")[2] in EXCHANGES)[::3]


@cache
def calendar(name: str) -> exchange_calendars.ExchangeCalendar:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it uses what pandas 3.1 deprecates
        return exchange_calendars.get_calendar(name, start="2010-01-01")


def closes(symbol: str) -> "pd.Series[float]":
    """The close of each session of the exchange; NaN where there is no bar."""
    bars = BARS[BARS["symbol"] == symbol].set_index("date")["close"].sort_index()
    bars.index = pd.DatetimeIndex(bars.index.astype(str))
    exchange = calendar(EXCHANGES[symbol.rpartition(".")[2]])
    return bars.reindex(exchange.sessions_in_range(bars.index[0], bars.index[-1]))


def expected(symbol: str, count: int) -> float | None:
    """The change since the session exactly so many back; None where that has no close."""
    found = closes(symbol)
    base = found.iloc[-1 - count]
    return None if pd.isna(base) else float(found.iloc[-1] / base - 1) * 100


def answered(text: str) -> Answered:
    found = youju().query.ask(text, None)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found


def change(found: Answered) -> float | None:
    return next((one.value for one in found.claims if one.metric == "run_change"), None)


@pytest.mark.parametrize("words", ["近{}个交易日涨跌幅", "近{}日涨跌幅"])
@pytest.mark.parametrize("count", [7, 60])
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_a_change_is_over_exactly_so_many_sessions(symbol: str, count: int, words: str) -> None:
    wanted = expected(symbol, count)
    got = change(answered(symbol + words.format(count)))
    assert got == (wanted if wanted is None else pytest.approx(wanted, rel=1e-9))


def test_the_bank_is_told_as_its_score_tells_it() -> None:
    found = answered("600036.SH近60个交易日涨跌幅")
    assert "较 2017-04-27 的 18.24元上涨 40.0%" in found.text
    assert any("区间内缺 5 个交易日" in note for note in found.draft.notes)
    assert answered("600036.SH近60日涨跌幅").text == found.text


@pytest.mark.parametrize(("words", "count"), [("", 1), ("近5个交易日", 5), ("近60个交易日", 60)])
def test_an_amount_is_over_exactly_so_many_sessions_too(words: str, count: int) -> None:
    """Its last bar is of the day before: that is the newest session, not one without a price."""
    found, by_hand = youju().query.ask(f"招商银行{words}涨了多少钱"), closes("600036.SH")
    assert isinstance(found, Answered)
    (moved,) = [
        one.value
        for one in found.claims
        if one.cite.kind == "derived" and one.cite.formula.startswith("difference")
    ]
    assert moved == pytest.approx(by_hand.iloc[-1] - by_hand.iloc[-1 - count])


def test_sessions_lost_at_the_head_are_counted_and_the_close_before_them_stands() -> None:
    found = answered("600036.SH近60天涨跌幅")  # from 2017-05-27; 05-31 and 06-01 are lost
    assert any("区间内缺 4 个交易日" in note for note in found.draft.notes)
    bars = closes("600036.SH")
    wanted = float(bars.iloc[-1] / bars["2017-05-26"] - 1) * 100
    assert change(found) == pytest.approx(wanted, rel=1e-9)


def test_days_of_announcements_are_days() -> None:
    plan = answered("600036.SH近60日公告").turn.nlir
    assert plan is not None
    assert plan.nodes[0].arg("start_date") == "2017-05-27"


def test_the_close_the_change_is_from_is_cited() -> None:
    found = answered("600036.SH近60个交易日涨跌幅")
    days = {one.as_of for one in found.claims if isinstance(one, Claim) and one.metric == "close"}
    assert days == {date(2017, 4, 27), date(2017, 7, 25)}


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("600036.SH近30日涨跌幅", "近60日呢"),
        ("600036.SH近一年走势", "近60个交易日呢"),
        ("600036.SH price change last 20 trading days", "last 60 trading days"),
    ],
)
def test_a_question_that_goes_on_counts_sessions_too(before: str, text: str) -> None:
    first = answered(before)
    found = youju().query.ask(text, first.session_id)
    assert isinstance(found, Answered)
    change = next(one for one in found.claims if one.metric == "run_change")
    # 25.53 of 2017-07-25 over 18.24 of 2017-04-27, sixty sessions of Shanghai before.
    assert change.value == pytest.approx((25.53 / 18.24 - 1) * 100)
