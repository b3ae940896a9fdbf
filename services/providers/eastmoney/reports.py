"""Reported figures: every period of one company, or one period of every mainland company."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from services.core.clock import BEIJING
from services.core.errors import (
    ChangedError,
    InputError,
    NoDataError,
    NotCoveredError,
)
from services.core.periods import Period
from services.core.requests import FinancialsRequest, ReportsRequest
from services.core.source_marks import join_notes
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.eastmoney.client import (
    CURRENCIES,
    NAME,
    DatacenterRows,
    EastmoneyClient,
    in_threads,
)
from services.providers.http import Body
from services.providers.joining import join_bodies
from services.providers.reading import Column, Node, day, facts, not_later, once, plain, require
from services.providers.sessions import ZONES

_INDICATORS, _BALANCE = "RPT_F10_FINANCE_MAINFINADATA", "RPT_DMSK_FN_BALANCE"
_HK_INDICATORS, _US_INDICATORS = "RPT_HKF10_FN_MAININDICATOR", "RPT_USF10_FN_GMAININDICATOR"
# The list of Hong Kong reports is right about their currency; the indicators' own column is not.
_HK_REPORTS = "RPT_CUSTOM_HKSK_APPFN_CASHFLOW_SUMMARY"
_MARKET_REPORTS = "RPT_LICO_FN_CPD"
# How many quarters of the fiscal year a row tells of. Other kinds are single quarters.
_QUARTERS: Mapping[str, int] = {"003": 1, "002": 2, "004": 3, "001": 4}
_WHAT = {1: "一季报", 2: "中报", 3: "三季报", 4: "年报"}
_NOTES: Mapping[str, str] = {
    "TOTALOPERATEREVE": "营业总收入",
    "TOTALOPERATEREVETZ": "营业总收入",
    "TOTAL_OPERATE_INCOME": "营业总收入",
    "YSTZ": "营业总收入",
    "TOTAL_EQUITY": "含少数股东权益",
    "ROE_AVG": "平均",
}
# Abroad NOTICE_DATE is the day of the newest filing that repeats the figure, often a year later.
_LATEST_ANNOUNCEMENT = timedelta(days=120)
_WEIGHTED = frozenset({"ROEJQ", "WEIGHTAVG_ROE"})


@dataclass(frozen=True, slots=True)
class _Report:
    """A row that may be told: what it is of, when it was announced (None: not given), its money.

    `filed` is the day of the newest filing that has its figures.
    """

    symbol: str
    period: Period
    as_of: date
    announced: date | None
    money: str | None
    row: Node
    about: str | None = None
    filed: date | None = None


def _indicator_columns(money: str) -> tuple[Column, ...]:
    return (
        Column("EPSJB", "eps", f"{money}/share"),
        Column("BPS", "bps", f"{money}/share"),
        Column("TOTALOPERATEREVE", "revenue", money),
        Column("PARENTNETPROFIT", "net_profit", money),
        Column("KCFJCXSYJLR", "net_profit_deducted", money),
        Column("TOTALOPERATEREVETZ", "revenue_yoy", "percent"),
        Column("PARENTNETPROFITTZ", "net_profit_yoy", "percent"),
        Column("ROEJQ", "roe", "percent"),
        Column("XSMLL", "gross_margin", "percent"),
        Column("XSJLL", "net_margin", "percent"),
        Column("ZCFZL", "debt_to_assets", "percent"),
    )


def _balance_columns(money: str) -> tuple[Column, ...]:
    return (
        Column("TOTAL_ASSETS", "total_assets", money),
        Column("TOTAL_LIABILITIES", "total_liabilities", money),
        Column("TOTAL_EQUITY", "equity_total", money),
    )


def _market_columns(money: str) -> tuple[Column, ...]:
    return (
        Column("BASIC_EPS", "eps", f"{money}/share"),
        Column("BPS", "bps", f"{money}/share"),
        Column("TOTAL_OPERATE_INCOME", "revenue", money),
        Column("PARENT_NETPROFIT", "net_profit", money),
        Column("YSTZ", "revenue_yoy", "percent"),
        Column("SJLTZ", "net_profit_yoy", "percent"),
        Column("WEIGHTAVG_ROE", "roe", "percent"),
        Column("XSMLL", "gross_margin", "percent"),
    )


def _hk_columns(money: str) -> tuple[Column, ...]:
    return (
        Column("BASIC_EPS", "eps", f"{money}/share"),
        Column("BPS", "bps", f"{money}/share"),
        Column("OPERATE_INCOME", "revenue", money),
        Column("HOLDER_PROFIT", "net_profit", money),
        *_abroad_ratios(),
    )


def _us_columns(money: str) -> tuple[Column, ...]:
    return (
        Column("BASIC_EPS", "eps", f"{money}/share"),
        Column("OPERATE_INCOME", "revenue", money),
        Column("PARENT_HOLDER_NETPROFIT", "net_profit", money),
        *_abroad_ratios(),
    )


def _abroad_ratios() -> tuple[Column, ...]:
    return (
        Column("ROE_AVG", "roe", "percent"),
        Column("GROSS_PROFIT_RATIO", "gross_margin", "percent"),
        Column("NET_PROFIT_RATIO", "net_margin", "percent"),
        Column("DEBT_ASSET_RATIO", "debt_to_assets", "percent"),
    )


def financials(client: EastmoneyClient, request: FinancialsRequest) -> tuple[Fetched, ...]:
    """What had been announced by the clock's day, a part a table, oldest period first.

    A-share figures are the year to the period's end; abroad the fiscal year's, of which `period`
    is the quarter: `2026_Q4` is the fiscal year 2026 whenever it ended (`as_of`).
    Raises: NoDataError, ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    wanted = frozenset(Period.parse(text) for text in request.periods)
    if symbol.is_a_share:
        parts = _mainland(client, symbol, wanted)
    elif symbol.market == "HK":
        parts = [_hong_kong(client, symbol, wanted)]
    else:
        parts = [_american(client, symbol, wanted)]
    told = tuple(part for part in parts if part is not None)
    if not told:
        raise NoDataError(
            f"financials {symbol}",
            Text("东方财富没有已公告的这些报告期", "none of these periods announced at Eastmoney"),
        )
    return told


