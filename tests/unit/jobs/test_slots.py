"""Nobody's work keeps another's from its turn: on real threads, none of which waits for a clock."""

import threading
from queue import SimpleQueue

import pytest

from services.jobs.runner import Ended, JobRunner
from services.jobs.slots import FairSlots
from services.jobs.steps import StepWatcher
from services.store.database import Database
from services.store.jobs import Jobs
from tests.waiting import job_ended

LONG = 60


@pytest.fixture
def runner() -> JobRunner:
    return JobRunner(Jobs(Database(":memory:")))


class Works:
    """Works that say when they begin and end when they are told to."""

    def __init__(self, runner: JobRunner) -> None:
        self.begun: SimpleQueue[str] = SimpleQueue()
        self.go = threading.Event()
        self._runner = runner

    def start(self, owner: str, name: str, pieces: int = 1) -> str:
        def work(_: StepWatcher) -> Ended:
            for piece in range(pieces):
                if piece:
                    self._runner.give_way()
                self.begun.put(f"{name}.{piece}")
                assert self.go.wait(LONG)
            return Ended(status="ok", document="{}")

        return self._runner.start(
            "test", owner, work, subject=name, title=name, arguments={"name": name}
        )


def test_one_who_starts_four_leaves_half_of_the_slots_to_others(runner: JobRunner) -> None:
    works = Works(runner)
    jobs = [works.start("first", f"a{number}") for number in range(4)]
    assert {works.begun.get(timeout=LONG) for _ in range(2)} == {"a0.0", "a1.0"}
    assert works.begun.empty()
    jobs.append(works.start("second", "b"))
    assert works.begun.get(timeout=LONG) == "b.0"
    works.go.set()
    assert {runner.state(job_ended(job)).status for job in jobs} == {"ok"}


def test_a_batch_gives_way_between_its_pieces() -> None:
    slots = FairSlots(2)  # half of two: each owner holds one
    order: SimpleQueue[str] = SimpleQueue()
    assert slots.take("batch", _never)
    assert slots.take("other", _never)

    def wait_for_a_turn() -> None:
        if slots.take("new", _never):
            order.put("new")

    waiting = threading.Thread(target=wait_for_a_turn)
    waiting.start()
    slots.give("batch")  # between two companies: who waited is first, and the batch is next
    assert order.get(timeout=LONG) == "new"
    assert not slots.take("batch", _at_once)
    slots.give("other")
    assert slots.take("batch", _never)
    waiting.join()


def test_work_that_waits_for_its_turn_can_be_stopped(runner: JobRunner) -> None:
    works = Works(runner)
    jobs = [works.start("first", name, pieces=2) for name in ("a0", "a1", "a2")]
    assert {works.begun.get(timeout=LONG) for _ in range(2)} == {"a0.0", "a1.0"}
    runner.cancel(jobs[2])
    assert runner.state(job_ended(jobs[2])).status == "cancelled"
    works.go.set()
    assert {runner.state(job_ended(job)).status for job in jobs[:2]} == {"ok"}
    assert works.begun.qsize() == 2  # their second pieces: each had its turn again


def test_a_closing_runner_ends_what_waits_for_its_turn(runner: JobRunner) -> None:
    works = Works(runner)
    jobs = [works.start("first", f"a{number}") for number in range(3)]
    works.go.set()
    runner.close()
    assert {runner.state(job).status for job in jobs} <= {"ok", "cancelled"}
    runner.give_way()  # outside of any work there is nobody to give way to


def _never() -> bool:
    return False


def _at_once() -> bool:
    return True
