"""Turns that say in a word what becomes of the question before, by what each must mean in full."""

import math
from collections.abc import Sequence

import pytest

from services.core.claims import Claim
from services.query.algebra.explain import explain
from services.query.algebra.nodes import Not, Query
from services.query.told_turns import names_in
from tests.unit.market.bundled import names
from tests.unit.query.algebra.asked import ask
from tests.unit.query.algebra.bundle_frames import frames
from tests.unit.query.asking import query

STEEL = "A股钢铁"


def talked(*turns: str) -> Query | None:
    """What the last turn means, after those before it."""
    before: list[Query] = []
    for turn in turns:
        found = query(turn, before)
        assert isinstance(found, Query) or turn == turns[-1], turn
        if not isinstance(found, Query):
            return None
        before.append(found)
    return before[-1]


def ids(found: Query | None) -> list[str]:
    """The companies of a list, in its order, as it is carried out."""
    assert found is not None
    asked = ask(found)
    assert asked.failures == ()
    return [row.symbol for row in asked.outcome.rows if row.symbol]


def largest(industry: str, count: int) -> list[str]:
    table = frames().companies.query("market == 'CN' and industry == @industry")
    return table.market_cap.dropna().sort_values(ascending=False).index[:count].tolist()


# What is said after what, and the question that means the same in full.
ALIKE: Sequence[tuple[tuple[str, ...], str]] = (
    (("A股轻工制造市值前六", "改成前九"), "A股轻工制造市值前九"),
    # One row or a fold was told: what is about the list goes on from the list.
    (
        ("电子行业市值最大的五家", "第二名市盈率多少", "把京东方去掉再排一遍"),
        "电子行业市值最大的五家，不含京东方",
    ),
    (
        ("电子行业市值最大的五家", "第二名市盈率多少", "只要创业板的"),
        "创业板电子行业市值最大的五家",
    ),
    (
        ("Top 5 A-share steel companies by market cap", "who is second?", "drop Baosteel"),
        "Top 5 A-share steel companies by market cap without Baosteel",
    ),
    (("A股银行里市净率最低的五家", "三家就够了"), "A股银行里市净率最低的三家"),
    (("非银金融里PE最低的三只", "再多列两只"), "非银金融里PE最低的五只"),
    (
        ("Top 5 A-share steel companies by market cap", "make it three"),
        "Top 3 A-share steel companies by market cap",
    ),
    (
        ("A-share steel companies with PE under 50", "make it 30"),
        "A-share steel companies with PE under 30",
    ),
    (("A股地产市盈率低于15倍且市值200亿以上的", "市值条件去掉"), "A股地产市盈率低于15倍的"),
    # The years that were told.
    (("万科2014年净利", "16年的呢", "这两年复合增速多少"), "万科2014到2016年净利复合增速"),
    (("万科2012到2016年净利润", "这几年平均多少"), "万科2012到2016年净利润平均值"),
    (
        ("Vanke net profit 2012 to 2016", "the average over those years?"),
        "万科2012到2016年净利润平均值",
    ),
    (
        ("Vanke net profit 2012 to 2016", "CAGR between the first and the last year"),
        "万科2012到2016年净利复合增速",
    ),
    (("Apple revenue FY2014", "and 2016", "net income both years"), "苹果2014年和2016年净利润"),
    # A highest or lowest price of a time.
    (("Tesla highest close in 2014?", "and the lowest in 2016"), "Tesla lowest close in 2016"),
    # Places, and what lies above what was told.
    (("A股银行市净率从低到高", "招商银行排第几"), "招商银行市净率在A股银行里从低到高排第几"),
    (("A股钢铁市盈率低于50", "50 → 30"), "A股钢铁市盈率低于30"),
    (("A股钢铁市盈率低于50", "50改成30"), "A股钢铁市盈率低于30"),
    (("A股钢铁市盈率低于50", "改成30", "撤销"), "A股钢铁市盈率低于50"),
    (("A股钢铁市盈率低于50", "改成30", "上一步撤销"), "A股钢铁市盈率低于50"),
    (("A股钢铁按市值从高到低", "倒过来"), "A股钢铁按市值从低到高"),
    (("A-share steel by market cap, high to low", "flip it"), "A股钢铁按市值从低到高"),
    (("茅台2016年净利润", "五粮液同期呢"), "五粮液2016年净利润"),
    (("茅台2016年净利润", "same period for 五粮液"), "五粮液2016年净利润"),
    (("腾讯从2014年初到现在涨了多少", "阿里巴巴同一时期呢"), "阿里巴巴从2014年初到现在涨了多少"),
    (("A股银行按市值从高到低", "从低到高"), "A股银行按市值从低到高"),
    (("A股银行按市值从高到低", "ascending"), "A股银行按市值从低到高"),
    (("A股钢铁市盈率小于50", "再加一个条件：ROE大于5%"), "A股钢铁市盈率小于50且ROE大于5%"),
    (("中国中车2015年营收", "它同行业里排第几"), "中国中车2015年营收在行业里排第几"),
    (("腾讯的总市值", "它在港股排第几"), "腾讯的总市值在港股排第几"),
    (("A股银行按市值从高到低", "换成按ROE排"), "A股银行按ROE从高到低"),
    (("腾讯2016年涨幅", "那段时间的最大回撤呢"), "腾讯2016年最大回撤"),
    (("五大行2016年净利润总和", "占全部A股银行的几成"), "五大行2016年净利润合计占A股银行的比重"),
)


