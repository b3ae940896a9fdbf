"""`xqSearchStockFeed`: each part by itself, kept within the days and the scope asked for."""

from typing import Any

import pytest

from services.core.errors import DeniedError, InputError, NoDataError, UnavailableError
from services.core.text import Text
from tests.unit.tools.scripted import Desk, Source, item

PARTS = ("searchStockFeedNew", "searchStockFeedHot", "searchStockNotice", "searchStockInfluencer")
NONE: dict[str, Any] = {
    "stockName": "贵州茅台",
    "stockSearchQuery": "",
    **dict.fromkeys(PARTS, False),
    "searchStockQuote": False,
    "timeRange": "NoLimit",
    "startDate": "",
    "endDate": "",
    "scope": "all",
    "searchStockAbnormal": False,
}
ALL = NONE | dict.fromkeys(PARTS, True)
NEW = NONE | {"searchStockFeedNew": True}


def ids(texts: Any) -> list[str]:
    return [text["id"] for text in texts]


def posts(request: Any) -> list[Any]:
    if request.order == "hot":
        return [item(1, published="11-18 09:00"), item(2, published="11-20 09:00")]
    return [item(1, published="11-18 09:00"), item(2, published="11-20 09:00"), item(3)]


def test_every_part_that_was_asked_for_comes() -> None:
    source = Source(
        "xueqiu",
        {
            "posts": posts,
            "notices": [item(9, "notice", title="回购", published="11-19 18:00")],
            "influencers": [item(7, "user", title="示例用户")],
        },
    )
    result = Desk(source).result("xqSearchStockFeed", **ALL)
    # Newest first, the undated last; heat is the source's own order.
    assert ids(result["feed_new"]) == ["post:2", "post:1", "post:3"]
    assert ids(result["feed_hot"]) == ["post:1", "post:2"]
    assert ids(result["notices"]) == ["notice:9"]
    assert result["notices"][0]["scope"] == "pgc"
    assert ids(result["influencers"]) == ["user:7"]
    assert result["stock"]["code"] == "600519.SH"


def test_what_was_not_asked_for_is_not_fetched() -> None:
    source = Source("xueqiu", {"posts": posts})
    result = Desk(source).result("xqSearchStockFeed", **NEW)
    assert [request.capability for request in source.asked] == ["posts"]
    assert result["reasons"]["notices"] == "未要求查询（searchStockNotice=false）"


def test_a_part_whose_source_fails_is_null_and_the_others_still_come() -> None:
    source = Source(
        "xueqiu",
        {
            "posts": UnavailableError("xueqiu", "status.json", "no answer within 8 s"),
            "notices": [item(9, "notice", title="回购", published="11-19 18:00")],
            "influencers": NoDataError("influencers", Text("该股没有影响力用户", "none")),
            "valuation": DeniedError("xueqiu", "quote.json", "token"),
        },
    )
    asked = ALL | {"searchStockQuote": True, "searchStockAbnormal": True}
    result = Desk(source).result("xqSearchStockFeed", **asked)
    assert ids(result["notices"]) == ["notice:9"]
    assert result["feed_new"] is None
    assert result["reasons"]["feed_new"] == "雪球暂不可用"
    assert result["reasons"]["influencers"] == "该股没有影响力用户"
    assert result["quote"] is None
    assert result["abnormal_events"] is None
    assert "雪球" in result["reasons"]["quote"]


def test_every_source_that_failed_is_named() -> None:
    cninfo = Source("cninfo", {"notices": UnavailableError("cninfo", "q", "down")})
    xueqiu = Source("xueqiu", {"notices": DeniedError("xueqiu", "t", "login")})
    result = Desk(cninfo, xueqiu).result(
        "xqSearchStockFeed", **(NONE | {"searchStockNotice": True})
    )
    assert result["reasons"]["notices"] == "巨潮资讯暂不可用；雪球拒绝访问"


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ({"startDate": "2026-11-19"}, ["post:2"]),
        ({"endDate": "2026-11-19"}, ["post:1"]),
        ({"timeRange": "OneDay"}, ["post:2"]),
        ({"timeRange": "OneWeek"}, ["post:2", "post:1"]),
        # A date wins over the range.
        ({"timeRange": "OneDay", "startDate": "2026-11-18"}, ["post:2", "post:1"]),
    ],
)
def test_only_texts_of_the_days_asked_are_in_and_the_undated_are_counted(
    asked: dict[str, Any], kept: list[str]
) -> None:
    result = Desk(Source("xueqiu", {"posts": posts})).result("xqSearchStockFeed", **(NEW | asked))
    assert ids(result["feed_new"]) == kept
    assert result["notes"] == ["feed_new：另有 1 条未注明发布时间，不能算在所选时段内，未列出"]


