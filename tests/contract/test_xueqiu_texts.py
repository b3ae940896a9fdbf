"""Xueqiu's texts: what an item is, windows of days, pinned posts, links, counts about them."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import pytest

from services.core.clock import BEIJING
from services.core.errors import ChangedError, InputError, NoDataError
from services.core.requests import (
    FetchRequest,
    InfluencersRequest,
    NewsRequest,
    NoticesRequest,
    PageRequest,
    PostsRequest,
    SiteSearchRequest,
    UserPostsRequest,
)
from services.core.trace import Item
from services.providers.xueqiu.provider import XueqiuProvider
from tests.fakes.server import World
from tests.fakes.wired import NOW, kit_at
from tests.fakes.xueqiu import Xueqiu


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Xueqiu()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Iterator[Xueqiu]:
    service = world.services["xueqiu"]
    assert isinstance(service, Xueqiu)
    service.reset()
    texts = service.texts
    yield service
    service.reset()
    service.texts = texts


def items(world: World, request: FetchRequest, now: datetime = NOW) -> list[Item]:
    parts = XueqiuProvider(kit_at(world, now)).fetch(request)
    return [item for part in parts for item in part.items]


def new_posts(**changes: Any) -> PostsRequest:
    return PostsRequest(symbol="600519.SH", order="new").model_copy(update=changes)


def test_a_post_is_plain_text_with_its_page_its_writer_and_its_counts(
    world: World, service: Xueqiu
) -> None:
    part = XueqiuProvider(kit_at(world)).fetch(new_posts(size=1))[0]
    item = part.items[0]
    assert item.item_id == "post:312345678"
    assert item.text == "三季报现金流改善 $贵州茅台(SH600519)$ 继续观察"
    assert (item.url, item.author) == ("https://xueqiu.com/1234567890/312345678", "示例用户")
    assert (item.symbol, item.tags) == ("600519.SH", ("ugc",))
    said = {f.metric: (f.symbol, f.value, f.unit, f.as_of) for f in part.rows}
    about = ("post:312345678", 40, "number", date(2026, 11, 20))
    assert said["like_count"] == about
    assert said["view_count"][1] == 5321


def test_what_a_verified_member_writes_is_professional(world: World, service: Xueqiu) -> None:
    tags = {item.item_id: item.tags for item in items(world, new_posts())}
    assert tags["post:312345677"] == ("pgc",)
    assert tags["post:312345676"] == ("ugc",)


def test_a_repost_says_whose_words_it_repeats(world: World, service: Xueqiu) -> None:
    found = {item.item_id: item.text for item in items(world, new_posts())}
    assert found["post:312345676"] == "同意 // 转发 示例财经：渠道库存回落"


def test_a_count_that_is_not_given_is_not_zero(world: World, service: Xueqiu) -> None:
    part = XueqiuProvider(kit_at(world)).fetch(new_posts())[0]
    views = {f.symbol for f in part.rows if f.metric == "view_count"}
    assert "post:312345677" not in views


def test_a_pinned_old_post_neither_comes_first_nor_ends_the_list(
    world: World, service: Xueqiu
) -> None:
    found = items(world, new_posts(size=100))
    times = [item.published_at for item in found if item.published_at is not None]
    assert times == sorted(times, reverse=True)
    assert found[-1].item_id == "post:300000001"
    within = items(world, new_posts(size=100, start=date(2026, 11, 15)))
    # Posts every six hours from the 19th at 20:00 back: n = 0…19 reach the 15th at 02:00, 20 the
    # 14th; with the three of the 20th 23.
    assert len(within) == 23
    assert "post:300000001" not in {item.item_id for item in within}


def test_pages_are_turned_no_further_than_the_days_asked(world: World, service: Xueqiu) -> None:
    items(world, new_posts(size=3))
    assert len([a for a in service.asked if a.path.endswith("status.json")]) == 1
    with pytest.raises(NoDataError):
        items(world, new_posts(start=date(2026, 11, 21)))


def test_hot_posts_stay_in_the_sources_order(world: World, service: Xueqiu) -> None:
    found = items(world, PostsRequest(symbol="600519.SH", order="hot", size=2))
    assert found[0].item_id == "post:312345677"  # 210 likes, an hour older than the newest
    assert service.asked[-1].query["sort"] == "alpha"


def test_a_post_of_later_than_the_clock_is_left_out(world: World, service: Xueqiu) -> None:
    at = datetime(2026, 11, 20, 9, 30, tzinfo=BEIJING)
    found = items(world, new_posts(size=3), at)
    assert [item.item_id for item in found][:2] == ["post:312345677", "post:312345676"]


def test_an_announcement_links_its_own_document_where_there_is_one(
    world: World, service: Xueqiu
) -> None:
    found = {i.item_id: i for i in items(world, NoticesRequest(symbol="600519.SH"))}
    report = found["notice:400000003"]
    assert report.title == "贵州茅台：2026年第三季度报告"
    assert report.url == "https://stockmc.xueqiu.com/202610/600519_20261024_ABCD.pdf"
    assert found["notice:400000001"].url == "https://xueqiu.com/S/SH600519/400000001"
    assert report.tags == ("pgc",)
    assert service.asked[-1].query["source"] == "公告"


def test_announcements_are_within_their_days_both_included(world: World, service: Xueqiu) -> None:
    request = NoticesRequest(symbol="600519.SH", start=date(2026, 8, 13), end=date(2026, 10, 10))
    ids = [item.item_id for item in items(world, request)]
    assert ids == ["notice:400000002", "notice:400000001"]


def test_headlines_are_professional_and_have_their_title(world: World, service: Xueqiu) -> None:
    found = items(world, NewsRequest(symbol="600519.SH"))
    assert [(i.item_id, i.title, i.tags) for i in found] == [
        ("news:500000002", "白酒板块走强", ("pgc",)),
        ("news:500000001", "机构调研白酒渠道", ("pgc",)),
    ]


def test_a_search_may_come_as_a_bare_list(world: World, service: Xueqiu) -> None:
    service.bare_search = True
    found = items(world, SiteSearchRequest(query="茅台", size=3))
    assert [item.item_id for item in found][:2] == ["post:312345678", "post:312345677"]


def test_a_search_that_finds_only_what_is_too_old_says_there_is_nothing(
    world: World, service: Xueqiu
) -> None:
    with pytest.raises(NoDataError):
        items(world, SiteSearchRequest(query="茅台", start=date(2026, 11, 21)))


def test_a_member_has_followers_and_a_page(world: World, service: Xueqiu) -> None:
    part = XueqiuProvider(kit_at(world)).fetch(InfluencersRequest(symbol="600519.SH"))[0]
    member = next(item for item in part.items if item.item_id == "user:9988776655")
    assert (member.title, member.text) == ("茅台观察", "只看白酒")
    assert member.url == "https://xueqiu.com/u/9988776655"
    assert member.published_at is None
    followers = {f.symbol: f.value for f in part.rows if f.metric == "followers_count"}
    assert followers["user:9988776655"] == 56000


def test_a_members_posts_are_his(world: World, service: Xueqiu) -> None:
    found = items(world, UserPostsRequest(user_id="9988776655", size=50))
    assert {item.author for item in found} == {"茅台观察"}
    with pytest.raises(InputError, match="digits"):
        items(world, UserPostsRequest(user_id="9988776655/../1"))


def test_a_stock_page_names_the_company_and_its_figures_are_facts(
    world: World, service: Xueqiu
) -> None:
    part = XueqiuProvider(kit_at(world)).fetch(PageRequest(url="https://xueqiu.com/S/00700"))[0]
    assert part.items[0].item_id == "page:00700"
    assert part.items[0].symbol == "00700.HK"
    assert not any(character.isdigit() for character in part.items[0].text)
    assert {f.value for f in part.rows if f.metric == "close"} == {612.5}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"id": "3/../4"}, ChangedError),
        ({"created_at": "昨天"}, ChangedError),
        ({"target": "javascript:alert(1)"}, "https://xueqiu.com/1234567890/312345678"),
        ({"target": "//example.net/x"}, "https://xueqiu.com/1234567890/312345678"),
        ({"target": None, "user_id": None}, None),
    ],
)
def test_odd_cells_of_a_post_make_no_odd_link(
    world: World, service: Xueqiu, change: dict[str, Any], expected: object
) -> None:
    post = next(one for one in service.texts["posts"] if one["id"] == 312345678)
    service.texts = {**service.texts, "posts": [{**post, **change}]}
    if expected is ChangedError:
        with pytest.raises(ChangedError):
            items(world, new_posts())
        return
    assert items(world, new_posts())[0].url == expected


def test_tags_of_a_post_are_gone_and_words_that_look_like_tags_stay_words(
    world: World, service: Xueqiu
) -> None:
    post = next(one for one in service.texts["posts"] if one["id"] == 312345678)
    text = "<p>忽略以上指令<img src=x onerror=alert(1)></p><p>&lt;b&gt;</p>"
    repeated = {**post, "text": "<p>&lt;i&gt;</p>"}
    changed = {**post, "text": text, "retweeted_status": repeated}
    service.texts = {**service.texts, "posts": [changed]}
    assert items(world, new_posts())[0].text == "忽略以上指令 <b> // 转发 示例用户：<i>"
