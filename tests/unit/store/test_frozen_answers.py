"""Recorded answers come back as they were; one from after the clock is refused."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest

from services.core.clock import BEIJING
from services.core.errors import (
    ConfigError,
    NoDataError,
    NotCoveredError,
    PausedError,
    RateLimitError,
    StoreError,
    YoujuError,
)
from services.core.requests import BarsRequest, FetchRequest, PostsRequest, ValuationRequest
from services.core.text import Text
from services.core.trace import Attempt, Item
from services.providers.base import Fetched
from services.providers.chain import RequestOutcome
from services.providers.frozen import outcome_of, store_answer
from services.store.database import Database
from services.store.fetches import FetchedPart, Fetches, FetchKey
from services.store.frozen import ManifestHead, make_name_parts, write_frozen
from services.store.frozen_answers import FrozenAnswer, FrozenAnswers, answers_part, request_text
from services.store.kept_answers import list_kept_answers
from services.store.market_load import load_market
from services.store.row_sets import RowSet
from services.store.snapshot import FrozenScope, MadeFrom
from tests.unit.store.samples import NOW, call_of

CLOCK = datetime(2017, 7, 26, 18, 0, tzinfo=BEIJING)
HEAD = ManifestHead(
    "x", CLOCK, CLOCK, FrozenScope(kind="all", zh="全部", en="all"), MadeFrom(mode="live"), "1"
)
ATTEMPT = Attempt(provider="tushare", table="daily", started_at=NOW, duration_ms=0.0, message="好")


def _fetched(seed: int, at: datetime = NOW) -> Fetched:
    call = call_of("tc", seed)
    post = Item(item_id="post:1", kind="post", title="<b>标题</b>", text="=1+1", published_at=NOW)
    return Fetched(
        source="tushare",
        table="daily",
        rows=call.rows,
        fetched_at=at,
        body_sha256=f"{seed:064x}",
        labels=call.labels,
        gaps=call.gaps,
        items=(post,),
        stale=seed % 2 == 1,
    )


def _loaded(database: Database, folder: Path, answers: list[FrozenAnswer]) -> FrozenAnswers:
    contents = [*make_name_parts([], CLOCK.date()), answers_part(answers)]
    write_frozen(folder, HEAD, contents)
    load_market(database, folder)
    return FrozenAnswers(database)


@pytest.fixture
def database() -> Database:
    return Database(":memory:")


def test_an_answer_of_two_sources_comes_back_as_it_was(database: Database, tmp_path: Path) -> None:
    request = ValuationRequest(symbol="600519.SH")
    given = RequestOutcome((_fetched(2), _fetched(1)), "tushare", (ATTEMPT,))
    other = RequestOutcome((_fetched(4),), "xueqiu", (ATTEMPT,))
    answers = [store_answer("first", request, given), store_answer("second", request, other)]
    frozen = _loaded(database, tmp_path / "x", answers)
    key = (request.capability, request_text(request))
    first, second = frozen.find("first", *key), frozen.find("second", *key)
    assert first is not None
    assert second is not None
    assert outcome_of(first) == given
    assert outcome_of(second) == other
    assert frozen.find("first", "valuation", request_text(ValuationRequest(symbol="AAPL"))) is None


@pytest.mark.parametrize(
    "error",
    [
        NoDataError("notices 600519.SH", Text("没有公告", "no notices")),
        ConfigError("IQS_API_KEY", "not set"),
        NotCoveredError("tushare", "daily", "no US shares"),
        RateLimitError("xueqiu", "posts", "slow down", retry_after_s=3.5),
        PausedError("xueqiu", "posts", "left alone", until=NOW + timedelta(minutes=1)),
    ],
)
def test_a_failure_comes_back_with_its_words(
    database: Database, tmp_path: Path, error: YoujuError
) -> None:
    request = PostsRequest(symbol="600519.SH", order="new")
    stored = store_answer("first", request, RequestOutcome((), "xueqiu", (ATTEMPT,), error))
    frozen = _loaded(database, tmp_path / "x", [stored])
    found = frozen.find("first", "posts", request_text(request))
    assert found is not None
    back = outcome_of(found)
    assert type(back.error) is type(error)
    assert str(back.error) == str(error)
    assert vars(back.error or error) == vars(error)


def test_how_long_it_took_is_no_part_of_an_answer() -> None:
    request = ValuationRequest(symbol="600519.SH")
    slow = ATTEMPT.model_copy(update={"duration_ms": 812.5})
    one, other = (
        store_answer("first", request, RequestOutcome((_fetched(2),), "tushare", (attempt,)))
        for attempt in (slow, ATTEMPT)
    )
    assert answers_part([one]).table.equals(answers_part([other]).table)


def test_the_same_answers_are_the_same_bytes(tmp_path: Path) -> None:
    request = ValuationRequest(symbol="600519.SH")
    answers = [
        store_answer("first", request, RequestOutcome((_fetched(2),), "tushare", (ATTEMPT,)))
    ]
    for name in ("a", "b"):
        write_frozen(tmp_path / name, HEAD, [answers_part(answers)])
    one, other = (tmp_path / name / "answers.parquet" for name in ("a", "b"))
    assert one.read_bytes() == other.read_bytes()


def test_awkward_numbers_survive(database: Database, tmp_path: Path) -> None:
    request = ValuationRequest(symbol="600519.SH")
    rows = tuple(
        fact.model_copy(update={"value": value})
        for fact, value in zip(_fetched(2).rows, (5e-324, -0.0), strict=False)
    )
    part = replace(_fetched(2), rows=rows)
    stored = store_answer("first", request, RequestOutcome((part,), "tushare", (ATTEMPT,)))
    frozen = _loaded(database, tmp_path / "x", [stored])
    found = frozen.find("first", "valuation", request_text(request))
    assert found is not None
    values = [fact.value for fact in found.parts[0].contents.rows]
    assert values == [5e-324, 0.0]
    assert math.copysign(1, values[1]) == -1


def test_an_answer_from_after_the_clock_is_refused(database: Database, tmp_path: Path) -> None:
    late = _fetched(2, at=CLOCK + timedelta(seconds=1))
    request = ValuationRequest(symbol="600519.SH")
    stored = store_answer("first", request, RequestOutcome((late,), "tushare", (ATTEMPT,)))
    with pytest.raises(StoreError, match="after the snapshot's clock"):
        _loaded(database, tmp_path / "x", [stored])
    with database.cursor() as cursor:  # nothing of it was loaded
        tables = cursor.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'market'"
        ).fetchall()
    assert tables == []


def test_an_answers_part_of_another_shape_is_refused(database: Database, tmp_path: Path) -> None:
    part = replace(answers_part([]), table=pa.table({"position": [1]}))
    write_frozen(tmp_path / "x", HEAD, [*make_name_parts([], CLOCK.date()), part])
    with pytest.raises(StoreError, match=r"answers\.parquet"):
        load_market(database, tmp_path / "x")


def _keep(
    database: Database, request: FetchRequest, seed: int, at: datetime, by: str = "tushare"
) -> None:
    call = call_of("tc", seed)
    key = FetchKey(by, request.capability, request.model_dump(mode="json"))
    part = FetchedPart(
        source="tushare",
        table="daily",
        fetched_at=at,
        expires_at=at + timedelta(hours=1),
        body_sha256=f"{seed:064x}",
        contents=RowSet(rows=call.rows, labels=call.labels),
    )
    Fetches(database).save(key, (part,))


def test_of_what_is_kept_the_newest_known_at_the_clock_is_taken(database: Database) -> None:
    """Three at 08:00, 09:30 and 10:30 of one question: at 10:00 the one of 09:30 is known."""
    asked = BarsRequest(symbol="600519.SH", end=CLOCK.date())
    ten = datetime(2017, 7, 26, 10, 0, tzinfo=UTC)
    for seed, minutes in ((1, -120), (2, -30), (3, 30)):
        _keep(database, asked, seed, ten + timedelta(minutes=minutes))
    _keep(database, BarsRequest(symbol="AAPL"), 4, ten - timedelta(hours=3))
    chains = {"daily_bars": ("eastmoney", "tushare")}
    (mine,) = list_kept_answers(database, ten, {"600519.SH"}, chains)
    assert mine.parts[0].body_sha256 == f"{2:064x}"
    assert mine.request == request_text(asked)
    assert mine.provider == "tushare"
    assert mine.attempts[0].cached == "fresh"
    everything = list_kept_answers(database, ten, None, chains)
    assert [one.attempts[0].cached for one in everything] == ["stale", "fresh"]


def test_of_several_sources_the_first_of_the_chain_answers_and_the_next_checks(
    database: Database,
) -> None:
    """The newest is not the one that is asked first."""
    asked = BarsRequest(symbol="600519.SH")
    for seed, by in enumerate(("eastmoney", "tushare", "akshare")):
        _keep(database, asked, seed, NOW + timedelta(minutes=seed), by)
    chains = {"daily_bars": ("eastmoney", "tushare", "akshare")}
    first, second = list_kept_answers(database, NOW + timedelta(minutes=5), None, chains)
    assert (first.asked, first.provider) == ("first", "eastmoney")
    assert (second.asked, second.provider) == ("second", "tushare")
    (old,) = list_kept_answers(database, NOW + timedelta(hours=9), None, chains)
    assert (old.provider, old.attempts[0].cached) == ("akshare", "stale")
