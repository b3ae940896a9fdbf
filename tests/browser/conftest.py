"""A real server on a free port with a store of its own, and a real Chromium to look at it."""

import os
import shutil
from collections.abc import Iterator
from importlib import resources
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.screens import Tabs
from tests.browser.serving import serving
from tests.prepared import prepared

_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app on a free port; the address without a slash at its end."""
    folder = tmp_path_factory.mktemp("server")
    prepared(folder / "youju.duckdb")  # to load the market takes the server longer than to start
    with serving(folder) as address:
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


@pytest.fixture(scope="session")
def warm(server: str, chromium: Browser) -> str:
    """The address after the first page was served once (the bundled market is loaded then)."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(server + "/", wait_until="domcontentloaded")
    page.wait_for_selector("#yj-end", state="attached", timeout=120_000)
    context.close()
    return server


@pytest.fixture(scope="session")
def tabs(warm: str, chromium: Browser) -> Iterator[Tabs]:
    """The pages of that server; a module with a server of its own has pages of its own."""
    with Tabs(chromium, warm) as opened:
        yield opened


@pytest.fixture
def look(tabs: Tabs) -> Iterator[Any]:
    """Open a path as `look(path, size=…, theme=…)`, each time as a new visitor."""
    yield tabs.open
    tabs.rest()
