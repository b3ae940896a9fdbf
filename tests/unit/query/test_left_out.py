"""What a turn leaves out is of what the turn before told: whom, when, which figure and list."""

# ruff: noqa: E501 — one conversation a line

import pytest

from services.core.claims import Claim
from services.query.answering.answers import Answered
from tests.unit.query.algebra.bundle_frames import frames
from tests.unit.query.bundled_query import talk

# Turns, and how the last of them is read.
READ = (
    (("招行市净率", "比行业平均高吗"), "招商银行的市净率(MRQ)是否大于所在行业的市净率(MRQ)平均值"),
    (("招行市净率", "高于行业中位数吗"), "招商银行的市净率(MRQ)是否大于所在行业的市净率(MRQ)中位数"),
    (("招行市净率", "比浦发高吗"), "招商银行的市净率(MRQ)是否大于浦发银行的市净率(MRQ)"),
    (("CMB PB", "is it higher than SPDB's"), "whether P/B (MRQ) of China Merchants Bank is above"),
    (("招行市净率", "比它低的有几家"), "A股中市净率(MRQ)小于招商银行的市净率(MRQ)的公司有多少家"),
    (("招行市净率", "同行业里比它低的有哪些"), "A股银行中市净率(MRQ)小于招商银行的市净率(MRQ)的公司"),
    (("招行市净率", "是行业最高的吗"), "招商银行是否满足：市净率(MRQ)在A股银行中从高到低的名次不超过1"),
    (("招行市净率高不高",), "招商银行的市净率(MRQ)与所在行业的市净率(MRQ)中位数之差"),
    (("招商银行2016年净利润", "历史上最高是多少"), "招商银行历史逐年中净利润最高的1年"),
    (("招商银行今年涨了多少", "成交量最大是哪天"), "招商银行2017-01-01至2017-07-26逐日中成交量最高的1天"),
    (("招行近五年ROE", "下降的有几年"), "招商银行2012年至2016年逐年中净资产收益率同比变化额小于0个百分点的有多少年"),
    (("招商银行2012年到2016年的净资产收益率", "降了几个百分点"), "招商银行的净资产收益率从2012年到2016年的变化额"),
    (("白酒市值前五", "哪些比行业中位数高"), "先取A股白酒公司（主营名单）中总市值最高的5家，再取其中总市值大于"),
    (("白酒市值前五", "最低的是哪家"), "先取A股白酒公司（主营名单）中总市值最高的5家，再取其中总市值最低的1家"),
    (("A股市值前十", "哪家是银行"), "先取A股中总市值最高的10家，再取其中A股银行"),
    (("A股市值前十", "再加5家"), "A股中按总市值从高到低取第11至第15家"),
    (("A股市值前十", "跟A股中位数比"), "A股中总市值最高的10家，看总市值与A股的总市值中位数之差"),
    (("创业板市值前五", "温氏的市盈率", "把它去掉"), "先取A股创业板中总市值最高的5家，再取其中A股创业板（不含温氏股份）"),
    (("创业板市值前五", "温氏的市盈率", "这几家里谁的市净率最低"), "先取A股创业板中总市值最高的5家，再取其中市净率(MRQ)最低的1家"),
    (("市值过千亿的A股有几家", "沪市和深市各多少"), "A股沪市中总市值大于1000亿元的公司有多少家；A股深市中"),
    (("市值过千亿的A股有几家", "有几家是银行"), "A股银行中总市值大于1000亿元的公司有多少家"),
    (("市盈率低于10的A股", "今年上涨的有哪些"), "区间涨跌幅大于0%的公司"),
    (("市盈率低于10的A股", "2016年净利润增长的呢"), "2016年净利润同比变化率大于0%的公司"),
    (("建设银行港股市净率", "工行呢"), "工商银行(01398.HK)的市净率(MRQ)"),
    (("2016年每股分红最高的是哪家", "哪家分红率最高"), "A股中每股股利占每股收益的百分比最高的1家"),
    (("食品饮料市值前三是谁", "占全行业多少", "如果算前五"), "A股食品饮料（总市值最高的5家）的总市值合计占"),
    # Of the set whose median, sum or number was told.
    (("有色金属市值中位数", "高于中位数的有几家"), "A股有色金属中总市值大于所在行业的总市值中位数的公司有多少家"),
    (("食品饮料行业总市值多少", "前三名合计占多少"), "A股食品饮料（总市值最高的3家）的总市值合计占A股食品饮料的总市值合计的百分比"),
    (("中国平安占A股非银金融总市值的多少", "前三名合计占多少"), "A股非银金融（总市值最高的3家）的总市值合计占A股非银金融"),
    # What was asked of a list is what its rows are held against each other by.
    (("家电市值前五", "他们的市净率呢", "最高的是哪家"), "先取A股家用电器中总市值最高的5家，再取其中市净率(MRQ)最高的1家"),
    (("家电市值前五", "他们的市净率呢", "第二高的呢"), "再取其中按市净率(MRQ)从高到低取第2家"),
    (("家电市值前五", "他们的市净率呢", "最高的是最低的几倍"), "（总市值最高的5家）的市净率(MRQ)最高值与"),
    (("家电市值前五", "他们的市净率呢", "从低到高排"), "先取A股家用电器中总市值最高的5家，再取其中按市净率(MRQ)从低到高"),
    (("家电市值前五", "他们的市净率呢", "茅台呢"), "贵州茅台的市净率(MRQ)"),
    (("家电市值前五", "从低到高排"), "先取A股家用电器中总市值最高的5家，再取其中按总市值从低到高"),
    (("港股汽车市值最大四家", "哪家市盈率最低", "加上比亚迪一起比"), "(港股且汽车且总市值在港股汽车中从高到低的名次不超过4)或比亚迪股份，按总市值从高到低，看市盈率(LYR)"),
    (("steel sector, five lowest P/E", "show P/B for them instead"), "the 5 lowest by P/E (TTM) of A shares in Steel; show P/B"),
    # How a figure went is of the figure that was told; a price by the one it was told by.
    (("汾酒净利润同比", "跌得最厉害的是哪年"), "山西汾酒历史逐年中净利润同比变化率最低的1年"),
    (("汾酒2016年涨了多少", "哪年跌得最惨"), "山西汾酒历史逐年中当期涨跌幅最低的1年"),
    (("招行2016年单日最大涨幅", "最大跌幅呢"), "招商银行2016-01-01至2016-12-31逐日中涨跌幅最低的1天"),
    (("万科2016年跌幅最大的三天", "这三天成交量"), "逐日中涨跌幅最低的3天，看成交量"),
    (("腾讯2016年最高收盘价", "最低呢", "从最低到最高涨了多少"), "占2016-01-01至2016-12-31收盘价的最低值的百分比"),
    (("东方财富值得买吗", "那它离历史最高收盘跌了多少"), "(历史收盘价的最高值与最近收盘之差)占历史收盘价的最高值的百分比"),
    (("Apple's net profit 2016", "growth over 2012?"), "percentage change of net profit from 2012 to 2016"),
    (("平安的市盈率", "我说的是保险那家，A股"), "中国平安的市盈率(TTM)"),
    (("招行近五年每股分红", "哪年最多", "占那年每股收益多少"), "招商银行的2016年每股股利占2016年每股收益的百分比"),
    (("招行2016年净利润", "占2016年营收多少"), "招商银行的2016年净利润占2016年营业收入的百分比"),
    (("讯飞去年营收利润同比各多少",), "科大讯飞的2016年营业收入同比变化率、2016年净利润同比变化率"),
    (("港股银行市净率最低的是哪家", "只看市值一千亿以上的"), "港股银行中总市值不低于1000亿港元的公司，取市净率(MRQ)最低的1家"),
    (("茅台市值", "五粮液呢", "再加上老窖", "三家占食品饮料几成"), "贵州茅台、五粮液、泸州老窖的总市值占A股食品饮料的总市值合计的百分比"),
    (("招商银行2016年净利润", "历年呢"), "招商银行历史逐年的净利润"),
    (("PE低于10的A股", "哪个行业最多"), "A股中市盈率(TTM)不低于0倍且小于10倍的公司各行业中公司数最高的1个行业"),
)  # fmt: skip

