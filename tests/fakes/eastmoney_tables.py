"""The tables behind datacenter's `data/v1/get`, made from the companies."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

from tests.fakes.eastmoney_companies import QUARTERS, Listed, sessions
from tests.fakes.eastmoney_quotes import lots

Row = dict[str, Any]
EMPTY = {
    "version": None,
    "result": None,
    "success": False,
    "message": "返回数据为空",
    "code": 9201,
}
UNKNOWN = {**EMPTY, "message": "报表配置不存在", "code": 9501}
_CONDITION = re.compile(r"""\((\w+)\s*(>=|<=|!=|=|>|<)\s*["']?([^"')]*)["']?\)""")
_NAMES = {3: "一季报", 6: "中报", 9: "三季报", 12: "年报"}
_KINDS = {3: "003", 6: "002", 9: "004", 12: "001"}


def table(companies: Sequence[Listed], query: Mapping[str, str]) -> Any:
    """The answer to one question; nothing found is code 9201, an unknown table code 9501."""
    report = query.get("reportName", "")
    if report not in TABLES:
        return UNKNOWN
    order = (query.get("sortColumns", ""), query.get("sortTypes", ""))
    rows = _selected(tuple(companies), report, query.get("filter", ""), *order)
    size = min(int(query.get("pageSize") or 50), 500)
    start = (int(query.get("pageNumber") or 1) - 1) * size
    page = [dict(row) for row in rows[start : start + size]]
    if not page:
        return EMPTY
    columns = query.get("columns", "ALL").split(",")
    if "ALL" not in columns and not columns[0].startswith(("HKF10", "USF10")):
        page = [{name: row[name] for name in columns if name in row} for row in page]
    result = {"pages": -(-len(rows) // size), "data": page, "count": len(rows)}
    return {"version": "9f5a", "result": result, "success": True, "message": "ok", "code": 0}


@lru_cache(maxsize=8)
def _selected(
    companies: tuple[Listed, ...], report: str, conditions: str, names: str, orders: str
) -> tuple[Row, ...]:
    """The rows that meet the conditions, sorted: the same for every page."""
    wanted = _CONDITION.findall(conditions)
    rows = [row for row in TABLES[report](companies) if _meets(row, wanted)]
    keys = [name for name in names.split(",") if name]
    for name, order in reversed(list(zip(keys, orders.split(","), strict=False))):
        rows.sort(key=lambda row, name=name: str(row.get(name)), reverse=order == "-1")
    return tuple(rows)


def _meets(row: Row, conditions: Sequence[tuple[str, str, str]]) -> bool:
    for name, sign, wanted in conditions:
        here = str(row.get(name, ""))
        here = here[:10] if len(wanted) == 10 and here[10:11] == " " else here
        holds = {
            "=": here == wanted,
            "!=": here != wanted,
            ">=": here >= wanted,
            "<=": here <= wanted,
            ">": here > wanted,
            "<": here < wanted,
        }[sign]
        if not holds:
            return False
    return True


def _mainland(companies: Iterable[Listed]) -> list[Listed]:
    return [one for one in companies if one.market == "CN" and one.shares and one.revenue]


def _head(one: Listed) -> Row:
    return {
        "SECUCODE": one.secucode,
        "SECURITY_CODE": one.code,
        "SECURITY_NAME_ABBR": one.name,
    }


def announced(one: Listed, quarter: date) -> date | None:
    """When it published that quarter: 600001 not yet, 000002's newest only tomorrow."""
    if quarter == date(2026, 9, 30) and one.code == "600001":
        return None
    if quarter == date(2026, 9, 30) and one.code == "000002":
        return date(2026, 11, 21)
    return quarter + timedelta(days=28 + int(one.code[-1]))


def _valuations(companies: Sequence[Listed]) -> list[Row]:
    """The last sixty sessions of everyone."""
    days = sessions("CN")[-60:]
    return [
        {
            **_head(one),
            "TRADE_DATE": f"{day} 00:00:00",
            "CLOSE_PRICE": one.price,
            "CHANGE_RATE": 0.15,
            "TOTAL_MARKET_CAP": one.cap,
            "NOTLIMITED_MARKETCAP_A": one.cap,
            "TOTAL_SHARES": one.shares,
            "FREE_SHARES_A": one.shares,
            "PE_TTM": _ratio(one.cap, one.profit * 1.02),
            "PE_LAR": _ratio(one.cap, one.profit),
            "PB_MRQ": _ratio(one.cap, one.equity),
            "PEG_CAR": 1.9,
            "PCF_OCF_TTM": 25.1,
            "PS_TTM": _ratio(one.cap, one.revenue),
        }
        for one in _mainland(companies)
        for day in days
    ]


