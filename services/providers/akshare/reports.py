"""Reported figures through AkShare: Eastmoney's main indicators of one company.

The full sheets take twenty requests a company there, so totals of the balance are left to others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from services.core.clock import BEIJING
from services.core.errors import (
    ChangedError,
    NoDataError,
    NotCoveredError,
)
from services.core.periods import Period
from services.core.requests import FinancialsRequest
from services.core.source_marks import join_notes
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.providers.akshare.gateway import NAME, AkshareTable, ask
from services.providers.akshare.wire import DocumentKind
from services.providers.base import Fetched
from services.providers.eastmoney.client import CURRENCIES
from services.providers.http import Body
from services.providers.joining import join_bodies
from services.providers.provider_context import Kit
from services.providers.reading import Column, Node, day, facts, once, plain, require

# How many quarters of the fiscal year a row tells of; other kinds are single quarters.
_QUARTERS: Mapping[str, int] = {"003": 1, "002": 2, "004": 3, "001": 4}
_AGO: Mapping[int, str] = {1: "一季报", 2: "中报", 3: "三季报", 4: "年报"}
# A name here stands for its own unit of money, or for a share of it.
_MONEY, _SHARE = "money", "share"
_MAINLAND = (
    Column("EPSJB", "eps", _SHARE),
    Column("BPS", "bps", _SHARE),
    Column("TOTALOPERATEREVE", "revenue", _MONEY),
    Column("PARENTNETPROFIT", "net_profit", _MONEY),
    Column("TOTALOPERATEREVETZ", "revenue_yoy", "percent"),
    Column("PARENTNETPROFITTZ", "net_profit_yoy", "percent"),
    Column("ROEJQ", "roe", "percent"),
    Column("XSMLL", "gross_margin", "percent"),
    Column("XSJLL", "net_margin", "percent"),
    Column("ZCFZL", "debt_to_assets", "percent"),
)
_RATIOS = (
    Column("ROE_AVG", "roe", "percent"),
    Column("GROSS_PROFIT_RATIO", "gross_margin", "percent"),
    Column("NET_PROFIT_RATIO", "net_margin", "percent"),
    Column("DEBT_ASSET_RATIO", "debt_to_assets", "percent"),
)
_HONG_KONG = (
    Column("BASIC_EPS", "eps", _SHARE),
    Column("BPS", "bps", _SHARE),
    Column("OPERATE_INCOME", "revenue", _MONEY),
    Column("HOLDER_PROFIT", "net_profit", _MONEY),
    *_RATIOS,
)
_AMERICA = (
    Column("BASIC_EPS", "eps", _SHARE),
    Column("OPERATE_INCOME", "revenue", _MONEY),
    Column("PARENT_HOLDER_NETPROFIT", "net_profit", _MONEY),
    *_RATIOS,
)
_NOTES: Mapping[str, str] = {
    "TOTALOPERATEREVE": "营业总收入",
    "TOTALOPERATEREVETZ": "营业总收入",
    "ROE_AVG": "平均",
}


@dataclass(frozen=True, slots=True)
class _Report:
    """A row that may be told: the period it is of, the day that ends, when it was announced."""

    period: Period
    as_of: date
    announced: date | None
    row: Node


def financials(kit: Kit, request: FinancialsRequest) -> tuple[Fetched, ...]:
    """See Provider.fetch: year-to-date figures of each report period, oldest first.

    Abroad `period` is the fiscal year and quarter, and `as_of` the day it really ended.
    """
    symbol = Symbol.parse(request.symbol)
    if symbol.market == "CN":
        tables, columns = _mainland(kit, symbol), _MAINLAND
    elif symbol.market == "HK":
        tables, columns = _hong_kong(kit, symbol), _HONG_KONG
    else:
        tables, columns = _american(kit, symbol), _AMERICA
    made: list[Fact] = []
    wanted = {Period.parse(text) for text in request.periods}
    reports = [one for table in tables for one in _reports(kit, symbol, table)]
    body = join_bodies([table.body for table in tables])
    for one in sorted(reports, key=lambda each: (each.period, each.announced or date.min)):
        if not wanted or one.period in wanted:
            made += _figures(symbol, one, columns, tables[0])
    if not made:
        why = Text("没有这些报告期已公告的指标", "no indicators of these periods announced yet")
        raise NoDataError(f"financials {symbol}", why)
    name = plain(reports[0].row.get("SECURITY_NAME_ABBR"), 40)
    return (
        Fetched(
            source="eastmoney",
            table=body.table,
            rows=once(made, body),
            fetched_at=body.fetched_at,
            body_sha256=body.sha256,
            labels={symbol.value: {"name": name}} if name else {},
        ),
    )


def _mainland(kit: Kit, symbol: Symbol) -> list[AkshareTable]:
    wire = DocumentKind("result.data", ("SECUCODE", "REPORT_DATE", "NOTICE_DATE", "CURRENCY"))
    function = "stock_financial_analysis_indicator_em"
    return [ask(kit, function, (wire,), symbol=symbol.value, indicator="按报告期")]


def _hong_kong(kit: Kit, symbol: Symbol) -> list[AkshareTable]:
    """The currency comes from the list of reports: the indicators' own column is not reliable."""
    wires = (
        DocumentKind("result.data", ("SECUCODE", "REPORT_DATE", "DATE_TYPE_CODE"), last=1),
        DocumentKind("result.data", ("REPORT_LIST",), first=1),
    )
    function = "stock_financial_hk_analysis_indicator_em"
    return [ask(kit, function, wires, symbol=symbol.code, indicator="报告期")]


