"""Prices of past days as an answer tells them, on the bundled market.

The closes are read from the snapshot by hand: 招商银行 16.56 on 2015-12-31, 16.86 on 2016-12-30,
25.71 on 2017-07-24 and 25.53 on 2017-07-25; 腾讯控股 reached 288.40 on 2017-06-27.
"""

import pytest

from services.query.answering.answers import Answered
from tests.unit.query.bundled_query import youju


def answered(text: str) -> Answered:
    found = youju().query.ask(text, None)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found


def outputs(found: Answered) -> list[object]:
    return [value for output in found.draft.outputs for value in output.values]


def test_a_change_is_counted_from_the_last_close_before_the_days() -> None:
    found = answered("招行2016年涨了多少")
    # 16.86 / 16.56 - 1
    assert outputs(found) == [pytest.approx(1.8116, abs=1e-4)]
    assert "2016-12-30 收盘 16.86元，较 2015-12-31 的 16.56元上涨 1.81%" in found.text
    assert found.table is not None
    assert [row.label for row in found.table.rows] == ["招商银行"]


def test_a_close_of_a_past_day_is_not_called_the_last_one() -> None:
    found = answered("招行2017年7月24日收盘价")
    assert "2017-07-24 收盘 25.71元" in found.text
    assert "最近收盘" not in found.text
    assert outputs(found) == [25.71]


def test_a_single_day_is_held_against_the_session_before() -> None:
    # 25.53 / 25.71 - 1
    assert outputs(answered("招行昨天涨跌幅")) == [pytest.approx(-0.7001, abs=1e-4)]


def test_the_highest_price_of_a_span_comes_with_its_day() -> None:
    found = answered("腾讯上个月的最高价")
    assert outputs(found) == [288.4]
    assert "区间最高价 288.40港元（2017-06-27）" in found.text


def test_companies_are_compared_by_how_far_they_went() -> None:
    found = answered("招行和万科今年谁涨得多")
    assert "招商银行（2017-07-25）的区间涨跌幅高于万科A（2017-07-20）" in found.text
    assert found.table is not None
    assert [row.label for row in found.table.rows] == ["招商银行", "万科A"]


def test_all_of_history_says_where_it_begins() -> None:
    found = answered("招行上市以来涨了多少")
    assert any("始于 2011-07-28" in note for note in found.draft.notes)


def test_a_day_without_trading_is_said_to_be_one() -> None:
    close = answered("招行2015年2月28日收盘价")  # a Saturday: the price is that of the day before
    assert "2015-02-27 收盘" in close.text
    assert close.draft.notes[0] == "2015-02-28 不是交易日，之前最近的交易日是 2015-02-27"
    moved = answered("招行2015年2月28日涨了多少")
    assert "2015-02-28 不是交易日，之前最近的交易日是 2015-02-27" in moved.text
    assert moved.claims == ()


def test_a_day_asked_why_that_was_not_abnormal_says_how_it_went() -> None:
    found = answered("招行昨天为什么涨")
    assert "2017-07-25 没有达到异动规则" in found.text
    assert "下跌 0.70%" in found.text


def test_notes_of_an_english_answer_are_english() -> None:
    found = answered("Tencent closing price yesterday")
    assert found.draft.notes == ("Prices are adjusted for splits only",)


def test_peers_are_told_by_the_figure_asked_about() -> None:
    found = answered("招行和同行比PB怎么样")
    assert len(found.text.splitlines()) == 1
    assert "市净率" in found.text


def test_figures_of_different_periods_side_by_side_are_noted() -> None:
    found = answered("茅台的营收和净利润")
    assert "各项的报告期不同，以正文所注为准" in found.draft.notes


def test_there_is_no_table_when_there_is_no_figure() -> None:
    found = answered("工行农行谁的股息率高")
    assert found.table is None
    assert "快照没有该公司的估值" in found.text


def test_periods_before_the_source_begins_are_left_out_and_noted() -> None:
    found = answered("同仁堂上市以来的营收")
    assert found.table is not None
    assert [row.label for row in found.table.rows] == [f"{year}年报" for year in range(2012, 2017)]
    assert "2012年报以前的数据来源没有" in found.draft.notes


def test_a_price_beside_a_list_of_days_stays_out_of_its_table() -> None:
    found = answered("招行股价走势和市盈率")
    assert found.table is not None
    assert "市盈率(TTM)" not in found.table.columns
    assert "招商银行的市盈率(TTM)为" in found.text
