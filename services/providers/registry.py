"""Which providers there are, and asking them in the order the settings give."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from services.core.clock import Clock
from services.core.errors import (
    ConfigError,
    NoDataError,
    ProviderError,
    UnavailableError,
    YoujuError,
)
from services.core.requests import FetchRequest
from services.core.trace import Attempt
from services.providers.base import Fetched, Provider
from services.providers.snapshot import SnapshotProvider
from services.store.market_tables import MarketTables

# Name → what makes it, from the market tables and the clock.
PROVIDERS: Mapping[str, Callable[[MarketTables, Clock], Provider]] = {
    "snapshot": SnapshotProvider,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a request ended: the parts of the answer, or the error; and every attempt.

    `provider` is the last one asked; empty when none could be asked.
    """

    fetched: tuple[Fetched, ...]
    provider: str
    attempts: tuple[Attempt, ...]
    error: YoujuError | None = None


class Chain:
    """Asks providers in order. Only a ProviderError moves on; NoDataError is an answer."""

    def __init__(
        self,
        providers: Mapping[str, Provider],
        chains: Mapping[str, tuple[str, ...]],
        clock: Clock,
    ) -> None:
        """`chains` maps a capability to provider names. Raises: ConfigError for an unknown name."""
        unknown = {name for names in chains.values() for name in names} - set(providers)
        if unknown:
            raise ConfigError(
                "YOUJU_CHAIN", f"unknown {sorted(unknown)}; valid: {' | '.join(sorted(providers))}"
            )
        self._providers = providers
        self._chains = chains
        self._clock = clock

    def ask(self, request: FetchRequest) -> Outcome:
        """Ask the chain of this request's capability; errors come back in the outcome."""
        capability = request.capability
        attempts: list[Attempt] = []
        error: YoujuError = UnavailableError(
            "chain", capability, "no provider is configured for it"
        )
        asked = ""
        for provider in self._able(capability):
            asked = provider.name
            started, ticks = self._clock.now(), time.perf_counter()
            try:
                fetched = provider.fetch(request)
            except (NoDataError, ProviderError) as failure:
                error = failure
                table = failure.table if isinstance(failure, ProviderError) else capability
                attempts.append(_attempt(asked, table, started, ticks, error))
                if isinstance(failure, NoDataError):
                    break
            else:
                attempts.append(_attempt(asked, fetched[0].table, started, ticks))
                return Outcome(fetched, asked, tuple(attempts))
        return Outcome((), asked, tuple(attempts), error)

    def _able(self, capability: str) -> list[Provider]:
        named = [self._providers[name] for name in self._chains.get(capability, ())]
        return [provider for provider in named if capability in provider.capabilities]


def _attempt(
    provider: str, table: str, started: datetime, ticks: float, error: YoujuError | None = None
) -> Attempt:
    return Attempt(
        provider=provider,
        table=table,
        started_at=started,
        duration_ms=(time.perf_counter() - ticks) * 1000,
        error=type(error).__name__ if error else None,
        message=str(error) if error else None,
    )