def market_reports(client: EastmoneyClient, request: ReportsRequest) -> tuple[Fetched, ...]:
    """One period of every company that has announced it, in symbol order; then the balances.

    Raises: NoDataError when nobody has, ProviderError.
    """
    period = Period.parse(request.period)
    tables = (
        (_MARKET_REPORTS, f"(REPORTDATE='{period.end}')", "REPORTDATE", _market_columns),
        (_BALANCE, f"(REPORT_DATE='{period.end}')", "REPORT_DATE", _balance_columns),
    )
    found = in_threads(tables, lambda each: client.table(each[0], each[1], order="SECURITY_CODE"))
    parts: list[Fetched] = []
    for (report, _, on, columns), table in zip(tables, found, strict=True):
        body = join_bodies(table.bodies, report)
        known = _mainland_reports(table.rows, on, body, client)
        kept = [one for one in known if one.period == period]
        if part := _part(kept, columns, body):
            parts.append(part)
    if not parts:
        raise NoDataError(
            f"market_reports {period}",
            Text("还没有公司公告这一期", "no company has announced it yet"),
        )
    return tuple(parts)


def _mainland(
    client: EastmoneyClient, symbol: Symbol, wanted: frozenset[Period]
) -> list[Fetched | None]:
    conditions = f'(SECUCODE="{symbol}")'
    tables = ((_INDICATORS, _indicator_columns), (_BALANCE, _balance_columns))
    found = in_threads(tables, lambda each: client.table(each[0], conditions, order="-REPORT_DATE"))
    parts: list[Fetched | None] = []
    for (report, columns), table in zip(tables, found, strict=True):
        body = join_bodies(table.bodies, report)
        known = _mainland_reports(table.rows, "REPORT_DATE", body, client, only=symbol)
        kept = [one for one in known if not wanted or one.period in wanted]
        parts.append(_part(kept, columns, body))
    return parts


