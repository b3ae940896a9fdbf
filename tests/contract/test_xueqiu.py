"""Xueqiu against its fake: the contract, what each figure is, and the traps that concern it.

Expected figures are those of tests/answers/xueqiu, worked out by hand where a sum is shown.
"""

from collections.abc import Iterator
from datetime import date, datetime

import pytest

from services.core.clock import BEIJING, FixedClock
from services.core.errors import NoDataError, UnavailableError
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
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.xueqiu.provider import XueqiuProvider
from tests.contract.provider_contract import ProviderContract
from tests.fakes.server import World
from tests.fakes.wired import NOW, kit_at
from tests.fakes.xueqiu import USER_TOKEN, Xueqiu

TODAY = date(2026, 11, 20)
CHEAP = ScreenRequest(market="CN", bounds=(Bound(field="pettm", at_least=2, below=4),), size=5)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Xueqiu()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Iterator[Xueqiu]:
    service = world.services["xueqiu"]
    assert isinstance(service, Xueqiu)
    service.reset()
    yield service
    service.reset()


def xueqiu(world: World, now: datetime = NOW, token: str = "") -> XueqiuProvider:
    return XueqiuProvider(kit_at(world, now, XUEQIU_TOKEN=token))


def facts(world: World, request: FetchRequest, now: datetime = NOW) -> list[Fact]:
    return [fact for part in xueqiu(world, now).fetch(request) for fact in part.rows]


def by_metric(found: list[Fact]) -> dict[str, Fact]:
    return {fact.metric: fact for fact in found}


class TestXueqiu(ProviderContract):
    name = "xueqiu"
    clock = FixedClock(NOW)
    answered = (
        SpotRequest(symbol="600519.SH"),
        SpotRequest(symbol="000001.SH"),
        ValuationRequest(symbol="600519.SH"),
        DatedValuationsRequest(symbol="600519.SH", start=date(2026, 9, 20), end=date(2026, 9, 30)),
        ValuationRequest(symbol="00700.HK"),
        ValuationRequest(symbol="AAPL"),
        BarsRequest(symbol="600519.SH", start=date(2026, 10, 1), end=date(2026, 11, 18)),
        BarsRequest(symbol="HSI"),
        BarsRequest(symbol="AAPL"),
        FinancialsRequest(symbol="600519.SH"),
        FinancialsRequest(symbol="00700.HK"),
        FinancialsRequest(symbol="AAPL", periods=("2026_Q4",)),
        ForecastRequest(symbol="600519.SH"),
        PostsRequest(symbol="600519.SH", order="new", size=25),
        PostsRequest(symbol="600519.SH", order="hot"),
        NoticesRequest(symbol="600519.SH", start=date(2026, 9, 1)),
        NewsRequest(symbol="600519.SH"),
        InfluencersRequest(symbol="600519.SH"),
        SiteSearchRequest(query="茅台"),
        UserRequest(name="示例"),
        UserPostsRequest(user_id="1234567890"),
        PageRequest(url="https://xueqiu.com/1234567890/312345678"),
        PageRequest(url="https://xueqiu.com/S/SH600519"),
        PageRequest(url="https://xueqiu.com/u/2233445566"),
        CHEAP,
        ScreenRequest(market="HK", order_by="pettm"),
        UniverseRequest(market="CN"),
        UniverseRequest(market="US"),
    )
    refused = (
        SpotRequest(symbol="601398.SH"),
        SpotRequest(symbol="000001.SZ"),  # suspended
        ValuationRequest(symbol="601398.SH"),
        BarsRequest(symbol="601398.SH"),
        BarsRequest(symbol="600519.SH", start=date(2027, 1, 4)),
        BarsRequest(symbol="600519.SH", end=date(2020, 1, 3)),
        FinancialsRequest(symbol="601398.SH"),
        FinancialsRequest(symbol="600519.SH", periods=("1999_Q4",)),
        PostsRequest(symbol="300750.SZ", order="new"),
        NoticesRequest(symbol="600519.SH", start=date(2026, 11, 1)),
        NewsRequest(symbol="300750.SZ"),
        InfluencersRequest(symbol="688981.SH"),
        UserRequest(name="没有这个人"),
        UserPostsRequest(user_id="42"),
        PageRequest(url="https://xueqiu.com/S/SH601398"),
        PageRequest(url="https://xueqiu.com/u/42"),
    )

    @pytest.fixture(autouse=True)
    def _at_the_fake(self, world: World, service: Xueqiu) -> None:
        self.provider = xueqiu(world)


