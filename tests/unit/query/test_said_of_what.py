"""A word belongs to what it stands with: a rise to its figure, a price beside a profile, a name to
the industry said with it; on the bundled market.
"""

import pytest

from services.query.answering.answers import Answered
from tests.unit.query.bundled_query import youju


def told(text: str) -> str:
    found = youju().query.ask(text)
    assert isinstance(found, Answered), found
    return found.plan_words


def reason(text: str) -> str:
    turn = youju().query.plan(text).turn
    assert turn.ask_back is not None, turn.nlir
    return turn.ask_back.reason


@pytest.mark.parametrize(
    "text", ["贵州茅台市值涨了多少", "贵州茅台开盘涨了多少", "贵州茅台市盈率跌了多少"]
)
def test_the_rise_of_a_figure_is_not_the_price_s(text: str) -> None:
    reason(text)


@pytest.mark.parametrize("text", ["贵州茅台股价涨了多少", "贵州茅台涨了多少"])
def test_the_rise_of_the_price_is_told(text: str) -> None:
    assert "涨跌幅" in told(text)


def test_a_figure_and_its_growth_are_both_shown() -> None:
    both = told("格力电器2016年营收及同比")
    assert "2016年营业收入、2016年营业收入同比变化率" in both
    assert "、" not in told("格力电器2016年营收同比")


def test_the_last_word_of_a_figure_begins_no_other() -> None:
    assert "营业收入" in told("谁营收高，贵州茅台还是五粮液")  # not 收高, closed higher
    assert "涨跌幅" in told("贵州茅台收高了吗")


def test_a_price_asked_beside_a_profile_is_not_lost() -> None:
    assert "多少钱" in reason("代码600519是啥 多少钱")


def test_every_company_a_name_may_mean_is_offered() -> None:
    planned = youju().query.plan("恒生現在多少")
    assert planned.ask_back is not None
    offered = " ".join(planned.ask_back.choices)
    assert all(name in offered for name in ("恒生银行", "恒生电子", "恒生指数"))
    for one in planned.ask_back.choices:
        assert youju().query.plan(one).turn.nlir is not None, one


def test_a_name_beside_its_industry_is_settled_by_it() -> None:
    planned = youju().query.plan("海螺在水泥里毛利率排第几")
    assert planned.ask_back is not None  # the source does not split cement: asked first
    assert all("海螺水泥" in one for one in planned.ask_back.choices)


def test_a_screen_of_a_year_s_profit_is_of_a_shares() -> None:
    assert "A股" in told("总市值不到50亿、但一年净利过3个亿的票")


def test_the_years_compared_are_told() -> None:
    found = youju().query.ask("万科A哪一年营收最高")
    assert isinstance(found, Answered)
    # The bundle has the annual reports of 2012 to 2016 of it.
    assert any("2012年报至2016年报" in one for one in found.draft.notes)


def test_what_will_be_is_refused_as_such() -> None:
    assert "预测" in reason("下半年煤炭还有没有行情")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("恒生指数2015年4月涨了多少点", "从2015-04-01到2015-04-30的变化额"),
        ("How many points did the Hang Seng gain in April 2015", "change of close from 2015"),
        ("腾讯2016年涨了多少港元", "从2016-01-01到2016-12-31的变化额"),
        ("腾讯2016年涨了几个点", "区间涨跌幅"),
        ("腾讯2016年涨了多少", "区间涨跌幅"),
        ("万科2016年净利润涨了多少亿", "净利润同比变化额"),
        ("万科2016年净利润同比增长多少", "净利润同比变化率"),
    ],
)
def test_what_a_rise_is_asked_in_is_what_it_is_told_in(text: str, read: str) -> None:
    assert read in told(text)
