"""Xueqiu: three hosts behind one prefix; a token from /hq, its errors, its WAF, its screener.

`now` is the moment it plays. `companies` says how many the screener lists. Bodies that need no
working out lie in tests/answers/xueqiu.
"""

import json
import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from tests.fakes.server import WAF, Asked, Fault, Reply, Service, change_rows
from tests.fakes.xueqiu_market import listed, screened, universe, values

FOLDER = Path(__file__).resolve().parents[1] / "answers" / "xueqiu"
BEIJING = ZoneInfo("Asia/Shanghai")
ZONES = {"H": ZoneInfo("Asia/Hong_Kong"), "A": ZoneInfo("America/New_York")}
# What the light quote, which needs no token, has of the full one.
_LIGHT = [
    "symbol",
    "current",
    "percent",
    "chg",
    "timestamp",
    "volume",
    "amount",
    "market_capital",
    "open",
    "last_close",
    "high",
    "low",
]
_COLUMNS = [
    "timestamp",
    "volume",
    "open",
    "high",
    "low",
    "close",
    "chg",
    "percent",
    "turnoverrate",
    "amount",
    "volume_post",
    "amount_post",
    "pe",
    "pb",
    "ps",
]
_EXPIRED = "遇到错误，请刷新页面或者重新登录帐号后再试"
USER_TOKEN = "user-token-of-a-member"  # noqa: S105 — nobody's
# Where an answer's rows lie, a number in each, and when they are of.
_ROWS: dict[str, tuple[tuple[str, ...], str, tuple[str, ...]]] = {
    "quotec.json": (("data",), "current", ("timestamp",)),
    "earningforecast.json": (("list",), "eps", ()),
    "indicator.json": (("data", "list"), "avg_roe", ("report_date", "ctime")),
    "income.json": (("data", "list"), "net_profit_atsopc", ("report_date", "ctime")),
    "balance.json": (("data", "list"), "total_assets", ("report_date", "ctime")),
    "status.json": (("list",), "like_count", ("created_at",)),
    "stock_timeline.json": (("list",), "like_count", ("created_at",)),
    "user_timeline.json": (("statuses",), "like_count", ("created_at",)),
    "user.json": (("list",), "followers_count", ()),
    "screen": (("data", "list"), "pettm", ()),
    "list.json": (("data", "list"), "current", ()),
}


