"""What is made on request is as true beside its figures as any page: answers, a report, a score, a
batch of scores, a watchlist, and the members of a sum.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.screens import looking
from tests.browser.test_crawl import registered
from tests.browser.test_pick import SCREEN

pytestmark = pytest.mark.browser
QUESTIONS = (
    "贵州茅台市盈率",
    "腾讯控股近三年净利润",
    "招行近一个月走势",
    "A股银行股",
    "贵州茅台同行对比",
    "招行和万科今年谁涨得多",
    "银行业市盈率中位数",
)


@pytest.fixture(scope="module")
def made(warm: str, chromium: Browser) -> Iterator[Callable[[str], str]]:
    """The address of what was made, once each, by what it is."""
    kept: dict[str, str] = {}

    def address(what: str) -> str:
        if what not in kept:
            screen = (_MAKE.get(what) or _ask)(opened, what).settle()
            kept[what] = screen.page.url.removeprefix(screen.address)
        return kept[what]

    with looking(chromium, warm) as opened:
        yield address


def _ask(opened: Any, text: str) -> Any:
    screen = opened(f"/ask?q={text}")
    screen.page.wait_for_selector(".yj-answer")
    return screen


def _report(opened: Any, _: str) -> Any:
    screen = opened("/reports?symbol=600036.SH")
    screen.page.locator(".st-key-w_report_start button").click()
    screen.page.wait_for_selector(".yj-report", timeout=60_000)
    return screen


def _score(opened: Any, _: str) -> Any:
    screen = opened("/score?symbol=600036.SH")
    screen.page.locator(".st-key-w_score button").click()
    screen.page.wait_for_selector(".yj-factors", timeout=60_000)
    return screen


def _batch(opened: Any, _: str) -> Any:
    screen = opened("/score")
    # The last has too little data: what can be asked again then stands below the table.
    screen.page.locator(".st-key-w_batch_list textarea").fill("600036 002594 AAPL 00005.HK")
    screen.page.locator(".st-key-w_batch_start button").click()
    screen.page.wait_for_selector(".st-key-w_batch_resume", timeout=90_000)
    return screen


def _watched(opened: Any, _: str) -> Any:
    """A list with a price worked out and one of a close."""
    screen = opened(SCREEN)
    for place in (0, 3):
        screen.page.locator("#t-screen tbody .yj-pickbox").nth(place).click()
    screen.settle().page.locator(".st-key-w_pick_watch button").click()
    screen.page.get_by_text("已加入自选").wait_for()
    return opened("/watch")


_MAKE = {"report": _report, "score": _score, "batch": _batch, "watchlist": _watched}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("what", [*QUESTIONS, *_MAKE])
def test_what_stands_beside_every_figure_that_was_made_is_true(
    look: Any, made: Callable[[str], str], what: str, language: str
) -> None:
    address = made(what)
    separator = "&" if "?" in address else "?"
    report = look(f"{address}{separator}lang={language}").crawl(registered())
    assert report["cited"] > 0
    assert report["uncited"] == []
    assert report["bad"] == []
    told = {name: report[name] for name in ("sourcedSums", "undated", "misnamed")}
    assert {name: wrong for name, wrong in told.items() if wrong} == {}