def _reports(companies: Sequence[Listed]) -> list[Row]:
    """业绩报表: one row a company and quarter, the year to that day."""
    rows: list[Row] = []
    for one, quarter, told in _told(companies):
        revenue, profit = one.year_to(quarter)
        rows.append(
            {
                **_head(one),
                "TRADE_MARKET_CODE": "069001001001",
                "TRADE_MARKET": "上交所主板",
                "SECURITY_TYPE_CODE": "058001001",
                "SECURITY_TYPE": "A股",
                "UPDATE_DATE": f"{told} 00:00:00",
                "REPORTDATE": f"{quarter} 00:00:00",
                "BASIC_EPS": round(profit / one.shares, 4),
                "DEDUCT_BASIC_EPS": None,
                "TOTAL_OPERATE_INCOME": revenue,
                "PARENT_NETPROFIT": profit,
                "WEIGHTAVG_ROE": round(profit / one.equity * 100, 2),
                "YSTZ": 11.1111,
                "SJLTZ": 11.1111,
                "BPS": round(one.equity / one.shares, 4),
                "MGJYXJJE": 1.0,
                "XSMLL": 40.5 if one.industry != "银行" else None,
                "YSHZ": 5.0,
                "SJLHZ": 4.0,
                "NOTICE_DATE": f"{told} 00:00:00",
                "QDATE": f"{quarter.year}Q{quarter.month // 3}",
                "DATATYPE": f"{quarter.year}年 {_NAMES[quarter.month]}",
                "PUBLISHNAME": one.industry,
            }
        )
    return rows


def _indicators(companies: Sequence[Listed]) -> list[Row]:
    """主要指标 of one company after another: the same figures under other names."""
    rows: list[Row] = []
    for one, quarter, told in _told(companies):
        revenue, profit = one.year_to(quarter)
        rows.append(
            {
                **_head(one),
                "REPORT_DATE": f"{quarter} 00:00:00",
                "REPORT_TYPE": _NAMES[quarter.month],
                "REPORT_DATE_NAME": f"{quarter.year}{_NAMES[quarter.month]}",
                "NOTICE_DATE": f"{told} 00:00:00",
                "CURRENCY": "CNY",
                "EPSJB": round(profit / one.shares, 4),
                "BPS": round(one.equity / one.shares, 4),
                "TOTALOPERATEREVE": revenue,
                "PARENTNETPROFIT": profit,
                "KCFJCXSYJLR": round(profit * 0.95),
                "TOTALOPERATEREVETZ": 11.1111,
                "PARENTNETPROFITTZ": 11.1111,
                "ROEJQ": round(profit / one.equity * 100, 2),
                "XSMLL": 40.5 if one.industry != "银行" else None,
                "XSJLL": round(profit / revenue * 100, 2),
                "ZCFZL": 25.0,
            }
        )
    return rows


def _balances(companies: Sequence[Listed]) -> list[Row]:
    return [
        {
            **_head(one),
            "NOTICE_DATE": f"{told} 00:00:00",
            "REPORT_DATE": f"{quarter} 00:00:00",
            "SECURITY_TYPE_CODE": "058001001",
            "TRADE_MARKET_CODE": "069001001001",
            "TOTAL_ASSETS": one.equity + one.liabilities,
            "TOTAL_LIABILITIES": one.liabilities,
            "TOTAL_EQUITY": one.equity,
            "DEBT_ASSET_RATIO": 25.0,
        }
        for one, quarter, told in _told(companies)
    ]


def _told(companies: Sequence[Listed]) -> list[tuple[Listed, date, date]]:
    found = [(one, day, announced(one, day)) for one in _mainland(companies) for day in QUARTERS]
    return [(one, day, told) for one, day, told in found if told is not None]


def _hong_kong(companies: Sequence[Listed]) -> list[Row]:
    """The CURRENCY of this table is the trading currency: wrong for those who report in CNY."""
    return [
        {
            **_head(one),
            "REPORT_DATE": f"{day} 00:00:00",
            "DATE_TYPE_CODE": _KINDS[day.month],
            "FISCAL_YEAR": "12-31",
            "CURRENCY": "HKD",
            "OPERATE_INCOME": one.year_to(day)[0],
            "HOLDER_PROFIT": one.year_to(day)[1],
            "BASIC_EPS": round(one.year_to(day)[1] / one.shares, 4),
            "BPS": round(one.equity / one.shares, 4),
            "ROE_AVG": 20.5,
            "GROSS_PROFIT_RATIO": 55.5,
            "NET_PROFIT_RATIO": 29.4,
            "DEBT_ASSET_RATIO": 25.0,
        }
        for one in companies
        if one.market == "HK" and one.shares
        for day in QUARTERS
        if day.month in (6, 12)
    ]


