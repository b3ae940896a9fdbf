"""The one HTTP client: pacing, deadline, size bound, and errors in our own words; `retry.py` says
when a request is made again.

Every failure leaves as a ProviderError that names the provider and the table. An address is never
quoted with its query, a header never at all: that is where tokens are.
"""

from __future__ import annotations

import ssl
import threading
import time
import weakref
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from services.core.clock import Clock
from services.core.errors import (
    ChangedError,
    DeniedError,
    ProviderError,
    RateLimitError,
    UnavailableError,
)
from services.core.lazy import Later, import_later
from services.providers.retry import Errand, Try, current_errand, make_retrying, retry_after
from services.settings import Settings

if TYPE_CHECKING:
    import httpx2
else:
    httpx2 = import_later("httpx2")

LARGEST = 24_000_000
_AGENT = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Safari/537.36"
)


@dataclass(frozen=True, slots=True)
class Target:
    """Whom a request is for (named in errors), where it goes, and what counts as an answer.

    `judge` looks at an accepted answer and raises the ProviderError it amounts to: one that may
    pass is then tried again like a failure of the network.
    """

    provider: str
    table: str
    base: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    accepts: frozenset[int] = frozenset({200})
    largest: int = LARGEST
    judge: Callable[[Body], None] | None = None


@dataclass(frozen=True, slots=True)
class Body:
    """An answer as it came: `content` is decoded of compression only; `sha256` is its hash."""

    provider: str
    table: str
    status: int
    content_type: str
    content: bytes
    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    fetched_at: datetime

    @property
    def sha256(self) -> str:
        """The hash of the content, in hex."""
        return sha256(self.content).hexdigest()


_WATCHED: ContextVar[list[Body] | None] = ContextVar("watched", default=None)


@contextmanager
def watch_answers() -> Generator[list[Body]]:
    """Every answer that comes inside, as it came: for looking at its shape."""
    found: list[Body] = []
    token = _WATCHED.set(found)
    try:
        yield found
    finally:
        _WATCHED.reset(token)


@cache
def _load_trusted() -> ssl.SSLContext:
    """The certificates to trust, read once: it takes a tenth of a second."""
    return httpx2.create_ssl_context()


def _new_client() -> httpx2.Client:
    return httpx2.Client(
        follow_redirects=False,
        headers={"User-Agent": _AGENT},
        trust_env=True,
        verify=_load_trusted(),
    )


def _close(client: Later[httpx2.Client]) -> None:
    """Let go of the connections of a client that was used."""
    if client.made is not None:
        client.made.close()


