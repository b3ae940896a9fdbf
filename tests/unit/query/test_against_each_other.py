"""Companies set against each other by how dear they are; one alone is against its industry."""

import pytest

from services.query.answering.answers import Answered
from tests.unit.query.bundled_query import talk, youju


# By the bundle: Wuliangye 24.35 times, Luzhou Laojiao 31.68.
@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("五粮液和泸州老窖谁更便宜", "五粮液", "泸州老窖"),
        ("泸州老窖和五粮液哪个估值低", "五粮液", "泸州老窖"),
        ("五粮液和泸州老窖哪个贵", "泸州老窖", "五粮液"),
        ("which is cheaper, Wuliangye or Luzhou Laojiao?", "Wuliangye", "Luzhou Laojiao"),
        ("which one is pricier, Wuliangye or Luzhou Laojiao?", "Luzhou Laojiao", "Wuliangye"),
    ],
)
def test_which_is_dearer_orders_the_two_by_their_multiple(
    question: str, first: str, last: str
) -> None:
    found = youju().query.ask(question, None)
    assert isinstance(found, Answered)
    assert found.text.index(first) < found.text.index(last)
    assert {one.value for one in found.claims if one.metric == "pe_ttm"} == {24.35, 31.68}


@pytest.mark.parametrize("question", ["五粮液便宜吗", "Is Wuliangye cheap"])
def test_one_alone_is_against_the_median_of_its_industry(question: str) -> None:
    found = youju().query.ask(question, None)
    assert isinstance(found, Answered)
    assert "中位数" in found.text or "median" in found.text


@pytest.mark.parametrize(
    "question",
    ["平安银行股价今年涨了多少", "平安银行的股价从年初到现在涨了多少", "平安银行今年涨了多少"],
)
def test_the_time_may_stand_between_the_price_and_how_far_it_went(question: str) -> None:
    found = youju().query.ask(question, None)
    assert isinstance(found, Answered)
    assert found.draft.plan_words == "平安银行的2017-01-01至2017-07-26的区间涨跌幅"


# By the bundle: Tencent 26,157.85, HKEX 2,403.35, ICBC 18,390.56, BOC 11,451.69 hundred million.
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("腾讯控股和香港交易所的市值差距最大是多少", "23,754.50亿港元"),
        ("工行、建行、农行、中行四家港股市值差距最大有多大", "6,938.87亿港元"),
        ("工商银行、建设银行两家港股的市值", "18,390.56亿港元"),
        ("中国平安A股市值和H股市值差多少", "币种不同"),
    ],
)
def test_shares_listed_there_are_set_against_each_other(question: str, told: str) -> None:
    found = youju().query.ask(question, None)
    assert isinstance(found, Answered)
    assert told in found.text


# 24.35 − 31.68, and each by 31.68.
def test_every_gap_asked_for_is_told() -> None:
    found = youju().query.ask("五粮液市盈率比泸州老窖低多少，倍数和百分比都说", None)
    assert isinstance(found, Answered)
    values = {round(float(one.value), 2) for one in found.claims}
    assert {-7.33, 0.77, -23.14} <= values


RATIO = "茅台的市值是五粮液的几倍"
APPLE = "how many times larger is Apple's market cap than Alphabet's"


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        (
            (RATIO, "利润呢，也是这个倍数吗"),
            "贵州茅台的净利润与五粮液的净利润之比、净利润、五粮液的净利润",
        ),
        (
            (RATIO, "净利润呢，也差不多这个倍数吗"),
            "贵州茅台的净利润与五粮液的净利润之比、净利润、五粮液的净利润",
        ),
        (
            (RATIO, "把五粮液换成洋河"),
            "贵州茅台的总市值与洋河股份的总市值之比、总市值、洋河股份的总市值",
        ),
        ((RATIO, "把茅台换成洋河"), "洋河股份的总市值与五粮液的总市值之比、总市值、五粮液的总市值"),
        (
            (RATIO, "换成洋河", "五粮液"),
            "洋河股份的总市值与五粮液的总市值之比、总市值、五粮液的总市值",
        ),
        (
            (APPLE, "and net profit, is it the same multiple?"),
            "net profit over Google Class C's net profit, net profit, "
            "Google Class C's net profit of Apple",
        ),
    ],
)
def test_a_ratio_keeps_its_direction(turns: tuple[str, ...], told: str) -> None:
    found = talk(*turns)
    assert isinstance(found, Answered)
    assert found.draft.plan_words == told


def test_a_figure_behind_two_ratios_to_choose_from_is_of_each() -> None:
    found = talk(RATIO, "换成洋河", "利润呢")
    assert not isinstance(found, Answered)
    assert found.ask_back is not None
    assert found.ask_back.choices[:2] == (
        "贵州茅台的净利润与洋河股份的净利润之比、净利润、洋河股份的净利润",
        "洋河股份的净利润与五粮液的净利润之比、净利润、五粮液的净利润",
    )
