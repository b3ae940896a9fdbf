"""Asking the sources of a capability in order, and writing down everyone who was asked.

Only a ProviderError moves on to the next; NoDataError is an answer. A kept answer within its time
to live is served before the source is asked again; past it, only when every source failed.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from services.core.clock import BEIJING, Clock
from services.core.errors import (
    ConfigError,
    NoDataError,
    NotCoveredError,
    PausedError,
    ProviderError,
    UnavailableError,
    YoujuError,
)
from services.core.requests import FetchRequest
from services.core.symbols import Symbol
from services.core.trace import Attempt
from services.providers.base import Fetched, Provider
from services.providers.circuit import Circuits, Key
from services.providers.health import Health
from services.providers.http import Errand, errand
from services.providers.request_coalescing import Flights
from services.providers.response_cache import Keeper, Kept

# Pulling a whole market takes dozens of pages: its deadline is longer by that factor.
_PATIENCE: Mapping[str, float] = {
    "universe": 8,
    "market_reports": 4,
    "screen": 8,
    "points": 8,
    "summary": 8,
    "peers": 8,
}
# Of the time that is left, how much one source may use while another stands behind it.
_SHARE = 0.6
# Of the deadline of one question, the least that is worth asking a source with.
_LEAST_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a request ended: the parts of the answer, or the error; and every attempt.

    `provider` is the last one asked; empty when none could be asked.
    """

    fetched: tuple[Fetched, ...]
    provider: str
    attempts: tuple[Attempt, ...]
    error: YoujuError | None = None


@dataclass(slots=True)
class _Course:
    """What happened so far in one asking."""

    attempts: list[Attempt] = field(default_factory=list[Attempt])
    error: YoujuError | None = None
    asked: str = ""
    keeps: bool = True


