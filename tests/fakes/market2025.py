"""A real market of autumn 2025 played: Tushare's tables, Eastmoney's and Xueqiu's lists.

The figures are those of ../shared/data/market2025, test data outside the tree: tests of it are
skipped where it is absent. On demand it limits, delays or breaks (`limit_after`, `gate`, `fault`).
"""

import json
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
import pytest

from services.core.clock import BEIJING
from tests.fakes.server import Asked, Fault, Reply, Service
from tests.fakes.tushare import spoiled

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "market2025"
there = pytest.mark.skipif(not FOLDER.is_dir(), reason="no market of 2025 on this machine")
TUSHARE_DAY = "2025-12-18"
LISTS = {"CN": "stock_zh_a_spot_em", "HK": "stock_hk_spot_em", "US": "stock_us_spot_em"}
TOO_OFTEN = (40203, "抱歉，您每分钟最多访问该接口200次，权限的具体详情访问：https://tushare.pro。")
_TEXTS = frozenset({"ts_code", "trade_date", "symbol", "name", "area", "industry", "list_date"})
# Our query of clist → the column of AkShare's table. What it has not is `-`, as upstream writes it.
_CLIST = {
    "f2": "最新价",
    "f3": "涨跌幅",
    "f5": "成交量",
    "f6": "成交额",
    "f20": "总市值",
    "f21": "流通市值",
    "f23": "市净率",
}
_XUEQIU = {
    "current": "最新价",
    "percent": "涨跌幅",
    "volume": "成交量",
    "amount": "成交额",
    "market_capital": "总市值",
}
_VENUES = {"SH": 1, "SZ": 0, "BJ": 0, "HK": 116}
_HEADS = {"m:128": "HK", "m:105": "US"}
_PUSH2_PAGE = 100
_TUSHARE_PAGE = 6000


@cache
def wide(table: str) -> pd.DataFrame:
    """One row a security of one table, the source's own texts; `as_of` beside them."""
    lists = pd.read_parquet(FOLDER / "lists.parquet")
    rows = lists[(lists.table == table) & (lists.field != "symbol")].copy()
    # Two listings of one ticker (PC, at 105 and 106) are told apart by their order in the file.
    rows["place"] = rows.groupby(["symbol", "field"]).cumcount()
    keys = ["symbol", "place"]
    found = rows.pivot(index=keys, columns="field", values="raw")
    words = rows.groupby(keys)[["name", "industry", "as_of"]].first()
    words.columns = ["_name", "_industry", "_as_of"]
    return found.join(words).reset_index()


@cache
def rows_of(table: str) -> tuple[dict[str, Any], ...]:
    """The rows of a table of Tushare, numbers as numbers, what is missing as null."""
    found: list[dict[str, Any]] = []
    for row in wide(table).to_dict("records"):
        dated = {} if table == "stock_basic" else {"trade_date": row["_as_of"].replace("-", "")}
        own = {name: cell for name, cell in row.items() if not str(name).startswith("_")}
        own.pop("place")
        made: dict[str, Any] = {**own, "ts_code": row["symbol"], **dated}
        found.append({name: _cell(str(name), cell) for name, cell in made.items()})
    return tuple(found)


def _cell(name: str, cell: Any) -> Any:
    if cell is None or cell != cell:
        return None
    return str(cell) if name in _TEXTS or name == "list_status" else float(cell)


