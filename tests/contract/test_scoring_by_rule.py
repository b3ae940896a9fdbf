"""The same workflow with agents by rule: the same cases, the same promises, no model asked."""

import logging
from collections.abc import Callable, Sequence

import pytest

from services.core.errors import NoDataError, NotVerifiedError
from services.core.text import Language
from services.jobs.runner import CancelledError
from services.scoring.exchange import ScoreVetoedError
from services.scoring.models import ReviewResult, Scorecard, ScoreDraft, Step1Output
from services.scoring.review_state import WRONG_STOCK
from services.scoring.rule_agents import review_by_rule, score_by_rule
from services.scoring.rules import RuleAgents, RuleReview, RuleScore
from services.scoring.workflow import Approval, Following, ScoringFaultError, ScoringWorkflow
from services.settings import Settings
from tests.chance import stands
from tests.contract.scored import Following as Watching
from tests.contract.scored import everything_logged
from tests.unit.scoring_workflow.given import BANK, CARS, given

HIDDEN = "蓝羽毛悄悄落进深井"
_ABSENT = "c_0123456789abcdef"


def run(
    score: RuleScore = score_by_rule,
    review: RuleReview = review_by_rule,
    symbol: str = BANK,
    watch: Watching | None = None,
) -> Approval:
    rules = RuleAgents(score, review)
    found = given(symbol)
    return ScoringWorkflow(settings=Settings(), rules=rules).approve(
        found.step1, found.card, following=Following(watch or Watching())
    )


def vetoing(times: int) -> RuleReview:
    """A reviewer who refuses so often."""
    refused: list[ScoreDraft] = []

    def review(step1: Step1Output, card: Scorecard, draft: ScoreDraft) -> ReviewResult:
        if len(refused) < times:
            refused.append(draft)
            return ReviewResult(stock_code=BANK, passed=False, reason=f"第 {len(refused)} 次不行")
        return review_by_rule(step1, card, draft)

    return review


def passing(step1: Step1Output, card: Scorecard, draft: ScoreDraft) -> ReviewResult:
    """A reviewer who approves whatever he is given."""
    return ReviewResult(stock_code=draft.stock_code, passed=True, reason="")


def changed(**fields: object) -> RuleScore:
    """A scorer whose drafts are spoiled like that."""

    def score(
        step1: Step1Output, card: Scorecard, language: Language, refused: Sequence[str]
    ) -> ScoreDraft:
        return score_by_rule(step1, card, language, refused).model_copy(update=fields)

    return score


@pytest.mark.parametrize("symbol", [BANK, CARS, "300104.SZ", "00700.HK"])
def test_the_rules_approve_their_own_draft_at_once(symbol: str) -> None:
    done = run(symbol=symbol)
    found = given(symbol)
    total = found.card.by_id[found.card.total or ""].value
    assert done.recommendation.hold_score == round(total, 2)
    assert (done.draft.engine, done.review.engine, done.draft.model) == ("rule", "rule", None)
    assert [(one.passed, one.score_engine) for one in done.rounds] == [(True, "rule")]
    assert 100 <= len(done.recommendation.summary_reason) <= 1000


def test_the_same_facts_always_give_the_same_draft() -> None:
    first, second = run(), run()
    assert first.draft == second.draft
    assert first.recommendation == second.recommendation


@pytest.mark.parametrize("vetoes", [1, 2, 3, 4])
def test_each_veto_costs_a_round(vetoes: int) -> None:
    done = run(review=vetoing(vetoes))
    assert [one.passed for one in done.rounds] == [False] * vetoes + [True]


def test_five_vetoes_end_it_without_a_score() -> None:
    with pytest.raises(ScoreVetoedError) as raised:
        run(review=vetoing(5))
    assert len(raised.value.rounds) == 5
    assert all("不行" in one for one in raised.value.reviews)


BAD: dict[str, tuple[dict[str, object], str]] = {
    "score 11": ({"hold_score": 11.0}, "评分不在 0 到 10 之间"),
    "a score that is not the factors'": ({"hold_score": 5.0}, "规则评分与因子总分不符"),
    "99 characters": ({"summary_reason": HIDDEN.ljust(99, "字")}, "理由有 99 字"),
    "1001 characters": ({"summary_reason": HIDDEN.ljust(1001, "字")}, "理由有 1001 字"),
    "a wrong figure": (
        {"summary_reason": f"{HIDDEN}，每股收益 98.76元。".ljust(120, "字")},
        "理由不是由所选的依据写成的",
    ),
    "a place without a claim": (
        {"summary_reason": f"{HIDDEN} {{{{c:{_ABSENT}}}}}。".ljust(120, "字")},
        "占位符所指的证据不存在",
    ),
    "another stock": ({"stock_code": CARS}, "稿子不是 600036.SH 的"),
}


@pytest.mark.parametrize("how", BAD)
def test_what_the_code_refuses_no_reviewer_can_approve(
    caplog: pytest.LogCaptureFixture, how: str
) -> None:
    caplog.set_level(logging.DEBUG)
    fields, why = BAD[how]
    with pytest.raises(ScoreVetoedError) as raised:
        run(changed(**fields), passing)
    assert all(
        any(why in str(one) for one in round_.code_failures) for round_ in raised.value.rounds
    )
    told = everything_logged(caplog.records) + repr(raised.value.rounds) + str(raised.value)
    assert HIDDEN not in told
    assert not stands("98.76", told)


def test_a_review_of_another_stock_is_a_veto() -> None:
    def review(step1: Step1Output, card: Scorecard, draft: ScoreDraft) -> ReviewResult:
        return ReviewResult(stock_code=CARS, passed=True, reason="")

    with pytest.raises(ScoreVetoedError) as raised:
        run(review=review)
    assert raised.value.rounds[0].code_failures == (WRONG_STOCK,)


def test_a_fault_in_a_rule_is_told_without_what_it_was_about(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)

    def fails(*_: object) -> ScoreDraft:
        raise ValueError(HIDDEN)

    with pytest.raises(ScoringFaultError) as raised:
        run(fails)
    assert "ValueError at test_scoring_by_rule.py" in str(raised.value)
    assert HIDDEN not in str(raised.value)
    assert HIDDEN not in everything_logged(caplog.records)


def test_too_little_to_score_is_said_as_a_fact() -> None:
    with pytest.raises(NoDataError, match="盈利质量"):
        run(symbol="00005.HK")


def test_a_claim_that_does_not_hold_stops_it_before_anybody_is_asked() -> None:
    found = given()
    first, *rest = found.card.claims
    wrong = first.model_copy(update={"value": first.value + 1})
    card = found.card.model_copy(update={"claims": (wrong, *rest)})
    asked: list[object] = []
    rules = RuleAgents(lambda *given: asked.append(given) or score_by_rule(*given), review_by_rule)
    with pytest.raises(NotVerifiedError):
        ScoringWorkflow(settings=Settings(), rules=rules).approve(found.step1, card)
    assert asked == []


def test_a_reader_who_stops_it_gets_nothing() -> None:
    watch = Watching()
    ask: Callable[..., ScoreDraft] = score_by_rule

    def score(*given: object) -> ScoreDraft:
        watch.stop.set()
        return ask(*given)

    with pytest.raises(CancelledError):
        run(score, watch=watch)
