"""The report of a market: moves, breadth and industries, each computed here from the files."""

from pathlib import Path
from statistics import median
from typing import Any

import duckdb
import pytest

from services.agents.results import AgentRunRequest, AgentRunResult
from services.core.rendering import render
from services.core.text import Language
from tests.unit.reports.bundled import services

_SNAPSHOT = Path(__file__).parents[3] / "data" / "snapshot"


def rows(sql: str) -> list[tuple[Any, ...]]:
    tables = {
        name: f"read_parquet('{_SNAPSHOT / name}.parquet')"
        for name in ("bars", "facts", "companies")
    }
    return duckdb.sql(sql.format(**tables)).fetchall()


def told(language: Language = "zh") -> tuple[AgentRunResult, list[str]]:
    found = services().analyses.run(
        AgentRunRequest(skill_id="market_overview", language=language), "s_test"
    )
    assert isinstance(found, AgentRunResult)
    claims = {one.claim_id: one for one in found.claims}
    points = found.runtime_draft.key_points
    return found, [render(one, claims, language) for one in points]


def test_the_index_is_told_over_a_day_a_month_and_a_year() -> None:
    closes = [
        row[0] for row in rows("SELECT close FROM {bars} WHERE symbol = '000001.SH' ORDER BY date")
    ]
    _, points = told()
    for back in (1, 20, 250):
        move = (closes[-1] / closes[-1 - back] - 1) * 100
        way, digits = ("上涨" if move > 0 else "下跌"), (1 if abs(move) >= 10 else 2)
        assert f"{way} {abs(move):.{digits}f}%" in points[0]


def test_so_many_rose_and_fell_of_those_with_a_bar_that_day_and_the_one_before() -> None:
    moves = [
        last / before - 1
        for last, before in rows(
            "WITH held AS (SELECT symbol, date, close, "
            "lag(close) OVER (PARTITION BY symbol ORDER BY date) AS before, "
            "lag(date) OVER (PARTITION BY symbol ORDER BY date) AS day FROM {bars}) "
            "SELECT close, before FROM held JOIN {companies} c USING (symbol) "
            "WHERE date = '2017-07-25' AND day = '2017-07-24' AND c.market = 'CN' "
            "AND c.kind = 'stock'"
        )
    ]
    up, down = sum(one > 0 for one in moves), sum(one < 0 for one in moves)
    _, points = told()
    assert (
        f"有数据的公司(涨跌幅) {len(moves)}家、上涨家数 {up}家、下跌家数 {down}家、"
        f"平盘家数 {len(moves) - up - down}家" in points[1]
    )


@pytest.mark.parametrize(("industry", "english"), [("化工", "Chemicals"), ("医药生物", "Pharma")])
def test_each_large_industry_is_told_by_name_with_its_count_and_medians(
    industry: str, english: str
) -> None:
    figures = rows(
        "SELECT f.metric, f.value FROM {facts} f JOIN {companies} c USING (symbol) "
        "WHERE f.metric IN ('market_cap', 'pe_ttm') AND c.market = 'CN' AND c.kind = 'stock' "
        f"AND c.industry = '{industry}'"
    )
    sizes = [value for metric, value in figures if metric == "market_cap"]
    multiples = [value for metric, value in figures if metric == "pe_ttm" and value > 0]
    _, points = told()
    line = next(one for one in points if one.startswith(f"{industry}："))
    assert f"总市值合计 {sum(sizes) / 1e8:,.0f}亿元" in line
    assert f"有数据的公司(总市值) {len(sizes)}家" in line
    assert f"市盈率(TTM)中位数 {median(multiples):.1f}倍" in line
    _, points = told("en")
    assert any(one.startswith(english) for one in points)


def test_what_did_not_come_lowers_the_confidence_each_by_itself() -> None:
    found, _ = told()
    missing = next(one for one in found.deductions if one.rule == "failed_tools")
    assert missing.points == 35.0  # the news and six series of the economy, five points each
    for name in ("新闻", "采购经理指数", "CPI", "PPI", "货币供应", "LPR", "市场资金流"):
        assert name in missing.reason.zh
    assert found.confidence == 60.0
