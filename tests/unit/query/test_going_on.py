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

_BOTH_ENDS = "招商银行的2016-01-01至2016-12-31收盘价的最高值、2016-01-01至2016-12-31收盘价的最低值"
# What was asked of each year, of that day, of a whole set, goes on being so.
KEPT: Told = (
    (("万科历年净利润", "同比增速呢"), "万科A历史逐年的净利润同比变化率"),
    (("万科历年净利润", "同比增速呢", "营收呢"), "万科A历史逐年的营业收入同比变化率"),
    (("万科历年净利润", "市盈率呢"), "万科A的市盈率(TTM)"),
    (
        ("科大讯飞2016年跌得最狠的是哪一天", "那天上证指数怎么走的"),
        "科大讯飞2016-01-01至2016-12-31逐日中涨跌幅最低的1天，看上证指数的涨跌幅、上证指数的收盘价",
    ),
    (
        ("科大讯飞2016年跌得最狠的是哪一天", "东方财富最惨那天呢"),
        "东方财富2016-01-01至2016-12-31逐日中涨跌幅最低的1天",
    ),
    (
        ("科大讯飞2015年跌得最狠的是哪一天", "那天上证指数呢", "东方财富2016年最惨那天呢"),
        "东方财富2016-01-01至2016-12-31逐日中涨跌幅最低的1天",
    ),
    (
        ("A股各行业总市值合计前五", "换成市净率中位数，从低到高"),
        "A股各行业中市净率(MRQ)中位数最低的5个行业",
    ),
    (
        ("A股各行业总市值合计前五", "换成市净率中位数，从低到高", "银行不算，第二低的是哪个"),
        "A股（不含银行）各行业的市净率(MRQ)中位数，按市净率(MRQ)中位数从低到高取第2个",
    ),
    (("A股市值最大的十家", "银行不算，最高的是哪家"), "A股（不含银行）中总市值最高的1家"),
    (("A股银行平均市盈率多少", "最高的是谁"), "A股银行中市盈率(TTM)最高的1家"),
    (("A股银行平均市盈率多少", "最高的是谁", "哪家最低"), "A股银行中市盈率(TTM)最低的1家"),
    (
        (
            "港股汽车行业市值前三，市盈率也给一下",
            "第二名市净率呢",
            "这个行业里十倍PE以下的一共有几家",
        ),
        "港股汽车中市盈率(LYR)不低于0倍且不超过10倍的公司有多少家",
    ),
    (("港股汽车行业市值前三", "该行业市盈率最低的是哪家"), "港股汽车中市盈率(LYR)最低的1家"),
    (("家电股里市值最大的五家", "换成市盈率最低的五家"), "A股家用电器中市盈率(TTM)最低的5家"),
    (
        ("家电股里市值最大的五家", "其中市盈率最低的两家"),
        "先取A股家用电器中总市值最高的5家，再取其中市盈率(TTM)最低的2家，看总市值",
    ),
    (
        ("A股市净率低于1的，不含银行和地产", "把银行加回来"),
        "A股（不含房地产）中市净率(MRQ)不低于0倍且小于1倍的公司",
    ),
    (("A股银行", "把银行加回来"), None),
    (
        (
            "Alphabet's net income, each year you've got",
            "yoy growth for each of those?",
            "same thing for Facebook",
        ),
        "net profit year-on-year change of Facebook Class A history year by year",
    ),
    (
        (
            "Which Hong Kong insurers are on a P/E of under 20?",
            "lose anything smaller than 200 billion",
        ),
        "Hong Kong shares in Insurance with P/E (LYR) at least 0x and below 20x and "
        "market cap at least 200bn HKD",
    ),
    (
        ("A-share stocks with P/E below 10, ex-banks", "OK put the banks back in."),
        "A shares with P/E (TTM) at least 0x and below 10x",
    ),
    (
        ("Facebook's worst day in 2015?", "how did Google do that day?"),
        "the day with the lowest change % of Facebook Class A 2015-01-01 to 2015-12-31; "
        "show Google Class C's change %, Google Class C's close",
    ),
    (
        ("采掘里头有几家破净，叫什么",),
        "A股采掘中市净率(MRQ)不低于0倍且小于1倍的公司有多少家；A股采掘中市净率(MRQ)不低于0倍且小于1倍的公司",
    ),
    (
        ("How many A-share banks trade below book, and what are they called?",),
        "how many A shares in Banks with P/B (MRQ) at least 0x and below 1x there are; "
        "A shares in Banks with P/B (MRQ) at least 0x and below 1x",
    ),
    (("招行2016年最高收盘价和最低收盘价",), _BOTH_ENDS),
    (("招行2016年收盘最高最低各多少", "分别啥时候"), _BOTH_ENDS),
    (
        ("招行2016年收盘最高最低各多少", "现在离那个高点还差几个点"),
        "招商银行的(最近收盘与招商银行的2016-01-01至2016-12-31收盘价的最高值之差)占招商银行的"
        "2016-01-01至2016-12-31收盘价的最高值的百分比、最近收盘、"
        "招商银行的2016-01-01至2016-12-31收盘价的最高值",
    ),
    (("招行2016年最高价是多少", "离那个低点多少"), None),
    (
        ("Facebook highest and lowest close in 2015", "when were they"),
        "highest close over 2015-01-01 to 2015-12-31, lowest close over 2015-01-01 to 2015-12-31 "
        "of Facebook Class A",
    ),
    (
        (
            "万科2016年资产负债率多少",
            "招行呢",
            "再往前一年，这两家各是多少",
            "那12年到16年谁升得多",
        ),
        "万科A、招商银行，按资产负债率从2012年到2016年的变化额从高到低",
    ),
    (
        ("万科和招行2016年净利润", "2012到2016年谁涨得多"),
        "万科A、招商银行，按净利润从2012年到2016年的变化率从高到低",
    ),
    (
        ("招行2016年涨了多少", "万科呢", "谁涨得多"),
        "招商银行、万科A，按2016-01-01至2016-12-31的区间涨跌幅从高到低",
    ),
    (("招行和万科2016年净利润谁涨得多",), "招商银行、万科A，按2016年净利润同比变化率从高到低"),
    (
        ("同仁堂2012到2016年每年每股分红", "折成 payout ratio 呢"),
        "同仁堂2012年至2016年逐年的每股股利占每股收益的百分比",
    ),
    (
        ("万科历年净利润", "哪年最高，是不是一年比一年低"),
        "万科A历史逐年中净利润最高的1年；万科A是否满足：历史每期都净利润同比变化率小于0%",
    ),
    (("苹果2012到2016年净利率从高到低排",), "苹果2012年至2016年逐年，按净利率从高到低"),
    (
        ("A股市值最大的十家", "金融的拿掉，补足十家"),
        "A股（不含银行或非银金融）中总市值最高的10家",
    ),
    (
        ("招行2016年涨了多少", "那平安呢，港股那个"),
        "中国平安(02318.HK)的2016-01-01至2016-12-31的区间涨跌幅",
    ),
    (
        ("中国平安A股和H股的PE和PB", "哪边PB便宜"),
        "中国平安、中国平安(02318.HK)，按市净率(MRQ)从低到高",
    ),
    (
        (
            "Vanke 2016 revenue and net profit",
            "and the year before",
            "so what's that as a margin, both years",
            "How does BYD stack up on that?",
        ),
        "net margin of BYD 2015 to 2016 year by year",
    ),
    (
        ("港股那些赌场股加起来总市值多少", "最大那家占了百分之几", "保险股也照这样来一遍"),
        "港股保险中总市值最高的1家，看总市值占港股保险的总市值合计的百分比、港股保险的总市值合计",
    ),
    (
        ("港股赌场股加起来总市值多少", "最大那家占了百分之几", "换成保险"),
        "港股保险中总市值最高的1家，看总市值占港股保险的总市值合计的百分比、港股保险的总市值合计",
    ),
    (
        ("港股里头赌场赌博这个行业有几家", "市值上百亿的有哪些", "改成按市净率排，高的放前面"),
        "港股博彩中总市值不低于100亿港元的公司，按市净率(MRQ)从高到低",
    ),
    (
        ("腾讯2016年涨了多少", "outperform 恒指多少个点", "换成金山软件看看"),
        "金山软件的2016-01-01至2016-12-31的区间涨跌幅与恒生指数的2016-01-01至2016-12-31的区间涨跌幅"
        "之差、2016-01-01至2016-12-31的区间涨跌幅、恒生指数的2016-01-01至2016-12-31的区间涨跌幅",
    ),
    (
        ("银行业平均ROE是多少，最高的是谁",),
        "A股银行的净资产收益率平均值；A股银行中净资产收益率最高的1家",
    ),
    (
        ("Average ROE of A-share banks, and who is highest?",),
        "the mean ROE of A shares in Banks; the one highest by ROE of A shares in Banks",
    ),
)

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
    (("万科2016年净利润", "增加了百分之几"), "万科A的2016年净利润同比变化率"),
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