@pytest.mark.parametrize(("turns", "whole"), ALIKE)
def test_a_turn_means_its_question_in_full(turns: tuple[str, ...], whole: str) -> None:
    wanted = query(whole)
    assert isinstance(wanted, Query)
    found = talked(*turns)
    assert found is not None
    assert found.model_copy(update={"show": ()}) == wanted.model_copy(update={"show": ()})
    assert set(wanted.show) <= set(found.show)


# What no question says in full, as it is told.
TOLD: Sequence[tuple[tuple[str, ...], str]] = (
    # How many of those told, and not of all there are.
    (
        ("市盈率最低的20只A股", "有几家银行"),
        "先取A股中市盈率(TTM)最低的20家，再取其中A股银行有多少家",
    ),
    (
        ("top 20 A shares by market cap", "how many are banks"),
        "先取A股中总市值最高的20家，再取其中A股银行有多少家",
    ),
    (
        ("格力2015年最高收盘是哪天", "那天成交量", "换成五粮液"),
        "五粮液2015-01-01至2015-12-31逐日中收盘价最高的1天，看成交量",
    ),
    (
        ("恒生指数2015年最高收盘", "是哪天", "现在离那个高点还差多少"),
        "恒生指数的(最近收盘与恒生指数的2015-01-01至2015-12-31收盘价的最高值之差)占恒生指数的"
        "2015-01-01至2015-12-31收盘价的最高值的百分比、最近收盘、恒生指数的2015-01-01至2015-12-31"
        "收盘价的最高值",
    ),
    (
        ("恒生指数2015年最高收盘", "最低呢", "这中间跌了多少"),
        "恒生指数的(2015-01-01至2015-12-31收盘价的最低值与2015-01-01至2015-12-31收盘价的最高值"
        "之差)占2015-01-01至2015-12-31收盘价的最高值的百分比、2015-01-01至2015-12-31收盘价的"
        "最低值、2015-01-01至2015-12-31收盘价的最高值",
    ),
    (
        (
            "How many days did Google rise more than 5% in 2015",
            "the biggest one",
            "volume that day",
        ),
        "谷歌2015-01-01至2015-12-31逐日中涨跌幅大于5%的中涨跌幅最高的1天，看成交量",
    ),
    (
        ("医药生物市盈率中位数", "跟食品饮料比呢"),
        "A股医药生物的市盈率(TTM)中位数、A股食品饮料的市盈率(TTM)中位数",
    ),
    (
        ("医药生物市盈率中位数", "高于这个数的有几家"),
        "A股医药生物中市盈率(TTM)大于A股医药生物的市盈率(TTM)中位数的公司有多少家",
    ),
    (
        ("五粮液总市值", "占全行业多少"),
        "五粮液的总市值占所在行业的总市值合计的百分比、总市值、所在行业的总市值合计",
    ),
    # A share, bare: of all of that set, then of another set.
    (
        ("A股PE超100的有多少家", "占比", "创业板占比呢"),
        "A股创业板（市盈率(TTM)大于100倍）中有市盈率(TTM)的公司数占A股创业板中有市盈率(TTM)的公司数的"
        "百分比、A股创业板（市盈率(TTM)大于100倍）中有市盈率(TTM)的公司数、A股创业板中有市盈率(TTM)的"
        "公司数",
    ),
    (
        ("A股亏损的公司有多少家", "占比多少"),
        "A股（亏损（来源不给市盈率(TTM)））中有总市值的公司数占A股中有总市值的公司数的百分比、A股（亏损"
        "（来源不给市盈率(TTM)））中有总市值的公司数、A股中有总市值的公司数",
    ),
    (
        ("A股食品饮料市值最大的是哪家", "前五名加起来占整个行业多少"),
        "A股食品饮料（总市值最高的5家）的总市值合计占A股食品饮料的总市值合计的百分比、A股食品饮料"
        "（总市值最高的5家）的总市值合计、A股食品饮料的总市值合计",
    ),
    # Of all industries, behind one of them; the second of those.
    (
        ("国防军工市盈率中位数", "所有行业里最高的是哪个"),
        "A股各行业中市盈率(TTM)中位数最高的1个行业",
    ),
    (
        ("国防军工市盈率中位数", "所有行业里最高的是哪个", "第二高"),
        "A股各行业的市盈率(TTM)中位数，按市盈率(TTM)中位数从高到低取第2个",
    ),
    (
        ("A股破净的有几家", "哪个行业最多"),
        "A股中市净率(MRQ)不低于0倍且小于1倍的公司各行业中公司数最高的1个行业",
    ),
    # A company's figure, then the fold of a set, then how far it lies above.
    (
        ("贵州茅台静态市盈率", "食品饮料的静态中位数", "它高出多少"),
        "贵州茅台的市盈率(LYR)与A股食品饮料的市盈率(LYR)中位数之差、市盈率(LYR)、A股食品饮料的"
        "市盈率(LYR)中位数",
    ),
    (("贵州茅台市盈率", "食品饮料的中位数"), "A股食品饮料的市盈率(TTM)中位数"),
    # Against the time before.
    (("军工股有多少家", "市值过百亿的几家"), "A股国防军工中总市值大于100亿元的公司有多少家"),
    (("那大盘收多少", "比前一天呢"), "上证指数的涨跌幅、最近收盘"),
    (
        ("茅台2017年5月25日收盘价", "比前一天呢"),
        "贵州茅台的(2017-05-25收盘价与2017-05-24收盘价之差)占2017-05-24收盘价的百分比、"
        "2017-05-25收盘价、2017-05-24收盘价",
    ),
    (
        ("格力2016年ROE", "比前一年呢"),
        "格力电器的净资产收益率从2015年到2016年的变化额、2016年净资产收益率、2015年净资产收益率",
    ),
    (("比亚迪近五年净利润", "哪年涨得最多"), "比亚迪最近5年逐年中净利润同比变化率最高的1年"),
    (("比亚迪2016净利同比", "哪年增得最猛"), "比亚迪历史逐年中净利润同比变化率最高的1年"),
    # Of the two that were spoken of.
    (
        ("工行市盈率", "跟招行比贵还是便宜"),
        "工商银行的市盈率(TTM)与招商银行的市盈率(TTM)之差、市盈率(TTM)、招商银行的市盈率(TTM)",
    ),
    (
        ("茅台市盈率", "五粮液呢", "谁的市值大，大多少"),
        "贵州茅台的总市值与五粮液的总市值之差、总市值、五粮液的总市值",
    ),
    (
        ("茅台市盈率", "五粮液呢", "泸州老窖呢", "谁高"),
        "贵州茅台、五粮液、泸州老窖，按市盈率(TTM)从高到低",
    ),
    (
        ("中国石油市净率", "中国石化呢", "那就看H股的，两家比"),
        "中国石油股份、中国石油化工股份，按市净率(MRQ)从高到低",
    ),
    (
        ("招行2016年分红率", "同仁堂同一年的分红率呢"),
        "同仁堂的2016年每股股利占2016年每股收益的百分比、2016年每股股利、2016年每股收益",
    ),
    (
        ("A股银行市盈率低于7的", "还剩几家 合计市值多少"),
        "A股银行中市盈率(TTM)不低于0倍且小于7倍的公司的公司数、总市值合计",
    ),
    (
        ("A股银行市盈率低于8，市净率低于1的", "去掉PB那条，换成市值过千亿"),
        "A股银行中市盈率(TTM)不低于0倍且小于8倍且总市值大于1000亿元的公司",
    ),
    (("港股市值最大的三家", "去掉银行再排"), "港股（不含银行）中总市值最高的3家"),
    # A bound, or an index, behind a figure of a company: of it, no list of all.
    (("茅台市值多少", "超过5000亿吗"), "贵州茅台的总市值是否大于5000亿元"),
    (("茅台2016年营收", "超过300亿没有", "2015年呢"), "贵州茅台的2015年营业收入是否大于300亿元"),
    (
        ("腾讯今年涨了多少", "跑赢恒指没有", "恒大呢"),
        "中国恒大是否满足：2017-01-01至2017-07-26的区间涨跌幅大于恒生指数的2017-01-01至2017-07-26的"
        "区间涨跌幅",
    ),
    (("茅台市盈率", "市净率低于1的公司"), "A股中市净率(MRQ)不低于0倍且小于1倍的公司"),
    # Whether it is the first of its market; the place in a set; two sets side by side.
    (
        ("贵州茅台是不是A股每股净资产最高的",),
        "贵州茅台是否满足：每股净资产在A股中从高到低的名次不超过1，看每股净资产、A股中有每股净资产的公司数",
    ),
    (
        ("科大讯飞市净率处在计算机行业什么分位",),
        "科大讯飞的市净率(MRQ)在A股计算机中从低到高的分位、市净率(MRQ)、A股计算机中有市净率(MRQ)的公司数",
    ),
    (
        ("沪市和深市总市值各多少，差多少",),
        "A股沪市的总市值合计与A股深市的总市值合计之差、A股沪市的总市值合计、A股深市的总市值合计",
    ),
    (
        ("上证2016年1月跌了多少点，百分之几",),
        "上证指数的收盘价从2016-01-01到2016-01-31的变化额、2016-01-01至2016-01-31的区间涨跌幅",
    ),
    (("汾酒最惨的是哪一年，净利润才多少",), "山西汾酒历史逐年中净利润最低的1年"),
    # The list behind the share its first so many have; that day; the two years that were told.
    (
        ("A股食品饮料市值最大的是哪家", "前五名加起来占整个行业多少", "这五家里面PE低于25的"),
        "先取A股食品饮料中总市值最高的5家，再取其中市盈率(TTM)不低于0倍且小于25倍的公司，按总市值从高到低",
    ),
    (
        ("信达地产今年涨了多少", "最高见过多少", "嗰日收市几多"),
        "信达地产2017-01-01至2017-07-26逐日中最高价最高的1天，看收盘价",
    ),
    (("腾讯2014年营收", "2016年呢", "两年涨了多少"), "腾讯控股的营业收入从2014年到2016年的变化率"),
    (("腾讯2014年营收", "2016年呢", "这两年合计"), "腾讯控股的2014年和2016年营业收入的合计"),
    (
        ("格力市值", "今年单日涨一成以上有几次"),
        "格力电器2017-01-01至2017-07-26逐日中涨跌幅不低于10%的有多少天",
    ),
    # Of a share the sign is that of it all, and of far more companies.
    (("A股净资产为负的有几家",), "A股中每股净资产小于0元的公司有多少家"),
    (("2015年净资产为负的A股",), "A股中2015年归母净资产小于0元的公司"),
    (("乐视网市值", "最后一个交易日收在多少"), "乐视网的最近收盘"),
    (("乐视网停牌前收盘价多少",), "乐视网的最近收盘（没有「停牌前」的数据）"),
)


