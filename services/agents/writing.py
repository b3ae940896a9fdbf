"""A draft that holds, or the reasons why there is none: write, prove, once more, give up.

The loop is the guarantee: nothing leaves it unproved, and there is no third try.
"""

from collections.abc import Callable
from dataclasses import dataclass

from services.agents.results import Refusal, RuntimeDraft
from services.agents.runtime import Writer
from services.agents.steps import Step, Watch

ROUNDS = 2
Prover = Callable[[RuntimeDraft, int], tuple[Refusal, ...]]


@dataclass(frozen=True, slots=True)
class Written:
    """`draft` is one that was proved, None when two were refused; `refusals` of all rounds."""

    draft: RuntimeDraft | None
    refusals: tuple[Refusal, ...] = ()


def written(writer: Writer, prove: Prover, watch: Watch) -> Written:
    """Two rounds at most. Raises: as the writer does."""
    refused: list[Refusal] = []
    last: tuple[Refusal, ...] = ()
    for round_ in range(1, ROUNDS + 1):
        draft = writer.write(last)
        last = prove(draft, round_)
        watch.step(_checked(round_, last))
        if not last:
            return Written(draft, tuple(refused))
        refused += last
    return Written(None, tuple(refused))


def _checked(round_: int, refusals: tuple[Refusal, ...]) -> Step:
    if not refusals:
        title = "每个数字都已核对 | every figure checked"
        return Step(kind="checked", title=title, round=round_)
    return Step(
        kind="checked",
        title="没有通过核对，退回重写 | refused, sent back"
        if round_ < ROUNDS
        else "第二次仍未通过核对 | refused for the second time",
        round=round_,
        error="NotVerifiedError",
        detail=tuple(dict.fromkeys(one.reason for one in refusals)),
    )
