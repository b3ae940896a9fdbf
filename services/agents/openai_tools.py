"""Runtime `openai_tools`: the model calls tools through the interface's own tool calls."""

from collections.abc import Sequence

from services.agents import prompts
from services.agents.conversation import Assignment, Conversation, opening
from services.agents.drafting import FINAL_SCHEMA, UnreadableDraftError, read_draft
from services.agents.model import ChatModel, Message, Reply, Wanted
from services.agents.results import Refusal, RuntimeDraft
from services.agents.runtime import Mishaps, rejection
from services.agents.toolkit import Asked

NAME = "openai_tools"
_WITH_TOOLS = Wanted(temperature=0.2)
_FINAL = Wanted(temperature=0.2, json=FINAL_SCHEMA)


class OpenAIToolRuntime:
    """Writes one analysis in one conversation."""

    def __init__(self, model: ChatModel, work: Assignment) -> None:
        """`model` must be able to call tools."""
        self._model = model
        self._work = work
        self._talk = Conversation(model, work, opening(work, prompts.FINAL))
        self._rounds = 0

    def write(self, refusals: Sequence[Refusal] = ()) -> RuntimeDraft:
        """The draft. Raises: RuntimeFailedError, ProviderError, CancelledError."""
        talk, mishaps = self._talk, Mishaps(self._talk)
        if refusals:
            talk.say(rejection(refusals))
        while True:
            reply = self._next()
            if reply.tool_calls:
                if self._rounds >= self._work.max_rounds:
                    raise mishaps.out_of_rounds()
                self._rounds += 1
                self._use(reply)
                mishaps.repeated()
                continue
            try:
                return read_draft(reply.text, NAME, self._model.name)
            except UnreadableDraftError as error:
                mishaps.unreadable(error)

    def _next(self) -> Reply:
        """Tools are offered while rounds are left; then the final answer is all that is wanted."""
        if self._rounds < self._work.max_rounds:
            specs = self._work.toolkit.specs
            return self._talk.reply(self._rounds + 1, tools=specs, wanted=_WITH_TOOLS)
        self._talk.say(prompts.LAST_ROUND)
        return self._talk.reply(self._rounds + 1, wanted=_FINAL)

    def _use(self, reply: Reply) -> None:
        asked = [Asked(one.name, one.arguments) for one in reply.tool_calls]
        told = self._work.toolkit.call_all(asked, "model")
        self._talk.messages += [
            Message(role="tool", tool_call_id=one.id, content=answer.text)
            for one, answer in zip(reply.tool_calls, told, strict=True)
        ]
