"""The retry of a source: which failures are tried again, after what pause, and until when.

An errand is one question to one provider: all its requests and their tries end by its deadline.
"""

import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from services.core.errors import ProviderError, RateLimitError, UnavailableError
from services.core.lazy import import_later

if TYPE_CHECKING:
    import tenacity
    from tenacity import RetryCallState, Retrying
else:
    # Only a source that is asked is asked again.
    tenacity = import_later("tenacity")

# A pause the source asks for is kept within one call up to here; a longer one opens the circuit.
LONGEST_PAUSE_S = 5.0


@dataclass(frozen=True, slots=True)
class Try:
    """A request that failed and was made again."""

    table: str
    started_at: datetime
    duration_ms: float
    error: ProviderError


@dataclass(slots=True)
class Errand:
    """What one question to one provider may take, and the tries it took."""

    ends_at: float
    tries: list[Try] = field(default_factory=list[Try])

    @property
    def left_s(self) -> float:
        """Seconds until the deadline; negative when it has passed."""
        return self.ends_at - time.monotonic()


_ERRAND: ContextVar[Errand | None] = ContextVar("errand", default=None)


@contextmanager
def errand(seconds: float) -> Generator[Errand]:
    """Everything asked inside ends within `seconds`, or within an outer errand's if shorter."""
    outer = _ERRAND.get()
    ends_at = time.monotonic() + seconds
    mine = Errand(min(ends_at, outer.ends_at) if outer else ends_at)
    token = _ERRAND.set(mine)
    try:
        yield mine
    finally:
        _ERRAND.reset(token)


def time_left() -> float | None:
    """Seconds until the present errand's deadline; None outside one. For clients not of ours."""
    current = _ERRAND.get()
    return None if current is None else current.left_s


def current_errand() -> Errand | None:
    """The errand this is asked in, if any."""
    return _ERRAND.get()


def make_retrying(current: Errand, *, attempts: int, pause_s: float) -> "Retrying":
    """What calls again after a failure that may pass: so many times, within the errand's deadline.

    Between two tries lies a random pause that grows from `pause_s`, or what the source asks for.
    Raises the last failure as it was.
    """

    def stops(state: "RetryCallState") -> bool:
        return state.attempt_number >= attempts or state.upcoming_sleep >= current.left_s

    def pause(state: "RetryCallState") -> float:
        jitter = random_pause(state, max(pause_s, 0.001))
        failure = state.outcome.exception() if state.outcome else None
        asked = failure.retry_after_s if isinstance(failure, RateLimitError) else None
        return jitter if asked is None else asked + min(jitter, 1.0)

    return tenacity.Retrying(
        retry=tenacity.retry_if_exception(is_worth_another_try),
        stop=stops,
        wait=pause,
        sleep=time.sleep,  # noqa: TID251 — its one home
        reraise=True,
    )


def random_pause(state: "RetryCallState", first_s: float) -> float:
    """Seconds to wait before the next try: random, longer from try to try."""
    return tenacity.wait_random_exponential(multiplier=first_s, max=LONGEST_PAUSE_S)(state)


def is_worth_another_try(error: BaseException) -> bool:
    """Whether it may pass: the source could not be reached, or asks for a short pause."""
    if isinstance(error, RateLimitError):
        return (error.retry_after_s or 0) <= LONGEST_PAUSE_S
    return isinstance(error, UnavailableError)


def retry_after(text: str | None, now: datetime) -> float | None:
    """Seconds in a Retry-After header (a number or a date); None when absent or unreadable."""
    if not text:
        return None
    if text.strip().isdigit():
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - now).total_seconds())
    except (TypeError, ValueError):
        return None
