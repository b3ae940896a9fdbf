"""What the agents of a score say to each other: records, sent as the text of chat messages."""

from collections.abc import Mapping
from typing import Literal

from services.core.errors import VetoedError
from services.core.record import Record
from services.scoring.models import Engine, ReviewResult, Round, ScoreDraft

Role = Literal["ScoreAgent", "ReviewAgent", "NewsAgent", "SectorAgent", "CheckerAgent"]
SCORE_AGENT: Role = "ScoreAgent"
REVIEW_AGENT: Role = "ReviewAgent"
NEWS_AGENT: Role = "NewsAgent"
SECTOR_AGENT: Role = "SectorAgent"
CHECKER_AGENT: Role = "CheckerAgent"
ROLES: tuple[Role, ...] = (SCORE_AGENT, REVIEW_AGENT)
# What the calls of a role's model are for, as a trace keeps them.
PURPOSES: Mapping[Role, str] = {
    SCORE_AGENT: "score", REVIEW_AGENT: "review", NEWS_AGENT: "news", SECTOR_AGENT: "sector",
    CHECKER_AGENT: "check",
}  # fmt: skip
# Why nothing could be read of an answer: it was cut, too long, stopped by a filter, or no JSON of
# the shape asked for.
Unreadable = Literal["cut", "length", "content_filter", "shape"]


class AgentRequest(Record):
    """What an agent is asked. `text` is all a model is told; the rest is for the rule agents.

    `round` counts from 1. `draft` is set for a review; `refusals` says why the drafts before were
    refused, oldest first.
    """

    text: str
    round: int
    draft: ScoreDraft | None = None
    refusals: tuple[str, ...] = ()


class Drafted(Record):
    """What the ScoreAgent answered: a draft, or why none could be read (`problem` says what)."""

    draft: ScoreDraft | None = None
    unreadable: Unreadable | None = None
    problem: str | None = None
    seconds: float = 0.0
    engine: Engine
    model: str | None = None


class Reviewed(Record):
    """What the ReviewAgent answered about the draft it was given; as `Drafted` else."""

    draft_digest: str
    result: ReviewResult | None = None
    unreadable: Unreadable | None = None
    problem: str | None = None
    seconds: float = 0.0
    engine: Engine
    model: str | None = None


class ScoreVetoedError(VetoedError):
    """Every draft was refused; `rounds` tells of each, never its text."""

    def __init__(self, rounds: tuple[Round, ...]) -> None:
        super().__init__([_tell_round(one) for one in rounds])
        self.rounds = rounds


def _tell_round(one: Round) -> str:
    """Why that round ended without a release, in one line."""
    return "；".join(text for text in (one.review_reason, *map(str, one.code_failures)) if text)
