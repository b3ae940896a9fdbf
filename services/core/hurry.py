"""Whether a reader looks at the screen and waits. Then what was known before may stand in for what
does not come soon; a command, a job or a test waits for the answer itself.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

# What a reader waits in vain for one page, in seconds.
SOON_S = 2.0


@dataclass(slots=True)
class Hurry:
    """How long a reader may still be kept waiting in vain, for one page as a whole."""

    left_s: float


_HURRY: ContextVar[Hurry | None] = ContextVar("hurry", default=None)


@contextmanager
def hurried(left_s: float = SOON_S) -> Generator[None]:
    """A reader waits for all that is asked inside."""
    token = _HURRY.set(Hurry(left_s))
    try:
        yield
    finally:
        _HURRY.reset(token)


@contextmanager
def unhurried() -> Generator[None]:
    """Nobody waits for what is asked inside."""
    token = _HURRY.set(None)
    try:
        yield
    finally:
        _HURRY.reset(token)


def hurry() -> Hurry | None:
    """The reader who waits; None where nobody does."""
    return _HURRY.get()
