"""What live mode has beyond the requirement's tools, each through tool and question, all played."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from services.container import Services
from services.core.claims import Claim, ToolCite
from services.core.text import Text
from services.query.answering.answers import Answered
from services.views.company.build import SectionRequest
from services.views.company.statements import StatementsPart
from services.views.source_words import source_words
from services.workbench.desk import Desk
from tests.fakes import everything
from tests.fakes.server import Asked, Reply, World
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


# What Eastmoney's table of valuations has of the last session of 2023; of every other day as ever.
_YEAR_END = {"TRADE_DATE": "2023-12-29 00:00:00", "CLOSE_PRICE": 1726.0, "PE_TTM": 30.09}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("贵州茅台2023年末PE", "贵州茅台的市盈率(TTM)为 30.09倍（2023-12-29）。"),
        ("贵州茅台2023年末的市盈率", "贵州茅台的市盈率(TTM)为 30.09倍（2023-12-29）。"),
        ("Moutai PE at the end of 2023", "Kweichow Moutai: P/E (TTM) 30.09 x (2023-12-29)."),
        ("600519 PE at end of 2023Q4", "Kweichow Moutai: P/E (TTM) 30.09 x (2023-12-29)."),
    ],
)
def test_the_multiple_of_a_years_last_session_is_told(
    world: World, youju: Services, question: str, said: str
) -> None:
    eastmoney = world.services["eastmoney"]
    usual: Callable[[Asked], Reply] = eastmoney.answer

    def answer(asked: Asked) -> Reply:
        reply = usual(asked)
        about = asked.query.get("reportName"), asked.query.get("filter", "")
        if about[0] == "RPT_VALUEANALYSIS_DET" and "2023-12-31" in about[1]:
            # As of another day, asked without the days: one row of it.
            query = {**asked.query, "filter": '(SECURITY_CODE="600519")', "pageSize": "1"}
            document: Any = usual(replace(asked, query=query)).document
            (row,) = document["result"]["data"]
            document["result"]["data"] = [{**row, **_YEAR_END}]
            return Reply(document)
        return reply

    vars(eastmoney)["answer"] = answer
    try:
        found = result(
            youju,
            "xqStockFinancialData",
            symbol="SH600519",
            metrics=["pe_ttm"],
            period="2023_Q4",
        )
        told_so = told(youju, question)
    finally:
        del vars(eastmoney)["answer"]
    assert [(row["period"], row["pe_ttm"]) for row in found["data"]] == [("2023_Q4", 30.09)]
    assert told_so.text == said
    (claim,) = (one for one in told_so.claims if one.metric == "pe_ttm")
    assert (claim.value, claim.as_of.isoformat()) == (30.09, "2023-12-29")


@pytest.mark.parametrize(
    ("question", "close"),
    [
        ("510300最近收盘", "4.65元"),
        ("510300 latest close", "4.65 CNY"),
        ("中证500最新点位", "6,800.00点"),
        ("CSI 500 latest", "6,800.00 pts"),
        ("Hang Seng Tech latest", "5,600.00 pts"),
        ("科创50今年涨幅", "1,400.00点"),
        ("STAR 50 year to date return", "1,400.00 pts"),
        ("510300今年涨幅", "4.65元"),
        ("Dow Jones year to date", "46,000.00 pts"),
    ],
)
def test_indexes_and_funds_answer_in_both_languages(
    youju: Services, question: str, close: str
) -> None:
    assert close in told(youju, question).text


def test_the_run_of_an_index_since_the_last_year_is_its_two_closes(youju: Services) -> None:
    said = told(youju, "科创50今年涨幅")
    closes = {
        one.as_of.isoformat(): one.value
        for one in said.claims
        if (one.metric, one.symbol) == ("close", "000688.SH")
    }
    first, last = closes["2025-12-31"], closes["2026-11-20"]
    assert f"上涨 {(last / first - 1) * 100:.2f}%" in said.text


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
    youju.names.resolve("510300")  # the list of funds has been read
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
    head = Desk(youju).company("000001.SH", SectionRequest(), "s_indexes").head
    shown = {stat.figure.metric: stat.figure for stat in head.stats}
    assert list(shown) == ["pe_ttm", "pe_lyr", "pb"]
    pe = shown["pe_ttm"]
    assert isinstance(pe, Claim)
    assert (pe.value, pe.unit) == (16.1, "multiple")
    # Of these nobody has any: the place is empty, not guessed.
    assert not Desk(youju).company("SPX", SectionRequest(), "s_indexes").head.stats


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("上证指数市盈率", "上证指数的市盈率(TTM)为 16.10倍（2026-11-20）。"),
        ("上证综指PE", "上证指数的市盈率(TTM)为 16.10倍（2026-11-20）。"),
        ("Shanghai Composite PE", "SSE Composite: P/E (TTM) 16.10 x (2026-11-20)."),
    ],
)
def test_a_question_of_an_indexs_multiple_is_answered(
    youju: Services, question: str, said: str
) -> None:
    assert told(youju, question).text == said


@pytest.mark.parametrize(
    "question", ["沪深300ETF最近收盘", "沪深300 ETF最近收盘", "CSI 300 ETF latest close"]
)
def test_a_fund_that_follows_an_index_is_asked_for_by_its_name(
    youju: Services, question: str
) -> None:
    youju.names.resolve("510300")  # the list of funds has been read
    said = told(youju, question)
    assert "4.65" in said.text
    assert {one.symbol for one in said.claims} == {"510300.SH"}


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


# The fakes expect 73.4 and 78.9 yuan a share (Xueqiu), 90.5 and 98 billion (Tushare), 20.5 and 19.0
# times, of 2026 and 2027; the clock is in November 2026.
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("贵州茅台预测净利润", "贵州茅台 2026年报的预测净利润为 905.00亿元。"),
        ("贵州茅台2027年预测净利润", "贵州茅台 2027年报的预测净利润为 980.00亿元。"),
        ("贵州茅台明年一致预期每股收益", "贵州茅台 2027年报的预测每股收益为 78.90元/股。"),
        ("贵州茅台后年预测净利润", "贵州茅台的净利润暂缺：来源没有给出这一年的预测。"),
        ("贵州茅台预测市盈率", "贵州茅台 2026年报的预测市盈率为 20.50倍。"),
        ("Moutai forward PE", "Kweichow Moutai, FY2026: Forecast P/E 20.50 x."),
        ("600519 forecast EPS 2027", "Kweichow Moutai, FY2027: Forecast EPS 78.90 CNY/share."),
        (
            "Moutai consensus EPS next year",
            "Kweichow Moutai, FY2027: Forecast EPS 78.90 CNY/share.",
        ),
    ],
)
def test_what_is_expected_of_a_year_is_told_of_that_year(
    youju: Services, question: str, said: str
) -> None:
    assert told(youju, question).text == said


def test_a_tool_is_asked_for_the_estimates_of_one_year(youju: Services) -> None:
    asked = {"symbol": "SH600519", "metrics": ["net_profit", "pe_ttm"], "period": "forecast_2027"}
    (row,) = result(youju, "xqStockFinancialData", **asked)["data"]
    assert (row["period"], row["net_profit"], row["pe_ttm"]) == ("2027_Q4", 980, 19.0)


def test_the_company_page_shows_what_each_source_expects_and_whose_it_is(youju: Services) -> None:
    view = Desk(youju).company("600519.SH", SectionRequest(tab="fin"), "s_expected")
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
    part = Desk(youju).company("00700.HK", SectionRequest(tab="fin"), "s_expected").part
    assert isinstance(part, StatementsPart)
    assert not part.forecasts.tables()
    assert part.forecasts.why == Text(
        "已配置的来源未收录", "The chain of sources does not cover it"
    )


def test_the_page_of_a_fund_shows_its_prices_and_no_figure_of_a_company(youju: Services) -> None:
    head = Desk(youju).company("510300.SH", SectionRequest(), "s_fund").head
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


def test_the_dividend_yield_of_hong_kong_is_told_by_tool_screen_page_and_question(
    youju: Services,
) -> None:
    # The fake Xueqiu quotes Tencent at 0.74 %, in its quote and in its list.
    (row,) = result(
        youju, "xqStockFinancialData", symbol="00700", metrics=["dy_l"], period="realtime"
    )["data"]
    assert row["dy_l"] == 0.74
    required = {"pettm": "0_max", "netprofit": "0_max"}
    asked = {**required, "category": "HK", "dy_l": "0.5_max", "order_by": "dy_l", "order": "desc"}
    (listed,) = result(youju, "knowledge", usage="stock-screener", **asked)["list"]
    assert (listed["symbol"], listed["dy_l"]) == ("00700.HK", 0.74)
    dearer = {**asked, "dy_l": "1_max"}
    assert result(youju, "knowledge", usage="stock-screener", **dearer)["count"] == 0
    view = Desk(youju).screen({"category": "HK", "dy_l": "0.5_max"}, "s_yield")
    shown = [cell.value for r in view.table.rows for cell in r.cells.values()
             if isinstance(cell, Claim) and cell.metric == "dy_l"]  # fmt: skip
    assert shown == [0.74]
    assert "腾讯控股的股息率为 0.74%" in told(youju, "腾讯控股的股息率").text
    assert "Tencent: Dividend yield 0.74%" in told(youju, "Tencent dividend yield").text
    assert "腾讯控股" in told(youju, "股息率大于0.5%的港股").text
    head = Desk(youju).company("00700.HK", SectionRequest(), "s_yield").head
    figures = {stat.figure.metric: stat.figure for stat in head.stats}
    yielded = figures["dy_l"]
    assert isinstance(yielded, Claim)
    assert yielded.value == 0.74
