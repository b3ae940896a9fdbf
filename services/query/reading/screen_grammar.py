"""The patterns a screen is said in, on the shadow of a question. Data only; see screens_said.py."""

import re
from collections.abc import Mapping

from services.query.reading.sentence import COMPANY, FIGURE, LOSS, PROFIT, any_of
from services.query.reading.wording import ENGLISH_INDUSTRIES, INDUSTRIES, MARKETS

F = any_of(FIGURE)
M = f"(?P<m>{F})"
SIGNS: Mapping[str, str] = {
    **dict.fromkeys((">=", "≥", "=>", "at least", "no less than", "not less than"), "不低于"),
    **dict.fromkeys(
        ("no lower than", "not below", "minimum", "至少", "起码", "达到", "达"), "不低于"
    ),
    **dict.fromkeys(("<=", "≤", "=<", "at most", "no more than", "not more than"), "不超过"),
    **dict.fromkeys(("no higher than", "not exceeding", "not above", "maximum"), "不超过"),
    **dict.fromkeys(("up to", "至多", "没有超过", "没超过", "未超过"), "不超过"),
    **dict.fromkeys((">", "above", "over", "more than", "greater than", "higher than"), "大于"),
    **dict.fromkeys(("exceeding", "exceeds", "大过", "高过"), "大于"),
    **dict.fromkeys(("<", "below", "under", "less than", "lower than", "smaller than"), "小于"),
    **dict.fromkeys(("小过",), "小于"),
    **dict.fromkeys(("没有达到", "没达到", "未达到", "没到", "未达", "不满"), "不到"),
    **dict.fromkeys(("最少", "最低"), "不低于"),
    **dict.fromkeys(("最多", "最高"), "不超过"),
}
_AT_LEAST = ("大于等于", "大于或等于", "不低于", "不小于", "不少于", "最少", "最低")
_AT_MOST = ("小于等于", "小于或等于", "不高于", "不大于", "不超过", "不多于")
_MORE = ("大于", "高于", "超过", "超出", "多于", "突破", "超", "过")
_LESS = ("小于", "低于", "少于", "不足", "不到", "低过")
UPWARD = {*_AT_LEAST, *_MORE}
# 负债最少的10家 is an order: these bound only with a unit behind the figure.
_SUPERLATIVE_OPS = frozenset({"最少", "最低", "最多", "最高"})
_WITH_UNIT = r"(?= ?[0-9零〇一二两三四五六七八九十百千.]+ ?(?:%|倍|[万亿]|个[点百]))"


def _op(word: str) -> str:
    if word in _SUPERLATIVE_OPS:
        return word + _WITH_UNIT
    return re.escape(word) + (r"\b" if word[-1].isalpha() and word.isascii() else "")