class Chain:
    """Asks providers in order. Safe to share between threads."""

    def __init__(
        self,
        providers: Mapping[str, Provider],
        chains: Mapping[str, tuple[str, ...]],
        clock: Clock,
        *,
        keeper: Keeper | None = None,
        health: Health | None = None,
        deadline_s: float = 25.0,
        wanting: Mapping[str, str] | None = None,
        built_at: datetime | None = None,
        captured: Mapping[tuple[str, str], date] | None = None,
    ) -> None:
        """`chains` maps a capability to provider names; without a `keeper` nothing is kept.

        `wanting` names, for a capability no source is configured for, the variable to set.
        `built_at`: its answers are a bundle's, made then from its sources, not fetched now;
        `captured`: the day of each of those, by source and table.

        Raises: ConfigError for an unknown name.
        """
        unknown = {name for names in chains.values() for name in names} - set(providers)
        if unknown:
            raise ConfigError(
                "YOUJU_CHAINS", f"unknown {sorted(unknown)}; valid: {' | '.join(sorted(providers))}"
            )
        self._providers = providers
        self._chains = chains
        self._clock = clock
        self._keeper = keeper
        self.deadline_s = deadline_s
        self._wanting = wanting or {}
        self.built_at = built_at
        self.captured = (captured or {}) if built_at is not None else {}
        self._flights: Flights[Outcome] = Flights()
        self.circuits = Circuits(clock)
        self.health = health or Health(clock)

    def ask(self, request: FetchRequest) -> Outcome:
        """Ask the chain of this request's capability; errors come back in the outcome.

        While one thread asks, others with the same question wait for its answer.
        """
        return self._flights.join(("ask", request), lambda: self._ask(request))

    def pull(self, request: FetchRequest) -> Outcome:
        """What a source says now, for one who keeps it: no kept answer, no copy, nothing stored."""
        if variable := self._wanting.get(request.capability):
            return _unconfigured(variable, request)
        able = [one for one in self._able(request) if one.name not in _LOCAL]
        return self._flights.join(
            ("pull", request), lambda: self._course(request, able, keeps=False)
        )

    def second(self, request: FetchRequest, asked: Sequence[Attempt]) -> Outcome | None:
        """What a source not `asked` yet says to the same; None when there is none that can."""
        tried = frozenset(attempt.provider for attempt in asked)
        others = [one for one in self._able(request) if one.name not in tried | _LOCAL]
        if not others:
            return None
        return self._flights.join(("second", tried, request), lambda: self._course(request, others))

    def probe(self, name: str, requests: Sequence[FetchRequest]) -> Outcome:
        """Ask this one source now the first of `requests` it answers, whatever is kept.

        A pause it was given ends. Raises: KeyError for an unknown name.
        """
        provider = self._providers[name]
        able = [
            one
            for one in requests
            if one.capability in provider.capabilities and provider.covers(one)
        ]
        self.circuits.close(name)
        if not able:
            words = "there is nothing small to ask it"
            return Outcome((), name, (), UnavailableError(name, "probe", words))
        course = _Course()
        with errand(self.deadline_s) as trip:
            found = self._one(provider, able[0], course, trip)
        return found or Outcome((), name, tuple(course.attempts), course.error)

    def covers(self, name: str, request: FetchRequest) -> bool:
        """Whether that source could answer this. Raises: KeyError for an unknown name."""
        provider = self._providers[name]
        return request.capability in provider.capabilities and provider.covers(request)

    def has_source(self, request: FetchRequest) -> bool:
        """Whether any configured source could ever answer this."""
        return bool(self._able(request))

    @property
    def today(self) -> date:
        """The clock's day in Beijing."""
        return self._clock.now().astimezone(BEIJING).date()

    def _ask(self, request: FetchRequest) -> Outcome:
        if variable := self._wanting.get(request.capability):
            return _unconfigured(variable, request)
        able = self._able(request)
        found = self._course(request, able)
        if not isinstance(found.error, ProviderError) or self._keeper is None:
            return found
        kept = self._keeper.stale([one.name for one in able], request)
        if kept is None:
            return found
        attempt = self._kept_attempt(kept, "stale")
        return Outcome(kept.parts, kept.provider, (*found.attempts, attempt))

    def _course(
        self, request: FetchRequest, able: Sequence[Provider], *, keeps: bool = True
    ) -> Outcome:
        capability = request.capability
        nobody = UnavailableError("chain", capability, "no source covers this one")
        course = _Course(error=nobody, keeps=keeps)
        patience = self.deadline_s * _PATIENCE.get(capability, 1)
        with errand(patience) as whole:
            for place, provider in enumerate(able):
                last = place == len(able) - 1
                share = whole.left_s if last else whole.left_s * _SHARE
                with errand(share) as trip:
                    found = self._kept(provider, request, course) or self._one(
                        provider, request, course, trip
                    )
                if found is not None:
                    return found
        if isinstance(course.error, ProviderError) and course.attempts:
            course.error.tried = tuple(dict.fromkeys(one.provider for one in course.attempts))
        return Outcome((), course.asked, tuple(course.attempts), course.error)

    def _kept(self, provider: Provider, request: FetchRequest, course: _Course) -> Outcome | None:
        keeper = self._keeper if course.keeps else None
        kept = keeper.fresh(provider.name, request) if keeper else None
        if kept is None:
            return None
        self.health.hit(provider.name)
        attempts = (*course.attempts, self._kept_attempt(kept, "fresh"))
        return Outcome(kept.parts, kept.provider, attempts)

    def _one(
        self, provider: Provider, request: FetchRequest, course: _Course, trip: Errand
    ) -> Outcome | None:
        """The outcome if this provider settles it; None when the next one is to be asked."""
        name, capability = provider.name, request.capability
        course.asked = name
        started, ticks = self._clock.now(), time.perf_counter()
        key = Key(name, capability, _market(request))
        if pause := self.circuits.open(key):
            words = f"left alone until {pause.until:%H:%M:%S} ({pause.reason})"
            course.error = PausedError(name, capability, words, until=pause.until)
            course.attempts.append(_attempt(name, capability, started, ticks, course.error))
            return None
        if name not in _LOCAL and trip.left_s < self.deadline_s * _LEAST_SHARE:
            # Nothing against the source: others have used up the time. What is on this machine
            # keeps nobody waiting, so it is asked all the same.
            course.error = UnavailableError(name, capability, "no time was left to ask it")
            course.attempts.append(_attempt(name, capability, started, ticks, course.error))
            return None
        try:
            fetched = provider.fetch(request)
            if self._keeper is not None and course.keeps and name not in _LOCAL:
                self._keeper.keep(name, request, fetched)
        except NoDataError as nothing:
            self._answered(key)
            course.attempts += _tries(name, trip)
            course.attempts.append(_attempt(name, capability, started, ticks, nothing))
            return Outcome((), name, tuple(course.attempts), nothing)
        except ProviderError as failure:
            self._failed(key, failure)
            course.error = failure
            course.attempts += _tries(name, trip, but=failure)
            course.attempts.append(_attempt(name, failure.table, started, ticks, failure))
            return None
        self._answered(key)
        course.attempts += _tries(name, trip)
        made = _attempt(name, fetched[0].table, started, ticks)
        if any(part.stale for part in fetched):
            made = made.model_copy(update={"cached": "stale"})
        course.attempts.append(made)
        return Outcome(fetched, name, tuple(course.attempts))

    def _answered(self, key: Key) -> None:
        self.circuits.succeeded(key)
        self.health.succeeded(key.provider)

    def _failed(self, key: Key, failure: ProviderError) -> None:
        if isinstance(failure, NotCoveredError):
            self._answered(key)
            return
        self.circuits.failed(key, failure)
        self.health.failed(key.provider, failure)

    def _kept_attempt(self, kept: Kept, how: Literal["fresh", "stale"]) -> Attempt:
        return Attempt(
            provider=kept.provider,
            table=kept.parts[0].table,
            started_at=self._clock.now(),
            duration_ms=0.0,
            cached=how,
        )

    def _able(self, request: FetchRequest) -> list[Provider]:
        named = [self._providers[name] for name in self._chains.get(request.capability, ())]
        return [
            one for one in named if request.capability in one.capabilities and one.covers(request)
        ]


# Kept elsewhere already, or never to be kept: the snapshot and the copy of a whole market.
_LOCAL = frozenset({"snapshot", "market_copy"})


def _unconfigured(variable: str, request: FetchRequest) -> Outcome:
    words = f"not set; no source is configured for {request.capability}"
    return Outcome((), "", (), ConfigError(variable, words))


def _market(request: FetchRequest) -> str:
    """The market a request is about, indexes apart (they often need another permission)."""
    symbol = getattr(request, "symbol", None)
    if symbol is None:
        return str(getattr(request, "market", ""))
    listed = Symbol(symbol)
    return f"{listed.market} index" if listed.is_index else listed.market


def _tries(provider: str, trip: Errand, but: ProviderError | None = None) -> list[Attempt]:
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