def _hong_kong_reports(companies: Sequence[Listed]) -> list[Row]:
    """The list of reports of a company, with the currency each is in."""
    return [
        {
            **_head(one),
            "REPORT_LIST": [
                {
                    "START_DATE": f"{day.year}-01-01 00:00:00",
                    "REPORT_DATE": f"{day} 00:00:00",
                    "FISCAL_YEAR": "12-31",
                    "CURRENCY": "人民币" if one.code in ("00700", "09988") else "港元",
                    "REPORT_TYPE": _NAMES[day.month],
                }
                for day in reversed(QUARTERS)
                if day.month in (6, 12)
            ],
        }
        for one in companies
        if one.market == "HK" and one.shares
    ]


def _american(companies: Sequence[Listed]) -> list[Row]:
    """Fiscal years end in September; a year's last quarter stands beside the year."""
    ends = {
        date(2025, 9, 27): ("001", "年报", 1.0, date(2025, 10, 31)),
        date(2025, 12, 27): ("003", "单季报", 0.3, date(2026, 1, 30)),
        date(2026, 3, 28): ("002", "累计季报", 0.55, date(2026, 5, 1)),
        date(2026, 6, 27): ("004", "累计季报", 0.75, date(2026, 7, 31)),
        date(2026, 9, 26): ("001", "年报", 1.1, date(2026, 10, 30)),
    }
    rows: list[Row] = []
    for one in companies:
        if one.market != "US":
            continue
        for day, (kind, name, part, told) in ends.items():
            rows.append(_american_row(one, day, kind, name, part, told))
        rows.append(
            _american_row(one, date(2026, 9, 26), "008", "单季报", 0.28, date(2026, 10, 30))
        )
    return rows


def _american_row(one: Listed, day: date, kind: str, name: str, part: float, told: date) -> Row:
    return {
        **_head(one),
        "STD_REPORT_DATE": f"{day} 00:00:00",
        "REPORT_DATE": f"{day} 00:00:00",
        "DATE_TYPE": name,
        "DATE_TYPE_CODE": kind,
        "REPORT_TYPE": name,
        "NOTICE_DATE": f"{told} 00:00:00",
        "CURRENCY": "USD",
        "CURRENCY_ABBR": "USD",
        "OPERATE_INCOME": round(one.revenue * part),
        "PARENT_HOLDER_NETPROFIT": round(one.profit * part),
        "BASIC_EPS": round(one.profit * part / one.shares, 4),
        "GROSS_PROFIT_RATIO": 46.5,
        "NET_PROFIT_RATIO": 26.9,
        "ROE_AVG": 150.5,
        "DEBT_ASSET_RATIO": 80.0,
    }


def _billboard(companies: Sequence[Listed]) -> list[Row]:
    """龙虎榜: 000001 on two lists of one day; 300750 ten sessions before."""
    named = {one.code: one for one in companies if one.shares and one.market == "CN"}
    days = sessions("CN")
    entries = [
        ("000001", days[-1], "日涨幅偏离值达到7%的前5只证券", 66_000_000.0),
        ("000001", days[-1], "连续三个交易日内，涨幅偏离值累计达到20%的证券", 41_000_000.0),
        ("300750", days[-11], "日换手率达到30%的前5只证券", -12_500_000.0),
    ]
    return [
        {
            **_head(named[code]),
            "TRADE_DATE": f"{day} 00:00:00",
            "EXPLAIN": "主力做T，成功率48.00%",
            "CLOSE_PRICE": named[code].price,
            "CHANGE_RATE": 9.98,
            "BILLBOARD_NET_AMT": net,
            "BILLBOARD_BUY_AMT": 200_000_000.0,
            "BILLBOARD_SELL_AMT": 200_000_000.0 - net,
            "BILLBOARD_DEAL_AMT": 400_000_000.0 - net,
            "ACCUM_AMOUNT": lots(named[code]) * 100 * named[code].price,
            "DEAL_NET_RATIO": 5.4,
            "DEAL_AMOUNT_RATIO": 27.2,
            "TURNOVERRATE": 0.53,
            "FREE_MARKET_CAP": named[code].cap,
            "EXPLANATION": why,
        }
        for code, day, why, net in entries
        if code in named
    ]


def _ratio(above: float, below: float) -> float | None:
    return round(above / below, 4) if below else None


TABLES: Mapping[str, Callable[[Sequence[Listed]], list[Row]]] = {
    "RPT_VALUEANALYSIS_DET": _valuations,
    "RPT_LICO_FN_CPD": _reports,
    "RPT_F10_FINANCE_MAINFINADATA": _indicators,
    "RPT_DMSK_FN_BALANCE": _balances,
    "RPT_HKF10_FN_MAININDICATOR": _hong_kong,
    "RPT_CUSTOM_HKSK_APPFN_CASHFLOW_SUMMARY": _hong_kong_reports,
    "RPT_USF10_FN_GMAININDICATOR": _american,
    "RPT_DAILYBILLBOARD_DETAILSNEW": _billboard,
}
