"""Macro series of Tushare. The wire's fields and units differ from table to table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from services.core.clock import BEIJING
from services.core.errors import NoDataError
from services.core.requests import MacroRequest
from services.core.text import Text
from services.providers.base import Fetched
from services.providers.http import Body
from services.providers.joining import join_bodies
from services.providers.macro_periods import (
    SERIES_NAMES,
    PeriodSpan,
    day_span,
    month_span,
    newest_facts,
    quarter_span,
)
from services.providers.reading import Column, once
from services.providers.tushare.client import NAME, TushareClient, write_day


@dataclass(frozen=True, slots=True)
class _Series:
    """One macro table: the column that dates a row, how, and the figures."""

    table: str
    dated: str
    span: Callable[[object, Body, str], PeriodSpan]
    columns: tuple[Column, ...]
    note: str | None = None


_SERIES: Mapping[str, _Series] = {
    "pmi": _Series(
        "cn_pmi",
        "month",
        month_span,
        (
            Column("pmi010000", "pmi_manufacturing", "points"),
            Column("pmi020100", "pmi_non_manufacturing", "points"),
        ),
    ),
    "money_supply": _Series(
        "cn_m",
        "month",
        month_span,
        (
            Column("m2", "m2", "CNY_yi", "CNY"),
            Column("m2_yoy", "m2_yoy", "percent"),
            Column("m1", "m1", "CNY_yi", "CNY"),
            Column("m1_yoy", "m1_yoy", "percent"),
        ),
    ),
    "cpi": _Series(
        "cn_cpi",
        "month",
        month_span,
        (Column("nt_yoy", "cpi_yoy", "percent"), Column("nt_mom", "cpi_mom", "percent")),
    ),
    "ppi": _Series("cn_ppi", "month", month_span, (Column("ppi_yoy", "ppi_yoy", "percent"),)),
    "gdp": _Series(
        "cn_gdp",
        "quarter",
        quarter_span,
        (Column("gdp", "gdp_ytd", "CNY_yi", "CNY"), Column("gdp_yoy", "gdp_yoy", "percent")),
        "累计值：年初至该季末",
    ),
    "lpr": _Series(
        "shibor_lpr",
        "date",
        day_span,
        (Column("1y", "lpr_1y", "percent"), Column("5y", "lpr_5y", "percent")),
    ),
    "social_financing": _Series(
        "sf_month",
        "month",
        month_span,
        (
            Column("inc_month", "social_financing_increment", "CNY_yi", "CNY"),
            # The flow is in 亿元, the stock of the same row in 万亿元.
            Column("stk_endval", "social_financing_stock", "CNY_wanyi", "CNY"),
        ),
    ),
}


def macro(client: TushareClient, request: MacroRequest, now: datetime) -> tuple[Fetched, ...]:
    """See Provider.fetch: the newest `count` periods until today, oldest first."""
    series = _SERIES[request.series]
    today = now.astimezone(BEIJING).date()
    fields = (series.dated, *(column.field for column in series.columns))
    found = client.table(series.table, fields, **_window(series, request.count, today))
    symbol = f"macro:{request.series}"
    dated = [(series.span(row[series.dated], found.body, series.dated), row) for row in found.rows]
    made = newest_facts(dated, series.columns, found.body, request, today=today, note=series.note)
    if not made:
        raise NoDataError(symbol, Text("没有已公布的数值", "no figure published"))
    body = join_bodies(found.bodies)
    return (
        Fetched(
            source=NAME,
            table=series.table,
            rows=once(made, body),
            fetched_at=body.fetched_at,
            body_sha256=body.sha256,
            labels={symbol: {"name": SERIES_NAMES[request.series]}},
        ),
    )


def _window(series: _Series, count: int, today: date) -> dict[str, str]:
    """From when to when to ask: twice as many periods as wanted, for what is not out yet."""
    if series.dated == "quarter":
        years = count // 2 + 2
        quarter = (today.month - 1) // 3 + 1
        return {"start_q": f"{today.year - years}Q1", "end_q": f"{today.year}Q{quarter}"}
    first = date(today.year - (count // 6 + 1), 1, 1)
    if series.dated == "date":
        return {"start_date": write_day(first), "end_date": write_day(today)}
    return {"start_m": f"{first:%Y%m}", "end_m": f"{today:%Y%m}"}
