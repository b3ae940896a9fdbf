"""What goes wrong with a model's endpoint, in our own errors: by type, status and code, never text.

Nothing an endpoint writes is repeated: its messages quote prompts, and sometimes keys.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import TYPE_CHECKING

import httpx2
from pydantic import ValidationError

from services.agents.chat_wire import MalformedError, TooLongError
from services.core.errors import (
    ChangedError,
    DeniedError,
    ProviderError,
    RateLimitError,
    UnavailableError,
    UnfinishedError,
)
from services.core.lazy import import_later
from services.jobs.streams import TooLargeError
from services.providers.retry import retry_after

if TYPE_CHECKING:
    import openai
else:
    openai = import_later("openai")

_NO_MONEY = frozenset({"insufficient_quota", "insufficient_balance", "arrearage"})
_FILTERED = frozenset({"content_filter", "data_inspection_failed", "datainspectionfailed"})
_PROMPT_TOO_LONG = frozenset({"context_length_exceeded", "string_above_max_length"})


@dataclass(frozen=True, slots=True)
class RequestSubject:
    """Whom a request was for, as its errors name it: `provider` is host and model, `settings` the
    variables that say where it is.
    """

    provider: str
    purpose: str
    settings: str = "LLM_BASE_URL and LLM_MODEL"

    def unavailable(self, why: str) -> UnavailableError:
        """It did not answer."""
        return UnavailableError(self.provider, self.purpose, why)

    def changed(self, why: str) -> ChangedError:
        """It answered what we cannot read, or does not know what we say."""
        return ChangedError(self.provider, self.purpose, why)

    def denied(self, why: str) -> DeniedError:
        """It will not answer us."""
        return DeniedError(self.provider, self.purpose, why)


def cut(asked: RequestSubject) -> UnfinishedError:
    """The answer ended before its end."""
    return UnfinishedError(
        asked.provider, asked.purpose, "the answer broke off before its end", why="cut"
    )


def unfinished(asked: RequestSubject, finish_reason: str) -> UnfinishedError:
    """The endpoint itself says that the answer is not whole."""
    if finish_reason == "length":
        said = "the answer is longer than it may be; raise max_tokens or ask for less"
        return UnfinishedError(asked.provider, asked.purpose, said, why="length")
    if finish_reason == "content_filter":
        said = "a filter of the endpoint stopped the answer"
        return UnfinishedError(asked.provider, asked.purpose, said, why="content_filter")
    return cut(asked)


@cache
def failures() -> tuple[type[Exception], ...]:
    """Everything reading an answer may raise that is the endpoint's doing."""
    return (
        openai.OpenAIError,
        httpx2.HTTPError,
        httpx2.StreamError,
        ValidationError,
        MalformedError,
        TooLongError,
        TimeoutError,
        json.JSONDecodeError,
        UnicodeDecodeError,
    )


class RequestRefusedError(ChangedError):
    """The endpoint does not take how it is asked, whatever of it: tools, perhaps."""

    @classmethod
    def of(cls, error: ChangedError) -> RequestRefusedError:
        """The same, known for what it is."""
        return cls(error.provider, error.table, error.message)


def failure(error: Exception, asked: RequestSubject) -> ProviderError:
    """What one of `failures()` is in our words."""
    if isinstance(error, openai.APIStatusError):
        return _explain_refusal(error, asked)
    if isinstance(error, TooLongError):
        said = "the model writes on and on; the answer was given up"
        return UnfinishedError(asked.provider, asked.purpose, said, why="too_long")
    if isinstance(error, MalformedError | ValidationError):
        return asked.changed("the answer is no chat completion")
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return cut(asked)
    return _explain_unreached(error, asked)


def _explain_unreached(error: Exception, asked: RequestSubject) -> ProviderError:
    # The client wraps what its transport raised, so the reason is one step behind.
    reasons = (error, error.__cause__, error.__context__)
    if any(isinstance(one, TooLargeError) for one in reasons):
        return asked.changed("the answer is larger than any answer has to be")
    if isinstance(error, TimeoutError | openai.APITimeoutError | httpx2.TimeoutException):
        return asked.unavailable("no answer in time")
    if any(isinstance(one, httpx2.ConnectError | httpx2.ProxyError) for one in reasons):
        return asked.unavailable(f"the endpoint cannot be reached; check {asked.settings}")
    if isinstance(error, openai.APIError) and not isinstance(error, openai.APIConnectionError):
        return asked.unavailable("the endpoint reported a fault of its own")
    return asked.unavailable("the connection broke before the answer was whole")


def _explain_refusal(error: openai.APIStatusError, asked: RequestSubject) -> ProviderError:
    status, code = error.status_code, (error.code or "").casefold()
    if code in _NO_MONEY or status == 402:
        return asked.denied(f"the account has no balance left (HTTP {status})")
    if code in _FILTERED:
        return unfinished(asked, "content_filter")
    if status == 429:
        return RateLimitError(
            asked.provider,
            asked.purpose,
            "asked too often (HTTP 429)",
            retry_after_s=pause_of(error),
        )
    if status in {401, 403}:
        return asked.denied(f"refused (HTTP {status}); check the key")
    if status == 404:
        return asked.denied(f"no such model or address (HTTP 404); check {asked.settings}")
    if status in {408, 409} or status >= 500:
        return asked.unavailable(f"is out of order (HTTP {status})")
    if code in _PROMPT_TOO_LONG:
        return asked.changed(f"the question is too long for the model (HTTP {status})")
    found = asked.changed(
        f"answered HTTP {status} where an answer was expected; check {asked.settings}"
    )
    return RequestRefusedError.of(found) if status in {400, 422} else found


def pause_of(error: Exception) -> float | None:
    """The seconds the endpoint asks to wait, by its own clock; None when it does not say."""
    if not isinstance(error, openai.APIStatusError):
        return None
    headers: Mapping[str, str] = error.response.headers
    try:
        its_now = parsedate_to_datetime(headers.get("date") or "")
    except ValueError:
        its_now = datetime(1970, 1, 1, tzinfo=UTC)
    if its_now.tzinfo is None:
        its_now = its_now.replace(tzinfo=UTC)
    return retry_after(headers.get("retry-after"), its_now)


def refused_parameter(error: Exception) -> str | None:
    """Which parameter a refused request is refused for; empty when it is not said.

    None when the refusal is about something else, or is none.
    """
    if not isinstance(error, openai.BadRequestError | openai.UnprocessableEntityError):
        return None
    known = (error.code or "").casefold()
    if known in _NO_MONEY | _FILTERED | _PROMPT_TOO_LONG:
        return None
    # What an endpoint puts there is not always a text, whatever the client's types say.
    said: object = error.param
    return said if isinstance(said, str) else ""
