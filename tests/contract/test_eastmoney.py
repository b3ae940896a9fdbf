"""Eastmoney against its fake: the contract, units, spellings, pages, and what each error is."""

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import ClassVar

import pytest

from services.core.clock import BEIJING, FixedClock
from services.core.errors import ChangedError, NoDataError, UnavailableError
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
from services.core.trace import Fact
from services.providers.base import Fetched, Provider
from services.providers.eastmoney.provider import EastmoneyProvider
from tests.contract.provider_contract import ProviderContract
from tests.fakes.eastmoney import Eastmoney
from tests.fakes.server import Asked, Reply, Service, World
from tests.fakes.wired import NOW, kit_at

ANSWERS = Path(__file__).parents[1] / "answers" / "eastmoney"
SINCE = date(2026, 11, 16)
WINDOW: Mapping[str, date] = {"start": date(2026, 11, 2), "end": date(2026, 11, 20)}


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Eastmoney()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Eastmoney:
    service = world.services["eastmoney"]
    assert isinstance(service, Eastmoney)
    service.reset()
    service.now, service.shift = NOW, 0
    return service


@pytest.fixture
def eastmoney(world: World, service: Eastmoney) -> EastmoneyProvider:
    return EastmoneyProvider(kit_at(world))


def newest(parts: tuple[Fetched, ...], symbol: str) -> dict[str, Fact]:
    """The newest fact of each metric of that symbol."""
    facts = [fact for part in parts for fact in part.rows if fact.symbol == symbol]
    return {fact.metric: fact for fact in sorted(facts, key=lambda fact: fact.as_of)}


def worth(facts: Mapping[str, Fact]) -> dict[str, tuple[float, str]]:
    return {metric: (fact.value, fact.unit) for metric, fact in facts.items()}


class TestEastmoneyContract(ProviderContract):
    """Every kind of question, of each market where it is answered."""

    name = "eastmoney"
    clock = FixedClock(NOW)
    answered: tuple[FetchRequest, ...] = (
        SpotRequest(symbol="600519.SH"),
        SpotRequest(symbol="00700.HK"),
        SpotRequest(symbol="AAPL"),
        ValuationRequest(symbol="600519.SH"),
        DatedValuationsRequest(symbol="600519.SH", start=date(2026, 9, 20), end=date(2026, 9, 30)),
        ValuationRequest(symbol="00700.HK"),
        ValuationRequest(symbol="AAPL"),
        BarsRequest(symbol="600519.SH"),
        BarsRequest(symbol="300750.SZ", start=date(2026, 7, 1), end=date(2026, 9, 30)),
        BarsRequest(symbol="000001.SH", start=SINCE),
        BarsRequest(symbol="510300.SH", start=SINCE),
        BarsRequest(symbol="00700.HK", start=SINCE),
        BarsRequest(symbol="HSI", start=SINCE),
        BarsRequest(symbol="HSTECH", start=SINCE),
        BarsRequest(symbol="SPX", start=SINCE),
        SpotRequest(symbol="DJI"),
        BarsRequest(symbol="AAPL", start=SINCE),
        IntradayRequest(symbol="600519.SH", interval="5m", days=2),
        IntradayRequest(symbol="00700.HK", interval="1h"),
        IntradayRequest(symbol="000001.SH", interval="1m", days=1),
        FinancialsRequest(symbol="600519.SH"),
        FinancialsRequest(symbol="00700.HK"),
        FinancialsRequest(symbol="AAPL"),
        NoticesRequest(symbol="600519.SH"),
        NewsRequest(symbol="600519.SH"),
        NewsRequest(keywords=("贵州茅台", "宁德时代")),
        WebSearchRequest(query="贵州茅台"),
        SignalsRequest(symbol="000001.SZ", **WINDOW),
        FlowRequest(symbol="600519.SH"),
        FlowRequest(),
        UniverseRequest(market="CN"),
        UniverseRequest(market="HK"),
        UniverseRequest(market="US"),
        ReportsRequest(period="2026_Q2"),
    )
    refused = (
        SpotRequest(symbol="600099.SH"),
        SpotRequest(symbol="600001.SH"),
        ValuationRequest(symbol="09999.HK"),
        BarsRequest(symbol="600099.SH"),
        BarsRequest(symbol="600519.SH", start=date(2026, 10, 3), end=date(2026, 10, 4)),
        BarsRequest(symbol="600519.SH", start=date(2026, 11, 21)),
        IntradayRequest(symbol="600099.SH", interval="5m"),
        FinancialsRequest(symbol="600099.SH"),
        FinancialsRequest(symbol="600519.SH", periods=("1999_Q4",)),
        NoticesRequest(symbol="600519.SH", start=date(2026, 11, 1), end=date(2026, 11, 5)),
        NewsRequest(keywords=("无此词",)),
        WebSearchRequest(query="无此词"),
        SignalsRequest(symbol="601005.SH", **WINDOW),
        FlowRequest(symbol="600099.SH"),
        ReportsRequest(period="2026_Q4"),
    )
    past: ClassVar[datetime] = datetime(2026, 10, 30, 16, 30, tzinfo=BEIJING)

    @pytest.fixture(autouse=True)
    def _provider(self, world: World, service: Eastmoney) -> None:
        self.world, self.service = world, service
        self.provider = EastmoneyProvider(kit_at(world))

    def earlier(self) -> tuple[Provider, date]:
        self.service.now = self.past
        return EastmoneyProvider(kit_at(self.world, self.past)), self.past.date()


