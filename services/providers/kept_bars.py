"""The bars a provider was asked for last, of data that stand still."""

import threading
from collections import OrderedDict
from datetime import date

from services.providers.base import Fetched

# Symbol, first day (open: null) and last day.
Asked = tuple[str, date | None, date]
# As many as a view of the whole market and some companies' stand on (25 MB).
_FACTS_KEPT = 60_000


class BarsKept:
    """The bars last asked for, as they were given: what is in a snapshot stands still, and a page
    asks for the same again at every touch. Safe to share between threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Asked, tuple[Fetched]] = OrderedDict()
        self._facts = 0

    def get(self, key: Asked) -> tuple[Fetched] | None:
        """The answer, if it is kept."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def keep(self, key: Asked, bars: Fetched) -> tuple[Fetched]:
        """Keep it; what was not asked for longest goes when there are too many facts."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = (bars,)
                self._facts += len(bars.rows)
            while self._facts > _FACTS_KEPT and len(self._kept) > 1:
                _, (oldest,) = self._kept.popitem(last=False)
                self._facts -= len(oldest.rows)
        return (bars,)
