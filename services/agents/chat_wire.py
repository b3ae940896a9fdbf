"""The chat-completions protocol: what is sent, and the pieces that come back put together.

Endpoints that call themselves compatible differ in what they take: a `Dialect` says how one is
spoken to. What comes is read leniently where nothing depends on it, and strictly where it does.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from services.agents.model import AnswerForm, JsonSchema, Message, ToolRequest, ToolSpec, Usage

LONGEST_TEXT = 200_000
LONGEST_ARGUMENTS = 50_000
MOST_TOOLS = 32
JsonLevel = Literal["schema", "object", "plain"]
TokenWord = Literal["max_tokens", "max_completion_tokens"]
_LOWER: Mapping[JsonLevel, JsonLevel] = {"schema": "object", "object": "plain"}
_IN_WORDS = "Answer with one JSON object and nothing else."
_OF_SCHEMA = "Answer with one JSON object and nothing else. It must follow this JSON schema:\n"
# What may be left out of a request without changing what is asked.
_OPTIONAL = ("stream_options", "temperature", "seed", "reasoning_content")


class TooLongError(Exception):
    """The model writes on beyond every bound."""


class MalformedError(Exception):
    """What came is no chat completion."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How an endpoint is spoken to. `dropped` are options it does not take; `other_word` says that
    the usual word for the limit was refused and `tokens` is the other one.
    """

    json: JsonLevel = "schema"
    tokens: TokenWord = "max_tokens"
    other_word: bool = False
    dropped: frozenset[str] = frozenset()

    def without(self, parameter: str, body: Mapping[str, JsonValue]) -> "Dialect | None":
        """Another way to say the same without that parameter; None when there is none."""
        name = parameter.replace("[", ".").split(".")[0]
        if name == "response_format" and name in body and self.json != "plain":
            return replace(self, json=_LOWER[self.json_in(body)])
        if name == self.tokens and name in body and not self.other_word:
            other: TokenWord = (
                "max_tokens" if name == "max_completion_tokens" else "max_completion_tokens"
            )
            return replace(self, tokens=other, other_word=True)
        if name in _OPTIONAL and name not in self.dropped:
            return replace(self, dropped=self.dropped | {name})
        return None

    def json_in(self, body: Mapping[str, JsonValue]) -> JsonLevel:
        """How that body asks for JSON."""
        said = body.get("response_format")
        if not isinstance(said, dict):
            return "plain"
        return "schema" if said.get("type") == "json_schema" else "object"

    def simpler(self, body: Mapping[str, JsonValue], proved: frozenset[str]) -> "Dialect | None":
        """A way to say it with one thing less that the endpoint may not know.

        For an endpoint that refuses a request and names no parameter. `proved` are features it has
        taken before.
        """
        suspects = [name for name in features(body) if name not in proved]
        for name in suspects:
            found = self.without(name.partition(":")[0], body)
            if found is not None:
                return found
        return None


def features(body: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """What of a body an endpoint may not know, the likeliest first."""
    said = body.get("response_format")
    found = [f"response_format:{said.get('type')}"] if isinstance(said, dict) else []
    words = ("stream_options", "max_tokens", "max_completion_tokens", "temperature", "seed")
    found += [name for name in words if name in body]
    messages = body.get("messages")
    listed = messages if isinstance(messages, list) else []
    if any(isinstance(one, dict) and "reasoning_content" in one for one in listed):
        found.append("reasoning_content")
    return tuple(found)


def body_of(
    model: str,
    messages: Sequence[Message],
    tools: Sequence[ToolSpec],
    wanted: AnswerForm,
    dialect: Dialect,
) -> dict[str, JsonValue]:
    """The body of the request, in that dialect, always as a stream."""
    echo = "reasoning_content" not in dialect.dropped
    body: dict[str, JsonValue] = {
        "model": model,
        "messages": [_message(one, echo=echo) for one in messages],
        "stream": True,
    }
    if tools:
        body["tools"] = [_tool(one) for one in tools]
    body |= _json_wanted(wanted, dialect, body)
    options: dict[str, JsonValue] = {
        "stream_options": {"include_usage": True},
        "temperature": wanted.temperature,
        "seed": wanted.seed,
    }
    body |= {
        name: value
        for name, value in options.items()
        if value is not None and name not in dialect.dropped
    }
    if wanted.max_tokens is not None:
        body[dialect.tokens] = wanted.max_tokens
    return {**body, **wanted.extra}


def _json_wanted(
    wanted: AnswerForm, dialect: Dialect, body: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """JSON asked for by option, and in words too where the option does not say its shape."""
    if wanted.json is None:
        return {}
    schema = wanted.json if isinstance(wanted.json, JsonSchema) else None
    if schema is not None and dialect.json == "schema":
        shape: dict[str, JsonValue] = {
            "name": schema.name,
            "strict": True,
            "schema": dict(schema.schema),
        }
        return {"response_format": {"type": "json_schema", "json_schema": shape}}
    words = _IN_WORDS
    if schema is not None:
        words = _OF_SCHEMA + json.dumps(schema.schema, ensure_ascii=False)
    messages = body["messages"]
    listed = messages if isinstance(messages, list) else []
    found: dict[str, JsonValue] = {"messages": [{"role": "system", "content": words}, *listed]}
    if dialect.json != "plain":
        found["response_format"] = {"type": "json_object"}
    return found


def _message(message: Message, *, echo: bool) -> dict[str, JsonValue]:
    said: dict[str, JsonValue] = {"role": message.role, "content": message.content}
    if message.tool_call_id is not None:
        said["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        said["tool_calls"] = [
            {
                "id": one.id,
                "type": "function",
                "function": {"name": one.name, "arguments": one.arguments},
            }
            for one in message.tool_calls
        ]
        # DeepSeek wants its thoughts back with the tools it called, and refuses them elsewhere.
        if echo and message.reasoning is not None:
            said["reasoning_content"] = message.reasoning
    return said


def _tool(tool: ToolSpec) -> dict[str, JsonValue]:
    function: dict[str, JsonValue] = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return {"type": "function", "function": function}


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Function(_Loose):
    name: str | None = None
    arguments: str | None = None


class _ToolPiece(_Loose):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None


class _Said(_Loose):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: tuple[_ToolPiece, ...] | None = None


class _Choice(_Loose):
    delta: _Said | None = None
    message: _Said | None = None
    finish_reason: str | None = None


class _Counted(_Loose):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class AnswerPiece(_Loose):
    """One chunk of a stream, or a whole answer of an endpoint that does not stream."""

    choices: tuple[_Choice, ...] | None = None
    usage: _Counted | None = None


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list[str])
    length: int = 0


@dataclass(slots=True)
class Assembly:
    """An answer as far as it has come."""

    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    began: bool = False
    _text: list[str] = field(default_factory=list[str])
    _reasoning: list[str] = field(default_factory=list[str])
    _calls: dict[int, _Call] = field(default_factory=dict[int, _Call])
    _size: int = 0

    @property
    def text(self) -> str:
        """What was written."""
        return "".join(self._text)

    @property
    def reasoning(self) -> str | None:
        """What was thought; None when the endpoint does not show it."""
        return "".join(self._reasoning) if self._reasoning else None

    @property
    def tool_calls(self) -> tuple[ToolRequest, ...]:
        """The tools to be called, in order. Raises: MalformedError for one without a name."""
        if any(not one.name for one in self._calls.values()):
            raise MalformedError("a tool call without a name")
        return tuple(
            ToolRequest(id=one.id or f"call_{at}", name=one.name, arguments="".join(one.arguments))
            for at, one in sorted(self._calls.items())
        )

    def add(self, piece: AnswerPiece) -> str:
        """Take one more piece; the text it adds. Raises: TooLongError, MalformedError."""
        if piece.usage is not None:
            counted = piece.usage
            self.usage = Usage(
                prompt_tokens=_count(counted.prompt_tokens),
                completion_tokens=_count(counted.completion_tokens),
            )
        written = ""
        for choice in (piece.choices or ())[:1]:
            said = choice.delta or choice.message
            written = self._take_text(said) if said else ""
            self.finish_reason = choice.finish_reason or self.finish_reason
        return written

    def _take_text(self, said: _Said) -> str:
        text, thought = said.content or "", said.reasoning_content or said.reasoning or ""
        self._size += len(text) + len(thought)
        if self._size > LONGEST_TEXT:
            raise TooLongError
        if text:
            self._text.append(text)
        if thought:
            self._reasoning.append(thought)
        for piece in said.tool_calls or ():
            self._take_call(piece)
        self.began = self.began or bool(text or thought or said.tool_calls)
        return text

    def _take_call(self, piece: _ToolPiece) -> None:
        at = piece.index
        if at is None:  # some endpoints number nothing: a new id is a new call
            last = max(self._calls, default=-1)
            known = self._calls[last].id if self._calls else None
            at = last if self._calls and piece.id in {None, "", known} else last + 1
        if at not in range(MOST_TOOLS):
            raise TooLongError
        call = self._calls.setdefault(at, _Call())
        call.id = call.id or piece.id or ""
        if piece.function is None:
            return
        call.name = call.name or piece.function.name or ""
        written = piece.function.arguments or ""
        call.arguments.append(written)
        call.length += len(written)
        if call.length > LONGEST_ARGUMENTS:
            raise TooLongError


def unfenced(text: str) -> str:
    """A JSON answer without the Markdown fence some models put around it."""
    bare = text.strip()
    if bare.startswith("```") and bare.endswith("```") and "\n" in bare:
        return bare[bare.index("\n") + 1 : -3].strip()
    return text


def _count(said: int | None) -> int | None:
    return said if said is not None and said >= 0 else None
