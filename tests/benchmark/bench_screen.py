"""A screen over the bundled market and invented ones, beside DuckDB, pandas and polars doing it.

All answer the same question from memory: filter on four fields, count the matches and the values
judged, order, take ten. `bare DuckDB` is the one statement of ours without anything around it,
`with claims` is ours up to the claims a page draws. Processor milliseconds: others are busy here.
"""

import random
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pytest

from services.core.clock import FixedClock
from services.core.ledger import Ledger
from services.market.screener import screen, screen_request
from services.providers.snapshot import SnapshotProvider
from services.store import screen_sql
from services.store.database import Database
from services.store.market_tables import MarketTables
from tests.benchmark.conftest import Lines
from tests.benchmark.machine import floor_s
from tests.unit.market.bundled import FOLDER, bundle, chained, kit
from tests.unit.providers import small_market

COMPANIES = (1_000, 4_000, 16_000)
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


class Taken(NamedTuple):
    """Processor milliseconds of a question: the middle of all, and of 95 in a hundred at most."""

    p50: float
    p95: float


def timed(name: str, ask: Callable[[Bounds, str, bool], object]) -> Taken:
    for question in questions()[:10]:
        ask(*question)
    taken: list[float] = []
    for question in questions():
        started = time.process_time()
        ask(*question)
        taken.append((time.process_time() - started) * 1000)
    taken.sort()
    found = Taken(median(taken), taken[int(RUNS * 0.95)])
    print(f"  {name:<28} p50 {found.p50:6.2f} ms   p95 {found.p95:6.2f} ms")
    return found


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


def compare(title: str, tables: MarketTables, ledger: Callable[[], Ledger], lines: Lines) -> None:
    print(f"\nscreen, {title}:")
    day = tables.manifest.clock.date()
    horizon = tables.horizon(day, day, day, day)

    def sql(bounds: Bounds, order_by: str, ascending: bool) -> object:
        request = screen_request(arguments(bounds, order_by, ascending))
        return tables.screen(request, horizon)

    timed("SQL, ten rows of facts", sql)
    ours = timed("with claims", lambda *q: screen(ledger(), screen_request(arguments(*q))))
    with tables._database.cursor() as cursor:

        def bare(bounds: Bounds, order_by: str, ascending: bool) -> object:
            request = screen_request(arguments(bounds, order_by, ascending))
            paged = screen_sql.page(request, horizon.wide)
            return cursor.execute(paged.sql, paged.values).fetchall()

        beside = timed("bare DuckDB", bare)
        frame = cursor.table(horizon.wide).filter("market = 'CN'").df()
    timed("pandas", by_pandas(frame))
    theirs = timed(
        "polars", by_polars(pl.from_pandas(frame[["symbol", *FIELDS]], nan_to_null=True))
    )
    told = f"p50 {ours.p50:.1f}, p95 {ours.p95:.1f} cpu ms: "
    told += f"{ours.p95 / beside.p95:.1f} × bare DuckDB, {ours.p95 / theirs.p95:.1f} × polars"
    reach = "2 × DuckDB, 3 × polars, at p95"
    lines(f"screen with all claims, {title}", told, ours.p50 / 1000 / floor_s(), reach)


@pytest.mark.benchmark
def test_screen_over_the_bundled_market(lines: Lines) -> None:
    market = bundle()
    compare(
        f"bundled, {3241:,} A shares of {len(market.tables.names()):,}",
        market.tables,
        market.ledger,
        lines,
    )


@pytest.mark.benchmark
@pytest.mark.parametrize("companies", COMPANIES)
def test_screen_over_invented_companies(companies: int, tmp_path: Path, lines: Lines) -> None:
    draw = np.random.default_rng(1)
    symbols = [f"{600000 + number}.SH" for number in range(companies)]
    facts = [
        small_market.fact(symbol, metric, float(scale * draw.lognormal()))
        for symbol in symbols
        for metric, scale in _GIVEN.items()
        if draw.random() > 0.08
    ]
    small_market.write(tmp_path, companies=[small_market.company(s) for s in symbols], facts=facts)
    tables = MarketTables(Database(":memory:"), tmp_path)
    market = chained(tables, FixedClock(tables.manifest.clock))
    compare(f"{companies:,} invented companies", tables, market.ledger, lines)


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
