"""Of how many companies an answer could judge, where bars or several reports decide."""

import pytest

from services.query.answering.answers import Answered
from tests.unit.query.bundled_query import youju


def told(question: str) -> str:
    found = youju().query.ask(question, None)
    assert isinstance(found, Answered)
    assert found.verification.ok
    return found.text


# Ten mainland companies and seven in Hong Kong have daily bars in the bundle.
@pytest.mark.parametrize(
    ("question", "judged"),
    [
        ("近一个月涨幅最大的10只股票", "其中有日线的10家"),
        ("2016年涨得最好的股票", "其中有日线的10家"),
        ("港股里今年涨幅最大的5家", "其中有日线的7家"),
        ("近一个月跌超过50%的港股", "只有7家有日线可判断"),
        ("HK stocks that rose most in 2016", "7 have daily bars"),
    ],
)
def test_a_list_by_prices_tells_how_many_have_any(question: str, judged: str) -> None:
    assert judged in told(question)


def test_a_test_of_several_years_is_judged_by_the_year_that_the_fewest_have() -> None:
    assert "没有A股家用电器的2013年净利润数据" in told("净利润连续三年增长的家电公司")
    assert "其中有2012年净资产收益率的9家" in told("连续五年ROE大于15%的A股")


def test_what_only_orders_a_list_does_not_say_who_could_be_judged() -> None:
    assert "总市值可判断" not in told("净利润连续三年增长的家电公司")


def test_companies_counted_by_a_rise_are_counted() -> None:
    assert "有 1家" in told("2016年上涨超过20%的A股有几只")


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("净利润同比增长的白酒股", "净利润同比变化率大于0%的公司"),
        ("净利润增长的家电公司按市值排", "净利润同比变化率大于0%的公司，按总市值"),
        ("毛利率同比提升的银行", "毛利率同比变化额大于0的公司"),
        ("营收和净利润都增长的银行", "营业收入同比变化率大于0%且净利润同比变化率大于0%"),
        ("营收和净利润都下降的家电公司", "营业收入同比变化率小于0%且净利润同比变化率小于0%"),
        ("净利润增长最快的银行", "净利润同比变化率最高的10家"),
        ("茅台净利润同比增长的情况", "贵州茅台的净利润同比变化率"),
    ],
)
def test_growth_told_of_the_companies_that_follow_is_a_condition(question: str, read: str) -> None:
    found = youju().query.ask(question, None)
    assert isinstance(found, Answered)
    assert read in found.draft.plan_words


def test_what_a_percentage_became_is_told_in_points() -> None:
    assert "2.84个百分点" in told("万科负债率上升了吗")
    assert "变化率" in told("ROE同比增长超过10%的银行")  # ten per cent of it are no ten points
