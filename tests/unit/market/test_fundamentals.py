"""Financial figures by period, against the annual figures and the valuation the source gives."""

from datetime import datetime

import pytest

from services.core.claims import Claim, DerivedCite, Missing, ToolCite
from services.core.clock import BEIJING
from services.core.errors import InputError
from services.core.symbols import Symbol
from services.market.fundamentals import FinancialData, financial_data
from services.market.report_sheet import METRIC_NAMES
from tests.unit.market.bundled import bundle

BYD, MAOTAI, TENCENT = "002594.SZ", "600519.SH", "00700.HK"


def data(
    symbol: str,
    *metrics: str,
    period: str = "latest",
    count: int = 1,
    now: datetime | None = None,
) -> FinancialData:
    market = bundle(now)
    ledger = market.ledger()
    found = financial_data(
        ledger,
        Symbol(symbol),
        metrics or METRIC_NAMES,
        period=period,
        count=count,
        clock=market.clock,
    )
    assert market.verified(ledger).failures == ()
    return found


def figure(found: FinancialData, metric: str, period: str) -> Claim:
    claim = found.figures[metric][period]
    assert isinstance(claim, Claim), claim
    return claim


def reason(found: FinancialData, metric: str, period: str) -> str:
    missing = found.figures[metric][period]
    assert isinstance(missing, Missing), missing
    return missing.reason


def test_the_newest_reports_come_first_with_their_mark() -> None:
    # annual_figures.csv: 002594.SZ revenue 2016 103470000000.0 (one source), 2015 80008970000.0
    found = data(BYD, "revenue", "net_profit", count=3)
    assert found.periods == ("2016_Q4", "2015_Q4", "2014_Q4")
    revenue = figure(found, "revenue", "2016_Q4")
    assert revenue.value == pytest.approx(1034.70e8, rel=1e-4)
    assert isinstance(revenue.cite, ToolCite)
    assert (revenue.cite.note or "").startswith("仅一个来源")
    assert found.currency == "CNY"


def test_ratios_are_derived_from_figures_of_the_same_period() -> None:
    found = data(BYD, *METRIC_NAMES, count=2)
    for period in found.periods:
        profit, sales = figure(found, "net_profit", period), figure(found, "revenue", period)
        margin = figure(found, "net_margin", period)
        assert margin.value == pytest.approx(profit.value / sales.value * 100)
        assert margin.period == period
        owed = figure(found, "total_liabilities", period).value
        owned = figure(found, "total_assets", period).value
        assert figure(found, "debt_to_assets", period).value == pytest.approx(owed / owned * 100)
    now, then = (figure(found, "revenue", period).value for period in found.periods)
    growth = figure(found, "revenue_yoy", "2016_Q4")
    assert growth.value == pytest.approx((now / then - 1) * 100)


def test_multiples_belong_to_the_valuation_day_and_stand_in_the_newest_period_only() -> None:
    found = data(BYD, "pe_lyr", count=2)
    multiple = figure(found, "pe_lyr", "2016_Q4")
    assert (multiple.value, multiple.period) == (26.35, "LYR_2016")
    assert "只有一个估值日" in str(reason(found, "pe_lyr", "2015_Q4"))


def test_a_company_without_reports_gets_what_its_valuation_implies() -> None:
    # 贵州茅台 in the source: mv 5656.91亿, PE(LYR) 33.84 → 167.17 亿; mv / PS(TTM) is trailing.
    found = data(MAOTAI, "net_profit", "revenue", "roe", "eps")
    assert found.periods == ("2016_Q4", "TTM_2017Q1")
    profit = figure(found, "net_profit", "2016_Q4")
    assert profit.value == pytest.approx(5656.91e8 / 33.84)
    assert round(profit.value / 1e8, 2) == 167.17
    assert isinstance(profit.cite, DerivedCite)
    assert profit.cite.note == "推算 总市值/市盈率(LYR)，±0.1%"
    trailing = figure(found, "revenue", "TTM_2017Q1")
    assert trailing.period == "TTM_2017Q1"
    assert "年报" in str(reason(found, "revenue", "2016_Q4"))
    assert "推算" in (figure(found, "roe", "2016_Q4").cite.note or "")
    assert "eps" in found.reasons
    assert "revenue" not in found.reasons


