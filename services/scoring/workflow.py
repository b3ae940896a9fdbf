"""Step 2 (seed 003): a draft, its review, and a release only of what was approved.

`ScoringWorkflow.run` is the seed's, for an event loop of the caller's; `approve` is the same in a
loop of its own, for everybody else here. The agents' framework is imported when a run begins.
"""

import asyncio
import logging
import traceback
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pydantic import ValidationError

from services.agents.prices import Prices, read_prices
from services.core.clock import Clock, FixedClock
from services.core.errors import (
    ConfigError,
    NotVerifiedError,
    UnavailableError,
    YoujuError,
)
from services.core.model_calls import ModelCall
from services.core.text import Language, Text
from services.core.verifier import verify
from services.jobs.runner import CancelledError
from services.jobs.steps import StepWatcher, Unwatched
from services.scoring.briefing import brief
from services.scoring.dialects import Ways
from services.scoring.endpoints import (
    DEFAULT_REVIEW_MODEL,
    DEFAULT_SCORE_MODEL,
    RoleModel,
    key_of,
    role_models,
    step1_models,
)
from services.scoring.exchange import REVIEW_AGENT, ROLES, SCORE_AGENT, Role, ScoreVetoedError
from services.scoring.factors import require_total, scorecard
from services.scoring.models import (
    MAX_ITERATIONS,
    HoldRecommendation,
    NotReleasedError,
    Review,
    Round,
    Scorecard,
    ScoreDraft,
    Step1Output,
)
from services.scoring.review import CodeReview
from services.scoring.rule_agents import review_by_rule, score_by_rule
from services.scoring.rules import RuleAgents
from services.settings import Settings, load_settings
from services.statements.proved_texts import Made

if TYPE_CHECKING:
    import openai

    from services.scoring.orchestration import Cast, Player
    from services.scoring.review_state import ReviewStanding

_LOG = logging.getLogger("youju.scoring")
# How often the wish to stop is asked for.
_LOOK_S = 0.1
# So much of a released reason stands in the log.
_EXCERPT = 100
By = Literal["auto", "model", "rule"]
T = TypeVar("T")


class ScoringFaultError(YoujuError):
    """A fault of ours in a score; nothing of what was written is in its message."""


@dataclass(frozen=True, slots=True)
class Approval:
    """A released score with the pair it was released from, and how it came about; `made` are the
    lines of its reason that statements make.
    """

    recommendation: HoldRecommendation
    draft: ScoreDraft
    review: Review
    rounds: tuple[Round, ...]
    card: Scorecard
    made: tuple[Made, ...] = ()


@dataclass(frozen=True, slots=True)
class Manner:
    """How a run is done. `by`: `auto` takes the models that are configured and rules else.

    `deadline_s` bounds the whole run, in seconds; by default every message may take the time of
    one answer.
    """

    language: Language = "zh"
    by: By = "auto"
    deadline_s: float | None = None


@dataclass(frozen=True, slots=True)
class Following:
    """Who follows a run: its steps and its wish to stop, and the calls of models it made."""

    watch: StepWatcher = field(default_factory=Unwatched)
    record: Callable[[ModelCall], None] = lambda _: None


