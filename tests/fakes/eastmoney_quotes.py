"""What push2 and push2his of the Eastmoney fake say: lists, quotes, bars, minutes, flows."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from tests.fakes.eastmoney_companies import FUNDS, Listed, closes, sessions

ZONES = {
    "CN": ZoneInfo("Asia/Shanghai"),
    "HK": ZoneInfo("Asia/Hong_Kong"),
    "US": ZoneInfo("America/New_York"),
}
_OPENS, _CLOSES = time(9, 30), {"CN": time(15), "HK": time(16), "US": time(16)}
# The dividend that the raw series of 600519 still has in it before its ex-date.
EX_DATE, DIVIDEND = date(2026, 6, 26), 28.0
HEAD = {"rc": 0, "rt": 6, "svr": 177617930, "lt": 1, "full": 1}
NOTHING = {"rc": 100, "rt": 4, "svr": 177617930, "lt": 1, "full": 0, "data": None}


def begun(market: str, now: datetime) -> list[date]:
    """The sessions that had opened by `now`, the one under way included."""
    local = now.astimezone(ZONES[market])
    last = local.date() if local.time() >= _OPENS else local.date() - timedelta(days=1)
    return sessions(market, min(last, date(2026, 11, 20)))


def quoted_at(market: str, now: datetime) -> datetime:
    """When the last trade was: now, or the last close."""
    day = begun(market, now)[-1]
    return min(now, datetime.combine(day, _CLOSES[market], ZONES[market]))


def lots(one: Listed) -> int:
    """Today's volume as Eastmoney counts it: 手 on the mainland, shares elsewhere."""
    if one.suspended:
        return 0
    if one.code == "600519":
        return 31245
    return round(one.shares * 0.004) // (100 if one.market == "CN" else 1) + 1000


def turnover(one: Listed) -> float:
    """Today's amount, in the trading currency."""
    if one.code == "600519":
        return 4701234567.0
    return round(lots(one) * (100 if one.market == "CN" else 1) * one.price, 2)


def listed(companies: Iterable[Listed], query: Mapping[str, str], shift: int) -> dict[str, Any]:
    """clist/get: at most 100 a page; past the last page `data` is null."""
    terms = [set(term.split()) for term in query.get("fs", "").replace("+", " ").split(",")]
    found = [one for one in companies if any(term <= _groups(one) for term in terms)]
    rows = [_scaled(_cells(one), query) for one in found]
    fields = query.get("fields", "f12,f13,f14,f2").split(",")
    order = query.get("fid", "f3")
    rows.sort(key=lambda row: _rank(row.get(order)), reverse=query.get("po", "1") == "1")
    size = min(int(query.get("pz", "20")), 100)
    start = (int(query.get("pn", "1")) - 1) * size
    start += shift if start else 0
    page = [{name: row.get(name, "-") for name in fields} for row in rows[start : start + size]]
    if not page:
        return {**NOTHING, "rc": 0}
    diff: Any = page if query.get("np") == "1" else {str(n): row for n, row in enumerate(page)}
    return {**HEAD, "data": {"total": len(rows), "diff": diff}}


