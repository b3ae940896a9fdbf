"""Tushare against its fake: the contract, units, refusals, every fault, and the traps it sets."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime

import pytest

from services.core.clock import BEIJING, FixedClock
from services.core.errors import (
    ChangedError,
    DeniedError,
    NoDataError,
    RateLimitError,
    UnavailableError,
    YoujuError,
)
from services.core.requests import (
    BarsRequest,
    DatedValuationsRequest,
    FetchRequest,
    FinancialsRequest,
    ForecastRequest,
    MacroRequest,
    ValuationRequest,
)
from services.core.trace import Fact
from services.providers.base import Fetched, Provider
from services.providers.tushare.provider import TushareProvider
from tests.contract.grid import USUAL, Outcome, hold_to
from tests.contract.provider_contract import ProviderContract
from tests.fakes.server import FAULTS, Fault, World
from tests.fakes.tushare import (
    BAD_PARAMETER,
    BAD_TOKEN,
    NO_PERMISSION,
    TOKEN,
    TOO_OFTEN,
    TOO_OFTEN_TODAY,
    Tushare,
)
from tests.fakes.wired import NOW, kit_at

pytestmark = pytest.mark.thorough

SINCE = date(2026, 11, 16)
BARS = BarsRequest(symbol="600519.SH", start=SINCE)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Tushare()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Tushare:
    service = world.services["tushare"]
    assert isinstance(service, Tushare)
    service.reset()
    return service


def tushare(world: World, now: datetime = NOW, **environ: str) -> TushareProvider:
    return TushareProvider(kit_at(world, now, **{"TUSHARE_TOKEN": TOKEN, **environ}))


def by_metric(parts: tuple[Fetched, ...], period: str | None = None) -> dict[str, Fact]:
    """The newest fact of each metric (of that period)."""
    facts = [fact for part in parts for fact in part.rows]
    chosen = [fact for fact in facts if period is None or fact.period == period]
    return {fact.metric: fact for fact in sorted(chosen, key=lambda fact: fact.as_of)}


class TestTushareContract(ProviderContract):
    name = "tushare"
    elsewhere = frozenset({"universe"})  # a real whole day: test_tushare_market.py
    clock = FixedClock(NOW)
    answered = (
        BarsRequest(symbol="600519.SH"),
        BarsRequest(symbol="000001.SZ", start=date(2026, 11, 2), end=date(2026, 11, 18)),
        BarsRequest(symbol="00700.HK", start=SINCE),
        BarsRequest(symbol="AAPL", start=SINCE),
        BarsRequest(symbol="000001.SH", start=date(2026, 9, 1)),
        ValuationRequest(symbol="600519.SH"),
        ValuationRequest(symbol="000001.SH"),
        BarsRequest(symbol="510300.SH", start=SINCE),
        DatedValuationsRequest(
            symbol="600519.SH", start=date(2026, 11, 10), end=date(2026, 11, 20)
        ),
        FinancialsRequest(symbol="600519.SH"),
        FinancialsRequest(symbol="600519.SH", periods=("2026_Q3", "2025_Q4")),
        ForecastRequest(symbol="600519.SH"),
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
        BarsRequest(symbol="600519.SH", start=date(2026, 11, 21), end=date(2026, 11, 22)),
        BarsRequest(symbol="600519.SH", start=date(2026, 10, 3), end=date(2026, 10, 4)),
        ValuationRequest(symbol="600000.SH"),
        FinancialsRequest(symbol="600000.SH"),
        FinancialsRequest(symbol="600519.SH", periods=("1999_Q4",)),
        ForecastRequest(symbol="000001.SZ"),
    )

    @pytest.fixture(autouse=True)
    def _provider(self, world: World, service: Tushare) -> None:
        self.provider = tushare(world)
        self.world = world

    def earlier(self) -> tuple[Provider, date]:
        before = datetime(2026, 11, 1, 16, 30, tzinfo=BEIJING)
        return tushare(self.world, before), date(2026, 11, 1)


def test_it_covers_what_it_has_and_nothing_else(world: World) -> None:
    provider = tushare(world)
    assert provider.covers(BarsRequest(symbol="920163.BJ"))
    assert not provider.covers(BarsRequest(symbol="900901.SH"))
    assert provider.covers(BarsRequest(symbol="510300.SH"))
    assert not provider.covers(BarsRequest(symbol="HSI"))
    assert not provider.covers(BarsRequest(symbol="BRK.B"))
    assert not provider.covers(ValuationRequest(symbol="000300.SH"))
    assert not provider.covers(ValuationRequest(symbol="AAPL"))
    assert not provider.covers(FinancialsRequest(symbol="00700.HK"))


def test_both_addresses_are_spoken_to(world: World, service: Tushare) -> None:
    parts = tushare(world).fetch(ValuationRequest(symbol="600519.SH"))
    url = world.environment()["TUSHARE_URL"] + "/dataapi"
    again = tushare(world, TUSHARE_URL=url).fetch(ValuationRequest(symbol="600519.SH"))
    assert [asked.path for asked in service.asked] == ["/", "/dataapi/daily_basic"]
    assert parts[0].rows == again[0].rows


def test_the_token_travels_in_the_body_only(world: World, service: Tushare) -> None:
    tushare(world).fetch(BARS)
    for asked in service.asked:
        assert TOKEN not in f"{asked.path}{asked.query}{asked.headers}"
        assert asked.json()["token"] == TOKEN


def test_without_a_token_it_says_which_variable_to_set(world: World) -> None:
    with pytest.raises(DeniedError, match="TUSHARE_TOKEN"):
        tushare(world, TUSHARE_TOKEN="").fetch(BARS)


def test_pages_are_followed_to_the_end(world: World, service: Tushare) -> None:
    whole = tushare(world).fetch(BARS)
    service.asked.clear()
    service.page = 2
    paged = tushare(world).fetch(BARS)
    assert paged[0].rows == whole[0].rows
    assert paged[0].body_sha256 != whole[0].body_sha256
    offsets = [a.json()["params"]["offset"] for a in service.asked]
    assert offsets == [0, 2, 4, 0, 2, 4]


@pytest.mark.parametrize(
    ("refusal", "expected"),
    [
        (NO_PERMISSION, DeniedError),
        (TOO_OFTEN, RateLimitError),
        (TOO_OFTEN_TODAY, RateLimitError),
        ((40203, "频率超限(200次/分钟)"), RateLimitError),
        ((40203, "抱歉，您的积分不足"), DeniedError),
        ((2002, "没有权限"), DeniedError),
        (BAD_TOKEN, DeniedError),
        (BAD_PARAMETER, ChangedError),
        ((-1, "系统繁忙"), UnavailableError),
    ],
)
def test_a_refusal_is_read_by_its_words(
    world: World,
    service: Tushare,
    refusal: tuple[int, str],
    expected: type[YoujuError],
) -> None:
    service.refusals["daily_basic"] = refusal
    with pytest.raises(expected) as caught:
        tushare(world).fetch(ValuationRequest(symbol="600519.SH"))
    assert type(caught.value) is expected
    assert refusal[1] not in str(caught.value)
    assert TOKEN not in str(caught.value)


# What becomes of every fault: an error, or the same facts as without it.
GRID: Mapping[Fault, Outcome] = USUAL
# Where a column is not what the answer stands on, a cell without a figure is a figure less; a
# statement announced after today is not known yet, whatever it says.
OTHERS: Mapping[str, tuple[FetchRequest, Mapping[Fault, Outcome]]] = {
    "valuation": (ValuationRequest(symbol="600519.SH"), {}),
    "dated_valuations": (
        DatedValuationsRequest(
            symbol="600519.SH", start=date(2026, 11, 10), end=date(2026, 11, 20)
        ),
        {},
    ),
    "financials": (
        FinancialsRequest(symbol="600519.SH"),
        {"dash": "fewer", "null": "fewer", "nan": "fewer"},
    ),
    "forecast": (
        ForecastRequest(symbol="600519.SH"),
        {"dash": "fewer", "null": "fewer", "nan": "fewer"},
    ),
    "macro": (
        MacroRequest(series="pmi"),
        {"dash": "fewer", "null": "fewer", "nan": "fewer"},
    ),
}
CASES = [(BARS, fault, outcome) for fault, outcome in GRID.items()] + [
    (request, fault, special.get(fault, outcome))
    for request, special in OTHERS.values()
    for fault, outcome in list(GRID.items())[2:]
]


@pytest.mark.parametrize(
    ("request_", "fault", "outcome"), CASES, ids=[f"{r.capability}-{f}" for r, f, _ in CASES]
)
def test_every_fault_has_its_outcome_and_nothing_wrong_is_kept(
    world: World,
    service: Tushare,
    request_: FetchRequest,
    fault: Fault,
    outcome: Outcome,
) -> None:
    assert set(GRID) == set(FAULTS)
    kit = kit_at(world, TUSHARE_TOKEN=TOKEN)
    hold_to(outcome, TushareProvider(kit), kit, service, request_, fault, secrets=(TOKEN,))


def test_trap_01_volume_is_in_shares_whatever_the_table_counts_in(
    world: World, service: Tushare
) -> None:
    provider = tushare(world)
    # 31245.67 手 × 100 = 3,124,567 股; Hong Kong and America count shares already.
    assert by_metric(provider.fetch(BARS))["volume"].value == 3_124_567
    found = by_metric(provider.fetch(BarsRequest(symbol="00700.HK", start=SINCE)))["volume"]
    assert (found.value, found.unit) == (15_234_000, "shares")
    found = by_metric(provider.fetch(BarsRequest(symbol="AAPL", start=SINCE)))["volume"]
    assert found.value == 45_123_456
    # 412,345,678 手 of the index × 100.
    found = by_metric(provider.fetch(BarsRequest(symbol="000001.SH", start=SINCE)))["volume"]
    assert found.value == 41_234_567_800


def test_trap_02_amount_is_in_the_currency_not_in_thousands(world: World, service: Tushare) -> None:
    provider = tushare(world)
    # 4,701,234.567 千元 × 1000.
    found = by_metric(provider.fetch(BARS))["amount"]
    assert (found.value, found.unit, found.raw) == (4_701_234_567, "CNY", "4701234.567")
    found = by_metric(provider.fetch(BarsRequest(symbol="00700.HK", start=SINCE)))["amount"]
    assert (found.value, found.unit) == (9_512_345_678, "HKD")
    found = by_metric(provider.fetch(BarsRequest(symbol="AAPL", start=SINCE)))["amount"]
    assert (found.value, found.unit) == (12_241_234_567, "USD")


def test_trap_03_market_cap_and_the_mixed_units_of_social_financing(
    world: World, service: Tushare
) -> None:
    provider = tushare(world)
    found = by_metric(provider.fetch(ValuationRequest(symbol="600519.SH")))
    # 188,718,595.5 万元 × 10,000; 125,619.78 万股 × 10,000.
    assert found["market_cap"].value == 1_887_185_955_000
    assert found["total_shares"].value == 1_256_197_800
    found = by_metric(provider.fetch(MacroRequest(series="social_financing")))
    # 8150 亿元 × 10^8; 437.72 万亿元 × 10^12, in the same row.
    assert found["social_financing_increment"].value == 815_000_000_000
    assert found["social_financing_stock"].value == 437_720_000_000_000


def test_trap_05_forecast_profit_is_in_ten_thousands(world: World, service: Tushare) -> None:
    found = by_metric(tushare(world).fetch(ForecastRequest(symbol="600519.SH")), "2026_Q4")
    # (9,100,000 + 9,000,000) ÷ 2 万元 × 10,000.
    assert found["forecast_net_profit"].value == 90_500_000_000


def test_trap_07_gross_margin_is_the_ratio_and_pct_change_has_two_names(
    world: World, service: Tushare
) -> None:
    provider = tushare(world)
    found = by_metric(provider.fetch(FinancialsRequest(symbol="600519.SH")))["gross_margin"]
    assert (found.value, found.unit, found.field) == (91.2, "percent", "grossprofit_margin")
    bars = by_metric(provider.fetch(BarsRequest(symbol="AAPL", start=SINCE)))
    assert (bars["pct_change"].value, bars["pct_change"].field) == (0.5556, "pct_change")


def test_trap_08_prices_are_forward_adjusted_and_say_so(world: World, service: Tushare) -> None:
    parts = tushare(world).fetch(BARS)
    closes = {fact.as_of: fact for fact in parts[0].rows if fact.metric == "close"}
    before = closes[date(2026, 11, 17)]
    # 1510 × 8.1 ÷ 8.2 = 12231 ÷ 8.2 = 1491.585365…; the day after the ex-date is untouched.
    assert before.value == pytest.approx(1491.5853658536585, abs=1e-9)
    assert before.raw == "1510.0 × 8.1 ÷ 8.2"
    assert before.note == "前复权，因子基准日 2026-11-20"
    assert closes[date(2026, 11, 18)].value == 1490
    hong_kong = by_metric(tushare(world).fetch(BarsRequest(symbol="00700.HK", start=SINCE)))
    assert hong_kong["close"].note == "未复权"


def test_trap_08_a_window_of_the_past_is_adjusted_to_today(world: World, service: Tushare) -> None:
    request = BarsRequest(symbol="600519.SH", start=SINCE, end=date(2026, 11, 17))
    found = by_metric(tushare(world).fetch(request))["close"]
    assert found.value == pytest.approx(1491.5853658536585, abs=1e-9)


def test_trap_13_gdp_is_cumulative_and_says_so(world: World, service: Tushare) -> None:
    found = by_metric(tushare(world).fetch(MacroRequest(series="gdp")))["gdp_ytd"]
    # 1,054,034 亿元 × 10^8 for three quarters.
    assert (found.value, found.period) == (105_403_400_000_000, "2026_Q3")
    assert found.note is not None
    assert "累计" in found.note


def test_trap_14_net_profit_is_of_the_parent_and_revenue_is_not_total_revenue(
    world: World, service: Tushare
) -> None:
    found = by_metric(tushare(world).fetch(FinancialsRequest(symbol="600519.SH")), "2026_Q3")
    assert found["net_profit"].value == 66_000_000_000
    assert found["net_profit_total"].value == 68_200_000_000
    assert found["revenue"].value == 128_100_000_000
    assert found["total_revenue"].value == 131_000_000_000


def test_trap_15_a_loss_has_no_pe_and_the_flavours_are_kept_apart(
    world: World, service: Tushare
) -> None:
    provider = tushare(world)
    found = by_metric(provider.fetch(ValuationRequest(symbol="600519.SH")))
    assert (found["pe_lyr"].value, found["pe_ttm"].value) == (21.4, 20.9)
    assert (found["dy_l"].value, found["dy_l"].field) == (3.43, "dv_ttm")
    loss = by_metric(provider.fetch(ValuationRequest(symbol="000002.SZ")))
    assert "pe_ttm" not in loss
    assert "pe_lyr" not in loss
    assert "dy_l" not in loss
    assert loss["pb"].value == 0.4


def test_trap_17_the_corrected_row_counts_once_it_is_announced(
    world: World, service: Tushare
) -> None:
    request = FinancialsRequest(symbol="600519.SH", periods=("2026_Q3",))
    now = by_metric(tushare(world).fetch(request))
    assert now["revenue"].value == 128_100_000_000
    assert now["revenue"].note == "公告日 2026-11-05"
    before = tushare(world, datetime(2026, 11, 4, 16, 30, tzinfo=BEIJING)).fetch(request)
    assert by_metric(before)["revenue"].value == 128_000_000_000
    with pytest.raises(NoDataError):
        tushare(world, datetime(2026, 10, 27, 16, 30, tzinfo=BEIJING)).fetch(request)


def test_trap_18_a_consensus_names_its_year_sample_and_dates(
    world: World, service: Tushare
) -> None:
    found = by_metric(tushare(world).fetch(ForecastRequest(symbol="600519.SH")), "2026_Q4")
    eps = found["forecast_eps"]
    # 甲's report of September is superseded by its own of November: (72.4 + 71.6) ÷ 2.
    assert eps.value == 72
    assert eps.raw == "72.4, 71.6"
    assert eps.as_of == date(2026, 11, 18)
    assert eps.note == "2 家机构最新预测的均值，2026-10-29 至 2026-11-18；是预测，不是业绩"


def test_trap_19_columns_are_asked_for_by_name_and_an_absent_one_is_no_null(
    world: World, service: Tushare
) -> None:
    found = by_metric(tushare(world).fetch(MacroRequest(series="pmi")))
    assert found["pmi_manufacturing"].value == 50.2
    assert "pmi010000" in service.asked[-1].json()["fields"]
    service.fault = "missing_column"
    with pytest.raises(ChangedError, match="pmi010000"):
        tushare(world).fetch(MacroRequest(series="pmi"))


def test_trap_20_days_are_of_the_exchange(world: World, service: Tushare) -> None:
    # 05:00 in Beijing on 21 November is 16:00 in New York on the 20th: that session is over.
    late = datetime(2026, 11, 21, 5, 0, tzinfo=BEIJING)
    tushare(world, late).fetch(BarsRequest(symbol="AAPL", start=SINCE))
    assert service.asked[-1].json()["params"]["end_date"] == "20261120"
    # At 16:30 in Beijing it has not begun.
    tushare(world).fetch(BarsRequest(symbol="AAPL", start=SINCE))
    assert service.asked[-1].json()["params"]["end_date"] == "20261119"


def test_trap_22_before_publication_the_answer_ends_yesterday_and_says_so(
    world: World, service: Tushare
) -> None:
    service.published = "20261119"
    after_close = datetime(2026, 11, 20, 15, 30, tzinfo=BEIJING)
    provider = tushare(world, after_close)
    assert by_metric(provider.fetch(BARS))["close"].as_of == date(2026, 11, 19)
    valued = by_metric(provider.fetch(ValuationRequest(symbol="600519.SH")))
    assert valued["pe_ttm"].as_of == date(2026, 11, 19)
    saturday = tushare(world, datetime(2026, 11, 21, 15, 30, tzinfo=BEIJING))
    with pytest.raises(NoDataError):
        saturday.fetch(BarsRequest(symbol="600519.SH", start=date(2026, 11, 21)))
    # Today alone: not there yet is not the same as no trading.
    with pytest.raises(UnavailableError, match="not published"):
        provider.fetch(BarsRequest(symbol="600519.SH", start=date(2026, 11, 20)))


def test_trap_22_a_bar_of_the_session_that_is_running_is_never_asked_for(
    world: World, service: Tushare
) -> None:
    midday = datetime(2026, 11, 20, 11, 0, tzinfo=BEIJING)
    found = tushare(world, midday).fetch(BARS)
    assert by_metric(found)["close"].as_of == date(2026, 11, 19)


def test_trap_25_one_code_for_two_refusals_and_an_outage_is_not_an_empty_table(
    world: World, service: Tushare
) -> None:
    service.refusals["daily"] = TOO_OFTEN
    with pytest.raises(RateLimitError) as often:
        tushare(world).fetch(BARS)
    assert often.value.retry_after_s == 60
    service.refusals["daily"] = NO_PERMISSION
    with pytest.raises(DeniedError):
        tushare(world).fetch(BARS)
    service.reset()
    service.fault = "broken"
    with pytest.raises(UnavailableError):
        tushare(world).fetch(BARS)


def test_trap_29_a_code_keeps_its_zeros(world: World, service: Tushare) -> None:
    found = tushare(world).fetch(BarsRequest(symbol="000001.SZ", start=SINCE))
    assert {fact.symbol for fact in found[0].rows} == {"000001.SZ"}
    assert service.asked[0].json()["params"]["ts_code"] == "000001.SZ"
