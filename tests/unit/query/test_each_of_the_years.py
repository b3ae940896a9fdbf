"""What held in each year of a company, or in any, and what is asked after its years were told."""

import pytest

from services.query.algebra.explain import explain
from services.query.algebra.nodes import Query, Several
from services.query.answering.answers import Answered
from services.query.told_turns import names_in
from tests.unit.market.bundled import names
from tests.unit.query.asking import query
from tests.unit.query.bundled_query import youju

# Told as one plan: different words and places of them, Chinese and English.
SAME = (
    (
        "同仁堂是否满足：2012年至2016年每期都净利润同比变化率大于0%",
        "同仁堂2012到2016净利润每年都增长吗",
        "同仁堂2012年到2016年净利润是不是每年都在增长",
        "同仁堂2012到2016年净利润一直在增长吗",
        "同仁堂2012到2016年净利润是不是连续每年增长",
    ),
    (
        "特斯拉是否满足：历史每期都净利润小于0（报表币种）",
        "特斯拉这些年是不是一直亏",
        "特斯拉每年都亏损吗",
        "特斯拉是不是年年亏",
        "Has Tesla lost money every year?",
    ),
    (
        "科大讯飞是否满足：历史每期都营业收入同比变化率大于30%",
        "科大讯飞是不是连续每年营收增长都超过30%",
        "科大讯飞每年营收增长都超过30%吗",
        "科大讯飞营收增速一直超过30%吗",
    ),
    (
        "贵州茅台是否满足：2012年至2016年每期都净资产收益率大于25%",
        "茅台2012到2016年ROE每年都超过25%吗",
        "Was Moutai's ROE always above 25% between 2012 and 2016?",
        "Was Moutai's ROE above 25% every year from 2012 to 2016?",
    ),
    (
        "招商银行2012年至2016年逐年中净利润同比变化率小于0%的",
        "招行2012到2016年净利润下降过吗",
        "招行净利润2012到2016年有没有降过",
        "Did CMB's net profit ever decline between 2012 and 2016?",
        "Did CMB's net profit fall in any year from 2012 to 2016?",
    ),
    (
        "特斯拉历史逐年中净利润大于0（报表币种）的",
        "特斯拉盈利过吗",
        "特斯拉有没有哪年盈利",
        "Has Tesla ever made a profit?",
    ),
    (
        "特斯拉历史逐年中净利润小于0（报表币种）的中净利润最高的1年",
        "特斯拉哪年亏得最少",
        "特斯拉净亏损最小的是哪年",
        "In which year was Tesla's net loss smallest?",
    ),
    (
        "特斯拉是否满足：2016年净利润小于2015年净利润且小于0（报表币种）",
        "特斯拉2016年亏得比2015年多吗",
        "特斯拉2016年净亏损比2015年大吗",
        "Is Tesla's net loss bigger in 2016 than in 2015?",
    ),
    (
        "比亚迪2012年至2016年逐年的营业收入同比变化率",
        "How did BYD's revenue grow each year from 2012 to 2016?",
    ),
)
# What stands beside it makes it another question, or none.
APART = (
    ("同仁堂2012到2016净利润每年都增长吗", "同仁堂2012到2016净利润增长了吗"),
    ("同仁堂2012到2016净利润每年都增长吗", "同仁堂2012到2016净利润每年都下降吗"),
    ("同仁堂2012到2016净利润每年都增长吗", "同仁堂2013到2016净利润每年都增长吗"),
    ("同仁堂2012到2016净利润每年都增长吗", "同仁堂2012到2016每股收益每年都增长吗"),
    ("特斯拉每年都亏损吗", "特斯拉每年都盈利吗"),
    ("特斯拉每年都亏损吗", "特斯拉每年都没亏损吗"),
    ("特斯拉哪年亏得最少", "特斯拉哪年亏得最多"),
    ("Did CMB's net profit ever decline between 2012 and 2016?",
     "Did CMB's net profit decline between 2012 and 2016?"),
    ("招行净利润下降过吗", "招行净利润增长过吗"),
)  # fmt: skip
_ROE = ("汾酒2012到2016年ROE", "哪一年最低")
# The turns, and what the last of them is told as; None where it is put back.
AFTER = (
    (("腾讯2012到2016年营收", "翻了几倍"), "腾讯控股的营业收入从2012年到2016年的倍数"),
    (("万科2016年净利润", "2012年呢", "涨了几倍"), "万科A的净利润从2012年到2016年的倍数"),
    ((*_ROE, "和同仁堂比呢"), "山西汾酒、同仁堂2012年至2016年逐年中每个公司净资产收益率最低的1年"),
    (
        (*_ROE, "和同仁堂比呢", "2016年谁高"),
        "山西汾酒、同仁堂，按2016年净资产收益率从高到低",
    ),
    (
        ("腾讯和比亚迪2012到2016年谁的营收增长快", "只看2016年比2015年"),
        "腾讯控股、比亚迪，按营业收入从2015年到2016年的变化率从高到低",
    ),
    (
        ("百度2016年净利润", "跟2015年比呢", "2014年呢"),
        "百度的净利润从2014年到2016年的变化率、2016年净利润、2014年净利润",
    ),
    (("苹果、谷歌、Facebook 2016年营收", "前两家的净利率"), "苹果、谷歌的2016年净利率"),
    (
        ("汾酒14年净利润", "后来回到2012年的水平没有"),
        "山西汾酒的净利润占2012年净利润的百分比、净利润、2012年净利润",
    ),
    (
        ("汾酒14年净利润", "比前一年少了多少", "后来回到2012年的水平没有"),
        "山西汾酒的净利润占2012年净利润的百分比、净利润、2012年净利润",
    ),
    (("比亚迪2012到2016净利润", "哪年下降"), "比亚迪2012年至2016年逐年中净利润同比变化率小于0%的"),
    (("BYD 2016 net profit", "did it ever fall?"), "比亚迪历史逐年中净利润同比变化率小于0%的"),
    (("特斯拉历年净利润", "是不是一直亏"), "特斯拉是否满足：历史每期都净利润小于0（报表币种）"),
    (
        ("山西汾酒2012到2016年营收、净利润", "净利润恢复到12年的几成了"),
        "山西汾酒的净利润占2012年净利润的百分比、净利润、2012年净利润",
    ),
    (
        ("同仁堂2012到2016净利润每年都增长吗", "还有哪些公司也是这样"),
        "A股中2012年至2016年每期都净利润同比变化率大于0%的公司",
    ),
    (
        ("A股银行市净率最低的五家", "工商银行怎么没有"),
        "工商银行是否满足：A股且银行且市净率(MRQ)在A股银行中从低到高的名次不超过5，看市净率(MRQ)",
    ),
    (("比亚迪2012年资产负债率", "不对 我要16年的"), "比亚迪的2016年资产负债率"),
    (("特斯拉哪年亏最多", "最少的呢"), None),
)


