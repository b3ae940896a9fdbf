"""The two agents by rule: the factor model's score with its reasons, and a review of any draft.

Pure functions of Step 1 and its scorecard: the same in, the same out. Every figure is a place.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from services.core.claims import Claim
from services.core.competence import COMPETENCES
from services.core.periods import Period, is_report
from services.core.rendering import PLACE, Language, place, render
from services.core.score_rules import FACTORS, STANCE_ID
from services.scoring.fact_words import Both, both
from services.scoring.factors import name_of, require_total
from services.scoring.models import (
    SCORE_MAX,
    SCORE_MIN,
    SUMMARY_REASON_MAX_CHARS,
    SUMMARY_REASON_MIN_CHARS,
    Draft,
    FactorScore,
    ReviewResult,
    Scorecard,
    Step1Output,
)

_STANCE = COMPETENCES[STANCE_ID].values
HOLD_FROM, AVOID_TO = _STANCE["hold_from"], _STANCE["avoid_to"]
THIN_BELOW = _STANCE["thin_below"]
FOR_FROM, AGAINST_TO = 6.0, 4.5
_MOST_TOLD = 3
_MOST_NOTED = 2
# How far a score may lie from that of the factors before it needs another look.
_LARGEST_GAP = 3.0


_PARTS = {
    "news": Both("新闻与公告", "news and notices"),
    "kline": Both("近期日线", "recent bars"),
    "sector": Both("估值与年报", "valuation and annual reports"),
}
# Said already where the news are not there.
_OF_NEWS = frozenset(
    name_of(one).joined for one in FACTORS["events"].components if one.name == "tone"
)


class _Scored(NamedTuple):
    """A factor that has a score, the score, and what it adds to or takes from the total."""

    factor: FactorScore
    score: Claim
    pull: float


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes one reason in one language."""

    step1: Step1Output
    card: Scorecard
    language: Language

    def pick(self, zh: str, en: str) -> str:
        """The one of the two."""
        return zh if self.language == "zh" else en

    def said(self, text: Both) -> str:
        """The text in the language."""
        return self.pick(text.zh, text.en)

    def listed(self, parts: Iterable[str]) -> str:
        """Names side by side."""
        return self.pick("、", ", ").join(parts)

    def sentence(self, text: str) -> str:
        """The text as a sentence; nothing for nothing."""
        return f"{text}{self.pick('。', '. ')}" if text else ""

    def scored(self) -> list[_Scored]:
        """The factors that have a score, what moves the total most first."""
        claims = self.card.by_id
        found = [
            _Scored(one, score, claims[one.weight].value * (score.value - 5))
            for one in self.card.factors
            if one.score is not None
            for score in (claims[one.score],)
        ]
        return sorted(found, key=lambda one: -abs(one.pull))

    def verdict(self, total: Claim) -> str:
        """Who, how much, and what that means."""
        name = self.step1.stock_name or self.step1.stock_code
        share = self.card.by_id[self.card.coverage]
        stance = self.said(stance_of(total.value, share.value))
        return self.pick(
            f"{name}持有评分 {place(total)}，{stance}，数据覆盖度 {place(share)}。",
            f"{name} ({self.step1.stock_code}): hold score {place(total)}, {stance}; "
            f"data coverage {place(share)}.",
        )

    def factors(self, heading: Both, chosen: Sequence[_Scored], *, briefly: bool = False) -> str:
        """One sentence a factor: its score and what it rests on."""
        if briefly and chosen:
            heads = self.pick("，", ", ").join(self._head(one) for one in chosen)
            return self.sentence(f"{self.said(heading)}{heads}").rstrip()
        told = "".join(self._factor(one) for one in chosen)
        return f"{self.said(heading)}{told}".rstrip() if told else ""

    def _head(self, one: _Scored) -> str:
        return self.pick(
            f"{one.factor.zh}得分 {place(one.score)}", f"{one.factor.en} score {place(one.score)}"
        )

    def _factor(self, one: _Scored) -> str:
        why = self.pick(one.factor.reason, one.factor.reason_en)
        told = f"{self.pick('：', ': ')}{why}" if why else ""
        return self.sentence(f"{self._head(one)}{told}")

    def days(self) -> str:
        """Of which days and report the figures are."""
        known = {
            claim.metric: claim
            for part in (self.step1.sector, self.step1.kline)
            for name in part.figures
            if (claim := self.card.by_id[name])
        }
        valued = known.get("market_cap") or known.get("pb")
        priced, reported = known.get("return_60"), known.get("net_profit")
        told: list[str] = []
        if valued is not None:
            day = valued.as_of.isoformat()
            told.append(self.pick(f"估值为 {day}", f"valuation of {day}"))
        if priced is not None:
            day = priced.as_of.isoformat()
            told.append(self.pick(f"股价至 {day}", f"prices to {day}"))
        if reported is not None and is_report(reported.period):
            period = Period.parse(str(reported.period)).label(self.language)
            told.append(self.pick(f"报表为 {period}", f"statements of {period}"))
        text = self.pick("，", ", ").join(told)
        return self.sentence(self.pick(f"数据：{text}", f"Data: {text}")) if told else ""

    def lacking(self) -> str:
        """What is not there, by name, and that nothing stands in for it."""
        whole = [self.pick(one.zh, one.en.lower()) for one in self.card.factors if not one.score]
        whole += [self.said(_PARTS[name]) for name in self.step1.missing]
        single = [
            self.said(both(name))
            for one in self.card.factors
            if one.score is not None
            for name in one.missing
            if name not in _OF_NEWS
        ]
        names = self.listed(dict.fromkeys((*whole, *single)))
        if not names:
            return ""
        return self.pick(f"没有取得、也未估算：{names}。", f"Not available, not imputed: {names}.")

    def notes(self) -> str:
        """What the checker saw of contradictions and of different days."""
        whole = [note for note in self.step1.checks if "（" not in note.partition(" | ")[0]]
        told = [self.said(both(note)) for note in whole[:_MOST_NOTED]]
        if not told:
            return ""
        text = self.pick("；", "; ").join(told)
        return self.sentence(self.pick(f"留意：{text}", f"To be noted: {text}"))


