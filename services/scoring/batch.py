"""Many companies scored by rule: one screen of the market stands for a valuation and peers each.

The very Step 1 and factors of a single score, asked of prepared answers. What a screen cannot tell
(bars, reports, news) is fetched company by company only for a short list, and in the bundled
market for the few companies it has them of.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from services.core.clock import Clock
from services.core.errors import NoDataError, NotVerifiedError
from services.core.ledger import Answer, Ledger
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    FinancialsRequest,
    PeersRequest,
    ScreenRequest,
    ValuationRequest,
)
from services.core.symbols import Market, Symbol
from services.core.text import Text
from services.core.trace import Fact, ToolCall
from services.core.verifier import verify
from services.jobs.runner import CancelledError
from services.jobs.steps import Step, StepWatcher
from services.market.outages import Absence, attempt
from services.providers.retry import errand
from services.scoring.batch_summary import BatchSummary, Tally
from services.scoring.fact_sector import PEERS
from services.scoring.factors import require_total, scorecard
from services.scoring.facts import AnalysisDesk, execute_step1, in_order
from services.scoring.models import Scorecard, Step1Output

# More companies than the largest market has.
_WHOLE = 20_000
# So many companies may be asked about one by one; more would hold a source up for hours.
MOST_THOROUGH = 60
_TOLD_EVERY = 100
_BUNDLED = "snapshot"
# The tables of the bundled market that few companies are in: who is, can be looked at closely.
_CLOSE = frozenset({"daily_bars", "annual_figures"})
# What the sources of one company may take together, and a market's screen: as one question does.
_EACH_S = 75.0
_NO_INDUSTRY = Text("来源没有它的行业", "the source names no industry of it")
_NO_VALUE = Text("来源没有该公司的估值", "the source has no valuation of it")
_NOT_EACH = Text("整个市场的评分不逐家取数", "not fetched company by company for a whole market")


@dataclass(frozen=True, slots=True)
class Scored:
    """One company of a batch: its facts and card, and `problem` where no score.

    `step1` and `card` are null where nothing at all is known of it.
    """

    symbol: str
    name: str
    step1: Step1Output | None = None
    card: Scorecard | None = None
    problem: Text | None = None


Take = Callable[[Scored], None]


def score_market(
    ledger: Ledger,
    desk: AnalysisDesk,
    market: Market,
    watch: StepWatcher,
    take: Take,
    *,
    each_s: float = _EACH_S,
) -> BatchSummary:
    """Every company of a market in symbol order; each is handed to `take` as it is done.

    `each_s` bounds what the sources of one company take, not the market: the last company has as
    much time as the first.

    Raises: NoDataError, ProviderError (no screen of the market), CancelledError: what was taken
    until then stands; NotVerifiedError, a fault of ours.
    """
    with errand(each_s):
        screened = _Screened.of(ledger, market)
    symbols = [Symbol(name) for name in sorted(screened.symbols)]
    screens: dict[Market, _Screened] = {market: screened}
    return _Batch(ledger, desk, watch, screens, each_s, thorough=False).run(symbols, take)


def score_each(
    ledger: Ledger,
    desk: AnalysisDesk,
    symbols: Sequence[Symbol],
    watch: StepWatcher,
    take: Take,
    *,
    each_s: float = _EACH_S,
) -> BatchSummary:
    """These companies, each once, in the order given.

    Up to MOST_THOROUGH of them are looked at as closely as one alone. Raises: as `score_market`,
    but for a market without a screen, which its companies' parts say.
    """
    wanted = list(dict.fromkeys(symbols))
    found: dict[Market, _Screened] = {}
    markets: list[Market] = [symbol.market for symbol in wanted]
    for market in markets:
        if market in found:
            continue
        screened = attempt(ledger, lambda asked=market: _Screened.of(ledger, asked))
        if not isinstance(screened, Absence):
            found[market] = screened
    thorough = len(wanted) <= MOST_THOROUGH
    return _Batch(ledger, desk, watch, found, each_s, thorough=thorough).run(wanted, take)


@dataclass(frozen=True)
class _Screened:
    """One screen of a market, looked up by company and by industry."""

    answer: Answer

    @classmethod
    def of(cls, ledger: Ledger, market: Market) -> "_Screened":
        request = ScreenRequest(market=market, order_by="market_cap", order="desc", size=_WHOLE)
        return cls(ledger.fetch(request))

    @property
    def symbols(self) -> tuple[str, ...]:
        """Every company of it, the largest first."""
        return tuple(self.answer.calls[0].labels)

    @cached_property
    def industries(self) -> Mapping[str, tuple[str, ...]]:
        """The companies of each industry, the largest first."""
        found: dict[str, list[str]] = {}
        for symbol in self.symbols:
            if industry := self.answer.label(symbol, "industry"):
                found.setdefault(industry, []).append(symbol)
        return {industry: tuple(names) for industry, names in found.items()}

    def has_more(self, symbol: str) -> bool:
        """Whether the bundled market has bars or reports of it: figures of another table."""
        facts = self.answer.facts(symbol)
        tables = {call.table for call, _ in facts if call.served_by == _BUNDLED}
        return bool(tables & _CLOSE)

    def beside(self, symbol: str) -> Answer:
        """What the screen says of a company and of the largest of its industry, those first."""
        industry = self.answer.label(symbol, "industry") or ""
        largest = self.industries.get(industry, ())[:PEERS]
        if symbol not in largest:
            return self._part((*largest, symbol))
        if industry not in self._of_largest:
            self._of_largest[industry] = self._part(largest)
        return self._of_largest[industry]

    @cached_property
    def _of_largest(self) -> dict[str, Answer]:
        """By industry, what its largest companies are told beside: one answer for all of them."""
        return {}

    def _part(self, wanted: Sequence[str]) -> Answer:
        """What the screen says of these companies alone, in that order."""
        rows: dict[str, list[Fact]] = {}
        for symbol in wanted:
            for call, fact in self.answer.facts(symbol):
                rows.setdefault(call.tool_call_id, []).append(fact)
        calls = [
            _only(call, wanted, rows[call.tool_call_id])
            for call in self.answer.calls
            if call.tool_call_id in rows
        ]
        return Answer(calls)


def _only(call: ToolCall, symbols: Sequence[str], rows: Sequence[Fact]) -> ToolCall:
    labels = {symbol: call.labels[symbol] for symbol in symbols if symbol in call.labels}
    return call.model_copy(update={"rows": tuple(rows), "labels": labels})


class _Prepared:
    """The fetcher of one company's ledger: answers from the screen, and asks for the rest."""

    def __init__(
        self, run: Ledger, screened: _Screened | None, symbol: Symbol, *, thorough: bool
    ) -> None:
        self._run = run
        self._screened = screened
        self._symbol = symbol.value
        self._thorough = thorough or (screened is not None and screened.has_more(symbol.value))
        self._part: Answer | None = None
        self._industry = screened.answer.label(self._symbol, "industry") if screened else None

    def fetch(self, request: FetchRequest) -> Answer:
        """The answer. Raises: NoDataError, ProviderError."""
        if isinstance(request, ValuationRequest | PeersRequest) and self._screened is not None:
            return self._from_screen(self._screened, request)
        if isinstance(request, BarsRequest | FinancialsRequest):
            if self._thorough:
                return self._run.fetch(request)
        elif self._thorough and (self._screened is None or not self._is_bundled):
            return self._run.fetch(request)
        raise NoDataError(f"{request.capability} {self._symbol}", _NOT_EACH)

    @property
    def _is_bundled(self) -> bool:
        answer = self._screened.answer if self._screened is not None else None
        return answer is not None and answer.calls[0].served_by == _BUNDLED

    def _from_screen(self, screened: _Screened, request: ValuationRequest | PeersRequest) -> Answer:
        facts = screened.answer.facts(self._symbol)
        if not any(fact.metric == "market_cap" for _, fact in facts):
            raise NoDataError(f"{request.capability} {self._symbol}", _NO_VALUE)
        if isinstance(request, PeersRequest) and self._industry is None:
            raise NoDataError(f"peers {self._symbol}", _NO_INDUSTRY)
        if self._part is None:
            self._part = screened.beside(self._symbol)
        return self._part


