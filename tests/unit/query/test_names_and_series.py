"""Short names of several companies, names beside others, tools in many words, figures of series."""

import pytest

from services.core.catalogue import CATALOGUE
from services.core.data_files import DATA_FOLDER, read_data_file
from services.query.planning.nlir import NlirNode
from tests.unit.query.asking import query
from tests.unit.query.bundled_query import youju


def nodes(text: str) -> list[NlirNode]:
    """The nodes a question is planned as; none where it is put back."""
    nlir = youju().query.plan(text, None).turn.nlir
    return list(nlir.nodes) if nlir is not None else []


def choices(text: str) -> tuple[str, ...]:
    """What is offered where a question is put back."""
    ask_back = youju().query.plan(text, None).turn.ask_back
    return ask_back.choices if ask_back is not None else ()


@pytest.mark.parametrize(
    ("text", "companies"),
    [
        ("太古的市值是多少", ("太古股份公司A", "太古股份公司B", "太古地产")),
        ("恒生的市盈率", ("恒生银行", "恒生电子")),
        ("金沙的市值", ("金沙中国", "金沙集团")),
    ],
)
def test_a_name_of_several_companies_is_asked_back(text: str, companies: tuple[str, ...]) -> None:
    offered = choices(text)
    assert all(any(one.startswith(name) for one in offered) for name in companies)
    assert all(nodes(one) for one in offered)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("汇丰和恒生的市净率谁低", "汇丰控股和恒生银行的市净率谁低"),
        ("伊利、蒙牛、光明2016年净利润排名", "伊利股份、蒙牛乳业、光明乳业2016年净利润排名"),
        ("新华、国寿、平安的市盈率从低到高", "新华保险、中国人寿、中国平安的市盈率从低到高"),
        ("兴业银行、浦发银行两家银行，市盈率从低到高", "兴业银行、浦发银行，市盈率从低到高"),
    ],
)  # fmt: skip
def test_names_beside_say_which_is_meant(text: str, same: str) -> None:
    assert query(text) is not None
    assert query(text) == query(same)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("gelidianqi he meidi jin 3 nian ROE duibi", "格力电器和美的集团近3年ROE对比"),
        ("伊利、蒙牛、光明，乳企三家的净利率排名", "伊利股份、蒙牛乳业、光明乳业的净利率排名"),
        ("中石化2014、2015两年营收合计", "中石化2014、2015营收合计"),
        ("茅台市值抵得上几个五粮液", "茅台市值是五粮液的几倍"),
        ("市值别超80亿的银行", "市值不超过80亿的银行"),
        ("股价低于5毛的港股", "股价低于0.5元的港股"),
        ("药企2016年净利润前五", "医药2016年净利润前五"),
    ],
)
def test_another_way_of_saying_it_is_read_alike(text: str, same: str) -> None:
    assert query(same) is not None, same
    assert query(text) == query(same)


def test_what_no_source_has_is_told_with_whom_and_when() -> None:
    ask_back = youju().query.plan("汽车行业12到16年研发投入总额逐年列出来", None).turn.ask_back
    assert ask_back is not None
    assert "研发投入" in ask_back.reason
    assert "汽车行业2012年到2016年" in ask_back.reason


def test_the_clause_nobody_can_read_is_left_aside_in_the_offer() -> None:
    text = "房地产公司里，存货周转天数低于90，去年净利润还在增长的"
    offered = choices(text)
    assert any("房地产" in one and "净利润同比" in one for one in offered)
    assert all("存货" not in one for one in offered)


def test_as_many_banks_as_were_not_named_are_no_apposition() -> None:
    assert query("招商银行、民生银行三家银行，市盈率从低到高") is None


@pytest.mark.parametrize(
    ("text", "series", "figure"),
    [
        ("去年12月的M2增速", "货币供应量", "M2同比"),
        ("2016年12月M2余额", "货币供应量", "M2"),
        ("制造业PMI", "PMI", "制造业PMI"),
        ("2016年GDP", "GDP", None),
        ("GDP增速", "GDP", "GDP累计同比"),
        ("CPI环比", "CPI", "CPI环比"),
    ],
)
def test_a_series_and_its_growth_are_two_figures(text: str, series: str, figure: str) -> None:
    (one,) = nodes(text)
    assert (one.action, one.arg("series"), one.arg("query")) == ("macro", series, figure)


def test_a_word_of_measure_is_of_the_series_beside_it() -> None:
    assert [one.arg("query") for one in nodes("GDP增速和M2")] == ["GDP累计同比", "M2"]
    assert [one.arg("query") for one in nodes("M1、M2增速")] == ["M1同比、M2同比"]


def test_a_measure_no_series_has_is_put_back() -> None:
    assert not nodes("PPI环比")


def test_every_measure_names_a_figure_of_the_catalogue() -> None:
    table = read_data_file(DATA_FOLDER / "lexicon" / "actions.toml").tables["macro"]["figures"]
    assert {CATALOGUE[one].kind for one in table.values()} == {"macro"}


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("茅台最近有啥新闻没有", "news"),
        ("介绍下茅台这家公司", "profile"),
        ("茅台是干啥的", "profile"),
        ("茅台上过龙虎榜没有", "billboard"),
        ("给茅台打个分", "score"),
        ("工行的布林上中下轨", "indicator"),
    ],
)
def test_tools_are_asked_in_many_words(text: str, action: str) -> None:
    assert [one.action for one in nodes(text)] == [action]


def test_a_tool_of_today_takes_no_day() -> None:
    assert not nodes("茅台2016年3月8日的RSI")
