"""Two sources, one figure: told apart beyond the tolerance, never averaged."""

from datetime import UTC, date, datetime

import pytest

from services.core.crosscheck import disagreements
from services.core.trace import Fact, ToolCall, Trace

DAY = date(2026, 11, 20)
AT = datetime(2026, 11, 20, 8, 30, tzinfo=UTC)


def fact(
    metric: str, value: float, day: date = DAY, unit: str = "CNY", note: str | None = None
) -> Fact:
    return Fact(
        symbol="600519.SH",
        metric=metric,
        value=value,
        unit=unit,
        as_of=day,
        field=metric[:2],
        note=note,
    )


def call(source: str, *rows: Fact) -> ToolCall:
    return ToolCall(
        tool_call_id=f"tc_{source}",
        name="stock",
        arguments={},
        attempts=(),
        source=source,
        table="quotes",
        served_by=source,
        fetched_at=AT,
        duration_ms=1.0,
        rows=rows,
    )


def found(*calls: ToolCall) -> dict[str, list[float]]:
    told = disagreements(Trace(tool_calls=calls))
    return {one.metric: [each.value for each in one.readings] for one in told.values()}


def test_figures_within_their_tolerance_agree() -> None:
    # |20.9 - 20.6| / 20.9 = 1.4 %, and P/E may differ by 2 %
    a, b = call("a", fact("pe_ttm", 20.9)), call("b", fact("pe_ttm", 20.6))
    assert found(a, b) == {}


def test_beyond_it_both_are_kept_in_the_order_they_were_asked() -> None:
    a, b = call("a", fact("pe_ttm", 20.9)), call("b", fact("pe_ttm", 19.0))
    assert found(a, b) == {"pe_ttm": [20.9, 19.0]}


def test_the_same_source_asked_twice_is_no_second_opinion() -> None:
    again = call("a", fact("pe_ttm", 19.0)).model_copy(update={"tool_call_id": "tc_2"})
    assert found(call("a", fact("pe_ttm", 20.9)), again) == {}


def test_other_days_and_other_units_are_not_compared() -> None:
    a = call("a", fact("market_cap", 100.0))
    assert found(a, call("b", fact("market_cap", 90.0, date(2026, 11, 19)))) == {}
    assert found(a, call("b", fact("market_cap", 90.0, unit="HKD"))) == {}


@pytest.mark.parametrize(
    ("metric", "first", "second"),
    [
        ("revenue", "营业总收入；公告日 2026-10-28", "公告日 2026-10-28"),
        ("roe", "加权；公告日 2026-10-28", "摊薄；公告日 2026-10-28"),
        ("roe", "加权，未年化", "平均净资产口径"),
        ("roe", "加权", "来源未注明口径"),
        ("net_profit", None, "扣非"),
    ],
)
def test_two_flavours_of_one_name_are_no_disagreement(
    metric: str, first: str | None, second: str
) -> None:
    a = call("a", fact(metric, 100.0, note=first))
    assert found(a, call("b", fact(metric, 90.0, note=second))) == {}


def test_within_a_flavour_sources_are_compared_whatever_else_the_notes_say() -> None:
    a = call("a", fact("roe", 26.1, note="加权，未年化；公告日 2026-10-28"))
    b = call("b", fact("roe", 22.0, note="加权；来源收录于 2026-10-29"))
    other = call("c", fact("roe", 24.0, note="平均"))
    assert found(a, other, b) == {"roe": [26.1, 22.0]}


def test_of_adjusted_series_only_the_newest_common_day_is_compared() -> None:
    old = date(2020, 1, 2)
    a = call("a", fact("close", 900.0, old), fact("close", 1500.0))
    b = call("b", fact("close", 800.0, old), fact("close", 1500.0))
    assert found(a, b) == {}
    wrong = call("b", fact("close", 800.0, old), fact("close", 1480.0))
    # |1500 - 1480| / 1500 = 1.3 %, a close may differ by 0.1 %
    assert found(a, wrong) == {"close": [1500.0, 1480.0]}


def test_zero_against_zero_agrees_and_zero_against_something_does_not() -> None:
    assert found(call("a", fact("dy_l", 0.0)), call("b", fact("dy_l", 0.0))) == {}
    assert found(call("a", fact("dy_l", 0.0)), call("b", fact("dy_l", 3.0))) == {"dy_l": [0.0, 3.0]}
