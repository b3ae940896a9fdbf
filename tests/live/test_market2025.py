"""A whole recorded day, end to end: sync, names, screens, scores and freeze of a real market."""

import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from services.container import Services, SystemClock, build_services
from services.core.claims import Claim
from services.core.requests import UniverseRequest, ValuationRequest
from services.market.screener import ScreenResult, screen, screen_request
from services.providers.frozen import Recording
from services.settings import load_settings
from services.workbench.desk import Desk
from services.workbench.freeze import FreezeChoice, freeze
from tests.fakes.market2025 import LISTS, Market2025, there, wide
from tests.fakes.server import World

pytestmark = [pytest.mark.thorough, there]

CLOSED = "2025-12-18T17:30:00"
OCTOBER = "2025-10-17T17:30:00"
FIELDS = ("pettm", "pelyr", "pb", "dy_l", "pct", "market_cap", "netprofit", "total_revenue")


def environ(world: World, now: str, chains: str) -> dict[str, str]:
    return {
        "YOUJU_MODE": "live",
        "YOUJU_CLOCK": f"{now}+08:00",
        "YOUJU_STORE": ":memory:",
        "YOUJU_CHAINS": chains,
        "TUSHARE_TOKEN": "a-token",
        "API_PACE": "0",
        "API_TIMEOUT": "20",
        "API_ATTEMPTS": "1",
        "YOUJU_LOG": "off",
        **world.environment(),
    }


@pytest.fixture(scope="module")
def player() -> Market2025:
    return Market2025(CLOSED)


@pytest.fixture(scope="module")
def world(player: Market2025) -> Iterator[World]:
    with World(player) as running:
        yield running


@pytest.fixture(scope="module")
def recording() -> Recording:
    return Recording()


@pytest.fixture(scope="module")
def youju(world: World, recording: Recording) -> Iterator[Services]:
    """The market of 2025-12-18, pulled whole from Tushare."""
    chains = "universe:tushare;screen:market_copy;valuation:tushare;daily_bars:tushare"
    settings = load_settings(environ(world, CLOSED, chains))
    services = build_services(settings, recording=recording)
    done = services.sync.run("CN", ("universe", "reports"))
    # It has no reports of all companies: nothing of the kind is there, and nothing failed.
    assert not done.failures
    assert done.pulled == {"universe": 1}
    yield services
    services.close()


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    """What the screens must say, computed from the files alone."""
    basic = wide("daily_basic").set_index("symbol")
    daily = wide("daily").set_index("symbol")
    numbers = basic.drop(columns=["_name", "_industry", "_as_of", "place"]).astype(float)
    found = pd.DataFrame(
        {
            "pettm": numbers.pe_ttm,
            "pelyr": numbers.pe,
            "pb": numbers.pb,
            "dy_l": numbers.dv_ttm,
            "pct": daily.pct_chg.astype(float),
            "market_cap": numbers.total_mv * 1e4,
            "netprofit": numbers.total_mv * 1e4 / numbers.pe,
            "total_revenue": numbers.total_mv * 1e4 / numbers.ps_ttm,
        }
    )
    # Shares in foreign money are no part of the mainland's companies here.
    return found[~found.index.str.startswith(("900", "200"))]


def screened(youju: Services, **arguments: object) -> ScreenResult:
    request = screen_request({"category": "CN", **arguments})
    return youju.runner.run(
        "screen", {}, lambda ledger: screen(ledger, request), session_id="s"
    ).output


def test_the_whole_market_is_in_the_copy(youju: Services, table: pd.DataFrame) -> None:
    basic = wide("daily_basic")
    assert len(basic) == 5449
    outcome = youju.chain.pull(UniverseRequest(market="CN"))
    caps = {fact.symbol for part in outcome.fetched for fact in part.rows if fact.metric == "pb"}
    assert len(caps) == int(basic.pb.notna().sum())
    everyone = screened(youju, market_cap="1_max", size=1)
    assert everyone.match_count.value == len(table)


@pytest.mark.parametrize("seed", range(12))
def test_a_screen_is_what_pandas_says(youju: Services, table: pd.DataFrame, seed: int) -> None:
    draw = random.Random(seed)
    arguments: dict[str, object] = {}
    mask = pd.Series(data=True, index=table.index)
    for field in draw.sample(FIELDS, draw.randint(1, 3)):
        low, high = sorted(table[field].quantile(draw.uniform(0.05, 0.95)) for _ in range(2))
        low, high = float(f"{low:.4g}"), float(f"{high:.4g}")
        if low == high:
            continue
        arguments[field] = f"{low:.15g}_{high:.15g}"
        mask &= (table[field] >= low) & (table[field] < high)
    order = draw.choice(FIELDS)
    found = screened(youju, **arguments, order_by=order, order="desc", size=20)
    chosen = table[mask]
    assert found.match_count.value == len(chosen)
    best = chosen[order].sort_values(ascending=False)
    shown = [row.figures[order] for row in found.rows] if chosen[order].notna().any() else []
    values = [one.value for one in shown if isinstance(one, Claim)]
    expected = best.dropna().to_numpy()[: len(values)]
    assert np.allclose(values, expected, rtol=1e-9)


