"""Scores as jobs: kept as they happen, read again only as they were released, held against what
came after.
"""

import json
import logging
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest
from sqlalchemy import update

from services.core.clock import BEIJING
from services.core.errors import InputError, NoDataError
from services.core.text import Text
from services.jobs.runner import CancelledError
from services.scoring.models import NotReleasedError, ScoreResult
from services.scoring.outcomes import known_close
from services.scoring.scorer import ScoreRefused, ScoreRequest
from services.store.database import Database
from services.store.documents import pack
from services.store.runs import Runs
from services.store.tables import JOB_RESULTS
from tests.chance import stands
from tests.contract.scored import (
    REVIEW_KEY,
    SCORE_KEY,
    Following,
    everything_logged,
    kept_texts,
    stage,
    until,
)
from tests.fakes.models import as_json, hang, refuse, say
from tests.unit.scoring_workflow.bench import Bench, bench
from tests.unit.scoring_workflow.given import BANK, CARS, PASSED, vetoed, written
from tests.waiting import job_ended

HIDDEN = "蓝羽毛悄悄落进深井"  # in refused drafts only, so that it can be looked for
JUNE = datetime(2017, 6, 15, 18, tzinfo=BEIJING)


@pytest.fixture(name="database")
def _database() -> Iterator[Database]:
    made = Database(":memory:")
    yield made
    made.close()


def result_of(made: Bench, job_id: str) -> ScoreResult:
    found = made.scores.result(job_id)
    assert isinstance(found, ScoreResult), made.scores.state(job_id)
    return found


def test_a_score_is_read_again_with_its_claims_and_its_trace(database: Database) -> None:
    job_id = bench(database).scored("600036")
    later = bench(database)
    found = result_of(later, job_id)
    assert found.recommendation.stock_code == BANK
    assert found.engine == "rule"
    assert later.scores.state(job_id).status == "ok"
    assert [step.kind for step in later.scores.state(job_id).steps][-2:] == ["reviewed", "composed"]
    claims = {claim.claim_id: claim for claim in found.claims}
    assert found.score_claim is not None
    assert round(claims[found.score_claim].value, 2) == found.recommendation.hold_score
    assert {call.tool_call_id for call in found.trace.tool_calls}
    assert later.stored.load(job_id).run_id == found.run_id
    released = later.scores.released(job_id)
    assert released is not None
    assert released.hold_score == found.recommendation.hold_score


def test_the_same_score_that_runs_already_is_joined(database: Database) -> None:
    made = bench(database)
    first = made.scores.start(BANK, "me")
    assert made.scores.start("600036", "another tab") == first
    job_ended(first)


def test_an_index_and_an_unknown_company_are_refused_before_anything_begins(
    database: Database,
) -> None:
    made = bench(database)
    for asked in ("000001.SH", "没有这家公司"):
        with pytest.raises(InputError):
            made.scores.start(asked, "me")
    assert made.scores.list() == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [("hold_score", 9.9), ("summary_reason", HIDDEN * 20), ("stock_name", "另一家")],
)
def test_a_stored_score_that_was_changed_is_refused(
    database: Database, field: str, value: object
) -> None:
    made = bench(database)
    job_id = made.scored(BANK)
    document = json.loads(made.jobs.result(job_id) or "")
    if field != "stock_name":
        document["score"]["draft"][field] = value
    document["score"]["recommendation"][field] = value
    change(database, job_id, document)
    if field == "stock_name":
        # A name is no part of the draft: it is what the score was released under.
        assert result_of(made, job_id).recommendation.stock_name == value
        return
    with pytest.raises(NotReleasedError):
        made.scores.result(job_id)
    with pytest.raises(NotReleasedError):
        made.scores.history(BANK)


def test_a_stored_score_whose_review_did_not_pass_is_refused(database: Database) -> None:
    made = bench(database)
    job_id = made.scored(BANK)
    document = json.loads(made.jobs.result(job_id) or "")
    document["score"]["review"]["result"]["passed"] = False
    change(database, job_id, document)
    with pytest.raises(NotReleasedError):
        made.scores.result(job_id)
    with pytest.raises(NotReleasedError):
        made.scores.released(job_id)