def test_a_spot_price_needs_no_token_and_says_its_moment(world: World, service: Xueqiu) -> None:
    found = by_metric(facts(world, SpotRequest(symbol="600519.SH")))
    assert {asked.path for asked in service.asked} == {"/stock/v5/stock/realtime/quotec.json"}
    price = found["current_price"]
    assert (price.value, price.unit, price.as_of, price.raw) == (1502.3, "CNY", TODAY, "1502.3")
    assert price.note == "报价时间 2026-11-20 15:00:00（当地）"
    assert found["previous_close"].value == 1500.0
    assert found["pct_change"].unit == "percent"


def test_an_index_is_in_points_and_spelled_as_xueqiu_does(world: World, service: Xueqiu) -> None:
    found = by_metric(facts(world, SpotRequest(symbol="HSI")))
    assert (found["current_price"].value, found["current_price"].unit) == (25310.2, "points")
    assert service.asked[-1].query["symbol"] == "HKHSI"


def test_a_valuation_during_the_session_has_a_current_price_and_no_close(world: World) -> None:
    service = Xueqiu()
    at = datetime(2026, 11, 20, 10, 30, tzinfo=BEIJING)
    service.quotes["SH600519"]["quote"]["timestamp"] = int(at.timestamp() * 1000)
    with World(service) as world:
        found = by_metric(facts(world, ValuationRequest(symbol="600519.SH"), at))
    assert found["current_price"].value == 1502.3
    assert "close" not in found


def test_the_full_quote_as_units(world: World, service: Xueqiu) -> None:
    found = by_metric(facts(world, ValuationRequest(symbol="600519.SH")))
    said = {name: (fact.value, fact.unit, fact.field) for name, fact in found.items()}
    assert said["close"] == (1502.3, "CNY", "current")
    assert said["market_cap"] == (1_887_000_000_000, "CNY", "market_capital")
    assert said["total_shares"] == (1_256_197_800, "shares", "total_shares")
    assert said["dy_l"] == (3.43, "percent", "dividend_yield")
    assert said["bps"] == (185.5, "CNY/share", "navps")
    assert said["limit_up"] == (1650.0, "CNY", "limit_up")


def test_bars_are_read_by_column_name_whatever_their_order(world: World, service: Xueqiu) -> None:
    request = BarsRequest(symbol="600519.SH", start=date(2026, 11, 19))
    found = {(f.as_of, f.metric): f.value for f in facts(world, request)}
    # The fake's close is the quote's, less a yuan a session back: 1502.3 and 1502.3 - 1.
    assert found[(TODAY, "close")] == 1502.3
    assert found[(date(2026, 11, 19), "close")] == 1501.3
    assert found[(date(2026, 11, 19), "high")] == 1503.3
    params = service.asked[-1].query
    assert (params["type"], params["period"]) == ("before", "day")
    assert int(params["count"]) < 0


def test_a_bar_of_the_session_under_way_is_no_close(world: World) -> None:
    service = Xueqiu()
    at = datetime(2026, 11, 20, 14, 59, tzinfo=BEIJING)
    service.now = at
    with World(service) as world:
        days = {f.as_of for f in facts(world, BarsRequest(symbol="600519.SH"), at)}
    assert max(days) == date(2026, 11, 19)


