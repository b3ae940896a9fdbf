"""The reader on the names of the bundled market; pairs of questions of different meanings."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product

from services.query.algebra.nodes import Query, Several
from services.query.reading.reader import AskReader, Reading
from tests.unit.market.bundled import bundle, names

# A figure as it is said, with a bound of its kind, Chinese and English.
FIGURES = (
    ("市盈率", "P/E", "20", "20"),
    ("市净率", "P/B", "2", "2"),
    ("总市值", "market cap", "500亿", "50 billion"),
    ("股息率", "dividend yield", "3%", "3%"),
    ("净资产收益率", "ROE", "15%", "15%"),
    ("净利润", "net profit", "10亿", "1 billion"),
    ("营业收入", "revenue", "100亿", "10 billion"),
)
FIRMS = ("贵州茅台", "五粮液", "格力电器", "万科A", "比亚迪")


@cache
def reader() -> AskReader:
    return AskReader(names(), bundle().clock)


def reading(text: str, before: Sequence[Query] = ()) -> Reading:
    return reader().read(text, before)


def query(text: str, before: Sequence[Query] = ()) -> Query | Several | None:
    """What is meant; None where it is put back."""
    found = reading(text, before).answer
    return found if isinstance(found, Query | Several) else None


def swapped(old: str, new: str) -> Callable[[str], str | None]:
    return lambda text: text.replace(old, new, 1) if old in text else None


def with_end(more: str) -> Callable[[str], str | None]:
    return lambda text: text + more


def with_head(more: str) -> Callable[[str], str | None]:
    return lambda text: more + text


# Each changes or adds one meaning: the plan must differ, or the question be put back.
OF_SCREENS = {
    "direction": swapped("小于", "大于"),
    "negation": swapped("小于", "不小于"),
    "at most": swapped("小于", "大于等于"),
    "number": swapped("0", "7"),
    "or": swapped("的银行股", "或股价低于3元的银行股"),
    "and": swapped("的银行股", "且股价低于3元的银行股"),
    "another set": swapped("银行股", "汽车股"),
    "market": with_head("港股中"),
    "board": with_head("创业板里"),
    "exchange": with_head("沪市"),
    "but": with_end("，不含招商银行"),
    "without a list": with_head("除了四大行，"),
    "without ST": with_end("，剔除ST"),
    "count": swapped("银行股", "银行股有几家"),
    "mean": swapped("银行股", "银行股的平均市销率"),
    "median": swapped("银行股", "银行股的市销率中位数"),
    "total": swapped("银行股", "银行股的市值合计"),
    "order": with_end("按总股本从高到低"),
    "other order": with_end("按总股本从低到高"),
    "first": with_end("，总股本最大的3家"),
    "third": with_end("中总股本第三大的"),
    "each": with_head("每个行业总股本最大的"),
    "losses": swapped("的银行股", "且亏损的银行股"),
    "below book": swapped("的银行股", "且破净的银行股"),
    "peers": swapped("的银行股", "且市销率比同行低的银行股"),
    "a company": swapped("的银行股", "且市值比平安银行大的银行股"),
    "in a row": swapped("的银行股", "且净利润连续三年增长的银行股"),
    "share of": with_end("占A股的比例"),
}
OF_SCREENS_EN = {
    "direction": swapped("below", "above"),
    "negation": swapped("below", "not below"),
    "number": swapped("0", "7"),
    "or": with_end(" or share price below 3"),
    "and": with_end(" and share price below 3"),
    "another set": swapped("banks", "carmakers"),
    "market": swapped("banks", "Hong Kong banks"),
    "but": with_end(", excluding China Merchants Bank"),
    "without a list": with_end(", excluding the big four"),
    "count": with_head("how many "),
    "mean": with_head("average P/S of "),
    "median": with_head("median P/S of "),
    "order": with_end(" sorted by total shares descending"),
    "first": with_end(", top 3 by total shares"),
    "losses": with_end(" and loss making"),
}
OF_FIRMS = {
    "another": swapped("贵州茅台", "五粮液"),
    "two": swapped("贵州茅台", "贵州茅台和五粮液"),
    "year": swapped("2015年", "2014年"),
    "no year": swapped("2015年", ""),
    "since": swapped("2015年", "2013年以来"),
    "from to": swapped("2015年", "2012年到2015年"),
    "mean": swapped("2015年", "2012到2015年平均"),
    "last years": swapped("2015年", "近三年"),
    "every year": swapped("2015年", "每年"),
    "growth": with_end("同比增长率"),
    "compound": swapped("2015年净利润", "2012到2015年净利润复合增长率"),
    "which year": swapped("2015年净利润", "哪一年净利润最高"),
    "lowest year": swapped("2015年净利润", "哪一年净利润最低"),
    "times": with_end("是五粮液的几倍"),
    "difference": with_end("比五粮液高多少"),
    "share": with_end("占营业收入的比例"),
    "rank": swapped("2015年净利润", "净利润在行业里排第几"),
    "yes": with_end("超过100亿吗"),
    "other bound": with_end("低于100亿吗"),
    "peers": swapped("2015年净利润", "净利润比行业平均高多少"),
    "figure": swapped("净利润", "总资产"),
    "per share": swapped("净利润", "每股收益"),
    "quarter": swapped("2015年", "2015年三季报"),
}
OF_PRICES = {
    "lowest": swapped("最高", "最低"),
    "which day": with_end("是哪天"),
    "mean": swapped("最高", "平均"),
    "month": swapped("2016年", "2016年3月"),
    "change": swapped("最高收盘价", "涨幅"),
    "days above": swapped("最高收盘价", "收盘价高于10元的有多少天"),
    "days below": swapped("最高收盘价", "收盘价低于10元的有多少天"),
    "other figure": swapped("收盘价", "成交量"),
}


def pairs() -> Iterator[tuple[str, str, str]]:
    """(operator, base, variant): made from the figures and the companies, none by hand."""
    for zh, en, bound, bound_en in FIGURES:
        base = f"{zh}小于{bound}的银行股"
        yield from _applied(OF_SCREENS, base)
        yield from _applied(OF_SCREENS_EN, f"banks with {en} below {bound_en}")
    for firm, (zh, *_) in product(FIRMS, FIGURES[5:]):
        base = f"{firm}2015年{zh}"
        for name, change in OF_FIRMS.items():
            if firm == "五粮液" and name in ("another", "two"):
                continue
            said = change(base.replace(firm, "贵州茅台").replace(zh, "净利润"))
            if said is not None:
                yield name, base, said.replace("贵州茅台", firm) if firm != "五粮液" else said
    for firm in FIRMS:
        yield from _applied(OF_PRICES, f"{firm}2016年最高收盘价")


def _applied(
    operators: dict[str, Callable[[str], str | None]], base: str
) -> Iterator[tuple[str, str, str]]:
    for name, change in operators.items():
        if (said := change(base)) is not None and said != base:
            yield name, base, said
