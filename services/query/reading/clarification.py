"""Questions put back, in the language asked: why, and texts that can be asked as they are."""

import re
from collections.abc import Mapping, Sequence

from services.core.text import Language, Text
from services.query.planning.metadata import MetadataEntry
from services.query.planning.nlir import AskBack
from services.query.planning.plir import Session

_HAN = re.compile(r"[一-鿿]")
# A company as a choice names it: 苹果(AAPL), which says nothing of the language.
_NAMED = re.compile(r"[^\s,，、()的]+\([0-9A-Z.]+\)")
# Codes and figures that are called the same in both languages.
_NEUTRAL = re.compile(
    r"(?i:pe|pb|ps|roe|eps|dps|ttm|lyr|mrq|yoy|cpi|ppi|gdp|pmi|lpr|m1|m2|fy\d*|q[1-4])|[A-Z]{1,6}"
    r"|[\d.]+(?i:sh|sz|hk)?"
)
_BETWEEN = re.compile(r"[\s,，、?？+&/()-]+")
_REASONS: Mapping[str, Text] = {
    "empty": Text("想问什么？可以这样问：", "What would you like to know? For example:"),
    "too_long": Text("问题太长了，请用一两句话说。", "Too long: please ask in a sentence or two."),
    "no_figure": Text("想看{0}的什么？", "What about {0}?"),
    "ambiguous": Text(
        "「{0}」可能指几家，请选择其一。",
        "“{0}” may be several listings; please choose.",
    ),
    "unknown_company": Text(
        "没有找到「{0}」。是不是指下面的某一家？",
        "“{0}” is not listed here. Did you mean one of these?",
    ),
    "vague": Text(
        "「{0}」没有说清是从多少到多少。",
        "{0}: from how much to how much?",
    ),
    "what_it_does": Text(
        "有据回答上市公司与市场数据的问题，每个数字都有出处。可以这样问：",
        "Youju answers questions about listed companies, each figure with its source. For example:",
    ),
    "not_covered": Text(
        "这里没有汇率、商品、债券和加密货币的数据，只有股票、三个指数和内地宏观指标。可以这样问：",
        "No exchange rates, goods, bonds or coins here: shares, three indexes and mainland macro "
        "series. For example:",
    ),
    "no_rates": Text(
        "没有汇率的数据，不能换算成别的货币；按原来的货币可以看：",
        "There are no exchange rates here to convert with. In its own currency it can show:",
    ),
    "data_basis": Text(
        "现在的时点是 {0}（北京时间），数据到这一天为止；每个数字都写着自己的日期：股价是交易日，"
        "估值是估值日，财务是报告期。可以看：",
        "It is {0} here (Beijing time) and the data end there. Each figure says its own date: a "
        "price its session, a multiple its day, a report its period. For example:",
    ),
    "impossible_day": Text(
        "没有「{0}」的数据：日历上没有这一天，或它在今天（{1}）之后。",
        "There is nothing of “{0}”: no such day, or it lies behind today ({1}).",
    ),
    "unknown_code": Text(
        "没有收录代码「{0}」。A 股是六位，港股五位（00700），美股是字母（AAPL）；"
        "可以加后缀，如 600519.SH。",
        "No listing here has the code {0}. A shares have six digits, Hong Kong five (00700), US "
        "shares letters (AAPL); a suffix may follow: 600519.SH.",
    ),
    "no_cause": Text(
        "没有来源说明{0}的原因；可以看它的数值，或股价异动的原因：",
        "No source gives the reason for {0}; its figures, or why the price moved, can be shown:",
    ),
    "no_cause_of_set": Text(
        "没有来源说明{0}的原因，只有数值。可以这样问：",
        "No source gives the reason for {0}, only its figures. For example:",
    ),
    "foreign_macro": Text(
        "宏观数据只有中国内地的，没有{0}的。可以这样问：",
        "Macro series are of mainland China only, not {0}. For example:",
    ),
    "advice": Text(
        "有据不给买卖建议，也不荐股；可以看数据：",
        "Youju gives no advice to buy or sell. It can show the figures:",
    ),
    "prediction": Text("有据不预测涨跌和价格；可以看：", "Youju predicts no prices. It can show:"),
    "inside": Text(
        "有据没有内幕消息，只有公开的数据；可以看：",
        "Youju has no inside information, only what is published. It can show:",
    ),
    "order": Text(
        "有据不下单，也不给买卖建议；可以看数据：",
        "Youju places no orders and gives no advice. It can show the figures:",
    ),
    "fair_value": Text(
        "有据不判断该值多少；可以看现在的估值：",
        "Youju does not judge what it should be worth. It can show the valuation:",
    ),
    "other_subject": Text(
        "这不是上市公司数据的问题，这里不回答。可以这样问：",
        "That is not about listed companies, so it is not answered here. For example:",
    ),
    "what_order": Text(
        "{0}：要按什么排？",
        "{0}: by which figure?",
    ),
    "which_figure": Text(
        "「{0}」是哪项数据的？",
        "“{0}”: of which figure?",
    ),
    "whose": Text("想看谁的{0}？没有说是哪家公司或哪些公司。", "Whose {0}? No company was named."),
    "other_of_pair": Text(
        "前面只说到{0}，要跟哪家公司比？",
        "Only {0} was named before: which company is it to be compared with?",
    ),
    "no_whole_list": Text(
        "这里没有全市场的{0}，只能看一家公司近一个月上榜的日子。",
        "There is no {0} of the whole market here, only the days a company was on it last month.",
    ),
    "several_meanings": Text(
        "「{0}」可以指几种数据，请选一种。",
        "“{0}” may be several figures; please choose.",
    ),
    "no_names": Text(
        "没有读懂{0}，没有按它猜。不按{0}可以这样看：",
        "Not understood, and not guessed: {0}. Without it:",
    ),
    "unread": Text(
        "没有读懂{0}，请换个说法。",
        "Not understood: {0}. Please put it another way.",
    ),
    "not_held": Text("没有{0}的数据或分类。", "There is nothing here on {0}."),
    "not_held_of": Text(
        "没有{0}的数据或分类，{1}的也没有。",
        "There is nothing here on {0} (asked for: {1}).",
    ),
    "no_shape": Text(
        "读到了{0}，但不知道要怎么放在一起看，请换个说法。",
        "{0}: read, but not how they go together; please put it another way.",
    ),
    "of_what_before": Text(
        "前面没有可以接着问的名单或公司。是哪些公司？",
        "There is nothing before to go on from. Which companies?",
    ),
    "which_ones": Text(
        "前面没有说过哪几家{0}。是哪几家？请说出名字，或从名单里看：",
        "No {0} were named before. Which ones? Name them, or choose from a list:",
    ),
    "off_topic": Text(
        "没有听懂，或者与股票数据无关。可以这样问：",
        "Not understood, or not about shares. For example:",
    ),
    "not_understood": Text(
        "没有听懂「{0}」，不想猜。请换个说法。",
        "“{0}” was not understood, and guessing would be wrong.",
    ),
    "bad_host": Text(
        "只能打开雪球（xueqiu.com）的链接。",
        "Only addresses on xueqiu.com can be opened.",
    ),
}
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "zh": (
        "贵州茅台的营业收入",
        "市盈率小于20的A股",
        "腾讯2016年1月为什么跌",
        "上证指数近一个月走势",
    ),
    "en": (
        "600519 revenue",
        "A-shares with PE below 20",
        "why did AAPL fall",
        "how did the Hang Seng do last month",
    ),
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

    def __init__(self, ask_back: AskBack, kind: str = "", said: Sequence[str] = ()) -> None:
        """`kind` is why, `said` the words of the question that are not clear."""
        super().__init__(ask_back.reason)
        self.ask_back = ask_back
        self.kind = kind
        self.said = tuple(said)


