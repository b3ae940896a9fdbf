"""What a runtime is: something that answers, and answers anew when told what was wrong."""

from collections.abc import Sequence
from typing import Protocol

from pydantic import JsonValue

from services.agents import prompts
from services.agents.choice import Dropped
from services.agents.conversation import Conversation, RuntimeFailedError
from services.core.text import Text

# How often the same may be asked for in a row before the runtime is given up.
MOST_REPEATS = 3
_TOLD_REASONS = 12


class AnalysisWriter(Protocol):
    """One analysis being chosen."""

    def answer(self, dropped: Sequence[Dropped] = (), unreadable: str = "") -> JsonValue:
        """The JSON of the final answer; a new one after what fell of the last, or why it could not
        be read.

        Raises: UnreadableDraftError, RuntimeFailedError, ProviderError, CancelledError.
        """
        ...


def told_again(talk: Conversation, dropped: Sequence[Dropped], unreadable: str) -> None:
    """Say what was wrong with the last answer, each reason by itself and once."""
    language = talk.work.asked.language
    if unreadable:
        talk.say(prompts.UNREADABLE.in_language(language).replace("{reason}", unreadable))
        return
    counted = dict.fromkeys(f"- {one.item}: {one.detail.in_language(language)}" for one in dropped)
    reasons = list(counted)
    if (more := len(reasons) - _TOLD_REASONS) > 0:
        reasons[_TOLD_REASONS:] = [f"- … ({more} more)"]
    told = prompts.REJECTED.in_language(language)
    talk.say(told.replace("{reasons}", "\n".join(reasons)))


def refuse_circles(talk: Conversation) -> None:
    """Raises: RuntimeFailedError when the model goes round in circles."""
    if talk.work.toolkit.idle_rounds >= MOST_REPEATS:
        raise RuntimeFailedError(
            Text("模型反复要求同样的查询", "the model kept asking for the same thing")
        )


def out_of_rounds() -> RuntimeFailedError:
    """The model would not stop asking for tools."""
    return RuntimeFailedError(
        Text("工具轮次用完后模型仍不给出结论", "the model gave no answer after its rounds of tools")
    )
