"""Jobs of several processes on one PostgreSQL: put into a queue by replicas, done by workers, seen
and stopped from everywhere, gone on with when a worker is killed.
"""

import threading
from collections.abc import Callable, Iterator

import pytest

from services.core.identity import Identity, acting_as
from services.jobs.queue import UnderWay
from services.jobs.runner import Ended, JobRunner
from services.jobs.steps import StepWatcher
from services.jobs.worker import DIED
from services.store.database import Database
from services.store.jobs import Jobs
from tests.postgres import Cluster, cluster, programs
from tests.unit.jobs.workers import working

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed"),
]
# Longer than three workers of a loaded machine take to be missed.
ENOUGH_S = 90


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    with cluster() as found:
        yield found


@pytest.fixture
def url(server: Cluster) -> str:
    return server.new_database()


@pytest.fixture
def replica(url: str) -> Iterator[JobRunner]:
    database = Database(":memory:", records_url=url)
    yield JobRunner(Jobs(database))
    database.close()


@pytest.fixture
def worker(replica: JobRunner, url: str) -> Iterator[None]:
    """One worker, started once the tables are there."""
    with working(url):
        yield


def _never(_: StepWatcher) -> Ended:
    raise AssertionError("a replica does no work itself")


def start(replica: JobRunner, kind: str, name: str = "x", session_id: str = "s") -> str:
    return replica.start(
        kind, session_id, _never, subject=name, title="t", arguments={"name": name}
    )


def until(holds: Callable[[], bool]) -> None:
    """Wait for what another process does: nothing here could tell when."""
    for _ in range(ENOUGH_S * 20):
        if holds():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it did not come to pass")


def is_taken(replica: JobRunner, job: str) -> bool:
    assert replica.queue is not None
    found = replica.queue.find(job)
    return found is not None and found.taken


def workers_of(replica: JobRunner, job: str) -> list[str]:
    """The processes that were at it, in order."""
    return [step.title.zh for step in replica.state(job).steps if step.kind == "begun"]


@pytest.mark.usefixtures("worker")
def test_what_a_worker_does_is_joined_and_stopped_from_any_replica(
    replica: JobRunner, url: str
) -> None:
    job = start(replica, "wait")
    until(lambda: bool(workers_of(replica, job)))
    database = Database(":memory:", records_url=url)
    other = JobRunner(Jobs(database))
    assert other.state(job).status == "running"
    assert start(other, "wait", session_id="another tab") == job
    other.cancel(job)
    until(lambda: replica.state(job).status == "cancelled")
    assert start(other, "wait") != job
    database.close()


def test_two_replicas_that_ask_the_same_at_once_have_it_done_once(
    replica: JobRunner, url: str
) -> None:
    database = Database(":memory:", records_url=url)
    both = (replica, JobRunner(Jobs(database)))
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda one=one: found.append(start(one, "ok"))) for one in both * 4
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert len(replica.list()) == 1
    database.close()


def test_without_a_worker_it_waits_and_says_so_and_can_be_taken_back(replica: JobRunner) -> None:
    job = start(replica, "ok")
    state = replica.state(job)
    assert state.status == "running"
    assert "python -m services worker" in str(state.problem)
    assert replica.under_way() == UnderWay(running=0, waiting=1, workers=0)
    replica.cancel(job)
    assert replica.state(job).status == "cancelled"


def test_a_job_in_no_queue_and_without_an_end_was_interrupted(replica: JobRunner, url: str) -> None:
    database = Database(":memory:", records_url=url)
    job = Jobs(database).start("ok", "s", subject="x", title="t", arguments={})
    assert replica.state(job).status == "interrupted"
    database.close()


