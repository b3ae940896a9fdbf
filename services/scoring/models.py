"""What a hold score takes and brings (seed 003 §3): data, and the one door to a released score.

Texts a reader sees are templates with `{{c:ID}}` places. A `HoldRecommendation` is made by
`release` alone, from a draft and the review that passed that very draft.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from hashlib import sha256
from typing import Any, Literal, NoReturn, Self, cast

from pydantic import AwareDatetime, Field, ValidationInfo, model_validator

from services.core.claims import Claim
from services.core.record import Record
from services.core.rendering import render
from services.core.text import Language, Text
from services.core.trace import Trace
from services.statements.proved_texts import Made
from services.statements.registry import AnyStatement

MAX_ITERATIONS = 10  # messages of the two agents: five rounds of a draft and its review
MESSAGES_PER_ROUND = 2
MAX_ROUNDS = MAX_ITERATIONS // MESSAGES_PER_ROUND
SUMMARY_REASON_MIN_CHARS = 100
SUMMARY_REASON_MAX_CHARS = 1000
SCORE_MIN, SCORE_MAX = 0.0, 10.0

Status = Literal["ok", "partial", "missing"]
Direction = Literal["positive", "negative", "neutral"]
Engine = Literal["model", "rule"]
Factor = Literal["valuation", "quality", "growth", "momentum", "risk", "events", "liquidity"]
Trend = Literal["up", "down", "sideways"]
Side = Literal[-1, 0, 1]


class NotReleasedError(TypeError):
    """A recommendation was to be made without the passed review of its own draft."""


class Finding(Record):
    """One thing Step 1 found, as a template in both languages; `claims` are the ids it stands on.

    `direction` is what it means for a holder. `as_of` is the day it is about.
    """

    text: str
    text_en: str
    direction: Direction
    as_of: date | None = None
    claims: tuple[str, ...] = ()


class AnalysisPart(Record):
    """One of the three analyses. `why` says what lacks unless `status` is ok.

    `summary` is a template. `figures` are the ids of the claims it gives the factors.
    """

    stock_code: str
    stock_name: str = ""
    status: Status
    why: Text | None = None
    summary: str = ""
    summary_en: str = ""
    findings: tuple[Finding, ...] = ()
    figures: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _says_why(self) -> Self:
        if (self.status == "ok") == (self.why is not None):
            raise ValueError("a part that is not ok says why, one that is ok has nothing to say")
        return self


class Headline(Record):
    """A text quoted with its day and origin; `direction` null when no rule of ours reads one."""

    item_id: str
    tool_call_id: str
    kind: str
    title: str
    origin: str | None = None
    published_at: AwareDatetime | None = None
    direction: Direction | None = None


class NewsAnalysis(AnalysisPart):
    """Posts, notices and news. The counts are ids of claims, null where nothing was counted."""

    headlines: tuple[Headline, ...] = ()
    counted: str | None = None
    positive: str | None = None
    negative: str | None = None


class SectorAnalysis(AnalysisPart):
    """The company among its industry: what it earns and costs beside `peers` (their codes).

    `breadth` are the ids of the claims saying how many of the industry stand above or below.
    `valued`: there is a valuation recent enough to be scored.
    """

    valued: bool = False
    industry: str | None = None
    peers: tuple[str, ...] = ()
    breadth: tuple[str, ...] = ()


class AbnormalMove(Record):
    """An abnormal move: its days, its rule's name, and the ids of its claims."""

    start: date
    end: date
    rule: str
    claims: tuple[str, ...] = ()


class KlineAnalysis(AnalysisPart):
    """The course of the price: `trend` by rule, `indicators` as ids of claims, moves newest first.

    `last_session` is the day of the newest bar.
    """

    trend: Trend | None = None
    indicators: tuple[str, ...] = ()
    events: tuple[AbnormalMove, ...] = ()
    last_session: date | None = None