@pytest.mark.parametrize(("turns", "told"), TOLD)
def test_a_turn_is_told(turns: tuple[str, ...], told: str) -> None:
    found = talked(*turns)
    assert found is not None
    assert explain(found, names_in(found, names(), "zh"), "zh") == told


def test_rows_go_by_their_place_and_stay_gone() -> None:
    five = largest("钢铁", 5)
    said = (f"{STEEL}市值前五", "去掉第一家")
    assert ids(talked(*said)) == five[1:]
    assert ids(talked(*said, "把第二家去掉")) == [five[1], *five[3:]]
    assert ids(talked(*said, "把第二家去掉", "倒过来")) == [*five[:2:-1], five[1]]
    assert ids(talked("top 5 A-share steel by market cap", "leave out the first one")) == five[1:]


def test_those_who_go_from_rows_that_were_listed_have_nobody_in_their_place() -> None:
    table = frames().companies
    five = largest("钢铁", 5)
    kept = [one for one in five if not (table.pb[one] > 1.5)]
    assert kept != five
    assert ids(talked(f"{STEEL}市值前五", "把里头市净率大于1.5的剔掉")) == kept


def test_a_fold_is_of_those_left() -> None:
    asked = ask(talked(f"{STEEL}市值前五", "去掉第一家", "剩下的市净率中位数") or Query())
    wanted = frames().companies.pb[largest("钢铁", 5)[1:]].median()
    figure = next(iter(asked.outcome.rows[-1].figures.values()))
    assert isinstance(figure, Claim)
    figures = [one for one in asked.outcome.rows[-1].figures.values() if isinstance(one, Claim)]
    assert asked.failures == ()
    assert any(math.isclose(one.value, wanted, rel_tol=1e-9) for one in figures)