# What must not be read as something else than was asked.
PUT_BACK = (
    ("银行平均市净率", "前三名合计占多少"),
    ("median PE of the brokers & insurers sector (非银金融)", "and banks?"),
    ("沪市有多少家公司", "高于中位数的有几家"),
    ("茅台2016年净利润", "最高比最低高多少"),
    ("万科2016年跌幅最大的三天", "那天的成交量呢"),
    ("白酒市值前五", "这五家里哪家最便宜"),
    ("茅台2016年净利润", "比同行贵吗"),
    ("白酒市值前五", "第一名占多少"),
    ("白酒市值前五", "第一名和第六名差多少"),
    ("茅台的市值", "两家市净率呢"),
    ("茅台营业收入", "那现金流呢"),
    ("茅台市盈率", "把它去掉"),
)  # fmt: skip


@pytest.mark.parametrize(("turns", "read"), READ)
def test_what_is_left_out_is_of_the_turn_before(turns: tuple[str, ...], read: str) -> None:
    found = talk(*turns)
    assert isinstance(found, Answered), turns
    assert read in found.plan_words


@pytest.mark.parametrize("turns", PUT_BACK)
def test_what_cannot_be_of_it_is_put_back(turns: tuple[str, ...]) -> None:
    assert not isinstance(talk(*turns), Answered)


def test_what_is_left_out_goes_on_from_the_turn_before() -> None:
    """What the page says of it: on from the turn before, and of a whole question that it is not."""
    left_out = talk("招行市净率", "比它低的有几家").turn.nlir
    whole = talk("招行市净率", "浦发银行市净率高不高").turn.nlir
    assert left_out is not None
    assert whole is not None
    assert [one.ref_id is not None for one in (*left_out.nodes, *whole.nodes)] == [True, False]


def test_whether_one_is_in_the_list_is_tested_by_what_makes_it() -> None:
    banks = frames().companies.query("market == 'CN' and industry == '银行'")
    least = banks[banks["pb"].rank() <= 5]
    for name in ("招商银行", "张家港行"):
        found = talk("A股银行市净率最低的5家", f"有{name}吗")
        assert isinstance(found, Answered)
        is_there = name in set(least["name"])
        assert ("：是。" if is_there else "：否。") in found.text


def test_two_places_of_a_list_are_set_against_each_other() -> None:
    caps = frames().companies.query("market == 'CN'")["market_cap"].dropna().tolist()
    caps = sorted(caps, reverse=True)
    found = talk("A股市值前五", "第一名和第二名差多少")
    assert isinstance(found, Answered)
    told = [one.value for one in found.claims if isinstance(one, Claim)]
    assert caps[0] - caps[1] in [pytest.approx(one) for one in told]