def language_of(text: str) -> Language:
    """`zh` unless it is written in Latin letters only; a listed name with its code is neither."""
    rest = _NAMED.sub("", text)
    return "en" if re.search("[A-Za-z]", rest) and not _HAN.search(rest) else "zh"


def language_in(text: str, earlier: Sequence[str]) -> Language:
    """Its language among earlier texts: `pb` and `AAPL` go on in that of the one before."""
    if not _is_neutral(text):
        return language_of(text)
    before = next((one for one in reversed(earlier) if not _is_neutral(one)), text)
    return language_of(before)


def language_told(text: str, context: Session) -> Language:
    """The language what the next turn means is told in: the page's, else the text's own."""
    return context.language or language_in(text, [turn.user_query for turn in context.turns])


def _is_neutral(text: str) -> bool:
    words = [word for word in _BETWEEN.split(_NAMED.sub("", text)) if word]
    return all(_NEUTRAL.fullmatch(word) for word in words)


def asked(language: Language, kind: str, *said: str, choices: Sequence[str] = ()) -> AskedBack:
    """The question put back, ready to be raised; at most eight choices."""
    told = _REASONS[kind]
    reason = told.in_language(language).format(*said)
    offered = tuple(dict.fromkeys(choices or EXAMPLES[language]))[:8]
    return AskedBack(AskBack(reason=reason, choices=offered), kind, said)


def about(language: str, company: str) -> tuple[str, ...]:
    """Questions about that company."""
    link = "的" if language == "zh" else " "
    return tuple(f"{company}{link}{figure}" for figure in FIGURES[language])


def figure_called(entry: MetadataEntry, language: str) -> str:
    """A figure's name in that language; its Chinese one when it has no other."""
    if language == "zh":
        return entry.name
    return next((alias for alias in entry.aliases if alias.isascii()), entry.name)
