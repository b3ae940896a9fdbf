"""Every fault of Xueqiu's hosts × every kind of question: the outcome, and nothing wrong kept."""

from collections.abc import Iterator, Mapping
from datetime import date

import pytest

from services.core.errors import (
    ChangedError,
    NoDataError,
    UnavailableError,
)
from services.core.requests import (
    BarsRequest,
    Bound,
    DatedValuationsRequest,
    FetchRequest,
    FinancialsRequest,
    ForecastRequest,
    InfluencersRequest,
    NewsRequest,
    NoticesRequest,
    PageRequest,
    PostsRequest,
    ScreenRequest,
    SiteSearchRequest,
    SpotRequest,
    UniverseRequest,
    UserPostsRequest,
    UserRequest,
    ValuationRequest,
)
from services.providers.provider_context import Kit
from services.providers.xueqiu.provider import XueqiuProvider
from tests.contract.grid import USUAL, Outcome, hold_to
from tests.fakes.server import FAULTS, Fault, World
from tests.fakes.wired import kit_at
from tests.fakes.xueqiu import Xueqiu

pytestmark = pytest.mark.thorough

GRID: Mapping[Fault, Outcome] = {**USUAL, "dash": "fewer", "null": "fewer", "nan": "fewer"}
# Without a last price there has been no trade.
NO_TRADE: Mapping[Fault, Outcome] = {"dash": NoDataError, "null": NoDataError, "nan": NoDataError}
# A bar stands on its close.
NO_CLOSE: Mapping[Fault, Outcome] = dict.fromkeys(("dash", "null", "nan"), ChangedError)
# What need not be complete there, or whole for a guest, says nothing by being empty.
MAY_LACK: Mapping[Fault, Outcome] = {"empty": UnavailableError}
TIMELESS: Mapping[Fault, Outcome] = {"clock_skew": "same"}
# One object: nothing to lose, and what came instead is another.
ONE: Mapping[Fault, Outcome] = {"empty": ChangedError}
PE = Bound(field="pettm", at_least=2, below=4)
# Every match is then without the figure that made it one: the count of matches is another.
UNMATCHED: Mapping[Fault, Outcome] = dict.fromkeys(("dash", "null", "nan"), "other")
RANKED: Mapping[Fault, Outcome] = dict.fromkeys(
    ("dash", "null", "nan", "wrong_order"), ChangedError
)
# What is asked, which of the hosts' paths are broken, and where it differs from GRID.
QUESTIONS: Mapping[str, tuple[FetchRequest, str, Mapping[Fault, Outcome]]] = {
    "spot": (SpotRequest(symbol="600519.SH"), "quotec", NO_TRADE),
    "valuation": (ValuationRequest(symbol="600519.SH"), "quote.json", {}),
    "bars": (BarsRequest(symbol="600519.SH"), "kline", NO_CLOSE),
    "dated_valuations": (
        DatedValuationsRequest(
            symbol="600519.SH", start=date(2026, 11, 10), end=date(2026, 11, 20)
        ),
        "kline",
        NO_CLOSE,
    ),
    "financials": (FinancialsRequest(symbol="600519.SH"), "finance", {}),
    "statement": (
        FinancialsRequest(symbol="600519.SH"),
        "income",
        {"empty": "redated"},
    ),
    "forecast": (ForecastRequest(symbol="600519.SH"), "earning", MAY_LACK | TIMELESS),
    "posts": (PostsRequest(symbol="600519.SH", order="new", size=25), "status.json", {}),
    "notices": (NoticesRequest(symbol="600519.SH"), "stock_timeline", {}),
    "news": (NewsRequest(symbol="600519.SH"), "stock_timeline", {}),
    "influencers": (InfluencersRequest(symbol="600519.SH", size=9), "hot_user", TIMELESS),
    "site_search": (SiteSearchRequest(query="茅台", size=50), "status.json", MAY_LACK),
    "user_search": (UserRequest(name="示例"), "user.json", TIMELESS),
    "user_posts": (UserPostsRequest(user_id="1234567890"), "user_timeline", {}),
    "post": (PageRequest(url="https://xueqiu.com/1234567890/312345678"), "show.json", ONE),
    "stock_page": (PageRequest(url="https://xueqiu.com/S/SH600519"), "quote.json", {}),
    "member": (PageRequest(url="https://xueqiu.com/u/2233445566"), "show.json", ONE | TIMELESS),
    "screen": (
        ScreenRequest(market="CN", bounds=(PE,), order_by="netprofit", size=50),
        "screener/screen",
        MAY_LACK | TIMELESS | UNMATCHED,
    ),
    "ranking": (
        ScreenRequest(market="CN", order_by="pettm", size=5),
        "screener/screen",
        MAY_LACK | TIMELESS | RANKED,
    ),
    "session": (
        ScreenRequest(market="CN", bounds=(PE,), size=5),
        "quotec",
        MAY_LACK | dict.fromkeys(("dash", "null", "nan", "text_for_number"), "same"),
    ),
    "universe": (UniverseRequest(market="CN"), "list.json", MAY_LACK | TIMELESS),
}
# The token page is no document: only what happens on the wire can happen to it.
WIRE = FAULTS[:8]
CASES = [
    (name, fault, special.get(fault, outcome))
    for name, (_, _, special) in QUESTIONS.items()
    for fault, outcome in GRID.items()
]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Xueqiu(companies=40)) as world:
        yield world


@pytest.fixture
def service(world: World) -> Iterator[Xueqiu]:
    service = world.services["xueqiu"]
    assert isinstance(service, Xueqiu)
    service.reset()
    yield service
    service.reset()


def waiting(world: World, fault: Fault) -> Kit:
    """Short of patience only where the fault is that nothing comes."""
    return kit_at(world, API_TIMEOUT="0.4" if fault == "timeout" else "5", API_ATTEMPTS="1")


def test_the_grid_has_every_fault() -> None:
    assert set(GRID) == set(FAULTS)


@pytest.mark.parametrize(
    ("name", "fault", "outcome"), CASES, ids=[f"{name}-{fault}" for name, fault, _ in CASES]
)
def test_every_fault_has_its_outcome_and_nothing_wrong_is_kept(
    world: World, service: Xueqiu, name: str, fault: Fault, outcome: Outcome
) -> None:
    request, path, _ = QUESTIONS[name]
    kit = waiting(world, fault)
    service.fault_path = path
    if outcome == "other":
        service.fault = fault
        found = XueqiuProvider(kit).fetch(request)[0]
        assert {fact.symbol for fact in found.rows} == {"CN"}
        assert {f.metric: f.value for f in found.rows}["match_count"] == 0
        return
    hold_to(outcome, XueqiuProvider(kit), kit, service, request, fault, secrets=("anonymous",))


@pytest.mark.parametrize("fault", WIRE)
def test_without_a_token_page_nothing_is_answered_but_the_light_quote(
    world: World, service: Xueqiu, fault: Fault
) -> None:
    kit = waiting(world, fault)
    provider = XueqiuProvider(kit)
    service.fault, service.fault_path = fault, "/hq"
    outcome = GRID[fault]
    assert isinstance(outcome, type)
    with pytest.raises(outcome):
        provider.fetch(ValuationRequest(symbol="600519.SH"))
    assert provider.fetch(SpotRequest(symbol="600519.SH"))
    service.fault = None
    assert provider.fetch(ValuationRequest(symbol="600519.SH"))
