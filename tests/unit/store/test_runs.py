"""Runs, traces and claims: exact, found again, and never changed."""

import struct
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from services.core.claims import Claim
from services.core.errors import InputError, StoreError
from services.core.trace import Attempt, ToolCall
from services.store.database import Database
from services.store.runs import Runs, StoredRun
from tests.unit.core import samples as core_samples
from tests.unit.store.samples import AWKWARD, NOW, call_of, fact, many_claims, run_of


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(str(tmp_path / "youju.duckdb"))


@pytest.fixture
def runs(database: Database) -> Runs:
    return Runs(database)


def _save(runs: Runs, made: StoredRun) -> StoredRun:
    runs.save(made.run, made.calls, made.claims)
    return made


def _bits(value: float) -> bytes:
    return struct.pack(">d", value)


def test_a_run_comes_back_as_it_was_saved(runs: Runs) -> None:
    made = _save(runs, run_of(1))
    assert runs.load(made.run.run_id) == made
    assert runs.load(made.run.run_id).trace.tool_calls == made.calls


def test_derived_and_tool_claims_come_back_in_their_order(runs: Runs) -> None:
    ledger = core_samples.ledger()
    run = run_of(1).run
    runs.save(run, ledger.trace.tool_calls, ledger.claims)
    assert runs.load(run.run_id).claims == ledger.claims


def test_every_bit_of_every_figure_comes_back(runs: Runs, database: Database) -> None:
    rows = tuple(fact(f"m{n}", value, raw=str(value)) for n, value in enumerate(AWKWARD))
    call = call_of("tc_bits", 0).model_copy(update={"rows": rows})
    runs.save(run_of(1).run, (call,), ())
    found = runs.find_call("tc_bits")
    assert found is not None
    assert [_bits(row.value) for row in found.call.rows] == [_bits(value) for value in AWKWARD]
    database.close()


def test_chinese_text_outside_the_basic_plane_comes_back(runs: Runs) -> None:
    made = _save(runs, run_of(1))
    found = runs.find_call("tc_1_0")
    assert found is not None
    assert found.call.labels["600519.SH"] == {"name": "贵州茅台", "industry": "食品饮料 · 𠮷"}
    assert runs.runs("s_test")[0].arguments == made.run.arguments


def test_times_come_back_aware_and_as_the_same_instant(runs: Runs) -> None:
    beijing = NOW.astimezone(timezone(timedelta(hours=8)))
    made = run_of(1)
    run = made.run.model_copy(update={"started_at": beijing})
    runs.save(run, made.calls, made.claims)
    started = runs.load(run.run_id).run.started_at
    assert started == NOW
    assert started.utcoffset() == timedelta(0)


def test_a_failed_run_keeps_its_attempts_and_message(runs: Runs) -> None:
    call = call_of("tc_failed", 0)
    attempt = Attempt(
        provider="tushare",
        table="daily",
        started_at=NOW,
        duration_ms=3.5,
        error="DeniedError",
        message="积分不足",
    )
    changed = {"rows": (), "labels": {}, "gaps": (), "attempts": (attempt,), "body_sha256": None}
    failed = call.model_copy(update=changed)
    run = run_of(1).run.model_copy(update={"status": "DeniedError", "message": "积分不足"})
    runs.save(run, (failed,), ())
    assert runs.load(run.run_id) == StoredRun(run, (failed,), ())


def test_a_run_without_calls_or_claims_is_kept(runs: Runs) -> None:
    run = run_of(1).run
    runs.save(run, (), ())
    assert runs.load(run.run_id) == StoredRun(run, (), ())


def test_runs_of_a_session_are_newest_first_though_the_clock_stands_still(runs: Runs) -> None:
    for number in range(12):
        _save(runs, run_of(number, session_id="s_other" if number % 3 == 0 else "s_mine"))
    newest = [run_of(number).run.run_id for number in (11, 10, 8, 7)]
    assert [run.run_id for run in runs.runs("s_mine", limit=4)] == newest


def test_an_unknown_run_is_an_input_error_and_unknown_ids_are_none(runs: Runs) -> None:
    with pytest.raises(InputError, match="run_id"):
        runs.load("run_none")
    assert runs.find_call("tc_none") is None
    assert runs.runs("s_none") == []


def test_a_call_is_found_by_id_with_its_run(runs: Runs) -> None:
    for number in range(5):
        _save(runs, run_of(number))
    wanted = run_of(3)
    call = runs.find_call("tc_3_1")
    assert call is not None
    assert (call.run, call.call) == (wanted.run, wanted.calls[1])


