"""The schemas say what the requirement documents say: written here by hand from their tables."""

import json
from typing import Any, NamedTuple

import pytest

from services.settings import ROOT
from services.tools.registry import TOOLS

PINS = ROOT / "tests" / "contract" / "tool_schemas"
NONE = object()


class Parameter(NamedTuple):
    """One row of a table of the requirement."""

    type: str
    required: bool
    default: object = NONE
    enum: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


RANGES = ("OneDay", "OneWeek", "OneMonth", "OneYear", "NoLimit")
ORDER_BY = (
    "symbol",
    "pct",
    "dy_l",
    "pettm",
    "pelyr",
    "roediluted",
    "pb",
    "netprofit",
    "total_revenue",
    "tl",
)
METRICS = (
    "dy_l",
    "pe_ttm",
    "pe_lyr",
    "roe",
    "pb",
    "net_profit",
    "revenue",
    "total_liabilities",
    "eps",
)
REQUIREMENT = {
    ("knowledge", "query"): {"query": Parameter("string", required=True)},
    ("knowledge", "stock-screener"): {
        "dy_l": Parameter("string", required=False),
        "pettm": Parameter("string", required=True),
        "pelyr": Parameter("string", required=False),
        "roediluted": Parameter("string", required=False),
        "pb": Parameter("string", required=False),
        "netprofit": Parameter("string", required=True),
        "total_revenue": Parameter("string", required=False),
        "tl": Parameter("string", required=False, default="0_max"),
        "category": Parameter("string", required=True, default="CN", enum=("CN", "HK", "US")),
        "order_by": Parameter("string", required=False, default="symbol", enum=ORDER_BY),
        "size": Parameter("number", required=False, default=10),
        "order": Parameter("string", required=True, default="desc", enum=("asc", "desc")),
    },
    ("webSearch", ""): {
        "searchRequests": Parameter("array", required=True),
        # Several of an enum, separated by commas: what may stand there is in the description.
        "industry": Parameter("string", required=True, default="general"),
        "timeRange": Parameter("string", required=True, default="NoLimit", enum=RANGES),
    },
    ("xqSearchQuery", ""): {
        "searchRequests": Parameter("array", required=True),
        "searchFilings": Parameter("boolean", required=True),
        "timeRange": Parameter("string", required=True, default="NoLimit", enum=RANGES),
        "startDate": Parameter("string", required=True),
        "endDate": Parameter("string", required=True),
        "scope": Parameter("string", required=True, default="all", enum=("all", "pgc", "ugc")),
    },
    ("xqSearchStockFeed", ""): {
        "stockName": Parameter("string", required=True),
        "stockSearchQuery": Parameter("string", required=True),
        "searchStockFeedNew": Parameter("boolean", required=True),
        "searchStockFeedHot": Parameter("boolean", required=True),
        "searchStockNotice": Parameter("boolean", required=True),
        "searchStockQuote": Parameter("boolean", required=True),
        "searchStockInfluencer": Parameter("boolean", required=True),
        "timeRange": Parameter("string", required=True, default="NoLimit", enum=RANGES),
        "startDate": Parameter("string", required=True),
        "endDate": Parameter("string", required=True),
        "scope": Parameter("string", required=True, default="all", enum=("all", "pgc", "ugc")),
        "searchStockAbnormal": Parameter("boolean", required=True, default=False),
    },
    ("xqSearchUserFeed", ""): {
        "userScreenName": Parameter("string", required=True),
        "filterQuery": Parameter("string", required=True),
        "userSearchQuery": Parameter("string", required=True),
        "searchUserProfile": Parameter("boolean", required=True),
        "timeRange": Parameter("string", required=True, default="NoLimit", enum=RANGES),
        "startDate": Parameter("string", required=True),
        "endDate": Parameter("string", required=True),
    },
    ("xqVisit", ""): {"urlTargets": Parameter("array", required=True)},
    ("xqStockFinancialData", ""): {
        "symbol": Parameter("string", required=True),
        "metrics": Parameter("array", required=True, items=METRICS),
        "period": Parameter("string", required=True, default="latest"),
        "count": Parameter("number", required=False, default=1),
    },
    ("get_price_history", ""): {
        "symbol": Parameter("string", required=True),
        "market": Parameter("string", required=True, enum=("CN", "HK", "US")),
        "interval": Parameter(
            "string", required=False, default="1d", enum=("1d", "1h", "5m", "1m")
        ),
        "lookback": Parameter("integer", required=False, default=365),
    },
    ("search_news", ""): {
        "symbol": Parameter("string", required=True),
        "market": Parameter("string", required=True, enum=("CN", "HK", "US")),
        "keywords": Parameter("array", required=False, default=[]),
        "max_items": Parameter("integer", required=False, default=20),
    },
    # Its `bars` are not taken from the caller: figures that come without a source stay out.
    ("compute_indicators", ""): {
        "symbol": Parameter("string", required=True),
        "market": Parameter("string", required=True, enum=("CN", "HK", "US")),
        "interval": Parameter("string", required=False, default="1d"),
        "lookback": Parameter("integer", required=False, default=365),
    },
    ("get_fundamentals_info", ""): {
        "symbol": Parameter("string", required=True),
        "market": Parameter("string", required=True, enum=("CN", "HK", "US")),
    },
    ("get_financial_reports", ""): {
        "symbol": Parameter("string", required=True),
        "market": Parameter("string", required=True, enum=("CN", "HK", "US")),
        "period_type": Parameter(
            "string", required=False, default="annual", enum=("annual", "quarterly")
        ),
        "count": Parameter("integer", required=False, default=4),
    },
    ("peer_compare", ""): {
        "symbol": Parameter("string", required=True),
        "market": Parameter("string", required=True, enum=("CN", "HK", "US")),
        "size": Parameter("integer", required=False, default=10),
    },
    ("get_macro_data", ""): {
        "market": Parameter("string", required=False, default="CN", enum=("CN",)),
        "series": Parameter(
            "array",
            required=False,
            default=["pmi", "cpi", "ppi", "money_supply", "lpr", "fund_flow"],
            items=(
                *("pmi", "money_supply", "cpi", "ppi", "gdp", "lpr"),
                *("social_financing", "fund_flow", "market_summary", "market_index"),
            ),
        ),
        "count": Parameter("integer", required=False, default=6),
    },
    ("search_web", ""): {
        "query": Parameter("string", required=True),
        "max_results": Parameter("integer", required=False, default=5),
    },
}


