"""Only a claim can become a number in a tool's JSON."""

from datetime import UTC, date, datetime

import pytest

from services.core.claims import Claim, Missing, ToolCite
from services.core.rendering import place
from services.tools.wire import Absent, Cited, Scaled, to_wire, unit_words


def claim(value: float, unit: str, name: str = "c_0000000000000001") -> Claim:
    cite = ToolCite(
        source="annual_reports",
        table="annual_figures",
        fetched_at=datetime(2017, 7, 26, tzinfo=UTC),
        tool_call_id="tc_1",
        served_by="snapshot",
        field="net_profit_attr",
    )
    return Claim(
        claim_id=name,
        value=value,
        metric="net_profit",
        symbol="600519.SH",
        as_of=date(2016, 12, 31),
        unit=unit,
        period="2016_Q4",
        cite=cite,
    )


def test_figures_are_written_as_numbers_and_their_places_listed() -> None:
    profit = claim(16718362734.16, "CNY")
    wire = to_wire({"data": [{"day": date(2016, 12, 31), "net_profit": profit}], "name": "茅台"})
    assert wire.value == {
        "data": [{"day": "2016-12-31", "net_profit": 16718362734.16}],
        "name": "茅台",
    }
    assert wire.cites == {"data[0].net_profit": ["c_0000000000000001"]}


def test_an_amount_in_yi_is_divided_without_dust() -> None:
    # 16718362734.16 / 10^8 by moving the point: 167.1836273416
    wire = to_wire({"net_profit": Scaled(claim(16718362734.16, "CNY"), "CNY_yi")})
    assert wire.value == {"net_profit": 167.1836273416}


def test_a_count_is_a_whole_number() -> None:
    wire = to_wire({"count": claim(3241.0, "count")})
    assert str(wire.value) == "{'count': 3241}"


def test_a_null_carries_its_reason() -> None:
    gap = Missing(metric="eps", symbol="600519.SH", reason="来源未给出")
    wire = to_wire({"data": [{"eps": gap}], "feed_new": Absent("快照不含讨论")})
    assert wire.value == {
        "data": [{"eps": None}],
        "feed_new": None,
        "reasons": {"data[0].eps": "来源未给出", "feed_new": "快照不含讨论"},
    }


def test_a_sentence_is_rendered_from_its_claims() -> None:
    profit = claim(16718362734.16, "CNY")
    wire = to_wire({"reason": Cited("净利润 " + place(profit), {profit.claim_id: profit})})
    assert wire.value == {"reason": "净利润 167.18亿元"}
    assert wire.cites == {"reason": [profit.claim_id]}


@pytest.mark.parametrize("number", [1, 1.5, float("nan")])
def test_a_bare_number_cannot_leave_a_tool(number: float) -> None:
    with pytest.raises(TypeError, match=r"list\[0\]\.pe_ttm"):
        to_wire({"list": [{"pe_ttm": number}]})


def test_units_are_named_by_column_and_several_are_all_named() -> None:
    words = unit_words(
        [
            ("net_profit", Scaled(claim(1.0, "CNY"), "CNY_yi")),
            ("price", claim(1.0, "CNY")),
            ("price", claim(1.0, "HKD")),
            ("eps", Missing(metric="eps", symbol="600519.SH", reason="来源未给出")),
        ]
    )
    assert words == {"net_profit": "亿元 (CNY_yi)", "price": "元 (CNY) / 港元 (HKD)"}
