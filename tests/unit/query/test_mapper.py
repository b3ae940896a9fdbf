"""Names become codes, values physical values; the protocol's own example slot for slot."""

from typing import Any

import pytest

from services.query.planning.mapper import to_plir
from services.query.planning.nlir import AskBack, Nlir
from services.query.planning.plir import Plir
from services.query.reading.conditions import screened_as, to_range
from services.query.reading.paraphrase import plan_words
from tests.unit.query.bundled_query import metadata, node, youju

METRIC = {
    "key": "metric",
    "name": "指标类型",
    "value": "total_revenue",
    "code": "company.finance.revenue",
}


def _nlir(name: str, key: str, company: str, **more: str) -> dict[str, Any]:
    """The semantic node of seed 002 §3, as printed there."""
    return {
        "id": name,
        "action": "query",
        **more,
        "outputs": [{"key": key, "name": "营业收入", "type": "field"}],
        "args": [
            {"key": "entity", "name": "公司名称", "value": company, "type": "entity"},
            {"key": "period", "name": "报告期", "value": "最新", "type": "field"},
        ],
    }


def _plir(name: str, key: str, ticker: str, **more: str) -> dict[str, Any]:
    """The physical node of seed 002 §3; its period 2024Q3 is what the data of that day decided."""
    return {
        "id": name,
        "action": "api_get_financial",
        **more,
        "outputs": [
            {
                "key": key,
                "name": "营业收入",
                "code": "company.finance.revenue",
                "extractor": "$.data.value",
            }
        ],
        "args": [
            {
                "key": "ticker",
                "name": "公司名称",
                "value": ticker,
                "code": "company.basic.ticker",
            },
            {
                "key": "period",
                "name": "报告期",
                "value": "latest",
                "code": "common.date.report_period",
            },
            METRIC,
        ],
    }


def _mapped(*nodes: Any, **more: Any) -> Plir | AskBack:
    services = youju()
    return to_plir(Nlir(nodes=nodes), services.names, metadata(), services.clock, **more)


def _args(plir: Plir | AskBack) -> dict[str, Any]:
    assert isinstance(plir, Plir), plir
    return {slot.key: slot.value for slot in plir.nodes[0].args}


@pytest.mark.parametrize(
    ("semantic", "physical"),
    [
        (_nlir("node_1", "var_rev", "贵州茅台"), _plir("node_1", "var_rev", "600519.SH")),
        (
            _nlir("node_2a", "var_rev_wu", "五粮液", ref_id="turn_01.node_1"),
            _plir("node_2a", "var_rev_wu", "000858.SZ", ref_id="turn_01.node_1"),
        ),
    ],
)
def test_both_turns_of_the_protocol_slot_for_slot(
    semantic: dict[str, Any], physical: dict[str, Any]
) -> None:
    nlir = Nlir.model_validate({"nodes": [semantic]})
    assert nlir.model_dump(mode="json", exclude_none=True) == {"nodes": [semantic]}
    plir = to_plir(nlir, youju().names, metadata(), youju().clock)
    assert isinstance(plir, Plir)
    assert plir.model_dump(mode="json", exclude_none=True) == {"nodes": [physical]}
    # The protocol's own physical node is read and written unchanged too.
    physical["args"][1]["value"] = "2024Q3"
    read = Plir.model_validate({"nodes": [physical]})
    assert read.model_dump(mode="json", exclude_none=True) == {"nodes": [physical]}


@pytest.mark.parametrize(
    ("said", "period"),
    [
        ("最新", "latest"),
        ("实时", "realtime"),
        ("预期", "forecast"),
        ("2016年报", "2016_Q4"),
        ("2016中报", "2016_Q2"),
        ("2016三季报", "2016_Q3"),
        ("2016一季报", "2016_Q1"),
        ("年报", "2016_Q4"),
    ],
)
def test_periods_take_their_physical_value(said: str, period: str) -> None:
    plir = _mapped(node("query", ("净利润",), entity="贵州茅台", period=said))
    assert _args(plir)["period"] == period