class ScoringWorkflow:
    """Scores what Step 1 found. Holds no state of a run: safe to be asked again, side by side."""

    def __init__(
        self,
        dashscope_client: "openai.AsyncOpenAI | None" = None,
        deepseek_client: "openai.AsyncOpenAI | None" = None,
        *,
        settings: Settings | None = None,
        clock: Clock | None = None,
        manner: Manner | None = None,
        rules: RuleAgents | None = None,
    ) -> None:
        """A client that is given is asked by the ScoreAgent (DashScope) or the ReviewAgent
        (DeepSeek), and belongs to the caller; else those of the settings are made for each run.

        Without a clock a score is of the instant Step 1 was made at. Raises: ConfigError when
        models are wanted and one has no key.
        """
        self._settings = settings or load_settings()
        self._clock = clock
        self._manner = manner or Manner()
        self._rules = rules or RuleAgents(score_by_rule, review_by_rule)
        self._clients: dict[Role, openai.AsyncOpenAI] = {}
        given: tuple[tuple[Role, openai.AsyncOpenAI | None], ...] = (
            (SCORE_AGENT, dashscope_client),
            (REVIEW_AGENT, deepseek_client),
        )
        self._clients.update({role: client for role, client in given if client is not None})
        self._models = self._list_models()
        self._ways = Ways()
        self._prices = read_prices(self._settings.model_prices) if self._models else Prices()
        for role in ROLES:
            _LOG.debug("%s: %s", role, self._models[role].model if role in self._models else "rule")
        _LOG.info("scoring workflow ready")

    @property
    def models(self) -> Mapping[Role, RoleModel]:
        """Which model plays which agent; a role that is not there is played by its rule agent."""
        return dict(self._models)

    async def run(self, step1_output: Step1Output) -> HoldRecommendation:
        """The approved recommendation.

        Raises: ScoreVetoedError after the last round; UnavailableError, RateLimitError,
        DeniedError, ChangedError naming the agent; NoDataError (too little to score);
        NotVerifiedError; ScoringFaultError.
        """
        approval = await self._score_step1(step1_output, None, self._manner, Following())
        return approval.recommendation

    def approve(
        self,
        step1: Step1Output,
        card: Scorecard | None = None,
        *,
        manner: Manner | None = None,
        following: Following | None = None,
    ) -> Approval:
        """The same at once, in an event loop of its own, with everything behind it.

        Raises: as `run`; CancelledError.
        """
        following = following or Following()
        work = self._score_step1(step1, card, manner or self._manner, following)
        return asyncio.run(_stoppable(work, following.watch))

    def choose_facts(self, step1: Step1Output, following: Following) -> Step1Output:
        """Step 1 with what the models named for its roles chose before the rest; the same where
        none is. Raises: CancelledError.
        """
        models = step1_models(self._settings)
        if not models:
            return step1
        from services.scoring.chat_agents import AgentSurroundings
        from services.scoring.step1_roles import choose_facts

        around = AgentSurroundings(
            following.watch,
            self._clock or FixedClock(step1.instant),
            self._prices,
            following.record,
            self._settings.llm_deadline_s,
            self._ways,
        )
        return asyncio.run(_stoppable(choose_facts(step1, models, around), following.watch))

    def _list_models(self) -> dict[Role, RoleModel]:
        if self._manner.by == "rule":
            return {}
        models = role_models(self._settings)
        for role, client in self._clients.items():
            models[role] = _of_client(role, client, models.get(role), self._settings)
        missing: list[Role] = [role for role in ROLES if role not in models]
        if missing and self._manner.by == "model":
            told = f"needed for the {missing[0]}; or set LLM_BASE_URL and LLM_MODEL"
            _LOG.error("%s is not set", key_of(missing[0]))
            raise ConfigError(key_of(missing[0]), told)
        return models

    async def _score_step1(
        self,
        step1: Step1Output,
        card: Scorecard | None,
        manner: Manner,
        following: Following,
    ) -> Approval:
        symbol = step1.stock_code
        _LOG.info("score of %s begins", symbol)
        try:
            approval = await self._score_in_time(step1, card, manner, following)
        except YoujuError as error:
            _LOG.error("score of %s: %s", symbol, type(error).__name__)
            _LOG.debug("score of %s: where it ended", symbol, exc_info=_is_told(error))
            raise
        except asyncio.CancelledError:
            _LOG.info("score of %s: stopped", symbol)
            raise
        except Exception as error:  # noqa: BLE001 — told without the text it may carry
            where = _place(error)
            _LOG.error("score of %s: %s", symbol, where)
            # The way there without the error itself: its words may be those of a draft.
            _LOG.debug("score of %s: the way there\n%s", symbol, _way(error))
            raise ScoringFaultError(
                Text("评分程序故障", f"a fault while scoring: {where}")
            ) from None
        released = approval.recommendation
        _LOG.debug("score of %s: %s…", symbol, released.summary_reason[:_EXCERPT])
        _LOG.info("score of %s: %.2f", symbol, released.hold_score)
        return approval

    async def _score_in_time(
        self,
        step1: Step1Output,
        card: Scorecard | None,
        manner: Manner,
        following: Following,
    ) -> Approval:
        limit = manner.deadline_s or self._settings.llm_deadline_s * MAX_ITERATIONS
        try:
            async with asyncio.timeout(limit):
                return await self._play(step1, card or scorecard(step1), manner, following)
        except TimeoutError:
            told = (
                f"no approved score of {step1.stock_code} within {limit:g} s; "
                "try again, or raise LLM_DEADLINE"
            )
            raise UnavailableError(f"{SCORE_AGENT}+{REVIEW_AGENT}", "score", told) from None

    async def _play(
        self, step1: Step1Output, card: Scorecard, manner: Manner, following: Following
    ) -> Approval:
        # The framework takes over a second to import: only a score pays it.
        from services.scoring.chat_agents import AgentSurroundings
        from services.scoring.orchestration import play

        clock = self._clock or FixedClock(step1.instant)
        _require_verified(step1, card)
        parts = self._cast(manner, card)
        code = CodeReview(step1, card)
        briefing = brief(step1, card, manner.language)
        around = AgentSurroundings(
            following.watch,
            clock,
            self._prices,
            following.record,
            self._settings.llm_deadline_s,
            self._ways,
        )
        _LOG.debug("facts of %s: %d characters", step1.stock_code, len(briefing.facts))
        _LOG.info("score of %s: at most %d messages", step1.stock_code, MAX_ITERATIONS)
        found = await play(parts, briefing, code, around)
        _LOG.info("score of %s: approved in round %d", step1.stock_code, len(found.rounds))
        return _release(step1, card, found, code, clock)

    def _cast(self, manner: Manner, card: Scorecard) -> "Cast":
        from services.scoring.orchestration import Cast, Player

        if manner.by == "rule":
            return Cast(None, None, self._rules)

        def player(role: Role) -> "Player | None":
            model = self._models.get(role)
            return None if model is None else Player(model, self._clients.get(role))

        return Cast(player(SCORE_AGENT), player(REVIEW_AGENT), self._rules)


def _require_verified(step1: Step1Output, card: Scorecard) -> None:
    """Every figure a text may carry, held against what was fetched. Raises: NotVerifiedError;
    NoDataError when too little is known for a score.
    """
    result = verify(card.claims, step1.trace, step1.instant)
    if not result.ok:
        raise NotVerifiedError(
            [
                f"{card.claims[one.claim_index].metric}: {one.check}: {one.reason}"
                for one in result.failures
            ]
        )
    require_total(card)


def _release(
    step1: Step1Output, card: Scorecard, found: "ReviewStanding", code: CodeReview, clock: Clock
) -> Approval:
    """The release, behind a last look by code. Raises: NotVerifiedError."""
    approved = found.approved
    if approved is None or code.failures(approved.draft):
        raise NotVerifiedError([Text("没有通过核对的稿子", "no draft that holds")])
    if not step1.stock_name:
        _LOG.warning("%s has no name in Step 1; the score goes without one", step1.stock_code)
    try:
        recommendation = HoldRecommendation.release(
            approved.draft,
            approved.review,
            stock_name=step1.stock_name,
            claims=card.claims,
            at=clock.now(),
        )
    except (NotReleasedError, ValidationError, KeyError) as error:
        why = Text("放行被拒", f"not released: {type(error).__name__}")
        raise NotVerifiedError([why]) from None
    made = code.made(approved.draft)
    return Approval(
        recommendation, approved.draft, approved.review, tuple(found.rounds), card, made
    )


def _of_client(
    role: Role, client: "openai.AsyncOpenAI", known: RoleModel | None, settings: Settings
) -> RoleModel:
    """What is known of a client the caller gave."""
    is_score = role == SCORE_AGENT
    named = settings.model_score_agent if is_score else settings.model_review_agent
    default = DEFAULT_SCORE_MODEL if is_score else DEFAULT_REVIEW_MODEL
    model = RoleModel(
        role, str(client.base_url), named or default, "the client that was given", search=False
    )
    return replace(model, search=bool(known and known.search))


async def _stoppable(work: Coroutine[Any, Any, T], watch: StepWatcher) -> T:
    """The work, until the reader wants it stopped: its task is cancelled then, and the endpoint
    sees that nobody listens. Raises: CancelledError.
    """
    task = asyncio.create_task(work)
    stopped = False
    while not task.done():
        await asyncio.wait({task}, timeout=_LOOK_S)
        if not task.done() and not stopped and watch.cancelled():
            stopped = task.cancel()
    # What came in the same moment is no result either: the reader had asked to stop.
    if task.cancelled() or watch.cancelled():
        if not task.cancelled():
            task.exception()
        raise CancelledError("cancelled")
    return task.result()


def _is_told(error: YoujuError) -> bool:
    """Whether a trace of it carries nothing but our own words."""
    return not isinstance(error, ScoreVetoedError)


def _way(error: BaseException) -> str:
    """Where it passed, and those behind it; nothing of what they say."""
    cause = error.__cause__ or error.__context__
    before = f"{_way(cause)}\nthen\n" if cause is not None else ""
    return before + "".join(traceback.format_tb(error.__traceback__))


def _place(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