HOME_FIVE = "A股家用电器（总市值最高的5家）的总市值合计"
HOME_UNDER = (
    "A股家用电器（总市值在A股家用电器中从高到低的名次不超过5）（市盈率(TTM)不低于0倍）"
    "（市盈率(TTM)不超过20倍）的总市值合计"
)
HOME = "A股家用电器的总市值合计"
# Shares of a whole: of the rows told, of each, of one of them, of companies that were named.
SHARES: Told = (
    (
        ("家电市值前五是哪几个", "只留市盈率20倍以下的", "它俩占整个家电多少"),
        f"{HOME_UNDER}占{HOME}的百分比、{HOME_UNDER}、{HOME}",
    ),
    (("家电市值前五", "合计占整个行业多少"), f"{HOME_FIVE}占{HOME}的百分比、{HOME_FIVE}、{HOME}"),
    (
        ("家电市值前五", "各占行业多少"),
        f"A股家用电器中总市值最高的5家，看总市值占{HOME}的百分比、{HOME}",
    ),
    (
        ("家电市值前五", "占家电多少", "汽车呢"),
        "A股汽车（总市值最高的5家）的总市值合计占A股汽车的总市值合计的百分比、"
        "A股汽车（总市值最高的5家）的总市值合计、A股汽车的总市值合计",
    ),
    (
        ("茅台、五粮液、洋河市净率", "那这三家市值加起来占食品饮料板块多少"),
        "贵州茅台、五粮液、洋河股份的总市值合计占A股食品饮料的总市值合计的百分比、"
        "贵州茅台、五粮液、洋河股份的总市值合计、A股食品饮料的总市值合计",
    ),
    (
        ("茅台、五粮液、洋河市净率", "市值各占行业多少"),
        "贵州茅台、五粮液、洋河股份的总市值占所在行业的总市值合计的百分比、总市值、"
        "所在行业的总市值合计",
    ),
    (
        ("机械设备板块总市值多少", "占全A百分之几", "里面最大那只又占板块多少"),
        "A股机械设备中总市值最高的1家，看总市值占A股机械设备的总市值合计的百分比、"
        "A股机械设备的总市值合计",
    ),
    (("机械设备板块总市值多少", "最大的那家是谁"), "A股机械设备中总市值最高的1家"),
    (
        ("Total market cap of A-share machinery", "what share of all A shares is that"),
        "the combined market cap of A shares in Machinery as a percentage of the combined market "
        "cap of A shares, the combined market cap of A shares in Machinery, the combined market "
        "cap of A shares",
    ),
    (
        ("Total market cap of A-share machinery", "and the largest one's share of the sector"),
        "the one highest by market cap of A shares in Machinery; show market cap as a percentage "
        "of the combined market cap of A shares in Machinery, the combined market cap of A shares "
        "in Machinery",
    ),
    (("A股市值前十", "占银行多少"), None),  # no part of that
)

