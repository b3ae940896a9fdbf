"""One flight per question: while one thread asks, the others wait for its answer."""

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class Flights(Generic[T]):
    """Questions under way by key. Nothing is kept once the answer is there."""

    def __init__(self) -> None:
        """Nothing is under way."""
        self._lock = threading.Lock()
        self._under_way: dict[Hashable, Future[T]] = {}

    def join(self, key: Hashable, ask: Callable[[], T]) -> T:
        """What `ask` gives, asked once for all who come while it runs; errors are shared too."""
        with self._lock:
            flight = self._under_way.get(key)
            mine = flight is None
            if flight is None:
                flight = self._under_way[key] = Future()
        if not mine:
            return flight.result()
        try:
            flight.set_result(ask())
        except BaseException as error:
            flight.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._under_way[key]
        return flight.result()
