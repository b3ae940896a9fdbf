"""The tools that bring figures, from toolbox to wire: live mode, every upstream played."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from services.container import Services
from services.core.clock import BEIJING
from services.core.errors import InputError, UnavailableError
from services.tools.base import ToolResult
from tests.fakes.server import World
from tests.live.answered import cited, opened, walk

pytestmark = pytest.mark.thorough

MAOTAI = {"symbol": "600519", "market": "CN"}
TENCENT = {"symbol": "00700", "market": "HK"}
APPLE = {"symbol": "AAPL", "market": "US"}
IN_SESSION = datetime(2026, 11, 20, 10, 5, tzinfo=BEIJING)
QUOTE: dict[str, Any] = {
    "stockSearchQuery": "",
    "searchStockFeedNew": False,
    "searchStockFeedHot": False,
    "searchStockNotice": False,
    "searchStockQuote": True,
    "searchStockInfluencer": False,
    "timeRange": "OneWeek",
    "startDate": "",
    "endDate": "",
    "scope": "all",
    "searchStockAbnormal": False,
}


@pytest.fixture
def open_market(world: World) -> Iterator[Services]:
    """The same on the same day at 10:05, while Shanghai trades."""
    for name in ("eastmoney", "xueqiu"):
        vars(world.services[name])["now"] = IN_SESSION
    services = opened(world, YOUJU_CLOCK=IN_SESSION.isoformat(), YOUJU_CHAINS="screen:market_copy")
    yield services
    services.close()


def call(youju: Services, name: str, **arguments: Any) -> ToolResult:
    answer = youju.toolbox.call(name, arguments, session_id="s")
    sound(answer)
    return answer


def result(youju: Services, name: str, **arguments: Any) -> dict[str, Any]:
    found = call(youju, name, **arguments).result
    assert isinstance(found, dict)
    return found


def sound(answer: ToolResult) -> None:
    """Cited throughout; no reason is a snapshot's."""
    cited(answer)
    for path, value in walk(answer.result):
        assert not (isinstance(value, str) and "快照" in value), path


def sources(answer: ToolResult) -> set[str]:
    """Who the figures of the answer come from."""
    return {claim.cite.source for claim in answer.claims if claim.cite.kind == "tool"}


def test_fundamentals_say_who_a_company_is_and_what_it_is_worth(youju: Services) -> None:
    # 1502.3 × 1,256,197,800 shares = 1,887,185,954,940 yuan; a tenth less profit a year back:
    # 88e9 × 0.9 / 1,256,197,800 = 63.0474 a share in 2025.
    found = result(youju, "get_fundamentals_info", **MAOTAI)
    assert (found["name"], found["currency"]) == ("贵州茅台", "CNY")
    assert found["price"]["close"] == 1502.3
    assert found["valuation"]["market_cap"] == pytest.approx(18871.8595494)
    assert found["per_share"]["eps"] == pytest.approx(63.0474)
    assert found["as_of"]["pe_ttm"] == "2026-11-20"
    assert (found["basis"]["eps"], found["as_of"]["eps"]) == ("2025_Q4", "2025-12-31")


def test_a_second_source_gives_the_dividend_yield_the_first_has_not(youju: Services) -> None:
    answer = call(youju, "get_fundamentals_info", **MAOTAI)
    (claim_id,) = answer.cites["valuation.dy_l"]
    claim = next(one for one in answer.claims if one.claim_id == claim_id)
    assert claim.cite.kind == "tool"
    assert (claim.cite.source, claim.value) == ("tushare", 3.43)


def test_a_hong_kong_company_keeps_its_two_currencies_apart(youju: Services) -> None:
    found = result(youju, "get_fundamentals_info", **TENCENT)
    assert found["currency"] == "HKD"
    assert found["units"]["market_cap"] == "亿港元 (HKD_yi)"
    assert found["units"]["eps"] == "元/股 (CNY/share)"
    assert found["valuation"]["pe_ttm"] is not None


def test_reports_compare_with_the_same_quarter_and_tell_when_they_came_out(
    youju: Services,
) -> None:
    # Nine months of 174e9 a year: 130.5e9; a tenth less a year back: 1 / 0.9 − 1 = 11.11 %.
    found = result(youju, "get_financial_reports", **MAOTAI, period_type="quarterly", count=2)
    newest, before = found["reports"]
    assert (newest["period"], before["period"]) == ("2026_Q3", "2026_Q2")
    assert newest["period_end"] == "2026-09-30"
    assert newest["announced_on"] < "2026-11-20"
    assert newest["revenue"] == pytest.approx(1305.0)
    assert newest["revenue_yoy"] == pytest.approx(11.1111, abs=1e-4)
    assert any("累计" in note for note in found["notes"])
    assert any(note.startswith("roe：加权") for note in found["notes"])