def test_the_gap_between_the_last_two() -> None:
    table = frames().companies
    one, other = table.pb["600519.SH"], table.pb["000858.SZ"]
    said = ("茅台的市净率", "五粮液的市净率")
    for word, wanted in (("两者相差多少", one - other), ("相差百分之几", (one / other - 1) * 100)):
        found = talked(*said, word)
        assert found is not None
        asked = ask(found)
        figure = next(iter(asked.outcome.rows[0].figures.values()))
        assert asked.failures == ()
        assert isinstance(figure, Claim)
        assert math.isclose(figure.value, wanted, rel_tol=1e-9)


def test_how_many_in_each_of_two_lists() -> None:
    table = frames().companies.query("market == 'CN'")
    found = talked("A股银行市净率低于2", "A股钢铁市净率低于2", "各有几家")
    assert found is not None
    figures = ask(found).outcome.rows[0].figures.values()
    wanted = [
        len(table.query("industry == @one and pb >= 0 and pb < 2")) for one in ("银行", "钢铁")
    ]
    assert [one.value for one in figures if isinstance(one, Claim)] == wanted


def test_net_assets_below_nought_are_counted_by_the_share() -> None:
    (counted,) = ask(talked("A股净资产为负的有几家") or Query()).outcome.rows
    (figure,) = counted.figures.values()
    assert isinstance(figure, Claim)
    assert figure.value == len(frames().companies.query("market == 'CN' and bps < 0"))


