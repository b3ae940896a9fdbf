"""A turn that says one thing anew: it takes the place of what is of its kind, the rest stays."""

import pytest

from services.query.answering.answers import Answered
from services.query.sessions import Planned
from tests.unit.query.bundled_query import youju


def _read_as(*texts: str) -> str:
    """What the last of these turns was read as; nothing where it was put back."""
    session: str | None = None
    found: Answered | Planned | None = None
    for text in texts:
        found = youju().query.ask(text, session)
        session = found.session_id
    return found.draft.plan_words if isinstance(found, Answered) else ""


@pytest.mark.parametrize(
    ("before", "turn", "figure"),
    [
        (("比亚迪2016年营业收入", "同比增长多少"), "换成净利润", "2016年净利润同比变化率"),
        (("恒大2016营收比2015涨多少",), "净利润呢", "净利润从2015年到2016年的变化率"),
        (("同仁堂2016年营收是2012年的几倍",), "净利润呢", "2016年净利润与2012年净利润之比"),
        (("茅台市值是五粮液的几倍",), "市盈率呢", "市盈率(TTM)与五粮液的市盈率(TTM)之比"),
        (("海康威视市值排第几",), "市净率呢", "市净率(MRQ)在A股中从高到低的名次"),
        (("万达电影2014到2016年净利润平均",), "营收呢", "2014年至2016年营业收入的平均值"),
        (("苹果 谷歌 脸书 2016营收排个序",), "换成净利润", "按2016年净利润从高到低"),
        (("BYD revenue growth in 2016",), "net profit?", "net profit year-on-year change"),
    ],
)
def test_another_figure_is_asked_the_same(before: tuple[str, ...], turn: str, figure: str) -> None:
    assert figure in _read_as(*before, turn)


def test_an_average_of_the_industry_is_none_of_the_companies() -> None:
    assert _read_as("中国中车近五年的负债率", "和万科比", "平均呢")
    assert not _read_as("中国中车近五年的负债率", "和万科比", "行业平均呢")


def test_what_is_among_them_keeps_what_was_said_of_them() -> None:
    told = _read_as("创业板pe大于100的公司", "其中医药的列十个,pe最高的")
    assert "创业板医药生物中市盈率(TTM)大于100倍" in told
    assert "创业板" not in _read_as("创业板pe大于100的公司", "A股医药生物pe最高的十家")


def test_the_average_of_an_empty_list_is_told_as_such() -> None:
    told = _read_as("市净率低于1的A股银行", "按市值排序", "只看前三家", "平均市盈率多少")
    assert "市盈率(TTM)平均值" in told


@pytest.mark.parametrize(
    ("before", "turn", "told"),
    [
        (("茅台的市盈率",), "静态的呢", "贵州茅台的市盈率(LYR)"),
        (("格力、美的的市盈率",), "海信电器也放进来，把PE改成静态的", "海信电器的市盈率(LYR)"),
        (("PE低于15的A股", "静态的呢"), "再换回滚动的", "市盈率(TTM)不低于0倍且小于15倍"),
        (("茅台的市盈率",), "五粮液比它高多少", "五粮液的市盈率(TTM)与贵州茅台的市盈率(TTM)之差"),
        (("茅台2016年净利润",), "五粮液是它的几倍", "2016年净利润与贵州茅台的2016年净利润之比"),
        (
            ("比亚迪2016年资产负债率",),
            "2012年呢，高了还是低了",
            "2012年资产负债率与2016年资产负债率之差",
        ),
        (
            ("比亚迪2016年资产负债率",),
            "跟2013年差几个百分点",
            "2016年资产负债率与2013年资产负债率之差",
        ),
        (("A股银行市盈率最低的是哪家",), "最高的呢", "市盈率(TTM)最高的1家"),
        (("万科2012到2016年营收",), "最低的呢", "营业收入最低的1年"),
        (("万科2012到2016年净利润",), "哪年赚得最少", "净利润最低的1年"),
        (("万科2012到2016年净利润",), "哪一年增得最慢", "净利润同比变化率最低的1年"),
        (
            ("茅台、五粮液、洋河2016年净利润", "加起来多少"),
            "茅台占几成",
            "2016年净利润合计的百分比",
        ),
        (("茅台2016年净利润", "五粮液呢", "洋河呢"), "三家加起来", "洋河股份的2016年净利润合计"),
        (("市值500亿以上PE不到15倍的A股",), "一共剩几家", "的公司有多少家"),
        (("茅台和五粮液的市值",), "茅台是五粮液的几倍", "总市值与五粮液的总市值之比"),
        (("万科2012到2016年净利润", "哪年最高"), "那年的营收是多少", "最高的1年，看营业收入"),
        (("华为的市盈率",), "那中兴通讯的呢", "中兴通讯的市盈率(TTM)"),
        (("A股银行市值前十", "看2016年ROE"), "大于15%的", "再取其中2016年净资产收益率大于15%的"),
        (("港股各行业市净率中位数",), "家数最多的三个行业呢", "按公司数从高到低取前3个"),
        (("各行业总市值加总前五名",), "那家数最多的五个行业呢", "A股各行业中公司数最高的5个行业"),
        (("港股各行业市净率中位数",), "最低的呢", "市净率(MRQ)中位数最低的1个行业"),
        (("各行业市盈率中位数", "最低的三个"), "市净率呢", "中位数、市净率(MRQ)中位数，按"),
        # A question of its own, of whom and when was told last.
        (
            ("万科2012到2016年净利润", "这几年平均多少"),
            "2015年比2014年增长多少",
            "净利润从2014年到2015年的",
        ),
        (("同仁堂2012到2016每年的营收和净利",), "净利哪年增速最快", "中净利润同比变化率最高的1年"),
        (
            ("腾讯今年涨了多少",),
            "有几天跌了超过2%",
            "腾讯控股2017-01-01至2017-07-26逐日中涨跌幅小于-2%的",
        ),
        (("上证指数2016年最低收在多少",), "哪天", "逐日中最近收盘最低的1天"),
        (("同仁堂2016年净利润",), "跟2012年比呢", "净利润从2012年到2016年的变化率"),
        (("招行市值排第几",), "在银行里呢", "总市值在A股银行中从高到低的名次"),
        # What lies between, of each figure that was told.
        (
            ("腾讯的市盈率和市净率", "中国移动呢"),
            "腾讯是它的几倍",
            "市净率(MRQ)与中国移动(00941.HK)的",
        ),
        (("科大讯飞市盈率", "行业中位数呢"), "高多少", "与所在行业的市盈率(TTM)中位数之差"),
        (
            ("比亚迪和长城汽车2015年净利润差多少",),
            "净利率也比一下",
            "2015年净利率与长城汽车的2015年净利率之差",
        ),
        (
            ("腾讯今年以来涨了多少", "恒指同期呢"),
            "那腾讯跑赢了几个百分点",
            "与恒生指数的2017-01-01至",
        ),
        (("茅台的市净率", "五粮液的也看一下"), "它们俩市净率差多少", "与五粮液的市净率(MRQ)之差"),
        (
            ("贵州茅台的市盈率", "五粮液呢"),
            "再加上洋河，三家一起看",
            "茅台、五粮液、洋河股份的市盈率",
        ),
        # Of the list, behind a number or one row of it; among its rows alone.
        (
            ("A股银行市净率最低的五家", "第二家是谁"),
            "按市盈率排",
            "最低的5家，再取其中市盈率(TTM)最高的5家",
        ),
        (("港股市值前十", "市盈率中位数"), "里面市净率低于1的", "最高的10家，再取其中市净率(MRQ)"),
        (("A股市值前十",), "其中银行有哪些", "先取A股中总市值最高的10家，再取其中A股银行"),
        (("港股银行市净率低于1的",), "里面两百亿以上的", "且总市值不低于200亿港元的公司"),
    ],
)
def test_what_is_said_in_a_word_changes_that_alone(
    before: tuple[str, ...], turn: str, told: str
) -> None:
    assert told in _read_as(*before, turn)


