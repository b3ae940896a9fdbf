"""What is looked at before anyone writes: seed 004 §4, the same with and without a model."""

import json
from collections.abc import Sequence

from services.agents.gathering import limits, plan
from services.agents.options import (
    AgentOptions,
    NewsOptions,
    PriceOptions,
    PricePeriod,
    Switch,
    ToolOptions,
    WebOptions,
)
from services.agents.results import AgentRunRequest
from services.agents.skills import SKILLS
from services.agents.toolkit import Toolkit
from services.tools.registry import TOOLS
from tests.unit.agents.kit import ASKED, OPTIONS, gathered, understood, with_toolkit

STOCK, MARKET = SKILLS["stock_analysis"], SKILLS["market_overview"]
ON = AgentOptions(tools=ToolOptions(peer_compare=Switch()))


def test_a_company_is_looked_at_from_every_side_in_the_order_of_the_flow() -> None:
    assert [one.name for one in plan(ASKED, STOCK, ON)] == [
        "get_price_history",
        "get_fundamentals_info",
        "get_financial_reports",
        "compute_indicators",
        "peer_compare",
        "xqSearchStockFeed",
        "search_news",
        "search_web",
    ]


def test_a_market_is_its_index_its_news_and_its_macro_figures_and_nothing_else() -> None:
    asked = understood(AgentRunRequest(mode="market"))
    found = plan(asked, MARKET, OPTIONS)
    assert [one.name for one in found] == ["search_news", "get_macro_data", "get_macro_data"]
    assert {one.name for one in found} == set(MARKET.tools)


def test_what_the_settings_switch_off_is_not_asked_for() -> None:
    off = ToolOptions(news=NewsOptions(enabled=False), peer_compare=Switch(enabled=False))
    names = [one.name for one in plan(ASKED, STOCK, AgentOptions(tools=off))]
    assert "search_news" not in names
    assert "peer_compare" not in names
    assert len(names) == 6


def test_every_planned_call_is_one_its_tool_accepts() -> None:
    asked_for = [*plan(ASKED, STOCK, ON)]
    asked_for += plan(understood(AgentRunRequest(mode="market")), MARKET, ON)
    for one in asked_for:
        assert not isinstance(one.arguments, str)
        TOOLS[one.name].read(one.arguments)  # raises InputError otherwise


def test_the_settings_reach_the_arguments() -> None:
    periods = (PricePeriod(interval="1d", lookback=200), PricePeriod(interval="1h", lookback=30))
    tools = ToolOptions(
        price_history=PriceOptions(periods=periods),
        news=NewsOptions(max_items=7),
        web_search=WebOptions(max_results=2),
    )
    options = AgentOptions(tools=tools)
    asked = understood(AgentRunRequest(symbol="600036"), options)
    found = plan(asked, STOCK, options)
    prices = [one.arguments for one in found if one.name == "get_price_history"]
    assert [(p["interval"], p["lookback"]) for p in prices if not isinstance(p, str)] == [
        ("1d", 200),
        ("1h", 30),
    ]
    rest = {one.name: one.arguments for one in found if not isinstance(one.arguments, str)}
    assert rest["search_news"]["max_items"] == 7
    assert rest["search_web"]["max_results"] == 2
    assert limits(options) == {"search_news": {"max_items": 7}, "search_web": {"max_results": 2}}


def test_a_time_in_the_question_reaches_the_arguments() -> None:
    periods = (PricePeriod(interval="1d", lookback=365), PricePeriod(interval="1h", lookback=30))
    options = AgentOptions(tools=ToolOptions(price_history=PriceOptions(periods=periods)))

    def looked(question: str) -> tuple[Sequence[object], object, object]:
        asked = understood(AgentRunRequest(symbol="600036", question=question), options)
        found = plan(asked, STOCK, options)
        by_name = {o.name: o.arguments for o in found if not isinstance(o.arguments, str)}
        prices = [
            o.arguments["lookback"]
            for o in found
            if o.name == "get_price_history" and not isinstance(o.arguments, str)
        ]
        return (
            prices,
            by_name["get_financial_reports"]["count"],
            by_name["compute_indicators"]["lookback"],
        )

    # Every annual report there is, whatever is asked. Indicators need a year of bars whatever is
    # asked; bars of hours reach back 30 days.
    assert looked("近三年怎么样") == ([1097, 30], 20, 1097)
    assert looked("一周内怎么样") == ([15, 15], 20, 365)
    assert looked("") == ([365, 30], 20, 365)


def test_the_question_is_what_the_web_is_asked_within_its_bounds() -> None:
    asked = understood(AgentRunRequest(symbol="600036", question="长" * 400))
    query = next(one for one in plan(asked, STOCK, OPTIONS) if one.name == "search_web")
    assert not isinstance(query.arguments, str)
    written = query.arguments["query"]
    assert isinstance(written, str)
    assert written.startswith("招商银行 长")
    assert len(written) == 100


def test_one_source_that_has_nothing_leaves_the_others() -> None:
    def names(_: object, kit: Toolkit, told: object) -> dict[str, str | None]:
        return {one.name: one.error for one in kit.called}

    assert gathered(AgentRunRequest(symbol="600036"), names) == {
        "get_price_history": None,
        "get_fundamentals_info": None,
        "get_financial_reports": None,
        "compute_indicators": None,
        "xqSearchStockFeed": None,
        "search_news": "NoDataError",
        "search_web": "NoDataError",
    }


def test_the_plan_is_noted_as_the_plan_s() -> None:
    def work(kit: Toolkit) -> None:
        kit.call_all(plan(ASKED, STOCK, OPTIONS)[:2], "plan")
        assert [one.asked_by for one in kit.called] == ["plan", "plan"]
        assert json.loads(kit.called[0].arguments)["symbol"] == "600036.SH"

    with_toolkit(work)
