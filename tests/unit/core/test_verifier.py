"""The verifier on a small trace whose every figure is known by hand (samples.py)."""

from datetime import date, timedelta
from itertools import permutations

import pytest

from services.core.claims import Claim, CompetenceCite, DerivedCite
from services.core.formulas import formula_for
from services.core.limits import COMPETENCES, VALUE_UNITS
from services.core.verifier import VerificationResult, verify
from tests.unit.core import samples


def _claims() -> dict[str, Claim]:
    claims = samples.ledger().claims
    return {f"{c.symbol} {c.metric} {c.period or c.as_of}": c for c in claims}


def _verdict(changed: Claim, *others: Claim) -> VerificationResult:
    return verify([changed, *others], samples.ledger().trace, samples.NOW)


def _check(changed: Claim, *others: Claim) -> str:
    failures = [f for f in _verdict(changed, *others).failures if f.claim_index == 0]
    return failures[0].check if failures else "ok"


def test_every_claim_the_ledger_makes_holds() -> None:
    ledger = samples.ledger()
    assert verify(ledger.claims, ledger.trace, samples.NOW).ok


def test_derived_profit_is_market_value_over_pe() -> None:
    profit = _claims()["600519.SH net_profit 2016_Q4"]
    # 565,691,000,000 / 33.84 = 16,716,637,115.839…
    assert profit.value == pytest.approx(16_716_637_115.839, abs=0.01)
    assert (profit.unit, profit.as_of) == ("CNY", date(2016, 12, 31))
    assert profit.cite.note == "推算 总市值/市盈率(LYR)，±0.1%"


CAP = "600519.SH market_cap 2017-05-25"
REVENUE = "002594.SZ revenue 2016_Q4"
CLOSE = "600519.SH close 2017-07-25"


@pytest.mark.parametrize(
    ("which", "change", "check"),
    [
        (CAP, {"value": 500_000_000_000.0}, "value_equal"),
        (CLOSE, {"value": 449.5 * 1.004}, "value_equal"),
        (CLOSE, {"value": 450.2}, "value_equal"),
        (CLOSE, {"as_of": date(2017, 7, 24)}, "value_equal"),
        (REVENUE, {"value": 5_052_154_000.0}, "value_equal"),
        (CAP, {"metric": "revenue"}, "metric_equal"),
        (CAP, {"value": 5656.91, "unit": "CNY_wan"}, "unit_equal"),
        (REVENUE, {"period": "2014_Q4"}, "period_equal"),
        (REVENUE, {"period": "2015_Q4", "as_of": date(2015, 12, 31)}, "value_equal"),
        (CAP, {"symbol": "600036.SH"}, "entity_equal"),
        (CAP, {"value": -565_691_000_000.0}, "value_equal"),
        (CLOSE, {"metric": "current_price"}, "metric_equal"),
        (CLOSE, {"as_of": date(2017, 7, 22)}, "as_of_equal"),
        (CLOSE, {"unit": "HKD"}, "unit_equal"),
    ],
)
def test_a_changed_claim_is_refused_by_the_right_check(
    which: str, change: dict[str, object], check: str
) -> None:
    assert _check(_claims()[which].model_copy(update=change)) == check


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"tool_call_id": "tc_invented"}, "call_in_trace"),
        ({"source": "tushare"}, "source_equal"),
        ({"table": "daily"}, "source_equal"),
        ({"served_by": "akshare"}, "source_equal"),
        ({"fetched_at": samples.NOW + timedelta(days=1)}, "source_equal"),
        ({"field": "up_open"}, "field_equal"),
        ({"raw": "450"}, "field_equal"),
        ({"note": "two_sources 两个来源一致"}, "note_equal"),
    ],
)
def test_a_changed_citation_is_refused_by_the_right_check(
    change: dict[str, object], check: str
) -> None:
    claim = _claims()[CLOSE]
    changed = claim.model_copy(update={"cite": claim.cite.model_copy(update=change)})
    assert _check(changed) == check


