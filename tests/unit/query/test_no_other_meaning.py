"""Turns that were once answered as something else: what each means, told back; None: put back."""

from collections.abc import Sequence

import pandas as pd
import pytest

from services.query.algebra.explain import explain
from services.query.algebra.nodes import Query, Several
from services.query.answering.answers import Answered
from services.query.told_turns import names_in
from tests.unit.market.bundled import names
from tests.unit.query.algebra.bundle_frames import frames
from tests.unit.query.asking import query
from tests.unit.query.bundled_query import youju

Told = Sequence[tuple[tuple[str, ...], str | None]]

PE, AT_MOST = "市盈率(TTM)不低于0倍且小于15倍", "P/E (TTM) at least 0x and below 15x"

# A bound that was said, set anew, and never so many rows.
LIMITS: Told = (
    (
        ("stocks with PE under 15 and dividend yield above 3%", "make the PE limit 20"),
        "A shares with P/E (TTM) at least 0x and below 20x and dividend yield above 3%",
    ),
    (
        ("market cap above 20 billion and PE under 15 A shares", "raise the limit to 50 billion"),
        f"A shares with market cap above 50bn CNY and {AT_MOST}",
    ),
    (("PE低于15的银行", "PE 上限改成 20"), "A股银行中市盈率(TTM)不低于0倍且小于20倍的公司"),
    (("市值大于200亿的医药股", "门槛提到500亿"), "A股医药生物中总市值大于500亿元的公司"),
    (("股息率大于3%的银行", "下限改成4%"), "A股银行中股息率大于4%的公司"),
    (("市盈率介于10到20的银行", "上限改成15"), "A股银行中市盈率(TTM)不低于10倍且不超过15倍的公司"),
    (("PE低于15的银行", "把PE条件改成20倍以下"), "A股银行中市盈率(TTM)不低于0倍且不超过20倍的公司"),
    (
        ("how many banks have PE under 10", "make the PE limit 8"),
        "how many A shares in Banks with P/E (TTM) at least 0x and below 8x there are",
    ),
    (("A shares with PE under 15 and PB under 1", "make the limit 20"), None),
    (("banks with market cap above 200 billion", "raise the cap to 300 billion"), None),
    (("A shares by ROE, limit 20",), "the 20 highest by ROE of A shares"),
)

# Against the year before the one that was told, and not before this one.
YEARS_BEFORE: Told = (
    (
        ("茅台2015年净利润", "和上一年比呢"),
        "贵州茅台的净利润从2014年到2015年的变化率、2015年净利润、2014年净利润",
    ),
    (
        ("茅台2014年净利润", "跟前一年比"),
        "贵州茅台的净利润从2013年到2014年的变化率、2014年净利润、2013年净利润",
    ),
    (
        ("Moutai net profit 2015", "and versus the year before"),
        "percentage change of net profit from 2014 to 2015, 2015 net profit, 2014 net profit"
        " of Kweichow Moutai",
    ),
    (("Moutai net profit 2015", "and the year before?"), "2014 net profit of Kweichow Moutai"),
    (("茅台净利润", "和上一年比呢"), "贵州茅台的净利润同比变化率"),
    (
        ("茅台2015年净利润", "和上一年比，营收呢"),
        "贵州茅台的营业收入从2014年到2015年的变化率、2015年营业收入、2014年营业收入",
    ),
    (("茅台2015年净利润", "和上一年比，五粮液呢"), None),
    (("茅台2013到2015年净利润", "和上一年比呢"), None),
)

# The larger set is looked at first, wherever it stands.
LISTS_IN_LISTS: Told = (
    (
        ("the top ten by ROE among the 50 largest A shares",),
        "first the 50 highest by market cap of A shares; of these the 10 highest by ROE",
    ),
    (
        ("bottom ten by PE among the 50 largest",),
        "first the 50 highest by market cap of A shares; of these the 10 lowest by P/E (TTM)",
    ),
    (
        ("top 5 by dividend yield among the 30 largest banks",),
        "first the 30 highest by market cap of A shares in Banks; of these the 5 highest by"
        " dividend yield",
    ),
    (
        ("市值前50里ROE最高的10只",),
        "先取A股中总市值最高的50家，再取其中净资产收益率最高的10家",
    ),
    (
        ("top 10 by market cap among those with PE under 15",),
        f"the 10 highest by market cap of A shares with {AT_MOST}",
    ),
    (("市值前10里ROE最高的50只",), None),
    (("the top 50 by ROE among the 10 largest A shares",), None),
    (("top ten by ROE in the largest banks",), None),
)