@pytest.mark.parametrize(
    "turns",
    [
        ("撤销",),
        ("倒过来",),
        ("A股钢铁市盈率低于50", "撤销"),
        ("A股钢铁市盈率低于50", "40 → 30"),
        ("A股钢铁市值前五", "前六改成前九"),
        ("A股钢铁市值前五", "去掉第六家"),
        ("茅台的市值", "另一家呢"),
        ("茅台和五粮液的市净率", "茅台的市值", "另一家呢"),
        ("招商银行市值在A股银行里排第几", "who is first?"),
        ("茅台2016年净利润", "不看净利润，看营业收入"),
        ("中国平安A股市净率", "港股比它高多少"),
        ("茅台的市值", "相差多少"),
        ("A股钢铁市净率最低的五家", "占几成"),
        ("A股钢铁市净率低于1", "剩下的加起来多少亿"),
    ],
)
def test_what_there_is_nothing_to_do_with_is_put_back(turns: tuple[str, ...]) -> None:
    assert talked(*turns) is None


def test_a_company_left_out_by_name_is_no_row() -> None:
    found = talked("A股银行按市值从高到低", "把招商银行剔掉")
    assert found is not None
    items = getattr(found.scope, "items", ())
    assert any(isinstance(one, Not) for one in items)


@pytest.mark.parametrize(
    ("turns", "full"),
    [
        (("招商银行2015年净利润", "前一年呢"), "招商银行2014年净利润"),
        (("招商银行2015年净利润", "前一年呢", "再往前一年"), "招商银行2013年净利润"),
        (("CMB net profit 2014", "the year after"), "CMB net profit 2015"),
        (("2015年净利润最高的5只A股", "次年呢"), "2016年净利润最高的5只A股"),
    ],
)
def test_a_year_beside_the_one_that_was_said(turns: Sequence[str], full: str) -> None:
    meant = talked(full)
    assert meant is not None
    assert talked(*turns) == meant


