"""OHLCVault against its fake: the contract, every fault, what is checked, and when it is asked."""

import gzip
import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from fractions import Fraction

import pytest

from services.core.clock import BEIJING, FixedClock
from services.core.errors import ChangedError, NoDataError, NotCoveredError
from services.core.requests import BarsRequest
from services.core.trace import Fact
from services.providers.ohlcvault.provider import OhlcvaultProvider
from tests.contract.grid import USUAL, Outcome, hold_to, right_of
from tests.contract.provider_contract import ProviderContract
from tests.fakes.ohlcvault import SPLIT_ON, Ohlcvault, bars
from tests.fakes.server import Fault, World
from tests.fakes.wired import NOW, kit_at

pytestmark = pytest.mark.thorough

OWN = BarsRequest(symbol="600004.SH", start=date(2026, 5, 20), end=date(2026, 11, 20))
INDEX = BarsRequest(symbol="000300.SH", start=date(2026, 10, 9))
HONG_KONG = BarsRequest(symbol="00005.HK", start=date(2026, 11, 2))
AMERICA = BarsRequest(symbol="KO", start=date(2026, 11, 2))
# Its months are held against the list, and each against its own form: nothing is half read.
GRID: Mapping[Fault, Outcome] = {**USUAL, "empty": ChangedError, "duplicate_rows": ChangedError}


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Ohlcvault()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Ohlcvault:
    found = world.services["ohlcvault"]
    assert isinstance(found, Ohlcvault)
    found.reset()
    return found


class TestOhlcvaultContract(ProviderContract):
    name = "ohlcvault"
    quoted = "现行上市清单，无退市"
    clock = FixedClock(NOW)
    answered = (OWN, INDEX, HONG_KONG, AMERICA, BarsRequest(symbol="BRK.B", start=date(2026, 9, 1)))
    # Delisted in August, and so without a session since.
    refused = (BarsRequest(symbol="600001.SH", start=date(2026, 10, 1)),)

    @pytest.fixture(autouse=True)
    def _provider(self, world: World, service: Ohlcvault) -> None:
        self.provider = OhlcvaultProvider(kit_at(world, NOW))


def told(world: World, request: BarsRequest, now: datetime = NOW) -> dict[tuple[date, str], Fact]:
    (part,) = OhlcvaultProvider(kit_at(world, now)).fetch(request)
    return {(fact.as_of, fact.metric): fact for fact in part.rows}


def test_mainland_prices_are_adjusted_to_the_newest_factor(
    world: World, service: Ohlcvault
) -> None:
    found = told(world, OWN)
    closes = dict(bars("sh.600004"))
    day = date(2026, 5, 29)
    # One share became two on SPLIT_ON: before it a price of now is half the price then.
    assert Fraction(str(found[day, "close"].value)) == Fraction(closes[day], 2000)
    assert found[SPLIT_ON, "close"].value == closes[SPLIT_ON] / 1000
    assert found[day, "volume"].value == closes[day] * 7
    assert found[day, "close"].unit == "CNY"
    assert found[day, "close"].raw == f"{closes[day]} ÷ 1000 × 1.5 ÷ 3"
    note = found[day, "close"].note
    assert note == f"前复权，因子基准日 2026-11-20；OHLCVault 快照 {service.id}"


def test_a_window_of_before_is_adjusted_to_the_same_factor(
    world: World, service: Ohlcvault
) -> None:
    early = OWN.model_copy(update={"start": date(2026, 3, 2), "end": date(2026, 3, 31)})
    close = told(world, early)[date(2026, 3, 2), "close"]
    assert Fraction(str(close.value)) == Fraction(dict(bars("sh.600004"))[close.as_of], 2000)
    assert "因子基准日 2026-11-20" in (close.note or "")


def test_what_has_no_factor_is_as_traded_and_said_with_what_the_lists_lack(
    world: World, service: Ohlcvault
) -> None:
    close = told(world, HONG_KONG)[date(2026, 11, 20), "close"]
    assert close.value == dict(bars("hk.00005"))[close.as_of] / 1000
    assert close.note is not None
    assert close.note.startswith("未复权")
    assert "名单只含仍在上市的公司" in close.note
    assert close.note.endswith("来源自述：现行上市清单，无退市")
    index = told(world, INDEX)[date(2026, 11, 20), "close"]
    assert (index.unit, index.note) == ("points", f"OHLCVault 快照 {service.id}")


