"""Finished runs of a market that does not change, by what was asked: done once for all who ask."""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pydantic import JsonValue

from services.core.trace import Trace

T = TypeVar("T")
# What twenty readers have open: that of a company holds a megabyte or two.
_MOST = 48
# What a bundle says of what it does not hold; any other failure may pass.
_LASTING = frozenset({None, "NoDataError", "NotCoveredError"})


@dataclass(slots=True)
class _Place(Generic[T]):
    lock: threading.Lock = field(default_factory=threading.Lock)
    found: T | None = None


class KeptRuns(Generic[T]):
    """What was found last, by what was asked. Safe to share between threads."""

    def __init__(self) -> None:
        """Nothing is kept yet."""
        self._lock = threading.Lock()
        self._places: OrderedDict[str, _Place[T]] = OrderedDict()

    def join(self, key: str, make: Callable[[], tuple[T, bool]]) -> tuple[T, bool]:
        """What is kept under `key`, and False; else what `make` gives now, and True.

        `make` says with its output whether that is to be kept. While one makes it others wait; when
        it raises, the next one tries.
        """
        with self._lock:
            place = self._places.setdefault(key, _Place())
            self._places.move_to_end(key)
            if len(self._places) > _MOST:
                self._places.popitem(last=False)
        if place.found is not None:
            return place.found, False
        with place.lock:
            if place.found is not None:
                return place.found, False
            made, lasts = make()
            if lasts:
                place.found = made
            return made, True


def key_of(kind: str, arguments: Mapping[str, JsonValue]) -> str:
    """What was asked, as a text; the order of the arguments says nothing."""
    return json.dumps([kind, arguments], sort_keys=True, ensure_ascii=False)


def is_lasting(trace: Trace) -> bool:
    """Whether every answer of the run would be the same again: none failed of what may pass."""
    last = (call.attempts[-1].error if call.attempts else None for call in trace.tool_calls)
    return _LASTING.issuperset(last)
