"""The code's own verdict on a draft, by pure code. It needs no model, asks nobody, and no reviewer
can overrule it: a reason is what code writes of the grounds that were chosen, word for word.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from services.core.rendering import PLACE, render
from services.core.text import Language, Text
from services.scoring.factors import require_total
from services.scoring.models import (
    SCORE_MAX,
    SCORE_MIN,
    SUMMARY_REASON_MAX_CHARS,
    SUMMARY_REASON_MIN_CHARS,
    Scorecard,
    ScoreDraft,
    Step1Output,
)
from services.scoring.reading import ScorerAnswer
from services.scoring.rule_reason import Reasoning, ScoreReason
from services.scoring.sayings import both_sides, sayings_of
from services.statements.proved_texts import Made

_RULE_TOLERANCE = 0.005
# From which score on grounds against alone do not carry it, and to which grounds for alone.
_HIGH_SCORE, _LOW_SCORE = 7.0, 3.0


@dataclass(slots=True)
class CodeReview:
    """What a draft is held against."""

    step1: Step1Output
    card: Scorecard
    _known: dict[str, tuple[Text, ...]] = field(default_factory=dict[str, tuple[Text, ...]])

    def failures(self, draft: ScoreDraft) -> tuple[Text, ...]:
        """Why the draft may not be released; nothing when it may."""
        found = self._known.get(draft.digest)
        if found is None:
            found = self._known[draft.digest] = tuple(dict.fromkeys(self._judge_draft(draft)))
        return found

    def drafted(self, chosen: ScorerAnswer, model: str, language: Language) -> ScoreDraft:
        """The draft of what a model chose: its score, and the reason code writes of the grounds.

        Raises: NoDataError where the factors have no total.
        """
        return ScoreDraft(
            stock_code=chosen.stock_code,
            hold_score=chosen.hold_score,
            summary_reason=self._told(chosen.ids, language),
            engine="model",
            model=model,
            language=language,
            chosen=chosen.ids,
        )

    def made(self, draft: ScoreDraft) -> tuple[Made, ...]:
        """The lines of its reason that statements make."""
        found = self._same(draft)
        return found.made if found is not None else ()

    def _told(self, ids: tuple[str, ...], language: Language) -> str:
        """The longest reason of these grounds that fits, both sides told where both are known."""
        text = ""
        for one in self._reasons(ids, language):
            text = one.text
            if len(render(text, self.card.by_id, language)) <= SUMMARY_REASON_MAX_CHARS:
                break
        return text

    def _reasons(self, ids: tuple[str, ...], language: Language) -> Iterator[ScoreReason]:
        offered = sayings_of(self.card)
        named = {one.id: one for one in offered}
        grounds = both_sides([named[one] for one in ids if one in named], offered)
        reasoning = Reasoning(self.step1, self.card, language)
        return reasoning.chosen(require_total(self.card), grounds)

    def _same(self, draft: ScoreDraft) -> ScoreReason | None:
        """What code writes of these very grounds, or of these facts, if that is this reason."""
        if draft.engine == "model":
            reasons = self._reasons(draft.chosen, draft.language)
        else:
            reasoning = Reasoning(self.step1, self.card, draft.language)
            reasons = reasoning.reasons(require_total(self.card))
        return next((one for one in reasons if one.text == draft.summary_reason), None)

    def _judge_draft(self, draft: ScoreDraft) -> list[Text]:
        found: list[Text] = []
        if draft.stock_code != self.step1.stock_code:
            found.append(
                Text(
                    f"稿子不是 {self.step1.stock_code} 的",
                    f"the draft is not of {self.step1.stock_code}",
                )
            )
        found += self._score(draft)
        if not set(PLACE.findall(draft.summary_reason)) <= self.card.by_id.keys():
            return [*found, Text("占位符所指的证据不存在", "a place names no claim")]
        found += _length(render(draft.summary_reason, self.card.by_id, draft.language))
        if self._same(draft) is None:
            found.append(
                Text("理由不是由所选的依据写成的", "the reason is not what its grounds make")
            )
        if draft.engine == "model" and (fits := self._disagreement(draft)):
            found.append(fits)
        return found

    def _score(self, draft: ScoreDraft) -> list[Text]:
        score = draft.hold_score
        # Not between also for what is no number.
        if not SCORE_MIN <= score <= SCORE_MAX:
            return [Text("评分不在 0 到 10 之间", "the score is not between 0 and 10")]
        if draft.engine == "model":
            return []
        total = self.card.by_id[self.card.total].value if self.card.total else None
        if total is None or abs(round(total, 2) - score) > _RULE_TOLERANCE:
            return [Text("规则评分与因子总分不符", "the rule's score is not that of its factors")]
        return []

    def _disagreement(self, draft: ScoreDraft) -> Text | None:
        """Why the score does not fit the grounds that were chosen for it; None when it may."""
        sides = {one.id: one.side for one in sayings_of(self.card)}
        chosen = {sides[one] for one in draft.chosen if one in sides} - {0}
        if draft.hold_score >= _HIGH_SCORE and chosen == {-1}:
            return Text(
                "分数与理由不一致：所选的都是反对的依据，评分却高",
                "the score does not fit the reason: all grounds are against it, the score is high",
            )
        if draft.hold_score <= _LOW_SCORE and chosen == {1}:
            return Text(
                "分数与理由不一致：所选的都是支持的依据，评分却低",
                "the score does not fit the reason: all grounds are for it, the score is low",
            )
        return None


def _length(text: str) -> list[Text]:
    if SUMMARY_REASON_MIN_CHARS <= len(text) <= SUMMARY_REASON_MAX_CHARS:
        return []
    limits = f"{SUMMARY_REASON_MIN_CHARS}–{SUMMARY_REASON_MAX_CHARS}"
    return [
        Text(
            f"理由有 {len(text)} 字，须为 {limits} 字",
            f"the reason has {len(text)} characters, not {limits}",
        )
    ]
