"""First questions about one or a few companies, as they are typed: what each is told as."""

import pytest

from services.query.algebra.explain import explain
from services.query.algebra.nodes import Query
from services.query.told_turns import names_in
from tests.unit.market.bundled import names
from tests.unit.query.asking import query

CHINESE = (
    ("腾讯从什么时候起一直站在250港元上方", "腾讯控股历史逐日中收盘价不超过250港元的中取最近1天"),
    ("纳指第一次收上5000点是哪天", "纳斯达克综合指数历史逐日中收盘价大于5000的中取前1天"),
    ("腾讯哪天第一次收在200港元上方", "腾讯控股历史逐日中收盘价大于200港元的中取前1天"),
    ("茅台有没有收在400上面过", "贵州茅台历史逐日中收盘价大于400元的有多少天"),
    ("房天下从最高跌到最低跌了多少", "房天下的历史收盘价的最大回撤"),
    ("诺亚财富营收连年都在涨吗", "诺亚财富是否满足：历史每期都营业收入同比变化率大于0%"),
    (
        "格力近五年净利润每年都在增长吗",
        "格力电器是否满足：最近5年每期都净利润同比变化率大于0%",
    ),
    ("万科净利润下滑过吗", "万科A历史逐年中净利润同比变化率小于0%的"),
    ("茅台股价在自己历史上什么水平", "贵州茅台的最近收盘在自身历史中的分位"),
    (
        "招行市值在A股前一百里吗",
        "招商银行是否满足：总市值在A股中从高到低的名次不超过100，看总市值、A股中有总市值的公司数",
    ),
    (
        "招行市值排进前十了吗",
        "招商银行是否满足：总市值在A股中从高到低的名次不超过10，看总市值、A股中有总市值的公司数",
    ),
    (
        "茅台市盈率是行业最低的三家之一吗",
        "贵州茅台是否满足：市盈率(TTM)在A股食品饮料中从低到高的名次不超过3，"
        "看市盈率(TTM)、A股食品饮料中有市盈率(TTM)的公司数",
    ),
    ("茅台前三大跌幅", "贵州茅台历史逐日中涨跌幅最低的3天"),
    ("格力净利润最高的三年是哪三年", "格力电器历史逐年中净利润最高的3年"),
    ("腾讯哪三年涨得最多", "腾讯控股历史逐年中当期涨跌幅最高的3年"),
    ("格力近三年净利润", "格力电器最近3年逐年的净利润"),
    ("恒大从去年底到现在涨了多少", "中国恒大的2017-01-01至2017-07-26的区间涨跌幅"),
    ("腾讯2015年底到2016年底涨了多少", "腾讯控股的2016-01-01至2016-12-31的区间涨跌幅"),
    ("腾讯3月底到6月底涨了多少", "腾讯控股的2017-04-01至2017-06-30的区间涨跌幅"),
    ("腾讯6月底收盘价", "腾讯控股的2017-06-30收盘价"),
    (
        "恒大从去年底到现在翻了几倍",
        "中国恒大的收盘价从2017-01-01到2017-07-26的倍数、2017-01-01至2017-07-26的区间涨跌幅",
    ),
    ("市盈率在20以上的银行", "A股银行中市盈率(TTM)不低于20倍的公司"),
    ("百度2016年大跌超过5%的有几天", "百度2016-01-01至2016-12-31逐日中涨跌幅小于-5%的有多少天"),
)
ENGLISH = (
    (
        "Vanke and Poly: revenue, net profit and ROE 2016",
        "2016 revenue, 2016 net profit, 2016 ROE of Vanke, Poly Real Estate",
    ),
    (
        "How far did PetroChina plunge in 2015?",
        "price change from 2015-01-01 to 2015-12-31 of PetroChina",
    ),
    (
        "How much has Alibaba surged since 2016?",
        "price change from 2016-01-01 to now of Alibaba Group Holding",
    ),
    ("Did AT&T edge up last year?", "price change from 2016-01-01 to 2016-12-31 of AT&T"),
    ("How much did Tesla lose in 2015?", "2015 net profit of Tesla Motors"),
    ("How much money did PetroChina lose in 2016?", "2016 net profit of PetroChina"),
    (
        "how many days did it lose more than 9.5 %, Alibaba",
        "the number of days of Alibaba Group Holding on record with change % below -9.5%",
    ),
    (
        "days Tencent plunged more than 5% in 2015",
        "Tencent 2015-01-01 to 2015-12-31 day by day with change % below -5%",
    ),
    (
        "how many days did Apple trade more than 100 million shares in 2016",
        "the number of days of Apple 2016-01-01 to 2016-12-31 with volume above 100m shares",
    ),
    (
        "Since when has Tencent stayed above HK$250?",
        "the last day of Tencent on record with close at most 250 HKD",
    ),
    (
        "Did Apple outperform Tencent in 2016?",
        "whether it holds of Apple: price change from 2016-01-01 to 2016-12-31 above Tencent's "
        "price change from 2016-01-01 to 2016-12-31",
    ),
    (
        "What is Gree's P/E, and is it lower than Midea's?",
        "whether P/E (TTM) of Gree Electric Appliances is below Midea Group's P/E (TTM)",
    ),
    (
        "Is Tencent one of the five largest Hong Kong stocks by market cap?",
        "whether it holds of Tencent: high-to-low rank of market cap among Hong Kong shares at most"
        " 5; show market cap, number of companies of Hong Kong shares that have market cap",
    ),
    (
        "in which 3 years was Vanke's net profit highest",
        "the 3 years with the highest net profit of Vanke on record",
    ),
    (
        "Gree's three best years for net profit",
        "the 3 years with the highest net profit of Gree Electric Appliances on record",
    ),
    (
        "years in which Gree's revenue fell",
        "Gree Electric Appliances history year by year with revenue year-on-year change below 0%",
    ),
    (
        "Tencent return since the end of 2015",
        "price change from 2016-01-01 to now of Tencent",
    ),
    (
        "Between 2013 and 2016, how much did Vanke's revenue grow?",
        "percentage change of revenue from 2013 to 2016, 2016 revenue, 2013 revenue of Vanke",
    ),
    (
        "How much did Tencent rise on its best day of 2016?",
        "the day with the highest change % of Tencent 2016-01-01 to 2016-12-31",
    ),
    (
        "Is Gree cheaper than Midea on P/E?",
        "whether P/E (TTM) of Gree Electric Appliances is below Midea Group's P/E (TTM)",
    ),
    (
        "How many times did Tencent fall more than 3% in a day in 2016?",
        "the number of days of Tencent 2016-01-01 to 2016-12-31 with change % below -3%",
    ),
    (
        "On what day did Vanke trade the most shares?",
        "the day with the highest volume of Vanke on record",
    ),
    (
        "How many consecutive days has Tencent risen?",
        "current run of rises of close over the last 60 sessions of Tencent",
    ),
    (
        "How volatile was Tesla in 2016?",
        "standard deviation of the daily changes of close over 2016-01-01 to 2016-12-31 of Tesla "
        "Motors",
    ),
)


@pytest.mark.parametrize(("text", "told"), [*CHINESE, *ENGLISH], ids=lambda one: one[:60])
def test_a_first_question_is_told_back_as_it_was_asked(text: str, told: str) -> None:
    found = query(text)
    assert isinstance(found, Query), text
    language = "en" if text.isascii() else "zh"
    assert explain(found, names_in(found, names(), language), language) == told


def test_among_its_like_the_others_are_listed_and_a_lone_count_is_no_place() -> None:
    found = query("跟三一重工同行业的公司还有哪些，按市值排前四")
    assert isinstance(found, Query)
    assert found.check is None
    assert query("茅台市盈率三家") is None
