"""AkShare against a fake of its hosts: the contract, units, every fault, and the traps it sets."""

import threading
from collections.abc import Iterator, Mapping
from datetime import date, datetime

import pytest
import requests

from services.core.clock import BEIJING, FixedClock
from services.core.errors import (
    ChangedError,
    NoDataError,
    UnavailableError,
)
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    FinancialsRequest,
    FlowRequest,
    MacroRequest,
    SignalsRequest,
)
from services.core.trace import Fact
from services.providers.akshare.gateway import ask, gateway
from services.providers.akshare.provider import AkshareProvider
from services.providers.base import Fetched, Provider
from services.providers.retry import errand
from tests.contract.grid import USUAL, Outcome, hold_to
from tests.contract.provider_contract import ProviderContract
from tests.fakes.akshare import Akshare
from tests.fakes.server import FAULTS, Fault, World
from tests.fakes.wired import NOW, kit_at

pytestmark = pytest.mark.thorough

SINCE = date(2026, 11, 16)
BARS = BarsRequest(symbol="600519.SH", start=SINCE)
BOARD = SignalsRequest(symbol="000001.SZ", start=date(2026, 11, 1), end=date(2026, 11, 20))


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Akshare()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Akshare:
    service = world.services["akshare"]
    assert isinstance(service, Akshare)
    service.reset()
    return service


def akshare(world: World, now: datetime = NOW, **environ: str) -> AkshareProvider:
    return AkshareProvider(kit_at(world, now, **environ))


def by_metric(parts: tuple[Fetched, ...], period: str | None = None) -> dict[str, Fact]:
    """The newest fact of each metric (of that period)."""
    facts = [fact for part in parts for fact in part.rows]
    chosen = [fact for fact in facts if period is None or fact.period == period]
    return {fact.metric: fact for fact in sorted(chosen, key=lambda fact: fact.as_of)}


class TestAkshareContract(ProviderContract):
    name = "akshare"
    clock = FixedClock(NOW)
    answered = (
        BarsRequest(symbol="600519.SH"),
        BarsRequest(symbol="000001.SZ", start=date(2026, 11, 2), end=date(2026, 11, 19)),
        BarsRequest(symbol="920163.BJ", start=SINCE),
        BarsRequest(symbol="00700.HK", start=SINCE),
        BarsRequest(symbol="000001.SH", start=date(2026, 9, 1)),
        FinancialsRequest(symbol="600519.SH"),
        FinancialsRequest(symbol="00700.HK"),
        FinancialsRequest(symbol="AAPL", periods=("2026_Q4",)),
        BOARD,
        FlowRequest(symbol="600519.SH"),
        FlowRequest(),
        MacroRequest(series="pmi"),
        MacroRequest(series="money_supply"),
        MacroRequest(series="cpi"),
        MacroRequest(series="ppi"),
        MacroRequest(series="gdp"),
        MacroRequest(series="lpr"),
        MacroRequest(series="social_financing"),
    )
    refused = (
        BarsRequest(symbol="600000.SH"),
        BarsRequest(symbol="08888.HK"),
        BarsRequest(symbol="600519.SH", start=date(2026, 11, 21), end=date(2026, 11, 22)),
        BarsRequest(symbol="600519.SH", start=date(2026, 10, 3), end=date(2026, 10, 4)),
        FinancialsRequest(symbol="600000.SH"),
        FinancialsRequest(symbol="600519.SH", periods=("1999_Q4",)),
        FinancialsRequest(symbol="MSFT"),
        FlowRequest(symbol="600000.SH"),
        BOARD.model_copy(update={"symbol": "600519.SH"}),
        BOARD.model_copy(update={"start": date(2026, 11, 14), "end": date(2026, 11, 15)}),
    )

    @pytest.fixture(autouse=True)
    def _provider(self, world: World, service: Akshare) -> None:
        self.provider = akshare(world)
        self.world = world

    def earlier(self) -> tuple[Provider, date]:
        before = datetime(2026, 11, 19, 16, 30, tzinfo=BEIJING)
        return akshare(self.world, before), date(2026, 11, 19)


def test_the_source_named_is_who_the_figures_are_from(world: World, service: Akshare) -> None:
    provider = akshare(world)
    assert provider.fetch(BARS)[0].source == "eastmoney"
    assert provider.fetch(BARS)[0].table == "stock_zh_a_hist"
    assert provider.fetch(MacroRequest(series="social_financing"))[0].source == "mofcom"


