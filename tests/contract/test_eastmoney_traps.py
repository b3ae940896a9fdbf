"""The traps that concern Eastmoney: each test fails when the client walks into its trap."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

import pytest

from services.core.clock import BEIJING
from services.core.errors import ChangedError, NoDataError, ProviderError, UnavailableError
from services.core.requests import (
    BarsRequest,
    FinancialsRequest,
    FlowRequest,
    IntradayRequest,
    NoticesRequest,
    ReportsRequest,
    SignalsRequest,
    SpotRequest,
    UniverseRequest,
    ValuationRequest,
)
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.eastmoney.provider import EastmoneyProvider
from tests.fakes.eastmoney import Eastmoney
from tests.fakes.eastmoney_tables import announced
from tests.fakes.server import Asked, Reply, World
from tests.fakes.wired import NOW, kit_at

SINCE = date(2026, 11, 19)
TODAY = date(2026, 11, 20)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Eastmoney()) as world:
        yield world


@pytest.fixture
def service(world: World) -> Eastmoney:
    service = world.services["eastmoney"]
    assert isinstance(service, Eastmoney)
    service.reset()
    service.now = NOW
    return service


@pytest.fixture
def eastmoney(world: World, service: Eastmoney) -> EastmoneyProvider:
    return EastmoneyProvider(kit_at(world))


class Changed(Eastmoney):
    """Eastmoney with some cells of its answers replaced."""

    def __init__(self, path: str, cells: Mapping[str, Any]) -> None:
        super().__init__()
        self.path, self.cells = path, cells

    def answer(self, asked: Asked) -> Reply:
        reply = super().answer(asked)
        if self.path in asked.path:
            document: dict[str, Any] = reply.document
            inside = document.get("data") or document["result"]
            for row in inside.get("diff") or inside.get("data") or inside.get("pool") or [inside]:
                row.update(self.cells)
        return reply


def facts(parts: tuple[Fetched, ...], symbol: str | None = None) -> dict[str, Fact]:
    """The newest fact of each metric."""
    rows = [fact for part in parts for fact in part.rows if symbol in {None, fact.symbol}]
    return {fact.metric: fact for fact in sorted(rows, key=lambda fact: fact.as_of)}


def test_trap_01_volume_is_in_shares_whatever_the_market_counts_in(
    eastmoney: EastmoneyProvider,
) -> None:
    def volume(symbol: str) -> float:
        return facts(eastmoney.fetch(SpotRequest(symbol=symbol)))["volume"].value

    # 31,245 手 × 100 on the mainland
    assert volume("600519.SH") == 3_124_500
    # 4,400,000,000 × 0.4 % = 17,600,000 股 = 176,000 手, and the fake adds 1,000 手 more
    assert volume("300750.SZ") == 17_700_000
    # Hong Kong and New York count shares: 9,270,000,000 × 0.4 % + 1,000
    assert volume("00700.HK") == 37_081_000
    assert volume("AAPL") == 59_601_000
    bars = facts(eastmoney.fetch(BarsRequest(symbol="600519.SH", start=TODAY)))
    assert bars["volume"].value == 3_124_500
    # An index counts 手 too.
    index = facts(eastmoney.fetch(BarsRequest(symbol="000001.SH", start=TODAY)))
    assert (index["volume"].value, index["volume"].raw) == (100_000, "1000")


def test_trap_02_amounts_are_plain_currency_of_the_market(eastmoney: EastmoneyProvider) -> None:
    for symbol, unit in (("600519.SH", "CNY"), ("00700.HK", "HKD"), ("AAPL", "USD")):
        found = facts(eastmoney.fetch(SpotRequest(symbol=symbol)))["amount"]
        assert found.unit == unit
        assert found.value == float(found.raw or "")


def test_trap_04_flows_are_yuan_and_their_columns_add_up(eastmoney: EastmoneyProvider) -> None:
    found = facts(eastmoney.fetch(FlowRequest(symbol="600519.SH")))
    assert (found["main_net_inflow"].value, found["main_net_inflow"].unit) == (120_000_000, "CNY")
    assert found["main_net_inflow_pct"].unit == "percent"

    class Moved(Eastmoney):
        """Two columns in each other's place."""

        def answer(self, asked: Asked) -> Reply:
            reply = super().answer(asked)
            lines = reply.document["data"]["klines"]
            cells = [line.split(",") for line in lines]
            reply.document["data"]["klines"] = [
                ",".join([day, small, main, *rest]) for day, main, small, *rest in cells
            ]
            return reply

    with World(Moved()) as world, pytest.raises(ChangedError, match="主力"):
        EastmoneyProvider(kit_at(world)).fetch(FlowRequest(symbol="600519.SH"))


