"""Of how many companies an answer could judge, where bars or several reports decide."""

import pytest

from services.query.answering.answers import Answered
from tests.unit.query.bundled_query import youju


def told(question: str) -> str:
    found = youju().query.ask(question, None)
    assert isinstance(found, Answered)
    assert found.verification.ok
    return found.text


# Of the bundle ten mainland companies and seven in Hong Kong have daily bars, of this July two.
@pytest.mark.parametrize(
    ("question", "judged"),
    [
        ("近一个月涨幅最大的10只股票", "其中有所需日线的10家"),
        ("2016年涨得最好的股票", "其中有所需日线的10家"),
        ("港股里今年涨幅最大的5家", "其中有所需日线的7家"),
        ("近一个月跌超过50%的港股", "只有7家有所需日线可判断"),
        ("HK stocks that rose most in 2016", "7 have the daily bars it takes"),
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
        ("毛利率同比提升的银行", "毛利率同比变化额大于0个百分点的公司"),
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


def test_a_count_tells_how_many_could_be_counted() -> None:
    assert "3家（共22家，其中有净利润可判断的10家）" in told("银行里净利润超过100亿的有几家")
    assert "其中有所需日线可判断的10家" in told("A股今年以来跌幅超过5%的有几家")


def test_nobody_is_not_said_of_what_nobody_has() -> None:
    text = told("房地产行业负债率超过80%的公司有几家")
    assert "没有A股房地产的2016年资产负债率数据" in text
    assert "0家" not in text


@pytest.mark.parametrize(
    ("question", "choice"),
    [
        ("招商银行2016年第四季度净利润", "招商银行的2016年净利润"),
        ("招商银行2016Q3营收", "招商银行的2016三季报营业收入"),
        ("CMB net profit in the fourth quarter of 2016", "2016 net profit of China Merchants Bank"),
    ],
)
def test_a_quarter_alone_is_not_answered_by_what_counts_from_january(
    question: str, choice: str
) -> None:
    found = youju().query.ask(question, None)
    assert not isinstance(found, Answered)
    assert found.turn.ask_back is not None
    assert found.turn.ask_back.choices == (choice,)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("招商银行2016年第一季度净利润", "2016一季报"),
        ("招商银行2016年前三季度净利润", "2016三季报"),
        ("招商银行2016年三季度末总资产", "2016三季报"),
        ("招商银行2016年第三季度股价涨跌", "2016-07-01"),
    ],
)
def test_what_is_no_sum_over_a_quarter_is_answered(question: str, read: str) -> None:
    found = youju().query.ask(question, None)
    assert isinstance(found, Answered)
    assert read in found.draft.plan_words


def test_each_of_several_sets_is_no_sum_of_all() -> None:
    each = youju().query.ask("主板和创业板各自的净利润合计", None)
    both = youju().query.ask("主板和创业板的净利润合计", None)
    assert isinstance(each, Answered)
    assert isinstance(both, Answered)
    assert each.draft.table is not None
    assert [row.label for row in each.draft.table.rows] == ["主板", "创业板"]
    assert both.draft.plan_words == "A股主板或创业板的净利润合计"
