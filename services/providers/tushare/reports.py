"""Statements and institutions' forecasts of Tushare, as they were known on the clock's day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from services.core.clock import BEIJING
from services.core.errors import ChangedError, InputError, NoDataError
from services.core.periods import Period
from services.core.requests import FinancialsRequest, ForecastRequest
from services.core.source_marks import join_notes
from services.core.text import Text
from services.core.trace import Fact
from services.core.units import convert
from services.providers.base import Fetched
from services.providers.http import Body
from services.providers.joining import stamp_row
from services.providers.reading import Column, Node, day, facts, number, plain
from services.providers.tushare.client import NAME, TableAnswer, TushareClient, write_day


@dataclass(frozen=True, slots=True)
class _Table:
    """One statement: its columns, and when each row became public."""

    name: str
    columns: tuple[Column, ...]
    announced: tuple[str, ...] = ("f_ann_date", "ann_date")
    note: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        own = (column.field for column in self.columns)
        return ("ts_code", "end_date", *self.announced, "update_flag", *own)


# `n_income` includes minorities; `revenue` is 营业收入, `total_revenue` 营业总收入.
_INCOME = _Table(
    "income",
    (
        Column("revenue", "revenue", "CNY"),
        Column("total_revenue", "total_revenue", "CNY"),
        Column("n_income_attr_p", "net_profit", "CNY"),
        Column("n_income", "net_profit_total", "CNY"),
        Column("basic_eps", "eps", "CNY/share"),
    ),
)
_BALANCE = _Table(
    "balancesheet",
    (
        Column("total_assets", "total_assets", "CNY"),
        Column("total_liab", "total_liabilities", "CNY"),
        Column("total_hldr_eqy_exc_min_int", "equity", "CNY"),
    ),
)
# `gross_margin` there is gross profit in yuan: the ratio is `grossprofit_margin`.
_RATIOS = _Table(
    "fina_indicator",
    (
        Column("bps", "bps", "CNY/share"),
        Column("roe_waa", "roe", "percent"),
        Column("grossprofit_margin", "gross_margin", "percent"),
        Column("netprofit_margin", "net_margin", "percent"),
        Column("debt_to_assets", "debt_to_assets", "percent"),
        Column("or_yoy", "revenue_yoy", "percent"),
        Column("netprofit_yoy", "net_profit_yoy", "percent"),
    ),
    announced=("ann_date",),
)
_NOTES = {"roe_waa": "加权"}
# A forecast older than this is no consensus any more.
_FORECAST_WITHIN = timedelta(days=180)
_FORECASTS = (
    Column("eps", "forecast_eps", "CNY/share"),
    Column("np", "forecast_net_profit", "CNY_wan", "CNY"),
    Column("op_rt", "forecast_revenue", "CNY_wan", "CNY"),
)


def financials(
    client: TushareClient, request: FinancialsRequest, now: datetime
) -> tuple[Fetched, ...]:
    """See Provider.fetch: year-to-date figures of each report period, oldest first, per table.

    Of several rows for a period the newest announced until today counts.
    """
    today = now.astimezone(BEIJING).date()
    parts: list[Fetched] = []
    for table in (_INCOME, _BALANCE, _RATIOS):
        asked = {"ts_code": request.symbol}
        if len(request.periods) == 1:
            asked["period"] = write_day(Period.parse(request.periods[0]).end)
        found = client.table(table.name, table.fields, **asked)
        made = _statement(found, table, request, today)
        if made:
            parts.append(stamp_row(NAME, table.name, made, found.bodies))
    if not parts:
        why = Text("没有这些报告期已公告的报表", "no statement of these periods announced yet")
        raise NoDataError(f"financials {request.symbol}", why)
    return tuple(parts)


def forecast(client: TushareClient, request: ForecastRequest, now: datetime) -> tuple[Fetched, ...]:
    """See Provider.fetch: the mean of the newest report of each institution, per coming year.

    Raises: NoDataError when nobody wrote within `_FORECAST_WITHIN`.
    """
    today = now.astimezone(BEIJING).date()
    fields = ("ts_code", "report_date", "org_name", "quarter", *(c.field for c in _FORECASTS))
    window = {"start_date": write_day(today - _FORECAST_WITHIN), "end_date": write_day(today)}
    found = client.table("report_rc", fields, ts_code=request.symbol, **window)
    made: list[Fact] = []
    for period, opinions in sorted(_opinions(found, request.symbol, today).items()):
        for column in _FORECASTS:
            made += _consensus(column, period, opinions, request.symbol, found.body)
    if not made:
        why = Text("近 180 天没有机构对未来年度的预测", "no forecast within the last 180 days")
        raise NoDataError(f"forecast {request.symbol}", why)
    return (stamp_row(NAME, "report_rc", made, found.bodies),)


def _statement(
    found: TableAnswer, table: _Table, request: FinancialsRequest, today: date
) -> list[Fact]:
    wanted = {str(Period.parse(text)) for text in request.periods}
    by_period: dict[Period, list[tuple[Any, Node]]] = {}
    for row in found.rows:
        _same_code(row, request.symbol, found.body)
        period = _period(row["end_date"], found.body)
        announced = _read_announcement(row, table, found.body)
        if announced is None or announced > today or (wanted and str(period) not in wanted):
            continue
        if period.end > announced:
            raise ChangedError(NAME, table.name, f"{period} announced before its end")
        rank = (str(row["update_flag"]) == "1", announced)
        by_period.setdefault(period, []).append((rank, row))
    made: list[Fact] = []
    for period in sorted(by_period):
        newest = max(rank for rank, _ in by_period[period])
        for rank, row in by_period[period]:
            if rank == newest:
                made += _figures(row, table, period, newest[1], found.body)
    return made


def _figures(row: Node, table: _Table, period: Period, announced: date, body: Body) -> list[Fact]:
    note = f"公告日 {announced}"
    made: list[Fact] = []
    for column in table.columns:
        flavour = _NOTES.get(column.field)
        made += facts(
            row,
            (column,),
            body,
            symbol=str(row["ts_code"]),
            as_of=period.end,
            period=str(period),
            note=join_notes(flavour, note),
        )
    return made


def _read_announcement(row: Node, table: _Table, body: Body) -> date | None:
    """When the row became public; None when it does not say: then it is not known to be."""
    cells = [row[name] for name in table.announced if row[name] not in (None, "")]
    return day(cells[0], body, table.announced[0]) if cells else None


def _period(cell: object, body: Body) -> Period:
    end = day(cell, body, "end_date")
    try:
        return Period.parse(write_day(end))
    except InputError as error:
        raise ChangedError(NAME, body.table, f"{end} is no end of a quarter") from error


def _same_code(row: Mapping[str, object], symbol: str, body: Body) -> None:
    if row["ts_code"] != symbol:
        raise ChangedError(NAME, body.table, "answers about another code")


def _opinions(
    found: TableAnswer, symbol: str, today: date
) -> dict[Period, dict[str, tuple[date, Node]]]:
    """Per year still to be reported, the newest row of each institution."""
    opinions: dict[Period, dict[str, tuple[date, Node]]] = {}
    for row in found.rows:
        _same_code(row, symbol, found.body)
        on = day(row["report_date"], found.body, "report_date")
        if on > today:
            raise ChangedError(NAME, "report_rc", f"a report of {on} lies in the future")
        try:
            period = Period.parse(str(row["quarter"]))
        except InputError as error:
            raise ChangedError(NAME, "report_rc", "quarter is no period") from error
        if period.end < today:
            continue
        newest = opinions.setdefault(period, {})
        who = plain(row["org_name"], 40)
        if who not in newest or on > newest[who][0]:
            newest[who] = (on, row)
    return opinions


def _consensus(
    column: Column,
    period: Period,
    opinions: Mapping[str, tuple[date, Node]],
    symbol: str,
    body: Body,
) -> Sequence[Fact]:
    """The mean of what is given, with how many gave it and when; nothing when nobody did."""
    given = [(on, number(row, column, body)) for on, row in opinions.values()]
    known = [(on, value) for on, value in given if value is not None]
    if not known:
        return ()
    days = [on for on, _ in known]
    unit = column.into or column.unit
    mean = sum((value for _, value in known), Decimal(0)) / len(known)
    return (
        Fact(
            symbol=symbol,
            metric=column.metric,
            value=float(convert(mean, column.unit, unit)),
            unit=unit,
            as_of=max(days),
            period=str(period),
            field=f"mean({column.field})",
            raw=", ".join(str(value) for _, value in known),
            note=f"{len(known)} 家机构最新预测的均值，{min(days)} 至 {max(days)}；是预测，不是业绩",
        ),
    )
