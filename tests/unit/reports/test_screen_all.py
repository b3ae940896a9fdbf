"""An export of a screen holds every matching row, or says which of how many it holds."""

import csv
import io
from functools import cache

import openpyxl
import pytest

from services.evidence_pack.verify import verify_pack
from services.exports.csv import table_csv, table_files
from services.exports.formats import FORMATS
from services.exports.papers import paper_of
from services.exports.view_files import view_markdown
from services.views.screen import build_all
from services.views.view import ScreenView
from tests.unit.reports.bundled import desk, session
from tests.unit.reports.samples import MADE_AT

GIVEN = {"category": "CN", "pettm": "0_10", "order_by": "pettm", "order": "asc"}


@cache
def _page() -> ScreenView:
    return desk().screen(GIVEN, session())


@cache
def _all() -> ScreenView:
    return desk().screen_all(GIVEN, session())


def test_every_matching_company_is_there_once_in_the_order_of_the_pages() -> None:
    matched = int(_page().match_count.value)
    assert _page().pages > 1
    pages = [desk().screen(GIVEN, session(), at) for at in range(1, _page().pages + 1)]
    symbols = [row.symbol for page in pages for row in page.table.rows]
    assert [row.symbol for row in _all().table.rows] == symbols
    assert len(set(symbols)) == len(symbols) == matched
    assert (_all().page, _all().pages) == (1, 1)


@pytest.mark.parametrize("form", ["full", "plain"])
def test_the_csv_the_workbook_and_the_markdown_have_all_of_them(form) -> None:
    matched, view = int(_page().match_count.value), _all()
    body = table_csv(view.table, view.claims, view.trace, "zh", form).decode("utf-8-sig")
    assert len(list(csv.reader(io.StringIO(body)))) == matched + 1
    lines = [line for line in view_markdown(view).splitlines() if line.startswith("| ")]
    assert sum(any(f"| {row.symbol} |" in line for row in view.table.rows) for line in lines) == (
        matched
    )
    (sheet,) = [one for one in FORMATS if one.key == "xlsx"]
    book = openpyxl.load_workbook(io.BytesIO(sheet.write(view, "zh", MADE_AT)), read_only=True)
    assert book.active.title.startswith("筛选结果")
    assert len(list(book.active.iter_rows(3))) == matched


def test_a_file_says_which_rows_it_has() -> None:
    matched = int(_page().match_count.value)
    for view, said, english in (
        (_page(), f"（第 1–25 行，共 {matched} 行）", f"(rows 1–25 of {matched})"),
        (_all(), f"（全部 {matched} 行）", f"(all {matched} rows)"),
    ):
        assert table_files(paper_of(view, "zh"))["screen"].title == "筛选结果" + said
        assert table_files(paper_of(view, "en"))["screen"].title == f"Result {english}"
        assert f"## 筛选结果{said}" in view_markdown(view)
    last = desk().screen(GIVEN, session(), _page().pages)
    assert f"–{matched} 行，共 {matched} 行" in last.extent.zh


def test_the_pack_of_all_rows_and_of_a_page_hold() -> None:
    for view in (_page(), _all()):
        found = verify_pack(desk().pack(view, "zh"))
        assert found.failures == ()
        assert found.ok


def test_more_than_one_request_can_hold_is_asked_for_in_several(monkeypatch) -> None:
    from services.views import screen

    monkeypatch.setattr(screen, "MAX_SIZE", 10)
    found = build_all(desk()._parts, GIVEN, session())
    assert len(found.run_ids) == -(-int(found.match_count.value) // 10)
    assert [row.symbol for row in found.table.rows] == [row.symbol for row in _all().table.rows]
    assert found.claims.keys() >= {
        claim.claim_id
        for row in found.table.rows
        for claim in row.cells.values()
        if hasattr(claim, "claim_id")
    }
    assert verify_pack(desk().pack(found, "zh")).ok