class Recorded(Service):
    """The bodies of tests/answers/eastmoney, whatever is asked of that path."""

    prefix = "eastmoney"
    variables = Eastmoney.variables
    files: ClassVar[Mapping[str, str]] = {
        "/push2/api/qt/clist/get": "clist",
        "/push2his/api/qt/stock/kline/get": "kline",
        "/push2his/api/qt/stock/fflow/daykline/get": "fflow",
        "/push2ex/getAllStockChanges": "changes",
        "/push2ex/getTopicZTPool": "ztpool",
        "/datacenter/api/data/v1/get": "valuation",
        "/notice/api/security/ann": "notices",
    }

    def answer(self, asked: Asked) -> Reply:
        if asked.path == "/push2/api/qt/stock/get":
            at = int(datetime(2026, 11, 20, 15, 0, tzinfo=BEIJING).timestamp())
            return Reply({"rc": 0, "data": {"f57": "000001", "f86": at}})
        document = json.loads((ANSWERS / f"{self.files[asked.path]}.json").read_text())
        return Reply(document)


@pytest.fixture(scope="module")
def recorded() -> Iterator[EastmoneyProvider]:
    with World(Recorded()) as world:
        yield EastmoneyProvider(kit_at(world, datetime(2026, 11, 20, 20, 0, tzinfo=BEIJING)))


def test_the_documented_bars_are_open_close_high_low_with_volume_in_lots(
    recorded: EastmoneyProvider,
) -> None:
    bars = worth(newest(recorded.fetch(BarsRequest(symbol="600519.SH")), "600519.SH"))
    assert bars == {
        "open": (1500.0, "CNY"),
        "close": (1502.3, "CNY"),
        "high": (1510.0, "CNY"),
        "low": (1495.0, "CNY"),
        "pct_change": (0.15, "percent"),
        # 31,245 手 × 100
        "volume": (3_124_500.0, "shares"),
        "amount": (4_701_234_567.0, "CNY"),
    }


def test_the_documented_valuation_says_which_ratio_is_which(recorded: EastmoneyProvider) -> None:
    found = recorded.fetch(ValuationRequest(symbol="600519.SH"))
    assert worth(newest(found, "600519.SH")) == {
        "close": (1502.3, "CNY"),
        "market_cap": (1_887_000_000_000.0, "CNY"),
        "total_shares": (1_256_197_800.0, "shares"),
        "float_shares": (1_256_197_800.0, "shares"),
        "pe_ttm": (20.9, "multiple"),
        "pe_lyr": (21.4, "multiple"),
        "pb": (8.1, "multiple"),
        "ps_ttm": (10.4, "multiple"),
    }


