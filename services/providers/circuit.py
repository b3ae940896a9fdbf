"""Leaving a failing source alone for a while: open until when, and why.

Per source, capability and market: a token that may not read Hong Kong still reads Shanghai.

pybreaker was tried for this: it holds its lock while it calls, so one slow source would make all
its callers wait in line.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from services.core.clock import Clock
from services.core.errors import DeniedError, ProviderError, RateLimitError

# How many failures in a row open it, and for how long the first time; doubling to LONGEST.
FAILURES = 3
FIRST = timedelta(seconds=60)
LONGEST = timedelta(minutes=10)
# A token does not mend by itself within seconds.
REFUSED = timedelta(minutes=5)


class Key(NamedTuple):
    """What is left alone: a source, for one capability, in one market (empty: not of a market)."""

    provider: str
    capability: str
    market: str = ""


@dataclass(frozen=True, slots=True)
class Open:
    """A source that is left alone: until when, and the failure that led to it, in its words."""

    until: datetime
    failures: int
    reason: str


@dataclass(slots=True)
class _State:
    failures: int = 0
    until: datetime | None = None
    reason: str = ""


class Circuits:
    """Which sources are left alone. Safe to share between threads."""

    def __init__(self, clock: Clock) -> None:
        """`clock` decides when a pause is over."""
        self._clock = clock
        self._lock = threading.Lock()
        self._states: dict[Key, _State] = {}

    def open(self, key: Key) -> Open | None:
        """The pause that holds now; None when the source may be asked.

        When a pause is over one question goes through: its failure opens a longer one at once.
        """
        with self._lock:
            state = self._states.get(key)
            if state is None or state.until is None or state.until <= self._clock.now():
                return None
            return Open(state.until, state.failures, state.reason)

    def all_open(self) -> Mapping[Key, Open]:
        """Every pause that holds now, by provider and capability."""
        with self._lock:
            keys = list(self._states)
        found = {key: self.open(key) for key in keys}
        return {key: pause for key, pause in found.items() if pause is not None}

    def note_success(self, key: Key) -> None:
        """The source answered: all is forgotten."""
        with self._lock:
            self._states.pop(key, None)

    def note_failure(self, key: Key, error: ProviderError) -> None:
        """Count a failure; open when it is one too many or the source asked for a pause."""
        with self._lock:
            state = self._states.setdefault(key, _State())
            state.failures += 1
            state.reason = error.message
            pause = _pause(error, state.failures)
            if pause is not None:
                state.until = self._clock.now() + pause

    def close(self, provider: str) -> None:
        """Forget every pause of that source: someone asked for it to be tried now."""
        with self._lock:
            for key in [key for key in self._states if key[0] == provider]:
                del self._states[key]


def _pause(error: ProviderError, failures: int) -> timedelta | None:
    if isinstance(error, RateLimitError):
        asked = timedelta(seconds=min(error.retry_after_s or 0, 3600))
        return max(asked, FIRST)
    if isinstance(error, DeniedError):
        return REFUSED
    if failures < FAILURES:
        return None
    return min(FIRST * 2 ** (failures - FAILURES), LONGEST)