@pytest.mark.parametrize(
    ("field", "said", "wire"),
    [
        ("dy_l", "大于3%", "3_max"),
        ("dy_l", "不低于3%", "3_max"),
        ("dy_l", "百分之五以上", "5_max"),
        ("pettm", "低于20倍", "0_20"),
        ("pettm", "不超过20", "0_20"),
        ("pettm", "5到10倍", "5_10"),
        ("pettm", "大于5且小于10", "5_10"),
        ("pettm", "大于0", "0.000001_max"),
        ("pettm", "不低于10且不超过10", "10_10.000001"),
        ("roediluted", "小于5%", "min_5"),
        ("tl", "不超过100亿", "0_10000000000"),
        ("netprofit", "不亏损", "0.01_max"),
        ("pettm", "亏损", "min_0"),
        ("netprofit", "超过一百亿", "10000000000_max"),
        ("netprofit", "小于1亿", "min_100000000"),
        ("netprofit", "10-50亿", "1000000000_5000000000"),
        ("netprofit", "1亿2000万以上", "120000000_max"),
        ("netprofit", "盈利", "0.01_max"),
        ("netprofit", "over 1.5 billion", "1500000000_max"),
        ("pct", "跌幅大于5%", "min_-5"),
        ("market_cap", "大于1000亿", "100000000000_max"),
        ("pb", "2_4", "2_4"),
    ],
)
def test_conditions_take_the_grammar_of_the_wire(field: str, said: str, wire: str) -> None:
    assert to_range(field, [said]) == wire


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        ("不低于3%", "大于3%"),
        ("100亿以上", "大于100亿"),
        ("不超过20倍", "小于20倍"),
        ("百分之五以下", "小于百分之五"),
        ("大于3%", None),
        ("10到20", None),
        ("亏损", None),
        ("不低于0", None),
    ],
)
def test_a_bound_whose_limit_is_left_out_says_how_it_is_screened(
    said: str, taken: str | None
) -> None:
    assert screened_as(said) == taken
    told = f"股息率{said}（按 {taken} 筛选）" if taken else f"股息率{said}"
    plan = plan_words(Nlir(nodes=(node("screen", dy_l=said),)), "zh", youju().names, metadata())
    assert plan.replace("dy_l", "股息率").endswith(told)


def test_a_screen_is_filled_with_what_nobody_said() -> None:
    plir = _mapped(node("screen", pettm="低于20倍", industry="家电"), industries=_LABELS)
    assert _args(plir) == {
        "industry": "家用电器",
        "pettm": "0_20",
        "category": "CN",
        "order_by": "symbol",
        "order": "desc",
        "size": 10,
    }


_LABELS = {"CN": frozenset({"家用电器", "银行"})}


def test_figures_of_two_tools_are_two_nodes() -> None:
    plir = _mapped(
        node("query", ("营业收入", "净利润", "最新价"), entity="贵州茅台", period="最新")
    )
    assert isinstance(plir, Plir)
    assert [(one.id, one.action) for one in plir.nodes] == [
        ("node_1", "api_get_financial"),
        ("node_1_2", "api_get_quote"),
    ]
    paths = [slot.extractor for one in plir.nodes for slot in one.outputs]
    assert paths == ["$.data.total_revenue", "$.data.net_profit", "$.data.value"]


@pytest.mark.parametrize(
    "asked",
    [
        node("query", ("净利润",), entity="平安", period="最新"),
        node("query", ("净利润",), entity="000001", period="最新"),
        node("query", ("净利润",), entity="没有的公司名", period="最新"),
        node("query", ("净利润",), period="最新"),
        node("query", ("研发费用",), entity="贵州茅台"),
        node("query", ("净利润",), entity="上证指数"),
        node("screen", pettm="大于20小于10"),
        node("screen", pettm="大于"),
        node("screen", pettm="大于3%"),
        node("screen", netprofit="大于5"),
        node("abnormal", entity="贵州茅台", start_date="2016-01-01", end_date="2015-01-01"),
        node("visit", url="https://example.com/a"),
        node("macro", series="猪肉"),
    ],
)
def test_what_cannot_be_mapped_is_asked_back_in_the_language(asked: Any) -> None:
    zh, en = _mapped(asked), _mapped(asked, language="en")
    assert isinstance(zh, AskBack)
    assert isinstance(en, AskBack)
    assert zh.reason
    assert zh.reason != en.reason
    assert zh.choices == en.choices


def test_a_choice_can_be_asked_as_it_is() -> None:
    found = _mapped(node("query", ("净利润",), entity="平安", period="最新"))
    assert isinstance(found, AskBack)
    assert "中国平安(601318.SH) 净利润" in found.choices
