"""From nothing to a usable workbench: the server's start, then each page in a fresh browser."""

import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.serving import WORKBENCH, serving

PAGES = ("/", "/screen", "/stock?symbol=000002", "/financials?symbol=002594", "/trace", "/sources")
STARTS: Mapping[str, Sequence[str]] = {
    "make run": WORKBENCH,
    "streamlit run": ("-m", "streamlit", "run", "app.py"),
}


@pytest.mark.benchmark
@pytest.mark.parametrize("name", list(STARTS))
def test_cold_start_to_first_page(name: str, tmp_path: Path) -> None:
    started = time.perf_counter()
    with serving(tmp_path, words=STARTS[name]) as address:
        print(f"\n{name}: server answers after {time.perf_counter() - started:.1f} s")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"),
                chromium_sandbox=False,
                args=["--disable-gpu", "--disable-background-networking"],
            )
            for path in PAGES:
                page = browser.new_context().new_page()
                began = time.perf_counter()
                page.goto(address + path, wait_until="domcontentloaded")
                page.wait_for_selector("#yj-end", state="attached", timeout=60_000)
                seconds = time.perf_counter() - began
                print(f"{name}: {path:32} complete after {seconds:.1f} s, fresh browser")
                page.context.close()
            browser.close()