def test_names_of_every_board_resolve(youju: Services) -> None:
    basic = wide("stock_basic")
    for head, count in (("920", 40), ("688", 40), ("301", 40), ("689009", 1)):
        rows = basic[basic.symbol.str.startswith(head)].head(count)
        assert len(rows) == count
        for row in rows.itertuples():
            assert youju.names.resolve(str(row.symbol).partition(".")[0]).value == row.symbol
            assert youju.names.name(str(row.symbol)) == row.name
    assert youju.names.resolve("九号公司").value == "689009.SH"


def test_a_figure_is_cited_to_the_played_source(youju: Services) -> None:
    outcome = youju.chain.ask(ValuationRequest(symbol="600519.SH"))
    (part,) = outcome.fetched
    told = {fact.metric: fact.value for fact in part.rows}
    assert (part.source, part.table) == ("tushare", "daily_basic")
    assert told["pe_ttm"] == 19.905
    assert {fact.as_of for fact in part.rows} == {date(2025, 12, 18)}


def test_columns_nobody_knows_break_nothing(
    youju: Services, player: Market2025, world: World
) -> None:
    before = youju.chain.pull(UniverseRequest(market="CN")).fetched[0].rows
    player.more_columns = True
    try:
        assert youju.chain.pull(UniverseRequest(market="CN")).fetched[0].rows == before
    finally:
        player.more_columns = False


def test_a_limit_is_told_and_the_next_source_asked(player: Market2025, world: World) -> None:
    services = build_services(
        load_settings(environ(world, CLOSED, "universe:tushare>eastmoney;screen:market_copy"))
    )
    player.limit_after = 1
    try:
        outcome = services.chain.pull(UniverseRequest(market="CN"))
    finally:
        player.limit_after = None
        services.close()
    first = outcome.attempts[0]
    assert (first.provider, first.error) == ("tushare", "RateLimitError")
    assert outcome.provider == "eastmoney"


@pytest.mark.parametrize(("source", "market"), [("eastmoney", m) for m in ("CN", "HK", "US")])
def test_the_lists_of_october_are_read_without_those_that_left(source: str, market: str) -> None:
    player = Market2025(OCTOBER)
    with World(player) as world:
        services = build_services(load_settings(environ(world, OCTOBER, f"universe:{source}")))
        outcome = services.chain.pull(UniverseRequest(market=market))  # pyright: ignore
        services.close()
    assert outcome.error is None, outcome.error
    (part,) = outcome.fetched
    named = {"CN": 5445, "HK": 4564, "US": 12400}
    assert len(part.labels) >= named[market] * 0.5
    closes = [fact for fact in part.rows if fact.metric == "close"]
    prices = wide(LISTS[market]).set_index("symbol")["最新价"].dropna().astype(float)
    priced = prices[~prices.index.duplicated()].to_dict()
    assert all(priced[fact.symbol] == fact.value for fact in closes if fact.symbol != "PC")


def test_a_company_of_the_day_opens_with_its_figures(youju: Services) -> None:
    view = Desk(youju).stock("600519.SH", None, None, "reader")
    assert str(view.name.zh) == "贵州茅台"
    assert view.claims


def test_the_day_is_frozen_and_opens_on_an_empty_store(
    youju: Services, recording: Recording, tmp_path: Path
) -> None:
    folder = tmp_path / "day"
    choice = FreezeChoice("symbols", ("600519.SH", "689009.SH"), windows=())
    done = freeze(youju, recording, choice, folder, name="day", version="test", real=SystemClock())
    assert done.manifest.clock == youju.clock.now()
    given = {"YOUJU_STORE": ":memory:", "YOUJU_SNAPSHOT": str(folder)}
    loaded = build_services(load_settings(given))
    try:
        before = Desk(youju).stock("600519.SH", None, None, "reader")
        after = Desk(loaded).stock("600519.SH", None, None, "reader")
        pairs = [
            {(c.metric, c.value) for c in view.claims.values() if c.metric in {"pe_ttm", "pb"}}
            for view in (before, after)
        ]
        assert pairs[0] == pairs[1]
        assert pairs[0]
    finally:
        loaded.close()
    assert timedelta(0) == done.manifest.clock - youju.clock.now()
