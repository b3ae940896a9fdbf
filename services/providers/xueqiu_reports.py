"""Reported figures and institutions' forecasts of Xueqiu.

Every figure of a statement is a pair: the value and its growth, the growth a fraction. A-share
statements are year to date. The currency is the reports' own, which may not be the price's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from services.core.clock import BEIJING
from services.core.errors import (
    ChangedError,
    InputError,
    NoDataError,
    NotCoveredError,
)
from services.core.periods import Period
from services.core.requests import FinancialsRequest, ForecastRequest
from services.core.symbols import Market, Symbol
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.http import Body
from services.providers.reading import Column, Node, facts, instant, member, once, require, rows_of
from services.providers.xueqiu_client import NAME, Answer, XueqiuClient, listed, spelled
from services.providers.xueqiu_quotes import currency_of

# Stands for the reports' currency in the columns below.
_MONEY = "CNY"
_GROWTH = "[1]"
_NEWEST = 20
_LONGEST = 100
_ENTERPRISE = 1
# Ends of quarters (month, day) and the last day the mainland rules allow for the report.
_DEADLINES: Mapping[int, tuple[int, int, int]] = {
    1: (0, 4, 30),
    2: (0, 8, 31),
    3: (0, 10, 31),
    4: (1, 4, 30),
}


@dataclass(frozen=True, slots=True)
class _Table:
    """One statement. `always` are its columns for every company, `usual` for all but banks."""

    name: Literal["indicator", "income", "balance"]
    always: tuple[Column, ...]
    usual: tuple[Column, ...] = ()


_TABLES: Mapping[Market, tuple[_Table, ...]] = {
    "CN": (
        _Table(
            "income",
            (
                Column("total_revenue", "total_revenue", _MONEY),
                Column("net_profit_atsopc", "net_profit", _MONEY),
                Column("net_profit", "net_profit_total", _MONEY),
                Column("net_profit_atsopc" + _GROWTH, "net_profit_yoy", "ratio", "percent"),
            ),
            (
                Column("revenue", "revenue", _MONEY),
                Column("revenue" + _GROWTH, "revenue_yoy", "ratio", "percent"),
            ),
        ),
        _Table(
            "balance",
            (
                Column("total_assets", "total_assets", _MONEY),
                Column("total_liab", "total_liabilities", _MONEY),
            ),
            (Column("total_quity_atsopc", "equity", _MONEY),),
        ),
        # `np_per_share` is book value; `asset_liab_ratio` is a percent here, a fraction in balance.
        _Table(
            "indicator",
            (
                Column("avg_roe", "roe", "percent"),
                Column("basic_eps", "eps", _MONEY + "/share"),
                Column("np_per_share", "bps", _MONEY + "/share"),
            ),
            (
                Column("gross_selling_rate", "gross_margin", "percent"),
                Column("net_selling_rate", "net_margin", "percent"),
                Column("asset_liab_ratio", "debt_to_assets", "percent"),
            ),
        ),
    ),
    "HK": (
        _Table(
            "income",
            (Column("tto", "revenue", _MONEY), Column("ploashh", "net_profit", _MONEY)),
        ),
        _Table(
            "balance",
            (
                Column("ta", "total_assets", _MONEY),
                Column("tlia", "total_liabilities", _MONEY),
            ),
        ),
        _Table(
            "indicator",
            (
                Column("roe", "roe", "percent"),
                Column("beps", "eps", _MONEY + "/share"),
                Column("bps", "bps", _MONEY + "/share"),
            ),
            (
                Column("gpm", "gross_margin", "percent"),
                Column("tlia_ta", "debt_to_assets", "percent"),
            ),
        ),
    ),
    "US": (
        _Table(
            "income",
            (
                Column("total_revenue", "revenue", _MONEY),
                Column("net_income_atcss", "net_profit", _MONEY),
            ),
        ),
        _Table("indicator", (Column("roe_avg", "roe", "percent"),)),
    ),
}
_FLAVOURS = {"avg_roe": "加权", "roe_avg": "平均净资产口径", "roe": "来源未注明口径"}
_YEAR_TO_DATE = "年初至报告期末，未年化"
_FORECASTS = (
    Column("eps", "forecast_eps", "CNY/share"),
    Column("pe", "forecast_pe", "multiple"),
    Column("roe", "forecast_roe", "percent"),
)
_FORECAST_NOTE = "机构一致预期，雪球未给出机构数与日期；是预测，不是业绩"


def financials(client: XueqiuClient, request: FinancialsRequest) -> tuple[Fetched, ...]:
    """Figures of each report period known at the clock, oldest first, a part per statement.

    American quarters are left out: whether they are of the quarter or year to date is not said.
    Raises: NoDataError, UnavailableError (only American quarters were asked for), ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    wanted = {Period.parse(text) for text in request.periods}
    if symbol.market == "US" and wanted and all(period.quarter != 4 for period in wanted):
        raise NotCoveredError(NAME, "finance", "American quarters are not told apart here")
    parts: list[Fetched] = []
    for table in _TABLES[symbol.market]:
        answer = _statement(client, symbol, table, _how_many(wanted, client.now))
        rows = _statement_facts(answer, table, symbol, wanted, client.now)
        if rows:
            body = answer.body
            parts.append(Fetched(NAME, body.table, rows, body.fetched_at, body.sha256))
    if not parts:
        raise NoDataError(
            f"financials {symbol}",
            "雪球没有这些报告期的数据 | Xueqiu has nothing for these report periods",
        )
    return tuple(parts)


