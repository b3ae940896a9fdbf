"""Companies told over several turns are spoken of together: 三家平均, 他们都…吗, rank the three."""

# ruff: noqa: E501 — one conversation a line

import pytest

from services.core.claims import Claim
from services.query.answering.answers import Answered
from services.query.sessions import Planned
from tests.unit.query.algebra.bundle_frames import frames
from tests.unit.query.bundled_query import talk

PE = ("茅台市盈率多少", "五粮液呢", "洋河呢")
THREE = ("600519.SH", "000858.SZ", "002304.SZ")
HK = ("Tencent PE", "and China Mobile?", "and HSBC?")

# Turns, and how the last of them is read.
READ = (
    ((*PE, "三家平均是多少"), "贵州茅台、五粮液、洋河股份的市盈率(TTM)平均值"),
    ((*PE, "平均多少"), "贵州茅台、五粮液、洋河股份的市盈率(TTM)平均值"),
    ((*PE, "泸州老窖呢", "四家平均"), "贵州茅台、五粮液、洋河股份、泸州老窖的市盈率(TTM)平均值"),
    ((*PE, "两家平均"), "五粮液、洋河股份的市盈率(TTM)平均值"),
    ((PE[0], "五粮液和洋河呢", "三家平均"), "贵州茅台、五粮液、洋河股份的市盈率(TTM)平均值"),
    ((*PE, "排个序"), "贵州茅台、五粮液、洋河股份，按市盈率(TTM)从高到低"),
    ((*PE, "三个里面最便宜的是哪个"), "贵州茅台、五粮液、洋河股份，按市盈率(TTM)从低到高"),
    ((*PE, "哪个最便宜"), "贵州茅台、五粮液、洋河股份，按市盈率(TTM)从低到高"),
    ((*PE, "这三家的市净率"), "贵州茅台、五粮液、洋河股份的市净率(MRQ)"),
    ((*PE, "三家市净率各多少"), "贵州茅台、五粮液、洋河股份的市净率(MRQ)"),
    ((*PE, "他们的市净率呢"), "贵州茅台、五粮液、洋河股份的市净率(MRQ)"),
    ((*PE[:2], "他们都超过20倍吗"), "贵州茅台、五粮液的市盈率(TTM)是否大于20倍"),
    ((*PE[:2], "两家都高于行业中位数吗"), "贵州茅台、五粮液的市盈率(TTM)是否大于所在行业的市盈率(TTM)中位数"),
    ((*PE[:2], "都高于行业中位数吗"), "贵州茅台、五粮液的市盈率(TTM)是否大于所在行业的市盈率(TTM)中位数"),
    (("茅台市盈率", "五粮液市净率", "他们的总市值呢"), "贵州茅台、五粮液的总市值"),
    (("騰訊控股而家市值幾多", "平保H股呢", "兩隻相差幾多"), "腾讯控股的总市值与中国平安(02318.HK)的总市值之差"),
    (("万科2015年净利润", "碧桂园呢", "排个序"), "万科A、碧桂园，按2015年净利润从高到低"),
    (("万科2016年净利润", "碧桂园呢", "恒大呢", "2015年三家呢"), "万科A、碧桂园、中国恒大的2015年净利润"),
    (("比亚迪A股2016年全年涨跌多少", "长城汽车H股呢", "今年到现在呢，两只都说"), "比亚迪、长城汽车(02333.HK)的2017-01-01至2017-07-26的区间涨跌幅"),
    (("茅台2016年净利润", "五粮液呢", "两家加起来占白酒行业多少"), "贵州茅台、五粮液的2016年净利润合计占A股白酒公司"),
    (("招行市净率", "浦发呢", "再加上北京银行，排个序"), "招商银行、浦发银行、北京银行，按市净率(MRQ)从高到低"),
    (("招行和浦发谁的PB低", "再加上北京银行，三家排个序"), "招商银行、浦发银行、北京银行，按市净率(MRQ)从高到低"),
    ((*PE, "他们三家市净率"), "贵州茅台、五粮液、洋河股份的市净率(MRQ)"),
    (("腾讯2016年涨了多少", "中国移动呢", "汇丰呢", "三只排个序"), "腾讯控股、中国移动(00941.HK)、汇丰控股，按2016-01-01至2016-12-31的区间涨跌幅从高到低"),
    (("医药股市盈率20到30倍、市值200亿以上的A股", "市净率5倍以下的呢", "他们两家市值合计多少"), "A股医药生物中市盈率(TTM)不低于20倍且不超过30倍且总市值不低于200亿元且市净率(MRQ)不低于0倍且不超过5倍的公司的总市值合计"),
    (("恒大2016年营收多少", "万科呢", "那万科是它的几倍"), "万科A的2016年营业收入与中国恒大的2016年营业收入之比"),
    (("腾讯市盈率", "中国移动呢", "中国移动比它低吗"), "中国移动(00941.HK)的市盈率(LYR)是否小于腾讯控股的市盈率(LYR)"),
    ((*HK, "average of the three"), "the mean P/E (LYR) of Tencent, China Mobile(00941.HK), HSBC Holdings"),
    ((*HK, "the average"), "the mean P/E (LYR) of Tencent, China Mobile(00941.HK), HSBC Holdings"),
    ((*HK, "rank the three"), "Tencent, China Mobile(00941.HK), HSBC Holdings, by P/E (LYR) high to low"),
    ((*HK[:2], "which is cheaper"), "Tencent, China Mobile(00941.HK), by P/E (LYR) low to high"),
    ((*HK[:2], "are they both below 30"), "whether P/E (LYR) of Tencent, China Mobile(00941.HK) is below 30x"),
    (("Tencent market cap", HK[1], "both together"), "the combined market cap of Tencent, China Mobile(00941.HK)"),
    (("Moutai PE", "Wuliangye?", "add Yanghe and rank them"), "Kweichow Moutai, Wuliangye, Yanghe, by P/E (TTM) high to low"),
)  # fmt: skip

