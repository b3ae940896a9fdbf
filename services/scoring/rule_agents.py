"""The two agents by rule: the factor model's score with its reasons, and a review of any draft.

Pure functions of Step 1 and its scorecard: the same in, the same out. Every figure is a place.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from services.core.rendering import PLACE, render
from services.core.score_rules import AGAINST_TO, FOR_FROM
from services.core.text import Language, Text
from services.scoring.factors import require_total
from services.scoring.models import (
    SCORE_MAX,
    SCORE_MIN,
    SUMMARY_REASON_MAX_CHARS,
    SUMMARY_REASON_MIN_CHARS,
    FactorScore,
    ReviewResult,
    Scorecard,
    ScoreDraft,
    Step1Output,
)
from services.scoring.rule_reason import AVOID_TO, HOLD_FROM, Reasoning

# How far a score may lie from that of the factors before it needs another look.
_LARGEST_GAP = 3.0


def score_by_rule(
    step1: Step1Output, card: Scorecard, language: Language, refused: Sequence[str] = ()
) -> ScoreDraft:
    """The score of the factors and its reason: what speaks for, what against, what is missing.

    A draft that was refused is written again with less in it.
    Raises: NoDataError naming what lacks, where the factors have no total.
    """
    total = require_total(card)
    text = ""
    wanted = len(refused)
    for reason in Reasoning(step1, card, language).reasons(total):
        text = reason.text
        fits = len(render(text, card.by_id, language)) <= SUMMARY_REASON_MAX_CHARS
        if fits and not wanted:
            break
        wanted -= fits
    return ScoreDraft(
        stock_code=step1.stock_code,
        hold_score=round(total.value, 2),
        summary_reason=text,
        engine="rule",
        language=language,
    )


def review_by_rule(step1: Step1Output, card: Scorecard, draft: ScoreDraft) -> ReviewResult:
    """A reviewer's questions of seed 003 §4.2, asked of any draft; the first that fails is told."""
    judged = _Judged(step1, card, draft)
    for question in _QUESTIONS:
        if told := question(judged):
            reason = told.zh if draft.language == "zh" else told.en
            return ReviewResult(stock_code=draft.stock_code, passed=False, reason=reason)
    return ReviewResult(stock_code=draft.stock_code, passed=True, reason="")


@dataclass(frozen=True, slots=True)
class _Judged:
    """A draft beside what it must agree with."""

    step1: Step1Output
    card: Scorecard
    draft: ScoreDraft

    @property
    def places(self) -> tuple[str, ...]:
        """The ids of the claims it cites."""
        return tuple(dict.fromkeys(PLACE.findall(self.draft.summary_reason)))

    def factors(self) -> list[tuple[FactorScore, float]]:
        """The factors it speaks of, by their figures or their score, with their scores."""
        claims, cited = self.card.by_id, set(self.places)
        return [
            (one, claims[one.score].value)
            for one in self.card.factors
            if one.score is not None and cited & {one.score, *one.inputs, *_list_places(one)}
        ]


def _list_places(factor: FactorScore) -> list[str]:
    return PLACE.findall(factor.reason)


def _of_this_company(judged: _Judged) -> Text | None:
    if judged.draft.stock_code == judged.step1.stock_code:
        return None
    return Text("稿件不是这家公司的", "the draft is of another company")


def _in_range(judged: _Judged) -> Text | None:
    if SCORE_MIN <= judged.draft.hold_score <= SCORE_MAX:
        return None
    return Text("评分超出范围", "the score is out of range")


def _of_fit_length(judged: _Judged) -> Text | None:
    if not set(judged.places) <= judged.card.by_id.keys():
        return Text("引用了不存在的证据", "a place cites a claim that was not given")
    draft = judged.draft
    length = len(render(draft.summary_reason, judged.card.by_id, draft.language))
    if SUMMARY_REASON_MIN_CHARS <= length <= SUMMARY_REASON_MAX_CHARS:
        return None
    return Text("理由的长度不在规定之内", "the reason is too short or too long")


def _is_founded(judged: _Judged) -> Text | None:
    """It speaks of more than one factor, where there is more than one."""
    there = sum(one.score is not None for one in judged.card.factors)
    if len(judged.factors()) >= min(2, there):
        return None
    return Text("理由没有依据足够的因子", "the reason rests on too few of the factors")


def _is_near_the_factors(judged: _Judged) -> Text | None:
    total = judged.card.total
    if total is None:
        return Text("数据不足以评分", "there is too little data for a score")
    gap = judged.draft.hold_score - judged.card.by_id[total].value
    # A model's distance is no veto: it is measured, and told, where the score is released.
    if judged.draft.engine == "model" or abs(gap) <= _LARGEST_GAP:
        return None
    way = Text("高", "above") if gap > 0 else Text("低", "below")
    return Text(
        f"评分明显{way.zh}于各因子的加权结果，而数据没有给出理由",
        f"the score is far {way.en} what the factors add up to, and no data says why",
    )


def _fits_its_reason(judged: _Judged) -> Text | None:
    """A high score is not argued by weak factors alone, nor a low one by strong ones."""
    scores = [score for _, score in judged.factors()]
    given = judged.draft.hold_score
    if given >= HOLD_FROM and max(scores) <= AGAINST_TO:
        return Text(
            "分数与理由不一致：理由只有不利因素，评分却高",
            "score and reason disagree: only weak factors are told, the score is high",
        )
    if given <= AVOID_TO and min(scores) >= FOR_FROM:
        return Text(
            "分数与理由不一致：理由只有有利因素，评分却低",
            "score and reason disagree: only strong factors are told, the score is low",
        )
    return None


def _tells_both_sides(judged: _Judged) -> Text | None:
    """The factor that weighs most against (or for) the score is not kept back."""
    told = {one.factor for one, _ in judged.factors()}
    claims = judged.card.by_id
    scores = {one: claims[one.score].value for one in judged.card.factors if one.score}
    worst = min(scores, key=lambda one: scores[one])
    best = max(scores, key=lambda one: scores[one])
    high = judged.draft.hold_score >= HOLD_FROM
    kept = worst if high else best
    counts = scores[kept] <= AGAINST_TO if high else scores[kept] >= FOR_FROM
    low = judged.draft.hold_score <= AVOID_TO
    if (high or low) and counts and kept.factor not in told:
        return Text(
            f"理由没有提到与评分方向相反的{kept.zh}",
            f"the reason keeps back {kept.en.lower()}, which speaks the other way",
        )
    return None


_ADMITS = (
    *("没有取得", "缺少", "缺失", "未取得", "无法获得", "没有数据", "暂无", "未能"),
    *("not available", "missing", "no data", "lacks", "lacking", "unavailable", "without"),
)


def _admits_what_lacks(judged: _Judged) -> Text | None:
    """A part that is missing is said to be."""
    text = judged.draft.summary_reason.casefold()
    if not judged.step1.missing or any(word in text for word in _ADMITS):
        return None
    return Text(
        "Step 1 有缺失的部分，理由没有说明",
        "a part of Step 1 is missing and the reason does not say so",
    )


_QUESTIONS: Sequence[Callable[[_Judged], Text | None]] = (
    _of_this_company,
    _in_range,
    _of_fit_length,
    _is_near_the_factors,
    _is_founded,
    _fits_its_reason,
    _tells_both_sides,
    _admits_what_lacks,
)