def stance_of(score: float, coverage: float) -> Both:
    """What a score means by the registered bands; of little data only which way it leans."""
    thin = coverage < THIN_BELOW
    if score >= HOLD_FROM:
        if thin:
            return Both(
                "已有数据偏正面，但不足以下结论",
                "the data leans for it but is too little to conclude",
            )
        return Both("可以继续持有", "hold")
    if score <= AVOID_TO:
        if thin:
            return Both(
                "已有数据偏负面，不足以支持持有",
                "the data leans against it and is little",
            )
        return Both("不建议持有", "not to be held")
    return Both("中性", "neutral")


def score_by_rule(
    step1: Step1Output, card: Scorecard, language: Language, refused: Sequence[str] = ()
) -> Draft:
    """The score of the factors and its reason: what speaks for, what against, what is missing.

    A draft that was refused is written again with less in it.
    Raises: NoDataError naming what lacks, where the factors have no total.
    """
    total = require_total(card)
    writer = _Writer(step1, card, language)
    shorter = [
        text
        for most in range(_MOST_TOLD, 0, -1)
        if len(render(text := _reason(writer, total, most), card.by_id, language))
        <= SUMMARY_REASON_MAX_CHARS
    ]
    at = min(len(refused), len(shorter) - 1)
    return Draft(
        stock_code=step1.stock_code,
        hold_score=round(total.value, 2),
        summary_reason=shorter[at] if shorter else _reason(writer, total, 0),
        engine="rule",
        language=language,
    )


def _reason(writer: _Writer, total: Claim, most: int) -> str:
    scored = writer.scored()
    good = [one for one in scored if one.score.value >= FOR_FROM][:most]
    bad = [one for one in scored if one.score.value <= AGAINST_TO][:most]
    rest = [one for one in scored if one not in good and one not in bad]
    parts = [
        writer.verdict(total),
        writer.factors(Both("支持：", "For: "), good),
        writer.factors(Both("拖累：", "Against: "), bad),
        writer.factors(Both("其余：", "The rest: "), rest, briefly=True),
        writer.days(),
        writer.lacking(),
        writer.notes(),
        writer.pick(
            "评分由公开的因子规则算出，不是预测，也不构成投资建议。",
            "The score follows published factor rules; it is no forecast and no advice.",
        ),
    ]
    return "\n".join(part.strip() for part in parts if part)


