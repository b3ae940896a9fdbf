"""总览: tiles of industries, moves, and what is of another day."""

import re
from collections.abc import Callable

import pytest

from services.views.company.view import CompanyView
from services.views.table import View
from services.views.view import OverviewView, ScreenView
from tests.pages.conftest import Shown

Show = Callable[[str], Shown]


def _share(tile, side: str) -> float:
    found = re.search(rf"(?:^|;)--{side}:([\d.]+)%", tile.get("style"))
    assert found
    return float(found.group(1)) / 100


@pytest.mark.parametrize("screen", ["", "p"], ids=["desk", "phone"])
def test_a_tile_is_as_large_as_its_industry_and_the_unnamed_one_is_last(
    show: Show, screen: str
) -> None:
    tiles = show("").tree.xpath("//div[starts-with(@class, 'yj-tile ')]")
    caps = [float(one.xpath(".//data[@data-metric='market_cap_sum']/@value")[0]) for one in tiles]
    areas = [_share(one, f"{screen}w") * _share(one, f"{screen}h") for one in tiles]
    assert len(tiles) > 20
    for cap, area in zip(caps, areas, strict=True):
        assert abs(area - cap / sum(caps)) < 0.002
    assert caps[:-1] == sorted(caps[:-1], reverse=True)
    assert "来源没有给行业" in tiles[-1].text_content()
    assert not tiles[-1].xpath(".//a")


def test_a_total_says_of_how_many_it_is_and_who_is_not_ranked(show: Show) -> None:
    tree = show("").tree
    # The bundled A shares: 3,241 companies, 3,112 with a market value; 22 banks, ten of them.
    total = next(
        one
        for one in tree.xpath("//section[contains(@class, 'yj-ix')]")
        if one.xpath(".//data[@data-metric='market_cap_sum']")
    )
    values = [float(one) for one in total.xpath(".//data/@value")]
    assert values[:2] == [3112, 3241]
    banks = next(
        one
        for one in tree.xpath("//div[starts-with(@class, 'yj-tile ')]")
        if one.get("title") == "银行"
    )
    assert [float(one) for one in banks.xpath(".//small[1]//data/@value")][:2] == [10, 22]
    assert not banks.xpath(".//span[@class='yj-t3']")
    (head,) = tree.xpath("//h2[contains(., '总市值最大')]/..")
    assert "工商银行、建设银行、农业银行等" in head.text_content()
    assert "没有总市值" in head.text_content()


def test_the_colour_of_a_tile_is_the_step_of_its_median(show: Show) -> None:
    for tile in show("?heat=pb_median").tree.xpath("//div[starts-with(@class, 'yj-tile ')]")[:-1]:
        median = float(tile.xpath(".//data[@data-metric='pb_median']/@value")[0])
        step = 1 + sum(median >= bound for bound in (1.5, 2.5, 4, 6))
        assert f"yj-heat-{step}" in tile.get("class").split()


def test_a_change_colours_where_it_is_held_and_the_page_says_of_how_many(show: Show) -> None:
    tree = show("?heat=pct_change_median").tree
    shown = {}
    for tile in tree.xpath("//div[starts-with(@class, 'yj-tile ')]")[:-1]:
        name = tile.xpath(".//a")[0].text_content()
        moved = tile.xpath(".//data[@data-metric='pct_change_median']/@value")
        classes = tile.get("class").split()
        step = 1 + sum(float(moved[0]) >= end for end in (-2, -0.5, 0.5, 2)) if moved else 0
        assert f"yj-heat-{step}" in classes
        # In the bundle one company of an industry at most traded on that day.
        assert ("yj-few" in classes) == bool(moved)
        shown[name] = bool(moved)
    assert {name for name, held in shown.items() if held} == {
        *("银行", "医药生物", "食品饮料", "机械设备")
    }
    said = " ".join(one.text_content() for one in tree.xpath("//p[@class='yj-mute']"))
    assert re.search("其中.*4.*家.*有 2017-07-25 的涨跌幅", said)
    others = show("?heat=pb_median").tree
    assert "有 2017-07-25 的涨跌幅" not in others.text_content()


def test_a_tile_leads_to_the_screen_of_its_industry(show: Show) -> None:
    links = show("").tree.xpath("//div[starts-with(@class, 'yj-tile ')]//a/@href")
    assert any(link.startswith("screen?") and "industry=" in link for link in links)


def test_an_index_of_another_year_is_stale_and_carries_its_day(show: Show) -> None:
    old = show("").tree.xpath("//button[contains(@class, 'yj-s')]")
    assert [one.find("data").get("data-symbol") for one in old] == ["IXIC"]
    assert old[0].find("i").text == "2016-07-25"


def test_moves_of_one_company_in_one_week_are_one_row_the_greatest_of_them(show: Show) -> None:
    shown = show("")
    rows = shown.tree.xpath("//table[@id='t-events']/tbody/tr")
    weeks = [
        (
            row.xpath(".//a/@href")[0].split("symbol=")[1].split("&")[0],
            row.xpath(".//time/@datetime")[0],
        )
        for row in rows
    ]
    assert len(set(weeks)) == len(rows) > 3
    assert {symbol.partition(".")[2] for symbol, _ in weeks} >= {"SZ", "HK"}
    falls = show("?moves=fall").tree.xpath("//table[@id='t-events']//td//data/@value")
    assert falls
    assert all(float(value) < 0 for value in falls)


@pytest.mark.parametrize(
    ("path", "kind", "other"),
    [
        ("", OverviewView, None),
        ("screen?pettm=0_20", ScreenView, ("pettm", "0_30")),
        ("company?symbol=600519.SH", CompanyView, ("tab", "peers")),
    ],
)
def test_the_snapshot_is_looked_at_once_a_session(
    path: str, kind: type[View], other: tuple[str, str] | None, show: Show
) -> None:
    app = show(path).app

    def run_again() -> tuple[str, ...]:
        app.run()
        assert not app.exception
        return app.session_state["youju"].views[kind][1].run_ids

    before = app.session_state["youju"].views[kind][1].run_ids
    assert run_again() == before
    if other is not None:  # what is asked anew is looked up anew
        app.query_params[other[0]] = other[1]
        assert run_again() != before


def test_a_step_of_the_tour_stands_at_the_foot_and_leads_on(show: Show) -> None:
    strip = show("screen?demo=1").tree.xpath("//section[@class='yj-tour']")[0]
    assert "1 / 6" in strip.text_content()
    assert "demo=2" in strip.xpath(".//a[@class='yj-go-on']/@href")[0]
    assert "demo" not in strip.xpath(".//a[not(@class)]/@href")[0]
    assert show("screen").tree.xpath("//section[@class='yj-tour']") == []
