"""The SEC against its fake: the contract, every fault, and whose year a figure is of."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime

import pytest

from services.core.clock import FixedClock
from services.core.errors import ConfigError, DeniedError, NotCoveredError
from services.core.requests import FetchRequest, FinancialsRequest, ReportsRequest
from services.core.trace import Fact
from services.providers.sec.provider import SecProvider
from services.settings import load_settings
from tests.contract.grid import USUAL, Outcome, hold_to
from tests.contract.provider_contract import ProviderContract
from tests.fakes.sec import CONTACT, Sec
from tests.fakes.server import Fault, World
from tests.fakes.wired import NOW, kit_at

pytestmark = pytest.mark.thorough

YEAR = ReportsRequest(period="2025_Q4", market="US")
APPLE = FinancialsRequest(symbol="AAPL")
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
    answered = (YEAR, APPLE, FinancialsRequest(symbol="BABA"))
    refused = (
        ReportsRequest(period="1999_Q4", market="US"),
        FinancialsRequest(symbol="AAPL", periods=("1999_Q4",)),
        # A filer that has filed nothing under us-gaap.
        FinancialsRequest(symbol="KO"),
    )

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


def test_what_frames_lack_is_absent_and_never_zero(world: World) -> None:
    """Gaps of a frame: who has no row of the concept, who reports in other money than dollars."""
    found = told(world)
    assert ("KO", "net_profit") in found
    assert ("KO", "total_liabilities") not in found
    assert not {metric for symbol, metric in found if symbol in {"BABA", "BRK.B"}}


def filed(world: World, symbol: str, *periods: str, day: str = "") -> dict[tuple[str, str], Fact]:
    now = datetime.fromisoformat(f"{day}T12:00+08:00") if day else NOW
    provider = SecProvider(kit_at(world, now, SEC_CONTACT=CONTACT))
    (part,) = provider.fetch(FinancialsRequest(symbol=symbol, periods=periods))
    assert part.table == "companyfacts"
    return {(fact.period or "", fact.metric): fact for fact in part.rows}


def test_a_company_is_told_by_fiscal_year_with_the_day_it_was_filed(world: World) -> None:
    found = filed(world, "AAPL")
    assert {period for period, _ in found} == {"2024_Q4", "2025_Q4"}
    profit = found["2025_Q4", "net_profit"]
    assert (profit.value, profit.unit, profit.as_of) == (112010000000, "USD", date(2025, 9, 27))
    assert (
        profit.note == "财年 2024-09-29 至 2025-09-27；XBRL NetIncomeLoss，10-K；公告日 2025-10-31"
    )
    assert found["2024_Q4", "revenue"].value == 391035000000, "the first concept that has that year"
    assert found["2025_Q4", "revenue"].value == 416161000000
    # On the day the year ended, not at a quarter's end.
    assert found["2025_Q4", "equity"].value == 73733000000
    eps = found["2025_Q4", "eps"]
    assert (eps.value, eps.unit) == (7.49, "USD/share")
    assert set(filed(world, "AAPL", "2025_Q4")) == {one for one in found if one[0] == "2025_Q4"}


def test_a_correction_counts_from_the_day_it_was_filed(world: World) -> None:
    corrected = filed(world, "AAPL")["2024_Q4", "net_profit"]
    assert corrected.value == 93700000000
    assert "10-K；公告日 2024-12-02" in (corrected.note or "")
    before = filed(world, "AAPL", day="2024-11-20")
    assert before["2024_Q4", "net_profit"].value == 93736000000
    assert {period for period, _ in before} == {"2024_Q4"}


def test_a_company_abroad_is_told_in_its_own_money(world: World) -> None:
    found = filed(world, "BABA")
    assert [(fact.value, fact.unit) for fact in found.values()] == [
        (80009000000, "CNY"),
        (130109000000, "CNY"),
    ]


def test_who_is_no_filer_or_filed_nothing_is_left_to_the_next_source(world: World) -> None:
    for symbol in ("ZZZZ", "GOOG"):
        with pytest.raises(NotCoveredError):
            sec(world).fetch(FinancialsRequest(symbol=symbol))
    assert not sec(world).covers(FinancialsRequest(symbol="AAPL", periods=("2025_Q2",)))
    assert not sec(world).covers(FinancialsRequest(symbol="600519.SH"))
    assert not sec(world).covers(FinancialsRequest(symbol="SPX"))


@pytest.mark.parametrize("request_", [YEAR, APPLE], ids=["year", "company"])
@pytest.mark.parametrize(("fault", "outcome"), GRID.items(), ids=GRID)
def test_every_fault_has_its_outcome_and_nothing_wrong_is_kept(
    world: World, service: Sec, request_: FetchRequest, fault: Fault, outcome: Outcome
) -> None:
    kit = kit_at(world, NOW, SEC_CONTACT=CONTACT)
    hold_to(outcome, SecProvider(kit), kit, service, request_, fault)
