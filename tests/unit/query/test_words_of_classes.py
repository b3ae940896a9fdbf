"""Whole classes of everyday words: each said in another way means what the plain way means."""

import pytest

from services.query.algebra.explain import explain
from services.query.algebra.nodes import Ask, In, Query, walk
from services.query.reading.question_words import industry_labels
from tests.unit.market.bundled import names
from tests.unit.query.asking import query, reading
from tests.unit.query.bundled_query import youju

# Said in everyday words, and the same in plain ones.
ALIKE = (
    ("银行股息率介乎3厘至5厘", "银行股息率在3%到5%之间"),
    ("银行股息率落在3%到5%之间", "银行股息率在3%到5%之间"),
    ("银行股息率超过5个点的有几檔", "银行股息率超过5%的有几家"),
    ("劳驾列一下净资产收益率两位数的银行", "净资产收益率不低于10%的银行"),
    ("2016年扭亏为盈的公司", "2015年净利润小于0且2016年净利润大于0的公司"),
    ("2016年由盈转亏的公司", "2015年净利润大于0且2016年净利润小于0的公司"),
    ("2016年增收不增利的公司", "2016年营业收入上升且2016年净利润下降的公司"),
    ("万科A和比亚迪2016年谁卖得多", "万科A和比亚迪2016年谁营业收入最高"),
    ("which company doubled net profit in 2016", "companies whose 2016 net profit doubled"),
    ("银行市净率由多到少", "银行市净率从高到低"),
    ("市值最大的三家银行公司", "市值最大的三家银行企业"),
    # A code is a company in any digits.
    ("三零零一四四的市销率", "300144的市销率"),
    ("零零七零零的市值", "00700的市值"),
    ("零零零零零一和六零零零三六谁市值大", "000001和600036谁市值大"),
    # Names of industries with the sign for their and.
    ("top 5 food & beverage by market cap", "top 5 food and beverage by market cap"),
    ("top 5 building & decoration by market cap", "top 5 construction by market cap"),
    ("A股传媒市值前五", "A股传媒行业市值前五"),
    ("中国媒体市值前五", "A股传媒市值前五"),
    # Bounds as they are spoken.
    ("总市值少说也得1000亿的银行股", "总市值不低于1000亿的银行股"),
    ("总市值有1000亿的银行股", "总市值不低于1000亿的银行股"),
    ("股息率控制在4%到6%的银行股", "股息率在4%到6%之间的银行股"),
    ("股息率4%以上6%以下的银行股", "股息率在4%到6%之间的银行股"),
    ("总市值已经超过1000亿的银行股", "总市值超过1000亿的银行股"),
    ("市净率1倍(含)以下的银行股", "市净率1倍以下的银行股"),
    # Places.
    ("总市值位列第三的银行", "总市值第三的银行"),
    ("总市值坐第三把交椅的银行", "总市值第三的银行"),
    ("总市值较大的5家银行", "总市值最大的5家银行"),
    ("总市值排最后的5家银行", "总市值最小的5家银行"),
    ("银行股市盈率谁最高", "银行股市盈率最高的是谁"),
    # Times.
    ("贵州茅台开年至今涨了多少", "贵州茅台今年以来涨了多少"),
    ("贵州茅台17年以来涨了多少", "贵州茅台2017年以来涨了多少"),
    ("贵州茅台回看五年净利润", "贵州茅台近五年净利润"),
    ("贵州茅台上个财年营收", "贵州茅台2016年营收"),
    ("贵州茅台上礼拜涨了多少", "贵州茅台上周涨了多少"),
    ("贵州茅台七月三号收盘价", "贵州茅台2017年7月3日收盘价"),
    ("贵州茅台本月3号收盘价", "贵州茅台2017年7月3日收盘价"),
    # What a price does, said of a reported figure, is its growth.
    ("2016年净利润涨了的白酒公司", "2016年净利润同比增长的白酒公司"),
    ("2016年净利润不如上年的白酒公司", "2016年净利润同比下降的白酒公司"),
    ("2016年净利润没下滑的白酒公司", "2016年净利润同比增长率不低于0的白酒公司"),
    ("贵州茅台2016年净利润是涨是跌", "贵州茅台2016年净利润同比增长多少"),
    ("贵州茅台今年一共涨了多少", "贵州茅台今年涨了多少"),
    # Together, between and without.
    ("四大行2016年净利润四家加起来是多少", "四大行2016年净利润合计是多少"),
    ("贵州茅台和五粮液的市盈率中间差多少", "贵州茅台和五粮液的市盈率差多少"),
    ("贵州茅台和五粮液的市盈率孰高孰低", "贵州茅台和五粮液的市盈率谁高"),
    ("A股把银行踢出去，市盈率最低的10家", "A股除了银行，市盈率最低的10家"),
    ("A股银行就算了，市盈率最低的10家", "A股除了银行，市盈率最低的10家"),
    ("A股别把银行算进来，市盈率最低的10家", "A股除了银行，市盈率最低的10家"),
    ("各申万行业的市盈率中位数", "各行业的市盈率中位数"),
    ("贵州茅台的市值够买下几个洋河股份", "贵州茅台的市值是洋河股份的几倍"),
    ("五粮液和洋河股份2013到2016净利润谁长得快", "五粮液和洋河股份2013到2016净利润增速谁高"),
    ("格力电器20l5年净利润", "格力电器2015年净利润"),
    ("洋河股份2016年是赚是亏，数额多少", "洋河股份2016年净利润多少"),
    ("双汇发展2015年分红了没，分了多少", "双汇发展2015年分红多少"),
    # Runs, races, and what is owed.
    ("今年跑赢沪深300的银行股", "今年涨幅超过沪深300的银行股"),
    ("净利润连续下降三年的家电公司", "净利润连续三年下降的家电公司"),
    ("欠得最少的5家银行", "总负债最少的5家银行"),
    ("家电杠杆最高的5家", "家电资产负债率最高的5家"),
    ("百元股几只", "股价不低于100元的股票几只"),
    # How it is asked.
    ("查一查贵州茅台的市盈率到哪儿了", "贵州茅台的市盈率是多少"),
    ("好，贵州茅台的市盈率处于什么水平", "贵州茅台的市盈率是多少"),
    ("按最新数据，贵州茅台的市盈率等于多少", "贵州茅台的市盈率是多少"),
    ("贵州茅台的市盈率能查到吗", "贵州茅台的市盈率是多少"),
)


