"""cninfo: the list of companies, and announcements by page; refuses what the real one would."""

import json
from datetime import date, datetime, timedelta
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from tests.fakes.server import Asked, Fault, Reply, Service, change_rows

BEIJING = ZoneInfo("Asia/Shanghai")
COMPANIES = {
    "000001": ("gssz0000001", "平安银行", 2),
    "300750": ("GD165627", "宁德时代", 0),
    "600519": ("gssh0600519", "贵州茅台", 45),
}
NEWEST = datetime(2026, 11, 20, tzinfo=BEIJING)


class Cninfo(Service):
    """GET /new/data/szse_stock.json, POST /new/hisAnnouncement/query."""

    prefix = "cninfo"
    variables: ClassVar = {"CNINFO_URL": ""}

    def __init__(self) -> None:
        super().__init__()
        # An announcement of this evening counts for tomorrow, stands first, and is found today.
        self.evening = False

    def answer(self, asked: Asked) -> Reply:
        if asked.method == "GET" and asked.path == "/new/data/szse_stock.json":
            listed = [
                {"code": code, "pinyin": "", "category": "A股", "orgId": org, "zwjc": name}
                for code, (org, name, _) in COMPANIES.items()
            ]
            return Reply({"stockList": listed})
        if asked.method == "POST" and asked.path == "/new/hisAnnouncement/query":
            return self._query(asked.form)
        return Reply(text="<html><title>404</title></html>", status=404)

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        if "announcements" not in reply.document:
            return reply
        if fault == "empty":
            return Reply({"totalAnnouncement": 0, "announcements": None, "hasMore": False})
        if fault == "clock_skew":
            document = json.loads(reply.bytes())
            for row in document["announcements"]:
                row["announcementTime"] += 100 * 86_400_000
            return Reply(document)
        return Reply(change_rows(reply.document, _rows, "announcementTime", fault))

    def _query(self, form: dict[str, str]) -> Reply:
        code, _, organisation = form["stock"].partition(",")
        known = COMPANIES.get(code)
        if known is None or known[0] != organisation or form["column"] != "szse":
            return Reply({"totalAnnouncement": 0, "announcements": None, "hasMore": False})
        first, _, last = form["seDate"].partition("~")
        last = str(date.fromisoformat(last) + timedelta(days=self.evening))
        all_of = [row for row in self._announcements(code) if first <= _day(row) <= last]
        if not all_of:
            return Reply({"totalAnnouncement": 0, "announcements": None, "hasMore": False})
        size, page = min(int(form["pageSize"]), 30), int(form["pageNum"])
        shown = all_of[(page - 1) * size : page * size]
        return Reply(
            {
                "classifiedAnnouncements": None,
                "totalSecurities": 0,
                "totalAnnouncement": len(all_of),
                "totalRecordNum": len(all_of),
                "announcements": shown,
                "categoryList": None,
                "hasMore": page * size < len(all_of),
                "totalpages": -(-len(all_of) // size),
            }
        )

    def _announcements(self, code: str) -> list[dict[str, Any]]:
        organisation, name, count = COMPANIES[code]
        newest = NEWEST + timedelta(days=1) if self.evening else NEWEST
        found: list[dict[str, Any]] = []
        for number in range(count):
            at = newest - timedelta(days=number)
            found.append(
                {
                    "secCode": code,
                    "secName": name,
                    "orgId": organisation,
                    "announcementId": str(1_220_000_100 - number),
                    "announcementTitle": f"关于<em>回购</em>进展的第 {count - number} 号公告",
                    "announcementTime": int(at.timestamp() * 1000),
                    "adjunctUrl": f"finalpage/{at:%Y-%m-%d}/{1_220_000_100 - number}.PDF",
                    "adjunctSize": 120,
                    "adjunctType": "PDF",
                }
            )
        return found


def _day(row: dict[str, Any]) -> str:
    return f"{datetime.fromtimestamp(row['announcementTime'] / 1000, BEIJING):%Y-%m-%d}"


def _rows(document: Any) -> list[Any] | None:
    return document.get("announcements")
