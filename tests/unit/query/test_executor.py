"""Plans carried out on the bundled market: one run a turn, values taken by extractor, reasons."""

from typing import Any

import pytest

from services.core.ledger import Ledger
from services.core.verifier import verify
from services.query.answering.executor import DoneNode, Executor
from services.query.planning.mapper import to_plir
from services.query.planning.nlir import Nlir
from services.query.planning.plir import Plir
from services.tools.base import Workbench
from services.tools.knowledge_base import KnowledgeBase
from services.tools.registry import TOOLS
from tests.unit.query.bundled_query import metadata, node, youju


def _run(*nodes: Any) -> tuple[Ledger, tuple[DoneNode, ...]]:
    services = youju()
    settings = services.settings
    bench = Workbench(
        services.names,
        services.calendar,
        services.clock,
        settings,
        KnowledgeBase(settings.knowledge),
    )
    plir = to_plir(Nlir(nodes=nodes), services.names, metadata(), services.clock)
    assert isinstance(plir, Plir), plir
    executor = Executor(TOOLS, bench, metadata())
    kept: list[Ledger] = []

    def work(ledger: Ledger) -> tuple[DoneNode, ...]:
        kept.append(ledger)
        return executor.execute(ledger, plir)

    finished = services.runner.run("ask", {}, work, session_id="test")
    assert verify(finished.claims, finished.trace, services.clock.now()).ok
    return kept[0], finished.output


def test_a_single_figure_is_taken_by_its_extractor_and_is_a_claim() -> None:
    ledger, (done,) = _run(node("query", ("营业收入",), entity="腾讯控股", period="最新"))
    (output,) = done.outputs
    claims = {claim.claim_id: claim for claim in ledger.claims}
    assert [claims[name].value for name in output.claims] == list(output.values)
    assert claims[output.claims[0]].metric == "revenue"


def test_several_figures_and_periods_come_in_the_order_asked() -> None:
    _, (done,) = _run(
        node("query", ("净利润", "营业收入"), entity="腾讯控股", period="年报", count=3)
    )
    assert [column.key for column in done.outcome.columns] == ["net_profit", "revenue"]
    assert [row.label.zh for row in done.outcome.rows] == ["2016年报", "2015年报", "2014年报"]
    assert all(len(output.values) == 3 for output in done.outputs)


def test_a_missing_figure_is_null_with_its_reason() -> None:
    _, (done,) = _run(node("query", ("毛利率",), entity="贵州茅台", period="2015年报"))
    (output,) = done.outputs
    assert output.values == (None,)
    assert output.claims == ()
    assert output.reasons == ("快照没有它的年报数据",)


def test_one_node_that_fails_leaves_the_others() -> None:
    _, (first, second) = _run(
        node("price_history", entity="贵州茅台"),
        node("query", ("净利润",), "node_2", entity="贵州茅台", period="最新"),
    )
    assert first.outcome.absent is not None
    assert "快照没有它的日线" in first.outcome.absent.zh
    assert second.outputs[0].claims


def test_the_same_data_are_fetched_once_in_a_turn() -> None:
    ledger, _ = _run(
        node("query", ("净利润", "最新价"), entity="贵州茅台", period="最新"),
        node("query", ("市盈率",), "node_2", entity="贵州茅台", period="最新"),
    )
    calls = [call for call in ledger.trace.tool_calls if call.rows]
    requests = [str(call.arguments.get("request")) for call in calls]
    assert len(requests) == len(set(requests))


def test_a_screen_carries_what_was_asked_of_the_companies() -> None:
    _, (done,) = _run(node("screen", ("毛利率",), pettm="低于20倍", order_by="净利润", size=3))
    keys = [column.key for column in done.outcome.columns]
    assert keys == ["gross_margin", "netprofit", "pettm", "market_cap"]
    assert len(done.outcome.rows) == 3
    assert all("gross_margin" in row.figures for row in done.outcome.rows)
    assert len(done.outputs[0].reasons) == 3


@pytest.mark.parametrize(
    "asked",
    [
        node("abnormal", entity="万科A", start_date="2015-12-01", end_date="2015-12-31"),
        node("price_history", entity="万科A", time_range="一年内"),
        node("compare", entity="招商银行(600036.SH)"),
        node("knowledge", query="三分法是什么"),
        node("query", ("最新价", "成交额", "市销率", "市净率"), entity="万科A", period="实时"),
        node("query", ("最新价",), entity="上证指数"),
    ],
)
def test_every_kind_of_node_brings_something(asked: Any) -> None:
    _, done = _run(asked)
    outcome = done[0].outcome
    assert outcome.absent is None
    assert outcome.rows or outcome.sentences


@pytest.mark.parametrize(
    "asked",
    [
        node("feed", entity="贵州茅台", wants="公告"),
        node("web_search", query="白酒"),
        node("site_search", query="白酒"),
        node("user_feed", user="某人"),
        node("visit", url="https://xueqiu.com/S/SH600519"),
        node("macro", series="CPI"),
    ],
)
def test_what_the_snapshot_has_not_says_so(asked: Any) -> None:
    _, done = _run(asked)
    outcome = done[0].outcome
    said = outcome.absent.zh if outcome.absent else " ".join(one.zh for one in outcome.sentences)
    assert "快照" in said
