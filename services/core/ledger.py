"""The workings of one run: what was fetched, and the claims made from it.

A ledger is the only maker of claims, so every claim points at a call in its own trace. Work done
side by side goes on branches of it (`fork`), brought home one after another (`join`).
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from datetime import date
from functools import cache, cached_property

from services.core.aggregates import Aggregate, aggregate_claim
from services.core.catalogue import CATALOGUE
from services.core.claims import (
    Claim,
    CompetenceCite,
    DerivedCite,
    MembersRef,
    SeriesRef,
    ToolCite,
    claim_id,
)
from services.core.errors import YoujuError
from services.core.evaluation import evaluate
from services.core.expression_claims import expression_claim
from services.core.formulas import Formula, subject
from services.core.limits import COMPETENCES
from services.core.members import MembersIndex
from services.core.model_calls import ModelCall
from services.core.recomputation import confirmation
from services.core.relations import note_derivation
from services.core.requests import Bound, FetchRequest
from services.core.source_marks import join_notes
from services.core.trace import Fact, ToolCall, Trace, TraceIndex


@cache
def _cite_rule(competence_id: str) -> CompetenceCite:
    """The citation of a registered rule: one record, whoever it is applied to."""
    return CompetenceCite(competence_id=competence_id)


class Answer:
    """What one request brought: a call per source that contributed, and lookups over them."""

    def __init__(
        self,
        calls: Sequence[ToolCall],
        others: Sequence[ToolCall] = (),
        *,
        error: YoujuError | None = None,
    ) -> None:
        """`calls` are the calls of one request, the main source first.

        `others` are what another source said to the same, for what the first does not give, and
        the calls that failed. With `error` the request has no answer: it is raised.
        """
        self.calls = tuple(calls)
        self.others = tuple(others)
        self.error = error

    @cached_property
    def _by_symbol(self) -> Mapping[str, list[tuple[ToolCall, Fact]]]:
        found: dict[str, list[tuple[ToolCall, Fact]]] = {}
        for call in self.calls:
            for fact in call.rows:
                found.setdefault(fact.symbol, []).append((call, fact))
        return found

    @property
    def symbols(self) -> tuple[str, ...]:
        """Every symbol with a fact, in the order of the answer."""
        return tuple(self._by_symbol)

    @cached_property
    def metrics(self) -> frozenset[str]:
        """Every metric any symbol has in it."""
        return frozenset(fact.metric for call in self.calls for fact in call.rows)

    def facts(self, symbol: str, metric: str | None = None) -> list[tuple[ToolCall, Fact]]:
        """The facts of one symbol, each with the call it belongs to, in the order of the answer."""
        found = self._by_symbol.get(symbol, [])
        return [pair for pair in found if metric is None or pair[1].metric == metric]

    def elsewhere(self, symbol: str, metric: str | None = None) -> list[tuple[ToolCall, Fact]]:
        """As `facts`, of what another source said to the same request."""
        return [
            (call, fact)
            for call in self.others
            for fact in call.rows
            if fact.symbol == symbol and metric in {None, fact.metric}
        ]

    def label(self, symbol: str, name: str) -> str | None:
        """A text column of one symbol (`name`, `industry`); None when the source gave none."""
        for call in self.calls:
            if text := call.labels.get(symbol, {}).get(name):
                return text
        return None


Fetcher = Callable[[FetchRequest], Sequence[ToolCall] | Answer]


class _Answers:
    """The answers of a run and of all its branches: each request is asked once. Safe to share."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: dict[FetchRequest, Future[Answer]] = {}

    def get(self, request: FetchRequest, ask: Fetcher) -> Answer:
        """The answer kept, or under way on another branch, or asked for now; failures pass."""
        with self._lock:
            answer = self._found.get(request)
            mine = answer is None
            if answer is None:
                answer = self._found[request] = Future()
        if mine:
            self._ask(request, ask, answer)
        return answer.result()

    def _ask(self, request: FetchRequest, ask: Fetcher, answer: Future[Answer]) -> None:
        kept = False
        try:
            told = ask(request)
            found = told if isinstance(told, Answer) else Answer(told)
            answer.set_result(found)
            kept = found.error is None
        except BaseException as error:
            answer.set_exception(error)
            raise
        finally:
            if not kept:
                with self._lock:
                    del self._found[request]


