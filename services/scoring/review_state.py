"""How far a score has come, read from what the agents said: the rounds, and what is to happen next.

A pure function of the conversation: the same words always lead to the same standing. Nothing but a
draft and the review that passed that very draft stands as approved.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from services.core.text import Text
from services.scoring.exchange import Drafted, Reviewed
from services.scoring.models import MAX_ROUNDS, Review, ReviewResult, Round, ScoreDraft
from services.scoring.review import CodeReview

# How many answers without a readable draft are borne in one run; each is asked for again.
MOST_UNREADABLE = 3
UNREADABLE_REVIEW = Text(
    "审核结果无法读取，按否决处理", "the review could not be read: it counts as a veto"
)
WRONG_STOCK = Text("审核的是另一只股票", "the review is of another stock")
WRONG_DRAFT = Text("审核的是另一份稿子", "the review is of another draft")
Said = Drafted | Reviewed
Next = Literal["score", "review", "approved", "vetoed", "unreadable"]


class Approved(NamedTuple):
    """A draft and the review that passed it."""

    draft: ScoreDraft
    review: Review


@dataclass(slots=True)
class ReviewStanding:
    """What came of the conversation so far. `refusals` are told to the ScoreAgent in full, oldest
    first, a line a round; `rounds` are fit to be kept and shown.

    `last` is the draft that was refused last, `pending` the one to be reviewed; `again`: the last
    answer could not be read, and is to be given again.
    """

    rounds: list[Round] = field(default_factory=list[Round])
    refusals: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    approved: Approved | None = None
    pending: Drafted | None = None
    last: ScoreDraft | None = None
    unreadable: list[Drafted] = field(default_factory=list[Drafted])
    again: bool = False
    spent_s: float = 0.0

    @property
    def next(self) -> Next:
        """What is to happen."""
        if self.approved is not None:
            return "approved"
        if self.pending is not None:
            return "review"
        if len(self.rounds) >= MAX_ROUNDS:
            return "vetoed"
        if len(self.unreadable) >= MOST_UNREADABLE:
            return "unreadable"
        return "score"


def standing(said: Iterable[Said], code: CodeReview) -> ReviewStanding:
    """Where that conversation stands; words that come out of turn count for nothing."""
    found = ReviewStanding()
    for one in said:
        if isinstance(one, Drafted):
            _take_draft(found, one)
        elif found.pending is not None:
            _take_review(found, found.pending, one, code)
    return found


def _take_draft(found: ReviewStanding, said: Drafted) -> None:
    if found.next != "score":
        return
    found.spent_s += said.seconds
    found.again = said.draft is None
    if said.draft is None:
        found.unreadable.append(said)
    else:
        found.pending = said


def _take_review(found: ReviewStanding, drafted: Drafted, said: Reviewed, code: CodeReview) -> None:
    draft = drafted.draft
    if draft is None:
        return
    review, told = _verdict(draft, said, code)
    found.rounds.append(
        Round(
            number=len(found.rounds) + 1,
            draft_digest=draft.digest,
            hold_score=draft.hold_score,
            review_reason=review.result.reason,
            passed=review.passed,
            code_failures=review.code_failures,
            seconds=round(found.spent_s + said.seconds, 3),
            score_engine=drafted.model or drafted.engine,
            review_engine=said.model or said.engine,
        )
    )
    found.pending, found.spent_s = None, 0.0
    if review.passed:
        found.approved = Approved(draft, review)
    else:
        found.last = draft
        found.refusals.append(told)


class _Verdict(NamedTuple):
    """A review, and its reasons in full."""

    review: Review
    reasons: tuple[str, ...]


def _verdict(draft: ScoreDraft, said: Reviewed, code: CodeReview) -> _Verdict:
    failures = list(code.failures(draft))
    if said.draft_digest != draft.digest:
        failures.append(WRONG_DRAFT)
    result = said.result
    if result is None:
        result = ReviewResult(
            stock_code=draft.stock_code, passed=False, reason=str(UNREADABLE_REVIEW)
        )
    elif result.stock_code != draft.stock_code:
        failures.append(WRONG_STOCK)
    review = Review(
        result=result,
        draft_digest=said.draft_digest,
        code_failures=tuple(failures),
        engine=said.engine,
        model=said.model,
    )
    said_no = (result.reason,) if not result.passed and result.reason else ()
    return _Verdict(review, (*said_no, *map(str, failures)))


def all_refusals(found: ReviewStanding) -> Sequence[str]:
    """What the ScoreAgent is told: the reasons of every round, those of the last one last."""
    return tuple(reason for reasons in found.refusals for reason in reasons)