def test_a_history_longer_than_the_source_gives_at_once_is_one_answer() -> None:
    service = Xueqiu()
    service.most_bars = 20
    with World(service) as world:
        whole = facts(world, BarsRequest(symbol="600519.SH"))
        begins = [int(a.query["begin"]) for a in service.asked if "kline" in a.path]
    days = sorted({fact.as_of for fact in whole})
    assert (days[0], days[-1]) == (date(2026, 9, 1), TODAY)
    # September has 22 weekdays, October from the 8th on 17, November to the 20th 15: 54.
    assert len(days) == 54
    # 20, 20, 14, and one to see that there is nothing before.
    assert begins == sorted(begins, reverse=True)
    assert len(begins) == 4


def test_statements_are_pairs_and_the_currency_is_the_reports_own(world: World) -> None:
    found = facts(world, FinancialsRequest(symbol="600519.SH", periods=("2026_Q3",)))
    said = {f.metric: (f.value, f.unit, f.period, f.as_of) for f in found}
    third = ("2026_Q3", date(2026, 9, 30))
    assert said["net_profit"] == (66_000_000_000, "CNY", *third)
    assert said["net_profit_total"] == (68_600_000_000, "CNY", *third)
    assert said["equity"] == (233_000_000_000, "CNY", *third)
    assert said["roe"] == (26.1, "percent", *third)
    assert said["eps"] == (52.5, "CNY/share", *third)
    assert all("来源收录于 2026-10-24" in (fact.note or "") for fact in found)


def test_a_report_taken_in_after_the_clocks_day_is_not_known_yet(world: World) -> None:
    before = datetime(2026, 10, 20, 16, 30, tzinfo=BEIJING)
    found = facts(world, FinancialsRequest(symbol="600519.SH"), before)
    assert {fact.period for fact in found} == {"2025_Q4", "2026_Q2"}


def test_a_bank_has_the_columns_its_reports_have(world: World) -> None:
    found = by_metric(facts(world, FinancialsRequest(symbol="000001.SZ")))
    assert found["total_revenue"].value == 100_700_000_000
    assert "revenue" not in found
    assert "gross_margin" not in found


def test_an_american_fiscal_year_keeps_its_own_end_and_quarters_are_left_to_others(
    world: World,
) -> None:
    found = by_metric(facts(world, FinancialsRequest(symbol="AAPL")))
    assert (found["revenue"].period, found["revenue"].as_of) == ("2026_Q4", date(2026, 9, 26))
    with pytest.raises(UnavailableError):
        facts(world, FinancialsRequest(symbol="AAPL", periods=("2026_Q3",)))


def test_an_empty_forecast_is_no_data_for_a_member_and_no_answer_for_a_guest(
    world: World, service: Xueqiu
) -> None:
    service.no_guests = True
    with pytest.raises(UnavailableError):
        xueqiu(world).fetch(ForecastRequest(symbol="600519.SH"))
    assert xueqiu(world, token=USER_TOKEN).fetch(ForecastRequest(symbol="600519.SH"))
    with pytest.raises(NoDataError):
        xueqiu(world, token=USER_TOKEN).fetch(ForecastRequest(symbol="000001.SZ"))


@pytest.mark.parametrize(
    "request_",
    [
        ValuationRequest(symbol="000001.SH"),
        ValuationRequest(symbol="510300.SH"),
        FinancialsRequest(symbol="HSI"),
        ForecastRequest(symbol="00700.HK"),
        NewsRequest(keywords=("茅台",)),
        ScreenRequest(market="CN", order_by="pettm", industry="银行"),
        ScreenRequest(market="CN"),
        ScreenRequest(market="HK", order_by="netprofit"),
        ScreenRequest(market="US", bounds=(Bound(field="tl", below=1e9),), order_by="pb"),
    ],
    ids=str,
)
def test_what_it_could_never_answer_is_not_asked_of_it(
    world: World, service: Xueqiu, request_: FetchRequest
) -> None:
    assert not xueqiu(world).covers(request_)
    assert service.asked == []


# --- the traps of upstreams.md §10 that concern Xueqiu


