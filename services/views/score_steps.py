"""What a score has told so far, as lines: the three analyses, then draft and review by round."""

from collections.abc import Sequence

from services.core.text import Text
from services.jobs.steps import Step
from services.views.job_progress import Lines, StepLine


def score_lines(steps: Sequence[Step], *, running: bool) -> tuple[StepLine, ...]:
    """The lines in the order things began; an agent is done once the next one speaks."""
    told = Lines()
    talking: list[str] = []
    for step in steps:
        _take(told, step, talking)
    return told.told(running=running)


def _take(told: Lines, step: Step, talking: list[str]) -> None:
    about = step.title
    key = f"{step.tool}:{step.round}"
    match step.kind:
        case "tool_started":
            told.begin(f"tool:{step.tool}", about)
        case "tool_ended":
            told.change(f"tool:{step.tool}", step, about, ended=True)
        case "model_started":
            _settle(told, talking)
            talking.append(key)
            told.begin(key, _round(about, step.round))
        case "model_progress" | "model_ended":
            told.change(key, step, _round(about, step.round), ended=step.kind == "model_ended")
        case "reviewed":
            _settle(told, talking)
            told.tell(step, _round(about, step.round))
        case "checked" | "fell_back" | "composed":
            _settle(told, talking)
            told.tell(step)
        case "begun" | "ended":
            pass


def _settle(told: Lines, talking: list[str]) -> None:
    told.settle(talking)
    talking.clear()


def _round(about: Text, number: int | None) -> Text:
    if number is None:
        return about
    return Text(f"第 {number} 轮 · {about.zh}", f"Round {number} · {about.en}")
