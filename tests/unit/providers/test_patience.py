"""A source that hangs: what was known stands in soon, and the answer is kept when it comes."""

import threading
from collections.abc import Iterator
from contextvars import copy_context
from datetime import timedelta

import pytest

from services.core.hurry import hurried, unhurried
from services.providers.chain import Chain
from services.providers.patience import Patience
from services.store.database import Database
from tests.unit.providers.test_chain_live import REQUEST, START, Hand, Source, chained
from tests.waiting import ENOUGH_S


@pytest.fixture
def database() -> Iterator[Database]:
    store = Database(":memory:")
    yield store
    store.close()


@pytest.fixture(autouse=True)
def _reader() -> Iterator[None]:
    """Somebody waits, and not for long."""
    with hurried(0.0):
        yield


@pytest.fixture
def clock() -> Hand:
    return Hand()


class Hanging:
    """Answers once it is let go on."""

    def __init__(self, price: float) -> None:
        self.price = price
        self.released = threading.Event()

    def __call__(self) -> float:
        assert self.released.wait(ENOUGH_S)
        return self.price


def _let_go(*hanging: Hanging) -> None:
    """Release them, and wait for whoever asks behind."""
    for one in hanging:
        one.released.set()
    for thread in threading.enumerate():
        if thread.name.startswith("asking "):
            thread.join(ENOUGH_S)


def test_what_was_known_stands_in_for_a_source_that_hangs_and_its_answer_is_kept_when_it_comes(
    database: Database, clock: Hand
) -> None:
    source = Source("a", clock, lambda: 1500.0)
    chain = chained(database, clock, source)
    chain.ask(REQUEST)
    clock.at += timedelta(hours=3)
    source.answer = hanging = Hanging(1600.0)
    late = chain.ask(REQUEST)
    assert (late.error, late.fetched[0].fetched_at) == (None, START)
    assert [(a.provider, a.error, a.cached) for a in late.attempts] == [
        ("a", "UnavailableError", None),
        ("a", None, "stale"),
    ]
    # A further question is not asked twice meanwhile, and nothing is held against the source yet.
    assert chain.ask(REQUEST).attempts[-1].cached == "stale"
    assert source.asked == 2
    assert chain.health.of("a").failures == 0
    _let_go(hanging)
    now = chain.ask(REQUEST)
    assert (now.fetched[0].rows[0].value, now.attempts[-1].cached) == (1600.0, "fresh")
    assert source.asked == 2


def test_where_nothing_was_known_the_answer_is_waited_for(database: Database, clock: Hand) -> None:
    source = Source("a", clock, hanging := Hanging(1500.0))
    chain = chained(database, clock, source)
    found: list[float | None] = []

    def ask(chain: Chain) -> None:
        found.append(chain.ask(REQUEST).fetched[0].rows[0].value)

    asking = threading.Thread(target=copy_context().run, args=(ask, chain))
    asking.start()
    hanging.released.set()
    asking.join(ENOUGH_S)
    assert found == [1500.0]


def test_the_copy_on_this_machine_stands_in_for_a_source_that_hangs(
    database: Database, clock: Hand
) -> None:
    source = Source("a", clock, hanging := Hanging(1600.0))
    copied = Source("market_copy", clock, lambda: 1500.0)
    outcome = chained(database, clock, source, copied).ask(REQUEST)
    assert (outcome.error, outcome.provider) == (None, "market_copy")
    assert [a.provider for a in outcome.attempts] == ["a", "market_copy"]
    _let_go(hanging)


def test_questions_that_are_answered_soon_shorten_nobody_elses_patience() -> None:
    patience = Patience()
    first, second = Hanging(1.0), Hanging(2.0)
    found: list[float | None] = []

    def ask(hanging: Hanging) -> None:
        with hurried(ENOUGH_S):
            found.append(patience.wait("a", hanging))

    threads = [threading.Thread(target=ask, args=(one,)) for one in (first, second)]
    for thread in threads:
        thread.start()
    assert not patience.is_tried
    second.released.set()
    first.released.set()
    for thread in threads:
        thread.join(ENOUGH_S)
    assert sorted(one for one in found if one is not None) == [1.0, 2.0]


def test_what_a_question_raises_is_raised() -> None:
    def fail() -> float:
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        Patience().wait("a", fail)


def test_a_source_that_leaves_many_open_is_left_alone_until_one_ends() -> None:
    patience = Patience()
    hanging = [Hanging(1.0) for _ in range(4)]
    assert [patience.wait("a", one) for one in hanging] == [None] * 4
    asked = threading.Event()

    def note() -> float:
        asked.set()
        return 2.0

    assert patience.wait("a", note) is None
    assert not asked.is_set()
    _let_go(*hanging)
    assert not patience.is_tried


def test_who_is_no_reader_waits_for_the_answer_itself(database: Database, clock: Hand) -> None:
    source = Source("a", clock, lambda: 1500.0)
    chain = chained(database, clock, source)
    chain.ask(REQUEST)
    clock.at += timedelta(hours=3)
    source.answer = lambda: 1600.0
    with unhurried():
        assert Patience().wait("a", lambda: 1.0) == 1.0
        assert chain.ask(REQUEST).fetched[0].rows[0].value == 1600.0
