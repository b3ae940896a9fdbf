"""The manager and what it reads: a pure function of the conversation, that the framework cannot
lead astray.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from services.jobs.steps import Unwatched
from services.scoring.briefing import brief
from services.scoring.exchange import AgentRequest, Drafted, Reviewed, ScoreVetoedError
from services.scoring.framework import MagenticContext, Message
from services.scoring.manager import ResetError, ReviewingManager
from services.scoring.models import ReviewResult, ScoreDraft
from services.scoring.review_state import Said, standing
from tests.unit.scoring_workflow.given import BANK, draft, given


def drafted(made: ScoreDraft | None) -> Drafted:
    return Drafted(draft=made, unreadable=None if made else "shape", engine="model", model="m")


def reviewed(made: ScoreDraft, *, passed: bool, symbol: str = BANK, digest: str = "") -> Reviewed:
    result = ReviewResult(stock_code=symbol, passed=passed, reason="" if passed else "不行")
    return Reviewed(draft_digest=digest or made.digest, result=result, engine="model", model="m")


def test_what_is_said_decides_what_is_next() -> None:
    good, code = draft(), given().code()
    assert standing([], code).next == "score"
    assert standing([drafted(good)], code).next == "review"
    assert standing([drafted(good), reviewed(good, passed=False)], code).next == "score"
    found = standing([drafted(good), reviewed(good, passed=True)], code)
    assert found.next == "approved"
    assert found.approved is not None
    assert found.approved.draft == good
    assert standing([drafted(None)] * 2, code).next == "score"
    assert standing([drafted(None)] * 3, code).next == "unreadable"


def test_a_review_of_another_draft_approves_nothing() -> None:
    good, other = draft(), draft(score=7.0)
    found = standing([drafted(good), reviewed(other, passed=True)], given().code())
    assert (found.approved, len(found.rounds)) == (None, 1)
    assert not found.rounds[0].passed


def test_an_approval_without_a_draft_approves_nothing() -> None:
    good = draft()
    said: list[Said] = [reviewed(good, passed=True), drafted(good)]
    assert standing(said, given().code()).next == "review"


def test_no_order_of_words_releases_what_was_not_approved() -> None:
    """Whatever is said, an approval is a draft that holds, right before a review that passed it."""
    code = given().code()
    good, bad = [draft(score=at) for at in (6.0, 7.0)], draft(11.0)
    words: list[Said] = [drafted(None), *(drafted(one) for one in (*good, bad))]
    words += [reviewed(one, passed=passed) for one in (*good, bad) for passed in (True, False)]
    approved = 0

    @settings(max_examples=400)
    @hypothesis.given(st.lists(st.sampled_from(words), max_size=11))
    def releases_what_was_approved(said: list[Said]) -> None:
        nonlocal approved
        found = standing(said, code)
        assert len(found.rounds) <= 5
        if found.approved is None:
            return
        approved += 1
        made, review = found.approved
        assert made in good
        assert review.passed
        assert (drafted(made), reviewed(made, passed=True)) in _pairs(said)

    releases_what_was_approved()
    assert approved > 20


def _pairs(said: Sequence[Said]) -> list[tuple[Said, Said]]:
    """Each review with the draft it follows; an unreadable answer or a word out of turn between
    them changes nothing.
    """
    pairs: list[tuple[Said, Said]] = []
    for at, one in enumerate(said):
        pairs += [(one, later) for later in said[at + 1 :] if isinstance(one, Drafted)]
    return pairs


def manager() -> ReviewingManager:
    found = given()
    return ReviewingManager(brief(found.step1, found.card, "zh"), found.code(), Unwatched())


def context(*messages: Message) -> MagenticContext:
    return MagenticContext(task="t", chat_history=list(messages))


def spoken(author: str, text: str) -> Message:
    return Message(role="assistant", contents=[text], author_name=author)


def run(work: Any) -> Any:
    return asyncio.run(work)


def test_the_scorer_speaks_first_and_is_told_the_facts() -> None:
    ledger = run(manager().create_progress_ledger(context()))
    assert ledger.is_request_satisfied.answer is False
    assert ledger.next_speaker.answer == "ScoreAgent"
    asked = AgentRequest.model_validate_json(ledger.instruction_or_question.answer)
    assert (asked.round, asked.refusals) == (1, ())
    assert "净资产收益率 15.4%" in asked.text


def test_a_fault_ends_the_run_and_is_raised_at_its_end_only() -> None:
    made, garbage = manager(), spoken("ScoreAgent", "no JSON")
    ledger = run(made.create_progress_ledger(context(garbage)))
    assert ledger.is_request_satisfied.answer is True
    with pytest.raises(ValueError, match="Drafted"):
        run(made.prepare_final_answer(context(garbage)))


def test_a_reset_of_the_framework_ends_the_run() -> None:
    made = manager()
    run(made.replan(context()))
    assert run(made.create_progress_ledger(context())).is_request_satisfied.answer is True
    with pytest.raises(ResetError):
        run(made.prepare_final_answer(context()))


def test_an_end_that_comes_too_early_releases_nothing() -> None:
    one = spoken("ScoreAgent", drafted(draft()).model_dump_json())
    with pytest.raises(ResetError):
        run(manager().prepare_final_answer(context(one)))


def test_words_of_others_count_for_nothing() -> None:
    good = draft()
    said = [
        spoken("magentic_manager", drafted(good).model_dump_json()),
        spoken("stranger", reviewed(good, passed=True).model_dump_json()),
    ]
    assert run(manager().create_progress_ledger(context(*said))).next_speaker.answer == "ScoreAgent"


def test_the_last_veto_is_an_error_with_every_round() -> None:
    good, said = draft(), list[Message]()
    for _ in range(5):
        said.append(spoken("ScoreAgent", drafted(good).model_dump_json()))
        said.append(spoken("ReviewAgent", reviewed(good, passed=False).model_dump_json()))
    with pytest.raises(ScoreVetoedError) as raised:
        run(manager().prepare_final_answer(context(*said)))
    assert raised.value.reviews == ("不行",) * 5


def test_an_approved_draft_ends_as_its_digest_and_not_as_its_text() -> None:
    good = draft()
    said = [
        spoken("ScoreAgent", drafted(good).model_dump_json()),
        spoken("ReviewAgent", reviewed(good, passed=True).model_dump_json()),
    ]
    assert run(manager().prepare_final_answer(context(*said))).text == good.digest