def test_trap_08_adjusted_bars_say_so_and_since_when(
    eastmoney: EastmoneyProvider, service: Eastmoney
) -> None:
    before = BarsRequest(symbol="600519.SH", start=date(2026, 6, 1), end=date(2026, 6, 24))
    note = facts(eastmoney.fetch(before))["close"].note
    assert note == "前复权，以 2026-11-20 为基准，除权后整列会变"
    assert {asked.query["fqt"] for asked in service.asked} == {"1"}
    index = facts(eastmoney.fetch(BarsRequest(symbol="000001.SH", start=SINCE)))
    assert index["close"].note == "不复权"
    within = eastmoney.fetch(IntradayRequest(symbol="600519.SH", interval="1h"))
    assert facts(within)["close"].note == "不复权"


def test_trap_09_a_suspended_share_has_no_price_of_today(eastmoney: EastmoneyProvider) -> None:
    # The source repeats the last price with volume 0.
    with pytest.raises(NoDataError, match="停牌"):
        eastmoney.fetch(SpotRequest(symbol="600001.SH"))
    listed = facts(eastmoney.fetch(UniverseRequest(market="CN")), "600001.SH")
    assert "close" not in listed
    assert listed["market_cap"].value == 5_500_000_000

    class Repeating(Eastmoney):
        """A bar of each suspended session, with no volume."""

        def answer(self, asked: Asked) -> Reply:
            reply = super().answer(asked)
            lines = reply.document["data"]["klines"]
            lines[-1] = "2026-11-20,1500.00,1500.00,1500.00,1500.00,0,0.00,0.00,0.00,0.00,0.00"
            return reply

    with World(Repeating()) as world:
        found = EastmoneyProvider(kit_at(world)).fetch(BarsRequest(symbol="600519.SH", start=SINCE))
    assert facts(found)["close"].as_of == date(2026, 11, 19)


def test_trap_10_prices_are_neither_scaled_nor_dashes(
    eastmoney: EastmoneyProvider, service: Eastmoney
) -> None:
    assert facts(eastmoney.fetch(SpotRequest(symbol="600519.SH")))["current_price"].value == 1502.3
    eastmoney.fetch(UniverseRequest(market="HK"))
    assert {asked.query["fltt"] for asked in service.asked} == {"2"}
    window = {"start": SINCE, "end": TODAY}
    parts = eastmoney.fetch(SignalsRequest(symbol="000001.SZ", **window))
    (pool,) = [part for part in parts if part.table == "push2ex.pools"]
    price = facts((pool,))["signal_price"]
    # 12,120 thousandths of a yuan
    assert (price.value, price.unit, price.raw) == (12.12, "CNY", "12120")
    with World(Changed("stock/get", {"f44": "-", "f51": "-" * 100})) as world:
        provider = EastmoneyProvider(kit_at(world))
        with pytest.raises(ChangedError):
            provider.fetch(SpotRequest(symbol="600519.SH"))
    with World(Changed("stock/get", {"f44": "-"})) as world:
        found = facts(EastmoneyProvider(kit_at(world)).fetch(SpotRequest(symbol="600519.SH")))
    assert "high" not in found
    assert "low" in found


def test_trap_10_a_shanghai_fund_or_index_is_not_taken_for_shenzhens(
    eastmoney: EastmoneyProvider,
) -> None:
    def name(symbol: str) -> str:
        (part,) = eastmoney.fetch(BarsRequest(symbol=symbol, start=SINCE))
        return part.labels[symbol]["name"]

    assert name("510300.SH") == "沪深300ETF"
    assert name("000001.SH") == "上证指数"
    assert name("000001.SZ") == "平安银行"


def test_trap_11_a_mainland_volume_says_that_the_session_after_the_close_is_unclear(
    eastmoney: EastmoneyProvider,
) -> None:
    bars = facts(eastmoney.fetch(BarsRequest(symbol="600519.SH", start=SINCE)))
    assert bars["volume"].note == "来源未说明是否含盘后固定价格成交"
    spring = BarsRequest(symbol="600519.SH", start=date(2026, 5, 6), end=date(2026, 5, 8))
    assert facts(eastmoney.fetch(spring))["volume"].note is None
    assert facts(eastmoney.fetch(BarsRequest(symbol="AAPL", start=SINCE)))["volume"].note is None


def test_trap_12_a_hong_kong_quote_says_it_is_delayed_and_the_list_when_it_was_taken(
    eastmoney: EastmoneyProvider,
) -> None:
    spot = facts(eastmoney.fetch(SpotRequest(symbol="00700.HK")))["current_price"]
    assert "延迟至少 15 分钟" in (spot.note or "")
    assert "2026-11-20 16:00:00" in (spot.note or "")
    listed = facts(eastmoney.fetch(UniverseRequest(market="HK")), "00700.HK")["close"]
    assert "抓取时点 2026-11-20 16:30" in (listed.note or "")
    assert "延迟至少 15 分钟" in (listed.note or "")


