"""A company of the bundled market as Step 1 sees it, a reason that holds, and how to spoil it."""

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
from services.scoring.facts import Desk, execute_step1, in_order
from services.scoring.models import Draft, Scorecard, Step1Output
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

    def code(self, *, searched: bool = False) -> CodeReview:
        names = {self.step1.stock_code: (self.step1.stock_name,)}
        return CodeReview(self.step1, self.card, names, searched)

    def rendered(self, template: str) -> str:
        return render(template, self.card.by_id)


def given(symbol: str = BANK) -> Given:
    """The company as its facts stand at the snapshot's instant, had its source lost no session."""
    return _given(symbol)


@cache
def _given(symbol: str) -> Given:
    market = bundle()
    ledger = Ledger(unbroken(market.fetch))
    desk = Desk(names(), Calendar(), market.clock)
    step1 = execute_step1(
        ledger, desk, Symbol(symbol), Unwatched(), together=in_order, run_id="run_given"
    )
    return Given(step1, scorecard(step1, ledger))


def reason(found: Given | None = None, tail: str = "") -> str:
    """A reason of the bank that holds: every figure a place, the directions as Step 1 has them."""
    f = (found or given()).figure
    return (
        f"招商银行净资产收益率 {f('roe')}，盈利能力稳健；营收同比 {f('revenue_yoy')}，"
        f"净利润同比 {f('net_profit_yoy')}，利润增长。估值方面，市净率 {f('pb')}，"
        f"市盈率(TTM) {f('pe_ttm')}。最近收盘 {f('close')}。"
        f"新闻与公告没有取得，消息面缺少可用的资料，评分只反映已有的数据，"
        f"资料齐全之后应当重新核对。{tail}"
    )


def written(text: str | None = None, score: Any = 7.2, symbol: str = BANK) -> Mapping[str, Any]:
    """A draft as a model writes it."""
    told = reason() if text is None else text
    return {"stock_code": symbol, "hold_score": score, "summary_reason": told}


def draft(text: str | None = None, score: float = 7.2, symbol: str = BANK) -> Draft:
    """The same, read."""
    told = reason() if text is None else text
    return Draft(
        stock_code=symbol, hold_score=score, summary_reason=told, engine="model", model="scripted"
    )


def of_length(length: int) -> str:
    """A reason that holds but for its length, which is exactly that once it is rendered."""
    f = given().figure
    start = f"招商银行净资产收益率 {f('roe')}，营收同比 {f('revenue_yoy')}。"
    left = length - len(given().rendered(start))
    words = "资料缺失之处没有估算，"
    return start + (words * (left // len(words) + 1))[:left]


PASSED: Mapping[str, Any] = {"stock_code": BANK, "passed": True, "reason": ""}


def vetoed(why: str = "理由不完整") -> Mapping[str, Any]:
    return {"stock_code": BANK, "passed": False, "reason": why}
