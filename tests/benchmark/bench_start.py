"""From nothing to a usable workbench: the server's start, then each page in a fresh browser."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("/", "/screen", "/stock?symbol=000002", "/financials?symbol=002594", "/trace", "/sources")
STARTS = {
    "make run": ["-m", "pages.ui.serve"],
    "streamlit run": ["-m", "streamlit", "run", "app.py"],
}


def _port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _healthy(address: str, process: "subprocess.Popen[bytes]") -> Iterator[None]:
    while True:
        assert process.poll() is None, "the server ended by itself"
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:  # noqa: S310 — loopback
                if answer.read() == b"ok":
                    return
        except OSError:
            yield


@pytest.mark.benchmark
@pytest.mark.parametrize("name", list(STARTS))
def test_cold_start_to_first_page(name: str, tmp_path: Path) -> None:
    port = _port()
    environment = os.environ | {
        "YOUJU_STORE": str(tmp_path / "youju.duckdb"),
        "STREAMLIT_SERVER_PORT": str(port),
        "STREAMLIT_SERVER_ADDRESS": "127.0.0.1",
    }
    address, started = f"http://127.0.0.1:{port}", time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *STARTS[name]],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in _healthy(address, process):
            pass
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
    finally:
        process.terminate()
        process.wait(20)