def test_trap_13_roe_says_how_it_is_weighted_and_that_a_part_year_is_not_annualised(
    eastmoney: EastmoneyProvider,
) -> None:
    def roe(period: str) -> str:
        found = eastmoney.fetch(FinancialsRequest(symbol="600519.SH", periods=(period,)))
        return facts(found)["roe"].note or ""

    assert roe("2026_Q3").startswith("加权，未年化；")
    assert roe("2025_Q4").startswith("加权；")
    third = facts(eastmoney.fetch(FinancialsRequest(symbol="600519.SH", periods=("2026_Q3",))))
    # Nine months of 174,000,000,000 a year
    assert third["revenue"].value == 130_500_000_000


def test_trap_14_profit_is_the_parents_revenue_is_the_total_equity_has_minorities(
    eastmoney: EastmoneyProvider,
) -> None:
    found = facts(eastmoney.fetch(FinancialsRequest(symbol="600519.SH", periods=("2026_Q3",))))
    assert found["net_profit"].field == "PARENTNETPROFIT"
    assert found["net_profit_deducted"].field == "KCFJCXSYJLR"
    assert (found["revenue"].note or "").startswith("营业总收入")
    assert (found["revenue_yoy"].note or "").startswith("营业总收入")
    assert "equity" not in found
    assert (found["equity_total"].note or "").startswith("含少数股东权益")


def test_trap_15_the_dynamic_ratio_is_never_pe_ttm_and_a_loss_stays_negative(
    eastmoney: EastmoneyProvider, service: Eastmoney
) -> None:
    listed = facts(eastmoney.fetch(UniverseRequest(market="CN")), "000002.SZ")
    assert listed["pe_ttm"].field == "f115"
    # 84,111,501,771 / (−49,000,000,000 × 1.02) = −1.68
    assert listed["pe_ttm"].value == -1.68
    abroad = facts(eastmoney.fetch(ValuationRequest(symbol="AAPL")))
    assert abroad["pe_ttm"].field == "f164"
    assert not any("f162" in asked.query.get("fields", "") for asked in service.asked)
    assert not any("f9," in asked.query.get("fields", "") for asked in service.asked)


def test_trap_16_figures_abroad_keep_their_own_currency_and_fiscal_year(
    eastmoney: EastmoneyProvider,
) -> None:
    tencent = facts(eastmoney.fetch(FinancialsRequest(symbol="00700.HK")))
    # The indicators say HKD; the list of its reports, which is right, says 人民币.
    assert tencent["revenue"].unit == "CNY"
    assert tencent["eps"].unit == "CNY/share"
    assert facts(eastmoney.fetch(SpotRequest(symbol="00700.HK")))["current_price"].unit == "HKD"
    apple = facts(eastmoney.fetch(FinancialsRequest(symbol="AAPL", periods=("2026_Q4",))))
    assert apple["revenue"].as_of == date(2026, 9, 26)
    assert (apple["revenue"].note or "").startswith("财年 2026 年报，至 2026-09-26")
    # 416,000,000,000 × 1.1, not the single quarter that ended the same day
    assert apple["revenue"].value == 457_600_000_000


def test_trap_16_a_report_in_another_currency_tells_only_its_ratios() -> None:
    with World(Changed("datacenter", {"CURRENCY": "GBP"})) as world:
        provider = EastmoneyProvider(kit_at(world))
        found = facts(provider.fetch(FinancialsRequest(symbol="AAPL")))
    assert {fact.unit for fact in found.values()} == {"percent"}


def test_trap_17_what_is_dated_tomorrow_is_not_known_today(
    world: World, eastmoney: EastmoneyProvider, service: Eastmoney
) -> None:
    later = datetime(2026, 11, 20, 20, 0, tzinfo=BEIJING)
    notices = NoticesRequest(symbol="600519.SH", start=date(2026, 11, 20))
    with pytest.raises(NoDataError):
        eastmoney.fetch(notices)
    (part,) = EastmoneyProvider(kit_at(world, later)).fetch(notices)
    # `notice_date` says the 21st; it was out at 18:03:12 on the 20th.
    assert part.items[0].published_at == datetime(2026, 11, 20, 18, 3, 12, tzinfo=BEIJING)
    vanke = next(one for one in service.companies if one.code == "000002")
    assert announced(vanke, date(2026, 9, 30)) == date(2026, 11, 21)
    reports = eastmoney.fetch(ReportsRequest(period="2026_Q3"))
    assert "000002.SZ" not in {fact.symbol for part in reports for fact in part.rows}
    morrow = datetime(2026, 11, 21, 9, 0, tzinfo=BEIJING)
    reports = EastmoneyProvider(kit_at(world, morrow)).fetch(ReportsRequest(period="2026_Q3"))
    assert "公告日 2026-11-21" in (facts(reports, "000002.SZ")["net_profit"].note or "")