def test_the_documented_list_gives_a_company_its_price_size_and_industry(
    recorded: EastmoneyProvider,
) -> None:
    (part,) = recorded.fetch(UniverseRequest(market="CN"))
    assert worth(newest((part,), "600519.SH")) == {
        "close": (1502.3, "CNY"),
        "pct_change": (0.15, "percent"),
        "volume": (3_124_500.0, "shares"),
        "amount": (4_701_234_567.0, "CNY"),
        "market_cap": (1_887_000_000_000.0, "CNY"),
        "float_market_cap": (1_887_000_000_000.0, "CNY"),
        "pe_ttm": (20.9, "multiple"),
        "pb": (8.1, "multiple"),
    }
    assert part.labels == {"600519.SH": {"name": "贵州茅台", "industry": "酿酒行业"}}


def test_the_documented_flow_is_in_yuan_and_percent(recorded: EastmoneyProvider) -> None:
    found = recorded.fetch(FlowRequest(symbol="600519.SH"))
    assert worth(newest(found, "600519.SH")) == {
        "main_net_inflow": (120_000_000.0, "CNY"),
        "small_net_inflow": (-30_000_000.0, "CNY"),
        "medium_net_inflow": (-90_000_000.0, "CNY"),
        "large_net_inflow": (50_000_000.0, "CNY"),
        "xlarge_net_inflow": (70_000_000.0, "CNY"),
        "main_net_inflow_pct": (2.55, "percent"),
    }


def test_the_documented_notice_has_its_time_to_the_second_and_its_page(
    recorded: EastmoneyProvider,
) -> None:
    (part,) = recorded.fetch(NoticesRequest(symbol="600519.SH"))
    (item,) = part.items
    assert item.published_at == datetime(2026, 11, 20, 18, 3, 12, tzinfo=BEIJING)
    assert item.title == "贵州茅台:关于回购进展的公告"
    assert item.url == (
        "https://data.eastmoney.com/notices/detail/600519/AN202611201700000001.html"
    )


def test_an_abnormal_move_says_its_volume_price_and_amount(eastmoney: EastmoneyProvider) -> None:
    parts = eastmoney.fetch(SignalsRequest(symbol="600519.SH", **WINDOW))
    (bulk,) = [item for part in parts for item in part.items if item.tags == ("bulk_buy",)]
    assert bulk.title == "盘口异动：大笔买入"
    assert bulk.published_at == datetime(2026, 11, 20, 14, 31, 5, tzinfo=BEIJING)
    # 12,300 × 1,502.30 = 18,478,290
    assert worth(newest(parts, bulk.item_id)) == {
        "signal_volume": (12_300.0, "shares"),
        "signal_price": (1502.3, "CNY"),
        "signal_amount": (18_478_290.0, "CNY"),
    }
    (auction,) = [item for part in parts for item in part.items if item.tags == ("auction_up",)]
    assert worth(newest(parts, auction.item_id)) == {"signal_change": (1.02, "percent")}


def test_two_lists_of_one_day_are_two_signals_with_their_own_amounts(
    eastmoney: EastmoneyProvider,
) -> None:
    parts = eastmoney.fetch(SignalsRequest(symbol="000001.SZ", **WINDOW))
    lists = [item for part in parts for item in part.items if item.tags == ("billboard",)]
    net = {worth(newest(parts, item.item_id))["billboard_net"] for item in lists}
    assert net == {(66_000_000.0, "CNY"), (41_000_000.0, "CNY")}
    # The hour at which a list came out is not told: the day is that of its figures.
    assert {item.published_at for item in lists} == {None}
    assert newest(parts, lists[0].item_id)["billboard_net"].as_of == date(2026, 11, 20)


def test_limit_pools_are_asked_only_for_days_that_came_near_a_limit(
    eastmoney: EastmoneyProvider, service: Eastmoney
) -> None:
    eastmoney.fetch(SignalsRequest(symbol="000001.SZ", **WINDOW))
    pools = [asked for asked in service.asked if "Pool" in asked.path]
    # 11.02 → 12.12 is +9.98 %; no other session of that fake share moved 5 %.
    assert {(asked.path.rpartition("/")[2], asked.query["date"]) for asked in pools} == {
        ("getTopicZTPool", "20261120"),
        ("getTopicZBPool", "20261120"),
    }


