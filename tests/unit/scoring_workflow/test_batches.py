"""Many scores in one job: each kept as it ends, and a batch that goes on where it was."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.core.errors import InputError
from services.scoring.batches import BATCH
from services.scoring.models import ScoreResult
from services.store.database import Database
from tests.contract.scored import stage, until
from tests.fakes.models import as_json, hang
from tests.unit.scoring_workflow.bench import Bench, bench
from tests.unit.scoring_workflow.given import BANK, CARS, PASSED, written
from tests.waiting import job_ended

HSBC, LETV = "00005.HK", "300104.SZ"


@pytest.fixture(name="database")
def _database() -> Iterator[Database]:
    made = Database(":memory:")
    yield made
    made.close()


def ended(made: Bench, job_id: str) -> str:
    """Its status, once it has one."""
    job_ended(job_id)
    return made.batches.state(job_id).state.status


def test_a_batch_scores_each_company_and_keeps_each_as_a_score_of_its_own(
    database: Database,
) -> None:
    made = bench(database)
    job_id = made.batches.start(["600036", HSBC, LETV, BANK], "me", by_rule=True)
    assert ended(made, job_id) == "ok"
    found = made.batches.state(job_id)
    assert [row.symbol for row in found.rows] == [BANK, HSBC, LETV]
    bank, hsbc, letv = found.rows
    assert (bank.status, letv.status, hsbc.status) == ("ok", "ok", "failed")
    assert (hsbc.hold_score, hsbc.job_id is None) == (None, False)
    assert "数据覆盖度" in (str(hsbc.problem or ""))
    assert found.done == 3
    kept = made.scores.result(bank.job_id or "")
    assert isinstance(kept, ScoreResult)
    assert (kept.recommendation.hold_score, kept.engine) == (bank.hold_score, bank.engine)
    assert [one.job_id for one in made.scores.history(BANK)] == [bank.job_id]


def test_the_same_batch_that_runs_already_is_joined(database: Database) -> None:
    with stage() as played:
        made = bench(database, settings=played.settings)
        played.scorer.then([hang()])
        first = made.batches.start([BANK], "me")
        until(lambda: bool(played.scorer.asked))
        assert made.batches.start([BANK], "another tab") == first
        made.batches.cancel(first)
        assert ended(made, first) == "cancelled"


def test_a_batch_that_was_stopped_goes_on_without_asking_again(database: Database) -> None:
    with stage() as played:
        made = bench(database, settings=played.settings)
        # The script is for the bank's figures: the other company is never approved by it.
        played.scorer.then([as_json(written()), hang()])
        played.reviewer.then([as_json(PASSED)])
        job_id = made.batches.start([BANK, CARS], "me")
        until(lambda: len(played.scorer.asked) == 2)
        made.batches.cancel(job_id)
        assert ended(made, job_id) == "cancelled"
        half = made.batches.state(job_id)
        assert [row.status for row in half.rows] == ["ok", None]
        played.scorer.then([hang()])
        again = made.batches.resume(job_id, "me")
        until(lambda: len(played.scorer.asked) == 3)
        assert CARS in played.scorer.asked[-1].prompt
        assert made.batches.resume(again, "me") == again
        made.batches.cancel(again)
        assert ended(made, again) == "cancelled"
        assert made.batches.state(again).rows[0] == half.rows[0]


def test_a_batch_survives_the_end_of_its_process(tmp_path: Path) -> None:
    file = str(tmp_path / "batch.duckdb")
    database = Database(file)
    before = bench(database)
    first = before.batches.start([BANK], "me", by_rule=True)
    assert ended(before, first) == "ok"
    job = before.stored.load(first)
    # A job without an end is what a killed process leaves behind.
    cut = before.stored.start(
        BATCH,
        "me",
        subject=job.subject,
        title=job.title,
        arguments={**job.arguments, "symbols": [BANK, LETV]},
    )
    database.close()
    database = Database(file)
    after = bench(database)
    found = after.batches.state(cut)
    assert found.state.status == "interrupted"
    assert [row.status for row in found.rows] == ["ok", None]
    again = after.batches.resume(cut, "me")
    assert ended(after, again) == "ok"
    rows = after.batches.state(again).rows
    assert [row.status for row in rows] == ["ok", "ok"]
    assert rows[0] == found.rows[0]
    assert len(after.scores.history(BANK)) == 1
    database.close()


@pytest.mark.parametrize("symbols", [[], ["没有这家公司"], [BANK] * 1_001])
def test_a_batch_that_cannot_be_is_refused(database: Database, symbols: list[str]) -> None:
    made = bench(database)
    with pytest.raises(InputError):
        made.batches.start(symbols, "me")
    assert made.batches.list() == ()


def test_a_score_is_no_batch(database: Database) -> None:
    made = bench(database)
    job_id = made.scored(BANK)
    with pytest.raises(InputError):
        made.batches.state(job_id)
