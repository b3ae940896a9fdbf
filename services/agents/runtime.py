"""What a runtime is: something that writes a draft, and writes it anew when it was refused."""

from collections.abc import Sequence
from typing import Protocol

from services.agents import prompts
from services.agents.conversation import Conversation, RuntimeFailedError
from services.agents.drafting import UnreadableDraftError
from services.agents.results import Refusal, RuntimeDraft
from services.core.text import Text
from services.jobs.steps import Step

# How often one thing may go wrong in a row before the runtime is given up.
MOST_UNREADABLE = 2
MOST_REPEATS = 3
_TOLD_REASONS = 12


class Writer(Protocol):
    """One analysis being written."""

    def write(self, refusals: Sequence[Refusal] = ()) -> RuntimeDraft:
        """The draft; a new one after `refusals`.

        Raises: RuntimeFailedError, ProviderError, CancelledError.
        """
        ...


def rejection(refusals: Sequence[Refusal]) -> str:
    """Why the last draft was refused, as it is told to the model: each place by itself."""
    reasons = [f"- {one.quoted or f'{one.check}: {one.reason}'}" for one in refusals]
    if (more := len(reasons) - _TOLD_REASONS) > 0:
        reasons[_TOLD_REASONS:] = [f"- … ({more} more)"]
    return prompts.REJECTED.replace("{reasons}", "\n".join(reasons))


class Mishaps:
    """Counts what goes wrong in one writing, and says when it is enough."""

    def __init__(self, talk: Conversation) -> None:
        """`talk` is where the model is told about it."""
        self._talk = talk
        self._unreadable = 0

    def unreadable(self, error: UnreadableDraftError) -> None:
        """Tell the model what was wrong. Raises: RuntimeFailedError when it was told before."""
        self._unreadable += 1
        self._talk.work.watch.step(
            Step(
                kind="checked",
                title=Text("回答的格式无法使用", "the answer could not be read"),
                error="UnreadableDraftError",
            )
        )
        if self._unreadable >= MOST_UNREADABLE:
            raise RuntimeFailedError(
                Text(
                    "模型的回答两次都不合格式",
                    "the model's answer twice had not the shape asked for",
                )
            ) from error
        self._talk.say(prompts.UNREADABLE.format(reason=error.reason))

    def repeated(self) -> None:
        """Raises: RuntimeFailedError when the model goes round in circles."""
        if self._talk.work.toolkit.idle_rounds >= MOST_REPEATS:
            raise RuntimeFailedError(
                Text("模型反复要求同样的查询", "the model kept asking for the same thing")
            )

    def out_of_rounds(self) -> RuntimeFailedError:
        """The model would not stop asking for tools."""
        return RuntimeFailedError(
            Text(
                "工具轮次用完后模型仍不给出结论",
                "the model gave no answer after its rounds of tools",
            )
        )
