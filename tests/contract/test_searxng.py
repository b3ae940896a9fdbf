"""SearXNG against its fake: ranges, industries, its two refusals, every fault."""

from collections.abc import Iterator, Mapping
from datetime import datetime

import pytest

from services.core.clock import BEIJING, FixedClock
from services.core.errors import (
    DeniedError,
    UnavailableError,
)
from services.core.requests import WebSearchRequest
from services.core.trace import Item
from services.providers.searxng import SearxngProvider
from tests.contract.grid import USUAL, Outcome, hold_to
from tests.contract.provider_contract import ProviderContract
from tests.fakes.searxng import Searxng
from tests.fakes.server import FAULTS, Fault, World
from tests.fakes.wired import NOW, kit_at

WEB = WebSearchRequest(query="示例公司 三季报")
WEEK = WebSearchRequest(query="示例公司 三季报", time_range="OneWeek")


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Searxng()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Searxng:
    service = world.services["searxng"]
    assert isinstance(service, Searxng)
    service.reset()
    service.json_on, service.knows_week, service.engines_down = True, True, False
    return service


def searxng(world: World, now: datetime = NOW) -> SearxngProvider:
    return SearxngProvider(kit_at(world, now))


def items(world: World, request: WebSearchRequest) -> list[Item]:
    return [item for part in searxng(world).fetch(request) for item in part.items]


class TestSearxngContract(ProviderContract):
    name = "searxng"
    clock = FixedClock(NOW)
    answered = (WEB, WEEK, WebSearchRequest(query="白酒", size=1))
    refused = (WebSearchRequest(query="这个搜不到"),)

    @pytest.fixture(autouse=True)
    def _provider(self, world: World, service: Searxng) -> None:
        self.provider = searxng(world)


def test_a_hit_is_plain_text_with_its_address_and_the_id_it_has_everywhere(
    world: World, service: Searxng
) -> None:
    first, second, *_ = items(world, WEB)
    assert (first.title, first.text) == ("示例公司三季报", "摘要：营业收入增长")
    assert first.origin == "news.example.invalid"
    # sha256 of "https://news.example.invalid/a/1", its first 16 digits: IQS makes the same one.
    assert first.item_id == "web:da4e8d6db013262d"
    assert second.published_at is None


def test_a_time_without_a_zone_is_no_instant_but_its_words_are_kept(
    world: World, service: Searxng
) -> None:
    (part,) = searxng(world).fetch(WEB)
    local = next(item for item in part.items if item.url == "https://forum.example.invalid/c/3")
    assert local.published_at is None
    assert part.labels == {local.item_id: {"published": "2026-11-17T00:00:00"}}


@pytest.mark.parametrize(
    ("asked", "sent"),
    [("OneDay", "day"), ("OneWeek", "week"), ("OneMonth", "month"), ("OneYear", "year")],
)
def test_a_range_is_sent_in_its_words(
    world: World, service: Searxng, asked: str, sent: str
) -> None:
    request = WebSearchRequest.model_validate({"query": "白酒", "time_range": asked})
    searxng(world).fetch(request)
    assert service.asked[-1].query["time_range"] == sent
    searxng(world).fetch(WEB)
    assert "time_range" not in service.asked[-1].query


def test_what_is_older_than_the_range_is_left_out_whatever_the_engines_say(
    world: World, service: Searxng
) -> None:
    assert [item.url for item in items(world, WEEK)] == [
        "https://news.example.invalid/a/1",
        "https://blog.example.invalid/b/2",
        "https://forum.example.invalid/c/3",
    ]


def test_an_older_release_is_asked_for_the_month_and_only_dated_hits_of_the_week_stay(
    world: World, service: Searxng
) -> None:
    service.knows_week = False
    assert [item.url for item in items(world, WEEK)] == [
        "https://news.example.invalid/a/1",
        "https://forum.example.invalid/c/3",
    ]
    assert [asked.query["time_range"] for asked in service.asked] == ["week", "month"]


def test_news_is_a_category_and_other_industries_are_reported_as_ignored(
    world: World, service: Searxng
) -> None:
    request = WebSearchRequest(query="白酒", industries=("news_center", "law", "tax"))
    (part,) = searxng(world).fetch(request)
    assert service.asked[-1].query["categories"] == "news"
    assert part.labels["web"] == {"ignored": "law,tax"}


def test_a_fresh_instance_refuses_json_and_the_words_name_the_setting(
    world: World, service: Searxng
) -> None:
    service.json_on = False
    with pytest.raises(DeniedError, match=r"search\.formats in its settings\.yml"):
        searxng(world).fetch(WEB)


def test_engines_that_do_not_answer_are_no_proof_of_nothing(world: World, service: Searxng) -> None:
    service.engines_down = True
    with pytest.raises(UnavailableError, match="engines do not answer"):
        searxng(world).fetch(WEB)


# The address is what a hit stands on.
GRID: Mapping[Fault, Outcome] = USUAL


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_has_its_outcome_and_nothing_wrong_is_kept(
    world: World, service: Searxng, fault: Fault
) -> None:
    kit = kit_at(world)
    hold_to(GRID[fault], SearxngProvider(kit), kit, service, WEB, fault)


def test_trap_20_a_time_is_an_instant_only_with_its_zone(world: World, service: Searxng) -> None:
    # Midnight in Greenwich is 08:00 in Beijing.
    first = items(world, WEB)[0]
    assert first.published_at == datetime(2026, 11, 19, 8, 0, tzinfo=BEIJING)
