"""What happens in long work, told while it happens; and the wish to stop it."""

from typing import Literal, Protocol

from services.core.record import Record
from services.core.text import Text

StepKind = Literal[
    "begun",
    "tool_started",
    "tool_ended",
    "model_started",
    "model_progress",
    "model_ended",
    "checked",
    "fell_back",
    "composed",
    "reviewed",
    "ended",
]


class Step(Record):
    """One thing that happened. `title` is fit for a reader; never a secret.

    `tool` and `round` say of which tool or round it is. `seconds` is how long it took, `tokens`
    how many the model has written so far, both null where that has no meaning. `error` is the
    class of what went wrong; `detail` the lines a reader may unfold.
    """

    kind: StepKind
    title: Text
    tool: str | None = None
    round: int | None = None
    seconds: float | None = None
    tokens: int | None = None
    error: str | None = None
    detail: tuple[Text, ...] = ()


class StepWatcher(Protocol):
    """Whoever follows the work."""

    def step(self, step: Step) -> None:
        """Take note of what happened. Never raises."""
        ...

    def cancelled(self) -> bool:
        """Whether the reader wants it stopped; asked often, answered at once."""
        ...


class Unwatched:
    """Nobody follows: the command line and tests."""

    def step(self, step: Step) -> None:
        """Nothing is kept."""

    def cancelled(self) -> bool:
        """Never."""
        return False
