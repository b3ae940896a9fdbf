"""The chain with a memory: kept answers, pauses, one flight a question, what was known before."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest

from services.core.errors import (
    ChangedError,
    ConfigError,
    DeniedError,
    NoDataError,
    RateLimitError,
    UnavailableError,
    YoujuError,
)
from services.core.requests import BarsRequest, FetchRequest, SpotRequest
from services.core.text import Text
from services.core.trace import Fact, Item
from services.providers.base import Fetched
from services.providers.chain import Chain
from services.providers.circuit import FAILURES
from services.providers.health import Health
from services.providers.response_cache import Keeper
from services.providers.retry import errand
from services.store.database import Database
from services.store.fetches import Fetches
from services.store.source_health import SourceRecords

START = datetime(2026, 11, 20, 2, 0, tzinfo=UTC)
REQUEST = SpotRequest(symbol="600519.SH")


class Hand:
    """A clock the test moves."""

    def __init__(self) -> None:
        self.at = START

    def now(self) -> datetime:
        return self.at


class Source:
    """A provider that does what the test says."""

    capabilities = frozenset({"spot"})

    def __init__(self, name: str, clock: Hand, answer: Callable[[], float | YoujuError]) -> None:
        self.name = name
        self.clock = clock
        self.answer = answer
        self.asked = 0

    def covers(self, request: FetchRequest) -> bool:
        return True

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        self.asked += 1
        found = self.answer()
        if isinstance(found, YoujuError):
            raise found
        price = Fact(
            symbol="600519.SH",
            metric="current_price",
            value=found,
            unit="CNY",
            as_of=date(2026, 11, 20),
            field="f43",
            raw=str(found),
        )
        told = Item(item_id="news:1", kind="news", title="一条快讯")
        return (Fetched(self.name, "spot", (price,), self.clock.now(), "0" * 64, items=(told,)),)


class BarsSource(Source):
    """A close for each of three days."""

    capabilities = frozenset({"daily_bars"})

    def __init__(self, name: str, clock: Hand) -> None:
        super().__init__(name, clock, lambda: 1500.0)
        self.down = False

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        if self.down:
            raise UnavailableError(self.name, "kline", "cannot be reached")
        closes = [
            Fact(
                symbol="600519.SH",
                metric="close",
                value=1500.0,
                unit="CNY",
                as_of=date(2026, 11, day),
                field="close",
            )
            for day in (18, 19, 20)
        ]
        return (Fetched(self.name, "kline", tuple(closes), self.clock.now(), "0" * 64),)


@pytest.fixture
def database() -> Iterator[Database]:
    store = Database(":memory:")
    yield store
    store.close()


@pytest.fixture
def clock() -> Hand:
    return Hand()


def chained(database: Database, clock: Hand, *sources: Source, capability: str = "spot") -> Chain:
    def expiry(_request: object, _parts: object, now: datetime) -> datetime:
        return now + timedelta(seconds=15)

    names = {source.name: source for source in sources}
    return Chain(
        names,
        {capability: tuple(names)},
        clock,
        keeper=Keeper(Fetches(database), expiry, clock),
        health=Health(clock, SourceRecords(database)),
        deadline_s=5,
    )


def test_within_its_time_to_live_an_answer_is_served_again_with_its_own_time(
    database: Database, clock: Hand
) -> None:
    source = Source("a", clock, lambda: 1500.0)
    chain = chained(database, clock, source)
    first = chain.ask(REQUEST)
    clock.at += timedelta(seconds=14)
    second = chain.ask(REQUEST)
    assert source.asked == 1
    assert second.fetched == first.fetched
    assert second.fetched[0].fetched_at == START
    assert [(a.provider, a.cached) for a in second.attempts] == [("a", "fresh")]
    clock.at += timedelta(seconds=2)
    chain.ask(REQUEST)
    assert source.asked == 2


def test_when_every_source_fails_what_was_known_is_served_with_its_age(
    database: Database, clock: Hand
) -> None:
    source = Source("a", clock, lambda: 1500.0)
    chain = chained(database, clock, source)
    chain.ask(REQUEST)
    source.answer = lambda: UnavailableError("a", "spot", "no answer within 8 s")
    clock.at += timedelta(hours=3)
    outcome = chain.ask(REQUEST)
    assert outcome.error is None
    assert outcome.fetched[0].fetched_at == START
    assert [(a.error, a.cached) for a in outcome.attempts] == [
        ("UnavailableError", None),
        (None, "stale"),
    ]


def test_bars_asked_up_to_another_day_are_served_from_what_was_known(
    database: Database, clock: Hand
) -> None:
    source = BarsSource("a", clock)
    chain = chained(database, clock, source, capability="daily_bars")
    chain.ask(BarsRequest(symbol="600519.SH", start=date(2026, 11, 1), end=date(2026, 11, 20)))
    source.down = True
    clock.at += timedelta(days=1)
    later = BarsRequest(symbol="600519.SH", start=date(2026, 11, 19), end=date(2026, 11, 21))
    outcome = chain.ask(later)
    assert [fact.as_of.day for fact in outcome.fetched[0].rows] == [19, 20]
    assert (outcome.attempts[-1].cached, outcome.fetched[0].fetched_at) == ("stale", START)
    other = later.model_copy(update={"symbol": "000001.SZ"})
    assert isinstance(chain.ask(other).error, UnavailableError)


def test_a_source_nobody_left_time_for_is_not_blamed(database: Database, clock: Hand) -> None:
    second = Source("second", clock, lambda: 1500.0)
    chain = chained(database, clock, second)
    with errand(0.0):
        outcome = chain.ask(REQUEST)
    assert (outcome.attempts[-1].message or "").endswith("no time was left to ask it")
    assert (second.asked, chain.health.of("second").failures) == (0, 0)


def test_what_is_on_this_machine_is_asked_though_no_time_is_left(
    database: Database, clock: Hand
) -> None:
    bundled = Source("snapshot", clock, lambda: 1500.0)
    slow = Source("slow", clock, lambda: UnavailableError("slow", "spot", "no answer in time"))
    chain = chained(database, clock, slow, bundled)
    with errand(0.0):
        outcome = chain.ask(REQUEST)
    assert (outcome.error, outcome.provider) == (None, "snapshot")
    assert (slow.asked, bundled.asked) == (0, 1)


def test_no_data_is_never_papered_over_with_an_old_answer(database: Database, clock: Hand) -> None:
    source = Source("a", clock, lambda: 1500.0)
    chain = chained(database, clock, source)
    chain.ask(REQUEST)
    source.answer = lambda: NoDataError("spot 600519.SH", Text("停牌", "suspended"))
    clock.at += timedelta(hours=3)
    assert isinstance(chain.ask(REQUEST).error, NoDataError)


def test_a_failure_leaves_nothing_behind_to_be_served(database: Database, clock: Hand) -> None:
    source = Source("a", clock, lambda: ChangedError("a", "spot", "no column f43"))
    chain = chained(database, clock, source)
    assert isinstance(chain.ask(REQUEST).error, ChangedError)
    source.answer = lambda: 1500.0
    clock.at += timedelta(minutes=2)
    outcome = chain.ask(REQUEST)
    assert (outcome.error, outcome.attempts[-1].cached) == (None, None)


def test_after_failures_in_a_row_a_source_is_left_alone_until_a_named_time(
    database: Database, clock: Hand
) -> None:
    down = Source("down", clock, lambda: UnavailableError("down", "spot", "cannot be reached"))
    other = Source("other", clock, lambda: 1500.0)
    chain = chained(database, clock, down, other)
    for _ in range(FAILURES + 2):
        clock.at += timedelta(seconds=16)
        last = chain.ask(REQUEST)
    assert down.asked == FAILURES
    assert last.provider == "other"
    until = START + timedelta(seconds=16 * FAILURES + 60)
    assert f"left alone until {until:%H:%M:%S} (cannot be reached)" in (
        last.attempts[0].message or ""
    )
    clock.at = until + timedelta(seconds=1)
    down.answer = lambda: 1501.0
    assert chain.ask(REQUEST).provider == "down"
    assert chain.circuits.all_open() == {}


@pytest.mark.parametrize(
    ("error", "pause"),
    [
        (RateLimitError("a", "spot", "429", retry_after_s=120), 120),
        (RateLimitError("a", "spot", "429"), 60),
        (DeniedError("a", "spot", "token"), 300),
    ],
)
def test_a_source_that_says_no_is_not_asked_again_at_once(
    database: Database, clock: Hand, error: YoujuError, pause: int
) -> None:
    source = Source("a", clock, lambda: error)
    chain = chained(database, clock, source)
    chain.ask(REQUEST)
    clock.at += timedelta(seconds=pause - 1)
    chain.ask(REQUEST)
    assert source.asked == 1
    clock.at += timedelta(seconds=2)
    chain.ask(REQUEST)
    assert source.asked == 2


def test_all_who_ask_the_same_while_it_is_asked_share_one_flight(
    database: Database, clock: Hand
) -> None:
    arrived, go = threading.Barrier(17), threading.Event()

    def slow() -> float:
        go.wait(60)
        return 1500.0

    source = Source("a", clock, slow)
    chain = chained(database, clock, source)

    def ask() -> float:
        arrived.wait(60)
        return chain.ask(REQUEST).fetched[0].rows[0].value

    with ThreadPoolExecutor(16) as pool:
        asking = [pool.submit(ask) for _ in range(16)]
        arrived.wait(60)
        go.set()
        assert {one.result() for one in asking} == {1500.0}
    assert source.asked == 1


def test_a_second_opinion_comes_from_a_source_not_asked_yet(
    database: Database, clock: Hand
) -> None:
    down = Source("down", clock, lambda: UnavailableError("down", "spot", "timed out"))
    sources = [Source(name, clock, lambda: 1500.0) for name in ("b", "c")]
    chain = chained(database, clock, down, *sources)
    first = chain.ask(REQUEST)
    second = chain.second(REQUEST, first.attempts)
    assert (first.provider, second and second.provider, down.asked) == ("b", "c", 1)
    assert second is not None
    assert chain.second(REQUEST, (*first.attempts, *second.attempts)) is None


def test_how_a_source_has_been_doing_outlives_the_process(database: Database, clock: Hand) -> None:
    source = Source("a", clock, lambda: 1500.0)
    chain = chained(database, clock, source)
    chain.ask(REQUEST)
    chain.ask(REQUEST)
    source.answer = lambda: UnavailableError("a", "quote", "timed out")
    clock.at += timedelta(minutes=1)
    chain.ask(REQUEST)
    found = Health(clock, SourceRecords(database)).of("a")
    assert (found.calls, found.failures, found.cache_hits) == (2, 1, 1)
    assert (found.last_success_at, found.last_error_at) == (START, clock.at)
    assert (found.last_error, found.last_message) == ("UnavailableError", "quote: timed out")
    assert found.ailing


def test_a_capability_without_a_configured_source_names_the_variable(clock: Hand) -> None:
    chain = Chain({}, {}, clock, wanting={"spot": "IQS_API_KEY | SEARXNG_URL"})
    error = chain.ask(REQUEST).error
    assert isinstance(error, ConfigError)
    assert error.variable == "IQS_API_KEY | SEARXNG_URL"