def test_trap_01_volumes_are_shares_on_every_market_never_lots(world: World) -> None:
    for symbol, volume in (("600519.SH", 3_124_500), ("00700.HK", 18_200_300)):
        for request in (SpotRequest(symbol=symbol), ValuationRequest(symbol=symbol)):
            found = by_metric(facts(world, request))["volume"]
            assert (found.value, found.unit) == (volume, "shares")
    bar = [f for f in facts(world, BarsRequest(symbol="600519.SH")) if f.metric == "volume"][-1]
    assert (bar.value, bar.unit) == (3_124_500, "shares")


def test_trap_05_a_forecasts_figures_are_yuan_a_share_and_their_year_is_named(
    world: World,
) -> None:
    found = facts(world, ForecastRequest(symbol="600519.SH"))
    eps = {f.period: (f.value, f.unit) for f in found if f.metric == "forecast_eps"}
    assert eps == {"2026_Q4": (73.4, "CNY/share"), "2027_Q4": (78.9, "CNY/share")}


def test_trap_06_growth_is_a_fraction_and_the_debt_ratio_a_percent_only_in_the_indicators(
    world: World,
) -> None:
    found = by_metric(facts(world, FinancialsRequest(symbol="600519.SH", periods=("2026_Q3",))))
    # 0.0617 × 100 = 6.17 %, 0.05 × 100 = 5 %; 13.4 % as it stands, not the 0.1339 of `balance`.
    assert (found["revenue_yoy"].value, found["revenue_yoy"].raw) == (6.17, "0.0617")
    assert found["net_profit_yoy"].value == 5.0
    debt = found["debt_to_assets"]
    assert (debt.value, debt.unit, debt.raw) == (13.4, "percent", "13.4")


def test_trap_07_np_per_share_is_book_value_and_never_earnings(world: World) -> None:
    found = by_metric(facts(world, FinancialsRequest(symbol="600519.SH", periods=("2026_Q3",))))
    assert (found["bps"].value, found["bps"].field) == (185.5, "np_per_share")
    assert (found["eps"].value, found["eps"].field) == (52.5, "basic_eps")


def test_trap_08_adjusted_bars_say_so_and_when_they_were_adjusted(world: World) -> None:
    found = facts(world, BarsRequest(symbol="600519.SH", start=date(2026, 11, 19)))
    notes = {f.note for f in found if f.metric in {"open", "high", "low", "close", "pct_change"}}
    assert notes == {"前复权，以 2026-11-20 为基准，除权后整列会变"}


def test_trap_09_a_suspended_share_has_no_price_of_that_day(world: World) -> None:
    with pytest.raises(NoDataError, match="今日没有成交"):
        facts(world, SpotRequest(symbol="000001.SZ"))
    days = {f.as_of for f in facts(world, BarsRequest(symbol="000001.SZ"))}
    assert date(2026, 11, 18) not in days
    assert {date(2026, 11, 17), date(2026, 11, 19)} <= days
    valued = by_metric(facts(world, ValuationRequest(symbol="000001.SZ")))
    assert valued["close"].note == "当日没有成交，价格沿用此前"
    listed = [f for f in facts(world, UniverseRequest(market="CN")) if f.symbol == "000001.SZ"]
    assert {f.metric for f in listed} & {"close", "pct_change", "volume"} == set()
    assert "market_cap" in {f.metric for f in listed}


def test_trap_11_a_volume_says_what_of_the_trading_after_the_close_is_known(
    world: World,
) -> None:
    bars = facts(world, BarsRequest(symbol="600519.SH", start=date(2026, 11, 19)))
    notes = [f.note or "" for f in bars if f.metric == "volume"]
    assert notes == [
        "来源未说明是否含盘后固定价格成交",
        "盘后固定价格成交 12000 股由来源另列；来源未说明是否含盘后固定价格成交",
    ]
    hong_kong = facts(world, BarsRequest(symbol="00700.HK", start=date(2026, 11, 19)))
    assert {f.note for f in hong_kong if f.metric == "volume"} == {None}


