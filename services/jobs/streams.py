"""Waiting for a model without being held by it: a thread reads, the caller waits and may hang up.

A read that blocks cannot be interrupted from outside, but its socket can be shut down: the reading
thread then ends at once, and the endpoint sees that nobody listens any more.
"""

import socket
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, suppress
from contextvars import ContextVar
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar, cast

import httpx2

T = TypeVar("T")
LARGEST = 24_000_000
# How often the wish to stop is asked for while nothing comes.
_POLL_S = 0.05
# What goes out besides the request itself. The client would add the machine, its Python and what
# stands in variables of the environment that are not ours.
_HEADERS = frozenset({"content-type", "content-length", "accept", "host", "transfer-encoding"})


class TooLargeError(httpx2.TransportError):
    """The endpoint sends more than any answer has."""


class StreamLine(Generic[T]):
    """One connection's worth of items, read in a thread of its own until it ends or is hung up."""

    def __init__(self, read: Callable[[], Generator[T]]) -> None:
        """`read` opens the connection and gives what comes; it runs in the thread."""
        self._read = read
        self._items: SimpleQueue[tuple[T] | BaseException | None] = SimpleQueue()
        self._sockets: list[socket.socket] = []
        self._hung_up = False
        self._lock = threading.Lock()

    def items(self, ends_at: float, cancelled: Callable[[], bool] | None) -> Generator[T]:
        """Each item as it comes.

        Raises: TimeoutError at `ends_at` (of the monotonic clock), InterruptedError once
        `cancelled` says so, and whatever reading raises. Hangs up however it is left.
        """
        threading.Thread(target=self._run, name="model", daemon=True).start()
        try:
            while (got := self._next(ends_at, cancelled)) is not None:
                yield got[0]
        finally:
            self.hang_up()

    def hang_up(self) -> None:
        """Shut the connection down, or the one that is being made as soon as it is there."""
        with self._lock:
            self._hung_up = True
            for one in self._sockets:
                _shut(one)

    def took(self, one: socket.socket) -> None:
        """Note a socket of this line."""
        with self._lock:
            self._sockets.append(one)
            if self._hung_up:
                _shut(one)

    def _next(self, ends_at: float, cancelled: Callable[[], bool] | None) -> tuple[T] | None:
        while True:
            if cancelled is not None and cancelled():
                raise InterruptedError
            left = ends_at - time.monotonic()
            if left <= 0:
                raise TimeoutError
            try:
                got = self._items.get(timeout=left if cancelled is None else min(left, _POLL_S))
            except Empty:
                continue
            if isinstance(got, BaseException):
                raise got
            return got

    def _run(self) -> None:
        token = _LINE.set(cast("StreamLine[object]", self))
        try:
            with closing(self._read()) as items:
                for item in items:
                    if self._hung_up:
                        return
                    self._items.put((item,))
            self._items.put(None)
        except Exception as error:  # noqa: BLE001 — the end of a thread: raised again where it is waited for
            self._items.put(error)
        finally:
            _LINE.reset(token)


_LINE: ContextVar[StreamLine[object] | None] = ContextVar("line", default=None)


def make_listening_client(key: str) -> httpx2.Client:
    """The HTTP client of a model: answers bounded, headers few, and a line may hang up on it.

    `key` is the only authorization that goes out; none when it is empty.
    """

    def prepared(request: httpx2.Request) -> None:
        _prepare(request, key)

    return httpx2.Client(
        # A connection a call: one that is kept would be shut down under somebody else.
        limits=httpx2.Limits(max_keepalive_connections=0),
        event_hooks={"request": [prepared], "response": [_set_deadline]},
        follow_redirects=False,
        trust_env=True,
    )


def write_headers(request: httpx2.Request, key: str) -> None:
    """Only ours: a client would add the machine, its Python and what stands in variables."""
    for name in list(request.headers):
        if name.lower() not in _HEADERS:
            del request.headers[name]
    # What is compressed would have no bound that can be counted as it comes.
    request.headers["accept-encoding"] = "identity"
    request.headers["user-agent"] = "youju"
    if key:
        request.headers["authorization"] = f"Bearer {key}"


def _prepare(request: httpx2.Request, key: str) -> None:
    write_headers(request, key)
    line = _LINE.get()
    if line is not None:
        request.extensions["trace"] = _sockets_to(line)


def _set_deadline(response: httpx2.Response) -> None:
    if isinstance(response.stream, httpx2.SyncByteStream):
        response.stream = _Bounded(response.stream)


class _Bounded(httpx2.SyncByteStream):
    """The body as it comes, up to `LARGEST` bytes."""

    def __init__(self, inner: httpx2.SyncByteStream) -> None:
        self._inner = inner

    def __iter__(self) -> Generator[bytes]:
        size = 0
        for part in self._inner:
            size += len(part)
            if size > LARGEST:
                raise TooLargeError(f"over {LARGEST:,} bytes")
            yield part

    def close(self) -> None:
        self._inner.close()


def _sockets_to(line: StreamLine[object]) -> Callable[[str, Mapping[str, object]], None]:
    """Tells the line of every connection that is made for its request."""

    def told(_event: str, info: Mapping[str, object]) -> None:
        # A plain connection first, then the same one with TLS on it, through a proxy or not.
        stream = info.get("return_value")
        get = getattr(stream, "get_extra_info", None)
        found = get("socket") if callable(get) else None
        if isinstance(found, socket.socket):
            line.took(found)

    return told


def _shut(one: socket.socket) -> None:
    with suppress(OSError):
        # Of the socket itself: an SSL socket would first drop what another thread is reading with.
        socket.socket.shutdown(one, socket.SHUT_RDWR)
