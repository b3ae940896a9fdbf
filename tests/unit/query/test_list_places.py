"""A place in the list before is that company of the list, and the answer says which place."""

import pytest

from services.query.answering.answers import Answered
from tests.unit.query.algebra.bundle_frames import frames
from tests.unit.query.bundled_query import youju


def asked(*texts: str) -> list[Answered]:
    session: str | None = None
    answers: list[Answered] = []
    for text in texts:
        found = youju().query.ask(text, session)
        assert isinstance(found, Answered), found
        assert found.verification.ok
        session = found.session_id
        answers.append(found)
    return answers


def symbols(answer: Answered) -> list[str | None]:
    assert answer.draft.table is not None
    return [row.symbol for row in answer.draft.table.rows]


def test_the_second_and_the_last_of_a_list_are_its_rows() -> None:
    listed, second, last = asked("净利润前5的A股", "第二名的市盈率", "净利润前5的A股")
    assert symbols(second) == symbols(listed)[1:2]
    assert "问到的名次是" in second.text
    assert "取第2家" in second.plan_words
    assert symbols(last) == symbols(listed)
    _, fifth = asked("净利润前5的A股", "最后一名")
    assert symbols(fifth) == symbols(listed)[4:]


def test_who_has_no_place_is_told_beside_the_one_asked_for() -> None:
    """Twelve of 22 banks have no market value here, the largest among them."""
    (third,) = asked("市值第三的A股银行")
    assert "有总市值数据的只有10家，问到的名次是北京银行" in third.text
    assert "工商银行、建设银行、农业银行等12家没有总市值，未参与排名" in third.text


def test_several_places_are_told_by_their_first() -> None:
    listed, places = asked("净利润前5的A股", "总市值第3到第5的A股")
    assert len(symbols(listed)) == 5
    assert len(symbols(places)) == 3
    assert "问到的名次里第一位是" in places.text


def test_of_two_sets_it_is_told_whose_fold_is_higher() -> None:
    (sets,) = asked("沪市和深市，谁的市净率中位数更高")
    assert sets.text.startswith("A股沪市的市净率(MRQ)中位数 3.00倍")
    assert "A股深市更高" in sets.text


def test_the_first_of_a_list_needs_no_place() -> None:
    listed, first = asked("净利润前5的A股", "第一只的营收")
    assert symbols(first) == symbols(listed)[:1]


def test_a_bound_on_the_market_value_is_kept() -> None:
    (found,) = asked("市值大于5000亿的A股，按市值排")
    assert 0 < len(symbols(found)) <= 10
    plir = found.turn.plir
    assert plir is not None
    assert plir.nodes[0].arg("market_cap") == "500000000000_max"


def test_a_group_without_the_figure_is_said_to_have_none() -> None:
    """No median of a group is no empty place behind its name."""
    zh, en = asked(
        "房地产和建筑装饰资产负债率中位数对比", "Median debt ratio, real estate vs construction"
    )
    assert zh.text.endswith("没有2016年资产负债率中位数。")
    assert en.text.endswith(": the median 2016 debt to assets not available.")


def test_a_place_below_the_last_is_no_figure_that_is_missing() -> None:
    (ranked,) = asked("A股保险公司按市值排")
    assert len(symbols(ranked)) == 2
    last, beyond = asked("市值第二的A股保险公司", "市值第三的A股保险公司")
    assert "中国人寿" in last.text
    assert beyond.draft.table is None
    assert "排不到所问的名次" in beyond.text


def test_the_year_at_a_place_is_looked_for_in_all_there_are() -> None:
    best, second, same = asked(
        "招商银行净利润最高的一年", "招商银行净利润第二高的一年", "招商银行净利润第二高的年份"
    )
    assert "2016" in best.text
    assert "2015" in second.text
    assert second.text == same.text


def test_what_is_asked_of_the_row_of_a_list_is_told_of_it() -> None:
    zh, en = asked(
        "食品饮料里市值第三的是哪家？它市盈率在同行里算高还是算低",
        "cheapest hong kong bank on price to book, and how far under the group median is it",
    )
    assert (
        "洋河股份：市盈率(TTM) 21.27倍，A股食品饮料的市盈率(TTM)中位数 44.20倍，两者之差 -22.93倍"
        in zh.text
    )
    assert "0.53 x" in en.text
    assert "a difference of -0.21 x" in en.text


def test_whoever_satisfies_the_conditions_is_in_the_list_without_a_market_value_too() -> None:
    (found,) = asked("2013年到2016年营收年年增长的A股有哪些")
    assert "600085.SH" in symbols(found)
    assert "符合条件的6家" in found.text
    assert len(symbols(found)) == 6


def test_two_lists_of_the_same_companies_keep_a_column_each() -> None:
    """One year beside the other: the second list must not take the place of the first."""
    (found,) = asked("茅台和五粮液2016年净利润，哪家高；2015年呢")
    table = found.draft.table
    assert table is not None
    assert list(table.columns) == ["2016年净利润", "2015年净利润"]
    kept = {row.symbol: [cell.text for cell in row.cells] for row in table.rows}
    assert kept == {"600519.SH": ["167.17亿元", "—"], "000858.SZ": ["67.84亿元", "—"]}


@pytest.mark.parametrize(
    "text", ["A股房地产市值前五", "A股房地产总市值", "A股各行业总市值", "A股银行有几家"]
)
def test_who_is_in_no_industry_is_told_where_industries_are_looked_at(text: str) -> None:
    """万科 is the largest developer and the source gives it no industry."""
    companies = frames().companies
    here = companies[(companies.market == "CN") & (companies.kind == "stock")]
    lacking = int(here.industry.isna().sum())
    (found,) = asked(text)
    (note,) = [one for one in found.draft.notes if "没有给出行业" in one]
    assert [claim.value for claim in found.claims if claim.symbol == "CN:未分类"] == [lacking]
    assert f"A股有{lacking}家" in note
    assert "万科A" in note
    assert not any("没有给出行业" in one for one in asked("A股市值前五")[0].draft.notes)


def test_a_company_of_no_industry_is_told_as_no_part_of_one() -> None:
    """比亚迪 is not in what it is a share of: the source gives it no industry."""
    share, place = asked("比亚迪市值占汽车行业多少", "招商银行市值占银行业多少")
    said = "来源没有给出比亚迪的行业，不在任何行业里，行业的数也不含它的"
    assert said in share.draft.notes
    assert not any("招商银行的行业" in one for one in place.draft.notes)