def test_a_listing_is_a_signal_with_its_amounts(world: World, service: Akshare) -> None:
    part = akshare(world).fetch(BOARD)[0]
    first, second = part.items
    assert first.item_id == "signal:lhb:2026-11-18:000001.SZ:1"
    assert first.title == "龙虎榜：日涨幅偏离值达到7%的前5只证券"
    assert first.tags == ("billboard",)
    assert first.published_at is None
    net = {fact.symbol: fact for fact in part.rows if fact.metric == "billboard_net"}
    assert (net[first.item_id].value, net[first.item_id].unit) == (52_000_000.5, "CNY")
    assert net[second.item_id].value == 61_000_000


def test_prices_of_points_are_no_money(world: World, service: Akshare) -> None:
    found = by_metric(akshare(world).fetch(BarsRequest(symbol="000001.SH", start=SINCE)))
    assert (found["close"].value, found["close"].unit) == (4010.5, "points")
    # 412,345,678 手 × 100.
    assert found["volume"].value == 41_234_567_800


def test_money_supply_is_in_yuan(world: World, service: Akshare) -> None:
    found = by_metric(akshare(world).fetch(MacroRequest(series="money_supply")))
    # 3,451,000 亿元 × 10^8.
    assert (found["m2"].value, found["m2"].unit) == (345_100_000_000_000, "CNY")
    assert (found["m2"].period, found["m2"].as_of) == ("2026-10", date(2026, 10, 31))
    assert found["m2_yoy"].value == 8.2


def test_a_rate_holds_from_its_day_on_and_rows_without_one_are_left_out(
    world: World, service: Akshare
) -> None:
    parts = akshare(world).fetch(MacroRequest(series="lpr", count=50))
    days = sorted({fact.as_of for fact in parts[0].rows})
    assert days == [date(2026, 10, 20), date(2026, 11, 20)]


def test_no_progress_is_drawn(
    world: World, service: Akshare, capfd: pytest.CaptureFixture[str]
) -> None:
    akshare(world).fetch(BOARD)
    akshare(world).fetch(MacroRequest(series="lpr"))
    assert capfd.readouterr() == ("", "")


def test_a_deadline_holds_inside_akshare(world: World, service: Akshare) -> None:
    service.fault = "timeout"
    with errand(0.2) as trip, pytest.raises(UnavailableError):
        akshare(world, API_TIMEOUT="5").fetch(BARS)
    assert [one.table for one in trip.tries] == ["stock_zh_a_hist"]


def test_only_what_runs_inside_the_gateway_is_routed(world: World, service: Akshare) -> None:
    kit = kit_at(world)
    outside = f"{world.url}/akshare/push2his.eastmoney.com/api/qt/stock/fflow/daykline/get"
    seen: list[int] = []
    with gateway(kit, "x") as traffic:
        thread = threading.Thread(
            target=lambda: seen.append(
                requests.get(outside, params={"secid": "1.600519"}, timeout=5).status_code
            )
        )
        thread.start()
        thread.join()
        assert traffic.bodies == []
        address = "https://push2his.eastmoney.com/api/qt/stock/fflow/daykline/get"
        inside = requests.get(address, params={"secid": "1.600519"}, timeout=5)
        assert inside.json()["data"]["code"] == "600519"
        assert len(traffic.bodies) == 1
    after = requests.get(outside, params={"secid": "1.600519"}, timeout=5)
    assert seen == [after.status_code] == [200]
    assert len(traffic.bodies) == 1


def test_a_failure_that_akshare_swallows_is_kept(world: World, service: Akshare) -> None:
    service.fault = "broken"
    with gateway(kit_at(world), "x") as traffic:
        try:
            requests.get("https://push2his.eastmoney.com/api", timeout=5)
        except Exception as error:  # noqa: BLE001 — as AkShare does
            swallowed = error
    assert isinstance(swallowed, UnavailableError)
    assert traffic.failure is swallowed


def test_a_mistake_of_ours_is_no_failure_of_the_source(world: World, service: Akshare) -> None:
    with pytest.raises(TypeError):
        ask(kit_at(world), "macro_china_pmi", (), no_such_word="x")


