"""Whose turn it is: so many works at once, none of whose owners holds more than half of them."""

import threading
from collections import Counter
from collections.abc import Callable

_LOOK_S = 0.2


class FairSlots:
    """Slots for work, given to whoever holds fewest of them, first come first among equals.

    Safe to share between threads.
    """

    def __init__(self, count: int) -> None:
        """`count` slots; one owner may hold half of them, and one in any case."""
        self._free = count
        self._most = max(1, count // 2)
        self._held: Counter[str] = Counter()
        self._waiting: list[tuple[str, object]] = []
        self._changed = threading.Condition()

    def take(self, owner: str, given_up: Callable[[], bool]) -> bool:
        """Wait for a slot and hold it; False when `given_up` says so while waiting."""
        ticket = (owner, object())
        with self._changed:
            self._waiting.append(ticket)
            try:
                while self._next() is not ticket:
                    if given_up():
                        return False
                    self._changed.wait(_LOOK_S)
                self._free -= 1
                self._held[owner] += 1
            finally:
                self._waiting.remove(ticket)
                self._changed.notify_all()
            return True

    def give(self, owner: str) -> None:
        """Let go of a slot that was taken."""
        with self._changed:
            self._free += 1
            self._held[owner] -= 1
            self._changed.notify_all()

    def held(self) -> int:
        """How many are taken now."""
        with self._changed:
            return sum(self._held.values())

    def _next(self) -> tuple[str, object] | None:
        """Who waits and may go first; None while nobody may."""
        if not self._free:
            return None
        allowed = [one for one in self._waiting if self._held[one[0]] < self._most]
        return min(allowed, key=lambda one: self._held[one[0]], default=None)