class Step1Output(Record):
    """What is known before a score: three parts, what the checker noted, and all they stand on.

    `as_of` is the day of the run's clock, `instant` its time.
    `of_day` is the past day it is all of, null when it is of `as_of`: what became public after it
    is told in `since` alone and never graded. `stock_name_en` may be empty.
    """

    news: NewsAnalysis
    sector: SectorAnalysis
    kline: KlineAnalysis
    checks: tuple[Text, ...] = ()
    claims: tuple[Claim, ...] = ()
    trace: Trace
    run_id: str
    as_of: date
    instant: AwareDatetime
    of_day: date | None = None
    since: tuple[Finding, ...] = ()
    stock_name_en: str = ""

    @property
    def stock_code(self) -> str:
        """The symbol, the same in every part."""
        return self.news.stock_code

    @property
    def stock_name(self) -> str:
        """The first name any part gives; may be empty."""
        parts = (self.news, self.sector, self.kline)
        return next((part.stock_name for part in parts if part.stock_name), "")

    @property
    def missing(self) -> tuple[str, ...]:
        """The parts that are not there: `news`, `sector`, `kline`."""
        parts = {"news": self.news, "sector": self.sector, "kline": self.kline}
        return tuple(name for name, part in parts.items() if part.status == "missing")


class FactorScore(Record):
    """One factor. `score` is the id of its claim, null when what it needs is not there.

    `weight` and `coverage` (0–1) are ids of claims; `inputs` the ids it is computed from;
    `missing` names what is not there. `reason` is a template.
    """

    factor: Factor
    zh: str
    en: str
    score: str | None
    weight: str
    coverage: str
    inputs: tuple[str, ...] = ()
    missing: tuple[Text, ...] = ()
    reason: str
    reason_en: str


class Saying(Record):
    """Something that may be said for a score (`side` 1), against it (-1) or besides; `text` is a
    template in both languages, `name` the factor or figure it is about. `statement` is what proves
    it, where a statement does.
    """

    id: str
    side: Side
    name: Text
    text: Text
    statement: AnyStatement | None = None


class Scorecard(Record):
    """All factors and the total: the weighted mean of those there are.

    `total` and `coverage` are ids of claims; `claims` holds Step 1's claims and these. A card
    whose coverage is below the stated least has no total. `sayings` are statements that hold; none
    without a total.
    """

    stock_code: str
    stock_name: str = ""
    factors: tuple[FactorScore, ...]
    total: str | None
    coverage: str
    claims: tuple[Claim, ...]
    sayings: tuple[Saying, ...] = ()

    @property
    def by_id(self) -> dict[str, Claim]:
        """Every claim by its id."""
        return {claim.claim_id: claim for claim in self.claims}


class ScoreDraft(Record):
    """What a score agent wrote; nothing of it is checked yet, the score may be out of range.

    `summary_reason` is a template in `language`. `model` is null for the rule agent; what a model
    chose are the ids in `chosen`, and its reason is what code says of them.
    """

    stock_code: str
    hold_score: float
    summary_reason: str
    engine: Engine
    model: str | None = None
    language: Language = "zh"
    chosen: tuple[str, ...] = Field(default=(), exclude_if=lambda chosen: not chosen)

    @property
    def digest(self) -> str:
        """sha256 over its canonical JSON: what a review is a review of."""
        text = json.dumps(
            self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )
        return sha256(text.encode()).hexdigest()


class ReviewResult(Record):
    """What a review agent answers (seed 003 §3.2)."""

    stock_code: str
    passed: bool
    reason: str