def test_the_newest_session_is_the_only_one_moves_are_told_of(
    eastmoney: EastmoneyProvider, service: Eastmoney
) -> None:
    before = {"start": date(2026, 11, 1), "end": date(2026, 11, 12)}
    parts = eastmoney.fetch(SignalsRequest(symbol="300750.SZ", **before))
    assert [part.table for part in parts] == ["RPT_DAILYBILLBOARD_DETAILSNEW"]
    assert not any("getAllStockChanges" in asked.path for asked in service.asked)


def test_a_ticker_is_looked_for_on_each_exchange_and_remembered(
    eastmoney: EastmoneyProvider, service: Eastmoney
) -> None:
    eastmoney.fetch(SpotRequest(symbol="KO"))
    eastmoney.fetch(SpotRequest(symbol="KO"))
    assert [asked.query["secid"] for asked in service.asked] == ["105.KO", "106.KO", "106.KO"]


@pytest.mark.parametrize(
    ("symbol", "secid"),
    [
        ("600519.SH", "1.600519"),
        ("510300.SH", "1.510300"),
        ("000001.SH", "1.000001"),
        ("000001.SZ", "0.000001"),
        ("920163.BJ", "0.920163"),
        ("00700.HK", "116.00700"),
        ("HSI", "100.HSI"),
        ("HSTECH", "124.HSTECH"),
        ("DJI", "100.DJIA"),
    ],
)
def test_a_symbol_is_spelled_by_its_exchange(
    eastmoney: EastmoneyProvider, service: Eastmoney, symbol: str, secid: str
) -> None:
    eastmoney.fetch(BarsRequest(symbol=symbol, start=SINCE))
    assert [asked.query["secid"] for asked in service.asked] == [secid]


def test_a_market_of_more_than_one_page_comes_whole_and_in_order() -> None:
    with World(Eastmoney(a_shares=430, hong_kong=0, america=0)) as world:
        (part,) = EastmoneyProvider(kit_at(world)).fetch(UniverseRequest(market="CN"))
        pages = [a.query["pn"] for a in world.services["eastmoney"].asked if "clist" in a.path]
    symbols = [fact.symbol for fact in part.rows]
    assert len(part.labels) == 431  # the fund with them
    assert symbols == sorted(symbols)
    # ⌈430 / 100⌉ = 5
    assert sorted(pages) == ["1", "2", "3", "4", "5"]


def test_pages_that_move_repeat_rows_harmlessly_and_lost_rows_are_noticed() -> None:
    fake = Eastmoney(a_shares=430, hong_kong=0, america=0)
    with World(fake) as world:
        provider = EastmoneyProvider(kit_at(world))
        fake.shift = -1
        (part,) = provider.fetch(UniverseRequest(market="CN"))
        closes = [fact.symbol for fact in part.rows if fact.metric == "market_cap"]
        assert len(set(closes)) == len(closes) == 431
        # 426 of 431 is 98.8 %: more than one in a hundred is gone.
        fake.shift = 5
        with pytest.raises(UnavailableError, match="426 of 431"):
            provider.fetch(UniverseRequest(market="CN"))


def test_an_empty_list_of_a_market_is_a_failure_not_a_market_without_companies(
    world: World, eastmoney: EastmoneyProvider, service: Eastmoney
) -> None:
    service.fault, service.fault_path = "empty", "clist"
    with pytest.raises(UnavailableError):
        eastmoney.fetch(UniverseRequest(market="CN"))
    service.fault_path = "stock/get"
    with pytest.raises(UnavailableError):
        eastmoney.fetch(UniverseRequest(market="CN"))


def test_during_a_session_the_list_gives_current_prices(world: World, service: Eastmoney) -> None:
    service.now = datetime(2026, 11, 20, 10, 30, tzinfo=BEIJING)
    provider = EastmoneyProvider(kit_at(world, service.now))
    found = newest(provider.fetch(UniverseRequest(market="CN")), "600519.SH")
    assert "close" not in found
    assert found["current_price"].value == 1502.3
    assert "抓取时点 2026-11-20 10:30" in (found["current_price"].note or "")


def test_on_a_weekend_the_list_is_of_friday(world: World, service: Eastmoney) -> None:
    service.now = datetime(2026, 11, 22, 12, 0, tzinfo=BEIJING)
    provider = EastmoneyProvider(kit_at(world, service.now))
    found = newest(provider.fetch(UniverseRequest(market="CN")), "600519.SH")
    assert found["close"].as_of == date(2026, 11, 20)


