"""A screen over the bundled market and over 16,000 companies, beside pandas and polars doing it.

All three answer the same question from memory: filter on four fields, count the matches and the
values judged, order, take ten. `with claims` is ours up to the claims a page draws.
"""

import random
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd
import polars as pl
import pytest

from services.core.clock import FixedClock
from services.core.ledger import Ledger
from services.market.screener import screen, screen_request
from services.providers.snapshot import SnapshotProvider
from services.store.database import Database
from services.store.market_tables import MarketTables
from tests.unit.market.bundled import FOLDER, bundle, chained, kit
from tests.unit.providers import small_market

COMPANIES = 16_000
RUNS = 200
FIELDS = ("pettm", "pelyr", "pb", "roediluted", "netprofit", "total_revenue")
_GIVEN = {"market_cap": 1e10, "total_shares": 1e9, "pe_ttm": 40, "pe_lyr": 40, "pb": 4, "ps_ttm": 5}

Bounds = dict[str, tuple[float, float]]


@cache
def questions() -> list[tuple[Bounds, str, bool]]:
    """Random bounds on four fields, a field to order by, and which way."""
    draw = random.Random(20170525)
    scales = {"pettm": 50, "pelyr": 50, "pb": 5, "roediluted": 20}
    made: list[tuple[Bounds, str, bool]] = []
    for _ in range(RUNS):
        bounds = {
            name: (draw.random() * 0.4 * s, (1 + draw.random()) * s) for name, s in scales.items()
        }
        made.append((bounds, draw.choice(FIELDS), draw.random() < 0.5))
    return made


def timed(name: str, ask: Callable[[Bounds, str, bool], object]) -> None:
    for question in questions()[:10]:
        ask(*question)
    taken: list[float] = []
    for question in questions():
        started = time.perf_counter()
        ask(*question)
        taken.append((time.perf_counter() - started) * 1000)
    taken.sort()
    print(f"  {name:<28} p50 {median(taken):6.2f} ms   p95 {taken[int(RUNS * 0.95)]:6.2f} ms")


def by_pandas(frame: pd.DataFrame) -> Callable[[Bounds, str, bool], object]:
    def ask(bounds: Bounds, order_by: str, ascending: bool) -> object:
        mask = np.ones(len(frame), dtype=bool)
        for name, (low, high) in bounds.items():
            mask &= (frame[name] >= low) & (frame[name] < high)
        judged = [frame[name].count() for name in (*bounds, order_by)]
        found = frame[mask].sort_values([order_by, "symbol"], ascending=[ascending, True])
        return mask.sum(), judged, found.head(10).to_dict("records")

    return ask


def by_polars(frame: pl.DataFrame) -> Callable[[Bounds, str, bool], object]:
    def ask(bounds: Bounds, order_by: str, ascending: bool) -> object:
        mask = pl.all_horizontal(
            (pl.col(name) >= low) & (pl.col(name) < high) for name, (low, high) in bounds.items()
        )
        judged = frame.select(pl.col(name).count() for name in {*bounds, order_by}).row(0)
        found = frame.filter(mask)
        ordered = found.sort(
            [order_by, "symbol"], descending=[not ascending, False], nulls_last=True
        )
        return found.height, judged, ordered.head(10).to_dicts()

    return ask


def arguments(bounds: Bounds, order_by: str, ascending: bool) -> dict[str, object]:
    ranges = {name: f"{low:.6f}_{high:.6f}" for name, (low, high) in bounds.items()}
    return {**ranges, "order_by": order_by, "order": "asc" if ascending else "desc"}


def compare(title: str, tables: MarketTables, ledger: Callable[[], Ledger]) -> None:
    print(f"\nscreen, {title}:")
    day = tables.manifest.clock.date()
    horizon = tables.horizon(day, day, day, day)

    def sql(bounds: Bounds, order_by: str, ascending: bool) -> object:
        request = screen_request(arguments(bounds, order_by, ascending))
        return tables.screen(request, horizon)

    timed("SQL, ten rows of facts", sql)
    timed("with claims", lambda *q: screen(ledger(), screen_request(arguments(*q))))
    with tables._database.cursor() as cursor:
        frame = cursor.table(horizon.wide).filter("market = 'CN'").df()
    timed("pandas", by_pandas(frame))
    timed("polars", by_polars(pl.from_pandas(frame[["symbol", *FIELDS]], nan_to_null=True)))


@pytest.mark.benchmark
def test_screen_over_the_bundled_market() -> None:
    market = bundle()
    compare(
        f"bundled, {3241:,} A shares of {len(market.tables.names()):,}",
        market.tables,
        market.ledger,
    )


@pytest.mark.benchmark
def test_screen_over_sixteen_thousand_companies(tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    symbols = [f"{600000 + number}.SH" for number in range(COMPANIES)]
    facts = [
        small_market.fact(symbol, metric, float(scale * draw.lognormal()))
        for symbol in symbols
        for metric, scale in _GIVEN.items()
        if draw.random() > 0.08
    ]
    small_market.write(tmp_path, companies=[small_market.company(s) for s in symbols], facts=facts)
    tables = MarketTables(Database(":memory:"), tmp_path)
    market = chained(tables, FixedClock(tables.manifest.clock))
    compare(f"{COMPANIES:,} invented companies", tables, market.ledger)


@pytest.mark.benchmark
def test_loading_the_market(tmp_path: Path) -> None:
    path = str(tmp_path / "bench.duckdb")
    print()
    for name in ("first start", "second start"):
        started = time.perf_counter()
        database = Database(path)
        tables = MarketTables(database, FOLDER)
        SnapshotProvider(kit(tables, FixedClock(tables.manifest.clock)))
        day = tables.manifest.clock.date()
        tables.screen(screen_request({}), tables.horizon(day, day, day, day))
        print(f"market tables, {name}: {time.perf_counter() - started:.2f} s to the first screen")
        database.close()
