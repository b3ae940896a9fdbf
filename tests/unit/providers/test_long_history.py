"""Who is asked first for a long history of many, and last for a page of one."""

from collections.abc import Iterator
from datetime import date

import pytest

from services.core.requests import BarsRequest
from services.market.calendar import Calendar
from services.providers.chain import Chain
from services.providers.eastmoney.provider import EastmoneyProvider
from services.providers.long_history import LongHistory
from services.providers.ohlcvault.provider import OhlcvaultProvider
from services.settings import LIVE_CHAINS, LONG_HISTORY
from tests.fakes.eastmoney_growing import Growing
from tests.fakes.ohlcvault import Ohlcvault
from tests.fakes.server import World
from tests.fakes.wired import NOW, kit_at

LONG = BarsRequest(symbol="600519.SH", start=date(2025, 4, 1), end=NOW.date())
SHORT = LONG.model_copy(update={"start": date(2026, 10, 1)})


@pytest.fixture
def vault() -> Ohlcvault:
    return Ohlcvault()


@pytest.fixture
def world(vault: Ohlcvault) -> Iterator[World]:
    with World(Growing(NOW), vault) as made:
        yield made


def chain(world: World, *, asks: bool = False) -> Chain:
    kit = kit_at(world, NOW, API_TIMEOUT="5")
    sources = {"eastmoney": EastmoneyProvider(kit), "ohlcvault": OhlcvaultProvider(kit)}
    first = LongHistory(LONG_HISTORY, Calendar().last_complete_session, asks=asks)
    chains = {"daily_bars": tuple(sources)}
    return Chain(sources, chains, kit.clock, long_history=first)


def test_it_is_the_last_of_a_pages_chain() -> None:
    assert LIVE_CHAINS["daily_bars"][-1] == LONG_HISTORY


def test_a_page_asks_it_last_and_holds_no_figure_against_it(world: World, vault: Ohlcvault) -> None:
    asking = chain(world)
    found = asking.ask(LONG)
    assert found.provider == "eastmoney"
    assert asking.second(LONG, found.attempts) is None
    assert not vault.asked
    world.services["eastmoney"].fault = "forbidden"
    assert asking.ask(SHORT).provider == "ohlcvault"


def test_who_pulls_or_freezes_asks_it_first_for_long_histories_alone(world: World) -> None:
    assert chain(world).pull(LONG).provider == "ohlcvault"
    assert chain(world).pull(SHORT).provider == "eastmoney"
    assert chain(world, asks=True).ask(LONG).provider == "ohlcvault"
    abroad = LONG.model_copy(update={"symbol": "00700.HK"})
    assert chain(world).pull(abroad).provider == "eastmoney"


def test_a_snapshot_without_the_newest_session_waits_for_its_turn(
    world: World, vault: Ohlcvault
) -> None:
    vault.last = date(2026, 11, 19)
    found = chain(world).pull(LONG)
    assert found.provider == "eastmoney"
    told = [(one.provider, one.error) for one in found.attempts]
    assert told == [("ohlcvault", "NotCoveredError"), ("eastmoney", None)]
    assert "2026-11-19" in (found.attempts[0].message or "")
    world.services["eastmoney"].fault = "forbidden"
    late = chain(world).pull(LONG)
    assert late.provider == "ohlcvault"
    assert max(row.as_of for row in late.fetched[0].rows) == date(2026, 11, 19)


def test_a_vault_out_of_order_leaves_the_others_as_they_are(world: World, vault: Ohlcvault) -> None:
    vault.fault = "broken"
    found = chain(world).pull(LONG)
    assert found.provider == "eastmoney"
    assert found.error is None
