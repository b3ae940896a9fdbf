"""What a score writes into its log (seed 003 §6), and what becomes of each fault (§7)."""

import asyncio
import logging
from collections.abc import Sequence

import pytest

from services.core.clock import FixedClock
from services.core.errors import ConfigError, NotVerifiedError
from services.core.text import Language, Text
from services.scoring.exchange import ScoreVetoedError
from services.scoring.models import (
    HoldRecommendation,
    Review,
    ReviewResult,
    Scorecard,
    ScoreDraft,
    Step1Output,
)
from services.scoring.review import CodeReview
from services.scoring.review_state import Approved, ReviewStanding
from services.scoring.rule_agents import review_by_rule, score_by_rule
from services.scoring.rules import RuleAgents, RuleReview, RuleScore
from services.scoring.workflow import (
    Manner,
    ScoringFaultError,
    ScoringWorkflow,
    _release,
)
from services.settings import Settings
from tests.unit.scoring_workflow.given import BANK, draft, given

HIDDEN = "蓝羽毛悄悄落进深井"
Line = tuple[str, str]


@pytest.fixture(autouse=True)
def _logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "youju.scoring")


def scored(
    score: RuleScore = score_by_rule, review: RuleReview = review_by_rule
) -> HoldRecommendation:
    """The bank by these agents, as the seed asks for it."""
    workflow = ScoringWorkflow(settings=Settings(), rules=RuleAgents(score, review))
    return asyncio.run(workflow.run(given().step1))


def lines(caplog: pytest.LogCaptureFixture) -> list[Line]:
    return [
        (one.levelname, one.getMessage()) for one in caplog.records if one.name == "youju.scoring"
    ]


def refusing(step1: Step1Output, card: Scorecard, made: ScoreDraft) -> ReviewResult:
    return ReviewResult(stock_code=BANK, passed=False, reason="缺少对风险的说明")


def spoiling(
    step1: Step1Output, card: Scorecard, language: Language, refused: Sequence[str]
) -> ScoreDraft:
    """A draft with a sentence no log may have."""
    made = score_by_rule(step1, card, language, refused)
    return made.model_copy(update={"summary_reason": f"{made.summary_reason}{HIDDEN}。"})


def test_each_event_of_a_score_is_logged_once_at_its_level(
    caplog: pytest.LogCaptureFixture,
) -> None:
    made = scored()
    facts, *_ = [told for _, told in lines(caplog) if told.startswith("facts of")]
    assert int(facts.split()[3]) > 1000  # how much there was to read
    assert lines(caplog) == [
        ("DEBUG", "ScoreAgent: rule"),
        ("DEBUG", "ReviewAgent: rule"),
        ("INFO", "scoring workflow ready"),
        ("INFO", "score of 600036.SH begins"),
        ("DEBUG", facts),
        ("INFO", "score of 600036.SH: at most 10 messages"),
        ("DEBUG", "agents of 600036.SH: score by rule, review by rule"),
        ("DEBUG", "workflow of 600036.SH is built"),
        ("DEBUG", "600036.SH: reviewed, round 1: passed: "),
        ("INFO", "score of 600036.SH: approved in round 1"),
        ("DEBUG", f"score of 600036.SH: {made.summary_reason[:100]}…"),
        ("INFO", f"score of 600036.SH: {made.hold_score:.2f}"),
    ]


