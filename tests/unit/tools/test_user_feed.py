"""`xqSearchUserFeed`: the member meant, or whom else it may be; and what the member wrote."""

from typing import Any

import pytest

from services.core.errors import InputError, NoDataError, UnavailableError
from services.core.text import Text
from tests.unit.tools.scripted import Desk, Source, count, item

ASKED: dict[str, Any] = {
    "userScreenName": "示例用户",
    "filterQuery": "",
    "userSearchQuery": "",
    "searchUserProfile": True,
    "timeRange": "NoLimit",
    "startDate": "",
    "endDate": "",
}
EXACT = item(7, "user", title="示例用户", text="长期投资", url="https://xueqiu.com/u/7")
OTHER = item(8, "user", title="示例用户二号", text="短线")
POSTS = [
    item(1, text="三季报现金流改善", published="11-18 09:00"),
    item(2, text="贵州茅台的 ROE", published="11-20 09:00"),
]


def source(*users: Any, **script: Any) -> Source:
    counts = [count(7, "followers_count", 8000, "user")]
    return Source("xueqiu", {"user_search": list(users), "user_posts": POSTS, **script}, counts)


def test_the_exact_screen_name_wins_over_others_that_match() -> None:
    asked = source(OTHER, EXACT)
    answer = Desk(asked).call("xqSearchUserFeed", **ASKED)
    result: Any = answer.result
    assert result["user"] == {
        "id": "user:7",
        "screen_name": "示例用户",
        "url": "https://xueqiu.com/u/7",
    }
    assert result["profile"]["text"] == "长期投资"
    assert result["profile"]["counts"] == {"followers_count": 8000}
    assert answer.cites["profile.counts.followers_count"]
    assert [text["id"] for text in result["posts"]] == ["post:2", "post:1"]
    assert asked.asked[-1].user_id == "7"


def test_several_that_match_are_listed_and_nobody_is_chosen() -> None:
    asked = source(OTHER, item(9, "user", title="示例用户三号"))
    result = Desk(asked).result("xqSearchUserFeed", **ASKED)
    assert result["user"] is None
    assert [one["title"] for one in result["choices"]] == ["示例用户二号", "示例用户三号"]
    assert result["posts"] is None
    assert "choices" in result["reasons"]["posts"]
    assert [request.capability for request in asked.asked] == ["user_search"]


def test_two_of_the_very_same_name_are_listed_too() -> None:
    asked = source(EXACT, item(9, "user", title="示例用户"), OTHER)
    result = Desk(asked).result("xqSearchUserFeed", **ASKED)
    assert result["user"] is None
    assert [one["id"] for one in result["choices"]] == ["user:7", "user:9"]


def test_the_only_match_is_the_one_meant() -> None:
    result = Desk(source(OTHER)).result("xqSearchUserFeed", **ASKED)
    assert result["user"]["screen_name"] == "示例用户二号"


def test_the_filter_keeps_posts_with_any_of_its_words() -> None:
    asked = ASKED | {"filterQuery": "roe 分红"}
    result = Desk(source(EXACT)).result("xqSearchUserFeed", **asked)
    assert [text["id"] for text in result["posts"]] == ["post:2"]


def test_a_filter_that_nothing_passes_says_what_there_was() -> None:
    asked = ASKED | {"filterQuery": "新能源"}
    result = Desk(source(EXACT)).result("xqSearchUserFeed", **asked)
    assert result["posts"] is None
    assert result["reasons"]["posts"] == "来源给出 2 条，2 条不含「新能源」"


def test_posts_are_of_the_days_asked() -> None:
    asked = ASKED | {"endDate": "2026-11-19"}
    result = Desk(source(EXACT)).result("xqSearchUserFeed", **asked)
    assert [text["id"] for text in result["posts"]] == ["post:1"]


def test_a_profile_that_was_not_asked_for_is_not_shown() -> None:
    result = Desk(source(EXACT)).result(
        "xqSearchUserFeed", **(ASKED | {"searchUserProfile": False})
    )
    assert result["reasons"]["profile"] == "未要求查询（searchUserProfile=false）"


def test_nobody_of_that_name_falls_back_to_the_keyword_as_a_name_then_as_a_search() -> None:
    nobody = NoDataError("user_search", Text("没有匹配的用户", "nobody"))
    asked = source(user_search=nobody, site_search=POSTS)
    result = Desk(asked).result("xqSearchUserFeed", **(ASKED | {"userSearchQuery": "价值投资"}))
    assert [request.capability for request in asked.asked] == [
        "user_search",
        "user_search",
        "site_search",
    ]
    assert result["user"] is None
    assert result["reasons"]["user"] == "没有匹配的用户"
    assert [text["id"] for text in result["search"]] == ["post:1", "post:2"]


def test_nobody_and_no_keyword_is_no_data() -> None:
    nobody = NoDataError("user_search", Text("没有匹配的用户", "nobody"))
    with pytest.raises(NoDataError, match="没有匹配的用户"):
        Desk(source(user_search=nobody)).call("xqSearchUserFeed", **ASKED)


def test_posts_that_fail_leave_the_profile() -> None:
    down = UnavailableError("xueqiu", "user_timeline", "down")
    result = Desk(source(EXACT, user_posts=down)).result("xqSearchUserFeed", **ASKED)
    assert result["profile"]["title"] == "示例用户"
    assert result["reasons"]["posts"] == "雪球暂不可用"


def test_neither_name_nor_keyword_is_refused() -> None:
    with pytest.raises(InputError, match="userScreenName"):
        Desk(source()).call("xqSearchUserFeed", **(ASKED | {"userScreenName": " "}))
