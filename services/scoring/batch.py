"""Many companies scored by rule: one screen of the market stands for a valuation and peers each.

The very Step 1 and factors of a single score, asked of prepared answers. What a screen cannot tell
(bars, reports) is asked only in the bundled market, of the few companies it has them of. All others
are scored as a set first (core/sketch.py); the claims of one are made and verified when it is
looked at, and have the sketched figures.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal, NamedTuple

from services.core.clock import BEIJING, Clock, FixedClock
from services.core.errors import NoDataError, NotVerifiedError
from services.core.ledger import Answer, Ledger
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    FinancialsRequest,
    PeersRequest,
    ValuationRequest,
)
from services.core.symbols import Market, Symbol
from services.core.text import Text
from services.core.verifier import verify
from services.jobs.runner import CancelledError
from services.jobs.steps import Step, StepWatcher
from services.providers.retry import errand
from services.scoring.batch_summary import BatchSummary, Tally
from services.scoring.fact_words import RunSubject
from services.scoring.factors import (
    SketchedFactor,
    SketchedScore,
    require_total,
    scorecard,
)
from services.scoring.facts import AnalysisDesk, execute_step1, in_order
from services.scoring.models import Scorecard, Step1Output
from services.scoring.screened_market import ScreenedMarket

_TOLD_EVERY = 100
# What the sources of one company may take together, and a market's screen: as one question does.
_EACH_S = 75.0
_NO_INDUSTRY = Text("来源没有它的行业", "the source names no industry of it")
_NO_VALUE = Text("来源没有该公司的估值", "the source has no valuation of it")
_NOT_EACH = Text("整个市场的评分不逐家取数", "not fetched company by company for a whole market")


class ProvedScore(NamedTuple):
    """The facts and the card of a company, verified; both null where nothing is known of it."""

    step1: Step1Output | None = None
    card: Scorecard | None = None
    problem: Text | None = None


@dataclass(frozen=True)
class Scored:
    """One company of a batch: its score, and on demand the proof of it. With a `sketch` the proof
    is made when it is looked at; without, before it is handed over.
    """

    symbol: str
    name: str
    prove: Callable[[], ProvedScore]
    sketch: SketchedScore | None = None

    @cached_property
    def _proof(self) -> ProvedScore:
        found, sketch = self.prove(), self.sketch
        if sketch is not None and (found.card is None or _figures(found.card) != sketch):
            raise NotVerifiedError([f"{self.symbol}: the sketched score is not the proved one"])
        return found

    @property
    def problem(self) -> Text | None:
        """Why it has no score; None where it has one."""
        return self._proof.problem if self.sketch is None else self.sketch.problem

    @property
    def step1(self) -> Step1Output | None:
        """What is known of it, proved; null where nothing at all is. Raises: NotVerifiedError."""
        return self._proof.step1

    @property
    def card(self) -> Scorecard | None:
        """Its factors and their sum, as `step1`. Raises: NotVerifiedError."""
        return self._proof.card

    @property
    def figures(self) -> SketchedScore | None:
        """Its score and those of its factors; null where nothing at all is known."""
        if self.sketch is not None:
            return self.sketch
        return _figures(self._proof.card) if self._proof.card is not None else None


def _figures(card: Scorecard) -> SketchedScore:
    """The figures of a card."""
    claims = card.by_id

    def value(name: str | None) -> float | None:
        return claims[name].value if name is not None else None

    factors = tuple(SketchedFactor(one.factor, value(one.score)) for one in card.factors)
    return SketchedScore(factors, claims[card.coverage].value, value(card.total))


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
        screened = ScreenedMarket.of(ledger, market)
    return _Batch(ledger, desk, watch, screened, each_s).run(take)


class _Prepared:
    """The fetcher of one company's ledger: answers from the screen, and asks for the rest."""

    def __init__(self, run: Ledger, screened: ScreenedMarket, symbol: Symbol) -> None:
        self._run = run
        self._screened = screened
        self._symbol = symbol.value
        self._has_more = screened.has_more(symbol.value)
        self._part: Answer | None = None
        self._industry = screened.answer.label(self._symbol, "industry")

    def fetch(self, request: FetchRequest) -> Answer:
        """The answer. Raises: NoDataError, ProviderError."""
        if isinstance(request, ValuationRequest | PeersRequest):
            return self._from_screen(request)
        if isinstance(request, BarsRequest | FinancialsRequest) and self._has_more:
            return self._run.fetch(request)
        raise NoDataError(f"{request.capability} {self._symbol}", _NOT_EACH)

    def _from_screen(self, request: ValuationRequest | PeersRequest) -> Answer:
        if not self._screened.is_valued(self._symbol):
            raise NoDataError(f"{request.capability} {self._symbol}", _NO_VALUE)
        if isinstance(request, PeersRequest) and self._industry is None:
            raise NoDataError(f"peers {self._symbol}", _NO_INDUSTRY)
        if self._part is None:
            self._part = self._screened.beside(self._symbol)
        return self._part


@dataclass(frozen=True, slots=True)
class _Batch:
    """One market under way."""

    ledger: Ledger
    desk: AnalysisDesk
    watch: StepWatcher
    screened: ScreenedMarket
    each_s: float

    def run(self, take: Take) -> BatchSummary:
        """Score its companies one after another."""
        tally, symbols = Tally(), sorted(self.screened.symbols)
        for done, symbol in enumerate(symbols):
            if self.watch.cancelled():
                raise CancelledError("cancelled")
            if done % _TOLD_EVERY == 0:
                self._tell(done, len(symbols), "model_progress")
            with errand(self.each_s):
                one = self._one(Symbol(symbol))
                tally.count(one.figures, one.problem)
            take(one)
        self._tell(len(symbols), len(symbols), "composed")
        return tally.summary()

    def _tell(self, done: int, total: int, kind: Literal["model_progress", "composed"]) -> None:
        title = Text(f"已评 {done} / {total} 家", f"{done} of {total} companies done")
        self.watch.step(Step(kind=kind, title=title, round=done))

    def _one(self, symbol: Symbol) -> Scored:
        name, clock = self.desk.names.name(symbol), FixedClock(self.desk.clock.now())
        prove = partial(self._prove, symbol, clock)
        if not self.screened.can_sketch(symbol.value):
            return Scored(symbol.value, name, prove)
        subject = RunSubject(symbol, name, clock.now().astimezone(BEIJING).date())
        return Scored(symbol.value, name, prove, self.screened.sketch_score(subject))

    def _prove(self, symbol: Symbol, clock: Clock) -> ProvedScore:
        """Its facts and card as of that moment. Raises: NotVerifiedError."""
        ledger = Ledger(_Prepared(self.ledger, self.screened, symbol).fetch)
        desk = replace(self.desk, clock=clock)
        try:
            step1 = execute_step1(ledger, desk, symbol, _Quiet(), together=in_order)
        except NoDataError as error:
            return ProvedScore(problem=error.why)
        card = scorecard(step1, ledger)
        _require_verified(card, step1, clock)
        try:
            require_total(card)
        except NoDataError as error:
            return ProvedScore(step1, card, error.why)
        return ProvedScore(step1, card)


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