class Market2025(Service):
    """Every host under one prefix. `limit_after`: answers of Tushare before it says 每分钟最多."""

    prefix = "market2025"
    variables: ClassVar = {
        "TUSHARE_URL": "/tushare",
        **{f"XUEQIU_{host}_URL": f"/xueqiu-{host.lower()}" for host in ("WEB", "API", "STOCK")},
        **{
            f"EASTMONEY_{host}_URL": f"/em-{host.lower()}"
            for host in ("PUSH2", "PUSH2HIS", "PUSH2EX", "DATACENTER", "NOTICE", "SEARCH")
        },
    }

    def __init__(self, now: str) -> None:
        super().__init__()
        self.now = datetime.fromisoformat(now).replace(tzinfo=BEIJING)
        self.limit_after: int | None = None
        # Of Tushare's shares one in so many alone, for those who ask again and again.
        self.every = 1
        # Columns no client knows, as upstreams add them: nothing may break of it.
        self.more_columns = False

    def answer(self, asked: Asked) -> Reply:
        _, host, path = asked.path.split("/", 2)
        if host == "tushare":
            return self._tushare(asked.json())
        if path == "api/qt/clist/get":
            return self._clist(asked)
        if path == "api/qt/stock/get":
            code = asked.query["secid"].partition(".")[2]
            return Reply({"rc": 0, "data": {"f57": code, "f86": int(self.now.timestamp())}})
        if path == "api/data/v1/get":
            text = {"success": False, "code": 9201, "message": "返回数据为空", "result": None}
            return Reply(text)
        if path == "hq":
            return Reply(text="<html></html>", headers={"Set-Cookie": "xq_a_token=a; Path=/"})
        if path == "v5/stock/screener/quote/list.json":
            return self._xueqiu_list(asked)
        if path == "v5/stock/realtime/quotec.json":
            at = int(self.now.timestamp() * 1000)
            quote = {"symbol": asked.query["symbol"], "timestamp": at, "current": 1.0, "volume": 1}
            return Reply({"data": [quote], "error_code": 0})
        return Reply({"rc": 0, "data": None})

    def _tushare(self, wanted: dict[str, Any]) -> Reply:
        if self.limit_after is not None:
            self.limit_after -= 1
            if self.limit_after < 0:
                return Reply({"code": TOO_OFTEN[0], "msg": TOO_OFTEN[1], "data": None})
        table, params = wanted["api_name"], wanted["params"]
        known = {"stock_basic", "daily_basic", "daily", "adj_factor", "stk_limit"}
        rows = [r for r in rows_of(table) if _fits(r, params)] if table in known else []
        rows = [row for row in rows if int(row["ts_code"][:6]) % self.every == 0]
        names = [name for name in wanted["fields"].split(",") if name]
        if self.more_columns:
            rows, names = [{**row, "brand_new": "?"} for row in rows], [*names, "brand_new"]
        offset = int(params.get("offset") or 0)
        size = min(int(params.get("limit") or _TUSHARE_PAGE), _TUSHARE_PAGE)
        items = [[row.get(name) for name in names] for row in rows[offset : offset + size]]
        more = offset + size < len(rows)
        data = {"fields": names, "items": items, "has_more": more, "count": -1}
        return Reply({"request_id": "r", "code": 0, "msg": "", "data": data})

    def _clist(self, asked: Asked) -> Reply:
        market = _HEADS.get(asked.query["fs"].split(",")[0].split(" ")[0], "CN")
        rows = clist_rows(market)
        start = (int(asked.query["pn"]) - 1) * _PUSH2_PAGE
        page = [dict(row) for row in rows[start : start + _PUSH2_PAGE]]
        if self.more_columns:
            page = [{**row, "f999": {"nested": []}} for row in page]
        return Reply({"rc": 0, "data": {"total": len(rows), "diff": page} if page else None})

    def _xueqiu_list(self, asked: Asked) -> Reply:
        market, size = asked.query["market"], int(asked.query["size"])
        rows = wide(LISTS[market]).sort_values("symbol").to_dict("records")
        start = (int(asked.query["page"]) - 1) * size
        listed = [
            {
                "symbol": _xueqiu(row["symbol"]),
                "name": row["_name"],
                **{name: _number(row, column) for name, column in _XUEQIU.items()},
                "pe_ttm": None,
                "pb": _number(row, "市净率"),
                **({"brand_new": [1]} if self.more_columns else {}),
            }
            for row in rows[start : start + size]
        ]
        data = {"count": len(rows), "list": listed}
        return Reply({"data": data, "error_code": 0, "error_description": ""})

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        if "/tushare" in asked.path:
            return spoiled(reply, fault, asked)
        if fault != "empty":
            raise NotImplementedError(fault)
        return Reply({**json.loads(reply.bytes()), "data": None})


@cache
def clist_rows(market: str) -> tuple[dict[str, Any], ...]:
    """The rows of clist in the order of their codes."""
    found = [_clist_row(row, market) for row in wide(LISTS[market]).to_dict("records")]
    return tuple(sorted(found, key=lambda row: (row["f12"], row["f13"])))


def _clist_row(row: dict[str, Any], market: str) -> dict[str, Any]:
    code, _, tail = str(row["symbol"]).partition(".")
    venue = _VENUES.get(tail, 105)
    if market == "US":
        head, _, code = str(row["代码"]).partition(".")
        venue = int(head)
    cells = {name: _number(row, column) for name, column in _CLIST.items()}
    return {
        **{name: "-" if cell is None else cell for name, cell in cells.items()},
        "f12": code,
        "f13": venue,
        "f14": row["_name"],
        "f100": row["_industry"] or "-",
        "f115": "-",
    }


def _number(row: dict[str, Any], column: str) -> float | None:
    cell = row.get(column)
    return None if cell is None or cell != cell else float(cell)


def _xueqiu(symbol: str) -> str:
    code, _, tail = symbol.partition(".")
    return f"{tail}{code}" if tail in {"SH", "SZ", "BJ"} else code


def _fits(row: dict[str, Any], params: dict[str, Any]) -> bool:
    codes = str(params.get("ts_code") or "")
    if codes and row["ts_code"] not in codes.split(","):
        return False
    on = row.get("trade_date")
    if on is None:
        return True
    low = params.get("trade_date") or params.get("start_date") or on
    high = params.get("trade_date") or params.get("end_date") or on
    return bool(low <= on <= high)
