"""Two people in two browsers: what one keeps the other cannot reach, unless it is shared."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.serving import serving
from tests.browser.sign_in import provider, sign_in

pytestmark = pytest.mark.browser
QUESTION = "贵州茅台的市盈率"
Opened = Callable[[str], Page]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("team")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with (
        provider(folder) as secrets,
        serving(folder, STREAMLIT_SECRETS_FILES=str(secrets)) as found,
    ):
        yield found


@pytest.fixture(scope="module")
def browser_of(chromium: Browser, address: str) -> Iterator[Opened]:
    """The page of a browser in which that person is signed in; one a person."""
    opened: dict[str, Page] = {}

    def open_for(who: str) -> Page:
        if who not in opened:
            page = chromium.new_context(viewport={"width": 1440, "height": 900}).new_page()
            page.goto(address)
            _settle(page)
            sign_in(page, who)
            _settle(page)
            opened[who] = page
        return opened[who]

    yield open_for
    for page in opened.values():
        page.context.close()


def _settle(page: Page) -> None:
    page.wait_for_selector("#yj-end", state="attached", timeout=60_000)
    page.wait_for_selector(
        '[data-testid=stApp][data-test-script-state="notRunning"]', timeout=60_000
    )
    page.wait_for_timeout(300)


def _go(page: Page, address: str, path: str) -> str:
    """What the page says there."""
    page.goto(address + path)
    _settle(page)
    return page.locator("[data-testid=stMain]").inner_text()


def _ask(page: Page, address: str) -> str:
    """Ask a question of one's own; the id of its conversation."""
    _go(page, address, "/ask")
    page.get_by_role("textbox", name=re.compile("问")).first.fill(QUESTION)
    page.locator(".st-key-w_send button").click()
    page.wait_for_selector(".st-key-yj_ask_top", timeout=60_000)
    page.wait_for_function("() => new URL(location).searchParams.get('c')")
    _settle(page)
    return parse_qs(urlsplit(page.url).query)["c"][0]


@pytest.fixture(scope="module")
def conversation(browser_of: Opened, address: str) -> str:
    """One that Anna keeps."""
    return _ask(browser_of("anna"), address)


def test_without_a_sign_in_no_page_is_shown(chromium: Browser, address: str) -> None:
    page = chromium.new_context().new_page()
    for path in ("/", "/ask", "/reports", "/trace", "/status", "/sources"):
        said = _go(page, address, path)
        assert "登录有据" in said
        assert page.locator(".yj-fig:not(.yj-legend *)").count() == 0
    page.context.close()


def test_what_one_asks_nobody_else_reads_lengthens_or_finds(
    browser_of: Opened, address: str, conversation: str
) -> None:
    assert QUESTION in _go(browser_of("anna"), address, f"/ask?c={conversation}")
    run = re.search(r"run_[0-9a-f]{12}", browser_of("anna").content())
    assert run is not None
    ben = browser_of("ben")
    assert QUESTION not in _go(ben, address, f"/ask?c={conversation}")
    ben.get_by_role("textbox", name=re.compile("问")).first.fill("它的市净率")
    ben.locator(".st-key-w_send button").click()
    ben.wait_for_selector(".st-key-yj_ask_top", timeout=60_000)
    _settle(ben)
    assert parse_qs(urlsplit(ben.url).query)["c"] != [conversation]
    assert QUESTION not in _go(ben, address, "/ask")
    said = _go(ben, address, f"/trace?run={run.group()}")
    assert QUESTION not in said
    assert run.group() in ben.locator('[role="alert"]').first.inner_text()
    assert "市净率" not in _go(browser_of("anna"), address, f"/ask?c={conversation}")


def test_what_one_saves_is_not_in_the_lists_of_others(browser_of: Opened, address: str) -> None:
    for who in ("anna", "ben"):
        page = browser_of(who)
        _go(page, address, "/screen?pettm=0_15")
        page.get_by_text("已存方案").first.click()
        page.locator(".st-key-w_save_name input").fill(f"{who} 的条件")
        page.get_by_text("保存", exact=True).first.click()
        page.wait_for_selector(f"text={who} 的条件", timeout=60_000)
    assert page.locator("text=anna 的条件").count() == 0


def test_what_is_shared_is_read_by_the_team_and_lengthened_by_nobody_else(
    browser_of: Opened, address: str, conversation: str
) -> None:
    anna, ben = browser_of("anna"), browser_of("ben")
    _go(anna, address, f"/ask?c={conversation}")
    anna.locator(f".st-key-w_share_conversation_{conversation} button").click()
    _settle(anna)
    said = _go(ben, address, f"/ask?c={conversation}")
    assert QUESTION in said
    assert "安娜 Anna 共享的" in said
    assert "改名" not in said
    ben.get_by_role("textbox", name=re.compile("问")).first.fill("它的市净率")
    ben.locator(".st-key-w_send button").click()
    ben.wait_for_selector('[role="alert"]', timeout=60_000)
    assert "你自己的对话" in ben.locator('[role="alert"]').first.inner_text()
    assert "市净率" not in _go(anna, address, f"/ask?c={conversation}")
    assert QUESTION not in _go(browser_of("olga"), address, f"/ask?c={conversation}")


def test_a_reader_looks_and_does_not_ask(
    browser_of: Opened, address: str, conversation: str
) -> None:
    rita = browser_of("rita")
    assert QUESTION in _go(rita, address, f"/ask?c={conversation}")
    _go(rita, address, "/ask")
    rita.get_by_role("textbox", name=re.compile("问")).first.fill(QUESTION)
    rita.locator(".st-key-w_send button").click()
    rita.wait_for_selector('[role="alert"]', timeout=60_000)
    assert "读者" in rita.locator('[role="alert"]').first.inner_text()


def test_an_admin_alone_sees_who_did_what(
    browser_of: Opened, address: str, conversation: str
) -> None:
    anna = browser_of("anna")
    _go(anna, address, f"/ask?c={conversation}")
    anna.locator(".st-key-yj_ask_top button", has_text="导出").click()
    with anna.expect_download() as saved:
        anna.locator(".st-key-w_export_md button").click()
    assert QUESTION in saved.value.path().read_text("utf-8")
    said = _go(browser_of("carl"), address, "/status")
    assert re.search(r"安娜 Anna\s+research\s+导出\s+一页数据\s+run_[0-9a-f]+ md", said)
    assert re.search(rf"安娜 Anna\s+research\s+共享\s+对话\s+{conversation}", said)
    assert re.search(rf"Ben\s+research\s+看了\s+对话\s+{conversation}", said)
    assert "没有这个权限" in _go(browser_of("ben"), address, "/status")


def test_whoever_signs_out_is_out(browser_of: Opened, address: str, chromium: Browser) -> None:
    page = chromium.new_context().new_page()
    _go(page, address, "/")
    sign_in(page, "olga")
    _settle(page)
    page.locator(".st-key-w_settings button").first.click()
    page.locator(".st-key-w_sign_out button").click()
    page.wait_for_url(lambda url: not url.startswith(address), timeout=60_000)
    assert "登录有据" in _go(page, address, "/")
    page.context.close()