class Review(Record):
    """A review of one draft: the agent's verdict and the code's; both must pass."""

    result: ReviewResult
    draft_digest: str
    code_failures: tuple[Text, ...] = ()
    engine: Engine
    model: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the agent passed it and the code found nothing."""
        return self.result.passed and not self.code_failures


_RELEASE = object()  # the key only `release` holds


class HoldRecommendation(Record):
    """A released score with its rendered reason. Made by `release`; any other way is refused."""

    data_type: Literal["hold_recommendation"] = "hold_recommendation"
    timestamp: AwareDatetime
    stock_code: str
    stock_name: str
    hold_score: float = Field(ge=SCORE_MIN, le=SCORE_MAX)
    summary_reason: str = Field(
        min_length=SUMMARY_REASON_MIN_CHARS, max_length=SUMMARY_REASON_MAX_CHARS
    )

    @model_validator(mode="before")
    @classmethod
    def _by_release_only(cls, given: Any, info: ValidationInfo) -> Any:
        if info.context is not _RELEASE:
            raise NotReleasedError("a HoldRecommendation is made by HoldRecommendation.release")
        return given

    @classmethod
    def model_construct(cls, *_: Any, **__: Any) -> NoReturn:
        """Refused: it would go round the review."""
        raise NotReleasedError("a HoldRecommendation is made by HoldRecommendation.release")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy of itself; a changed one would no longer be what was reviewed, and is refused."""
        if update:
            raise NotReleasedError("a released HoldRecommendation cannot be changed")
        return super().model_copy(deep=deep)

    @classmethod
    def release(
        cls,
        draft: ScoreDraft,
        review: Review,
        *,
        stock_name: str,
        claims: Iterable[Claim],
        at: datetime,
    ) -> Self:
        """The draft as a recommendation, its reason rendered from `claims`.

        Raises: NotReleasedError when the review did not pass, or is of another draft or stock;
        ValidationError (range, length); KeyError for a place without its claim.
        """
        if review.draft_digest != draft.digest:
            raise NotReleasedError("the review is of another draft")
        if review.result.stock_code != draft.stock_code:
            raise NotReleasedError("the review is of another stock")
        if not review.passed:
            raise NotReleasedError("the review did not pass")
        by_id = {claim.claim_id: claim for claim in claims}
        return cls.model_validate(
            {
                "timestamp": at,
                "stock_code": draft.stock_code,
                "stock_name": stock_name,
                "hold_score": draft.hold_score,
                "summary_reason": render(draft.summary_reason, by_id, draft.language),
            },
            context=_RELEASE,
        )


class Round(Record):
    """One round as it went: who, what verdict, how long. The refused text is never part of it.

    `draft_digest` and `hold_score` are null when no draft could be read.
    """

    number: int
    draft_digest: str | None
    hold_score: float | None
    review_reason: str
    passed: bool
    code_failures: tuple[Text, ...] = ()
    seconds: float
    score_engine: str
    review_engine: str | None = None


class ScoreResult(Record):
    """A released score with everything behind it.

    `draft` and `review` are the pair it was released from: a stored result is released again from
    them when it is read, so one that was tampered with is refused. `factors`, `score_claim` (the
    factor model's own score) and `coverage` are the scorecard's, whoever the engine was. `news`,
    `sector` and `kline` are what Step 1 found, `checks` what its checker noted; null in a score
    that was kept without them. `of_day` and `since` are Step 1's.
    `model_problem` says why the factors' score was released though a model was
    asked for one. `made` are the lines of the reason that statements make.
    """

    kind: Literal["score"] = "score"
    recommendation: HoldRecommendation
    draft: ScoreDraft
    review: Review
    factors: tuple[FactorScore, ...]
    score_claim: str | None
    coverage: str
    rounds: tuple[Round, ...]
    missing: tuple[str, ...] = ()
    news: NewsAnalysis | None = None
    sector: SectorAnalysis | None = None
    kline: KlineAnalysis | None = None
    checks: tuple[Text, ...] = ()
    of_day: date | None = None
    since: tuple[Finding, ...] = ()
    model_problem: Text | None = None
    made: tuple[Made, ...] = Field(default=(), exclude_if=lambda made: not made)
    claims: tuple[Claim, ...]
    trace: Trace
    run_id: str

    @property
    def template(self) -> str:
        """The reason with its places."""
        return self.draft.summary_reason

    @property
    def engine(self) -> Engine:
        """Who scored: a model's score is a judgement, a rule's is `score_claim`."""
        return self.draft.engine

    @model_validator(mode="before")
    @classmethod
    def _release_again(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        told = cast("dict[str, Any]", given)
        kept = told.get("recommendation")
        if not isinstance(kept, dict):
            return told
        stored = cast("dict[str, Any]", kept)
        made = HoldRecommendation.release(
            ScoreDraft.model_validate(told["draft"]),
            Review.model_validate(told["review"]),
            stock_name=stored["stock_name"],
            claims=[Claim.model_validate(one) for one in told["claims"]],
            at=datetime.fromisoformat(stored["timestamp"]),
        )
        if made.model_dump(mode="json") != stored:
            raise NotReleasedError("the stored recommendation is not what was reviewed")
        return {**told, "recommendation": made}
