"""How often one person may ask, have something analysed, and export within an hour.

Counted by each process for itself. Without a sign-in nothing is counted.
"""

import threading
from collections import defaultdict, deque
from collections.abc import Callable
from time import monotonic

from services.core.errors import NotAllowedError
from services.core.identity import Rated, acting
from services.core.text import Text

_HOUR_S = 3600.0
_SAID = Text(
    "一小时内最多 {most} 次，{minutes} 分钟后可以再来",
    "At most {most} times an hour: again in {minutes} minutes",
)


class Rates:
    """What everybody did within the last hour. Safe to share between threads."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        """`now` tells seconds from any beginning."""
        self._now = now
        self._done: defaultdict[tuple[str, Rated], deque[float]] = defaultdict(deque)
        self._lock = threading.Lock()

    def count(self, what: Rated) -> None:
        """Whoever is acting does it once more. Raises: NotAllowedError when that is too often."""
        me = acting()
        most = 0 if me.rates is None else me.rates.of(what)
        if not most:
            return
        with self._lock:
            done, now = self._done[me.owner, what], self._now()
            while done and now - done[0] >= _HOUR_S:
                done.popleft()
            if len(done) >= most:
                minutes = int((_HOUR_S - (now - done[0])) / 60) + 1
                raise NotAllowedError(_SAID.format(most=most, minutes=minutes))
            done.append(now)


# Of this process: both modes' services count together.
RATES = Rates()
