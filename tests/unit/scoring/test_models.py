"""A released score can only come from the passed review of its own draft."""

import json
from datetime import UTC, date, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from services.core.claims import Claim, CompetenceCite
from services.core.rendering import place
from services.core.text import Text
from services.core.trace import Trace
from services.scoring.models import (
    FactorScore,
    HoldRecommendation,
    NewsAnalysis,
    NotReleasedError,
    Review,
    ReviewResult,
    Round,
    ScoreDraft,
    ScoreResult,
)

AT = datetime(2017, 7, 26, 16, 30, tzinfo=UTC)
CLAIM = Claim(
    claim_id="c_0123456789abcdef",
    value=7.5,
    metric="hold_from",
    symbol="600036.SH",
    as_of=date(2017, 7, 25),
    unit="score",
    cite=CompetenceCite(competence_id="score.stance"),
)
REASON = f"招商银行持有评分 {place(CLAIM)}。" + "理由充分而且逐条可查。" * 9


def draft(**changes: Any) -> ScoreDraft:
    given: dict[str, Any] = {
        "stock_code": "600036.SH",
        "hold_score": 7.5,
        "summary_reason": REASON,
        "engine": "rule",
    }
    return ScoreDraft(**{**given, **changes})


def review(of: ScoreDraft, **changes: Any) -> Review:
    result = ReviewResult(stock_code=of.stock_code, passed=changes.pop("passed", True), reason="")
    return Review(**{"result": result, "draft_digest": of.digest, "engine": "rule", **changes})


def released(one: ScoreDraft | None = None, by: Review | None = None) -> HoldRecommendation:
    one = one or draft()
    return HoldRecommendation.release(
        one, by or review(one), stock_name="招商银行", claims=[CLAIM], at=AT
    )


def result() -> ScoreResult:
    one = draft()
    factor = FactorScore(
        factor="quality",
        zh="盈利质量",
        en="Quality",
        score=None,
        weight=CLAIM.claim_id,
        coverage=CLAIM.claim_id,
        reason="",
        reason_en="",
    )
    told = Round(
        number=1,
        draft_digest=one.digest,
        hold_score=7.5,
        review_reason="",
        passed=True,
        seconds=0.1,
        score_engine="rule",
    )
    return ScoreResult(
        recommendation=released(one),
        draft=one,
        review=review(one),
        factors=(factor,),
        score_claim=CLAIM.claim_id,
        coverage=CLAIM.claim_id,
        rounds=(told,),
        claims=(CLAIM,),
        trace=Trace(),
        run_id="run_1",
    )


def test_what_passed_is_released_with_its_reason_rendered() -> None:
    made = released()
    assert made.data_type == "hold_recommendation"
    assert made.timestamp == AT
    assert made.hold_score == 7.5
    assert made.summary_reason.startswith("招商银行持有评分 7.50分。")
    assert 100 <= len(made.summary_reason) <= 1000


def _fields() -> dict[str, Any]:
    return released().model_dump()


@pytest.mark.parametrize(
    "make",
    [
        lambda: HoldRecommendation(**_fields()),
        lambda: HoldRecommendation.model_validate(_fields()),
        lambda: HoldRecommendation.model_validate(_fields(), context=object()),
        lambda: HoldRecommendation.model_validate_json(released().model_dump_json()),
        lambda: HoldRecommendation.model_construct(**_fields()),
        lambda: released().model_copy(update={"hold_score": 9.0}),
    ],
)
def test_no_other_way_makes_one(make: Any) -> None:
    with pytest.raises(NotReleasedError):
        make()


def test_it_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        released().hold_score = 9.0  # type: ignore[misc]
    assert released().model_copy() == released()


def test_a_review_that_did_not_pass_releases_nothing() -> None:
    one = draft()
    with pytest.raises(NotReleasedError, match="did not pass"):
        released(one, review(one, passed=False))


def test_code_failures_are_a_veto_whatever_the_reviewer_says() -> None:
    one = draft()
    refused = review(one, code_failures=("unsupported_number: …",))
    assert refused.result.passed
    assert not refused.passed
    with pytest.raises(NotReleasedError, match="did not pass"):
        released(one, refused)


@pytest.mark.parametrize(
    "change",
    [
        {"hold_score": 7.6},
        {"summary_reason": REASON + "又一句。"},
        {"engine": "model", "model": "m"},
        {"language": "en"},
    ],
)
def test_a_review_of_another_draft_releases_nothing(change: dict[str, Any]) -> None:
    one = draft()
    other = draft(**change)
    assert one.digest != other.digest
    with pytest.raises(NotReleasedError, match="another draft"):
        released(other, review(one))


def test_a_review_that_names_another_stock_releases_nothing() -> None:
    one = draft()
    told = ReviewResult(stock_code="000001.SZ", passed=True, reason="")
    with pytest.raises(NotReleasedError, match="another stock"):
        released(one, Review(result=told, draft_digest=one.digest, engine="model"))


def test_the_digest_is_of_the_content_not_of_the_object() -> None:
    assert draft().digest == draft().digest
    assert draft().digest == ScoreDraft.model_validate_json(draft().model_dump_json()).digest


@pytest.mark.parametrize(
    "change",
    [{"hold_score": 11.0}, {"hold_score": -0.1}, {"summary_reason": "短。" * 49 + "。"},
     {"summary_reason": "长" * 1001}],
)  # fmt: skip
def test_range_and_length_are_checked_once_more_at_release(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        released(draft(**change))


@pytest.mark.parametrize("length", [100, 1000])
def test_the_bounds_of_the_length_are_allowed(length: int) -> None:
    assert len(released(draft(summary_reason="字" * length)).summary_reason) == length


def test_a_place_without_its_claim_is_not_released() -> None:
    one = draft(summary_reason="字" * 100 + "{{c:c_ffffffffffffffff}}")
    with pytest.raises(KeyError):
        released(one)


def test_a_stored_result_comes_back_as_it_was() -> None:
    made = result()
    assert ScoreResult.model_validate_json(made.model_dump_json()) == made
    assert made.template == REASON
    assert made.engine == "rule"


@pytest.mark.parametrize(
    ("where", "key", "value"),
    [
        ("recommendation", "hold_score", 9.9),
        ("recommendation", "summary_reason", "改" * 120),
        ("recommendation", "stock_code", "000001.SZ"),
        ("draft", "hold_score", 9.9),
        ("review", "draft_digest", "0" * 64),
    ],
)
def test_a_stored_result_that_was_tampered_with_is_refused(
    where: str, key: str, value: object
) -> None:
    stored = json.loads(result().model_dump_json())
    stored[where][key] = value
    with pytest.raises(NotReleasedError):
        ScoreResult.model_validate_json(json.dumps(stored))


def test_a_part_says_why_exactly_when_it_is_not_whole() -> None:
    with pytest.raises(ValidationError):
        NewsAnalysis(stock_code="600036.SH", status="missing")
    with pytest.raises(ValidationError):
        NewsAnalysis(stock_code="600036.SH", status="ok", why=Text("没有", "none"))