def test_the_reason_names_both_values_and_what_the_wrong_one_is() -> None:
    swapped = _claims()[REVENUE].model_copy(update={"value": 5_052_154_000.0})
    reason = _verdict(swapped).failures[0].reason
    assert "claim=5052154000.0" in reason
    assert "trace=103470000000.0" in reason
    assert "net_profit of 2016_Q4" in reason
    scaled = _claims()[CAP].model_copy(update={"value": 56_569_100.0})
    assert "万/亿" in _verdict(scaled).failures[0].reason


def test_an_old_figure_is_stale_and_a_future_one_is_refused() -> None:
    old = samples.call("tc_old", (samples.fact("close", 1.0, "CNY", as_of=date(2007, 7, 1)),))
    future = samples.call("tc_new", (samples.fact("close", 1.0, "CNY", as_of=date(2017, 7, 30)),))
    for one in (old, future):
        ledger = samples.ledger()
        ledger.record(one)
        claim = ledger.claim(one, one.rows[0])
        result = verify([claim], ledger.trace, samples.NOW)
        assert [f.check for f in result.failures] == ["not_stale"]


def test_a_current_price_of_last_week_is_stale() -> None:
    one = samples.call(
        "tc_p", (samples.fact("current_price", 450.0, "CNY", as_of=date(2017, 7, 19)),)
    )
    ledger = samples.ledger()
    ledger.record(one)
    result = verify([ledger.claim(one, one.rows[0])], ledger.trace, samples.NOW)
    assert [f.check for f in result.failures] == ["not_stale"]


PROFIT = "600519.SH net_profit 2016_Q4"


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"value": 17e9}, "value_recomputed"),
        ({"value": -16_716_637_115.83924}, "value_recomputed"),
        ({"unit": "CNY_yi"}, "unit_equal"),
        ({"period": "2015_Q4"}, "period_equal"),
        ({"as_of": date(2017, 3, 31)}, "as_of_equal"),
        ({"symbol": "002594.SZ"}, "entity_equal"),
        ({"metric": "revenue"}, "formula_registered"),
        ({"metric_code": "company.finance.revenue"}, "metric_equal"),
        ({"metric_code": None}, "metric_equal"),
    ],
)
def test_a_changed_derived_claim_is_refused(change: dict[str, object], check: str) -> None:
    claims = _claims()
    changed = claims[PROFIT].model_copy(update=change)
    assert _check(changed, claims[CAP], claims["600519.SH pe_lyr LYR_2016"]) == check


def test_a_derived_claim_needs_its_inputs_and_the_right_ones() -> None:
    claims = _claims()
    profit, cap = claims[PROFIT], claims[CAP]
    lyr, ttm = claims["600519.SH pe_lyr LYR_2016"], claims["600519.SH pe_ttm TTM_2017Q1"]
    assert _check(profit, cap) == "inputs_present"
    cite = DerivedCite(formula="market_cap / pe_lyr", inputs=(cap.claim_id, ttm.claim_id))
    assert _check(profit.model_copy(update={"cite": cite}), cap, ttm) == "metric_equal"
    other = claims["002594.SZ market_cap 2017-05-25"]
    cite = DerivedCite(formula="market_cap / pe_lyr", inputs=(other.claim_id, lyr.claim_id))
    assert _check(profit.model_copy(update={"cite": cite}), other, lyr) == "entity_equal"


def test_a_derived_claim_on_a_false_input_falls_with_it() -> None:
    claims = _claims()
    lyr = claims["600519.SH pe_lyr LYR_2016"]
    cap = claims[CAP].model_copy(update={"value": 2 * 565_691_000_000.0})
    profit = claims[PROFIT].model_copy(update={"value": 2 * claims[PROFIT].value})
    assert _check(profit, cap, lyr) == "inputs_sound"


@pytest.mark.parametrize("note", [None, "±0.01%", "two_sources 两个来源一致"])
def test_a_derived_claim_keeps_the_accuracy_its_formula_states(note: str | None) -> None:
    claims = _claims()
    profit = claims[PROFIT]
    changed = profit.model_copy(update={"cite": profit.cite.model_copy(update={"note": note})})
    assert _check(changed, claims[CAP], claims["600519.SH pe_lyr LYR_2016"]) == "note_equal"


