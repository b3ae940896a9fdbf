"""Abnormal events and indicators in live mode, every upstream played: joined, named, cited."""

from typing import Any

import pytest

from services.container import Services
from services.tools.base import ToolResult
from services.workbench.desk import Desk
from tests.fakes.server import World

pytestmark = pytest.mark.thorough

ASKED: dict[str, Any] = {
    "stockSearchQuery": "",
    "searchStockFeedNew": False,
    "searchStockFeedHot": False,
    "searchStockNotice": False,
    "searchStockQuote": False,
    "searchStockInfluencer": False,
    "timeRange": "OneMonth",
    "startDate": "",
    "endDate": "",
    "scope": "all",
    "searchStockAbnormal": True,
}


def feed(youju: Services, name: str) -> ToolResult:
    asked = {"stockName": name, **ASKED}
    return youju.toolbox.call("xqSearchStockFeed", asked, session_id="s_test")


def event(answer: ToolResult, day: str) -> dict[str, Any]:
    result: Any = answer.result
    return next(one for one in result["abnormal_events"] if one["date"] == day)


def test_flags_notices_and_headlines_join_the_computed_events(youju: Services) -> None:
    answer = feed(youju, "000001.SZ")
    found = event(answer, "2026-11-20")
    text = found["reason"]
    assert "登上龙虎榜《日涨幅偏离值达到7%的前5只证券》，净买入额6,600.00万元" in text
    assert "《封涨停板》" in text
    assert "当日新闻《平安银行：回购方案获通过》" in text
    assert "前一交易日公告《" in text
    assert found["explained"] is True
    assert {"abnormal.z60", "flag.exchange.lhb", "flag.watch.em", "abnormal.published"} <= set(
        found["rules"]
    )
    kinds = {lead["kind"] for lead in found["leads"]}
    assert kinds == {"signal", "notice", "news"}
    calls = {call.tool_call_id: call for call in answer.trace.tool_calls}
    for lead in found["leads"]:
        items = {item.item_id for item in calls[lead["tool_call_id"]].items}
        assert lead["id"] in items
        assert lead["date"] in {"2026-11-19", "2026-11-20"}
        assert lead["kind"] == "signal" or lead["url"].startswith("http")


def test_a_flagged_day_nobody_wrote_about_says_so(youju: Services) -> None:
    # 300750 was on the list of 11-06; its notices and headlines are of other days.
    found = event(feed(youju, "宁德时代"), "2026-11-06")
    assert found["rules"] == ["flag.exchange.lhb"]
    assert found["explained"] is False
    assert "净买入额-1,250.00万元" in found["reason"]
    assert found["reason"].endswith("未见公告或新闻，原因不明。")


def test_with_every_source_of_texts_down_the_event_stays_and_they_are_named(
    world: World, youju: Services
) -> None:
    for name in ("cninfo", "xueqiu", "rss"):
        world.services[name].fault = "broken"
    eastmoney = world.services["eastmoney"]
    eastmoney.fault, eastmoney.fault_path = "broken", "/notice"
    found = event(feed(youju, "000001.SZ"), "2026-11-20")
    assert "abnormal.z60" in found["rules"]
    caveats = "；".join(found["caveats"])
    assert "未能查询公告：巨潮资讯暂不可用；东方财富暂不可用；雪球暂不可用" in caveats
    assert "公告" not in found["reason"]
    assert "当日新闻" in found["reason"]


def test_the_page_of_a_stock_has_the_same_leads(youju: Services) -> None:
    view = Desk(youju).stock("000001.SZ", None, None, "s_test")
    (newest,) = (one for one in view.events if one.end.isoformat() == "2026-11-20")
    assert newest.leads
    assert view.events_table.columns[-1].key == "leads"


def test_indicators_are_computed_from_live_bars_and_cited(youju: Services) -> None:
    asked = {"symbol": "600519", "market": "CN"}
    answer = youju.toolbox.call("compute_indicators", asked, session_id="s_test")
    result: Any = answer.result
    assert result["source"] == "eastmoney"
    assert result["as_of"] == "2026-11-20"
    assert result["basis"]["close"] == 1502.3
    assert 0 <= result["momentum"]["rsi"] <= 100
    assert result["momentum"]["macd"]["histogram"] == pytest.approx(
        2 * (result["momentum"]["macd"]["value"] - result["momentum"]["macd"]["signal"])
    )
    assert any("前复权" in note for note in result["notes"])
