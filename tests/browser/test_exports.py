"""What is saved and printed from real pages, opened by the programs that readers have."""

import csv
import io
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from services.evidence_pack.verify import verify_pack
from tests.browser.asking import open_files
from tests.browser.pdf_picture import inked, sheet_of
from tests.browser.pdf_text import pages_of, text_of

pytestmark = pytest.mark.browser
STOCK = "/stock?symbol=00700.HK"
# Candles that rise and that fall, the slowest average, and what is the company's own.
_RISE, _FALL, _SLOW, _OWN = "#c42b30", "#08734a", "#2f86c9", "#1a5a8c"


def _saved(screen: Any, key: str) -> Any:
    with screen.page.expect_download() as found:
        screen.page.locator(f".st-key-w_export_{key} button").click()
    return found.value


def _sheets(workbook: Path, folder: Path) -> dict[str, list[list[str]]]:
    """Every sheet as LibreOffice reads it, its cells unformatted."""
    office = shutil.which("soffice")
    assert office, "this test needs LibreOffice: apt-get install libreoffice-calc-nogui"
    # Token 12 is -1: every sheet to a file of its own; token 8 is false: values, not as shown.
    options = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"
    done = subprocess.run(
        [
            office,
            f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            *("--headless", "--convert-to", options, "--outdir", str(folder), str(workbook)),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    made = sorted(folder.glob(f"{workbook.stem}-*.csv"))
    assert made, done.stdout + done.stderr
    return {
        one.stem.removeprefix(f"{workbook.stem}-"): list(
            csv.reader(io.StringIO(one.read_text("utf-8")))
        )
        for one in made
    }


def test_a_file_is_in_the_language_of_its_page(look: Any) -> None:
    screen = look(STOCK + "&lang=en")
    screen.page.get_by_role("button", name="Export").first.click()
    text = _saved(screen, "md").path().read_text("utf-8")
    assert "## Sources" in text
    assert "## 出处" not in text


def test_libreoffice_reads_the_workbook_of_a_page_with_every_figure_it_shows(
    look: Any, tmp_path: Path
) -> None:
    screen = look(STOCK)
    shown = {
        one.get_attribute("data-claim-id"): float(one.get_attribute("value"))
        for one in screen.page.locator("data[data-claim-id]").all()
    }
    screen.page.get_by_role("button", name="导出").first.click()
    saved = _saved(screen, "xlsx")
    assert saved.suggested_filename == "youju-stock-00700.HK-2017-07-26.xlsx"
    workbook = tmp_path / "book.xlsx"
    workbook.write_bytes(saved.path().read_bytes())
    read = _sheets(workbook, tmp_path)
    named = openpyxl.load_workbook(workbook).sheetnames
    assert list(named) == ["正文", "行情与估值", "异动", "最近日线", "出处"]
    assert read.keys() == set(named)
    heads, *rows = read["出处"][1:]
    at = {name: heads.index(name) for name in ("claim_id", "数值")}
    known = {row[at["claim_id"]]: float(row[at["数值"]]) for row in rows if row[at["claim_id"]]}
    assert len(shown.keys() & known.keys()) >= 20
    for claim, value in shown.items():
        if claim in known:
            assert known[claim] == pytest.approx(value, rel=1e-14)
    # the cards: their figures are numbers for the program, in the order of the page
    cards = {row[0]: row[-1] for row in read["行情与估值"][2:]}
    assert float(cards["最近收盘"]) == 300.2
    assert float(cards["涨跌幅"]) == pytest.approx(-0.4641909814323636, rel=1e-9)
    assert cards["股息率"] == ""
    bars = read["最近日线"][2:]
    assert len(bars) == 20
    assert all(float(cell) for row in bars[:3] for cell in row[1:5])


def test_the_print_view_is_a_paper_with_its_notes_and_nothing_of_the_screen(look: Any) -> None:
    screen = look("/screen?pettm=0_15&roediluted=15_max&market_cap=200亿_max")
    screen.page.get_by_role("button", name="导出").first.click()
    screen.page.locator(".st-key-w_print_1 button").click()
    screen.page.wait_for_selector(".yjp")
    screen.settle()
    assert "print=1" in screen.page.url
    paper = screen.page.locator(".yjp")
    figures = paper.locator("td data[data-print-claim]")
    assert figures.count() >= 100
    last = paper.locator("td sup a").last
    note = last.get_attribute("href")
    assert paper.locator(f"li{note}").count() == 1
    for hidden in ("stHeader", "stPlotlyChart", "stPopoverBody"):
        assert not screen.page.locator(f"[data-testid={hidden}]").first.is_visible()
    screen.page.evaluate("window.print = () => { window.printed = true; }")
    screen.page.locator(".yj-print").click()
    assert screen.page.evaluate("window.printed") is True
    printed = screen.page.pdf(prefer_css_page_size=True)
    assert printed.startswith(b"%PDF-")
    pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert pages >= 3, "tables and notes go on over pages and are not cut off at the first"
    screen.page.locator(".st-key-w_print_back button").click()
    screen.page.wait_for_selector(".yjp", state="detached")
    screen.settle()
    assert "print=" not in screen.page.url
    assert screen.page.locator("[data-testid=stHeader]").first.is_visible()
    assert screen.errors == []


def test_a_whole_market_is_not_printed_as_a_book(look: Any) -> None:
    screen = look("/screen?print=1")
    rows = screen.page.locator(".yjp table").last.locator("tbody tr").count()
    assert 0 < rows <= 100


@pytest.mark.parametrize(
    ("symbol", "said"),
    [
        (
            "600036.SH",
            (
                "招商银行",
                "25.53D",
                "99.9%ƒ620.81亿元A+7.60%ƒ",
                "15.43%ƒ",
                "最近异动",
                "高于自身2014-04-30以来的交易日",
            ),
        ),
        ("00700.HK", ("腾讯控股", "300.20D", "410.95亿元A", "6.97≠A", "23.53%ƒ", "最近异动")),
        ("600519.SH", ("贵州茅台", "450.39ƒ", "5,656.91亿V")),
    ],
)
def test_a_company_is_printed_on_one_page_with_its_chart_and_a_letter_beside_each_figure(
    look: Any, symbol: str, said: tuple[str, ...]
) -> None:
    screen = look(f"/company?symbol={symbol}&theme=dark")
    screen.page.locator(".st-key-w_exports button").click()
    screen.page.locator(".st-key-w_print_1 button").click()
    screen.page.wait_for_selector(".yj1")
    report = screen.settle().crawl()
    assert report["uncited"] == []
    assert report["bad"] == []
    printed = screen.page.pdf(prefer_css_page_size=True, print_background=True)
    assert pages_of(printed) == 1
    text = text_of(printed)
    for words in said:
        assert words in text, words
    assert "返回页面" not in text
    # The pack that is saved beside it holds, and is the one whose fingerprint is printed.
    with screen.page.expect_download() as saved:
        screen.page.locator(".st-key-w_print_pack button").click()
    found = verify_pack(Path(saved.value.path()).read_bytes())
    assert found.ok, found.failures
    assert (found.fingerprint or "") in text.replace(" ", "")
    # The chart is drawn, its months and its last price with it.
    is_drawn = screen.page.locator("img.yj1-chart").count() == 1
    assert ("12月" in text) == is_drawn
    if is_drawn:
        sheet = sheet_of(printed)
        for colour, least in ((_RISE, 300), (_FALL, 300), (_SLOW, 300)):
            found = inked(sheet, colour)
            assert found.points > least
            # From side to side of the sheet's middle, and on light paper whatever the screen is.
            assert found.left < 0.5 < found.right
        assert sheet.getpixel((3, 3)) == (255, 255, 255)
    screen.page.locator(".st-key-w_print_back button").click()
    screen.page.wait_for_selector(".yj1", state="detached")
    assert screen.errors == []


@pytest.mark.parametrize(
    ("tab", "drawn"),
    [
        ("chart", {_RISE: 1000, _FALL: 1000, _SLOW: 400}),
        ("fin", {_OWN: 4000}),
        ("valuation", {_OWN: 1500, "#7a5bc0": 1500}),
        ("peers", {"#4b7ba3": 450}),
    ],
)
def test_a_section_printed_from_the_browser_is_short_and_its_charts_are_whole(
    look: Any, tab: str, drawn: dict[str, int]
) -> None:
    screen = look(f"/company?symbol=600036.SH&tab={tab}")
    screen.page.wait_for_selector(".js-plotly-plot .main-svg")
    printed = screen.page.pdf(prefer_css_page_size=True, print_background=True)
    assert pages_of(printed) == 1
    sheet = sheet_of(printed)
    for colour, least in drawn.items():
        found = inked(sheet, colour)
        assert found.points > least, colour
        assert found.left > 0.02
        assert found.right < 0.98
    text = text_of(printed)
    assert "招商银行" in text
    assert "字母:" in text, "what the letters beside figures mean"
    # Drawn as on the screen and made smaller as a whole: nothing ends beyond A4 across, 277 mm.
    screen.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    screen.page.emulate_media(media="print")
    ends = screen.page.evaluate(
        "[...document.querySelectorAll('.js-plotly-plot, .yj table')]"
        ".map(one => one.getBoundingClientRect().right)"
    )
    assert ends
    assert max(ends) <= 277 / 25.4 * 96 + 1


def test_an_answer_is_printed_alone(look: Any) -> None:
    screen = look("/ask")
    box = screen.page.locator(".st-key-yj_ask_box input")
    for question in ("贵州茅台的净利润", "五粮液的净利润"):
        box.fill(question)
        box.press("Enter")
        screen.page.locator(".yj-turn h2", has_text=question).wait_for()
        screen.settle()
    open_files(screen, 2)
    screen.page.locator(".st-key-w_print_turn2 button").click()
    screen.page.wait_for_selector(".yjp")
    screen.settle()
    assert screen.page.locator(".yjp h1").inner_text() == "五粮液的净利润"
    assert "贵州茅台" not in screen.page.locator(".yjp").inner_text()
    assert screen.page.locator(".yjp .yjp-notes li").count() >= 1


def test_a_page_that_is_printed_as_it_is_leaves_the_screen_behind(look: Any) -> None:
    screen = look("/financials?symbol=002594.SZ")
    screen.page.emulate_media(media="print")
    for hidden in ("[data-testid=stHeader]", ".yj-legend", ".st-key-yj_find"):
        assert not screen.page.locator(hidden).first.is_visible(), hidden
    tall = screen.page.locator(".yj table").first
    assert tall.is_visible()
    box = "one => getComputedStyle(one.closest('.yj-tall') ?? one).maxHeight"
    assert tall.evaluate(box) == "none", "a table is not cut off at the height of a screen"
