"""Whom a count or a sum is over: the drawer says it, and leads to every member and its export."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

pytestmark = pytest.mark.browser
COMPANIES = Path(__file__).resolve().parents[2] / "data" / "snapshot" / "companies.parquet"
# A figure is its own button.
BADGE = "one => (one.closest('.yj-fig') || one.querySelector('.yj-fig')).click()"


def _opened(screen: Any, metric: str) -> Any:
    screen.page.locator(f"data[data-metric={metric}]").first.evaluate(BADGE)
    return screen.page.locator(".yj-drawer:popover-open")


def test_the_drawer_of_a_median_leads_to_its_members_page_by_page_and_to_the_file(
    look: Any,
) -> None:
    frame = pd.read_parquet(COMPANIES)
    companies = int(((frame.kind == "stock") & (frame.market == "CN")).sum())
    screen = look("/")
    drawer = _opened(screen, "pe_ttm_median")
    said = drawer.locator(".yj-members").inner_text()
    assert f"{companies:,} 家中计入 2,900 家" in said
    assert "未计入 341：市盈率(TTM)亏损或未给出" in said
    drawer.locator(".yj-members + p .yj-trace").click()
    screen.page.wait_for_url("**/trace?*members=c_*")
    screen.page.wait_for_selector("#t-members")
    first = screen.settle().page.locator("#t-members tbody tr").all_inner_texts()
    assert len(first) == 50
    pages = screen.page.locator("[class*=st-key-w_members_]")
    pages.locator("button", has_text=re.compile(r"^2$")).click()
    screen.page.wait_for_url("**members_part=2*")
    second = screen.settle().page.locator("#t-members tbody tr").all_inner_texts()
    assert len(second) == 50
    assert not set(first) & set(second)
    screen.page.get_by_role("button", name="导出").first.click()
    with screen.page.expect_download() as found:
        screen.page.locator(".st-key-w_export_members button").click()
    rows = list(csv.DictReader(io.StringIO(found.value.path().read_text("utf-8-sig"))))
    assert len(rows) == companies
    assert sum(row["standing"] == "计入" for row in rows) == 2900


def test_the_drawer_lists_the_members_some_at_a_time_and_finds_one_by_name(look: Any) -> None:
    frame = pd.read_parquet(COMPANIES)
    listed = frame[(frame.kind == "stock") & (frame.market == "CN")]
    screen = look("/")
    drawer = _opened(screen, "pe_ttm_median")
    # A fund of the US is listed as CN, which is no name of this market.
    assert drawer.locator("h2").inner_text().split("\n")[-1] == "A 股"
    drawer.locator(".yj-list").click()
    drawer.locator(".yj-member").first.wait_for()
    first = drawer.locator(".yj-member").all_inner_texts()
    drawer.get_by_role("button", name="后一页").click()
    second = drawer.locator(".yj-member").all_inner_texts()
    assert len(first) == len(second) == 10
    assert not set(first) & set(second)
    drawer.locator("input").fill("600036")
    assert drawer.locator(".yj-member").all_inner_texts() == ["招商银行600036.SH\n8.67"]
    screen.page.keyboard.press("ArrowLeft")  # in the box: the drawer stays at its figure
    assert drawer.locator("input").input_value() == "600036"
    drawer.locator("input").fill("")
    assert drawer.locator(".yj-pager").inner_text().split()[-2] == str(-(-len(listed) // 10))
    assert screen.errors == []


@pytest.mark.parametrize("path", ["/", "/screen?pettm=0_15"])
def test_every_sum_count_and_median_of_a_page_leads_to_its_members(look: Any, path: str) -> None:
    screen = look(path)
    sums = screen.page.locator("data[data-members]")
    assert sums.count() > 0
    assert screen.page.locator("data[data-kind=tool][data-members]").count() == 0
    told = sums.evaluate_all(
        "all => all.map(one => [one.dataset.tc, JSON.parse(one.dataset.members)])"
    )
    assert all(call and lines for call, lines in told)
