"""Xueqiu's screener and whole-market list: exact counts, pages, and what it leaves to others."""

from collections.abc import Iterator
from datetime import date, datetime

import pytest

from services.core.clock import BEIJING
from services.core.errors import UnavailableError
from services.core.periods import Period
from services.core.requests import Bound, ScreenRequest, UniverseRequest
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.xueqiu.provider import XueqiuProvider
from services.providers.xueqiu.reports import newest_filed
from tests.fakes.server import World
from tests.fakes.wired import NOW, kit_at
from tests.fakes.xueqiu import Xueqiu

POSITIVE = Bound(field="pettm", above=0)


@pytest.fixture(scope="module")
def large() -> Iterator[World]:
    """450 companies: three pages of 200; one of them has a loss."""
    with World(Xueqiu(companies=450)) as world:
        yield world


@pytest.fixture
def service(large: World) -> Iterator[Xueqiu]:
    service = large.services["xueqiu"]
    assert isinstance(service, Xueqiu)
    service.reset()
    yield service
    service.reset()


def ask(world: World, request: ScreenRequest, now: datetime = NOW) -> Fetched:
    return XueqiuProvider(kit_at(world, now)).fetch(request)[0]


def counts(part: Fetched) -> dict[str, float]:
    return {fact.metric: fact.value for fact in part.rows if fact.symbol == "CN"}


def lists(service: Xueqiu) -> list[str]:
    return [a.query["page"] for a in service.asked if a.query.get("only_count") == "0"]


def test_every_page_is_read_to_hold_a_strict_bound(large: World, service: Xueqiu) -> None:
    request = ScreenRequest(market="CN", bounds=(POSITIVE,), order_by="pettm", size=2, offset=1)
    part = ask(large, request)
    assert lists(service) == ["1", "2", "3"]
    # 447 made-up ones with P/E 2, 2.1, … 46.6, and 20.9, 4.9, -35.2: 449 are above 0.
    assert counts(part) == {"company_count": 450, "match_count": 449, "judged_pettm": 450}
    # The second and third highest: 46.6 is first.
    assert [f.value for f in part.rows if f.metric == "pe_ttm"] == [46.5, 46.4]
    assert list(part.labels) == ["601445.SH", "601444.SH"]


def test_the_market_at_large_is_left_to_a_copy_of_it() -> None:
    with World(Xueqiu(companies=2100)) as world:
        with pytest.raises(UnavailableError, match="2099 companies"):
            ask(world, ScreenRequest(market="CN", bounds=(POSITIVE,), order_by="pb"))
        found = ask(world, ScreenRequest(market="CN", order_by="pb", size=2, offset=2099))
    assert [f.value for f in found.rows if f.metric == "pb"] == [0.5]


def test_a_ranking_reads_only_its_pages(large: World, service: Xueqiu) -> None:
    part = ask(large, ScreenRequest(market="CN", order_by="market_cap", size=4, offset=199))
    assert lists(service) == ["1", "2"]
    # Two of the three real ones are above the made-up ones' 447e9, the third among them.
    caps = [f.value for f in part.rows if f.metric == "market_cap"]
    # Rank 1 and 2 are real; then 447e9 down, with 217.3e9 far below: rank 200 is 447 - 197 = 250e9.
    assert caps == [250e9, 249e9, 248e9, 247e9]


def test_a_ranking_beyond_those_with_a_value_is_left_to_others(
    large: World, service: Xueqiu
) -> None:
    # 44 of the 447 made-up companies have not filed: 450 - 44 = 406 have a profit.
    assert (
        counts(ask(large, ScreenRequest(market="CN", order_by="netprofit", size=400)))[
            "judged_netprofit"
        ]
        == 406
    )
    with pytest.raises(UnavailableError, match="that have a value"):
        ask(large, ScreenRequest(market="CN", order_by="netprofit", size=50, offset=400))


def test_a_list_that_moved_between_pages_is_no_answer(large: World, service: Xueqiu) -> None:
    service.loses = True
    with pytest.raises(UnavailableError, match="moved between pages"):
        ask(large, ScreenRequest(market="CN", bounds=(POSITIVE,), order_by="pettm"))


def test_several_bounds_hold_together_and_missing_values_never_match(
    large: World, service: Xueqiu
) -> None:
    bounds = (Bound(field="pettm", below=4), Bound(field="roediluted", at_least=20))
    part = ask(large, ScreenRequest(market="CN", bounds=bounds, order_by="pettm", order="asc"))
    # P/E under 4: n = 0…19 and the loss of -35.2 (ROE 15.2); ROE 5 + n ≥ 20: n = 15…18, as 19
    # has not filed. 4.9 is above 4.
    assert counts(part)["match_count"] == 4
    assert list(part.labels) == [f"6010{n}.SH" for n in (15, 16, 17, 18)]
    sent = next(a.query for a in service.asked if a.query.get("only_count") == "0")
    # The lowest P/E there is, less a hundredth of the span and one: -35.2 - 81.8/100 - 1.
    assert sent["pettm"] == "-37.018_4.0"
    assert sent["roediluted.20260930"].startswith("20.0_")


