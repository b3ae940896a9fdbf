"""The local copy as a provider: the contract, each figure's true origin, and what a screen says."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from services.core.claims import Claim
from services.core.clock import BEIJING, FixedClock
from services.core.errors import UnavailableError
from services.core.ledger import Ledger
from services.core.requests import (
    BarsRequest,
    Bound,
    FetchRequest,
    PeersRequest,
    PointsRequest,
    ScreenRequest,
    SummaryRequest,
    UniverseRequest,
)
from services.core.trace import Fact, ToolCall
from services.core.verifier import verify
from services.market.screener import screen
from services.providers.base import Fetched, Provider
from services.providers.chain import Chain
from services.providers.eastmoney.provider import EastmoneyProvider
from services.providers.market_copy import MarketCopyProvider
from services.store.database import Database
from tests.contract.provider_contract import ProviderContract
from tests.fakes.eastmoney_growing import Growing
from tests.fakes.server import World
from tests.fakes.wired import kit_at
from tests.unit.market.copied import FRIDAY, THURSDAY, Copying, copying
from tests.unit.market.counted import counts_over, figures_over

MAOTAI, SUSPENDED, LOSS = "600519.SH", "600001.SH", "000002.SZ"
SINCE = date(2026, 6, 1)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World(Growing(FRIDAY, a_shares=20)) as made:
        yield made


@pytest.fixture
def upstream(world: World) -> Growing:
    service = world.services["eastmoney"]
    assert isinstance(service, Growing)
    service.reset()
    service.now = FRIDAY
    return service


@pytest.fixture
def database() -> Iterator[Database]:
    made = Database(":memory:")
    yield made
    made.close()


def provider_of(world: World, made: Copying, now: datetime = FRIDAY) -> MarketCopyProvider:
    return MarketCopyProvider(
        replace(kit_at(world, now), refresh=made.sync.refresh, copy=made.copy)
    )


def filled(limit: int | None) -> Iterator[Database]:
    """A store with a market pulled from a world of its own: made once, only ever read."""
    with World(Growing(FRIDAY, a_shares=20)) as own:
        made = Database(":memory:")
        assert not copying(own, made, FRIDAY).sync.run("CN", limit=limit).failures
        yield made
        made.close()


@pytest.fixture(scope="module")
def shared() -> Iterator[Database]:
    yield from filled(8)


@pytest.fixture(scope="module")
def pulled() -> Iterator[Database]:
    yield from filled(None)


@pytest.fixture
def copied(world: World, upstream: Growing, shared: Database) -> MarketCopyProvider:
    return provider_of(world, copying(world, shared, FRIDAY))


class TestMarketCopyContract(ProviderContract):
    """A market that was pulled this afternoon."""

    name = "market_copy"
    clock = FixedClock(FRIDAY)
    answered: tuple[FetchRequest, ...] = (
        ScreenRequest(market="CN", order_by="market_cap", size=15),
        ScreenRequest(market="HK", order_by="pb"),
        ScreenRequest(market="US"),
        SummaryRequest(market="CN"),
        SummaryRequest(market="HK"),
        PeersRequest(symbol="000001.SZ"),
        PeersRequest(symbol="00700.HK"),
        PointsRequest(market="CN", columns=("market_cap", "net_profit @ y2025")),
        PointsRequest(market="CN", columns=("market_cap",), symbols=("000001.SZ", MAOTAI)),
        BarsRequest(symbol=MAOTAI, start=SINCE),
        BarsRequest(symbol=MAOTAI, start=SINCE, end=date(2026, 8, 31)),
    )
    refused: tuple[FetchRequest, ...] = (
        ScreenRequest(market="CN", industry="没有这个行业"),
        ScreenRequest(market="CN", bounds=(Bound(field="pelyr", below=20.0),)),
        ScreenRequest(market="HK", bounds=(Bound(field="roediluted", above=1.0),)),
        PeersRequest(symbol="999999.SZ"),
        PointsRequest(market="CN", columns=("pb",), symbols=("999999.SZ",)),
        PeersRequest(symbol="000001.SH"),
        BarsRequest(symbol=SUSPENDED, start=date(2026, 11, 16)),
    )

    @pytest.fixture(autouse=True)
    def _provided(self, world: World, upstream: Growing, pulled: Database) -> None:
        self.provider = provider_of(world, copying(world, pulled, FRIDAY))

    def earlier(self) -> tuple[Provider, date] | None:
        """The copy holds the newest state only: see the test of an earlier clock below."""
        return None


def facts(parts: Sequence[Fetched], symbol: str) -> dict[str, tuple[Fact, Fetched]]:
    return {row.metric: (row, part) for part in parts for row in part.rows if row.symbol == symbol}


def test_every_figure_keeps_the_fetch_it_came_in(
    world: World, upstream: Growing, copied: MarketCopyProvider
) -> None:
    direct = EastmoneyProvider(kit_at(world, FRIDAY)).fetch(UniverseRequest(market="CN"))
    given = facts(direct, MAOTAI)
    found = facts(copied.fetch(ScreenRequest(market="CN", order_by="market_cap")), MAOTAI)
    for metric in ("market_cap", "pe_ttm", "pb", "pct_change", "close"):
        (mine, part), (upstreams, origin) = found[metric], given[metric]
        assert mine == upstreams
        assert (part.source, part.table) == (origin.source, origin.table)
        assert part.body_sha256 == origin.body_sha256
    tables = {metric: part.table for metric, (_, part) in found.items()}
    assert tables["net_profit"] == "RPT_LICO_FN_CPD"
    assert tables["total_liabilities"] == "RPT_DMSK_FN_BALANCE"


def test_the_list_comes_first_with_the_counts_and_the_labels_of_all(
    copied: MarketCopyProvider,
) -> None:
    request = ScreenRequest(market="CN", bounds=(Bound(field="pettm", below=25.0),), size=3)
    main, *others = copied.fetch(request)
    counts = counts_over(main.members, request)
    assert main.table == "push2.clist"
    assert counts["company_count"] == 20
    assert counts["judged_pettm"] >= counts["match_count"] > 3
    assert len(main.labels) == 3
    assert all(set(part.labels) <= set(main.labels) for part in others)


def test_a_figure_of_a_screen_is_the_column_it_was_judged_by_and_every_claim_holds(
    copied: MarketCopyProvider, shared: Database
) -> None:
    ledger = Ledger(lambda request: _calls(copied, request))
    result = screen(ledger, ScreenRequest(market="CN", order_by="market_cap", size=20))
    with shared.cursor() as cursor:
        wide = cursor.execute("SELECT * FROM copy.wide_cn")
        names = [column[0] for column in wide.description]
        rows = {row[0]: dict(zip(names, row, strict=True)) for row in wide.fetchall()}
    assert len(result.rows) == 20
    for row in result.rows:
        for field, figure in row.figures.items():
            if field != "price":
                value = figure.value if isinstance(figure, Claim) else None
                assert value == rows[row.symbol][field], (row.symbol, field)
    shown = next(row for row in result.rows if row.symbol == MAOTAI)
    # Year 2025: a tenth less than 88.0e9 and 174.0e9; ROE of 79.2e9 on 174.0e9 × 1.5.
    assert {key: f.value for key, f in shown.figures.items() if isinstance(f, Claim)} == {
        "pct": 0.15,
        "pettm": 21.02,
        "pb": 7.23,
        "roediluted": 30.34,
        "netprofit": 79.2e9,
        "total_revenue": 156.6e9,
        "tl": 87.0e9,
        "market_cap": 1502.3 * 1256197800,
        "price": 1502.3,
    }
    assert verify(ledger.claims, ledger.trace, FRIDAY).ok


def test_bars_are_those_of_the_source_in_one_series(
    world: World, upstream: Growing, database: Database
) -> None:
    copying(world, database, THURSDAY).sync.run("CN", limit=1)
    made = copying(world, database, FRIDAY)
    made.sync.run("CN", limit=1)
    request = BarsRequest(symbol=MAOTAI, start=SINCE)
    (direct,) = EastmoneyProvider(kit_at(world, FRIDAY)).fetch(request)
    (part,) = provider_of(world, made).fetch(request)
    assert [row.key for row in part.rows] == [row.key for row in direct.rows]
    assert [row.value for row in part.rows] == [row.value for row in direct.rows]
    assert (part.source, part.table) == (direct.source, direct.table)
    assert part.fetched_at == FRIDAY
    # Grown from two fetches: neither one's hash stands for both.
    assert part.body_sha256 != direct.body_sha256


def test_it_covers_bars_only_where_it_holds_all_that_were_asked(
    world: World, copied: MarketCopyProvider
) -> None:
    assert copied.covers(BarsRequest(symbol=MAOTAI, start=SINCE))
    assert not copied.covers(BarsRequest(symbol=MAOTAI))
    assert not copied.covers(BarsRequest(symbol="00700.HK", start=SINCE))
    assert not copied.covers(BarsRequest(symbol="601000.SH", start=SINCE))
    assert not MarketCopyProvider(kit_at(world)).covers(ScreenRequest(market="CN"))


def test_bars_that_lack_the_session_that_just_closed_are_not_covered(
    world: World, upstream: Growing, database: Database
) -> None:
    copying(world, database, THURSDAY).sync.run("CN", limit=1)
    made = copying(world, database, FRIDAY)
    request = BarsRequest(symbol=MAOTAI, start=SINCE)
    assert not provider_of(world, made).covers(request)
    with pytest.raises(UnavailableError):
        provider_of(world, made).fetch(request)
    morning = datetime(2026, 11, 20, 10, 0, tzinfo=BEIJING)
    assert provider_of(world, made, morning).covers(request)


def test_a_screen_pulls_the_market_first_and_a_dead_source_is_said(
    world: World, upstream: Growing, database: Database
) -> None:
    made = copying(world, database, FRIDAY)
    upstream.fault = "broken"
    with pytest.raises(UnavailableError, match="push2"):
        provider_of(world, made).fetch(ScreenRequest(market="CN"))
    upstream.reset()
    upstream.now = FRIDAY
    again = copying(world, database, FRIDAY)
    assert provider_of(world, again).fetch(ScreenRequest(market="CN"))


def test_with_the_source_gone_the_old_copy_answers_and_its_age_shows(
    world: World, upstream: Growing, database: Database
) -> None:
    copying(world, database, THURSDAY).sync.refresh("CN")
    upstream.fault = "broken"
    made = copying(world, database, FRIDAY)
    parts = provider_of(world, made).fetch(ScreenRequest(market="CN"))
    assert {part.fetched_at for part in parts} == {THURSDAY}


def test_at_an_earlier_clock_a_later_copy_says_nothing(
    world: World, upstream: Growing, database: Database
) -> None:
    copying(world, database, FRIDAY).sync.refresh("CN")
    upstream.fault = "broken"
    made = copying(world, database, THURSDAY)
    with pytest.raises(UnavailableError):
        provider_of(world, made, THURSDAY).fetch(ScreenRequest(market="CN"))


def test_no_source_at_all_is_a_failure_of_the_chain_with_its_reason(
    world: World, upstream: Growing, database: Database
) -> None:
    upstream.fault = "forbidden"
    provider = provider_of(world, copying(world, database, FRIDAY))
    chain = Chain({"market_copy": provider}, {"summary": ("market_copy",)}, FixedClock(FRIDAY))
    outcome = chain.ask(SummaryRequest(market="CN"))
    assert [attempt.error for attempt in outcome.attempts] == ["DeniedError"]
    assert "eastmoney push2" in (outcome.attempts[0].message or "")


def test_trap_08_a_series_adjusted_anew_is_never_mixed_with_the_old_one(
    world: World, upstream: Growing, database: Database
) -> None:
    copying(world, database, THURSDAY).sync.run("CN", limit=1)
    upstream.dividends["600519"] = 28.0
    made = copying(world, database, FRIDAY)
    made.sync.run("CN", limit=1)
    upstream.dividends.clear()
    (part,) = provider_of(world, made).fetch(BarsRequest(symbol=MAOTAI, start=SINCE))
    assert {row.note for row in part.rows if row.metric == "close"} == {
        "前复权，以 2026-11-20 为基准，除权后整列会变"
    }


def test_trap_09_a_suspended_share_has_no_change_and_no_price(
    copied: MarketCopyProvider,
) -> None:
    found = facts(copied.fetch(ScreenRequest(market="CN", size=20)), SUSPENDED)
    assert not {"pct_change", "close", "current_price"} & found.keys()
    assert "market_cap" in found


def test_trap_12_the_age_of_a_market_is_that_of_its_fetch(copied: MarketCopyProvider) -> None:
    for part in copied.fetch(SummaryRequest(market="HK")):
        assert part.fetched_at == FRIDAY


def test_trap_15_a_loss_is_a_negative_multiple_and_in_no_median(
    copied: MarketCopyProvider,
) -> None:
    found = facts(copied.fetch(ScreenRequest(market="CN", size=20)), LOSS)
    assert found["pe_ttm"][0].value < 0
    whole = figures_over(copied.fetch(SummaryRequest(market="CN"))[0].members)
    assert whole["CN", "pe_ttm_median"] > 0
    assert whole["CN", "loss_count"] >= 1
    assert ("CN", "pe_lyr_median") not in whole


def test_trap_17_a_report_of_tomorrow_is_not_known_today(
    world: World, upstream: Growing, database: Database
) -> None:
    # Of 000002 the quarter is announced on 21 November only.
    copying(world, database, FRIDAY).sync.run("CN", ("universe", "reports"))
    with database.cursor() as cursor:
        rows = cursor.execute(
            "SELECT max(announced_on) FROM copy.facts WHERE kind = 'reports'"
        ).fetchall()
        early = cursor.execute(
            "SELECT count(*) FROM copy.facts WHERE symbol = ? AND period = '2026_Q3'", [LOSS]
        ).fetchall()
    assert rows[0][0] <= FRIDAY.date()
    assert early == [(0,)]


def test_trap_26_how_many_companies_could_be_judged_is_said(copied: MarketCopyProvider) -> None:
    request = ScreenRequest(market="CN", bounds=(Bound(field="pct", above=-100.0),))
    counts = counts_over(copied.fetch(request)[0].members, request)
    # One of the twenty is suspended: it has no change, so it neither passes nor is judged.
    assert (counts["company_count"], counts["judged_pct"], counts["match_count"]) == (20, 19, 19)


def test_prices_expire_while_the_market_trades(
    world: World, upstream: Growing, database: Database
) -> None:
    morning = datetime(2026, 11, 20, 10, 0, tzinfo=BEIJING)
    copying(world, database, morning).sync.refresh("CN")
    later = morning + timedelta(minutes=6)
    made = copying(world, database, later)
    main = provider_of(world, made, later).fetch(SummaryRequest(market="CN"))[0]
    assert main.fetched_at == later


def test_a_list_that_cannot_be_renewed_is_served_as_the_old_one_it_is(
    world: World, upstream: Growing, database: Database
) -> None:
    morning = datetime(2026, 11, 20, 10, 0, tzinfo=BEIJING)
    copying(world, database, morning).sync.refresh("CN")
    later = morning + timedelta(minutes=6)
    made = copying(world, database, later)
    upstream.fault = "broken"
    provider = provider_of(world, made, later)
    chain = Chain({provider.name: provider}, {"summary": (provider.name,)}, FixedClock(later))
    outcome = chain.ask(SummaryRequest(market="CN"))
    assert outcome.fetched[0].fetched_at == morning
    assert [attempt.cached for attempt in outcome.attempts] == ["stale"]


def _calls(provider: Provider, request: FetchRequest) -> Sequence[ToolCall]:
    return [
        ToolCall(
            tool_call_id=f"tc_{number}",
            name=request.capability,
            arguments={},
            attempts=(),
            source=part.source,
            table=part.table,
            served_by=provider.name,
            fetched_at=part.fetched_at,
            duration_ms=0.0,
            body_sha256=part.body_sha256,
            rows=part.rows,
            labels=dict(part.labels),
            members=part.members,
        )
        for number, part in enumerate(provider.fetch(request), 1)
    ]
