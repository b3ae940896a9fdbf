"""RSS against its fake: keywords, dates, several feeds of which some fail, every fault."""

from collections.abc import Iterator, Mapping
from datetime import datetime

import pytest

from services.core.clock import BEIJING, FixedClock
from services.core.errors import (
    ChangedError,
    UnavailableError,
)
from services.core.requests import NewsRequest, WebSearchRequest
from services.providers.base import Fetched
from services.providers.rss import RssProvider
from tests.contract.grid import USUAL, Outcome, hold_to
from tests.contract.provider_contract import ProviderContract
from tests.fakes.rss import Rss
from tests.fakes.server import FAULTS, Fault, World
from tests.fakes.wired import NOW, keeping, kit_at

MOUTAI = NewsRequest(symbol="600519.SH", keywords=("贵州茅台", "茅台酒"))


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Rss()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Rss:
    service = world.services["rss"]
    assert isinstance(service, Rss)
    service.reset()
    return service


def rss(world: World, *paths: str, now: datetime = NOW) -> RssProvider:
    """Of those feeds; of the one the environment names when none is given."""
    chosen = {"RSS_FEEDS": " ".join(f"{world.url}/rss{path}" for path in paths)} if paths else {}
    return RssProvider(kit_at(world, now, **chosen))


def titles(parts: tuple[Fetched, ...]) -> list[str]:
    return [item.title for part in parts for item in part.items]


class TestRssContract(ProviderContract):
    name = "rss"
    clock = FixedClock(NOW)
    answered = (MOUTAI, NewsRequest(keywords=("moutai", "白酒")), WebSearchRequest(query="白酒"))
    refused = (NewsRequest(keywords=("谁也没提到的词",)),)

    @pytest.fixture(autouse=True)
    def _provider(self, world: World, service: Rss) -> None:
        self.provider = rss(world, "/finance.xml", "/second.xml")


def test_entries_with_a_keyword_come_newest_first_undated_last(world: World, service: Rss) -> None:
    (part,) = rss(world).fetch(MOUTAI)
    assert titles((part,)) == [
        "贵州茅台发布回购进展",
        "白酒板块走弱",
        "贵州茅台：没有写时间的一条",
        "贵州茅台：时间没有时区的一条",
    ]
    first = part.items[0]
    assert first.text == "公司回购股份，详情"
    assert first.symbol == "600519.SH"
    assert first.url == "https://example.invalid/a/1"
    assert first.published_at == datetime(2026, 11, 20, 10, 5, tzinfo=BEIJING)
    assert [item.published_at for item in part.items[2:]] == [None, None]


def test_a_keyword_in_the_summary_counts_in_either_case(world: World, service: Rss) -> None:
    parts = rss(world, "/second.xml").fetch(NewsRequest(keywords=("MOUTAI",)))
    assert titles(parts) == ["Kweichow Moutai buys back shares"]


def test_a_symbol_without_a_keyword_is_not_asked_here(world: World, service: Rss) -> None:
    bare = NewsRequest(symbol="600519.SH")
    assert not rss(world).covers(bare)
    with pytest.raises(UnavailableError, match="keywords"):
        rss(world).fetch(bare)
    assert service.asked == []


def test_each_feed_is_a_part_and_the_size_counts_over_all(world: World, service: Rss) -> None:
    request = NewsRequest(keywords=("贵州茅台",), size=2)
    parts = rss(world, "/finance.xml", "/second.xml").fetch(request)
    # 11:00 Beijing (03:00Z) in the second, 10:05 in the first: the two newest of both.
    assert [part.table.partition("/")[2] for part in parts] == ["rss/finance.xml", "rss/second.xml"]
    assert titles(parts) == ["贵州茅台发布回购进展", "Kweichow Moutai buys back shares"]


def test_the_same_entry_in_two_feeds_is_told_once(world: World, service: Rss) -> None:
    twice = rss(world, "/finance.xml", "/finance.xml").fetch(MOUTAI)
    assert len(twice) == 1
    assert len(titles(twice)) == 4


def test_one_feed_that_fails_is_named_and_does_not_take_the_others_with_it(
    world: World, service: Rss
) -> None:
    parts = rss(world, "/gone.xml", "/finance.xml", "/page.html").fetch(MOUTAI)
    assert len(titles(parts)) == 4
    failed = {name.partition("/")[2]: label for name, label in parts[0].labels.items()}
    assert set(failed) == {"rss/gone.xml", "rss/page.html"}
    assert "no feed" in failed["rss/page.html"]["error"]
    assert "HTTP 404" in failed["rss/gone.xml"]["error"]


def test_the_tries_of_a_failing_feed_are_in_the_trace(world: World, service: Rss) -> None:
    paths = f"{world.url}/rss/finance.xml {world.url}/rss/second.xml"
    kit = kit_at(world, RSS_FEEDS=paths)
    service.fault, service.fault_path = "broken", "/second.xml"
    found = keeping(RssProvider(kit), kit).ask(MOUTAI)
    assert found.error is None
    failed = [attempt for attempt in found.attempts if attempt.error]
    # API_ATTEMPTS is 2.
    assert [attempt.error for attempt in failed] == ["UnavailableError"] * 2
    assert all(attempt.table.endswith("/rss/second.xml") for attempt in failed)


def test_nothing_found_while_a_feed_failed_is_no_proof_of_nothing(
    world: World, service: Rss
) -> None:
    with pytest.raises(ChangedError):
        rss(world, "/finance.xml", "/page.html").fetch(NewsRequest(keywords=("谁也没提到",)))


def test_nothing_published_after_the_clock_is_told(world: World, service: Rss) -> None:
    before = datetime(2026, 11, 20, 10, 0, tzinfo=BEIJING)
    found = titles(rss(world, now=before).fetch(MOUTAI))
    assert "贵州茅台发布回购进展" not in found
    assert len(found) == 3


def test_the_query_of_a_feed_is_in_no_error_and_no_citation(world: World, service: Rss) -> None:
    parts = rss(world, "/finance.xml?key=feed-secret", "/gone.xml?key=feed-secret").fetch(MOUTAI)
    assert service.asked[0].query == {"key": "feed-secret"}
    assert "feed-secret" not in str(parts)


# A feed may leave its entries undated: they are told, never as fresh.
GRID: Mapping[Fault, Outcome] = {
    **USUAL,
    "html": ChangedError,
    "missing_column": "undated",
    "renamed_column": "undated",
    "text_for_number": "undated",
    "dash": "undated",
    "null": "undated",
    "nan": "undated",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_has_its_outcome_and_nothing_wrong_is_kept(
    world: World, service: Rss, fault: Fault
) -> None:
    kit = kit_at(world)
    hold_to(GRID[fault], RssProvider(kit), kit, service, MOUTAI, fault)


def test_trap_20_times_of_different_zones_are_put_in_one_order(world: World, service: Rss) -> None:
    by_title = {item.title: item for part in rss(world).fetch(MOUTAI) for item in part.items}
    # 07:00 in Greenwich is 15:00 in Beijing.
    weak = by_title["白酒板块走弱"].published_at
    assert weak == datetime(2026, 11, 19, 15, 0, tzinfo=BEIJING)
