"""巨潮资讯 (cninfo): the announcements mainland companies must publish, each with its PDF.

Its time of an announcement is often midnight of the day it counts for, the day after the evening
it came out: one that counts for tomorrow is not told today.
"""

import threading
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from services.core.clock import BEIJING
from services.core.errors import (
    ChangedError,
    NoDataError,
    NotCoveredError,
)
from services.core.requests import FetchRequest, NoticesRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Item
from services.providers.base import Fetched
from services.providers.found_texts import newest_first, part_of, public_at
from services.providers.http import Body, Target
from services.providers.joining import join_bodies
from services.providers.provider_context import Kit
from services.providers.reading import (
    MISSING_TEXTS,
    Node,
    instant,
    json_of,
    link,
    member,
    plain,
    rows_of,
)

# What its announcements begin with: an open start would be the whole of them anyway.
_FIRST_DAY = date(2000, 1, 1)
_PAGE = 30
_MOST_PAGES = 10
_COLUMNS = ("secCode", "secName", "announcementId", "announcementTitle", "adjunctUrl")
_PDF = "http://static.cninfo.com.cn/"
_STOCKS_AGE = timedelta(days=1)


class CninfoProvider:
    """Answers announcements of companies listed in Shanghai, Shenzhen and Beijing."""

    name = "cninfo"
    capabilities = frozenset({"notices"})

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._lock = threading.Lock()
        self._stocks: dict[str, str] = {}
        self._stocks_at: datetime | None = None

    def covers(self, request: FetchRequest) -> bool:
        """Mainland stocks; neither indexes nor funds. It knows days, not times."""
        if not isinstance(request, NoticesRequest) or request.timed:
            return False
        symbol = Symbol(request.symbol)
        return symbol.market == "CN" and not symbol.is_index and not symbol.is_fund

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """Announcements of those days, newest first. Raises: NoDataError, ProviderError."""
        if not isinstance(request, NoticesRequest):
            raise NotCoveredError(self.name, request.capability, "does not answer this")
        now = self._kit.clock.now()
        today = now.astimezone(BEIJING).date()
        end = min(request.end or today, today)
        start = request.start or _FIRST_DAY
        what = f"notices {request.symbol}"
        nothing = NoDataError(what, Text("巨潮在这段日期没有公告", "no announcement in these days"))
        if start > end:
            raise nothing
        bodies, rows = self._pages(request, f"{start}~{end}", what)
        body = join_bodies(bodies)
        items = [_notice(row, request.symbol, body) for row in rows]
        tomorrow = datetime.combine(today + timedelta(days=1), time(), BEIJING)
        told = [item for item in items if item.published_at != tomorrow]
        known = _within(public_at(now, told, body), start, end)
        found = newest_first(known)[: request.size]
        if not found:
            raise nothing
        return (
            part_of(
                self.name, body, found, {request.symbol: {"name": plain(rows[0]["secName"], 100)}}
            ),
        )

    def _pages(
        self, request: NoticesRequest, days: str, what: str
    ) -> tuple[list[Body], list[Node]]:
        """The pages that hold `request.size` announcements, and the rows of this company."""
        code = Symbol(request.symbol).code
        stock = f"{code},{self._organisation(code, what)}"
        bodies: list[Body] = []
        rows: list[Node] = []
        for page in range(1, _MOST_PAGES + 1):
            body = self._page(stock, days, page)
            document = json_of(body)
            bodies.append(body)
            rows += _list_rows(document, body)
            if len(rows) >= request.size or not member(document, "hasMore", body, bool):
                break
        own = [row for row in rows if code in str(row["secCode"]).split(",")]
        if rows and not own:
            raise ChangedError(self.name, bodies[0].table, "answers with other companies")
        return bodies, own

    def _page(self, stock: str, days: str, page: int) -> Body:
        form = {
            "pageNum": str(page),
            "pageSize": str(_PAGE),
            "column": "szse",
            "tabName": "fulltext",
            "plate": "",
            "stock": stock,
            "searchkey": "",
            "secid": "",
            "category": "",
            "trade": "",
            "seDate": days,
            "sortName": "",
            "sortType": "",
            "isHLtitle": "true",
        }
        target = self._target("hisAnnouncement/query")
        return self._kit.http.post(target, "/new/hisAnnouncement/query", form=form)

    def _organisation(self, code: str, what: str) -> str:
        """The id a company has there; the list of all is kept for a day.

        Raises: NoDataError for a code that is not in it.
        """
        now = self._kit.clock.now()
        with self._lock:
            known, at = self._stocks, self._stocks_at
        if at is None or now - at >= _STOCKS_AGE:
            body = self._kit.http.get(self._target("szse_stock.json"), "/new/data/szse_stock.json")
            rows = rows_of(json_of(body), "stockList", body, ("code", "orgId"))
            known = {str(row["code"]): str(row["orgId"]) for row in rows}
            if not known:
                raise ChangedError(self.name, body.table, "the list of companies is empty")
            with self._lock:
                self._stocks, self._stocks_at = known, now
        if code not in known:
            raise NoDataError(
                what, Text("巨潮的上市公司名单没有这个代码", "no such company at cninfo")
            )
        return known[code]

    def _target(self, table: str) -> Target:
        return Target(self.name, table, self._kit.settings.urls["CNINFO_URL"])


def _list_rows(document: object, body: Body) -> list[Node]:
    """The rows of one page: null is what it says for none, and only then."""
    total = member(document, "totalAnnouncement", body, int)
    rows = document.get("announcements") if isinstance(document, dict) else None
    if rows is None and total == 0:
        return []
    return rows_of(document, "announcements", body, (*_COLUMNS, "announcementTime"))


def _notice(row: Node, symbol: str, body: Body) -> Item:
    file = row["adjunctUrl"]
    return Item(
        item_id=f"notice:{row['announcementId']}",
        kind="notice",
        symbol=symbol,
        title=plain(row["announcementTitle"], 300),
        url=link(_PDF + file.lstrip("/")) if isinstance(file, str) and file else None,
        author=plain(row["secName"], 100) or None,
        origin="巨潮资讯",
        published_at=_read_published(row["announcementTime"], body),
    )


def _read_published(cell: object, body: Body) -> datetime | None:
    """Its milliseconds as an instant; None for an empty cell. Raises: ChangedError."""
    if cell is None or (isinstance(cell, str) and cell.strip() in MISSING_TEXTS):
        return None
    if isinstance(cell, Decimal) and not cell.is_finite():
        return None
    return instant(cell, body, "announcementTime")


def _within(items: Sequence[Item], start: date, end: date) -> list[Item]:
    """Those of the days asked for; undated ones stay, since the source was asked for these days."""
    first = datetime.combine(start, time(), BEIJING)
    after = datetime.combine(end + timedelta(days=1), time(), BEIJING)
    return [
        item for item in items if item.published_at is None or first <= item.published_at < after
    ]