def review_by_rule(step1: Step1Output, card: Scorecard, draft: Draft) -> ReviewResult:
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
    draft: Draft

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
            if one.score is not None and cited & {one.score, *one.inputs, *_shown(one)}
        ]


def _shown(factor: FactorScore) -> list[str]:
    return PLACE.findall(factor.reason)


def _of_this_company(judged: _Judged) -> Both | None:
    if judged.draft.stock_code == judged.step1.stock_code:
        return None
    return Both("稿件不是这家公司的", "the draft is of another company")


def _in_range(judged: _Judged) -> Both | None:
    if SCORE_MIN <= judged.draft.hold_score <= SCORE_MAX:
        return None
    return Both("评分超出范围", "the score is out of range")


def _of_fit_length(judged: _Judged) -> Both | None:
    if not set(judged.places) <= judged.card.by_id.keys():
        return Both("引用了不存在的证据", "a place cites a claim that was not given")
    draft = judged.draft
    length = len(render(draft.summary_reason, judged.card.by_id, draft.language))
    if SUMMARY_REASON_MIN_CHARS <= length <= SUMMARY_REASON_MAX_CHARS:
        return None
    return Both("理由的长度不在规定之内", "the reason is too short or too long")


def _is_founded(judged: _Judged) -> Both | None:
    """It speaks of more than one factor, where there is more than one."""
    there = sum(one.score is not None for one in judged.card.factors)
    if len(judged.factors()) >= min(2, there):
        return None
    return Both("理由没有依据足够的因子", "the reason rests on too few of the factors")


def _is_near_the_factors(judged: _Judged) -> Both | None:
    total = judged.card.total
    if total is None:
        return Both("数据不足以评分", "there is too little data for a score")
    gap = judged.draft.hold_score - judged.card.by_id[total].value
    if abs(gap) <= _LARGEST_GAP:
        return None
    way = Both("高", "above") if gap > 0 else Both("低", "below")
    return Both(
        f"评分明显{way.zh}于各因子的加权结果，而数据没有给出理由",
        f"the score is far {way.en} what the factors add up to, and no data says why",
    )


def _fits_its_reason(judged: _Judged) -> Both | None:
    """A high score is not argued by weak factors alone, nor a low one by strong ones."""
    scores = [score for _, score in judged.factors()]
    given = judged.draft.hold_score
    if given >= HOLD_FROM and max(scores) <= AGAINST_TO:
        return Both(
            "分数与理由不一致：理由只有不利因素，评分却高",
            "score and reason disagree: only weak factors are told, the score is high",
        )
    if given <= AVOID_TO and min(scores) >= FOR_FROM:
        return Both(
            "分数与理由不一致：理由只有有利因素，评分却低",
            "score and reason disagree: only strong factors are told, the score is low",
        )
    return None


def _tells_both_sides(judged: _Judged) -> Both | None:
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
        return Both(
            f"理由没有提到与评分方向相反的{kept.zh}",
            f"the reason keeps back {kept.en.lower()}, which speaks the other way",
        )
    return None


_ADMITS = (
    *("没有取得", "缺少", "缺失", "未取得", "无法获得", "没有数据", "暂无", "未能"),
    *("not available", "missing", "no data", "lacks", "lacking", "unavailable", "without"),
)


def _admits_what_lacks(judged: _Judged) -> Both | None:
    """A part that is missing is said to be."""
    text = judged.draft.summary_reason.casefold()
    if not judged.step1.missing or any(word in text for word in _ADMITS):
        return None
    return Both(
        "Step 1 有缺失的部分，理由没有说明",
        "a part of Step 1 is missing and the reason does not say so",
    )


_QUESTIONS: Sequence[Callable[[_Judged], Both | None]] = (
    _of_this_company,
    _in_range,
    _of_fit_length,
    _is_near_the_factors,
    _is_founded,
    _fits_its_reason,
    _tells_both_sides,
    _admits_what_lacks,
)
