"""Managers that have gone wrong: whatever one says, nothing is released but what was approved.

These stand in for a fault of ours, or a framework that leads a run in another way than it does.
"""

import pytest

from services.scoring import orchestration
from services.scoring.framework import (
    MagenticContext,
    MagenticProgressLedger,
    MagenticProgressLedgerItem,
    Message,
)
from services.scoring.manager import ReviewingManager
from services.scoring.models import Review, ReviewResult
from services.scoring.orchestration import UnapprovedError
from services.scoring.review_state import Approved
from services.scoring.workflow import ScoringWorkflow
from services.settings import Settings
from tests.unit.scoring_workflow.given import BANK, draft, given


def done() -> MagenticProgressLedger:
    """The end, whatever was said."""

    def item(answer: str | bool) -> MagenticProgressLedgerItem:
        return MagenticProgressLedgerItem(reason="", answer=answer)

    return MagenticProgressLedger(
        is_request_satisfied=item(True),
        is_in_loop=item(False),
        is_progress_being_made=item(True),
        next_speaker=item("ScoreAgent"),
        instruction_or_question=item(""),
    )


def said(text: str) -> Message:
    return Message(role="assistant", contents=[text], author_name="youju_manager")


class Hasty(ReviewingManager):
    """Ends when the first draft is there, and says the draft is the answer."""

    async def create_progress_ledger(
        self, magentic_context: MagenticContext
    ) -> MagenticProgressLedger:
        ledger = await super().create_progress_ledger(magentic_context)
        return done() if self.standing.pending is not None else ledger

    async def prepare_final_answer(self, magentic_context: MagenticContext) -> Message:
        pending = self.standing.pending
        assert pending is not None
        assert pending.draft is not None
        return said(pending.draft.digest)


class Careless(ReviewingManager):
    """Has a draft approved, and names another."""

    async def prepare_final_answer(self, magentic_context: MagenticContext) -> Message:
        await super().prepare_final_answer(magentic_context)
        return said(draft().digest)


class Silent(ReviewingManager):
    """Ends before anybody was asked."""

    async def create_progress_ledger(
        self, magentic_context: MagenticContext
    ) -> MagenticProgressLedger:
        return done()

    async def prepare_final_answer(self, magentic_context: MagenticContext) -> Message:
        return said("")


class Forging(Silent):
    """Writes its own approval of a draft nobody wrote, and says nothing of it."""

    async def prepare_final_answer(self, magentic_context: MagenticContext) -> Message:
        made = draft()
        result = ReviewResult(stock_code=BANK, passed=True, reason="")
        review = Review(result=result, draft_digest=made.digest, engine="rule")
        self.standing.approved = Approved(made, review)
        return said("approved")


@pytest.mark.parametrize("manager", [Hasty, Careless, Silent, Forging])
def test_a_manager_that_releases_without_a_review_releases_nothing(
    monkeypatch: pytest.MonkeyPatch, manager: type[ReviewingManager]
) -> None:
    monkeypatch.setattr(orchestration, "ReviewingManager", manager)
    with pytest.raises(UnapprovedError):
        ScoringWorkflow(settings=Settings()).approve(given().step1, given().card)
