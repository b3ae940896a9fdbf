"""Marks [E*] come from claims and quotations, never from what somebody typed."""

from datetime import date, datetime

from services.agents.evidence import Marks
from services.core.claims import Claim, CompetenceCite, DerivedCite, claim_id
from services.core.clock import BEIJING
from services.core.rendering import place
from services.core.trace import Item, ToolCall, Trace
from tests.unit.agents.kit import DAY, claim

NOW = datetime(2017, 7, 26, 16, 30, tzinfo=BEIJING)
CLOSE = claim("close", 25.53, "CNY", call="tc_prices")
PE = claim("pe_ttm", 8.67, "multiple", as_of=date(2017, 5, 25), call="tc_values")
PROFIT = claim("net_profit", 6.2e10, "CNY", as_of=date(2016, 12, 31), call="tc_reports")


def call(call_id: str, *items: Item, source: str = "s") -> ToolCall:
    return ToolCall(
        tool_call_id=call_id,
        name="analysis",
        arguments={},
        attempts=(),
        source=source,
        table=call_id.removeprefix("tc_"),
        served_by=source,
        fetched_at=NOW,
        duration_ms=0.0,
        items=items,
    )


def news(number: int, title: str, text: str = "", day: int = 20) -> Item:
    at = datetime(2017, 7, day, 23, 30, tzinfo=BEIJING)
    return Item(item_id=f"news:{number}", kind="news", title=title, text=text, published_at=at)


def derived(metric: str, *inputs: Claim) -> Claim:
    names = tuple(one.claim_id for one in inputs)
    return Claim(
        claim_id=claim_id(metric, *names),
        value=1.0,
        metric=metric,
        symbol="600036.SH",
        as_of=DAY,
        unit="percent",
        cite=DerivedCite(formula="a / b", inputs=names, series=()),
    )


TRACE = Trace(tool_calls=(call("tc_prices"), call("tc_values"), call("tc_reports")))


def test_calls_are_numbered_in_the_order_the_text_stands_on_them() -> None:
    marks = Marks((CLOSE, PE, PROFIT), TRACE)
    assert marks.of(f"净利润{place(PROFIT)}") == ("E1",)
    assert marks.of(f"收盘{place(CLOSE)}，净利润{place(PROFIT)}") == ("E1", "E2")
    assert marks.of(f"市盈率{place(PE)}") == ("E3",)
    assert [(one.marker, one.tool_call_id) for one in marks.evidence()] == [
        ("E1", "tc_reports"),
        ("E2", "tc_prices"),
        ("E3", "tc_values"),
    ]


def test_a_derived_figure_stands_on_the_calls_of_all_its_inputs() -> None:
    inner = derived("inner", CLOSE, PE)
    outer = derived("outer", inner, PROFIT)
    marks = Marks((CLOSE, PE, PROFIT, inner, outer), TRACE)
    assert marks.of(f"x{place(outer)}") == ("E1", "E2", "E3")
    assert [one.claims for one in marks.evidence()] == [(outer.claim_id,)] * 3


def test_a_rule_is_no_evidence() -> None:
    rule = claim("rsi_overbought", 70.0, "index")
    rule = rule.model_copy(update={"cite": CompetenceCite(competence_id="indicator.rsi")})
    assert Marks((rule,), TRACE).of(f"超买线{place(rule)}") == ()


def test_a_statement_without_figure_or_quotation_has_no_mark() -> None:
    marks = Marks((CLOSE,), TRACE)
    assert marks.of("没有取得新闻。") == ()
    assert marks.of("见 [E1] 与 E2。") == ()  # typed, not made
    assert marks.evidence() == ()


def test_a_quotation_has_the_mark_of_every_call_that_brought_it() -> None:
    told = news(1, "贵州茅台：回购方案获通过", "公司公告称回购方案已获股东大会通过。")
    trace = Trace(
        tool_calls=(call("tc_a", told), call("tc_b", news(2, "别的")), call("tc_c", told))
    )
    marks = Marks((), trace)
    assert marks.of("新闻「贵州茅台：回购方案获通过」。") == ("E1", "E2")
    assert marks.of("据报道，“回购方案已获股东大会通过”。") == ("E1", "E2")  # a part of the text
    assert marks.of("公告《贵州茅台：回购方案获通过》。") == ("E1", "E2")
    assert [one.tool_call_id for one in marks.evidence()] == ["tc_a", "tc_c"]


def test_a_headline_found_by_several_searches_of_one_source_has_one_mark() -> None:
    told = news(1, "贵州茅台：回购方案获通过")
    found = [call(name, told) for name in ("tc_a", "tc_b", "tc_c")]
    one_table = [one.model_copy(update={"table": "news_search"}) for one in found]
    marks = Marks((), Trace(tool_calls=tuple(one_table)))
    assert marks.of("「贵州茅台：回购方案获通过」") == ("E1",)
    assert [one.tool_call_id for one in marks.evidence()] == ["tc_a"]


def test_words_that_happen_to_be_a_title_are_no_quotation() -> None:
    short = Trace(tool_calls=(call("tc_a", news(1, "公告"), news(2, "。"), news(3, "净利润增长")),))
    marks = Marks((), short)
    assert marks.of("没有公告。净利润增长。") == ()
    assert marks.of("「公告」") == ()  # too short to be one text's words
    assert marks.of("「净利润增长」") == ("E1",)


def test_evidence_is_as_of_its_newest_cited_figure_or_quoted_text_on_the_beijing_day() -> None:
    old, new = news(1, "一季度业绩预告说明", day=3), news(2, "中期业绩预告说明", day=25)
    trace = Trace(tool_calls=(call("tc_prices"), call("tc_news", old, new)))
    marks = Marks((CLOSE,), trace)
    marks.of(f"收盘{place(CLOSE)}，「一季度业绩预告说明」")
    prices, texts = marks.evidence()
    assert prices.as_of == DAY
    assert texts.as_of == date(2017, 7, 3)  # not that of the text beside it, nor of UTC
    assert texts.claims == ()


def test_a_text_without_a_day_gives_none() -> None:
    bare = Item(item_id="page:1", kind="page", title="某个没有日期的网页")
    marks = Marks((), Trace(tool_calls=(call("tc_page", bare),)))
    assert marks.of("「某个没有日期的网页」") == ("E1",)
    assert marks.evidence()[0].as_of is None
