"""Every fault of Eastmoney's hosts: what becomes of it, and that nothing wrong is kept."""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache

import pytest

from services.core.errors import (
    NoDataError,
    UnavailableError,
)
from services.core.requests import (
    BarsRequest,
    DatedValuationsRequest,
    FetchRequest,
    FinancialsRequest,
    FlowRequest,
    IntradayRequest,
    NewsRequest,
    NoticesRequest,
    ReportsRequest,
    SignalsRequest,
    SpotRequest,
    UniverseRequest,
    ValuationRequest,
    WebSearchRequest,
)
from services.providers.eastmoney.provider import EastmoneyProvider
from services.providers.provider_context import Kit
from tests.contract.grid import USUAL, Outcome, hold_to
from tests.fakes.eastmoney import Eastmoney
from tests.fakes.server import FAULTS, Fault, World
from tests.fakes.wired import kit_at

pytestmark = pytest.mark.thorough

GRID: Mapping[Fault, Outcome] = USUAL
Special = Mapping[Fault, Outcome]
# A cell without a figure is a figure less where the answer does not stand on it.
FEWER: Special = {"dash": "fewer", "null": "fewer", "nan": "fewer"}
# Without a last price there has been no trade.
NO_TRADE: Special = {"dash": NoDataError, "null": NoDataError, "nan": NoDataError}
# What need not be complete there says nothing by being empty.
MAY_LACK: Special = {"empty": UnavailableError}
LESS_MAY_LACK: Special = {**FEWER, **MAY_LACK}
OCTOBER, TODAY = date(2026, 10, 1), date(2026, 11, 20)
# What is asked, which of the hosts' paths are broken ("" is all), and where it differs from GRID.
QUESTIONS: Mapping[str, tuple[FetchRequest, str, Special]] = {
    "spot": (SpotRequest(symbol="600519.SH"), "", NO_TRADE),
    "valuation": (ValuationRequest(symbol="600519.SH"), "", LESS_MAY_LACK),
    "dated_valuations": (
        DatedValuationsRequest(symbol="600519.SH", start=date(2026, 9, 20), end=date(2026, 9, 30)),
        "",
        LESS_MAY_LACK,
    ),
    "valuation_abroad": (ValuationRequest(symbol="00700.HK"), "", FEWER),
    "bars": (BarsRequest(symbol="600519.SH", start=OCTOBER), "", {}),
    "hours": (IntradayRequest(symbol="600519.SH", interval="1h", days=2), "", {}),
    "minutes": (IntradayRequest(symbol="000001.SZ", interval="1m", days=1), "", {}),
    "financials": (FinancialsRequest(symbol="600519.SH"), "", FEWER),
    "financials_abroad": (FinancialsRequest(symbol="AAPL"), "", LESS_MAY_LACK),
    "notices": (NoticesRequest(symbol="600519.SH"), "", {}),
    "news": (NewsRequest(symbol="600519.SH"), "", {}),
    "web_search": (WebSearchRequest(query="贵州茅台"), "", {}),
    "signals": (SignalsRequest(symbol="000001.SZ", start=OCTOBER, end=TODAY), "", {}),
    "moves": (
        SignalsRequest(symbol="000001.SZ", start=OCTOBER, end=TODAY),
        "getAllStockChanges",
        MAY_LACK,
    ),
    "pools": (
        SignalsRequest(symbol="000001.SZ", start=OCTOBER, end=TODAY),
        "Pool",
        {"empty": "fewer"},
    ),
    "billboard": (
        SignalsRequest(symbol="000001.SZ", start=OCTOBER, end=TODAY),
        "datacenter",
        {**FEWER, "empty": "fewer"},
    ),
    "flow": (FlowRequest(symbol="600519.SH"), "", FEWER),
    "universe": (UniverseRequest(market="CN"), "", LESS_MAY_LACK),
    "list": (
        UniverseRequest(market="CN"),
        "clist",
        {**LESS_MAY_LACK, "clock_skew": "same"},
    ),
    "reports": (ReportsRequest(period="2026_Q2"), "", FEWER),
}
# What happens to the bytes is the same for all; one question of each envelope and of each road.
ON_THE_WIRE = FAULTS[:8]
EACH_WAY = ("spot", "bars", "news", "pools", "list", "reports")
CASES = [
    (name, fault, special.get(fault, outcome))
    for name, (_, _, special) in QUESTIONS.items()
    for fault, outcome in GRID.items()
    if name in EACH_WAY or fault not in ON_THE_WIRE
]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Eastmoney(a_shares=20, hong_kong=2, america=2)) as world:
        yield world


@cache
def _kit(world: World, timeout: str) -> Kit:
    return kit_at(world, API_TIMEOUT=timeout)


def test_the_grid_has_every_fault() -> None:
    assert set(GRID) == set(FAULTS)


@pytest.mark.parametrize(
    ("name", "fault", "outcome"), CASES, ids=[f"{name}-{fault}" for name, fault, _ in CASES]
)
def test_every_fault_has_its_outcome_and_nothing_wrong_is_kept(
    world: World, name: str, fault: Fault, outcome: Outcome
) -> None:
    request, path, _ = QUESTIONS[name]
    service = world.services["eastmoney"]
    service.reset()
    kit = _kit(world, "0.15" if fault == "timeout" else "2")
    service.fault_path = path
    hold_to(outcome, EastmoneyProvider(kit), kit, service, request, fault)
