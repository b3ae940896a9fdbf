"""What a running analysis has told so far, as lines: each thing once, with how it stands now."""

from collections.abc import Sequence

from services.core.text import Text
from services.jobs.steps import Step
from services.views.job_progress import Lines, StepLine

_MODEL = Text("模型第 {round} 轮", "Model, round {round}")


def step_lines(steps: Sequence[Step], *, running: bool) -> tuple[StepLine, ...]:
    """The lines in the order things began; what was under way when it ended was stopped."""
    told = Lines()
    for step in steps:
        _take(told, step)
    return told.told(running=running)


def _take(told: Lines, step: Step) -> None:
    about = step.title
    round_ = _MODEL.format(round=step.round or 1)
    match step.kind:
        case "tool_started":
            told.begin(f"tool:{step.tool}", about)
        case "tool_ended":
            name = Text(step.tool or "", step.tool or "")
            told.change(f"tool:{step.tool}", step, name, ended=True)
        case "model_started":
            told.begin(f"model:{step.round}", round_)
        case "model_progress":
            told.change(f"model:{step.round}", step, round_, ended=False)
        case "model_ended":
            told.change(f"model:{step.round}", step, round_, ended=True)
        case "begun" | "ended":
            pass
        case "checked" | "fell_back" | "composed" | "reviewed":
            told.tell(step)
