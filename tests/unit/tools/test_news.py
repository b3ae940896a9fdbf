"""`search_news`: matched by names and aliases, each headline once, scored with its reasons."""

from typing import Any

import pytest

from services.core.errors import InputError, NoDataError, UnavailableError
from services.core.trace import Item
from tests.unit.tools.scripted import Desk, Source, item

MOUTAI = {"symbol": "600519", "market": "CN"}


def story(number: int, title: str, text: str = "", **given: Any) -> Item:
    address = given.pop("url", f"https://example.com/{number}")
    return item(number, "news", title=title, text=text, url=address, **given)


def scored(*stories: Item, **asked: Any) -> dict[str, float]:
    result = Desk(Source("rss", {"news": list(stories)})).result("search_news", **(MOUTAI | asked))
    return {one["title"]: one["relevance_score"] for one in result["news"]}


def test_the_answer_has_the_names_of_the_requirement() -> None:
    news = story(1, "贵州茅台回购", "公告称", published="11-20 08:00", origin="示例财经")
    answer = Desk(Source("rss", {"news": [news]})).call("search_news", **MOUTAI)
    result: Any = answer.result
    (shown,) = result["news"]
    assert (shown["title"], shown["link"], shown["summary"], shown["published"]) == (
        "贵州茅台回购",
        "https://example.com/1",
        "公告称",
        "2026-11-20T08:00:00+08:00",
    )
    assert (result["source"], result["as_of"]) == ("rss", "2026-11-20T16:30:00+08:00")


def test_a_score_is_a_claim_that_says_which_name_was_found_where() -> None:
    news = story(1, "贵州茅台回购", "茅台公告称")
    answer = Desk(Source("rss", {"news": [news]})).call("search_news", **MOUTAI)
    (claim,) = [one for one in answer.claims if one.metric == "relevance_score"]
    assert answer.cites["news[0].relevance_score"] == [claim.claim_id]
    assert claim.cite.kind == "tool"
    assert (claim.cite.source, claim.cite.table) == ("youju", "news_relevance")
    assert claim.cite.raw == "标题含「贵州茅台」（名称或代码）；摘要含「茅台」（别名）"
    # 0.7 × 1 (own name in the title) + 0.3 × 0.85 (nickname in the summary) = 0.955
    assert claim.value == 0.955
    assert (claim.unit, claim.symbol) == ("score", "news:1")


def test_a_title_counts_more_than_a_summary_and_a_name_more_than_an_alias() -> None:
    found = scored(
        story(1, "贵州茅台与600519", "贵州茅台酒股份有限公司"),  # 0.7 + 0.3
        story(2, "贵州茅台", "无关"),  # 0.7
        story(3, "茅台涨价", "无关"),  # 0.7 × 0.85
        story(4, "飞天批价", "无关"),  # a keyword: 0.7 × 0.7
        story(5, "白酒板块", "贵州茅台领涨"),  # 0.3
        story(6, "白酒指数", "茅台领涨"),  # 0.3 × 0.85
        story(7, "消费", "飞天"),  # 0.3 × 0.7
        story(8, "板块", symbol="600519.SH"),  # filed under the company only
        keywords=["飞天"],
    )
    assert found == {
        "贵州茅台与600519": 1.0,
        "贵州茅台": 0.7,
        "茅台涨价": 0.595,
        "飞天批价": 0.49,
        "白酒板块": 0.3,
        "白酒指数": 0.255,
        "消费": 0.21,
        "板块": 0.1,
    }
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_what_names_it_nowhere_is_left_out_and_counted() -> None:
    desk = Desk(Source("rss", {"news": [story(1, "贵州茅台"), story(2, "别家")]}))
    result = desk.result("search_news", **MOUTAI)
    assert [one["title"] for one in result["news"]] == ["贵州茅台"]
    assert "另有 1 条未提到它，未列出" in result["notes"]
    with pytest.raises(NoDataError, match="没有提到"):
        Desk(Source("rss", {"news": [story(2, "别家")]})).call("search_news", **MOUTAI)


@pytest.mark.parametrize(
    ("title", "score"),
    [
        ("Apple announces a new iPhone", 0.595),  # the name without Inc: an alias
        ("APPLE Inc. reports", 0.7),
        ("AAPL falls", 0.7),
        ("Ａpple 发布会", 0.595),
        ("苹果发布新品", 0.7),
        ("Pineapple prices", None),
        ("AAPLX fund", None),
    ],
)
def test_latin_names_match_as_whole_words(title: str, score: float | None) -> None:
    news = [story(1, title), story(2, "苹果")]
    found = scored(*news, symbol="AAPL", market="US")
    assert found.get(" ".join(title.split())) == score


def test_a_one_letter_ticker_is_not_found_in_prose() -> None:
    found = scored(
        story(1, "T cells (NYSE: T)"), story(2, "Model T returns"), symbol="T", market="US"
    )
    assert list(found) == ["T cells (NYSE: T)"]


def test_the_same_piece_is_listed_once_by_address_or_headline() -> None:
    found = scored(
        story(1, "贵州茅台回购", url="https://example.com/a"),
        story(2, "贵州茅台 回购", url="https://example.org/b"),
        story(3, "贵州茅台回购进展", url="http://example.com/a"),
    )
    assert list(found) == ["贵州茅台回购"]


def test_equally_relevant_headlines_are_newest_first_and_the_undated_last() -> None:
    found = scored(
        story(1, "贵州茅台甲", published="11-18 09:00"),
        story(2, "贵州茅台乙"),
        story(3, "贵州茅台丙", published="11-20 09:00"),
    )
    assert list(found) == ["贵州茅台丙", "贵州茅台甲", "贵州茅台乙"]


def test_the_company_and_its_names_are_asked_and_one_failing_loses_nothing() -> None:
    def answer(request: Any) -> Any:
        if request.symbol:
            return UnavailableError("eastmoney", "jsonp", "down")
        return [story(1, "Apple event")]

    source = Source("eastmoney", {"news": answer})
    result = Desk(source).result("search_news", symbol="AAPL", market="US", max_items=7)
    assert [(r.symbol, r.keywords, r.size) for r in source.asked] == [
        ("AAPL", (), 7),
        (None, ("苹果", "apple"), 7),
    ]
    assert [one["title"] for one in result["news"]] == ["Apple event"]
    assert result["notes"] == ["按「AAPL」检索：东方财富暂不可用"]


def test_keywords_of_the_caller_are_asked_instead_of_the_names() -> None:
    source = Source("rss", {"news": [story(1, "iPhone 降价")]})
    Desk(source).call("search_news", symbol="AAPL", market="US", keywords=["iPhone", " iPhone "])
    assert source.asked[-1].keywords == ("iPhone",)


def test_without_a_symbol_the_keywords_are_searched() -> None:
    source = Source("rss", {"news": [story(1, "央行降息")]})
    result = Desk(source).result("search_news", symbol="", market="CN", keywords=["降息"])
    assert [r.symbol for r in source.asked] == [None]
    assert result["news"][0]["relevance_score"] == 0.49  # 0.7 × 0.7: a keyword in the title


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"symbol": ""}, "keywords"),
        ({"market": "HK"}, "market"),
        ({"symbol": "平安"}, "symbol"),
        ({"max_items": 0}, "max_items"),
        ({"max_items": 51}, "max_items"),
        ({"keywords": [" "]}, r"keywords\[0\]"),
        ({"keywords": "茅台"}, "keywords"),
    ],
)
def test_wrong_arguments_are_refused(asked: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError, match=f"^{named}: "):
        Desk(Source("rss", {})).call("search_news", **(MOUTAI | asked))