class Ledger:
    """Collects the calls and claims of one run. Not shared between threads: fork it."""

    def __init__(self, fetcher: Fetcher, answers: _Answers | None = None) -> None:
        """`fetcher` asks the chain and returns a call per contributing source, or raises.

        `answers` are those of the ledger this is a branch of.
        """
        self._fetcher = fetcher
        self._calls: dict[str, ToolCall] = {}
        self._claims: dict[str, Claim] = {}
        self._answers = answers or _Answers()
        self._index: TraceIndex | None = None
        self._model_calls: list[ModelCall] = []

    @property
    def trace(self) -> Trace:
        """Every call so far, oldest first."""
        return Trace(tool_calls=tuple(self._calls.values()), model_calls=tuple(self._model_calls))

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Every claim so far; inputs come before what is derived from them."""
        return tuple(self._claims.values())

    def fetch(self, request: FetchRequest) -> Answer:
        """Ask for data; the calls are recorded, and asking the same again is answered from them.

        Raises: NoDataError, ProviderError.
        """
        answer = self._answers.get(request, self._fetcher)
        for call in (*answer.others, *answer.calls):
            self.record(call)
        if answer.error is not None:
            raise answer.error
        return answer

    def fork(self) -> "Ledger":
        """A branch for another thread: it asks nothing again that this ledger knows."""
        return Ledger(self._fetcher, self._answers)

    def join(self, branch: "Ledger") -> None:
        """Take over what a branch did, after what is here; the same as if it had been done here.

        To be called when the branch's work is over, whether it succeeded or not.
        """
        done = branch.trace
        for call in done.tool_calls:
            self.record(call)
        for claim in branch.claims:
            self._claims.setdefault(claim.claim_id, claim)
        self._model_calls += done.model_calls

    def record(self, call: ToolCall) -> None:
        """Add a call made elsewhere (a failed one, or another run's)."""
        if call.tool_call_id not in self._calls:
            self._calls[call.tool_call_id] = call
            self._index = None

    def record_model(self, call: ModelCall) -> None:
        """Add a call of a language model: what it took, never what it said."""
        self._model_calls.append(call)

    def claim(self, call: ToolCall, fact: Fact) -> Claim:
        """The claim that this fact of this call is so."""
        name = claim_id(call.tool_call_id, *fact.key)
        return self._keep(
            name,
            lambda: Claim(
                claim_id=name,
                value=fact.value,
                metric=fact.metric,
                metric_code=fact.metric_code,
                symbol=fact.symbol,
                as_of=fact.as_of,
                unit=fact.unit,
                period=fact.period,
                cite=ToolCite(
                    source=call.source,
                    table=call.table,
                    fetched_at=call.fetched_at,
                    tool_call_id=call.tool_call_id,
                    served_by=call.served_by,
                    field=fact.field,
                    raw=fact.raw,
                    note=fact.note,
                ),
            ),
        )

    def derive(
        self,
        formula: Formula,
        inputs: Sequence[Claim],
        *,
        series: Sequence[SeriesRef] = (),
        about_symbol: str | None = None,
    ) -> Claim | None:
        """The figure the formula gives, or None where arithmetic has no answer (a zero divisor).

        The claim is about the first input's symbol, or the series' when there are no inputs;
        `about_symbol` where it is a company held against others of the same answer.
        """
        values = formula.scope([item.value for item in inputs])
        values |= {ref.name: self.series_values(ref) for ref in series}
        try:
            answer = evaluate(formula.expression, values)
        except ZeroDivisionError:
            return None
        about = subject(
            formula, inputs, self._series_unit(series), series[-1].end if series else date.min
        )
        symbol = about_symbol or (inputs[0].symbol if inputs else series[0].symbol)
        names = tuple(item.claim_id for item in inputs)
        told = (about_symbol,) if about_symbol else ()
        name = claim_id(formula.metric, formula.expression, *names, *series, *told)

        def make_claim() -> Claim:
            note = note_derivation(formula, inputs, series, self._index_trace())
            cite = DerivedCite(
                formula=formula.expression, inputs=names, series=tuple(series), note=note
            )
            claim = Claim(
                claim_id=name,
                value=answer,
                metric=formula.metric,
                metric_code=CATALOGUE.codes.get(formula.metric),
                symbol=symbol,
                as_of=about.as_of,
                unit=about.unit,
                period=about.period,
                cite=cite,
            )
            second = confirmation(claim, series, self._index_trace())
            if second is None:
                return claim
            told = cite.model_copy(update={"note": join_notes(note, second)})
            return claim.model_copy(update={"cite": told})

        return self._keep(name, make_claim)

    def aggregate(
        self,
        call: ToolCall,
        formula: Aggregate,
        *,
        industry: str | None = None,
        listing: str | None = None,
        bounds: tuple[Bound, ...] = (),
    ) -> Claim | None:
        """The figure over the members that call holds (see core/aggregates.py); None where it has
        no answer, or the call no members.
        """
        index = self._index_trace().members(call.tool_call_id)
        if index is None:
            return None
        made = aggregate_claim(
            call.tool_call_id, index, formula, industry=industry, listing=listing, bounds=bounds
        )
        return self._keep(made.claim_id, lambda: made) if made else None

    def express(
        self,
        text: str,
        symbol: str,
        inputs: Sequence[Claim] = (),
        *,
        over: Sequence[ToolCall] = (),
        series: Sequence[SeriesRef] = (),
    ) -> Claim | None:
        """The figure an expression (core/expressions.py) gives of that company or market; None
        where something it needs is missing. `over`: the calls whose members it is taken over.

        Raises: ExpressionError.
        """
        trace = self._index_trace()
        refs = [
            MembersRef(
                name="members",
                tool_call_id=call.tool_call_id,
                sha256=index.digest,
                count=len(index.within()),
            )
            for call in over
            if (index := trace.members(call.tool_call_id)) is not None
        ]
        made = expression_claim(text, symbol, inputs, refs, series, trace)
        return self._keep(made.claim_id, lambda: made) if made else None

    def members(self, call: ToolCall) -> MembersIndex | None:
        """The members of a call of this run; None where it holds none."""
        return self._index_trace().members(call.tool_call_id)

    def competence(
        self, competence_id: str, metric: str, symbol: str, as_of: date, unit: str
    ) -> Claim:
        """A figure of a registered rule, applied to that symbol on that day."""
        value = COMPETENCES[competence_id].values[metric]
        # With its value: a rule whose figure changes one day makes other claims, not other content.
        name = claim_id(competence_id, metric, value, unit, symbol, as_of)
        return self._keep(
            name,
            lambda: Claim(
                claim_id=name,
                value=value,
                metric=metric,
                symbol=symbol,
                as_of=as_of,
                unit=unit,
                cite=_cite_rule(competence_id),
            ),
        )

    def window(
        self, name: str, call: ToolCall, symbol: str, metric: str, start: date, end: date
    ) -> SeriesRef:
        """A reference to a run of one metric in `call`, first and last day included."""
        found = self._index_trace().between(call.tool_call_id, symbol, metric, start, end)
        return SeriesRef(
            name=name,
            tool_call_id=call.tool_call_id,
            symbol=symbol,
            metric=metric,
            start=start,
            end=end,
            count=len(found),
        )

    def series_values(self, ref: SeriesRef) -> tuple[float, ...]:
        """The values a series reference stands for, oldest first."""
        return self._index_trace().between(
            ref.tool_call_id, ref.symbol, ref.metric, ref.start, ref.end
        )

    def _index_trace(self) -> TraceIndex:
        if self._index is None:
            self._index = TraceIndex(tuple(self._calls.values()))
        return self._index

    def _series_unit(self, series: Sequence[SeriesRef]) -> str:
        if not series:
            return ""
        return self._index_trace().unit(series[0].tool_call_id, series[0].metric)

    def _keep(self, name: str, make: Callable[[], Claim]) -> Claim:
        found = self._claims.get(name)
        if found is None:
            found = self._claims[name] = make()
        return found
