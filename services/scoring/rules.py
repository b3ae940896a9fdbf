"""What a score wants of the two rule agents: functions without a state."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from services.core.text import Language
from services.scoring.models import ReviewResult, Scorecard, ScoreDraft, Step1Output

# Facts, card, language, and why the drafts before were refused (oldest first) → a draft.
RuleScore = Callable[[Step1Output, Scorecard, Language, Sequence[str]], ScoreDraft]
# Facts, card, draft → what the rule reviewer says of it.
RuleReview = Callable[[Step1Output, Scorecard, ScoreDraft], ReviewResult]


@dataclass(frozen=True, slots=True)
class RuleAgents:
    """Both agents by rule."""

    score: RuleScore
    review: RuleReview
