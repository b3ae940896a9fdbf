"""A frozen snapshot's answers, as the chain gives them: recorded once, given again unchanged.

Whoever answered then is who answers now, at the instant it did; what was not asked then is not
worked out from what was.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import TypeAdapter

from services.core.clock import Clock
from services.core.errors import (
    ConfigError,
    NoDataError,
    PausedError,
    ProviderError,
    RateLimitError,
    YoujuError,
    provider_error,
)
from services.core.requests import BarsRequest, FetchRequest
from services.core.text import Text
from services.core.trace import Attempt
from services.providers.base import Fetched, Provider
from services.providers.chain import Chain, RequestOutcome
from services.providers.response_cache import within
from services.store.frozen_answers import (
    AnswerError,
    AnswerPart,
    Asked,
    ErrorKind,
    FrozenAnswer,
    FrozenAnswers,
    request_text,
)
from services.store.row_sets import RowSet
from services.store.snapshot import Manifest

_NAME = "snapshot"
_KIND: TypeAdapter[ErrorKind] = TypeAdapter(ErrorKind)
# What the market parts of a chosen set hold whole for each symbol; nothing about a whole market.
_OF_ONE = frozenset({"valuation", "daily_bars", "financials"})


@dataclass(slots=True)
class Recording:
    """The outcome of every request of a walk, in the order they were first asked."""

    found: dict[tuple[Asked, FetchRequest], RequestOutcome | None] = field(
        default_factory=dict[tuple[Asked, FetchRequest], RequestOutcome | None]
    )
    lock: threading.Lock = field(default_factory=threading.Lock)

    def settle(
        self, asked: Asked, request: FetchRequest, ask: Callable[[], RequestOutcome | None]
    ) -> RequestOutcome | None:
        """What was recorded for this request, or what it is now: one answer for the whole walk."""
        key = (asked, request)
        with self.lock:
            if key in self.found:
                return self.found[key]
        outcome = ask()
        with self.lock:
            return self.found.setdefault(key, outcome)

    def answers(self) -> list[FrozenAnswer]:
        """Everything recorded, ready to be written."""
        with self.lock:
            found = list(self.found.items())
        return [
            store_answer(asked, request, outcome)
            for (asked, request), outcome in found
            if outcome is not None
        ]


class RecordingChain(Chain):
    """A chain that asks another and records what came; the same question is asked once."""

    def __init__(self, inner: Chain, recording: Recording) -> None:
        """`inner` is asked. Nothing of its state is copied but what tells how sources do."""
        self._inner = inner
        self._recording = recording
        self.deadline_s = inner.deadline_s
        self.circuits = inner.circuits
        self.health = inner.health
        self.built_at = inner.built_at
        self.captured = inner.captured

    def ask(self, request: FetchRequest) -> RequestOutcome:
        """See Chain.ask."""
        settled = self._recording.settle("first", request, lambda: self._inner.ask(request))
        return settled or self._inner.ask(request)

    def pull(self, request: FetchRequest) -> RequestOutcome:
        """See Chain.pull: for the copy of a market, not an answer to a page."""
        return self._inner.pull(request)

    def second(self, request: FetchRequest, asked: Sequence[Attempt]) -> RequestOutcome | None:
        """See Chain.second."""
        return self._recording.settle("second", request, lambda: self._inner.second(request, asked))

    def probe(self, name: str, requests: Sequence[FetchRequest]) -> RequestOutcome:
        """See Chain.probe."""
        return self._inner.probe(name, requests)

    def has_source(self, request: FetchRequest) -> bool:
        """See Chain.has_source."""
        return self._inner.has_source(request)


class FrozenChain(Chain):
    """The chain of a frozen snapshot: no source is behind it but its own parts."""

    def __init__(
        self,
        providers: Mapping[str, Provider],
        chains: Mapping[str, tuple[str, ...]],
        clock: Clock,
        *,
        answers: FrozenAnswers,
        manifest: Manifest,
        copied: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        """`answers` are those of `manifest`; `providers` are asked for what its parts hold whole:
        the bundled market about a symbol, or, for the capabilities `copied`, a copy of markets.
        """
        built_at = None if manifest.frozen_live else manifest.fetched_at
        super().__init__(
            providers,
            {**chains, **(copied or {})},
            clock,
            built_at=built_at,
            captured=manifest.captured,
        )
        self._copied = copied or {}
        self._answers = answers
        self._manifest = manifest
        self._stands = clock

    @property
    def holds(self) -> Mapping[str, tuple[str, ...]]:
        """The capabilities it has some answer to, each with those who gave it."""
        named = () if self._manifest.frozen_live else _OF_ONE
        whole = dict.fromkeys(named, (_NAME,))
        return {**whole, **self._copied, **self._answers.providers()}

    def ask(self, request: FetchRequest) -> RequestOutcome:
        """The answer recorded to this request, or that it is not in here."""
        stored = self._answers.find("first", request.capability, request_text(request))
        if stored is not None:
            return outcome_of(stored)
        if self._holds_whole(request):
            return super().ask(request)
        return self._within(request) or self._of_copy(request) or self._absent(request)

    def pull(self, request: FetchRequest) -> RequestOutcome:
        """Nothing is pulled into a frozen snapshot."""
        return self._absent(request)

    def second(self, request: FetchRequest, asked: Sequence[Attempt]) -> RequestOutcome | None:
        """What a second source said then; None when none was asked."""
        stored = self._answers.find("second", request.capability, request_text(request))
        return outcome_of(stored) if stored is not None else None

    def probe(self, name: str, requests: Sequence[FetchRequest]) -> RequestOutcome:
        """No source is asked."""
        return self._absent(requests[0])

    def _holds_whole(self, request: FetchRequest) -> bool:
        """Whether the market parts have everything about the one symbol that is asked about."""
        scope = self._manifest.scope
        if scope is None or self._manifest.frozen_live or request.capability not in _OF_ONE:
            return False
        return scope.kind == "all" or getattr(request, "symbol", None) in scope.symbols

    def _of_copy(self, request: FetchRequest) -> RequestOutcome | None:
        """What the frozen copy of whole markets says; None where there is none to be asked."""
        if request.capability not in self._copied:
            return None
        found = super().ask(request)
        return found if found.error is None or isinstance(found.error, NoDataError) else None

    def _within(self, request: FetchRequest) -> RequestOutcome | None:
        """Bars of fewer days than some recorded answer has: those of its rows, nothing else."""
        if not isinstance(request, BarsRequest):
            return None
        for stored in self._answers.about(request.capability, request.symbol):
            known = BarsRequest.model_validate_json(stored.request)
            if _covers(known, request):
                found = outcome_of(stored)
                parts = tuple(within(part, request) for part in found.fetched)
                if parts[0].rows:
                    return replace(found, fetched=parts)
        return None

    def _absent(self, request: FetchRequest) -> RequestOutcome:
        subject = getattr(request, "symbol", None) or getattr(request, "market", None) or ""
        error = NoDataError(f"{request.capability} {subject}".strip(), self._why())
        attempt = Attempt(
            provider=_NAME,
            table=request.capability,
            started_at=self._stands.now(),
            duration_ms=0.0,
            error=NoDataError.__name__,
            message=str(error),
        )
        return RequestOutcome((), _NAME, (attempt,), error)

    def _why(self) -> Text:
        """That it was not frozen, and what was."""
        name, scope = self._manifest.name, self._manifest.scope
        held = f"：冻结的是{scope.zh}" if scope else ""
        holds = f": it holds {scope.en}" if scope else ""
        return Text(
            f"冻结的数据 {name} 不含此项{held}", f"not in the frozen snapshot {name}{holds}"
        )


def store_answer(asked: Asked, request: FetchRequest, outcome: RequestOutcome) -> FrozenAnswer:
    """An outcome as it is written down. How long asking took is no part of the answer."""
    return FrozenAnswer(
        asked=asked,
        capability=request.capability,
        request=request_text(request),
        provider=outcome.provider,
        attempts=tuple(one.model_copy(update={"duration_ms": 0.0}) for one in outcome.attempts),
        error=_write_error(outcome.error) if outcome.error else None,
        parts=tuple(_part(part) for part in outcome.fetched),
    )


def outcome_of(stored: FrozenAnswer) -> RequestOutcome:
    """The outcome as it was."""
    return RequestOutcome(
        fetched=tuple(_read_part(part) for part in stored.parts),
        provider=stored.provider,
        attempts=stored.attempts,
        error=_read_error(stored.error) if stored.error else None,
    )


def _write_error(error: YoujuError) -> AnswerError:
    kind = _KIND.validate_python(type(error).__name__)
    if isinstance(error, NoDataError):
        return AnswerError(kind=kind, subject=error.what, words=str(error.why))
    if isinstance(error, ConfigError):
        said = str(error).removeprefix(f"{error.variable}: ")
        return AnswerError(kind=kind, subject=error.variable, words=said)
    if isinstance(error, ProviderError):
        return AnswerError(
            kind=kind,
            subject=error.provider,
            words=error.message,
            table=error.table,
            tried=error.tried,
            until=error.until if isinstance(error, PausedError) else None,
            retry_after_s=error.retry_after_s if isinstance(error, RateLimitError) else None,
        )
    raise TypeError(f"{kind} is no outcome of a request") from error


def _read_error(written: AnswerError) -> YoujuError:
    subject, words = written.subject, written.words
    if written.kind == NoDataError.__name__:
        return NoDataError(subject, words)
    if written.kind == ConfigError.__name__:
        return ConfigError(subject, words)
    error = provider_error(
        written.kind,
        subject,
        written.table,
        words,
        until=written.until,
        retry_after_s=written.retry_after_s,
    )
    error.tried = written.tried
    return error


def _part(part: Fetched) -> AnswerPart:
    return AnswerPart(
        source=part.source,
        table=part.table,
        fetched_at=part.fetched_at,
        body_sha256=part.body_sha256,
        stale=part.stale,
        contents=RowSet(
            rows=part.rows,
            labels=dict(part.labels),
            gaps=part.gaps,
            items=part.items,
            members=part.members,
        ),
    )


def _read_part(part: AnswerPart) -> Fetched:
    contents = part.contents
    return Fetched(
        source=part.source,
        table=part.table,
        rows=contents.rows,
        fetched_at=part.fetched_at,
        body_sha256=part.body_sha256,
        labels=contents.labels,
        gaps=contents.gaps,
        items=contents.items,
        members=contents.members,
        stale=part.stale,
    )


def _covers(known: BarsRequest, wanted: BarsRequest) -> bool:
    first = known.start is None or (wanted.start is not None and known.start <= wanted.start)
    last = known.end is None or (wanted.end is not None and wanted.end <= known.end)
    return first and last
