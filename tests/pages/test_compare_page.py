"""The page 对比 through app.py: cited figures, marks, an empty state, and what the address says."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from pages.compare.lines import spread
from tests.pages.conftest import Shown

Show = Callable[[str], Shown]
FIVE = "600036.SH,601766.SH,000002.SZ,002594.SZ,00700.HK"


def _charts(shown: Shown) -> list[str]:
    return [one.proto.spec for one in shown.app.get("plotly_chart")]


def test_each_company_has_a_chip_a_column_and_a_line(show: Show) -> None:
    shown = show(f"compare?s={FIVE}")
    assert len(shown.tree.xpath("//li[@class='yjp-chip']")) == 5
    head = shown.tree.xpath("//table[@id='t-compare']/thead//small")
    assert [one.text_content() for one in head] == FIVE.split(",")
    (chart,) = _charts(shown)
    assert chart.count('"rebased"') == 5
    rest = shown.tree.xpath("//li[@class='yjp-chip'][1]/a/@href")[0]
    assert "600036.SH" not in rest
    assert "601766.SH" in rest


def test_best_and_last_stand_beside_the_lowest_and_the_highest_multiple(show: Show) -> None:
    shown = show(f"compare?s={FIVE}")
    cells = shown.tree.xpath("//tr[.//data[@data-metric='pe_lyr']]/td[contains(@class,'yj-num')]")
    values = [float(one.xpath(".//data/@value")[0]) for one in cells]
    marks = ["".join(one.xpath("./b/text()")) for one in cells]
    assert marks[values.index(min(values))] == "优"
    assert marks[values.index(max(values))] == "末"
    assert sum(map(bool, marks)) == 2


def test_without_two_companies_the_page_says_how_to_choose_them(show: Show) -> None:
    for address in ("compare", "compare?s=600036.SH"):
        shown = show(address)
        assert _charts(shown) == []
        assert shown.tree.xpath("//section[@class='yjc-none']//a[@data-go='screen']")


@pytest.mark.parametrize("span", ["3m", "3y"])
def test_a_span_beyond_a_year_is_said_to_be_overstated(show: Show, span: str) -> None:
    shown = show(f"compare?s={FIVE}&span={span}")
    said = "只看形态" in shown.text
    assert said is (span == "3y")


def test_in_english_nothing_is_chinese(show: Show) -> None:
    shown = show("compare?s=00700.HK,00005.HK,00941.HK&lang=en")
    body = shown.tree.xpath("//table[@id='t-compare']")[0].text_content()
    assert [one for one in body if "一" <= one <= "鿿"] == []


def test_names_at_the_ends_stand_apart_and_inside() -> None:
    moved = spread([100.0, 101.0, 102.0, 240.0, 243.0], 244)
    assert all(above - below >= 15 for below, above in pairwise(sorted(moved)))
    assert max(moved) <= 244
    assert sorted(range(5), key=moved.__getitem__) == [0, 1, 2, 3, 4]


def test_a_company_found_by_name_is_added_behind_the_others(show: Show) -> None:
    shown = show("compare?s=600036.SH,601766.SH")
    shown.app.text_input(key="w_compare_find").set_value("贵州茅台").run()
    shown.app.button(key="w_compare_find_600519.SH").click().run()
    head = shown.tree.xpath("//table[@id='t-compare']/thead//small")
    assert [one.text_content() for one in head] == ["600036.SH", "601766.SH", "600519.SH"]
    assert shown.app.query_params["s"] == "600036.SH,601766.SH,600519.SH"


def test_each_condition_of_a_screen_can_be_dropped_and_says_how_many_there_are_then(
    show: Show,
) -> None:
    shown = show("screen?pettm=0_15&roediluted=15_max&market_cap=200亿_max")
    ways = shown.tree.xpath("//p[@class='yj-relax']/span[a]")
    assert len(ways) == 3
    for way in ways:
        there = way.xpath("./a/@href")[0]
        told = float(way.xpath(".//data/@value")[0])
        found = show(there).figures("match_count")[0]
        assert told == float(found.get("value"))
    crosses = shown.tree.xpath("//span[contains(@class, 'yj-condition')]/a[last()]/@href")
    assert crosses == [way.xpath("./a/@href")[0] for way in ways]