@pytest.mark.parametrize(
    ("told", "text"), [(told, text) for told, *texts in SAME for text in texts]
)
def test_what_held_each_year_or_ever(told: str, text: str) -> None:
    assert _told(query(text)) == told


@pytest.mark.parametrize(("one", "other"), APART)
def test_another_word_is_another_question(one: str, other: str) -> None:
    assert query(one) is not None
    assert query(one) != query(other)


@pytest.mark.parametrize(("turns", "told"), AFTER, ids=lambda one: str(one)[-24:])
def test_what_is_asked_after_years(turns: tuple[str, ...], told: str | None) -> None:
    before: list[Query] = []
    for turn in turns[:-1]:
        found = query(turn, before)
        assert isinstance(found, Query), turn
        before.append(found)
    assert _told(query(turns[-1], before)) == told


def test_the_first_year_has_nothing_to_have_grown_from() -> None:
    grew, fell = (_answered(f"{name}2012到2016净利润每年都增长吗") for name in ("同仁堂", "比亚迪"))
    assert "每期都净利润同比变化率大于0%：是" in grew.text
    assert "每期都净利润同比变化率大于0%：否" in fell.text
    for found in (grew, fell):
        assert "2013年至2016年" in found.text
        assert "没有2012年" not in found.text


def test_of_so_many_years_in_a_row_what_is_not_known_is_said() -> None:
    found = _answered("同仁堂净利润连续五年增长吗")
    assert "能判断的各期都是" in found.text
    assert "没有2012年净利润同比变化率" in found.text


def test_a_figure_is_told_and_that_no_source_says_why() -> None:
    found = _answered("万达电影净利润哪年增得最慢，原因是啥")
    assert "15.23%" in found.text
    assert "没有「原因」的数据" in found.text
    plain = _answered("万达电影净利润哪年增得最慢")
    assert {one.value for one in plain.claims} == {one.value for one in found.claims}


def _answered(text: str) -> Answered:
    found = youju().query.ask(text)
    assert isinstance(found, Answered), text
    return found


def _told(found: Query | Several | None) -> str | None:
    if found is None:
        return None
    assert isinstance(found, Query)
    return explain(found, names_in(found, names(), "zh"), "zh")
