"""A note that another library agrees: only where the trace has its figure of the same bars."""

from datetime import date, timedelta

import pytest

from services.core.claims import Claim, DerivedCite
from services.core.formulas import Formula, formula_for
from services.core.ledger import Ledger
from services.core.recomputation import agrees, recompute_call
from services.core.trace import Fact, ToolCall
from services.core.verifier import verify
from tests.unit.market import made

BANK = "600000.SH"
DAYS = [date(2017, 1, 2) + timedelta(days=n) for n in range(5)]
BARS = made.call(BANK, made.bar_facts(BANK, DAYS, [made.flat(n) for n in (10, 11, 12, 13, 14)]))
MEAN = 12.0  # of 10, 11, 12, 13 and 14
NOW = made.FETCHED_AT.replace(year=2018)


def said(value: float, *, metric: str = "ma_5", day: date = DAYS[-1]) -> Fact:
    return Fact(
        symbol=BANK, metric=metric, value=value, unit="CNY", as_of=day, field="SMA", raw=repr(value)
    )


def mean_beside(*others: ToolCall) -> tuple[Claim, Ledger]:
    """The five-day mean of a run in whose trace these calls are."""
    ledger = made.ledger_of({})
    for call in (BARS, *others):
        ledger.record(call)
    formula: Formula | None = formula_for("ma_5", "sma(close, 5)")
    assert formula is not None
    ref = ledger.window("close", BARS, BANK, "close", DAYS[0], DAYS[-1])
    claim = ledger.derive(formula, (), series=(ref,))
    assert claim is not None
    assert claim.value == MEAN
    return claim, ledger


def failure(claim: Claim, ledger: Ledger) -> str | None:
    found = verify([claim], ledger.trace, NOW).failures
    return found[0].check if found else None


def noted(claim: Claim, note: str | None) -> Claim:
    assert isinstance(claim.cite, DerivedCite)
    return claim.model_copy(update={"cite": claim.cite.model_copy(update={"note": note})})


def test_a_figure_that_was_computed_alike_says_by_whom() -> None:
    claim, ledger = mean_beside(recompute_call(BARS, "TA-Lib 0.8.2", [said(MEAN + 1e-10)]))
    assert claim.cite.note == "TA-Lib 0.8.2 复算一致"
    assert failure(claim, ledger) is None
    # It need not say so; it must not name another.
    assert failure(noted(claim, None), ledger) is None
    assert failure(noted(claim, "TA-Lib 0.9.9 复算一致"), ledger) == "note_equal"


@pytest.mark.parametrize(
    "call",
    [
        recompute_call(BARS, "TA-Lib 0.8.2", [said(MEAN + 1e-6)]),
        recompute_call(BARS, "TA-Lib 0.8.2", [said(MEAN, metric="ma_10")]),
        recompute_call(BARS, "TA-Lib 0.8.2", [said(MEAN, day=DAYS[-2])]),
        recompute_call(
            BARS.model_copy(update={"tool_call_id": "tc_other"}), "TA-Lib 0.8.2", [said(MEAN)]
        ),
        # A source that happens to give a mean is no second computation of these bars.
        made.call(BANK, [said(MEAN)], table="valuation"),
    ],
    ids=["other value", "other metric", "other day", "other bars", "a source"],
)
def test_nothing_else_in_the_trace_makes_a_note(call: ToolCall) -> None:
    claim, ledger = mean_beside(call)
    assert claim.cite.note is None
    assert failure(noted(claim, "TA-Lib 0.8.2 复算一致"), ledger) == "note_equal"


def test_it_counts_for_no_source_of_its_own() -> None:
    call = recompute_call(BARS, "TA-Lib 0.8.2", [said(MEAN)])
    assert (call.source, call.fetched_at) == (BARS.source, BARS.fetched_at)
    assert (call.served_by, call.table) == ("TA-Lib 0.8.2", "recomputation")
    assert call.arguments == {"bars": BARS.tool_call_id}


def test_alike_means_to_a_billionth() -> None:
    assert agrees(1000.0, 1000.0 + 9e-7)
    assert not agrees(1000.0, 1000.0 + 2e-6)
    assert agrees(0.0, 9e-10)
    assert not agrees(0.0, 2e-9)