def test_no_year_lies_beside_several_or_none() -> None:
    assert talked("招商银行2013到2015年净利润", "前一年呢") is None
    assert talked("招商银行市盈率", "前一年呢") is None


HK_BANKS = "HK banks trading under 0.8x book"
FOOD = "top 5 A share food & beverage names by market cap"


@pytest.mark.parametrize(
    ("turns", "full"),
    [
        # What is cheapest, biggest, went furthest: by what was told.
        (
            ("Vanke vs Poly PE", "and PB", "which is cheaper"),
            "Vanke, Poly Real Estate, by P/B (MRQ) low to high",
        ),
        (
            ("万科和保利地产的市盈率", "市净率呢", "哪个更便宜"),
            "万科A、保利地产，按市净率(MRQ)从低到高",
        ),
        (
            (FOOD, "add their PEs", "which is the cheapest"),
            "first the 5 highest by market cap of A shares in Food and beverages; of these the one"
            " lowest by P/E (TTM); show market cap",
        ),
        (
            (FOOD, "the cheapest of the five"),
            "first the 5 highest by market cap of A shares in Food and beverages; of these the one"
            " lowest by P/E (TTM); show market cap",
        ),
        (
            (HK_BANKS, "Which of them is biggest?"),
            "the one highest by market cap of Hong Kong shares in Banks with P/B (MRQ) at least 0x"
            " and below 0.8x",
        ),
        (
            ("股息率最高的五只A股", "最大的那家"),
            "先取A股中股息率最高的5家，再取其中总市值最高的1家，看股息率",
        ),
        (
            ("Tencent's max drawdown in 2015", "and Kingsoft", "who fell harder"),
            "Tencent, Kingsoft, by deepest fall of close over 2015-01-01 to 2015-12-31 low to high",
        ),
        (
            ("Tencent's max drawdown in 2015", "and Kingsoft", "which is deeper"),
            "Tencent, Kingsoft, by deepest fall of close over 2015-01-01 to 2015-12-31 low to high",
        ),
        (
            ("腾讯2015年最大回撤", "金山软件呢", "哪个更大"),
            "腾讯控股、金山软件，按2015-01-01至2015-12-31收盘价的最大回撤从低到高",
        ),
        (
            ("Tencent price change this year", "and Geely", "which did better"),
            "Tencent, Geely Auto, by price change from 2017-01-01 to 2017-07-26 high to low",
        ),
        (
            ("Moutai and Wuliangye revenue growth 2016", "which rose the most"),
            "Kweichow Moutai, Wuliangye, by 2016 revenue year-on-year change high to low",
        ),
        # Of one row of a list what is asked next is of the list.
        (
            (HK_BANKS, "Which of them is biggest?", "only those over 500bn"),
            "Hong Kong shares in Banks with P/B (MRQ) at least 0x and below 0.8x and market cap"
            " above 500bn HKD",
        ),
        (
            (FOOD, "add their PEs", "which is the cheapest", "make it top ten"),
            "the 10 highest by market cap of A shares in Food and beverages; show P/E (TTM)",
        ),
        (
            (FOOD, "median PE of the whole sector?"),
            "the median P/E (TTM) of A shares in Food and beverages",
        ),
        (("A股食品饮料市值前五", "整个行业的市盈率中位数"), "A股食品饮料的市盈率(TTM)中位数"),
        (
            ("Which of ICBC, CCB and BOC has the highest dividend yield", "PE of that one"),
            "the one highest by dividend yield of Industrial and Commercial Bank of China, China"
            " Construction Bank, Bank of China; show P/E (TTM)",
        ),
        (
            ("工行建行中行谁的股息率最高", "那家的市盈率"),
            "工商银行、建设银行、中国银行中股息率最高的1家，看市盈率(TTM)",
        ),
        (
            (
                "ChiNext stocks with ROE above 20%",
                "count by industry",
                "which industry has the most",
            ),
            "the one with the highest number of companies of A shares in ChiNext with ROE above 20%"
            " by industry",
        ),
        # The same of another company, in an order, in other words.
        (
            ("How many days did Baidu rise more than 5% in 2015", "and Vipshop, same count?"),
            "the number of days of Vipshop Holdings 2015-01-01 to 2015-12-31 with change % above"
            " 5%",
        ),
        (
            ("腾讯2015年有几天涨超过5%", "百度呢"),
            "百度2015-01-01至2015-12-31逐日中涨跌幅大于5%的有多少天",
        ),
        (
            ("Baidu worst day in 2015", "how many days did it move more than 5% either way"),
            "the number of days of Baidu 2015-01-01 to 2015-12-31 with change % above 5% or change"
            " % below -5%",
        ),
        (
            ("google revenue cagr 2012 to 2016", "same for FB", "apple?", "rank them"),
            "Google Class C, Facebook Class A, Apple, by compound annual growth of revenue from"
            " 2012 to 2016 high to low",
        ),
        (
            ("Gree market cap", "Midea?", "and Haier", "which one is the biggest"),
            "Gree Electric Appliances, Midea Group, Haier Elec, by market cap high to low",
        ),
        (
            ("Tesla worst day in 2016", "what was the volume"),
            "the day with the lowest change % of Tesla Motors 2016-01-01 to 2016-12-31; show"
            " volume",
        ),
        (
            ("特斯拉2016年跌得最多的一天", "成交量多少"),
            "特斯拉2016-01-01至2016-12-31逐日中涨跌幅最低的1天，看成交量",
        ),
        (
            (
                "Apple debt to assets 2016",
                "was it lower in 2012?",
                "show me every year in between as well",
            ),
            "debt to assets of Apple 2012 to 2016 year by year",
        ),
        (
            (
                "Tencent net profit 2016",
                "and the year before",
                "so growth was how much in percent?",
            ),
            "percentage change of net profit from 2015 to 2016 of Tencent",
        ),
        (
            ("Facebook price change in 2015", "and the Nasdaq?", "how does Baidu compare"),
            "price change from 2015-01-01 to 2015-12-31 of Baidu",
        ),
    ],
)
def test_a_turn_is_of_what_was_told(turns: Sequence[str], full: str) -> None:
    found = talked(*turns)
    assert found is not None
    lang = "en" if turns[-1].isascii() else "zh"
    assert explain(found, names_in(found, names(), lang), lang) == full