def test_trap_12_a_delayed_quote_and_a_list_without_times_say_so(world: World) -> None:
    spot = by_metric(facts(world, SpotRequest(symbol="00700.HK")))["current_price"]
    assert "延时" in (spot.note or "")
    assert "16:08:00" in (spot.note or "")
    valued = by_metric(facts(world, ValuationRequest(symbol="00700.HK")))["close"]
    assert valued.note == "来源标明为延时行情"
    listed = by_metric(facts(world, UniverseRequest(market="HK")))["close"]
    assert "抓取时点 2026-11-20 16:30" in (listed.note or "")
    assert "延时" in (listed.note or "")


def test_trap_12_a_list_read_on_a_sunday_is_of_friday(world: World) -> None:
    sunday = datetime(2026, 11, 22, 16, 30, tzinfo=BEIJING)
    found = facts(world, UniverseRequest(market="CN"), sunday)
    assert {f.as_of for f in found} == {TODAY}


def test_trap_13_statements_are_year_to_date_and_a_return_names_its_kind(world: World) -> None:
    found = facts(world, FinancialsRequest(symbol="600519.SH"))
    roe = {f.period: f.note or "" for f in found if f.metric == "roe"}
    assert roe["2026_Q3"].startswith("加权；年初至报告期末，未年化")
    assert roe["2025_Q4"].startswith("加权；来源收录于")
    profit = {f.period: f.value for f in found if f.metric == "net_profit"}
    # Nine months, not the 66.0 - 45.5 = 20.5 bn of the third quarter alone.
    assert profit["2026_Q3"] == 66e9
    screened = by_metric(facts(world, ScreenRequest(market="CN", order_by="market_cap", size=1)))
    assert (screened["roe"].value, screened["roe"].period) == (25.4, "2026_Q3")
    assert (screened["roe"].note or "").startswith("摊薄")


def test_trap_15_the_dynamic_pe_is_not_trailing_and_a_loss_is_negative_and_said(
    world: World,
) -> None:
    found = by_metric(facts(world, ValuationRequest(symbol="300750.SZ")))
    # pe_forecast, the 动态 one, is -30.0 there.
    assert (found["pe_ttm"].value, found["pe_ttm"].field) == (-35.2, "pe_ttm")
    assert found["pe_ttm"].note == "负值：亏损"
    assert (found["pe_lyr"].value, found["pe_lyr"].note) == (28.1, None)
    assert all(fact.field != "pe_forecast" for fact in found.values())
    assert "dy_l" not in found


def test_trap_16_reports_of_a_hong_kong_share_are_in_their_own_currency(world: World) -> None:
    price = by_metric(facts(world, ValuationRequest(symbol="00700.HK")))["close"]
    reported = facts(world, FinancialsRequest(symbol="00700.HK"))
    assert price.unit == "HKD"
    assert {f.unit for f in reported if f.metric in {"revenue", "net_profit"}} == {"CNY"}
    assert {f.unit for f in reported if f.metric in {"eps", "bps"}} == {"CNY/share"}
    assert "bps" not in by_metric(facts(world, ValuationRequest(symbol="00700.HK")))


def test_trap_18_a_consensus_is_called_a_forecast_and_says_what_it_does_not_know(
    world: World,
) -> None:
    found = facts(world, ForecastRequest(symbol="600519.SH"))
    assert {f.metric for f in found} == {"forecast_eps", "forecast_pe", "forecast_roe"}
    assert {f.as_of for f in found} == {TODAY}
    # 2025 is over: its report is known, and no forecast any more.
    assert {f.period for f in found} == {"2026_Q4", "2027_Q4"}
    assert all("是预测" in (f.note or "") and "机构数" in (f.note or "") for f in found)