def test_ties_are_in_symbol_order_and_a_count_says_what_was_counted(
    large: World, service: Xueqiu
) -> None:
    part = ask(large, ScreenRequest(market="CN", bounds=(POSITIVE,), order_by="dy_l", size=3))
    assert list(part.labels) == ["000001.SZ", "600519.SH", "601000.SH"]
    said = {f.metric: f.field for f in part.rows if f.symbol == "CN"}
    assert said["match_count"] == "data.count (pettm > 0)"


@pytest.mark.parametrize(
    ("day", "period"),
    [
        (date(2026, 11, 20), "2026_Q3"),
        (date(2026, 10, 31), "2026_Q2"),  # the last day for the third quarter is not over
        (date(2026, 11, 1), "2026_Q3"),
        (date(2026, 9, 1), "2026_Q2"),
        (date(2026, 8, 31), "2026_Q1"),
        (date(2026, 5, 1), "2026_Q1"),  # the annual report is due the same day
        (date(2026, 4, 30), "2025_Q3"),
        (date(2026, 1, 15), "2025_Q3"),
    ],
)
def test_the_report_period_is_the_newest_everybody_must_have_filed(day: date, period: str) -> None:
    assert newest_filed(day) == Period.parse(period)


def test_a_hong_kong_screen_is_in_hong_kong_dollars_and_asks_for_no_reports(
    large: World, service: Xueqiu
) -> None:
    part = ask(large, ScreenRequest(market="HK", bounds=(Bound(field="pb", above=1),)))
    found = {f.metric: f.unit for f in part.rows if f.symbol == "00700.HK"}
    assert found["market_cap"] == "HKD"
    assert found["close"] == "HKD"
    assert not {"net_profit", "revenue", "roe", "total_liabilities"} & found.keys()
    assert not any("netprofit" in name for a in service.asked for name in a.query)


def test_a_session_under_way_gives_current_prices() -> None:
    service = Xueqiu(companies=5)
    at = datetime(2026, 11, 20, 10, 30, tzinfo=BEIJING)
    for symbol in ("SH000001", "SH600519"):
        service.quotes[symbol]["quote"]["timestamp"] = int(at.timestamp() * 1000)
    with World(service) as world:
        screened = ask(world, ScreenRequest(market="CN", order_by="pb"), at)
        provider = XueqiuProvider(kit_at(world, at))
        listed = provider.fetch(UniverseRequest(market="CN"))[0]
    for part in (screened, listed):
        metrics = {fact.metric for fact in part.rows}
        assert "current_price" in metrics
        assert "close" not in metrics


def test_the_whole_market_comes_in_pages_in_symbol_order(large: World, service: Xueqiu) -> None:
    part = XueqiuProvider(kit_at(large)).fetch(UniverseRequest(market="CN"))[0]
    pages = [a.query["page"] for a in service.asked if a.path.endswith("list.json")]
    assert pages == ["1", "2", "3", "4", "5"]  # 450 companies, 90 a page
    symbols = list(dict.fromkeys(fact.symbol for fact in part.rows))
    assert len(symbols) == 450
    assert symbols == sorted(symbols)
    found: dict[str, Fact] = {f.metric: f for f in part.rows if f.symbol == "600519.SH"}
    assert (found["market_cap"].value, found["market_cap"].unit) == (1887e9, "CNY")
    assert (found["volume"].value, found["volume"].unit) == (3_124_500, "shares")
    assert found["close"].as_of == date(2026, 11, 20)


def test_a_whole_market_may_lose_a_row_in_a_hundred_between_pages(
    large: World, service: Xueqiu
) -> None:
    service.loses = True
    # One row is lost between two pages: 449 of 450 is within a hundredth, 94 of 95 is not.
    found = XueqiuProvider(kit_at(large)).fetch(UniverseRequest(market="CN"))[0]
    assert len(found.labels) == 449
    with World(Xueqiu(companies=95)) as world:
        other = world.services["xueqiu"]
        assert isinstance(other, Xueqiu)
        other.loses = True
        with pytest.raises(UnavailableError, match="94 of 95"):
            XueqiuProvider(kit_at(world)).fetch(UniverseRequest(market="CN"))


def test_hong_kong_is_screened_by_dividend_yield(large: World) -> None:
    part = ask(large, ScreenRequest(market="HK", bounds=(Bound(field="dy_l", above=0.5),)))
    yields = {f.symbol: f for f in part.rows if f.metric == "dy_l"}
    assert yields
    assert all(fact.value > 0.5 for fact in yields.values())
    assert {fact.unit for fact in yields.values()} == {"percent"}
