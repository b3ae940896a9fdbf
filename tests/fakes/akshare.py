"""The hosts AkShare speaks to, on loopback: /HOST/PATH as its gateway sends them there."""

import json
import re
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from tests.fakes.server import Asked, Fault, Reply, Service, change_rows

_ANSWERS = Path(__file__).parents[1] / "answers" / "akshare"
LINES: Mapping[str, Any] = json.loads((_ANSWERS / "lines.json").read_text())
TABLES: Mapping[str, Any] = json.loads((_ANSWERS / "tables.json").read_text())
NOTHING = {
    "version": None,
    "result": None,
    "success": False,
    "message": "返回数据为空",
    "code": 9201,
}
_KLINES = {"push2his.eastmoney.com", "33.push2his.eastmoney.com"}
_NUMBERS = {
    "RPT_ECONOMY_PMI": "MAKE_INDEX",
    "RPT_ECONOMY_CURRENCY_SUPPLY": "BASIC_CURRENCY",
    "RPT_ECONOMY_CPI": "NATIONAL_SAME",
    "RPT_ECONOMY_PPI": "BASE_SAME",
    "RPT_ECONOMY_GDP": "DOMESTICL_PRODUCT_BASE",
    "RPTA_WEB_RATE": "LPR1Y",
    "shrzgm": "tiosfs",
    "RPT_DAILYBILLBOARD_DETAILSNEW": "BILLBOARD_NET_AMT",
    "RPT_F10_FINANCE_MAINFINADATA": "PARENTNETPROFIT",
    "RPT_HKF10_FN_MAININDICATOR": "HOLDER_PROFIT",
    "RPT_USF10_FN_GMAININDICATOR": "PARENT_HOLDER_NETPROFIT",
}
_DATES = ("REPORT_DATE", "TIME", "TRADE_DATE", "NOTICE_DATE", "date")
_HOLIDAYS = {date(2026, 9, 25), *(date(2026, 10, 1) + timedelta(days=n) for n in range(8))}


class Akshare(Service):
    """Eastmoney's wire as AkShare asks it, and the ministry's one table."""

    prefix = "akshare"
    variables: Mapping[str, str] = {"AKSHARE_URL": ""}

    def answer(self, asked: Asked) -> Reply:
        host, _, path = asked.path.lstrip("/").partition("/")
        match (host, path):
            case (_, "api/qt/stock/kline/get") if host in _KLINES:
                return Reply(_bars(asked.query))
            case ("push2his.eastmoney.com", "api/qt/stock/fflow/daykline/get"):
                return Reply(_flows(asked.query))
            case ("datacenter-web.eastmoney.com", "api/data/v1/get"):
                return Reply(_table(asked.query, asked.query.get("reportName", "")))
            case ("datacenter.eastmoney.com", "securities/api/data/v1/get"):
                return Reply(_table(asked.query, asked.query.get("reportName", "")))
            case ("datacenter.eastmoney.com", "securities/api/data/get"):
                return Reply(_table(asked.query, asked.query.get("type", "")))
            case ("data.mofcom.gov.cn", "datamofcom/front/gnmy/shrzgmQuery"):
                return Reply(TABLES["shrzgm"] if asked.method == "POST" else {}, status=200)
            case _:
                return Reply({}, status=404)

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        document = reply.document
        if isinstance(document, list):
            rows = change_rows(_skewed(document, fault), lambda node: node, "tiosfs", fault)
            return Reply(rows)
        if document.get("data"):
            return Reply(_spoilt_lines(document, fault, "fflow" in asked.path))
        name = asked.query.get("reportName") or asked.query.get("type") or ""
        if not document.get("result") or name not in _NUMBERS:
            return reply
        rows = document["result"]["data"]
        skewed = {**document, "result": {**document["result"], "data": _skewed(rows, fault)}}
        return Reply(
            change_rows(skewed, lambda node: node["result"]["data"], _NUMBERS[name], fault)
        )


