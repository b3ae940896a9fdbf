"""Runs of live mode done again with every source gone: the same figures, cites and words."""

from collections.abc import Iterator

import pytest

from services.container import Services
from services.workbench.desk import Desk
from tests.fakes import everything
from tests.fakes.server import Fault, World
from tests.live.answered import opened
from tests.waiting import job_ended

pytestmark = pytest.mark.thorough

QUESTIONS = (
    "茅台最新价",
    "茅台的净利润",
    "市盈率小于40的A股",
    "茅台最新讨论",
    "茅台同行对比",
    "搜索 白酒 三季报",
    "最新CPI",
    "贵州茅台、万科A的营业收入",
)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with everything.world() as running:
        yield running


@pytest.fixture(scope="module")
def youju(world: World) -> Iterator[Services]:
    services = opened(world)
    yield services
    services.close()


def broken(world: World, fault: Fault | None) -> None:
    for service in world.services.values():
        service.fault = fault


def asked_in_all(world: World) -> int:
    return sum(len(service.asked) for service in world.services.values())


def replayed(youju: Services, world: World, session: str) -> None:
    """Every run of the session again: nobody is asked, and everything is the same."""
    before = asked_in_all(world)
    for run in youju.runs.runs(session):
        found = Desk(youju).replay(run.run_id)
        assert found.holds, (run.kind, run.arguments, found.changed[:3], found.comparison)
        assert found.at == run.started_at
    assert asked_in_all(world) == before


def test_pages_answers_and_a_score_follow_from_what_was_fetched(
    youju: Services, world: World
) -> None:
    desk = Desk(youju)
    conversation = desk.begin()
    for question in QUESTIONS:
        desk.ask(question, conversation)
    desk.overview("pages")
    desk.stock("600519", None, None, "pages")
    desk.financials("600519", "pages")
    job = desk.score("600519", "pages")
    job_ended(job)
    assert {run.kind for run in youju.runs.runs("pages")} == {
        "overview",
        "stock",
        "financials",
        "score",
    }
    broken(world, "reset")
    try:
        replayed(youju, world, conversation)
        replayed(youju, world, "pages")
    finally:
        broken(world, None)


@pytest.mark.parametrize("fault", ["reset", "too_many", "forbidden", "empty"])
def test_what_a_source_failed_at_fails_again_in_the_same_words(world: World, fault: Fault) -> None:
    fresh = opened(world)
    desk = Desk(fresh)
    conversation = desk.begin()
    world.services["tushare"].fault = fault
    world.services["eastmoney"].fault = fault
    try:
        for question in ("茅台最新价", "茅台的净利润", "茅台同行对比"):
            desk.ask(question, conversation)
    finally:
        broken(world, None)
    replayed(fresh, world, conversation)
    fresh.close()


def test_a_capability_without_a_source_names_the_same_variable(world: World) -> None:
    fresh = opened(world, IQS_API_KEY="", IQS_URL="", SEARXNG_URL="", RSS_FEEDS="")
    desk = Desk(fresh)
    conversation = desk.begin()
    desk.ask("搜索 白酒 三季报", conversation)
    replayed(fresh, world, conversation)
    fresh.close()


def test_what_changed_since_is_shown_beside_what_was(world: World) -> None:
    """The figure is asked for again in a session of its own, and the turn stays as it was."""
    fresh = opened(world)
    desk = Desk(fresh)
    conversation = desk.begin()
    desk.ask("茅台最新价", conversation)
    (run,) = fresh.runs.runs(conversation)
    found = desk.changes(run.run_id, "later")
    assert found.same
    assert found.same_figures > 0
    assert len(desk.conversation(conversation).turns) == 1
    fresh.close()