@dataclass(frozen=True, slots=True)
class _Batch:
    """One batch under way."""

    ledger: Ledger
    desk: AnalysisDesk
    watch: StepWatcher
    screens: Mapping[Market, _Screened]
    each_s: float
    thorough: bool

    def run(self, symbols: Sequence[Symbol], take: Take) -> BatchSummary:
        """Score them one after another."""
        tally = Tally()
        for done, symbol in enumerate(symbols):
            if self.watch.cancelled():
                raise CancelledError("cancelled")
            if done % _TOLD_EVERY == 0:
                self._tell(done, len(symbols), "model_progress")
            with errand(self.each_s):
                one = self._one(symbol)
            tally.count(one.card, one.problem)
            take(one)
        self._tell(len(symbols), len(symbols), "composed")
        return tally.summary(thorough=self.thorough)

    def _tell(self, done: int, total: int, kind: Literal["model_progress", "composed"]) -> None:
        title = Text(f"已评 {done} / {total} 家", f"{done} of {total} companies done")
        self.watch.step(Step(kind=kind, title=title, round=done))

    def _one(self, symbol: Symbol) -> Scored:
        name = self.desk.names.name(symbol)
        screened = self.screens.get(symbol.market)
        source = _Prepared(self.ledger, screened, symbol, thorough=self.thorough)
        ledger = Ledger(source.fetch)
        try:
            step1 = execute_step1(ledger, self.desk, symbol, _Quiet(), together=in_order)
        except NoDataError as error:
            return Scored(symbol.value, name, problem=error.why)
        card = scorecard(step1, ledger)
        _require_verified(card, step1, self.desk.clock)
        try:
            require_total(card)
        except NoDataError as error:
            return Scored(symbol.value, name, step1, card, error.why)
        return Scored(symbol.value, name, step1, card)


def _require_verified(card: Scorecard, step1: Step1Output, clock: Clock) -> None:
    """Every claim of the card against its own trace. Raises: NotVerifiedError."""
    result = verify(card.claims, step1.trace, clock.now())
    if not result.ok:
        raise NotVerifiedError([f"{one.check}: {one.reason}" for one in result.failures])


class _Quiet:
    """A batch tells its own steps, not those of each company."""

    def step(self, step: Step) -> None:
        """Nothing is kept."""

    def cancelled(self) -> bool:
        """Asked between companies only."""
        return False