class Xueqiu(Service):
    """GET only. `expire()` makes the anonymous token stale; `waf` is the check on the web host."""

    prefix = "xueqiu"
    variables: ClassVar = {
        "XUEQIU_WEB_URL": "/web",
        "XUEQIU_API_URL": "/api",
        "XUEQIU_STOCK_URL": "/stock",
    }

    def __init__(self, companies: int = 60) -> None:
        super().__init__()
        self.now = datetime(2026, 11, 20, 16, 30, tzinfo=BEIJING)
        self.companies = universe(companies)
        self.quotes: dict[str, Any] = _read("quotes.json")
        self.finance: dict[str, Any] = _read("finance.json")
        self.forecasts: dict[str, Any] = _read("earningforecast.json")
        self.texts: dict[str, Any] = _read("texts.json")
        self.bare_search = False
        self.loses = False
        self.moved_to: str | None = None
        self.moves_left = 0
        self.status: int | None = None
        self.reset()

    def reset(self) -> None:
        super().reset()
        self.waf, self.needs_login, self.status = False, False, None
        self.moved_to, self.moves_left = None, 0
        self.sets_no_token = False
        self.refuses_every_token, self.refusal = False, "400016"
        self.no_guests, self.loses, self.bare_search = False, False, False

    def expire(self) -> None:
        """The token given out last is refused from now on."""
        self._given = None

    _given: str | None = None
    tokens: int = 0
    # However many are asked for.
    most_bars: int = 5000

    def answer(self, asked: Asked) -> Reply:
        host, _, path = asked.path.removeprefix("/").partition("/")
        if host == "web" and self.waf:
            return Reply(text=WAF, content_type="text/html; charset=utf-8")
        if asked.path == "/web/hq":
            return self._page()
        if self.status is not None:
            return Reply({}, status=self.status)
        if self.moved_to is not None and self.moves_left:
            self.moves_left -= 1
            return Reply({}, status=302, headers={"Location": self.moved_to})
        make = _find(host, path)
        if make is None:
            return Reply({}, status=404)
        if not path.endswith("quotec.json") and not self._is_let_in(asked):
            # The social hosts say it with a number, the quotes with a text.
            code = self.refusal if host == "stock" else int(self.refusal)
            return _refused(code, _EXPIRED, path)
        if self.needs_login:
            return _refused("10022", "需要登录", path)
        return make(self, asked)

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        last = asked.path.rpartition("/")[2]
        if reply.status != 200 or reply.text is not None or last == "values":
            return reply
        if last == "kline.json":
            return Reply(_spoil_bars(reply.document, fault))
        if last in {"quote.json", "show.json"}:
            return Reply(_spoil_one(reply.document, fault, last, asked))
        if last == "stock_hot_user.json":
            return Reply(change_rows(reply.document, lambda tree: tree, "followers_count", fault))
        where, field, times = _ROWS[last]
        if fault == "clock_skew":
            return Reply(_later(reply.document, where, times))
        return Reply(change_rows(reply.document, lambda tree: _at(tree, where), field, fault))

    def _page(self) -> Reply:
        self.tokens += 1
        self._given = f"anonymous{self.tokens}"
        cookies = (
            f"acw_tc=tc{self.tokens}; path=/; HttpOnly",
            f"xq_a_token={self._given}; path=/",
            f"xqat={self._given}; path=/",
            "u=-1; path=/",
        )
        if self.sets_no_token:
            cookies = cookies[:1]
        return Reply(
            text="<!doctype html><html><body>行情</body></html>",
            content_type="text/html; charset=utf-8",
            headers={"Set-Cookie": "\n".join(cookies)},
        )

    def token_of(self, asked: Asked) -> str:
        found = re.search(r"xq_a_token=([^;]+)", asked.headers.get("cookie", ""))
        return found.group(1) if found else ""

    def _is_let_in(self, asked: Asked) -> bool:
        token = self.token_of(asked)
        known = token == USER_TOKEN or (self._given is not None and token == self._given)
        return known and not self.refuses_every_token

    def light_quote(self, asked: Asked) -> Reply:
        known = [self.quotes.get(one) for one in asked.query["symbol"].split(",")]
        rows = [{name: one["quote"].get(name) for name in _LIGHT} for one in known if one]
        return _wrapped(rows)

    def quote(self, asked: Asked) -> Reply:
        found = self.quotes.get(asked.query["symbol"])
        return _wrapped(found or {"market": {"status_id": 7}, "quote": None, "others": None})

    def bars(self, asked: Asked) -> Reply:
        query = asked.query
        found = self.quotes.get(query["symbol"])
        if query.get("period") != "day" or query.get("type") not in {"before", "normal"}:
            return _refused("400", "参数错误", "kline")
        if found is None:
            return _wrapped({})
        made = _bars(query["symbol"], found["quote"], self.now)
        within = [bar for bar in made if bar[0] <= int(query["begin"])]
        items = within[max(int(query["count"]), -self.most_bars) :]
        return _wrapped({"symbol": query["symbol"], "column": list(_COLUMNS), "item": items})

    def statement(self, asked: Asked) -> Reply:
        path = asked.path.split("/finance/")[1].removesuffix(".json")
        found = self.finance.get(path, {}).get(asked.query["symbol"])
        if found is None:
            return _wrapped({"quote_name": None, "currency": None, "list": []})
        changed = json.loads(json.dumps(found))
        rows = changed["data"]["list"][: int(asked.query["count"])]
        if asked.query.get("type") == "Q4":
            rows = [row for row in rows if row["report_name"].endswith(("年报", "FY"))]
        changed["data"]["list"] = rows
        return Reply(changed)

    def forecast(self, asked: Asked) -> Reply:
        if self.no_guests and self.token_of(asked) != USER_TOKEN:
            return Reply({"list": []})
        return Reply(self.forecasts.get(asked.query["symbol"], {"list": []}))

    def posts_of_symbol(self, asked: Asked) -> Reply:
        if asked.query["symbol"] != "SH600519":
            return _posts([], asked)
        posts = self.texts["posts"]
        if asked.query["sort"] == "alpha":
            posts = sorted(posts, key=lambda post: -post["like_count"])
        return _posts(posts, asked)

    def timeline(self, asked: Asked) -> Reply:
        names = {"公告": "notices", "自选股新闻": "news"}
        if asked.query["symbol_id"] != "SH600519" or asked.query["source"] not in names:
            return _posts([], asked)
        return _posts(self.texts[names[asked.query["source"]]], asked)

    def search(self, asked: Asked) -> Reply:
        word = asked.query["q"]
        posts = [one for one in self.texts["posts"] if word in one["text"] + one["title"]]
        if self.no_guests and self.token_of(asked) != USER_TOKEN:
            posts = []
        return Reply(posts[:20]) if self.bare_search else _posts(posts, asked)

    def influencers(self, asked: Asked) -> Reply:
        users = self.texts["users"] if asked.query["symbol"] == "SH600519" else []
        return Reply(users[: int(asked.query["count"])])

    def users(self, asked: Asked) -> Reply:
        found = [one for one in self.texts["users"] if asked.query["q"] in one["screen_name"]]
        return Reply({"count": len(found), "list": found, "page": 1, "maxPage": 1})

    def user_timeline(self, asked: Asked) -> Reply:
        if not self._user(asked.query["user_id"]):
            return _refused("20206", "用户不存在", "user_timeline")
        mine = [p for p in self.texts["posts"] if str(p["user_id"]) == asked.query["user_id"]]
        reply = _posts(mine, asked)
        document = dict(reply.document)
        document["statuses"] = document.pop("list")
        return Reply(document)

    def profile(self, asked: Asked) -> Reply:
        found = self._user(asked.query["user_id"])
        if found is None:
            return _refused(20206, "用户不存在", "show")
        return Reply({"user": found})

    def post(self, asked: Asked) -> Reply:
        found = [one for one in self.texts["posts"] if str(one["id"]) == asked.query["id"]]
        return Reply(found[0]) if found else Reply({}, status=404)

    def screen(self, asked: Asked) -> Reply:
        return _wrapped(screened(self.companies, asked.query, loses=self.loses))

    def ends(self, asked: Asked) -> Reply:
        return _wrapped(values(self.companies, asked.query))

    def whole_market(self, asked: Asked) -> Reply:
        return _wrapped(listed(self.companies, asked.query, loses=self.loses))

    def _user(self, user_id: str) -> Any:
        found = [one for one in self.texts["users"] if str(one["id"]) == user_id]
        return found[0] if found else None


