"""How far prices went: from which close, over how many sessions, and in the year asked for next.

By hand and by pandas from the snapshot: the bars of 2017-05-31 and of some days of June are lost.
"""

from typing import Any

import pandas as pd
import pytest

from services.query.answering.answers import Answered
from services.settings import ROOT
from tests.unit.query.bundled_query import talk

BARS: Any = pd.read_parquet(ROOT / "data" / "snapshot" / "bars.parquet").sort_values("date")


def asked(*turns: str) -> Answered:
    found = talk(*turns)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("科大讯飞6月份涨了多少", "较 2017-05-26 的 29.91元上涨 33.4%"),
        ("上证指数2017年6月涨了多少", "较 2017-05-26 的 3,110.06点上涨 2.65%"),
    ],
)
def test_where_the_close_before_is_lost_it_is_from_the_last_one_held(text: str, told: str) -> None:
    found = asked(text)
    assert told in found.text
    notes = " ".join(str(one) for one in found.draft.notes)
    assert "涨跌从 2017-05-26 的收盘算起" in notes


@pytest.mark.parametrize(
    "turns",
    [
        ("恒生指数去年走势", "那今年呢"),
        ("How did the Hang Seng do last year?", "And this year so far?"),
    ],
)
def test_another_year_behind_a_course_of_prices_is_how_far_they_went(
    turns: tuple[str, ...],
) -> None:
    bars = BARS[BARS.symbol == "HSI"]
    begun = bars[bars.date.astype(str) < "2017"].close.iloc[-1]
    assert f"{(bars.close.iloc[-1] / begun - 1) * 100:.1f}%" in asked(*turns).text


def test_of_the_first_sessions_of_a_time_each_is_told() -> None:
    bars = BARS[(BARS.symbol == "600036.SH") & (BARS.date.astype(str) >= "2016")]
    told = asked("招商银行2016年前三个交易日的收盘价").text
    for day, close in zip(bars.date.head(3), bars.close.head(3), strict=True):
        assert f"{str(day)[:10]}：收盘价 {close:.2f}元" in told


def test_days_of_the_year_told_are_counted_in_it() -> None:
    closes = BARS[BARS.symbol == "000001.SH"].set_index("date")["close"]
    moves = closes.pct_change()[lambda one: one.index.astype(str).str.startswith("2015")]
    told = asked("上证指数2015年最大回撤", "那年跌超过5%的有几天").text
    assert f"有 {(moves < -0.05).sum()}天" in told
