"""The one network adapter of ChatModel: any endpoint that speaks OpenAI's chat completions.

Answers are always streamed, so that they can be followed and stopped. What an endpoint does not
take is learnt from its refusal, once, and asked differently from then on.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, cast

import httpx2
from pydantic import JsonValue
from tenacity import RetryCallState, Retrying, retry_if_exception

from services.agents.chat_wire import (
    AnswerPiece,
    Assembly,
    Dialect,
    MalformedError,
    body_of,
    features,
    unfenced,
)
from services.agents.model import AnswerForm, FinishReason, Message, Reply, ToolSpec
from services.agents.model_failures import (
    RequestSubject,
    cut,
    failure,
    failures,
    pause_of,
    refused_parameter,
    unfinished,
)
from services.agents.prices import Prices
from services.core.clock import Clock
from services.core.errors import ProviderError, UnavailableError
from services.core.lazy import import_later
from services.core.model_calls import ModelCall
from services.core.sight import seen
from services.jobs.runner import CancelledError
from services.jobs.streams import StreamLine, make_listening_client
from services.providers.http import host_of
from services.providers.retry import LONGEST_PAUSE_S, is_worth_another_try, random_pause

if TYPE_CHECKING:
    import openai
    from openai.types import chat as chat_types
else:
    openai, chat_types = import_later("openai"), import_later("openai.types.chat")

_ATTEMPTS = 3
_CONNECT_S = 8.0
_PAUSE_S = 0.3
# Words for what is tried without a parameter at most: every optional one once, JSON twice.
_MOST_DIALECTS = 8
# Hosts that refuse the older spelling; any other is asked with `max_tokens` first.
_NEW_SPELLING = ("api.openai.com", "openai.azure.com")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is, and as whom it is asked; `key` may be empty, and is never shown."""

    base_url: str
    model: str
    key: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        """The host alone."""
        return host_of(self.base_url)

    def client(self) -> openai.OpenAI:
        """A client for it that tries once and takes no key from variables that are not ours."""
        # Its own key is never sent: the HTTP client sets ours, so that a key in OPENAI_… for one
        # company does not reach the endpoint of another.
        return openai.OpenAI(
            api_key="unused",
            base_url=self.base_url,
            max_retries=0,
            http_client=make_listening_client(self.key),
        )


@dataclass(slots=True)
class _Work:
    """One call under way."""

    asked: RequestSubject
    messages: Sequence[Message]
    tools: Sequence[ToolSpec]
    wanted: AnswerForm
    ends_at: float
    on_delta: Callable[[str], None] | None
    cancelled: Callable[[], bool] | None
    began: float
    started_at: datetime
    attempts: int = 0
    first_token_s: float | None = None
    pause_s: float | None = None
    answer: Assembly = field(default_factory=Assembly)


