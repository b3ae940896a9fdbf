"""Live mode in a real browser, every upstream a fake: what is shown is cited, and what breaks is
said.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.screens import Tabs
from tests.browser.serving import serving
from tests.browser.test_crawl import AXE, registered
from tests.fakes import everything
from tests.fakes.server import Fault, World

pytestmark = pytest.mark.browser
# address and how many figures it must show at least
PAGES = {
    "/": 20,
    "/screen": 150,
    "/stock?symbol=600519.SH": 15,
    "/stock?symbol=00700.HK": 12,
    "/stock?symbol=AAPL": 12,
    "/stock?symbol=000001.SH": 5,
    "/financials?symbol=600519.SH": 60,
    "/trace": 50,
    "/sources": 0,
}
PHONE = ("/", "/stock?symbol=600519.SH", "/sources")
VIEWS = [(path, "light", "desktop") for path in PAGES] + [(path, "dark", "phone") for path in PHONE]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """Every upstream."""
    with everything.world() as found:
        yield found


@pytest.fixture(scope="module")
def live(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app in live mode at the fakes."""
    folder = tmp_path_factory.mktemp("live")
    with serving(folder, **everything.environment(world, API_ATTEMPTS="1")) as address:
        yield address


@pytest.fixture(scope="module")
def tabs(live: str, chromium: Browser) -> Iterator[Tabs]:
    """The pages of this server."""
    with Tabs(chromium, live) as opened:
        yield opened


@pytest.fixture
def look(tabs: Tabs, world: World) -> Iterator[Any]:
    """As in the other suites, at the live server; nothing is broken to begin with."""
    for service in world.services.values():
        service.reset()
    yield tabs.open
    tabs.rest()


# What the bundle has not: news, a source's own multiples, a year of bars abroad, its counts.
TOLD = (
    "/",
    "/company?symbol=600519.SH&tab=news",
    "/company?symbol=600519.SH&tab=valuation",
    "/company?symbol=600519.SH&tab=fin",
    "/company?symbol=00700.HK",
    "/company?symbol=AAPL",
    "/screen?category=CN",
    "/screen?category=US",
)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("path", TOLD)
def test_what_stands_beside_every_live_figure_is_true(look: Any, path: str, language: str) -> None:
    separator = "&" if "?" in path else "?"
    report = look(f"{path}{separator}lang={language}").crawl(registered())
    assert report["cited"] >= 9
    wrong = ("uncited", "bad", "sourcedSums", "undated", "misnamed")
    assert {name: report[name] for name in wrong if report[name]} == {}


def _break(world: World, fault: Fault, *names: str) -> None:
    for service in world.services.values():
        if not names or service.prefix in names:
            service.fault = fault


def _drawer(screen: Any) -> str:
    return screen.page.locator(".yj-drawer:popover-open").inner_text()


@pytest.mark.parametrize(("path", "theme", "size"), VIEWS)
def test_a_live_page_is_cited_accessible_and_quiet(
    look: Any, axe: str, path: str, theme: str, size: str
) -> None:
    screen = look(path, theme=theme, size=size)
    report = screen.crawl()
    assert report["cited"] >= PAGES[path]
    assert report["uncited"] == []
    assert report["bad"] == []
    screen.page.evaluate(axe + ";0")
    assert screen.page.evaluate(AXE) == []
    assert screen.errors == []
    assert screen.outside == []
    width = screen.page.evaluate("document.documentElement.scrollWidth")
    assert width <= screen.page.viewport_size["width"], "the page scrolls sideways"


