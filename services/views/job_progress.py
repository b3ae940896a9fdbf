"""Long work as its page shows it: how it stands, and its steps as lines, each thing once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from services.core.text import Text
from services.jobs.runner import JobState
from services.jobs.steps import Step

Status = Literal["running", "ok", "failed", "refused", "cancelled", "interrupted"]


class StepLine(NamedTuple):
    """One thing the work does or did: how it stands, how long it took, tokens written so far."""

    state: Literal["running", "done", "failed", "stopped"]
    words: Text
    seconds: float | None = None
    tokens: int | None = None
    detail: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JobCourse:
    """Work at whatever stage. `seconds` is how long it has been running, or ran. `problem` says
    why it failed, `stopping` that it was asked to stop and has not yet.
    """

    job_id: str
    status: Status
    started_at: datetime
    seconds: float | None
    steps: tuple[StepLine, ...]
    tokens: int | None
    problem: Text | None
    stopping: bool

    @property
    def running(self) -> bool:
        """Whether more may come."""
        return self.status == "running"


def course_of(state: JobState, lines: Sequence[StepLine]) -> JobCourse:
    """A job with these lines for its steps."""
    return JobCourse(
        job_id=state.job.job_id,
        status=state.status,
        started_at=state.job.started_at,
        seconds=state.seconds,
        steps=tuple(lines),
        tokens=tokens_of(state.steps),
        problem=state.problem if state.problem else None,
        stopping=state.stopping,
    )


class Lines:
    """The lines while they are being made; a started thing waits for its end."""

    def __init__(self) -> None:
        """No lines yet."""
        self.lines: list[StepLine] = []
        self._open: dict[str, list[int]] = {}

    def begin(self, key: str, words: Text) -> None:
        """A thing that goes on for a while."""
        self._open.setdefault(key, []).append(len(self.lines))
        self.lines.append(StepLine("running", words))

    def change(self, key: str, step: Step, words: Text, *, ended: bool) -> None:
        """How far the oldest open thing of that key is; one that nobody began is told at once."""
        places = self._open.get(key, [])
        if not places:
            self.begin(key, words)
            places = self._open[key]
        place = places.pop(0) if ended else places[0]
        state = "running" if not ended else "failed" if step.error else "done"
        why = (step.title,) if ended and step.error else ()
        self.lines[place] = StepLine(state, self.lines[place].words, step.seconds, step.tokens, why)

    def settle(self, keys: Iterable[str]) -> None:
        """What is open under these keys is done: what follows it has begun."""
        for key in keys:
            for place in self._open.pop(key, []):
                self.lines[place] = self.lines[place]._replace(state="done")

    def tell(self, step: Step, words: Text | None = None) -> None:
        """A thing that is over as it is told."""
        detail = tuple(one for one in step.detail)
        state = "failed" if step.error else "done"
        said = words or step.title
        self.lines.append(StepLine(state, said, step.seconds, None, detail))

    def told(self, *, running: bool) -> tuple[StepLine, ...]:
        """The lines in the order things began; what was under way when it ended was stopped."""
        if running:
            return tuple(self.lines)
        return tuple(
            one._replace(state="stopped") if one.state == "running" else one for one in self.lines
        )


def tokens_of(steps: Sequence[Step]) -> int | None:
    """How many tokens the model has written so far; None when there is no model."""
    return next((step.tokens for step in reversed(steps) if step.tokens is not None), None)