class OpenAICompatible:
    """A ChatModel behind an address. Safe to share between threads."""

    def __init__(self, endpoint: Endpoint, clock: Clock, prices: Prices) -> None:
        """`clock` stamps the records of calls, `prices` says what they cost."""
        self._endpoint = endpoint
        self._clock = clock
        self._prices = prices
        self._client = endpoint.client()
        new = endpoint.host.endswith(_NEW_SPELLING)
        self._dialect = Dialect(tokens="max_completion_tokens" if new else "max_tokens")
        self._proved: frozenset[str] = frozenset()
        self._learning = threading.Lock()

    def __repr__(self) -> str:
        return f"OpenAICompatible({self._endpoint!r})"

    @property
    def name(self) -> str:
        """The name of the model, as it is configured."""
        return self._endpoint.model

    @property
    def host(self) -> str:
        """The host of its endpoint, without path, user or query."""
        return self._endpoint.host

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        wanted: AnswerForm = AnswerForm(),  # noqa: B008 — frozen
        purpose: str = "",
        deadline_s: float,
        on_delta: Callable[[str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Reply:
        """See ChatModel. Tried again as long as nothing of the answer was handed on."""
        work = _Work(
            asked=RequestSubject(f"{self.host} {self.name}", purpose or "chat"),
            messages=messages,
            tools=tools,
            wanted=wanted,
            ends_at=time.monotonic() + deadline_s,
            on_delta=on_delta,
            cancelled=cancelled,
            began=time.monotonic(),
            started_at=self._clock.now(),
        )
        try:
            retrying = Retrying(
                retry=retry_if_exception(lambda error: _worth_another_try(error, work)),
                stop=lambda state: _stops(state, work),
                wait=lambda state: _pause(state, work),
                sleep=lambda seconds: _sleep(seconds, work),
                reraise=True,
            )
            with seen("model", self.name):
                return retrying(self._attempt, work)
        except InterruptedError:
            raise CancelledError(f"{work.asked.provider}: stopped on wish") from None
        except ProviderError as error:
            error.model_call = self._record(work, error)
            raise

    def _attempt(self, work: _Work) -> Reply:
        """One try; a refusal of an option is no failure, but asked again without it."""
        work.attempts += 1
        work.answer, work.pause_s = Assembly(), None
        dialect = self._dialect
        for _ in range(_MOST_DIALECTS):
            body = body_of(self.name, work.messages, work.tools, work.wanted, dialect)
            try:
                self._ask(body, work)
            except openai.APIStatusError as error:
                other = self._differently(error, dialect, body)
                if other is None:
                    raise self._translate_error(error, work) from None
                dialect = other
                continue
            except failures() as error:
                # What goes wrong after the end of the answer takes nothing from it.
                if work.answer.finish_reason is None:
                    raise self._translate_error(error, work) from None
            self._learnt(dialect, body)
            return self._reply(work)
        raise work.asked.changed("refuses every way of asking known here (HTTP 400)")

    def _ask(self, body: Mapping[str, JsonValue], work: _Work) -> None:
        """Send it and put the answer together in `work.answer`, as far as it comes."""
        left = max(0.05, work.ends_at - time.monotonic())
        timeout = httpx2.Timeout(left, connect=min(_CONNECT_S, left))

        def read() -> Generator[AnswerPiece]:
            # `create` names every parameter; a dialect decides here, so the body is sent as it is.
            stream = self._client.post(
                "/chat/completions",
                cast_to=chat_types.ChatCompletionChunk,
                body=dict(body),
                options={"timeout": timeout},
                stream=True,
                stream_cls=openai.Stream[chat_types.ChatCompletionChunk],
            )
            with stream:
                yield from _pieces(stream, work.asked)

        with closing(StreamLine(read).items(work.ends_at, work.cancelled)) as pieces:
            for piece in pieces:
                written = work.answer.add(piece)
                if work.first_token_s is None and work.answer.began:
                    work.first_token_s = round(time.monotonic() - work.began, 3)
                if written and work.on_delta is not None:
                    work.on_delta(written)

    def _differently(
        self, error: Exception, dialect: Dialect, body: Mapping[str, JsonValue]
    ) -> Dialect | None:
        named = refused_parameter(error)
        if named is None:
            return None
        return dialect.without(named, body) if named else dialect.simpler(body, self._proved)

    def _learnt(self, dialect: Dialect, body: Mapping[str, JsonValue]) -> None:
        """What was taken is known from now on; so is what was refused on the way there."""
        with self._learning:
            self._dialect = replace(dialect, dropped=self._dialect.dropped | dialect.dropped)
            self._proved |= frozenset(features(body))

    def _translate_error(self, error: Exception, work: _Work) -> ProviderError:
        found = failure(error, work.asked)
        work.pause_s = pause_of(error)
        if isinstance(found, UnavailableError) and work.answer.began and not _is_late(work):
            return cut(work.asked)
        return found

    def _reply(self, work: _Work) -> Reply:
        answer, reason = work.answer, work.answer.finish_reason
        if reason is None and not answer.began:
            raise work.asked.unavailable("closed the answer before it said anything")
        if reason not in {"stop", "tool_calls"}:
            raise cut(work.asked) if reason is None else unfinished(work.asked, reason)
        try:
            calls = answer.tool_calls
        except MalformedError as error:
            raise failure(error, work.asked) from None
        if reason == "tool_calls" and not calls:
            raise cut(work.asked)
        finish: FinishReason = "tool_calls" if calls else "stop"
        return Reply(
            text=answer.text if work.wanted.json is None else unfenced(answer.text),
            tool_calls=calls,
            finish_reason=finish,
            reasoning=answer.reasoning,
            usage=answer.usage,
            call=self._record(work, None, finish),
        )

    def _record(
        self, work: _Work, error: ProviderError | None, finish: str | None = None
    ) -> ModelCall:
        usage = work.answer.usage
        cost = self._prices.cost(self.name, usage.prompt_tokens, usage.completion_tokens)
        return ModelCall(
            model=self.name,
            endpoint=self.host,
            purpose=work.asked.purpose,
            prompt_sha256=_prompt_hash(work),
            started_at=work.started_at,
            seconds=round(time.monotonic() - work.began, 3),
            first_token_s=work.first_token_s,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            cost=cost.amount if cost else None,
            currency=cost.currency if cost else None,
            finish_reason=finish,
            error=type(error).__name__ if error else None,
            attempts=max(1, work.attempts),
        )


def _pieces(
    stream: openai.Stream[chat_types.ChatCompletionChunk], asked: RequestSubject
) -> Iterator[AnswerPiece]:
    """The chunks; an endpoint that does not stream sends one piece with everything in it."""
    kind = stream.response.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if kind == "application/json":
        yield AnswerPiece.model_validate_json(stream.response.read())
        return
    if kind == "text/html":
        raise asked.changed("answered a web page where an answer was expected")
    for chunk in stream:
        # What came is no chunk at all when the endpoint sent no object: the client lets it pass.
        came = cast("object", chunk)
        whole = isinstance(came, chat_types.ChatCompletionChunk)
        plain = chunk.to_dict(warnings=False) if whole else came
        yield AnswerPiece.model_validate(plain)


def _is_late(work: _Work) -> bool:
    return time.monotonic() >= work.ends_at


def _worth_another_try(error: BaseException, work: _Work) -> bool:
    """What may pass, unless a part of the answer is with the reader already."""
    if work.answer.began or _is_late(work):
        return False
    return is_worth_another_try(error)


def _stops(state: RetryCallState, work: _Work) -> bool:
    left = work.ends_at - time.monotonic()
    return state.attempt_number >= _ATTEMPTS or state.upcoming_sleep >= left


def _pause(state: RetryCallState, work: _Work) -> float:
    jitter = random_pause(state, _PAUSE_S)
    asked = work.pause_s
    return jitter if asked is None else min(asked, LONGEST_PAUSE_S) + min(jitter, 1.0)


def _sleep(seconds: float, work: _Work) -> None:
    """Wait, unless the wish to stop comes. Raises: InterruptedError."""
    ends_at, never = time.monotonic() + seconds, threading.Event()
    while (left := ends_at - time.monotonic()) > 0:
        if work.cancelled is not None and work.cancelled():
            raise InterruptedError
        never.wait(min(left, 0.05))


def _prompt_hash(work: _Work) -> str:
    wanted = work.wanted
    said = {
        "messages": [one.model_dump(mode="json") for one in work.messages],
        "tools": [one.model_dump(mode="json") for one in work.tools],
        "wanted": [repr(wanted.json), wanted.temperature, wanted.max_tokens, wanted.seed],
        "extra": dict(wanted.extra),
    }
    return sha256(json.dumps(said, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