@pytest.mark.parametrize(("everyday", "plain"), ALIKE)
def test_everyday_words_mean_what_plain_ones_do(everyday: str, plain: str) -> None:
    assert query(plain) is not None, plain
    assert query(everyday) == query(plain)


def test_a_doubling_is_no_tripling() -> None:
    assert query("2016年净利润翻倍的公司") is not None
    assert query("2016年净利润翻倍的公司") != query("2016年净利润翻两番的公司")


def test_several_names_right_behind_each_other_are_each_a_company() -> None:
    assert query("顺丰圆通的净利率") == query("顺丰控股、圆通速递的净利率") is not None


@pytest.mark.parametrize("text", ["收益最好的是哪一檔", "扭亏为盈的公司"])
def test_what_is_not_said_is_not_guessed(text: str) -> None:
    assert query(text) is None


def test_every_label_of_an_industry_is_one_of_its_market() -> None:
    """A label that no company of that market has would find nobody, in silence."""
    had = {(row.market, row.industry) for row in names().known.values()}
    for market, industries in industry_labels().items():
        for name, labels in industries.items():
            assert {(market, one) for one in labels} <= had, (market, name)


@pytest.mark.parametrize(
    ("text", "market", "company"),
    [
        ("US banks with PE below 10", "US", "BAC"),
        ("top 5 US biotech companies by market cap", "US", "AMGN"),
        ("美股零售股市值前十", "US", "WMT"),
        ("港股航空股市值前三", "HK", "00293.HK"),
        ("casino operators by market cap", "HK", "00027.HK"),
        ("Hong Kong REITs by market cap", "HK", "00823.HK"),
        ("top 5 US trucking companies by market cap", "US", "JBHT"),
        ("美股软饮料市值前三", "US", "DPS"),
        ("Hong Kong department stores by P/E", "HK", "01833.HK"),
    ],
)
def test_an_industry_is_of_its_market(text: str, market: str, company: str) -> None:
    found = query(text)
    assert found is not None
    sets = {one.dim: one.values for one in walk(found) if isinstance(one, In)}
    assert sets["market"] == (market,)
    assert names().known[company].industry in sets["industry"]


def test_an_industry_its_market_has_not_is_not_answered_with_nobody() -> None:
    assert query("A股赌场股市值前三") is None
    found = query("casino operators by market cap")
    assert found is not None
    assert "Casinos and gaming" in explain(found, {}, "en")


def test_an_industry_of_several_is_one_set() -> None:
    """前三 of them is no count of what the set is made of."""
    found = query("港股科技股市值前三")
    assert found is not None
    assert "港股科技行业中总市值最高的3家" in explain(found, {})
    mainland = query("科技股市值前三")
    assert mainland is not None
    assert "科技行业（电子/计算机/通信）" in explain(mainland, {})


def test_a_class_the_market_has_not_is_named() -> None:
    turn = youju().query.plan("A股赌场股市值前三").turn
    assert turn.ask_back is not None
    assert "赌场" in turn.ask_back.reason


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2016年跌幅超过20%的银行股", "区间涨跌幅小于-20%"),
        ("2016年跌幅在10%到20%之间的银行股", "区间涨跌幅不超过-10%且不低于-20%"),
        ("2016年涨幅超过20%的银行股", "区间涨跌幅大于20%"),
        ("跌幅超过5%的银行股", "涨跌幅小于-5%"),
    ],
)
def test_a_fall_is_below_nought(text: str, told: str) -> None:
    found = query(text)
    assert found is not None
    assert told in explain(found, {})


def test_the_year_of_a_highest_is_no_window_of_one_year() -> None:
    assert query("隆基股份毛利率最高的是哪一年") is not None
    assert query("隆基股份毛利率最高的一年") == query("隆基股份毛利率最高的是哪一年")


def test_a_class_of_another_source_is_read_in_its_market() -> None:
    """By its label, as a table here shows it; of the mainland it is asked about, not taken."""
    for label in sorted({one for one in industry_labels()["HK"].values() for one in one}):
        found = query(f"港股{label}市值最大的5家")
        if label in _OTHERWISE:
            continue
        assert found is not None, label
        scopes = [one for one in walk(found) if isinstance(one, In) and one.dim == "industry"]
        assert [label in one.values for one in scopes] == [True], label


# What means something else too: a company, what a fund is, a place and an industry.
_OTHERWISE = frozenset({"电视广播", "基金", "农产品", "中国汽车与汽车零部件"})


def test_a_class_of_another_source_is_no_industry_of_the_mainland() -> None:
    put = reading("人寿保险市值前五").answer
    assert isinstance(put, Ask)
    assert put.why[0] == "A股没有人寿保险这一类：要看美股的吗？"
    assert [explain(one, {}) for one in put.options if isinstance(one, Query)] == [
        "美股人寿保险中总市值最高的5家"
    ]