def forecast(client: XueqiuClient, request: ForecastRequest) -> tuple[Fetched, ...]:
    """The consensus per year that is not over, as of the day it was asked.

    Raises: NoDataError, UnavailableError (empty for guests, who are not always shown it).
    """
    symbol = Symbol.parse(request.symbol)
    path = "/stock/report/earningforecast.json"
    answer = client.ask("stock", "earningforecast.json", path, {"symbol": spelled(symbol)})
    body, today = answer.body, client.now.astimezone(BEIJING).date()
    rows = rows_of(
        listed(answer, "list"), "", body, ("forecast_year", *(c.field for c in _FORECASTS))
    )
    found: list[Fact] = []
    for row in sorted(rows, key=lambda row: _year(row, body)):
        period = f"{_year(row, body)}_Q4"
        if Period.parse(period).end >= today:
            about: dict[str, Any] = {"symbol": symbol.value, "as_of": today, "period": period}
            found += facts(row, _FORECASTS, body, **about, note=_FORECAST_NOTE)
    if not found and client.is_anonymous:
        raise NotCoveredError(NAME, body.table, "is empty, as it may be for guests")
    if not found:
        raise NoDataError(
            f"forecast {symbol}", "雪球没有它的机构预期 | Xueqiu has no forecast of it"
        )
    return (Fetched(NAME, body.table, once(found, body), body.fetched_at, body.sha256),)


def newest_filed(today: date) -> Period:
    """The newest report period every mainland company has filed: its legal deadline is over."""
    for year in (today.year, today.year - 1):
        for quarter in (4, 3, 2, 1):
            if deadline(Period(year, quarter)) < today:
                return Period(year, quarter)
    return Period(today.year - 2, 4)


def deadline(period: Period) -> date:
    """The last day for the report of that period on the mainland."""
    years, month, day = _DEADLINES[period.quarter]
    return date(period.year + years, month, day)


def _how_many(wanted: set[Period], now: datetime) -> int:
    if not wanted:
        return _NEWEST
    return min((now.year - min(wanted).year + 1) * 4, _LONGEST)


def _statement(client: XueqiuClient, symbol: Symbol, table: _Table, count: int) -> Answer:
    path = f"finance/{symbol.market.lower()}/{table.name}.json"
    params: dict[str, str | int] = {
        "symbol": spelled(symbol),
        "type": "Q4" if symbol.market == "US" else "all",
        "is_detail": "true",
        "count": count,
        "timestamp": "",
    }
    return client.ask("stock", path, f"/v5/stock/{path}", params)


