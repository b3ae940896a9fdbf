"""Tushare's whole mainland on the recorded close of 2025-12-18: the contract and every fault."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime

import pytest

from services.core.clock import BEIJING, FixedClock
from services.core.errors import NoDataError, NotCoveredError, UnavailableError
from services.core.requests import UniverseRequest
from services.providers.tushare.provider import TushareProvider
from tests.contract.grid import USUAL, Outcome, hold_to
from tests.contract.provider_contract import ProviderContract
from tests.fakes.market2025 import Market2025, rows_of, there, wide
from tests.fakes.server import FAULTS, Fault, World
from tests.fakes.tushare import TOKEN
from tests.fakes.wired import kit_at

pytestmark = [pytest.mark.thorough, there]

CLOSED = datetime(2025, 12, 18, 18, 30, tzinfo=BEIJING)
MARKET = UniverseRequest(market="CN")
# A list stands on sizes and multiples as well: without its closes it has fewer figures. A session
# without rows is one that is not published yet.
GRID: Mapping[Fault, Outcome] = {
    **USUAL,
    "empty": UnavailableError,
    **dict.fromkeys(("dash", "null", "nan"), "fewer"),
}


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    for table in ("stock_basic", "daily_basic", "daily"):
        rows_of(table)  # read before the clock of the first question runs
    player = Market2025(CLOSED.replace(tzinfo=None).isoformat())
    with World(player) as world:
        yield world


@pytest.fixture
def service(world: World) -> Market2025:
    found = world.services["market2025"]
    assert isinstance(found, Market2025)
    found.reset()
    found.every = 1
    return found


class TestTushareMarketContract(ProviderContract):
    clock = FixedClock(CLOSED)
    answered = (MARKET,)
    refused = ()
    # What it is asked about single companies: test_tushare.py.
    elsewhere = TushareProvider.capabilities - {"universe"}

    @pytest.fixture(autouse=True)
    def _provider(self, world: World, service: Market2025) -> None:
        service.every = 40
        self.provider = TushareProvider(kit_at(world, CLOSED, TUSHARE_TOKEN=TOKEN))

    def test_bars_are_oldest_first_within_the_days_asked(self) -> None:
        """Bars are asked of one company: the list has the close of its session alone."""
        (part,) = self.provider.fetch(MARKET)
        assert not {"open", "high", "low"} & {fact.metric for fact in part.rows}


def test_every_share_of_that_day_is_told_in_our_units(world: World, service: Market2025) -> None:
    provider = TushareProvider(kit_at(world, CLOSED, TUSHARE_TOKEN=TOKEN, API_TIMEOUT="20"))
    (part,) = provider.fetch(MARKET)
    basic, daily = wide("daily_basic").set_index("symbol"), wide("daily").set_index("symbol")
    found = {(fact.symbol, fact.metric): fact.value for fact in part.rows}
    assert {symbol for symbol, metric in found if metric == "market_cap"} == set(basic.index)
    assert {symbol for symbol, metric in found if metric == "close"} == set(daily.index)
    assert {fact.as_of for fact in part.rows} == {date(2025, 12, 18)}
    # 万元 → 元, 手 → 股, 千元 → 元.
    for symbol in ("600519.SH", "301015.SZ", "688111.SH", "920002.BJ"):
        assert found[symbol, "market_cap"] == pytest.approx(float(basic.total_mv[symbol]) * 1e4)
        assert found[symbol, "volume"] == pytest.approx(float(daily.vol[symbol]) * 100)
        assert found[symbol, "amount"] == pytest.approx(float(daily.amount[symbol]) * 1000)
    losses = set(basic.index[basic.pe_ttm.isna()])
    assert losses
    assert not [symbol for symbol in losses if (symbol, "pe_ttm") in found]


def test_a_day_without_a_list_is_left_to_the_next_source(world: World, service: Market2025) -> None:
    friday = CLOSED.replace(day=19)
    with pytest.raises(NotCoveredError, match="2025-12-19"):
        TushareProvider(kit_at(world, friday, TUSHARE_TOKEN=TOKEN)).fetch(MARKET)
    assert NoDataError not in GRID.values(), "a list that is empty is never an answer"


@pytest.mark.parametrize(("fault", "outcome"), GRID.items(), ids=GRID)
def test_every_fault_has_its_outcome_and_nothing_wrong_is_kept(
    world: World, service: Market2025, fault: Fault, outcome: Outcome
) -> None:
    assert set(GRID) == set(FAULTS)
    service.every = 40
    kit = kit_at(world, CLOSED, TUSHARE_TOKEN=TOKEN)
    hold_to(outcome, TushareProvider(kit), kit, service, MARKET, fault, secrets=(TOKEN,))
