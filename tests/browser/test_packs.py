"""What leaves the workbench and comes back: packs, comparisons, deleted reports, replay, print."""

import io
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from services.evidence_pack.verify import verify_pack
from tests.browser.asking import open_files

pytestmark = pytest.mark.browser
STOCK = "/stock?symbol=00700.HK"
DROP = ".st-key-w_pack input[type=file]"


def _saved(screen: Any, key: str) -> Any:
    with screen.page.expect_download() as found:
        screen.page.locator(f".st-key-{key} button").click()
    return found.value


def _pack_of_stock(look: Any, folder: Path) -> Path:
    screen = look(STOCK)
    screen.page.get_by_role("button", name="导出").first.click()
    saved = _saved(screen, "w_export_pack")
    assert saved.suggested_filename == "youju-stock-00700.HK-2017-07-26.youju.zip"
    path = folder / saved.suggested_filename
    path.write_bytes(saved.path().read_bytes())
    return path


def _dropped(screen: Any, *files: Path) -> str:
    screen.page.locator(DROP).set_input_files([str(one) for one in files])
    screen.page.wait_for_selector(".yj-pack")
    return screen.settle().page.locator("[data-testid=stMainBlockContainer]").inner_text()


def _fits(screen: Any) -> None:
    width = screen.page.evaluate("document.documentElement.scrollWidth")
    assert width <= screen.page.viewport_size["width"], "the page scrolls sideways"
    assert screen.errors == []
    assert screen.outside == []


def test_a_pack_saved_on_a_page_holds_where_it_is_dropped_and_an_edited_csv_is_named(
    look: Any, tmp_path: Path
) -> None:
    pack = _pack_of_stock(look, tmp_path)
    told = _dropped(look("/verify", size="phone"), pack)
    found = verify_pack(pack.read_bytes())
    assert found.ok
    assert found.fingerprint is not None
    assert "全部成立" in told
    assert found.fingerprint in told.replace(" ", "")
    with ZipFile(io.BytesIO(pack.read_bytes())) as archive:
        body = archive.read("tables/quote.csv").replace(b",300.2,", b",302.0,", 1)
    table = tmp_path / "quote.csv"
    table.write_bytes(body)
    screen = look("/verify?lang=en", size="phone", theme="dark")
    told = _dropped(screen, pack, table)
    assert "not match" in told
    assert "quote.csv" in told
    assert "300.2" in told
    assert "302.0" in told
    _fits(screen)


def test_the_pack_of_one_answer_holds(look: Any) -> None:
    screen = look("/ask")
    box = screen.page.locator(".st-key-yj_ask_box input")
    box.fill("五粮液的净利润")
    box.press("Enter")
    screen.page.locator("#turn-1 h2", has_text="五粮液的净利润").wait_for()
    screen.settle()
    open_files(screen, 1)
    saved = _saved(screen, "w_youju_zip_1")
    assert saved.suggested_filename == "youju-ask-000858.SZ-answer_1-2017-07-26.youju.zip"
    found = verify_pack(saved.path().read_bytes())
    assert found.failures == ()
    assert found.checked.statements >= 1  # its sentence is proved from the claims, not only counted


def _reported(look: Any, company: str) -> Any:
    screen = look("/reports")
    screen.page.get_by_label("公司", exact=True).fill(company)
    screen.page.locator(".st-key-w_report_start button:visible").click()
    screen.page.wait_for_selector(".yj-report", timeout=60_000)
    return screen.settle()


def _press(screen: Any, key: str) -> None:
    """A button with a hint is in the page twice, once for narrow screens."""
    screen.page.locator(f".st-key-{key} button:visible").first.click()


def _pick(screen: Any, *names: str) -> None:
    """Type each name and take what is offered. The list is opened where it is in sight: one that
    opens while the page still scrolls to it closes again.
    """
    box = screen.page.locator(".st-key-w_shelf input")
    for name in names:
        box.scroll_into_view_if_needed()
        screen.settle()
        box.click()
        box.press_sequentially(name)
        screen.page.get_by_role("option").filter(has_text=name).first.click()
        screen.settle()
    screen.page.keyboard.press("Escape")


def test_two_reports_are_compared_and_one_is_deleted_and_brought_back(look: Any) -> None:
    screen = _reported(look, "000651")
    screen.page.get_by_role("button", name="更多").click()
    _press(screen, "w_shelf_recheck")
    screen.page.wait_for_selector(".yj-pack")
    assert "全部成立" in screen.page.locator(".yj-pack").inner_text()
    _reported(look, "000333")
    screen = look("/reports", size="phone")
    _pick(screen, "格力电器", "美的集团")
    _press(screen, "w_shelf_compare")
    screen.page.wait_for_url("**/reports?*compare=*")
    screen.page.wait_for_selector(".yj-back-to")
    screen.settle()
    assert "两家公司" in screen.page.locator(".yj-count").first.inner_text()
    _fits(screen)
    screen = look("/reports")
    rows = screen.page.locator("[data-testid=stMain] li a", has_text="格力电器")
    before = rows.count()
    assert before >= 1
    _pick(screen, "格力电器")
    _press(screen, "w_shelf_away")
    screen.page.wait_for_selector(".st-key-w_shelf_undo")
    screen.settle()
    assert rows.count() == before - 1
    _press(screen, "w_shelf_undo")
    screen.page.wait_for_selector(".st-key-w_shelf_undo", state="detached")
    screen.settle()
    assert rows.count() == before


def test_a_run_replays_as_it_was_on_a_phone(look: Any) -> None:
    screen = look("/stock?symbol=00700.HK&lang=en", size="phone")
    screen.page.locator(".yjc-head button.yj-fig").first.click()
    screen.page.locator(".yj-drawer:popover-open .yj-trace").first.click()
    screen.page.wait_for_url("**/trace?*")
    screen.page.locator(".st-key-w_replay button").click()
    screen.page.get_by_text("replays the same").wait_for()
    _fits(screen.settle())
    screen.page.locator(".st-key-w_replay_now button").click()
    screen.page.get_by_text("replays the same").wait_for(state="detached")
    assert screen.settle().page.locator(".yj-count[role=status]").count() >= 1
    _fits(screen)


def test_a_printed_page_has_its_notes_and_tables_no_wider_than_the_paper(look: Any) -> None:
    screen = look("/compare?s=000002.SZ,600036.SH,00700.HK&bars=1&print=1")
    screen.page.wait_for_selector(".yjp-notes")
    assert screen.page.locator(".yjp-notes li").count() > 100
    paper = "document.querySelector('.yjp').clientWidth"
    widest = "Math.max(...[...document.querySelectorAll('.yjp-table')].map(t => t.scrollWidth))"
    assert screen.page.evaluate(widest) <= screen.page.evaluate(paper)
