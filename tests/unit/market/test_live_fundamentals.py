"""Quarterly reports, given ratios, forecasts and failures: financial figures in live mode."""

from datetime import date

import pytest

from services.core.claims import Claim, DerivedCite, Missing, ToolCite
from services.core.errors import NoDataError, UnavailableError
from services.core.symbols import Symbol
from services.core.trace import Fact
from services.market.fundamentals import FinancialData, financial_data, report_data
from tests.unit.market.live_answers import CLOSED, Sources, answered, fact

STOCK, TENCENT = "600519.SH", "00700.HK"
ENDS = {
    "2026_Q3": date(2026, 9, 30),
    "2026_Q2": date(2026, 6, 30),
    "2025_Q4": date(2025, 12, 31),
    "2025_Q3": date(2025, 9, 30),
}
DOWN = UnavailableError("eastmoney", "finance", "answered 502")


def reported(
    period: str,
    metric: str,
    value: float,
    unit: str = "CNY",
    *,
    symbol: str = STOCK,
    note: str = "",
) -> Fact:
    end = ENDS[period]
    return fact(symbol, metric, value, unit, as_of=end, period=period, note=note or None)


# Year to date: nine months of 2026 and 2025, half of 2026, all of 2025.
REPORTS = (
    reported("2026_Q3", "revenue", 1300e8, note="公告日 2026-10-28"),
    reported("2026_Q3", "net_profit", 660e8, note="公告日 2026-10-30"),
    reported("2026_Q3", "roe", 26.1, "percent", note="加权，未年化；公告日 2026-10-28"),
    reported("2026_Q3", "bps", 185.5, "CNY/share"),
    reported("2026_Q3", "gross_margin", 91.2, "percent"),
    reported("2026_Q3", "equity", 2300e8),
    reported("2026_Q2", "revenue", 900e8),
    reported("2025_Q4", "revenue", 1800e8),
    reported("2025_Q4", "net_profit", 900e8),
    reported("2025_Q3", "revenue", 1250e8),
)


def data(
    sources: Sources, *metrics: str, period: str = "latest", count: int = 1, symbol: str = STOCK
) -> FinancialData:
    found = financial_data(
        sources.ledger, Symbol(symbol), metrics, period=period, count=count, clock=CLOSED
    )
    sources.check()
    return found


def given(found: FinancialData, metric: str, period: str) -> Claim:
    claim = found.figures[metric][period]
    assert isinstance(claim, Claim), claim
    return claim


def reason(found: FinancialData, metric: str, period: str) -> str:
    missing = found.figures[metric][period]
    assert isinstance(missing, Missing), missing
    return missing.reason


def test_the_latest_three_reports_are_the_last_three_quarters_that_reported() -> None:
    found = data(Sources(financials=answered(REPORTS)), "revenue", count=3)
    assert found.periods == ("2026_Q3", "2026_Q2", "2025_Q4")
    assert given(found, "revenue", "2026_Q3").value == 1300e8
    assert any("累计" in str(note) for note in found.notes)


def test_a_quarter_is_compared_with_the_same_quarter_of_the_year_before() -> None:
    # 1300 / 1250 − 1 = 4 %: nine months against nine months, never against the year's 1800.
    found = data(Sources(financials=answered(REPORTS)), "revenue_yoy")
    assert given(found, "revenue_yoy", "2026_Q3").value == pytest.approx(4.0)


def test_growth_is_never_computed_across_two_sources() -> None:
    # One says 营业总收入, the other 营业收入: 1300 / 1000 − 1 = 30 % would be no growth.
    mine = [one for one in REPORTS if one.period != "2025_Q3"]
    theirs = answered(
        [reported("2025_Q3", "revenue", 1000e8), reported("2025_Q3", "equity", 2000e8)],
        provider="tushare",
    )
    found = data(Sources((theirs,), financials=answered(mine)), "revenue_yoy", "revenue", count=4)
    assert str(reason(found, "revenue_yoy", "2026_Q3")).startswith("缺少上年同期数据")
    assert given(found, "revenue", "2025_Q3").value == 1000e8


def test_a_ratio_is_never_computed_across_two_sources() -> None:
    mine = [reported("2026_Q3", "net_profit", 660e8)]
    theirs = answered([reported("2026_Q3", "revenue", 1300e8)], provider="tushare")
    found = data(Sources((theirs,), financials=answered(mine)), "net_margin")
    assert str(reason(found, "net_margin", "2026_Q3")).startswith("缺少推算所需")


def test_a_ratio_the_source_gives_wins_and_keeps_its_flavour() -> None:
    # Derivable: 660 / 2300 = 28.7 %
    roe = given(data(Sources(financials=answered(REPORTS)), "roe"), "roe", "2026_Q3")
    assert roe.value == 26.1
    assert isinstance(roe.cite, ToolCite)
    assert roe.cite.note == "加权，未年化；公告日 2026-10-28"


def test_a_ratio_the_source_does_not_give_is_derived_from_the_same_period() -> None:
    # 660 / 1300 * 100 = 50.769… %
    found = data(Sources(financials=answered(REPORTS)), "net_margin", "gross_margin", count=2)
    margin = given(found, "net_margin", "2026_Q3")
    assert margin.value == pytest.approx(50.7692, abs=1e-4)
    assert isinstance(margin.cite, DerivedCite)
    assert given(found, "gross_margin", "2026_Q3").value == 91.2
    assert str(reason(found, "gross_margin", "2026_Q2")).startswith("来源未给出")