def test_what_a_killed_worker_was_at_another_goes_on_with(replica: JobRunner, url: str) -> None:
    job = start(replica, "wait")
    with working(url) as first:
        until(lambda: bool(workers_of(replica, job)))
        with working(url) as second:
            first.kill()
            first.wait(20)
            assert replica.state(job).status == "running"
            until(lambda: len(workers_of(replica, job)) == 2)
            assert workers_of(replica, job) == [str(first.pid), str(second.pid)]
            replica.cancel(job)
            until(lambda: replica.state(job).status == "cancelled")


def test_a_worker_that_is_told_to_end_leaves_its_work_to_another(
    replica: JobRunner, url: str
) -> None:
    job = start(replica, "wait")
    with working(url) as first:
        until(lambda: bool(workers_of(replica, job)))
        first.terminate()
        assert first.wait(60) == 0
        assert replica.state(job).status == "running"
        with working(url) as second:
            until(lambda: len(workers_of(replica, job)) == 2)
            assert workers_of(replica, job)[1] == str(second.pid)
            replica.cancel(job)
            until(lambda: replica.state(job).status == "cancelled")


def test_work_that_kills_three_workers_ends_as_failed(replica: JobRunner, url: str) -> None:
    job = start(replica, "die")
    for number in range(1, 4):
        with working(url) as worker:
            worker.wait(ENOUGH_S)
        assert len(workers_of(replica, job)) == number
    with working(url):
        until(lambda: replica.state(job).status == "failed")
    assert str(replica.state(job).problem) == str(DIED)
    assert len(workers_of(replica, job)) == 3


@pytest.mark.usefixtures("worker")
def test_one_who_asks_for_six_leaves_half_of_a_worker_to_others(replica: JobRunner) -> None:
    with acting_as(Identity(owner="a", name="A", role="analyst")):
        many = [start(replica, "wait", str(number)) for number in range(6)]
        until(lambda: sum(is_taken(replica, job) for job in many) == 2)
    with acting_as(Identity(owner="b", name="B", role="analyst")):
        one = start(replica, "ok")
        until(lambda: replica.state(one).status == "ok")
    assert sum(is_taken(replica, job) for job in many) == 2


@pytest.mark.usefixtures("worker")
def test_long_work_lets_somebody_else_go_first_and_goes_on(replica: JobRunner) -> None:
    long = start(replica, "pieces", session_id="long")
    until(lambda: bool(workers_of(replica, long)))
    busy = [start(replica, "wait", str(number), f"s{number}") for number in range(3)]
    until(lambda: all(is_taken(replica, job) for job in busy))
    # The four places are taken, one of them by work that can wait.
    last = start(replica, "wait", "last", "s_last")
    until(lambda: is_taken(replica, last))
    assert not is_taken(replica, long)
    assert replica.state(long).status == "running"
    before = len(workers_of(replica, long))
    replica.cancel(busy[0])
    until(lambda: len(workers_of(replica, long)) > before)
    for job in (*busy[1:], last, long):
        replica.cancel(job)
    until(lambda: all(not replica.state(job).running for job in (*busy, last, long)))


def test_what_is_scheduled_is_done_again_and_after_its_worker_is_killed_by_another(
    replica: JobRunner, url: str
) -> None:
    assert replica.queue is not None
    for _ in range(2):
        with working(url) as worker:
            assert worker.stdout is not None
            assert [worker.stdout.readline().strip() for _ in range(3)] == ["tick"] * 3
            worker.kill()


def test_a_worker_outlives_a_database_that_goes_away_and_goes_on_with_its_work(
    server: Cluster, replica: JobRunner, url: str
) -> None:
    with working(url) as process:
        job = start(replica, "wait")
        until(lambda: bool(workers_of(replica, job)))
        server.stop()
        # It looks every three seconds: at least once in vain.
        threading.Event().wait(5)
        server.start()
        until(lambda: len(workers_of(replica, job)) == 2)
        assert process.poll() is None
        # Another answers to the same process: it asks for no other worker.
        assert set(workers_of(replica, job)) == {str(process.pid)}
        replica.cancel(job)
        until(lambda: replica.state(job).status == "cancelled")
