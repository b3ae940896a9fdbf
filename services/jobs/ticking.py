"""Something done again and again by the process that owns the store, where no workers are."""

import logging
import threading
from collections.abc import Callable

_LOG = logging.getLogger("youju.due")


def begin_ticking(do: Callable[[], object], every_s: float) -> Callable[[], None]:
    """Do it every so many seconds, in a thread that ends with the process, the first time after as
    long; what ends it sooner. What fails is logged and tried again the next time.
    """
    ended = threading.Event()

    def tick() -> None:
        while not ended.wait(every_s):
            try:
                do()
            except Exception:  # noqa: BLE001 — the end of a thread: reported, and the next time may do
                _LOG.exception("what is due by schedule")

    threading.Thread(target=tick, name="due", daemon=True).start()
    return ended.set