def test_what_the_source_refuses_is_a_change_what_it_has_not_is_no_data(
    world: World, eastmoney: EastmoneyProvider
) -> None:
    with pytest.raises(NoDataError):
        eastmoney.fetch(FinancialsRequest(symbol="600099.SH"))

    class Refusing(Eastmoney):
        def answer(self, asked: Asked) -> Reply:
            refusal = {"success": False, "message": "报表配置不存在", "code": 9501, "result": None}
            return Reply(refusal)

    with World(Refusing()) as other, pytest.raises(ChangedError, match="9501"):
        EastmoneyProvider(kit_at(other)).fetch(FinancialsRequest(symbol="600519.SH"))


def test_an_answer_about_another_share_is_refused(world: World, service: Eastmoney) -> None:
    class Confused(Eastmoney):
        def answer(self, asked: Asked) -> Reply:
            query = {**asked.query, "secid": "1.600519"}
            return super().answer(Asked(asked.method, asked.path, query, asked.headers, b""))

    with World(Confused()) as other:
        provider = EastmoneyProvider(kit_at(other))
        for request in (
            SpotRequest(symbol="300750.SZ"),
            BarsRequest(symbol="300750.SZ"),
            FlowRequest(symbol="300750.SZ"),
        ):
            with pytest.raises(ChangedError, match="another symbol"):
                provider.fetch(request)


def test_what_it_cannot_answer_it_does_not_cover(eastmoney: EastmoneyProvider) -> None:
    outside: tuple[FetchRequest, ...] = (
        SpotRequest(symbol="NDX"),
        BarsRequest(symbol="NDX"),
        ValuationRequest(symbol="000001.SH"),
        ValuationRequest(symbol="510300.SH"),
        ValuationRequest(symbol="900901.SH"),
        FinancialsRequest(symbol="HSI"),
        IntradayRequest(symbol="AAPL", interval="5m"),
        NoticesRequest(symbol="00700.HK"),
        SignalsRequest(symbol="AAPL", **WINDOW),
        FlowRequest(symbol="00700.HK"),
    )
    assert [request for request in outside if eastmoney.covers(request)] == []
    inside = (*TestEastmoneyContract.answered, *TestEastmoneyContract.refused)
    assert [request for request in inside if not eastmoney.covers(request)] == []


def test_a_headline_is_plain_text_with_its_own_link(eastmoney: EastmoneyProvider) -> None:
    (part,) = eastmoney.fetch(NewsRequest(symbol="600519.SH", size=2))
    assert [item.title for item in part.items] == [
        "贵州茅台：回购方案获通过",
        "贵州茅台：三季报现金流改善",
    ]
    assert part.items[0].url == "http://finance.eastmoney.com/a/20261120300000000.html"
    assert part.items[0].published_at == datetime(2026, 11, 20, 10, 5, tzinfo=BEIJING)


def test_a_bar_within_the_day_is_named_by_its_end(eastmoney: EastmoneyProvider) -> None:
    (part,) = eastmoney.fetch(IntradayRequest(symbol="600519.SH", interval="1h", days=2))
    closes = [fact for fact in part.rows if fact.metric == "close"]
    # Four hours of trading a day: to 10:30, 11:30, 14:00 and 15:00.
    assert [fact.period for fact in closes[:4]] == [
        f"2026-11-19 {end}" for end in ("10:30", "11:30", "14:00", "15:00")
    ]
    assert len(closes) == 8


def test_the_bar_still_under_way_within_the_day_is_left_out(
    world: World, service: Eastmoney
) -> None:
    # The source (10:30) is five minutes ahead of the clock here (10:27).
    service.now = datetime(2026, 11, 20, 10, 30, tzinfo=BEIJING)
    provider = EastmoneyProvider(kit_at(world, datetime(2026, 11, 20, 10, 27, tzinfo=BEIJING)))
    (part,) = provider.fetch(IntradayRequest(symbol="600519.SH", interval="5m", days=1))
    assert part.rows[-1].period == "2026-11-20 10:25"
