"""PostgreSQL ends while the workbench runs, and is back: each door says so, none is restarted."""

import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.screens import Screen, looking
from tests.browser.serving import ROOT, running
from tests.postgres import Cluster, cluster, programs

pytestmark = [
    pytest.mark.browser,
    pytest.mark.thorough,
    pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed"),
]
# Pages that keep or read records, and those that do without.
KEEPING = ("/", "/screen", "/watch", "/company?symbol=600036.SH", "/ask", "/score", "/reports",
           "/trace", "/status")  # fmt: skip
OTHERS = ("/compare?s=600036.SH,000002.SZ", "/verify", "/sources")
SAID = "数据库连不上"


class _Standing(NamedTuple):
    server: Cluster
    address: str
    settings: dict[str, str]


@pytest.fixture
def standing(tmp_path: Path) -> Generator[_Standing]:
    with cluster() as server:
        settings = {
            "YOUJU_STORE": server.new_database(),
            "YOUJU_MARKET": str(tmp_path / "youju-market.duckdb"),
            "YOUJU_PUBLISHED": str(tmp_path / "shared"),
        }
        with running(tmp_path, **settings) as (_, address):
            yield _Standing(server, address, settings)


def _ready(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=60) as answer:  # noqa: S310 — loopback
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def _cards(screen: Screen) -> str:
    return "\n".join(screen.page.locator(".yj-errorcard").all_inner_texts())


def test_every_page_says_that_the_database_is_away_and_works_once_it_is_back(
    standing: _Standing, chromium: Browser
) -> None:
    server, address = standing.server, standing.address
    with looking(chromium, address) as look:
        screen = look("/ask")
        assert _ready(address) == (200, "ready\n")
        server.stop()
        status, told = _ready(address)
        assert status == 503
        assert "存放记录的数据库连不上" in told
        for path in KEEPING:
            assert SAID in _cards(screen.open(path)), path
        for path in OTHERS:
            assert screen.open(path).page.locator("[data-testid=stMain]").inner_text().strip()
            assert screen.page.get_by_text("encountered an error").count() == 0, path
        # What is asked meanwhile is not lost: it stands in the box to be sent again.
        field = screen.open("/ask").page.get_by_role("textbox", name="问题")
        field.fill("招商银行2016年净利润")
        field.press("Enter")
        expect(screen.page.locator(".yj-errorcard").first).to_contain_text(SAID)
        expect(field).to_have_value("招商银行2016年净利润")
        server.start()
        assert _ready(address)[0] == 200
        field.press("Enter")
        expect(screen.page.get_by_text("620.81").first).to_be_visible(timeout=60_000)
        for path in (*KEEPING, *OTHERS):
            assert SAID not in _cards(screen.open(path)), path


def test_the_command_line_says_it_and_a_server_started_meanwhile_works_later(
    standing: _Standing, chromium: Browser, tmp_path: Path
) -> None:
    standing.server.stop()
    own = standing.settings | {"YOUJU_MARKET": str(tmp_path / "youju-other.duckdb")}
    command = [sys.executable, "-m", "services", "ask", "招商银行2016年净利润"]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=_with(own))
    assert asked.returncode == 5, asked.stderr
    assert "连不上" in asked.stderr
    assert "Traceback" not in asked.stderr
    with (
        running(tmp_path, **own) as (_, address),
        looking(chromium, address) as look,
    ):
        assert SAID in _cards(look("/ask"))
        assert _ready(address)[0] == 503
        standing.server.start()
        assert SAID not in _cards(look("/ask"))
        assert _ready(address)[0] == 200
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=_with(own))
    assert done.returncode == 0, done.stderr


def _with(settings: dict[str, str]) -> dict[str, str]:
    return {**os.environ, **settings}
