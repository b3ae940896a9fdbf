"""Records in a real PostgreSQL: what is kept in the file is kept there, for several processes."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from services.core.errors import ConfigError, StoreAwayError
from services.settings import ROOT, load_settings
from services.store import migrations
from services.store.database import Database
from services.store.jobs import Jobs
from services.store.runs import Runs
from services.store.screens import Screens
from services.store.sessions import Sessions
from services.store.turns import StoredAnswer, Turns
from tests.postgres import Cluster, cluster, programs
from tests.unit.store.samples import run_of

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed"),
]
# Opens an empty database, says which steps it applied itself.
OPENING = (
    "import sys; from sqlalchemy import create_engine; from services.store import migrations; "
    "print(*migrations.upgrade(create_engine(sys.argv[1])))"
)


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    with cluster() as found:
        yield found


@pytest.fixture
def url(server: Cluster) -> str:
    return server.new_database()


@pytest.fixture
def replica(url: str) -> Iterator[Callable[[], Database]]:
    """Makes a store of one more replica; all are closed after the test."""
    with ExitStack() as opened:

        def make() -> Database:
            made = Database(":memory:", records_url=url)
            opened.callback(made.close)
            return made

        yield make


def test_three_replicas_start_at_once_on_an_empty_database(
    url: str, replica: Callable[[], Database]
) -> None:
    def start(_: int) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", OPENING, url],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    with ThreadPoolExecutor(3) as pool:
        applied = [name for names in pool.map(start, range(3)) for name in names]
    assert sorted(applied) == [step.__name__ for step in migrations.ALL]
    assert migrations.list_missing(replica().engine) == ()


def test_what_one_replica_keeps_another_finds(replica: Callable[[], Database]) -> None:
    here, there = replica(), replica()
    made = run_of(1)
    Runs(here).save(made.run, made.calls, made.claims)
    assert Runs(there).load(made.run.run_id) == made
    Screens(here).save("低估值", {"category": "CN"})
    assert [one.name for one in Screens(there).list()] == ["低估值"]
    job = Jobs(here).start("test", "s_1", subject="x", title="t", arguments={"a": 1})
    Jobs(there).append(job, 1, "{}")
    Jobs(there).finish(job, "ok", "{}", None)
    assert Jobs(here).load(job).status == "ok"
    assert len(Jobs(here).events(job)) == 1


def test_a_conversation_used_from_two_replicas_loses_nothing(
    replica: Callable[[], Database],
) -> None:
    here, there = replica(), replica()
    session = Sessions(here).start("s_both")
    for position in range(1, 7):
        turns = Turns(here if position % 2 else there)
        turns.append(session, position, f'{{"at": {position}}}')
        turns.answer(session, position, StoredAnswer(run_id=f"run_{position}", document="{}"))
    assert Turns(here).list(session) == Turns(there).list(session)
    assert len(Turns(here).list(session)) == 6
    assert set(Turns(there).answers(session)) == set(range(1, 7))


def test_a_url_without_a_place_for_the_market_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="YOUJU_MARKET") as caught:
        load_settings({"YOUJU_STORE": url})
    assert url not in str(caught.value)
    market = str(tmp_path / "local.duckdb")
    with pytest.raises(ConfigError, match="YOUJU_PUBLISHED") as caught:
        load_settings({"YOUJU_STORE": url, "YOUJU_MARKET": market})
    assert url not in str(caught.value)
    shared = str(tmp_path / "shared")
    given = {"YOUJU_STORE": url, "YOUJU_MARKET": market, "YOUJU_PUBLISHED": shared}
    found = load_settings(given)
    assert (found.store, found.records_url, found.published) == (market, url, Path(shared))
    assert load_settings({"YOUJU_STORE": market, "YOUJU_PUBLISHED": shared}).published is None
    assert url not in repr(found)


def test_a_command_answers_and_its_run_is_kept_there(
    url: str, tmp_path: Path, replica: Callable[[], Database]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "services", "ask", "招商银行2016年净利润"],
        cwd=ROOT,
        env={
            **os.environ,
            "YOUJU_STORE": url,
            "YOUJU_MARKET": str(tmp_path / "local.duckdb"),
            "YOUJU_PUBLISHED": str(tmp_path / "shared"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert Sessions(replica()).list(asked=True)


def test_a_server_that_goes_away_is_told_in_words_and_used_again_once_it_is_back(
    server: Cluster, replica: Callable[[], Database]
) -> None:
    database = replica()
    sessions = Sessions(database)
    sessions.start("before")
    database.check_writes()
    server.stop()
    for use in (database.check_writes, sessions.list, lambda: sessions.start("meanwhile")):
        with pytest.raises(StoreAwayError, match="连不上"):
            use()
    server.start()
    database.check_writes()
    sessions.start("after")
    assert {one.session_id for one in sessions.list()} == {"before", "after"}


def test_a_store_is_not_opened_while_its_server_is_away(server: Cluster, url: str) -> None:
    server.stop()
    try:
        with pytest.raises(StoreAwayError, match="连不上"):
            Database(":memory:", records_url=url)
    finally:
        server.start()
    Database(":memory:", records_url=url).close()
