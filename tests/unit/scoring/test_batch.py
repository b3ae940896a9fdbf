"""A batch asks a market once, says of each company what a single score says, and can be stopped."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import pytest

from services.core.ledger import Ledger
from services.core.requests import BarsRequest, FetchRequest
from services.core.symbols import Market, Symbol
from services.core.text import Text
from services.core.trace import ToolCall
from services.jobs.runner import CancelledError
from services.jobs.steps import Unwatched
from services.providers import retry
from services.providers.base import Fetched
from services.providers.chain import Chain
from services.providers.retry import time_left
from services.providers.snapshot import SnapshotProvider
from services.scoring.batch import Scored, score_market
from services.scoring.batch_summary import BatchSummary, Tally, without_vetoed
from services.scoring.factors import scorecard
from services.scoring.scorer import MarketScore, Scorer
from services.scoring.workflow import ScoringWorkflow
from services.settings import Settings
from services.store.database import Database
from services.store.runs import Runs
from services.tools.running import Runner
from tests.fakes.clocks import Hand
from tests.unit.market.bundled import bundle, kit
from tests.unit.scoring.scored import (
    APPLE,
    BANK,
    CARS,
    HSBC,
    MOUTAI,
    READ,
    Told,
    desk,
    known,
)


class Counting:
    """The snapshot, counting what it is asked."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def fetch(self, request: FetchRequest) -> Sequence[ToolCall]:
        self.asked[request.capability] += 1
        return bundle().fetch(request)


def score(
    market: Market, source: Counting | None = None, watch: Told | None = None
) -> tuple[dict[str, Scored], BatchSummary]:
    found: dict[str, Scored] = {}

    def take(one: Scored) -> None:
        found[one.symbol] = one

    ledger = Ledger((source or Counting()).fetch)
    return found, score_market(ledger, desk(), market, watch or Unwatched(), take)


def value(one: Scored) -> float | None:
    if one.card is None or one.card.total is None:
        return None
    return one.card.by_id[one.card.total].value


class Whole(NamedTuple):
    """One whole market, and what it asked and told."""

    found: dict[str, Scored]
    summary: BatchSummary
    source: Counting
    watch: Told


@cache
def whole(market: Market) -> Whole:
    source, watch = Counting(), Told()
    found, summary = score(market, source, watch)
    return Whole(found, summary, source, watch)


def test_a_market_is_asked_once_and_companies_only_where_there_is_more() -> None:
    found, summary, source, _ = whole("HK")
    assert summary.asked == len(found) > 2000
    assert source.asked["screen"] == 1
    assert source.asked["valuation"] == source.asked["peers"] == source.asked["news"] == 0
    # Tencent and HSBC are among the handful that the snapshot has bars or reports of.
    assert 1 <= source.asked["financials"] <= 9
    assert summary.scored == sum(one.problem is None for one in found.values())
    assert summary.scored + summary.refused == summary.asked


@pytest.mark.parametrize("symbol", READ)
def test_a_batch_says_what_a_single_score_says(symbol: str) -> None:
    one = whole(Symbol(symbol).market).found[symbol]
    assert one.problem is None
    assert one.card is not None
    assert value(one) == pytest.approx(known(symbol).total, abs=1e-12)
    coverage = one.card.by_id[one.card.coverage].value
    assert coverage == pytest.approx(known(symbol).coverage, abs=1e-12)
    assert [f.missing for f in one.card.factors] == [f.missing for f in known(symbol).card.factors]


def test_a_company_can_be_scored_again_from_what_was_handed_over() -> None:
    one = whole("CN").found[MOUTAI]
    assert one.step1 is not None
    assert one.card is not None
    assert scorecard(one.step1).total == one.card.total
    # and what was handed over is small: this company and its industry, not the market. Of the 71
    # companies of food and drink the snapshot has figures of 67.
    symbols = {row.symbol for call in one.step1.trace.tool_calls for row in call.rows}
    assert len(symbols) == 67


def test_two_batches_say_the_same() -> None:
    again = score("HK")[0]
    assert {name: one.figures for name, one in whole("HK").found.items()} == {
        name: one.figures for name, one in again.items()
    }


def test_a_company_that_is_known_too_little_of_says_what_is_missing() -> None:
    one = whole("HK").found[HSBC]
    assert one.card is not None
    assert one.card.sayings == ()  # nobody chooses a reason of a score that is not there
    assert "盈利质量" in str(one.problem)


def test_each_is_handed_over_as_it_comes_and_stopping_keeps_what_was_done() -> None:
    taken: list[str] = []

    class Stopping(Told):
        def cancelled(self) -> bool:
            return len(taken) >= 3

    with pytest.raises(CancelledError):
        score_market(
            Ledger(Counting().fetch),
            desk(),
            "HK",
            Stopping(),
            lambda one: taken.append(one.symbol),
        )
    assert taken == sorted(whole("HK").found)[:3]


