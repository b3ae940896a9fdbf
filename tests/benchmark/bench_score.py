"""The whole bundled market scored by rule in one batch, each claim verified, each reason written.

Printed: seconds, coverage, how scores spread, memory, and how many reasons the code refuses.
"""

import statistics
import time
import tracemalloc
from collections import Counter

import pytest

from services.core.ledger import Ledger
from services.core.symbols import Market
from services.jobs.steps import Unwatched
from services.scoring.batch import Scored, score_market
from services.scoring.batch_summary import BatchSummary
from services.scoring.review import CodeReview
from services.scoring.rule_agents import review_by_rule, score_by_rule
from tests.unit.market.bundled import bundle
from tests.unit.scoring.scored import desk, known

_EVERY = 20  # of so many scored companies one reason is judged by the code


class Table:
    """What a page of a batch would keep: the figures alone."""

    def __init__(self, *, writes: bool = False) -> None:
        self.scores: dict[str, float] = {}
        self.coverages: list[float] = []
        self.problems: Counter[str] = Counter()
        self.claims = 0
        self.drafts = self.refused = self.vetoed = 0
        self._writes = writes

    def take(self, one: Scored) -> None:
        if one.card is not None:
            by_id = one.card.by_id
            self.claims += len(by_id)
            self.coverages.append(by_id[one.card.coverage].value)
            if one.card.total is not None:
                self.scores[one.symbol] = by_id[one.card.total].value
        if one.problem is not None:
            self.problems["nothing known" if one.card is None else "too little known"] += 1
        elif self._writes:
            self._write(one)

    def _write(self, one: Scored) -> None:
        assert one.step1 is not None
        assert one.card is not None
        draft = score_by_rule(one.step1, one.card, "zh", ())
        self.drafts += 1
        self.vetoed += not review_by_rule(one.step1, one.card, draft).passed
        if self.drafts % _EVERY:
            return
        self.refused += bool(CodeReview(one.step1, one.card).failures(draft))


def batch(market: Market, table: Table) -> BatchSummary:
    ledger = Ledger(bundle().fetch)
    return score_market(ledger, desk(), market, Unwatched(), table.take)


@pytest.mark.benchmark
def test_the_whole_market_is_scored_in_one_batch() -> None:
    known("600036.SH")  # calendars and names are there before the clock starts
    runs: list[Table] = []
    print()
    for turn in range(2):
        table = Table(writes=turn == 1)
        began, cpu = time.perf_counter(), time.process_time()
        summary = batch("CN", table)
        took, busy = time.perf_counter() - began, time.process_time() - cpu
        runs.append(table)
        what = "scored" if turn == 0 else "scored and every reason written and reviewed"
        print(
            f"CN {what}: {took:.1f} s ({busy:.1f} s CPU, {1000 * busy / summary.asked:.1f} ms "
            f"each), {summary.asked} companies, {summary.scored} with a score, "
            f"{table.claims:,} claims"
        )
    first, second = runs
    scores = list(first.scores.values())
    spread = [sum(int(min(one, 9.99)) == band for one in scores) for band in range(10)]
    shares = statistics.quantiles(first.coverages, n=10)
    print(f"  score 0–1, 1–2 … 9–10: {spread}; median {statistics.median(scores):.2f}")
    print(f"  coverage deciles: {[round(one, 2) for one in shares]}")
    print(f"  without a score: {dict(first.problems)}")
    print(
        f"  reasons: {second.drafts} written, {second.vetoed} refused by the rule reviewer; "
        f"of every {_EVERY}th the code refuses {second.refused}"
    )
    assert first.scores == second.scores  # deterministic across runs
    assert second.vetoed == second.refused == 0
    assert len(scores) > 2000


@pytest.mark.benchmark
def test_a_batch_keeps_no_company_it_has_handed_over() -> None:
    known("00700.HK")
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    table = Table()
    batch("HK", table)
    after, peak = (one / 1e6 for one in tracemalloc.get_traced_memory())
    tracemalloc.stop()
    print(
        f"\nHK: {len(table.coverages)} companies with figures, {len(table.scores)} with a score; "
        f"peak {peak:.0f} MB of our own over {before / 1e6:.0f}, {after:.0f} MB when done"
    )
    assert peak < 150
