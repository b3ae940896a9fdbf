"""How long a reader waits for sources that do not answer: not long. What was asked goes on behind,
and its answer is kept for whoever asks next.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import TypeVar

from services.core.hurry import hurry, unhurried

_T = TypeVar("_T")
# What is waited at least for a source, and for one that leaves others without an answer right now.
_LEAST_S, _AT_ONCE_S = 0.3, 0.05
# So many questions may wait behind for one source; with more it is left alone until one ends.
_MOST_LATE = 4


class Patience:
    """Questions that no reader waits for any more, by source. Safe to share between threads."""

    def __init__(self) -> None:
        """Nothing is late."""
        self._lock = threading.Lock()
        self._late: Counter[str] = Counter()

    @property
    def is_tried(self) -> bool:
        """Whether some source leaves a question without an answer right now."""
        with self._lock:
            return self._late.total() > 0

    def wait(self, source: str, ask: Callable[[], _T]) -> _T | None:
        """What `ask` gives, or raises. None where a reader waits and it is not soon: it goes on in
        a thread of its own.
        """
        reader = hurry()
        if reader is None:
            return ask()
        with self._lock:
            late = self._late[source]
        if late >= _MOST_LATE:
            return None
        answer: Future[_T] = Future()

        def go() -> None:
            try:
                with unhurried():
                    answer.set_result(ask())
            except BaseException as error:  # noqa: BLE001 — told to whoever still waits
                answer.set_exception(error)

        # A daemon: a source that hangs keeps no process from ending.
        context = copy_context()
        threading.Thread(
            target=context.run, args=(go,), name=f"asking {source}", daemon=True
        ).start()
        began = time.monotonic()
        try:
            return answer.result(_AT_ONCE_S if late else max(_LEAST_S, reader.left_s))
        except TimeoutError:
            if answer.done():  # it ended just then, or what was asked raised this
                return answer.result()
        reader.left_s -= time.monotonic() - began
        with self._lock:
            self._late[source] += 1
        answer.add_done_callback(lambda _: self._end(source))
        return None

    def _end(self, source: str) -> None:
        with self._lock:
            self._late[source] -= 1
