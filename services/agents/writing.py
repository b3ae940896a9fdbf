"""A draft that holds, or the reasons why there is none: write, prove, once more, drop what does not
hold.

The loop is the guarantee: nothing leaves it unproved, and there is no third try.
"""

from collections.abc import Callable
from dataclasses import dataclass

from services.agents.draft_check import Proved
from services.agents.results import Refusal, RuntimeDraft
from services.agents.runtime import Writer
from services.core.text import Text
from services.jobs.steps import Step, Watch

ROUNDS = 2
Prover = Callable[[RuntimeDraft, int], Proved]
Dropper = Callable[[RuntimeDraft], RuntimeDraft | None]


@dataclass(frozen=True, slots=True)
class Written:
    """`draft` is one that was proved, None when nothing of two stands; `refusals` of all rounds."""

    draft: RuntimeDraft | None
    refusals: tuple[Refusal, ...] = ()


def written(writer: Writer, prove: Prover, drop: Dropper, watch: Watch) -> Written:
    """Two rounds at most; of the second, `drop` keeps what stands. Raises: as the writer does."""
    refused: list[Refusal] = []
    last: tuple[Refusal, ...] = ()
    draft: RuntimeDraft | None = None
    for round_ in range(1, ROUNDS + 1):
        draft, last = prove(writer.write(last), round_)
        watch.step(checked(round_, last))
        if not last:
            return Written(draft, tuple(refused))
        refused += last
    return Written(drop(draft) if draft else None, tuple(refused))


def checked(round_: int, refusals: tuple[Refusal, ...]) -> Step:
    """What the check of that round found, each reason by itself."""
    if not refusals:
        title = Text("每个数字都已核对", "every figure checked")
        return Step(kind="checked", title=title, round=round_)
    return Step(
        kind="checked",
        title=Text("没有通过核对，退回重写", "refused, sent back")
        if round_ < ROUNDS
        else Text("第二次仍未通过核对", "refused for the second time"),
        round=round_,
        error="NotVerifiedError",
        detail=tuple(one.reason for one in refusals),
    )
