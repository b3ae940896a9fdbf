"""What is said to a language model and what comes back; how it is asked is up to an adapter."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from pydantic import Field, JsonValue

from services.core.model_calls import ModelCall
from services.core.record import Record

Role = Literal["system", "user", "assistant", "tool"]
FinishReason = Literal["stop", "tool_calls"]


class ToolRequest(Record):
    """A tool the model wants called. `arguments` is its JSON as written: it may be no JSON."""

    id: str
    name: str
    arguments: str


class ToolSpec(Record):
    """A tool offered to the model; `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, JsonValue]


class Message(Record):
    """One message. `tool_call_id` is set on a tool's answer, `tool_calls` on the model's request.

    `reasoning` is what the model thought before: kept beside its own message, since some endpoints
    want it back with the answers of the tools.
    """

    role: Role
    content: str = ""
    tool_calls: tuple[ToolRequest, ...] = ()
    tool_call_id: str | None = None
    reasoning: str | None = None


class Usage(Record):
    """How many tokens a call took; null what the endpoint did not say."""

    prompt_tokens: int | None = Field(default=None, ge=0)
    completion_tokens: int | None = Field(default=None, ge=0)


class Reply(Record):
    """A whole answer: a text, or tools to be called. Anything less is an error instead."""

    text: str
    tool_calls: tuple[ToolRequest, ...] = ()
    finish_reason: FinishReason
    reasoning: str | None = None
    usage: Usage = Usage()
    call: ModelCall

    @property
    def message(self) -> Message:
        """The same as the next message of the conversation."""
        return Message(
            role="assistant",
            content=self.text,
            tool_calls=self.tool_calls,
            reasoning=self.reasoning,
        )


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """The shape an answer must have. `name` is of letters, digits, `_` and `-`."""

    name: str
    schema: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """How the answer should be. None leaves it to the endpoint.

    `json` asks for one JSON object, or for one of that schema; where the endpoint cannot promise
    that, it is asked for in words, so the answer is to be checked in any case. `extra` joins the
    body as it is (DashScope's `enable_search`; never sent unless it is asked for here).
    """

    json: Literal["object"] | JsonSchema | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    extra: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])


class ChatModel(Protocol):
    """A model that can be talked to. Safe to share between threads."""

    @property
    def name(self) -> str:
        """The name of the model, as it is configured."""
        ...

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        wanted: AnswerForm = AnswerForm(),
        purpose: str = "",
        deadline_s: float,
        on_delta: Callable[[str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Reply:
        """The answer, within `deadline_s` in all, tries and pauses included.

        `purpose` is a word for the trace (`parse`, `draft`). `on_delta` is given the text as it is
        written. `cancelled` is asked all along; the call then ends within a moment.

        Raises: UnavailableError, RateLimitError, DeniedError, ChangedError; UnfinishedError when
        the answer is not whole; each with its `model_call`. CancelledError.
        """
        ...