def test_trap_20_times_are_milliseconds_and_an_american_session_is_of_new_yorks_day(
    world: World,
) -> None:
    item = _items(xueqiu(world).fetch(PostsRequest(symbol="600519.SH", order="new", size=1)))[0]
    assert item.published_at == datetime(2026, 11, 20, 10, tzinfo=BEIJING)
    # 2026-11-20 05:00 in Beijing is the afternoon of the 19th in New York.
    spot = by_metric(facts(world, SpotRequest(symbol="AAPL")))["current_price"]
    assert spot.as_of == date(2026, 11, 19)
    days = sorted({f.as_of for f in facts(world, BarsRequest(symbol="AAPL"))})
    assert days[-1] == date(2026, 11, 19)
    assert all(day.weekday() < 5 for day in days)


def test_trap_24_an_empty_search_for_a_guest_proves_nothing(world: World, service: Xueqiu) -> None:
    service.no_guests = True
    with pytest.raises(UnavailableError, match="guests"):
        xueqiu(world).fetch(SiteSearchRequest(query="茅台"))
    assert xueqiu(world, token=USER_TOKEN).fetch(SiteSearchRequest(query="茅台"))
    with pytest.raises(NoDataError):
        xueqiu(world, token=USER_TOKEN).fetch(SiteSearchRequest(query="没有这个词"))


def test_trap_24_the_capped_count_is_not_believed_and_pages_are_turned_to_the_last(
    world: World, service: Xueqiu
) -> None:
    request = PostsRequest(symbol="600519.SH", order="new", size=100)
    items = _items(xueqiu(world).fetch(request))
    # 26 posts, though the list says 1000; 20 on the first page, 6 on the second and last.
    assert len(items) == 26
    assert [a.query["page"] for a in service.asked if "status.json" in a.path] == ["1", "2"]
    assert all(a.query["count"] == "20" for a in service.asked if "status.json" in a.path)


def test_trap_24_the_check_for_robots_is_a_web_page_with_status_200(
    world: World, service: Xueqiu
) -> None:
    provider = xueqiu(world)
    provider.fetch(UserRequest(name="示例"))
    service.waf = True
    with pytest.raises(UnavailableError, match="WAF"):
        provider.fetch(UserRequest(name="示例"))
    # The other hosts are not behind it, and the token is known already.
    assert provider.fetch(NewsRequest(symbol="600519.SH"))


def test_trap_26_ranges_are_inclusive_there_and_strict_here(world: World, service: Xueqiu) -> None:
    bounds = (Bound(field="pettm", above=2, below=4),)
    request = ScreenRequest(market="CN", bounds=bounds, order_by="pettm", order="asc", size=50)
    found = facts(world, request)
    pe = [f.value for f in found if f.metric == "pe_ttm"]
    # The fake's P/E are 2, 2.1, … 3.9, 4, …: 19 of them lie strictly between 2 and 4.
    assert pe == [round(2 + n / 10, 1) for n in range(1, 20)]
    counts = {f.metric: f.value for f in found if f.symbol == "CN"}
    assert counts["match_count"] == 19
    sent = [a.query["pettm"] for a in service.asked if a.query.get("only_count") == "0"]
    assert sent == ["2.0_4.0"]


def test_trap_26_a_statement_field_has_its_period_and_who_has_not_filed_is_counted(
    world: World, service: Xueqiu
) -> None:
    bounds = (Bound(field="netprofit", above=1e9),)
    found = facts(world, ScreenRequest(market="CN", bounds=bounds, order_by="netprofit", size=2))
    sent = [a.query for a in service.asked if a.query.get("only_count") == "0"]
    assert "netprofit.20260930" in sent[0]
    assert all("netprofit" not in query for query in sent)
    counts = {f.metric: f.value for f in found if f.symbol == "CN"}
    # Of 60 companies the five whose number ends in 9 (of 57 made-up ones) have not filed.
    assert (counts["company_count"], counts["judged_netprofit"]) == (60, 55)
    assert {f.period for f in found if f.metric == "net_profit"} == {"2026_Q3"}


def _items(parts: tuple[Fetched, ...]) -> list:
    return [item for part in parts for item in part.items]
