"""Macro series through AkShare: Eastmoney's tables, and the Ministry of Commerce's."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from services.core.clock import BEIJING
from services.core.errors import NoDataError, UnavailableError
from services.core.requests import MacroRequest
from services.core.trace import Fact
from services.providers.akshare.gateway import NAME, AkshareTable, ask
from services.providers.akshare.wire import DocumentKind
from services.providers.base import Fetched
from services.providers.http import Body
from services.providers.macro_periods import (
    SERIES_NAMES,
    PeriodSpan,
    day_span,
    month_span,
    newest_facts,
    quarter_span,
)
from services.providers.provider_context import Kit
from services.providers.reading import Column, once


@dataclass(frozen=True, slots=True)
class _Series:
    """One function: the column that dates a row, how, the figures, and the answer it reads."""

    function: str
    dated: str
    span: Callable[[object, Body, str], PeriodSpan]
    columns: tuple[Column, ...]
    wire: DocumentKind
    source: str = "eastmoney"
    note: str | None = None


def _columns(names: str) -> tuple[str, ...]:
    return tuple(names.split())


_SERIES: Mapping[str, _Series] = {
    "pmi": _Series(
        "macro_china_pmi",
        "月份",
        month_span,
        (
            Column("制造业-指数", "pmi_manufacturing", "points"),
            Column("非制造业-指数", "pmi_non_manufacturing", "points"),
        ),
        DocumentKind(
            "result.data",
            _columns("REPORT_DATE TIME MAKE_INDEX MAKE_SAME NMAKE_INDEX NMAKE_SAME"),
            ("MAKE_INDEX", "NMAKE_INDEX"),
            ordered=True,
        ),
    ),
    "money_supply": _Series(
        "macro_china_money_supply",
        "月份",
        month_span,
        (
            Column("货币和准货币(M2)-数量(亿元)", "m2", "CNY_yi", "CNY"),
            Column("货币和准货币(M2)-同比增长", "m2_yoy", "percent"),
            Column("货币(M1)-数量(亿元)", "m1", "CNY_yi", "CNY"),
            Column("货币(M1)-同比增长", "m1_yoy", "percent"),
        ),
        DocumentKind(
            "result.data",
            _columns(
                "REPORT_DATE TIME BASIC_CURRENCY BASIC_CURRENCY_SAME BASIC_CURRENCY_SEQUENTIAL "
                "CURRENCY CURRENCY_SAME CURRENCY_SEQUENTIAL FREE_CASH FREE_CASH_SAME "
                "FREE_CASH_SEQUENTIAL"
            ),
            ("BASIC_CURRENCY", "BASIC_CURRENCY_SAME", "CURRENCY", "CURRENCY_SAME"),
            ordered=True,
        ),
    ),
    "cpi": _Series(
        "macro_china_cpi",
        "月份",
        month_span,
        (
            Column("全国-同比增长", "cpi_yoy", "percent"),
            Column("全国-环比增长", "cpi_mom", "percent"),
        ),
        DocumentKind(
            "result.data",
            _columns(
                "REPORT_DATE TIME NATIONAL_SAME NATIONAL_BASE NATIONAL_SEQUENTIAL "
                "NATIONAL_ACCUMULATE CITY_SAME CITY_BASE CITY_SEQUENTIAL CITY_ACCUMULATE "
                "RURAL_SAME RURAL_BASE RURAL_SEQUENTIAL RURAL_ACCUMULATE"
            ),
            ("NATIONAL_SAME", "NATIONAL_SEQUENTIAL"),
            ordered=True,
        ),
    ),
    "ppi": _Series(
        "macro_china_ppi",
        "月份",
        month_span,
        (Column("当月同比增长", "ppi_yoy", "percent"),),
        DocumentKind(
            "result.data",
            _columns("REPORT_DATE TIME BASE BASE_SAME BASE_ACCUMULATE"),
            ("BASE_SAME",),
            ordered=True,
        ),
    ),
    "gdp": _Series(
        "macro_china_gdp",
        "季度",
        quarter_span,
        (
            Column("国内生产总值-绝对值", "gdp_ytd", "CNY_yi", "CNY"),
            Column("国内生产总值-同比增长", "gdp_yoy", "percent"),
        ),
        DocumentKind(
            "result.data",
            _columns(
                "REPORT_DATE TIME DOMESTICL_PRODUCT_BASE FIRST_PRODUCT_BASE SECOND_PRODUCT_BASE "
                "THIRD_PRODUCT_BASE SUM_SAME FIRST_SAME SECOND_SAME THIRD_SAME"
            ),
            ("DOMESTICL_PRODUCT_BASE", "SUM_SAME"),
            ordered=True,
        ),
        note="累计值：年初至该季末",
    ),
    "lpr": _Series(
        "macro_china_lpr",
        "TRADE_DATE",
        day_span,
        (Column("LPR1Y", "lpr_1y", "percent"), Column("LPR5Y", "lpr_5y", "percent")),
        DocumentKind("result.data", ("TRADE_DATE", "LPR1Y", "LPR5Y"), ("LPR1Y", "LPR5Y")),
    ),
    "social_financing": _Series(
        "macro_china_shrzgm",
        "月份",
        month_span,
        (Column("社会融资规模增量", "social_financing_increment", "CNY_yi", "CNY"),),
        DocumentKind(
            "",
            _columns("date ndbab entrustloan forcloan rmblaon bibae tiosfs sfinfe trustloan"),
            ("tiosfs",),
            ordered=True,
        ),
        source="mofcom",
    ),
}


def macro(kit: Kit, request: MacroRequest) -> tuple[Fetched, ...]:
    """See Provider.fetch: the newest `count` periods until today, oldest first.

    Raises: UnavailableError when the source says it has nothing: every series here exists.
    """
    series = _SERIES[request.series]
    try:
        table = ask(kit, series.function, (series.wire,))
    except NoDataError as nothing:
        raise UnavailableError(NAME, series.function, "gave an empty series") from nothing
    made = _facts(table, series, request, kit.clock.now().astimezone(BEIJING).date())
    if not made:
        raise UnavailableError(NAME, series.function, "gave no figure of these periods")
    symbol = f"macro:{request.series}"
    return (
        Fetched(
            source=series.source,
            table=series.function,
            rows=once(made, table.body),
            fetched_at=table.body.fetched_at,
            body_sha256=table.body.sha256,
            labels={symbol: {"name": SERIES_NAMES[request.series]}},
        ),
    )


def _facts(table: AkshareTable, series: _Series, request: MacroRequest, today: date) -> list[Fact]:
    # The rates before 2019 have a day and no LPR: a row without any figure is no period.
    filled = [
        row for row in table.rows if any(row[c.field] == row[c.field] for c in series.columns)
    ]
    dated = [(series.span(row[series.dated], table.body, series.dated), row) for row in filled]
    return newest_facts(dated, series.columns, table.body, request, today=today, note=series.note)
