"""A company of the bundled market as Step 1 sees it, and a choice of grounds that holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from services.core.claims import Claim
from services.core.ledger import Ledger
from services.core.rendering import place, render
from services.core.symbols import Symbol
from services.jobs.steps import Unwatched
from services.market.calendar import Calendar
from services.scoring.factors import scorecard
from services.scoring.facts import AnalysisDesk, execute_step1, in_order
from services.scoring.models import Scorecard, ScoreDraft, Step1Output
from services.scoring.reading import ScorerAnswer
from services.scoring.review import CodeReview
from tests.unit.market.bundled import bundle, names
from tests.unit.scoring.scored import unbroken

BANK, CARS = "600036.SH", "002594.SZ"


@dataclass(frozen=True)
class Given:
    """Step 1 of a company and its factors."""

    step1: Step1Output
    card: Scorecard

    def claim(self, metric: str) -> Claim:
        """The figure Step 1 gives of it."""
        claims = self.card.by_id
        parts = (self.step1.sector, self.step1.kline)
        named = [claims[one] for part in parts for one in part.figures]
        return next(one for one in named if one.metric == metric)

    def figure(self, metric: str) -> str:
        return place(self.claim(metric))

    def code(self) -> CodeReview:
        return CodeReview(self.step1, self.card)

    def rendered(self, template: str) -> str:
        return render(template, self.card.by_id)


def given(symbol: str = BANK) -> Given:
    """The company as its facts stand at the snapshot's instant, had its source lost no session."""
    return _given(symbol)


@cache
def _given(symbol: str) -> Given:
    market = bundle()
    ledger = Ledger(unbroken(market.fetch))
    desk = AnalysisDesk(names(), Calendar(), market.clock)
    step1 = execute_step1(
        ledger, desk, Symbol(symbol), Unwatched(), together=in_order, run_id="run_given"
    )
    return Given(step1, scorecard(step1, ledger))


# Grounds of the bank: its quality and its valuation, momentum, and that its revenue slowed.
CHOSEN = ("f2", "f1", "f4", "s1")


def written(
    score: Any = 7.2, symbol: str = BANK, chosen: Any = CHOSEN, **more: Any
) -> Mapping[str, Any]:
    """A choice as a model writes it."""
    return {"stock_code": symbol, "hold_score": score, "chosen": list(chosen), **more}


def draft(score: float = 7.2, symbol: str = BANK, chosen: tuple[str, ...] = CHOSEN) -> ScoreDraft:
    """The draft code makes of it."""
    return given().code().drafted(ScorerAnswer(symbol, score, chosen), "scripted", "zh")


PASSED: Mapping[str, Any] = {"stock_code": BANK, "passed": True}


def vetoed(why: str = "incomplete", *ids: str) -> Mapping[str, Any]:
    return {"stock_code": BANK, "passed": False, "why": why, "ids": list(ids)}
