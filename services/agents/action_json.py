"""Runtime `action_json`: the same work for models without tool calls, by protocol action_json_v1.

The model answers with one JSON object at a time: a tool to call, or the final answer. An object of
sections alone is a final answer, too: small models leave out what is around it.
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field, JsonValue, ValidationError

from services.agents import prompts
from services.agents.choice import Dropped
from services.agents.conversation import Assignment, Conversation, opening
from services.agents.drafting import UnreadableDraftError, read_object
from services.agents.model import AnswerForm, ChatModel, ToolSpec
from services.agents.runtime import out_of_rounds, refuse_circles, told_again
from services.agents.toolkit import WantedCall
from services.core.record import Record

PROTOCOL = "action_json_v1"
_WANTED = AnswerForm(temperature=0.2, json="object")


class Action(Record):
    """One answer of the model: `tool` and `arguments`, or `final`."""

    protocol: Literal["action_json_v1"]
    action: Literal["call_tool", "final"]
    tool: str = ""
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    final: JsonValue = None


class ActionJSONRuntime:
    """Chooses for one analysis in one conversation."""

    def __init__(self, model: ChatModel, work: Assignment) -> None:
        """`model` needs no more than to write JSON."""
        self._work = work
        rules = _rules(work) if work.max_rounds else ""
        self._talk = Conversation(model, work, opening(work, rules))
        self._rounds = 0

    def answer(self, dropped: Sequence[Dropped] = (), unreadable: str = "") -> JsonValue:
        """See Writer."""
        talk, language = self._talk, self._work.asked.language
        if mending := bool(dropped or unreadable):
            told_again(talk, dropped, unreadable)
        while True:
            last = mending or self._rounds >= self._work.max_rounds
            if last and 0 < self._work.max_rounds <= self._rounds:
                talk.say(prompts.LAST_ROUND.in_language(language))
            wanted = self._work.final if last else _WANTED
            action = read_action(talk.reply(self._rounds + 1, wanted=wanted).text)
            if action.action == "final":
                return action.final
            if last:
                raise out_of_rounds()
            self._rounds += 1
            told = self._work.toolkit.call(WantedCall(action.tool, action.arguments), "model")
            answer = prompts.TOOL_ANSWER.in_language(language)
            talk.say(
                "\n\n".join(
                    part
                    for part in (
                        answer.replace("{tool}", told.name[:60]).replace("{text}", told.text),
                        self._work.more(),
                    )
                    if part
                )
            )
            refuse_circles(talk)


def read_action(text: str) -> Action:
    """What the model wants. Raises: UnreadableDraftError."""
    given = read_object(text)
    try:
        if isinstance(given, dict) and not given.keys() & {"protocol", "action"}:
            return Action(protocol=PROTOCOL, action="final", final=given)
        return Action.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise UnreadableDraftError(f"{where}：{first['msg']}") from None


def _rules(work: Assignment) -> str:
    told = [_brief(spec) for spec in work.toolkit.specs]
    return prompts.ACTION_JSON.in_language(work.asked.language) + "\n".join(told)


def _brief(spec: ToolSpec) -> str:
    """A tool in one line: its name, what it is for, its arguments; the schema would be too long."""
    properties = spec.parameters.get("properties")
    names = ", ".join(properties) if isinstance(properties, dict) else ""
    return f"{spec.name}({names}) {spec.description.splitlines()[0][:60]}"
