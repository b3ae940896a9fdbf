"""Stored and imported names are text wherever they appear: no picture is loaded, no link is made.

One name goes through every place a reader can put one: a saved screen, a conversation, its
question, a report, an evidence pack and a file that is dropped beside it.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.asking import open_files
from tests.browser.screens import Tabs
from tests.browser.serving import serving
from tests.prepared import prepared

pytestmark = pytest.mark.browser
NAME = "![p](https://evil.example/p.png) :smile:"
JOINER = "\u2060"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A store of its own: a name of this kind is seen on many pages."""
    folder = tmp_path_factory.mktemp("names")
    prepared(folder / "youju.duckdb")
    with serving(folder) as found:
        yield found


@pytest.fixture(scope="module")
def tabs(address: str, chromium: Browser) -> Iterator[Tabs]:
    with Tabs(chromium, address) as opened:
        yield opened


def _as_text(screen: Any, where: str, name: str = NAME) -> None:
    """The name stands there letter for letter, and has made nothing of itself."""
    shown = screen.page.locator(where).first
    shown.wait_for(state="visible")
    assert name in shown.inner_text().replace(JOINER, ""), where
    assert screen.page.locator("img[src*=evil], img[alt=p], [href*='evil.example/']").count() == 0
    assert screen.outside == []


def _saved_screen(screen: Any) -> None:
    screen.page.get_by_role("button", name="已存方案").click()
    box = screen.page.locator(".st-key-w_save_name input")
    box.fill(NAME)
    box.press("Enter")
    screen.page.locator("[class*=st-key-w_load_] button").wait_for()
    screen.settle()


def _asked(screen: Any, question: str) -> None:
    box = screen.page.locator(".st-key-yj_ask_box input")
    box.fill(question)
    box.press("Enter")
    screen.page.locator(".yj-turn h2").wait_for()
    screen.settle()


def _renamed(screen: Any) -> None:
    screen.page.get_by_role("button", name="改名").click()
    title = screen.page.locator("[class*=st-key-w_title_] input")
    title.fill(NAME)
    title.press("Enter")
    screen.page.locator(".yj-title h1", has_text="evil").wait_for()
    screen.page.keyboard.press("Escape")
    screen.settle()


def test_the_name_of_a_saved_screen_is_text_in_every_place(look: Any) -> None:
    screen = look("/screen?pettm=0_7&industry=银行")
    _saved_screen(screen)
    _as_text(screen, "[class*=st-key-w_load_] button")
    screen.page.locator("[class*=st-key-w_load_] button").click()
    _as_text(screen.settle(), "[class*=st-key-w_load_] button")
    screen = look("/score")
    screen.choose(".st-key-w_batch_kind button:has-text('已存的选股条件')")
    screen.page.locator(".st-key-w_batch_screen input").click()
    _as_text(screen, "[role=listbox]")


def test_a_question_and_the_title_of_a_conversation_are_text(look: Any) -> None:
    screen = look("/ask")
    asked = f"贵州茅台的净利润 {NAME}"
    _asked(screen, asked)
    _as_text(screen, ".yj-turn h2", asked)
    _renamed(screen)
    _as_text(screen, ".yj-title h1")
    screen = look("/ask")
    _as_text(screen, ".yj-earlier")
    screen = look("/ask", size="phone")  # what stands at the side of a wide window is a menu
    screen.page.get_by_role("button", name="以前的对话").click()
    screen.page.locator("[data-testid=stPopoverBody] .yj-conversations").wait_for()
    _as_text(screen, "[data-testid=stPopoverBody] .yj-conversations")
    assert "1 问" in screen.page.locator(".yj-conversations li").first.inner_text()
    screen.page.locator(".yj-conversations a").first.click()
    screen.page.locator(".yj-turn h2").wait_for()
    open_files(screen.settle())
    screen.page.locator(".st-key-w_export_pack button").wait_for()
    _as_text(screen, ".yj-title h1")


def test_the_question_of_a_report_is_text_in_the_list_the_report_and_the_pick(look: Any) -> None:
    screen = look("/reports?symbol=600519.SH")
    question = f"估值贵不贵 {NAME}"
    screen.page.locator(".st-key-w_report_question input").fill(question)
    screen.page.locator(".st-key-w_report_start button").click()
    screen.page.wait_for_url("**/reports?*job=job_*")
    screen.page.wait_for_selector(".yj-report, .yj-errorcard", timeout=60_000)
    _as_text(screen.settle(), "[data-testid=stMain]", question)
    screen = look("/reports")
    _as_text(screen, ".yj-reports", question)
    screen.page.locator(".st-key-w_shelf input").click()
    screen.page.keyboard.press("Enter")
    _as_text(screen.settle(), ".yj-reports", question)


def test_the_name_of_a_file_that_is_dropped_is_text(look: Any) -> None:
    screen = look("/ask")
    _asked(screen, "五粮液的净利润")
    _renamed(screen)
    open_files(screen)
    with screen.page.expect_download() as found:
        screen.page.locator(".st-key-w_export_pack button").click()
    pack = found.value.path().read_bytes()
    name = "![p](x) :smile:.csv"
    screen = look("/verify")
    screen.page.locator(".st-key-w_pack input[type=file]").set_input_files(
        [
            {"name": "a.youju.zip", "mimeType": "application/zip", "buffer": pack},
            {"name": name, "mimeType": "text/csv", "buffer": b"a,b\r\n1,2\r\n"},
        ]
    )
    screen.page.wait_for_selector(".yj-pack")
    _as_text(screen.settle(), ".yj-of")  # the title of the pack
    _as_text(screen, ".yj-wrong", name)