# Against the fold of a set: one row of a list, another fold.
AGAINST_FOLDS: Told = (
    (
        (
            "电子板块市值200亿以上的有多少家",
            "里头市盈率低于电子行业中位数的",
            "最便宜那只比中位数低多少",
        ),
        "A股电子中总市值不低于200亿元且市盈率(TTM)小于电子的市盈率(TTM)中位数的公司，"
        "取市盈率(TTM)最低的1家，看市盈率(TTM)与电子的市盈率(TTM)中位数之差",
    ),
    (
        ("银行市盈率中位数", "最低的那家比中位数低多少"),
        "A股银行中市盈率(TTM)最低的1家，看市盈率(TTM)与A股银行的市盈率(TTM)中位数之差、"
        "A股银行的市盈率(TTM)中位数",
    ),
    (
        ("电子市值前五", "市盈率平均多少", "比行业中位数高多少"),
        "A股电子（总市值最高的5家）的市盈率(TTM)平均值与A股电子的市盈率(TTM)中位数之差、"
        "A股电子（总市值最高的5家）的市盈率(TTM)平均值、A股电子的市盈率(TTM)中位数",
    ),
    (
        ("A股银行市值前五", "平均市盈率", "跟行业中位数比呢"),
        "(A股银行（总市值最高的5家）的市盈率(TTM)平均值与A股银行的市盈率(TTM)中位数之差)"
        "占A股银行的市盈率(TTM)中位数的百分比、A股银行（总市值最高的5家）的市盈率(TTM)平均值、"
        "A股银行的市盈率(TTM)中位数",
    ),
    (
        ("银行平均市净率", "比钢铁低多少"),
        "A股银行的市净率(MRQ)平均值与A股钢铁的市净率(MRQ)平均值之差、"
        "A股银行的市净率(MRQ)平均值、A股钢铁的市净率(MRQ)平均值",
    ),
    (
        ("median P/E of A-share banks", "how far below the market median is that"),
        "the median P/E (TTM) of A shares in Banks minus the median P/E (TTM) of A shares, "
        "the median P/E (TTM) of A shares in Banks, the median P/E (TTM) of A shares",
    ),
    (
        ("A股银行市值前五", "最大的是最小的几倍"),
        "A股银行（总市值最高的5家）的总市值最高值与A股银行（总市值最高的5家）的总市值最低值之比、"
        "A股银行（总市值最高的5家）的总市值最高值、A股银行（总市值最高的5家）的总市值最低值",
    ),
    (  # by what was asked of them
        ("A股银行市值前五", "各自市盈率多少", "最高的比最低的高多少"),
        "A股银行（总市值最高的5家）的市盈率(TTM)最高值与A股银行（总市值最高的5家）的市盈率(TTM)最低值之差、"
        "A股银行（总市值最高的5家）的市盈率(TTM)最高值、A股银行（总市值最高的5家）的市盈率(TTM)最低值",
    ),
    (
        ("茅台、五粮液、洋河市盈率", "最低的那家比行业中位数低多少"),
        "贵州茅台、五粮液、洋河股份中市盈率(TTM)最低的1家，看市盈率(TTM)与所在行业的市盈率(TTM)中位数之差、"
        "所在行业的市盈率(TTM)中位数",
    ),
    (
        ("A股银行市值前五", "第二名占行业多少"),
        "A股银行中按总市值从高到低取第2家，看总市值占A股银行的总市值合计的百分比、A股银行的总市值合计",
    ),
    # One of the industries that were told; its place is looked up in the list of them all.
    (("A股市盈率中位数最高的三个行业", "食品饮料呢"), "A股食品饮料的市盈率(TTM)中位数"),
    (("各行业公司数量最多的五个", "银行呢"), "A股银行有多少家"),
    (
        (
            "Three dearest A-share industries by median trailing P/E",
            "where does food and beverage fall in the ranking?",
        ),
        None,
    ),
)


