"""The words nodes are told in, Chinese and English: signs, folds, marks of companies, units."""

import re
from collections.abc import Mapping
from functools import cache

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.groups import GROUPS
from services.core.industries import INDUSTRIES, industry_label
from services.core.text import NO_TEXT, Text, join_texts
from services.query.algebra.nodes import In, Query, walk

SIGNS: Mapping[str, Text] = {
    "lt": Text("小于", "below"),
    "le": Text("不超过", "at most"),
    "gt": Text("大于", "above"),
    "ge": Text("不低于", "at least"),
    "eq": Text("等于", "equal to"),
}
FOLDS: Mapping[str, Text] = {
    "mean": Text("平均值", "mean"),
    "median": Text("中位数", "median"),
    "sum": Text("合计", "combined"),
    "max": Text("最高值", "highest"),
    "min": Text("最低值", "lowest"),
    "count": Text("个数", "count"),
}
ARITH: Mapping[str, Text] = {
    "add": Text("之和", "plus"),
    "sub": Text("之差", "minus"),
    "mul": Text("之积", "times"),
    "div": Text("之比", "over"),
}
CHANGES: Mapping[str, Text] = {
    "rate": Text("变化率", "percentage change"),
    "difference": Text("变化额", "change"),
    "multiple": Text("倍数", "multiple"),
    "cagr": Text("年复合增长率", "compound annual growth"),
}
# What an order goes, and what its first are called.
WAYS: Mapping[str, Text] = {
    "asc": Text("从低到高", "low to high"),
    "desc": Text("从高到低", "high to low"),
}
BEST: Mapping[str, Text] = {"asc": Text("最低", "lowest"), "desc": Text("最高", "highest")}
MARKS: Mapping[str, Text] = {
    "CN": Text("A股", "A shares"),
    "HK": Text("港股", "Hong Kong shares"),
    "US": Text("美股", "US shares"),
    "SH": Text("沪市", "Shanghai"),
    "SZ": Text("深市", "Shenzhen"),
    "BJ": Text("北交所", "Beijing"),
    "main": Text("主板", "main board"),
    "sme": Text(
        "中小板（代码002、003，2021年并入主板）",
        "SME board (codes 002 and 003, part of the main board since 2021)",
    ),
    "chinext": Text("创业板", "ChiNext"),
    "star": Text("科创板", "STAR"),
    "bse": Text("北交所", "Beijing exchange"),
    "b_share": Text("B股", "B shares"),
    "hk": Text("港股", "Hong Kong"),
    "us": Text("美股", "US"),
    "ST": Text("ST股", "ST shares"),
    "NASDAQ": Text("纳斯达克", "Nasdaq"),
    "NYSE": Text("纽交所", "NYSE"),
    "AMEX": Text("美交所", "AMEX"),
}
GROUPED: Mapping[str, Text] = {
    "industry": Text("行业", "industry"),
    "market": Text("市场", "market"),
    "board": Text("板块", "board"),
    "company": Text("公司", "company"),
}
# What one row is, counted, and how rows of it are named side by side.
ROWS: Mapping[str, Text] = {
    "companies": Text("家", ""),
    "years": Text("年", " years"),
    "quarters": Text("季", " quarters"),
    "days": Text("天", " days"),
    "events": Text("次", " sessions"),
    "one": Text("个", ""),
}
# What the count of such rows is called.
COUNTED: Mapping[str, Text] = {
    rows: Text(f"{one.zh}数", f"number of{one.en}") for rows, one in ROWS.items()
} | {"companies": Text("公司数", "number of companies")}
EACH: Mapping[str, Text] = {
    "years": Text("逐年", "year by year"),
    "quarters": Text("逐季", "quarter by quarter"),
    "days": Text("逐日", "day by day"),
}
# What a currency is called where it is spoken of.
CURRENCIES: Mapping[str, Text] = {
    "CNY": Text("人民币", "CNY"),
    "HKD": Text("港元", "HKD"),
    "USD": Text("美元", "USD"),
}
# The money of a company's own reports, where it need not be what its shares are traded in.
REPORTED = "reported"
UNITS: Mapping[str, Text] = {
    "percent": Text("%", "%"),
    "pp": Text("个百分点", " points"),
    "multiple": Text("倍", "x"),
    "shares": Text("股", " shares"),
    "CNY": Text("元", " CNY"),
    "HKD": Text("港元", " HKD"),
    "USD": Text("美元", " USD"),
    REPORTED: Text("（报表币种）", " in reporting currency"),
    "number": Text("", ""),
    "sessions": Text("个交易日", " sessions"),
}
SCALES = (
    (("亿", 1e8), ("万", 1e4)),
    (("bn", 1e9), ("m", 1e6)),
)


def mark_words(dim: str, value: str) -> Text:
    """What a market, board, exchange or industry is called."""
    if dim == "industry":
        return industry_label(value)
    return MARKS.get(value, Text(value, value))


def list_words(label: str) -> Text:
    """What a list of companies is called; one of nobody's catalogue has one name for both."""
    found = GROUPS.get(label)
    if found is not None:
        return found.label
    parts = [
        GROUPS[one].label if one in GROUPS else _name_undivided(one) for one in label.split("、")
    ]
    return join_texts(parts, "、", " or ")


# 采掘（数据源未细分煤炭）: an industry that stands for a part of it, as the reader labels it.
_UNDIVIDED = re.compile(r"^(?P<whole>.+)（数据源未细分(?P<part>.+)）$")


def undivided(query: Query) -> set[str]:
    """The labels in it of industries that stand for a part of them."""
    labels = [one.label for one in walk(query) if isinstance(one, In) and one.label]
    return {part for label in labels for part in label.split("、") if _UNDIVIDED.match(part)}


def _name_undivided(label: str) -> Text:
    match = _UNDIVIDED.match(label)
    if match is None:
        en = None if label in INDUSTRIES else _english_parts().get(label)
        return Text(label, en or industry_label(label).en)
    whole, part = industry_label(match["whole"]), _english_parts().get(match["part"], match["part"])
    return Text(label, f"{whole.en} (the source does not split out {part})")


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
    unit_word = UNITS.get((own or currency) if is_money else kind, NO_TEXT)
    word = (unit_word.zh, unit_word.en)[at]
    if kind in {"money", "shares"}:
        for name, scale in SCALES[at]:
            if abs(value) >= scale:
                return f"{value / scale:.15g}{name}{word}"
    return f"{value:.15g}{word}"


# How closes went over a window.
COURSES: Mapping[str, Text] = {
    "drawdown": Text("最大回撤", "deepest fall"),
    "longest_rise": Text("最长连涨", "longest run of rises"),
    "longest_fall": Text("最长连跌", "longest run of falls"),
    "rising": Text("至今连涨", "current run of rises"),
    "falling": Text("至今连跌", "current run of falls"),
    "new_highs": Text("区间内新高次数", "number of new highs within the window"),
    "volatility": Text("日涨跌幅标准差", "standard deviation of the daily changes"),
}
