"""Which workers have gone silent, by the steady clock of whoever listens: what a clock of a machine
says may leap by hours, in the database too, and a heart that beats is then taken for a dead one, or
a dead one lives for hours.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from time import monotonic


class Silence:
    """What one listener has heard. Used by one thread at a time."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        """`now` tells seconds from any beginning."""
        self._now = now
        self._heard: dict[int, tuple[datetime, float]] = {}

    def listen(self, beats: Mapping[int, datetime], silent_s: float) -> dict[int, datetime]:
        """Of the last beats by worker those of workers whose beat has been the same for so long."""
        now = self._now()
        last = {worker: self._heard.get(worker, (beat, now)) for worker, beat in beats.items()}
        self._heard = {
            worker: heard if heard[0] == beats[worker] else (beats[worker], now)
            for worker, heard in last.items()
        }
        return {one: beat for one, (beat, at) in self._heard.items() if now - at >= silent_s}
