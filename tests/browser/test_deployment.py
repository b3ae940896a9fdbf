"""The deployment as processes: who the door lets in, and what becomes of what was asked when
replicas die.
"""

import signal
from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.deployed import (
    MARKS,
    SLOWER,
    Deployed,
    ask,
    deployed,
    replica_of,
    status,
    visit,
)
from tests.browser.screens import wait_until
from tests.browser.serving import free_port

pytestmark = MARKS


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Generator[Deployed]:
    with deployed(tmp_path_factory.mktemp("deployed"), free_port()) as found:
        yield found


def test_the_door_lets_nobody_in_without_the_password_and_tells_nothing_of_the_inside(
    standing: Deployed,
) -> None:
    assert status(standing.door, "/") == 401
    assert status(standing.door, "/", signed_in=True) == 200
    for inside in ("/readyz", "/_stcore/metrics", "/metrics"):
        assert status(standing.door, inside, signed_in=True) == 404


@pytest.fixture(autouse=True)
def _all_live(standing: Deployed) -> None:
    standing.revive()


@pytest.mark.parametrize("freezes", [False, True])
def test_a_question_sent_as_its_replica_is_killed_is_answered_by_the_other(
    standing: Deployed, chromium: Browser, *, freezes: bool
) -> None:
    with visit(chromium, standing.door) as screen:
        page = screen.page
        at = replica_of(page, standing)
        if freezes:  # it takes the question in and does nothing more
            standing.replicas[at].send_signal(signal.SIGSTOP)
        ask(screen, "招商银行2016年净利润")
        standing.replicas[at].kill()
        expect(page.get_by_text("620.81").first).to_be_visible(timeout=10_000 * SLOWER)
        # Once: neither the first try nor the second left a turn of its own.
        assert screen.settle().page.locator('[class*="st-key-yj_turn_"]').count() == 1
        # And the next one goes on from it, with the conversation.
        ask(screen, "那万科A呢")
        expect(page.get_by_text("210.23").first).to_be_visible(timeout=60_000)


def test_while_no_replica_answers_it_is_said_in_words_and_what_was_asked_is_answered_after(
    standing: Deployed, chromium: Browser
) -> None:
    with visit(chromium, standing.door) as screen:
        page = screen.page
        for process in standing.replicas.values():  # or it is answered before they are killed
            process.send_signal(signal.SIGSTOP)
        ask(screen, "招商银行2016年净利润")
        for process in standing.replicas.values():
            process.kill()
        line = page.locator(".yj-away")
        expect(line).to_be_visible(timeout=10_000 * SLOWER)
        expect(line).to_contain_text("服务没有应答")
        expect(line).to_contain_text("招商银行2016年净利润")
        expect(page.get_by_role("dialog")).to_have_count(0)
        # Whoever comes now, or loads the page anew, is told by the door, which looks again itself.
        page.reload(wait_until="domcontentloaded")
        expect(page.get_by_text("暂时没有应答")).to_be_visible(timeout=30_000)
        standing.revive()
        expect(page.get_by_text("620.81").first).to_be_visible(timeout=60_000)
        assert page.locator('[class*="st-key-yj_turn_"]').count() == 1


def test_a_reader_whose_replica_dies_goes_on_at_the_other_with_the_conversation(
    standing: Deployed, chromium: Browser
) -> None:
    with visit(chromium, standing.door) as screen:
        page = screen.page
        ask(screen, "招商银行2016年净利润")
        expect(page.get_by_text("620.81").first).to_be_visible(timeout=60_000)
        before = replica_of(page, standing)
        standing.replicas[before].kill()
        # Nobody reloads: the page finds its way by itself, and what was asked stands.
        wait_until(page, lambda: replica_of(page, standing) != before)
        expect(screen.settle().page.get_by_text("620.81").first).to_be_visible()
        ask(screen, "万科A2016年净利润")
        expect(page.get_by_text("210.23").first).to_be_visible(timeout=60_000)
