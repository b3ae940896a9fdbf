"""Writing down who was asked, when, for how long, and what came of it."""

import time
from datetime import datetime

from services.core.errors import ProviderError, YoujuError
from services.core.trace import Attempt
from services.providers.retry import Errand


def tries_of(provider: str, trip: Errand, but: ProviderError | None = None) -> list[Attempt]:
    """The requests that failed and were made again, without the one that became the outcome."""
    return [
        Attempt(
            provider=provider,
            table=one.table,
            started_at=one.started_at,
            duration_ms=one.duration_ms,
            error=type(one.error).__name__,
            message=str(one.error),
        )
        for one in trip.tries
        if one.error is not but
    ]


def attempt_of(
    provider: str, table: str, started: datetime, ticks: float, error: YoujuError | None = None
) -> Attempt:
    """One asking of a provider, from `started` (`ticks` by the counter) until now."""
    return Attempt(
        provider=provider,
        table=table,
        started_at=started,
        duration_ms=(time.perf_counter() - ticks) * 1000,
        error=type(error).__name__ if error else None,
        message=str(error) if error else None,
    )
