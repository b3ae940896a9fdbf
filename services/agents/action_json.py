"""Runtime `action_json`: the same work for models without tool calls, by protocol action_json_v1.

The model answers with one JSON object at a time: a tool to call, or the final answer.
"""

import json
from collections.abc import Sequence
from typing import Literal

from pydantic import Field, JsonValue, ValidationError

from services.agents import prompts
from services.agents.conversation import Assignment, Conversation, opening
from services.agents.drafting import UnreadableDraftError, draft_of, unfenced
from services.agents.model import ChatModel, Wanted
from services.agents.results import Refusal, RuntimeDraft
from services.agents.runtime import Mishaps, rejection
from services.agents.toolkit import Asked
from services.core.record import Record

NAME = "action_json"
PROTOCOL = "action_json_v1"
_WANTED = Wanted(temperature=0.2, json="object")


class Action(Record):
    """One answer of the model: `tool` and `arguments`, or `final`."""

    protocol: Literal["action_json_v1"]
    action: Literal["call_tool", "final"]
    tool: str = ""
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    final: JsonValue = None


class ActionJSONRuntime:
    """Writes one analysis in one conversation."""

    def __init__(self, model: ChatModel, work: Assignment) -> None:
        """`model` needs no more than to write JSON."""
        self._model = model
        self._work = work
        self._talk = Conversation(model, work, opening(work, _rules(work)))
        self._rounds = 0

    def write(self, refusals: Sequence[Refusal] = ()) -> RuntimeDraft:
        """The draft. Raises: RuntimeFailedError, ProviderError, CancelledError."""
        talk, mishaps = self._talk, Mishaps(self._talk)
        if refusals:
            talk.say(rejection(refusals))
        while True:
            last = self._rounds >= self._work.max_rounds
            if last:
                talk.say(prompts.LAST_ROUND)
            reply = talk.reply(self._rounds + 1, wanted=_WANTED)
            try:
                action = read_action(reply.text)
                if action.action == "final":
                    return draft_of(action.final, NAME, self._model.name)
            except UnreadableDraftError as error:
                mishaps.unreadable(error)
                continue
            if last:
                raise mishaps.out_of_rounds()
            self._rounds += 1
            told = self._work.toolkit.call(Asked(action.tool, action.arguments), "model")
            talk.say(prompts.TOOL_ANSWER.format(tool=told.name[:60], text=told.text))
            mishaps.repeated()


def read_action(text: str) -> Action:
    """What the model wants. Raises: UnreadableDraftError."""
    try:
        return Action.model_validate(json.loads(unfenced(text)))
    except (ValueError, RecursionError) as error:
        why = "必须是一个 action_json_v1 的 JSON 对象，前后不能有别的文字"
        if isinstance(error, ValidationError):
            first = error.errors()[0]
            why = f"{'.'.join(str(step) for step in first['loc'])}：{first['msg']}"
        raise UnreadableDraftError(why) from None


def _rules(work: Assignment) -> str:
    tools = "\n".join(
        json.dumps(
            {"name": spec.name, "description": spec.description, "parameters": spec.parameters},
            ensure_ascii=False,
        )
        for spec in work.toolkit.specs
    )
    return f"{prompts.ACTION_JSON}{tools}\n\n{prompts.FINAL}"
