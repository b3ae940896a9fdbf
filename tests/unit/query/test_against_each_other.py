"""Companies set against each other by how dear they are; one alone is against its industry."""

import pytest

from services.query.answering.answers import Answered
from tests.unit.query.bundled_query import youju


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