# One word points at one, a set is named, or the figure told last is of one alone.
OF_ONE = (
    ((*PE[:2], "它的市净率呢"), "五粮液的市净率(MRQ)"),
    ((*PE[:2], "他们公司市净率多少"), "五粮液的市净率(MRQ)"),
    ((*PE[:2], "市净率呢"), "五粮液的市净率(MRQ)"),
    ((*PE, "三家市净率最低的银行"), "A股银行中市净率(MRQ)最低的3家"),
    (("恒大2016年营收多少", "万科呢", "恒大是它的几倍"), "中国恒大的2016年营业收入与万科A的2016年营业收入之比"),
    (("A股市值前三", "三家平均市盈率"), "A股中总市值最高的3家，并算市盈率(TTM)平均值"),
)  # fmt: skip

# Not as many were told, not the same of each, or nobody knows of whom.
PUT_BACK = (
    (*PE[:2], "四家平均"),
    (*PE[:2], "三家市净率各多少"),
    (*PE[:2], "他们三家市净率"),
    (*PE[:2], "三家谁最低"),
    (*PE[:2], "这三家的市净率"),
    (*PE, "这四家的市净率"),
    (*PE, "三家差多少"),
    (*PE, "谁第二"),
    (*PE, "不算茅台，两家平均"),
    (PE[0], "两家差多少"),
    (PE[0], "都超过20倍吗"),
    ("茅台市盈率", "五粮液市净率", "平均多少"),
    ("茅台市盈率", "五粮液市净率", "排个序"),
    ("茅台市盈率", "五粮液市净率", "他们差多少"),
    ("万科2016年净利润", "2015年呢", "排个序"),
    ("万科2015年净利润", "碧桂园呢", "谁赚得多，多多少"),
    ("腾讯市值", "中国移动呢", "汇丰呢", "汇丰是它的几倍"),
    ("招行市净率", "浦发呢", "再加上北京银行，四家排个序"),
    (*HK, "average of the four"),
)  # fmt: skip


def values(found: Answered | Planned) -> list[object]:
    assert isinstance(found, Answered)
    return [one.value for one in found.claims if isinstance(one, Claim)]


@pytest.mark.parametrize(("turns", "read"), [*READ, *OF_ONE])
def test_a_turn_is_of_those_that_were_told(turns: tuple[str, ...], read: str) -> None:
    found = talk(*turns)
    assert isinstance(found, Answered), turns
    assert found.plan_words.startswith(read)


@pytest.mark.parametrize("turns", PUT_BACK)
def test_what_is_of_others_than_were_told_is_put_back(turns: tuple[str, ...]) -> None:
    assert not isinstance(talk(*turns), Answered)


def test_a_mean_is_of_all_that_were_told() -> None:
    multiples = frames().companies.loc[list(THREE), "pe_ttm"]
    assert multiples.mean() in [pytest.approx(one) for one in values(talk(*PE, "三家平均"))]


def test_those_that_were_told_stand_in_their_order() -> None:
    multiples = frames().companies.loc[list(THREE), "pe_ttm"].sort_values()
    found = talk(*PE, "三个里面最便宜的是哪个")
    assert isinstance(found, Answered)
    names = [frames().companies.name[one] for one in multiples.index]
    places = [found.text.index(one) for one in names]
    assert places == sorted(places)


def test_both_together_are_their_sum() -> None:
    caps = frames().companies.loc[["00700.HK", "00941.HK"], "market_cap"]
    found = talk("Tencent market cap", "and China Mobile?", "both together")
    assert caps.sum() in [pytest.approx(one) for one in values(found)]


def test_the_one_told_last_is_so_many_times_the_other() -> None:
    caps = frames().companies["market_cap"]
    found = talk("腾讯市值", "中国移动呢", "中国移动是它的几倍")
    times = caps["00941.HK"] / caps["00700.HK"]
    assert times in [pytest.approx(one) for one in values(found)]


def test_each_of_all_is_tested_by_what_was_told() -> None:
    multiples = frames().companies.loc[list(THREE), "pe_ttm"]
    found = talk(*PE, "都超过25倍吗")
    assert isinstance(found, Answered)
    assert f"3家里{(multiples > 25).sum()}家" in found.text
