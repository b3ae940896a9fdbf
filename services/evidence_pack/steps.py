"""What was checked of a pack, in five steps a reader can follow, and what came of each."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from services.evidence_pack.parts import REPORT, TABLES
from services.evidence_pack.verify import PackFinding, PackVerdict

Step = Literal["whole", "sourced", "derived", "texts", "files"]
STEPS: tuple[Step, ...] = ("whole", "sourced", "derived", "texts", "files")
_WHOLE = frozenset(
    {
        "part_missing", "part_extra", "part_order", "size", "sha256", "packed_sha256", "seal",
        "format", "line_digest", "spelling", "too_large", "too_many", "too_deep",
    }
)  # fmt: skip
_DERIVED = frozenset(
    {"value_recomputed", "formula_registered", "inputs_present", "inputs_sound", "series_complete"}
)


class StepState(NamedTuple):
    """A step: how many things of it fail. `asked` is false where an earlier step fails, nothing
    was given to ask it of, or the check was stopped.
    """

    step: Step
    failures: int
    asked: bool = True


def steps_of(found: PackVerdict, files: Sequence[str]) -> tuple[StepState, ...]:
    """The five steps in order. `files` are the names of those beside the pack."""
    if not found.finished:
        return tuple(StepState(step, 0, asked=False) for step in STEPS)
    counts = dict.fromkeys(STEPS, 0)
    for one in found.failures:
        counts[step_of(one, files)] += 1
    broken = counts["whole"] > 0
    return tuple(
        StepState(
            step,
            counts[step],
            asked=(step == "whole" or not broken) and (step != "files" or bool(files)),
        )
        for step in STEPS
    )


def step_of(one: PackFinding, files: Sequence[str]) -> Step:
    """Which of the steps this finding belongs to."""
    if any(one.place.startswith(name) for name in files):
        return "files"
    if one.check in _WHOLE:
        return "whole"
    if one.check in _DERIVED:
        return "derived"
    return "texts" if one.place.startswith((REPORT, TABLES, "paper")) else "sourced"
