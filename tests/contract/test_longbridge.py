"""Longbridge's own package against its fake: units, currencies, times, refusals, every fault."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from time import monotonic

import pytest

import services.providers.longbridge.child as child
from services.core.clock import BEIJING, FixedClock
from services.core.errors import (
    ChangedError,
    DeniedError,
    NoDataError,
    ProviderError,
    RateLimitError,
    UnavailableError,
)
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    ForecastRequest,
    NewsRequest,
    SpotRequest,
    ValuationRequest,
)
from services.core.trace import Fact
from services.providers.base import Provider
from services.providers.longbridge.provider import LongbridgeProvider
from services.providers.longbridge.wire import failure
from services.providers.retry import errand
from tests.contract.grid import USUAL, Outcome, hold_to
from tests.contract.provider_contract import ProviderContract
from tests.fakes.longbridge import ENVIRONMENT, KEY, SECRET, TOKEN, Longbridge
from tests.fakes.server import FAULTS, Fault, World
from tests.fakes.wired import NOW, kit_at

pytestmark = pytest.mark.thorough

BARS = BarsRequest(symbol="00700.HK", start=date(2026, 11, 9))


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Longbridge()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Longbridge:
    service = world.services["longbridge"]
    assert isinstance(service, Longbridge)
    service.reset()
    service.refusal = None
    return service


def longbridge(world: World, now: datetime = NOW, **environ: str) -> LongbridgeProvider:
    return LongbridgeProvider(kit_at(world, now, **{**ENVIRONMENT, **environ}))


def by_metric(provider: Provider, request: FetchRequest) -> dict[str, Fact]:
    return {fact.metric: fact for part in provider.fetch(request) for fact in part.rows}


class TestLongbridgeContract(ProviderContract):
    name = "longbridge"
    clock = FixedClock(NOW)
    answered = (
        SpotRequest(symbol="00700.HK"),
        SpotRequest(symbol="AAPL"),
        ValuationRequest(symbol="600519.SH"),
        ValuationRequest(symbol="00700.HK"),
        BARS,
        BarsRequest(symbol="AAPL"),
        BarsRequest(symbol="600519.SH", start=date(2015, 1, 1), end=date(2026, 11, 18)),
        ForecastRequest(symbol="00700.HK"),
        ForecastRequest(symbol="600519.SH"),
        NewsRequest(symbol="00700.HK"),
    )
    refused = (
        SpotRequest(symbol="600000.SH"),
        ValuationRequest(symbol="600000.SH"),
        BarsRequest(symbol="600000.SH"),
        BarsRequest(symbol="600519.SH", start=date(2026, 11, 14), end=date(2026, 11, 15)),
        BarsRequest(symbol="600519.SH", start=date(2026, 12, 1)),
        ForecastRequest(symbol="AAPL"),
        NewsRequest(symbol="600000.SH"),
    )

    @pytest.fixture(autouse=True)
    def _provider(self, world: World, service: Longbridge) -> None:
        self.provider = longbridge(world)


def test_it_covers_stocks_of_three_markets_but_no_index_and_nothing_of_beijing(
    world: World,
) -> None:
    provider = longbridge(world)
    covered = ("600519.SH", "000001.SZ", "00700.HK", "AAPL", "BRK.B")
    others = ("000001.SH", "HSI", "SPX", "920163.BJ")
    assert all(provider.covers(SpotRequest(symbol=symbol)) for symbol in covered)
    assert not any(provider.covers(SpotRequest(symbol=symbol)) for symbol in others)
    assert not provider.covers(NewsRequest(keywords=("腾讯",)))


def test_a_spot_price_is_of_the_exchanges_own_day(world: World, service: Longbridge) -> None:
    price = by_metric(longbridge(world), SpotRequest(symbol="AAPL"))["current_price"]
    assert (price.value, price.unit, price.raw) == (285.1, "USD", "285.10")
    # 1795122000 s is 2026-11-19 21:00 in Greenwich, 16:00 in New York; in Beijing it is the 20th.
    assert price.as_of == date(2026, 11, 19)


def test_a_halted_stock_says_so_beside_its_price(world: World, service: Longbridge) -> None:
    price = by_metric(longbridge(world), SpotRequest(symbol="000001.SZ"))["current_price"]
    assert price.note == "停牌"


def test_an_empty_multiple_is_absent_never_zero(world: World, service: Longbridge) -> None:
    found = by_metric(longbridge(world), ValuationRequest(symbol="000001.SZ"))
    assert "pe_ttm" not in found
    assert "pb" not in found
    assert found["market_cap"].value == 235199728559.76


def test_bars_are_whole_sessions_forward_adjusted_and_days_without_trade_are_absent(
    world: World, service: Longbridge
) -> None:
    (part,) = longbridge(world).fetch(BARS)
    closes = {fact.as_of.day: fact for fact in part.rows if fact.metric == "close"}
    # The 13th was no trade; 14th and 15th a weekend.
    assert sorted(closes) == [9, 10, 11, 12, 16, 17, 18, 19, 20]
    assert closes[9].value == 109.0
    assert "前复权" in (closes[9].note or "")
    volume = next(fact for fact in part.rows if fact.metric == "volume")
    assert volume.note is None


def test_the_bar_of_a_session_that_is_running_is_left_out(
    world: World, service: Longbridge
) -> None:
    noon = datetime(2026, 11, 20, 11, 0, tzinfo=BEIJING)
    (part,) = longbridge(world, noon).fetch(BARS)
    assert max(fact.as_of for fact in part.rows) == date(2026, 11, 19)


def test_a_long_window_is_asked_for_in_pieces_of_three_years(
    world: World, service: Longbridge
) -> None:
    request = BarsRequest(symbol="600519.SH", start=date(2019, 1, 1))
    longbridge(world).fetch(request)
    asked = [one.json() for one in service.asked if one.path.endswith("history-candlesticks")]
    spans = [(one["date_request"]["start_date"], one["date_request"]["end_date"]) for one in asked]
    # 3 × 365 days on from 2019-01-01 is 2021-12-31, and so on to the last complete session.
    assert spans == [
        ("20190101", "20211231"),
        ("20220101", "20241231"),
        ("20250101", "20261120"),
    ]


def test_a_consensus_names_its_year_and_leaves_out_what_is_reported_or_of_a_quarter(
    world: World, service: Longbridge
) -> None:
    (part,) = longbridge(world).fetch(ForecastRequest(symbol="00700.HK"))
    told = {(fact.metric, fact.period): (fact.value, fact.unit) for fact in part.rows}
    assert told == {
        ("forecast_revenue", "2026_Q4"): (810_000_000_000.0, "CNY"),
        ("forecast_eps", "2026_Q4"): (27.4, "CNY/share"),
    }


def test_news_is_plain_linked_and_newest_first(world: World, service: Longbridge) -> None:
    (part,) = longbridge(world).fetch(NewsRequest(symbol="00700.HK", size=2))
    assert [item.item_id for item in part.items] == [
        "news:longbridge-700.HK-0",
        "news:longbridge-700.HK-1",
    ]
    assert part.items[0].text == "一段摘要"


@pytest.mark.parametrize(
    ("status", "code", "expected"),
    [
        (200, 429002, RateLimitError),
        (429, 429002, RateLimitError),
        (200, 301606, RateLimitError),
        (403, 403201, DeniedError),
        (401, 401003, DeniedError),
        (200, 301604, DeniedError),
        (404, 404001, ChangedError),
        (200, 301602, UnavailableError),
        (500, 500000, UnavailableError),
    ],
)
def test_a_refusal_has_its_class_and_no_word_of_theirs(
    world: World, service: Longbridge, status: int, code: int, expected: type[ProviderError]
) -> None:
    service.refusal = (status, code)
    with pytest.raises(expected) as caught:
        longbridge(world).fetch(SpotRequest(symbol="00700.HK"))
    assert type(caught.value) is expected
    assert TOKEN not in str(caught.value)
    assert SECRET not in str(caught.value)


def test_without_the_package_the_answer_is_how_to_install_it() -> None:
    # -S: without site-packages there is no longbridge to import.
    script = Path(child.__file__)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(script)],
        input=b'{"config": [], "calls": []}',
        capture_output=True,
        check=True,
    )
    assert done.stdout == b'[{"missing": true}]'
    error = failure({"missing": True}, "quotes")
    assert type(error) is UnavailableError
    assert "pip install longbridge==5.3.0" in str(error)


def test_a_source_that_hangs_is_left_when_the_errand_is_over(
    world: World, service: Longbridge
) -> None:
    service.fault = "timeout"
    began = monotonic()
    with errand(0.6), pytest.raises(UnavailableError, match="no answer within"):
        longbridge(world).fetch(SpotRequest(symbol="00700.HK"))
    assert monotonic() - began < 20  # the source hangs for thirty seconds


# The package reads the JSON and does not say what was there instead of it.
GRID: Mapping[Fault, Outcome] = {
    **USUAL,
    "html": ChangedError,
    "dash": UnavailableError,
    "null": UnavailableError,
}
# Per question: what it stands on, and where an empty cell is one figure less or an undated text.
OTHERS: tuple[tuple[FetchRequest, Mapping[Fault, Outcome]], ...] = (
    (BARS, {"dash": ChangedError, "null": ChangedError}),
    (ValuationRequest(symbol="00700.HK"), {"dash": "fewer", "null": "fewer"}),
    (
        ForecastRequest(symbol="600519.SH"),
        {"dash": NoDataError, "null": NoDataError, "clock_skew": NoDataError},
    ),
    (NewsRequest(symbol="00700.HK"), {"dash": "undated", "null": "undated"}),
)
# What happens to the bytes is one road for all: once is enough, the package takes its time.
CASES = [(SpotRequest(symbol="00700.HK"), fault, GRID[fault]) for fault in FAULTS] + [
    (request, fault, special.get(fault, GRID[fault]))
    for request, special in OTHERS
    for fault in FAULTS[8:]
]


@pytest.mark.parametrize(
    ("request_", "fault", "outcome"), CASES, ids=[f"{r.capability}-{f}" for r, f, _ in CASES]
)
def test_every_fault_has_its_outcome_and_nothing_wrong_is_kept(
    world: World, service: Longbridge, request_: FetchRequest, fault: Fault, outcome: Outcome
) -> None:
    kit = kit_at(world, **ENVIRONMENT)
    provider = LongbridgeProvider(kit)
    hold_to(outcome, provider, kit, service, request_, fault, secrets=(KEY, SECRET, TOKEN))


def test_trap_01_volume_is_in_shares_and_is_not_multiplied(
    world: World, service: Longbridge
) -> None:
    for symbol, shares in (("600519.SH", 3_124_512), ("00700.HK", 18_345_678)):
        volume = by_metric(longbridge(world), SpotRequest(symbol=symbol))["volume"]
        assert (volume.value, volume.unit) == (shares, "shares")


def test_trap_05_dividend_per_share_is_never_taken_for_a_yield(
    world: World, service: Longbridge
) -> None:
    # static-info has dividend_yield 4.5 (HKD a share); the yield is dividend_ratio_ttm 0.73 %.
    found = by_metric(longbridge(world), ValuationRequest(symbol="00700.HK"))
    assert (found["dy_l"].value, found["dy_l"].unit) == (0.73, "percent")
    assert found["dy_l"].field == "dividend_ratio_ttm"
    assert 4.5 not in {fact.value for fact in found.values()}


def test_trap_08_adjusted_prices_say_so_and_that_they_change(
    world: World, service: Longbridge
) -> None:
    (part,) = longbridge(world).fetch(BARS)
    prices = [fact for fact in part.rows if fact.metric in {"open", "high", "low", "close"}]
    assert {fact.note for fact in prices} == {"前复权，每次除权后整段重算"}
    asked = next(one.json() for one in service.asked if "history" in one.path)
    assert asked["adjust_type"] == 1


def test_trap_16_per_share_figures_of_unknown_currency_are_left_out(
    world: World, service: Longbridge
) -> None:
    hong_kong = by_metric(longbridge(world), ValuationRequest(symbol="00700.HK"))
    assert hong_kong["market_cap"].unit == "HKD"
    assert not {"eps_ttm", "bps"} & set(hong_kong)
    mainland = by_metric(longbridge(world), ValuationRequest(symbol="600519.SH"))
    assert (mainland["bps"].value, mainland["bps"].unit) == (185.47, "CNY/share")


def test_trap_18_an_estimate_names_its_sample_and_window(world: World, service: Longbridge) -> None:
    estimate = by_metric(longbridge(world), ForecastRequest(symbol="600519.SH"))["forecast_eps"]
    assert estimate.note == "28 家机构的中位数；预测区间 2026-11-01…2027-11-01"
    assert estimate.value == 75.2


def test_trap_20_seconds_are_instants_and_a_bar_is_of_its_exchanges_day(
    world: World, service: Longbridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The package's typed calls would give 2026-11-20 13:00 or 02:00, as the server's zone is.
    for zone in ("America/New_York", "Asia/Shanghai", "UTC"):
        monkeypatch.setenv("TZ", zone)
        (part,) = longbridge(world).fetch(NewsRequest(symbol="00700.HK"))
        assert part.items[0].published_at == datetime(2026, 11, 20, 10, 0, tzinfo=BEIJING)
        (bars,) = longbridge(world).fetch(BarsRequest(symbol="AAPL", start=date(2026, 11, 19)))
        assert {fact.as_of for fact in bars.rows} == {date(2026, 11, 19)}
        # 1795104000 s, midnight of the 20th in Hong Kong, is still the 19th in Greenwich.
        (bars,) = longbridge(world).fetch(BarsRequest(symbol="00700.HK", start=date(2026, 11, 20)))
        assert {fact.as_of for fact in bars.rows} == {date(2026, 11, 20)}


def test_trap_29_a_code_loses_its_zeros_on_the_wire_only(world: World, service: Longbridge) -> None:
    found = by_metric(longbridge(world), SpotRequest(symbol="00700.HK"))
    assert {fact.symbol for fact in found.values()} == {"00700.HK"}
    assert service.asked[0].json() == {"symbol": ["700.HK"]}


def test_a_figure_it_cannot_read_is_never_zero(world: World, service: Longbridge) -> None:
    """The package's typed `quote()` gives last_done 0 for each of these."""
    for fault in ("missing_column", "text_for_number", "dash", "null"):
        service.fault = fault
        with pytest.raises(ProviderError):
            longbridge(world).fetch(SpotRequest(symbol="00700.HK"))


def test_what_is_hashed_is_the_answer(world: World, service: Longbridge) -> None:
    (one,) = longbridge(world).fetch(SpotRequest(symbol="00700.HK"))
    (other,) = longbridge(world).fetch(SpotRequest(symbol="AAPL"))
    assert one.body_sha256 != other.body_sha256