class Http:
    """Shared by every client and thread; keeps connections and the pace of each host."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        """`settings` gives timeout, tries and pace; `clock` stamps the answers."""
        self._settings = settings
        self._clock = clock
        self._client = Later(_new_client)
        # Connections go with the object even where nobody closes it.
        self._letting_go = weakref.finalize(self, _close, self._client)
        self._paces: dict[str, float] = {}
        self._guard = threading.Lock()

    def close(self) -> None:
        """Let go of the connections."""
        self._letting_go()

    def get(
        self,
        target: Target,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Body:
        """GET; see `send`."""
        return self.send("GET", target, path, params=params, headers=headers)

    def post(
        self,
        target: Target,
        path: str,
        *,
        json: object | None = None,
        form: Mapping[str, str] | None = None,
    ) -> Body:
        """POST of JSON or of a form; every POST here only reads, so it may be made again."""
        return self.send("POST", target, path, json=json, form=form)

    def send(
        self,
        method: str,
        target: Target,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        json: object | None = None,
        form: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Body:
        """One request, paced, tried again where that may help, within the errand's deadline.

        Redirects are not followed. Raises: UnavailableError (network, timeout, 5xx),
        RateLimitError (429), DeniedError (401, 403), ChangedError (any other status that
        `target.accepts` does not name, or a body over `target.largest` bytes).
        """
        request = self._client().build_request(
            method,
            target.base + path,
            params=params,
            json=json,
            data=form,
            headers={**target.headers, **(headers or {})},
        )
        current = current_errand() or Errand(time.monotonic() + self._settings.api_deadline_s)
        repeated = make_retrying(
            current, attempts=self._settings.api_attempts, pause_s=self._settings.pace_s
        )
        return repeated(self._once, request, target, current)

    def _once(self, request: httpx2.Request, target: Target, current: Errand) -> Body:
        began, started = time.monotonic(), self._clock.now()
        try:
            self._wait_for_turn(request.url.host, target, current)
            return self._exchange(request, target, current)
        except ProviderError as error:
            took = (time.monotonic() - began) * 1000
            current.tries.append(Try(target.table, started, took, error))
            raise

    def _exchange(self, request: httpx2.Request, target: Target, current: Errand) -> Body:
        limit = max(0.05, min(self._settings.api_timeout_s, current.left_s))
        request.extensions["timeout"] = httpx2.Timeout(limit).as_dict()
        ends_at = time.monotonic() + limit
        try:
            response = self._client().send(request, stream=True)
            try:
                content = _read(response, target, ends_at, limit)
            finally:
                response.close()
        except httpx2.TimeoutException as error:
            raise _unavailable(target, f"no answer within {limit:.3g} s") from error
        except (httpx2.ConnectError, httpx2.ProxyError) as error:
            raise _unavailable(target, f"{request.url.host} cannot be reached") from error
        except httpx2.DecodingError as error:
            raise _unavailable(target, "the answer cannot be decompressed") from error
        except httpx2.TransportError as error:
            raise _unavailable(target, "the connection broke before the answer was whole") from (
                error
            )
        self._refuse(response, target)
        body = Body(
            provider=target.provider,
            table=target.table,
            status=response.status_code,
            content_type=response.headers.get("content-type", ""),
            content=content,
            headers=dict(response.headers),
            cookies=dict(response.cookies),
            fetched_at=self._clock.now(),
        )
        if (watching := _WATCHED.get()) is not None:
            watching.append(body)
        if target.judge is not None:
            target.judge(body)
        return body

    def _refuse(self, response: httpx2.Response, target: Target) -> None:
        status = response.status_code
        if status in target.accepts:
            return
        who = (target.provider, target.table)
        if status == 429:
            pause = retry_after(response.headers.get("retry-after"), self._clock.now())
            raise RateLimitError(*who, "asked too often (HTTP 429)", retry_after_s=pause)
        if status in {401, 403}:
            raise DeniedError(*who, f"refused (HTTP {status})")
        if status >= 500:
            raise UnavailableError(*who, f"is out of order (HTTP {status})")
        raise ChangedError(*who, f"answered HTTP {status} where an answer was expected")

    def _wait_for_turn(self, host: str, target: Target, current: Errand) -> None:
        """Requests to one host start `pace_s` apart, whoever asks."""
        with self._guard:
            now = time.monotonic()
            turn = max(now, self._paces.get(host, now))
            if turn - now > max(current.left_s, 0):
                raise _unavailable(target, "too many requests are waiting for this source")
            self._paces[host] = turn + self._settings.pace_s
        if turn > now:
            time.sleep(turn - now)  # noqa: TID251 — its one home


def host_of(address: str) -> str:
    """The host of an address, for messages."""
    return urlsplit(address).hostname or ""


def _read(response: httpx2.Response, target: Target, ends_at: float, limit: float) -> bytes:
    """The whole body, decompressed; bounded in size and, unlike a read timeout, in total time."""
    content = bytearray()
    for chunk in response.iter_bytes():
        content += chunk
        if len(content) > target.largest:
            raise ChangedError(
                target.provider, target.table, f"the answer is over {target.largest:,} bytes"
            )
        if time.monotonic() > ends_at:
            raise _unavailable(target, f"the answer was not whole within {limit:.3g} s")
    return bytes(content)


def _unavailable(target: Target, why: str) -> UnavailableError:
    return UnavailableError(target.provider, target.table, why)
