"""自选: begun on a company's page, seen on 总览 and on its own page; its words are never markup."""

from collections.abc import Callable

import pytest

from tests.pages.conftest import Shown

Show = Callable[[str], Shown]
NAME = "![p](https://evil.example/p.png) <b>x</b>"


@pytest.fixture(autouse=True)
def without_lists(show: Show) -> None:
    """The store is one for all tests: what another left is taken out."""
    from pages.ui import resources

    kept = resources.shared().watchlists
    for name in kept.names():
        kept.end(name)


def rows(shown: Shown) -> list[str]:
    return shown.tree.xpath("//table[@id='t-watch']/tbody/tr//small/span/text()")


def test_a_company_is_watched_with_a_click_and_taken_out_with_another(show: Show) -> None:
    assert "还没有自选" in show("").text
    shown = show("company?symbol=600036.SH")
    shown.app.button(key="w_watch").click().run()
    assert shown.app.button(key="w_watch").label.endswith("已自选")
    assert rows(show("")) == ["600036.SH"]
    watched = show("watch")
    assert rows(watched) == ["600036.SH"]
    (line,) = watched.tree.xpath("//p[@class='yj-basis']")
    assert line.xpath(".//time/@datetime")[0] == "2017-07-25"  # of the price
    shown.app.button(key="w_watch").click().run()
    assert rows(show("watch")) == []


def test_a_company_found_by_name_is_put_into_the_list_looked_at(show: Show) -> None:
    shown = show("watch")
    shown.app.text_input(key="w_watch_find").set_value("贵州茅台").run()
    shown.app.button(key="w_watch_find_600519.SH").click().run()
    assert rows(shown) == ["600519.SH"]
    together = "//div//a[@data-go='compare' and contains(., '一起对比')]"
    assert shown.tree.xpath(together) == []
    shown.app.text_input(key="w_watch_find").set_value("招商银行").run()
    shown.app.button(key="w_watch_find_600036.SH").click().run()
    (way,) = shown.tree.xpath(together)
    assert way.get("href").endswith("s=600519.SH%2C600036.SH")


def test_names_and_notes_are_text(show: Show) -> None:
    from pages.ui import resources

    kept, day = resources.shared().watchlists, resources.shared().clock.now().date()
    kept.add(NAME, "600036.SH", day, NAME)
    kept.begin("乙")
    shown = show("watch")
    note = shown.tree.xpath("//table[@id='t-watch']//td[@class='yj-wrap']")[0]
    assert note.text_content() == NAME
    assert not shown.tree.xpath("//img[contains(@src,'evil')] | //td//b")
    assert rows(show("watch?list=乙")) == []
    assert NAME in show("").text


def test_the_change_since_the_day_of_adding_stands_beside_that_day(show: Show) -> None:
    from datetime import date

    from pages.ui import resources

    resources.shared().watchlists.add("甲", "600036.SH", date(2017, 6, 1))
    shown = show("watch")
    (change,) = shown.figures("watched_change")
    assert change.get("data-as-of") == "2017-07-25"
    assert "2017-06-01" in shown.tree.xpath("//table[@id='t-watch']//time/@datetime")


def test_a_company_put_beside_others_leads_to_the_comparison(show: Show) -> None:
    shown = show("company?symbol=600036.SH")
    shown.app.button(key="w_compare").click().run()
    assert shown.app.button(key="w_compare").label == "去对比 · 1 家"


def test_what_was_found_by_schedule_is_told_until_it_is_seen(show: Show) -> None:
    from datetime import date

    from pages.ui import resources

    resources.shared().watchlists.add(NAME, "000002.SZ", date(2017, 6, 1))
    assert not show("watch").tree.xpath("//ul[contains(@class,'yj-alerts')]")
    found = resources.desk().look_for_alerts()
    shown = show("watch")
    items = shown.tree.xpath("//ul[contains(@class,'yj-alerts')]/li")
    assert len(items) == found > 0
    assert all(NAME in one.text_content() for one in items)
    assert not shown.tree.xpath(
        "//ul[contains(@class,'yj-alerts')]//b | //img[contains(@src,'evil')]"
    )
    assert all(one.xpath(".//data[@data-claim-id]") for one in items)
    assert f"{found} 条新提醒" in show("").text
    assert "新提醒" not in show("?lang=en").text
    shown.app.button(key="w_alerts_seen").click().run()
    assert not shown.tree.xpath("//ul[contains(@class,'yj-alerts')]")
    assert "新提醒" not in show("").text
