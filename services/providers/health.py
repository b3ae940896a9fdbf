"""How each source has been doing: last success, last error, calls, answers served from memory."""

import threading
from collections.abc import Mapping
from dataclasses import replace

from services.core.clock import Clock
from services.core.errors import ProviderError
from services.store.source_health import SourceHealth, SourceRecords


class Health:
    """Counts what the chain does. Safe to share between threads; kept across restarts."""

    def __init__(self, clock: Clock, records: SourceRecords | None = None) -> None:
        """Without `records` (snapshot mode, tests) nothing outlives the process."""
        self._clock = clock
        self._records = records
        self._lock = threading.Lock()
        self._known: dict[str, SourceHealth] = dict(records.read()) if records else {}

    def of(self, provider: str) -> SourceHealth:
        """What is known of that source; all zero when it was never asked."""
        with self._lock:
            return self._known.get(provider, SourceHealth(provider=provider))

    def all(self) -> Mapping[str, SourceHealth]:
        """Every source that was ever asked."""
        with self._lock:
            return dict(self._known)

    def hit(self, provider: str) -> None:
        """An answer came from what was kept; written with the next real call."""
        with self._lock:
            found = self._known.get(provider, SourceHealth(provider=provider))
            self._known[provider] = replace(found, cache_hits=found.cache_hits + 1)

    def note_success(self, provider: str) -> None:
        """The source answered."""
        with self._lock:
            found = self._known.get(provider, SourceHealth(provider=provider))
            self._write(replace(found, calls=found.calls + 1, last_success_at=self._clock.now()))

    def note_failure(self, provider: str, error: ProviderError) -> None:
        """The source could not answer; the message is ours and holds no secret."""
        with self._lock:
            found = self._known.get(provider, SourceHealth(provider=provider))
            self._write(
                replace(
                    found,
                    calls=found.calls + 1,
                    failures=found.failures + 1,
                    last_error_at=self._clock.now(),
                    last_error=type(error).__name__,
                    last_message=f"{error.table}: {error.message}",
                )
            )

    def _write(self, found: SourceHealth) -> None:
        self._known[found.provider] = found
        if self._records is not None:
            self._records.write(found)
