"""Tushare Pro on loopback: one POST for every table, refusals with HTTP 200 and a code."""

import json
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from tests.fakes.server import Asked, Fault, Reply, Service, change_rows

TOKEN = "token-of-the-fake"  # noqa: S105
NO_PERMISSION = (
    40203,
    "抱歉，您没有接口访问权限，权限的具体详情访问：https://tushare.pro/document/1?doc_id=108。",
)
TOO_OFTEN = (40203, "抱歉，您每分钟最多访问该接口200次，权限的具体详情访问：https://tushare.pro。")
TOO_OFTEN_TODAY = (
    40203,
    "抱歉，您每天最多访问该接口10次，权限的具体详情访问：https://tushare.pro。",
)
BAD_TOKEN = (40101, "您的token不对，请确认。")
BAD_PARAMETER = (40001, "参数校验失败")
TABLES: Mapping[str, Any] = json.loads(
    (Path(__file__).parents[1] / "answers" / "tushare" / "tables.json").read_text()
)
# The column a fault of the document strikes, and the one that dates the row.
_NUMBERS = {
    "adj_factor": "adj_factor",
    "income": "revenue",
    "balancesheet": "total_assets",
    "fina_indicator": "bps",
    "report_rc": "eps",
    "cn_pmi": "pmi010000",
    "cn_m": "m2",
    "cn_cpi": "nt_yoy",
    "cn_ppi": "ppi_yoy",
    "cn_gdp": "gdp",
    "shibor_lpr": "1y",
    "sf_month": "stk_endval",
}
_DATES = ("trade_date", "end_date", "report_date", "month", "quarter", "date")
# Columns that come only when they are asked for by name.
_HIDDEN = frozenset({"pmi010000", "pmi020100", "pmi030000", "update_flag", "roe_waa"})
_HOLIDAYS = {date(2026, 9, 25), *(date(2026, 10, 1) + timedelta(days=n) for n in range(8))}


class Tushare(Service):
    """POST / and POST /dataapi/<table>; `refusals` holds what a table is refused with."""

    prefix = "tushare"
    variables: Mapping[str, str] = {"TUSHARE_URL": ""}

    def __init__(self) -> None:
        super().__init__()
        self.refusals: dict[str, tuple[int, str]] = {}
        self.page = 6000
        # The newest day whose rows are published; later ones are not there yet.
        self.published = "20261120"

    def reset(self) -> None:
        super().reset()
        self.refusals.clear()
        self.page, self.published = 6000, "20261120"

    def answer(self, asked: Asked) -> Reply:
        if asked.method != "POST" or asked.headers.get("content-type") != "application/json":
            return Reply({}, status=404)
        wanted = asked.json()
        table = wanted.get("api_name")
        if asked.path not in {"/", f"/dataapi/{table}"}:
            return Reply({}, status=404)
        if wanted.get("token") != TOKEN:
            return _refused(BAD_TOKEN)
        if table in self.refusals:
            return _refused(self.refusals[table])
        if table not in TABLES:
            return _refused((40101, "请指定正确的接口名"))
        return self._rows(table, wanted["params"], wanted.get("fields") or "")

    def _rows(self, table: str, params: dict[str, Any], fields: str) -> Reply:
        known = TABLES[table]["fields"]
        names = [name for name in fields.split(",") if name in known]
        names = names or [name for name in known if name not in _HIDDEN]
        rows = [row for row in _all(table) if self._fits(row, params)]
        offset = int(params.get("offset") or 0)
        size = min(int(params.get("limit") or self.page), self.page)
        shown = rows[offset : offset + size]
        return Reply(
            {
                "request_id": "a1b2",
                "code": 0,
                "msg": "",
                "data": {
                    "fields": names,
                    "items": [[row[name] for name in names] for row in shown],
                    "has_more": offset + size < len(rows),
                    "count": -1,
                },
            }
        )

    def _fits(self, row: Mapping[str, Any], params: Mapping[str, Any]) -> bool:
        bounds = {
            "trade_date": ("start_date", "end_date"),
            "report_date": ("start_date", "end_date"),
            "month": ("start_m", "end_m"),
            "quarter": ("start_q", "end_q"),
            "date": ("start_date", "end_date"),
        }
        if params.get("ts_code", row.get("ts_code")) != row.get("ts_code"):
            return False
        if row.get("trade_date", "") > self.published:
            return False
        if "ann_date" in row and params.get("period", row["end_date"]) != row["end_date"]:
            return False
        for name, (start, end) in bounds.items():
            if name in row and not ("org_name" in row and name == "quarter"):
                low, high = params.get(start, row[name]), params.get(end, row[name])
                return low <= row[name] <= high
        return True

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        return spoiled(reply, fault, asked)


def spoiled(reply: Reply, fault: Fault, asked: Asked) -> Reply:
    """The answer with that fault in the rows of its table."""
    data = (reply.document or {}).get("data")
    if not data:
        return reply
    rows = [dict(zip(data["fields"], item, strict=True)) for item in data["items"]]
    if fault == "clock_skew":
        rows = [_later(row) for row in rows]
    name = _NUMBERS.get(asked.json()["api_name"], "close")
    rows = change_rows({"rows": rows}, lambda node: node["rows"], name, fault)["rows"]
    names = list(rows[0]) if rows else data["fields"]
    items = [[row[field] for field in names] for row in rows]
    return Reply({**reply.document, "data": {**data, "fields": names, "items": items}})


def _refused(refusal: tuple[int, str]) -> Reply:
    return Reply({"request_id": "c3d4", "code": refusal[0], "msg": refusal[1], "data": None})


def _later(row: dict[str, Any]) -> dict[str, Any]:
    """The same row as from two years later."""
    return {
        name: str(int(cell[:4]) + 2) + cell[4:] if name in _DATES else cell
        for name, cell in row.items()
    }


def _all(table: str) -> Iterator[dict[str, Any]]:
    """Every row, newest first: the written ones, then flat sessions back to 3 August."""
    written = [
        dict(zip(TABLES[table]["fields"], item, strict=True)) for item in TABLES[table]["items"]
    ]
    yield from written
    if table not in {"daily", "adj_factor", "index_daily", "hk_daily", "us_daily"}:
        return
    oldest = {row["ts_code"]: row for row in written}
    for row in oldest.values():
        year, month, on = row["trade_date"][:4], row["trade_date"][4:6], row["trade_date"][6:]
        day = date(int(year), int(month), int(on)) - timedelta(days=1)
        while day >= date(2026, 8, 3):
            if day.weekday() < 5 and day not in _HOLIDAYS:
                yield {**row, "trade_date": f"{day:%Y%m%d}"}
            day -= timedelta(days=1)