def _mainland_reports(
    rows: Iterable[Node],
    on: str,
    body: Body,
    client: EastmoneyClient,
    *,
    only: Symbol | None = None,
) -> list[_Report]:
    """Rows of A shares whose announcement lies no later than the clock's day, corrected ones last.

    `notice_date` of an evening's report is the next day: such a report counts from then on.
    """
    today = client.now.astimezone(BEIJING).date()
    found: list[_Report] = []
    for row in rows:
        require(row, ("SECUCODE", on, "NOTICE_DATE"), body)
        symbol = _a_share(row["SECUCODE"])
        period = _quarter(not_later(day(row[on], body, on), client.now, BEIJING, body, on))
        announced = day(row["NOTICE_DATE"], body, "NOTICE_DATE") if row["NOTICE_DATE"] else None
        if symbol is None or period is None or announced is None or announced > today:
            continue
        if only is not None and symbol != only:
            raise ChangedError(NAME, body.table, "the answer is about another symbol")
        money = CURRENCIES.get(str(row.get("CURRENCY", "CNY")))
        report = _Report(symbol.value, period, period.end, announced, money, row, filed=announced)
        found.append(report)
    return _newest(found)


def _hong_kong(
    client: EastmoneyClient, symbol: Symbol, wanted: frozenset[Period]
) -> Fetched | None:
    conditions = f'(SECUCODE="{symbol}")'
    indicators, listed = in_threads(
        ((_HK_INDICATORS, "-REPORT_DATE"), (_HK_REPORTS, "SECUCODE")),
        lambda each: client.table(each[0], conditions, order=each[1]),
    )
    currencies = _hk_currencies(listed)
    body = join_bodies((*indicators.bodies, *listed.bodies), _HK_INDICATORS)

    def report(row: Node, on: date) -> _Report | None:
        return _abroad(row, symbol, on, currencies.get(on), None)

    kept = _of_abroad(indicators.rows, body, client, wanted, report)
    return _part(kept, _hk_columns, body)


def _american(client: EastmoneyClient, symbol: Symbol, wanted: frozenset[Period]) -> Fetched | None:
    conditions = f'(SECURITY_CODE="{symbol.code.replace(".", "_")}")'
    table = client.table(_US_INDICATORS, conditions, order="-REPORT_DATE")
    body = join_bodies(table.bodies, _US_INDICATORS)

    def report(row: Node, on: date) -> _Report | None:
        require(row, ("CURRENCY", "NOTICE_DATE"), body)
        filed = day(row["NOTICE_DATE"], body, "NOTICE_DATE") if row["NOTICE_DATE"] else None
        return _abroad(row, symbol, on, CURRENCIES.get(str(row["CURRENCY"])), filed)

    return _part(_of_abroad(table.rows, body, client, wanted, report), _us_columns, body)


def _of_abroad(
    rows: Sequence[Node],
    body: Body,
    client: EastmoneyClient,
    wanted: frozenset[Period],
    report: Callable[[Node, date], _Report | None],
) -> list[_Report]:
    if not rows:
        # Not every company abroad is in it: the next source may know.
        raise NotCoveredError(NAME, body.table, "has nothing of this company")
    found: list[_Report] = []
    today = client.now.astimezone(BEIJING).date()
    for row in rows:
        require(row, ("REPORT_DATE", "DATE_TYPE_CODE"), body)
        on = day(row["REPORT_DATE"], body, "REPORT_DATE")
        not_later(on, client.now, ZONES["CN"], body, "REPORT_DATE")
        one = report(row, on)
        if one is None or (one.filed is not None and one.filed > today):
            continue
        if not wanted or one.period in wanted:
            found.append(one)
    return _newest(found)


