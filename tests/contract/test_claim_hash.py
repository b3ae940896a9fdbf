"""Two runs that say the same have the same hashes; whatever is said or cited otherwise has not."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from services.core.claims import Claim
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.trace import Fact, ToolCall
from tests.contract.claim_hash import claim_hashes

NOW = datetime(2026, 11, 20, 8, 30, tzinfo=UTC)
DAY = date(2026, 11, 20)


def _fact(symbol: str = "600519.SH", metric: str = "close", value: float = 10.0) -> Fact:
    return Fact(symbol=symbol, metric=metric, value=value, unit="CNY", as_of=DAY, field="f2")


def _run(call_id: str, **told: Any) -> Ledger:
    """A price, the one before it, and the change worked out from both."""
    fact = _fact().model_copy(update=told.pop("fact", {}))
    earlier = _fact(metric="previous_close", value=8.0)
    call = ToolCall(
        tool_call_id=call_id,
        name="stock",
        arguments={},
        attempts=(),
        source="eastmoney",
        table="push2",
        served_by="eastmoney",
        fetched_at=NOW,
        duration_ms=1.0,
        rows=(fact, earlier),
    ).model_copy(update=told)
    ledger = Ledger(lambda _request: ())
    ledger.record(call)
    formula = formula_for("change", "close - previous_close")
    assert formula is not None
    ledger.derive(formula, [ledger.claim(call, fact), ledger.claim(call, earlier)])
    return ledger


def _hashes(ledger: Ledger) -> list[str]:
    return list(claim_hashes(ledger.claims, ledger.trace).values())


def test_ids_are_no_part_of_what_is_said() -> None:
    one, other = _run("tc_1"), _run("tc_2")
    assert {claim.claim_id for claim in one.claims}.isdisjoint(c.claim_id for c in other.claims)
    assert _hashes(one) == _hashes(other)
    assert len(set(_hashes(one))) == 3


@pytest.mark.parametrize(
    "told",
    [
        {"served_by": "snapshot"},
        {"source": "tushare"},
        {"table": "daily"},
        {"fetched_at": NOW + timedelta(seconds=1)},
        {"fact": {"value": 10.000000000000002}},
        {"fact": {"raw": "10.00"}},
        {"fact": {"note": "前复权"}},
        {"fact": {"field": "f43"}},
        {"fact": {"as_of": DAY - timedelta(days=1)}},
    ],
)
def test_whatever_is_cited_otherwise_changes_the_figure_and_what_is_made_of_it(
    told: dict[str, Any],
) -> None:
    before = _hashes(_run("tc_1"))
    after = _hashes(_run("tc_1", **told))
    assert before[0] != after[0]
    assert before[2] != after[2]


def test_the_same_instant_in_another_zone_is_the_same() -> None:
    shifted = NOW.astimezone(tz=None)
    assert _hashes(_run("tc_1")) == _hashes(_run("tc_1", fetched_at=shifted))


def test_a_claim_without_its_input_is_refused() -> None:
    ledger = _run("tc_1")
    derived: Claim = ledger.claims[2]
    with pytest.raises(KeyError):
        claim_hashes([derived], ledger.trace)
