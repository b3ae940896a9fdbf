"""A made-up market as Xueqiu's screener and whole-market list give it.

Ranges are inclusive at both ends; statement fields must carry the period of 2026Q3, or are null.
"""

import re
from collections.abc import Mapping
from typing import Any

PERIOD = "20260930"
_RANGE = re.compile(r"(-?[0-9.]+)_(-?[0-9.]+)")
_REPORTED = ("roediluted", "netprofit", "total_revenue", "tl")
_MARKET = ("pct", "pettm", "pelyr", "pb", "dy_l", "mc", "current", "volume", "amount")
_PAGING = {"category", "exchange", "areacode", "indcode", "order_by", "order", "page", "size"}
_KNOWN = (
    ("SH600519", "贵州茅台", 1502.3, 20.9, 21.4, 8.1, 3.43, 1887e9, 25.4, 66e9, 131e9, 37.5e9),
    ("SZ000001", "平安银行", 11.2, 4.9, 4.8, 0.5, 5.4, 217.3e9, 8.1, 38.3e9, 100.7e9, 5257.1e9),
    ("SZ300750", "宁德时代", 402.5, -35.2, 28.1, 5.2, None, 1836.5e9, 15.2, 49e9, 283e9, 520e9),
)
_HONG_KONG = (("00700", "腾讯控股", 612.5, 24.8, 26.3, 4.6, 0.74, 5590e9),)
_AMERICA = (("AAPL", "苹果", 268.4, 35.9, 36.2, 53.1, 0.38, 3960e9),)


def universe(companies: int) -> list[dict[str, Any]]:
    """`companies` of the mainland, the first three known ones; one of Hong Kong, one American."""
    made = [_company("CN", *row) for row in _KNOWN]
    for n in range(companies - len(made)):
        # P/E 2, 2.1, 2.2 …; each tenth has not filed; a whole P/E falls on a bound.
        price, pe = 10 + n / 10, round(2 + n / 10, 1)
        reports = (None,) * 4 if n % 10 == 9 else (5 + n % 20, (n + 1) * 1e8, n * 1e9, n * 2e9)
        name, code = f"示例{n:04d}", f"SH{(601, 603, 605)[n // 1000]}{n % 1000:03d}"
        row = (code, name, price, pe, pe, 1 + n / 100, 2.0, (n + 1) * 1e9)
        made.append(_company("CN", *row, *reports))
    made += [_company("HK", *row) for row in _HONG_KONG]
    made += [_company("US", *row) for row in _AMERICA]
    return made[: max(companies, 3)] + made[-2:]


def _company(market: str, *cells: Any) -> dict[str, Any]:
    symbol, name, current, pettm, pelyr, pb, dy_l, mc, *reported = cells
    idle = symbol == "SZ000001"
    row = {
        "market": market,
        "symbol": symbol,
        "name": name,
        "exchange": "sh_sz",
        "current": current,
        "pct": 0.0 if idle else 0.15,
        "pettm": pettm,
        "pelyr": pelyr,
        "pb": pb,
        "dy_l": dy_l,
        "mc": mc,
        "volume": 0 if idle else 3124500,
        "amount": 0 if idle else 4701234567.0,
    }
    for field, value in zip(_REPORTED, reported or [None] * 4, strict=True):
        row[f"{field}.{PERIOD}"] = value
    return row


def screened(
    companies: list[dict[str, Any]], query: Mapping[str, str], *, loses: bool
) -> dict[str, Any]:
    """A page of those within every range; only the columns asked for come back."""
    rows = _matching(companies, query)
    if query.get("only_count") == "1":
        return {"count": len(rows), "list": []}
    fields = [name for name in query if name not in _PAGING | {"only_count", "_"}]
    page = _page(_sorted(rows, query), query, min(int(query["size"]), 200), loses=loses)
    base = ("symbol", "name", "exchange", "current", "pct")
    wanted = [*base, *(name for name in fields if name not in base)]
    return {
        "count": len(rows),
        "list": [{name: row.get(name) for name in wanted} for row in page],
    }


def values(companies: list[dict[str, Any]], query: Mapping[str, str]) -> dict[str, Any]:
    """The lowest and highest value of a field."""
    rows = [row for row in companies if row["market"] == query["category"]]
    known = [row[query["field"]] for row in rows if row.get(query["field"]) is not None]
    return {"min": min(known), "max": max(known)} if known else {"min": None, "max": None}


def listed(
    companies: list[dict[str, Any]], query: Mapping[str, str], *, loses: bool
) -> dict[str, Any]:
    """A page of the whole market."""
    rows = [row for row in companies if row["market"] == query["market"]]
    rows = sorted(rows, key=lambda row: row["symbol"])
    page = _page(rows, query, min(int(query["size"]), 90), loses=loses)
    return {
        "count": len(rows),
        "list": [
            {
                "symbol": row["symbol"],
                "name": row["name"],
                "current": row["current"],
                "percent": row["pct"],
                "chg": 0.1,
                "volume": row["volume"],
                "amount": row["amount"],
                "market_capital": row["mc"],
                "float_market_capital": row["mc"],
                "pe_ttm": row["pettm"],
                "pb": row["pb"],
                "dividend_yield": row["dy_l"],
            }
            for row in page
        ],
    }


def _matching(companies: list[dict[str, Any]], query: Mapping[str, str]) -> list[dict[str, Any]]:
    rows = [row for row in companies if row["market"] == query["category"]]
    for name, text in query.items():
        found = _RANGE.fullmatch(text)
        if name in _PAGING or found is None:
            continue
        low, high = float(found.group(1)), float(found.group(2))
        rows = [row for row in rows if row.get(name) is not None and low <= row[name] <= high]
    return rows


def _sorted(rows: list[dict[str, Any]], query: Mapping[str, str]) -> list[dict[str, Any]]:
    field, down = query["order_by"], query["order"] == "desc"
    known = [row for row in rows if row.get(field) is not None]
    known.sort(key=lambda row: row[field], reverse=down)
    return known + [row for row in rows if row.get(field) is None]


def _page(
    rows: list[dict[str, Any]], query: Mapping[str, str], size: int, *, loses: bool
) -> list[dict[str, Any]]:
    """With `loses` later pages begin a row too late: a company has left the list in between."""
    start = (int(query["page"]) - 1) * size
    if loses and start:
        start += 1
    return rows[start : start + size]