def _abroad(
    row: Node, symbol: Symbol, on: date, money: str | None, filed: date | None
) -> _Report | None:
    """A row as of a fiscal year: the year in which it ends, and the quarters that have passed."""
    quarters = _QUARTERS.get(str(row["DATE_TYPE_CODE"]))
    if quarters is None:
        return None
    months_left = (4 - quarters) * 3
    year = on.year + (on.month - 1 + months_left) // 12
    about = f"财年 {year} {_WHAT[quarters]}，至 {on}"
    announced = filed if filed is not None and filed - on <= _LATEST_ANNOUNCEMENT else None
    if announced is None:
        about += "；来源未给公告日"
    return _Report(symbol.value, Period(year, quarters), on, announced, money, row, about, filed)


def _hk_currencies(listed: DatacenterRows) -> dict[date, str]:
    """The currency of each report by the day it ends; a report of another currency has none."""
    found: dict[date, str] = {}
    body = listed.bodies[0]
    for row in listed.rows:
        require(row, ("REPORT_LIST",), body)
        reports: Any = row["REPORT_LIST"]
        if not isinstance(reports, list):
            raise ChangedError(NAME, body.table, "REPORT_LIST is no list")
        for each in reports:
            require(each, ("REPORT_DATE", "CURRENCY"), body)
            money = CURRENCIES.get(str(each["CURRENCY"]))
            if money is not None:
                found.setdefault(day(each["REPORT_DATE"], body, "REPORT_DATE"), money)
    return found


def _part(
    reports: Sequence[_Report], columns: Callable[[str], tuple[Column, ...]], body: Body
) -> Fetched | None:
    """The facts of these reports as one part; None when there are none."""
    found: list[Fact] = []
    labels: dict[str, dict[str, str]] = {}
    for one in sorted(reports, key=lambda each: (each.symbol, each.period)):
        # Without a known currency only what needs none can be told.
        told = columns(one.money or "CNY")
        if one.money is None:
            told = tuple(column for column in told if column.unit == "percent")
        for column in told:
            found += facts(
                one.row,
                (column,),
                body,
                symbol=one.symbol,
                as_of=one.as_of,
                period=str(one.period),
                note=_note(one, column.field),
            )
        labels[one.symbol] = _words(one.row)
    if not found:
        return None
    return Fetched(NAME, body.table, once(found, body), body.fetched_at, body.sha256, labels)


def _note(one: _Report, field: str) -> str | None:
    words = [_NOTES[field]] if field in _NOTES else []
    if field in _WEIGHTED:
        words.append("加权" if one.period.quarter == 4 else "加权，未年化")
    words += [one.about] if one.about else []
    words += [f"公告日 {one.announced}"] if one.announced else []
    return join_notes(*words)


def _words(row: Node) -> dict[str, str]:
    words = {
        "name": plain(row.get("SECURITY_NAME_ABBR")),
        "industry": plain(row.get("PUBLISHNAME")),
    }
    return {key: text for key, text in words.items() if text}


def _newest(found: Iterable[_Report]) -> list[_Report]:
    """Of several rows of one period those of the last announcement: corrections replace."""
    last: dict[tuple[str, Period], date] = {}
    every = list(found)
    for one in every:
        key = (one.symbol, one.period)
        last[key] = max(last.get(key, date.min), one.filed or date.min)
    return [one for one in every if (one.filed or date.min) == last[one.symbol, one.period]]


def _a_share(secucode: object) -> Symbol | None:
    if not isinstance(secucode, str) or not secucode.endswith((".SH", ".SZ", ".BJ")):
        return None
    try:
        symbol = Symbol.parse(secucode)
    except InputError:
        return None
    return symbol if symbol.is_a_share else None


def _quarter(on: date) -> Period | None:
    """The quarter that ends on that day; None for another day."""
    period = Period(on.year, -(-on.month // 3))
    return period if period.end == on else None