def test_annual_reports_are_annual(youju: Services) -> None:
    found = result(youju, "get_financial_reports", **MAOTAI)
    assert {row["period"][-2:] for row in found["reports"]} == {"Q4"}


def test_apples_fiscal_year_ends_in_september(youju: Services) -> None:
    newest = result(youju, "get_financial_reports", **APPLE)["reports"][0]
    assert (newest["period"], newest["period_end"]) == ("2026_Q4", "2026-09-26")


def test_peers_have_a_median_and_the_company_a_place(youju: Services) -> None:
    found = result(youju, "peer_compare", **MAOTAI, size=4)
    assert found["company"]["name"] == "贵州茅台"
    assert len(found["peers"]) == 4
    # Of all of its industry and itself, however few are listed; one of them has no P/E.
    whole = [found["company"], *result(youju, "peer_compare", **MAOTAI, size=10)["peers"]]
    known = [one["pe_ttm"] for one in whole if one["pe_ttm"] is not None]
    assert found["median"]["pe_ttm"] == pytest.approx(median(known))
    assert (len(whole), len(known)) == (10, 9)
    assert (found["rank"]["market_cap"], found["count"]["market_cap"]) == (1, 10)
    assert (found["rank"]["pe_ttm"], found["count"]["pe_ttm"]) == (9, 9)


def test_macro_series_come_by_period_with_their_units(youju: Services) -> None:
    found = result(youju, "get_macro_data", series=["pmi", "gdp", "fund_flow"], count=2)
    assert [row["period"] for row in found["pmi"]["rows"]] == ["2026-09", "2026-10"]
    assert found["gdp"]["rows"][-1]["period"] == "2026_Q3"
    assert found["gdp"]["units"]["gdp_ytd"] == "亿元 (CNY_yi)"
    assert found["fund_flow"]["as_of"] == "2026-11-20"
    # 120,000,000 yuan of main inflow on the last session
    assert found["fund_flow"]["rows"][-1]["main_net_inflow"] == pytest.approx(1.2)


def test_one_macro_series_that_fails_is_null_and_the_others_come(world: World) -> None:
    youju = opened(world, YOUJU_CHAINS="fund_flow:eastmoney")
    world.services["eastmoney"].fault = "broken"
    found = result(youju, "get_macro_data", series=["pmi", "fund_flow"], count=2)
    youju.close()
    assert found["pmi"]["rows"]
    assert found["fund_flow"] is None
    assert "东方财富" in found["reasons"]["fund_flow"]


@pytest.mark.parametrize("interval", ["1h", "5m", "1m"])
def test_bars_within_the_day_carry_their_time(youju: Services, interval: str) -> None:
    found = result(youju, "get_price_history", **MAOTAI, interval=interval, lookback=1)
    assert found["as_of"] == "2026-11-20 15:00"
    assert found["bars"][-1]["time"] == "2026-11-20 15:00"
    assert found["bars"][-1]["close"] == 1502.3
    days = {bar["time"][:10] for bar in found["bars"]}
    assert days == {"2026-11-19", "2026-11-20"}


def test_daily_bars_say_how_they_are_adjusted(youju: Services) -> None:
    found = result(youju, "get_price_history", **MAOTAI, lookback=20)
    assert "复权" in found["note"]
    assert (found["bars"][0]["time"], found["as_of"]) == ("2026-11-02", "2026-11-20")
    assert found["gaps"] == []


def test_the_latest_three_periods_are_quarters(youju: Services) -> None:
    found = result(
        youju,
        "xqStockFinancialData",
        symbol="SH600519",
        metrics=["revenue", "roe", "pe_ttm", "dy_l"],
        period="latest",
        count=3,
    )
    assert [row["period"] for row in found["data"]] == ["2026_Q3", "2026_Q2", "2026_Q1"]
    assert found["data"][0]["dy_l"] == 3.43


def test_a_forecast_is_by_year_and_called_an_estimate(youju: Services) -> None:
    found = result(
        youju, "xqStockFinancialData", symbol="SH600519", metrics=["eps"], period="forecast"
    )
    assert [row["period"] for row in found["data"]][:2] == ["2026_Q4", "2027_Q4"]
    assert any("预测" in note for note in found["notes"])