def test_trailing_revenue_is_never_given_for_the_year() -> None:
    found = data(MAOTAI, "revenue", "net_profit", period="2016_Q4", count=2)
    assert isinstance(found.figures["revenue"]["2016_Q4"], Missing)
    assert figure(found, "net_profit", "2016_Q4").period == "2016_Q4"
    assert isinstance(found.figures["net_profit"]["2015_Q4"], Missing)


def test_a_hong_kong_company_reports_in_yuan_and_its_yield_is_not_made_across_currencies() -> None:
    found = data(TENCENT, "revenue", "eps", "dy_l", "pb")
    assert found.currency == "CNY"
    assert figure(found, "eps", "2016_Q4").unit == "CNY/share"
    assert isinstance(found.figures["dy_l"]["2016_Q4"], Missing)
    pingan = data("02318.HK", "dps", "dy_l")
    assert figure(pingan, "dps", "2016_Q4").unit == "CNY/share"
    assert "币种不同" in str(reason(pingan, "dy_l", "2016_Q4"))


def test_a_fiscal_year_that_ends_in_september_keeps_its_own_day() -> None:
    found = data("AAPL", "revenue", "net_margin")
    assert figure(found, "revenue", "2016_Q4").as_of.isoformat() == "2016-09-24"
    assert figure(found, "net_margin", "2016_Q4").as_of.isoformat() == "2016-09-24"


def test_growth_without_the_year_before_is_missing_and_not_zero() -> None:
    found = data("AAPL", "revenue_yoy", period="2012_Q4")
    assert "上年同期" in str(reason(found, "revenue_yoy", "2012_Q4"))


def test_realtime_has_multiples_only() -> None:
    found = data(BYD, "pe_ttm", "revenue", period="realtime")
    assert found.periods == ("realtime",)
    assert figure(found, "pe_ttm", "realtime").value == 27.69
    assert "realtime" in str(reason(found, "revenue", "realtime"))


def test_a_forecast_the_source_has_not_is_missing_with_its_reason() -> None:
    found = data(BYD, "eps", period="forecast")
    assert "不含机构预期" in str(reason(found, "eps", "forecast"))


@pytest.mark.parametrize(
    ("period", "words"),
    [("2017_Q4", "尚未"), ("2016_Q3", "只有年报"), ("2009_Q4", "没有该报告期")],
)
def test_a_period_the_source_has_not_says_why(period: str, words: str) -> None:
    assert words in str(reason(data(BYD, "revenue", period=period), "revenue", period))


def test_earlier_periods_step_back_by_the_same_quarter() -> None:
    assert data(BYD, "revenue", period="2015_q4", count=2).periods == ("2015_Q4", "2014_Q4")


def test_nothing_announced_after_the_clock_is_known() -> None:
    early = datetime(2017, 3, 1, 10, 0, tzinfo=BEIJING)
    found = data(BYD, "revenue", now=early)
    assert found.periods == ("2015_Q4",)


@pytest.mark.parametrize(
    ("metrics", "period", "count", "name"),
    [
        ((), "latest", 1, "metrics"),
        (("profit",), "latest", 1, "metrics"),
        (("eps",), "latest", 0, "count"),
        (("eps",), "latest", 41, "count"),
        (("eps",), "last year", 1, "period"),
        (("eps",), "2016_Q5", 1, "period"),
    ],
)
def test_a_wrong_argument_is_named(
    metrics: tuple[str, ...], period: str, count: int, name: str
) -> None:
    market = bundle()
    with pytest.raises(InputError) as caught:
        financial_data(
            market.ledger(), Symbol(BYD), metrics, period=period, count=count, clock=market.clock
        )
    assert caught.value.name == name


def test_an_index_has_no_financial_figures() -> None:
    found = data("000001.SH", "revenue", "pe_ttm")
    assert set(found.reasons) == {"revenue", "pe_ttm"}


def test_a_company_nobody_values_has_reasons_and_no_figure() -> None:
    found = data("MSTR", "revenue", "pe_ttm", "net_profit")
    assert set(found.reasons) == {"revenue", "pe_ttm", "net_profit"}


def test_trailing_revenue_stands_beside_a_report_that_has_none() -> None:
    # 300104 has no FY2016 revenue in the annual figures; 611.98亿 / 2.86 = 213.979...亿 trailing.
    found = data("300104.SZ", "revenue")
    assert isinstance(found.figures["revenue"]["2016_Q4"], Missing)
    assert figure(found, "revenue", "TTM_2017Q1").value == pytest.approx(213.97902e8, rel=1e-6)