_PATHS: dict[tuple[str, str], Callable[[Xueqiu, Asked], Reply]] = {
    ("stock", "v5/stock/realtime/quotec.json"): Xueqiu.light_quote,
    ("stock", "v5/stock/quote.json"): Xueqiu.quote,
    ("stock", "v5/stock/chart/kline.json"): Xueqiu.bars,
    ("stock", "stock/report/earningforecast.json"): Xueqiu.forecast,
    ("stock", "v5/stock/screener/quote/list.json"): Xueqiu.whole_market,
    ("api", "query/v1/symbol/search/status.json"): Xueqiu.posts_of_symbol,
    ("api", "statuses/stock_timeline.json"): Xueqiu.timeline,
    ("api", "query/v1/search/status.json"): Xueqiu.search,
    ("api", "v4/statuses/user_timeline.json"): Xueqiu.user_timeline,
    ("api", "statuses/show.json"): Xueqiu.post,
    ("web", "recommend/user/stock_hot_user.json"): Xueqiu.influencers,
    ("web", "query/v1/search/user.json"): Xueqiu.users,
    ("web", "statuses/original/show.json"): Xueqiu.profile,
    ("web", "service/screener/screen"): Xueqiu.screen,
    ("web", "service/screener/values"): Xueqiu.ends,
}


def _find(host: str, path: str) -> Callable[[Xueqiu, Asked], Reply] | None:
    if host == "stock" and path.startswith("v5/stock/finance/"):
        return Xueqiu.statement
    return _PATHS.get((host, path))


def _read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def _wrapped(data: Any) -> Reply:
    return Reply({"data": data, "error_code": 0, "error_description": ""})


