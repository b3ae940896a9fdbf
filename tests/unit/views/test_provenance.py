"""What the calls of a trace tell is worked out once, and goes with the trace."""

import gc
from datetime import UTC, date, datetime

from services.core.ledger import Ledger
from services.core.trace import Fact, ToolCall, Trace
from services.views import provenance
from services.views.provenance import Ground

DAY = date(2017, 5, 25)


def call_of(name: str, source: str, value: float) -> ToolCall:
    fact = Fact(
        symbol="600519.SH", metric="pe_ttm", value=value, unit="multiple", as_of=DAY,
        period=None, field="pe", raw=None,
    )  # fmt: skip
    return ToolCall(
        tool_call_id=name, name="company", arguments={}, attempts=(), source=source, table="t",
        served_by=source, fetched_at=datetime(2017, 7, 26, tzinfo=UTC), duration_ms=1.0,
        rows=(fact,),
    )  # fmt: skip


def test_every_trace_tells_its_own_and_one_that_is_gone_is_not_kept() -> None:
    ledger = Ledger(lambda _: ())
    apart, alike = (
        (call_of("tc_1", "a", 20.0), call_of("tc_2", "b", 30.0)),
        call_of("tc_3", "b", 20.0),
    )
    claim = ledger.claim(apart[0], apart[0].rows[0])
    claims = {claim.claim_id: claim}
    before = len(provenance._told)
    first, second = Trace(tool_calls=apart), Trace(tool_calls=(apart[0], alike))
    for _ in range(2):
        differs = Ground(claims, first).standing(claim).differs
        assert differs is not None
        assert [one.value for one in differs.readings] == [20.0, 30.0]
        assert Ground(claims, second).standing(claim).differs is None
    assert len(provenance._told) == before + 2
    del first, second
    gc.collect()
    assert len(provenance._told) == before


def test_a_claim_is_written_once_for_each_way_and_another_with_its_id_is_not_it() -> None:
    ledger = Ledger(lambda _: ())
    call = call_of("tc_1", "a", 20.0)
    claim = ledger.claim(call, call.rows[0])
    trace, made = Trace(tool_calls=(call,)), list[str]()

    def make() -> str:
        made.append("")
        return f"{len(made)}"

    ground = Ground({claim.claim_id: claim}, trace)
    assert [ground.write(claim, "zh", make) for _ in range(3)] == ["1"] * 3
    assert ground.write(claim, "en", make) == "2"
    assert Ground({}, trace).write(claim, "zh", make) == "1"  # whoever looks at the same trace
    other = claim.model_copy(update={"value": 21.0})
    assert ground.write(other, "zh", make) == "3"
    assert Ground({}, Trace(tool_calls=(call,))).write(claim, "zh", make) == "4"
