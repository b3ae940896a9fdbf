"""Reports as Xueqiu and Eastmoney really gave them: names of periods, when known, banks."""

from collections.abc import Mapping
from datetime import date

import pytest

from services.core.requests import FinancialsRequest
from services.providers.eastmoney.provider import EastmoneyProvider
from services.providers.xueqiu.provider import XueqiuProvider
from tests.contract.recorded import no_rows, play, rows, there, told

pytestmark = there


def lists(market: str, code: str, *names: str, suffix: str = "") -> Mapping[str, str]:
    """The recorded lists of a company; the others are empty."""
    known = {
        f"{name}.json": f"xueqiu/finance_{market}/{code}-{name}{suffix}.json" for name in names
    }
    return {**known, f"finance/{market}/": no_rows()}


def test_an_american_year_is_named_fy_with_the_word_for_year() -> None:
    parts = play(
        XueqiuProvider, lists("us", "JD", "income"), FinancialsRequest(symbol="JD"), "2026-05-17"
    )
    revenue = told(parts)["revenue", "2025_Q4"]
    assert (revenue.value, revenue.unit, revenue.as_of) == (
        1_309_085_000_000,
        "CNY",
        date(2025, 12, 31),
    )
    assert len({fact.period for fact in rows(parts)}) == 8


def test_an_american_half_year_is_the_second_quarter_and_no_sixth() -> None:
    bodies = {
        "income.json": no_rows(),
        "indicator.json": "xueqiu/finance_us/POM-indicator.json",
    }
    request = FinancialsRequest(symbol="POM", periods=("2025_Q2", "2024_Q4", "2024_Q2"))
    found = told(play(XueqiuProvider, bodies, request, "2026-05-10"))
    assert {period for _, period in found} == {"2025_Q2", "2024_Q4", "2024_Q2"}
    half = found["eps", "2025_Q2"]
    assert (half.value, half.unit, half.as_of) == (
        -1.9087149999999997,
        "CNY/share",
        date(2025, 6, 30),
    )


def test_a_list_without_times_is_known_since_the_income_list_was() -> None:
    bodies = lists("hk", "09988", "income", "balance")
    # The legal deadline of the mainland, 2027-04-30, hid it for a year.
    parts = play(XueqiuProvider, bodies, FinancialsRequest(symbol="09988.HK"), "2026-05-17")
    assets = told(parts)["total_assets", "2026_Q4"]
    assert (assets.value, assets.unit, assets.as_of) == (
        1_909_570_000_000,
        "CNY",
        date(2026, 3, 31),
    )
    assert assets.note == "来源收录于 2026-05-13（最近一次收录，可能晚于发布）"
    # The day before it was taken in nothing of that year is told, from either list.
    early = play(XueqiuProvider, bodies, FinancialsRequest(symbol="09988.HK"), "2026-05-12")
    assert "2026_Q4" not in {fact.period for fact in rows(early)}


def test_without_any_time_a_report_abroad_is_known_on_the_day_of_the_fetch() -> None:
    bodies = lists("hk", "00941", "balance")
    parts = play(XueqiuProvider, bodies, FinancialsRequest(symbol="00941.HK"), "2026-04-22")
    assets = told(parts)["total_assets", "2026_Q1"]
    assert assets.value == 2_188_834_000_000
    assert assets.note == "来源未给收录日，2026-04-22 抓取时已公开"


def test_no_deadline_of_the_mainland_is_told_of_a_report_abroad() -> None:
    bodies = lists("hk", "00941", "balance")
    # 2026-04-30 is the mainland's last day for a first quarter: nothing of Hong Kong's.
    parts = play(XueqiuProvider, bodies, FinancialsRequest(symbol="00941.HK"), "2026-05-17")
    assert told(parts)["total_assets", "2026_Q1"].note == "来源未给收录日，2026-05-17 抓取时已公开"
    assert not any("法定披露期限" in (fact.note or "") for fact in rows(parts))


def test_a_mainland_report_without_a_time_is_known_at_its_deadline_at_the_latest() -> None:
    bodies = {
        "balance.json": "xueqiu/finance_cn/sz002415-balance-2022Q3.json",
        "finance/cn/": no_rows(),
    }
    request = FinancialsRequest(symbol="002415.SZ")
    late = told(play(XueqiuProvider, bodies, request, "2023-01-05"))
    assert late["total_assets", "2022_Q3"].value == 110_264_398_002.69
    assert late["total_assets", "2022_Q3"].note == "来源未给收录日，法定披露期限 2022-10-31"
    soon = told(play(XueqiuProvider, bodies, request, "2022-10-29"))
    assert soon["total_assets", "2022_Q3"].note == "来源未给收录日，2022-10-29 抓取时已公开"


def test_a_bank_in_hong_kong_is_read_without_a_turnover() -> None:
    bodies = lists("hk", "00939", "income", "balance")
    found = told(play(XueqiuProvider, bodies, FinancialsRequest(symbol="00939.HK"), "2026-05-17"))
    assert found["net_profit", "2026_Q1"].value == 86_291_000_000
    assert found["total_liabilities", "2024_Q2"].value == 37_038_911_000_000
    assert "revenue" not in {metric for metric, _ in found}


@pytest.mark.parametrize(("code", "revenue"), [("00388", 6_843_000_000), ("00700", 196_458e6)])
def test_others_in_hong_kong_keep_their_turnover(code: str, revenue: float) -> None:
    bodies = lists("hk", code, "income")
    found = told(play(XueqiuProvider, bodies, FinancialsRequest(symbol=f"{code}.HK"), "2026-05-17"))
    assert found["revenue", "2026_Q1"].value == revenue


def test_abroad_a_filing_that_repeats_a_figure_is_no_announcement() -> None:
    bodies = {
        "GMAININDICATOR": "eastmoney/datacenter/RPT_USF10_FN_GMAININDICATOR-AAPL-2025-12.json"
    }
    request = FinancialsRequest(symbol="AAPL")
    found = told(play(EastmoneyProvider, bodies, request, "2025-12-18"))
    first = found["revenue", "2025_Q1"]
    assert (first.value, first.unit, first.as_of) == (124.3e9, "USD", date(2024, 12, 28))
    assert first.note == "财年 2025 一季报，至 2024-12-28；公告日 2025-01-31"
    # The same filing repeats the quarter of the year before.
    before = found["revenue", "2024_Q1"]
    assert (before.value, before.as_of) == (119.575e9, date(2023, 12, 30))
    assert before.note == "财年 2024 一季报，至 2023-12-30；来源未给公告日"
