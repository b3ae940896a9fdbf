"""cninfo against its fake: paging, the list of companies, the days asked for, every fault."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from threading import Thread

import pytest

from services.core.clock import BEIJING, FixedClock
from services.core.errors import (
    UnavailableError,
)
from services.core.requests import NoticesRequest
from services.core.trace import Item
from services.providers.cninfo import CninfoProvider
from tests.contract.grid import USUAL, Outcome, hold_to
from tests.contract.provider_contract import ProviderContract
from tests.fakes.cninfo import Cninfo
from tests.fakes.server import FAULTS, Fault, World
from tests.fakes.wired import NOW, kit_at

MOUTAI = NoticesRequest(symbol="600519.SH")


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Cninfo()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Cninfo:
    service = world.services["cninfo"]
    assert isinstance(service, Cninfo)
    service.reset()
    service.evening = False
    return service


def cninfo(world: World, now: datetime = NOW) -> CninfoProvider:
    return CninfoProvider(kit_at(world, now))


def items(world: World, request: NoticesRequest, now: datetime = NOW) -> tuple[Item, ...]:
    (part,) = cninfo(world, now).fetch(request)
    return part.items


def pages(service: Cninfo) -> list[str]:
    return [asked.form["pageNum"] for asked in service.asked if asked.method == "POST"]


class TestCninfoContract(ProviderContract):
    name = "cninfo"
    clock = FixedClock(NOW)
    answered = (
        MOUTAI,
        NoticesRequest(symbol="000001.SZ"),
        NoticesRequest(symbol="600519.SH", start=date(2026, 11, 1), size=5),
    )
    refused = (
        NoticesRequest(symbol="300750.SZ"),
        NoticesRequest(symbol="600000.SH"),
        NoticesRequest(symbol="600519.SH", start=date(1999, 1, 1), end=date(1999, 12, 31)),
        NoticesRequest(symbol="600519.SH", start=date(2026, 11, 21)),
    )

    @pytest.fixture(autouse=True)
    def _provider(self, world: World, service: Cninfo) -> None:
        self.provider = cninfo(world)


def test_a_notice_is_plain_dated_and_linked_to_its_document(world: World, service: Cninfo) -> None:
    (part,) = cninfo(world).fetch(MOUTAI)
    first = part.items[0]
    assert first.item_id == "notice:1220000100"
    assert first.title == "关于回购进展的第 45 号公告"
    assert first.url == ("http://static.cninfo.com.cn/finalpage/2026-11-20/1220000100.PDF")
    assert first.published_at == datetime(2026, 11, 20, tzinfo=BEIJING)
    assert (first.symbol, first.origin) == ("600519.SH", "巨潮资讯")
    assert part.labels == {"600519.SH": {"name": "贵州茅台"}}


def test_it_covers_mainland_stocks_only(world: World) -> None:
    provider = cninfo(world)
    covered = ("600519.SH", "000001.SZ", "920163.BJ", "900901.SH")
    others = ("000001.SH", "399006.SZ", "510300.SH", "159915.SZ", "00700.HK", "AAPL")
    assert all(provider.covers(NoticesRequest(symbol=symbol)) for symbol in covered)
    assert not any(provider.covers(NoticesRequest(symbol=symbol)) for symbol in others)


def test_pages_are_turned_only_as_far_as_needed(world: World, service: Cninfo) -> None:
    # 45 announcements, 30 a page.
    assert len(items(world, MOUTAI)) == 20
    assert pages(service) == ["1"]
    service.reset()
    whole = items(world, NoticesRequest(symbol="600519.SH", size=200))
    assert len(whole) == 45
    assert pages(service) == ["1", "2"]
    assert [item.published_at for item in whole] == sorted(
        (item.published_at for item in whole), reverse=True
    )


def test_the_hash_of_two_pages_is_of_both(world: World, service: Cninfo) -> None:
    (one,) = cninfo(world).fetch(NoticesRequest(symbol="600519.SH", size=30))
    (two,) = cninfo(world).fetch(NoticesRequest(symbol="600519.SH", size=40))
    assert one.body_sha256 != two.body_sha256


def test_the_days_asked_for_are_sent_and_held(world: World, service: Cninfo) -> None:
    request = NoticesRequest(symbol="600519.SH", start=date(2026, 11, 10), end=date(2026, 11, 12))
    found = items(world, request)
    assert service.asked[-1].form["seDate"] == "2026-11-10~2026-11-12"
    assert [item.published_at for item in found] == [
        datetime(2026, 11, day, tzinfo=BEIJING) for day in (12, 11, 10)
    ]


def test_the_list_of_companies_is_fetched_once_a_day(world: World, service: Cninfo) -> None:
    provider = cninfo(world)
    for symbol in ("600519.SH", "000001.SZ", "600519.SH"):
        provider.fetch(NoticesRequest(symbol=symbol))
    lists = [asked for asked in service.asked if asked.method == "GET"]
    assert len(lists) == 1
    threads = [Thread(target=provider.fetch, args=(MOUTAI,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([asked for asked in service.asked if asked.method == "GET"]) == 1


def test_a_list_that_cannot_be_had_is_asked_for_again(world: World, service: Cninfo) -> None:
    provider = cninfo(world)
    service.fault, service.fault_path = "broken", "szse_stock"
    with pytest.raises(UnavailableError):
        provider.fetch(MOUTAI)
    service.fault = None
    assert provider.fetch(MOUTAI)


# A cell without a time leaves the announcement undated.
GRID: Mapping[Fault, Outcome] = {
    **USUAL,
    "dash": "undated",
    "null": "undated",
    "nan": "undated",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_has_its_outcome_and_nothing_wrong_is_kept(
    world: World, service: Cninfo, fault: Fault
) -> None:
    kit = kit_at(world)
    request = NoticesRequest(symbol="000001.SZ")
    hold_to(GRID[fault], CninfoProvider(kit), kit, service, request, fault)


def test_trap_17_an_evening_notice_that_counts_for_tomorrow_is_not_told_today(
    world: World, service: Cninfo
) -> None:
    service.evening = True
    evening = datetime(2026, 11, 20, 21, 0, tzinfo=BEIJING)
    newest = items(world, MOUTAI, evening)[0].published_at
    assert newest == datetime(2026, 11, 20, tzinfo=BEIJING)
    tomorrow = items(world, MOUTAI, evening + timedelta(days=1))[0].published_at
    assert tomorrow == datetime(2026, 11, 21, tzinfo=BEIJING)


def test_trap_20_milliseconds_are_an_instant_not_a_day_of_the_server(
    world: World, service: Cninfo
) -> None:
    # 1795104000000 ms is 2026-11-19 16:00 in Greenwich: midnight of the 20th in Beijing.
    published = items(world, MOUTAI)[0].published_at
    assert published is not None
    assert published.timestamp() * 1000 == 1_795_104_000_000
    assert published.astimezone(BEIJING).date() == date(2026, 11, 20)


def test_trap_29_a_code_keeps_its_zeros(world: World, service: Cninfo) -> None:
    found = items(world, NoticesRequest(symbol="000001.SZ"))
    assert service.asked[-1].form["stock"] == "000001,gssz0000001"
    assert {item.symbol for item in found} == {"000001.SZ"}