SHANGHAI = "上证指数2015-01-01至2015-12-31逐日中"
HSI = "恒生指数2015-01-01至2015-12-31逐日中"
# The next place of the same order, of days and years too; several places at once.
PLACES: Told = (
    (("上证2015年单日跌得最狠的是哪天", "第二呢"), f"{SHANGHAI}按涨跌幅从低到高取第2天"),
    (("上证2015年单日跌得最狠的是哪天", "第二呢", "换恒指看看最狠那天"), f"{HSI}涨跌幅最低的1天"),
    (("上证2015年单日跌得最狠的是哪天", "恒指最狠的是哪天"), f"{HSI}涨跌幅最低的1天"),
    (("茅台近五年净利润", "哪年最高", "第二呢"), "贵州茅台最近5年逐年中按净利润从高到低取第2年"),
    (
        ("Which day in 2015 did the Shanghai Composite fall the most", "and the second worst"),
        "number 2 by change % low to high of SSE Composite 2015-01-01 to 2015-12-31",
    ),
    (("2016年净利率最高的是哪家", "第二第三呢"), "A股中按2016年净利率从高到低取第2至第3家"),
    (
        ("A股银行市净率最低的是哪家", "第二名和第三名呢", "第四到第六呢"),
        "A股银行中按市净率(MRQ)从低到高取第4至第6家",
    ),
    (
        ("Which A-share bank has the lowest P/B", "second and third?"),
        "numbers 2 to 3 by P/B (MRQ) low to high of A shares in Banks",
    ),
    (("最大的银行", "第二大的呢"), "A股银行中按总市值从高到低取第2家"),
    (("A股市值前五", "最厉害的是谁"), "A股中总市值最高的1家"),
    (
        ("振幅超过10%的股票有几只", "只看创业板", "最大的那只振幅多少 市值多大"),
        "A股创业板中振幅大于10%的公司，取振幅最高的1家，看总市值",
    ),
)