def test_two_claims_of_one_id_are_refused_unless_they_are_the_same() -> None:
    claims = _claims()
    cap, pe = claims[CAP], claims["600519.SH pe_lyr LYR_2016"]
    trace = samples.ledger().trace
    assert verify([cap, cap.model_copy()], trace, samples.NOW).ok
    result = verify([cap, pe.model_copy(update={"claim_id": cap.claim_id})], trace, samples.NOW)
    assert [(f.claim_index, f.check) for f in result.failures] == [(1, "claim_id_unique")]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_an_order_of_claims_neither_hides_a_false_one_nor_refuses_a_true_one(
    order: tuple[int, ...],
) -> None:
    claims = _claims()
    whole = [claims[PROFIT], claims[CAP], claims["600519.SH pe_lyr LYR_2016"]]
    assert verify([whole[at] for at in order], samples.ledger().trace, samples.NOW).ok
    false = [whole[0], whole[1].model_copy(update={"value": 1.0}), whole[2]]
    result = verify([false[at] for at in order], samples.ledger().trace, samples.NOW)
    found = {order[one.claim_index]: one.check for one in result.failures}
    assert found == {0: "inputs_sound", 1: "value_equal"}
    # Of two under one id the second is refused, though the first was proved before.
    both = [whole[1], *(whole[at] for at in order), false[1]]
    told = verify(both, samples.ledger().trace, samples.NOW).failures
    assert [(one.claim_index, one.check) for one in told] == [(4, "claim_id_unique")]


def test_claims_that_cite_each_other_prove_nothing() -> None:
    claims = _claims()
    profit = claims[PROFIT]
    cite = DerivedCite(formula="market_cap / pe_lyr", inputs=(profit.claim_id, profit.claim_id))
    assert _check(profit.model_copy(update={"cite": cite})) != "ok"


def test_a_series_formula_is_recomputed_from_the_trace() -> None:
    days = [date(2017, 1, day) for day in range(1, 23)]
    rows = tuple(samples.fact("volume", 100.0 + i, "shares", as_of=d) for i, d in enumerate(days))
    one = samples.call("tc_volume", rows)
    ledger = samples.ledger()
    ledger.record(one)
    formula = formula_for("volume_multiple", "volume / mean(window)")
    assert formula is not None
    window = ledger.window("window", one, "600519.SH", "volume", days[1], days[-2])
    made = ledger.derive(formula, (ledger.claim(one, rows[-1]),), series=(window,))
    assert made is not None
    # volumes 101…120 before it (mean 110.5), 121 on the day
    assert made.value == pytest.approx(121 / 110.5)
    assert verify(ledger.claims, ledger.trace, samples.NOW).ok
    assert window.count == 20
    short = made.cite.model_copy(update={"series": (window.model_copy(update={"count": 19}),)})
    changed = made.model_copy(update={"cite": short})
    result = verify([changed, *ledger.claims[:-1]], ledger.trace, samples.NOW)
    assert result.failures[0].check == "series_complete"


def test_a_rule_is_citable_only_when_registered_and_with_its_own_figure() -> None:
    ledger = samples.ledger()
    limit = ledger.competence("limit.main.10", "price_limit", "600519.SH", samples.DAY, "percent")
    assert _check(limit) == "ok"
    assert limit.value == 10.0
    assert _check(limit.model_copy(update={"value": 20.0})) == "value_equal"
    assert _check(limit.model_copy(update={"metric": "pe_ttm"})) == "metric_equal"
    unknown = limit.model_copy(update={"cite": CompetenceCite(competence_id="rsi.70")})
    assert _check(unknown) == "competence_registered"
    assert _check(limit.model_copy(update={"unit": "multiple"})) == "unit_equal"
    assert _check(limit.model_copy(update={"period": "2016_Q4"})) == "period_equal"
    assert _check(limit.model_copy(update={"symbol": "600000.SH"})) == "entity_equal"
    assert _check(limit.model_copy(update={"as_of": date(2015, 5, 25)})) == "as_of_equal"
    assert _check(limit.model_copy(update={"metric_code": "company.quote.price"})) == "metric_equal"
    noted = limit.model_copy(update={"cite": limit.cite.model_copy(update={"note": "x"})})
    assert _check(noted) == "note_equal"


def test_every_figure_of_a_rule_has_a_unit() -> None:
    figures = {metric for entry in COMPETENCES.values() for metric in entry.values}
    assert figures == set(VALUE_UNITS)