def test_book_value_per_share_of_the_report_stands_in_its_own_period() -> None:
    worth = answered([fact(STOCK, "bps", 186.0, "CNY/share")])
    found = data(Sources(financials=answered(REPORTS), valuation=worth), "bps", count=2)
    assert given(found, "bps", "2026_Q3").value == 185.5
    assert "只有一个估值日" not in str(reason(found, "bps", "2026_Q2"))


def test_a_source_with_quarters_is_not_said_to_have_annual_reports_only() -> None:
    found = data(Sources(financials=answered(REPORTS)), "revenue", period="2026_q1")
    assert "只有年报" not in str(reason(found, "revenue", "2026_Q1"))


def test_growth_across_two_currencies_is_not_computed() -> None:
    found = data(
        Sources(
            financials=answered(
                [
                    reported("2026_Q3", "revenue", 130.0, "CNY", symbol=TENCENT),
                    reported("2025_Q3", "revenue", 100.0, "HKD", symbol=TENCENT),
                ]
            )
        ),
        "revenue",
        "revenue_yoy",
        symbol=TENCENT,
    )
    assert "上年同期" in str(reason(found, "revenue_yoy", "2026_Q3"))


def test_a_margin_across_two_currencies_is_not_computed() -> None:
    mixed = answered(
        [
            reported("2026_Q3", "revenue", 130.0, "CNY", symbol=TENCENT),
            reported("2026_Q3", "net_profit", 40.0, "HKD", symbol=TENCENT),
        ]
    )
    found = data(Sources(financials=mixed), "net_margin", symbol=TENCENT)
    assert isinstance(found.figures["net_margin"]["2026_Q3"], Missing)


def test_a_full_years_dividend_makes_a_yield_where_no_source_gives_one() -> None:
    # 51 / 1500 * 100 = 3.4 %; the interim dividend of 2026 alone is no year's.
    sources = Sources(
        financials=answered(
            [
                reported("2025_Q4", "dps", 51.0, "CNY/share"),
                reported("2026_Q2", "dps", 23.0, "CNY/share"),
            ]
        ),
        valuation=answered(
            [fact(STOCK, "market_cap", 1.8e12, "CNY"), fact(STOCK, "close", 1500.0, "CNY")]
        ),
    )
    found = data(sources, "dy_l")
    assert given(found, "dy_l", "2026_Q2").value == pytest.approx(3.4)


def test_realtime_asks_for_no_report() -> None:
    sources = Sources(valuation=answered([fact(STOCK, "pe_ttm", 20.9, "multiple")]))
    found = data(sources, "pe_ttm", "pb", period="realtime")
    assert given(found, "pe_ttm", "realtime").value == 20.9
    assert sources.capabilities() == ["valuation"]


def test_a_failing_valuation_leaves_the_reports_and_says_who_failed() -> None:
    found = data(Sources(financials=answered(REPORTS), valuation=DOWN), "revenue", "pe_ttm")
    assert given(found, "revenue", "2026_Q3").value == 1300e8
    assert "东方财富暂不可用" in str(reason(found, "pe_ttm", "2026_Q3"))


def test_realtime_without_its_one_source_is_a_failure_and_not_an_empty_row() -> None:
    with pytest.raises(UnavailableError):
        data(Sources(valuation=DOWN), "pe_ttm", period="realtime")


def test_estimates_stand_under_their_years_and_say_how_many_institutions_made_them() -> None:
    estimates = answered(
        [
            fact(
                STOCK,
                "forecast_eps",
                value,
                "CNY/share",
                period=period,
                note="机构预测均值，12 家",
            )
            for period, value in (("2026_Q4", 75.2), ("2027_Q4", 81.0))
        ]
    )
    found = data(Sources(forecast=estimates), "eps", "net_profit", period="forecast")
    assert found.periods == ("2026_Q4", "2027_Q4")
    eps = given(found, "eps", "2027_Q4")
    assert (eps.metric, eps.value) == ("forecast_eps", 81.0)
    assert isinstance(eps.cite, ToolCite)
    assert eps.cite.note == "机构预测均值，12 家"
    assert str(reason(found, "net_profit", "2026_Q4")).startswith("来源未给出")
    assert any("预测" in str(note) for note in found.notes)


def test_annual_reports_alone_leave_the_quarters_out() -> None:
    sources = Sources(financials=answered(REPORTS))
    found = report_data(
        sources.ledger, Symbol(STOCK), ("revenue",), kind="annual", count=4, clock=CLOSED
    )
    assert found.periods == ("2025_Q4",)
    assert found.notes == ()


def test_the_day_of_announcement_is_the_last_of_its_figures() -> None:
    sources = Sources(financials=answered(REPORTS))
    found = report_data(
        sources.ledger,
        Symbol(STOCK),
        ("revenue", "net_profit"),
        kind="quarterly",
        count=2,
        clock=CLOSED,
    )
    assert found.announced_on("2026_Q3") == date(2026, 10, 30)
    assert found.announced_on("2026_Q2") is None


def test_a_company_without_reports_has_none_made_up() -> None:
    sources = Sources(valuation=answered([fact(STOCK, "market_cap", 1.8e12, "CNY")]))
    with pytest.raises(NoDataError, match="来源没有"):
        report_data(
            sources.ledger, Symbol(STOCK), ("net_profit",), kind="annual", count=4, clock=CLOSED
        )


def test_a_second_source_fills_in_what_the_first_does_not_report() -> None:
    second = answered(
        [reported("2026_Q3", "equity", 2290e8), reported("2026_Q3", "revenue", 1299e8)],
        provider="tushare",
    )
    sources = Sources([second], financials=answered([reported("2026_Q3", "revenue", 1300e8)]))
    found = data(sources, "revenue", "equity")
    assert given(found, "revenue", "2026_Q3").value == 1300e8
    assert given(found, "equity", "2026_Q3").value == 2290e8
