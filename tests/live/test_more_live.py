"""What live mode has beyond the requirement's tools, each through tool and question, all played."""

from collections.abc import Iterator
from typing import Any

import pytest

from services.container import Services
from services.core.claims import Claim, ToolCite
from services.core.text import Text
from services.query.answering.answers import Answered
from services.views.company.build import Wanted
from services.views.company.statements import StatementsPart
from services.views.source_words import source_words
from services.workbench.desk import Desk
from tests.fakes import everything
from tests.fakes.server import World
from tests.live.answered import cited, opened

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with everything.world() as running:
        yield running


@pytest.fixture(scope="module")
def youju(world: World) -> Iterator[Services]:
    services = opened(world)
    yield services
    services.close()


def result(youju: Services, name: str, **arguments: Any) -> dict[str, Any]:
    answer = youju.toolbox.call(name, arguments, session_id="s")
    cited(answer)
    found = answer.result
    assert isinstance(found, dict)
    return found


def told(youju: Services, question: str) -> Answered:
    found = youju.query.ask(question, None)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found


def test_a_periods_multiple_is_told_by_tool_and_question(youju: Services) -> None:
    # 1502.3 × 1256197800 shares over the fake's profit of a year and a fiftieth, at every session.
    found = result(
        youju,
        "xqStockFinancialData",
        symbol="SH600519",
        metrics=["net_profit", "pe_ttm"],
        period="2026_Q3",
    )
    (row,) = found["data"]
    assert row["period"] == "2026_Q3"
    assert row["pe_ttm"] > 0
    assert any("最后一个交易日" in note for note in found["notes"])
    said = told(youju, "贵州茅台2026年三季度的市盈率")
    assert f"{row['pe_ttm']:.2f}倍" in said.text
    (claim,) = (one for one in said.claims if one.metric == "pe_ttm")
    assert claim.as_of.isoformat() == "2026-09-30"


@pytest.mark.parametrize(
    ("question", "symbol", "close"),
    [
        ("沪深300最新点位", "000300.SH", "4,600.25"),
        ("中证1000最新点位", "000852.SH", "7,400.00"),
        ("创业板指最新点位", "399006.SZ", "3,100.00"),
        ("科创50最新点位", "000688.SH", "1,400.00"),
        ("恒生科技指数最新点位", "HSTECH", "5,600.00"),
        ("标普500最新点位", "SPX", "6,600.00"),
        ("510300的最新价", "510300.SH", "4.65"),
        ("沪深300ETF的最新价", "510300.SH", "4.65"),
    ],
)
def test_indexes_and_funds_answer_by_name_and_code(
    youju: Services, question: str, symbol: str, close: str
) -> None:
    said = told(youju, question)
    assert close in said.text
    assert symbol in {one.symbol for one in said.claims}


def test_bars_and_events_of_an_index_and_a_fund(youju: Services) -> None:
    for symbol, market in (("SPX", "US"), ("HSTECH", "HK"), ("510300", "CN")):
        found = result(youju, "get_price_history", symbol=symbol, market=market)
        assert found
    assert "6,600.00点" in told(youju, "标普500最近一个月的日线").text
    assert "沪深300" in told(youju, "沪深300最近有什么异动").text


def test_the_multiples_of_a_headline_index_are_told(youju: Services) -> None:
    found = result(
        youju, "xqStockFinancialData", symbol="SH000001", metrics=["pe_ttm"], period="realtime"
    )
    assert found["data"][0]["pe_ttm"] == 16.1


def test_the_page_of_an_index_shows_its_multiples_where_a_source_has_them(
    youju: Services,
) -> None:
    head = Desk(youju).company("000001.SH", Wanted(), "s_indexes").head
    shown = {stat.figure.metric: stat.figure for stat in head.stats}
    assert list(shown) == ["pe_ttm", "pe_lyr", "pb"]
    pe = shown["pe_ttm"]
    assert isinstance(pe, Claim)
    assert (pe.value, pe.unit) == (16.1, "multiple")
    # Of these nobody has any: the place is empty, not guessed.
    assert not Desk(youju).company("SPX", Wanted(), "s_indexes").head.stats


