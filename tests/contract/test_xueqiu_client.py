"""Xueqiu's token, errors, check for robots, redirects and addresses, through its provider."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from services.core.errors import (
    ChangedError,
    DeniedError,
    InputError,
    NoDataError,
    ProviderError,
    RateLimitError,
    UnavailableError,
)
from services.core.requests import (
    FetchRequest,
    NewsRequest,
    PageRequest,
    SpotRequest,
    UserPostsRequest,
    UserRequest,
    ValuationRequest,
)
from services.providers.http import Http
from services.providers.xueqiu.provider import XueqiuProvider
from tests.fakes.server import World
from tests.fakes.wired import NOW, kit_at
from tests.fakes.xueqiu import USER_TOKEN, Xueqiu

QUOTE = ValuationRequest(symbol="600519.SH")
NEWS = NewsRequest(symbol="600519.SH")


class Hand:
    """A clock the test moves."""

    def __init__(self) -> None:
        self.at: datetime = NOW

    def now(self) -> datetime:
        return self.at


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Xueqiu()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Iterator[Xueqiu]:
    service = world.services["xueqiu"]
    assert isinstance(service, Xueqiu)
    service.reset()
    service.tokens = 0
    yield service
    service.reset()


def xueqiu(world: World, token: str = "") -> XueqiuProvider:
    return XueqiuProvider(kit_at(world, XUEQIU_TOKEN=token))


def paths(service: Xueqiu) -> list[str]:
    return [asked.path for asked in service.asked]


def test_the_token_comes_from_hq_and_is_sent_as_a_cookie(world: World, service: Xueqiu) -> None:
    xueqiu(world).fetch(QUOTE)
    assert paths(service) == ["/web/hq", "/stock/v5/stock/quote.json"]
    headers = service.asked[-1].headers
    assert {"xq_a_token=anonymous1", "u=-1"} <= set(headers["cookie"].split("; "))
    assert headers["referer"] == "https://xueqiu.com/"
    assert "Mozilla" in headers["user-agent"]


def test_threads_that_come_together_share_one_token(world: World, service: Xueqiu) -> None:
    provider = xueqiu(world)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(provider.fetch, [QUOTE, NEWS] * 4))
    assert service.tokens == 1


@pytest.mark.parametrize("refusal", ["400016", "400013"])
@pytest.mark.parametrize("request_", [QUOTE, NEWS], ids=["text", "number"])
def test_a_stale_token_is_renewed_once_and_the_question_asked_again(
    world: World, service: Xueqiu, refusal: str, request_: FetchRequest
) -> None:
    provider = xueqiu(world)
    before = provider.fetch(request_)
    service.expire()
    service.refusal = refusal
    assert provider.fetch(request_) == before
    assert service.tokens == 2
    assert len(paths(service)) == 5  # hq, ask; ask, hq, ask


def test_threads_with_the_same_stale_token_renew_it_once(world: World, service: Xueqiu) -> None:
    provider = xueqiu(world)
    provider.fetch(QUOTE)
    service.expire()
    with ThreadPoolExecutor(6) as pool:
        assert len(list(pool.map(provider.fetch, [QUOTE] * 6))) == 6
    assert service.tokens == 2


def test_a_token_refused_again_right_after_is_denied_without_a_third_try(
    world: World, service: Xueqiu
) -> None:
    service.refuses_every_token = True
    with pytest.raises(DeniedError, match="400016"):
        xueqiu(world).fetch(QUOTE)
    assert paths(service).count("/stock/v5/stock/quote.json") == 2
    assert service.tokens == 2


def test_an_hour_later_another_token_is_fetched(world: World, service: Xueqiu) -> None:
    clock = Hand()
    kit = kit_at(world)
    provider = XueqiuProvider(replace(kit, clock=clock, http=Http(kit.settings, clock)))
    provider.fetch(QUOTE)
    clock.at += timedelta(minutes=59)
    provider.fetch(QUOTE)
    assert service.tokens == 1
    clock.at += timedelta(minutes=2)
    provider.fetch(QUOTE)
    assert service.tokens == 2


def test_a_users_token_wins_and_no_other_is_fetched(world: World, service: Xueqiu) -> None:
    xueqiu(world, USER_TOKEN).fetch(QUOTE)
    assert service.tokens == 0
    assert service.asked[-1].headers["cookie"] == f"xq_a_token={USER_TOKEN}"


def test_a_users_token_that_is_refused_is_named_and_never_shown(
    world: World, service: Xueqiu
) -> None:
    with pytest.raises(DeniedError, match="XUEQIU_TOKEN") as caught:
        xueqiu(world, "stale-secret").fetch(QUOTE)
    assert "stale-secret" not in str(caught.value)
    assert service.tokens == 0
    assert len(service.asked) == 1


def test_what_needs_a_login_is_denied_and_not_tried_again(world: World, service: Xueqiu) -> None:
    service.needs_login = True
    with pytest.raises(DeniedError, match="needs login"):
        xueqiu(world).fetch(NEWS)
    assert len(service.asked) == 2


def test_a_user_that_does_not_exist_is_an_answer(world: World, service: Xueqiu) -> None:
    for request in (UserPostsRequest(user_id="42"), PageRequest(url="https://xueqiu.com/u/42")):
        with pytest.raises(NoDataError, match="没有这个用户"):
            xueqiu(world).fetch(request)


def test_the_check_for_robots_in_front_of_the_token_page_is_named(
    world: World, service: Xueqiu
) -> None:
    service.waf = True
    with pytest.raises(UnavailableError, match="WAF"):
        xueqiu(world).fetch(QUOTE)
    assert xueqiu(world).fetch(SpotRequest(symbol="600519.SH"))


def test_a_token_page_without_a_token_has_changed(world: World, service: Xueqiu) -> None:
    service.sets_no_token = True
    with pytest.raises(ChangedError, match="xq_a_token"):
        xueqiu(world).fetch(QUOTE)


@pytest.mark.parametrize(
    ("status", "expected"),
    [(405, RateLimitError), (403, DeniedError), (400, ChangedError), (502, UnavailableError)],
)
def test_each_status_has_its_class(
    world: World, service: Xueqiu, status: int, expected: type[ProviderError]
) -> None:
    service.status = status
    with pytest.raises(expected):
        xueqiu(world).fetch(QUOTE)


def test_a_redirect_within_xueqiu_is_followed(world: World, service: Xueqiu) -> None:
    service.moved_to, service.moves_left = "?symbol=SH600519&md5__1038=abc", 1
    assert xueqiu(world).fetch(QUOTE)[0].rows
    assert service.asked[-1].query["md5__1038"] == "abc"
    assert "xq_a_token" in service.asked[-1].headers["cookie"]


def test_a_fourth_redirect_is_one_too_many(world: World, service: Xueqiu) -> None:
    service.moved_to, service.moves_left = "?symbol=SH600519", 3
    assert xueqiu(world).fetch(QUOTE)
    service.asked.clear()
    service.moves_left = 4
    with pytest.raises(UnavailableError, match="page to page"):
        xueqiu(world).fetch(QUOTE)
    assert len([path for path in paths(service) if "quote" in path]) == 4


@pytest.mark.parametrize(
    "there",
    [
        "http://127.0.0.1:9/v5/stock/quote.json",
        "https://xueqiu.com.example.net/",
        "https://xueqiu.com@example.net/",
        "http://xueqiu.com/",
        "https://xueqiu.com:8443/",
        "file:///etc/passwd",
        "//example.net/",
        "",
    ],
)
def test_a_redirect_to_anywhere_else_is_not_followed(
    world: World, service: Xueqiu, there: str
) -> None:
    service.moved_to, service.moves_left = there, 9
    with pytest.raises(UnavailableError):
        xueqiu(world).fetch(QUOTE)


def test_an_answer_about_someone_else_is_not_taken(world: World, service: Xueqiu) -> None:
    quotes = service.quotes
    service.quotes = {**quotes, "SH600519": quotes["SZ300750"]}
    try:
        for request in (QUOTE, SpotRequest(symbol="600519.SH")):
            with pytest.raises(ChangedError, match="another symbol"):
                xueqiu(world).fetch(request)
    finally:
        service.quotes = quotes


def test_a_body_beyond_two_megabytes_of_texts_is_refused(world: World, service: Xueqiu) -> None:
    texts = service.texts
    longer = {**texts["users"][0], "description": "长" * 700_000}
    service.texts = {**texts, "users": [longer]}
    try:
        with pytest.raises(ChangedError, match="2,000,000 bytes"):
            xueqiu(world).fetch(UserRequest(name="示例"))
    finally:
        service.texts = texts


@pytest.mark.parametrize(
    ("url", "path", "id_"),
    [
        ("https://xueqiu.com/1234567890/312345678", "/api/statuses/show.json", "312345678"),
        ("https://xueqiu.com/1234567890/312345678?from=a#b", "/api/statuses/show.json", None),
        ("https://www.xueqiu.com:443/S/SH600519/312345678", "/api/statuses/show.json", None),
        ("https://xueqiu.com/S/SH600519", "/stock/v5/stock/quote.json", "SH600519"),
        ("https://xueqiu.com/snowman/S/SH600519/detail#/GSJJ", "/stock/v5/stock/quote.json", None),
        ("https://XUEQIU.com/S/00700", "/stock/v5/stock/quote.json", "00700"),
        ("https://xueqiu.com/u/2233445566", "/web/statuses/original/show.json", "2233445566"),
        ("https://xueqiu.com/2233445566", "/web/statuses/original/show.json", None),
    ],
)
def test_a_page_is_read_through_the_interface_by_its_address(
    world: World, service: Xueqiu, url: str, path: str, id_: str | None
) -> None:
    part = xueqiu(world).fetch(PageRequest(url=url))[0]
    assert part.items[0].url is not None
    assert part.items[0].url.startswith("https://xueqiu.com/")
    assert service.asked[-1].path == path
    assert id_ is None or id_ in service.asked[-1].query.values()


@pytest.mark.parametrize(
    "url",
    [
        "http://xueqiu.com/S/SH600519",
        "https://example.net/S/SH600519",
        "https://xueqiu.com.example.net/S/SH600519",
        "https://notxueqiu.com/S/SH600519",
        "https://xueqiu.com@example.net/S/SH600519",
        "https://user:word@xueqiu.com/S/SH600519",
        "https://xueqiu.com:8443/S/SH600519",
        "https://xueqiu.com:99999/S/SH600519",
        "https://xueqiu.com\\@example.net/S/SH600519",
        "https://xueqiu.com /S/SH600519",
        "https://xueqiu.com./S/SH600519",
        "https://xueqіu.com/S/SH600519",  # a Cyrillic letter
        "https://127.0.0.1/S/SH600519",
        "https://[::1]/S/SH600519",
        "file:///S/SH600519",
        "javascript:alert(1)",
        "//xueqiu.com/S/SH600519",
        "https://xueqiu.com/",
        "https://xueqiu.com/hq",
        "https://xueqiu.com/S/..%2f..%2fhq",
        "https://xueqiu.com/../1/2",
        "https://xueqiu.com/S/没有",
        "https://xueqiu.com/S/ZZ",
        "https://xueqiu.com/1/2/3",
        "https://xueqiu.com/" + "9" * 3000,
        "",
    ],
)
def test_any_other_address_is_refused_before_anything_is_asked(
    world: World, service: Xueqiu, url: str
) -> None:
    if url.endswith("/S/ZZ"):  # could be an American share: asked, and not known
        with pytest.raises(NoDataError):
            xueqiu(world).fetch(PageRequest(url=url))
        return
    with pytest.raises(InputError, match=r"xueqiu\.com"):
        xueqiu(world).fetch(PageRequest(url=url))
    assert service.asked == []
