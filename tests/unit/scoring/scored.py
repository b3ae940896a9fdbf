"""Step 1 and scorecards of real companies of the bundled snapshot, also with facts changed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

from services.core.claims import Claim
from services.core.errors import NoDataError
from services.core.ledger import Ledger
from services.core.requests import BarsRequest, FetchRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact, ToolCall
from services.jobs.steps import Step, StepWatcher, Unwatched
from services.market.calendar import Calendar
from services.scoring.factors import scorecard
from services.scoring.facts import AnalysisDesk, Together, execute_step1
from services.scoring.models import FactorScore, Scorecard, Step1Output
from services.tools.parallel import side_by_side
from tests.unit.market.bundled import bundle, names

BANK, CARS, HALTED, TENCENT = "600036.SH", "002594.SZ", "300104.SZ", "00700.HK"
MOUTAI, APPLE = "600519.SH", "AAPL"
# A company of which the snapshot knows too little for a score.
HSBC = "00005.HK"
READ = (BANK, CARS, HALTED, TENCENT, MOUTAI)

Change = Callable[[Fact], Fact | None]
Fetch = Callable[[FetchRequest], Sequence[ToolCall]]


@cache
def calendar() -> Calendar:
    return Calendar()


def desk() -> AnalysisDesk:
    return AnalysisDesk(names(), calendar(), bundle().clock, "builtin")


def changing(change: Change, *, bars: bool = True) -> Fetch:
    """The snapshot as a source, each fact put through `change`; None takes it away.

    Without `bars` there is no price to compute a course of, which is quicker.
    """
    real = bundle().fetch

    def fetch(request: FetchRequest) -> Sequence[ToolCall]:
        if not bars and isinstance(request, BarsRequest):
            raise NoDataError("daily_bars", Text("没有", "none"))
        return [
            call.model_copy(
                update={"rows": tuple(new for row in call.rows if (new := change(row)))}
            )
            for call in real(request)
        ]

    return fetch


def unbroken(fetch: Fetch) -> Fetch:
    """That source if it had lost no session: its bars follow each other."""

    def ask(request: FetchRequest) -> Sequence[ToolCall]:
        return [call.model_copy(update={"gaps": ()}) for call in fetch(request)]

    return ask


def failing(kind: type[FetchRequest], error: Exception) -> Fetch:
    """The snapshot as a source that fails on one kind of question."""
    real = bundle().fetch

    def fetch(request: FetchRequest) -> Sequence[ToolCall]:
        if isinstance(request, kind):
            raise error
        return real(request)

    return fetch


@dataclass
class Told:
    """A watch that keeps what it was told, and may stop the work after some steps."""

    steps: list[Step] = field(default_factory=list)
    stop_after: int | None = None

    def step(self, step: Step) -> None:
        self.steps.append(step)

    def cancelled(self) -> bool:
        return self.stop_after is not None and len(self.steps) >= self.stop_after


def step1_of(
    symbol: str,
    fetch: Fetch | None = None,
    *,
    together: Together = side_by_side,
    watch: StepWatcher | None = None,
) -> Step1Output:
    ledger = Ledger(fetch or bundle().fetch)
    return execute_step1(ledger, desk(), Symbol(symbol), watch or Unwatched(), together=together)


@dataclass(frozen=True)
class Looked:
    """A scorecard with the values behind its ids."""

    step1: Step1Output
    card: Scorecard

    @property
    def total(self) -> float | None:
        return self.card.by_id[self.card.total].value if self.card.total else None

    @property
    def coverage(self) -> float:
        return self.card.by_id[self.card.coverage].value

    def factor(self, name: str) -> FactorScore:
        return next(one for one in self.card.factors if one.factor == name)

    def score(self, name: str) -> float | None:
        found = self.factor(name).score
        return self.card.by_id[found].value if found else None

    def share(self, name: str) -> float:
        return self.card.by_id[self.factor(name).coverage].value

    def grade(self, name: str) -> float:
        return self.claim(f"{name}_grade").value

    def claim(self, metric: str) -> Claim:
        own = [
            claim
            for claim in self.card.claims
            if claim.metric == metric and claim.symbol == self.card.stock_code
        ]
        assert own, metric
        return own[-1]


def looked(symbol: str, fetch: Fetch | None = None, *, together: Together = side_by_side) -> Looked:
    step1 = step1_of(symbol, fetch, together=together)
    return Looked(step1, scorecard(step1))


@cache
def known(symbol: str) -> Looked:
    """The company as the snapshot has it; computed once."""
    return looked(symbol)
