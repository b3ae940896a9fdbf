"""The whole of one score: Step 1, its factors, Step 2, on one ledger and in one stored run."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from services.core.claims import Claim
from services.core.errors import InputError
from services.core.ledger import Ledger
from services.core.model_calls import ModelCall
from services.core.record import Record
from services.core.symbols import Market, Symbol
from services.core.text import Language, Text
from services.core.trace import Trace
from services.jobs.runner import CancelledError
from services.jobs.steps import Step, StepWatcher, Unwatched
from services.scoring.batch import Scored, score_market
from services.scoring.batch_summary import BatchSummary, without_vetoed
from services.scoring.exchange import ScoreVetoedError
from services.scoring.factors import scorecard
from services.scoring.facts import AnalysisDesk, execute_step1
from services.scoring.judgement import Judgement, judge
from services.scoring.models import (
    MAX_ITERATIONS,
    KlineAnalysis,
    NewsAnalysis,
    Round,
    Scorecard,
    ScoreResult,
    SectorAnalysis,
    Step1Output,
)
from services.scoring.outcomes import Outcomes, prices_after
from services.scoring.workflow import Approval, Following, Manner, ScoringWorkflow
from services.tools.running import Finished, Runner

KIND = "score"
_OUTCOMES = "score_outcomes"
_MARKET = "score_market"
_STEP1 = "score_step1"


class ScoreRequest(Record):
    """What is wanted: a company by code or name, in which language, and whether by rule alone."""

    symbol: str
    language: Language = "zh"
    by_rule: bool = False


class ScoreRefused(Record):
    """No draft was approved. `reviews` says why each was refused; no text of any is here.

    `news`, `sector` and `kline` are what Step 1 found, as in a ScoreResult.
    """

    kind: Literal["vetoed"] = "vetoed"
    stock_code: str
    stock_name: str
    rounds: tuple[Round, ...]
    reviews: tuple[str, ...]
    news: NewsAnalysis | None = None
    sector: SectorAnalysis | None = None
    kline: KlineAnalysis | None = None
    claims: tuple[Claim, ...] = ()
    trace: Trace
    run_id: str


class _Vetoed(Record):
    rounds: tuple[Round, ...]
    reviews: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarketScore:
    """One company of a market: its approval, or why there is none (`problem`). `of_day` is the past
    day it is of, null when it is of the run's.
    """

    symbol: str
    name: str
    approval: Approval | None = None
    problem: Text | None = None
    of_day: date | None = None


class Scorer:
    """Scores companies. Safe to share between threads: each run has its own ledger and loop."""

    def __init__(
        self, runner: Runner, desk: AnalysisDesk, workflow: ScoringWorkflow, deadline_s: float
    ) -> None:
        """`deadline_s` is the time of one answer of a model, in seconds."""
        self._runner = runner
        self._desk = desk
        self._workflow = workflow
        self._deadline_s = deadline_s * MAX_ITERATIONS

    def understood(self, request: ScoreRequest) -> Symbol:
        """Whom it is about; nothing is asked of anyone. Raises: InputError (with choices)."""
        symbol = self._desk.names.resolve(request.symbol)
        row = self._desk.names.row(symbol.value)
        if row is not None and row.kind == "index":
            raise InputError("symbol", request.symbol, "a company: an index is not held")
        return symbol

    def name(self, symbol: str) -> str:
        """What it is called; the code where nobody knows."""
        return self._desk.names.name(symbol)

    def run(
        self, request: ScoreRequest, session_id: str, watch: StepWatcher | None = None
    ) -> ScoreResult | ScoreRefused:
        """The score, or that every draft was refused.

        Raises: InputError, NoDataError, ProviderError naming the agent, NotVerifiedError,
        CancelledError.
        """
        watch, symbol = watch or Unwatched(), self.understood(request)
        name = self.name(symbol.value)
        watch.step(Step(kind="begun", title=Text(f"{name} 持有评分", f"hold score of {name}")))
        finished = self._runner.run(
            KIND,
            {"symbol": symbol.value, "language": request.language, "by_rule": request.by_rule},
            lambda ledger: self._work(ledger, request, symbol, watch),
            session_id=session_id,
            patience_s=self._deadline_s + self._runner.patience_s * 3,
        )
        return _end_score(finished, watch)

    def find_facts(
        self, request: ScoreRequest, session_id: str, watch: StepWatcher | None = None
    ) -> Step1Output:
        """Step 1 alone, as a run of its own: what a score can be made of later, or elsewhere.

        Raises: InputError, NoDataError, CancelledError.
        """
        following, symbol = watch or Unwatched(), self.understood(request)
        finished = self._runner.run(
            _STEP1,
            {"symbol": symbol.value},
            lambda ledger: self._facts(ledger, request, symbol, following),
            session_id=session_id,
        )
        behind = {
            "claims": finished.claims,
            "trace": finished.trace,
            "run_id": finished.run_id,
        }
        return finished.output.model_copy(update=behind)

    def score_facts(
        self, step1: Step1Output, request: ScoreRequest, watch: StepWatcher | None = None
    ) -> ScoreResult | ScoreRefused:
        """Step 2 alone, on a Step 1 that was made before: nothing is fetched and nothing stored.

        Its claims are proved against its own trace first. Raises: as `run`.
        """
        following, calls = watch or Unwatched(), list[ModelCall]()
        card = scorecard(step1)
        done = self._judge_step1(step1, card, request, Following(following, calls.append))
        trace = step1.trace.model_copy(update={"model_calls": (*step1.trace.model_calls, *calls)})
        found = Finished(step1.run_id, (step1, done), card.claims, trace)
        return _end_score(found, following)

    def market(
        self,
        market: Market,
        session_id: str,
        take: Callable[[MarketScore], None],
        *,
        language: Language = "zh",
        watch: StepWatcher | None = None,
    ) -> BatchSummary:
        """Every company of a market by rule, each drafted, reviewed and handed to `take`.

        Nothing but the screen of the market is stored. Raises: as batch.score_market.
        """
        manner, watching, vetoed = Manner(language=language, by="rule"), watch or Unwatched(), 0
        each_s = self._runner.patience_s

        def taken(scored: Scored) -> None:
            nonlocal vetoed
            found = self._of_market(scored, manner)
            vetoed += scored.problem is None and found.approval is None
            take(found)

        summary = self._runner.run(
            _MARKET,
            {"market": market, "language": language},
            lambda ledger: score_market(ledger, self._desk, market, watching, taken, each_s=each_s),
            session_id=session_id,
            # Minutes of our own work lie between the first company and the last: each has its own
            # time instead.
            patience_s=math.inf,
        ).output
        return without_vetoed(summary, vetoed) if vetoed else summary

    def _of_market(self, scored: Scored, manner: Manner) -> MarketScore:
        symbol, name = scored.symbol, scored.name
        if scored.step1 is None or scored.problem is not None:
            return MarketScore(symbol, name, problem=scored.problem)
        try:
            approval = self._workflow.approve(scored.step1, scored.card, manner=manner)
        except ScoreVetoedError as error:
            return MarketScore(symbol, name, problem=Text.read(str(error)))
        return MarketScore(symbol, name, approval, of_day=scored.step1.of_day)

    def outcomes(self, symbol: str, bases: Mapping[str, date | None], session_id: str) -> Outcomes:
        """What the price did after scores of a company, in one run; `bases` are by score the day
        of the close it knew. Raises: NotVerifiedError.
        """
        first = min((day for day in bases.values() if day is not None), default=None)
        finished = self._runner.run(
            _OUTCOMES,
            {"symbol": symbol, "since": first.isoformat() if first else None},
            lambda ledger: prices_after(ledger, Symbol(symbol), [*bases.values()], self._desk),
            session_id=session_id,
        )
        return Outcomes(
            stock_code=symbol,
            after=dict(zip(bases, finished.output, strict=True)),
            claims=finished.claims,
            trace=finished.trace,
            run_id=finished.run_id,
        )

    def _work(
        self, ledger: Ledger, request: ScoreRequest, symbol: Symbol, watch: StepWatcher
    ) -> tuple[Step1Output, Judgement | _Vetoed]:
        """What Step 1 found, and what came of it."""
        step1 = self._facts(ledger, request, symbol, watch)
        if watch.cancelled():
            raise CancelledError("cancelled")
        card = scorecard(step1, ledger)
        following = Following(watch, ledger.record_model)
        return step1, self._judge_step1(step1, card, request, following)

    def _facts(
        self, ledger: Ledger, request: ScoreRequest, symbol: Symbol, watch: StepWatcher
    ) -> Step1Output:
        """What is known, and where models are named for it, what of it comes first."""
        step1 = execute_step1(ledger, self._desk, symbol, watch)
        if request.by_rule:
            return step1
        chosen = self._workflow.choose_facts(step1, Following(watch, ledger.record_model))
        return chosen.model_copy(update={"trace": ledger.trace})

    def _judge_step1(
        self, step1: Step1Output, card: Scorecard, request: ScoreRequest, following: Following
    ) -> Judgement | _Vetoed:
        manner = Manner(
            language=request.language,
            by="rule" if request.by_rule else "auto",
        )
        try:
            return judge(self._workflow, step1, card, manner, following)
        except ScoreVetoedError as error:
            return _Vetoed(rounds=error.rounds, reviews=error.reviews)


def _end_score(
    finished: Finished[tuple[Step1Output, Judgement | _Vetoed]], watch: StepWatcher
) -> ScoreResult | ScoreRefused:
    """What came of it, with everything behind it."""
    step1, done = finished.output
    if isinstance(done, _Vetoed):
        return ScoreRefused(
            stock_code=step1.stock_code,
            stock_name=step1.stock_name,
            rounds=done.rounds,
            reviews=done.reviews,
            news=step1.news,
            sector=step1.sector,
            kline=step1.kline,
            claims=finished.claims,
            trace=finished.trace,
            run_id=finished.run_id,
        )
    watch.step(Step(kind="composed", title=Text("审核通过，放行", "approved and released")))
    approval = done.approval
    return ScoreResult(
        recommendation=approval.recommendation,
        draft=approval.draft,
        review=approval.review,
        factors=approval.card.factors,
        score_claim=approval.card.total,
        coverage=approval.card.coverage,
        rounds=approval.rounds,
        missing=step1.missing,
        news=step1.news,
        sector=step1.sector,
        kline=step1.kline,
        checks=step1.checks,
        of_day=step1.of_day,
        since=step1.since,
        model_problem=done.problem,
        made=approval.made,
        claims=finished.claims,
        trace=finished.trace,
        run_id=finished.run_id,
    )
