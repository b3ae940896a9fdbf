"""A model's score beside that of the factors: released only near it, and only where it came.

Where scorer or reviewer bring no usable answer, or the score lies further from the factors' than
the registered distance, the score of the factors is released in its stead, and it is said why. A
veto stays a veto.
"""

from dataclasses import replace
from typing import NamedTuple

from services.agents.model_failure_words import why_no_answer
from services.core.errors import ProviderError, UnavailableError
from services.core.limits import COMPETENCES
from services.core.model_calls import ModelCall
from services.core.score_rules import MODEL_ID
from services.core.text import Text
from services.jobs.steps import Step
from services.scoring.exchange import PURPOSES, SCORE_AGENT
from services.scoring.factors import require_total
from services.scoring.models import Scorecard, Step1Output
from services.scoring.workflow import Approval, Following, Manner, ScoringWorkflow

FURTHEST = COMPETENCES[MODEL_ID].values["model_distance"]
_STANDS = ("采用因子评分", "the factor score stands")
# A score is written to two places; below the sixth lies only how a computer adds.
_PLACES, _EXACT = 2, 6


class Judgement(NamedTuple):
    """What was approved; `problem` says why it is the factors' score though a
    model was asked, null where nothing was amiss.
    """

    approval: Approval
    problem: Text | None = None


def judge(
    workflow: ScoringWorkflow,
    step1: Step1Output,
    card: Scorecard,
    manner: Manner,
    following: Following,
) -> Judgement:
    """The approved score. Raises: as ScoringWorkflow.approve, unless the scorer fails."""
    calls: list[ModelCall] = []

    def record(call: ModelCall) -> None:
        calls.append(call)
        following.record(call)

    try:
        heard = Following(following.watch, record)
        approval = workflow.approve(step1, card, manner=manner, following=heard)
    except ProviderError as error:
        if not calls:
            raise
        problem, kind = _tell_failure(step1.stock_code, calls[-1], error), type(error).__name__
    else:
        told = _too_far(approval, card)
        if told is None:
            return Judgement(approval)
        problem, kind = told, "TooFarError"
    following.watch.step(Step(kind="fell_back", title=problem, error=kind))
    by_rule = replace(manner, by="rule")
    return Judgement(workflow.approve(step1, card, manner=by_rule, following=following), problem)


def _tell_failure(symbol: str, call: ModelCall, error: ProviderError) -> Text:
    """Which model, of which company, why, after how long, and what can be done."""
    why, waited = why_no_answer(error), f"{call.seconds:.1f}"
    if type(error) is UnavailableError:
        why = Text(
            f"{why.zh}，等了 {waited} 秒；可稍后再试、检查网络，或在设置里把模型时限调长",
            f"{why.en} after {waited} s; try again, check the network or give the model more time",
        )
    if call.purpose == PURPOSES[SCORE_AGENT]:
        return Text(
            f"评分模型 {call.model} 没有给出 {symbol} 的评分（{why.zh}），{_STANDS[0]}",
            f"the scoring model {call.model} gave no score of {symbol} ({why.en}): {_STANDS[1]}",
        )
    return Text(
        f"审核模型 {call.model} 没有审核 {symbol} 的评分（{why.zh}），{_STANDS[0]}",
        f"the reviewing model {call.model} did not review {symbol} ({why.en}): {_STANDS[1]}",
    )


def _too_far(approval: Approval, card: Scorecard) -> Text | None:
    """That a model's score is too far from the factors', with both and their distance."""
    draft, total = approval.draft, round(require_total(card).value, _PLACES)
    distance = round(abs(draft.hold_score - total), _EXACT)
    if draft.engine == "rule" or distance <= FURTHEST:
        return None
    said, gap = f"{draft.hold_score:g}", f"{distance:g}"
    return Text(
        f"评分模型 {draft.model} 给出 {said}，与因子评分 {total:g} 相差 {gap}，超过 {FURTHEST:g}，"
        f"{_STANDS[0]}",
        f"the scoring model {draft.model} said {said}, {gap} from the factor score "
        f"of {total:g} and so more than {FURTHEST:g} away: {_STANDS[1]}",
    )