_WORDS = dict.fromkeys((*_AT_LEAST, *_AT_MOST, *_MORE, *_LESS, *SIGNS))
OP = "(?:" + "|".join(_op(word) for word in sorted(_WORDS, key=len, reverse=True)) + ")"
_DIGIT = "0-9零〇一二两俩三四五六七八九十百千万亿"
SCALE = r"(?:billion|million|trillion|bn|mn)\b"
MONEY = "人民币|港币|港元|美元|美金|元|块钱|块|yuan\\b|rmb\\b|cny\\b|hkd\\b|usd\\b|dollars?\\b"
PREFIX = r"(?:hk\$|us\$|\$|¥|rmb ?|cny ?|hkd ?|usd ?)"
_UNIT = rf"(?:%|个百分点|个点|倍|{MONEY}|times\b|percent\b|x\b)"
NUM = (
    rf"{PREFIX}?[-负]?(?:百分之)?[{_DIGIT}](?:[{_DIGIT}.,点]*[{_DIGIT}])?(?:个[万亿])?"
    rf"(?: ?{SCALE})?(?: ?{_UNIT})?"
)
_FROM = "及以上|或以上|以上|往上|之上|or more|or above|or higher"
_TO = "及以下|或以下|以下|以内|之内|往下|之下|or less|or below|or lower"
SUFFIX = f"(?: ?(?:{_FROM}|{_TO}))"
SUFFIXES: Mapping[str, str] = {
    **dict.fromkeys(("之上", "往上", "or more", "or above", "or higher"), "以上"),
    **dict.fromkeys(("之下", "往下", "or less", "or below", "or lower"), "以下"),
}
TERM = rf"(?:{OP} ?(?>{NUM})(?!{SUFFIX})|{NUM}{SUFFIX})"
_TO_VALUE = (
    "(?:改成|改为|换成|换到|改到|调到|调成|调整到|调整为|放宽到|放宽至|放到|降到|降低到|降至|提高到|"
    "提升到|提到|升到|收紧到|收窄到|缩小到|扩大到|设为|设成|设到|定为|changed? to|raised? to|"
    "lower(?:ed)? to|set to|make it|to)"
)
LINK = (
    rf"(?:的|在|是|为|要|也|都|得|须|必须|需要|需|应该|应当|应|条件|门槛|:|=(?![<>])| |{_TO_VALUE}|"
    r"is|are|of|being|ratio|must|should|be|also)*"
)
_JOIN = r" ?(?:(?:且|并且|而且|并|和|与|同时|但是|但|,|、|and|but) ?)?(?:要|为)?"
_TO_SIGN = "(?:到|至|-|~)"
BETWEEN = re.compile(
    rf"{M}{LINK}(?:介于|处于|between|from)? ?(?P<low>{NUM}) ?(?:{_TO_SIGN}|和|与|and|to) ?"
    rf"(?P<high>{NUM})(?:之间|区间|的区间)?"
)
BETWEEN_BEFORE = re.compile(
    rf"(?P<low>{NUM}) ?{_TO_SIGN} ?(?P<high>{NUM})(?:之间)?的? ?{M}(?!{LINK}(?:{OP}|{NUM}))"
)
# 市值两三百亿: a pair of neighbours with one unit.
PAIR = re.compile(
    r"(?<![十百千万亿零点0-9])(?P<a>[一二两三四五六七八])(?P<b>[二三四五六七八九])"
    r"(?P<tail>[十百千]?(?:万亿|亿|万)|[十百千]?倍|十?(?:%|个点))"
)
CHAIN = re.compile(rf"(?P<low>{NUM}) ?(?P<a>[<>≤≥]=?) ?{M} ?(?:(?P<b>[<>≤≥]=?) ?(?P<high>{NUM}))?")
FLIPPED = str.maketrans("<>≤≥", "><≥≤")
BOUND = re.compile(rf"{M}{LINK}(?P<one>{TERM})(?:{_JOIN}(?P<two>{TERM})(?!的? ?{F}))?")
BEFORE = re.compile(rf"(?P<one>{TERM})的? ?{M}(?!{LINK}{OP})")
# 百亿市值的公司, 千亿营收以上: an amount right before the figure is the least of it.
SIZED = re.compile(
    rf"(?<![几数多来])(?P<num>[{_DIGIT}.]+亿|[{_DIGIT}.]+ ?(?:billion|bn|trillion)\b)"
    rf"(?:级别?|规模)?的? ?{M}(?:级别?|规模)?(?P<suffix>{SUFFIX})?(?!{LINK}(?:{OP}|{NUM}))"
)
UNFINISHED = re.compile(
    rf"{M}{LINK}(?P<half>{OP}|(?:介于|在)?{NUM} ?{_TO_SIGN}(?!{NUM})|介于|处于|between)"
)
# 20倍左右, 几十亿, 一百多亿: no bound of it is said.
VAGUE = re.compile(
    rf"{M}{LINK}(?P<about>大约|大概|约|差不多|接近|将近|近|around|about|roughly)? ?"
    rf"(?:(?P<few>[个两三四]位数|[0-9一二两三四五六七八九]*[十百千]*[几数多来][十百千]*(?:万|亿|倍|%|个点)|"
    rf"上[十百千万]+[亿倍])|(?P<num>{NUM}) ?(?P<near>左右|上下|附近|or so)?)"
)
VAGUE_BEFORE = re.compile(
    rf"(?:[几数多来][十百千]*[万亿]的?|零){M}|(?P<zero>{F})(?:为|是)?(?:零|0)(?![.\d])"
)
NEGATIVE = re.compile(rf"{M}(?:为|是|小于)?(?:负数|负值|负)")
LEVEL = re.compile(
    rf"(?<![最更从到由偏十百千\d二三四五六七八九])(?P<level>高|低|大|小|high|low) ?{M}"
)
# ROE高的, 市盈率低、: the same said behind the figure; 高不高 and 高于 ask and bound.
LEVEL_BEHIND = re.compile(
    rf"{M}(?:比较|相对|要|都|很|较|偏|又|也|最好)*(?P<level>高|低|大|小|多|少|好)"
    r"(?=的(?!是|那|原因)|且|并|而|又|、|,|$)"
)
# trading below book value: the last is a figure here, whose word tells.
BELOW_BOOK = re.compile(
    rf"(?:{F} |trading |priced )?(?:(?:at )?a discount to|below|under) (?:its |their |the )?"
    rf"(?:(?P<m>{F})|book(?: values?)?\b)"
)
AT_A_DISCOUNT = re.compile(f"破净|{F}?跌破(?:每股)?{F}")
# Conditions of which one is enough, which no screen takes.
EITHER = re.compile(
    r"或者|或是|要么|(?<![于者])或(?![以等者是])|\bor\b(?! so| more| less| above| below)"
)
TERM_PARTS = re.compile(rf"(?P<op>{OP})? ?(?P<num>{NUM})(?P<suffix>{SUFFIX})?")
CHANGED = re.compile(rf"{M}(?:条件|要求|门槛)?{_TO_VALUE} ?(?>(?P<num>{NUM}))(?!{SUFFIX})")
BARE_CHANGED = re.compile(rf"{_TO_VALUE} ?(?>(?P<num>{NUM}))(?![年月季家只个名支])(?!{SUFFIX})")
LIMIT = re.compile(
    rf"(?:{F})?的?(?P<side>上限|下限|upper (?:bound|limit)|lower (?:bound|limit))"
    rf"{LINK} ?(?>(?P<num>{NUM}))"
)
BARE_FIGURE = re.compile(
    rf"^(?:那|如果|要是)?(?:是)?(?>(?P<num>{NUM}))(?<=[%倍亿万元])(?:的)?呢[?？]?$"
)
BARE_TERM = re.compile(rf"(?P<one>{TERM})(?:{_JOIN}(?P<two>{TERM}))?")
# 涨超5%, 跌了3%以上, up more than 5%.
MOVED = re.compile(
    r"(?:(?P<up>上涨|涨|\bup|\brose|\bgained)|(?P<down>下跌|跌|\bdown|\bfell|\bdropped|\blost))"
    rf"(?:了|幅| )*(?P<one>{TERM})"
)
PROFITABLE = re.compile(rf"{M}(?=且|并且|而且|又|同时|,|、|的|$)")
ENGLISH_PROFITABLE = re.compile(r"\bprofitable\b|\bmaking money\b")
NOT_LOSS = re.compile(
    rf"(?:非|不是|没有|剔除|排除|去掉|不要|不含|不包括|除去)(?:掉|了)?{LOSS}的?"
    rf"|(?:exclud(?:e|ing)|except|without|no|not|remove|drop|non-?) ?(?:the |any )?{LOSS}"
    r"(?: ?(?:ones|companies|stocks|firms))?"
)
# What the loose words of a screen are taken for; shown in the plan, where they can be changed.
LEVELS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("低", "company.valuation.pe_ttm"): ("pettm", "0到15倍"),
    ("低", "company.valuation.pe_lyr"): ("pelyr", "0到15倍"),
    ("低", "company.valuation.pb"): ("pb", "0到1.5倍"),
    ("高", "company.valuation.dividend_yield"): ("dy_l", "大于3%"),
    ("高", "company.finance.dps"): ("dy_l", "大于3%"),
    ("高", "company.finance.roe"): ("roediluted", "大于15%"),
}
_ENGLISH_COUNTS = "three|four|five|six|seven|eight|nine|ten|twenty|thirty|fifty"
COUNT = rf"(?P<n>\d{{1,5}}(?!\d)|[一二两三四五六七八九十百]{{1,4}}|(?:{_ENGLISH_COUNTS})\b)"
KIND = r"(?:只|家|个|名|支|大|位|强|条)"
_HIGHEST = "最高|最大|最多|最好|最强|最贵|highest|largest|biggest|most|best"
LOWEST = "最低|最小|最少|最便宜|最差|lowest|smallest|least|cheapest"
SUPERLATIVE = f"(?P<high>{_HIGHEST})|(?P<low>{LOWEST})"
_DOWNWARD = (
    "(?:从|由)?[高大多]到[低小少]|从[高大多]往[低小少]|从贵到便宜|降序|倒序|descending|desc\\b|"
    "(?:from )?high(?:est)? to low(?:est)?|(?:from )?large(?:st)? to small(?:est)?|"
    "(?:highest|largest|biggest) first"
)
_UPWARDS = (
    "(?:从|由)?[低小少]到[高大多]|从[低小少]往[高大多]|从便宜到贵|升序|正序|ascending|asc\\b|"
    "(?:from )?low(?:est)? to high(?:est)?|(?:from )?small(?:est)? to large(?:st)?|"
    "(?:lowest|smallest|cheapest) first"
)
_DIRECTION = f"(?P<down>{_DOWNWARD})|(?P<up>{_UPWARDS})"
BARE_DIRECTION = re.compile(_DIRECTION)
# The other way round from how it is ordered now.
FLIP = re.compile(
    "倒过来|反过来|颠倒|反转|逆序|反序|倒着|倒排|revers(?:e|ed)(?: the order)?|the other way round"
)
ORDERS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{M}(?:的|是|里| )*(?:{SUPERLATIVE})",
        rf"(?:{SUPERLATIVE})(?:的)? ?{M}",
        rf"{M}(?:的|排名|排行|排|榜|单|取|最靠)*(?:(?P<last>倒数|后)|前|top ?)第?{COUNT}{KIND}?",
        rf"(?:(?:前|top ?){COUNT}{KIND}?|(?<![第前最])(?P<big>[二三四五六七八九]?十|[五八])大)"
        rf"的? ?{M}",
        rf"(?:按照|按|以|sort(?:ed)?(?: them| it)? by|order(?:ed)?(?: them| it)? by|"
        rf"rank(?:ed)?(?: them| it)? by|by) ?{M}(?:的|进行|来)*"
        rf" ?(?:{_DIRECTION})?(?:排序|排列|排名|排)?",
    )
)
# Of a market and of no company: 白酒板块ROE排名, 净利润排第一的, 涨幅居前的.
RANKING = re.compile(
    rf"{M}(?:的)?(?:(?P<first>(?:排名|排行|排|位居|位列)?第[一1](?:名|位)?)|"
    r"居前|靠前|领先|(?:的)?(?:排名|排行榜|排行|排序|榜单|榜)(?!第))(?:的)?"
)
MOVES = (
    (
        re.compile("涨(?:得|的)?最(?:多|猛|好|凶)|涨得多|领涨|(?:biggest |top )?gainers"),
        "company.quote.pct_change",
        "降序",
    ),
    (
        re.compile("跌(?:得|的)?最(?:多|惨|狠|凶)|领跌|(?:biggest |top )?losers"),
        "company.quote.pct_change",
        "升序",
    ),
    (
        re.compile(rf"亏(?:得|的)?最(?:多|惨|狠)|{LOSS}(?:得|的)?最(?:多|大|严重)"),
        "company.finance.net_profit",
        "升序",
    ),
    (
        re.compile(f"赚(?:钱|得|的)?最多|最会?(?:赚钱|{PROFIT})|{PROFIT}最多|most profitable"),
        "company.finance.net_profit",
        "降序",
    ),
)
SIZES = (
    re.compile(rf"(?:前|top ?|first ?){COUNT}(?!%|倍|亿|万|季){KIND}?"),
    re.compile(rf"(?<!第){COUNT} ?(?:只|家|支|名|个(?=公司|股|标的|企业|$|[,。?]))"),
    re.compile(rf"(?:{_HIGHEST}|{LOWEST})的? ?{COUNT}(?!%|倍|亿|万)"),
    re.compile(rf"\b{COUNT} (?:{_HIGHEST}|{LOWEST})"),
    re.compile(rf"\b(?:limit|show|list|only|just) {COUNT}(?!%|x| ?times)"),
    re.compile(rf"\b{COUNT} (?:stocks|companies|names|shares|of them)"),
)
# 10 highest ROE stocks: the count before an order that was read.
COUNT_BEFORE = re.compile(rf"^{COUNT} (?=\n)")
WHICH_ONE = re.compile(r"哪一?[家只个支]|谁|which (?:\w+ )?(?:company|stock|one|bank)\b")
# 最便宜的10只: an order by what nobody said.
BY_WHAT = re.compile(f"(?:{_HIGHEST}|{LOWEST})(?!一)")
# 前三只的净利润: the first of a list and their figure, or an order by it.
TOP_OF_LIST = re.compile(
    rf"^\W*(?:那|看看|看下|只看)?(?:前|the top |top |the first |first ){COUNT} ?{KIND}?"
    rf"(?:公司|股票|stocks)?(?:的|'?s?) ?{M}\W*(?:呢|是多少|多少|怎么样)?\W*$"
)
# 第二名, 排第三的, 榜首, the first one: a place in the list of the turn before.
PLACE = re.compile(
    r"(?:排名?|排在)?第(?P<n>\d{1,3}|[一二两三四五六七八九十]{1,3})(?:只|家|个|名|支|位)?+(?:公司|股票)?+"
    r"(?!条件|问题|题|点|大)"
    r"|(?P<last>最后一[只家个名]|倒数第一[只家个名]?|(?:the )?last (?:one|company|stock)\b)"
    r"|(?P<one>榜首|头名|头一[只家个名]|排在?最前面?的?|"
    r"(?:the )?first (?:one|company|stock)|number one|the top one)"
    r"|(?:the )?(?P<word>second|third|fourth|fifth)(?: one| company| stock)?"
)
# 第几 asks for a place, 第一大股东 names no place in a list.
FORTH = re.compile("第几|第[一二三]大(?!公司|股票)")
ENGLISH_PLACES: Mapping[str, int] = {"second": 2, "third": 3, "fourth": 4, "fifth": 5}


