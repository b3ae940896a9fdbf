"""Sign-in behind the door: two replicas, one secret of their cookies, one address to return to."""

import re
from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.deployed import (
    MARKS,
    SLOWER,
    Deployed,
    ask,
    deployed,
    replica_of,
    visit,
)
from tests.browser.screens import wait_until
from tests.browser.serving import free_port
from tests.browser.sign_in import provider, sign_in

pytestmark = MARKS


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Generator[Deployed]:
    folder, port = tmp_path_factory.mktemp("deployed"), free_port()
    with (
        provider(folder, f"https://localhost:{port}") as secrets,
        deployed(folder, port, STREAMLIT_SECRETS_FILES=str(secrets)) as found,
    ):
        yield found


def _account(page: Page) -> str:
    """What the settings say of who is signed in."""
    page.locator(".st-key-w_settings button").first.click()
    said = page.locator("[data-testid=stPopoverBody]").inner_text()
    page.keyboard.press("Escape")
    return said


def test_whoever_signed_in_through_the_door_is_signed_in_at_the_other_replica_too(
    standing: Deployed, chromium: Browser
) -> None:
    with visit(chromium, standing.door) as screen:
        page = screen.page
        expect(page.get_by_text("登录有据")).to_be_visible()
        sign_in(page, "anna")
        # Back at the name outside, never at a replica's own address.
        assert page.url.startswith(standing.door)
        assert "安娜 Anna" in _account(screen.open("/ask").page)
        at = replica_of(page, standing)
        ask(screen, "招商银行2016年净利润")
        standing.replicas[at].kill()
        expect(page.get_by_text("620.81").first).to_be_visible(timeout=10_000 * SLOWER)
        wait_until(page, lambda: replica_of(page, standing) != at)
        screen.settle()
        assert "安娜 Anna" in _account(page)
        # What she asked is hers there as well, and of nobody who has not signed in.
        kept = re.sub("^.*?/ask", "/ask", page.url)
        assert "招商银行" in screen.open(kept).page.locator("[data-testid=stMain]").inner_text()
    with visit(chromium, standing.door) as other:
        assert "招商银行" not in other.open(kept).page.locator("body").inner_text()
        expect(other.page.get_by_text("登录有据")).to_be_visible()
