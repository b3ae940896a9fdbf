"""Names in English: the source's, else a nickname, else the Chinese name by sound with its code."""

import pandas as pd
import pytest

from tests.unit.market.bundled import names


@pytest.mark.parametrize(
    ("symbol", "zh", "en"),
    [
        ("00700.HK", "腾讯控股", "Tencent"),
        ("00005.HK", "汇丰控股", "HSBC Holdings"),
        ("00388.HK", "香港交易所", "HKEX"),
        ("01928.HK", "金沙中国有限公司", "Sands China"),
        ("AAPL", "苹果", "Apple"),
        ("MSI", "摩托罗拉系统", "Motorola Solutions"),
        ("MCD", "麦当劳", "McDonald's"),
        ("JPM", "摩根大通", "JPMorgan Chase & Co."),
        ("JD", "京东", "JD.com"),
        ("ASMB", "ASSEMBLY BIOSCIENCES INC", "Assembly Biosciences"),
        ("600519.SH", "贵州茅台", "Kweichow Moutai"),
        ("600036.SH", "招商银行", "China Merchants Bank"),
        ("000001.SH", "上证指数", "SSE Composite"),
        ("600011.SH", "华能国际", "Huaneng Guoji (600011)"),
        ("601766.SH", "中国中车", "CRRC"),
        ("600999.SH", "招商证券", "China Merchants Securities"),
        ("600015.SH", "华夏银行", "Hua Xia Bank"),
        ("601012.SH", "隆基股份", "LONGi"),
        ("601398.SH", "工商银行", "Industrial and Commercial Bank of China"),
        ("000725.SZ", "京东方A", "BOE Technology"),
        ("600000.HK", "600000.HK", "600000.HK"),
    ],
)
def test_a_company_has_a_name_in_both_languages(symbol: str, zh: str, en: str) -> None:
    told = names().text(symbol)
    assert (told.zh, told.en) == (zh, en)


def test_no_listed_company_has_chinese_in_its_english_name() -> None:
    listed = pd.read_parquet("data/snapshot/companies.parquet")
    for symbol in listed["symbol"]:
        assert not any("一" <= sign <= "鿿" for sign in names().text(symbol).en)


def test_the_name_of_the_list_at_hand_is_kept() -> None:
    assert names().text("600519.SH", "贵州茅台酒").zh == "贵州茅台酒"