def test_how_far_it_is_off_its_high_is_of_each_company_s_own() -> None:
    asked = ("how far below it are we now", "what about Facebook")
    mine = talked("Tesla highest close ever", *asked[:1])
    other = talked("Tesla highest close ever", *asked)
    assert other == talked("Facebook highest close ever", asked[0]) != mine


@pytest.mark.parametrize(
    "turns",
    [
        ("Apple debt to assets 2016", "2012 difference", "versus 2012"),
        (FOOD, "the cheapest of the four"),
    ],
)
def test_what_was_not_told_is_no_row_and_no_gap(turns: Sequence[str]) -> None:
    assert talked(*turns) is None


@pytest.mark.parametrize(
    ("turns", "full"),
    [
        # Both shares of one company, against each other.
        (
            ("万科AH两边市盈率差多少", "神华的呢"),
            "中国神华的市盈率(LYR)与中国神华(01088.HK)的市盈率(LYR)之差、市盈率(LYR)、"
            "中国神华(01088.HK)的市盈率(LYR)",
        ),
        (
            ("中国平安AH市净率差多少", "新华保险呢"),
            "新华保险的市净率(MRQ)与新华保险(01336.HK)的市净率(MRQ)之差、市净率(MRQ)、"
            "新华保险(01336.HK)的市净率(MRQ)",
        ),
        # Who was left out of one industry is in none of another.
        (
            ("家电板块除了美的格力以外市值超过200亿的", "换成汽车板块看看"),
            "A股汽车中总市值大于200亿元的公司",
        ),
        (
            ("家电板块除了美的以外市值超过200亿的", "换成汽车板块看看", "去掉长安"),
            "A股汽车（不含长安汽车）中总市值大于200亿元的公司",
        ),
        # How far off the fold of a set, then of another set.
        (
            ("median PE of A-share media stocks", "how far below that is Focus Media"),
            "P/E (TTM) minus the median P/E (TTM) of A shares in Media, P/E (TTM), "
            "the median P/E (TTM) of A shares in Media of Focus Media",
        ),
        (
            (
                "median PE of A-share media stocks",
                "how much lower is Focus Media",
                "and the same for computer stocks",
            ),
            "P/E (TTM) minus the median P/E (TTM) of A shares in Computers, P/E (TTM), "
            "the median P/E (TTM) of A shares in Computers of Focus Media",
        ),
        (
            ("A股银行平均ROE", "招行比它高多少", "家电呢"),
            "招商银行的净资产收益率与A股家用电器的净资产收益率平均值之差、净资产收益率、"
            "A股家用电器的净资产收益率平均值",
        ),
        (("同仁堂2015年营收", "行吧,净利率也成"), "同仁堂的2015年净利率"),
        (("茅台市盈率", "市净率也可以"), "贵州茅台的市净率(MRQ)"),
        (
            (
                "Where did Ping An's H shares finish 2016?",
                "and now",
                "how much is that in percent",
                "vs the Hang Seng over the same stretch",
            ),
            "(last close minus 2016-12-31 close) as a percentage of 2016-12-31 close, last close, "
            "2016-12-31 close of Ping An(02318.HK), Hang Seng Index",
        ),
    ],
)
def test_what_was_told_is_asked_of_another(turns: Sequence[str], full: str) -> None:
    found = talked(*turns)
    assert found is not None
    lang = "en" if turns[-1].isascii() else "zh"
    assert explain(found, names_in(found, names(), lang), lang) == full


@pytest.mark.parametrize(
    "turns",
    [
        ("HK-listed banks", "drop the H shares of mainland banks"),
        ("HK-listed banks", "drop the mainland ones"),
        ("港股银行有哪些", "去掉内地银行的H股"),
        ("A-share banks by PE", "drop Moutai"),
        ("A股保险股", "去掉招行"),
    ],
)
def test_who_was_never_in_a_list_cannot_be_left_out_of_it(turns: Sequence[str]) -> None:
    assert talked(*turns) is None
