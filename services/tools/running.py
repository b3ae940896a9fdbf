"""One run: a ledger over the chain of sources, every claim verified, everything stored.

Tools and reports both work through `Runner.run`, so nothing is shown that was not checked and kept.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from typing import Any, Generic, TypeVar
from uuid import uuid4

from pydantic import JsonValue

from services.core.claims import Claim
from services.core.clock import Clock
from services.core.errors import NoDataError, NotVerifiedError, YoujuError
from services.core.ledger import Answer, Fetcher, Ledger
from services.core.requests import FetchRequest
from services.core.trace import Attempt, ToolCall, Trace
from services.core.verifier import verify
from services.market.outages import nothing_said
from services.market.splits import flag_splits
from services.providers.chain import Chain, RequestOutcome
from services.providers.retry import errand
from services.settings import CROSS_CHECKED
from services.store.runs import Run, Runs
from services.tools.kept_runs import KeptRuns, is_lasting, key_of

T = TypeVar("T")
# How many questions' deadlines a whole run may take: what hangs must not add up.
_QUESTIONS = 3


@dataclass(frozen=True, slots=True)
class Finished(Generic[T]):
    """What a run brought: its output, the claims and trace behind it, stored under `run_id`."""

    run_id: str
    output: T
    claims: tuple[Claim, ...]
    trace: Trace


class Runner:
    """Makes ledgers that ask the chain, and keeps what they did."""

    def __init__(self, chain: Chain, runs: Runs, clock: Clock) -> None:
        """`chain` answers requests, `runs` keeps the record."""
        self._chain = chain
        self._runs = runs
        self._clock = clock
        self._kept: KeptRuns[Finished[Any]] = KeptRuns()

    @property
    def patience_s(self) -> float:
        """How long the sources of one tool's work may take together, in seconds."""
        return self._chain.deadline_s * _QUESTIONS

    def run(
        self,
        kind: str,
        arguments: Mapping[str, JsonValue],
        work: Callable[[Ledger], T],
        *,
        session_id: str,
        patience_s: float | None = None,
    ) -> Finished[T]:
        """Do `work` with a fresh ledger; every claim is verified before anything is returned.

        `patience_s` bounds all its questions to sources together, if not by three questions' time.
        The run is stored in either case: a failure with its class and the calls made so far.
        Raises: NotVerifiedError, and whatever `work` raises.
        """
        run_id = self._run_id()
        started_at, began = self._clock.now(), perf_counter()
        ledger = Ledger(self._fetcher(kind, arguments))
        status, message = "interrupted", None
        try:
            with errand(patience_s or self.patience_s):
                output = work(ledger)
            self._check(ledger)
            status = "ok"
            return Finished(run_id, output, ledger.claims, ledger.trace)
        except Exception as error:
            status = type(error).__name__
            message = str(error) if isinstance(error, YoujuError) else None
            raise
        finally:
            run = Run(
                run_id=run_id,
                session_id=session_id,
                kind=kind,
                arguments=dict(arguments),
                started_at=started_at,
                duration_ms=_since(began),
                status=status,
                message=message,
            )
            self._keep(run, ledger)

    def try_out(
        self, kind: str, arguments: Mapping[str, JsonValue], work: Callable[[Ledger], T]
    ) -> T:
        """As `run`, but nothing is kept: what is only weighed is shown to nobody."""
        with errand(self.patience_s):
            return work(Ledger(self._fetcher(kind, arguments)))

    def run_once(
        self,
        kind: str,
        arguments: Mapping[str, JsonValue],
        work: Callable[[Ledger], T],
        *,
        session_id: str,
    ) -> Finished[T]:
        """As `run`, for `work` that hangs on kind and arguments alone and whose output nobody
        changes: of a bundle it is done once.

        Whoever asks the same later gets a run of their own, of the calls and claims of the first:
        nobody reads a record that is another's.
        """
        if not self._is_settled():
            return self.run(kind, arguments, work, session_id=session_id)
        key, started_at, began = key_of(kind, arguments), self._clock.now(), perf_counter()

        def make() -> tuple[Finished[T], bool]:
            made = self.run(kind, arguments, work, session_id=session_id)
            return made, is_lasting(made.trace)

        first, is_new = self._kept.join(key, make)
        if is_new:
            return first
        run = Run(
            run_id=self._run_id(),
            session_id=session_id,
            kind=kind,
            arguments=dict(arguments),
            started_at=started_at,
            duration_ms=_since(began),
            status="ok",
        )
        if not self._runs.save_again(run, first.run_id):  # swept meanwhile, or of another reader
            self._runs.save(run, first.trace.tool_calls, first.claims)
        return replace(first, run_id=run.run_id)

    def _is_settled(self) -> bool:
        """Whether the same question has the same answer for good."""
        return self._chain.built_at is not None

    def _run_id(self) -> str:
        return "run_" + uuid4().hex[:12]

    def _fetcher(self, kind: str, arguments: Mapping[str, JsonValue]) -> Fetcher:
        return _Asking(self._chain, self._clock, kind, arguments).fetch

    def _keep(self, run: Run, ledger: Ledger) -> None:
        self._runs.save(run, ledger.trace.tool_calls, ledger.claims, ledger.trace.model_calls)

    def _check(self, ledger: Ledger) -> None:
        claims = ledger.claims
        result = verify(claims, ledger.trace, self._now(ledger))
        if not result.ok:
            raise NotVerifiedError(
                [
                    f"{claim.metric} of {claim.symbol}: {failure.check}: {failure.reason}"
                    for failure in result.failures
                    for claim in (claims[failure.claim_index],)
                ]
            )

    def _now(self, ledger: Ledger) -> datetime:
        """The instant its claims are verified at."""
        return self._clock.now()


