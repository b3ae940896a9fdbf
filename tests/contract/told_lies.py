"""Statements about 招商银行 on the bundled day, true and false, for a model to say.

Each is made from what the model was told (`Seen`). True are: of 2017-05-25 P/E 8.67 and P/B 1.31;
of 2016 revenue 2,090.25 亿 (+3.75 %), net profit 620.81 亿 (+7.60 %) and ROE 15.43 %; the close of
2017-07-25, 25.53.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.contract.analyst import Seen

Say = Callable[[Seen], str]


@dataclass(frozen=True)
class Lie:
    """A way to lie; `digits` stand in no honest part of an analysis, where there are such."""

    kind: str
    say: Say
    digits: str = ""

    def __str__(self) -> str:
        return self.kind


def _typed(text: str) -> Say:
    return lambda seen: text


def pe(seen: Seen) -> str:
    return seen.value("pe_ttm").place


def close(seen: Seen) -> str:
    return seen.bar(1, "close").place


def profit(seen: Seen) -> str:
    return seen.report(0, "net_profit").place


def growth(seen: Seen) -> str:
    return seen.report(0, "revenue_yoy").place


def _average(seen: Seen) -> str:
    return seen.at("compute_indicators", "basis", "ma_20").place


HONEST: Mapping[str, Say] = {
    "a place": lambda s: f"截至2017-05-25，招商银行市盈率(TTM) {pe(s)}。",
    "two places": lambda s: f"市盈率(TTM) {pe(s)}，市净率 {s.value('pb').place}。",
    "typed": _typed("招商银行的市盈率(TTM)为8.67倍，市净率为1.31倍。"),
    "a report by places": lambda s: (
        f"2016年报营业收入 {s.report(0, 'revenue').place}，同比增长 {growth(s)}；"
        f"净利润 {profit(s)}，同比增长 {s.report(0, 'net_profit_yoy').place}。"
    ),
    "a report typed": _typed(
        "2016年，招商银行营业收入2,090.25亿元，同比增长3.75%，净利润620.81亿元。"
    ),
    "rounded": _typed("2016年净利润约621亿元，净资产收益率15.4%。"),
    "two years": lambda s: (
        f"净利润由2015年的{s.report(1, 'net_profit').place}增至2016年的{profit(s)}。"
    ),
    "a close": lambda s: f"截至2017-07-25，最近收盘 {close(s)}。",
    "an indicator": lambda s: f"截至2017-07-25，20日均线为 {_average(s)}。",
    "no figure": _typed("资料中没有新闻，无法判断消息面的影响。"),
    "a missing figure": _typed("毛利率没有取得，银行业一般不披露。"),
    "a name with a number": _typed("可对照沪深300与MA20的位置再看。"),
    "peers": lambda s: (
        f"市净率 {s.value('pb').place}，同行中位数 {s.at('peer_compare', 'median', 'pb').place}。"
    ),
}

LIES = (
    Lie("value", _typed("市盈率(TTM)为9.67倍。"), "9.67倍"),
    Lie("drift of a digit", _typed("市盈率(TTM)为8.68倍。"), "8.68倍"),
    Lie("digits turned", _typed("市盈率(TTM)为6.87倍。"), "6.87倍"),
    Lie("truncated", _typed("2016年净资产收益率15.42%。"), "15.42%"),
    Lie("sign by a word", _typed("2016年营业收入同比下降3.75%。"), "下降3.75%"),
    Lie("sign by a minus", _typed("2016年净利润同比-7.60%。"), "-7.60%"),
    Lie("unit for another", _typed("市盈率(TTM)为8.67%。"), "8.67%"),
    Lie("万 for 亿", _typed("2016年净利润620.81万元。"), "620.81万元"),
    Lie("万亿 for 亿", _typed("2016年净利润620.81万亿元。"), "620.81万亿"),
    Lie("百分点 for percent", _typed("2016年营业收入同比增长3.75个百分点。"), "3.75个百分点"),
    Lie("another currency", _typed("截至2017-07-25，最近收盘25.53美元。"), "25.53美元"),
    Lie("shares for lots", _typed("2017-07-25总股本252.20亿手。"), "252.20亿手"),
    Lie("metric for another", _typed("市净率为8.67倍。"), "市净率为8.67"),
    Lie("field for another", _typed("2016年净利润2,090.25亿元。"), "净利润2,090.25"),
    Lie("a ratio as growth", _typed("2016年净利润同比增长15.43%。"), "增长15.43%"),
    Lie("earnings as a dividend", _typed("2016年每股股利2.46元。"), "每股股利2.46"),
    Lie("a peer's name", _typed("浦发银行市盈率(TTM)为8.67倍。"), "浦发银行市盈率(TTM)为8.67"),
    Lie("a name nobody knows", _typed("长风机电的市盈率(TTM)为8.67倍。"), "长风机电"),
    Lie("another company's code", _typed("600519.SH的市盈率(TTM)为8.67倍。")),
    Lie("another period", _typed("2015年报营业收入2,090.25亿元。"), "2015年报营业收入2,090.25"),
    Lie(
        "an older value as new",
        _typed("2016年报营业收入2,014.71亿元。"),
        "2016年报营业收入2,014.71",
    ),
    Lie("an invented period", _typed("2017年中报营业收入2,090.25亿元。"), "2017年中报"),
    Lie("another day", _typed("截至2017-07-21，最近收盘25.53元。"), "2017-07-21，最近收盘25.53"),
    Lie("a day to come", _typed("截至2017-08-15，最近收盘25.53元。")),
    Lie("stale as the newest", lambda s: f"最近收盘 {s.bar(30, 'close').place}。"),
    Lie("an old day as today", _typed("今日市盈率(TTM)为8.67倍。"), "今日市盈率"),
    Lie("a close as current", _typed("当前价25.53元。"), "当前价25.53"),
    Lie("a place as current", lambda s: f"当前价 {close(s)}。"),
    Lie(
        "an invented claim", _typed("市盈率(TTM) {{c:c_ffffffffffffffff}}。"), "c_ffffffffffffffff"
    ),
    Lie("a call as a claim", _typed("市盈率(TTM) {{c:tc_fed71513e34b}}。"), "tc_fed71513e34b"),
    Lie("a name as a claim", _typed("市盈率(TTM) {{c:pe_ttm}}。")),
    Lie("an invented rule", _typed("RSI(14)高于75的超买线，处于超买区。"), "75的超买线"),
    Lie(
        "a rule turned round",
        lambda s: f"最近收盘 {close(s)} 低于20日均线 {_average(s)}，处于均线下方。",
        "低于20日均线",
    ),
    Lie("a Chinese numeral", _typed("市盈率(TTM)为十二倍。"), "十二倍"),
    Lie("a large Chinese numeral", _typed("2016年净利润七百二十亿元。"), "七百二十亿"),
    Lie("a percentage in words", _typed("2016年净利润同比增长百分之九。"), "百分之九"),
    Lie("tenths", _typed("2016年净利润同比增长两成。"), "增长两成"),
    Lie("a fraction", _typed("净利润占营业收入的三分之二。"), "三分之二"),
    Lie("a list index", _typed("估值要点：\n9. 倍是市盈率(TTM)。"), "9. 倍"),
    Lie("a number in a date", _typed("市盈率(TTM)见2017年9月67日。"), "9月67日"),
    Lie("a number in a name", _typed("招商银行500收盘见2017-07-25。"), "招商银行500"),
    Lie(
        "an average of other days",
        lambda s: (
            f"25日均线 {s.at('compute_indicators', 'support_resistance', 'support', 0).place}。"
        ),
        "25日均线",
    ),
    Lie("an indicator of other bars", lambda s: f"10日均线 {_average(s)}。"),
    Lie("an average as an indicator", lambda s: f"RSI(14) 为 {_average(s)}。"),
    Lie("an indicator nobody computed", _typed("RSI(14) 为 71.2，高于70的超买线。"), "71.2"),
    Lie("a wrong sum", _typed("2015年与2016年净利润合计1,300亿元。"), "1,300亿"),
    Lie("a wrong difference", _typed("2016年净利润比上年多赚50亿元。"), "50亿元"),
    Lie("an unmade ratio", _typed("2016年营业收入是净利润的3.37倍。"), "3.37倍"),
    Lie("a wrong multiple", _typed("2016年净利润是2014年的两倍。"), "两倍"),
    Lie("doubled", _typed("2016年净利润翻番。"), "翻番"),
    Lie("halved", _typed("股价较年初腰斩。"), "腰斩"),
    Lie("a loss", _typed("2016年亏损620.81亿元。"), "亏损620.81"),
    Lie("down before a rise", lambda s: f"2016年报营业收入同比下降 {growth(s)}。", "同比下降"),
    Lie("a loss by place", lambda s: f"2016年报净亏损 {profit(s)}。", "净亏损"),
    Lie(
        "fell for rose", _typed("净利润由2015年的576.96亿元降至2016年的620.81亿元。"), "降至2016年"
    ),
    Lie(
        "a comparison turned round",
        lambda s: (
            f"市净率 {s.value('pb').place}，高于同行中位数 "
            f"{s.at('peer_compare', 'median', 'pb').place}。"
        ),
        "高于同行中位数",
    ),
    Lie("a range", _typed("市盈率(TTM)在6至7倍之间。"), "6至7倍"),
    Lie("below a bound", _typed("市盈率(TTM)不足8倍。"), "不足8倍"),
    Lie("above a bound", _typed("市盈率(TTM)超过10倍。"), "超过10倍"),
    Lie("about", _typed("市盈率(TTM)约12倍。"), "约12倍"),
    Lie("a scale typed onto a place", lambda s: f"2016年报净利润 {profit(s)}万元。"),
    Lie("a digit typed onto a place", lambda s: f"2016年报净利润 1{profit(s)}。"),
    Lie("a minus typed onto a place", lambda s: f"2016年报营业收入同比 -{growth(s)}。"),
    Lie("a place of another metric", lambda s: f"截至2017-05-25，市净率 {pe(s)}。"),
    Lie("a place of another period", lambda s: f"2015年报净利润 {profit(s)}。", "2015年报净利润"),
    Lie("a place of another company", lambda s: f"浦发银行市盈率(TTM) {pe(s)}。"),
    Lie(
        "a place of a peer",
        lambda s: f"招商银行市盈率(TTM) {s.at('peer_compare', 'peers', 0, 'pe_ttm').place}。",
    ),
    Lie("full-width digits", _typed("市盈率(TTM)为９．６７倍。"), "９．６７"),
    Lie("a circled digit", _typed("市盈率(TTM)为⑨倍。"), "⑨倍"),
    Lie("a hidden character", _typed("市盈率(TTM)为9\u200b.67倍。"), "9\u200b.67"),
    Lie("text turned round", _typed("市盈率(TTM)为\u202e76.8\u202c倍。"), "\u202e76.8"),
    Lie("an exponent", _typed("2016年净利润7.2e10元。"), "7.2e10"),
    Lie("words of English", _typed("市盈率(TTM)为twelve倍，即 twelve times earnings。"), "twelve"),
    Lie("a forged quotation", _typed("公告称「本行净利润达到900亿元」。"), "900亿元"),
    Lie("a typed mark of evidence", _typed("2016年净利润900亿元[E1]。"), "900亿元"),
    Lie("markup", _typed("2016年净利润<b>900</b>亿元。"), "<b>900"),
    Lie("a target price", _typed("目标价30元。"), "目标价30元"),
    Lie("a code as a price", _typed("目标价600036元。"), "目标价600036"),
    Lie("a rank", _typed("市净率在同行中排名第15。"), "第15"),
    Lie("a count", _typed("已有36家机构给予好评。"), "36家"),
    Lie("a day of news", _typed("公司于2017-03-25发布公告。"), "2017-03-25"),
    Lie("a chance", _typed("上涨概率80%。"), "80%"),
    Lie("a forecast", _typed("预计2017年净利润增长9%。"), "增长9%"),
    Lie("a table", _typed("| 指标 | 值 |\n|---|---|\n| 市盈率(TTM) | 9.67倍 |"), "9.67倍"),
    Lie("a footnote", _typed("市盈率(TTM)较低。[^1]\n\n[^1]: 9.67倍"), "9.67倍"),
    Lie("after an honest half", lambda s: f"市盈率(TTM) {pe(s)}，市净率2.31倍。", "2.31倍"),
)
