"""Asking the sources of a capability in order, and writing down everyone who was asked.

Only a ProviderError moves on to the next; NoDataError is an answer. A kept answer within its time
to live is served before the source is asked again; past it, when every source failed or none has
answered soon: then it is still waited for behind (patience.py).
"""

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from services.core.sight import seen
from services.core.symbols import Symbol
from services.core.trace import Attempt
from services.providers.attempts import attempt_of, tries_of
from services.providers.base import Fetched, Provider
from services.providers.circuit import Circuits, Key
from services.providers.health import Health
from services.providers.long_history import LongHistory
from services.providers.patience import Patience
from services.providers.request_coalescing import Flights
from services.providers.response_cache import CachedAnswer, Keeper
from services.providers.retry import Errand, errand

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
class RequestOutcome:
    """How a request ended: the parts of the answer, or the error; and every attempt.

    `provider` is the last one asked; empty when none could be asked. `late`: it has not ended, and
    is waited for by nobody.
    """

    fetched: tuple[Fetched, ...]
    provider: str
    attempts: tuple[Attempt, ...]
    error: YoujuError | None = None
    late: bool = False


@dataclass(slots=True)
class _Course:
    """What happened so far in one asking."""

    attempts: list[Attempt] = field(default_factory=list[Attempt])
    error: YoujuError | None = None
    asked: str = ""
    keeps: bool = True

    def note_failure(self, failure: YoujuError) -> None:
        """The failure to tell: a source that merely lacks this one hides none that is broken."""
        lacks = isinstance(failure, NotCoveredError)
        if self.error is None or isinstance(self.error, NotCoveredError) or not lacks:
            self.error = failure


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
        long_history: LongHistory | None = None,
    ) -> None:
        """`chains` maps a capability to provider names; without a `keeper` nothing is kept.

        `wanting` names, for a capability no source is configured for, the variable to set.
        `built_at`: its answers are a bundle's, made then from its sources, not fetched now;
        `captured`: the day of each of those, by source and table. `long_history` is asked out of
        turn for what it wants, and no other's figures are held against its.

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
        self._flights: Flights[RequestOutcome] = Flights()
        self._patience = Patience()
        self.circuits = Circuits(clock)
        self.health = health or Health(clock)
        self._long = long_history

    def ask(self, request: FetchRequest) -> RequestOutcome:
        """Ask the chain of this request's capability; errors come back in the outcome.

        While one thread asks, others with the same question wait for its answer.
        """
        return self._flights.join(("ask", request), lambda: self._ask(request))

    def pull(self, request: FetchRequest) -> RequestOutcome:
        """What a source says now, for one who keeps it: no kept answer, no copy, nothing stored."""
        if variable := self._wanting.get(request.capability):
            return _refuse_unconfigured(variable, request)
        able = [one for one in self._able(request) if one.name not in _LOCAL]
        return self._flights.join(
            ("pull", request),
            lambda: self._course(request, able, keeps=False, early=self._early(request, able)),
        )

    def second(self, request: FetchRequest, asked: Sequence[Attempt]) -> RequestOutcome | None:
        """What a source not `asked` yet says to the same; None when there is none that can."""
        tried = frozenset(attempt.provider for attempt in asked)
        if self._long is not None:
            tried |= {self._long.name}
        others = [one for one in self._able(request) if one.name not in tried | _LOCAL]
        if not others:
            return None
        key = ("second", tried, request)

        def ask() -> RequestOutcome:
            return self._flights.join(key, lambda: self._course(request, others))

        if not self._patience.is_tried:
            return ask()
        # A source hangs already: the reader does not wait for two.
        return self._ask_soon(("soon", *key), others[0].name, request, ask)

    def probe(self, name: str, requests: Sequence[FetchRequest]) -> RequestOutcome:
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
            return RequestOutcome((), name, (), UnavailableError(name, "probe", words))
        course = _Course()
        with errand(self.deadline_s) as trip:
            found = self._one(provider, able[0], course, trip)
        return found or RequestOutcome((), name, tuple(course.attempts), course.error)

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

    def _ask(self, request: FetchRequest) -> RequestOutcome:
        if variable := self._wanting.get(request.capability):
            return _refuse_unconfigured(variable, request)
        able = self._able(request)
        asks = self._long is not None and self._long.asks
        early = self._early(request, able) if asks else None

        def ask() -> RequestOutcome:
            return self._course(request, able, early=early)

        kept = self._kept_before(request, able)
        copies = [one for one in able if one.name in _LOCAL]
        known = kept is not None or bool(copies)
        if not able or able[0] in copies or not (known or self._patience.is_tried):
            found = ask()
        else:
            found = self._ask_soon(("course", request), able[0].name, request, ask)
            if found.late and copies and kept is None:
                copied = self._course(request, copies)
                if copied.error is None:
                    return replace(copied, attempts=(*found.attempts, *copied.attempts))
        if not isinstance(found.error, ProviderError) or self._keeper is None:
            return found
        kept = kept or self._keeper.stale([one.name for one in able], request)
        if kept is None:
            return found
        attempt = self._make_kept_attempt(kept, "stale")
        return RequestOutcome(kept.parts, kept.provider, (*found.attempts, attempt))

    def _kept_before(self, request: FetchRequest, able: Sequence[Provider]) -> CachedAnswer | None:
        """The older answer that can stand in; None where there is none, or nobody will be asked."""
        if self._keeper is None or not able or able[0].name in _LOCAL:
            return None
        if self._keeper.fresh(able[0].name, request) is not None:
            return None
        return self._keeper.stale([one.name for one in able], request)

    def _ask_soon(
        self, key: Hashable, source: str, request: FetchRequest, ask: Callable[[], RequestOutcome]
    ) -> RequestOutcome:
        """What comes of it soon; otherwise that it is late, while it goes on behind."""
        started, ticks = self._clock.now(), time.perf_counter()
        found = self._patience.wait(source, lambda: self._flights.join(key, ask))
        if found is not None:
            return found
        words = "no answer yet; it is still waited for"
        late = UnavailableError(source, request.capability, words)
        attempt = attempt_of(source, request.capability, started, ticks, late)
        return RequestOutcome((), source, (attempt,), late, late=True)

    def _early(self, request: FetchRequest, able: Sequence[Provider]) -> Provider | None:
        """Who is asked before its turn; nobody where what is on this machine answers."""
        long, now = self._long, self._clock.now()
        if long is None or (able and able[0].name in _LOCAL) or not long.wants(request, now):
            return None
        return next((one for one in able if one.name == long.name), None)

    def _out_of_turn(
        self, provider: Provider, request: FetchRequest, course: _Course
    ) -> RequestOutcome | None:
        """Its answer, if nothing lacks in it; else None, with the attempt written down."""
        with errand(self.deadline_s * _PATIENCE["universe"]) as trip:
            found = self._read_kept(provider, request, course) or self._one(
                provider, request, course, trip
            )
        if found is None or found.error is not None or self._long is None:
            return None
        lacks = self._long.lacks(request, found.fetched, self._clock.now())
        if not lacks:
            return found
        waits = NotCoveredError(provider.name, request.capability, lacks)
        course.note_failure(waits)
        told = {"error": type(waits).__name__, "message": str(waits)}
        course.attempts = [*found.attempts[:-1], found.attempts[-1].model_copy(update=told)]
        return None

    def _course(
        self,
        request: FetchRequest,
        able: Sequence[Provider],
        *,
        keeps: bool = True,
        early: Provider | None = None,
    ) -> RequestOutcome:
        capability = request.capability
        course = _Course(keeps=keeps)
        if early is not None and (found := self._out_of_turn(early, request, course)):
            return found
        patience = self.deadline_s * _PATIENCE.get(capability, 1)
        with errand(patience) as whole:
            for place, provider in enumerate(able):
                last = place == len(able) - 1
                share = whole.left_s if last else whole.left_s * _SHARE
                with errand(share) as trip:
                    found = self._read_kept(provider, request, course) or self._one(
                        provider, request, course, trip
                    )
                if found is not None:
                    return found
        if course.error is None:
            course.error = NotCoveredError("chain", capability, "no source covers this one")
        if isinstance(course.error, ProviderError) and course.attempts:
            course.error.tried = tuple(dict.fromkeys(one.provider for one in course.attempts))
        return RequestOutcome((), course.asked, tuple(course.attempts), course.error)

    def _read_kept(
        self, provider: Provider, request: FetchRequest, course: _Course
    ) -> RequestOutcome | None:
        keeper = self._keeper if course.keeps else None
        kept = keeper.fresh(provider.name, request) if keeper else None
        if kept is None:
            return None
        self.health.hit(provider.name)
        attempts = (*course.attempts, self._make_kept_attempt(kept, "fresh"))
        return RequestOutcome(kept.parts, kept.provider, attempts)

    def _one(
        self, provider: Provider, request: FetchRequest, course: _Course, trip: Errand
    ) -> RequestOutcome | None:
        """The outcome if this provider settles it; None when the next one is to be asked."""
        name, capability = provider.name, request.capability
        course.asked = name
        started, ticks = self._clock.now(), time.perf_counter()
        key = Key(name, capability, _market(request))
        if pause := self.circuits.open(key):
            words = f"left alone until {pause.until:%H:%M:%S} ({pause.reason})"
            paused = PausedError(name, capability, words, until=pause.until)
            course.note_failure(paused)
            course.attempts.append(attempt_of(name, capability, started, ticks, paused))
            return None
        if name not in _LOCAL and trip.left_s < self.deadline_s * _LEAST_SHARE:
            # Nothing against the source: others have used up the time. What is on this machine
            # keeps nobody waiting, so it is asked all the same.
            late = UnavailableError(name, capability, "no time was left to ask it")
            course.note_failure(late)
            course.attempts.append(attempt_of(name, capability, started, ticks, late))
            return None
        try:
            with seen("source", name):
                fetched = provider.fetch(request)
            if self._keeper is not None and course.keeps and name not in _LOCAL:
                self._keeper.keep(name, request, fetched)
        except NoDataError as nothing:
            self._note_answer(key)
            course.attempts += tries_of(name, trip)
            course.attempts.append(attempt_of(name, capability, started, ticks, nothing))
            return RequestOutcome((), name, tuple(course.attempts), nothing)
        except ProviderError as failure:
            self._note_failure(key, failure)
            course.note_failure(failure)
            course.attempts += tries_of(name, trip, but=failure)
            course.attempts.append(attempt_of(name, failure.table, started, ticks, failure))
            return None
        self._note_answer(key)
        course.attempts += tries_of(name, trip)
        made = attempt_of(name, fetched[0].table, started, ticks)
        if any(part.stale for part in fetched):
            made = made.model_copy(update={"cached": "stale"})
        course.attempts.append(made)
        return RequestOutcome(fetched, name, tuple(course.attempts))

    def _note_answer(self, key: Key) -> None:
        self.circuits.note_success(key)
        self.health.note_success(key.provider)

    def _note_failure(self, key: Key, failure: ProviderError) -> None:
        if isinstance(failure, NotCoveredError):
            self._note_answer(key)
            return
        self.circuits.note_failure(key, failure)
        self.health.note_failure(key.provider, failure)

    def _make_kept_attempt(self, kept: CachedAnswer, how: Literal["fresh", "stale"]) -> Attempt:
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


def _refuse_unconfigured(variable: str, request: FetchRequest) -> RequestOutcome:
    words = f"not set; no source is configured for {request.capability}"
    return RequestOutcome((), "", (), ConfigError(variable, words))


def _market(request: FetchRequest) -> str:
    """The market a request is about, indexes apart (they often need another permission)."""
    symbol = getattr(request, "symbol", None)
    if symbol is None:
        return str(getattr(request, "market", ""))
    listed = Symbol(symbol)
    return f"{listed.market} index" if listed.is_index else listed.market