def test_what_is_not_there_is_changed_to_nothing_else() -> None:
    assert not _read_as("茅台的股息率", "静态的呢")
    assert not _read_as("汇丰控股的市盈率", "滚动的呢")
    assert not _read_as("招商银行近五年ROE", "万科呢", "哪家高")  # no year is asked for
    assert not _read_as("A股银行市值前五", "里面电子的有几家")
    assert "股息率" not in _read_as("万科去年每股分红多少钱", "分红率大概是多少")
    assert "没有收录" not in _read_as("华为的市盈率", "那中兴通讯的呢", "再加上市净率")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("格力、美的、苏泊尔这三家的市盈率", "格力电器、美的集团、苏泊尔的市盈率(TTM)"),
        ("港交所的市盈率跟市净率分别几倍", "香港交易所的市盈率(LYR)、市净率(MRQ)"),
        ("公司数最多的五个行业", "A股各行业中公司数最高的5个行业"),
        ("公司最少的三个行业", "A股各行业中公司数最低的3个行业"),
        ("总市值排前三的行业", "A股各行业中总市值合计最高的3个行业"),
        ("三块钱以下的A股都有谁", "A股中最近收盘不超过3元的公司"),
        ("一千亿以上的A股", "A股中总市值不低于1000亿元的公司"),
        ("净利润为正的A股", "A股中净利润大于0元的公司"),
        ("腾讯今年有几天跌了超过2%", "腾讯控股2017-01-01至2017-07-26逐日中涨跌幅小于-2%的有多少天"),
        (
            "恒指过去三年单日跌得最狠的是哪几天",
            "恒生指数2014-07-26至2017-07-26逐日中涨跌幅最低的5天",
        ),
        (
            "同仁堂七月以来有没有连涨三天的",
            "同仁堂是否满足：2017-07-01至2017-07-26最近收盘的最长连涨不低于3个交易日",
        ),
        (
            "A股有百分之几的公司市盈率超过100倍",
            "A股（市盈率(TTM)大于100倍）中有市盈率(TTM)的公司数占A股中有市盈率(TTM)的公司数的百分比",
        ),
        (
            "上证指数和恒生指数2015年7月哪个跌得多",
            "上证指数、恒生指数，按2015-07-01至2015-07-31的区间涨跌幅从低到高",
        ),
        ("市值最大的公司，最多给我五家", "A股中总市值最高的5家"),
    ],
)
def test_numbers_of_companies_count_what_they_stand_beside(text: str, told: str) -> None:
    assert _read_as(text) == told


def test_those_pointed_at_are_as_many_as_were_named() -> None:
    assert not _read_as("平安银行、招商银行这三家的市盈率")
    told = _read_as("格力、美的、苏泊尔的市盈率", "万科、保利地产这两家的市盈率")
    assert told == "万科A、保利地产的市盈率(TTM)"
