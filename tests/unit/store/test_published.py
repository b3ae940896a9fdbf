"""Market data of several replicas: one publishes, all follow, nobody sees half of anything."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import date, timedelta
from pathlib import Path

import pytest

from services.core.errors import StoreError
from services.store import copy_answers
from services.store.database import Database
from services.store.market_copy import MarketCopy
from services.store.published import PublishedCopy, adopt, publish
from services.store.shelf import Shelf
from tests.unit.market.copied import dump
from tests.unit.store.test_market_copy import DAY, NOW, A, B, fact, listed, mark, pulled

BARS = (("open", 10.0), ("high", 12.0), ("low", 9.0), ("close", 11.0))


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "shared")


@pytest.fixture
def databases() -> Iterator[Callable[[], Database]]:
    with ExitStack() as opened:

        def make() -> Database:
            made = Database(":memory:")
            opened.callback(made.close)
            return made

        yield make


@pytest.fixture
def source(databases: Callable[[], Database]) -> MarketCopy:
    """What the one that syncs has: two companies and the bars of one."""
    copy = MarketCopy(databases())
    listed(copy, fact(A, "market_cap", 5e9), fact(B, "market_cap", 6e9))
    days = [DAY - timedelta(days=number) for number in (1, 0)]
    rows = [fact(A, metric, price, as_of=day) for day in days for metric, price in BARS]
    copy.keep_bars(mark("bars", A)._replace(first=date(2026, 1, 1)), [pulled(*rows)], None)
    return copy


@pytest.fixture
def replicas(
    databases: Callable[[], Database], shelf: Shelf
) -> tuple[list[PublishedCopy], list[int]]:
    """Three of them, and which were told that something new is there."""
    told: list[int] = []
    made = [
        PublishedCopy(databases(), shelf, lambda number=number: told.append(number))
        for number in range(3)
    ]
    return made, told


def caps(copy: MarketCopy) -> dict[str, float]:
    if copy.mark("CN:universe") is None:
        return {}
    with copy.open_reading() as cursor:
        found = cursor.execute("SELECT symbol, market_cap FROM copy.wide_cn").fetchall()
    return {str(row[0]): float(row[1]) for row in found}


def test_three_replicas_follow_what_one_publishes(
    source: MarketCopy, replicas: tuple[list[PublishedCopy], list[int]], shelf: Shelf
) -> None:
    made, told = replicas
    assert [caps(one) for one in made] == [{}, {}, {}]
    first = publish(source, shelf, None)
    assert [caps(one) for one in made] == [{A: 5e9, B: 6e9}] * 3
    assert sorted(told) == [0, 1, 2]
    listed(source, fact(A, "market_cap", 7e9))
    second = publish(source, shelf, first)
    assert shelf.version() == second
    assert [caps(one) for one in made] == [{A: 7e9}] * 3
    assert [row.symbol for row in made[0].names("CN")] == [A]


def test_bars_come_in_the_order_they_were_kept_in(
    source: MarketCopy, replicas: tuple[list[PublishedCopy], list[int]], shelf: Shelf
) -> None:
    publish(source, shelf, None)
    with source.open_reading() as ours, replicas[0][0].open_reading() as theirs:
        expected = copy_answers.bars(ours, A, None, None)
        assert copy_answers.bars(theirs, A, None, None) == expected
    assert [row.fact.metric for row in expected[:4]] == [metric for metric, _ in BARS]
    assert replicas[0][0].holds_bars(A, DAY, NOW)


def test_what_is_being_read_stays_as_it_was(
    source: MarketCopy, replicas: tuple[list[PublishedCopy], list[int]], shelf: Shelf
) -> None:
    copy = replicas[0][0]
    first = publish(source, shelf, None)
    sql = "SELECT market_cap FROM copy.wide_cn WHERE symbol = ?"
    with copy.open_reading() as cursor:
        assert cursor.execute(sql, [A]).fetchall() == [(5e9,)]
        listed(source, fact(A, "market_cap", 7e9))
        publish(source, shelf, first)
        assert caps(copy) == {A: 7e9}
        assert cursor.execute(sql, [A]).fetchall() == [(5e9,)]


def test_what_was_written_but_not_pointed_to_is_seen_by_nobody(
    source: MarketCopy, replicas: tuple[list[PublishedCopy], list[int]], shelf: Shelf
) -> None:
    first = publish(source, shelf, None)
    listed(source, fact(A, "market_cap", 7e9))
    publish(source, shelf, first)
    # As a process leaves it that is killed before its last step.
    (shelf.folder / "current").write_text(first, "utf-8")
    assert caps(replicas[0][0]) == {A: 5e9, B: 6e9}


def test_one_that_was_overtaken_publishes_nothing(source: MarketCopy, shelf: Shelf) -> None:
    first = publish(source, shelf, None)
    second = publish(source, shelf, first)
    with pytest.raises(StoreError, match="another process has published"):
        publish(source, shelf, first)
    assert shelf.version() == second


def test_another_goes_on_from_what_was_published(
    source: MarketCopy, databases: Callable[[], Database], shelf: Shelf
) -> None:
    database = databases()
    copy = MarketCopy(database)
    adopt(copy, database, shelf, publish(source, shelf, None))
    assert dump(database) == dump(source._database)
    listed(copy, fact(A, "market_cap", 8e9))
    assert caps(copy) == {A: 8e9}


def test_a_replica_keeps_nothing_itself_and_old_versions_go(
    source: MarketCopy, replicas: tuple[list[PublishedCopy], list[int]], shelf: Shelf
) -> None:
    assert not replicas[0][0].writable
    version = None
    for _ in range(5):
        version = publish(source, shelf, version)
    assert len([one for one in shelf.folder.iterdir() if one.is_dir()]) == 3


def test_a_version_of_another_release_is_not_read(
    source: MarketCopy, replicas: tuple[list[PublishedCopy], list[int]], shelf: Shelf
) -> None:
    database = source._database
    with database.transaction() as cursor:
        cursor.execute("UPDATE copy.layout SET version = version + 1")
    publish(source, shelf, None)
    assert caps(replicas[0][0]) == {}


def test_a_folder_that_cannot_be_written_is_said(source: MarketCopy, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be written"):
        publish(source, Shelf(tmp_path / "file"), None)