def test_trap_17_a_corrected_report_replaces_the_first_one() -> None:
    class Corrected(Eastmoney):
        def answer(self, asked: Asked) -> Reply:
            reply = super().answer(asked)
            if asked.query.get("reportName") == "RPT_F10_FINANCE_MAINFINADATA":
                rows = reply.document["result"]["data"]
                better = {"NOTICE_DATE": "2026-11-18 00:00:00", "PARENTNETPROFIT": 65_000_000_000}
                rows.insert(0, {**rows[0], **better})
                tomorrow = {"NOTICE_DATE": "2026-11-21 00:00:00", "PARENTNETPROFIT": 1}
                rows.insert(0, {**rows[0], **tomorrow})
            return reply

    with World(Corrected()) as world:
        request = FinancialsRequest(symbol="600519.SH", periods=("2026_Q3",))
        found = facts(EastmoneyProvider(kit_at(world)).fetch(request))
    assert found["net_profit"].value == 65_000_000_000
    assert "公告日 2026-11-18" in (found["net_profit"].note or "")


def test_trap_20_a_quote_belongs_to_the_day_of_its_exchange(eastmoney: EastmoneyProvider) -> None:
    # 05:00 on the 20th in Beijing is 16:00 on the 19th in New York.
    assert facts(eastmoney.fetch(SpotRequest(symbol="AAPL")))["current_price"].as_of == SINCE
    assert facts(eastmoney.fetch(UniverseRequest(market="US")), "AAPL")["close"].as_of == SINCE
    bars = eastmoney.fetch(BarsRequest(symbol="AAPL", start=SINCE))
    assert facts(bars)["close"].as_of == SINCE


def test_trap_22_the_bar_of_an_unfinished_session_is_no_close(
    world: World, service: Eastmoney
) -> None:
    service.now = datetime(2026, 11, 20, 14, 0, tzinfo=BEIJING)
    provider = EastmoneyProvider(kit_at(world, service.now))
    bars = provider.fetch(BarsRequest(symbol="600519.SH", start=date(2026, 11, 16)))
    assert facts(bars)["close"].as_of == date(2026, 11, 19)
    assert facts(provider.fetch(FlowRequest(symbol="600519.SH")))["main_net_inflow"].as_of == SINCE
    assert facts(provider.fetch(ValuationRequest(symbol="600519.SH")))["close"].as_of == SINCE
    assert "close" not in facts(provider.fetch(ValuationRequest(symbol="00700.HK")))
    assert "current_price" in facts(provider.fetch(SpotRequest(symbol="600519.SH")))


def test_trap_25_nothing_there_and_could_not_answer_are_told_apart(
    world: World, eastmoney: EastmoneyProvider, service: Eastmoney
) -> None:
    with pytest.raises(NoDataError):
        eastmoney.fetch(ReportsRequest(period="2026_Q4"))
    service.fault = "html"
    with pytest.raises(UnavailableError, match="web page"):
        eastmoney.fetch(ReportsRequest(period="2026_Q3"))
    service.fault, service.fault_path = "empty", "clist"
    with pytest.raises(ProviderError):
        eastmoney.fetch(UniverseRequest(market="CN"))


def test_trap_26_a_company_that_has_not_reported_is_absent_not_zero(
    eastmoney: EastmoneyProvider, service: Eastmoney
) -> None:
    mainland = {one.secucode for one in service.companies if one.market == "CN"}
    parts = eastmoney.fetch(ReportsRequest(period="2026_Q3"))
    told = {fact.symbol for fact in parts[0].rows}
    assert mainland - told == {"600001.SH", "000002.SZ"}
    assert set(parts[0].labels) == told


def test_trap_29_a_code_stays_text_with_its_leading_zeros(eastmoney: EastmoneyProvider) -> None:
    (part,) = eastmoney.fetch(UniverseRequest(market="HK"))
    assert "00700.HK" in part.labels
    fake = Changed("clist", {"f12": 700})
    fake.companies = [one for one in fake.companies if one.code == "00700"]
    with World(fake) as world, pytest.raises(ChangedError, match="code"):
        EastmoneyProvider(kit_at(world)).fetch(UniverseRequest(market="HK"))
