"""Every kind of figure in every place a figure may stand, in both languages: read as the figure it
is, or put back; never as another one.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

from services.query.algebra import nodes as a
from tests.unit.query.asking import query as read

MOUTAI, WULIANGYE = "600519.SH", "000858.SZ"
YEAR_2013, YEAR_2015, YEAR_2016 = (
    a.When(kind="years", first=y, last=y) for y in (2013, 2015, 2016)
)
IN_2016 = a.When(kind="days", first=date(2016, 1, 1), last=date(2016, 12, 31))
LAST_3 = a.When(kind="lastn", count=3, unit="years")
WORTH, BOOK, EARNED, SOLD = (
    a.Metric(id=one) for one in ("market_cap", "pb", "net_profit", "revenue")
)


class Kind(NamedTuple):
    """A figure as it is said, a bound for it, and the expression it is."""

    zh: str
    en: str
    bound: str
    value: float
    expr: Any


def _two(how: Any, left: str, right: str) -> a.Arith:
    return a.Arith(how=how, left=a.Metric(id=left), right=a.Metric(id=right))


KINDS: Mapping[str, Kind] = {
    "newest": Kind("市净率", "P/B", "2", 2, BOOK),
    "of a year": Kind(
        "2015年净资产收益率", "2015 ROE", "10%", 10, a.Metric(id="roe", when=YEAR_2015)
    ),
    "growth": Kind(
        "2016年净利润增速", "2016 net profit growth", "20%", 20,
        a.Change(how="rate", of="net_profit", since=a.YEAR_BEFORE, until=YEAR_2016),
    ),
    "compound growth": Kind(
        "2013到2016年营收复合增长率", "revenue CAGR from 2013 to 2016", "15%", 15,
        a.Change(how="cagr", of="revenue", since=YEAR_2013, until=YEAR_2016),
    ),
    "quotient": Kind(
        "净利润除以总资产", "net profit divided by total assets", "5%", 0.05,
        _two("div", "net_profit", "total_assets"),
    ),
    "per cent of": Kind(
        "净利润占营收的比例", "net profit as a share of revenue", "5%", 5,
        _two("percent", "net_profit", "revenue"),
    ),
    "product": Kind("市盈率乘以市净率", "P/E times P/B", "22.5", 22.5, _two("mul", "pe_ttm", "pb")),
    "difference": Kind(
        "总资产减总负债", "total assets minus total liabilities", "100亿", 1e10,
        _two("sub", "total_assets", "total_liabilities"),
    ),
    "mean of years": Kind(
        "最近三年平均ROE", "average ROE over the last 3 years", "10%", 10,
        a.Over(how="mean", of="roe", window=LAST_3),
    ),
    "share of its industry": Kind(
        "总市值占行业的比例", "market cap as a share of its industry", "5%", 5,
        a.Arith(how="percent", left=WORTH, right=a.Across(how="sum", of=WORTH, own="industry")),
    ),
    "change of price": Kind(
        "2016年涨幅", "return in 2016", "30%", 30,
        a.Change(how="rate", of="close", since=IN_2016, until=IN_2016),
    ),
}  # fmt: skip


def _is_scoped(query: a.Query, *wanted: a.Pred) -> bool:
    items = query.scope.items if isinstance(query.scope, a.AllOf) else (query.scope,)
    return set(items) == set(wanted)


MAINLAND = a.In(dim="market", values=("CN",))
BANKS = a.In(dim="industry", values=("银行",))


def _shown(query: a.Query, kind: Kind) -> bool:
    alone = not (query.where or query.order or query.fold or query.take)
    return alone and query.show[:1] == (kind.expr,) and _is_scoped(query, _of(MOUTAI))


def _ordered(query: a.Query, kind: Kind) -> bool:
    order = (a.Order(by=kind.expr, direction="desc"),)
    plain = query.where is None and not query.fold and query.take == a.Take(count=5)
    return plain and query.order == order and _is_scoped(query, MAINLAND)


def _limited(query: a.Query, kind: Kind) -> bool:
    items = query.where.items if isinstance(query.where, a.AllOf) else (query.where,)
    tests = [one for one in items if isinstance(one, a.Compare)]
    # Of a product both multiples are above nought beside it.
    above = [
        one for one in tests if one.sign == "ge" and one.right == a.Const(value=0, unit="multiple")
    ]
    bound = [one for one in tests if one not in above]
    if len(tests) != len(items) or len(bound) != 1 or not isinstance(bound[0].right, a.Const):
        return False
    is_bound = bound[0].sign == "gt" and abs(bound[0].right.value - kind.value) < 1e-9
    return (
        is_bound and bound[0].left == kind.expr and not query.fold and _is_scoped(query, MAINLAND)
    )


def _folded(query: a.Query, kind: Kind) -> bool:
    fold = (a.Folded(how="median", of=kind.expr),)
    return query.fold == fold and query.group is None and _is_scoped(query, MAINLAND, BANKS)


def _grouped(query: a.Query, kind: Kind) -> bool:
    fold = (a.Folded(how="median", of=kind.expr),)
    return query.fold == fold and query.group == "industry" and _is_scoped(query, MAINLAND)


def _compared(query: a.Query, kind: Kind) -> bool:
    order = (a.Order(by=kind.expr, direction="desc"),)
    return query.order == order and _is_scoped(query, _of(MOUTAI, WULIANGYE)) and not query.take


def _of(*symbols: str) -> a.In:
    return a.In(dim="symbol", values=symbols)


class Place(NamedTuple):
    """A question with room for a figure, and whether a query has it there."""

    zh: str
    en: str
    is_there: Callable[[a.Query, Kind], bool]


PLACES: Mapping[str, Place] = {
    "shown": Place("茅台的{0}是多少", "What is the {0} of Moutai?", _shown),
    "ordered by": Place("{0}最高的5家A股", "top 5 A-shares by {0}", _ordered),
    "limited by": Place("{0}大于{1}的A股", "A-shares with {0} above {1}", _limited),
    "folded": Place("银行的{0}中位数", "median {0} of A-share banks", _folded),
    "grouped": Place("A股各行业的{0}中位数", "median {0} of A-shares by industry", _grouped),
    "compared": Place(
        "茅台和五粮液谁的{0}更高", "Which has the higher {0}, Moutai or Wuliangye?", _compared
    ),
}
_EN_BOUNDS = {"100亿": "10bn"}
# How many of the 132 are read; the others are put back. May only rise.
FLOOR = 132


def outcomes() -> dict[tuple[str, str, str], str]:
    """What became of each: read, put back, or wrong with what it was read as."""
    found: dict[tuple[str, str, str], str] = {}
    for kind_name, kind in KINDS.items():
        for place_name, place in PLACES.items():
            for language in ("zh", "en"):
                said = kind.zh if language == "zh" else kind.en
                bound = kind.bound if language == "zh" else _EN_BOUNDS.get(kind.bound, kind.bound)
                text = (place.zh if language == "zh" else place.en).format(said, bound)
                query = read(text)
                if not isinstance(query, a.Query):
                    outcome = "put back"
                elif place.is_there(query, kind):
                    outcome = "read"
                else:
                    outcome = f"wrong: {text} = {query.model_dump_json(exclude_defaults=True)}"
                found[kind_name, place_name, language] = outcome
    return found


def test_every_kind_of_figure_stands_in_every_place_or_is_put_back() -> None:
    found = outcomes()
    assert not [one for one in found.values() if one.startswith("wrong")]
    assert Counter(found.values())["read"] >= FLOOR
