"""The words nodes are told in, Chinese and English: signs, folds, marks of companies, units."""

import re
from collections.abc import Mapping
from functools import cache

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.groups import GROUPS
from services.core.industries import INDUSTRIES, industry_label

Pair = tuple[str, str]
SIGNS: Mapping[str, Pair] = {
    "lt": ("小于", "below"),
    "le": ("不超过", "at most"),
    "gt": ("大于", "above"),
    "ge": ("不低于", "at least"),
    "eq": ("等于", "equal to"),
}
FOLDS: Mapping[str, Pair] = {
    "mean": ("平均值", "mean"),
    "median": ("中位数", "median"),
    "sum": ("合计", "sum"),
    "max": ("最高值", "highest"),
    "min": ("最低值", "lowest"),
    "count": ("个数", "count"),
}
ARITH: Mapping[str, Pair] = {
    "add": ("加", "plus"),
    "sub": ("减", "minus"),
    "mul": ("乘", "times"),
    "div": ("除以", "over"),
}
CHANGES: Mapping[str, Pair] = {
    "rate": ("变化率", "percentage change"),
    "difference": ("变化额", "change"),
    "multiple": ("倍数", "multiple"),
    "cagr": ("年复合增长率", "compound annual growth"),
}
MARKS: Mapping[str, Pair] = {
    "CN": ("A股", "A shares"),
    "HK": ("港股", "Hong Kong shares"),
    "US": ("美股", "US shares"),
    "SH": ("沪市", "Shanghai"),
    "SZ": ("深市", "Shenzhen"),
    "BJ": ("北交所", "Beijing"),
    "main": ("主板", "main board"),
    "chinext": ("创业板", "ChiNext"),
    "star": ("科创板", "STAR"),
    "bse": ("北交所", "Beijing exchange"),
    "b_share": ("B股", "B shares"),
    "hk": ("港股", "Hong Kong"),
    "us": ("美股", "US"),
    "ST": ("ST股", "ST shares"),
    "NASDAQ": ("纳斯达克", "Nasdaq"),
    "NYSE": ("纽交所", "NYSE"),
    "AMEX": ("美交所", "AMEX"),
}
GROUPED: Mapping[str, Pair] = {
    "industry": ("行业", "industry"),
    "market": ("市场", "market"),
    "board": ("板块", "board"),
    "company": ("公司", "company"),
}
# What one row is, counted, and how rows of it are named side by side.
ROWS: Mapping[str, Pair] = {
    "companies": ("家", ""),
    "years": ("年", " years"),
    "quarters": ("季", " quarters"),
    "days": ("天", " days"),
    "events": ("次", " sessions"),
    "one": ("个", ""),
}
# What the count of such rows is called.
COUNTED: Mapping[str, Pair] = {
    rows: (f"{zh}数", f"number of{en}") for rows, (zh, en) in ROWS.items()
} | {"companies": ("公司数", "number of companies")}
EACH: Mapping[str, Pair] = {
    "years": ("逐年", "year by year"),
    "quarters": ("逐季", "quarter by quarter"),
    "days": ("逐日", "day by day"),
}
# What a currency is called where it is spoken of.
CURRENCIES: Mapping[str, Pair] = {
    "CNY": ("人民币", "CNY"),
    "HKD": ("港元", "HKD"),
    "USD": ("美元", "USD"),
}
# The money of a company's own reports, where it need not be what its shares are traded in.
REPORTED = "reported"
UNITS: Mapping[str, Pair] = {
    "percent": ("%", "%"),
    "multiple": ("倍", "x"),
    "shares": ("股", " shares"),
    "CNY": ("元", " CNY"),
    "HKD": ("港元", " HKD"),
    "USD": ("美元", " USD"),
    REPORTED: ("（报表币种）", " in reporting currency"),
    "number": ("", ""),
}
SCALES = (
    (("亿", 1e8), ("万", 1e4)),
    (("bn", 1e9), ("m", 1e6)),
)


def mark_words(dim: str, value: str) -> Pair:
    """What a market, board, exchange or industry is called."""
    if dim == "industry":
        label = industry_label(value)
        return label.zh, label.en
    return MARKS.get(value, (value, value))


def list_words(label: str) -> Pair:
    """What a list of companies is called; one of nobody's catalogue has one name for both."""
    found = GROUPS.get(label)
    if found is not None:
        return found.zh, found.en
    parts = [_name_undivided(one) for one in label.split("、")]
    return "、".join(zh for zh, _ in parts), " or ".join(en for _, en in parts)


# 采掘（数据源未细分煤炭）: an industry that stands for a part of it, as the reader labels it.
_UNDIVIDED = re.compile(r"^(?P<whole>.+)（数据源未细分(?P<part>.+)）$")


def _name_undivided(label: str) -> Pair:
    match = _UNDIVIDED.match(label)
    if match is None:
        en = None if label in INDUSTRIES else _english_parts().get(label)
        return label, en or industry_label(label).en
    whole, part = industry_label(match["whole"]), _english_parts().get(match["part"], match["part"])
    return label, f"{whole.en} (the source does not split out {part})"


@cache
def _english_parts() -> Mapping[str, str]:
    """What no catalogue has in English: industries of other markets, and parts of industries by
    their first English word.
    """
    book = read_data_file(DATA_FOLDER / "lexicon" / "scopes.toml").tables["industry"]
    parts = [one.get("parts", {}) for one in book.values()]
    named = {
        part: next((one for one in words if one.isascii()), part)
        for table in parts
        for part, words in table.items()
    }
    composed = dict[str, str]()
    for name, one in book.items():  # 科技行业（电子/计算机/通信）, an industry of no source
        members = one.get("members", ())
        of = "/".join(book[part]["en"] for part in members)
        composed[f"{name}（{'/'.join(members)}）"] = f"{one['en']} ({of})"
    return {name: one["en"] for name, one in book.items()} | composed | named


def number_words(value: float, unit: str, at: int, currency: str = "") -> str:
    """A number said, in its unit: 800亿港元, 80bn HKD, 10倍. `currency`: what an amount of no
    currency of its own is in (CNY, HKD, USD, REPORTED); empty where nobody knows: no word then.
    """
    kind, _, own = unit.partition(":")
    is_money = kind in {"money", "price"}
    word = UNITS.get((own or currency) if is_money else kind, ("", ""))[at]
    if kind in {"money", "shares"}:
        for name, scale in SCALES[at]:
            if abs(value) >= scale:
                return f"{value / scale:.15g}{name}{word}"
    return f"{value:.15g}{word}"


# How closes went over a window.
COURSES: Mapping[str, tuple[str, str]] = {
    "drawdown": ("最大回撤", "deepest fall"),
    "longest_rise": ("最长连涨", "longest run of rises"),
    "longest_fall": ("最长连跌", "longest run of falls"),
    "new_highs": ("区间内新高次数", "number of new highs within the window"),
    "volatility": ("日涨跌幅标准差", "standard deviation of the daily changes"),
}
