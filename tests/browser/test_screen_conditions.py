"""The screener's conditions in a browser: a sentence fills them, a key turns one round and drops
it, the menu leaves out and joins, and the address brings it all back.
"""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_crawl import AXE, VIEWS, not_plain

pytestmark = pytest.mark.browser
SENTENCE = "除了银行，ROE不低于15%或股息率不低于4%的公司"
EITHER = "净资产收益率(推算) ≥ 15% 或 股息率 ≥ 4%"


def _conditions(screen: Any) -> Any:
    return screen.page.locator(".yj-condition > span")


def _menu(screen: Any, tab: str) -> Any:
    screen.settle().page.locator(".st-key-w_more_conditions button").first.click()
    screen.page.get_by_role("tab", name=tab, exact=True).click()
    return screen


@pytest.mark.parametrize(("theme", "size"), VIEWS)
def test_conditions_are_said_turned_dropped_joined_and_come_back(
    look: Any, axe: str, theme: str, size: str
) -> None:
    screen = look("/screen", theme=theme, size=size)
    box = screen.page.locator(".st-key-w_sentence input")
    box.fill(SENTENCE)
    box.press("Enter")
    expect(_conditions(screen)).to_have_text(["不含银行", EITHER], timeout=30_000)
    expect(screen.page.locator(".st-key-yj_said")).to_contain_text("读作：A股（不含银行）")
    report = screen.settle().crawl()
    assert (report["uncited"], report["bad"], not_plain(report)) == ([], [], {})
    screen.settle().page.locator(".yj-condition a").first.focus()
    screen.page.keyboard.press("Enter")
    expect(_conditions(screen)).to_have_text(["行业：银行", EITHER])
    screen.settle().page.locator(".yj-condition a[aria-label^='反过来']").first.click()
    expect(_conditions(screen)).to_have_text([EITHER, "不含银行"])
    screen.settle().page.locator(".yj-condition a").nth(1).click()
    expect(_conditions(screen)).to_have_text(["不含银行"])
    _menu(screen, "行业、板块、公司").page.locator(".st-key-w_sets_companies input").fill("茅台")
    screen.page.get_by_role("button", name="加上").click()
    expect(_conditions(screen)).to_have_text(["不含银行", "不含贵州茅台"])
    screen.page.keyboard.press("Escape")
    for name in ("不含银行", "不含贵州茅台"):
        if name == "不含银行":
            _menu(screen, "或")
        screen.page.locator(".st-key-w_either_keys button", has_text=name).click()
    screen.page.get_by_role("button", name="用“或”连起来").click()
    expect(_conditions(screen)).to_have_text(["不含银行 或 不含贵州茅台"])
    count = screen.settle().page.locator(".yj-count").inner_text()
    screen.page.reload()
    expect(_conditions(screen)).to_have_text(["不含银行 或 不含贵州茅台"], timeout=30_000)
    assert screen.settle().page.locator(".yj-count").inner_text() == count
    screen.page.evaluate(axe + ";0")
    assert screen.page.evaluate(AXE) == []
    width = screen.page.evaluate("document.documentElement.scrollWidth")
    assert width <= screen.page.viewport_size["width"]
    assert screen.errors == []