def change(database: Database, job_id: str, document: object) -> None:
    """Somebody with the file open in another program."""
    told = pack(json.dumps(document).encode())
    with database.open_writing() as connection:
        connection.execute(
            update(JOB_RESULTS).where(JOB_RESULTS.c.job_id == job_id).values(document=told)
        )


def test_of_refused_drafts_nothing_is_in_the_store_or_in_the_logs(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    hidden = as_json(written(note=HIDDEN))
    wrong = as_json(written(11, note=f"{HIDDEN}，每股收益 98.76元。"))
    quoting = as_json({**vetoed(), "reason": f"“{HIDDEN}”与数据无关，净利润下降 40.31%"})
    good = as_json(written())
    passed = as_json(PASSED)
    with stage() as played:
        made = bench(database, settings=played.settings)
        plays = [
            ([hidden, wrong, good], [quoting, passed, passed], "ok"),
            ([hidden] * 5, [quoting] * 5, "refused"),
            ([say(HIDDEN), hidden, good], [say(HIDDEN), passed], "ok"),
            ([hidden], [refuse(401, message=HIDDEN)], "ok"),
            ([say(HIDDEN)] * 3, [], "ok"),
        ]
        for drafts, reviews, status in plays:
            played.scorer.then(drafts)
            played.reviewer.then(reviews)
            job_id = made.scored(BANK)
            assert made.scores.state(job_id).status == status, made.scores.state(job_id)
            played.scorer.check()
            played.reviewer.check()
        played.scorer.then([hidden])
        played.reviewer.then([hang()])
        asked = len(played.reviewer.asked)
        job_id = made.scores.start(BANK, "me")
        until(lambda: len(played.reviewer.asked) > asked)
        made.scores.cancel(job_id)
        job_ended(job_id)
        assert made.scores.state(job_id).status == "cancelled"
    kept, logged = kept_texts(database), everything_logged(caplog.records)
    for text in (HIDDEN, "98.76", "40.31", SCORE_KEY, REVIEW_KEY):
        assert not stands(text, kept), text
        assert not stands(text, logged), text
    assert "分数与依据由模型选定" in kept


def test_one_that_is_stopped_while_the_facts_are_gathered_asks_no_agent(
    database: Database,
) -> None:
    class Stopping(Following):
        """Wants it stopped once all three parts are there."""

        def cancelled(self) -> bool:
            return sum(step.kind == "tool_ended" for step in self.steps) == 3

    watch, made = Stopping(), bench(database)
    with pytest.raises(CancelledError):
        made.scores.keep(ScoreRequest(symbol=BANK), "me", watch)
    assert [step.kind for step in watch.steps].count("tool_ended") == 3
    assert watch.steps[-1].kind == "tool_ended"
    assert made.scores.list(symbol=BANK) == ()


def test_a_score_that_was_refused_tells_every_round_and_no_score_of_its_own(
    database: Database,
) -> None:
    with stage() as played:
        made = bench(database, settings=played.settings)
        played.scorer.then([as_json(written())] * 5)
        played.reviewer.then([as_json(vetoed())] * 5)
        job_id = made.scored(BANK)
        found = bench(database).scores.result(job_id)
    assert isinstance(found, ScoreRefused)
    assert found.reviews == ("要紧的依据没有选",) * 5
    assert len(found.rounds) == 5
    assert made.scores.released(job_id) is None
    assert made.scores.history(BANK) == ()


def test_the_models_calls_are_in_the_trace_of_the_stored_run(database: Database) -> None:
    with stage() as played:
        made = bench(database, settings=played.settings)
        played.scorer.then([as_json(written())])
        played.reviewer.then([as_json(PASSED)])
        found = result_of(made, made.scored(BANK))
    assert [one.purpose for one in found.trace.model_calls] == ["score", "review"]
    assert found.draft.model == "qwen-max"


def test_history_is_newest_first_and_says_what_changed(database: Database) -> None:
    earlier = bench(database, now=JUNE).scored(BANK)
    made = bench(database)
    later = made.scored(BANK)
    again = made.scored(BANK)
    made.scored(CARS)
    newest, second, first = made.scores.history(BANK)
    assert [one.job_id for one in (newest, second, first)] == [again, later, earlier]
    assert (first.before, first.changes) == (None, ())
    assert (newest.before, newest.changes) == (second.hold_score, ())
    assert second.before == first.hold_score
    changed = {one.factor: one for one in second.changes}
    assert "momentum" in changed
    assert "quality" not in changed
    momentum = changed["momentum"]
    assert momentum.before is not None
    assert momentum.after is not None
    assert momentum.before.value < momentum.after.value
    assert made.scores.history(BANK, limit=1) == (newest,)


def test_a_score_is_held_against_what_the_price_did_afterwards(database: Database) -> None:
    """Closes of the bundled market: 06-15 20.93, 06-16 20.81, 06-22 22.73, 07-13 24.90."""
    job_id = bench(database, now=JUNE).scored(BANK)
    made = bench(database)
    later = made.scored(BANK)
    bases = {name: known_close(BANK, result_of(made, name).claims) for name in (job_id, later)}
    assert bases == {job_id: date(2017, 6, 15), later: date(2017, 7, 25)}
    runs = len(Runs(database).runs("me"))
    found = made.scores.outcomes(BANK, bases, "me")
    assert len(Runs(database).runs("me")) == runs + 1
    assert [one.change for one in found.after[later]] == [None] * 4
    one, five, twenty, sixty = found.after[job_id]
    assert one.start is not None
    assert (one.start.as_of, one.start.value) == (date(2017, 6, 15), 20.93)
    # 20.81 / 20.93 - 1 = -0.57334 %; 22.73 / 20.93 - 1 = 8.60010 %; 24.90 / 20.93 - 1 = 18.96799 %
    for told, day, change in (
        (one, date(2017, 6, 16), -0.57334),
        (five, date(2017, 6, 22), 8.60010),
        (twenty, date(2017, 7, 13), 18.96799),
    ):
        assert told.change is not None
        assert told.end is not None
        assert told.end.as_of == day
        assert told.change.value == pytest.approx(change, abs=5e-6)
        assert told.why is None
    assert (sixty.change, sixty.end) == (None, None)
    assert sixty.why == Text("其后只过了 29 个交易日", "only 29 sessions have passed")
    assert {claim.claim_id for claim in found.claims} >= {one.start.claim_id}


def test_what_is_yet_to_come_is_no_zero(database: Database) -> None:
    made = bench(database)
    found = made.scores.outcomes(BANK, {"now": date(2017, 7, 25), "never": None}, "me")
    for name in ("now", "never"):
        assert [(one.change, bool(one.why)) for one in found.after[name]] == [(None, True)] * 4
    assert "评分时没有可用的收盘价" in str(found.after["never"][0].why)


def test_a_score_that_is_waited_for_is_in_the_history_like_any_other(database: Database) -> None:
    made = bench(database)
    found = made.scores.keep(ScoreRequest(symbol="600036", by_rule=True), "me")
    assert isinstance(found, ScoreResult)
    (past,) = made.scores.history(BANK)
    assert past.hold_score == found.recommendation.hold_score
    assert result_of(made, past.job_id).recommendation == found.recommendation
    with pytest.raises(NoDataError):
        made.scores.keep(ScoreRequest(symbol="00005.HK", by_rule=True), "me")
    assert made.scores.list(symbol="00005.HK") == ()


def test_scores_survive_a_restart_of_the_process(tmp_path: Path) -> None:
    file = str(tmp_path / "scores.duckdb")
    database = Database(file)
    job_id = bench(database).scored(BANK)
    database.close()
    database = Database(file)
    assert result_of(bench(database), job_id).recommendation.stock_code == BANK
    database.close()
