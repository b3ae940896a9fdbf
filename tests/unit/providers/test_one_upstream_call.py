"""Two processes' worth of threads that ask the same at once: one call reaches the source."""

import threading
from collections.abc import Iterator
from datetime import datetime

import pytest

from services.core.clock import BEIJING, FixedClock
from services.core.requests import BarsRequest, FetchRequest, SpotRequest
from services.market.calendar import Calendar
from services.market.freshness import expiry
from services.providers.chain import Chain, RequestOutcome
from services.providers.eastmoney.provider import EastmoneyProvider
from services.providers.response_cache import Keeper
from services.store.database import Database
from services.store.fetches import Fetches
from tests.fakes.eastmoney import Eastmoney
from tests.fakes.server import World
from tests.fakes.wired import kit_at

MORNING = datetime(2026, 11, 20, 10, 0, tzinfo=BEIJING)
THREADS = 32


@pytest.fixture
def upstream() -> Eastmoney:
    made = Eastmoney()
    made.now = MORNING
    return made


@pytest.fixture
def world(upstream: Eastmoney) -> Iterator[World]:
    with World(upstream) as made:
        yield made


def asked_at_once(chain: Chain, request: FetchRequest) -> list[RequestOutcome]:
    barrier, found = threading.Barrier(THREADS), list[RequestOutcome]()

    def ask() -> None:
        barrier.wait()
        found.append(chain.ask(request))

    threads = [threading.Thread(target=ask) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.parametrize(
    "request_",
    [SpotRequest(symbol="600519.SH"), BarsRequest(symbol="600519.SH")],
    ids=["spot", "bars"],
)
def test_thirty_two_threads_cause_one_upstream_call(
    world: World, upstream: Eastmoney, request_: FetchRequest
) -> None:
    database = Database(":memory:")
    kit = kit_at(world, MORNING, API_TIMEOUT="5")
    keeper = Keeper(Fetches(database), expiry(Calendar()), kit.clock)
    provider = EastmoneyProvider(kit)
    chains = {"spot": ("eastmoney",), "daily_bars": ("eastmoney",)}
    chain = Chain({"eastmoney": provider}, chains, FixedClock(MORNING), keeper=keeper)
    found = asked_at_once(chain, request_)
    assert len(found) == THREADS
    assert {outcome.error for outcome in found} == {None}
    assert len({outcome.fetched[0].rows for outcome in found}) == 1
    assert len(upstream.asked) == 1
    database.close()
