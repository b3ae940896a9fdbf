"""Many scores, one after another, each kept as it ends: a batch that was stopped goes on where it
was, after a restart too.

A score of a batch is a score like any other, kept under the batch's name instead of a session's.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import uuid4

from pydantic import JsonValue

from services.core.errors import InputError, YoujuError
from services.core.record import Record
from services.core.text import Language, Text
from services.jobs.runner import CancelledError, Ended, JobRunner, JobState, Work
from services.jobs.steps import Step, StepWatcher
from services.scoring.models import Engine
from services.scoring.scorer import KIND, Scorer, ScoreRequest
from services.scoring.service import ScoreService, ended_of, keep
from services.store.jobs import Jobs, StoredJob

BATCH = "score_batch"
MOST = 1_000
_SCORED = frozenset({"ok", "refused"})
_LOOKED_BACK = 50


class BatchRow(Record):
    """One company of a batch. `status` is null until it was its turn: `ok` released, `refused`
    vetoed in every round, `failed` with its `problem`. `job_id` is where its score is kept.
    """

    symbol: str
    name: str
    status: str | None = None
    job_id: str | None = None
    hold_score: float | None = None
    engine: Engine | None = None
    problem: Text | None = None


class Batch(Record):
    """How far a batch is; its rows in the order they were asked for."""

    state: JobState
    rows: tuple[BatchRow, ...]

    @property
    def done(self) -> int:
        """How many have ended, one way or another."""
        return sum(row.status is not None for row in self.rows)


class ScoreBatches:
    """Batches of scores as jobs. Safe to share between sessions."""

    def __init__(self, scorer: Scorer, scores: ScoreService, jobs: JobRunner, stored: Jobs) -> None:
        """`scores` reads what is kept, `jobs` runs a batch, `stored` keeps each of its scores."""
        self._scorer = scorer
        self._scores = scores
        self._jobs = jobs
        self._stored = stored

    def start(
        self,
        symbols: Sequence[str],
        session_id: str,
        *,
        language: Language = "zh",
        by_rule: bool = False,
    ) -> str:
        """Begin one; the id of its job. One of the same companies that runs already is joined.

        Raises: InputError (one is not known; none, or too many).
        """
        if not 1 <= len(symbols) <= MOST:
            raise InputError("symbols", len(symbols), f"1 to {MOST} companies")
        wanted = [ScoreRequest(symbol=one, language=language, by_rule=by_rule) for one in symbols]
        found = dict.fromkeys(self._scorer.understood(one).value for one in wanted)
        arguments: dict[str, JsonValue] = {
            "symbols": list(found),
            "language": language,
            "by_rule": by_rule,
        }
        for job in self._jobs.list(kinds=(BATCH,), limit=_LOOKED_BACK):
            same = {**job.arguments, "batch": None} == {**arguments, "batch": None}
            if same and job.status is None and self._jobs.state(job.job_id).running:
                return job.job_id
        return self._begin({**arguments, "batch": "batch_" + uuid4().hex[:12]}, session_id)

    def resume(self, job_id: str, session_id: str) -> str:
        """Go on with one that was stopped or interrupted; the id of the job that does. What was
        scored stays, what failed is tried again. Raises: InputError.
        """
        job = self._job(job_id)
        if self._jobs.state(job_id).running:
            return job_id
        return self._begin(job.arguments, session_id)

    def work_of(self, job: StoredJob) -> Work:
        """What that job asks for, to be done by another process than the one that asked."""
        return self._make_work(job.arguments, since=job.started_at)

    def state(self, job_id: str) -> Batch:
        """How far it is, company by company. Raises: InputError."""
        job = self._job(job_id)
        # First how it stands: what ends while the rows are read is in them, never the other way.
        state = self._jobs.state(job_id)
        kept = self._find_items(job)
        rows = tuple(self._row(symbol, kept.get(symbol)) for symbol in _symbols(job))
        return Batch(state=state, rows=rows)

    def cancel(self, job_id: str) -> None:
        """Ask it to stop after the company it is at. Raises: InputError."""
        self._jobs.cancel(job_id)

    def list(self, *, limit: int = 20) -> tuple[StoredJob, ...]:
        """The newest batches."""
        return self._jobs.list(kinds=(BATCH,), limit=limit)

    def _begin(self, arguments: Mapping[str, JsonValue], session_id: str) -> str:
        asked = dict(arguments)
        count = len(_list_symbols(asked))
        return self._jobs.start(
            BATCH,
            session_id,
            self._make_work(asked),
            subject=str(asked["batch"]),
            title=f"批量评分 {count} 家",
            arguments=asked,
        )

    def _make_work(self, asked: Mapping[str, JsonValue], *, since: datetime | None = None) -> Work:
        return lambda watch: self._work(asked, watch, since)

    def _work(
        self, asked: Mapping[str, JsonValue], watch: StepWatcher, since: datetime | None
    ) -> Ended:
        """Every company that was not scored yet; nor failed after `since`, when the job began that
        another worker leaves behind.
        """
        batch = str(asked["batch"])
        done = {
            symbol
            for symbol, job in self._items(batch, len(_list_symbols(asked))).items()
            if job.status in _SCORED or (job.status and since and job.started_at >= since)
        }
        for symbol in _list_symbols(asked):
            if symbol in done:
                continue
            if watch.cancelled():
                raise CancelledError("cancelled")
            self._jobs.give_way()
            self._one(symbol, asked, batch, watch)
        return Ended(status="ok", document=batch)

    def _one(
        self, symbol: str, asked: Mapping[str, JsonValue], batch: str, watch: StepWatcher
    ) -> None:
        """One company, kept as it ends. What fails is its own affair; a stop is the batch's."""
        request = ScoreRequest(
            symbol=symbol,
            language="en" if asked.get("language") == "en" else "zh",
            by_rule=asked.get("by_rule") is True,
        )
        name = self._scorer.name(symbol)
        watch.step(Step(kind="tool_started", title=Text.of(name), tool=symbol))
        error: str | None = None
        ended: Ended | YoujuError
        try:
            ended = ended_of(self._scorer.run(request, batch, _Quiet(watch)))
        except CancelledError:
            raise
        except YoujuError as failed:
            error = type(failed).__name__
            ended = failed
        keep(self._stored, request, batch, f"{name} 持有评分", ended)
        watch.step(Step(kind="tool_ended", title=Text.of(name), tool=symbol, error=error))

    def _job(self, job_id: str) -> StoredJob:
        job = self._jobs.state(job_id).job
        if job.kind != BATCH:
            raise InputError("job_id", job_id, "the id of a batch of scores")
        return job

    def _find_items(self, job: StoredJob) -> dict[str, StoredJob]:
        return self._items(str(job.arguments["batch"]), len(_symbols(job)))

    def _items(self, batch: str, count: int) -> dict[str, StoredJob]:
        """The newest of each company of a batch; some failed and were tried again."""
        found: dict[str, StoredJob] = {}
        for job in self._stored.list(kinds=(KIND,), session_id=batch, limit=count * 10):
            found.setdefault(job.subject, job)
        return found

    def _row(self, symbol: str, job: StoredJob | None) -> BatchRow:
        name = self._scorer.name(symbol)
        if job is None:
            return BatchRow(symbol=symbol, name=name)
        row = BatchRow(symbol=symbol, name=name, status=job.status, job_id=job.job_id)
        if job.status == "failed" and (why := self._stored.result(job.job_id)) is not None:
            return row.model_copy(update={"problem": Text.read(why)})
        released = self._scores.released(job.job_id)
        if released is None:
            return row
        return row.model_copy(update={"hold_score": released.hold_score, "engine": released.engine})


class _Quiet:
    """Passes the wish to stop on, and no steps: a batch tells of companies, not of their rounds."""

    def __init__(self, watch: StepWatcher) -> None:
        self._watch = watch

    def step(self, step: Step) -> None:
        """Nothing is kept."""

    def cancelled(self) -> bool:
        """As the batch's."""
        return self._watch.cancelled()


def _symbols(job: StoredJob) -> Sequence[str]:
    return _list_symbols(job.arguments)


def _list_symbols(arguments: Mapping[str, JsonValue]) -> list[str]:
    listed = arguments["symbols"]
    return [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []
