"""One run of the Magentic workflow: two agents, the manager in code, and how it ended.

The one module that is imported when a score is asked for, and with it the framework.
"""

import logging
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import cast

import openai

from services.core.errors import YoujuError
from services.scoring import prompts
from services.scoring.briefing import Briefing
from services.scoring.chat_agents import (
    AgentSurroundings,
    ModelTalk,
    Participant,
    review_agent,
    rule_review_agent,
    rule_score_agent,
    score_agent,
)
from services.scoring.endpoints import RoleModel, client_of
from services.scoring.exchange import AgentRequest
from services.scoring.framework import MagenticBuilder, SupportsAgentRun
from services.scoring.manager import ReviewingManager
from services.scoring.models import ReviewResult, ScoreDraft
from services.scoring.reading import ScorerAnswer
from services.scoring.review import CodeReview
from services.scoring.review_state import ReviewStanding
from services.scoring.rules import RuleAgents
from services.scoring.sayings import sayings_of

_LOG = logging.getLogger("youju.scoring")


class UnapprovedError(YoujuError):
    """The framework ended a run as if it were done, and it was not: nothing is released."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays a role: a model, with a client of the caller's if he gave one."""

    model: RoleModel
    client: openai.AsyncOpenAI | None = None


@dataclass(frozen=True, slots=True)
class Cast:
    """Both roles; None: the rule agent."""

    score: Player | None
    review: Player | None
    rules: RuleAgents


async def play(
    parts: Cast, briefing: Briefing, code: CodeReview, around: AgentSurroundings
) -> ReviewStanding:
    """The conversation from the first draft to its end, with an approved draft.

    Raises: ScoreVetoedError, ProviderError; UnapprovedError and other faults.
    """
    manager = ReviewingManager(briefing, code, around.watch)
    async with AsyncExitStack() as stack:
        scorer = await _scorer(parts, briefing, code, around, stack)
        reviewer = await _reviewer(parts, briefing, around, stack)
        symbol = briefing.step1.stock_code
        _LOG.debug("agents of %s: score by %s, review by %s", symbol, *_name_players(parts))
        # The protocol's overloads want a stream as well; a workflow that is not streamed asks none.
        agents = cast("list[SupportsAgentRun]", [scorer, reviewer])
        workflow = MagenticBuilder(participants=agents, manager=manager).build()
        _LOG.debug("workflow of %s is built", symbol)
        task = prompts.TASK.format(stock_code=symbol)
        result = await workflow.run(task)
    approved = manager.standing.approved
    said = [message.text for output in result.get_outputs() for message in output.messages]
    if approved is None or said != [approved.draft.digest]:
        raise UnapprovedError("the workflow ended without an approved draft")
    return manager.standing


def _name_players(parts: Cast) -> tuple[str, str]:
    """What each agent is played by, for the log."""
    score, review = (one.model.model if one else "rule" for one in (parts.score, parts.review))
    return score, review


async def _scorer(
    parts: Cast,
    briefing: Briefing,
    code: CodeReview,
    around: AgentSurroundings,
    stack: AsyncExitStack,
) -> Participant:
    step1, card, language = briefing.step1, briefing.card, briefing.language
    if parts.score is None:

        def score(asked: AgentRequest) -> ScoreDraft:
            return parts.rules.score(step1, card, language, asked.refusals)

        return rule_score_agent(score, around.watch)
    instructions = prompts.SCORE_AGENT_SYSTEM.format(stock_code=step1.stock_code)
    instructions += prompts.SEARCH_ALLOWED if parts.score.model.search else ""
    talk, name = await _talk(parts.score, instructions, around, stack), parts.score.model.model

    def drafted(chosen: ScorerAnswer) -> ScoreDraft:
        return code.drafted(chosen, name, language)

    return score_agent(talk, sayings_of(card), drafted)


async def _reviewer(
    parts: Cast, briefing: Briefing, around: AgentSurroundings, stack: AsyncExitStack
) -> Participant:
    step1, card = briefing.step1, briefing.card
    if parts.review is None:

        def review(draft: ScoreDraft) -> ReviewResult:
            return parts.rules.review(step1, card, draft)

        return rule_review_agent(review, around.watch)
    instructions = prompts.REVIEW_AGENT_SYSTEM.format(stock_code=step1.stock_code)
    talk = await _talk(parts.review, instructions, around, stack)
    return review_agent(talk, sayings_of(card), briefing.language)


async def _talk(
    player: Player, instructions: str, around: AgentSurroundings, stack: AsyncExitStack
) -> ModelTalk:
    client = player.client
    if client is None:
        role = player.model.role
        made = client_of(player.model, around.deadline_s, lambda: around.whole.add(role))
        client = await stack.enter_async_context(made)
    return ModelTalk(player.model, client, instructions, around)