def _american(kit: Kit, symbol: Symbol) -> list[AkshareTable]:
    """Annual rows and cumulative quarters; a company may have only the first."""
    columns = ("SECUCODE", "REPORT_DATE", "NOTICE_DATE", "DATE_TYPE_CODE", "CURRENCY")
    wires = (
        DocumentKind("result.data", ("SECUCODE",), last=1),
        DocumentKind("result.data", columns, first=1),
    )
    function, code = "stock_financial_us_analysis_indicator_em", symbol.code.replace(".", "_")
    tables = [ask(kit, function, wires, symbol=code, indicator="年报")]
    try:
        tables.append(ask(kit, function, wires, symbol=code, indicator="累计季报"))
    except NoDataError:
        return tables
    return tables


def _reports(kit: Kit, symbol: Symbol, table: AkshareTable) -> list[_Report]:
    """The newest row announced until today of each period."""
    today, body = kit.clock.now().astimezone(BEIJING).date(), table.body
    if all(_read_end(row, body) > today for row in table.rows):
        raise ChangedError(NAME, body.table, "every period lies in the future")
    newest: dict[Period, _Report] = {}
    same: list[_Report] = []
    for row in table.rows:
        ended = _read_end(row, body)
        given = row.get("NOTICE_DATE")
        announced = day(given, body, "NOTICE_DATE") if isinstance(given, str) and given else None
        period = _period(symbol, row, ended)
        # Hong Kong's rows have no such column; elsewhere what is not dated is not known to be out.
        if period is None or (announced is None and symbol.market != "HK"):
            continue
        if max(ended, announced or ended) > today:
            continue
        one = _Report(period, ended, announced, row)
        kept = newest.get(period)
        if kept is None or (one.announced or date.min) > (kept.announced or date.min):
            newest[period] = one
        same.append(one)
    return [one for one in same if one.announced == newest[one.period].announced]


def _read_end(row: Node, body: Body) -> date:
    require(row, ("REPORT_DATE",), body)
    return day(row["REPORT_DATE"], body, "REPORT_DATE")


def _period(symbol: Symbol, row: Node, ended: date) -> Period | None:
    if symbol.market == "CN":
        period = Period(ended.year, -(-ended.month // 3))
        return period if period.end == ended else None
    quarters = _QUARTERS.get(str(row.get("DATE_TYPE_CODE")))
    if quarters is None:
        return None
    year = ended.year + (ended.month - 1 + (4 - quarters) * 3) // 12
    return Period(year, quarters)


def _figures(
    symbol: Symbol, one: _Report, columns: Sequence[Column], table: AkshareTable
) -> list[Fact]:
    require(one.row, ("CURRENCY",), table.body)
    money = CURRENCIES.get(str(one.row["CURRENCY"]))
    if money is None:
        raise NotCoveredError(NAME, table.body.table, "is in a currency without a unit here")
    made: list[Fact] = []
    for column in columns:
        unit = {_MONEY: money, _SHARE: f"{money}/share"}.get(column.unit, column.unit)
        made += facts(
            one.row,
            (Column(column.field, column.metric, unit),),
            table.body,
            symbol=symbol.value,
            as_of=one.as_of,
            period=str(one.period),
            note=_note(symbol, one, column.field),
        )
    return made


def _note(symbol: Symbol, one: _Report, field: str) -> str | None:
    words = [_NOTES[field]] if field in _NOTES else []
    if field == "ROEJQ":
        words = ["加权" if one.period.quarter == 4 else "加权，未年化"]
    if symbol.market != "CN":
        words.append(f"财年 {one.period.year} {_AGO[one.period.quarter]}，至 {one.as_of}")
    words.append(f"公告日 {one.announced}" if one.announced else "来源未给公告日")
    return join_notes(*words)
