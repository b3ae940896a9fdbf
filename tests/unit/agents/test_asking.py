"""From a request to whom and how far back; the bundled day is 2017-07-26."""

from datetime import datetime

import pytest

from services.agents.analysis_request import LONGEST_QUESTION
from services.agents.analysis_request import understood as understand
from services.agents.gathering import plan
from services.agents.options import AgentOptions, PriceOptions, PricePeriod, ToolOptions
from services.agents.results import AgentRunRequest, AnalysisInput
from services.agents.skills import SKILLS
from services.core.clock import BEIJING, FixedClock
from services.core.errors import InputError
from tests.unit.agents.kit import DAY, OPTIONS, services, understood


def asked(question: str) -> AnalysisInput:
    return understood(AgentRunRequest(question=question, symbol="600036"))


def test_a_company_is_found_by_name_or_code_and_the_day_is_the_clock_s() -> None:
    for symbol in ("600036", "SH600036", "600036.SH", " 600036 ", "招商银行A股"):
        found = understood(AgentRunRequest(symbol=symbol))
        assert (found.symbol, found.name, found.market) == ("600036.SH", "招商银行", "CN")
        assert found.as_of == DAY
    assert understood(AgentRunRequest(symbol="AAPL")).market == "US"
    assert understood(AgentRunRequest(symbol="腾讯")).symbol == "00700.HK"


def test_where_nothing_is_said_the_windows_are_those_of_the_settings() -> None:
    found = asked("这家公司怎么样")
    assert (found.price_days, found.filing_periods, found.news_days) == (365, 4, 30)
    periods = (PricePeriod(interval="1h", lookback=30), PricePeriod(interval="1d", lookback=500))
    options = AgentOptions(tools=ToolOptions(price_history=PriceOptions(periods=periods)))
    assert understood(AgentRunRequest(symbol="600036"), options).price_days == 500


# Days counted by hand from 2017-07-26, both ends included.
@pytest.mark.parametrize(
    ("question", "price_days", "reports", "news_days"),
    [
        ("近三年业绩怎么样", 365, 3, 30),
        ("近三年怎么样", 1097, 3, 1097),  # from 2014-07-26: 365·3 + 1 (2016) + 1
        ("最近五年的毛利率", 1827, 5, 1827),  # from 2012-07-26: 365·5 + 1 + 1
        ("一周内有什么消息", 365, 4, 7),
        ("最近一个月走势", 31, 4, 30),
        ("2015年12月为什么大跌", 604, 4, 604),  # from 2015-12-01: 31 + 366 + 206 + 1
        ("昨天为什么涨", 2, 4, 2),
        ("今年以来表现", 207, 4, 207),  # 181 days to the end of June, 26 of July
        ("past 6 months", 182, 4, 182),  # from 2017-01-26
        ("last three years", 1097, 3, 1097),
        ("2012年年报看什么", 2034, 5, 2034),  # from 2012-01-01; 2016, 15, 14, 13 and 12
        ("2013-2016年净利润", 1668, 4, 1668),  # the farther of the two: from 2013-01-01
        ("2014年到2016年的营收", 1303, 4, 1303),  # from 2014-01-01
        # From 2017-04-26: 5 + 31 + 30 + 26; from 2015-07-26: 365·2 + 1 (2016) + 1.
        ("最近三个月的新闻和最近两年的股价、近八个季度财报", 732, 8, 92),
        ("新闻看最近三个月，股价看最近两年", 732, 4, 92),
        ("news of the last three months and prices of the last two years", 732, 4, 92),
        ("近100年", 10_000, 20, 10_000),  # no farther than can be asked for
    ],
)
def test_a_time_that_is_said_sets_the_windows(
    question: str, price_days: int, reports: int, news_days: int
) -> None:
    found = asked(question)
    assert (found.price_days, found.filing_periods, found.news_days) == (
        price_days,
        reports,
        news_days,
    )


def test_windows_of_each_kind_are_passed_on_to_the_tools() -> None:
    # Two years without a 29 February between them.
    clock = FixedClock(datetime(2026, 7, 26, 12, tzinfo=BEIJING))
    request = AgentRunRequest(
        symbol="600036", question="最近三个月的新闻和最近两年的股价、近八个季度财报"
    )
    skill = SKILLS["stock_analysis"]
    found = understand(request, skill, OPTIONS, services().names, clock)
    assert (found.news_days, found.price_days, found.filing_periods) == (92, 731, 8)
    calls = plan(found, skill, OPTIONS)
    told = {one.name: one.arguments for one in calls if isinstance(one.arguments, dict)}
    assert told["get_price_history"]["lookback"] == 731
    assert told["compute_indicators"]["lookback"] == 731
    assert told["get_financial_reports"]["count"] == 8
    assert told["get_financial_reports"]["period_type"] == "quarterly"


@pytest.mark.parametrize("question", ["2099年会怎样", "2017年13月", "1700年以来", "MA20和RSI(14)"])
def test_a_time_that_cannot_be_is_no_window(question: str) -> None:
    assert asked(question).filing_periods == 4
    assert asked(question).price_days == 365


def test_a_name_of_several_companies_brings_the_choices() -> None:
    with pytest.raises(InputError) as caught:
        understood(AgentRunRequest(symbol="平安"))
    assert len(caught.value.choices) > 1


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        (AgentRunRequest(), "symbol"),
        (AgentRunRequest(symbol=""), "symbol"),
        (AgentRunRequest(symbol="没有这家公司"), "symbol"),
        (AgentRunRequest(symbol="上证指数"), "symbol"),
        (AgentRunRequest(symbol="600036", question="长" * (LONGEST_QUESTION + 1)), "question"),
    ],
)
def test_what_cannot_be_analysed_is_told_before_anything_is_asked(
    request_: AgentRunRequest, named: str
) -> None:
    with pytest.raises(InputError) as caught:
        understood(request_)
    assert caught.value.name == named


def test_a_market_needs_no_company() -> None:
    found = understood(AgentRunRequest(mode="market", symbol="600036"))
    assert (found.skill_id, found.symbol, found.name, found.market) == (
        "market_overview",
        None,
        None,
        "CN",
    )


def test_the_default_skill_of_the_settings_is_used_where_nothing_is_said() -> None:
    found = understood(AgentRunRequest(), AgentOptions(default_skill="market"))
    assert found.skill_id == "market_overview"