# A number stays a number, of the other set.
COUNTS: Told = (
    (("银行有多少家", "保险呢"), "A股保险公司（主营名单）有多少家"),
    (
        ("how many banks are there", "and insurers?"),
        "how many A shares in insurers (a list by main business) there are",
    ),
    (("深市有多少家亏损", "沪市呢"), "A股沪市中亏损（来源不给市盈率(TTM)）的公司有多少家"),
    (("银行有多少家", "市值500亿以上的呢"), "A股银行中总市值不低于500亿元的公司有多少家"),
    (("银行有多少家", "列出PE低于15的"), f"A股银行中{PE}的公司"),
    (("how many banks are there", "which have PE under 15"), f"A shares in Banks with {AT_MOST}"),
    (
        ("市值前50里有几家银行", "保险呢"),
        "先取A股中总市值最高的50家，再取其中保险公司（主营名单）的公司有多少家",
    ),
)

# The other end of a price is of the price that ends there; of closes it stays of closes.
OTHER_ENDS: Told = (
    *(
        (("上证指数2015年最高到多少点", said), "上证指数的2015-01-01至2015-12-31最低价的最低值")
        for said in ("最低呢", "那最低呢")
    ),
    (
        ("茅台2016年最低价多少", "最高呢"),
        "贵州茅台的2016-01-01至2016-12-31最高价的最高值",
    ),
    (
        ("上证指数2015年最高价是哪天", "最低呢"),
        "上证指数2015-01-01至2015-12-31逐日中最低价最低的1天",
    ),
    (
        ("茅台2016年最高收盘价多少", "最低呢"),
        "贵州茅台的2016-01-01至2016-12-31收盘价的最低值",
    ),
    (
        ("what was Tencent's lowest price in 2016", "and the highest?"),
        "highest high over 2016-01-01 to 2016-12-31 of Tencent",
    ),
    (
        ("恒指2015年高低点",),
        "恒生指数的2015-01-01至2015-12-31最高价的最高值、2015-01-01至2015-12-31最低价的最低值",
    ),
)

# Today is the newest, and never the day that was told before.
TODAY: Told = (
    (("恒大昨儿收盘价", "今天涨了多少"), "中国恒大的涨跌幅"),
    (("腾讯上周五收盘价", "今日涨跌幅"), "腾讯控股的涨跌幅"),
    (("茅台2016年3月1日收盘价", "今天成交量呢"), "贵州茅台的成交量"),
    (("茅台昨天收盘价", "今天看一下五粮液"), "五粮液的最近收盘"),
    (("Tencent close yesterday", "today?"), "last close of Tencent"),
    (("今天茅台涨了多少",), "贵州茅台的涨跌幅"),
)

# H shares behind several names are of all of them that have one.
H_SHARES: Told = (
    (
        ("工行和建行H股市净率比一比",),
        "工商银行(01398.HK)、建设银行(00939.HK)的市净率(MRQ)",
    ),
    (("PB of ICBC and CCB H shares",), "P/B (MRQ) of ICBC(01398.HK), CCB(00939.HK)"),
    (
        ("平安保险跟国寿港股的市值",),
        "中国平安(02318.HK)、中国人寿(02628.HK)的总市值",
    ),
    (("茅台和建行H股的市值",), "贵州茅台、建设银行(00939.HK)的总市值"),
    (("工行A股和建行H股市值",), "工商银行、建设银行(00939.HK)的总市值"),
)

# A name that is another's own is asked about, whoever stands beside it.
SHADOWED: Told = (
    (("招行和平安2016年谁赚得多",), None),
    (("平安、招行、工行的市净率",), None),
    (("Ping An vs CMB net profit 2016",), None),
    (("平安和国寿2016年谁赚得多",), "中国平安、中国人寿，按2016年净利润从高到低"),
)

