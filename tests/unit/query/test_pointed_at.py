"""Whom a turn points at: the industries told, so many companies as were told, the one company."""

from collections.abc import Sequence

import pytest

from services.core.text import Language
from services.query.algebra.explain import explain
from services.query.algebra.nodes import Ask, Query, Several
from services.query.reading.reasons import reason
from services.query.told_turns import names_in
from tests.unit.market.bundled import names
from tests.unit.query.asking import query, reading

Told = Sequence[tuple[tuple[str, ...], str | None]]

LOWEST = "行业PE中位数最低的五个行业"
BY_ROE = "of A shares by industry, by median ROE high to low, the first 5"
BY_PE = "of A shares by industry, by median P/E (TTM) low to high, the first 5"
OF_FIVE = "按市盈率(TTM)中位数从低到高取前5个"

# An aggregate of industries that were told is of each of them.
OF_EACH: Told = (
    (
        (LOWEST, "这五个行业分别的市净率中位数"),
        f"A股各行业的市盈率(TTM)中位数、市净率(MRQ)中位数，{OF_FIVE}",
    ),
    (
        (LOWEST, "它们各自的ROE中位数"),
        f"A股各行业的市盈率(TTM)中位数、净资产收益率中位数，{OF_FIVE}",
    ),
    ((LOWEST, "这几个行业各有多少家公司"), f"A股各行业的市盈率(TTM)中位数、公司数，{OF_FIVE}"),
    ((LOWEST, "这几个行业的总市值"), f"A股各行业的市盈率(TTM)中位数、总市值合计，{OF_FIVE}"),
    ((LOWEST, "它们的ROE中位数"), f"A股各行业的市盈率(TTM)中位数、净资产收益率中位数，{OF_FIVE}"),
    (
        (LOWEST, "这几个行业一共有多少家公司"),
        "先取A股各行业中市盈率(TTM)中位数最低的5个行业，再取其中有多少家",
    ),
    (
        ("银行和钢铁各自的PE中位数", "这两个行业的市净率中位数"),
        "A股银行或钢铁各行业的市盈率(TTM)中位数、市净率(MRQ)中位数",
    ),
    (
        (
            "the five industries with the highest median ROE",
            "what is the median PE of these industries",
        ),
        f"median ROE, median P/E (TTM) {BY_ROE}",
    ),
    (
        (
            "which five industries have the highest median ROE",
            "the median PB of each of these industries",
        ),
        f"median ROE, median P/B (MRQ) {BY_ROE}",
    ),
    (
        (
            "five industries with the lowest median PE",
            "how many companies in each of these five industries",
        ),
        f"median P/E (TTM), number of companies {BY_PE}",
    ),
    (("what is the median PE of these industries",), None),
    (("the five largest A shares and their industries",), None),
)

# So many as were told: 这三家 of two is nobody.
SO_MANY: Told = (
    (("贵州茅台2015年净利润", "两家哪个赚得多"), None),
    (("What was Tesla's net profit in 2015", "which of the two made more"), None),
    (
        ("What was Tesla's net profit in 2015", "Apple?", "which of the two made more"),
        "Tesla Motors, Apple, by 2015 net profit high to low",
    ),
    (("茅台和五粮液2015年净利润", "这三家谁的ROE最高"), None),
    (("茅台和五粮液2015年净利润", "三家谁的ROE最高"), None),
    (
        ("茅台和五粮液2015年净利润", "两家谁的ROE最高"),
        "贵州茅台、五粮液，按2015年净资产收益率从高到低",
    ),
    (
        ("茅台2015年净利润", "五粮液呢", "洋河呢", "这三家谁的ROE最高"),
        "贵州茅台、五粮液、洋河股份，按2015年净资产收益率从高到低",
    ),
    (("市值最大的十家银行", "这三家的PE"), None),
    (("市值最大的五家银行", "两家的PE"), None),
    (("市值最大的五家银行", "两家就够了"), "A股银行中总市值最高的2家"),
    (("市值最大的三家银行", "这三家的PE"), "A股银行中总市值最高的3家，看市盈率(TTM)"),
    (
        ("市值最大的三家银行", "第二家的PE", "这三家的ROE"),
        "A股银行中总市值最高的3家，看净资产收益率",
    ),
    (("四大行的PE", "这五家的PB"), None),
    (("茅台、五粮液、洋河这两家谁的市盈率低",), None),
    (("茅台、五粮液、洋河三家谁的市盈率低",), "贵州茅台、五粮液、洋河股份，按市盈率(TTM)从低到高"),
    (
        ("which of the two has the higher market cap, Apple or Tesla",),
        "Apple, Tesla Motors, by market cap high to low",
    ),
)