def quote(one: Listed, query: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """stock/get: without fltt=2 prices are integers scaled by 10^f59."""
    high, low = round(one.price * 1.005, 2), round(one.price * 0.995, 2)
    if one.code == "600519":
        high, low = 1510.0, 1495.0
    band = 0.2 if one.code.startswith(("30", "688")) else 0.1
    limits = (round(one.previous * (1 + band), 2), round(one.previous * (1 - band), 2))
    row: dict[str, Any] = {
        "f43": one.previous if one.suspended else one.price,
        "f44": "-" if one.suspended else high,
        "f45": "-" if one.suspended else low,
        "f46": "-" if one.suspended else one.previous,
        "f47": lots(one),
        "f48": 0.0 if one.suspended else turnover(one),
        "f51": limits[0] if one.market == "CN" and one.shares else "-",
        "f52": limits[1] if one.market == "CN" and one.shares else "-",
        "f57": one.code,
        "f58": one.name,
        "f59": 2,
        "f60": one.previous,
        "f84": one.shares or "-",
        "f85": one.shares or "-",
        "f86": int(quoted_at(one.market, now).timestamp()),
        "f107": one.venue,
        "f116": one.cap or "-",
        "f117": one.cap or "-",
        "f127": one.industry or "-",
        "f162": 20.1,
        "f163": _ratio(one.cap, one.profit),
        "f164": _ratio(one.cap, one.profit * 1.02),
        "f167": _ratio(one.cap, one.equity),
        "f168": 0.25,
        "f169": round(one.price - one.previous, 2),
        "f170": round((one.price / one.previous - 1) * 100, 2),
    }
    fields = query.get("fields", "f43,f57,f58").split(",")
    if query.get("fltt") != "2":
        for name in ("f43", "f44", "f45", "f46", "f51", "f52", "f60", "f169", "f170"):
            row[name] = round(row[name] * 100) if isinstance(row[name], float) else row[name]
    return {**HEAD, "data": {name: row.get(name, "-") for name in fields}}


def bars(one: Listed, query: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """kline/get: oldest first; the line is date, open, CLOSE, high, low, volume, amount, …"""
    klt = query.get("klt", "101")
    lines = _days(one, query, now) if klt == "101" else _within(one, int(klt), now)
    head, tail = query.get("beg", "0"), query.get("end", "20500101")
    kept = [line for line in lines if head <= line[:10].replace("-", "") <= tail]
    if limit := int(query.get("lmt", "0")):
        kept = kept[-limit:]
    return {
        **HEAD,
        "data": {
            "code": one.code,
            "market": one.venue,
            "name": one.name,
            "decimal": 2,
            "dktotal": len(lines),
            "preKPrice": one.previous,
            "klines": kept,
        },
    }


def _days(one: Listed, query: Mapping[str, str], now: datetime) -> list[str]:
    days = begun(one.market, now)
    if one.suspended:
        days = days[:-10]
    lines: list[str] = []
    before = None
    for number, (day, close) in enumerate(zip(days, closes(one, days), strict=True)):
        raw = one.code == "600519" and query.get("fqt", "0") == "0" and day < EX_DATE
        price = close + (DIVIDEND if raw else 0)
        opened = before or price
        last = day == days[-1]
        volume = lots(one) if last else lots(one) + 100 * (number % 17)
        amount = turnover(one) if last else volume * price * (100 if one.market == "CN" else 1)
        high, low = max(opened, price) * 1.005, min(opened, price) * 0.995
        if last and one.code == "600519":
            high, low = 1510.0, 1495.0
        change = price - opened
        cells = [price, high, low]
        lines.append(
            f"{day},{opened:.2f},{cells[0]:.2f},{cells[1]:.2f},{cells[2]:.2f},{volume},"
            f"{amount:.2f},{(high - low) / opened * 100:.2f},{change / opened * 100:.2f},"
            f"{change:.2f},0.25"
        )
        before = price
    return lines


def _within(one: Listed, minutes: int, now: datetime) -> list[str]:
    """Bars inside the last six sessions, each named by its end."""
    return [
        f"{at:%Y-%m-%d %H:%M},{one.previous:.2f},{one.price:.2f},{one.price + 1:.2f},"
        f"{one.previous - 1:.2f},{100 + n % 9},{(100 + n % 9) * 100 * one.price:.2f},"
        f"0.30,0.15,2.30,0.01"
        for n, at in enumerate(_ends(one.market, minutes, now))
    ]


def minutes(one: Listed, query: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """trends2/get: one line a minute of the last `ndays` sessions; not adjusted."""
    days = begun(one.market, now)[-int(query.get("ndays", "1")) :]
    trends = [
        f"{at:%Y-%m-%d %H:%M},{one.previous:.2f},{one.price:.2f},{one.price:.2f},"
        f"{one.previous:.2f},12,{12 * 100 * one.price:.2f},{one.price:.3f}"
        for at in _ends(one.market, 1, now)
        if at.date() in days
    ]
    return {**HEAD, "data": {"code": one.code, "preClose": one.previous, "trends": trends}}


def flows(one: Listed, query: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """fflow/daykline/get: 元 and percent; with secid2 the two closes of the market instead."""
    days = begun("CN", now)[-100:]
    ends = "3900.50,0.27,13200.00,0.38" if "secid2" in query else f"{one.price:.2f},0.15,0.00,0.00"
    rows = [
        f"{day},{120000000.0 - (len(days) - 1 - n) * 1000000:.1f},-30000000.0,-90000000.0,"
        f"50000000.0,{70000000.0 - (len(days) - 1 - n) * 1000000:.1f},"
        f"2.55,-0.64,-1.91,1.06,1.49,{ends}"
        for n, day in enumerate(days)
    ]
    if limit := int(query.get("lmt", "0")):
        rows = rows[-limit:]
    return {**HEAD, "data": {"code": one.code, "market": one.venue, "klines": rows}}


def _ends(market: str, step: int, now: datetime) -> list[datetime]:
    parts = {
        "CN": ((time(9, 30), time(11, 30)), (time(13), time(15))),
        "HK": ((time(9, 30), time(12)), (time(13), time(16))),
        "US": ((time(9, 30), time(16)),),
    }[market]
    found: list[datetime] = []
    for day in begun(market, now)[-6:]:
        for start, end in parts:
            at = datetime.combine(day, start, ZONES[market]) + timedelta(minutes=step)
            while at <= min(now, datetime.combine(day, end, ZONES[market])):
                found.append(at)
                at += timedelta(minutes=step)
    return found


def _groups(one: Listed) -> set[str]:
    """The words of `fs` that take this one in."""
    if one in FUNDS:
        return {"b:MK0021"}
    if one.market == "HK":
        return {"m:128", "t:3", "t:4", "t:1", "t:2"}
    if one.market == "US":
        return {f"m:{one.venue}"}
    kinds = {"688": {"m:1", "t:23"}, "920": {"m:0", "t:81", "s:2048"}, "30": {"m:0", "t:80"}}
    for head, words in kinds.items():
        if one.code.startswith(head):
            return words
    return {"m:1", "t:2"} if one.venue == 1 else {"m:0", "t:6"}


def _cells(one: Listed) -> dict[str, Any]:
    """A row of clist with fltt=2; a suspended share has no price today."""
    gone = one.suspended
    return {
        "f1": 2,
        "f2": "-" if gone else one.price,
        "f3": "-" if gone else round((one.price / one.previous - 1) * 100, 2),
        "f4": "-" if gone else round(one.price - one.previous, 2),
        "f5": "-" if gone else lots(one),
        "f6": "-" if gone else turnover(one),
        "f7": "-" if gone else 1.0,
        "f8": "-" if gone else 0.25,
        "f9": 20.1,
        "f10": 0.9,
        "f12": one.code,
        "f13": one.venue,
        "f14": one.name,
        "f15": "-" if gone else round(one.price * 1.005, 2),
        "f16": "-" if gone else round(one.price * 0.995, 2),
        "f17": "-" if gone else one.previous,
        "f18": one.previous,
        "f20": one.cap,
        "f21": one.cap,
        "f23": _ratio(one.cap, one.equity),
        "f100": one.industry,
        "f115": _ratio(one.cap, one.profit * 1.02),
        "f124": 1795158000,
    }


def _scaled(row: dict[str, Any], query: Mapping[str, str]) -> dict[str, Any]:
    if query.get("fltt") == "2":
        return row
    names = ("f2", "f3", "f4", "f15", "f16", "f17", "f18", "f23", "f115")
    return row | {n: round(row[n] * 100) for n in names if isinstance(row[n], float)}


def _ratio(above: float, below: float) -> Any:
    return round(above / below, 2) if below else "-"


def _rank(cell: Any) -> tuple[int, Any]:
    return (0, 0) if cell == "-" else (1, cell)