def test_the_cite_names_the_snapshot_and_a_cell_without_a_figure_is_none(
    world: World, service: Ohlcvault
) -> None:
    (part,) = OhlcvaultProvider(kit_at(world, NOW)).fetch(OWN)
    assert part.table == f"daily@{service.id}"
    empty = {on for on, close in bars("sh.600004") if close % 9 == 0 and on >= OWN.start}  # type: ignore[operator]
    days = {fact.as_of for fact in part.rows if fact.metric == "close"}
    assert empty
    assert days - {fact.as_of for fact in part.rows if fact.metric == "amount"} == empty


def test_the_session_under_way_is_no_bar(world: World, service: Ohlcvault) -> None:
    noon = datetime(2026, 11, 20, 11, 0, tzinfo=BEIJING)
    assert max(told(world, OWN, noon))[0] == date(2026, 11, 19)


def test_bytes_that_are_not_those_of_the_list_are_refused(world: World, service: Ohlcvault) -> None:
    path = "daily/cn/2026-11.json.gz"
    other = json.dumps({"schema": 1, "symbols": []}).encode()
    service.forged[path] = gzip.compress(other)
    with pytest.raises(ChangedError, match="is not what snapshot"):
        told(world, OWN)
    service.reset()
    # A host that packs the packed once more sends other bytes than were listed.
    service.packed_again = True
    with pytest.raises(ChangedError, match="is not what snapshot"):
        told(world, OWN)


def test_a_newer_schema_is_refused_and_named(world: World, service: Ohlcvault) -> None:
    service.schema = 2
    with pytest.raises(ChangedError, match="schema 2"):
        told(world, OWN)


def test_months_are_asked_for_once_and_only_new_ones_of_a_new_snapshot(
    world: World, service: Ohlcvault
) -> None:
    kit = kit_at(world, NOW)
    provider = OhlcvaultProvider(kit)
    service.last = date(2026, 11, 19)
    provider.fetch(OWN)
    before = [asked.path for asked in service.asked]
    assert len(before) == len(set(before))
    provider.fetch(OWN.model_copy(update={"symbol": "600001.SH"}))
    assert [asked.path for asked in service.asked] == before, "another company of the same months"
    service.last = date(2026, 11, 20)
    later = OhlcvaultProvider(kit_at(world, NOW + timedelta(minutes=11)))
    later._vault._shards = provider._vault._shards  # type: ignore[attr-defined]
    later.fetch(OWN)
    months = [asked.path for asked in service.asked[len(before) :] if "daily" in asked.path]
    assert months == ["/daily/cn/2026-11.json.gz"]


def test_what_it_cannot_know_is_not_asked(world: World, service: Ohlcvault) -> None:
    provider = OhlcvaultProvider(kit_at(world, NOW))
    start = date(2026, 1, 5)
    # Beijing, a fund, a B share, everything there ever was, and a window of many years.
    for symbol in ("920163.BJ", "510300.SH", "900901.SH"):
        assert not provider.covers(BarsRequest(symbol=symbol, start=start))
    assert not provider.covers(BarsRequest(symbol="600004.SH"))
    assert not provider.covers(BarsRequest(symbol="600004.SH", start=date(1990, 1, 1)))
    assert provider.covers(BarsRequest(symbol="HSI", start=start))
    with pytest.raises(NotCoveredError):
        provider.fetch(BarsRequest(symbol="600005.SH", start=start))
    with pytest.raises(NoDataError):
        provider.fetch(BarsRequest(symbol="600004.SH", start=date(2026, 11, 21)))


@pytest.mark.parametrize(("fault", "outcome"), GRID.items(), ids=GRID)
def test_every_fault_has_its_outcome_and_nothing_wrong_is_kept(
    world: World, service: Ohlcvault, fault: Fault, outcome: Outcome
) -> None:
    kit = kit_at(world, NOW)
    # By another, so that the one under test has no month yet.
    right_of(service, OhlcvaultProvider(kit), OWN)
    hold_to(outcome, OhlcvaultProvider(kit), kit, service, OWN, fault)