# A place in a set is of one company, and no list.
PLACES: Told = (
    (("市净率在创业板前一百里吗",), None),
    (("市值在A股前五十吗",), None),
    (("能进市值前十吗",), None),
    (("市盈率是银行里最低的吗",), None),
    (
        ("招行的市值", "市值在A股前五十吗"),
        "招商银行是否满足：总市值在A股中从高到低的名次不超过50，看总市值、A股中有总市值的公司数",
    ),
    (
        ("招行的市值", "在银行里排前三吗"),
        "招商银行是否满足：总市值在A股银行中从高到低的名次不超过3，看总市值、A股银行中有总市值的公司数",
    ),
    (("能给我市值前十吗",), "A股中总市值最高的10家"),
    (
        ("市值最大的十家里有银行吗",),
        "先取A股中总市值最高的10家，再取其中银行的公司，按总市值从高到低",
    ),
)

# A part of what was told: of that market, and of nothing wider.
PARTS: Told = (
    (("港股房地产", "只看开发商"), None),
    (("Hong Kong real estate companies by market cap", "only the developers"), None),
    (("largest Hong Kong developers",), None),
    (
        ("largest US developers",),
        "the 10 highest by market cap of US shares in property developers",
    ),
    (("房企市盈率最低的五家",), "A股房地产中市盈率(TTM)最低的5家"),
    (("港股房地产股", "只看地产股"), None),
    (("港股白酒股",), None),
    (("港股银行市值最大的十家", "内地银行的H股不要"), None),
    (("港股银行市值最大的十家", "H股去掉"), None),
    (("largest Hong Kong banks by market cap, no H shares",), None),
    (("A股和港股银行市值最大的十家", "H股不要"), "A股银行中总市值最高的10家"),
    (("市值最大的十家公司，银行除外",), "A股（不含银行）中总市值最高的10家"),
)


def said_of(meant: object, language: Language = "zh") -> str | None:
    if not isinstance(meant, Query):
        return None
    return explain(meant, names_in(meant, names(), language), language)


@pytest.mark.parametrize(("turns", "told"), [*OF_EACH, *SO_MANY, *PLACES, *PARTS])
def test_those_are_meant_who_were_told(turns: tuple[str, ...], told: str | None) -> None:
    found: Query | Several | None = None
    before: list[Query] = []
    for turn in turns:
        found = query(turn, before)
        assert found is not None or turn == turns[-1], turn
        before += [found] if isinstance(found, Query) else []
    assert said_of(found, "en" if turns[0].isascii() else "zh") == told


@pytest.mark.parametrize(
    ("turns", "options"),
    [
        (
            ("港股房地产", "只看开发商"),
            ["港股房地产（数据源未细分开发商），按总市值从高到低"],
        ),
        (("港股白酒市值前五",), ["港股食品饮料（数据源未细分白酒）中总市值最高的5家"]),
    ],
)
def test_what_was_left_open_is_offered(turns: tuple[str, ...], options: list[str]) -> None:
    before = [one for turn in turns[:-1] if isinstance(one := query(turn), Query)]
    put = reading(turns[-1], before).answer
    assert isinstance(put, Ask)
    assert [said_of(one) for one in put.options] == options
    assert [said_of(query(one)) for one in options] == options  # and each may be asked so


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("largest Hong Kong banks by market cap, no H shares", "emptied"),
        ("市净率在创业板前一百里吗", "of_which_company"),
    ],
)
def test_why_it_is_put_back_is_said(text: str, why: str) -> None:
    put = reading(text).answer
    assert isinstance(put, Ask)
    assert put.why == reason(why)
