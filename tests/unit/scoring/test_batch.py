"""A batch asks a market once, says of each company what a single score says, and can be stopped."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from services.core.ledger import Ledger
from services.core.requests import BarsRequest, FetchRequest
from services.core.symbols import Symbol
from services.core.trace import ToolCall
from services.jobs.runner import CancelledError
from services.jobs.steps import Unwatched
from services.providers import retry
from services.providers.base import Fetched
from services.providers.chain import Chain
from services.providers.retry import time_left
from services.providers.snapshot import SnapshotProvider
from services.scoring.batch import MOST_THOROUGH, Scored, score_each, score_market
from services.scoring.batch_summary import BatchSummary, Tally, without_vetoed
from services.scoring.factors import scorecard
from services.scoring.scorer import MarketScore, Scorer
from services.scoring.workflow import ScoringWorkflow
from services.settings import Settings
from services.store.database import Database
from services.store.runs import Runs
from services.tools.running import Runner
from tests.fakes.clocks import Hand
from tests.unit.market.bundled import bundle, kit, tables
from tests.unit.scoring.scored import (
    APPLE,
    BANK,
    CARS,
    HALTED,
    HSBC,
    MOUTAI,
    READ,
    TENCENT,
    Told,
    desk,
    known,
)


def many(*wanted: str) -> list[Symbol]:
    """More companies than are looked at one by one: the wanted ones and the first of the list."""
    first = [row.symbol for row in tables().names() if row.market == "CN" and row.kind == "stock"]
    return [Symbol(name) for name in dict.fromkeys((*wanted, *first[: MOST_THOROUGH + 5]))]


class Counting:
    """The snapshot, counting what it is asked."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def fetch(self, request: FetchRequest) -> Sequence[ToolCall]:
        self.asked[request.capability] += 1
        return bundle().fetch(request)


def batch(
    symbols: Sequence[Symbol], source: Counting | None = None, watch: Told | None = None
) -> tuple[dict[str, Scored], BatchSummary]:
    found: dict[str, Scored] = {}

    def take(one: Scored) -> None:
        found[one.symbol] = one

    ledger = Ledger((source or Counting()).fetch)
    return found, score_each(ledger, desk(), symbols, watch or Unwatched(), take)


def value(one: Scored) -> float | None:
    if one.card is None or one.card.total is None:
        return None
    return one.card.by_id[one.card.total].value


class Whole(NamedTuple):
    """One large batch, and what it asked and told."""

    symbols: Sequence[Symbol]
    found: dict[str, Scored]
    summary: BatchSummary
    source: Counting
    watch: Told


@pytest.fixture(name="whole", scope="module")
def _whole() -> Whole:
    source, watch, symbols = Counting(), Told(), many(*READ)
    found, summary = batch(symbols, source, watch)
    return Whole(symbols, found, summary, source, watch)


def test_a_market_is_asked_once_and_companies_only_where_there_is_more(whole: Whole) -> None:
    symbols, found, summary, source, _ = whole
    assert summary.asked == len(symbols) == len(found)
    # One of these is of Hong Kong: a screen a market.
    assert source.asked["screen"] == 2
    assert source.asked["valuation"] == source.asked["peers"] == source.asked["news"] == 0
    # of these only a handful are among the companies the snapshot has bars of
    assert source.asked["financials"] <= 9
    assert summary.scored == sum(one.problem is None for one in found.values())
    assert summary.scored + summary.refused == summary.asked


@pytest.mark.parametrize("symbol", READ)
def test_a_batch_says_what_a_single_score_says(whole: Whole, symbol: str) -> None:
    one = whole.found[symbol]
    assert one.problem is None
    assert one.card is not None
    assert value(one) == pytest.approx(known(symbol).total, abs=1e-12)
    coverage = one.card.by_id[one.card.coverage].value
    assert coverage == pytest.approx(known(symbol).coverage, abs=1e-12)
    assert [f.missing for f in one.card.factors] == [f.missing for f in known(symbol).card.factors]


def test_a_company_can_be_scored_again_from_what_was_handed_over(whole: Whole) -> None:
    one = whole.found[MOUTAI]
    assert one.step1 is not None
    assert one.card is not None
    assert scorecard(one.step1).total == one.card.total
    # and what was handed over is small: this company and its peers, not the market
    symbols = {row.symbol for call in one.step1.trace.tool_calls for row in call.rows}
    assert 5 < len(symbols) <= 21


def test_two_batches_say_the_same(whole: Whole) -> None:
    # In another order, too: nothing of one company may reach the next.
    again = batch(whole.symbols[::-1])[0]
    assert {name: value(one) for name, one in whole.found.items()} == {
        name: value(one) for name, one in again.items()
    }


def test_a_short_list_is_looked_at_closely_in_any_market() -> None:
    found, summary = batch([Symbol(name) for name in (CARS, TENCENT, APPLE, HALTED, HSBC, CARS)])
    assert (summary.asked, summary.scored, summary.refused) == (5, 4, 1)
    assert list(found) == [CARS, TENCENT, APPLE, HALTED, HSBC]
    assert value(found[TENCENT]) == pytest.approx(known(TENCENT).total)
    assert value(found[APPLE]) == pytest.approx(known(APPLE).total)
    assert found[HSBC].card is not None
    assert found[HSBC].card.sayings == ()  # nobody chooses a reason of a score that is not there
    assert "盈利质量" in str(found[HSBC].problem)


def test_each_is_handed_over_as_it_comes_and_stopping_keeps_what_was_done() -> None:
    taken: list[str] = []

    class Stopping(Told):
        def cancelled(self) -> bool:
            return len(taken) >= 3

    symbols = many()
    with pytest.raises(CancelledError):
        score_each(
            Ledger(Counting().fetch),
            desk(),
            symbols,
            Stopping(),
            lambda one: taken.append(one.symbol),
        )
    assert taken == [str(one) for one in symbols[:3]]


def test_progress_is_told(whole: Whole) -> None:
    watch, symbols = whole.watch, whole.symbols
    assert str(watch.steps[0].title).startswith("已评 0 / ")
    assert str(watch.steps[-1].title) == f"已评 {len(symbols)} / {len(symbols)} 家 | " + (
        f"{len(symbols)} of {len(symbols)} companies done"
    )


def test_a_company_nobody_knows_anything_of_says_why() -> None:
    listed = Symbol("600087.SH")
    found, _ = batch([Symbol(BANK), listed])
    assert value(found[BANK]) is not None
    assert found[listed.value].problem
    assert value(found[listed.value]) is None


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
    tally.count(known(HSBC).card, "too little")
    tally.count(None, "nothing")
    tally.count(None, "nothing")
    found = tally.summary(thorough=False)
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
    assert "不逐家取" not in str(tally.summary(thorough=True).why)


def test_a_company_whose_drafts_were_all_refused_has_no_score() -> None:
    tally = Tally()
    tally.count(known(BANK).card, None)
    tally.count(known(CARS).card, None)
    found = without_vetoed(tally.summary(thorough=False), 1, thorough=False)
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