def test_a_day_begins_at_midnight_in_beijing() -> None:
    late = item(1, published="11-19 23:59")
    early = item(2, published="11-20 00:00")
    desk = Desk(Source("xueqiu", {"posts": [late, early]}))
    result = desk.result("xqSearchStockFeed", **(NEW | {"startDate": "2026-11-20"}))
    assert ids(result["feed_new"]) == ["post:2"]


def test_a_window_that_the_source_does_not_reach_is_not_called_empty() -> None:
    recent = [item(n, published="11-20 09:00") for n in range(100)]
    desk = Desk(Source("xueqiu", {"posts": recent}))
    asked = NEW | {"startDate": "2026-10-01", "endDate": "2026-10-31"}
    reason = desk.result("xqSearchStockFeed", **asked)["reasons"]["feed_new"]
    assert "来源给出 100 条" in reason
    assert "最早 2026-11-20" in reason


def test_a_list_cut_off_inside_the_window_says_how_far_back_it_reaches() -> None:
    recent = [item(n, published="11-20 09:00") for n in range(20)]
    desk = Desk(Source("xueqiu", {"posts": recent}))
    result = desk.result("xqSearchStockFeed", **(NEW | {"timeRange": "OneWeek"}))
    assert result["notes"] == ["feed_new：来源给出的内容最早到 2026-11-20，更早的没有取到"]


@pytest.mark.parametrize(("scope", "kept"), [("pgc", ["post:1"]), ("ugc", ["post:2", "post:3"])])
def test_scope_keeps_one_kind_of_author_and_says_what_is_left_out(
    scope: str, kept: list[str]
) -> None:
    texts = [item(1, tags=("pgc",)), item(2, tags=("ugc",)), item(3)]
    desk = Desk(Source("xueqiu", {"posts": texts}))
    result = desk.result("xqSearchStockFeed", **(NEW | {"scope": scope}))
    assert ids(result["feed_new"]) == kept
    assert "不属于" in result["notes"][0]


def test_the_same_text_is_shown_once() -> None:
    texts = [
        item(1, url="https://xueqiu.com/1/1"),
        item(1, url="https://xueqiu.com/1/1"),
        item(2, url="http://xueqiu.com/1/1#comments"),
    ]
    result = Desk(Source("xueqiu", {"posts": texts})).result("xqSearchStockFeed", **NEW)
    assert ids(result["feed_new"]) == ["post:1"]


def test_a_name_nobody_has_is_searched_for_by_its_keywords() -> None:
    source = Source("xueqiu", {"site_search": [item(5, text="新公司传闻")]})
    asked = ALL | {"stockName": "没有这家公司啊", "stockSearchQuery": "新公司 传闻"}
    result = Desk(source).result("xqSearchStockFeed", **asked)
    assert result["stock"] is None
    assert ids(result["search"]) == ["post:5"]
    assert "没有这家公司啊" in result["reasons"]["stock"]
    assert source.asked[0].query == "新公司 传闻"


def test_an_ambiguous_name_gives_its_candidates_beside_the_search() -> None:
    source = Source("xueqiu", {"site_search": [item(5, text="平安")]})
    asked = NEW | {"stockName": "平安", "stockSearchQuery": "平安 保费"}
    result = Desk(source).result("xqSearchStockFeed", **asked)
    assert "平安银行 000001.SZ" in result["choices"]


def test_where_the_search_brings_nothing_the_name_is_refused() -> None:
    asked = NEW | {"stockName": "没有这家公司啊", "stockSearchQuery": "新公司 传闻"}
    with pytest.raises(InputError, match="stockName"):
        Desk(Source("xueqiu", {})).call("xqSearchStockFeed", **asked)
