"""An evening's announcements, as cninfo and Eastmoney really date them."""

import json
from collections.abc import Mapping
from datetime import date, datetime
from itertools import count

import pytest

from services.core.clock import BEIJING
from services.core.errors import NoDataError
from services.core.ledger import Answer, Ledger
from services.core.requests import FetchRequest, NoticesRequest
from services.core.symbols import Symbol
from services.core.trace import Item, ToolCall
from services.market.feeds import notices
from services.market.texts import Sought
from services.providers.chain import Chain
from services.providers.cninfo import CninfoProvider
from services.providers.eastmoney.provider import EastmoneyProvider
from tests.contract.recorded import Player, Source, play, recorded, there
from tests.fakes.server import World
from tests.fakes.wired import kit_at

pytestmark = there
COMPANIES = "cninfo/szse_stock/three.json"
THIRD_QUARTER = "cninfo/hisAnnouncement/000001-2019-10-22.json"
NONE = "cninfo/hisAnnouncement/none.json"
BRIEFING = "eastmoney/notices/600519-2026-08-14.json"
MOUTAI = json.dumps({"stockList": [{"code": "600519", "orgId": "gssh0600519"}]})
EVENING = "2026-08-14T21:00"


def asked(bodies: Mapping[str, Source], symbol: str, now: str, *, days: int = 0) -> list[Item]:
    """What is told of a company's notices, by the chain of cninfo and Eastmoney."""
    at = datetime.fromisoformat(now).replace(tzinfo=BEIJING)
    start = date.fromordinal(at.toordinal() - days)
    numbers = count(1)
    with World(Player(bodies)) as world:
        kit = kit_at(world, at)
        sources = {"cninfo": CninfoProvider(kit), "eastmoney": EastmoneyProvider(kit)}
        chain = Chain(sources, {"notices": ("cninfo", "eastmoney")}, kit.clock)

        def fetch(request: FetchRequest) -> Answer:
            outcome = chain.ask(request)
            calls = [
                ToolCall(
                    tool_call_id=f"tc_{next(numbers)}",
                    name="notices",
                    arguments={},
                    attempts=outcome.attempts,
                    source=part.source,
                    table=part.table,
                    served_by=outcome.provider or "",
                    fetched_at=part.fetched_at,
                    duration_ms=0.0,
                    body_sha256=part.body_sha256,
                    rows=part.rows,
                    labels=dict(part.labels),
                    items=part.items,
                )
                for part in outcome.fetched
            ]
            return Answer(calls, error=outcome.error)

        sought = Sought(start, at.date(), at.date())
        return [text.item for text in notices(Ledger(fetch), Symbol(symbol), sought).texts]


def test_the_only_notice_being_of_tomorrow_is_no_changed_format() -> None:
    bodies = {"szse_stock": COMPANIES, "hisAnnouncement": THIRD_QUARTER}
    request = NoticesRequest(symbol="000001.SZ")
    with pytest.raises(NoDataError):
        play(CninfoProvider, bodies, request, "2019-10-21T20:30")
    (part,) = play(CninfoProvider, bodies, request, "2019-10-22T00:01")
    assert part.items[0].published_at == datetime(2019, 10, 22, tzinfo=BEIJING)


def test_a_company_without_a_notice_is_no_data() -> None:
    bodies = {"szse_stock": COMPANIES, "hisAnnouncement": NONE}
    with pytest.raises(NoDataError):
        play(CninfoProvider, bodies, NoticesRequest(symbol="000001.SZ"), "2019-10-21T20:30")


def test_this_evenings_notice_is_told_this_evening() -> None:
    bodies = {"szse_stock": MOUTAI, "hisAnnouncement": NONE, "security/ann": BRIEFING}
    (only,) = asked(bodies, "600519.SH", EVENING)
    assert only.title.endswith("关于召开2026年半年度业绩说明会的公告")
    assert only.published_at == datetime(2026, 8, 14, 20, 41, 29, tzinfo=BEIJING)


def test_two_sources_tell_a_notice_once() -> None:
    """The row of cninfo has the recorded one's shape, and the company and title of Eastmoney's."""

    def row(number: int, title: str, day: date) -> Mapping[str, object]:
        at = datetime(day.year, day.month, day.day, tzinfo=BEIJING)
        shape = json.loads(recorded(THIRD_QUARTER))["announcements"][0]
        return {
            **shape,
            "secCode": "600519",
            "secName": "贵州茅台",
            "announcementId": str(number),
            "announcementTitle": title,
            "announcementTime": int(at.timestamp() * 1000),
            "adjunctUrl": f"finalpage/{day}/{number}.PDF",
        }

    briefing = "关于召开2026年半年度业绩说明会的公告"
    listed = [
        row(3, f"贵州茅台{briefing}", date(2026, 8, 14)),
        row(2, "贵州茅台2026年半年度报告", date(2026, 8, 14)),
        # The same title of another day is another notice.
        row(1, briefing, date(2026, 8, 13)),
    ]
    answer = {"totalAnnouncement": 3, "announcements": listed, "hasMore": False}
    bodies = {
        "szse_stock": MOUTAI,
        "hisAnnouncement": json.dumps(answer),
        "security/ann": BRIEFING,
    }
    found = asked(bodies, "600519.SH", EVENING, days=3)
    assert [item.item_id for item in found] == [
        "notice:AN202608141827994407",
        "notice:2",
        "notice:1",
    ]
