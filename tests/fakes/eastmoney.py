"""Eastmoney: lists, quotes, bars, flows, abnormal moves, limit pools, tables, notices, news.

`now` is the moment it plays: quotes and bars reach to it. `a_shares`, `hong_kong`, `america` say
how many companies there are.
"""

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from tests.fakes.eastmoney_companies import FUNDS, INDEXES, universe
from tests.fakes.eastmoney_quotes import NOTHING, bars, flows, listed, minutes, quote
from tests.fakes.eastmoney_tables import EMPTY, table
from tests.fakes.eastmoney_texts import changes, news, notices, pool
from tests.fakes.server import Asked, Fault, Reply, Service, change_rows

BEIJING = ZoneInfo("Asia/Shanghai")
# Where an answer's rows lie, and a number (or time) in each; lines of text are told by `klines`.
_ROWS: dict[str, tuple[tuple[str, ...], str]] = {
    "/push2/api/qt/clist/get": (("data", "diff"), "f2"),
    "/push2ex/getAllStockChanges": (("data", "allstock"), "tm"),
    "/push2ex/getTopicZTPool": (("data", "pool"), "p"),
    "/push2ex/getTopicDTPool": (("data", "pool"), "p"),
    "/push2ex/getTopicZBPool": (("data", "pool"), "p"),
    "/notice/api/security/ann": (("data", "list"), "display_time"),
    "/search/search/jsonp": (("result", "cmsArticleWebOld"), "date"),
}
_NUMBERS = {
    "RPT_VALUEANALYSIS_DET": "CLOSE_PRICE",
    "RPT_LICO_FN_CPD": "PARENT_NETPROFIT",
    "RPT_F10_FINANCE_MAINFINADATA": "PARENTNETPROFIT",
    "RPT_DMSK_FN_BALANCE": "TOTAL_LIABILITIES",
    "RPT_DAILYBILLBOARD_DETAILSNEW": "BILLBOARD_NET_AMT",
}
_DAYS = ("TRADE_DATE", "REPORT_DATE", "REPORTDATE", "NOTICE_DATE", "display_time", "date")


class Eastmoney(Service):
    """Six hosts behind one prefix, one path each."""

    prefix = "eastmoney"
    variables: Mapping[str, str] = {
        "EASTMONEY_PUSH2_URL": "/push2",
        "EASTMONEY_PUSH2HIS_URL": "/push2his",
        "EASTMONEY_PUSH2EX_URL": "/push2ex",
        "EASTMONEY_DATACENTER_URL": "/datacenter",
        "EASTMONEY_NOTICE_URL": "/notice",
        "EASTMONEY_SEARCH_URL": "/search",
    }

    def __init__(self, a_shares: int = 60, hong_kong: int = 12, america: int = 8) -> None:
        super().__init__()
        self.companies = universe(a_shares, hong_kong, america)
        self.now = datetime(2026, 11, 20, 16, 30, tzinfo=BEIJING)
        # By how many rows the pages after the first start late: companies left the list meanwhile
        # (negative: joined it).
        self.shift = 0

    def answer(self, asked: Asked) -> Reply:
        path, query = asked.path, asked.query
        if make := _PUSH.get(path):
            known = [*self.companies, *INDEXES, *FUNDS]
            found = [one for one in known if one.secid == query.get("secid")]
            return Reply(make(found[0], query, self.now) if found else NOTHING)
        if path == "/push2/api/qt/clist/get":
            return Reply(listed([*self.companies, *FUNDS], query, self.shift))
        if path == "/datacenter/api/data/v1/get":
            return Reply(table(self.companies, query))
        if path == "/push2ex/getAllStockChanges":
            return Reply(changes(self.companies, query))
        if path.startswith("/push2ex/getTopic"):
            return Reply(pool(self.companies, path.rpartition("/")[2], query))
        if path == "/notice/api/security/ann":
            return Reply(notices(self.companies, query))
        if path == "/search/search/jsonp":
            return _jsonp(asked, news(self.companies, query))
        return Reply({"error": "no such page"}, status=404)

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        if reply.text is None:
            return Reply(_spoiled(reply.document, fault, asked, self.now))
        inside = json.loads(reply.text[reply.text.index("(") + 1 : -1])
        return _jsonp(asked, _spoiled(inside, fault, asked, self.now))


_PUSH: dict[str, Callable[..., Any]] = {
    "/push2/api/qt/stock/get": quote,
    "/push2his/api/qt/stock/kline/get": bars,
    "/push2his/api/qt/stock/trends2/get": minutes,
    "/push2his/api/qt/stock/fflow/daykline/get": flows,
}


def _jsonp(asked: Asked, document: Any) -> Reply:
    text = json.dumps(document, ensure_ascii=False)
    name = asked.query.get("cb", "callback")
    return Reply(text=f"{name}({text})", content_type="application/javascript; charset=utf-8")


def _spoiled(document: Any, fault: Fault, asked: Asked, now: datetime) -> Any:
    if asked.path in _PUSH:
        return _spoil_push(document, fault, now)
    if asked.path.startswith("/datacenter"):
        if fault == "empty":
            return EMPTY
        where = ("result", "data")
        field = _NUMBERS.get(asked.query.get("reportName", ""), "OPERATE_INCOME")
    else:
        where, field = _ROWS[asked.path]
    if fault == "clock_skew":
        return _later(document, where)
    return change_rows(document, lambda tree: _at(tree, where), field, fault)


def _at(tree: Any, where: tuple[str, ...]) -> Any:
    for name in where:
        tree = tree.get(name) if isinstance(tree, dict) else None
    return tree


def _later(document: Any, where: tuple[str, ...]) -> Any:
    """Every day ten years on: what a wrong clock at the source makes of it."""
    changed = json.loads(json.dumps(document))
    for row in _at(changed, where) or []:
        for name in _DAYS:
            if name in row:
                row[name] = "2036" + row[name][4:]
        if "tm" in row:
            row["tm"] = 235959
    if isinstance(changed.get("data"), dict) and "qdate" in changed["data"]:
        changed["data"]["qdate"] += 100000
    return changed


def _spoil_push(document: Any, fault: Fault, now: datetime) -> Any:
    """Faults of a quote (one object) or of lines of text, whose fourth word is spoiled."""
    changed = json.loads(json.dumps(document))
    inside = changed.get("data")
    if inside is None or fault == "empty":
        return {**NOTHING, "rc": 0}
    name = next((name for name in ("klines", "trends") if name in inside), None)
    if name is not None:
        inside[name] = _spoil_lines(inside[name], fault)
        return changed
    if fault == "clock_skew":
        inside["f86"] = int((now + timedelta(days=3)).timestamp())
        return changed
    rows = change_rows([inside], lambda tree: tree, "f43", fault)
    changed["data"] = rows[0]
    return changed


def _spoil_lines(lines: list[str], fault: Fault) -> list[str]:
    if fault == "duplicate_rows":
        return [*lines, *lines]
    if fault == "wrong_order":
        return lines[::-1]
    if fault == "clock_skew":
        return ["2036" + line[4:] for line in lines]
    words = {"text_for_number": "很多", "dash": "-", "null": "", "nan": "nan"}
    cells = [line.split(",") for line in lines]
    for row in cells:
        if fault in words:
            row[2] = words[fault]
        else:
            del row[2]
    return [",".join(row) for row in cells]
