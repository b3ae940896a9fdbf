"""The manager of the Magentic workflow: code that decides by what was said, and asks no model.

Score → Review → (veto ⇒ Score with the reason)* → end. It keeps nothing but what was told to a
watcher: each decision is read anew from the conversation. Built for one run.
"""

import logging
from collections.abc import Sequence

from services.core.errors import ChangedError, YoujuError
from services.core.text import Text
from services.jobs.steps import Step, StepWatcher
from services.scoring.briefing import Briefing
from services.scoring.exchange import (
    REVIEW_AGENT,
    SCORE_AGENT,
    AgentRequest,
    Drafted,
    Reviewed,
    ScoreVetoedError,
)
from services.scoring.framework import (
    MagenticContext,
    MagenticManagerBase,
    MagenticProgressLedger,
    MagenticProgressLedgerItem,
    Message,
)
from services.scoring.models import Round
from services.scoring.prompts import UNREADABLE
from services.scoring.review import CodeReview
from services.scoring.review_state import ReviewStanding, Said, all_refusals, standing

_LOG = logging.getLogger("youju.scoring")
_NAME = "youju_manager"


class ResetError(YoujuError):
    """The framework threw the conversation away; nothing of it may be released."""


class ReviewingManager(MagenticManagerBase):
    """Leads one run. `standing` is how it stood when last looked at."""

    def __init__(self, briefing: Briefing, code: CodeReview, watch: StepWatcher) -> None:
        """`code` is the verdict no reviewer overrules. No limit of rounds is given to the
        framework, whose limit ends in an ordinary answer: the rounds are counted here.
        """
        super().__init__()
        self._briefing = briefing
        self._code = code
        self._watch = watch
        self._fault: Exception | None = None
        self._told = self._mishaps = 0
        self.standing = ReviewStanding()

    async def plan(self, magentic_context: MagenticContext) -> Message:
        """There is one plan, and it is this class."""
        return Message(role="assistant", contents=["score, review"], author_name=_NAME)

    async def replan(self, magentic_context: MagenticContext) -> Message:
        """Called after a reset only, when what was said is gone: the run ends with a fault."""
        self._fault = self._fault or ResetError("the framework started the score anew")
        return await self.plan(magentic_context)

    async def create_progress_ledger(
        self, magentic_context: MagenticContext
    ) -> MagenticProgressLedger:
        """Who is to speak, and what is asked of him. Never raises: the framework would swallow it
        and begin anew, so a fault of ours ends the run and is raised at its end.
        """
        try:
            return self._ledger(magentic_context)
        except Exception as error:  # noqa: BLE001 — kept, and raised by prepare_final_answer
            self._fault = self._fault or error
            return _turn(None, "")

    async def prepare_final_answer(self, magentic_context: MagenticContext) -> Message:
        """The digest of the approved draft, and nothing of its text.

        Raises: ScoreVetoedError; ChangedError when no draft could be read; whatever went wrong.
        """
        if self._fault is not None:
            raise self._fault
        found = self.standing = self._stands(magentic_context.chat_history)
        if found.approved is not None:
            digest = found.approved.draft.digest
            return Message(role="assistant", contents=[digest], author_name=_NAME)
        if found.next == "vetoed":
            raise ScoreVetoedError(tuple(found.rounds))
        raise _unreadable(found)

    def _ledger(self, context: MagenticContext) -> MagenticProgressLedger:
        if self._fault is not None:
            return _turn(None, "")
        found = self.standing = self._stands(context.chat_history)
        self._tell(found)
        round_, briefing = len(found.rounds) + 1, self._briefing
        if found.next == "review" and found.pending is not None and found.pending.draft is not None:
            draft = found.pending.draft
            asked = AgentRequest(text=briefing.for_review(draft), round=round_, draft=draft)
            return _turn(REVIEW_AGENT, asked.model_dump_json())
        if found.next == "score":
            return _turn(SCORE_AGENT, self._for_score(found, round_).model_dump_json())
        return _turn(None, "")

    def _for_score(self, found: ReviewStanding, round_: int) -> AgentRequest:
        text, briefing = self._briefing.for_score(), self._briefing
        if found.last is not None:
            text = briefing.for_redraft(found.last, round_, found.refusals[-1])
        if found.again:
            text += UNREADABLE.format(reason=found.unreadable[-1].problem or "")
        return AgentRequest(text=text, round=round_, refusals=tuple(all_refusals(found)))

    def _stands(self, history: Sequence[Message]) -> ReviewStanding:
        return standing([one for each in history if (one := _read_message(each))], self._code)

    def _tell(self, found: ReviewStanding) -> None:
        """Each round and each mishap once, as it happens: to the watcher, and to the log."""
        steps = [_mishap(one) for one in found.unreadable[self._mishaps :]]
        steps += [_tell_review(one) for one in found.rounds[self._told :]]
        self._told, self._mishaps = len(found.rounds), len(found.unreadable)
        for step in steps:
            self._watch.step(step)
            said = (self._briefing.step1.stock_code, step.kind, step.round, step.error or "passed")
            _LOG.debug("%s: %s, round %s: %s: %s", *said, "；".join(map(str, step.detail)))


def _read_message(message: Message) -> Said | None:
    """What an agent said; None for the manager's own words. Raises: ValidationError."""
    if message.author_name == SCORE_AGENT:
        return Drafted.model_validate_json(message.text)
    if message.author_name == REVIEW_AGENT:
        return Reviewed.model_validate_json(message.text)
    return None


def _turn(speaker: str | None, instruction: str) -> MagenticProgressLedger:
    """Who speaks next; nobody: the end."""

    def item(answer: str | bool) -> MagenticProgressLedgerItem:  # noqa: FBT001 — as the framework has it
        return MagenticProgressLedgerItem(reason="", answer=answer)

    return MagenticProgressLedger(
        is_request_satisfied=item(speaker is None),
        is_in_loop=item(False),  # noqa: FBT003
        is_progress_being_made=item(True),  # noqa: FBT003
        next_speaker=item(speaker or SCORE_AGENT),
        instruction_or_question=item(instruction),
    )


def _tell_review(one: Round) -> Step:
    reasons = tuple(text for text in (Text.read(one.review_reason), *one.code_failures) if text)
    title = (
        Text("审核通过", "approved")
        if one.passed
        else Text("被否决，退回重写", "vetoed, sent back")
    )
    return Step(
        kind="reviewed",
        title=title,
        round=one.number,
        seconds=one.seconds,
        error=None if one.passed else "VetoedError",
        detail=reasons,
    )


def _mishap(said: Drafted) -> Step:
    return Step(
        kind="checked",
        title=Text("稿子无法读取，重新要一份", "the draft could not be read, asked again"),
        tool=SCORE_AGENT,
        error="UnreadableDraftError",
        detail=(Text.read(said.problem),) if said.problem else (),
    )


def _unreadable(found: ReviewStanding) -> YoujuError:
    last = found.unreadable[-1] if found.unreadable else None
    if last is None:
        return ResetError("the score ended before anybody said anything")
    why = last.problem or ""
    told = f"no readable draft in {len(found.unreadable)} answers ({why}); try another model"
    return ChangedError(f"{SCORE_AGENT} {last.model or last.engine}", "score", told)