def _statement_facts(
    answer: Answer, table: _Table, symbol: Symbol, wanted: set[Period], now: datetime
) -> tuple[Fact, ...]:
    body, data = answer.body, member(answer.document, "data", answer.body)
    rows = rows_of(data, "list", body, ("report_date", "report_name", "ctime"))
    if not rows:
        return ()
    currency = currency_of(data.get("currency"), body)
    found: list[Fact] = []
    unknown = 0
    for row in sorted(rows, key=lambda row: instant(row["report_date"], body, "report_date")):
        ended = instant(row["report_date"], body, "report_date").astimezone(BEIJING).date()
        period = _period(row, ended, symbol, body)
        known_on = _known_on(row, period, body)
        if period is None or known_on > now.astimezone(BEIJING).date():
            unknown += 1
        elif not wanted or period in wanted:
            about: dict[str, Any] = {"symbol": symbol.value, "as_of": ended, "period": str(period)}
            columns = _columns(table, row, data, currency)
            found += _row_facts(row, columns, body, about, known_on, symbol.market)
    if unknown == len(rows):
        raise ChangedError(NAME, body.table, "every report is of the future, or has no period")
    return once(found, body)


def _columns(table: _Table, row: Node, data: Node, currency: str) -> list[Column]:
    """The columns with the reports' currency; of banks and the like those their rows have."""
    usual = table.usual
    if data.get("org_type") != _ENTERPRISE:
        usual = tuple(column for column in usual if column.field.removesuffix(_GROWTH) in row)
    return [
        Column(column.field, column.metric, column.unit.replace(_MONEY, currency), into=column.into)
        for column in (*table.always, *usual)
    ]


def _row_facts(
    row: Node,
    columns: Sequence[Column],
    body: Body,
    about: Mapping[str, Any],
    known_on: date,
    market: Market,
) -> list[Fact]:
    cells = _pairs(row, columns, body)
    found: list[Fact] = []
    for column in columns:
        words = [_FLAVOURS.get(column.field, "")]
        if market == "CN" and column.metric == "roe" and not str(about["period"]).endswith("Q4"):
            words.append(_YEAR_TO_DATE)
        words.append(f"来源收录于 {known_on}")
        note = "；".join(word for word in words if word)
        found += facts(cells, (column,), body, **about, note=note)
    return found


def _pairs(row: Node, columns: Sequence[Column], body: Body) -> Node:
    """`{name: value, name[1]: growth}` of the columns' cells. Raises: ChangedError."""
    names = {column.field.removesuffix(_GROWTH) for column in columns}
    require(row, sorted(names), body)
    cells: Node = {}
    for name in names:
        pair = row[name] if row[name] not in (None, "-") else [None, None]
        if not isinstance(pair, list) or len(pair) != 2:
            raise ChangedError(NAME, body.table, f"{name} is no pair of value and growth")
        cells[name], cells[name + _GROWTH] = pair
    return cells


def _period(row: Node, ended: date, symbol: Symbol, body: Body) -> Period | None:
    """The period by its name, fiscal years being companies' own; None for one we cannot read.

    Raises: ChangedError when a mainland name and its day differ.
    """
    name = str(row["report_name"])
    year = name.removesuffix("FY")
    try:
        period = Period.parse(f"FY{year}" if year != name else name)
    except InputError:
        period = None
    if symbol.market == "CN" and (period is None or period.end != ended):
        raise ChangedError(NAME, body.table, "report_name and report_date differ")
    return None if symbol.market == "US" and period and period.quarter != 4 else period


def _known_on(row: Node, period: Period | None, body: Body) -> date:
    """The day the source took it in, at the latest the legal deadline where it does not say."""
    if row["ctime"] is not None:
        return instant(row["ctime"], body, "ctime").astimezone(BEIJING).date()
    return date.max if period is None else deadline(period)


def _year(row: Node, body: Body) -> int:
    text = str(row["forecast_year"]).removesuffix(".0")
    if not (text.isdigit() and len(text) == 4):
        raise ChangedError(NAME, body.table, "forecast_year is no year")
    return int(text)
