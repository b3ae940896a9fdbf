"""The picture of an answer: bars stand on zero, and an axis says what it draws."""

import pytest

from pages.ask import answer_chart
from tests.unit.query.test_told_as_it_is import seen


@pytest.mark.parametrize(
    ("question", "axis", "drawn"),
    [
        ("ROE最高的5只A股", "x", "净资产收益率"),
        ("腾讯控股近三年净利润", "y", "净利润"),
    ],
)
def test_bars_begin_at_zero_and_the_axis_names_the_figure(
    question: str, axis: str, drawn: str
) -> None:
    shown = seen(question).chart
    assert shown is not None
    layout = answer_chart.figure(shown, 0, set()).to_plotly_json()["layout"]
    found = layout[f"{axis}axis"]
    named = found["title"] if axis == "x" else layout["annotations"][0]
    assert named["text"] == drawn
    assert found.get("rangemode") == "tozero" or found["range"][0] == 0


def test_prices_say_what_is_drawn() -> None:
    shown = seen("腾讯近一个月走势").chart
    assert shown is not None
    layout = answer_chart.figure(shown, 0, set()).to_plotly_json()["layout"]
    (named,) = layout["annotations"]
    assert named["text"]
    assert "最近收盘" not in named["text"]


def test_a_figure_at_the_end_of_a_bar_has_room_on_either_side() -> None:
    shown = seen("A股涨幅最大的五家和跌幅最大的五家").chart
    assert shown is not None
    drawn = answer_chart.figure(shown, 0, set())
    values = [bar["x"][0] for bar in drawn.to_plotly_json()["data"]]
    first, last = drawn.to_plotly_json()["layout"]["xaxis"]["range"]
    low, high = min(values), max(values)
    assert low < 0 < high
    assert (low - first, last - high) == pytest.approx([0.22 * (high - low)] * 2)
