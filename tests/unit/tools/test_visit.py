"""`xqVisit`: only the community's own hosts, checked before anything is asked."""

from datetime import date
from typing import Any

import pytest

from services.core.errors import DeniedError, InputError, NoDataError
from services.core.text import Text
from services.core.trace import Fact
from services.providers.base import Fetched
from tests.unit.tools.scripted import CLOCK, Desk, Source, count, item

POST = "https://xueqiu.com/1234567890/312345678"


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        (POST, POST),
        ("http://xueqiu.com/S/SH600519", "https://xueqiu.com/S/SH600519"),
        ("  xueqiu.com/S/00700 ", "https://xueqiu.com/S/00700"),
        ("www.xueqiu.com", "https://www.xueqiu.com/"),
        ("HTTPS://XUEQIU.COM/u/7", "https://xueqiu.com/u/7"),
        ("https://stock.xueqiu.com/v5", "https://stock.xueqiu.com/v5"),
    ],
)
def test_an_address_of_the_community_is_asked_in_one_spelling(given: str, asked: str) -> None:
    source = Source("xueqiu", {"page": [item(1, "page", text="正文")]})
    result = Desk(source).result("xqVisit", urlTargets=[given])
    assert [request.url for request in source.asked] == [asked]
    assert result["pages"][0]["url"] == asked
    assert result["pages"][0]["content"][0]["text"] == "正文"


@pytest.mark.parametrize(
    "address",
    [
        "https://example.com/S/SH600519",
        "https://xueqiu.com.example.com/",
        "https://notxueqiu.com/",
        "https://example.com/?u=xueqiu.com",
        "https://example.com#xueqiu.com",
        "https://xueqiu.com@example.com/",
        "https://user:secret@xueqiu.com/",
        "https://xueqiu.com:8080/",
        "https://xueqiu.com:443/",
        "https://example.com\\@xueqiu.com/",
        "https:\\\\xueqiu.com/",
        "//xueqiu.com/S/SH600519",
        "ftp://xueqiu.com/",
        "file:///etc/passwd",
        "javascript:alert(1)//xueqiu.com",
        "https://xueqiu.com/a b",
        "https://xueqiu.com/a\nHost: example.com",
        "https://xueqiu.com/\u202e",
        "https://xueqiu。com/",
        "https://хueqiu.com/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://[::1",
        "https://xueqiu.com./",
        "xueqiu.com.example.com/",
        "xueqiu.com@example.com",
        "SH600519",
        "",
        "https://xueqiu.com/" + "a" * 500,
    ],
)
def test_any_other_address_is_refused_before_anything_is_asked(address: str) -> None:
    source = Source("xueqiu", {"page": [item(1, "page")]})
    with pytest.raises(InputError, match=r"^urlTargets\[1\]: .*xueqiu\.com"):
        Desk(source).call("xqVisit", urlTargets=[POST, address])
    assert source.asked == []


@pytest.mark.parametrize("targets", [[], [POST] * 6, POST, None])
def test_one_to_five_addresses(targets: Any) -> None:
    with pytest.raises(InputError, match=r"^urlTargets: .*1 to 5"):
        Desk(Source("xueqiu", {})).call("xqVisit", urlTargets=targets)


def test_each_target_is_answered_or_null_with_its_reason() -> None:
    def answer(request: Any) -> Any:
        if request.url.endswith("/gone"):
            return NoDataError("page", Text("这个帖子不存在", "gone"))
        if request.url.endswith("/closed"):
            return DeniedError("xueqiu", "show.json", "needs login")
        return [item(1, "post", text="字" * 4000)]

    desk = Desk(Source("xueqiu", {"page": answer}, [count(1, "like_count", 40)]))
    targets = [POST, "https://xueqiu.com/1/gone", "https://xueqiu.com/1/closed", POST]
    answered = desk.call("xqVisit", urlTargets=targets)
    result: Any = answered.result
    # The same address is opened once.
    assert [page["url"] for page in result["pages"]] == targets[:3]
    assert len(result["pages"][0]["content"][0]["text"]) == 4000
    assert result["pages"][1]["content"] is None
    assert result["reasons"]["pages[1].content"] == "这个帖子不存在"
    assert result["reasons"]["pages[2].content"] == "雪球拒绝访问"
    assert answered.cites["pages[0].content[0].counts.like_count"]


def test_a_page_of_the_community_that_cannot_be_read_is_null_too() -> None:
    def answer(request: Any) -> Any:
        return InputError("url", request.url, "…") if "/k" in request.url else [item(1, "page")]

    targets = [POST, "https://xueqiu.com/k?q=x"]
    result = Desk(Source("xueqiu", {"page": answer})).result("xqVisit", urlTargets=targets)
    assert "不是能读取的页面" in result["reasons"]["pages[1].content"]


def test_when_no_target_is_answered_it_is_no_answer() -> None:
    desk = Desk(Source("xueqiu", {"page": NoDataError("page", Text("不存在", "gone"))}))
    with pytest.raises(NoDataError, match="不存在"):
        desk.call("xqVisit", urlTargets=[POST])


class StockPage(Source):
    """A page that brings the stock's quote beside its words."""

    def fetch(self, request: Any) -> tuple[Fetched, ...]:
        fact = Fact(
            symbol="600519.SH",
            metric="close",
            value=1502.3,
            unit="CNY",
            as_of=date(2026, 11, 20),
            field="current",
            raw="1502.3",
        )
        page = item(1, "page", title="贵州茅台(SH600519)")
        return (Fetched("xueqiu", "quote.json", (fact,), CLOCK.now(), "0" * 64, items=(page,)),)


def test_figures_of_a_stock_page_are_claims() -> None:
    desk = Desk(StockPage("xueqiu", {}))
    answered = desk.call("xqVisit", urlTargets=["https://xueqiu.com/S/SH600519"])
    result: Any = answered.result
    figures = result["pages"][0]["figures"]
    assert (figures["symbol"], figures["close"]) == ("600519.SH", 1502.3)
    assert answered.cites["pages[0].figures.close"]
