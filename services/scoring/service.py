"""The front of the scores: begin one, follow it, read what came of it, find it again.

A stored result holds no claims and no trace of its own: they are those of its run. It is released
anew from its draft and review each time it is read. Of a refused draft nothing is kept but its
digest and why.
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import NamedTuple, cast, get_args

from pydantic import AwareDatetime, BaseModel

from services.core.claims import Claim
from services.core.errors import YoujuError
from services.core.record import Record
from services.core.score_rules import FACTORS
from services.core.symbols import Market
from services.core.text import Language
from services.jobs.runner import Ended, JobRunner, JobState, Work
from services.jobs.steps import StepWatcher
from services.scoring.batch_summary import BatchSummary
from services.scoring.models import (
    Engine,
    Factor,
    FactorScore,
    NotReleasedError,
    Review,
    ScoreDraft,
    ScoreResult,
    Step1Output,
)
from services.scoring.outcomes import Outcomes
from services.scoring.scorer import KIND, MarketScore, Scorer, ScoreRefused, ScoreRequest
from services.store.jobs import JobEnd, Jobs, StoredJob
from services.store.runs import Runs

_ELSEWHERE = {"claims", "trace"}
Result = ScoreResult | ScoreRefused


class _Kept(Record):
    """The stored form: one of the two, without what its run keeps. `factors` are the claims of the
    factors' scores, so that a list need not open every run.
    """

    score: dict[str, object] | None = None
    refused: dict[str, object] | None = None
    factors: tuple[Claim, ...] = ()


class FactorChange(Record):
    """A factor that is not what it was in the score before; null where it had none."""

    factor: Factor
    zh: str
    en: str
    before: Claim | None
    after: Claim | None


class PastScore(Record):
    """One score of a company's history. `before` is the hold score of the one before it, null for
    the first; `changes` are the factors that differ from it.
    """

    job_id: str
    at: AwareDatetime
    hold_score: float
    engine: Engine
    model: str | None
    rounds: int
    before: float | None = None
    changes: tuple[FactorChange, ...] = ()


class _Opened(NamedTuple):
    """A stored score as a list tells it, and the scores of its factors."""

    told: PastScore
    factors: Mapping[Factor, Claim]


class _Stamped(BaseModel):
    """Of a stored recommendation only its time: whole, it is made by its release alone."""

    timestamp: AwareDatetime


class ScoreService:
    """Scores as jobs. Safe to share between sessions."""

    def __init__(
        self, scorer: Scorer, jobs: JobRunner, runs: Runs, stored: Jobs | None = None
    ) -> None:
        """`jobs` runs and keeps them, `runs` has their claims and traces; `stored` keeps those that
        are waited for.
        """
        self._scorer = scorer
        self._jobs = jobs
        self._runs = runs
        self._stored = stored

    def run(
        self, request: ScoreRequest, session_id: str, watch: StepWatcher | None = None
    ) -> Result:
        """One score at once, without a job. Raises: as Scorer.run."""
        return self._scorer.run(request, session_id, watch)

    def keep(
        self, request: ScoreRequest, session_id: str, watch: StepWatcher | None = None
    ) -> Result:
        """One score at once, kept as one of the pages is: it is in the history of its company.

        Raises: as Scorer.run; then nothing is kept.
        """
        found = self._scorer.run(request, session_id, watch)
        if self._stored is not None:
            symbol = self._scorer.understood(request).value
            asked = request.model_copy(update={"symbol": symbol})
            keep(self._stored, asked, session_id, self._title(symbol), ended_of(found))
        return found

    def find_facts(
        self, request: ScoreRequest, session_id: str, watch: StepWatcher | None = None
    ) -> Step1Output:
        """Step 1 alone. Raises: as Scorer.find_facts."""
        return self._scorer.find_facts(request, session_id, watch)

    def score_facts(
        self, step1: Step1Output, request: ScoreRequest, watch: StepWatcher | None = None
    ) -> Result:
        """Step 2 of a Step 1 made before; it joins no history. Raises: as Scorer.score_facts."""
        return self._scorer.score_facts(step1, request, watch)

    def market(
        self,
        market: Market,
        session_id: str,
        take: Callable[[MarketScore], None],
        *,
        language: Language = "zh",
        watch: StepWatcher | None = None,
    ) -> BatchSummary:
        """A whole market by rule, company by company. Raises: as Scorer.market."""
        return self._scorer.market(market, session_id, take, language=language, watch=watch)

    def start(
        self,
        symbol: str,
        session_id: str,
        *,
        language: Language = "zh",
        by_rule: bool = False,
    ) -> str:
        """Begin one beside the pages; the id of its job. Raises: InputError."""
        request = ScoreRequest(symbol=symbol, language=language, by_rule=by_rule)
        found = self._scorer.understood(request).value
        asked = request.model_copy(update={"symbol": found})
        return self._jobs.start(
            KIND,
            session_id,
            self._make_work(asked, session_id),
            subject=found,
            title=self._title(found),
            arguments=asked.model_dump(mode="json"),
        )

    def work_of(self, job: StoredJob) -> Work:
        """What that job asks for, to be done by another process than the one that asked."""
        return self._make_work(ScoreRequest.model_validate(job.arguments), job.session_id)

    def state(self, job_id: str) -> JobState:
        """How far it is. Raises: InputError."""
        return self._jobs.state(job_id)

    def result(self, job_id: str) -> Result | None:
        """What came of it, with the claims and trace of its run; None while it runs or when it
        ended without any. Raises: InputError; NotReleasedError when the stored score was changed.
        """
        document = self._jobs.result(job_id)
        if document is None:
            return None
        kept = _Kept.model_validate_json(document)
        found = kept.score or kept.refused or {}
        run = self._runs.load(str(found["run_id"]))
        # Checked when they were read: to check each row of the trace once more took most of it.
        whole = {**found, "claims": run.claims, "trace": run.trace}
        kind = ScoreResult if kept.score is not None else ScoreRefused
        return kind.model_validate(whole)

    def released(self, job_id: str) -> PastScore | None:
        """What a list says of a score that was released; None for any other. Its draft and its
        review are held against each other again.
        """
        opened = self._open_result(job_id)
        return opened.told if opened is not None else None

    def cancel(self, job_id: str) -> None:
        """Ask it to stop. Raises: InputError."""
        self._jobs.cancel(job_id)

    def list(self, *, symbol: str | None = None, limit: int = 50) -> tuple[StoredJob, ...]:
        """The newest scores, of one company or of all."""
        return self._jobs.list(kinds=(KIND,), subject=symbol, limit=limit)

    def history(self, symbol: str, *, limit: int = 20) -> tuple[PastScore, ...]:
        """The released scores of a company, newest first, each with what changed since the one
        before it.
        """
        past: list[PastScore] = []
        known: list[Mapping[Factor, Claim]] = []
        for job in self._jobs.list(kinds=(KIND,), subject=symbol, limit=limit + 1):
            opened = self._open_result(job.job_id) if job.status == "ok" else None
            if opened is not None:
                past.append(opened.told)
                known.append(opened.factors)
        told = [
            _beside(one, past[at + 1], known[at], known[at + 1]) if at + 1 < len(past) else one
            for at, one in enumerate(past)
        ]
        return tuple(told[:limit])

    def outcomes(self, symbol: str, bases: Mapping[str, date | None], session_id: str) -> Outcomes:
        """What the price did after scores of a company. See Scorer.outcomes."""
        return self._scorer.outcomes(symbol, bases, session_id)

    def _open_result(self, job_id: str) -> _Opened | None:
        document = self._jobs.result(job_id)
        kept = _Kept.model_validate_json(document) if document else None
        if kept is None or kept.score is None:
            return None
        score = kept.score
        draft, review = (
            ScoreDraft.model_validate(score["draft"]),
            Review.model_validate(score["review"]),
        )
        if not review.passed or review.draft_digest != draft.digest:
            raise NotReleasedError("the stored score is not what was reviewed")
        told = PastScore(
            job_id=job_id,
            at=_Stamped.model_validate(score["recommendation"]).timestamp,
            hold_score=draft.hold_score,
            engine=draft.engine,
            model=draft.model,
            rounds=len(cast("list[object]", score["rounds"])),
        )
        claims = {claim.claim_id: claim for claim in kept.factors}
        listed = [FactorScore.model_validate(one) for one in cast("list[object]", score["factors"])]
        factors: dict[Factor, Claim] = {
            one.factor: claims[one.score] for one in listed if one.score is not None
        }
        return _Opened(told, factors)

    def _make_work(self, asked: ScoreRequest, session_id: str) -> Work:
        return lambda watch: ended_of(self._scorer.run(asked, session_id, watch))

    def _title(self, symbol: str) -> str:
        return f"{self._scorer.name(symbol)} 持有评分"


def keep(
    stored: Jobs, request: ScoreRequest, session_id: str, title: str, ended: Ended | YoujuError
) -> None:
    """A score that has ended, well or not, as a job among the others."""
    if isinstance(ended, YoujuError):
        end = JobEnd("failed", str(ended), None)
    else:
        end = JobEnd(ended.status, ended.document, ended.run_id)
    stored.start(
        KIND,
        session_id,
        subject=request.symbol,
        title=title,
        arguments=request.model_dump(mode="json"),
        ended=end,
    )


def ended_of(found: Result) -> Ended:
    """A result as a job keeps it."""
    document = found.model_dump(mode="json", exclude=_ELSEWHERE)
    if isinstance(found, ScoreResult):
        scores = {one.score for one in found.factors}
        told = tuple(claim for claim in found.claims if claim.claim_id in scores)
        kept = _Kept(score=document, factors=told)
        return Ended(status="ok", document=kept.model_dump_json(), run_id=found.run_id)
    kept = _Kept(refused=document)
    return Ended(status="refused", document=kept.model_dump_json(), run_id=found.run_id)


def _beside(
    one: PastScore,
    earlier: PastScore,
    after: Mapping[Factor, Claim],
    before: Mapping[Factor, Claim],
) -> PastScore:
    """The score with what is not as it was."""
    changes = tuple(
        FactorChange(
            factor=factor,
            zh=FACTORS[factor].label.zh,
            en=FACTORS[factor].label.en,
            before=before.get(factor),
            after=after.get(factor),
        )
        for factor in get_args(Factor)
        if _value(before.get(factor)) != _value(after.get(factor))
    )
    return one.model_copy(update={"before": earlier.hold_score, "changes": changes})


def _value(claim: Claim | None) -> float | None:
    return None if claim is None else claim.value