def test_progress_is_told() -> None:
    watch, asked = whole("HK").watch, whole("HK").summary.asked
    assert str(watch.steps[0].title).startswith("已评 0 / ")
    assert str(watch.steps[-1].title) == f"已评 {asked} / {asked} 家 | " + (
        f"{asked} of {asked} companies done"
    )


def test_a_company_nobody_knows_anything_of_says_why() -> None:
    taken: list[Scored] = []

    class Stopping(Told):
        def cancelled(self) -> bool:
            return bool(taken)

    with pytest.raises(CancelledError):  # no screen gives a valuation of the United States
        score_market(Ledger(Counting().fetch), desk(), "US", Stopping(), taken.append)
    [one] = taken
    assert one.problem
    assert one.card is None
    assert one.figures is None


class Timed(SnapshotProvider):
    """The snapshot, noting how much time was left whenever it was asked."""

    def __init__(self) -> None:
        market = bundle()
        super().__init__(kit(market.tables, market.clock))
        self.left: list[float] = []
        self.bars_of: set[str] = set()

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        self.left.append(time_left() or 0.0)
        if isinstance(request, BarsRequest):
            self.bars_of.add(request.symbol)
        return super().fetch(request)


def test_the_last_company_of_a_market_has_as_much_time_as_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The time of the screen, and then some, is gone before Apple's turn; a market takes minutes.

    Of the American companies the snapshot has the figures of a handful: in bars and reports alone,
    which are no part of its list of the market.
    """
    source, database, hand = Timed(), Database(":memory:"), Hand()
    monkeypatch.setattr(retry, "time", hand)
    clock, settings = bundle().clock, Settings()
    chain = Chain({"snapshot": source}, settings.chains, clock, deadline_s=0.3)
    runner = Runner(chain, Runs(database), clock)
    scorer = Scorer(runner, desk(), ScoringWorkflow(settings=settings, clock=clock), 8.0)
    taken: list[MarketScore] = []

    class Stopping(Told):
        def cancelled(self) -> bool:
            return any(one.symbol == APPLE for one in taken)

    def take(one: MarketScore) -> None:
        if not taken:
            hand.sleep(runner.patience_s + 0.1)
        taken.append(one)

    with pytest.raises(CancelledError):
        scorer.market("US", "me", take, watch=Stopping())
    database.close()
    assert APPLE in source.bars_of
    assert min(source.left) > 0
    assert taken[-1].problem is None
    assert taken[-1].approval is not None
    assert taken[-1].approval.recommendation.hold_score == round(known(APPLE).total or 0, 2)


def test_a_batch_says_why_companies_have_no_score() -> None:
    tally = Tally()
    tally.count(known(BANK).card, None)
    tally.count(known(HSBC).card, Text("太少", "too little"))
    tally.count(None, Text("没有", "nothing"))
    tally.count(None, Text("没有", "nothing"))
    found = tally.summary()
    counted = (found.asked, found.scored, found.refused, found.unknown, found.thin)
    assert counted == (4, 1, 3, 2, 1)
    # What 00005.HK lacks of the seven: all but its valuation and how much of it is traded.
    assert set(found.lacking) == {"quality", "growth", "momentum", "risk", "events"}
    zh, en = found.why.zh, found.why.en
    assert zh.startswith("4 家中 1 家有评分；2 家没有任何可评分的数据；1 家数据覆盖度低于")
    assert "盈利质量" in zh
    assert "不逐家取" in zh
    assert en.startswith("1 of 4 companies have a score; of 2 nothing is known")
    assert "lacking most: quality" in en


def test_a_company_whose_drafts_were_all_refused_has_no_score() -> None:
    tally = Tally()
    tally.count(known(BANK).card, None)
    tally.count(known(CARS).card, None)
    found = without_vetoed(tally.summary(), 1)
    assert (found.asked, found.scored, found.refused, found.vetoed) == (2, 1, 1, 1)
    assert "1 家的稿子没有通过审核" in str(found.why)
    assert "of 1 no draft was approved" in str(found.why)


def test_what_hangs_holds_up_one_company_and_not_the_market() -> None:
    left: list[float | None] = []
    taken: list[str] = []

    def fetch(request: FetchRequest) -> Sequence[ToolCall]:
        left.append(time_left())
        return bundle().fetch(request)

    class Stopping(Told):
        def cancelled(self) -> bool:
            return APPLE in taken

    with pytest.raises(CancelledError):
        score_market(
            Ledger(fetch),
            desk(),
            "US",
            Stopping(),
            lambda one: taken.append(one.symbol),
            each_s=30.0,
        )
    assert len(left) > 1  # the screen, and what Apple has bars and reports of
    assert all(one is not None and 0 < one <= 30.0 for one in left)
