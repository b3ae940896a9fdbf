"""How parts of a question go together, and what a turn that goes on takes from the one before: told
back, each is what was asked. Every class with another company or market than it was found with.
"""

from collections.abc import Sequence
from functools import cache

import pytest

from services.query.algebra.explain import explain
from services.query.algebra.nodes import Query, Several
from tests.unit.market.bundled import names
from tests.unit.query.asking import query as read

# The last turn of each, told in full. None: put back.
TOLD: Sequence[tuple[tuple[str, ...], str | None]] = (
    # Places, sets by number, sets of two kinds.
    (("港股里总市值第6到第9名",), "港股中按总市值从高到低取第6至第9家"),
    (
        ("third and fourth largest US banks by market cap",),
        "美股银行中按总市值从高到低取第3至第4家",
    ),
    (
        ("保险和券商两个行业市盈率最低的五家",),
        "A股保险公司（主营名单）、券商（主营名单）中市盈率(TTM)最低的5家",
    ),
    (("剔除ST和银行，市盈率最低的10只",), "A股（不含ST股）（不含银行）中市盈率(TTM)最低的10家"),
    (
        ("不含家电和贵州茅台，净利润最高的4家A股",),
        "A股（不含家用电器）（不含贵州茅台）中净利润最高的4家",
    ),
    (("哪两个行业公司数量最少",), "A股各行业中公司数最低的2个行业"),
    (("三家谁的市净率最高",), None),
    # A set beside a name that may mean several says which.
    (("民生、浦发两家银行的市净率",), "民生银行、浦发银行的市净率(MRQ)"),
    (
        ("大秦铁路在交运里PE排第几",),
        "大秦铁路的市盈率(TTM)在A股交通运输中从高到低的名次、市盈率(TTM)、A股交通运输中有市盈率(TTM)的公司数",
    ),
    # An extreme ends at its comma; what stands behind among those is the larger set.
    (
        ("A股中每个行业净利润最低的3家，看净资产收益率",),
        "A股中每个行业净利润最低的3家，看净资产收益率",
    ),
    (("市净率最高的3只银行股，看股息率",), "A股银行中市净率(MRQ)最高的3家，看股息率"),
    (
        ("Bottom five A-shares by P/E among those worth at least 100bn yuan",),
        "A股中总市值不低于1000亿元的公司，取市盈率(TTM)最低的5家",
    ),
    (
        ("市值最大的40只里市盈率最低的4只",),
        "先取A股中总市值最高的40家，再取其中市盈率(TTM)最低的4家",
    ),
    # Of the first so many the ones in a set; a year is no code; the market's own first so many.
    (
        ("A股市值前十里的券商",),
        "先取A股中总市值最高的10家，再取其中券商（主营名单）的公司，按总市值从高到低",
    ),
    (
        ("市值前80的公司里哪些是医药",),
        "先取A股中总市值最高的80家，再取其中医药生物的公司，按总市值从高到低",
    ),
    (
        ("how many insurers are there among the top 40 by market cap",),
        "先取A股中总市值最高的40家，再取其中保险公司（主营名单）的公司有多少家",
    ),
    (
        ("净利润前三十里市值最大的汽车股",),
        "先取A股中净利润最高的30家，再取其中汽车的公司，取总市值最高的10家",
    ),
    (("市值前十二里市净率最低的",), "先取A股中总市值最高的12家，再取其中市净率(MRQ)最低的10家"),
    (("A股里市值前十的券商",), "A股券商（主营名单）中总市值最高的10家"),
    (("港股2015年营收排名",), "港股，按2015年营业收入从高到低"),
    # Each by itself; which of two sets; each of several figures; two bounds before their figure.
    (
        ("主板、创业板各自的市净率中位数",),
        "A股主板或创业板各板块的市净率(MRQ)中位数，按市净率(MRQ)中位数从高到低",
    ),
    (("沪市和深市各有多少家",), "A股沪市有多少家；A股深市有多少家"),
    (("沪市和深市一共多少家",), "A股沪市或深市有多少家"),
    (
        ("创业板和中小板哪个市净率中位数低",),
        "A股创业板的市净率(MRQ)中位数、A股中小板（代码002、003，2021年并入主板）的市净率(MRQ)中位数",
    ),
    (
        ("PE、PB都低于行业平均的券商",),
        "A股券商（主营名单）中市盈率(TTM)小于所在行业的市盈率(TTM)平均值且市净率(MRQ)小于所在行业的"
        "市净率(MRQ)平均值的公司",
    ),
    (
        ("大于200亿小于400亿市值的电子股按市净率排序",),
        "A股电子中总市值大于200亿元且小于400亿元的公司，按市净率(MRQ)从高到低",
    ),
    # A place from that end; a place without a figure is by size; both listings said.
    (
        ("浦发银行市净率在银行里第几低",),
        "浦发银行的市净率(MRQ)在A股银行中从低到高的名次、市净率(MRQ)、A股银行中有市净率(MRQ)的公司数",
    ),
    (("第四大的券商",), "A股券商（主营名单）中按总市值从高到低取第4家"),
    (("中国神华A股港股市值",), "中国神华、中国神华的总市值"),
    (
        ("保险不算，非银金融市值第二的是谁",),
        "A股非银金融（不含保险公司（主营名单））中按总市值从高到低取第2家",
    ),
    (("排第二的是谁，按市值，保险不算 非银金融",), None),
    (("ST股有哪些",), "A股ST股，按总市值从高到低"),
    (
        ("钢铁市值前四占行业比例各多少",),
        "A股钢铁中总市值最高的4家，看总市值占A股钢铁的总市值合计的百分比",
    ),
    (
        ("市净率最高和最低的券商各是谁",),
        "A股券商（主营名单）中市净率(MRQ)最高的1家；A股券商（主营名单）中市净率(MRQ)最低的1家",
    ),
    (("沪深两市市值最大的各四家",), None),
    (
        ("主板和创业板市值最大的各四家",),
        "A股主板中总市值最高的4家；A股创业板中总市值最高的4家",
    ),
    (
        ("有几个行业的市净率中位数低于3",),
        "A股各行业的市净率(MRQ)中位数，只留市净率(MRQ)中位数小于3倍的，按市净率(MRQ)中位数从低到高",
    ),
    (("哪个行业公司最少",), "A股各行业中公司数最低的1个行业"),
    (
        ("银行里市净率低于平均的有几家",),
        "A股银行中市净率(MRQ)小于所在行业的市净率(MRQ)平均值的公司有多少家",
    ),
    (("A股和港股哪个平均市盈率高",), None),
    # Years with gaps, growth from one year to another, amounts and rates of change.
    (("伊利股份2012年、2014年、2016年的营收",), "伊利股份2012年和2014年和2016年逐年的营业收入"),
    (
        ("2016年营收比2014年增长最多的3家医药股",),
        "A股医药生物中营业收入从2014年到2016年的变化率最高的3家",
    ),
    (("2015年净利润变化额最高的4家A股",), "A股中2015年净利润同比变化额最高的4家"),
    (("腾讯2012年以来净利润哪几年下降",), "腾讯控股2012年至最新逐年中净利润同比变化率小于0%的"),
    (
        ("ROE大于20%的家电股，从低到高",),
        "A股家用电器中净资产收益率大于20%的公司，按净资产收益率从低到高",
    ),
    # One set against another, both ends of a set, a place among peers.
    (
        ("家电总市值是钢铁的几倍",),
        "A股家用电器的总市值合计与A股钢铁的总市值合计之比、A股家用电器的总市值合计、A股钢铁的总市值合计",
    ),
    (
        ("钢铁里市盈率最高和最低相差多少",),
        "A股钢铁的市盈率(TTM)最高值与A股钢铁的市盈率(TTM)最低值之差、A股钢铁的市盈率(TTM)最高值、"
        "A股钢铁的市盈率(TTM)最低值",
    ),
    (
        ("格力电器的市盈率超过了百分之多少的A股",),
        "格力电器的市盈率(TTM)在A股中从高到低的分位、市盈率(TTM)、A股中有市盈率(TTM)的公司数",
    ),
    (("净利润在行业里排前三的公司",), "A股中净利润在所在行业中从高到低的名次不超过3的公司"),
    # What a turn leaves out is taken from the last query.
    (
        ("医药的平均市净率", "市值300亿以上的呢", "不含云南白药再算一遍均值"),
        "A股医药生物（不含云南白药）中总市值不低于300亿元的公司的市净率(MRQ)平均值",
    ),
    (
        ("港股银行的市净率中位数", "市值500亿以上的呢"),
        "港股银行中总市值不低于500亿港元的公司的市净率(MRQ)中位数",
    ),
    (("医药的平均市净率", "股息率大于3%的有哪些"), "A股医药生物中股息率大于3%的公司"),
    (
        ("港股市盈率最低的8家", "只留银行", "市净率呢"),
        "港股银行中市盈率(LYR)最低的8家，看市净率(MRQ)",
    ),
    (
        ("港股银行市净率最低的5家", "去掉中国银行"),
        "港股银行（不含中国银行）中市净率(MRQ)最低的5家",
    ),
    (
        ("格力电器、美的集团的市盈率", "市净率也加上，按市净率升序", "美的集团换成青岛海尔"),
        "格力电器、青岛海尔，按市净率(MRQ)从低到高，看市盈率(TTM)",
    ),
    (
        ("格力电器、美的集团的市盈率", "美的集团换成青岛海尔", "谁的ROE高"),
        "格力电器、青岛海尔，按净资产收益率从高到低",
    ),
    (
        ("五粮液2015年净利润", "占营收的百分之几", "2016年呢"),
        "五粮液的2016年净利润占2016年营业收入的百分比、2016年净利润、2016年营业收入",
    ),
    (
        ("苹果和亚马逊的市盈率", "差多少", "市净率呢"),
        "苹果的市净率(MRQ)与亚马逊的市净率(MRQ)之差、市净率(MRQ)、亚马逊的市净率(MRQ)",
    ),
    (
        ("民生银行净利润2010到2016同比增速", "低于10%的是哪几年", "浦发银行呢"),
        "浦发银行2010年至2016年逐年中净利润同比变化率小于10%的",
    ),
    (("钢铁市值占A股的比重", "家电呢"), "A股家用电器的总市值合计占A股的总市值合计的百分比"),
    (
        ("伊利股份2013到2016年净利润增速", "跟光明乳业放一起看"),
        "伊利股份、光明乳业2013年至2016年逐年的净利润同比变化率",
    ),
    # What was told last against another year, company or its peers; two clauses of one sentence.
    (
        ("万科A2015年净利润率", "比2012年高了几个点"),
        "万科A的2015年净利率与2012年净利率之差、2015年净利率、2012年净利率",
    ),
    (
        ("洋河股份2015年净利润", "是五粮液的几倍"),
        "洋河股份的2015年净利润与五粮液的2015年净利润之比、2015年净利润、五粮液的2015年净利润",
    ),
    (
        ("长江证券的市净率", "在券商里排第几，比行业中位数高还是低"),
        "长江证券的市净率(MRQ)在A股券商（主营名单）中从高到低的名次、市净率(MRQ)、A股券商（主营名单）"
        "中有市净率(MRQ)的公司数、市净率(MRQ)与所在行业的市净率(MRQ)中位数之差、所在行业的市净率(MRQ)中位数",
    ),
    (
        ("中国建筑和中国中铁2015年营收", "两家哪家净利率更高"),
        "中国建筑、中国中铁，按2015年净利率从高到低",
    ),
    # Who is among the first so many, and what of the rest: the word for among says which.
    (
        ("市值最大的8家汽车股里市净率低于3倍的",),
        "先取A股汽车中总市值最高的8家，再取其中市净率(MRQ)不低于0倍且小于3倍的公司",
    ),
    (
        ("市值最大的8家市净率低于3倍的汽车股",),
        "A股汽车中市净率(MRQ)不低于0倍且小于3倍的公司，取总市值最高的8家",
    ),
    (
        ("市值前30里有多少家市盈率低于15",),
        "先取A股中总市值最高的30家，再取其中市盈率(TTM)不低于0倍且小于15倍的公司有多少家",
    ),
    (
        ("市净率低于1的A股", "只要前4"),
        "A股中市净率(MRQ)不低于0倍且小于1倍的公司，取市净率(MRQ)最低的4家",
    ),
    # A loss is of net profit, of one company or of those that were listed.
    (
        ("亏损的钢铁股", "它们亏损合计多少"),
        "A股钢铁中亏损（来源不给市盈率(TTM)）的公司的净利润合计",
    ),
    (("特斯拉亏了多少",), "特斯拉的净利润"),
    # Each of the years said; the day of an extreme; a place among peers; peers themselves.
    (
        ("最近四年每年毛利率都不低于30%的家电股",),
        "A股家用电器中最近4年每期都毛利率不低于30%的公司",
    ),
    (
        ("2014和2015连续两年净利润增长超过两成的医药股",),
        "A股医药生物中2014年至2015年每期都净利润同比变化率大于20%的公司",
    ),
    (
        ("五粮液2015年单日跌得最狠的是哪天，跌了多少",),
        "五粮液2015-01-01至2015-12-31逐日中涨跌幅最低的1天",
    ),
    (
        ("净利润排行业第一但净利率低于行业中位数的公司",),
        "A股中净利润在所在行业中从高到低的名次不超过1且净利率小于所在行业的净利率中位数的公司",
    ),
    (
        ("跟三一重工同行业的公司还有哪些，按市值排前四",),
        "A股机械设备（不含三一重工）中总市值最高的4家",
    ),
    (("A股汽车的市净率和市盈率",), "A股汽车，按市净率(MRQ)从高到低，看市盈率(TTM)"),
    (
        ("A股各行业2015年净利润合计", "第一名那个行业里市值前六的公司"),
        "先取A股各行业中2015年净利润合计最高的1个行业，再取其中总市值最高的6家",
    ),
    # A time belongs to the side of the comma it stands on; who is left out by a figure is a test.
    (
        ("2016年一季报营收翻倍、2015年净利润却下滑的公司有多少家",),
        "A股中2016一季报营业收入同比倍数不低于2倍且2015年净利润同比变化率小于0%的公司有多少家",
    ),
    (
        ("市净率低于2的钢铁股，剔除市盈率高于40的",),
        "A股钢铁中市净率(MRQ)不低于0倍且小于2倍且不满足(市盈率(TTM)大于40倍)的公司",
    ),
    (
        ("剔除ST和亏损的，市净率3以下的家电股",),
        "A股家用电器（不含ST股）中市净率(MRQ)不低于0倍且不超过3倍且非亏损（来源给出市盈率(TTM)）的公司",
    ),
    # A part of an industry that the source does not split is the companies of its list.
    (("乳业股里市净率最低的2家",), "A股乳业公司（主营名单）中市净率(MRQ)最低的2家"),
    (("港股券商市盈率最低的4家", "换成A股"), "A股券商（主营名单）中市盈率(TTM)最低的4家"),
    # Without a list the whole industry would be others', too: asked first.
    (("港股煤炭股市净率最低的4家", "换成A股"), None),
    (
        ("不要医药不要房地产不要传媒，市净率低于3的公司",),
        "A股（不含医药生物）（不含房地产）（不含传媒）中市净率(MRQ)不低于0倍且小于3倍的公司",
    ),
    (
        ("医药不要，传媒不要，市净率低于3的",),
        "A股（不含医药生物）（不含传媒）中市净率(MRQ)不低于0倍且小于3倍的公司",
    ),
    (
        ("2015年没盈利却还派息的公司有几家",),
        "A股中2015年亏损且2015年每股股利大于0元的公司有多少家",
    ),
    (
        ("A-share carmakers that rose more than 30% last year while revenue fell",),
        "A股汽车中2016-01-01至2016-12-31的区间涨跌幅大于30%且营业收入同比变化率小于0%的公司",
    ),
    # How far from the highest of a time.
    (
        ("离历史最高点跌了六成以上的家电股",),
        "A股家用电器中(历史最高的最高值与最近收盘之差)占历史最高的最高值的百分比不低于60%的公司，"
        "看历史最高的最高值、最近收盘",
    ),
    (("股价距历史最高点涨超30%的",), None),
    # How a figure went, how far two lie apart, a fold of each of two sets.
    (("格力电器毛利率近五年的走势",), "格力电器最近5年逐年的毛利率"),
    (
        ("美的集团和格力电器2015年谁的净利润高，高几倍",),
        "美的集团的2015年净利润与格力电器的2015年净利润之比、2015年净利润、格力电器的2015年净利润",
    ),
    (
        ("市值倒数十家，不算医药传媒钢铁",),
        "A股（不含医药生物或传媒或钢铁）中总市值最低的10家",
    ),
    (
        ("美的集团、格力电器，2015年谁的营收下滑了", "换成净利润"),
        "美的集团、格力电器是否满足：2015年净利润同比变化率小于0%",
    ),
    # Turns that compare, widen, count.
    (
        ("钢铁板块市净率中位数", "传媒呢", "哪个高"),
        "A股钢铁的市净率(MRQ)中位数、A股传媒的市净率(MRQ)中位数",
    ),
    (("市净率低于1的钢铁股", "全市场呢"), "A股中市净率(MRQ)不低于0倍且小于1倍的公司"),
    (
        ("上证指数2016年涨了多少", "恒生指数呢", "再加上沪深300"),
        "上证指数、恒生指数、沪深300的2016-01-01至2016-12-31的区间涨跌幅",
    ),
    (
        ("市净率低于1的钢铁股有几家", "占全部钢铁股的百分之几"),
        "A股钢铁（市净率(MRQ)不低于0倍）（市净率(MRQ)小于1倍）中有市净率(MRQ)的公司数占A股钢铁中有"
        "市净率(MRQ)的公司数的百分比、A股钢铁（市净率(MRQ)不低于0倍）（市净率(MRQ)小于1倍）中有"
        "市净率(MRQ)的公司数、A股钢铁中有市净率(MRQ)的公司数",
    ),
    # A part of a list that nobody can tell is said to be none.
    (("传媒股今年涨幅前十", "不要ST和去年才上市的"), None),
    (("沪市主板市净率最低的3家",), "A股沪市主板中市净率(MRQ)最低的3家"),
)


def test_each_clause_that_asks_is_a_question() -> None:
    found = read("格力电器、美的集团2015年净利润分别多少，加起来多少")
    assert isinstance(found, Several)
    each, total = found.queries
    assert isinstance(each, Query)
    assert isinstance(total, Query)
    assert each.scope == total.scope
    assert [(one.how, one.of) for one in total.fold] == [("sum", each.show[0])]


@cache
def _names() -> dict[str, str]:
    return {symbol: row.name for symbol, row in names().known.items()}


@pytest.mark.parametrize(("turns", "told"), TOLD, ids=[turns[-1] for turns, _ in TOLD])
def test_the_last_turn_is_told_back_as_it_was_asked(
    turns: tuple[str, ...], told: str | None
) -> None:
    before: list[Query] = []
    for turn in turns[:-1]:
        found = read(turn, before)
        assert isinstance(found, Query), turn
        before.append(found)
    last = read(turns[-1], before)
    asked = last.queries if isinstance(last, Several) else (last,)
    said = [explain(one, _names()) for one in asked if isinstance(one, Query)]
    assert ("；".join(said) or None) == told
