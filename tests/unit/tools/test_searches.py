"""`webSearch`, `search_web` and `xqSearchQuery`: every request asked, one failing loses nothing."""

from dataclasses import replace
from typing import Any

import pytest

from services.core.errors import InputError, NoDataError, UnavailableError
from services.settings import Settings
from tests.unit.tools.scripted import Desk, Source, item

WEB: dict[str, Any] = {
    "searchRequests": ["白酒 三季报"],
    "industry": "general",
    "timeRange": "NoLimit",
}
SITE: dict[str, Any] = {
    "searchRequests": ["贵州茅台三季报"],
    "searchFilings": False,
    "timeRange": "NoLimit",
    "startDate": "",
    "endDate": "",
    "scope": "all",
}
THREE = replace(Settings(), max_web_search_queries=3)


def web(number: int, **given: Any) -> Any:
    return item(number, "web", url=f"https://example.com/{number}", title=f"题{number}", **given)


def found(result: dict[str, Any]) -> list[tuple[str, list[str] | None]]:
    return [
        (one["query"], one["results"] and [text["id"] for text in one["results"]])
        for one in result["searches"]
    ]


def test_the_engine_is_asked_for_the_industries_without_general() -> None:
    source = Source("iqs", {"web_search": [web(2), web(1)]})
    asked = WEB | {"industry": "finance, general，law,finance"}
    answer = Desk(source).call("webSearch", **asked)
    (request,) = source.asked
    assert request.industries == ("finance", "law")
    assert answer.arguments["industry"] == "finance,general,law"
    assert isinstance(answer.result, dict)
    # The engine's own order stays.
    assert found(answer.result) == [("白酒 三季报", ["web:2", "web:1"])]
    assert answer.result["searches"][0]["results"][0]["scope"] is None


def test_general_alone_is_no_restriction_and_the_range_is_passed_on() -> None:
    source = Source("iqs", {"web_search": [web(1, published="11-19 10:00")]})
    Desk(source).call("webSearch", **(WEB | {"timeRange": "OneWeek"}))
    (request,) = source.asked
    assert (request.industries, request.time_range, request.size) == ((), "OneWeek", 10)


@pytest.mark.parametrize("industry", ["", "Finance", "finance;law", "finance,", "sports"])
def test_an_industry_that_is_none_is_refused(industry: str) -> None:
    source = Source("iqs", {})
    with pytest.raises(InputError, match=r"industry: .*general \| finance"):
        Desk(source).call("webSearch", **(WEB | {"industry": industry}))
    assert source.asked == []


@pytest.mark.parametrize(
    ("requests", "named"),
    [
        ([], "searchRequests"),
        ([""], r"searchRequests\[0\]"),
        (["  "], r"searchRequests\[0\]"),
        (["字" * 31], r"searchRequests\[0\]"),
        (["白酒", 5], r"searchRequests\[1\]"),
        ("白酒", "searchRequests"),
    ],
)
@pytest.mark.parametrize("tool", ["webSearch", "xqSearchQuery"])
def test_a_request_is_of_1_to_30_characters(tool: str, requests: Any, named: str) -> None:
    source = Source("iqs", {})
    good = WEB if tool == "webSearch" else SITE
    with pytest.raises(InputError, match=f"^{named}: "):
        Desk(source).call(tool, **(good | {"searchRequests": requests}))
    assert source.asked == []


def test_more_requests_than_the_setting_allows_are_refused_before_any_is_asked() -> None:
    source = Source("iqs", {})
    with pytest.raises(InputError, match=r"1 to 1 requests.*YOUJU_MAX_WEB_SEARCH_QUERIES"):
        Desk(source).call("webSearch", **(WEB | {"searchRequests": ["a", "b"]}))
    with pytest.raises(InputError, match=r"1 to 3 requests.*YOUJU_MAX_XQ_SEARCH_QUERIES"):
        Desk(source).call("xqSearchQuery", **(SITE | {"searchRequests": ["a", "b", "c", "d"]}))
    assert source.asked == []


def test_one_request_failing_does_not_lose_the_others() -> None:
    def answer(request: Any) -> Any:
        if request.query == "故障":
            return UnavailableError("iqs", "search/unified", "down")
        return [web(1), web(2)] if request.query == "白酒" else [web(2)]

    desk = Desk(Source("iqs", {"web_search": answer}), settings=THREE)
    result = desk.result("webSearch", **(WEB | {"searchRequests": ["白酒", "故障", "茅台"]}))
    assert found(result) == [("白酒", ["web:1", "web:2"]), ("故障", None), ("茅台", None)]
    assert result["reasons"]["searches[1].results"] == "阿里云 IQS 暂不可用"
    assert "相同" in result["reasons"]["searches[2].results"]