# A figure of the row that was found, more companies by a figure that is named, which of the two.
OF_WHAT_WAS_FOUND: Told = (
    (
        ("招商银行近五年净利润给我列一下", "哪年增得最快", "复合下来一年多少"),
        "招商银行的净利润最近5年的年复合增长率",
    ),
    (
        ("Tencent's 2016 revenue?", "and the year before?", "growth between the two, in percent"),
        "percentage change of revenue from 2015 to 2016 of Tencent",
    ),
    (
        (
            "Tesla net losses by year, 2012-16",
            "which was worst, and what was it as a share of that year's revenue",
        ),
        "the year with the lowest net profit of Tesla Motors 2012 to 2016; show net profit as a "
        "percentage of revenue, revenue",
    ),
    (
        ("特斯拉2012到2016年净利润", "哪年亏得最多", "占当年营收多少"),
        "特斯拉2012年至2016年逐年中净利润最低的1年，看净利润占营业收入的百分比、营业收入",
    ),
    (
        ("茅台2016年净利润", "占营收多少"),
        "贵州茅台的2016年净利润占2016年营业收入的百分比、2016年净利润、2016年营业收入",
    ),
    (
        ("茅台市盈率", "五粮液呢", "把洋河也摆进来,三家比一下市净率,谁最低"),
        "贵州茅台、五粮液、洋河股份，按市净率(MRQ)从低到高",
    ),
    (("茅台和五粮液的市盈率和市净率", "谁更低"), None),  # by which of the two
)


