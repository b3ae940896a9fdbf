"""Questions put back, in the language asked: why, and texts that can be asked as they are."""

import re
from collections.abc import Mapping, Sequence

from services.query.nlir import AskBack

_HAN = re.compile(r"[一-鿿]")
_REASONS: Mapping[str, tuple[str, str]] = {
    "empty": ("想问什么？可以这样问：", "What would you like to know? For example:"),
    "too_long": ("问题太长了，请用一两句话说。", "Too long: please ask in a sentence or two."),
    "no_company": ("没有说是哪家公司。想看哪家？", "Which company? None was named."),
    "no_figure": ("想看{0}的什么？", "What about {0}?"),
    "no_base": (
        "前面没有可以接着问的问题，请说完整。",
        "There is no earlier question to go on from; please say it in full.",
    ),
    "ambiguous": (
        "「{0}」可能指几家，请选择其一。",
        "“{0}” may be several listings; please choose.",
    ),
    "unknown_company": (
        "没有找到「{0}」。是不是指下面的某一家？",
        "“{0}” is not listed here. Did you mean one of these?",
    ),
    "unlisted_there": (
        "「{0}」在{1}没有对应的上市股票。",
        "“{0}” has no listing in that market.",
    ),
    "unknown_figure": (
        "没有「{0}」这项数据。可以看相近的：",
        "There is no figure “{0}” here. The nearest are:",
    ),
    "unscreenable": (
        "不能按「{0}」筛选。可以按这些指标：",
        "“{0}” cannot be screened by. These can:",
    ),
    "unfinished": (
        "「{0}」的条件没有说完：是多少？",
        "The condition on {0} is unfinished: how much?",
    ),
    "wrong_condition": ("「{0}」的条件不成立或看不懂：{1}", "The condition on {0}: {1}"),
    "impossible_day": ("没有这样的日期。", "There is no such day."),
    "reversed_days": ("开始日期晚于结束日期。", "The start is after the end."),
    "no_report": ("没有那个月份的报告，请说季度或年报。", "No report ends in that month."),
    "which_periods": (
        "想看{0}的哪几期？比如：近三年、2016年报。",
        "Which periods of {0}? Such as: the last three years, FY2016.",
    ),
    "advice": (
        "有据不给买卖建议，也不荐股；可以看数据：",
        "Youju gives no advice to buy or sell. It can show the figures:",
    ),
    "prediction": ("有据不预测涨跌和价格；可以看：", "Youju predicts no prices. It can show:"),
    "off_topic": (
        "没有听懂，或者与股票数据无关。可以这样问：",
        "Not understood, or not about shares. For example:",
    ),
    "not_understood": (
        "没有听懂「{0}」，不想猜。请换个说法。",
        "“{0}” was not understood, and guessing would be wrong.",
    ),
    "bad_host": (
        "只能打开雪球（xueqiu.com）的链接。",
        "Only addresses on xueqiu.com can be opened.",
    ),
}
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "zh": ("贵州茅台的营业收入", "市盈率小于20的A股", "五粮液2015年12月为什么跌", "最新LPR"),
    "en": ("600519 revenue", "A-shares with PE below 20", "why did AAPL fall", "latest CPI"),
}
FIGURES: Mapping[str, tuple[str, ...]] = {
    "zh": ("营业收入", "净利润", "市盈率(TTM)", "最新价"),
    "en": ("revenue", "net profit", "PE", "stock price"),
}
FIRM: Mapping[str, tuple[str, ...]] = {
    "zh": ("贵州茅台", "腾讯控股", "苹果"),
    "en": ("600519", "Tencent", "AAPL"),
}


class AskedBack(Exception):  # noqa: N818 - not an error: a question put back
    """Ends the reading of a question with a question."""

    def __init__(self, ask_back: AskBack) -> None:
        super().__init__(ask_back.reason)
        self.ask_back = ask_back


def language_of(text: str) -> str:
    """`zh` unless it is written in Latin letters only."""
    return "en" if re.search("[A-Za-z]", text) and not _HAN.search(text) else "zh"


def asked(language: str, kind: str, *said: str, choices: Sequence[str] = ()) -> AskedBack:
    """The question put back, ready to be raised; at most eight choices."""
    zh, en = _REASONS[kind]
    reason = (zh if language == "zh" else en).format(*said)
    return AskedBack(
        AskBack(reason=reason, choices=tuple(dict.fromkeys(choices or EXAMPLES[language]))[:8])
    )


def about(language: str, company: str) -> tuple[str, ...]:
    """Questions about that company."""
    link = "的" if language == "zh" else " "
    return tuple(f"{company}{link}{figure}" for figure in FIGURES[language])
