"""At what time something was so, and what is known of a time: read as asked, or put back.

The closes are read from the snapshot by hand: 腾讯控股 stood above 200 first on 2016-08-18 (203.00)
and at 189.70 on 2016-12-30, the last session of that year.
"""

import pytest

from services.query.answering.answers import Answered
from tests.unit.query.bundled_query import youju


def answered(text: str) -> Answered:
    found = youju().query.ask(text, None)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found


def labels(text: str) -> list[str]:
    """The days or years an answer lists; of one alone its sentence says it."""
    found = answered(text)
    if found.table is None:
        return [found.text.partition("：")[0].partition(": ")[0]]
    return [row.label for row in found.table.rows]


@pytest.mark.parametrize(
    "text",
    [
        "腾讯第一次超过200块是什么时候",
        "腾讯首次突破200港元是哪天",
        "腾讯收盘价首次超过200",
        "when did Tencent first close above 200",
        "when did Tencent close above 200 for the first time",
    ],
)
def test_the_first_day_is_the_oldest_at_which_it_held(text: str) -> None:
    found = answered(text)
    assert "2016-08-18" in found.text
    assert "203.00" in found.text
    assert any("2011-07-28" in note for note in found.draft.notes)  # known since then only


def test_which_day_it_held_is_every_such_day_not_whether_it_holds_now() -> None:
    every = labels("腾讯哪天收盘价超过200")
    assert every[0] == "2016-08-18"
    assert labels("腾讯收盘价超过200的日子") == every
    assert labels("腾讯什么时候跌超5%") == labels("腾讯跌幅超过5%的日子")


def test_of_a_figure_of_reports_the_time_is_a_year() -> None:
    assert labels("腾讯什么时候净利润超过200亿") == ["2014年报", "2015年报", "2016年报"]
    assert labels("腾讯净利润首次超过200亿是哪一年") == ["2014年报"]


def test_a_time_that_no_figure_of_it_is_known_by_is_put_back() -> None:
    assert not isinstance(youju().query.ask("腾讯什么时候市盈率低于30", None), Answered)


def test_an_index_is_told_in_points() -> None:
    found = answered("上证指数首次站上5000点")
    assert "元" not in found.draft.plan_words
    assert "2015-06-05" in found.text


@pytest.mark.parametrize("text", ["腾讯2016年底收盘价", "腾讯去年末股价"])
def test_the_end_of_a_year_is_its_last_session(text: str) -> None:
    assert "2016-12-30 收盘 189.70港元" in answered(text).text


def test_days_the_source_ends_before_are_not_told_as_days_without_trading() -> None:
    found = answered("比亚迪昨天收盘价")
    assert "最近一根是 2017-07-20" in found.text
    assert found.claims == ()


def test_the_quarters_of_a_year_that_are_lacking_are_named() -> None:
    found = answered("腾讯2016年各季度营收")
    assert "2016年报" in found.text
    assert any("2016一季报、2016中报、2016三季报" in note for note in found.draft.notes)


def test_a_basis_is_no_company() -> None:
    put_back = youju().query.ask("TTM净利润 2016-12-31 比亚迪", None).turn.ask_back
    assert put_back is not None
    assert "ttm" in put_back.reason


@pytest.mark.parametrize(
    "text", ["2016年腾讯怎么走", "腾讯2016年怎么走", "腾讯近20个交易日怎么走的"]
)
def test_how_it_went_in_days_gone_by_is_no_prediction(text: str) -> None:
    assert "收盘" in answered(text).text


@pytest.mark.parametrize("text", ["腾讯怎么走", "腾讯去年涨了现在怎么走"])
def test_how_it_will_go_is_one(text: str) -> None:
    assert not isinstance(youju().query.ask(text, None), Answered)


def test_what_moved_a_share_asks_for_the_cause() -> None:
    assert "abnormal" in answered("what moved Tencent on July 25").draft.plan_words


@pytest.mark.parametrize(
    "text", ["万科净利润和去年比", "万科净利润比去年增长多少", "万科净利润跟去年相比"]
)
def test_against_last_year_is_the_growth(text: str) -> None:
    assert answered(text).draft.plan_words == answered("万科净利润同比").draft.plan_words


def test_last_year_beside_another_year_is_not_the_year_before() -> None:
    assert not isinstance(youju().query.ask("2015年万科净利润比去年", None), Answered)


def test_sessions_are_counted_with_a_time_behind() -> None:
    read = answered("how many days did Tencent rise this year").draft.plan_words
    assert "number of days" in read
    assert "2017-01-01" in read


def test_a_last_session_of_no_year_is_not_that_of_the_year_before() -> None:
    found = youju().query.ask("乐视最后一个交易日收盘", None)
    assert not isinstance(found, Answered) or "2016-12-31" not in found.draft.plan_words
