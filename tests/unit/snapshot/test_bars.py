"""Bars and gaps: raw rows looked up in the source files, known-bad rows gone, holes named."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from services.store.snapshot import read_manifest

Sessions = Callable[[str, str, str], list[str]]
FROZEN_CN = (
    *("2016-11-01", "2016-11-11", "2016-11-25", "2016-12-29", "2017-05-15"),
    *("2017-05-31", "2017-06-01", "2017-06-08", "2017-06-09", "2017-07-26"),
)
FROZEN_US = ("2016-01-15", "2016-02-02", "2016-06-13", "2016-07-26")


def _gap(gaps: pd.DataFrame, symbol: str, start: str) -> tuple[str, int, str]:
    row = gaps[(gaps["symbol"] == symbol) & (gaps["start"] == start)].iloc[0]
    return row["end"], row["sessions"], row["kind"]


def test_kept_and_dropped_rows_add_up_to_the_32420_of_the_source(
    folder: Path, bars: pd.DataFrame
) -> None:
    dropped = read_manifest(folder).part("bars.parquet").dropped
    assert dropped == {
        "CN_frozen_intraday": 97,
        "US_frozen_intraday": 40,
        "phantom_not_a_session": 2,
    }
    assert len(bars) + sum(dropped.values()) == 32_420
    assert bars.index.get_level_values("symbol").nunique() == 29
    assert bars.index.is_unique
    assert bars.index.is_monotonic_increasing


def test_the_shanghai_index_of_august_2015_reads_as_in_the_source(bars: pd.DataFrame) -> None:
    closes = {day: bars.loc[("000001.SH", day), "close"] for day in ("2015-08-21", "2015-08-24")}
    assert closes == {"2015-08-21": 3507.74, "2015-08-24": 3209.91}
    # 3209.91 / 3507.74 - 1 = -8.4906 %
    assert closes["2015-08-24"] / closes["2015-08-21"] - 1 == pytest.approx(-0.084906, abs=1e-6)
    row = bars.loc[("000001.SH", "2015-08-24")]
    assert (row["unit"], row["adjust"], row["raw_close"]) == ("points", "none", "3209.91")


def test_adjustment_and_currency_are_told_by_market(bars: pd.DataFrame) -> None:
    last = bars.groupby("symbol").last()
    assert tuple(last.loc["000002.SZ", ["adjust", "unit"]]) == ("additive_qfq_201707", "CNY")
    assert tuple(last.loc["00700.HK", ["adjust", "unit"]]) == ("split_only", "HKD")
    assert tuple(last.loc["AAPL", ["adjust", "unit"]]) == ("split_only", "USD")


def test_rows_frozen_during_trading_are_absent(bars: pd.DataFrame) -> None:
    symbols = bars.index.get_level_values("symbol")
    days = bars.index.get_level_values("date")
    assert not (symbols.str.endswith((".SH", ".SZ")) & days.isin(FROZEN_CN)).any()
    american = ~symbols.str.contains(".", regex=False) & (symbols != "HSI")
    assert not (american & days.isin(FROZEN_US)).any()
    assert ("002230.SZ", "2016-01-21") not in bars.index
    assert ("600036.SH", "2016-01-21") in bars.index


def test_the_phantom_day_is_absent(bars: pd.DataFrame) -> None:
    assert "2017-05-30" not in bars.index.get_level_values("date")


def test_every_bar_is_on_a_session_of_its_exchange(bars: pd.DataFrame, sessions: Sessions) -> None:
    for unit, name in {"CNY": "XSHG", "HKD": "XHKG", "USD": "XNYS"}.items():
        traded = bars[bars["unit"] == unit].index.get_level_values("date")
        assert set(traded) <= set(sessions(name, "2011-07-28", "2017-07-26")), unit


def test_no_session_is_unaccounted_for(
    bars: pd.DataFrame, gaps: pd.DataFrame, sessions: Sessions
) -> None:
    for symbol in ("000002.SZ", "300104.SZ", "600036.SH", "000001.SH"):
        without = gaps.loc[gaps["symbol"] == symbol, "sessions"].sum()
        first = bars.loc[symbol].index[0]
        expected = len(sessions("XSHG", first, "2017-07-26"))
        assert len(bars.loc[symbol]) + without == expected, symbol


def test_vanke_was_suspended_from_2015_12_21_to_2016_07_01(
    bars: pd.DataFrame, gaps: pd.DataFrame
) -> None:
    assert _gap(gaps, "000002.SZ", "2015-12-21") == ("2016-07-01", 130, "suspension")
    assert bars.loc[("000002.SZ", "2015-12-18"), "raw_close"] == "23.71"
    assert bars.loc[("000002.SZ", "2016-07-04"), "raw_close"] == "21.27"


def test_letv_was_suspended_twice(gaps: pd.DataFrame) -> None:
    assert _gap(gaps, "300104.SZ", "2015-12-07") == ("2016-06-02", 121, "suspension")
    assert _gap(gaps, "300104.SZ", "2017-04-17") == ("2017-07-26", 70, "suspension")


def test_days_missing_from_all_shenzhen_series_are_holes(gaps: pd.DataFrame) -> None:
    for symbol in ("000002.SZ", "002230.SZ", "002594.SZ", "300059.SZ"):
        assert _gap(gaps, symbol, "2016-08-29") == ("2016-08-29", 1, "hole")
        assert _gap(gaps, symbol, "2017-05-02") == ("2017-05-02", 1, "hole")
        assert _gap(gaps, symbol, "2017-07-21") == ("2017-07-26", 4, "hole")


def test_dropped_sessions_are_gaps_of_their_own_kind(gaps: pd.DataFrame) -> None:
    assert _gap(gaps, "600036.SH", "2017-05-31") == ("2017-06-01", 2, "dropped")
    assert _gap(gaps, "002230.SZ", "2016-01-21") == ("2016-01-21", 1, "dropped")
    assert _gap(gaps, "AAPL", "2016-06-13") == ("2016-06-13", 1, "dropped")
    assert _gap(gaps, "AAPL", "2016-06-14") == ("2016-06-14", 1, "hole")


def test_hong_kong_stocks_share_21_holes_and_have_no_suspension(
    gaps: pd.DataFrame, sessions: Sessions
) -> None:
    hong_kong = gaps[gaps["symbol"].str.endswith(".HK")]
    assert set(hong_kong["kind"]) == {"hole"}
    missing = [
        {
            day
            for start, end in zip(own["start"], own["end"], strict=True)
            for day in sessions("XHKG", start, end)
        }
        for _, own in hong_kong.groupby("symbol")
    ]
    assert len(missing) == 7
    assert len(set.intersection(*missing)) == 21


def test_an_index_is_never_suspended(gaps: pd.DataFrame) -> None:
    indexes = gaps[gaps["symbol"].isin(["000001.SH", "HSI", "IXIC"])]
    assert "suspension" not in set(indexes["kind"])


def test_a_volume_the_source_writes_as_zero_is_missing(bars: pd.DataFrame) -> None:
    assert bars.loc["HSI", "raw_volume"].eq("0").sum() == 1470
    assert not bars["volume"].eq(0).any()
    assert pd.isna(bars.loc[("IXIC", "2016-04-08"), "volume"])


def test_a_close_outside_the_day_s_range_is_kept_and_told(folder: Path, bars: pd.DataFrame) -> None:
    low, high = bars[["open", "close"]].min(axis=1), bars[["open", "close"]].max(axis=1)
    odd = bars[(bars["low"] > low) | (bars["high"] < high)]
    assert list(odd.index) == [("IXIC", "2015-06-26")]
    assert odd.iloc[0]["raw_open"] == "5139.48"
    defects = read_manifest(folder).part("bars.parquet").defects_en
    assert any("IXIC 2015-06-26" in text for text in defects)
