"""Longbridge OpenAPI as its package asks it over HTTP: an envelope, numbers as text, epochs in s.

Signatures are asked for, not verified. `refusal` plays an error: HTTP status, code. A client that
calls the package in its own process needs this in another: `python -m tests.fakes.longbridge`.
"""

import json
import threading
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from tests.fakes.server import Asked, Fault, Reply, Service, World, change_rows

COMPANIES = Path(__file__).resolve().parents[1] / "answers" / "longbridge" / "companies.json"
KEY, SECRET, TOKEN = "lb-key-0001", "lb-secret-0001", "lb-token-0001"
ENVIRONMENT = {
    "LONGBRIDGE_APP_KEY": KEY,
    "LONGBRIDGE_APP_SECRET": SECRET,
    "LONGBRIDGE_ACCESS_TOKEN": TOKEN,
}
_ZONES = {"US": "America/New_York", "HK": "Asia/Hong_Kong"}
_LAST = date(2026, 11, 20)
# Where the rows of an answer lie, a figure in each, and the time in each.
_ROWS = {
    "/quote/quotes": ("secu_quote", "last_done"),
    "/quote/calc-indexes": ("security_calc_index", "pe_ttm_ratio"),
    "/quote/static-info": ("secu_static_info", "total_shares"),
    "/quote/candlesticks": ("candlesticks", "close"),
    "/quote/history-candlesticks": ("candlesticks", "close"),
    "/v1/quote/financial-consensus-detail": ("list", "details"),
    "/v1/quote/forecast-eps": ("items", "forecast_eps_median"),
}
_TIMES = ("timestamp", "published_at", "forecast_start_date")


class Longbridge(Service):
    """POST /quote/…, GET /v1/…"""

    prefix = "longbridge"
    variables: ClassVar = {"LONGBRIDGE_HTTP_URL": ""}

    def __init__(self) -> None:
        super().__init__()
        self.refusal: tuple[int, int] | None = None

    def answer(self, asked: Asked) -> Reply:
        if self.refusal is not None:
            status, code = self.refusal
            return Reply({"code": code, "message": f"no: {TOKEN}", "data": None}, status=status)
        if asked.headers.get("x-api-key") != KEY or TOKEN not in asked.headers["authorization"]:
            return Reply({"code": 403201, "message": "token expired", "data": None}, status=403)
        companies = json.loads(COMPANIES.read_text())
        found = self._read(asked, companies) if asked.method == "GET" else None
        if asked.method == "POST":
            found = self._quoted(asked, companies)
        if found is None:
            return Reply({"code": 404001, "message": "no such path", "data": None}, status=404)
        return Reply({"code": 0, "message": "", "data": found})

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        path, name = _ROWS.get(asked.path, ("items", "published_at"))
        if fault == "clock_skew":
            document = json.loads(reply.bytes())
            for row in document["data"].get(path, []):
                for time_of in _TIMES:
                    if time_of in row:
                        later = int(row[time_of]) + 100 * 86_400
                        row[time_of] = str(later) if isinstance(row[time_of], str) else later
            return Reply(document)
        changed = change_rows(reply.document, lambda one: one["data"].get(path), name, fault)
        return Reply(changed)

    def _quoted(self, asked: Asked, companies: dict[str, Any]) -> Any:
        question = asked.json()
        wanted = question.get("symbols") or question.get("symbol")
        names = wanted if isinstance(wanted, list) else [wanted]
        known = [companies[name] for name in names if name in companies]
        match asked.path:
            case "/quote/quotes":
                return {"secu_quote": [one["quote"] for one in known]}
            case "/quote/static-info":
                return {"secu_static_info": [one["static"] for one in known]}
            case "/quote/calc-indexes":
                return {"security_calc_index": [one["indexes"] for one in known]}
            case "/quote/candlesticks":
                bars = _bars(names[0]) if known else []
                return {"symbol": names[0], "candlesticks": bars[-question["count"] :]}
            case "/quote/history-candlesticks":
                days = question["date_request"]
                bars = _bars(names[0], days["start_date"], days["end_date"]) if known else []
                return {"symbol": names[0], "candlesticks": bars}
        return None

    def _read(self, asked: Asked, companies: dict[str, Any]) -> Any:
        nothing = {"consensus": {"list": [], "currency": ""}, "windows": []}
        match asked.path:
            case "/v1/quote/financial-consensus-detail":
                return companies.get(asked.query["symbol"], nothing)["consensus"]
            case "/v1/quote/forecast-eps":
                return {"items": companies.get(asked.query["symbol"], nothing)["windows"]}
            case path if path.startswith("/v1/content/") and path.endswith("/news"):
                symbol = path.split("/")[3]
                return {"items": _news(symbol) if symbol in companies else []}
        return None


def _bars(symbol: str, first: str = "20261102", last: str = "20261120") -> list[dict[str, Any]]:
    """Sessions of November, at midnight of the exchange; the close is 100 + the day of the month.

    On the 13th nothing was traded: the price stands still and the volume is zero.
    """
    zone = ZoneInfo(_ZONES.get(symbol.rpartition(".")[2], "Asia/Shanghai"))
    made: list[dict[str, Any]] = []
    day = date(2026, 11, 2)
    while day <= _LAST:
        if day.weekday() < 5 and first <= f"{day:%Y%m%d}" <= last:
            traded = day.day != 13
            made.append(
                {
                    "open": f"{100 + day.day - 0.5:.3f}",
                    "high": f"{100 + day.day + 1:.3f}",
                    "low": f"{100 + day.day - 1:.3f}",
                    "close": f"{100 + day.day:.3f}",
                    "volume": 1000 * day.day if traded else 0,
                    "turnover": f"{1000 * day.day * (100 + day.day):.3f}" if traded else "0",
                    "timestamp": int(
                        datetime(day.year, day.month, day.day, tzinfo=zone).timestamp()
                    ),
                }
            )
        day += timedelta(days=1)
    return made


def _news(symbol: str) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{symbol}-{number}",
            "title": f"{symbol} 的第 {number} 条新闻",
            "description": "<p>一段<b>摘要</b></p>",
            "url": f"https://longbridge.example.invalid/news/{symbol}-{number}",
            "published_at": str(1_795_140_000 - number * 3600),
            "comments_count": 1,
            "likes_count": 2,
            "shares_count": 0,
        }
        for number in range(3)
    ]


if __name__ == "__main__":
    with World(Longbridge()) as world:
        print(world.url, flush=True)
        threading.Event().wait()