def _bars(query: Mapping[str, str]) -> dict[str, Any]:
    found = LINES["bars"].get(query.get("secid", ""))
    if found is None:
        return {"rc": 100, "rt": 17, "svr": 1, "lt": 1, "full": 0, "data": None}
    first, last = _iso(query.get("beg", "0")), _iso(query["end"])
    cells = len([name for name in query["fields2"].split(",") if name != "f116"])
    lines = [
        ",".join(line.split(",")[:cells])
        for line in _whole(found["lines"])
        if first <= line[:10] <= last
    ]
    data = {key: found[key] for key in ("code", "market", "name")}
    return {
        "rc": 0,
        "data": {**data, "decimal": 2, "dktotal": 6000, "preKPrice": 1496.1, "klines": lines},
    }


def _flows(query: Mapping[str, str]) -> dict[str, Any]:
    key = query["secid"] + (f"+{query['secid2']}" if "secid2" in query else "")
    found = LINES["flows"].get(key)
    if found is None:
        return {"rc": 100, "data": None}
    data = {name: found[name] for name in ("code", "market", "name")}
    return {"rc": 0, "data": {**data, "klines": found["lines"]}}


def _table(query: Mapping[str, str], name: str) -> dict[str, Any]:
    """A report's rows by its filter; 9201 when there are none, an error for an unknown report."""
    if name not in TABLES:
        return {**NOTHING, "message": "报表配置不存在", "code": 9501}
    rows = [row for row in TABLES[name] if _passes(row, query.get("filter", ""))]
    asked = query.get("columns", "ALL")
    if "," in asked and rows and all(part in rows[0] for part in asked.split(",")):
        rows = [{part: row[part] for part in asked.split(",")} for row in rows]
    if not rows:
        return NOTHING
    return {
        "version": "x",
        "result": {"pages": 1, "data": rows, "count": len(rows)},
        "success": True,
        "message": "ok",
        "code": 0,
    }


def _passes(row: Mapping[str, Any], condition: str) -> bool:
    for name, wanted in re.findall(r'\((\w+)="([^"]*)"\)', condition):
        if row.get(name) != wanted:
            return False
    for name, sign, day in re.findall(r"\((\w+)([<>]=)'([^']*)'\)", condition):
        cell = str(row[name])[:10]
        if not (cell <= day if sign == "<=" else cell >= day):
            return False
    for name, wanted in re.findall(r"\((\w+) in \(([^)]*)\)\)", condition):
        if f'"{row[name]}"' not in wanted:
            return False
    return True


def _whole(lines: list[str]) -> list[str]:
    """The written sessions, oldest first, after flat ones since 3 August."""
    oldest = min(date.fromisoformat(line[:10]) for line in lines)
    flat = next(line for line in lines if line[:10] == f"{oldest}")
    day, found = date(2026, 8, 3), []
    while day < oldest:
        if day.weekday() < 5 and day not in _HOLIDAYS:
            found.append(f"{day}{flat[10:]}")
        day += timedelta(days=1)
    return [*found, *sorted(lines)]


def _iso(text: str) -> str:
    return f"{text[:4]}-{text[4:6]}-{text[6:8]}" if len(text) == 8 else text


def _spoilt_lines(document: dict[str, Any], fault: Fault, flows: bool) -> dict[str, Any]:
    """Lines of cells with a fault in one of them; a renamed cell is one that moved to the end."""
    struck = "c1" if flows else "c2"
    lines = document["data"]["klines"]
    rows = [{f"c{n}": cell for n, cell in enumerate(line.split(","))} for line in lines]
    if fault == "clock_skew":
        rows = [{**row, "c0": _later(row["c0"])} for row in rows]
    rows = change_rows({"rows": rows}, lambda node: node["rows"], struck, fault)["rows"]
    spoilt = [",".join(str("" if c is None else c) for c in row.values()) for row in rows]
    return {**document, "data": {**document["data"], "klines": spoilt}}


def _skewed(rows: list[dict[str, Any]], fault: Fault) -> list[dict[str, Any]]:
    if fault != "clock_skew":
        return rows
    return [
        {name: _later(cell) if name in _DATES and cell else cell for name, cell in row.items()}
        for row in rows
    ]


def _later(text: str) -> str:
    """The same day two years later."""
    return str(int(text[:4]) + 2) + text[4:]