def parameters(name: str, usage: str) -> dict[str, Any]:
    schema = TOOLS[name].schema
    return schema["usages"][usage] if usage else schema["parameters"]


@pytest.mark.parametrize(("name", "usage"), REQUIREMENT)
def test_every_parameter_of_the_requirement_is_there_and_no_other(name: str, usage: str) -> None:
    schema = parameters(name, usage)
    assert list(schema["properties"]) == list(REQUIREMENT[name, usage])
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("name", "usage", "parameter"),
    [(name, usage, each) for (name, usage), rows in REQUIREMENT.items() for each in rows],
)
def test_type_enum_default_and_required_flag_are_the_requirements(
    name: str, usage: str, parameter: str
) -> None:
    wanted = REQUIREMENT[name, usage][parameter]
    schema = parameters(name, usage)
    entry = schema["properties"][parameter]
    found = Parameter(
        entry["type"],
        parameter in schema["required"],
        entry.get("default", NONE),
        tuple(entry.get("enum", ())),
        tuple(entry.get("items", {}).get("enum", ())),
    )
    assert found == wanted
    assert entry["description"]


@pytest.mark.parametrize(
    ("name", "parameter", "limits"),
    [
        ("webSearch", "searchRequests", {"minItems": 1}),
        ("xqSearchQuery", "searchRequests", {"minItems": 1}),
        ("xqVisit", "urlTargets", {"minItems": 1, "maxItems": 5}),
    ],
)
def test_lists_are_of_the_length_the_requirement_gives(
    name: str, parameter: str, limits: dict[str, int]
) -> None:
    entry = parameters(name, "")["properties"][parameter]
    found = {key: entry[key] for key in ("minItems", "maxItems") if key in entry}
    assert found == limits
    if parameter == "searchRequests":  # 1–30 characters; how many is a setting
        assert entry["items"] == {"type": "string", "minLength": 1, "maxLength": 30}


def test_every_industry_of_the_requirement_is_described() -> None:
    described = parameters("webSearch", "")["properties"]["industry"]["description"]
    for industry in (
        *("general（通用", "finance（金融", "law（法律", "medical（医疗", "internet（互联网精选"),
        *("tax（税务", "news_province（新闻省级", "news_center（新闻中央"),
    ):
        assert industry in described


def test_the_two_usages_are_told_apart_by_usage_and_merged_without_alternatives() -> None:
    schema = TOOLS["knowledge"].schema["parameters"]
    assert schema["required"] == ["usage"]
    assert schema["properties"]["usage"]["enum"] == ["query", "stock-screener"]
    assert set(schema["properties"]) == {
        "usage",
        *REQUIREMENT["knowledge", "query"],
        *REQUIREMENT["knowledge", "stock-screener"],
    }
    assert not {"oneOf", "anyOf", "allOf"} & set(schema)


@pytest.mark.parametrize("name", TOOLS)
def test_the_schema_is_the_one_that_was_pinned(name: str) -> None:
    pinned = json.loads((PINS / f"{name}.json").read_text(encoding="utf-8"))
    assert TOOLS[name].schema == pinned


def test_every_pin_belongs_to_a_tool() -> None:
    assert {path.stem for path in PINS.glob("*.json")} == set(TOOLS)
