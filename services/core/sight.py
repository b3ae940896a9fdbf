"""What is seen of the work while it is done: whoever watches is told of each piece, how long it
took and how it ended. Nobody watches unless told to, and then nothing is done.
"""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import wraps
from typing import Literal, ParamSpec, Protocol, TypeVar
from uuid import uuid4

Piece = Literal["page", "question", "tool", "source", "job", "model"]
_P = ParamSpec("_P")
_T = TypeVar("_T")
_REQUEST: ContextVar[str] = ContextVar("request", default="")
_NOTHING = nullcontext()


class Watcher(Protocol):
    """Whoever wants to know."""

    def watch(self, piece: Piece, name: str) -> AbstractContextManager[None]:
        """Around one piece; what it raises goes through."""
        ...


_watchers: list[Watcher] = []


def watch_with(*watchers: Watcher) -> None:
    """From now on these are told; without any nobody is."""
    _watchers[:] = watchers


def request_id() -> str:
    """What all pieces of one request have in common; empty outside any."""
    return _REQUEST.get()


def seen(piece: Piece, name: str) -> AbstractContextManager[None]:
    """Around a piece of work. `name` is one of few: a page, a tool, a source; never what a person
    wrote.
    """
    return _seen(piece, name) if _watchers else _NOTHING


def is_seen(piece: Piece, name: str) -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """The same for a whole function."""

    def around(work: Callable[_P, _T]) -> Callable[_P, _T]:
        @wraps(work)
        def done(*given: _P.args, **named: _P.kwargs) -> _T:
            with seen(piece, name):
                return work(*given, **named)

        return done

    return around


@contextmanager
def _seen(piece: Piece, name: str) -> Generator[None]:
    token = None if _REQUEST.get() else _REQUEST.set(uuid4().hex[:12])
    try:
        with _around(list(_watchers), piece, name):
            yield
    finally:
        if token is not None:
            _REQUEST.reset(token)


@contextmanager
def _around(watchers: list[Watcher], piece: Piece, name: str) -> Generator[None]:
    if not watchers:
        yield
        return
    with watchers[0].watch(piece, name), _around(watchers[1:], piece, name):
        yield
