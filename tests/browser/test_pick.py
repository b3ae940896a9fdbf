"""Companies selected in the table of a screen: kept by the browser, told to the server once."""

from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
SCREEN = "/screen?pettm=0_15&roediluted=15_max&market_cap=200亿_max"


def _box(screen: Any, place: int) -> Any:
    return screen.page.locator("#t-screen tbody .yj-pickbox").nth(place)


def test_selected_companies_are_compared_and_the_bar_goes_with_the_selection(look: Any) -> None:
    screen = look(SCREEN)
    wanted = [_box(screen, place).get_attribute("value") for place in (0, 2)]
    _box(screen, 0).click()
    _box(screen, 2).click()
    expect(screen.page.locator(".yj-pickbar")).to_contain_text("已选 2 家")
    screen.settle().page.locator(".st-key-w_pick_clear button").click()
    expect(screen.page.locator(".yj-pickbar")).to_have_count(0)
    assert not _box(screen.settle(), 0).is_checked()
    for place in (0, 2):
        _box(screen, place).click()
    screen.page.locator(".st-key-w_pick_compare button").click()
    screen.page.wait_for_url("**/compare?s=*")
    heads = screen.settle().page.locator("#t-compare thead small")
    assert heads.all_inner_texts() == wanted
    assert screen.errors == []


def test_a_range_is_selected_with_shift_and_a_page_with_the_box_of_the_head(look: Any) -> None:
    screen = look(SCREEN)
    _box(screen, 1).click()
    _box(screen, 4).click(modifiers=["Shift"])
    expect(screen.page.locator(".yj-pickbar")).to_contain_text("已选 4 家")
    assert [_box(screen, place).is_checked() for place in range(6)] == [
        False, True, True, True, True, False,
    ]  # fmt: skip
    screen.settle().page.locator("#t-screen thead .yj-pickbox").click()
    rows = screen.page.locator("#t-screen tbody tr").count()
    expect(screen.page.locator(".yj-pickbar")).to_contain_text(f"已选 {rows} 家")
    assert screen.errors == []


def test_what_is_selected_is_watched_and_exported_alone(look: Any) -> None:
    screen = look(SCREEN)
    names = [
        screen.page.locator("#t-screen tbody th a").nth(place).inner_text() for place in (0, 3)
    ]
    _box(screen, 0).click()
    _box(screen, 3).click()
    expect(screen.page.locator(".yj-pickbar")).to_contain_text("已选 2 家")
    screen.settle().page.locator(".st-key-w_pick_watch button").click()
    screen.page.get_by_text("已加入自选").wait_for()
    screen.settle().page.get_by_role("button", name="导出所选").click()
    with screen.page.expect_download() as found:
        screen.page.locator(".st-key-w_export_picked_screen button").click()
    lines = found.value.path().read_text("utf-8-sig").splitlines()
    assert len(lines) == 3
    assert all(name in line for name, line in zip(names, lines[1:], strict=True))
    screen = look("/watch")
    assert [name in screen.page.locator("#t-watch").inner_text() for name in names] == [True, True]


def test_what_is_selected_is_scored_as_one_batch(look: Any) -> None:
    screen = look(SCREEN)
    for place in (0, 1):
        _box(screen, place).click()
    expect(screen.page.locator(".yj-pickbar")).to_contain_text("已选 2 家")
    screen.settle().page.locator(".st-key-w_pick_score button").click()
    screen.page.wait_for_url("**/score?batch=job_*")
    # Waited for from outside: the page's own rules let no text be run as a script in it.
    screen.page.locator("#t-batch td.yj-num button.yj-fig").nth(1).wait_for()
    assert screen.errors == []
