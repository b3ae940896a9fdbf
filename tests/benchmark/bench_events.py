"""How long abnormal events take: one stock, and every symbol with bars (targets: 50 ms, 2 s)."""

import gc
import statistics
import time
from collections.abc import Sequence

import pandas as pd
import pytest

from services.core.ledger import Ledger
from services.core.requests import FetchRequest
from services.core.symbols import Symbol
from services.core.trace import ToolCall
from services.market.events.events import abnormal_events
from tests.unit.market.bundled import FOLDER, Bundle, bundle

ONE = Symbol("300104.SZ")  # the most events of all


class _Fetched:
    """Answers each request once from the snapshot, then from memory: fetching is timed apart."""

    def __init__(self, market: Bundle) -> None:
        self._market = market
        self._known: dict[str, Sequence[ToolCall]] = {}

    def __call__(self, request: FetchRequest) -> Sequence[ToolCall]:
        key = request.model_dump_json()
        if key not in self._known:
            self._known[key] = self._market.fetch(request)
        return self._known[key]


@pytest.mark.benchmark
def test_abnormal_events() -> None:
    market = bundle()
    with_bars = pd.read_parquet(FOLDER / "bars.parquet", columns=["symbol"]).symbol.unique()
    symbols = [Symbol(name) for name in with_bars]
    fetched = _Fetched(market)
    for symbol in symbols:
        abnormal_events(Ledger(fetched), symbol, None, None)
    gc.collect()
    gc.freeze()  # the kept answers are the benchmark's, a run holds only its own
    spent: list[float] = []
    for _ in range(20):
        started = time.perf_counter()
        found = abnormal_events(Ledger(fetched), ONE, None, None).events
        spent.append((time.perf_counter() - started) * 1000)
    started = time.perf_counter()
    everything = [abnormal_events(Ledger(fetched), symbol, None, None).events for symbol in symbols]
    seconds = time.perf_counter() - started
    started = time.perf_counter()
    abnormal_events(market.ledger(), ONE, None, None)
    whole = (time.perf_counter() - started) * 1000
    gc.unfreeze()
    print(
        f"\nabnormal events, one stock ({len(found)} events over all bars): "
        f"p50 {statistics.median(spent):.0f} ms, p95 {sorted(spent)[18]:.0f} ms, "
        f"with fetching {whole:.0f} ms\n"
        f"abnormal events, all {len(symbols)} symbols "
        f"({sum(map(len, everything))} events): {seconds:.2f} s"
    )
    assert all(event.claims for events in everything for event in events)
