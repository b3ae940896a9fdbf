"""The words around a number that make it a figure: units, scales, currencies, hedges. Data only."""

import re
from collections.abc import Mapping
from typing import Literal

from services.language.lexicon import Lexicon
from services.language.plain_text import words

Kind = Literal[
    "percent", "pp", "multiple", "money", "per_share", "shares", "points", "count", "sessions",
    "sigma", "score", "rank", "plain", "scaled", "fraction", "span", "change", "vague",
]  # fmt: skip
Hedge = Literal["", "about", "near", "under", "over", "from", "bound"]
_UNITS: tuple[tuple[Kind, str, str | None], ...] = (
    ("percent", "%|percent|per cent|个百分比", None),
    ("pp", "个百分点|百分点|个点|percentage points|percentage point|pct|ppts|ppt|pps|pp", None),
    ("pp", "个基点|基点|basis points|basis point|bps|bp", None),
    ("per_share", "元/股|元每股|cny/share|yuan/share|yuan per share|cny per share|rmb per share"
     "|yuan a share|cny a share", "CNY"),
    ("per_share", "港元/股|港元每股|hkd/share|hkd per share|hk dollars per share", "HKD"),
    ("per_share", "美元/股|美元每股|usd/share|usd per share|dollars per share", "USD"),
    ("money", "港元|港币|港圆|元港币|hkd|hong kong dollars|hk dollars", "HKD"),
    ("money", "美元|美金|us dollars|u.s. dollars|usd|dollars", "USD"),
    ("money", "元人民币|人民币元|人民币|元|块钱|块|yuan|cny|rmb|renminbi", "CNY"),
    ("money", "日元|欧元|英镑|新台币|台币|韩元|瑞郎|澳元|加元|euros|euro|eur|jpy|yen|gbp|pounds",
     "other"),
    ("shares", "股|shares", None),
    ("shares", "手|lots", None),
    ("sigma", "个标准差|倍标准差|标准差|σ|sigmas|sigma|standard deviations|standard deviation"
     "|deviations", None),
    ("multiple", "倍|x|times|turns|-fold|fold", None),
    ("points", "个指数点|点|points|pts", None),
    ("sessions", "个交易日|交易日|天|日|trading days|trading sessions|sessions|session|days|day",
     None),
    ("rank", "名|位", None),
    ("score", "分", None),
    ("count", "家|只|个|人次|人|次|条|篇|份|项|种|类|笔|部|款|a-share companies|"
     "a share companies|a shares|a-shares|companies|"
     "company|stocks|peers|firms|names|matches|posts|likes|replies|views|followers", None),
    ("span", "个年度|年|个月|月|周|个季度|季度|小时|分钟|岁|years|year|months|month|weeks|week"
     "|quarters|quarter|hours|minutes", None),
    ("vague", "吨|公斤|千克|克|公里|平方米|平方公里|米|瓶|箱|台|辆|套|亩|桶|盎司|千瓦时|兆瓦|千瓦"
     "|gw|mw|kwh|gwh|tonnes|tons|barrels|units|vehicles", None),
)  # fmt: skip
UNIT_OF: Mapping[str, tuple[Kind, str | None]] = {
    word: (kind, currency) for kind, named, currency in _UNITS for word in named.split("|")
}
UNIT_WORDS = Lexicon({word: word for word in UNIT_OF})
SCALES: Mapping[str, int] = {
    "万亿": 12,
    "千亿": 11,
    "百亿": 10,
    "十亿": 9,
    "亿": 8,
    "千万": 7,
    "百万": 6,
    "十万": 5,
    "万": 4,
    "千": 3,
    "百": 2,
}
EN_SCALES: Mapping[str, int] = {
    "thousand": 3,
    "million": 6,
    "billion": 9,
    "trillion": 12,
    "k": 3,
    "m": 6,
    "mn": 6,
    "mln": 6,
    "bn": 9,
    "b": 9,
    "tn": 12,
    "tr": 12,
}
SCALE = re.compile(f"(?:{'|'.join(SCALES)})(?!分[之点比位])")
EN_SCALE = re.compile(rf"[ -]?({'|'.join(sorted(EN_SCALES, key=len, reverse=True))})(?![a-z0-9])")
MONEY_BEFORE = re.compile(r"(us\$|hk\$|rmb|cny|hkd|usd|[¥$]|人民币|港币|港元|美元|[€£])\s?$")
BEFORE: Mapping[str, str] = {
    "us$": "USD",
    "usd": "USD",
    "$": "USD",
    "美元": "USD",
    "hk$": "HKD",
    "hkd": "HKD",
    "港币": "HKD",
    "港元": "HKD",
    "€": "other",
    "£": "other",
}
PER_SHARE = re.compile(r" (?:per|a) share\b")
MINUS = re.compile(r"(?:负|\bminus |\bnegative )$")
_HEDGES: tuple[tuple[Hedge, str], ...] = (
    ("bound", "不超过|不高于|不多于|不低于|不少于|不小于|不足于|至多|至少|最多|最少|超不过|低不过|"
     "小于等于|大于等于|[≤≥]|at most|at least|no more than|no less than|not more than|up to a|"
     "not less than|no fewer than|a maximum of|a minimum of|below|(?<!just )under|最高可达|上限为?|"
     "下限为?"),
    ("under", "不足|不到|未到|未及|失守|just under|just below|less than|just shy of"),
    ("near", "将近|接近|近|逼近|nearly|almost|close to|approaching"),
    ("over", "超过了?|超出|超|逾|突破了?|高达逾|略超|略高于|more than|over|above|exceeding|"
     "exceeded|exceeds|in excess of|just over|topped|topping|upwards of|"
     "迈过|跨过|越过|跨越|站上|站稳|守住|"
     "(?:crossed|passed|surpassed)(?: the)?"),
    ("about", "大约|约为|约合|约|大致|大概|估计|左右|~|≈|接近于|差不多|about|around|roughly|"
     "approximately|approx\\.?|circa|some|an estimated"),
)  # fmt: skip
HEDGE_BEFORE: tuple[tuple[Hedge, re.Pattern[str]], ...] = tuple(
    (hedge, re.compile(f"(?:{said})\\s?[¥$]?$")) for hedge, said in _HEDGES
)
HEDGE_AFTER: tuple[tuple[Hedge, re.Pattern[str]], ...] = (
    ("about", re.compile(r"左右|上下|前后|\s?or so\b")),
    (
        "over",
        re.compile(r"多(?![个家种样少数次年])|出头|有余"),
    ),
    ("from", re.compile("以上")),
    (
        "bound",
        re.compile(
            r"[及或]以上|(?:及|或)?以[下内]|\s?or (?:more|less|higher|lower|above|below)\b|\+"
        ),
    ),
)
# A figure in one word: percents of change, or of the whole; None for what says no number.
_WORDS: Mapping[str, tuple[Kind, str] | None] = {
    **dict.fromkeys(
        ("翻番", "翻倍", "翻一番", "翻了一番", "翻了番", "翻了一倍", "翻一倍"), ("change", "100")
    ),
    **dict.fromkeys(("doubled", "doubling", "doubles", "double"), ("change", "100")),
    **dict.fromkeys(("翻两番", "翻了两番", "quadrupled"), ("change", "300")),
    **dict.fromkeys(("tripled", "trebled", "triple"), ("change", "200")),
    **dict.fromkeys(("腰斩", "减半", "halved", "halving"), ("change", "-50")),
    "百亿": ("scaled", "1E+10"),
    "千亿": ("scaled", "1E+11"),
    **dict.fromkeys(("上百亿", "过百亿"), ("scaled", "1E+10")),
    **dict.fromkeys(("上千亿", "过千亿"), ("scaled", "1E+11")),
    **dict.fromkeys(("上万亿", "过万亿"), ("scaled", "1E+12")),
    "过半": ("fraction", "50"),
    "万亿": ("scaled", "1E+12"),
    **dict.fromkeys(("零增长", "zero growth"), ("change", "0")),
    **dict.fromkeys(("一半", "半数", "half of", "one half", "one-half"), ("fraction", "50")),
    **dict.fromkeys(("two-thirds", "two thirds"), ("fraction", "66.6667")),
    **dict.fromkeys(("one-third", "one third", "a third"), ("fraction", "33.3333")),
    **dict.fromkeys(("three-quarters", "three quarters"), ("fraction", "75")),
    **dict.fromkeys(("one-quarter", "a quarter of", "one-fourth"), ("fraction", "25")),
    **dict.fromkeys(("one-fifth", "one fifth", "a fifth"), ("fraction", "20")),
    **dict.fromkeys(
        [
            "数十",
            "数百",
            "数千",
            "数万",
            "数亿",
            "几十",
            "几百",
            "几千",
            "几万",
            "几亿",
            "十几",
            "十余",
            "十多",
            "百余",
            "千余",
            "万余",
            "上百",
            "上千",
            "上万",
            "上亿",
            "过百",
            "过千",
            "过万",
            "过亿",
            "近百",
            "近千",
            "近万",
            "近亿",
            "百万",
            "千万",
            "数倍",
            "几倍",
            "成倍",
            "倍增",
            "加倍",
            "翻数倍",
            "翻了几倍",
            "数成",
            "几成",
            "近半",
            "大半",
            "超半数",
            "过半数",
            "对折",
            "半价",
            "个位数",
            "两位数",
            "三位数",
            "双位数",
            "四位数",
            "几个点",
            "几个百分点",
            "数个百分点",
            "若干倍",
            "好几倍",
            "十倍",
            "百倍",
            "千倍",
            "亿元",
            "万元",
            "亿级",
            "万亿级",
            "千亿级",
            "百亿级",
            "亿股",
            "万股",
            "数年",
            "单位数",
        ]
    ),
    **dict.fromkeys(
        (
            *("twice", "thrice", "half the", "half as", "half its", "half that", "half their"),
            *("half a million", "half a billion", "a million", "a billion", "a trillion"),
            *("a hundred", "a thousand", "hundreds", "thousands", "millions", "billions"),
            *("tens of", "second-largest"),
            *(
                f"{nth} {most}"
                for nth in words("second third fourth fifth sixth seventh eighth ninth")
                for most in words("largest biggest highest lowest most best cheapest")
            ),
        )
    ),
    **dict.fromkeys(
        ("dozens", "hundreds of", "thousands of", "millions of", "billions of", "several times")
    ),
    **dict.fromkeys(("double-digit", "double digit", "single-digit", "triple-digit", "manifold")),
    **dict.fromkeys(("many times", "multi-fold", "several-fold")),
}
WORD_FIGURES = Lexicon(_WORDS)
NOT_THE_UNIT: Mapping[str, str] = {
    "股": "权东息价市份",
    "分": "别之析位红化布部",
    "点": "评",
    "位": "置于",
    "名": "义单为",
    "只": "有是要能",
    "人": "民工均",
    "日": "均线内最涨跌常报前",
    "年": "报期",
    "个": "股别人体百",
    "手": "续段机",
    "次": "日年",
    "类": "似",
    "种": "植",
    "项": "目",
    "周": "期",
    "月": "报",
    "元": "素件",
    "份": "额",
    "x": "",
}
