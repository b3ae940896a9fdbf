"""Evidence packs of what the command line answers: a report, a hold score, a question."""

from collections.abc import Mapping
from typing import Any

from services.agents.results import AgentRunResult, VerifiedFailure
from services.agents.skills import SKILLS
from services.core.text import Language, Text
from services.evidence_pack.build import pack_of
from services.query.answering.answers import Answered
from services.scoring.models import ScoreResult
from services.scoring.scorer import ScoreRefused
from services.views import analysis_result, ask, score_result
from services.views.parts import Parts


def report_pack(
    parts: Parts, found: AgentRunResult | VerifiedFailure, document: Mapping[str, Any]
) -> bytes:
    """The report, or the figures that stand without one; `document` is what was printed."""
    asked = found.analysis_input
    title = SKILLS[asked.skill_id].title_of(Text.of(asked.name or asked.market or ""))
    view = analysis_result.view_of(parts.names, title, found)
    return pack_of(parts, view, asked.language, result=dict(document))


def score_pack(
    parts: Parts,
    found: ScoreResult | ScoreRefused,
    document: Mapping[str, Any],
    language: Language,
) -> bytes:
    """The score that was released, or the rounds of one that was refused."""
    released = isinstance(found, ScoreResult)
    symbol = found.recommendation.stock_code if released else found.stock_code
    name = parts.names.name(symbol)
    title = Text(f"{name} 持有评分", f"{name} hold score")
    view = score_result.view_of(parts.names, title, found)
    return pack_of(parts, view, language, symbols=[symbol], result=dict(document))


def answer_pack(parts: Parts, found: Answered, document: Mapping[str, Any]) -> bytes:
    """One question with its answer."""
    view = ask.turn_of(parts, 1, found)
    return pack_of(parts, view, found.draft.language, result=dict(document))