def test_a_veto_logs_what_the_reviewer_asked_for_and_no_draft(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(ScoreVetoedError):
        scored(spoiling, refusing)
    found = lines(caplog)
    for at in range(1, 6):
        (told,) = [text for _, text in found if f"reviewed, round {at}: VetoedError" in text]
        assert "缺少对风险的说明" in told
    assert ("ERROR", "score of 600036.SH: ScoreVetoedError") in found
    assert not [text for _, text in found if HIDDEN in text]


def test_a_fault_is_logged_by_its_place_and_the_way_there_and_not_by_its_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    known: dict[str, ScoreDraft] = {}

    def fails(*_: object) -> ScoreDraft:
        try:
            return known[HIDDEN]
        except KeyError as error:
            raise ValueError(HIDDEN) from error

    with pytest.raises(ScoringFaultError) as raised:
        scored(fails)
    *_, (error, place), (debug, way) = lines(caplog)
    assert (error, debug) == ("ERROR", "DEBUG")
    assert "ValueError at test_logging.py" in place
    assert way.count("in fails") == 2  # that of the cause, and its own
    assert "chat_agents.py" in way
    assert HIDDEN not in place + way + str(raised.value)


def test_an_error_of_ours_is_logged_with_its_stack_for_those_who_look(
    caplog: pytest.LogCaptureFixture,
) -> None:
    found = given("00005.HK")
    workflow = ScoringWorkflow(settings=Settings(), manner=Manner(by="rule"))
    with pytest.raises(Exception, match="盈利质量"):
        asyncio.run(workflow.run(found.step1))
    error, debug = caplog.records[-2:]
    assert (error.levelname, error.getMessage()) == ("ERROR", "score of 00005.HK: NoDataError")
    assert error.exc_info is None
    assert debug.levelname == "DEBUG"
    assert debug.exc_info is not None


@pytest.mark.parametrize(
    ("secrets", "variable"),
    [({}, "DASHSCOPE_API_KEY"), ({"DASHSCOPE_API_KEY": "sk-hush"}, "DEEPSEEK_API_KEY")],
)
def test_a_missing_key_stops_it_before_it_begins(
    caplog: pytest.LogCaptureFixture, secrets: dict[str, str], variable: str
) -> None:
    """§7.3, the first layer: the surroundings."""
    with pytest.raises(ConfigError) as raised:
        ScoringWorkflow(settings=Settings(secrets=secrets), manner=Manner(by="model"))
    assert raised.value.variable == variable
    assert lines(caplog) == [("ERROR", f"{variable} is not set")]
    assert "sk-hush" not in caplog.text


def test_a_company_without_a_name_is_scored_with_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    found = given()
    parts = ("news", "sector", "kline")
    nameless = found.step1.model_copy(
        update={
            name: getattr(found.step1, name).model_copy(update={"stock_name": ""}) for name in parts
        }
    )
    clock = FixedClock(nameless.instant)
    made = _release(nameless, found.card, approved(draft()), found.code(), clock)
    assert made.recommendation.stock_name == ""
    (warned,) = [text for level, text in lines(caplog) if level == "WARNING"]
    assert BANK in warned


def approved(made: ScoreDraft) -> ReviewStanding:
    """A conversation somebody else says ended well."""
    result = ReviewResult(stock_code=BANK, passed=True, reason="")
    review = Review(result=result, draft_digest=made.digest, engine="model", model="m")
    return ReviewStanding(approved=Approved(made, review))


class Blind(CodeReview):
    """The second layer gone: it finds nothing wrong with anything."""

    def failures(self, draft: ScoreDraft) -> tuple[Text, ...]:
        return ()


def said(text: str) -> ScoreDraft:
    return draft().model_copy(update={"summary_reason": text})


BAD = {
    "score 11": draft(score=11.0),
    "score -1": draft(score=-1.0),
    "99 characters": said("字" * 99),
    "1001 characters": said("字" * 1001),
    "a place without a claim": said("字" * 120 + "{{c:c_0123456789abcdef}}"),
}


@pytest.mark.parametrize("how", BAD)
def test_what_the_code_let_pass_the_record_refuses(how: str) -> None:
    """§7.3, the third layer, when the second has failed: nothing is released."""
    found = given()
    blind = Blind(found.step1, found.card)
    clock = FixedClock(found.step1.instant)
    assert _release(found.step1, found.card, approved(draft()), blind, clock)
    with pytest.raises(NotVerifiedError) as raised:
        _release(found.step1, found.card, approved(BAD[how]), blind, clock)
    assert "放行被拒 | not released" in str(raised.value)


@pytest.mark.parametrize(
    "standing",
    [
        ReviewStanding(),
        approved(said(draft().summary_reason + "每股收益 98.76元。")),
        approved(draft(score=11.0)),
    ],
)
def test_what_the_workflow_says_is_approved_is_looked_at_once_more(
    standing: ReviewStanding,
) -> None:
    found = given()
    with pytest.raises(NotVerifiedError, match="no draft that holds"):
        _release(found.step1, found.card, standing, found.code(), FixedClock(found.step1.instant))


def test_the_rules_need_no_key() -> None:
    assert ScoringWorkflow(settings=Settings(), manner=Manner(by="rule")).models == {}