HIGHEST = "腾讯控股2016-07-26至2017-07-26逐日中收盘价最高的1天"
# The day at which a price that was told was highest; whole questions asked again of another set.
SAME_AGAIN: Told = (
    # Three who wrote questions without sight of this meant it so.
    (("腾讯2016年营收", "2015年呢", "增速多少"), "腾讯控股的营业收入从2015年到2016年的变化率"),
    (
        ("腾讯2016年营收", "2015年呢", "增速多少", "净利润的增速呢"),
        "腾讯控股的2016年净利润同比变化率",
    ),
    (
        ("山西汾酒2012到2016年营收哪年最低", "那净利润呢"),
        "山西汾酒2012年至2016年逐年中净利润最低的1年",
    ),
    (
        ("top 10 A shares by market cap, the one with lowest P/B",),
        "first the 10 highest by market cap of A shares; of these the one lowest by P/B (MRQ)",
    ),
    (
        ("家电行业市值前十", "PE超过30的不要"),
        "先取A股家用电器中总市值最高的10家，再取其中市盈率(TTM)不低于0倍且不超过30倍的公司，"
        "按总市值从高到低",
    ),
    (("腾讯收盘价", "近一年最高是哪天"), HIGHEST),
    (("腾讯收盘价", "近一年最高系边日"), HIGHEST),
    (("苹果股价", "2015年最低是哪天"), "苹果2015-01-01至2015-12-31逐日中收盘价最低的1天"),
    (("茅台市盈率", "最高是哪天"), None),
    (("家电市值前五是哪几个", "换成汽车,同样的法子再来一遍"), "A股汽车中总市值最高的5家"),
    (
        ("家电市值前五", "占家电多少", "换成汽车,同样的法子再来一遍"),
        "A股汽车（总市值最高的5家）的总市值合计占A股汽车的总市值合计的百分比、"
        "A股汽车（总市值最高的5家）的总市值合计、A股汽车的总市值合计",
    ),
    (
        ("医药生物和电子，哪个行业市净率中位数高", "算上计算机呢", "这三个行业各有几家市值过500亿"),
        "A股医药生物或电子或计算机中总市值大于500亿元的公司各行业的公司数，按公司数从高到低",
    ),
    (
        (
            "How many companies are in each A-share industry? top 5 only",
            "average market cap for those",
        ),
        "number of companies, mean market cap of A shares by industry, by number of companies high "
        "to low, the first 5",
    ),
    (
        ("A股哪个行业市净率中位数最低", "银行里哪家最高"),
        "A股银行中市净率(MRQ)最高的1家",
    ),
    (
        (
            "市盈率低于10倍的A股有多少家",
            "按行业分一下",
            "银行那几家是谁",
            "回到刚才那30家，市值最大的三家",
        ),
        "A股中市盈率(TTM)不低于0倍且小于10倍的公司，取总市值最高的3家",
    ),
    (
        ("交通运输市值前五", "PE呢", "把顺丰剔了再看平均"),
        "先取A股交通运输中总市值最高的5家，再取其中A股交通运输（不含顺丰控股），按总市值从高到低，"
        "并算市盈率(TTM)平均值",
    ),
    (
        ("国防军工市盈率低于60倍的", "它们的市净率", "高于3倍的去掉"),
        "A股国防军工中市盈率(TTM)不低于0倍且小于60倍且市净率(MRQ)不低于0倍且不超过3倍的公司",
    ),
    (
        ("非银金融里市盈率20倍以下的", "去掉平安"),
        "A股非银金融（不含中国平安）中市盈率(TTM)不低于0倍且不超过20倍的公司",
    ),
    (
        ("五粮液市盈率", "行业里20倍以下的有哪几家"),
        "A股食品饮料中市盈率(TTM)不低于0倍且不超过20倍的公司",
    ),
    (
        ("A股钢铁市盈率最低的五家", "太小的去掉吧，200亿以上的"),
        "先取A股钢铁中市盈率(TTM)最低的5家，再取其中总市值不低于200亿元的公司，按市盈率(TTM)从低到高",
    ),
    (("2016年净利率最高的是哪家,就你有年报的那些", "第二呢"), "A股中按2016年净利率从高到低取第2家"),
    (
        ("万达电影16年ROE", "营收除以总资产呢,跟15年比"),
        "万达电影的(2016年营业收入与2016年总资产之比)与(2015年营业收入与2015年总资产之比)之差、"
        "2016年营业收入与2016年总资产之比、2015年营业收入与2015年总资产之比",
    ),
    (
        ("招商银行2012年到2016年净利润复合增速", "跟平安银行比差几个点"),
        "招商银行的净利润从2012年到2016年的年复合增长率与平安银行的净利润从2012年到2016年的"
        "年复合增长率之差、净利润从2012年到2016年的年复合增长率、"
        "平安银行的净利润从2012年到2016年的年复合增长率",
    ),
)


