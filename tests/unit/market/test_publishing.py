"""One process pulls the markets for all: what it publishes, and what takes over from it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.core.clock import FixedClock
from services.core.errors import UnavailableError
from services.market.publishing import Publisher
from services.market.sync import Sync
from services.store.database import Database
from services.store.published import PublishedCopy
from services.store.shelf import Shelf
from tests.fakes.eastmoney_growing import Growing
from tests.fakes.server import World
from tests.unit.market.copied import CALENDAR, FRIDAY, THURSDAY, copying

pytestmark = pytest.mark.thorough


@pytest.fixture
def upstream() -> Growing:
    return Growing(THURSDAY)


@pytest.fixture
def world(upstream: Growing) -> Iterator[World]:
    with World(upstream) as made:
        yield made


@pytest.fixture
def database() -> Iterator[Database]:
    made = Database(":memory:")
    yield made
    made.close()


def publisher(world: World, shelf: Shelf) -> Publisher:
    """One in a process of its own, with nothing in it."""
    database = Database(":memory:")
    chain = copying(world, database, FRIDAY).chain
    return Publisher(chain, CALENDAR, FixedClock(FRIDAY), database, shelf)


def test_what_is_good_already_is_neither_pulled_nor_published_again(
    world: World, upstream: Growing, tmp_path: Path, database: Database
) -> None:
    first = publisher(world, Shelf(tmp_path))
    pulled = first.run()
    version = Shelf(tmp_path).version()
    assert version is not None
    assert sum(sum(one.pulled.values()) for one in pulled) > 0
    replica = PublishedCopy(database, Shelf(tmp_path), lambda: None)
    assert replica.mark("CN:universe") is not None
    assert len(replica.names("CN")) > 0
    # Whoever takes over has what the first had, and asks no source for it.
    good = {one.market: one.good_already for one in first.run()}
    asked = len(upstream.asked)
    taken = publisher(world, Shelf(tmp_path)).run()
    assert len(upstream.asked) == asked
    assert {one.market: one.good_already for one in taken} == good
    assert sum(sum(one.pulled.values()) for one in taken) == 0
    assert Shelf(tmp_path).version() == version


def test_a_replica_pulls_nothing_itself(
    world: World, upstream: Growing, tmp_path: Path, database: Database
) -> None:
    made = copying(world, database, FRIDAY)
    replica = PublishedCopy(database, Shelf(tmp_path), lambda: None)
    sync = Sync(made.chain, replica, CALENDAR, FixedClock(FRIDAY))
    with pytest.raises(UnavailableError, match="a worker pulls it"):
        sync.refresh("CN")
    assert [one.task for one in sync.run("CN").failures] == ["CN:universe"]
    publisher(world, Shelf(tmp_path)).run()
    asked = len(upstream.asked)
    sync.refresh("CN")
    assert replica.mark("CN:universe") is not None
    assert len(upstream.asked) == asked > 0
