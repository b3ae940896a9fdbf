"""The SEC against its fake: the contract, every fault, and whose year a figure is of."""

from collections.abc import Iterator, Mapping

import pytest

from services.core.clock import FixedClock
from services.core.errors import ConfigError, DeniedError
from services.core.requests import ReportsRequest
from services.core.trace import Fact
from services.providers.sec import SecProvider
from services.settings import load_settings
from tests.contract.grid import USUAL, Outcome, hold_to
from tests.contract.provider_contract import ProviderContract
from tests.fakes.sec import CONTACT, Sec
from tests.fakes.server import Fault, World
from tests.fakes.wired import NOW, kit_at

pytestmark = pytest.mark.thorough

YEAR = ReportsRequest(period="2025_Q4", market="US")
# A company without a figure has none; the others keep theirs.
GRID: Mapping[Fault, Outcome] = USUAL


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Sec()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Sec:
    found = world.services["sec"]
    assert isinstance(found, Sec)
    found.reset()
    return found


def sec(world: World, **environ: str) -> SecProvider:
    return SecProvider(kit_at(world, NOW, **{"SEC_CONTACT": CONTACT, **environ}))


class TestSecContract(ProviderContract):
    name = "sec"
    clock = FixedClock(NOW)
    answered = (YEAR,)
    refused = (ReportsRequest(period="1999_Q4", market="US"),)

    @pytest.fixture(autouse=True)
    def _provider(self, world: World, service: Sec) -> None:
        self.provider = sec(world)


def told(world: World) -> dict[tuple[str, str], Fact]:
    (part,) = sec(world).fetch(YEAR)
    return {(fact.symbol, fact.metric): fact for fact in part.rows}


def test_a_fiscal_year_is_told_with_its_own_days_and_every_ticker(world: World) -> None:
    found = told(world)
    apple = found["AAPL", "net_profit"]
    assert (apple.value, apple.unit, apple.period) == (112010000000, "USD", "2025_Q4")
    assert apple.as_of.isoformat() == "2025-09-27"
    assert "财年 2024-09-29 至 2025-09-27" in (apple.note or "")
    assert found["GOOG", "net_profit"].value == found["GOOGL", "net_profit"].value


def test_of_several_concepts_the_first_counts_and_equity_is_of_the_years_end(world: World) -> None:
    found = told(world)
    assert found["GOOGL", "revenue"].value == 400000000000
    assert found["AAPL", "revenue"].field == "RevenueFromContractWithCustomerExcludingAssessedTax"
    assert found["AAPL", "equity"].value == 73733000000
    assert found["GOOGL", "equity"].value == 380000000000
    assert ("KO", "equity") not in found


def test_who_asks_says_so_and_an_asker_without_a_name_is_told_what_to_set(world: World) -> None:
    service = world.services["sec"]
    service.reset()
    told(world)
    assert {asked.headers["user-agent"] for asked in service.asked} == {CONTACT}
    with pytest.raises(DeniedError, match="SEC_CONTACT"):
        sec(world, SEC_CONTACT="").fetch(YEAR)
    with pytest.raises(ConfigError, match="SEC_CONTACT"):
        load_settings({"SEC_CONTACT": "nobody"})
    with pytest.raises(ConfigError, match="SEC_CONTACT"):
        load_settings({"SEC_CONTACT": "a@b.example\r\nX-Other: 1"})


def test_it_covers_years_of_new_york_alone(world: World) -> None:
    provider = sec(world)
    assert provider.covers(YEAR)
    assert not provider.covers(ReportsRequest(period="2025_Q3", market="US"))
    assert not provider.covers(ReportsRequest(period="2025_Q4"))


@pytest.mark.parametrize(("fault", "outcome"), GRID.items(), ids=GRID)
def test_every_fault_has_its_outcome_and_nothing_wrong_is_kept(
    world: World, service: Sec, fault: Fault, outcome: Outcome
) -> None:
    kit = kit_at(world, NOW, SEC_CONTACT=CONTACT)
    hold_to(outcome, SecProvider(kit), kit, service, YEAR, fault)
