"""The clocks of the standard library, moved by hand: a test need not wait, and no machine is slow.

Put one in the place of a module's `time` (and `threading`, where it waits for an event).
"""

import threading
import time


class Hand:
    """Stands still, but for whoever waits: the wait is over at once, and the clock has moved on."""

    Lock = staticmethod(threading.Lock)

    def __init__(self) -> None:
        self._began = time.monotonic()
        self.waits: list[float] = []
        self.by = 0.0

    def monotonic(self) -> float:
        return self._began + self.by

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.by += seconds

    def Event(self) -> "_Event":  # noqa: N802 — the name it has in threading
        return _Event(self)


class _Event(threading.Event):
    def __init__(self, hand: Hand) -> None:
        super().__init__()
        self._hand = hand

    def wait(self, timeout: float | None = None) -> bool:
        if not self.is_set() and timeout is not None:
            self._hand.sleep(timeout)
        return self.is_set()