def _refused(code: str | int, words: str, path: str) -> Reply:
    document = {
        "error_description": words,
        "error_uri": "/" + path,
        "error_data": None,
        "error_code": code,
    }
    return Reply(document, status=400)


def _posts(posts: list[Any], asked: Asked) -> Reply:
    """A page; at most 20 whatever is asked, the count capped and not the true one."""
    size, page = min(int(asked.query["count"]), 20), int(asked.query["page"])
    pages = max(1, -(-len(posts) // size))
    rows = posts[(page - 1) * size : page * size]
    return Reply({"count": 1000, "maxPage": pages, "page": page, "list": rows})


def _bars(symbol: str, quote: dict[str, Any], now: datetime) -> list[list[Any]]:
    """Weekdays from 2026-09-01 on, but for National Day; the last is the quote's own.

    The close is the quote's less a yuan a session back. 000001 is suspended on 2026-11-18.
    """
    zone = ZONES.get("H" if symbol[0] in "0H" else "A" if symbol.isalpha() else "", BEIJING)
    last = now.astimezone(zone).date()
    days = [date(2026, 9, 1) + timedelta(n) for n in range((last - date(2026, 9, 1)).days + 1)]
    days = [day for day in days if day.weekday() < 5]
    if zone is BEIJING:
        days = [day for day in days if not date(2026, 10, 1) <= day <= date(2026, 10, 7)]
    bars: list[list[Any]] = []
    for back, day in zip(range(len(days) - 1, -1, -1), days, strict=True):
        close = round(quote["current"] - back, 2)
        volume: int = 3124500 + back
        if symbol == "SZ000001" and day == date(2026, 11, 18):
            volume = 0
        at = int(datetime.combine(day, time(), zone).timestamp() * 1000)
        after = 12000 if volume and symbol == "SH600519" and back == 0 else None
        amount = round(close * volume, 2)
        bars.append(
            [at, volume, close, close + 2, close - 2, close, 1.0, 0.15, 0.25, amount, after, None]
        )
        bars[-1].extend((round(close / 71.9, 3), round(close / 185.5, 3), round(close / 144, 3)))
    return bars


def _at(tree: Any, where: tuple[str, ...]) -> Any:
    for name in where:
        tree = tree.get(name) if isinstance(tree, dict) else None
    return tree


_DAY = 86_400_000


def _later(document: Any, where: tuple[str, ...], times: tuple[str, ...]) -> Any:
    """The rows with their times years ahead."""
    changed = json.loads(json.dumps(document))
    for row in _at(changed, where) or []:
        for name in times:
            row[name] += 400 * _DAY
    return changed


def _spoil_one(document: Any, fault: Fault, last: str, asked: Asked) -> Any:
    """One object instead of a list of them."""
    changed = json.loads(json.dumps(document))
    if last == "quote.json":
        if fault == "empty":
            changed["data"]["quote"] = None
            return changed
        holder, name, field, times = changed["data"], "quote", "current", ("timestamp",)
    else:
        user = "original" in asked.path
        holder, name = (changed, "user") if user else ({"post": changed}, "post")
        field, times = ("followers_count", ()) if user else ("like_count", ("created_at",))
        if fault == "empty":
            return {}
    if fault == "clock_skew":
        for each in times:
            holder[name][each] += 400 * _DAY
        return changed
    rows = change_rows({"rows": [holder[name]]}, lambda tree: tree["rows"], field, fault)["rows"]
    if last == "show.json" and name == "post":
        return rows[0]
    return {**changed, "data": {**holder, name: rows[0]}} if name == "quote" else {name: rows[0]}


def _spoil_bars(document: Any, fault: Fault) -> Any:
    """The same faults in columns: rows are lists there."""
    data = document["data"]
    if not data:
        return document
    rows = [dict(zip(data["column"], item, strict=True)) for item in data["item"]]
    if fault == "clock_skew":
        rows = [{**row, "timestamp": row["timestamp"] + _DAY} for row in rows]
    changed = change_rows({"rows": rows}, lambda tree: tree["rows"], "close", fault)["rows"]
    columns = list(changed[0]) if changed else data["column"]
    items = [list(row.values()) for row in changed]
    return {**document, "data": {**data, "column": columns, "item": items}}
