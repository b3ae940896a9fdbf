"""Turns that go on from the one before, by what the last of them is told to mean."""

from collections.abc import Sequence

import pytest

from services.query.algebra.explain import explain
from services.query.algebra.nodes import Query, Several
from services.query.told_turns import names_in
from tests.unit.market.bundled import names
from tests.unit.query.asking import query

BELOW_BOOK = "港股银行中市净率(MRQ)不低于0倍且小于1倍"
Told = Sequence[tuple[tuple[str, ...], str | None]]

# What became of a figure between the times that were told, or against one that is named.
BETWEEN_TIMES: Told = (
    (
        ("中车跟比亚迪16年资产负债率谁高", "12年的时候呢", "各自变了几个点"),
        "中国中车、比亚迪的资产负债率从2012年到2016年的变化额",
    ),
    (
        ("中车跟比亚迪16年负债/资产", "12年的时候呢", "各自变了几个点"),
        "中国中车、比亚迪的(2016年总负债与2016年总资产之比)与(2012年总负债与2012年总资产之比)之差",
    ),
    (
        ("茅台2016年净利润", "2012年呢", "增加了多少亿"),
        "贵州茅台的净利润从2012年到2016年的变化额",
    ),
    (("格力2016年净利润", "增加了多少亿"), "格力电器的2016年净利润同比变化额"),
    (("格力2016年净利率", "提高了几个百分点"), "格力电器的2016年净利率同比变化额"),
    (
        ("格力2016年净利润", "比2015年增加了多少亿"),
        "格力电器的2016年净利润与2015年净利润之差、2016年净利润、2015年净利润",
    ),
    (
        ("汾酒13到16年营收", "16年跟13年比少了百分之多少"),
        "山西汾酒的(2016年营业收入与2013年营业收入之差)占2013年营业收入的百分比、2016年营业收入、2013年营业收入",
    ),
    (
        ("茅台2016年营收", "跟2013年比高多少"),
        "贵州茅台的2016年营业收入与2013年营业收入之差、2016年营业收入、2013年营业收入",
    ),
    (
        ("茅台13到16年营收", "和13年相比，16年多了多少"),
        "贵州茅台的2016年营业收入与2013年营业收入之差、2016年营业收入、2013年营业收入",
    ),
    (
        ("茅台2015年和2016年营收", "少了多少"),
        "贵州茅台的2016年营业收入与2015年营业收入之差、2016年营业收入、2015年营业收入",
    ),
    (
        ("招行和平安银行2016年净利润", "和上一年比呢"),
        "招商银行、平安银行的净利润从2015年到2016年的变化率、2016年净利润、2015年净利润",
    ),
    (
        ("腾讯收盘价", "跟2017年6月1日比呢"),
        "腾讯控股的(最近收盘与2017-06-01收盘价之差)占2017-06-01收盘价的百分比、最近收盘、2017-06-01收盘价",
    ),
    (
        ("How did Fosun Intl do in 2016?", "profit I mean", "versus 2015?"),
        "percentage change of net profit from 2015 to 2016, 2016 net profit, 2015 net profit of "
        "Fosun Intl",
    ),
    (("茅台近三年营收", "增加了多少亿"), None),
    # Joined by it, both are told.
    (("P/E of Moutai vs Wuliangye",), "P/E (TTM) of Kweichow Moutai, Wuliangye"),
)

# Several things told at once: what goes on from them goes on from them, no earlier turn.
TOLD_TOGETHER: Told = (
    (
        ("A股银行里面有没有破净的?", "那港股呢,有几家", "其中市值2000亿以上的"),
        f"{BELOW_BOOK}且总市值不低于2000亿港元的公司",
    ),
    (
        ("港股银行市净率低于1的有哪些，有几家？", "市值最大的是谁"),
        f"{BELOW_BOOK}的公司，取总市值最高的1家",
    ),
    (
        ("List Hong Kong banks below book, and how many are there",),
        "Hong Kong shares in Banks with P/B (MRQ) at least 0x and below 1x; how many Hong Kong "
        "shares in Banks with P/B (MRQ) at least 0x and below 1x there are",
    ),
)


@pytest.mark.parametrize(
    ("turns", "told"), [*BETWEEN_TIMES, *TOLD_TOGETHER], ids=lambda one: str(one)[-24:]
)
def test_the_last_turn_means(turns: tuple[str, ...], told: str | None) -> None:
    before: list[Query] = []
    for turn in turns[:-1]:
        found = query(turn, before)
        assert found is not None, turn
        before += _queries(found)
    language = "en" if turns[0].isascii() else "zh"
    said = [
        explain(one, names_in(one, names(), language), language)
        for one in _queries(query(turns[-1], before))
    ]
    assert ("；" if language == "zh" else "; ").join(said) == (told or "")


def _queries(found: Query | Several | None) -> Sequence[Query]:
    parts = found.queries if isinstance(found, Several) else (found,)
    return [one for one in parts if isinstance(one, Query)]
