"""How answers are worded: prices, losses, estimates, comparisons, tables, reasons; zh and en."""

import re
from typing import Any

import pytest

from services.core.claims import DerivedCite
from services.query.answering.answers import Answered
from services.query.planning.nlir import Nlir
from tests.unit.query.bundled_query import node, youju

ZH, EN = "问", "ask"


def _ask(text: str, *nodes: Any) -> Answered:
    found = youju().query.ask_as(Nlir(nodes=nodes), text)
    assert isinstance(found, Answered)
    assert found.verification.ok
    return found


def _query(metric: str, entity: str, name: str = "node_1", period: str = "最新") -> Any:
    return node("query", (metric,), name, entity=entity, period=period)


def test_a_close_is_called_last_close_and_says_it_is_worked_out() -> None:
    assert _ask(ZH, _query("最新价", "贵州茅台")).text == (
        "贵州茅台推算股价 450.39元（2017-05-25，推算）。"
    )
    assert "Last close 97.34 USD (2016-07-25)" in _ask(EN, _query("最新价", "AAPL")).text


def test_a_loss_is_called_a_loss_and_an_estimate_an_estimate() -> None:
    assert "2016年报亏损，净利润 -" in _ask(ZH, _query("净利润", "TSLA")).text
    assert "a loss, Net profit -" in _ask(EN, _query("净利润", "TSLA")).text
    assert _ask(ZH, _query("净利润", "贵州茅台")).text.endswith("167.17亿元（推算）。")


def test_a_trailing_figure_is_not_called_a_year() -> None:
    assert "近十二个月（至2017一季报）的营业收入为" in _ask(ZH, _query("营业收入", "贵州茅台")).text


def test_two_companies_are_compared_by_derived_claims() -> None:
    found = _ask(ZH, _query("净利润", "贵州茅台"), _query("净利润", "五粮液", "node_2"))
    assert "贵州茅台的净利润高于五粮液，相差约 99.33亿元，前者是后者的约 2.46倍。" in found.text
    derived = {claim.metric: claim for claim in found.claims}
    for name in ("net_profit_difference", "net_profit_ratio"):
        assert isinstance(derived[name].cite, DerivedCite)
        assert len(derived[name].cite.inputs) == 2  # type: ignore[union-attr]
    assert found.table is not None
    assert [row.symbol for row in found.table.rows] == ["600519.SH", "000858.SZ"]


def test_three_companies_are_put_in_order() -> None:
    names = ("五粮液", "贵州茅台", "洋河股份")
    nodes = [_query("净资产收益率", name, f"node_{at}") for at, name in enumerate(names, 1)]
    assert "净资产收益率从高到低：贵州茅台、洋河股份、五粮液。" in _ask(ZH, *nodes).text


def test_two_currencies_are_not_compared_and_that_is_said() -> None:
    found = _ask(ZH, _query("总市值", "贵州茅台"), _query("总市值", "腾讯控股", "node_2"))
    assert "不作比较" in found.text
    assert not [claim for claim in found.claims if claim.metric.endswith("_difference")]


def test_a_missing_figure_says_its_reason_and_the_period_asked() -> None:
    found = _ask(ZH, _query("营业收入", "贵州茅台", period="2015年报"))
    assert found.text == "贵州茅台 2015年报的营业收入暂缺：快照没有它的年报数据。"
    assert "no annual figures" in _ask(EN, _query("营业收入", "贵州茅台", period="2015年报")).text


def test_several_periods_of_one_company_are_rows_of_their_own() -> None:
    years = [_query("净利润", "腾讯控股", f"node_{y}", f"{y}年报") for y in (2014, 2015, 2016)]
    table = _ask(ZH, *years).table
    assert table is not None
    assert [row.label for row in table.rows] == [f"腾讯控股 {y}年报" for y in (2014, 2015, 2016)]


def test_a_screen_without_a_match_says_so() -> None:
    found = _ask(ZH, node("screen", pettm="低于1倍"))
    assert "没有同时满足这些条件的公司" in found.text
    assert found.table is None


@pytest.mark.parametrize("text", [ZH, EN])
def test_every_digit_of_the_text_outside_a_claim_is_a_date_or_a_report(text: str) -> None:
    found = _ask(
        text,
        _query("净利润", "腾讯控股"),
        _query("净利润", "贵州茅台", "node_2"),
        node("screen", name="node_3", pettm="低于20倍", order_by="净利润"),
    )
    bare = re.sub(r"\{\{c:c_[0-9a-f]{16}\}\}", "", found.draft.template)
    # A company nobody named in English is told by its sound, with its code behind it.
    bare = re.sub(r"\d{4}-\d{2}-\d{2}|\d{4}年报|FY\d{4}| \(\d{6}\)", "", bare)
    assert not re.search(r"\d", bare), bare


def test_the_plan_is_told_in_words_with_what_may_follow() -> None:
    found = _ask(ZH, _query("净利润", "贵州茅台"))
    assert found.plan_words == "贵州茅台的净利润"
    assert found.suggestions == ("营业收入呢", "贵州茅台同行对比")
    reported = _ask(ZH, _query("净利润", "万科A")).suggestions
    assert reported == ("营业收入呢", "最近三年呢", "万科A的最新价")  # its industry is not given
    assert _ask(EN, _query("净利润", "贵州茅台")).plan_words == "net profit of Kweichow Moutai"