# By so much, and no rate of each year.
AMOUNTS: Told = (
    *(
        ((said,), "招商银行的总资产从2012年到2016年的变化额、2012年总资产、2016年总资产")
        for said in (
            "CMB的total assets四年涨了多少个亿",
            "招行总资产四年增长多少亿",
            "招行总资产2012年到2016年涨了多少个亿",
        )
    ),
    (
        ("茅台净利润从2013到2016年涨了多少亿",),
        "贵州茅台的净利润从2013年到2016年的变化额、2013年净利润、2016年净利润",
    ),
    (("茅台2016年净利润涨了多少亿",), "贵州茅台的2016年净利润同比变化额"),
    (("招行总资产四年涨了多少",), "招商银行最近4年逐年的总资产同比变化率"),
)

# These industries are each of them; these companies are all of theirs together.
OF_EACH: Told = (
    (
        ("各行业市值合计前三", "这三个行业的市盈率中位数分别多少"),
        "A股各行业的总市值合计、市盈率(TTM)中位数，按总市值合计从高到低取前3个",
    ),
    (
        ("市盈率中位数最低的三个行业", "这几个行业市值合计分别多少"),
        "A股各行业的市盈率(TTM)中位数、总市值合计，按市盈率(TTM)中位数从低到高取前3个",
    ),
    (
        ("top five industries by combined market cap", "median PE of these five industries"),
        "combined market cap, median P/E (TTM) of A shares by industry, by combined market cap"
        " high to low, the first 5",
    ),
    (
        ("各行业市值合计前三", "这些公司市盈率中位数"),
        "先取A股各行业中总市值合计最高的3个行业，再取其中的市盈率(TTM)中位数",
    ),
    (("各行业市值合计前三", "它们的市净率呢"), None),
)

# Those that were told, and not all there are.
OF_THOSE: Told = (
    (
        ("A shares with PE under 15", "how many are banks"),
        f"how many A shares in Banks with {AT_MOST} there are",
    ),
    (
        ("how many loss-making A shares", "how many are banks"),
        "how many A shares in Banks with a loss (no P/E (TTM) is given) there are",
    ),
    (
        ("A shares with PE under 15", "how many are there"),
        f"how many A shares with {AT_MOST} there are",
    ),
    (("how many banks are there",), "how many A shares in Banks there are"),
    (("港股银行有多少家", "保险列一下"), "港股保险"),
)

# The first industries, and who is first in each of them.
FIRST_OF_GROUPS: Told = (
    *(
        ((said,), "先取A股各行业中总市值合计最高的3个行业，再取其中每个行业总市值最高的1家")
        for said in (
            "市值最大的三个行业，及其市值最大的公司",
            "市值最大的三个行业以及各自市值最大的公司",
            "市值最大的三个行业里每个行业市值最大的公司",
        )
    ),
    (
        ("the three largest industries by market cap and the largest company in each",),
        "first the 3 with the highest combined market cap of A shares by industry; of these the"
        " one highest by market cap in each industry",
    ),
    (
        ("市值最大的三个行业里市值最大的三家公司",),
        "先取A股各行业中总市值合计最高的3个行业，再取其中总市值最高的3家",
    ),
    (
        ("市盈率中位数最低的三个行业", "它们的市净率呢"),
        "A股各行业的市盈率(TTM)中位数、市净率(MRQ)中位数，按市盈率(TTM)中位数从低到高取前3个",
    ),
)

# Every year of a time that was said by its days.
EACH_YEAR: Told = (
    *(
        ((said,), "贵州茅台2013年至2016年逐年的当期涨跌幅")
        for said in ("茅台2013年初到2016年底每年涨幅", "茅台2013到2016年每年涨幅")
    ),
    (("茅台从2013年底到2016年底每年涨幅",), "贵州茅台2014年至2016年逐年的当期涨跌幅"),
    (("茅台2013年3月到2016年底每年涨幅",), None),
    (
        ("Moutai yearly return from the start of 2013 to the end of 2016",),
        "price change of the period of Kweichow Moutai 2013 to 2016 year by year",
    ),
)

