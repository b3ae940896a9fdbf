"""Who is in the snapshot: counts of the sources, and names looked up in the raw files."""

from pathlib import Path

import pandas as pd

from services.core.symbols import Symbol
from services.store.snapshot import read_manifest


def test_there_are_3241_a_shares_and_2498_hong_kong_rows(listed: pd.DataFrame) -> None:
    stocks = listed[listed["kind"] == "stock"].groupby("market").size()
    assert stocks["CN"] == 3241
    assert stocks["HK"] == 2498
    assert sorted(listed.index[listed["kind"] == "index"]) == ["000001.SH", "HSI", "IXIC"]
    assert listed.index.is_unique


def test_kept_and_dropped_rows_add_up_to_the_4150_and_9988_rows_of_the_source(
    folder: Path, listed: pd.DataFrame
) -> None:
    dropped = read_manifest(folder).part("companies.parquet").dropped
    # 4150 rows: 91 duplicates, 298 SH 000xxx, 416 SZ 399xxx + 3 SZ 395xxx, 52 + 49 B shares
    assert {name: count for name, count in dropped.items() if name.startswith("CN")} == {
        "CN_exact_duplicate": 91,
        "CN_index_SH_000": 298,
        "CN_index_SZ_39": 419,
        "CN_b_share": 101,
    }
    american = sum(count for name, count in dropped.items() if name.startswith("US"))
    assert american + len(listed[(listed["market"] == "US") & (listed["kind"] == "stock")]) == 9988


def test_every_symbol_is_in_our_spelling(listed: pd.DataFrame) -> None:
    domestic = [text for text in listed.index if text.endswith((".SH", ".SZ"))]
    assert all(Symbol.parse(text).value == text for text in domestic)
    assert all(Symbol(text).board == listed.loc[text, "board"] for text in listed.index)


def test_moutai_is_named_as_in_the_source(listed: pd.DataFrame) -> None:
    row = listed.loc["600519.SH"]
    assert row["name"] == "贵州茅台"
    assert row["industry"] == "食品饮料"
    assert row["old_names"] == "G茅台"
    assert row["full_name"] == "贵州茅台酒股份有限公司"
    assert row["pinyin"] == "guizhoumaotai"
    assert row["initials"] == "gzmt"


def test_former_names_and_other_readings_are_kept(listed: pd.DataFrame) -> None:
    assert listed.loc["601766.SH", "old_names"] == "中国南车"
    assert listed.loc["600036.SH", "old_names"] == "G招行|招行"
    assert listed.loc["000001.SZ", "initials"].split("|")[0] == "payh"
    assert listed.loc["03333.HK", "old_names"] == "恒大地产"
    assert listed.loc["00700.HK", "english_name"] == "TENCENT"
    assert listed.loc["SFUN", "old_names"] == "搜房网"


def test_an_industry_the_source_does_not_give_is_missing(listed: pd.DataFrame) -> None:
    assert pd.isna(listed.loc["000002.SZ", "industry"])
    assert not listed["industry"].isin(["-", "--", ""]).any()


def test_market_counters_and_test_symbols_are_not_companies(listed: pd.DataFrame) -> None:
    assert listed.loc["C", "name"] == "花旗集团"
    assert "ZZZ" not in listed.index
    assert listed.loc["INTT", "name"] == "inTest Corporation"
