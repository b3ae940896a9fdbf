"""What an analysis looks at before anyone writes: the fixed part of the flow (seed 004 §4).

Nothing here depends on a model, so that with and without one the same is looked at.
"""

from collections.abc import Mapping
from datetime import timedelta

from pydantic import JsonValue

from services.agents.analysis_request import MOST_REPORTS
from services.agents.options import AgentOptions, PricePeriod
from services.agents.results import AnalysisInput
from services.agents.skills import Skill
from services.agents.toolkit import WantedCall

_MARKET_NEWS: tuple[JsonValue, ...] = ("A股", "沪指", "央行", "证监会")
_LONGEST_QUERY = 100
# Calendar days that hold some sessions, whatever holidays there are.
_LEAST_DAYS = 15
# The market itself comes last: in live mode it may take the pull of a whole market.
_MARKET_SERIES = ("pmi", "cpi", "ppi", "money_supply", "lpr", "fund_flow", "market_summary")

# More than the year a move is told over.
_INDEX_SESSIONS = 260


def plan(asked: AnalysisInput, skill: Skill, options: AgentOptions) -> tuple[WantedCall, ...]:
    """The calls to make, in the order they are told; only those the skill and settings allow."""
    wanted = _of_market(options) if asked.symbol is None else _of_stock(asked, options)
    off = options.tools.disabled()
    return tuple(one for one in wanted if one.name in skill.tools and one.name not in off)


def limits(options: AgentOptions) -> Mapping[str, Mapping[str, JsonValue]]:
    """The most a model may ask of each tool, and what stands where it says nothing."""
    return {
        "search_news": {"max_items": options.tools.news.max_items},
        "search_web": {"max_results": options.tools.web_search.max_results},
    }


def _of_market(options: AgentOptions) -> list[WantedCall]:
    news: dict[str, JsonValue] = {
        "symbol": "",
        "market": "CN",
        "keywords": list(_MARKET_NEWS),
        "max_items": options.tools.news.max_items,
    }
    macro: dict[str, JsonValue] = {"market": "CN", "series": list(_MARKET_SERIES)}
    index: dict[str, JsonValue] = {
        "market": "CN", "series": ["market_index"], "count": _INDEX_SESSIONS,
    }  # fmt: skip
    return [
        WantedCall("search_news", news),
        WantedCall("get_macro_data", macro),
        WantedCall("get_macro_data", index),
    ]


def _of_stock(asked: AnalysisInput, options: AgentOptions) -> list[WantedCall]:
    one: dict[str, JsonValue] = {"symbol": asked.symbol, "market": asked.market}
    tools = options.tools
    return [
        *(
            WantedCall(
                "get_price_history",
                {
                    **one,
                    "interval": period.interval,
                    "lookback": _lookback(asked, period, options),
                },
            )
            for period in tools.price_history.periods
        ),
        WantedCall("get_fundamentals_info", one),
        *_reports(one, asked),
        WantedCall("compute_indicators", {**one, "lookback": max(asked.price_days, 365)}),
        WantedCall("peer_compare", one),
        WantedCall("xqSearchStockFeed", _feed(asked)),
        WantedCall("search_news", {**one, "max_items": tools.news.max_items}),
        WantedCall(
            "search_web",
            {
                "query": f"{asked.name} {asked.question}".strip()[:_LONGEST_QUERY],
                "max_results": tools.web_search.max_results,
            },
        ),
    ]


def _reports(one: dict[str, JsonValue], asked: AnalysisInput) -> list[WantedCall]:
    """Every annual report there is: what is said of their run, its highest and its lowest, is of
    the whole. Quarters as many as asked.
    """
    annual = WantedCall("get_financial_reports", {**one, "count": MOST_REPORTS})
    if asked.filing_kind == "annual":
        return [annual]
    quarters = {**one, "count": asked.filing_periods, "period_type": asked.filing_kind}
    return [annual, WantedCall("get_financial_reports", quarters)]


def _lookback(asked: AnalysisInput, period: PricePeriod, options: AgentOptions) -> int:
    """As far as the question reaches; bars within a day no farther than the settings say."""
    stated = options.tools.price_history.periods
    if asked.price_days == max(one.lookback for one in stated):
        return period.lookback
    days = max(asked.price_days, _LEAST_DAYS)
    return days if period.interval == "1d" else min(period.lookback, days)


def _feed(asked: AnalysisInput) -> dict[str, JsonValue]:
    """Abnormal moves with their reasons over the window, and notices of the company."""
    start = asked.as_of - timedelta(days=asked.price_days)
    return {
        "stockName": asked.symbol,  # the code: a name may be that of two listings
        "stockSearchQuery": asked.name,
        "searchStockFeedNew": False,
        "searchStockFeedHot": False,
        "searchStockNotice": True,
        "searchStockQuote": False,
        "searchStockInfluencer": False,
        "timeRange": "NoLimit",
        "startDate": start.isoformat(),
        "endDate": asked.as_of.isoformat(),
        "scope": "all",
        "searchStockAbnormal": True,
    }
