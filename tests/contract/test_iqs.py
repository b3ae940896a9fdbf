"""IQS against its fake: what is sent, what is read, every refusal, every fault."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta

import pytest

from services.core.clock import BEIJING, FixedClock
from services.core.errors import (
    ChangedError,
    DeniedError,
    ProviderError,
    RateLimitError,
    UnavailableError,
)
from services.core.requests import FetchRequest, SiteSearchRequest, WebSearchRequest
from services.core.trace import Item
from services.providers.iqs import IqsProvider
from tests.contract.grid import USUAL, Outcome, hold_to
from tests.contract.provider_contract import ProviderContract
from tests.fakes.iqs import KEY, Iqs
from tests.fakes.server import FAULTS, Fault, World
from tests.fakes.wired import NOW, kit_at

WEB = WebSearchRequest(query="示例公司 三季报")
SITE = SiteSearchRequest(query="茅台", start=date(2026, 11, 1))


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Iqs()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Iqs:
    service = world.services["iqs"]
    assert isinstance(service, Iqs)
    service.reset()
    service.refusal, service.shape = None, ("errorCode", "errorMessage")
    return service


def iqs(world: World, now: datetime = NOW, key: str = KEY) -> IqsProvider:
    return IqsProvider(kit_at(world, now, IQS_API_KEY=key))


def items(world: World, request: FetchRequest, now: datetime = NOW) -> list[Item]:
    return [item for part in iqs(world, now).fetch(request) for item in part.items]


class TestIqsContract(ProviderContract):
    name = "iqs"
    clock = FixedClock(NOW)
    answered = (WEB, SITE, WebSearchRequest(query="白酒", size=3))
    refused = (
        WebSearchRequest(query="这个搜不到"),
        SiteSearchRequest(query="这个搜不到"),
        SiteSearchRequest(query="茅台", start=date(2026, 11, 20), size=1).model_copy(
            update={"query": "搜不到的茅台"}
        ),
    )

    @pytest.fixture(autouse=True)
    def _provider(self, world: World, service: Iqs) -> None:
        self.provider = iqs(world)


def test_a_hit_is_plain_text_with_its_address_site_and_time(world: World, service: Iqs) -> None:
    first = items(world, WEB)[0]
    assert first.kind == "web"
    assert first.title == "示例公司发布三季报"
    assert first.text == "示例公司营业收入同比增长，毛利率持平 & 现金流改善"
    assert first.url == "https://news.example.invalid/a/1"
    assert first.origin == "示例财经"
    assert first.published_at == datetime(2026, 11, 19, 8, 30, tzinfo=BEIJING)


def test_a_hit_without_a_time_or_without_its_zone_is_undated(world: World, service: Iqs) -> None:
    by_url = {item.url: item for item in items(world, WEB)}
    assert by_url["https://blog.example.invalid/b/2"].published_at is None
    assert by_url["https://forum.example.invalid/c/3"].published_at is None
    assert by_url["https://blog.example.invalid/b/2"].origin == "blog.example.invalid"


def test_general_is_never_sent_and_what_is_no_category_is_reported(
    world: World, service: Iqs
) -> None:
    request = WebSearchRequest(query="白酒", industries=("general", "finance", "law", "体育"))
    (part,) = iqs(world).fetch(request)
    assert service.asked[-1].json()["category"] == "finance,law"
    assert part.labels == {"web": {"ignored": "体育"}}
    iqs(world).fetch(WebSearchRequest(query="白酒", industries=("general",)))
    assert "category" not in service.asked[-1].json()


def test_the_key_travels_in_the_header_only(world: World, service: Iqs) -> None:
    iqs(world).fetch(WEB)
    asked = service.asked[-1]
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in asked.path + str(asked.query) + asked.body.decode()


def test_range_and_count_are_sent_as_documented(world: World, service: Iqs) -> None:
    iqs(world).fetch(WebSearchRequest(query="白酒" * 400, time_range="OneWeek", size=80))
    sent = service.asked[-1].json()
    assert sent["timeRange"] == "OneWeek"
    assert len(sent["query"]) == 500
    assert (sent["engineType"], sent["advancedParams"]["numResults"]) == ("LiteAdvanced", "50")


def test_a_site_search_brings_pages_of_the_community_its_posts_by_their_id(
    world: World, service: Iqs
) -> None:
    found = items(world, SITE)
    assert found[0].item_id == "post:301000001"
    assert [item.kind for item in found] == ["post", "web"]
    advanced = service.asked[-1].json()["advancedParams"]
    assert advanced["includeSites"] == "xueqiu.com"
    assert advanced["startPublishedDate"] == "2026-11-01"
    assert advanced["endPublishedDate"] == "2026-11-20"


def test_a_site_search_leaves_out_what_is_dated_before_the_start(
    world: World, service: Iqs
) -> None:
    found = items(world, SiteSearchRequest(query="茅台", start=date(2026, 11, 19)))
    assert [item.url for item in found] == ["https://xueqiu.com/S/SH600519"]


def test_nothing_published_after_the_clock_is_told(world: World, service: Iqs) -> None:
    before = datetime(2026, 11, 18, 22, 0, tzinfo=BEIJING)
    found = items(world, WEB, before)
    assert "https://news.example.invalid/a/1" not in {item.url for item in found}
    assert "post:301000001" not in {item.item_id for item in found}
    assert len(found) == 4


REFUSALS: tuple[tuple[int, str, type[ProviderError], str], ...] = (
    (403, "Retrieval.InvalidAPIKey", DeniedError, "IQS_API_KEY"),
    (403, "Retrieval.NotActivate", DeniedError, "not activated"),
    (403, "Retrieval.NotAuthorised", DeniedError, "not authorised"),
    (403, "Retrieval.Arrears", DeniedError, "arrears"),
    (403, "Retrieval.TestUserPeriodExpired", DeniedError, "trial"),
    (403, "Retrieval.SomethingNew", DeniedError, "HTTP 403"),
    (404, "InvalidAccessKeyId.NotFound", DeniedError, "does not exist"),
    (404, "InvalidAction.NotFound", ChangedError, "HTTP 404"),
    (429, "Retrieval.Throttling.User", RateLimitError, "too often"),
    (429, "Retrieval.TestUserQueryPerDayExceeded", RateLimitError, "of this day"),
    (400, "InvalidParameter", ChangedError, "HTTP 400"),
    (400, "Retrieval.InvalidPublishedDate", ChangedError, "HTTP 400"),
    (500, "InternalServerError", UnavailableError, "HTTP 500"),
)


@pytest.mark.parametrize("shape", [("code", "message"), ("errorCode", "errorMessage")])
@pytest.mark.parametrize(("status", "code", "expected", "words"), REFUSALS)
def test_a_refusal_has_its_class_and_plain_words_in_either_shape(
    world: World,
    service: Iqs,
    shape: tuple[str, str],
    status: int,
    code: str,
    expected: type[ProviderError],
    words: str,
) -> None:
    service.refusal, service.shape = (status, code), shape
    with pytest.raises(expected) as caught:
        iqs(world).fetch(WEB)
    assert type(caught.value) is expected
    assert words in str(caught.value)
    assert KEY not in str(caught.value)


def test_throttling_is_tried_again_the_daily_quota_waits_for_midnight(
    world: World, service: Iqs
) -> None:
    service.refusal = (429, "Retrieval.Throttling.User")
    with pytest.raises(RateLimitError):
        iqs(world).fetch(WEB)
    assert len(service.asked) == 2
    service.reset()
    service.refusal = (429, "Retrieval.TestUserQueryPerDayExceeded")
    with pytest.raises(RateLimitError) as caught:
        iqs(world).fetch(WEB)
    assert len(service.asked) == 1
    # From 16:30 to midnight: 7 h 30 min.
    assert caught.value.retry_after_s == timedelta(hours=7, minutes=30).total_seconds()


# The address is what a hit stands on.
GRID: Mapping[Fault, Outcome] = USUAL


@pytest.mark.parametrize("request_", [WEB, SITE], ids=["web_search", "site_search"])
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_has_its_outcome_and_nothing_wrong_is_kept(
    world: World, service: Iqs, request_: FetchRequest, fault: Fault
) -> None:
    kit = kit_at(world, IQS_API_KEY=KEY)
    hold_to(GRID[fault], IqsProvider(kit), kit, service, request_, fault, secrets=(KEY,))


def test_trap_20_a_time_is_an_instant_with_its_zone(world: World, service: Iqs) -> None:
    # 08:30 in Beijing is 00:30 in Greenwich.
    published = items(world, WEB)[0].published_at
    assert published is not None
    assert published.utctimetuple()[:5] == (2026, 11, 19, 0, 30)