# Of each tile with a change: the change, and the red, green and blue of its ground.
COLOURS = """() => [...document.querySelectorAll('.yj-tile')].flatMap(tile => {
  const moved = tile.querySelector('[data-metric="pct_change_median"]');
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  canvas.fillStyle = getComputedStyle(tile).backgroundColor;
  canvas.fillRect(0, 0, 1, 1);
  return moved ? [[Number(moved.value), ...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)]] : [];
})"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("colour", ["red_up", "green_up"])
def test_the_tiles_are_coloured_by_change_as_the_reader_has_set_rises_and_falls(
    look: Any, axe: str, colour: str, theme: str
) -> None:
    screen = look(f"/?heat=pct_change_median&colour={colour}", theme=theme)
    tiles = screen.page.evaluate(COLOURS)
    seen = set()
    for moved, red, green, blue in tiles:
        if -0.5 <= moved < 0.5:
            seen.add("flat")
            assert max(red, green, blue) - min(red, green, blue) < 16
            continue
        rise = moved > 0
        seen.add("rise" if rise else "fall")
        assert (red > green + 15) == (rise == (colour == "red_up")), (moved, red, green)
        assert (green > red + 15) == (rise != (colour == "red_up")), (moved, red, green)
    assert seen == {"flat", "rise", "fall"}
    signs = screen.page.locator(".yj-tile b data").all_inner_texts()
    assert {text[0] for text in signs} >= {"+", "−"}
    assert screen.crawl()["uncited"] == []
    screen.page.evaluate(axe + ";0")
    assert screen.page.evaluate(AXE) == []


def test_the_drawer_shows_what_each_source_says_where_they_disagree(look: Any) -> None:
    screen = look("/stock?symbol=600519.SH", size="phone")
    badge = screen.page.locator('.yj-x:has(> data[data-metric="pb"])')
    assert badge.locator(".yj-k").inner_text() == "≠"
    badge.click()
    said = _drawer(screen)
    for expected in ("来源之间不一致", "8.1 倍", "7.2306 倍", "Tushare", "东方财富", "UTC+8"):
        assert expected in said
    assert screen.crawl()["uncited"] == []


def test_the_next_source_answers_and_the_badge_says_why(look: Any, world: World) -> None:
    _break(world, "too_many", "eastmoney")
    screen = look("/stock?symbol=000001.SZ")
    price = screen.page.locator(".yjc-price .yj-fig")
    assert "东方财富 限流" in (price.get_attribute("title") or "")
    price.click()
    assert "东方财富 限流" in _drawer(screen)
    assert screen.crawl()["uncited"] == []


def test_when_all_are_dead_the_page_names_them_and_leads_on(look: Any, world: World) -> None:
    _break(world, "broken")
    screen = look("/stock?symbol=601318.SH")
    card = screen.page.locator(".yj-errorcard").inner_text()
    assert "东方财富" in card
    assert "Traceback" not in card
    assert screen.crawl()["uncited"] == []
    screen.page.get_by_role("link", name="到「数据源」看各来源的状态并测试").click()
    screen.page.wait_for_url("**/sources*")
    screen.page.wait_for_selector(".yj-source")
    cards = "".join(screen.settle().page.locator(".yj-source").all_inner_texts())
    assert "连不上、出错或没有按时应答" in cards
    screen.page.go_back()
    screen.page.wait_for_selector(".yj-errorcard")
    screen.page.get_by_role("link", name="改用内置快照看这一页").click()
    screen.page.wait_for_url("**mode=snapshot*")
    screen.page.wait_for_selector(".yjc-price")
    assert screen.settle().page.locator(".yj-mode-snapshot").count() == 1


def test_a_market_is_pulled_from_the_sources_page(look: Any) -> None:
    screen = look("/sources")
    screen.page.locator(".st-key-w_sync button").first.click()
    screen.page.wait_for_selector(".yj-count >> text=A 股同步完成", timeout=30_000)
    assert screen.settle().crawl()["uncited"] == []


def test_a_source_can_be_tried_and_the_mode_survives_going_elsewhere(look: Any) -> None:
    screen = look("/sources?lang=en")
    screen.page.locator(".st-key-w_try_cninfo button").first.click()
    screen.page.wait_for_selector(".yj-trial >> text=works")
    screen.page.locator(".st-key-w_settings button").first.click()
    screen.page.get_by_text("Snapshot", exact=True).last.click()
    screen.page.wait_for_url("**mode=snapshot*")
    screen.settle().page.keyboard.press("Escape")  # an open menu hides the page from readers
    screen.page.get_by_role("link", name="Screener").first.click()
    screen.page.wait_for_url("**/screen*")
    screen.page.wait_for_selector("#t-screen")
    assert "mode=snapshot" in screen.settle().page.url
