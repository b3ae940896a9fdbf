"""Answers as they came, found again by what was asked and since when."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from services.store.database import Database
from services.store.fetches import FetchedPart, Fetches, FetchKey
from services.store.row_sets import RowSet
from services.store.runs import Runs
from tests.unit.store.samples import NOW, call_of, run_of

KEY = FetchKey("snapshot", "valuation", {"symbol": "600519.SH", "说明": "茅台"})


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(str(tmp_path / "youju.duckdb"))


def _part(seed: int, *, at: datetime = NOW, expires: datetime | None = None) -> FetchedPart:
    call = call_of("tc", seed)
    return FetchedPart(
        source=f"source_{seed}",
        table="stock_code_CN",
        fetched_at=at,
        expires_at=expires,
        body_sha256=f"{seed:064x}",
        contents=RowSet(rows=call.rows, labels=call.labels, gaps=call.gaps),
    )


def test_an_answer_of_two_sources_comes_back_whole_and_in_order(database: Database) -> None:
    fetches = Fetches(database)
    parts = (_part(2, expires=NOW + timedelta(minutes=5)), _part(1))
    name = fetches.save(KEY, parts)
    found = fetches.latest(KEY, not_before=NOW)
    assert found is not None
    assert found == fetches.load(name)
    assert found.parts == parts
    assert FetchKey(found.provider, found.capability, found.arguments) == KEY
    assert found.parts[0].fetched_at.tzinfo is UTC


def test_the_newest_answer_wins_and_an_old_one_does_not_count(database: Database) -> None:
    fetches = Fetches(database)
    for minutes in (10, 30, 20):
        fetches.save(KEY, (_part(minutes, at=NOW + timedelta(minutes=minutes)),))
    found = fetches.latest(KEY, not_before=NOW)
    assert found is not None
    assert found.parts[0].source == "source_30"
    assert fetches.latest(KEY, not_before=NOW + timedelta(minutes=31)) is None


def test_of_two_answers_of_one_instant_the_later_written_wins(database: Database) -> None:
    fetches = Fetches(database)
    for seed in range(8):
        fetches.save(KEY, (_part(seed),))
    found = fetches.latest(KEY, not_before=NOW)
    assert found is not None
    assert found.parts[0].source == "source_7"


def test_the_question_is_the_same_whatever_the_order_of_its_arguments(database: Database) -> None:
    fetches = Fetches(database)
    fetches.save(FetchKey("a", "screen", {"x": 1, "y": [1, 2]}), (_part(1),))
    assert fetches.latest(FetchKey("a", "screen", {"y": [1, 2], "x": 1}), not_before=NOW)
    for other in (
        FetchKey("b", "screen", {"x": 1, "y": [1, 2]}),
        FetchKey("a", "peers", {"x": 1, "y": [1, 2]}),
        FetchKey("a", "screen", {"x": 1, "y": [2, 1]}),
        FetchKey("a", "screen", {"x": 1}),
    ):
        assert fetches.latest(other, not_before=NOW) is None
    assert fetches.load("f_none") is None


def test_rows_of_a_fetch_and_of_the_call_made_from_it_are_stored_once(database: Database) -> None:
    made = run_of(1, calls=1)
    call = made.calls[0]
    contents = RowSet(rows=call.rows, labels=call.labels, gaps=call.gaps)
    Fetches(database).save(KEY, (_part(1).model_copy(update={"contents": contents}),))
    Runs(database).save(made.run, made.calls, made.claims)
    with database.cursor() as cursor:
        assert cursor.execute("select count(*) from row_sets").fetchone() == (1,)


def test_nothing_but_saving_and_reading_is_offered() -> None:
    offered = {name for name in dir(Fetches) if not name.startswith("_")}
    assert offered == {"save", "latest", "latest_about", "load"}