# English in few words, and beside it the same with one meaning more.
IN_FEW_WORDS: Told = (
    (
        ("Which five Hong Kong banks are the biggest by market cap?",),
        "the 5 highest by market cap of Hong Kong shares in Banks",
    ),
    (("Which five Hong Kong banks are not the biggest by market cap?",), None),
    (
        ("top 5 A-share banks by market cap", "cheapest of them on book value?"),
        "first the 5 highest by market cap of A shares in Banks; of these the one lowest by "
        "P/B (MRQ); show market cap",
    ),
    (
        ("top 5 A-share banks by market cap", "why isn't ICBC in there?", "OK, add it."),
        "(A shares and Banks and high-to-low rank of market cap among A shares in Banks at most 5) "
        "or Industrial and Commercial Bank of China, by market cap high to low",
    ),
    (
        ("Facebook and Google revenue in 2016", "And back in 2012?"),
        "2012 revenue of Facebook Class A, Google Class C",
    ),
    (
        ("BYD and Great Wall debt to assets in 2016", "How many points apart were they in 2015?"),
        "2015 debt to assets minus Great Wall Motor's 2015 debt to assets, 2015 debt to assets, "
        "Great Wall Motor's 2015 debt to assets of BYD",
    ),
    (
        ("Apple's revenue 2012 to 2016", "Any down year?"),
        "Apple 2012 to 2016 year by year with revenue year-on-year change below 0%",
    ),
    (
        ("What were the Hang Seng's 2015 closing high and low?",),
        "highest close over 2015-01-01 to 2015-12-31, lowest close over 2015-01-01 to 2015-12-31 "
        "of Hang Seng Index",
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        *KEPT,
        *IN_FEW_WORDS,
        *BETWEEN_TIMES,
        *TOLD_TOGETHER,
        *SHARES,
        *AGAINST_FOLDS,
        *PLACES,
        *OF_WHAT_WAS_FOUND,
        *SAME_AGAIN,
    ],
    ids=lambda one: str(one)[-24:],
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


def test_sets_said_beside_a_bound_are_where_it_is_looked_for() -> None:
    """A股汽车, in one phrase with its bound, is the set that is screened, no condition on it."""
    first = query("便宜的有哪些")
    assert isinstance(first, Query)
    meant = query("我是说A股汽车股市盈率低于15的", [first])
    assert isinstance(meant, Query)
    alone = query("A股汽车股市盈率低于15的")
    assert isinstance(alone, Query)
    assert (meant.scope, meant.where) == (alone.scope, alone.where)


# What goes by a bound of what was told, and the question of those known to lie on its other side.
OTHER_SIDE = (
    (
        ("国防军工市盈率低于60倍的", "它们的市净率", "高于3倍的去掉"),
        "国防军工市盈率低于60倍且市净率不高于3倍的",
    ),
    (
        ("钢铁市净率平均多少", "高于3倍的有哪些", "不算这些平均多少"),
        "市净率不高于3倍的钢铁，平均市净率多少",
    ),
    (
        ("钢铁市净率平均多少", "高于3倍的有哪些", "不算这些有几家"),
        "市净率不高于3倍的钢铁有几家",
    ),
)


@pytest.mark.parametrize(("turns", "alone"), OTHER_SIDE)
def test_whose_figure_nobody_knows_goes_with_those_beyond_the_bound(
    turns: tuple[str, ...], alone: str
) -> None:
    before: list[Query] = []
    for turn in turns:
        before += _queries(query(turn, before))
    left, meant = before[-1], query(alone)
    assert len(before) == len(turns)
    assert isinstance(meant, Query)
    assert (left.scope, left.where, left.fold) == (meant.scope, meant.where, meant.fold)


def test_the_rest_of_those_that_several_bounds_found_is_asked_about() -> None:
    turns = ("钢铁市净率平均多少", "市净率高于3倍且市值超过100亿的有哪些", "不算这些平均多少")
    before: list[Query] = []
    for turn in turns[:-1]:
        before += _queries(query(turn, before))
    assert len(before) == 2
    assert query(turns[-1], before) is None