# What becomes of every fault: an error, or the same facts as without it.
GRID: Mapping[Fault, Outcome] = USUAL
_CELLS: Mapping[Fault, Outcome] = {"dash": "fewer", "null": "fewer", "nan": "fewer"}
# Where a column is not what the answer stands on, a cell without a figure is a figure less. A
# series that exists and comes empty is a failure, not an answer.
OTHERS: tuple[tuple[FetchRequest, Mapping[Fault, Outcome]], ...] = (
    (FlowRequest(symbol="600519.SH"), {}),
    (FlowRequest(), {}),
    (BOARD, _CELLS),
    (FinancialsRequest(symbol="600519.SH"), _CELLS),
    (MacroRequest(series="pmi"), {**_CELLS, "empty": UnavailableError}),
    (
        MacroRequest(series="social_financing"),
        {
            "empty": UnavailableError,
            "dash": UnavailableError,
            "null": UnavailableError,
            "nan": UnavailableError,
        },
    ),
)
CASES = [(BARS, fault, outcome) for fault, outcome in GRID.items()] + [
    (request, fault, special.get(fault, outcome))
    for request, special in OTHERS
    for fault, outcome in list(GRID.items())[2:]
]
NAMES = [f"{request.capability}{n // 16}-{fault}" for n, (request, fault, _) in enumerate(CASES)]


@pytest.mark.parametrize(("request_", "fault", "outcome"), CASES, ids=NAMES)
def test_every_fault_has_its_outcome_and_nothing_wrong_is_kept(
    world: World,
    service: Akshare,
    request_: FetchRequest,
    fault: Fault,
    outcome: Outcome,
) -> None:
    assert set(GRID) == set(FAULTS)
    kit = kit_at(world)
    hold_to(outcome, AkshareProvider(kit), kit, service, request_, fault)


@pytest.mark.parametrize("series", ["pmi", "money_supply", "cpi", "ppi", "gdp", "lpr"])
def test_a_macro_column_that_moved_is_noticed_before_akshare_names_it(
    world: World, service: Akshare, series: str
) -> None:
    service.fault = "renamed_column"
    with pytest.raises(ChangedError, match="no column"):
        akshare(world).fetch(MacroRequest.model_validate({"series": series}))


def test_trap_01_volume_is_in_shares_in_every_market(world: World, service: Akshare) -> None:
    provider = akshare(world)
    # 31,245 手 × 100; Hong Kong counts shares.
    assert by_metric(provider.fetch(BARS))["volume"].value == 3_124_500
    found = by_metric(provider.fetch(BarsRequest(symbol="00700.HK", start=SINCE)))
    assert found["volume"].value == 15_234_000
    assert (found["close"].unit, found["amount"].unit) == ("HKD", "HKD")


def test_trap_02_amount_is_in_yuan(world: World, service: Akshare) -> None:
    found = by_metric(akshare(world).fetch(BARS))["amount"]
    assert (found.value, found.unit) == (4_701_234_567, "CNY")


def test_trap_04_flows_are_in_yuan_not_in_ten_thousands(world: World, service: Akshare) -> None:
    found = by_metric(akshare(world).fetch(FlowRequest(symbol="600519.SH")))
    assert (found["main_net_inflow"].value, found["main_net_inflow"].unit) == (120_000_000, "CNY")
    # 70,000,000 + 50,000,000.
    parts = found["xlarge_net_inflow"].value + found["large_net_inflow"].value
    assert found["main_net_inflow"].value == parts
    market = by_metric(akshare(world).fetch(FlowRequest()))["main_net_inflow"]
    assert (market.symbol, market.value) == ("CN", 15_000_000_000)


def test_trap_08_bars_are_forward_adjusted_and_say_when_they_were_taken(
    world: World, service: Akshare
) -> None:
    found = akshare(world).fetch(BARS)
    assert service.asked[0].query["fqt"] == "1"
    close = by_metric(found)["close"]
    assert close.note is not None
    assert close.note.startswith("前复权")
    assert found[0].fetched_at == NOW


def test_trap_09_a_repeated_price_without_volume_is_no_bar(world: World, service: Akshare) -> None:
    found = akshare(world).fetch(BarsRequest(symbol="000001.SZ", start=date(2026, 11, 18)))
    assert {fact.as_of for fact in found[0].rows} == {date(2026, 11, 19), date(2026, 11, 20)}


