"""Every provider keeps the contract; one class a line of PROVIDERS."""

import ast
from datetime import date, datetime
from pathlib import Path

from services.core.clock import BEIJING, FixedClock
from services.core.requests import (
    BarsRequest,
    DatedValuationsRequest,
    FinancialsRequest,
    FlowRequest,
    ForecastRequest,
    InfluencersRequest,
    IntradayRequest,
    MacroRequest,
    NewsRequest,
    NoticesRequest,
    PageRequest,
    PeersRequest,
    PointsRequest,
    PostsRequest,
    ReportsRequest,
    ScreenRequest,
    SignalsRequest,
    SiteSearchRequest,
    SpotRequest,
    SummaryRequest,
    UniverseRequest,
    UserPostsRequest,
    UserRequest,
    ValuationRequest,
    WebSearchRequest,
)
from services.providers.base import Provider
from services.providers.registry import PROVIDERS
from tests.contract.provider_contract import ProviderContract
from tests.unit.market.bundled import bundle, kit

NOT_IN_A_SNAPSHOT = (
    IntradayRequest(symbol="600519.SH", interval="5m"),
    PostsRequest(symbol="600519.SH", order="new"),
    NoticesRequest(symbol="600519.SH"),
    NewsRequest(symbol="600519.SH"),
    InfluencersRequest(symbol="600519.SH"),
    SiteSearchRequest(query="茅台"),
    WebSearchRequest(query="茅台"),
    UserRequest(name="某人"),
    UserPostsRequest(user_id="1"),
    PageRequest(url="https://xueqiu.com/S/SH600519"),
    SignalsRequest(symbol="600519.SH", start=date(2017, 1, 1), end=date(2017, 7, 26)),
    FlowRequest(symbol="600519.SH"),
    MacroRequest(series="pmi"),
    UniverseRequest(market="CN"),
    ReportsRequest(period="2016_Q4"),
)


class TestSnapshot(ProviderContract):
    """The bundled snapshot, as it is shipped."""

    name = "snapshot"
    clock = bundle().clock
    provider = PROVIDERS["snapshot"](kit(bundle().tables, bundle().clock))
    answered = (
        ScreenRequest(market="CN", order_by="market_cap", size=50),
        ScreenRequest(market="HK", order_by="pettm", size=50),
        ValuationRequest(symbol="600519.SH"),
        ValuationRequest(symbol="00700.HK"),
        BarsRequest(symbol="000002.SZ"),
        BarsRequest(symbol="HSI", start=date(2016, 1, 1), end=date(2016, 12, 31)),
        FinancialsRequest(symbol="002594.SZ"),
        SummaryRequest(market="CN"),
        PeersRequest(symbol="600036.SH"),
        PointsRequest(market="CN", columns=("net_margin @ y2016", "pb")),
        PointsRequest(market="CN", columns=("pb",), symbols=("600036.SH", "600519.SH")),
        PointsRequest(market="CN", columns=("roe @ y2016",), symbols=("600036.SH",)),
    )
    refused = (
        SpotRequest(symbol="600519.SH"),
        ForecastRequest(symbol="600519.SH"),
        DatedValuationsRequest(symbol="600519.SH", start=date(2016, 12, 1), end=date(2016, 12, 31)),
        ValuationRequest(symbol="999999.SZ"),
        ValuationRequest(symbol="000001.SH"),
        ValuationRequest(symbol="AAPL"),
        BarsRequest(symbol="601398.SH"),
        BarsRequest(symbol="600519.SH", start=date(1999, 1, 1), end=date(1999, 12, 31)),
        FinancialsRequest(symbol="600519.SH", periods=("1999_Q4",)),
        PeersRequest(symbol="999999.SZ"),
        PointsRequest(market="CN", columns=("pb",), symbols=("999999.SZ",)),
        ScreenRequest(market="CN", industry="没有这个行业"),
        *NOT_IN_A_SNAPSHOT,
    )

    def earlier(self) -> tuple[Provider, date]:
        clock = FixedClock(datetime(2017, 3, 31, 16, 30, tzinfo=BEIJING))
        return PROVIDERS["snapshot"](kit(bundle().tables, clock)), date(2017, 3, 31)


def test_every_line_of_providers_is_held_to_the_contract() -> None:
    held: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and "ProviderContract" in map(
                ast.unparse, node.bases
            ):
                held |= {
                    ast.literal_eval(each.value)
                    for each in node.body
                    if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "name"
                }
    assert held == set(PROVIDERS)