class _Asking:
    """The fetcher of one run: asks the chain and writes down who was asked and what came.

    It keeps nothing itself, so branches of the run's ledger may ask at the same time.
    """

    def __init__(
        self, chain: Chain, clock: Clock, kind: str, arguments: Mapping[str, JsonValue]
    ) -> None:
        self._chain = chain
        self._clock = clock
        self._kind = kind
        self._arguments = dict(arguments)

    def fetch(self, request: FetchRequest) -> Answer:
        """The answer of the chain; what another source says beside it where figures are checked."""
        began = perf_counter()
        outcome = self._chain.ask(request)
        arguments: dict[str, JsonValue] = {
            **self._arguments,
            "request": {
                "capability": request.capability,
                **request.model_dump(mode="json", exclude_none=True),
            },
        }
        error = outcome.error
        if error is not None:
            failed = self._make_failed_call(outcome, arguments, _since(began))
            if isinstance(error, NoDataError):
                error = nothing_said(error, outcome.attempts)
            return Answer((), (failed,), error=error)
        calls = self._calls(outcome, arguments, _since(began))
        if request.capability not in CROSS_CHECKED:
            return Answer(calls)
        return Answer(calls, self._another(request, outcome.attempts, arguments))

    def _another(
        self,
        request: FetchRequest,
        asked: Sequence[Attempt],
        arguments: dict[str, JsonValue],
    ) -> list[ToolCall]:
        """What a second source says to the same; its failure changes nothing."""
        began = perf_counter()
        outcome = self._chain.second(request, asked)
        if outcome is None:
            return []
        failed = outcome.error is not None
        told = [self._make_failed_call(outcome, arguments, _since(began))] if failed else []
        return told + self._calls(outcome, arguments, _since(began))

    def _calls(
        self, outcome: RequestOutcome, arguments: dict[str, JsonValue], duration_ms: float
    ) -> list[ToolCall]:
        return [
            ToolCall(
                tool_call_id=call_id(),
                name=self._kind,
                arguments=arguments,
                attempts=outcome.attempts,
                source=fetched.source,
                table=fetched.table,
                served_by=outcome.provider or "",
                fetched_at=self._chain.built_at or fetched.fetched_at,
                captured=self._chain.captured.get((fetched.source, fetched.table)),
                duration_ms=duration_ms,
                body_sha256=fetched.body_sha256,
                rows=tuple(flag_splits(fetched.rows)),
                labels=dict(fetched.labels),
                gaps=fetched.gaps,
                items=fetched.items,
                members=fetched.members,
            )
            for fetched in outcome.fetched
        ]

    def _make_failed_call(
        self, outcome: RequestOutcome, arguments: dict[str, JsonValue], duration_ms: float
    ) -> ToolCall:
        last = outcome.attempts[-1] if outcome.attempts else None
        name = last.provider if last else ""
        return ToolCall(
            tool_call_id=call_id(),
            name=self._kind,
            arguments=arguments,
            attempts=outcome.attempts,
            source=name,
            table=last.table if last else "",
            served_by=name,
            fetched_at=self._clock.now(),
            duration_ms=duration_ms,
        )


def call_id() -> str:
    """A new tool_call_id: one per fetch, never repeated."""
    return "tc_" + uuid4().hex[:12]


def _since(began: float) -> float:
    return round((perf_counter() - began) * 1000, 3)