def _words(words: Mapping[str, object] | tuple[str, ...]) -> str:
    """Any of the words, the longest first; Latin ones only whole."""
    return "|".join(
        rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word.isascii() else re.escape(word)
        for word in sorted(words, key=len, reverse=True)
    )


MARKET = re.compile(_words(MARKETS))
_INDUSTRIES = "|".join(sorted(INDUSTRIES, key=len, reverse=True))
INDUSTRY = re.compile(
    f"(?P<zh>{_INDUSTRIES})(?:类|概念)?(?:股票|股|行业|板块|公司|企业|里)"
    f"|(?:(?<=只看)|(?<=只要)|(?<=换成)|(?<=[的只家个名])|(?<![一-鿿])(?={_INDUSTRIES}))"
    f"(?P<only>{_INDUSTRIES})(?=$|[\\s,。?!呢吗里中也]|{F})"
)
# 白酒和医药行业: a list for each.
INDUSTRIES_JOINED = re.compile(
    f"(?P<several>(?:{_INDUSTRIES})(?:[和、与及/](?:{_INDUSTRIES}))+)"
    f"(?:股票|股|行业|板块|公司|企业|里|(?=的|{F}))"
)
ENGLISH_INDUSTRY = re.compile(
    rf"(?P<en>{'|'.join(sorted(ENGLISH_INDUSTRIES, key=len, reverse=True))})"
    r" (?:stocks|companies|sector|shares)"
    rf"|\b(?:only|just|switch to|and|about) (?:the )?"
    rf"(?P<only>{'|'.join(sorted(ENGLISH_INDUSTRIES, key=len, reverse=True))})(?=$|[?.,!])"
)
# An industry or a kind of share that is to be left out.
_NOT = "(?:剔除|排除|除去|去除|去掉|除了|除开|除|不含|不包括|不包含|不要|不看|不是|非)(?:掉|了)?"
EXCLUDED = re.compile(
    rf"{_NOT}(?:所有|全部)?(?P<what>(?:{_INDUSTRIES}|\*?st|次新|新)(?:类|概念)?(?:股票|股|行业|板块)?)"
    rf"(?:以外|之外|外)?的?"
    rf"|(?:excluding|exclude|except|without|non-) ?(?P<en>\w+)(?: stocks| companies)?"
)
ANY_INDUSTRY = re.compile(
    "(?:不限|不分|不论|所有|全部|去掉|去除|取消|不要|any |all )(?:行业|板块|industry|industries)"
    "(?:限制|条件)?"
)
INDUSTRY_WORD = re.compile(_INDUSTRIES)
ENGLISH_INDUSTRY_WORD = re.compile(_words(ENGLISH_INDUSTRIES))
ANY_COMPANY = re.compile(any_of(COMPANY))