def test_when_no_request_is_answered_the_source_is_to_blame_before_emptiness() -> None:
    def answer(request: Any) -> Any:
        if request.query == "a":
            return NoDataError("web_search", "nothing")
        return UnavailableError("iqs", "search/unified", "down")

    desk = Desk(Source("iqs", {"web_search": answer}), settings=THREE)
    with pytest.raises(UnavailableError):
        desk.call("webSearch", **(WEB | {"searchRequests": ["a", "b"]}))
    with pytest.raises(NoDataError):
        desk.call("webSearch", **(WEB | {"searchRequests": ["a"]}))


def test_undated_pages_are_not_in_a_dated_search() -> None:
    source = Source("iqs", {"web_search": [web(1), web(2, published="11-20 08:00")]})
    result = Desk(source).result("webSearch", **(WEB | {"timeRange": "OneDay"}))
    assert found(result) == [("白酒 三季报", ["web:2"])]
    assert "1 条未注明发布时间" in result["notes"][0]


def test_search_web_lists_as_many_as_asked() -> None:
    source = Source("searxng", {"web_search": [web(n) for n in range(9)]})
    result = Desk(source).result("search_web", query=" 苹果 新品 ")
    assert [text["id"] for text in result["results"]] == [f"web:{n}" for n in range(5)]
    assert (result["source"], result["as_of"]) == ("searxng", "2026-11-20T16:30:00+08:00")
    (request,) = source.asked
    assert (request.query, request.size, request.time_range) == ("苹果 新品", 5, "NoLimit")


def test_the_site_is_searched_for_each_keyword_from_the_first_day() -> None:
    source = Source("xueqiu", {"site_search": [item(1, published="11-20 09:00", tags=("pgc",))]})
    asked = SITE | {"searchRequests": ["白酒", "消费"], "startDate": "2026-11-20", "scope": "pgc"}
    result = Desk(source).result("xqSearchQuery", **asked)
    assert [(r.query, str(r.start)) for r in source.asked] == [
        ("白酒", "2026-11-20"),
        ("消费", "2026-11-20"),
    ]
    assert found(result)[0] == ("白酒", ["post:1"])
    assert result["filings"] is None
    assert result["reasons"]["filings"] == "未要求查询（searchFilings=false）"


FILED = [item(9, "notice", title="回购进展", published="11-19 18:00")]


@pytest.mark.parametrize(
    ("keywords", "symbols"),
    [
        (["贵州茅台三季报"], ["600519.SH"]),
        (["茅台 分红"], ["600519.SH"]),
        (["SH600519 公告"], ["600519.SH"]),
        (["苹果"], ["AAPL"]),
        (["万科A 债务", "格力电器 分红"], ["000002.SZ", "000651.SZ"]),
        # A name of two listings is not a company for certain, an index files nothing, and a
        # part of some company's name is no name.
        (["中国平安保费"], []),
        (["大盘走势"], []),
        (["三季报现金流"], []),
        (["ROE PE"], []),
    ],
)
def test_filings_are_those_of_the_company_the_keywords_name(
    keywords: list[str], symbols: list[str]
) -> None:
    source = Source("cninfo", {"site_search": [item(1)], "notices": FILED})
    asked = SITE | {"searchRequests": keywords, "searchFilings": True}
    result = Desk(source).result("xqSearchQuery", **asked)
    named = [request.symbol for request in source.asked if request.capability == "notices"]
    assert named == symbols
    if symbols:
        assert [one["notices"][0]["id"] for one in result["filings"]] == ["notice:9"] * len(symbols)
    else:
        assert "没有写明一家上市公司" in result["reasons"]["filings"]


def test_filings_come_where_the_search_itself_failed() -> None:
    down = UnavailableError("xueqiu", "status.json", "down")
    source = Source("xueqiu", {"site_search": down, "notices": FILED})
    result = Desk(source).result("xqSearchQuery", **(SITE | {"searchFilings": True}))
    assert found(result) == [("贵州茅台三季报", None)]
    assert result["filings"][0]["symbol"] == "SH600519"
