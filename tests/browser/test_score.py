"""持有评分 in a browser: a score runs, is shown, is exported; a batch too; cited and accessible."""

from typing import Any

import pytest

from tests.browser.test_crawl import AXE

pytestmark = pytest.mark.browser
BANK = "600036.SH"


def _held(screen: Any, axe: str, least: int) -> None:
    """Every figure is cited, nothing is inaccessible, nothing leaves the machine or overflows."""
    report = screen.crawl()
    assert report["cited"] >= least
    assert report["uncited"] == []
    assert report["bad"] == []
    screen.page.evaluate(axe + ";0")
    assert screen.page.evaluate(AXE) == []
    assert screen.errors == []
    assert screen.outside == []
    width = screen.page.evaluate("document.documentElement.scrollWidth")
    assert width <= screen.page.viewport_size["width"], "the page scrolls sideways"


@pytest.fixture(scope="module")
def released(warm: str, chromium: Any) -> str:
    """The address of a score that was begun with a click and released."""
    from tests.browser.screens import looking

    with looking(chromium, warm) as opened:
        screen = opened(f"/score?symbol={BANK}")
        screen.page.locator(".st-key-w_score button").click()
        screen.page.wait_for_selector(".yj-factors", timeout=60_000)
        screen.settle()
        assert f"symbol={BANK}" in screen.page.url
        return "/score?" + screen.page.url.partition("?")[2]


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_released_score_is_cited_and_accessible(
    look: Any, axe: str, released: str, theme: str, size: str
) -> None:
    screen = look(released, theme=theme, size=size)
    _held(screen, axe, 60)


def test_a_released_score_in_english(look: Any, axe: str, released: str) -> None:
    screen = look(f"{released}&lang=en")
    assert "Scored by rule" in screen.page.locator(".yj-facts").first.inner_text()
    _held(screen, axe, 60)


def test_the_dial_is_followed_to_a_factor_and_to_its_fetch(look: Any, released: str) -> None:
    screen = look(released)
    screen.page.locator(".yj-points .yj-fig").click()
    drawer = screen.page.locator(".yj-drawer:popover-open")
    assert "估值得分 × 估值权重" in drawer.inner_text()
    for wanted in ("估值得分", "股息率得分", "股息率", "每股股利"):
        drawer.locator(".yj-input", has_text=wanted).first.click()
    assert "tc_" in screen.unfold_drawer()


def test_the_markdown_begins_with_the_verdict_and_its_reason(look: Any, released: str) -> None:
    screen = look(released)
    screen.page.get_by_role("button", name="导出").first.click()
    with screen.page.expect_download() as found:
        screen.page.get_by_role("button", name="Markdown").first.click()
    text = found.value.path().read_text("utf-8")
    assert text.startswith("# 招商银行 持有评分\n\n- 持有评分: ")
    assert text.index("## 理由") < text.index("## 因子") < text.index("## 轮次")
    assert "[^1]: " in text


def test_a_batch_runs_and_survives_a_reload(look: Any, axe: str) -> None:
    screen = look("/score")
    screen.page.locator(".st-key-w_batch_list textarea").fill("600036 002594 00005.HK 600519")
    screen.page.locator(".st-key-w_batch_start button").click()
    screen.page.wait_for_selector("#t-batch", timeout=30_000)
    assert "batch=job_" in screen.page.url
    screen.page.reload()
    screen.page.wait_for_selector(".st-key-w_batch_resume", timeout=90_000)
    told = [one.split()[0] for one in screen.settle().page.locator("#t-batch tr").all_inner_texts()]
    # Two have a verdict; one too little data for a verdict, one too little for a score.
    assert told == [
        "名称",
        *("按评分排列", "招商银行600036.SH", "比亚迪002594.SZ"),
        *("数据不足以下结论，不参与排列", "贵州茅台600519.SH"),
        *("没有评分", "汇丰控股00005.HK"),
    ]
    _held(screen, axe, 3)