def test_saving_a_run_again_changes_nothing(runs: Runs, database: Database) -> None:
    made = _save(runs, run_of(1))
    stored = runs.load(made.run.run_id)
    _save(runs, stored)
    assert runs.load(made.run.run_id) == made
    with database.cursor() as cursor:
        assert cursor.execute("select count(*) from claim_index").fetchone() == (6,)


def test_a_run_id_cannot_be_given_other_content(runs: Runs) -> None:
    made, other = _save(runs, run_of(1)), run_of(2)
    with pytest.raises(StoreError, match="append-only"):
        runs.save(made.run, other.calls, other.claims)
    with pytest.raises(StoreError, match="append-only"):
        runs.save(made.run.model_copy(update={"status": "changed"}), made.calls, made.claims)
    assert runs.load(made.run.run_id) == made
    assert runs.find_call("tc_2_0") is None


def test_a_tool_call_id_cannot_be_given_other_rows(runs: Runs) -> None:
    made, later = _save(runs, run_of(1)), run_of(2)
    forged = call_of("tc_1_0", 777)
    with pytest.raises(StoreError, match=r"tc_1_0 .*append-only"):
        runs.save(later.run, (forged,), ())
    with pytest.raises(InputError):
        runs.load(later.run.run_id)
    assert runs.load(made.run.run_id) == made


def test_a_claim_id_cannot_be_given_another_value(runs: Runs) -> None:
    made, later = _save(runs, run_of(1)), run_of(2)
    forged = made.claims[0].model_copy(update={"value": 1.0})
    with pytest.raises(StoreError, match=f"{forged.claim_id} .*append-only"):
        runs.save(later.run, later.calls, (*later.claims, forged))
    with pytest.raises(InputError):
        runs.load(later.run.run_id)
    assert runs.load(made.run.run_id).claims[0] == made.claims[0]


@pytest.mark.parametrize("part", ["call", "claim"])
def test_one_id_with_two_contents_in_one_run_is_refused(runs: Runs, part: str) -> None:
    made = run_of(1)
    calls: tuple[ToolCall, ...] = made.calls
    claims: tuple[Claim, ...] = made.claims
    if part == "call":
        calls = (*calls, call_of("tc_1_0", 5))
    else:
        claims = (*claims, claims[0].model_copy(update={"unit": "HKD"}))
    with pytest.raises(StoreError, match="append-only"):
        runs.save(made.run, calls, claims)
    assert runs.runs("s_test") == []


def test_two_runs_may_share_a_call_and_its_claims(runs: Runs) -> None:
    first, second = run_of(1), run_of(2)
    _save(runs, first)
    shared = StoredRun(second.run, (*second.calls, *first.calls), second.claims + first.claims)
    _save(runs, shared)
    assert runs.load(first.run.run_id) == first
    assert runs.load(second.run.run_id) == shared


def test_the_same_rows_are_stored_once(runs: Runs, database: Database) -> None:
    rows = call_of("tc_a", 1)
    for number in range(4):
        call = rows.model_copy(update={"tool_call_id": f"tc_{number}"})
        runs.save(run_of(number).run, (call,), ())
    with database.cursor() as cursor:
        counts = "select (select count(*) from tool_calls), (select count(*) from row_sets)"
        assert cursor.execute(counts).fetchone() == (4, 1)


def test_nothing_but_saving_and_reading_is_offered() -> None:
    offered = {name for name in dir(Runs) if not name.startswith("_")}
    assert offered == {"save", "save_again", "runs", "answered_by", "load", "find_call"}


def test_three_thousand_claims_are_read_as_they_were_saved(runs: Runs) -> None:
    call = call_of("tc_big", 1)
    claims = many_claims(call, 3000)
    runs.save(run_of(1).run, (call,), claims)
    assert runs.load(run_of(1).run.run_id).claims == tuple(claims)


def test_a_run_saved_again_is_one_of_its_own_with_the_calls_and_claims_of_the_first(
    runs: Runs, database: Database
) -> None:
    first, later = run_of(1), run_of(2, session_id="s_later").run
    runs.save(first.run, first.calls, first.claims)
    with database.cursor() as cursor:
        counts = "select (select count(*) from tool_calls), (select count(*) from claim_index)"
        before = cursor.execute(counts).fetchone()
        assert runs.save_again(later, first.run.run_id)
        assert cursor.execute(counts).fetchone() == before
    assert runs.load(later.run_id) == StoredRun(later, first.calls, first.claims)
    assert runs.runs("s_later") == [later]
    assert runs.load(first.run.run_id) == first


def test_a_run_that_is_not_stored_is_not_saved_again(runs: Runs) -> None:
    assert not runs.save_again(run_of(2).run, "run_gone")
    assert runs.runs(run_of(2).run.session_id) == []