def test_a_fund_is_known_by_name_and_counted_among_no_companies(youju: Services) -> None:
    assert youju.names.resolve("沪深300ETF").value == "510300.SH"
    counted = told(youju, "市盈率小于40的A股")
    assert "A股60家公司" in counted.text


def test_what_one_source_does_not_forecast_the_next_one_does_and_each_is_cited(
    youju: Services,
) -> None:
    answer = youju.toolbox.call(
        "xqStockFinancialData",
        {
            "symbol": "SH600519",
            "metrics": ["eps", "net_profit", "revenue"],
            "period": "forecast",
        },
        session_id="s",
    )
    cited(answer)
    by: dict[tuple[str, str | None], str] = {}
    for one in answer.claims:
        assert isinstance(one.cite, ToolCite)
        by[one.metric, one.period] = one.cite.source
    assert by["forecast_eps", "2026_Q4"] == "xueqiu"
    assert by["forecast_net_profit", "2026_Q4"] == "tushare"
    assert by["forecast_revenue", "2026_Q4"] == "tushare"
    said = told(youju, "机构预期贵州茅台的净利润")
    assert "亿元" in said.text


def test_the_company_page_shows_what_each_source_expects_and_whose_it_is(youju: Services) -> None:
    view = Desk(youju).company("600519.SH", Wanted(tab="fin"), "s_expected")
    (table,) = (one for one in view.tables() if one.key == "forecasts")
    periods = [one.key for one in table.columns if one.kind == "figure"]
    assert periods == ["2026_Q4", "2027_Q4"]
    found: dict[tuple[str, str], list[float]] = {}
    for row in table.rows:
        figures = [row.cells.get(period) for period in periods]
        claims = [one for one in figures if isinstance(one, Claim)]
        (source,) = {one.cite.source for one in claims if isinstance(one.cite, ToolCite)}
        assert all(one.claim_id in view.claims for one in claims)
        assert row.cells["source"] == source_words(source)
        assert row.cells["as_of"] == max(one.as_of for one in claims).isoformat()
        found[claims[0].metric, source] = [one.value for one in claims]
    # Both played sources give earnings per share; the mean of Tushare's is of its newest reports.
    assert found["forecast_eps", "xueqiu"] == [73.4, 78.9]
    assert found["forecast_eps", "tushare"] == [72.0, 78.0]
    assert found["forecast_net_profit", "tushare"] == [90.5e9, 98e9]
    assert any("不是公司业绩" in note.zh for note in view.notes)


def test_where_no_source_covers_the_forecasts_the_page_says_that(youju: Services) -> None:
    part = Desk(youju).company("00700.HK", Wanted(tab="fin"), "s_expected").part
    assert isinstance(part, StatementsPart)
    assert not part.forecasts.tables()
    assert part.forecasts.why == Text(
        "已配置的来源未收录", "The chain of sources does not cover it"
    )


def test_the_page_of_a_fund_shows_its_prices_and_no_figure_of_a_company(youju: Services) -> None:
    head = Desk(youju).company("510300.SH", Wanted(), "s_fund").head
    assert isinstance(head.quote.price, Claim)
    assert (head.quote.price.value, head.quote.price.unit) == (4.65, "CNY")
    assert not head.is_company
    assert not head.stats


@pytest.mark.parametrize("market", ["CN", "HK", "US"])
def test_the_required_arguments_of_a_screen_rank_every_market(youju: Services, market: str) -> None:
    asked = {"category": market, "pettm": "0_max", "netprofit": "0_max", "order": "asc"}
    found = result(youju, "knowledge", usage="stock-screener", order_by="pettm", **asked)
    assert found["count"] > 0
    assert found["list"]


def test_america_is_screened_by_what_companies_reported_to_the_sec(youju: Services) -> None:
    found = result(
        youju,
        "knowledge",
        usage="stock-screener",
        category="US",
        pettm="0_max",
        netprofit="50000000000_max",
        roediluted="100_max",
        order_by="netprofit",
        order="desc",
    )
    (apple,) = found["list"]
    assert apple["symbol"] == "AAPL"
    # 112.01 billion; 112.01 / 73.733 = 151.9 %
    assert apple["netprofit"] == 112010000000
    assert round(apple["roediluted"], 1) == 151.9
    said = told(youju, "净利润大于500亿的美股")
    assert "苹果" in said.text