def test_trap_10_what_akshare_would_take_for_another_security_is_not_asked(
    world: World, service: Akshare
) -> None:
    provider = akshare(world)
    assert not provider.covers(BarsRequest(symbol="510300.SH"))
    assert not provider.covers(BarsRequest(symbol="900901.SH"))
    assert not provider.covers(BarsRequest(symbol="AAPL"))
    assert not provider.covers(FlowRequest(symbol="510300.SH"))
    assert not provider.covers(FinancialsRequest(symbol="BRK.B"))
    assert provider.covers(FinancialsRequest(symbol="00700.HK"))
    # The index and the bank share a number: each is asked in its own market.
    index = by_metric(provider.fetch(BarsRequest(symbol="000001.SH", start=SINCE)))
    bank = by_metric(provider.fetch(BarsRequest(symbol="000001.SZ", start=SINCE)))
    assert [asked.query["secid"] for asked in service.asked] == ["1.000001", "0.000001"]
    assert (index["close"].value, bank["close"].value) == (4010.5, 12.1)


def test_trap_13_gdp_is_cumulative_and_says_so(world: World, service: Akshare) -> None:
    found = by_metric(akshare(world).fetch(MacroRequest(series="gdp")))["gdp_ytd"]
    assert (found.value, found.period) == (105_403_400_000_000, "2026_Q3")
    assert found.note == "累计值：年初至该季末"


def test_trap_13_return_on_equity_says_which_one_it_is(world: World, service: Akshare) -> None:
    found = by_metric(akshare(world).fetch(FinancialsRequest(symbol="600519.SH")), "2026_Q3")
    assert found["roe"].note == "加权，未年化；公告日 2026-10-29"


def test_trap_16_the_reporting_currency_and_the_fiscal_year_are_the_companys_own(
    world: World, service: Akshare
) -> None:
    # Quoted in HKD, and its indicators say HKD; the list of its reports says 人民币.
    tencent = by_metric(akshare(world).fetch(FinancialsRequest(symbol="00700.HK")), "2026_Q3")
    assert (tencent["revenue"].value, tencent["revenue"].unit) == (560_000_000_000, "CNY")
    assert tencent["eps"].unit == "CNY/share"
    apple = by_metric(akshare(world).fetch(FinancialsRequest(symbol="AAPL")), "2026_Q4")
    assert apple["revenue"].as_of == date(2026, 9, 26)
    assert apple["revenue"].note == "财年 2026 年报，至 2026-09-26；公告日 2026-10-30"


def test_trap_17_a_report_is_not_known_before_its_announcement(
    world: World, service: Akshare
) -> None:
    before = akshare(world, datetime(2026, 10, 28, 16, 30, tzinfo=BEIJING))
    found = by_metric(before.fetch(FinancialsRequest(symbol="600519.SH")))
    assert found["net_profit"].period == "2025_Q4"
    with pytest.raises(NoDataError):
        before.fetch(FinancialsRequest(symbol="600519.SH", periods=("2026_Q3",)))


def test_trap_22_the_session_that_is_running_has_no_bar_and_no_flow(
    world: World, service: Akshare
) -> None:
    midday = akshare(world, datetime(2026, 11, 20, 11, 0, tzinfo=BEIJING))
    assert by_metric(midday.fetch(BARS))["close"].as_of == date(2026, 11, 19)
    flow = by_metric(midday.fetch(FlowRequest(symbol="600519.SH")))["main_net_inflow"]
    assert flow.as_of == date(2026, 11, 19)


def test_trap_23_northbound_flow_is_not_offered(world: World, service: Akshare) -> None:
    akshare(world).fetch(FlowRequest())
    (asked,) = service.asked
    assert (asked.query["secid"], asked.query["secid2"]) == ("1.000001", "0.399001")
    assert "MUTUAL" not in asked.path


def test_trap_25_nothing_and_failed_are_told_apart(world: World, service: Akshare) -> None:
    provider = akshare(world)
    # AkShare itself: a TypeError for the company without rows, a KeyError for the outage.
    with pytest.raises(NoDataError):
        provider.fetch(FinancialsRequest(symbol="600000.SH"))
    service.fault = "broken"
    with pytest.raises(UnavailableError):
        provider.fetch(FinancialsRequest(symbol="600519.SH"))


def test_trap_28_a_renumbered_code_of_beijing_is_asked_in_its_market(
    world: World, service: Akshare
) -> None:
    found = akshare(world).fetch(BarsRequest(symbol="920163.BJ", start=SINCE))
    assert service.asked[0].query["secid"] == "0.920163"
    assert by_metric(found)["close"].value == 20.5


def test_trap_29_a_code_keeps_its_zeros(world: World, service: Akshare) -> None:
    part = akshare(world).fetch(BOARD)[0]
    assert {item.symbol for item in part.items} == {"000001.SZ"}
    assert part.labels == {"000001.SZ": {"name": "平安银行"}}
