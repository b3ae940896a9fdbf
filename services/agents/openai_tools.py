"""Runtime `openai_tools`: the model calls tools through the interface's own tool calls."""

from collections.abc import Sequence

from pydantic import JsonValue

from services.agents import prompts
from services.agents.choice import Dropped
from services.agents.conversation import Assignment, Conversation, opening
from services.agents.drafting import read_object
from services.agents.model import AnswerForm, ChatModel, Message, Reply
from services.agents.model_failures import RequestRefusedError
from services.agents.runtime import out_of_rounds, refuse_circles, told_again
from services.agents.toolkit import WantedCall

_WITH_TOOLS = AnswerForm(temperature=0.2)


class OpenAIToolRuntime:
    """Chooses for one analysis in one conversation."""

    def __init__(self, model: ChatModel, work: Assignment) -> None:
        """`model` should be able to call tools; with no rounds of them it need not."""
        self._work = work
        self._talk = Conversation(model, work, opening(work, ""))
        self._rounds = 0

    def answer(self, dropped: Sequence[Dropped] = (), unreadable: str = "") -> JsonValue:
        """See Writer. What was wrong is mended without tools, in the shape that is wanted."""
        if mending := bool(dropped or unreadable):
            told_again(self._talk, dropped, unreadable)
        while True:
            last = mending or self._rounds >= self._work.max_rounds
            reply = self._last() if last else self._next()
            if not reply.tool_calls:
                return read_object(reply.text)
            if last:
                raise out_of_rounds()
            self._rounds += 1
            self._use(reply)
            refuse_circles(self._talk)

    def _next(self) -> Reply:
        """Tools are offered; an endpoint that refuses them is asked for its choice alone."""
        specs = self._work.toolkit.specs
        try:
            return self._talk.reply(self._rounds + 1, tools=specs, wanted=_WITH_TOOLS)
        except RequestRefusedError:
            if self._rounds:
                raise
            self._rounds = self._work.max_rounds
            return self._talk.reply(1, wanted=self._work.final)

    def _last(self) -> Reply:
        """The final answer is all that is wanted."""
        if 0 < self._work.max_rounds <= self._rounds:
            self._talk.say(prompts.LAST_ROUND.in_language(self._work.asked.language))
        return self._talk.reply(self._rounds + 1, wanted=self._work.final)

    def _use(self, reply: Reply) -> None:
        asked = [WantedCall(one.name, one.arguments) for one in reply.tool_calls]
        told = self._work.toolkit.call_all(asked, "model")
        self._talk.messages += [
            Message(role="tool", tool_call_id=one.id, content=answer.text)
            for one, answer in zip(reply.tool_calls, told, strict=True)
        ]
        if more := self._work.more():
            self._talk.say(more)