# How many times is how many sessions, or years; how many times as much is a ratio.
TIMES: Told = (
    (
        ("how many times did Moutai close above 300 in 2016",),
        "the number of days of Kweichow Moutai 2016-01-01 to 2016-12-31 with close above 300 CNY",
    ),
    (
        ("how many times has Moutai's revenue fallen",),
        "the number of years of Kweichow Moutai on record with revenue year-on-year change below"
        " 0%",
    ),
    (("茅台净利润下降过几次",), "贵州茅台历史逐年中净利润同比变化率小于0%的有多少年"),
    (("中兴通讯有几年亏损",), "中兴通讯历史逐年中净利润小于0元的有多少年"),
    (
        ("茅台2010到2016年有几年净利润增长超过20%",),
        "贵州茅台2010年至2016年逐年中净利润同比变化率大于20%的有多少年",
    ),
    (("茅台的市值是五粮液的几倍",), "贵州茅台的总市值与五粮液的总市值之比、总市值、五粮液的总市值"),
    (("茅台收盘高于300的有几年",), None),
)

# Whether it was so each year is a yes or a no, and how much each year is none.
EVER: Told = (
    (("诺亚财富营收连年增长吗",), "诺亚财富是否满足：历史每期都营业收入同比变化率大于0%"),
    (("腾讯净利润", "每年都增长吗"), "腾讯控股是否满足：历史每期都净利润同比变化率大于0%"),
    (
        ("has Noah's revenue grown every year",),
        "whether it holds of Noah Holdings: revenue year-on-year change above 0% in each year on"
        " record",
    ),
    (("腾讯营收每年增长多少",), "腾讯控股历史逐年的营业收入同比变化率"),
    (("净利润每年都增长的银行",), None),
)

# Industries, and never the companies of which a figure of their own is bounded.
INDUSTRIES: Told = (
    (("A股有多少个行业",), "A股各行业的公司数，按公司数从高到低"),
    (
        ("how many sectors are there in A shares",),
        "number of companies of A shares by industry, by number of companies high to low",
    ),
    (
        ("多少个行业的总市值超过1万亿",),
        "A股各行业的总市值合计，只留总市值合计大于10000亿元的，按总市值合计从高到低",
    ),
    (("how many industries have a market cap above 1 trillion",), None),
    (("银行业有多少个行业",), None),
)


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        *LIMITS,
        *YEARS_BEFORE,
        *LISTS_IN_LISTS,
        *COUNTS,
        *OF_THOSE,
        *OTHER_ENDS,
        *TODAY,
        *H_SHARES,
        *SHADOWED,
        *OF_EACH,
        *AMOUNTS,
        *FIRST_OF_GROUPS,
        *EACH_YEAR,
        *TIMES,
        *EVER,
        *INDUSTRIES,
    ],
)
def test_what_is_meant_is_told(turns: tuple[str, ...], told: str | None) -> None:
    before: list[Query] = []
    found: Query | Several | None = None
    for turn in turns:
        found = query(turn, before)
        assert found is not None or turn == turns[-1], turn
        before += [found] if isinstance(found, Query) else []
    language = "en" if turns[0].isascii() else "zh"
    said = None if found is None else explain(found, names_in(found, names(), language), language)
    assert said == told


def answered(text: str) -> str:
    found = youju().query.ask(text)
    assert isinstance(found, Answered), text
    return found.text


def medians() -> pd.Series:
    """The median P/E of each mainland industry."""
    table = frames().companies.query("market == 'CN'")
    return table.groupby("industry").pe_ttm.median()


def test_the_number_of_industries_is_told_and_cited() -> None:
    found = youju().query.ask("A股有多少个行业")
    assert isinstance(found, Answered)
    number = len(medians())
    assert f"共 {number}个行业" in found.text
    assert number in {claim.value for claim in found.claims}
    below = int((medians() < 30).sum())
    said = answered("how many industries have a median PE under 30")
    assert f"Number of industries that satisfy the condition: {below}." in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("诺亚财富营收连年增长吗", "2015年至2016年每期都营业收入同比变化率大于0%：是"),
        ("比亚迪净利润每年都增长吗", "2013年至2016年每期都净利润同比变化率大于0%：否"),
        ("新东方营收连年增长吗", "没有哪一年有判断所需的数"),
        ("腾讯净利润下降过几次", "2013年报至2016年报里没有一期符合条件"),
        ("比亚迪净利润下降过几次", "比亚迪有 1年"),
    ],
)
def test_the_years_that_can_be_judged_are_told(text: str, said: str) -> None:
    assert said in answered(text)
