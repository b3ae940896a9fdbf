"""A real server on a free port with a store of its own, and a real Chromium to look at it."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.serving import serving

_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SIZES = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app on a free port; the address without a slash at its end."""
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for the whole run: the machine's own, or Playwright's."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, chromium_sandbox=False, args=_FLAGS
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The axe-core script, as the package axe-playwright-python carries it."""
    script = resources.files("axe_playwright_python") / "axe.min.js"
    return script.read_text(encoding="utf-8")


@dataclass
class Screen:
    """One page in one browser context, and what it said or asked for while it was looked at."""

    page: Page
    address: str
    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def open(self, path: str) -> "Screen":
        """Go there and wait until the page is complete and quiet."""
        self.page.goto(self.address + path, wait_until="domcontentloaded")
        return self.settle()

    def settle(self) -> "Screen":
        """Wait for the end marker of a finished run."""
        self.page.wait_for_selector("#yj-end", state="attached", timeout=30_000)
        self.page.wait_for_selector(
            '[data-testid=stApp][data-test-script-state="notRunning"]', timeout=30_000
        )
        self.page.wait_for_timeout(250)
        return self

    def crawl(self, registered: Sequence[object] = (None, None)) -> dict[str, Any]:
        """Sort every visible digit of the page (see crawl.js); with `registered` words for the
        metrics also what stands beside each figure.
        """
        script = (Path(__file__).parent / "crawl.js").read_text("utf-8")
        return self.page.evaluate(script, list(registered))

    def choose(self, selector: str) -> "Screen":
        """Click and wait for the run it starts."""
        self.page.locator(selector).first.click()
        self.page.wait_for_timeout(400)
        return self.settle()


@pytest.fixture(scope="session")
def warm(server: str, chromium: Browser) -> str:
    """The address after the first page was served once (the bundled market is loaded then)."""
    context = chromium.new_context()
    screen = Screen(context.new_page(), server)
    screen.page.goto(server + "/", wait_until="domcontentloaded")
    screen.page.wait_for_selector("#yj-end", state="attached", timeout=120_000)
    context.close()
    return server


@pytest.fixture
def look(warm: str, chromium: Browser) -> Iterator[Any]:
    """Open a path as `look(path, size=…, theme=…)`; contexts are closed at the end."""
    with looking(chromium, warm) as opened:
        yield opened


@contextmanager
def looking(chromium: Browser, address: str) -> Iterator[Any]:
    """What `look` is, for that server."""
    contexts: list[Any] = []

    def opened(path: str, *, size: str = "desktop", theme: str = "light") -> Screen:
        context = chromium.new_context(
            viewport=SIZES[size], color_scheme=theme, accept_downloads=True
        )
        contexts.append(context)
        screen = Screen(context.new_page(), address)
        screen.page.on("console", lambda message: _console(screen, message))
        screen.page.on("pageerror", lambda error: screen.errors.append(str(error)))
        screen.page.on("request", lambda request: _request(screen, request.url))
        return screen.open(path)

    yield opened
    for context in contexts:
        context.close()


def _console(screen: Screen, message: Any) -> None:
    if message.type == "error":
        screen.errors.append(message.text)


def _request(screen: Screen, url: str) -> None:
    if not url.startswith(
        (screen.address, screen.address.replace("http", "ws", 1), "data:", "blob:")
    ):
        screen.outside.append(url)
