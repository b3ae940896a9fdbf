"""What is asked behind how far a price went, or a figure of years, is of that time."""

from datetime import date

import pytest

from services.query.algebra.nodes import Metric, Query, walk
from tests.unit.query.asking import query


def _last(*turns: str) -> Query | None:
    before: list[Query] = []
    for turn in turns:
        found = query(turn, before)
        if not isinstance(found, Query):
            return None
        before.append(found)
    return before[-1]


@pytest.mark.parametrize(
    "turn", ["最高是哪天", "最高呢", "最高收盘价是哪天", "which day was the highest close"]
)
@pytest.mark.parametrize("base", ["招商银行2015年涨跌幅", "茅台2015年涨了多少"])
def test_the_highest_is_a_price(base: str, turn: str) -> None:
    found = _last(base, turn)
    assert found is not None
    (order,) = found.order
    assert isinstance(order.by, Metric)
    assert (found.rows, order.by.id, order.direction) == ("days", "close", "desc")


@pytest.mark.parametrize(
    "base", ["招商银行2015年涨跌幅", "招商银行2015年最高收盘价", "招商银行2015年最高价是哪天"]
)
@pytest.mark.parametrize(
    "turn", ["最后一个交易日收在多少", "期末收盘多少", "last trading day's close"]
)
def test_the_last_session_is_of_that_time(base: str, turn: str) -> None:
    found = _last(base, turn)
    assert found is not None
    assert [(one.id, one.when.last) for one in found.show if isinstance(one, Metric)] == [
        ("close", date(2015, 12, 31))
    ]


@pytest.mark.parametrize("turn", ["比上一年高吗", "比上一年增长了吗", "是上一年的几倍"])
@pytest.mark.parametrize("year", [2014, 2016])
def test_the_year_before_is_of_the_year_told(year: int, turn: str) -> None:
    found = _last(f"茅台{year}年净利润", turn)
    assert found is not None
    years = {one.when.first for one in walk(found) if isinstance(one, Metric)}
    assert years == {year, year - 1}


@pytest.mark.parametrize(
    ("turn", "years"),
    [("只看后三年", (2014, 2016)), ("前两年呢", (2012, 2013)), ("最后两年", (2015, 2016))],
)
def test_so_many_of_the_years_told(turn: str, years: tuple[int, int]) -> None:
    found = _last("招行2012到2016年净利润", turn)
    assert found is not None
    assert found.window is not None
    assert (found.window.first, found.window.last) == years


def test_another_figure_is_not_divided_by_the_sum_that_was_told() -> None:
    assert _last("招行2012到2016年净利润合计", "营收翻了几倍") == _last(
        "招行2012到2016年营收合计", "翻了几倍"
    )
