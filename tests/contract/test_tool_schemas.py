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