def test_realtime_has_the_multiples_of_the_day(youju: Services) -> None:
    found = result(
        youju, "xqStockFinancialData", symbol="SH600519", metrics=["pb"], period="realtime"
    )
    assert found["data"][0]["pb"] is not None


def test_in_session_the_price_is_current_and_measured_from_the_sources_previous_close(
    open_market: Services,
) -> None:
    # Eastmoney: 1502.3 now, 1500 before: +2.3, +0.15 %.
    quote = result(open_market, "xqSearchStockFeed", **QUOTE, stockName="贵州茅台")["quote"]
    assert (quote["metric"], quote["price"]) == ("current_price", 1502.3)
    assert quote["previous_close"] == 1500.0
    assert quote["change"] == pytest.approx(2.3)
    assert quote["pct_change"] == pytest.approx(0.15)
    assert any("报价时间" in note for note in quote["notes"])


def test_in_session_a_suspended_stock_has_no_current_price(open_market: Services) -> None:
    quote = result(open_market, "xqSearchStockFeed", **QUOTE, stockName="停牌股份")["quote"]
    assert quote["metric"] == "close"
    assert any("没有成交" in note for note in quote["notes"])


def test_an_index_is_not_asked_what_it_is_worth(youju: Services) -> None:
    answer = call(youju, "xqSearchStockFeed", **QUOTE, stockName="上证指数")
    found: Any = answer.result
    assert found["quote"]["price"] == 3900.5
    asked = [str(one.arguments["request"]) for one in answer.trace.tool_calls]
    assert not any("valuation" in request for request in asked)


def test_with_the_first_source_down_the_next_answers_and_is_named(
    world: World, youju: Services
) -> None:
    world.services["eastmoney"].fault = "broken"
    answer = call(youju, "get_fundamentals_info", **MAOTAI)
    found: Any = answer.result
    assert found["valuation"]["pe_ttm"] is not None
    assert found["per_share"]["eps"] is not None
    assert "eastmoney" not in sources(answer)
    assert {one.provider for call in answer.trace.tool_calls for one in call.attempts} >= {
        "eastmoney",
        "tushare",
    }


def test_a_list_without_industries_does_not_pass_for_a_company_without_one(
    world: World, youju: Services
) -> None:
    # Xueqiu's list has the company but no industries; the source that has them is down.
    world.services["eastmoney"].fault = "broken"
    with pytest.raises(UnavailableError, match="names no industries"):
        call(youju, "peer_compare", **MAOTAI)


def test_with_every_source_down_the_failure_is_said(world: World, youju: Services) -> None:
    for service in world.services.values():
        service.fault = "broken"
    for name in ("get_fundamentals_info", "get_financial_reports", "get_price_history"):
        with pytest.raises(UnavailableError):
            call(youju, name, **MAOTAI)


@pytest.mark.parametrize("name", ["get_fundamentals_info", "get_financial_reports", "peer_compare"])
def test_an_index_or_another_market_is_refused_before_anything_is_asked(
    youju: Services, name: str
) -> None:
    with pytest.raises(InputError, match="symbol"):
        call(youju, name, symbol="000001.SH", market="CN")
    with pytest.raises(InputError, match="market"):
        call(youju, name, symbol="AAPL", market="HK")


def test_in_session_a_screen_shows_the_current_price_and_calls_nothing_a_close(
    open_market: Services,
) -> None:
    found = result(
        open_market,
        "knowledge",
        usage="stock-screener",
        pettm="0_40",
        netprofit="0_max",
        category="CN",
        order="desc",
        order_by="netprofit",
        size=1,
    )
    (row,) = found["list"]
    assert (row["symbol"], row["price"]) == ("600519.SH", 1502.3)
    assert row["price_metric"] == "current_price"


def test_figures_from_before_say_how_old_they_are(world: World, tmp_path: Path) -> None:
    store = str(tmp_path / "youju.duckdb")
    before = opened(world, YOUJU_STORE=store)
    asked = (("get_fundamentals_info", MAOTAI), ("get_macro_data", {"market": "CN"}))
    for name, arguments in asked:
        assert not any("取得的内容" in str(one) for one in result_notes(before, name, arguments))
    before.close()
    for service in world.services.values():
        service.fault = "broken"
    after = opened(world, YOUJU_STORE=store, YOUJU_CLOCK="2026-11-26T16:30:00+08:00")
    for name, arguments in asked:
        notes = result_notes(after, name, arguments)
        assert any("以下为 2026-11-20 16:30 取得的内容" in one for one in notes), name
    after.close()


def result_notes(youju: Services, name: str, arguments: dict[str, Any]) -> list[str]:
    return result(youju, name, **arguments).get("notes", [])
